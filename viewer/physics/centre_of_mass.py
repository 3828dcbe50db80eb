"""The motion of the centre of mass under a force: a parabola, or a quadrature if the force turns with the body.

If the user gives the force as a function, a step is a collocation at its ends and its middle (Lobatto), of order 4 and
symmetric in time.
"""

from collections.abc import Callable
from functools import lru_cache
from math import ceil, inf, isfinite, sqrt
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from viewer.physics.kernels.quaternion import Four, Three, to_body
from viewer.physics.loads import Loads
from viewer.physics.rotation import conjugate, multiply, rotate
from viewer.physics.state import State

Array = NDArray[np.float64]
Linear = tuple[Array, Array]  # position [m] and momentum [kg m/s], (..., 3) in space
Turning = tuple[Four, Three]  # orientation, omega in the body [rad/s]
Part = TypeVar("Part", float, Array)

SHORT = 1e-3  # rad that the body may turn for `by_ends` to err by no more than round-off
BLOCK = 1024  # steps whose forces `by_nodes` works out at a time
ITERATIONS = 50  # of the collocation under a force function
PANEL = 0.5  # rad that the body may turn in a panel of the quadrature for it to err by no more than round-off
# Gauss-Legendre with 5 nodes on 0..1, of order 10, in closed form: numpy.polynomial would cost the start 3 ms
_x = [sqrt(5.0 + sign * 2.0 * sqrt(10.0 / 7.0)) / 3.0 for sign in (1.0, -1.0)]
_w = [(322.0 - sign * 13.0 * sqrt(70.0)) / 900.0 for sign in (1.0, -1.0)]
NODES = 0.5 * (1.0 + np.array((-_x[0], -_x[1], 0.0, _x[1], _x[0])))
WEIGHTS = 0.5 * np.array((_w[0], _w[1], 128.0 / 225.0, _w[1], _w[0]))
HERMITE = np.array(((1, 0, -3, 2), (0, 1, -2, 1), (0, 0, 3, -2), (0, 0, -1, 1)), dtype=np.float64)  # powers of s


def parabola(position: Part, momentum: Part, force: Part, mass: float, time: Part) -> tuple[Part, Part]:
    """Return position and momentum after a time [s] under a force [N] that is fixed in space.

    The arguments are numbers, for one component, or vectors (3,) and times (N, 1).
    """
    return position + (momentum + 0.5 * time * force) * (time / mass), momentum + time * force


def turn(J: Three, L_b: Three, seconds: float) -> float:
    """Return the largest angle [rad] by which a free motion may turn in `seconds`.

    J is 1/I. I may be in any unit; L_b is in that unit times rad/s.
    """
    square = L_b[0] * L_b[0] + L_b[1] * L_b[1] + L_b[2] * L_b[2]
    twice = J[0] * L_b[0] * L_b[0] + J[1] * L_b[1] * L_b[1] + J[2] * L_b[2] * L_b[2]
    fastest = (min(J) + max(J)) * twice - min(J) * max(J) * square  # |omega|^2 that E and |L| allow
    return abs(seconds) * sqrt(max(fastest, 0.0))


