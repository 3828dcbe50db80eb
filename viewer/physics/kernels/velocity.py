"""Velocity schemes: a map of L_b to a new L_b, then q <- q exp(h J L_b) with the new L_b.

The last three of the seven floats are L in the body. Nothing ties them to the orientation, so that L in space wanders.
c = J unless stated otherwise.
"""

from math import pi, sqrt

from viewer.physics.kernels.quaternion import Constants, Seven, exp, product, solved, turned

MOST_TURN = pi / 4  # rad a step, which `explicit_capped` allows: 47 rad/s at 60 steps a second, as engines have it


def _moved_on(w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants) -> Seven:
    """Return the state with q exp(h J L_b) in place of q."""
    ew, ex, ey, ez = exp(h * c[0] * bx, h * c[1] * by, h * c[2] * bz)
    w, x, y, z = product(w, x, y, z, ew, ex, ey, ez)
    return w, x, y, z, bx, by, bz


def energy_ratio(bx: float, by: float, bz: float, jx: float, jy: float, jz: float) -> float:
    """Return J_L = 2E/|L|^2; 0 at rest."""
    square = bx * bx + by * by + bz * bz
    return (jx * bx * bx + jy * by * by + jz * bz * bz) / square if square > 0.0 else 0.0


def middle_ratio(bx: float, by: float, bz: float, jx: float, jy: float, jz: float) -> float:
    """Return J_G = G.J G/|G|^2, G = L x omega; J_L where G = 0."""
    gx, gy, gz = (jz - jy) * by * bz, (jx - jz) * bz * bx, (jy - jx) * bx * by
    square = gx * gx + gy * gy + gz * gz
    if square > 0.0:
        return (jx * gx * gx + jy * gy * gy + jz * gz * gz) / square
    return energy_ratio(bx, by, bz, jx, jy, jz)


def explicit_euler(
    w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants
) -> Seven:
    """Step L_b to L_b + h L_b x omega_b."""
    gx, gy, gz = (c[2] - c[1]) * by * bz, (c[0] - c[2]) * bz * bx, (c[1] - c[0]) * bx * by
    return _moved_on(w, x, y, z, bx + h * gx, by + h * gy, bz + h * gz, h, c)


def no_gyroscopic(
    w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants
) -> Seven:
    """Keep L_b."""
    return _moved_on(w, x, y, z, bx, by, bz, h, c)


def jolt(w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants) -> Seven:
    """Step L_b to L_b + h L_b x omega_b, then scale it back to its length."""
    nx, ny, nz = (bx + h * (c[2] - c[1]) * by * bz, by + h * (c[0] - c[2]) * bz * bx, bz + h * (c[1] - c[0]) * bx * by)
    square, grown = bx * bx + by * by + bz * bz, nx * nx + ny * ny + nz * nz
    k = sqrt(square / grown) if grown > 0.0 else 1.0
    return _moved_on(w, x, y, z, k * nx, k * ny, k * nz, h, c)


def naive_rotation(
    w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants
) -> Seven:
    """Turn L_b by -h omega_b."""
    bx, by, bz = turned(-h * c[0] * bx, -h * c[1] * by, -h * c[2] * bz, bx, by, bz)
    return _moved_on(w, x, y, z, bx, by, bz, h, c)


def jolt_rotation(
    w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants
) -> Seven:
    """Turn L_b by -h (omega_b - J_L L_b)."""
    k = energy_ratio(bx, by, bz, c[0], c[1], c[2])
    bx, by, bz = turned(h * (k - c[0]) * bx, h * (k - c[1]) * by, h * (k - c[2]) * bz, bx, by, bz)
    return _moved_on(w, x, y, z, bx, by, bz, h, c)


def modified_jolt(
    w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants
) -> Seven:
    """Turn L_b by -h (omega_b - J_G L_b)."""
    k = middle_ratio(bx, by, bz, c[0], c[1], c[2])
    bx, by, bz = turned(h * (k - c[0]) * bx, h * (k - c[1]) * by, h * (k - c[2]) * bz, bx, by, bz)
    return _moved_on(w, x, y, z, bx, by, bz, h, c)


