"""A session on a clock of its own, and how it plays."""

from typing import Any

from viewer.scenario.scenario import Scenario
from viewer.session.motion import Motion
from viewer.session.session import Session

# the paper's body from its start, moved exactly
PAPER = Scenario.preset("paper-fig1-fine").with_values(
    {"solver.integrator": "exact-drift", "solver.stabilisation": "off"}
)


class Clock:
    """A clock that goes on by `tick` seconds every time it is read."""

    def __init__(self, tick: float = 0.0) -> None:
        self.now, self.tick = 0.0, tick

    def __call__(self) -> float:
        self.now += self.tick
        return self.now


def session(scenario: Scenario = PAPER, **changes: Any) -> Session:
    for path, value in changes.items():
        scenario = scenario.with_value(path.replace("__", "."), value)
    return Session(scenario, clock=Clock())


def play(running: Session, seconds: float, frames_per_second: int = 60) -> None:
    for _ in range(round(seconds * frames_per_second)):
        running.scene.advance(1 / frames_per_second)


def motion(scenario: Scenario = PAPER, **changes: Any) -> Motion:
    for path, value in changes.items():
        scenario = scenario.with_value(path.replace("__", "."), value)
    return Motion(scenario)
