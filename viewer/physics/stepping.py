"""Steps under loads and with stabilisation, around the step of any integrator. On plain floats, like the kernels.

A loaded step is kick (h/2), drift (h), kick (h/2); internal friction acts in the middle of the drift, stabilisation at
its end. Of order 2, or less where the drift is. `in_space` says in which frame the state keeps L: see `kernels`.
Everything is in the units of the kernels' constants; nothing raises on purpose.
"""

from collections.abc import Callable
from math import nan, sqrt

from viewer.physics.kernels.drift import drift_on, parts_of
from viewer.physics.kernels.turning import (
    Constants,
    Four,
    Seven,
    Three,
    exp,
    product,
    to_body,
    to_body_of_any,
)
from viewer.physics.stabilise import (
    REST,
    arc,
    closest_point,
    lead_along_gradient,
    lead_to_closest,
    paper_step,
)

TURN_LIMIT = 0.05  # rad that the explicit half of the internal friction may turn the body in one step
LEAST_ABOVE = 1e-14  # of the energy: nearer to its least value the gradient's direction is round-off
SHORT_RUN = 8  # the same where every step is looked at
RUN = 64  # steps of the exact drift that compiled code makes between two comparisons of L_b with R^T L
COMPOSED_RUN = 8  # the same of composed steps
OFF, GRADIENT, CLOSEST, PAPER = 0, 1, 2, 3

Step = Callable[..., Seven]
Targets = tuple[
    float, float, float
]  # energy and |L| that the body ought to have, share i_c of the gradient method


def kick(
    w: float, x: float, y: float, z: float, square: float, bx: float, by: float, bz: float, c: Constants
) -> Four:
    """(change of L_b, change of the energy) by torque and external friction while the orientation stands still.

    The quaternion need not be normalised; `square` is |q|^2.

    Exact in the time: L_i -> exp(-k_f J_i t) L_i + tau_i (1 - exp(-k_f J_i t))/(k_f J_i). c = (J, exp(-k_f J t) - 1 and
    (1 - exp(-k_f J t))/(k_f J) for the three axes, force, arm in the body, 1 where the force is fixed in the body).
    """
    jx, jy, jz, ex, ey, ez, tx, ty, tz, fx, fy, fz, ax, ay, az, fixed = c
    gx, gy, gz = (fx, fy, fz) if fixed == 1.0 else to_body_of_any(w, x, y, z, square, fx, fy, fz)
    dx = ex * bx + tx * (ay * gz - az * gy)
    dy = ey * by + ty * (az * gx - ax * gz)
    dz = ez * bz + tz * (ax * gy - ay * gx)
    work = jx * (bx + 0.5 * dx) * dx + jy * (by + 0.5 * dy) * dy + jz * (bz + 0.5 * dz) * dz
    return dx, dy, dz, work


def kicked(seven: Seven, targets: Targets, c: Constants, in_space: bool) -> tuple[Seven, Targets]:
    """The kick; the targets follow."""
    w, x, y, z, lx, ly, lz = seven
    energy, size, share = targets
    if in_space:
        bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
        dx, dy, dz, work = kick(w, x, y, z, 1.0, bx, by, bz, c)
        dx, dy, dz = to_body(w, -x, -y, -z, dx, dy, dz)
        return (w, x, y, z, lx + dx, ly + dy, lz + dz), (energy + work, size, share)
    dx, dy, dz, work = kick(w, x, y, z, 1.0, lx, ly, lz, c)
    before = sqrt(lx * lx + ly * ly + lz * lz)
    lx, ly, lz = lx + dx, ly + dy, lz + dz
    size += sqrt(lx * lx + ly * ly + lz * lz) - before
    return (w, x, y, z, lx, ly, lz), (energy + work, max(size, 0.0), share)


def struck(seven: Seven, targets: Targets, impulse: Three, J: Three, in_space: bool) -> tuple[Seven, Targets]:
    """An angular impulse along the body axes: L_b changes by it while the orientation stands still; the targets follow.

    The energy by omega.dL + dL.J dL/2, but not below what |L| leaves it.
    """
    w, x, y, z, lx, ly, lz = seven
    energy, size, share = targets
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz) if in_space else (lx, ly, lz)
    dx, dy, dz = impulse
    energy += J[0] * (bx + 0.5 * dx) * dx + J[1] * (by + 0.5 * dy) * dy + J[2] * (bz + 0.5 * dz) * dz
    before = sqrt(bx * bx + by * by + bz * bz)
    bx, by, bz = bx + dx, by + dy, bz + dz
    after = sqrt(bx * bx + by * by + bz * bz)
    size = after if in_space else max(size + after - before, 0.0)
    energy = max(energy, 0.5 * size * size * min(J))
    if in_space:
        dx, dy, dz = to_body(w, -x, -y, -z, dx, dy, dz)
        return (w, x, y, z, lx + dx, ly + dy, lz + dz), (energy, size, share)
    return (w, x, y, z, bx, by, bz), (energy, size, share)


def dissipated(
    seven: Seven, targets: Targets, loss: float, J: Three, in_space: bool
) -> tuple[Seven, Targets]:
    """Internal friction: the energy falls by `loss`, L in space stays, the body turns.

    On the sphere |L_b| = |L| the way down is the gradient's. Its first half goes along the gradient at the beginning,
    the second along that at the end, which is what the closest point gives: together of order 2. Ends at the spin
    about the axis of the largest moment; leaves also the axes where the gradient vanishes.
    """
    w, x, y, z, lx, ly, lz = seven
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz) if in_space else (lx, ly, lz)
    square = bx * bx + by * by + bz * bz
    if square < REST:
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
    lowered = (max(targets[0] - loss, floor), targets[1], targets[2])
    if in_space:
        return (w, x, y, z, lx, ly, lz), lowered
    return (w, x, y, z, mx, my, mz), lowered