class CentreOfMass:
    """Position [m] and momentum [kg m/s] (3,) of the centre of mass, and the forces of `loads` that act on it.

    `thrust` says whether a force turns with the body, as that of a thruster does, or is a function of the user's. If
    so, an object holds the present position and momentum, and every step makes a new one. If not, it holds those at one
    time, from which the arguments of `at` and `after` count.
    """

    def __init__(self, position: Array, momentum: Array, loads: Loads, mass: float) -> None:
        self._linear, self._loads, self._mass = (position, momentum), loads, mass
        in_body = loads.frame == "body" and any(loads.force) and not loads.held
        self._in_body = loads.force if in_body else None  # of the force
        self._in_space = loads.steady_push
        self._thrusters = () if loads.held else loads.thrusters
        burns = any(any(thruster.force) for thruster in self._thrusters)
        self.thrust = in_body or burns or loads.force_function is not None

    def placed(self, position: Array, momentum: Array) -> "CentreOfMass":
        """Return the centre of mass with another position and momentum under the same forces."""
        return CentreOfMass(position, momentum, self._loads, self._mass)

    def at(self, elapsed: Array) -> Linear:
        """Return (position, momentum) (N, 3) after (N,) seconds; with `thrust`, those of now."""
        if self.thrust:
            return self._linear
        return parabola(*self._linear, np.array(self._in_space), self._mass, elapsed[:, None])

    def after(self, elapsed: float) -> tuple[Three, Three]:
        """Return (position, momentum) after some seconds, as plain numbers; with `thrust`, those of now."""
        return self._parabola((0.0, 0.0, 0.0) if self.thrust else self._in_space, 0.0 if self.thrust else elapsed)

    def foreseen(self, seconds: float, force: Three) -> tuple[Three, Three]:
        """Return (position, momentum) some seconds from now under the present force; of order 2 in the time."""
        return self._parabola(force, seconds)

    def between(
        self, later: "CentreOfMass", first: Turning, last: Turning, seconds: float, time: float
    ) -> Callable[[float], tuple[Three, Three]]:
        """Return a function from a time [s] within a step to (position, momentum) at that time.

        The step of `seconds` begins at `time` [s] and leads to `later`. `first` and `last` are orientation and omega in
        body axes at its ends. The function is a cubic with the values and slopes at both ends (Hermite), of order 4 in
        the step, and the same for a step back.
        """
        end = time + seconds
        f, g = (self._mean_force(orientation, time, end) for orientation, _ in (first, last))
        if self._loads.force_function is not None:
            f, g = f + self._by_function(first, time), g + later._by_function(last, end)
        return self._cubic(later, f, g, seconds, time)

    def _cubic(
        self, later: "CentreOfMass", f: Array, g: Array, seconds: float, time: float
    ) -> Callable[[float], tuple[Three, Three]]:
        """Return the function of `between`, given the forces f and g (3,) [N] at the two ends of the step."""
        (x, p), (y, q) = self._linear, later._linear
        slope = seconds / self._mass
        positions, momenta = np.array((x, p * slope, y, q * slope)), np.array((p, f * seconds, q, g * seconds))

        def at(now: float) -> tuple[Three, Three]:
            s = (now - time) / seconds
            weights = HERMITE @ (1.0, s, s * s, s * s * s)
            return tuple((weights @ positions).tolist()), tuple((weights @ momenta).tolist())

        return at

    def _mean_force(self, orientation: Four, time: float, end: float) -> Array:
        """Return the force (3,) in space at an orientation; thrusters count with their mean from `time` to `end`."""
        in_body = np.array(self._in_body or (0.0, 0.0, 0.0))
        for thruster in self._thrusters:
            in_body = in_body + np.array(thruster.force) * thruster.mean(time, end)
        return rotate(orientation, in_body) + self._in_space

    def _parabola(self, force: Three, seconds: float) -> tuple[Three, Three]:
        position, momentum = self._linear
        if seconds == 0.0:
            return tuple(position.tolist()), tuple(momentum.tolist())
        parts = zip(position.tolist(), momentum.tolist(), force, strict=True)
        (x, px), (y, py), (z, pz) = [parabola(*part, self._mass, seconds) for part in parts]
        return (x, y, z), (px, py, pz)

    def by_nodes(
        self, orientations: Callable[[Array, Array], Array], angle: float, seconds: float, count: int
    ) -> "CentreOfMass":
        """Return the centre of mass after `count` steps of `seconds` under a force fixed in the body and a steady one.

        `angle` is the largest turn [rad] of the body in a step. `orientations(steps, fractions)` takes whole numbers
        of steps (N,) and fractions of a step (M,), and returns the orientations (N M, 4) after each sum of the two.
        """
        fractions, weights, late_weights = _quadrature(max(1, ceil(angle / PANEL)))
        force, steady = np.array(self._in_body), np.array(self._in_space)
        position, momentum = self._linear
        for begin in range(0, count, BLOCK):
            steps = np.arange(begin, min(begin + BLOCK, count), dtype=np.float64)
            q = orientations(steps, fractions)
            for forces in rotate(q, force).reshape(len(steps), len(fractions), 3):
                mean, late = weights @ forces + steady, late_weights @ forces + 0.5 * steady
                position, momentum = _pushed(position, momentum, mean, late, seconds, self._mass)
        return self.placed(position, momentum)

    def by_ends(self, first: Turning, last: Turning, seconds: float, time: float = 0.0) -> "CentreOfMass":
        """Return the centre of mass after a step under thrust, from (orientation, omega_body) at both ends.

        The force and its rate of change at the ends give its integrals (Hermite), also over the fraction of the step in
        which a thruster is on. The result is of order 4.
        """
        mean = np.array(self._in_space)
        late = mean / 2.0
        if self._in_body:
            f, df = _turning(*first, self._in_body)
            g, dg = _turning(*last, self._in_body)
            mean = mean + (f + g) / 2.0 + (df - dg) * (seconds / 12.0)
            late = late + (7.0 * f + 3.0 * g) / 20.0 + (df / 20.0 - dg / 30.0) * seconds
        end = time + seconds
        for thruster in self._thrusters:
            for on, off in thruster.burns(min(time, end), max(time, end)):
                begin, stop = sorted(((on - time) / seconds, (off - time) / seconds))
                (f, df), (g, dg) = _turning(*first, thruster.force), _turning(*last, thruster.force)
                ends = np.array((f, df * seconds, g, dg * seconds))
                whole, left = _hermite(begin, stop)
                mean, late = mean + whole @ ends, late + left @ ends
        later = self.placed(*_pushed(*self._linear, mean, late, seconds, self._mass))
        if self._loads.force_function is None:
            return later
        with np.errstate(over="ignore", invalid="ignore"):
            return self._under_function(later, first, last, seconds, time, mean, late)

    def _under_function(
        self,
        later: "CentreOfMass",
        first: Turning,
        last: Turning,
        seconds: float,
        time: float,
        mean: Array,
        late: Array,
    ) -> "CentreOfMass":
        """Return the centre of mass after a step in which the force function acts, too.

        `later` is where the other forces alone would lead. `mean` and `late` describe those forces, as in `_pushed`.
        """
        end, middle, turning, change = time + seconds, time + 0.5 * seconds, _halfway(first, last, seconds), inf
        f, begin, stop = self._by_function(first, time), *(self._mean_force(q, time, end) for q, _ in (first, last))
        for _ in range(ITERATIONS):  # until the end, on which the force depends, no longer changes
            g = later._by_function(last, end)
            there = self.placed(*map(np.array, self._cubic(later, begin + f, stop + g, seconds, time)(middle)))
            if not there.finite:
                return there
            h, before = there._by_function(turning, middle), later
            of_mean, of_late = (f + 4.0 * h + g) / 6.0, (f + 2.0 * h) / 6.0
            later = self.placed(*_pushed(*self._linear, mean + of_mean, late + of_late, seconds, self._mass))
            change, last_change = later._away(before), change
            if not later.finite or not 0.0 < change < last_change:
                break
        return later

    @property
    def finite(self) -> bool:
        """Whether position and momentum are finite."""
        return isfinite(sum(map(float, (*self._linear[0], *self._linear[1]))))

    def _by_function(self, turning: Turning, time: float) -> Array:
        """Return the force (3,) [N] that the force function returns for this centre of mass at a time [s]."""
        return self._loads.function_at(time, State(*turning, *self._linear), "force_function")

    def _away(self, other: "CentreOfMass") -> float:
        """Return the largest difference from another centre of mass in a component of position or momentum."""
        return max(float(np.abs(a - b).max()) for a, b in zip(self._linear, other._linear, strict=True))


