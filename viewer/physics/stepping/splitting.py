"""Steps under loads and with stabilisation, around the step of any integrator. On plain floats, like the kernels.

A loaded step is kick (h/2), drift (h), kick (h/2); internal friction acts in the middle of the drift, stabilisation at
its end. Of order 2, or less where the drift is. `in_space` says in which frame the state keeps L: see `kernels`.
Everything is in the units of the kernels' constants; nothing raises on purpose.
"""

from collections.abc import Callable
from math import nan, sqrt

from viewer.physics.kernels.exact_drift import drift_on, parts_of, project_to_curve
from viewer.physics.kernels.quaternion import (
    Constants,
    Four,
    Seven,
    Three,
    exp,
    product,
    to_body,
    to_body_of_any,
)
from viewer.physics.rest import AT_REST
from viewer.physics.stepping.projection import (
    STILL,
    arc,
    closest_point,
    paper_step,
    project_along_gradient,
    project_to_closest,
)

TURN_LIMIT = 0.05  # rad that the explicit half of the internal friction may turn the body in one step
LEAST_ABOVE = 1e-14  # of the energy: nearer to its least value the gradient's direction is round-off
ON_CURVE = 1e-12  # of the energy: an error below it is round-off
SHORT_RUN = 8  # the same where every step is looked at
RUN = 64  # steps of the exact drift that compiled code makes between two comparisons of L_b with R^T L
HELD = 64  # free steps of the exact drift after which it is projected to the curve of its energy
COMPOSED_RUN = 8  # the same of composed steps
OFF, GRADIENT, CLOSEST, PAPER = 0, 1, 2, 3

Step = Callable[..., Seven]
Targets = tuple[float, float, float]  # of the energy and of |L|; fraction i_c of the gradient method


def kick(
    w: float, x: float, y: float, z: float, square: float, bx: float, by: float, bz: float, c: Constants
) -> Three:
    """The change of L_b by torque and external friction while the orientation stands still.

    The quaternion need not be normalised; `square` is |q|^2.

    Exact in the time: L_i -> exp(-k_f J_i t) L_i + tau_i (1 - exp(-k_f J_i t))/(k_f J_i). c = (exp(-k_f J t) - 1 and
    (1 - exp(-k_f J t))/(k_f J) for the three axes, force, arm in the body, 1 where the force is fixed in the body).
    """
    ex, ey, ez, tx, ty, tz, fx, fy, fz, ax, ay, az, fixed = c
    gx, gy, gz = (fx, fy, fz) if fixed == 1.0 else to_body_of_any(w, x, y, z, square, fx, fy, fz)
    return (
        ex * bx + tx * (ay * gz - az * gy),
        ey * by + ty * (az * gx - ax * gz),
        ez * bz + tz * (ax * gy - ay * gx),
    )


def clamp_energy(energy: float, square: float, J: Three) -> float:
    """The energy, or the nearest one that a body with |L|^2 = square can have."""
    low, high = 0.5 * square * min(J), 0.5 * square * max(J)
    return low if energy < low else high if energy > high else energy


def work(px: float, py: float, pz: float, dx: float, dy: float, dz: float, J: Three) -> float:
    """What it takes to change L_b = p by d."""
    return J[0] * (px + 0.5 * dx) * dx + J[1] * (py + 0.5 * dy) * dy + J[2] * (pz + 0.5 * dz) * dz


