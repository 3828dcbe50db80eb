"""What loads do to a body in a step, and to the targets of its energy and of |L|. On plain floats, like the kernels.

Torque and external friction kick L_b while the orientation does not change; internal friction turns the body while L in
space does not change. `in_space` says whether the state keeps L in space or in the body, see `kernels`. Nothing raises
on purpose.

`VaryingKicks` kicks by a torque that varies with time or is a function of the user's. A step of kick, drift, kick takes
the mean torque over each of its halves, so that the impulse is exact even if a pulse begins inside a half. A
composition takes the torque at the time that its drifts have reached; its step is cut where a pulse begins or ends.
Steps back mirror steps forward. A torque function is evaluated at a fixed orientation, by a collocation method: in
kick, drift, kick it has one stage, in a composition two (Gauss). Both methods are symmetric in time, so that a step
back undoes a step, and their order is that of the step. If the torque may depend on a centre of mass under thrust,
`CoupledSteps` finds rotation and centre of mass together.
"""

from collections.abc import Callable
from math import expm1, isfinite, sqrt

from viewer.physics.integrators import Integrator
from viewer.physics.kernels.quaternion import Constants, Four, Seven, Three, exp, product, to_body, to_body_of_any
from viewer.physics.loads import NOTHING, Loads
from viewer.physics.state import AT_REST, State
from viewer.physics.stepping.projection import STILL, arc, closest_point

TURN_LIMIT = 0.05  # rad that the explicit half of the internal friction may turn the body in one step
LEAST_ABOVE = 1e-14  # of the energy: nearer to its least value the gradient's direction is round-off
ON_CURVE = 1e-12  # of the energy: an error below it is round-off

Targets = tuple[float, float, float]  # of the energy and of |L|; fraction i_c of the gradient method


def kick(w: float, x: float, y: float, z: float, square: float, bx: float, by: float, bz: float, c: Constants) -> Three:
    """Return the change of L_b by torque and external friction while the orientation stands still.

    The quaternion need not be normalised; `square` is |q|^2.

    It is exact for any time t: L_i -> exp(-k_f J_i t) L_i + tau_i (1 - exp(-k_f J_i t))/(k_f J_i). c = (exp(-k_f J t) -
    1 and (1 - exp(-k_f J t))/(k_f J) for the three axes, force, arm in the body, 1 if the force is fixed in the body, 1
    if there is a torque besides that of the force, the torques that are fixed in space and in the body, the weight, the
    centre of mass in the body).
    """
    ex, ey, ez, tx, ty, tz, fx, fy, fz, ax, ay, az, fixed, more, sx, sy, sz, ux, uy, uz, weight, cx, cy, cz = c
    if weight != 0.0:
        hx, hy, hz = to_body_of_any(w, x, y, z, square, 0.0, 0.0, -weight)
        more, ux, uy, uz = 1.0, ux + cy * hz - cz * hy, uy + cz * hx - cx * hz, uz + cx * hy - cy * hx
    gx, gy, gz = (fx, fy, fz) if fixed == 1.0 else to_body_of_any(w, x, y, z, square, fx, fy, fz)
    if more == 0.0:
        return (
            ex * bx + tx * (ay * gz - az * gy),
            ey * by + ty * (az * gx - ax * gz),
            ez * bz + tz * (ax * gy - ay * gx),
        )
    mx, my, mz = to_body_of_any(w, x, y, z, square, sx, sy, sz)
    return (
        ex * bx + tx * (ay * gz - az * gy + mx + ux),
        ey * by + ty * (az * gx - ax * gz + my + uy),
        ez * bz + tz * (ax * gy - ay * gx + mz + uz),
    )


def clamp_energy(energy: float, square: float, J: Three) -> float:
    """Return the energy, or the nearest one that a body with |L|^2 = `square` can have."""
    low, high = 0.5 * square * min(J), 0.5 * square * max(J)
    return low if energy < low else high if energy > high else energy


def work(px: float, py: float, pz: float, dx: float, dy: float, dz: float, J: Three) -> float:
    """Return the change of energy when L_b changes from p to p + d."""
    return J[0] * (px + 0.5 * dx) * dx + J[1] * (py + 0.5 * dy) * dy + J[2] * (pz + 0.5 * dz) * dz


