"""Poinsot's construction: the inertia ellipsoid, its plane, the curves of the point of contact, their periods.

The ellipsoid {omega : omega.I omega = 2E} is fixed in the body; it rolls without slipping on the plane {omega :
omega.Lhat = 2E/|L|}, fixed in space. All points and lengths here are in the space of omega [rad/s]. At rest
(`state.at_rest`) all of them are 0.

A branch of a polhode is parametrised by an angle θ around its axis. Let c be the axis that the polhode goes around, a
and b the other two, and L̂ the direction of L in the body. Then L̂_a = A cos θ, L̂_b = B sin θ and L̂_c² = C² cos² θ +
m sin² θ, where m is L̂_c² at L̂_a = 0. Every quarter of the branch is a mirror image of the first.
"""

from functools import cached_property
from math import isfinite, pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.poinsot.spin import circulation
from viewer.physics.state import State, at_rest

Array = NDArray[np.float64]

CELLS = 48  # cells in which the arc length of a quarter is integrated, ever finer towards a possible corner
CORNER = 1e-12  # rad: the finest resolution of a corner
NEWTON = 8  # steps to the angle of an arc length
# Gauss and Legendre's, of eight points, to the last digit: numpy's own cost every start its package of polynomials
NODES = np.array([0.1834346424956498, 0.525532409916329, 0.7966664774136267, 0.9602898564975363])
WEIGHTS = np.array([0.362683783378362, 0.31370664587788727, 0.22238103445337448, 0.10122853629037626])
NODES, WEIGHTS = np.append(-NODES[::-1], NODES), np.append(WEIGHTS[::-1], WEIGHTS)


class Branch:
    """A closed branch of a polhode.

    `J` (3,) are the inverse moments. `axes` has four entries: the axis that the branch goes around, then the axes of
    the least, middle and largest J. `ratio` is 2E/L². `sign` is that of the component of omega along the first of the
    axes.
    """

    def __init__(self, J: Array, axes: tuple[int, int, int, int], ratio: float, L_norm: float, sign: float) -> None:
        around, low, middle, high = axes
        a, b, c = (high, middle, low) if around == low else (low, middle, high)
        self._axes, self._scale, self._side = (a, b, c), J * L_norm, float(np.copysign(1.0, sign))
        self.is_point = bool(J[a] == J[c])  # a sphere
        fraction = 0.0 if self.is_point else min(max((ratio - J[c]) / (J[a] - J[c]), 0.0), 1.0)
        self._A = sqrt(fraction)
        self._B = sqrt(min((ratio - J[c]) / (J[b] - J[c]), 1.0)) if fraction > 0.0 else 0.0
        self._C = sqrt(1.0 - fraction)
        self._m = 1.0 if self.is_point else min(max((J[b] - ratio) / (J[b] - J[c]), 0.0), 1.0)  # L̂_c² where L̂_a = 0

    def at(self, angle: Array) -> Array:
        """Return omega in the body, (N, 3) [rad/s], at angles (N,)."""
        cosine, sine = np.cos(angle), np.sin(angle)
        a, b, c = self._axes
        curve = np.empty((len(angle), 3))
        curve[:, a] = self._A * cosine
        curve[:, b] = self._B * sine
        curve[:, c] = self._side * np.sqrt(self._C**2 * cosine * cosine + self._m * sine * sine)
        return np.asarray(self._scale * curve)

    def tangent(self, angle: Array) -> Array:
        """Return the derivatives (N, 3) of omega with respect to the angle, at angles (N,)."""
        cosine, sine = np.cos(angle), np.sin(angle)
        a, b, c = self._axes
        along = np.sqrt(self._C**2 * cosine * cosine + self._m * sine * sine)
        slope = np.empty((len(angle), 3))
        slope[:, a] = -self._A * sine
        slope[:, b] = self._B * cosine
        slope[:, c] = self._side * sine * cosine * (self._m - self._C**2) / np.maximum(along, 1e-300)
        return np.asarray(self._scale * slope)

    def angle_of(self, omega_body: Array) -> Array:
        """Return the angles (N,), 0 to 2 pi, of omegas (N, 3); off the branch, roughly that of the nearest point."""
        a, b, _ = self._axes
        across = omega_body / self._scale
        return np.asarray(np.arctan2(across[:, b] * self._A, across[:, a] * self._B) % (2.0 * pi))

    @cached_property
    def length(self) -> float:
        """The arc length of the whole branch [rad/s]."""
        return 4.0 * float(self._quarter[1][-1])

    def angle_at(self, length: Array) -> Array:
        """Return the angles (N,), 0 to 2 pi, at which the arc length from angle 0 is `length` (N,) [rad/s]."""
        quarter = 0.25 * self.length
        halves, fold = np.divmod(length, 2.0 * quarter)
        first = fold <= quarter
        wanted = np.where(first, fold, 2.0 * quarter - fold)
        ends, lengths = self._quarter
        angle = np.interp(wanted, lengths, ends)
        for _ in range(NEWTON):
            speed = np.linalg.norm(self.tangent(angle), axis=1)
            angle = np.clip(angle - (self._within_quarter(angle) - wanted) / np.maximum(speed, 1e-300), 0.0, 0.5 * pi)
        return np.asarray(pi * halves + np.where(first, angle, pi - angle))

    @cached_property
    def _quarter(self) -> tuple[Array, Array]:
        """The first quarter, cut into CELLS cells: the angles of their CELLS + 1 ends, and the arc length to each."""
        corner = sqrt(self._m) / self._C if self._C > 0.0 else 1.0  # rad: how blunt it is where L̂_a = 0
        before = np.geomspace(0.5 * pi, 0.25 * min(max(corner, CORNER), 1.0), CELLS)
        ends = 0.5 * pi - np.append(before, 0.0)
        return ends, np.append(0.0, np.cumsum(self._integral(ends[:-1], ends[1:])))

    def _integral(self, start: Array, end: Array) -> Array:
        """Return the arc lengths (N,) between angles `start` (N,) and `end` (N,), each pair of which is in one cell."""
        half = 0.5 * (end - start)
        angles = start + half + half * NODES[:, None]
        speeds = np.linalg.norm(self.tangent(angles.ravel()), axis=1).reshape(angles.shape)
        return np.asarray(half * (WEIGHTS @ speeds))

    def _within_quarter(self, angle: Array) -> Array:
        ends, lengths = self._quarter
        cell = np.clip(np.searchsorted(ends, angle, side="right") - 1, 0, CELLS - 1)
        return np.asarray(lengths[cell] + self._integral(ends[cell], angle))


