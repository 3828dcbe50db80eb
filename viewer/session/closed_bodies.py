"""Torque-free bodies in closed form: all of them at any time in a single evaluation, with their trails."""

from bisect import bisect_right
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.common.ring_buffer import RingBuffer, RingView
from viewer.physics.exact.free_rotation import FreeRotation, FreeRotations
from viewer.physics.poinsot.construction import Curves, Periods, largest_rate
from viewer.physics.rotation import rotate, rotation_matrix
from viewer.physics.state import angular_momentum_world, rotational_energy
from viewer.scenario.bodies import Member
from viewer.scenario.scenario import Scenario
from viewer.session.checkpoints import TRAIL_ANGLE, TRAIL_WIDTH
from viewer.session.derived import middle_period
from viewer.session.document import Change, Document
from viewer.session.motion import Motion
from viewer.session.snapshot import Reading, Snapshot

ROWS_KEPT = 2048  # rows of a body's trail

Array = NDArray[np.float64]


class _ClosedMotion:
    """The constants of one body's motion, and its trail."""

    def __init__(self, scenario: Scenario) -> None:
        """Begin with the scene of a single body."""
        self.body, self.start = scenario.rigid_body(), scenario.start_state()
        self.motion = FreeRotation(self.body, self.start)
        self.energy = float(rotational_energy(self.body, self.start))
        self.momentum_world = angular_momentum_world(self.body, self.start)
        self.momentum = float(np.linalg.norm(self.momentum_world))
        self.momentum_world.setflags(write=False)
        self.curves = Curves(self.body, self.start, self.energy, self.momentum)
        self.cycles = Periods(self.body).of(self.start, self.energy, self.momentum)
        self.rate = largest_rate(self.body.principal_moments, self.energy, self.momentum)
        self.spacing = TRAIL_ANGLE / max(self.rate, 1e-9)  # s
        self.trail = RingBuffer(ROWS_KEPT, TRAIL_WIDTH)

    def position(self, time: ArrayLike) -> Array:
        """Return the positions (..., 3) [m] of the centre of mass at times (...) [s]; no force acts on it."""
        late = np.asarray(time, dtype=np.float64)[..., None]
        return np.asarray(self.start.position + late / self.body.mass * self.start.linear_momentum)

    def missing_times(self, time: float) -> Array:
        """Return the times (N,) [s] of the rows that the trail lacks up to a time [s].

        The rows lead away from t = 0, in either direction. The trail begins anew if its rows cannot be continued: they
        are on the other side of t = 0, all of them are beyond the time, or they end too long before it.
        """
        trail, sign = self.trail, 1.0 if time >= 0.0 else -1.0
        if trail.count:
            first, last = (sign * float(trail.data[n % ROWS_KEPT, 0]) for n in (trail.first, trail.count - 1))
            if last < first or not first <= sign * time <= last + ROWS_KEPT * self.spacing:
                trail.clear()
        latest = max(sign * time - (ROWS_KEPT - 1) * self.spacing, 0.0)  # the time at which a trail begins anew
        begin = last + self.spacing if trail.count else latest
        count = max(int((sign * time - begin) / self.spacing) + 1, 0) if sign * time >= begin else 0
        return np.asarray(sign * (begin + self.spacing * np.arange(count)))

    def trail_until(self, time: float) -> RingView:
        """Return the rows of the trail up to a time [s]."""
        view, sign = self.trail.view(), 1.0 if time >= 0.0 else -1.0
        rows = range(view.first, view.count)
        count = bisect_right(rows, sign * time, key=lambda n: sign * float(view.data[n % view.capacity, 0]))
        return replace(view, count=view.first + count)