def target_point(
    bx: float, by: float, bz: float, energy: float, size: float, J: Three, in_space: bool
) -> Three:
    """The target of L_b = b, with the targets' energy and |L|: b itself but for an error.

    That point is where the great circle along the energy's gradient meets the curve: to the second order in the error
    the nearest one. Where it does not meet it, the nearest.
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
    """Whether a kick is friction alone, without a force."""
    return c[6] == 0.0 and c[7] == 0.0 and c[8] == 0.0


def apply_kick(
    seven: Seven, targets: Targets, c: Constants, J: Three, in_space: bool
) -> tuple[Seven, Targets]:
    """The kick; the targets follow."""
    w, x, y, z, lx, ly, lz = seven
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz) if in_space else (lx, ly, lz)
    d = kick(w, x, y, z, 1.0, bx, by, bz, c)
    return apply_change(seven, targets, bx, by, bz, d, c, J, in_space)


def apply_impulse(
    seven: Seven, targets: Targets, impulse: Three, J: Three, in_space: bool
) -> tuple[Seven, Targets]:
    """An angular impulse along the body axes: L_b changes by it, the orientation does not; the targets follow."""
    w, x, y, z, lx, ly, lz = seven
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz) if in_space else (lx, ly, lz)
    return apply_change(seven, targets, bx, by, bz, impulse, (0.0, 0.0, 0.0), J, in_space)


def apply_change(
    seven: Seven, targets: Targets, bx: float, by: float, bz: float, d: Three, c: Constants, J: Three, in_space: bool
) -> tuple[Seven, Targets]:  # fmt: skip
    """L_b = b changes by d; the targets follow, by what that does at the target p of L_b.

    There the change is d + c (p - b), with the first three of c.
    """
    w, x, y, z, lx, ly, lz = seven
    energy, size, fraction = targets
    dx, dy, dz = d
    px, py, pz = target_point(bx, by, bz, energy, size, J, in_space)
    ex, ey, ez = dx + c[0] * (px - bx), dy + c[1] * (py - by), dz + c[2] * (pz - bz)
    energy += work(px, py, pz, ex, ey, ez, J)
    if in_space:  # the state has no error in |L|
        bx, by, bz = bx + dx, by + dy, bz + dz
        energy = clamp_energy(energy, bx * bx + by * by + bz * bz, J)
        dx, dy, dz = to_body(w, -x, -y, -z, dx, dy, dz)
    else:
        px, py, pz = px + ex, py + ey, pz + ez
        square = px * px + py * py + pz * pz
        energy, size = clamp_energy(energy, square, J), sqrt(square)
    return (w, x, y, z, lx + dx, ly + dy, lz + dz), (energy, size, fraction)


def bring_to_rest(seven: Seven, targets: Targets, J: Three, in_space: bool) -> tuple[Seven, Targets]:
    """What friction alone has slowed to 2E/|L| <= AT_REST stands still from then on, and nothing else is its target.

    Else both would go on falling until they are no numbers of 53 bits any more.
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
    """Internal friction: the energy falls by `loss`, L in space stays, the body turns.

    On the sphere |L_b| = |L| the way down is the gradient's. Its first half goes along the gradient at the beginning,
    the second along that at the end, which is what the closest point gives: together of order 2. Ends at the spin
    about the axis of the largest moment; leaves also the axes where the gradient vanishes.
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


def stabilise(
    seven: Seven, targets: Targets, J: Three, in_space: bool, method: int, settings: Constants
) -> tuple[Seven, Targets]:
    """One correction; `settings` are those of the gradient method."""
    energy, size, fraction = targets
    if method == GRADIENT:
        seven, fraction = project_along_gradient(seven, energy, size, fraction, J, in_space, settings)
        return seven, (energy, size, fraction)
    return project_to_closest(seven, energy, size, J, in_space), targets


def free_steps(
    step: Step, seven: Seven, targets: Targets, count: int, h: float, constants: Constants
) -> tuple[Seven, Targets]:
    """`count` steps that nothing disturbs."""
    for _ in range(count):
        seven = step(*seven, h, constants)
    return seven, targets


def exact_drift_steps(
    step: Step, seven: Seven, targets: Targets, count: int, h: float, constants: Constants, run: int, curve: Four,
    to_go: int,
) -> tuple[Seven, Targets]:  # fmt: skip
    """The same with the exact drift, which makes several steps at once and is projected to `curve` after every HELD.

    to_go: steps up to the first time. run: see `exact_drift`.
    """
    while count >= to_go:
        seven = project_to_curve(*step(*seven, h, constants, to_go, run), curve)
        count, to_go = count - to_go, HELD
    if count:
        seven = step(*seven, h, constants, count, run)
    return seven, targets


def split_steps(
    step: Step, seven: Seven, targets: Targets, count: int, h: float, constants: Constants,
    kick_constants: Constants | None, loss: float, in_space: bool, J: Three, method: int, settings: Constants,
) -> tuple[Seven, Targets]:  # fmt: skip
    """`count` steps. kick_constants: for half a step, None where nothing kicks; loss: by internal friction, a step.

    method PAPER stands for the paper's loop in place of `step`; it knows no internal friction.
    """
    only_friction = False
    if kick_constants is not None:
        only_friction = is_pure_friction(kick_constants)
    for _ in range(count):
        if kick_constants is not None:
            seven, targets = apply_kick(seven, targets, kick_constants, J, in_space)
        if loss > 0.0:
            seven = step(*seven, 0.5 * h, constants)
            seven, targets = dissipate(seven, targets, loss, J, in_space)
            seven = step(*seven, 0.5 * h, constants)
        elif method == PAPER:
            energy, size, fraction = targets
            seven, fraction = paper_step(seven, energy, fraction, J, h, settings)
            targets = (energy, size, fraction)
        else:
            seven = step(*seven, h, constants)
        if method in (GRADIENT, CLOSEST):
            seven, targets = stabilise(seven, targets, J, in_space, method, settings)
        if kick_constants is not None:
            seven, targets = apply_kick(seven, targets, kick_constants, J, in_space)
            if only_friction:
                seven, targets = bring_to_rest(seven, targets, J, in_space)
    return seven, targets


def align(
    w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, lx: float, ly: float, lz: float,
    square: float,
) -> Seven:  # fmt: skip
    """The body turned a little so that R^T L points along L_b; L gets the length whose square is given.

    That of L_b would not do: its round-off is the same in every step.
    """
    vx, vy, vz = to_body(w, x, y, z, lx, ly, lz)
    own, now = bx * bx + by * by + bz * bz, lx * lx + ly * ly + lz * lz
    if own < STILL or now < STILL:
        return w, x, y, z, lx, ly, lz
    k = 0.5 / own
    w, x, y, z = product(
        w, x, y, z, 1.0, k * (by * vz - bz * vy), k * (bz * vx - bx * vz), k * (bx * vy - by * vx)
    )
    e = (square - now) / now
    k = e / (1.0 + sqrt(1.0 + e))  # a factor near 1 would be rounded down more often than up
    return w, x, y, z, lx + k * lx, ly + k * ly, lz + k * lz


def composed_steps(
    seven: Seven, targets: Targets, count: int, drifts: Constants, constants: Constants, kicks: tuple[Constants, ...],
    run: int, J: Three, method: int, settings: Constants,
) -> tuple[Seven, Targets]:  # fmt: skip
    """`count` steps, each drift, kick, drift, .. drift: exact drifts by `drifts` [s], with the kicks between them.

    L_b and the orientation go on by themselves, while L in space takes the impulses; after every `run` steps they are
    made to agree. In between the last drift of a step and the first of the next are one.
    """
    w, x, y, z, lx, ly, lz = seven
    energy, size, fraction = targets
    last, left = len(kicks), 0
    only_friction = is_pure_friction(kicks[0])
    bx = by = bz = square = long = 0.0
    for step in range(count):
        first = drifts[0] if left == 0 else drifts[0] + drifts[last]
        if left == 0:
            left = min(run, count - step)
            bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
            square, long = 1.0, lx * lx + ly * ly + lz * lz  # |q|^2, |L|^2
        left -= 1
        for n in range(last if left > 0 else last + 1):
            h = drifts[n] if n > 0 else first
            parts = parts_of(bx, by, bz, h, constants)
            if parts != 1:
                if parts == 0:
                    return (nan, x, y, z, lx, ly, lz), targets
                h /= parts
                for _ in range(parts - 1):
                    w, x, y, z, square, bx, by, bz = drift_on(w, x, y, z, square, bx, by, bz, h, constants)
            w, x, y, z, square, bx, by, bz = drift_on(w, x, y, z, square, bx, by, bz, h, constants)
            if n < last:
                px, py, pz = target_point(bx, by, bz, energy, size, J, True)
                dx, dy, dz = kick(w, x, y, z, square, bx, by, bz, kicks[n])
                c = kicks[n]
                ex, ey, ez = dx + c[0] * (px - bx), dy + c[1] * (py - by), dz + c[2] * (pz - bz)
                long += (bx + bx + dx) * dx + (by + by + dy) * dy + (bz + bz + dz) * dz
                energy = clamp_energy(energy + work(px, py, pz, ex, ey, ez, J), long, J)
                bx, by, bz = bx + dx, by + dy, bz + dz
                dx, dy, dz = to_body_of_any(w, -x, -y, -z, square, dx, dy, dz)
                lx, ly, lz = lx + dx, ly + dy, lz + dz
        if left == 0:
            k = 1.0 / sqrt(square)
            w, x, y, z, lx, ly, lz = align(k * w, k * x, k * y, k * z, bx, by, bz, lx, ly, lz, max(long, 0.0))
            if method != OFF:
                (w, x, y, z, lx, ly, lz), (energy, size, fraction) = stabilise(
                    (w, x, y, z, lx, ly, lz), (energy, size, fraction), J, True, method, settings
                )
            if only_friction:
                (w, x, y, z, lx, ly, lz), (energy, size, fraction) = bring_to_rest(
                    (w, x, y, z, lx, ly, lz), (energy, size, fraction), J, True
                )
    return (w, x, y, z, lx, ly, lz), (energy, size, fraction)
