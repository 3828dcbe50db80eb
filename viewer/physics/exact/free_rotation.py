"""The torque-free motion in closed form: one evaluation for any time, forward and back, good to round-off.

The phases are reduced in double-double arithmetic: after 1e6 periods the state is as accurate as at the start.
Round-off is relative to the largest |omega| of the motion; if the moments are far apart, a small omega may be less
accurate relative to itself. `FreeRotations` evaluates the same formulas for many bodies at once, with the constants as
arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import cached_property
from math import frexp, hypot, inf, isfinite, ldexp, pi
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.common.errors import brief, refusal
from viewer.physics.body import RigidBody
from viewer.physics.centre_of_mass import CentreOfMass, parabola
from viewer.physics.exact import constants
from viewer.physics.exact.constants import PeriodicConstants, cycles, finite_times
from viewer.physics.exact.elliptic import Elliptic, periodic_motion, turn_between
from viewer.physics.exact.lagrange_top import LagrangeTop
from viewer.physics.loads import Loads
from viewer.physics.rotation import multiply
from viewer.physics.state import State, States

Array = NDArray[np.float64]

MOST_CYCLES = 2.0**70  # half periods, and turns, after which the phases are still accurate to 1e-11 rad
LATEST = 4  # times of which the state is kept
NOTHING = 1e-150  # of the largest component of omega: a smaller one counts as 0, its square is lost even in 1 - m


class FreeRotation:
    """The torque-free motion of a body from a state at t = 0, in closed form.

    Parameters
    ----------
    body : RigidBody
        The body.
    start : State
        Its state at t = 0.
    precise : bool, optional
        Whether phases are as accurate after 1e6 periods as at the start. If not, each turn adds a few round-offs, but
        the first evaluation takes 2 ms instead of 14, which counts for very many motions.

    Attributes
    ----------
    period : float or None
        The time after which omega_body repeats [s]; for a steady spin the time of a turn. None at rest and on the
        separatrix.
    flip_period : float or None
        The time between two reversals of the sense about the middle axis [s]; None if there are none.
    precession_period : float or None
        The mean time in which the axis that L circles goes round L [s]; None if there is no such axis.
    latest : float
        The largest |t| [s] that `at` accepts.
    elliptic : Elliptic or None
        The constants of a motion in scaled units, in which the unit of time is 2^-rate_exponent seconds; None for a
        steady spin.

    References
    ----------
    Jacobi's elliptic functions and Carlson's integrals, NIST Digital Library of Mathematical Functions, chapters 22,
    19.

    Examples
    --------
    >>> from viewer import FreeRotation, RigidBody, State
    >>> motion = FreeRotation(RigidBody.from_moments((1, 2, 3)), State((1, 0, 0, 0), (0.01, 3, 0)))
    >>> round(motion.flip_period, 3)
    8.187
    >>> bool(abs(motion.at(motion.period).omega_body - motion.start.omega_body).max() < 1e-12)
    True
    """

    def __init__(self, body: RigidBody, start: State, precise: bool = True) -> None:
        self.start, self._mass, self._precise = start, body.mass, precise
        self._orientation = start.orientation_wxyz
        self._omega = start.omega_body
        # powers of two: inertia and omega of order one, exactly; time runs inversely to omega
        fastest = float(np.abs(self._omega).max())
        exponent = frexp(fastest)[1] if fastest > 0.0 else 0
        self.rate_exponent = exponent
        weight = frexp(float(body.principal_moments.min()))[1]
        moments = [ldexp(float(value), -weight) for value in body.principal_moments]
        omega = [ldexp(float(value), -exponent) for value in self._omega]
        omega = [value if abs(value) > NOTHING else 0.0 for value in omega]
        steady = not any(  # a sphere, a principal axis, rest
            omega[i] != 0.0 and omega[j] != 0.0 and moments[i] != moments[j] for i, j in ((0, 1), (1, 2), (2, 0))
        )
        self.elliptic = None if steady else Elliptic.of(moments, omega)

        self.period: float | None = None
        self.flip_period: float | None = None
        self.precession_period: float | None = None
        rate = hypot(*omega) if self.elliptic is None else self.elliptic.fastest_rate
        self.latest = (self._seconds(MOST_CYCLES / rate) if rate > 0.0 else None) or inf
        if self.elliptic is None:
            speed = hypot(*omega)
            self.period = self._seconds(2.0 * pi / speed) if speed > 0.0 else None
        elif isfinite(self.elliptic.K):
            half = 2.0 * self.elliptic.K / self.elliptic.lam
            self.period = self._seconds(2.0 * half)
            self.flip_period = self._seconds(half) if self.elliptic.flips else None
            self.precession_period = self._seconds(2.0 * pi / self.elliptic.precession_rate)

    def _seconds(self, scaled: float) -> float | None:
        try:
            return ldexp(scaled, -self.rate_exponent)
        except OverflowError:
            return None

    def next_flip(self, t: float = 0.0) -> float | None:
        """Return the next time at which the sense about the middle axis reverses, or None if the body never flips.

        Parameters
        ----------
        t : float, optional
            The time [s] after which the reversal is looked for. A reversal at `t` itself, or within a few roundings of
            it, does not count.

        Returns
        -------
        float or None
            The time [s].
        """
        if self.flip_period is None or self.elliptic is None:
            return None
        c = self.elliptic.precise
        scaled = np.ldexp(np.array([float(t)]), self.rate_exponent)
        part, rest = (float(value[0]) for value in cycles(scaled, c.half_periods, c.start)[1:])
        to_go = -part - rest  # half periods up to the nearest reversal
        while True:
            flip = float(t) + ldexp(to_go / c.half_periods[0], -self.rate_exponent)
            if flip - t > 4.0 * abs(float(np.spacing(t))):
                return flip
            to_go += 1.0

    def phase(self, omega_body: ArrayLike) -> Array | None:
        """Return the phases of angular velocities along the closed curve of the exact motion.

        Parameters
        ----------
        omega_body : array_like
            Angular velocities (..., 3) in body axes [rad/s]. A point off the curve gets the phase of the curve's point
            in the same direction about the axis that L circles.

        Returns
        -------
        ndarray or None
            The phases (...) in -pi..pi, 2 pi for a period, growing evenly in time; None for a steady spin and on the
            separatrix.
        """
        if self.elliptic is None or not isfinite(self.elliptic.K):
            return None
        rates = np.asarray(omega_body, dtype=np.float64)
        scaled = np.ldexp(rates.reshape(-1, 3), -self.rate_exponent)
        return self.elliptic.phase(scaled).reshape(rates.shape[:-1])

    def flips_until(self, t: float) -> int:
        """Return how often the sense about the middle axis reverses after t = 0.

        Parameters
        ----------
        t : float
            The time [s] until which reversals are counted.
        """
        first = self.next_flip()
        if first is None or self.flip_period is None or first > t:
            return 0
        return 1 + int((t - first) / self.flip_period)

    def along_axis(self, momentum_body: Array) -> Array | None:
        """Return the component of L along the axis that L circles in this motion, as a fraction of |L|.

        If the component is not positive, L circles another axis, or the same one in the other sense, and `phase` says
        nothing about the motion.

        Parameters
        ----------
        momentum_body : ndarray
            L (N, 3) in body axes.

        Returns
        -------
        ndarray or None
            The fractions (N,); None if `phase` is None.
        """
        if self.elliptic is None or not isfinite(self.elliptic.K):
            return None
        along = self.elliptic.signs[2] * momentum_body[:, self.elliptic.axes[2]]
        return np.asarray(along / np.linalg.norm(momentum_body, axis=1))

    @overload
    def at(self, t: float) -> State: ...

    @overload
    def at(self, t: Sequence[float] | Array) -> States: ...

    def at(self, t: ArrayLike) -> State | States:
        """Return the state at a time or at many. No force acts on the body, so its linear momentum does not change.

        Parameters
        ----------
        t : array_like
            One time [s], or times (N,).

        Returns
        -------
        State or States
            A `State` for one time, `States` for many.

        Raises
        ------
        ValueError
            If a time is beyond `latest` or not finite.
        """
        times = finite_times(t)
        last = float(np.abs(times).max(initial=0.0))
        if last > self.latest:
            raise refusal(
                "t: {t} s is after more turns than the closed form can count; allowed are {first} to {latest} s",
                t=brief(last), first=brief(-self.latest), latest=brief(self.latest),
            )  # fmt: skip
        scaled = np.ldexp(np.atleast_1d(times), self.rate_exponent)
        if self.elliptic is None:
            orientation = multiply(self._orientation, _spin(self._omega, self.rate_exponent, scaled))
            omega = np.broadcast_to(self._omega, (len(scaled), 3))
        else:
            turn, rates = self.elliptic.motion(scaled, self._precise)
            orientation = multiply(self._orientation, turn)
            omega = np.ldexp(rates, self.rate_exponent)
        orientation = orientation / np.linalg.norm(orientation, axis=-1, keepdims=True)
        start, column = self.start, np.atleast_1d(times)[:, None]
        position, momentum = parabola(start.position, start.linear_momentum, np.zeros(3), self._mass, column)
        if times.ndim == 0:
            return State(orientation[0], omega[0], position[0], momentum[0])
        return States(times, orientation, np.array(omega), position, momentum)


def _spin(omega: Array, exponent: int, times: Array) -> Array:
    """Return the quaternions (N, 4) of a steady turn at omega (3,) [rad/s] after times (N,) in 2^-exponent s."""
    if not omega.any():
        return np.tile([1.0, 0.0, 0.0, 0.0], (len(times), 1))
    x, y, z = np.ldexp(omega, -exponent).tolist()
    turning, _ = constants.steady_rate((1.0, 1.0, 1.0), (x, y, z))
    _, turns, _ = cycles(times, turning, (0.0, 0.0))
    half = 2.0 * pi * turns
    return np.concatenate((np.cos(half)[:, None], np.sin(half)[:, None] * [x, y, z] / hypot(x, y, z)), axis=1)


def exact_motion(
    body: RigidBody, start: State, loads: Loads, precise: bool = True
) -> FreeRotation | LagrangeTop | None:
    """Return the motion in closed form from a state on; None if neither it is free nor a symmetric top's.

    `precise` is that of a `LagrangeTop`.
    """
    if loads.free:
        return FreeRotation(body, start)
    if not loads.only_weight or body.top_axis is None:
        return None
    return LagrangeTop.of(body, loads, start, precise)


class ClosedForm:
    """The closed form of a body's motion from a given state; its constants are computed when first needed.

    The motion is free, or that of a symmetric top under its weight. States of the latest times are kept.
    """

    def __init__(self, body: RigidBody, start: State, loads: Loads) -> None:
        self._body, self._start, self._loads = body, start, loads
        self._latest: dict[float, State] = {}

    @cached_property
    def motion(self) -> FreeRotation | LagrangeTop:
        """The exact motion from the given state; the free one where the loads have none."""
        return exact_motion(self._body, self._start, self._loads) or FreeRotation(self._body, self._start)

    def at(self, elapsed: float) -> State:
        """Return the state after this many seconds."""
        found = self._latest.get(elapsed)
        if found is None:
            if len(self._latest) == LATEST:
                self._latest.clear()
            found = self._latest[elapsed] = self.motion.at(elapsed)
        return found

    def pushed(
        self, centre: CentreOfMass, angle: float, made: float, step: float, fraction: float, count: int
    ) -> CentreOfMass:
        """Return the centre of mass under thrust after `count` further steps.

        Each step is a `fraction` (-1 to 1) of `step` [s]. `made` is the number of whole steps up to now; `angle` is as
        in `CentreOfMass.by_nodes`.
        """

        def orientations(steps: Array, fractions: Array) -> Array:
            at = (made + fraction * steps)[:, None] + fraction * fractions
            return self.motion.at((at * step).ravel()).orientation_wxyz

        return centre.by_nodes(orientations, angle, fraction * step, count)


Numbers = NDArray[np.intp]


class FreeRotations:
    """The torque-free motions of N bodies; `each` lists them one by one."""

    def __init__(self, motions: Sequence[FreeRotation]) -> None:
        self.each = tuple(motions)
        # steady spins and separatrices have formulas of their own, and are few
        kinds = [_kind(motion) for motion in self.each]
        self._kind = np.array(kinds)
        members_of = {kind: [n for n, found in enumerate(kinds) if found == kind] for kind in ("near", "far")}
        self._groups = {
            kind: _Group([self.each[n] for n in members]) for kind, members in members_of.items() if members
        }
        self._place = np.zeros(len(kinds), dtype=np.intp)  # the index of each motion in the group of its kind
        for members in members_of.values():
            self._place[members] = np.arange(len(members))

    def at(self, which: ArrayLike, times: ArrayLike) -> tuple[Array, Array]:
        """Return orientation_wxyz (M, 4) and omega_body (M, 3) [rad/s] of the bodies `which` (M,) at times (M,) [s]."""
        numbers, seconds = np.asarray(which, dtype=np.intp), np.asarray(times, dtype=np.float64)
        orientations, rates = np.empty((len(numbers), 4)), np.empty((len(numbers), 3))
        kinds = self._kind[numbers]
        for kind, group in self._groups.items():
            chosen = kinds == kind
            if chosen.any():
                orientations[chosen], rates[chosen] = group.at(self._place[numbers[chosen]], seconds[chosen])
        for number in np.unique(numbers[kinds == "other"]):
            chosen = numbers == number
            states = self.each[number].at(seconds[chosen])
            orientations[chosen], rates[chosen] = states.orientation_wxyz, states.omega_body
        return orientations, rates


def _kind(motion: FreeRotation) -> str:
    """Return the kind of formulas that a motion needs: "near" if its nu is <= 1, "far" if nu > 1, or "other"."""
    elliptic = motion.elliptic
    if elliptic is None or not np.isfinite(elliptic.K):
        return "other"
    return "near" if elliptic.precise.nu <= 1.0 else "far"


class _Group:
    """Motions that need the same formulas, with their constants as arrays."""

    def __init__(self, motions: Sequence[FreeRotation]) -> None:
        found = [elliptic for motion in motions if (elliptic := motion.elliptic) is not None]
        self._precise = {
            field.name: np.array([getattr(elliptic.precise, field.name) for elliptic in found])
            for field in fields(PeriodicConstants)
        }
        self._K, self._side = np.array([e.K for e in found]), np.array([e.side for e in found])
        self._start = np.array([e.L_start / e.L_norm for e in found])
        self._signs, self._J = np.array([e.signs for e in found]), np.array([e.J for e in found])
        self._axes = np.array([e.axes for e in found], dtype=np.intp)
        self._orientation = np.array([motion.start.orientation_wxyz for motion in motions])
        self._exponent = np.array([motion.rate_exponent for motion in motions])

    def at(self, which: Numbers, times: Array) -> tuple[Array, Array]:
        chosen: dict[str, Any] = {
            name: tuple(values[which].T) if values.ndim == 2 else values[which]
            for name, values in self._precise.items()
        }
        constants = PeriodicConstants(**chosen)
        scaled = np.ldexp(times, self._exponent[which])
        L, turns = periodic_motion(scaled, constants, self._K[which], self._side[which])
        turn = turn_between(self._start[which], L, turns)
        signs, axes = self._signs[which], self._axes[which]
        turned, rates = np.empty((len(which), 4)), np.empty((len(which), 3))
        turned[:, 0] = turn[:, 0]
        np.put_along_axis(turned, 1 + axes, signs * turn[:, 1:], axis=1)
        np.put_along_axis(rates, axes, signs * self._J[which] * L, axis=1)
        orientation = multiply(self._orientation[which], turned)
        orientation /= np.linalg.norm(orientation, axis=1, keepdims=True)
        return orientation, np.ldexp(rates, self._exponent[which][:, None])
