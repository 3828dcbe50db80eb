"""Momentum schemes: L in space is kept, bit for bit, and L_b = R^T L follows from the orientation.

The last three of the seven floats are L in space. c = J unless stated otherwise.
"""

from math import cos, nan, sin, sqrt

from viewer.physics.kernels.quaternion import Constants, Seven, Three, exp, product, solved, to_body, turned
from viewer.physics.kernels.velocity import middle_ratio

SUZUKI = 1.0 / (4.0 - 4.0 ** (1.0 / 3.0))
ITERATIONS = 50  # of Newton's method for the implicit midpoint; 3 to 6 if a step turns by less than a rad
TINY = 1e-300  # kg2 m4/s2; |L|^2 below this is rest


def first_order(
    w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, h: float, c: Constants
) -> Seven:
    """Step to q exp(h omega_b) = exp(h omega_w) q, with omega at the beginning of the step. c = J."""
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
    ew, ex, ey, ez = exp(h * c[0] * bx, h * c[1] * by, h * c[2] * bz)
    w, x, y, z = product(w, x, y, z, ew, ex, ey, ez)
    return w, x, y, z, lx, ly, lz


def split(w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, h: float, c: Constants) -> Seven:
    """Turn about the body axes a (h/2), c (h), a (h/2), then about L; a, b, c are the axes by decreasing moment.

    E = J_b L.L/2 + (J_a - J_b) L_a^2/2 + (J_c - J_b) L_c^2/2: the motion of each term alone is a turn at a steady rate.
    c = (index of axis a, b, c, handedness of a, b, c, J_a - J_b, J_b, J_c - J_b).
    """
    a, b, k, hand = int(c[0]), int(c[1]), int(c[2]), c[3]
    m = to_body(w, x, y, z, lx, ly, lz)
    v = (x, y, z)
    ma, mb, mk = m[a], m[b], hand * m[k]  # in the right-handed frame a, b, hand * c
    qa, qb, qk = v[a], v[b], hand * v[k]

    half = 0.25 * h * c[4] * ma
    cn, sn = cos(half), sin(half)
    w, qa, qb, qk = w * cn - qa * sn, qa * cn + w * sn, qb * cn + qk * sn, qk * cn - qb * sn
    cn, sn = (cn - sn) * (cn + sn), 2.0 * sn * cn
    mb, mk = mb * cn + mk * sn, mk * cn - mb * sn

    half = 0.5 * h * c[6] * mk
    cn, sn = cos(half), sin(half)
    w, qa, qb, qk = w * cn - qk * sn, qa * cn + qb * sn, qb * cn - qa * sn, qk * cn + w * sn
    cn, sn = (cn - sn) * (cn + sn), 2.0 * sn * cn
    ma = ma * cn + mb * sn

    half = 0.25 * h * c[4] * ma
    cn, sn = cos(half), sin(half)
    w, qa, qb, qk = w * cn - qa * sn, qa * cn + w * sn, qb * cn + qk * sn, qk * cn - qb * sn

    p = (qa, qb, hand * qk)
    if a == 0:
        x, y, z = (p[0], p[1], p[2]) if b == 1 else (p[0], p[2], p[1])
    elif a == 1:
        x, y, z = (p[1], p[0], p[2]) if b == 0 else (p[2], p[0], p[1])
    else:
        x, y, z = (p[1], p[2], p[0]) if b == 0 else (p[2], p[1], p[0])
    rate, size = h * c[5], sqrt(lx * lx + ly * ly + lz * lz)
    half = 0.5 * rate * size
    sn = sin(half) / size if size > 0.0 else 0.5 * rate
    w, x, y, z = product(cos(half), sn * lx, sn * ly, sn * lz, w, x, y, z)
    return w, x, y, z, lx, ly, lz


def split4(w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, h: float, c: Constants) -> Seven:
    """Make five steps of `split`: g h, g h, (1 - 4g) h, g h and g h, with g = SUZUKI."""
    outer = SUZUKI * h
    w, x, y, z, lx, ly, lz = split(w, x, y, z, lx, ly, lz, outer, c)
    w, x, y, z, lx, ly, lz = split(w, x, y, z, lx, ly, lz, outer, c)
    w, x, y, z, lx, ly, lz = split(w, x, y, z, lx, ly, lz, (1.0 - 4.0 * SUZUKI) * h, c)
    w, x, y, z, lx, ly, lz = split(w, x, y, z, lx, ly, lz, outer, c)
    return split(w, x, y, z, lx, ly, lz, outer, c)