def _halfway(first: Turning, last: Turning, seconds: float) -> Turning:
    """Return orientation and omega in the middle of a step, by the cubic of the quaternion (Hermite), of order 4."""
    (p, rate), (q, late_rate) = ((np.array(q), 0.5 * multiply(q, (0.0, *omega))) for q, omega in (first, last))
    if p @ q < 0.0:  # the same orientation
        q, late_rate = -q, -late_rate
    middle = 0.5 * (p + q) + 0.125 * seconds * (rate - late_rate)
    slope = 1.5 / seconds * (q - p) - 0.25 * (rate + late_rate)
    omega = 2.0 / float(middle @ middle) * multiply(conjugate(middle), slope)[1:]
    return tuple(middle.tolist()), tuple(omega.tolist())


def _hermite(a: float, b: float) -> tuple[Array, Array]:
    """Return the weights (4,) for the integral of a cubic C(s) from a to b, and those for the integral of (1 - s) C(s).

    They multiply the value and the slope of C at 0, then its value and slope at 1.
    """
    moments = np.array([(b**n - a**n) / n for n in range(1, 6)])
    return HERMITE @ moments[:4], HERMITE @ (moments[:4] - moments[1:])


@lru_cache(64)
def _quadrature(panels: int) -> tuple[Array, Array, Array]:
    """Return fractions of a step, and at them the weights for the arguments `mean` and `late` of `_pushed`."""
    fractions = (np.arange(panels)[:, None] + NODES).ravel() / panels
    weights = np.tile(WEIGHTS, panels) / panels
    return fractions, weights, weights * (1.0 - fractions)


def _pushed(position: Array, momentum: Array, mean: Array, late: Array, seconds: float, mass: float) -> Linear:
    """Return position and momentum after `seconds` under a force whose mean is `mean`.

    `late` is the mean of the force times the fraction of `seconds` that is still left when it acts.
    """
    return position + (momentum + seconds * late) * (seconds / mass), momentum + seconds * mean


def _turning(orientation: Four, omega: Three, force: Three) -> Linear:
    """Return a force that is fixed in the body as a vector in space, and the rate of change of that vector."""
    w, x, y, z = orientation
    (ox, oy, oz), (fx, fy, fz) = omega, force
    across = (oy * fz - oz * fy, oz * fx - ox * fz, ox * fy - oy * fx)
    return np.array(to_body(w, -x, -y, -z, fx, fy, fz)), np.array(to_body(w, -x, -y, -z, *across))
