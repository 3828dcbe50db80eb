"""Errors of an integrator's motion against the exact one: energy, momentum, orientation, phase, flips.

Phase and flips are counted from state to state. States that are more than half a period apart do not tell how often the
body has gone round between them. If errors carry 2E/|L|^2 past the middle 1/I for good, L circles another axis than in
the exact motion, and is neither ahead nor behind. If 2E/|L|^2 only swings past the middle 1/I and back, L keeps to its
axis.
"""

from math import inf, isfinite, isnan, log, nan, pi

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.exact.lagrange_top import LagrangeTop
from viewer.physics.kept import Kept
from viewer.physics.poinsot.spin import at_energy
from viewer.physics.rotation import conjugate, multiply, turn_angle
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.physics.state import (
    State,
    States,
    angular_momentum_body,
    angular_momentum_world,
    at_rest,
    orthogonality_error,
    rotational_energy,
)

Array = NDArray[np.float64]

TURN = 2.0 * pi
ROUND_OFF = 1e-12  # of |L|: round-off may decide the sign of a component of L that is this small
COUNTS = np.dtype([
    ("time", np.float64), ("flips", np.int64), ("sense", np.float64), ("ahead", np.float64),
    ("other_since", np.float64), ("lost_since", np.float64),
])  # fmt: skip
STEPS = 64  # states looked at in half a period, after which L_b repeats but for a half turn about an axis
STILL = 1e-10  # of |L|: L that moves less than this in a step stands still in the body


@frozen
class Circling:
    """What is counted in a motion up to one of its states; a row of dtype COUNTS has the same fields in the same order.

    Attributes
    ----------
    time
        The time of the state [s]; NaN before the first state.
    flips
        How often the sense about the middle axis has reversed.
    sense
        The last sense about the middle axis, 1 or -1; 0 before there was one.
    ahead
        The phase error [rad], 2 pi for a period; NaN if there is none.
    other_since
        The time [s] from which L circles another axis than in the exact motion; NaN if it does not.
    lost_since
        The time [s] from which flips and phases cannot be counted; NaN if they can.
    """

    time: float = nan
    flips: int = 0
    sense: float = 0.0
    ahead: float = 0.0
    other_since: float = nan
    lost_since: float = nan

    @property
    def phase(self) -> float | None:
        """The phase error [rad]; None if there is none."""
        return self.ahead if isfinite(self.ahead) else None

    @property
    def known_flips(self) -> int | None:
        """How often the body has flipped; None if the states are too far apart to tell."""
        return None if isfinite(self.lost_since) else self.flips

    @property
    def other(self) -> float | None:
        """The time [s] from which L circles another axis than in the exact motion; None if it does not."""
        return self.other_since if isfinite(self.other_since) else None

    def after(
        self, exact: FreeRotation | LagrangeTop, body: RigidBody, states: States, there: Array | None,
        blur: float = 0.0, sure: bool = False,
    ) -> NDArray[np.void]:  # fmt: skip
        """Return the counts after each of the next states, (N,) of dtype COUNTS; a top has neither flips nor a phase.

        `there` is the phase (N,) of `exact` at the times of these states. `blur` is the fraction of |L| by which noise
        may carry L across an axis. `sure` means that the phase changes by less than half a period from one state to the
        next, however far apart the states are.
        """
        rows, times = np.empty(len(states.time), COUNTS), states.time
        rows["time"], rows["ahead"] = times, nan
        rows["flips"], rows["sense"] = self.flips, self.sense
        if isinstance(exact, LagrangeTop):
            rows["other_since"] = rows["lost_since"] = nan
            return rows
        if exact.elliptic is None or exact.elliptic.flips:  # else two moments are equal, and no axis is the middle one
            self._count_flips(rows, body, states)
        half = 0.5 * exact.period if exact.period and not sure else inf
        before = times[:1] if isnan(self.time) else [self.time]
        _mark(rows, "lost_since", self.lost_since, np.abs(np.diff(times, prepend=before)) >= half)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            here = exact.phase(states.omega_body)
            along = exact.along_axis(angular_momentum_body(body, states))
        if here is None or there is None or along is None:
            rows["other_since"] = nan
            return rows
        _mark(rows, "other_since", self.other_since, ~(along >= -max(ROUND_OFF, blur)))
        off = wrapped(here - there)
        counted = np.unwrap(np.concatenate(([self.ahead], off)))[1:]
        known = np.isnan(rows["other_since"]) & np.isnan(rows["lost_since"])
        rows["ahead"][known] = (off + TURN * np.round((counted - off) / TURN))[known]
        return rows

    def _count_flips(self, rows: NDArray[np.void], body: RigidBody, states: States) -> None:
        """Fill in the fields `flips` and `sense` of the rows."""
        middle = int(np.argsort(body.principal_moments)[1])
        momenta = states.omega_body * body.principal_moments
        certain = np.abs(momenta[:, middle]) > ROUND_OFF * np.linalg.norm(momenta, axis=1)
        senses = np.concatenate(([self.sense], np.where(certain, np.sign(momenta[:, middle]), 0.0)))
        last = np.maximum.accumulate(np.where(senses != 0.0, np.arange(len(senses)), 0))  # the last row with a sense
        senses = senses[last]
        rows["sense"] = senses[1:]
        rows["flips"] = self.flips + np.cumsum(senses[1:] * senses[:-1] < 0.0)


