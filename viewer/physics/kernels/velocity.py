"""Velocity schemes: L_b <- some map of L_b, then q <- q exp(h J L_b) with the new one.

The last three of the seven floats are L in the body; nothing ties them to the orientation, so L in space wanders.
c = J unless stated otherwise.
"""

from math import sqrt

from viewer.physics.kernels.quaternion import Constants, Seven, exp, product, solved, turned


def _moved_on(w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants) -> Seven:
    """q <- q exp(h J L_b)."""
    ew, ex, ey, ez = exp(h * c[0] * bx, h * c[1] * by, h * c[2] * bz)
    w, x, y, z = product(w, x, y, z, ew, ex, ey, ez)
    return w, x, y, z, bx, by, bz


def energy_ratio(bx: float, by: float, bz: float, jx: float, jy: float, jz: float) -> float:
    """J_L = 2E/|L|^2; 0 at rest."""
    square = bx * bx + by * by + bz * bz
    return (jx * bx * bx + jy * by * by + jz * bz * bz) / square if square > 0.0 else 0.0


def middle_ratio(bx: float, by: float, bz: float, jx: float, jy: float, jz: float) -> float:
    """J_G = G.J G/|G|^2, G = L x omega; J_L where G = 0."""
    gx, gy, gz = (jz - jy) * by * bz, (jx - jz) * bz * bx, (jy - jx) * bx * by
    square = gx * gx + gy * gy + gz * gz
    if square > 0.0:
        return (jx * gx * gx + jy * gy * gy + jz * gz * gz) / square
    return energy_ratio(bx, by, bz, jx, jy, jz)


def explicit_euler(
    w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants
) -> Seven:
    """L_b += h L_b x omega_b."""
    gx, gy, gz = (c[2] - c[1]) * by * bz, (c[0] - c[2]) * bz * bx, (c[1] - c[0]) * bx * by
    return _moved_on(w, x, y, z, bx + h * gx, by + h * gy, bz + h * gz, h, c)


def no_gyroscopic(
    w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants
) -> Seven:
    """L_b stays."""
    return _moved_on(w, x, y, z, bx, by, bz, h, c)


def jolt(w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants) -> Seven:
    """L_b += h L_b x omega_b, then back to its length."""
    nx, ny, nz = (bx + h * (c[2] - c[1]) * by * bz, by + h * (c[0] - c[2]) * bz * bx, bz + h * (c[1] - c[0]) * bx * by)
    square, grown = bx * bx + by * by + bz * bz, nx * nx + ny * ny + nz * nz
    k = sqrt(square / grown) if grown > 0.0 else 1.0
    return _moved_on(w, x, y, z, k * nx, k * ny, k * nz, h, c)


def naive_rotation(
    w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants
) -> Seven:
    """L_b turned by -h omega_b."""
    bx, by, bz = turned(-h * c[0] * bx, -h * c[1] * by, -h * c[2] * bz, bx, by, bz)
    return _moved_on(w, x, y, z, bx, by, bz, h, c)


def jolt_rotation(
    w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants
) -> Seven:
    """L_b turned by -h (omega_b - J_L L_b)."""
    k = energy_ratio(bx, by, bz, c[0], c[1], c[2])
    bx, by, bz = turned(h * (k - c[0]) * bx, h * (k - c[1]) * by, h * (k - c[2]) * bz, bx, by, bz)
    return _moved_on(w, x, y, z, bx, by, bz, h, c)


def modified_jolt(
    w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants
) -> Seven:
    """L_b turned by -h (omega_b - J_G L_b)."""
    k = middle_ratio(bx, by, bz, c[0], c[1], c[2])
    bx, by, bz = turned(h * (k - c[0]) * bx, h * (k - c[1]) * by, h * (k - c[2]) * bz, bx, by, bz)
    return _moved_on(w, x, y, z, bx, by, bz, h, c)


def modified_jolt_fast(
    w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants
) -> Seven:
    """The same without sine, cosine or root: it turns by 2 atan(|v|/2) in place of |v|, v = -h (omega_b - J_G L_b)."""
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
    """(I - h [L]x) omega[next] = I omega, solved: L[next] = L + h g G + h^2 g L x J G, G = L x omega.

    g = 1/(1 + h^2 det(J) L.I L), so that it can always be solved.
    """
    j, k, m = c[0], c[1], c[2]
    gx, gy, gz = (m - k) * by * bz, (j - m) * bz * bx, (k - j) * bx * by
    g = h / (1.0 + h * h * (k * m * bx * bx + m * j * by * by + j * k * bz * bz))
    ax, ay, az = h * j * gx, h * k * gy, h * m * gz
    bx, by, bz = (
        bx + g * (gx + by * az - bz * ay),
        by + g * (gy + bz * ax - bx * az),
        bz + g * (gz + bx * ay - by * ax),
    )
    return _moved_on(w, x, y, z, bx, by, bz, h, c)


def implicit_bullet(
    w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, h: float, c: Constants
) -> Seven:
    """One step of Newton's method on the implicit equation: omega -= [I + h([omega]x I - [L]x)]^-1 h omega x L.

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
