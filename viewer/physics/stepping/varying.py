"""Steps under a torque that varies: with time, or as a function of the user's. On plain floats, but for that function.

kick, drift, kick takes the mean torque over each half of the step, so that the impulse is exact also where a pulse
begins inside it. A composition takes the torque at the time that its drifts have reached; it is cut where a pulse
begins or ends. The way back mirrors the way on.

A function is taken at a fixed orientation, by a collocation method: of one stage in kick, drift, kick, of two stages
(Gauss) in a composition. Both are symmetric in time, so that a step back undoes a step, and of as high an order as
what they stand in. Where it may follow the centre of mass under a thrust, `CoupledSteps` finds both together.
"""

from collections.abc import Callable
from math import isfinite, sqrt

from viewer.physics.integrators import Integrator
from viewer.physics.kernels.quaternion import Constants, Four, Seven, Three, to_body
from viewer.physics.loads import Loads
from viewer.physics.state import State
from viewer.physics.stepping.kicks import Targets, apply_change, bring_to_rest, is_pure_friction, kick

Place = Callable[[float], tuple[Three, Three]]  # position and linear momentum of the centre of mass at a time [s]

ITERATIONS = 50  # of the equations of a collocation; 1 where the torque does not depend on omega
ROUND_OFF = 4e-16  # of a torque: a change below it ends them
DURATIONS = 64  # durations of kicks whose constants are kept
SHORTEST = 1e-9  # of a step: an edge that is nearer to its ends, or to another, does not cut it
_R = sqrt(3.0) / 6.0
GAUSS = ((0.25, 0.25 - _R), (0.25 + _R, 0.25))