def modified_jolt_fast(
    w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants
) -> Seven:
    """Step as `modified_jolt` without sine, cosine or root.

    It turns by 2 atan(|v|/2) in place of |v|, v = -h (omega_b - J_G L_b).
    """
    k = middle_ratio(bx, by, bz, c[0], c[1], c[2])
    vx, vy, vz = h * (k - c[0]) * bx, h * (k - c[1]) * by, h * (k - c[2]) * bz
    f = 1.0 / (1.0 + 0.25 * (vx * vx + vy * vy + vz * vz))
    px, py, pz = vy * bz - vz * by, vz * bx - vx * bz, vx * by - vy * bx
    bx, by, bz = (
        bx + f * (px + 0.5 * (vy * pz - vz * py)),
        by + f * (py + 0.5 * (vz * px - vx * pz)),
        bz + f * (pz + 0.5 * (vx * py - vy * px)),
    )
    return _moved_on(w, x, y, z, bx, by, bz, h, c)


def implicit(w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants) -> Seven:
    """Solve (I - h [L]x) omega[next] = I omega: L[next] = L + h g G + h^2 g L x J G, G = L x omega.

    g = 1/(1 + h^2 det(J) L.I L); the denominator is at least 1, so that there is always a solution.
    """
    return implicit_torque(w, x, y, z, bx, by, bz, h, c, 0.0, 0.0, 0.0)


def implicit_torque(
    w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants,
    dx: float, dy: float, dz: float,
) -> Seven:  # fmt: skip
    """Solve (I - h [L]x) omega[next] = I omega + d; d = h tau is the impulse in the body frame, L that before it.

    With p = L + d and G = L x J p: L[next] = p + h g G + h^2 g L x J G, g as in `implicit`.
    """
    j, k, m = c[0], c[1], c[2]
    px, py, pz = bx + dx, by + dy, bz + dz
    gx, gy, gz = m * by * pz - k * bz * py, j * bz * px - m * bx * pz, k * bx * py - j * by * px
    g = h / (1.0 + h * h * (k * m * bx * bx + m * j * by * by + j * k * bz * bz))
    ax, ay, az = h * j * gx, h * k * gy, h * m * gz
    bx, by, bz = (
        px + g * (gx + by * az - bz * ay),
        py + g * (gy + bz * ax - bx * az),
        pz + g * (gz + bx * ay - by * ax),
    )
    return _moved_on(w, x, y, z, bx, by, bz, h, c)


def averaged(w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants) -> Seven:
    """Step L_b to the mean of the results of `explicit_euler` and `implicit`."""
    gx, gy, gz = (c[2] - c[1]) * by * bz, (c[0] - c[2]) * bz * bx, (c[1] - c[0]) * bx * by
    _, _, _, _, ix, iy, iz = implicit(w, x, y, z, bx, by, bz, h, c)
    return _moved_on(w, x, y, z, 0.5 * (bx + h * gx + ix), 0.5 * (by + h * gy + iy), 0.5 * (bz + h * gz + iz), h, c)


def alternating(
    w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants
) -> Seven:
    """Make two passes of h/2: `explicit_euler`, then `implicit`."""
    w, x, y, z, bx, by, bz = explicit_euler(w, x, y, z, bx, by, bz, 0.5 * h, c)
    return implicit(w, x, y, z, bx, by, bz, 0.5 * h, c)


def explicit_capped(
    w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants
) -> Seven:
    """Step L_b to L_b + h L_b x omega_b, then shorten it so that the body turns by at most MOST_TURN in the step."""
    gx, gy, gz = (c[2] - c[1]) * by * bz, (c[0] - c[2]) * bz * bx, (c[1] - c[0]) * bx * by
    bx, by, bz = bx + h * gx, by + h * gy, bz + h * gz
    turn = abs(h) * sqrt((c[0] * bx) ** 2 + (c[1] * by) ** 2 + (c[2] * bz) ** 2)
    k = MOST_TURN / turn if turn > MOST_TURN else 1.0
    return _moved_on(w, x, y, z, k * bx, k * by, k * bz, h, c)


def implicit_bullet(
    w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants
) -> Seven:
    """Make one step of Newton's method on the implicit equation: omega -= [I + h([omega]x I - [L]x)]^-1 h omega x L.

    c = (J, I).
    """
    p, q, r = c[3], c[4], c[5]
    ox, oy, oz = c[0] * bx, c[1] * by, c[2] * bz
    dx, dy, dz = solved(
        p, h * (bz - oz * q), h * (oy * r - by),
        h * (oz * p - bz), q, h * (bx - ox * r),
        h * (by - oy * p), h * (ox * q - bx), r,
        h * (oy * bz - oz * by), h * (oz * bx - ox * bz), h * (ox * by - oy * bx),
    )  # fmt: skip
    return _moved_on(w, x, y, z, p * (ox - dx), q * (oy - dy), r * (oz - dz), h, c)