def wrapped(angle: Array) -> Array:
    """Return angles [rad] brought to -pi..pi by whole turns; small angles do not change."""
    return np.asarray(angle - TURN * np.round(angle / TURN))


def _mark(rows: NDArray[np.void], name: str, before: float, where: NDArray[np.bool_]) -> None:
    """Fill in the time since which a condition has held, NaN in rows before that time.

    It is `before`, or, if that is NaN, the time of the first row marked in `where`.
    """
    rows[name] = before
    if isnan(before) and where.any():
        first = int(np.argmax(where))
        rows[name][first:] = rows["time"][first]


@frozen
class Deviation:
    """The errors of N states, (N,) each.

    Attributes
    ----------
    energy
        E / E_exact - 1; of a top the error of E + V, as in `KeptErrors`.
    momentum
        |L| / |L|_exact - 1; of a top the larger of the errors of L along the vertical and along the axis.
    direction
        The angle between L and the exact L in space [rad].
    orientation
        The angle of the turn from the exact orientation [rad], 0..pi.
    phase
        How far the motion runs ahead along the closed curve of L in the body [rad], 2 pi for a period, counted over
        whole periods; NaN from the first state at which `Circling` can no longer count it. None if there is no such
        curve: for a steady spin, and on the separatrix.
    """

    energy: Array
    momentum: Array
    direction: Array
    orientation: Array
    phase: Array | None


def compared(
    exact: FreeRotation | LagrangeTop, body: RigidBody, states: States, before: Circling, blur: float = 0.0,
    kept: Kept | None = None,
) -> tuple[Deviation, Circling]:  # fmt: skip
    """Compare the next states of a motion with the exact motion; return their errors and the updated counts.

    `before` holds the counts up to these states, and the returned ones are those up to the last state. `blur` is as in
    `Circling.after`; `kept` is what the weight of a top keeps.
    """
    reference = exact.at(states.time)
    L, L_exact = angular_momentum_world(body, states), angular_momentum_world(body, reference)
    there = exact.phase(reference.omega_body)
    counts = before.after(exact, body, states, there, blur)
    if kept is None:
        energy = _relative(rotational_energy(body, states), rotational_energy(body, reference))
        sizes = (np.linalg.norm(angular_momentum_body(body, each), axis=-1) for each in (states, reference))
        momentum = _relative(*sizes)
    else:
        errors = kept.errors(states)
        energy, momentum = errors.energy, errors.momentum
    found = Deviation(
        energy=energy,
        momentum=momentum,
        direction=angle_between(L, L_exact),
        orientation=turn_between(reference.orientation_wxyz, states.orientation_wxyz),
        phase=None if there is None else counts["ahead"],
    )
    return found, Circling(*counts[-1].item())