def _two_turns(
    w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, h: float, c: Constants, ratio: float
) -> Seven:  # fmt: skip
    """Step to exp(h ratio L) q exp(h (omega_b - ratio L_b)): a turn about L, and one by the remaining omega."""
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
    ew, ex, ey, ez = exp(h * (c[0] - ratio) * bx, h * (c[1] - ratio) * by, h * (c[2] - ratio) * bz)
    w, x, y, z = product(w, x, y, z, ew, ex, ey, ez)
    rate = h * ratio
    ew, ex, ey, ez = exp(rate * lx, rate * ly, rate * lz)
    w, x, y, z = product(ew, ex, ey, ez, w, x, y, z)
    return w, x, y, z, lx, ly, lz


def momentum_first(
    w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, h: float, c: Constants
) -> Seven:
    """Step to exp(h J_G L) q exp(h (omega_b - J_G L_b)), with J_G of `velocity.middle_ratio`."""
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
    return _two_turns(w, x, y, z, lx, ly, lz, h, c, middle_ratio(bx, by, bz, c[0], c[1], c[2]))


def symmetric_top(
    w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, h: float, c: Constants
) -> Seven:
    """Step as `momentum_first`, with the J of the two equal moments in place of J_G: the exact motion.

    c = (J, the J of the equal moments).
    """
    return _two_turns(w, x, y, z, lx, ly, lz, h, c, c[3])


def baraff_witkin_euler(
    w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, h: float, c: Constants
) -> Seven:
    """Step to q + h dq/dt, normalised; dq/dt = q (0, omega_b)/2 = (0, omega_w) q/2."""
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
    w, x, y, z = product(w, x, y, z, 1.0, 0.5 * h * c[0] * bx, 0.5 * h * c[1] * by, 0.5 * h * c[2] * bz)
    return w, x, y, z, lx, ly, lz


def _slope(
    w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, c: Constants
) -> tuple[float, float, float, float]:
    """Return dq/dt = q (0, omega_b)/2, where omega_b comes from a normalised copy of q."""
    n = 1.0 / sqrt(w * w + x * x + y * y + z * z)
    bx, by, bz = to_body(w * n, x * n, y * n, z * n, lx, ly, lz)
    a, b, d = 0.5 * c[0] * bx, 0.5 * c[1] * by, 0.5 * c[2] * bz
    return -x * a - y * b - z * d, w * a + y * d - z * b, w * b + z * a - x * d, w * d + x * b - y * a


def baraff_witkin_rk4(
    w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, h: float, c: Constants
) -> Seven:
    """Step by the classical Runge-Kutta method on dq/dt; q is normalised after the step."""
    k = 0.5 * h
    aw, ax, ay, az = _slope(w, x, y, z, lx, ly, lz, c)
    bw, bx, by, bz = _slope(w + k * aw, x + k * ax, y + k * ay, z + k * az, lx, ly, lz, c)
    cw, cx, cy, cz = _slope(w + k * bw, x + k * bx, y + k * by, z + k * bz, lx, ly, lz, c)
    dw, dx, dy, dz = _slope(w + h * cw, x + h * cx, y + h * cy, z + h * cz, lx, ly, lz, c)
    k = h / 6.0
    w += k * (aw + 2.0 * (bw + cw) + dw)
    x += k * (ax + 2.0 * (bx + cx) + dx)
    y += k * (ay + 2.0 * (by + cy) + dy)
    z += k * (az + 2.0 * (bz + cz) + dz)
    n = 1.0 / sqrt(w * w + x * x + y * y + z * z)
    return w * n, x * n, y * n, z * n, lx, ly, lz


def buss(w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, h: float, c: Constants) -> Seven:
    """Step to q exp(h (omega + h/2 alpha + h^2/12 alpha x omega)), alpha = domega_b/dt = J (L_b x omega_b)."""
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
    ox, oy, oz = c[0] * bx, c[1] * by, c[2] * bz
    ax, ay, az = c[0] * (by * oz - bz * oy), c[1] * (bz * ox - bx * oz), c[2] * (bx * oy - by * ox)
    k, m = 0.5 * h, h * h / 12.0
    ew, ex, ey, ez = exp(
        h * (ox + k * ax + m * (ay * oz - az * oy)),
        h * (oy + k * ay + m * (az * ox - ax * oz)),
        h * (oz + k * az + m * (ax * oy - ay * ox)),
    )
    w, x, y, z = product(w, x, y, z, ew, ex, ey, ez)
    return w, x, y, z, lx, ly, lz


