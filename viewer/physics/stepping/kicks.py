"""What loads do to a body in a step, and to the targets of its energy and of |L|. On plain floats, like the kernels.

Torque and external friction kick L_b while the orientation stands still; internal friction turns the body while L in
space stays. `in_space`: the frame in which the state keeps L, see `kernels`. Nothing raises on purpose.
"""

from math import sqrt

from viewer.physics.kernels.quaternion import Constants, Seven, Three, exp, product, to_body, to_body_of_any
from viewer.physics.state import AT_REST
from viewer.physics.stepping.projection import STILL, arc, closest_point

TURN_LIMIT = 0.05  # rad that the explicit half of the internal friction may turn the body in one step
LEAST_ABOVE = 1e-14  # of the energy: nearer to its least value the gradient's direction is round-off
ON_CURVE = 1e-12  # of the energy: an error below it is round-off

Targets = tuple[float, float, float]  # of the energy and of |L|; fraction i_c of the gradient method


def kick(w: float, x: float, y: float, z: float, square: float, bx: float, by: float, bz: float, c: Constants) -> Three:
    """Return the change of L_b by torque and external friction while the orientation stands still.

    The quaternion need not be normalised; `square` is |q|^2.

    Exact in the time: L_i -> exp(-k_f J_i t) L_i + tau_i (1 - exp(-k_f J_i t))/(k_f J_i). c = (exp(-k_f J t) - 1 and
    (1 - exp(-k_f J t))/(k_f J) for the three axes, force, arm in the body, 1 where the force is fixed in the body, 1
    where there is a torque beside its own, that torque's part in space and in the body).
    """
    ex, ey, ez, tx, ty, tz, fx, fy, fz, ax, ay, az, fixed, more, sx, sy, sz, ux, uy, uz = c
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
    """Return the energy, or the nearest one that a body with |L|^2 = square can have."""
    low, high = 0.5 * square * min(J), 0.5 * square * max(J)
    return low if energy < low else high if energy > high else energy


def work(px: float, py: float, pz: float, dx: float, dy: float, dz: float, J: Three) -> float:
    """Return what it takes to change L_b = p by d."""
    return J[0] * (px + 0.5 * dx) * dx + J[1] * (py + 0.5 * dy) * dy + J[2] * (pz + 0.5 * dz) * dz


def target_point(bx: float, by: float, bz: float, energy: float, size: float, J: Three, in_space: bool) -> Three:
    """Return the target of L_b = b, with the targets' energy and |L|: b itself but for an error.

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
    """Return whether a kick is friction alone, without a torque."""
    return c[6] == 0.0 and c[7] == 0.0 and c[8] == 0.0 and c[13] == 0.0


def apply_kick(seven: Seven, targets: Targets, c: Constants, J: Three, in_space: bool) -> tuple[Seven, Targets]:
    """Kick the body; the targets follow."""
    w, x, y, z, lx, ly, lz = seven
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz) if in_space else (lx, ly, lz)
    d = kick(w, x, y, z, 1.0, bx, by, bz, c)
    return apply_change(seven, targets, bx, by, bz, d, c, J, in_space)


def apply_impulse(seven: Seven, targets: Targets, impulse: Three, J: Three, in_space: bool) -> tuple[Seven, Targets]:
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
        dx, dy, dz = to_body(w, -x, -y, -z, dx, dy, dz)
        px, py, pz = lx + dx, ly + dy, lz + dz
        energy = clamp_energy(energy, px * px + py * py + pz * pz, J)
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