class RollingMarks:
    """Marks on a branch of a polhode: `count` marks, `spacing` [rad/s] of arc length apart.

    As the ellipsoid rolls without slipping, the point of contact goes as far on the polhode as on the herpolhode:
    omega changes at the same rate in space and in the body. Like a tooth of a wheel, each mark on the polhode thus
    leaves a mark on the herpolhode.

    Attributes
    ----------
    points
        The marks (count, 3), as omega in body axes [rad/s].
    normals
        The unit vectors (count, 3) of L at the marks, normal to the ellipsoid.
    sides
        The unit vectors (count, 3) across the polhode, in the tangent plane.
    radial, around
        The components (count,) of `sides` away from the axis L, and around it. They do not depend on the orientation
        of the body.
    """

    def __init__(self, branch: Branch, principal_moments: ArrayLike, count: int) -> None:
        self.count, self.spacing, self._branch = count, branch.length / count, branch
        angles = branch.angle_at(np.arange(count, dtype=np.float64) * self.spacing)
        self._knots = np.append(angles, 2.0 * np.pi)
        self.points, along = branch.at(angles), branch.tangent(angles)
        self.normals = _units(self.points * np.asarray(principal_moments))
        self.sides = _units(np.cross(self.normals, along))
        away = _units(self.points - np.sum(self.points * self.normals, axis=1, keepdims=True) * self.normals)
        self.radial = np.sum(self.sides * away, axis=1)
        self.around = np.sum(self.sides * np.cross(self.normals, away), axis=1)

    def passed(self, omega_body: Array) -> Array:
        """Return how many marks (N,), 0 to `count`, lie between angle 0 and omegas (N, 3) in body axes.

        Between two marks the result is not a whole number.
        """
        return np.asarray(np.interp(self._branch.angle_of(omega_body), self._knots, np.arange(self.count + 1.0)))