def stabilised(
    seven: Seven, targets: Targets, J: Three, in_space: bool, method: int, settings: Constants
) -> tuple[Seven, Targets]:
    """One correction; `settings` are those of the gradient method."""
    energy, size, share = targets
    if method == GRADIENT:
        seven, share = lead_along_gradient(seven, energy, share, J, in_space, settings)
        return seven, (energy, size, share)
    return lead_to_closest(seven, energy, size, J, in_space), targets


def drifted(
    step: Step, seven: Seven, targets: Targets, count: int, h: float, constants: Constants
) -> tuple[Seven, Targets]:
    """`count` steps that nothing disturbs."""
    for _ in range(count):
        seven = step(*seven, h, constants)
    return seven, targets


def drifted_in_runs(
    step: Step, seven: Seven, targets: Targets, count: int, h: float, constants: Constants
) -> tuple[Seven, Targets]:
    """The same with a step that makes several at once, in compiled code."""
    return step(*seven, h, constants, count, RUN), targets


def drifted_at_once(
    step: Step, seven: Seven, targets: Targets, count: int, h: float, constants: Constants
) -> tuple[Seven, Targets]:
    """The same as `drifted`, bit for bit, with such a step."""
    return step(*seven, h, constants, count), targets


def advanced(
    step: Step, seven: Seven, targets: Targets, count: int, h: float, constants: Constants,
    kick_constants: Constants | None, loss: float, in_space: bool, J: Three, method: int, settings: Constants,
) -> tuple[Seven, Targets]:  # fmt: skip
    """`count` steps. kick_constants: for half a step, None where nothing kicks; loss: by internal friction, a step.

    method PAPER stands for the paper's loop in place of `step`; it knows no internal friction.
    """
    for _ in range(count):
        if kick_constants is not None:
            seven, targets = kicked(seven, targets, kick_constants, in_space)
        if loss > 0.0:
            seven = step(*seven, 0.5 * h, constants)
            seven, targets = dissipated(seven, targets, loss, J, in_space)
            seven = step(*seven, 0.5 * h, constants)
        elif method == PAPER:
            energy, size, share = targets
            seven, share = paper_step(seven, energy, share, J, h, settings)
            targets = (energy, size, share)
        else:
            seven = step(*seven, h, constants)
        if method in (GRADIENT, CLOSEST):
            seven, targets = stabilised(seven, targets, J, in_space, method, settings)
        if kick_constants is not None:
            seven, targets = kicked(seven, targets, kick_constants, in_space)
    return seven, targets


def aligned(
    w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, lx: float, ly: float, lz: float
) -> Seven:
    """The body turned a little so that L in space and L_b agree; L gets the length of L_b, whose energy is right."""
    vx, vy, vz = to_body(w, x, y, z, lx, ly, lz)
    square, other = bx * bx + by * by + bz * bz, vx * vx + vy * vy + vz * vz
    if square < REST or other < REST:
        return w, x, y, z, lx, ly, lz
    k = 0.5 / square
    w, x, y, z = product(
        w, x, y, z, 1.0, k * (by * vz - bz * vy), k * (bz * vx - bx * vz), k * (bx * vy - by * vx)
    )
    k = sqrt(square / other)
    return w, x, y, z, k * lx, k * ly, k * lz


def composed(
    seven: Seven, targets: Targets, count: int, drifts: Constants, constants: Constants, kicks: tuple[Constants, ...],
    run: int, J: Three, method: int, settings: Constants,
) -> tuple[Seven, Targets]:  # fmt: skip
    """`count` steps, each drift, kick, drift, .. drift: exact drifts by `drifts` [s], with the kicks between them.

    L_b and the orientation go on by themselves, while L in space takes the impulses; after every `run` steps they are
    made to agree. In between the last drift of a step and the first of the next are one.
    """
    w, x, y, z, lx, ly, lz = seven
    energy, size, share = targets
    last, left = len(kicks), 0
    bx = by = bz = square = 0.0
    for step in range(count):
        first = drifts[0] if left == 0 else drifts[0] + drifts[last]
        if left == 0:
            left = min(run, count - step)
            bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
            square = 1.0  # |q|^2
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
                dx, dy, dz, work = kick(w, x, y, z, square, bx, by, bz, kicks[n])
                bx, by, bz = bx + dx, by + dy, bz + dz
                energy += work
                dx, dy, dz = to_body_of_any(w, -x, -y, -z, square, dx, dy, dz)
                lx, ly, lz = lx + dx, ly + dy, lz + dz
        if left == 0:
            k = 1.0 / sqrt(square)
            w, x, y, z, lx, ly, lz = aligned(k * w, k * x, k * y, k * z, bx, by, bz, lx, ly, lz)
            if method != OFF:
                (w, x, y, z, lx, ly, lz), (energy, size, share) = stabilised(
                    (w, x, y, z, lx, ly, lz), (energy, size, share), J, True, method, settings
                )
    return (w, x, y, z, lx, ly, lz), (energy, size, share)