def target_point(bx: float, by: float, bz: float, energy: float, size: float, J: Three, in_space: bool) -> Three:
    """Return a point near L_b = b that has the target energy and the target |L|; without errors it is b itself.

    The points with that energy and |L| form a curve. The result is where the great circle from b along the energy's
    gradient meets the curve; to second order in the error, that is the point nearest to b. If the circle does not meet
    the curve, the nearest point is taken.
    """
    square = bx * bx + by * by + bz * bz
    if not in_space:
        k = size / sqrt(square) if square > 0.0 else 1.0
        bx, by, bz, square = k * bx, k * by, k * bz, k * k * square
    ox, oy, oz = J[0] * bx, J[1] * by, J[2] * bz
    twice = ox * bx + oy * by + oz * bz
    excess = 0.5 * twice - energy
    if abs(excess) <= ON_CURVE * energy or square < STILL:
        return bx, by, bz
    rate = twice / square
    gx, gy, gz = ox - rate * bx, oy - rate * by, oz - rate * bz
    steep = gx * gx + gy * gy + gz * gz
    # b - t g, scaled to |b|, has the energy where excess - t steep + t^2 bend = 0
    bend = 0.5 * (J[0] * gx * gx + J[1] * gy * gy + J[2] * gz * gz) - energy * steep / square
    room = steep * steep - 4.0 * excess * bend
    if room > 0.0:
        t = 2.0 * excess / (steep + sqrt(room))
        k = 1.0 / sqrt(1.0 + t * t * steep / square)
        return k * (bx - t * gx), k * (by - t * gy), k * (bz - t * gz)
    return closest_point(bx, by, bz, J[0], J[1], J[2], energy)


def is_pure_friction(c: Constants) -> bool:
    """Return whether a kick is friction alone, without a torque."""
    return c[6] == 0.0 and c[7] == 0.0 and c[8] == 0.0 and c[13] == 0.0 and c[20] == 0.0


def apply_kick(seven: Seven, targets: Targets, c: Constants, J: Three, in_space: bool) -> tuple[Seven, Targets]:
    """Kick the body, and change the targets accordingly."""
    w, x, y, z, lx, ly, lz = seven
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz) if in_space else (lx, ly, lz)
    d = kick(w, x, y, z, 1.0, bx, by, bz, c)
    return apply_change(seven, targets, bx, by, bz, d, c, J, in_space)


def apply_impulse(seven: Seven, targets: Targets, impulse: Three, J: Three, in_space: bool) -> tuple[Seven, Targets]:
    """Give the body an angular impulse along the body axes: L_b and the targets change, the orientation does not."""
    w, x, y, z, lx, ly, lz = seven
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz) if in_space else (lx, ly, lz)
    return apply_change(seven, targets, bx, by, bz, impulse, (0.0, 0.0, 0.0), J, in_space)


def apply_change(
    seven: Seven, targets: Targets, bx: float, by: float, bz: float, d: Three, c: Constants, J: Three, in_space: bool
) -> tuple[Seven, Targets]:  # fmt: skip
    """Change L_b = b by d, and change the targets as the same kick would if there were no errors.

    Without errors L_b would be at p, the `target_point` of b, and the kick would change it by d + c (p - b), where c
    stands for the first three numbers of the constants.
    """
    w, x, y, z, lx, ly, lz = seven
    energy, size, fraction = targets
    dx, dy, dz = d
    px, py, pz = target_point(bx, by, bz, energy, size, J, in_space)
    ex, ey, ez = dx + c[0] * (px - bx), dy + c[1] * (py - by), dz + c[2] * (pz - bz)
    energy += work(px, py, pz, ex, ey, ez, J)
    if in_space:  # the state has no error in |L|
        dx, dy, dz = to_body(w, -x, -y, -z, dx, dy, dz)
        px, py, pz = lx + dx, ly + dy, lz + dz
        energy = clamp_energy(energy, px * px + py * py + pz * pz, J)
    else:
        px, py, pz = px + ex, py + ey, pz + ez
        square = px * px + py * py + pz * pz
        energy, size = clamp_energy(energy, square, J), sqrt(square)
    return (w, x, y, z, lx + dx, ly + dy, lz + dz), (energy, size, fraction)


