"""Torque-free bodies side by side in closed form: at any time at once, all in one evaluation, with their trails."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.common.ring_buffer import RingBuffer
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
ROWS_REFILLED = 512  # of them, once more than so many are gone back over

Array = NDArray[np.float64]


class _Known:
    """What stays of one body's motion."""

    def __init__(self, scenario: Scenario) -> None:
        """`scenario`: as it has the body for its own."""
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
        """Of the centre of mass (..., 3) [m] at times (...) [s]: no force moves it."""
        late = np.asarray(time, dtype=np.float64)[..., None]
        return np.asarray(self.start.position + late / self.body.mass * self.start.linear_momentum)


class ClosedBodies:
    """All bodies of a scene that is torque-free, under an integrator without errors."""

    late = False

    def __init__(self, document: Document, selected: int, motion: Motion, before: "ClosedBodies | None" = None) -> None:
        """`before`: has what is known of the bodies that stay as they are."""
        self.document, self._selected, self._motion = document, selected, motion
        start = document.start
        known = {} if before is None else before._by_member
        self._by_member: dict[Member, _Known] = {}
        for number, member in enumerate(start.bodies):
            if member in self._by_member:
                continue
            self._by_member[member] = known.get(member) or _Known(start.of_body(number))
        self._each = [self._by_member[member] for member in start.bodies]
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
        """Nothing changes: as long as they are known in closed form, all integrators give the same motion."""

    def pulse(self, angular_impulse_body: tuple[float, float, float]) -> None:
        """Never comes: after a pulse they are known in closed form no more."""

    def revise(self, before: tuple[Change, ...], changes: tuple[Change, ...]) -> bool:
        return True

    def snapshots(self, selected: Snapshot, ahead: float, paths: bool) -> tuple[Snapshot, ...]:
        time = self._motion.time + ahead * self._motion.step
        numbers = np.arange(len(self._each))
        orientation, omega = self._all.at(numbers, np.full(len(numbers), time))
        omega_world, rotation = rotate(orientation, omega), rotation_matrix(orientation)
        if paths:
            self._lengthen_trails(time, omega_world, omega)
        return tuple(
            self._snapshot(n, selected, time, orientation[n], rotation[n], omega[n], omega_world[n], paths)
            for n in numbers.tolist()
        )

    def _snapshot(
        self, number: int, selected: Snapshot, time: float, orientation: Array, rotation: Array, omega: Array,
        omega_world: Array, paths: bool,
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
            trail=known.trail.view(),
            name=self._names[number],
        )

    def _lengthen_trails(self, time: float, omega_world: Array, omega_body: Array) -> None:
        """Brings every trail up to a time [s]: by the present state, or by what the closed form gives for between.

        The rows lead away from t = 0, in either direction.
        """
        which, times = list[int](), list[Array]()
        for number, known in enumerate(self._each):
            if any(known is earlier for earlier in self._each[:number]):  # the same body twice has one trail
                continue
            missing = _missing(known, time)
            if missing is None:
                known.trail.append((time, *omega_world[number], *omega_body[number], *known.position(time)))
            elif len(missing):
                which.append(number)
                times.append(missing)
        if not which:
            return
        numbers = np.repeat(which, [len(missing) for missing in times])
        seconds = np.concatenate(times)
        orientation, omega = self._all.at(numbers, seconds)
        rows = np.column_stack((seconds, rotate(orientation, omega), omega))
        for number in which:
            known, own = self._each[number], rows[numbers == number]
            known.trail.append_rows(np.column_stack((own, known.position(own[:, 0]))))


def _missing(known: _Known, time: float) -> Array | None:
    """The times [s] of the rows that a trail lacks, which is cut or cleared where it reaches further than to `time`.

    None: the present state is the next row.
    """
    trail, sign = known.trail, 1.0 if time >= 0.0 else -1.0

    def at(number: int) -> float:
        return float(sign * trail.data[number % trail.capacity, 0])

    if trail.count and (at(trail.count - 1) < 0.0 or at(trail.first) > sign * time):
        trail.clear()
    if trail.count and at(trail.count - 1) > sign * time:  # back: what is later goes
        low, high = trail.first, trail.count
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if at(middle) <= sign * time else (low, middle)
        trail.cut(high)
        if trail.first > 0 and trail.count - trail.first < ROWS_KEPT - ROWS_REFILLED:
            trail.clear()
    begin = at(trail.count - 1) if trail.count else max(sign * time - (ROWS_KEPT - 1) * known.spacing, 0.0)
    gap = sign * time - begin
    if trail.count and gap > ROWS_KEPT * known.spacing:
        trail.clear()
        return _missing(known, time)
    if trail.count and gap <= 1.5 * known.spacing:
        return None if gap >= 0.5 * known.spacing else np.zeros(0)
    steps = np.arange(1 if trail.count else 0, int(gap / known.spacing) + 1)
    return np.asarray(sign * (begin + known.spacing * steps))
