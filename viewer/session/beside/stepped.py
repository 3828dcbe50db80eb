"""Bodies side by side under loads, or with an integrator that errs: each has a motion of its own."""

import dataclasses
from collections.abc import Callable

from viewer.common.errors import refusal
from viewer.common.ring_buffer import RingBuffer
from viewer.physics.simulation import NumericalOverflow
from viewer.scenario.scenario import Scenario
from viewer.session.derived import middle_period
from viewer.session.document import Change, Document
from viewer.session.motion import IrreversibleError, Motion
from viewer.session.snapshot import Snapshot
from viewer.session.trail import TRAIL_WIDTH

NEAR = 256  # steps: so far ahead a state is gone to step by step
TRAIL_KEPT = 8192  # rows of the trail of a body that is not selected

Late = Callable[[], bool]


class SteppedBodies:
    """Each with a motion of its own."""

    def __init__(self, document: Document, selected: int, motion: Motion) -> None:
        self.document, self._selected = document, selected
        self._names = [document.start.body_name(number) for number in range(len(document.start.bodies))]
        self.late = False
        self.motions = [motion if n == selected else self._begun(n) for n in range(len(self._names))]
        self._stopped: dict[int, NumericalOverflow | IrreversibleError] = {}

    def _begun(self, number: int) -> Motion:
        ring = RingBuffer(TRAIL_KEPT, TRAIL_WIDTH)
        return Motion(self.document.start.of_body(number), ring, self.document.changes)

    @property
    def _others(self) -> list[tuple[int, Motion]]:
        return [(n, motion) for n, motion in enumerate(self.motions) if n != self._selected]

    @property
    def period(self) -> float | None:
        return middle_period(motion.period for n, motion in enumerate(self.motions) if n not in self._stopped)

    @property
    def turning(self) -> list[tuple[float, float]]:
        return [motion.turning for n, motion in enumerate(self.motions) if n not in self._stopped]

    def follow(self, motion: Motion, late: Late) -> None:
        self.motions[self._selected] = motion
        self.late = False
        for number, other in self._others:
            stopped = self._stopped.get(number)
            if stopped is not None and _reached(other, motion.time):
                del self._stopped[number]
            elif stopped is not None:
                continue
            try:
                there = _go_to(other, motion.time, late)
            except (NumericalOverflow, IrreversibleError) as error:
                self._stopped[number] = error
            else:
                self.late = self.late or not there

    def select(self, number: int, motion: Motion) -> Motion:
        self.follow(motion, lambda: False)
        stopped = self._stopped.get(number)
        if stopped is not None:
            why = stopped.message if isinstance(stopped, NumericalOverflow) else str(stopped)
            raise refusal("Body {name} {why}; scrub back to see it", name=self._names[number], why=why)
        self._selected = number
        return self.motions[number]

    def snapshots(self, selected: Snapshot, ahead: float, paths: bool) -> tuple[Snapshot, ...]:
        found = []
        for number, motion in enumerate(self.motions):
            one = selected if number == self._selected else motion.snapshot(ahead)
            stopped = self._stopped.get(number)
            why = one.stopped if stopped is None else str(stopped)
            found.append(dataclasses.replace(one, name=self._names[number], stopped=why))
        return tuple(found)

    def change(self, scenario: Scenario) -> None:
        for number, motion in self._others:
            motion.change(scenario.of_body(number))

    def pulse(self, angular_impulse_body: tuple[float, float, float]) -> None:
        for _, motion in self._others:
            motion.pulse(angular_impulse_body)

    def revise(self, before: tuple[Change, ...], changes: tuple[Change, ...]) -> bool:
        self._stopped.clear()
        done = [motion.revise(before, changes) for _, motion in self._others]
        return all(done)


def _reached(motion: Motion, time: float) -> bool:
    """Whether a time [s] is within what is recorded."""
    first, last = motion.span
    return first <= time <= last


def _go_to(motion: Motion, time: float, late: Late) -> bool:
    """To a time [s], by what is recorded and on from there; False where `late()` before."""
    first, last = motion.span
    recorded = min(max(time, first), last)
    if recorded < motion.time - 0.5 * motion.step or recorded > motion.time + NEAR * motion.step:
        motion.seek(recorded)
    far = abs(time - motion.time) > NEAR * motion.step
    return motion.skip_to(time, late) if far else motion.run_to(time, late)