class ClosedBodies:
    """All bodies of a torque-free scene whose integrator has no errors."""

    late = False

    def __init__(self, document: Document, selected: int, motion: Motion, before: "ClosedBodies | None" = None) -> None:
        """Begin at t = 0; the motions of bodies that do not change are taken from `before`."""
        self.document, self._selected, self._motion = document, selected, motion
        start = document.start
        known = {} if before is None else before._by_member
        self._by_member: dict[Member, _ClosedMotion] = {}
        for number, member in enumerate(start.bodies):
            if member in self._by_member:
                continue
            self._by_member[member] = known.get(member) or _ClosedMotion(start.of_body(number))
        self._each = [self._by_member[member] for member in start.bodies]
        self._numbers = {member: number for number, member in enumerate(start.bodies)}  # each body once
        self._names = [start.body_name(number) for number in range(len(start.bodies))]
        self._all = FreeRotations([known.motion for known in self._each])

    @property
    def period(self) -> float | None:
        return middle_period(known.cycles.period for known in self._each)

    @property
    def turning(self) -> list[tuple[float, float]]:
        return [(known.rate, 0.0) for known in self._each]

    def follow(self, motion: Motion, late: object) -> None:
        self._motion = motion

    def select(self, number: int, motion: Motion) -> Motion:
        document = self.document
        new = Motion(document.start.of_body(number), document.changes)
        new.skip_to(motion.time)
        self._selected, self._motion = number, new
        return new

    def change(self, scenario: Scenario) -> None:
        """Change nothing: while the closed form is known, all integrators give the same motion."""

    def pulse(self, angular_impulse_body: tuple[float, float, float]) -> None:
        """Do nothing: after a pulse the bodies are no longer in closed form."""

    def revise(self, before: tuple[Change, ...], changes: tuple[Change, ...]) -> bool:
        return True

    def snapshots(self, selected: Snapshot, ahead: float, paths: bool) -> tuple[Snapshot, ...]:
        time = self._motion.time + ahead * self._motion.step
        numbers = np.arange(len(self._each))
        orientation, omega = self._all.at(numbers, np.full(len(numbers), time))
        omega_world, rotation = rotate(orientation, omega), rotation_matrix(orientation)
        if paths:
            self._lengthen_trails(time)
        return tuple(
            self._snapshot(n, selected, time, orientation[n], rotation[n], omega[n], omega_world[n])
            for n in numbers.tolist()
        )

    def _snapshot(
        self, number: int, selected: Snapshot, time: float, orientation: Array, rotation: Array, omega: Array,
        omega_world: Array,
    ) -> Snapshot:  # fmt: skip
        known = self._each[number]
        reading = Reading(
            time=time,
            position=known.position(time),
            linear_momentum=known.start.linear_momentum,
            orientation_wxyz=orientation,
            rotation_world_from_body=rotation,
            omega_body=omega,
            omega_world=omega_world,
            angular_momentum_world=known.momentum_world,
            target_momentum=known.momentum,
            energy=known.energy,
            target_energy=known.energy,
        )
        return Snapshot(
            body=known.body,
            shape=self.document.start.bodies[number].body,
            start_position=self.document.start.bodies[number].start.position,
            integrator=selected.integrator,
            loads=selected.loads,
            reading=reading,
            start_angular_momentum_world=known.momentum_world,
            curves=known.curves,
            period=known.cycles.period,
            flip_period=known.cycles.flip,
            precession_period=known.cycles.precession,
            frame_period=known.cycles.frame,
            trail=known.trail_until(time),
            name=self._names[number],
        )

    def _lengthen_trails(self, time: float) -> None:
        """Add to every trail the rows that it lacks up to a time [s], all in one evaluation."""
        missing = {number: self._each[number].missing_times(time) for number in self._numbers.values()}
        numbers = np.repeat(list(missing), [len(times) for times in missing.values()])
        seconds = np.concatenate(list(missing.values()))
        if not len(seconds):
            return
        orientation, omega = self._all.at(numbers, seconds)
        rows = np.column_stack((seconds, rotate(orientation, omega), omega))
        for number in missing:
            known, own = self._each[number], rows[numbers == number]
            centres = known.body.centre_at(orientation[numbers == number], known.position(own[:, 0]))
            known.trail.append_rows(np.column_stack((own, centres)))
