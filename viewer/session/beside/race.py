"""The race beside a document's motion, or why there is none."""

from viewer.common.language import tr
from viewer.race.live import LiveRace, race_fields, race_of
from viewer.race.trajectory import Trajectory
from viewer.session.document import Document


def race_beside(document: Document, recordings: tuple[Trajectory, ...]) -> tuple[LiveRace | None, str | None]:
    """The race from t = 0, with the recordings that run in it; and why there is none, or what is missing in it."""
    scenario = document.scenario
    if scenario.bodies:
        text = tr("No race: this scene has {count} bodies").format(count=len(scenario.bodies))
        return None, None if scenario.race.show == "off" else text
    if race_setup(document)[1]:
        return None, tr(
            "No race: a load or a torque pulse has acted on this motion; a race needs a free one (R: reset)"
        )
    if not scenario.race.lanes and not recordings:  # the scene of a recording that is not there
        return None, None
    return race_of(scenario, recordings)


def race_setup(document: Document) -> tuple[object, bool]:
    """What a document's race depends on, besides body and start; whether a motion that is free now was not before."""
    scenario = document.scenario
    wanted = scenario.race.show != "off" and scenario.loads_value().free
    return race_fields(scenario), wanted and document.disturbed is not None
