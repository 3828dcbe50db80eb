"""The recordings that a document was made from, beside its motion."""

from viewer.common.frozen import frozen
from viewer.race.recorded_lane import Recordings
from viewer.scenario.own.looks import without_look
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.motion import Body, Start


@frozen
class Recorded:
    """One recording or several, and the body and the start that they belong to."""

    recordings: Recordings
    body: Body
    start: Start

    @classmethod
    def beside(cls, scenario: Scenario, recordings: Recordings | None) -> "Recorded | None":
        """Those of which `scenario` is the scene; None where there are none."""
        return None if recordings is None else cls(recordings, scenario.body, scenario.start)

    def of(self, scenario: Scenario) -> Recordings | None:
        """Them, while the scene has their body, whatever it looks like, and their start."""
        same = without_look(self.body) == without_look(scenario.body) and self.start == scenario.start
        return self.recordings if same else None