def _units(vectors: Array) -> Array:
    """Return vectors (N, 3) scaled to unit length; zero vectors remain zero."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-300))


FINE = 4  # points at which length and bend of a polhode are summed, for each point that is returned
STRAIGHT = 0.5  # points that are spaced by length, for each one that is spaced by bend
SAME = 1e-10  # relative change of E or |L| below which curves and periods are not computed anew
LEAST = 1e-14  # relative distance from the least energy that counts as round-off


def ellipsoid_semi_axes(principal_moments: ArrayLike, energy: float) -> Array:
    """Return the semi-axes (3,) of the inertia ellipsoid along body x, y, z [rad/s]."""
    return np.asarray(np.sqrt(2.0 * energy / np.asarray(principal_moments, dtype=np.float64)))


def plane_distance(energy: float, L_norm: float) -> float:
    """Return the distance of the invariable plane from the centre of mass [rad/s]."""
    return 0.0 if at_rest(energy, L_norm) else 2.0 * energy / L_norm


def energy_bounds(principal_moments: ArrayLike, L_norm: float) -> tuple[float, float]:
    """Return the least and the largest energy [J] that a body of angular momentum |L| can have."""
    moments = np.asarray(principal_moments, dtype=np.float64)
    return L_norm * L_norm / (2.0 * float(moments.max())), L_norm * L_norm / (2.0 * float(moments.min()))


def largest_rate(principal_moments: ArrayLike, energy: float, L_norm: float) -> float:
    """Return the largest |omega| [rad/s] on the polhode of an energy [J] and an |L| [kg m2/s].

    There the component of L along the middle axis is 0: |omega|^2 = (J_min + J_max) 2E - J_min J_max |L|^2.
    """
    if at_rest(energy, L_norm):
        return 0.0
    moments = np.asarray(principal_moments, dtype=np.float64).tolist()
    low, high, root = 1.0 / max(moments), 1.0 / min(moments), sqrt(2.0 * energy)
    return root * sqrt(high) * sqrt(max(1.0 + low / high - low * (L_norm / root) ** 2, 0.0))


def herpolhode_radii(principal_moments: ArrayLike, energy: float, L_norm: float) -> tuple[float, float]:
    """Return the (inner, outer) radius [rad/s] of the ring that the herpolhode fills, about the foot of L on the plane.

    At the inner and the outer radius a component L_k is 0, and the squared radius is
    |omega|^2 - (2E/|L|)^2 = |L|^2 (J_i - J_L)(J_L - J_j), with J_L = 2E/|L|^2 and i, j the other axes.
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
    """Return the closed branch of the polhode through omega_body, as points (points, 3) in the body frame [rad/s].

    The points lie closer together where the curve bends, so that the straight lines between them miss it by about as
    much everywhere; the first is not repeated at the end. For a steady spin all points are the same. For a symmetric
    top they lie on a circle. On the separatrix they lie on the closed curve through both its corners.
    """
    J = 1.0 / np.asarray(principal_moments, dtype=np.float64)
    omega = np.asarray(omega_body, dtype=np.float64)
    if at_rest(energy, L_norm):
        return np.zeros((points, 3))
    branch = polhode_branch(principal_moments, energy, L_norm, omega)
    if branch.is_point:  # a sphere
        return np.tile(J[0] * L_norm * omega / max(float(np.linalg.norm(omega)), 1e-300), (points, 1))
    angle = np.linspace(0.0, 2.0 * np.pi, FINE * points + 1)
    pieces = np.diff(branch.at(angle), axis=0)
    lengths = np.linalg.norm(pieces, axis=1)
    if not lengths.sum() > 0.0:
        return branch.at(np.zeros(points))
    along = pieces / np.maximum(lengths, 1e-300)[:, None]
    turns = np.linalg.norm(along - np.roll(along, 1, axis=0), axis=1)
    # a line of length s misses a curve of curvature k by k s^2 / 8: evenly where the density of points is sqrt(k)
    bent = np.sqrt(lengths * (turns + np.roll(turns, -1)))
    share = np.append(0.0, np.cumsum(bent / max(bent.sum(), 1e-300) + STRAIGHT * lengths / lengths.sum()))
    return branch.at(np.interp(np.arange(points) * (share[-1] / points), share, angle))


def polhode_branch(principal_moments: ArrayLike, energy: float, L_norm: float, omega_body: ArrayLike) -> Branch:
    """Return the branch of the polhode through omega_body; the body must not be at rest."""
    J = 1.0 / np.asarray(principal_moments, dtype=np.float64)
    axes = _axes(J, energy, L_norm)
    sign = float(np.asarray(omega_body, dtype=np.float64)[axes[0]])
    return Branch(J, axes, 2.0 * energy / (L_norm * L_norm), L_norm, sign)