class VaryingKicks:
    """The kicks of one setup; J in 1/unit, unit [kg m2]."""

    def __init__(self, method: Integrator, loads: Loads, J: Three, unit: float) -> None:
        self._loads, self._J, self._unit, self._in_space = loads, J, unit, method.in_space
        self._composed = method.composition is not None
        self._steady: dict[float, Constants] = {}

    def cuts(self, time: float, h: float) -> list[float]:
        """Return the fractions of a step of h [s] from `time` [s] on at which it is cut, 0 and 1 among them."""
        fractions = [0.0]
        if self._composed:
            edges = self._loads.edges(min(time, time + h), max(time, time + h))
            for fraction in sorted((edge - time) / h for edge in edges):
                if fractions[-1] + SHORTEST < fraction < 1.0 - SHORTEST:
                    fractions.append(fraction)
        return [*fractions, 1.0]

    def kick(
        self, seven: Seven, targets: Targets, first: float, last: float, seconds: float, place: Place
    ) -> tuple[Seven, Targets, bool]:
        """A kick of so many seconds with the mean torque between two times [s]; whether it was friction alone."""
        d, b, c, alone = self._change(seven, first, last, seconds, place)
        return *apply_change(seven, targets, *b, d, c, self._J, self._in_space), alone

    def impulse(
        self, seven: Seven, targets: Targets, first: float, last: float, seconds: float, place: Place
    ) -> tuple[Three, Targets, bool]:
        """Return what such a kick would change L_b by, and the targets after it; for a step that has it inside."""
        d, b, c, alone = self._change(seven, first, last, seconds, place)
        _, after = apply_change(seven, targets, *b, d, c, self._J, self._in_space)
        return d, after, alone

    def _change(
        self, seven: Seven, first: float, last: float, seconds: float, place: Place
    ) -> tuple[Three, Three, Constants, bool]:
        """(change of L_b, L_b, constants, whether that is friction alone)."""
        c = self._loads.varied(self._steady_constants(seconds), self._unit, first, last)
        w, x, y, z, lx, ly, lz = seven
        bx, by, bz = to_body(w, x, y, z, lx, ly, lz) if self._in_space else (lx, ly, lz)
        if self._loads.torque_function is None:
            d, alone = kick(w, x, y, z, 1.0, bx, by, bz, c), is_pure_friction(c)
        else:
            torque = _Function(self._loads, self._J, self._unit, (w, x, y, z), 0.5 * (first + last), place)
            by_function = self._by_gauss if self._composed else self._by_midpoint
            d, alone = by_function(torque, (bx, by, bz), c, seconds), False
        return d, (bx, by, bz), c, alone

    def _steady_constants(self, seconds: float) -> Constants:
        if seconds not in self._steady:
            if len(self._steady) >= DURATIONS:
                self._steady.clear()
            found = self._loads.kick_constants(self._J, self._unit, seconds)
            assert found is not None
            self._steady[seconds] = found
        return self._steady[seconds]

    def rest(self, seven: Seven, targets: Targets) -> tuple[Seven, Targets]:
        """Let stand still what friction alone has slowed so far."""
        return bring_to_rest(seven, targets, self._J, self._in_space)

    def _by_midpoint(self, torque: "_Function", b: Three, c: Constants, seconds: float) -> Three:
        """The change of L_b = b by the torque in the middle of the time and of the change; friction stays exact."""
        half = (*self._steady_constants(0.5 * seconds)[:6], *c[6:])
        m, q = torque(b), torque.orientation
        for _ in range(ITERATIONS):
            dx, dy, dz = kick(*q, 1.0, *b, _with(half, m))
            new = torque((b[0] + dx, b[1] + dy, b[2] + dz))
            done = _far(new, m) <= ROUND_OFF * max(map(abs, new))
            m = new
            if done:
                break
        return kick(*q, 1.0, *b, _with(c, m))

    def _by_gauss(self, torque: "_Function", b: Three, c: Constants, seconds: float) -> Three:
        """Return the change of L_b = b by two stages, of order 4 in the time."""
        q, friction = torque.orientation, self._loads.external_friction / self._unit
        steady = (0.0, 0.0, 0.0, 1.0, 1.0, 1.0, *c[6:])

        def rate(p: Three) -> Three:
            m, k = kick(*q, 1.0, *p, _with(steady, torque(p))), self._J
            return m[0] - friction * k[0] * p[0], m[1] - friction * k[1] * p[1], m[2] - friction * k[2] * p[2]

        def stage(weights: tuple[float, float], k: Three, n: Three) -> Three:
            u, v = seconds * weights[0], seconds * weights[1]
            return b[0] + u * k[0] + v * n[0], b[1] + u * k[1] + v * n[1], b[2] + u * k[2] + v * n[2]

        k = n = rate(b)
        for _ in range(ITERATIONS):
            new = rate(stage(GAUSS[0], k, n)), rate(stage(GAUSS[1], k, n))
            most = max(map(abs, (*new[0], *new[1])))
            done = max(_far(new[0], k), _far(new[1], n)) <= ROUND_OFF * most
            k, n = new
            if done:
                break
        half = 0.5 * seconds
        return half * (k[0] + n[0]), half * (k[1] + n[1]), half * (k[2] + n[2])


class _Function:
    """The torque function at one orientation and time: of L_b the torque in the body, both in kernel units."""

    def __init__(self, loads: Loads, J: Three, unit: float, orientation: Four, time: float, place: Place) -> None:
        self._loads, self._J, self._unit, self._time = loads, J, unit, time
        self.orientation = orientation
        self._place = place(time)

    def __call__(self, b: Three) -> Three:
        if not isfinite(sum(b) + sum(self.orientation)):
            return b
        omega = (self._J[0] * b[0], self._J[1] * b[1], self._J[2] * b[2])
        state = State(self.orientation, omega, *self._place)
        x, y, z = self._loads.function_at(self._time, state).tolist()
        return to_body(*self.orientation, x / self._unit, y / self._unit, z / self._unit)


def _with(c: Constants, torque: Three) -> Constants:
    """Return the constants of a kick with one more torque in the body."""
    x, y, z = torque
    return *c[:13], 1.0, *c[14:17], c[17] + x, c[18] + y, c[19] + z


def _far(a: Three, b: Three) -> float:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]), abs(a[2] - b[2]))
