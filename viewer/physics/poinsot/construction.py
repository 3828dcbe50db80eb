"""Poinsot's construction: the inertia ellipsoid, its plane, the curves that the touching point draws, their periods.

The ellipsoid {omega : omega.I omega = 2E} is fixed in the body; it rolls without slipping on the plane
{omega : omega.Lhat = 2E/|L|}, fixed in space. Everything here lives in the space of omega [rad/s].
At rest (`state.at_rest`) all of it is 0.
"""

from functools import cached_property
from math import isfinite, pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.poinsot.branch import Branch, RollingMarks
from viewer.physics.poinsot.spin import circulation
from viewer.physics.state import State, at_rest

Array = NDArray[np.float64]

FINE = 8  # points of the first sampling of a polhode per point of the second
SAME = 1e-10  # relative change of E or |L| below which they are not computed anew
LEAST = 1e-14  # relative distance from the least energy that is round-off


def ellipsoid_semi_axes(principal_moments: ArrayLike, energy: float) -> Array:
    """Semi-axes (3,) of the inertia ellipsoid along body x, y, z [rad/s]."""
    return np.asarray(np.sqrt(2.0 * energy / np.asarray(principal_moments, dtype=np.float64)))


def plane_distance(energy: float, L_norm: float) -> float:
    """Distance of the invariable plane from the centre of mass [rad/s]."""
    return 0.0 if at_rest(energy, L_norm) else 2.0 * energy / L_norm


def energy_bounds(principal_moments: ArrayLike, L_norm: float) -> tuple[float, float]:
    """Return the least and the largest energy [J] that a body of angular momentum |L| can have."""
    moments = np.asarray(principal_moments, dtype=np.float64)
    return L_norm * L_norm / (2.0 * float(moments.max())), L_norm * L_norm / (2.0 * float(moments.min()))


def largest_rate(principal_moments: ArrayLike, energy: float, L_norm: float) -> float:
    """Return the largest |omega| [rad/s] on the polhode of an energy [J] and an |L| [kg m2/s].

    Where the component of L along the middle axis is 0, |omega|^2 = (J_min + J_max) 2E - J_min J_max |L|^2.
    """
    if at_rest(energy, L_norm):
        return 0.0
    moments = np.asarray(principal_moments, dtype=np.float64).tolist()
    low, high, root = 1.0 / max(moments), 1.0 / min(moments), sqrt(2.0 * energy)
    return root * sqrt(high) * sqrt(max(1.0 + low / high - low * (L_norm / root) ** 2, 0.0))


def herpolhode_radii(principal_moments: ArrayLike, energy: float, L_norm: float) -> tuple[float, float]:
    """(inner, outer) radius [rad/s] of the ring that the herpolhode fills, about the foot of L on the plane.

    Where the component L_k is 0, |omega|^2 - (2E/|L|)^2 = |L|^2 (J_i - J_L)(J_L - J_j), with J_L = 2E/|L|^2.
    """
    if at_rest(energy, L_norm):
        return 0.0, 0.0
    low, middle, high = sorted(1.0 / np.asarray(principal_moments, dtype=np.float64))
    ratio = 2.0 * energy / (L_norm * L_norm)
    above, below = max(high - ratio, 0.0), max(ratio - low, 0.0)
    inner = (middle - ratio) * below if middle >= ratio else (ratio - middle) * above
    return min(L_norm * sqrt(inner), L_norm * sqrt(above * below)), L_norm * sqrt(above * below)


def polhode(
    principal_moments: ArrayLike, energy: float, L_norm: float, omega_body: ArrayLike, points: int = 512
) -> Array:
    """Return the closed branch of the polhode that holds omega_body: (points, 3) in the body frame [rad/s].

    Evenly spaced in arc length; the first point is not repeated at the end. A steady spin gives the same point
    everywhere, a symmetric top a circle, the separatrix the closed curve through both its corners.
    """
    J = 1.0 / np.asarray(principal_moments, dtype=np.float64)
    omega = np.asarray(omega_body, dtype=np.float64)
    if at_rest(energy, L_norm):
        return np.zeros((points, 3))
    branch = polhode_branch(principal_moments, energy, L_norm, omega)
    if branch.is_point:  # a sphere
        return np.tile(J[0] * L_norm * omega / max(float(np.linalg.norm(omega)), 1e-300), (points, 1))
    angle = np.linspace(0.0, 2.0 * np.pi, FINE * points + 1)
    chords = np.linalg.norm(np.diff(branch.at(angle), axis=0), axis=1)
    length = np.concatenate(([0.0], np.cumsum(chords)))
    if not length[-1] > 0.0:
        return branch.at(np.zeros(points))
    return branch.at(np.interp(np.arange(points) * (length[-1] / points), length, angle))


def polhode_branch(principal_moments: ArrayLike, energy: float, L_norm: float, omega_body: ArrayLike) -> Branch:
    """Return the branch that holds omega_body by its angle and its arc length; not at rest."""
    J = 1.0 / np.asarray(principal_moments, dtype=np.float64)
    axes = _axes(J, energy, L_norm)
    sign = float(np.asarray(omega_body, dtype=np.float64)[axes[0]])
    return Branch(J, axes, 2.0 * energy / (L_norm * L_norm), L_norm, sign)