def separatrix(principal_moments: ArrayLike, L_norm: float, points: int = 256) -> Array:
    """Return the curves of L_b [kg m2/s] on the sphere of radius |L| with the energy of a spin about the middle axis.

    They are two great circles (2, points, 3), which cross at the middle axis: (J_high - J_mid) L_high^2 = (J_mid -
    J_low) L_low^2. If two moments are equal or |L| = 0, there are none: (0, points, 3).
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
    """Return (axis that the polhode goes around, axes of the least, middle, largest J)."""
    low, middle, high = (int(k) for k in np.argsort(J, kind="stable"))
    if J[middle] == J[high]:
        return low, low, middle, high
    if J[low] == J[middle]:
        return high, low, middle, high
    return (low if 2.0 * energy <= J[middle] * L_norm * L_norm else high), low, middle, high


def alike(one: tuple[float, float], other: tuple[float, float], relative: float = SAME) -> bool:
    """Return whether two pairs (E, |L|) agree to the fraction `relative` in both numbers."""
    return all(abs(a - b) <= relative * abs(b) for a, b in zip(one, other, strict=True))


class Curves:
    """The curves of a motion, which depend only on E, |L| and the polhode's branch; at rest they are 0 or empty."""

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
        """The exact motion along the polhode from the given state; its constants take a while to compute."""
        return FreeRotation(self._body, self._state)

    @cached_property
    def branch(self) -> Branch | None:
        """The branch on which the polhode runs; None if the polhode is a point."""
        if self._resting:
            return None
        branch = polhode_branch(self._moments, *self._for, self._state.omega_body)
        return branch if branch.length > 0.0 else None

    def marks(self, count: int) -> RollingMarks | None:
        """Return this many marks at equal arc lengths on the polhode; None if the polhode is a point."""
        if self._marks is None or self._marks.count != count:
            self._marks = None if self.branch is None else RollingMarks(self.branch, self._moments, count)
        return self._marks

    def hold_for(self, energy: float, momentum: float, omega_body: Array) -> bool:
        """Return whether these are still the curves of a motion with this energy, this |L| and this omega."""
        return alike((energy, momentum), self._for) and self._side_of(omega_body) == self._side

    def _side_of(self, omega_body: Array) -> bool:
        """Return whether the component of omega along the axis that the polhode goes around is not negative."""
        energy, momentum = self._for
        low, middle, high = np.argsort(self._moments, kind="stable")
        around = high if 2 * energy * self._moments[middle] < momentum**2 else low
        return bool(omega_body[around] >= 0)


class Cycles(NamedTuple):
    """The periods of a torque-free motion [s], each None if there is no such time.

    `period` is the time after which omega repeats in body axes. `flip` is the time between two reversals of the sense
    about the middle axis. `precession` is the mean time in which the axis about which the body wobbles goes once round
    L.

    `frame` belongs to a frame that turns evenly about L, and in which the body stands after every period as it did
    before. There are many such frames; `frame` is the time in which the slowest of them makes one turn. It is negative
    if that frame turns clockwise, and None if it is at rest.
    """

    period: float | None = None
    flip: float | None = None
    precession: float | None = None
    frame: float | None = None


class Periods:
    """The periods of the torque-free motion from a state, computed anew only when its E or |L| changes."""

    def __init__(self, body: RigidBody) -> None:
        self._body = body
        self._for: tuple[float, float] | None = None
        self._found = Cycles()

    def of(self, state: State, energy: float, momentum: float) -> Cycles:
        """Return the periods of the free rotation from a state with this E and |L|.

        If the energy is the least that |L| allows, to round-off, the motion is a spin, and the period is the time of
        its turn.
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
        precession = free.precession_period
        frame = _slowest(free.period, precession) if free.period and precession else None
        found = free.period, free.flip_period, precession if wobbles else None, frame
        return Cycles(*(t if t and isfinite(t) else None for t in found))


def _slowest(period: float, precession: float) -> float | None:
    """Return `Cycles.frame` for a period and a precession period [s].

    In a period, that frame makes as many turns as the precession does, less the nearest whole number.
    """
    turns = period / precession
    rest = turns - round(turns)
    return period / rest if rest else None