def angle_between(a: Array, b: Array) -> Array:
    """Return the angle [rad] between vectors (..., 3), accurate also if it is small; 0 if one of the vectors is 0."""
    return np.asarray(np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), np.sum(a * b, axis=-1)))


def turn_between(p: Array, q: Array) -> Array:
    """Return the angle [rad], 0..pi, of the turn between orientations (..., 4), accurate also if it is small."""
    return turn_angle(multiply(conjugate(p), q))


def _relative(value: Array, reference: Array) -> Array:
    """Return `value` / `reference` - 1, or `value` itself if the reference is 0."""
    safe = np.where(reference == 0.0, 1.0, reference)
    return np.where(reference == 0.0, value, value / safe - 1.0)


def period_deviation(body: RigidBody, state: State, running: Simulation) -> float:
    """Return the largest relative error that the integrator of `running` makes in a period of the free motion.

    It is the largest of five errors: of E, of L in space (as a fraction of |L|), of the rate at which L runs along its
    curve in the body, of the period (as it follows from the errors of E and |L|), and, if the integrator keeps a
    matrix, of its departure from a rotation. Each is the mean error of a step times the number of steps in a period, so
    that errors that cancel along the way do not count. Any stabilisation is taken as "closest-point". The result is 0
    at rest, and infinite if a step gives no finite state.
    """
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            return _period_deviation(body, state, running)
    except NumericalOverflow:
        return inf


def _period_deviation(body: RigidBody, state: State, running: Simulation) -> float:
    moments, free = body.principal_moments, FreeRotation(body, state, precise=False)
    energy_now, size = _invariants(moments, np.asarray(state.omega_body))
    if free.period is None or at_rest(energy_now, size):
        return 0.0
    method = "off" if running.stabilisation == "off" else "closest-point"
    stepped = Simulation(body, state, running.integrator, running.step, stabilisation=method)
    exact = Simulation(body, state, step=stepped.step)
    starts = Simulation(body, state, step=0.5 * free.period / STEPS).sampled(STEPS)  # the closed form would load scipy
    L_world, steps = stepped.angular_momentum_world, max(1.0, free.period / stepped.step)
    rows, stretched = [], 0.0
    for start in map(State, starts.orientation_wxyz, starts.omega_body):
        exact.restart(start)
        exact.advance_steps(1)
        stepped.restart(start)
        omega, right = np.asarray(start.omega_body), np.asarray(exact.state.omega_body)
        before = _invariants(moments, omega)
        stepped.advance_steps(1)
        reached, moved = np.asarray(stepped.state.omega_body), moments * (right - omega)
        square = float(moved @ moved)
        behind = float((moments * (reached - right)) @ moved) / square if square > (STILL * size) ** 2 else 0.0
        after = _invariants(moments, reached)
        grown = [log(new / old) if new > 0.0 else -inf for new, old in zip(after, before, strict=True)]
        if stepped.stretch is not None:
            stretched += steps / STEPS * float(orthogonality_error(stepped.stretch))
        rows.append((behind, *grown, *(stepped.angular_momentum_world - L_world) / size))
    behind, energy, momentum, *drift = np.mean(rows, axis=0)
    energy, momentum = float(energy * steps), float(momentum * steps)
    if not np.isfinite(energy + momentum):
        return inf
    found = [abs(float(behind)), abs(energy), float(np.linalg.norm(drift)) * steps, stretched]
    if free.elliptic is None:  # a steady spin, which has a turn in place of a period
        return max(found)
    for change in {energy - stretched, energy + stretched}:
        L_body = at_energy(moments, moments * state.omega_body, energy_now * np.exp(change - 2.0 * momentum))
        later = State((1.0, 0.0, 0.0, 0.0), L_body * np.exp(momentum) / moments)
        period = FreeRotation(body, later, precise=False).period
        found.append(inf if period is None else abs(period / free.period - 1.0))
    return max(found)


def _invariants(moments: Array, omega: Array) -> tuple[float, float]:
    """Return E [J] and |L| [kg m2/s]."""
    return 0.5 * float(omega @ (moments * omega)), float(np.linalg.norm(moments * omega))
