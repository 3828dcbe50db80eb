"""The race that a scene asks for beside its motion: there while it can be, else with the reason."""

from typing import TYPE_CHECKING

from viewer.common.errors import InputError
from viewer.race.live import LiveRace
from viewer.race.trajectory import Trajectory

if TYPE_CHECKING:
    from viewer.scenario.scenario import Scenario


class Beside:
    """`race`: None where there is none; `says`: what the user should know of it.

    A log runs in it as long as the scene has the body and the start that it belongs to.
    """

    def __init__(self) -> None:
        self.race: LiveRace | None = None
        self.says: str | None = None
        self._log: tuple[Trajectory, object, object] | None = None

    def take_log(self, log: Trajectory, scenario: "Scenario") -> None:
        """`log`: a logged motion of the scene's body from its start, which runs in the next race that begins."""
        self._log = log, scenario.body, scenario.start

    def begin(self, scenario: "Scenario") -> None:
        """The race that the scene asks for, from its start."""
        self.race = self.says = None
        if scenario.race.show == "off":
            return
        log, *of = self._log or (None,)
        try:
            self.race = LiveRace(scenario, log if of == [scenario.body, scenario.start] else None)
            self.says = "; ".join(self.race.refused) or None
        except InputError as error:
            self.says = f"No race: {error}"

    def follow(self, before: "Scenario", scenario: "Scenario") -> None:
        """The scene has changed on the way: the race begins again where it hangs on that."""
        if _hangs_on(before) != _hangs_on(scenario):
            self.begin(scenario)


def _hangs_on(scenario: "Scenario") -> tuple[object, ...]:
    """What a race depends on, beside body and start."""
    race = scenario.race
    return scenario.loads, race.show != "off", race.lanes, race.steps_per_rotation