def magnus4(w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, h: float, c: Constants) -> Seven:
    """Step to q exp(W), where W is the Magnus series to h^4.

    In the code o, p, r are the first three derivatives of omega_b; a and b are the first two of L_b.
    """
    j, k, m = c[0], c[1], c[2]
    lx_, ly_, lz_ = to_body(w, x, y, z, lx, ly, lz)
    wx, wy, wz = j * lx_, k * ly_, m * lz_
    ax, ay, az = ly_ * wz - lz_ * wy, lz_ * wx - lx_ * wz, lx_ * wy - ly_ * wx
    ox, oy, oz = j * ax, k * ay, m * az
    bx = ay * wz - az * wy + ly_ * oz - lz_ * oy
    by = az * wx - ax * wz + lz_ * ox - lx_ * oz
    bz = ax * wy - ay * wx + lx_ * oy - ly_ * ox
    px, py, pz = j * bx, k * by, m * bz
    rx = j * (by * wz - bz * wy + 2.0 * (ay * oz - az * oy) + ly_ * pz - lz_ * py)
    ry = k * (bz * wx - bx * wz + 2.0 * (az * ox - ax * oz) + lz_ * px - lx_ * pz)
    rz = m * (bx * wy - by * wx + 2.0 * (ax * oy - ay * ox) + lx_ * py - ly_ * px)
    h2, h3, h4 = h / 2.0, h * h / 6.0, h * h * h / 24.0
    ew, ex, ey, ez = exp(
        h * (wx + h2 * ox + h3 * (px + 0.5 * (wy * oz - wz * oy)) + h4 * (rx + wy * pz - wz * py)),
        h * (wy + h2 * oy + h3 * (py + 0.5 * (wz * ox - wx * oz)) + h4 * (ry + wz * px - wx * pz)),
        h * (wz + h2 * oz + h3 * (pz + 0.5 * (wx * oy - wy * ox)) + h4 * (rz + wx * py - wy * px)),
    )
    w, x, y, z = product(w, x, y, z, ew, ex, ey, ez)
    return w, x, y, z, lx, ly, lz


def _turn_rate(ax: float, ay: float, az: float, bx: float, by: float, bz: float, c: Constants) -> Three:
    """Return d theta/dt for the orientation q exp(theta), at theta = a; b is L_b at theta = 0.

    It is omega + theta x omega/2 + theta x (theta x omega)/12.
    """
    mx, my, mz = turned(-ax, -ay, -az, bx, by, bz)
    ox, oy, oz = c[0] * mx, c[1] * my, c[2] * mz
    px, py, pz = ay * oz - az * oy, az * ox - ax * oz, ax * oy - ay * ox
    return (
        ox + 0.5 * px + (ay * pz - az * py) / 12.0,
        oy + 0.5 * py + (az * px - ax * pz) / 12.0,
        oz + 0.5 * pz + (ax * py - ay * px) / 12.0,
    )


def rkmk4(w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, h: float, c: Constants) -> Seven:
    """Step to q exp(theta), theta from the classical Runge-Kutta method on the rotation vector of the step."""
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
    k = 0.5 * h
    ax, ay, az = c[0] * bx, c[1] * by, c[2] * bz
    ox, oy, oz = _turn_rate(k * ax, k * ay, k * az, bx, by, bz, c)
    px, py, pz = _turn_rate(k * ox, k * oy, k * oz, bx, by, bz, c)
    rx, ry, rz = _turn_rate(h * px, h * py, h * pz, bx, by, bz, c)
    k = h / 6.0
    ew, ex, ey, ez = exp(
        k * (ax + 2.0 * (ox + px) + rx), k * (ay + 2.0 * (oy + py) + ry), k * (az + 2.0 * (oz + pz) + rz)
    )
    w, x, y, z = product(w, x, y, z, ew, ex, ey, ez)
    return w, x, y, z, lx, ly, lz


def implicit_midpoint(
    w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, h: float, c: Constants
) -> Seven:
    """Solve M = L_b + h/2 M x J M, the mean of L_b before and after, and step to q (1, h J M/2), normalised.

    M is found by Newton's method; w is nan if that does not converge. |L|, L in space and E are kept.
    """
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
    size = bx * bx + by * by + bz * bz
    if size < TINY:
        return w, x, y, z, lx, ly, lz
    j, k, m, half = c[0], c[1], c[2], 0.5 * h
    mx, my, mz = bx, by, bz
    close = 16.0 * 2.2e-16**2 * size
    last = size * 1e300
    for _ in range(ITERATIONS):
        ex = mx - bx - half * (m - k) * my * mz
        ey = my - by - half * (j - m) * mz * mx
        ez = mz - bz - half * (k - j) * mx * my
        dx, dy, dz = solved(
            1.0, half * (k - m) * mz, half * (k - m) * my,
            half * (m - j) * mz, 1.0, half * (m - j) * mx,
            half * (j - k) * my, half * (j - k) * mx, 1.0,
            ex, ey, ez,
        )  # fmt: skip
        mx, my, mz = mx - dx, my - dy, mz - dz
        moved = dx * dx + dy * dy + dz * dz
        if moved <= close or (moved >= last and moved <= 1e8 * close):  # it no longer falls, at round-off
            w, x, y, z = product(w, x, y, z, 1.0, half * j * mx, half * k * my, half * m * mz)
            return w, x, y, z, lx, ly, lz
        last = moved
    return nan, x, y, z, lx, ly, lz