def separatrix(principal_moments: ArrayLike, L_norm: float, points: int = 256) -> Array:
    """Where L_b runs on the sphere of radius |L| if it has the energy of a spin about the middle axis [kg m2/s].

    Two great circles (2, points, 3), which cross at that axis: (J_high - J_mid) L_high^2 = (J_mid - J_low) L_low^2.
    None, (0, points, 3), where two moments are equal or |L| = 0.
    """
    J = 1.0 / np.asarray(principal_moments, dtype=np.float64)
    low, middle, high = (int(k) for k in np.argsort(J, kind="stable"))
    if not (L_norm > 0.0 and J[low] < J[middle] < J[high]):
        return np.zeros((0, points, 3))
    angle = np.arange(points) * (2.0 * np.pi / points)
    fraction = (J[middle] - J[low]) / (J[high] - J[low])  # of (L_low^2 + L_high^2) in L_high^2
    circles = np.empty((2, points, 3))
    circles[:, :, middle] = np.cos(angle)
    circles[:, :, high] = sqrt(fraction) * np.sin(angle)
    circles[:, :, low] = np.array([[1.0], [-1.0]]) * sqrt(1.0 - fraction) * np.sin(angle)
    return L_norm * circles


def _axes(J: Array, energy: float, L_norm: float) -> tuple[int, int, int, int]:
    """(axis that the polhode goes around, axes of the least, middle, largest J)."""
    low, middle, high = (int(k) for k in np.argsort(J, kind="stable"))
    if J[middle] == J[high]:
        return low, low, middle, high
    if J[low] == J[middle]:
        return high, low, middle, high
    return (low if 2.0 * energy <= J[middle] * L_norm * L_norm else high), low, middle, high


def alike(one: tuple[float, float], other: tuple[float, float], relative: float = SAME) -> bool:
    """Return whether two pairs (E, |L|) differ by no more than that part of themselves."""
    return all(abs(a - b) <= relative * abs(b) for a, b in zip(one, other, strict=True))


class Curves:
    """What depends on E and |L| only, and on which of its two branches the polhode runs; at rest there is nothing."""

    def __init__(self, body: RigidBody, state: State, energy: float, momentum: float) -> None:
        moments = body.principal_moments
        self._body, self._state = body, state
        self._for, self._moments = (energy, momentum), moments
        self._side = self._side_of(np.asarray(state.omega_body))
        if at_rest(energy, momentum):
            energy = momentum = 0.0
        self.polhode = polhode(moments, energy, momentum, state.omega_body)
        self.separatrix = separatrix(moments, momentum)
        for curve in (self.polhode, self.separatrix):
            curve.setflags(write=False)
        self.herpolhode_radii = herpolhode_radii(moments, energy, momentum)
        self._resting = energy == 0.0
        self._marks: RollingMarks | None = None

    @cached_property
    def orbit(self) -> FreeRotation:
        """The exact motion along the polhode, from some time on; its constants take a while."""
        return FreeRotation(self._body, self._state)

    @cached_property
    def branch(self) -> Branch | None:
        """The polhode by its arc length; None where it is a point."""
        if self._resting:
            return None
        branch = polhode_branch(self._moments, *self._for, self._state.omega_body)
        return branch if branch.length > 0.0 else None

    def marks(self, count: int) -> RollingMarks | None:
        """So many marks at equal arc lengths on the polhode; None where it is a point."""
        if self._marks is None or self._marks.count != count:
            self._marks = None if self.branch is None else RollingMarks(self.branch, self._moments, count)
        return self._marks

    def hold_for(self, energy: float, momentum: float, omega_body: Array) -> bool:
        """Return whether these are still the curves of a motion with this energy, this |L| and this omega."""
        return alike((energy, momentum), self._for) and self._side_of(omega_body) == self._side

    def _side_of(self, omega_body: Array) -> bool:
        """Return the sign of omega along the axis that the polhode goes around."""
        energy, momentum = self._for
        low, middle, high = np.argsort(self._moments, kind="stable")
        around = high if 2 * energy * self._moments[middle] < momentum**2 else low
        return bool(omega_body[around] >= 0)


class Cycles(NamedTuple):
    """How long a torque-free motion takes [s], None where there is no such time.

    `period`: to repeat in the body; `flip`: between two reversals about the middle axis; `precession`: on the mean, of
    the axis about which it wobbles, once round L.
    """

    period: float | None = None
    flip: float | None = None
    precession: float | None = None


class Periods:
    """How long the torque-free motion from a state on takes to repeat; computed anew where its E or |L| is another."""

    def __init__(self, body: RigidBody) -> None:
        self._body = body
        self._for: tuple[float, float] | None = None
        self._found = Cycles()

    def of(self, state: State, energy: float, momentum: float) -> Cycles:
        """Return the periods that FreeRotation has, of a state with that E and |L|.

        Where the energy is the least to round-off, the period is the time of a turn of that spin.
        """
        if self._for is None or not alike((energy, momentum), self._for):
            self._for, self._found = (energy, momentum), self._computed(state, energy, momentum)
        return self._found

    def _computed(self, state: State, energy: float, momentum: float) -> Cycles:
        moments = self._body.principal_moments
        if at_rest(energy, momentum):
            return Cycles()
        if energy - energy_bounds(moments, momentum)[0] <= LEAST * energy:
            return Cycles(2.0 * pi / float(np.linalg.norm(state.omega_body)))
        free = FreeRotation(self._body, state)
        wobbles = circulation(moments, moments * np.asarray(state.omega_body)).wobbles
        found = free.period, free.flip_period, free.precession_period if wobbles else None
        return Cycles(*(t if t and isfinite(t) else None for t in found))