def bring_to_rest(seven: Seven, targets: Targets, J: Three, in_space: bool) -> tuple[Seven, Targets]:
    """Stop a body that friction alone has slowed to 2E/|L| <= AT_REST: its L and its targets become 0.

    Otherwise these would go on falling until they are too small to keep 53 bits.
    """
    w, x, y, z, lx, ly, lz = seven
    energy, size, fraction = targets
    square = lx * lx + ly * ly + lz * lz
    least, most = min(J), AT_REST * AT_REST
    if least * least * square <= most:  # 2E/|L| is at least |L| J
        bx, by, bz = to_body(w, x, y, z, lx, ly, lz) if in_space else (lx, ly, lz)
        twice = J[0] * bx * bx + J[1] * by * by + J[2] * bz * bz
        if twice * twice <= most * square:
            lx = ly = lz = energy = size = 0.0
    if not in_space and 2.0 * energy <= AT_REST * size:
        energy = size = 0.0
    return (w, x, y, z, lx, ly, lz), (energy, size, fraction)


def dissipate(seven: Seven, targets: Targets, loss: float, J: Three, in_space: bool) -> tuple[Seven, Targets]:
    """Lower the energy by `loss`, as internal friction does: the body turns, while L in space does not change.

    L_b goes down the gradient of the energy on the sphere |L_b| = |L|. For the first half of the loss it follows the
    gradient at the beginning, for the second the gradient at the end, which leads to the closest point; together the
    halves are of order 2. The motion ends in the spin about the axis of the largest moment. It also leaves the other
    axes, at which the gradient vanishes.
    """
    w, x, y, z, lx, ly, lz = seven
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz) if in_space else (lx, ly, lz)
    square = bx * bx + by * by + bz * bz
    if square < STILL:
        return seven, (0.0, targets[1], targets[2])
    floor = 0.5 * square * min(J)
    ox, oy, oz = J[0] * bx, J[1] * by, J[2] * bz
    energy = max(0.5 * (ox * bx + oy * by + oz * bz), floor)
    goal = max(energy - loss, floor)
    gx, gy, gz = oy * bz - oz * by, oz * bx - ox * bz, ox * by - oy * bx  # omega x L
    g = sqrt(gx * gx + gy * gy + gz * gz)
    mx, my, mz = bx, by, bz
    if g > 0.0 and energy - floor > LEAST_ABOVE * energy:
        turn = -min(0.5 * (energy - goal) / g, TURN_LIMIT) / g
        ew, ex, ey, ez = exp(turn * gx, turn * gy, turn * gz)
        mx, my, mz = to_body(ew, ex, ey, ez, bx, by, bz)
    mx, my, mz = closest_point(mx, my, mz, J[0], J[1], J[2], goal)
    aw, ax, ay, az = arc(mx, my, mz, bx, by, bz)
    w, x, y, z = product(w, x, y, z, aw, ax, ay, az)
    least = floor if in_space else 0.5 * targets[1] * targets[1] * min(J)
    lowered = (max(targets[0] - loss, least), targets[1], targets[2])
    if in_space:
        return (w, x, y, z, lx, ly, lz), lowered
    return (w, x, y, z, mx, my, mz), lowered


Place = Callable[[float], tuple[Three, Three]]  # position and linear momentum of the centre of mass at a time [s]

ITERATIONS = 50  # for the equations of a collocation; 1 is enough if the torque does not depend on omega
ROUND_OFF = 4e-16  # of a torque: a change below it ends the iterations
DURATIONS = 64  # durations of kicks whose constants are kept
SHORTEST = 1e-9  # of a step: an edge that is nearer to its ends, or to another, does not cut it
_R = sqrt(3.0) / 6.0
GAUSS = ((0.25, 0.25 - _R), (0.25 + _R, 0.25))


def kick_constants(loads: Loads, J: Three, unit: float, time: float) -> Constants | None:
    """Return the constants of a `kick` over a `time` [s]; None if nothing kicks.

    `unit` [kg m2] is the unit of inertia, and J is 1/I in it. If the loads vary, the constants contain only the
    friction and the steady loads; `varied` completes them.
    """
    if not (loads.turns or loads.varies or loads.external_friction):
        return None
    decay, push = [], []
    for j in J:
        exponent = loads.external_friction / unit * j * time
        decay.append(expm1(-exponent))
        push.append(-expm1(-exponent) / exponent * time if exponent else time)
    force = loads.force if any(loads.arm) else NOTHING
    fixed = 1.0 if loads.frame == "body" else 0.0
    torque = tuple(value / unit for value in loads.torque)
    in_space, in_body = (NOTHING, torque) if loads.torque_frame == "body" else (torque, NOTHING)
    more, weight = 1.0 if any(torque) else 0.0, loads.weight / unit if loads.held else 0.0
    scaled = (value / unit for value in force)
    return *decay, *push, *scaled, *loads.arm, fixed, more, *in_space, *in_body, weight, *loads.centre_of_mass


def varied(loads: Loads, constants: Constants, unit: float, first: float, last: float) -> Constants:
    """Return the constants of a kick, completed with the mean torques between two times [s] in either order."""
    in_space, in_body = loads.mean_torques(first, last)
    if not (any(in_space) or any(in_body)):
        return *constants[:13], 0.0, *NOTHING, *NOTHING, *constants[20:]
    torques = (part / unit for part in (*in_space, *in_body))
    return *constants[:13], 1.0, *torques, *constants[20:]


class VaryingKicks:
    """The kicks of one setup, under loads that vary.

    `unit` [kg m2] is the unit of inertia, and J is 1/I in it.
    """

    def __init__(self, method: Integrator, loads: Loads, J: Three, unit: float) -> None:
        self._loads, self._J, self._unit, self._in_space = loads, J, unit, method.in_space
        self._composed = method.composition is not None
        self._steady: dict[float, Constants] = {}

    def cuts(self, time: float, h: float) -> list[float]:
        """Return the fractions of a step at which it is cut, with 0 and 1; the step of h [s] begins at `time` [s]."""
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
        """Kick the body for `seconds` with the mean torque between the times `first` and `last` [s].

        Returns the state, the targets, and whether the kick was friction alone.
        """
        d, b, c, alone = self._change(seven, first, last, seconds, place)
        return *apply_change(seven, targets, *b, d, c, self._J, self._in_space), alone

    def impulse(
        self, seven: Seven, targets: Targets, first: float, last: float, seconds: float, place: Place
    ) -> tuple[Three, Targets, bool]:
        """Return what `kick` returns, but with the change of L_b in place of the state."""
        d, b, c, alone = self._change(seven, first, last, seconds, place)
        _, after = apply_change(seven, targets, *b, d, c, self._J, self._in_space)
        return d, after, alone

    def _change(
        self, seven: Seven, first: float, last: float, seconds: float, place: Place
    ) -> tuple[Three, Three, Constants, bool]:
        """Return (change of L_b, L_b, constants of the kick, whether the kick is friction alone)."""
        c = varied(self._loads, self._steady_constants(seconds), self._unit, first, last)
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
            found = kick_constants(self._loads, self._J, self._unit, seconds)
            assert found is not None
            self._steady[seconds] = found
        return self._steady[seconds]

    def rest(self, seven: Seven, targets: Targets) -> tuple[Seven, Targets]:
        """Stop the body if friction has slowed it enough, see `bring_to_rest`."""
        return bring_to_rest(seven, targets, self._J, self._in_space)

    def _by_midpoint(self, torque: "_Function", b: Three, c: Constants, seconds: float) -> Three:
        """Return the change of L_b = b by the implicit midpoint rule for the torque; friction is exact."""
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
        """Return the change of L_b = b by the Gauss method of two stages, of order 4 in the time."""
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
    """The torque function at one orientation and one time, as a function from L_b to the torque.

    Both are in body axes and in the units of the kernels.
    """

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
    """Return the constants of a kick with a further torque, given in body axes."""
    x, y, z = torque
    return *c[:13], 1.0, *c[14:17], c[17] + x, c[18] + y, c[19] + z, *c[20:]


def _far(a: Three, b: Three) -> float:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]), abs(a[2] - b[2]))
