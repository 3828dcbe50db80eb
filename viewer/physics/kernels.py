"""The hot steps, on plain floats: one source, run as Python or compiled.

Every step takes the state as seven floats, the step h [s] and a flat tuple of constants that its integrator prepared
for the body, and gives the next seven. The seven: the unit quaternion w, x, y, z (body to world) and an angular
momentum [kg m2/s], kept in space by momentum schemes (all in this file), in the body by velocity schemes. Steps never
raise on purpose: what leaves the finite range comes out as inf or nan, or as one of Python's arithmetic errors.
"""

from math import cos, inf, sin, sqrt

Three = tuple[float, float, float]
Four = tuple[float, float, float, float]
Seven = tuple[float, float, float, float, float, float, float]
Constants = tuple[float, ...]

PARTS_LIMIT = 10_000  # parts that a step of the exact drift may be cut into
SHORT = 2.5e-5  # (h J_max |L|)^2 below which the exact drift needs its series to the second degree only
LONG = 0.01  # (h |omega|)^2 above which the series of the exact drift err by more than round-off


def to_body(w: float, x: float, y: float, z: float, vx: float, vy: float, vz: float) -> Three:
    """A vector of space in the body frame: R^T v."""
    tx, ty, tz = 2.0 * (vy * z - vz * y), 2.0 * (vz * x - vx * z), 2.0 * (vx * y - vy * x)
    return (
        vx + w * tx + (ty * z - tz * y),
        vy + w * ty + (tz * x - tx * z),
        vz + w * tz + (tx * y - ty * x),
    )


def product(w: float, x: float, y: float, z: float, d: float, a: float, b: float, c: float) -> Four:
    """The quaternion product (w, x, y, z)(d, a, b, c), normalised."""
    rw = w * d - x * a - y * b - z * c
    rx = w * a + x * d + y * c - z * b
    ry = w * b - x * c + y * d + z * a
    rz = w * c + x * b - y * a + z * d
    n = 1.0 / sqrt(rw * rw + rx * rx + ry * ry + rz * rz)
    return rw * n, rx * n, ry * n, rz * n


def exp(ax: float, ay: float, az: float) -> Four:
    """The quaternion of a turn by the rotation vector a [rad]."""
    angle = sqrt(ax * ax + ay * ay + az * az)
    s = sin(0.5 * angle) / angle if angle > 0.0 else 0.5
    return cos(0.5 * angle), s * ax, s * ay, s * az


def first_order(
    w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, h: float, c: Constants
) -> Seven:
    """q <- q exp(h omega_b) with the omega of the beginning, the same as exp(h omega_w) q. c = J."""
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
    ew, ex, ey, ez = exp(h * c[0] * bx, h * c[1] * by, h * c[2] * bz)
    w, x, y, z = product(w, x, y, z, ew, ex, ey, ez)
    return w, x, y, z, lx, ly, lz


def split(
    w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, h: float, c: Constants
) -> Seven:
    """Turns about body axis a (h/2), c (h), a (h/2), then about L: axes a, b, c by falling moment.

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
    rate = h * c[5]
    ew, ex, ey, ez = exp(rate * lx, rate * ly, rate * lz)
    w, x, y, z = product(ew, ex, ey, ez, w, x, y, z)
    return w, x, y, z, lx, ly, lz


def exact_drift(
    w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, h: float, c: Constants
) -> Seven:
    """The free motion itself, to round-off: the addition theorem moves L_b, a series turns the body.

    A step that turns further than the series reaches is made in equal parts; more than PARTS_LIMIT of them give nan.
    c = (J, k_0 = J_3 - J_2, k_1 = J_1 - J_3, k_2 = J_2 - J_1, J_min + J_max, J_min J_max, J_max^2, square of the angle
    that the series reaches, then the coefficients of cs and of cd).
    """
    (j0, j1, j2, k0, k1, k2, jsum, jproduct, jsquare, reach,
     s10, s20, s30, s40, s01, s11, s21, s31, s02, s12, s22, s03, s13, s04,
     d10, d20, d30, d40, d01, d11, d21, d31, d02, d12, d22, d03, d13, d04) = c  # fmt: skip
    parts = 0
    while True:
        tx, ty, tz = 2.0 * (ly * z - lz * y), 2.0 * (lz * x - lx * z), 2.0 * (lx * y - ly * x)
        u0 = h * (lx + w * tx + (ty * z - tz * y))  # h L_b
        u1 = h * (ly + w * ty + (tz * x - tx * z))
        u2 = h * (lz + w * tz + (tx * y - ty * x))
        q0, q1, q2 = u0 * u0, u1 * u1, u2 * u2
        xx = j0 * q0 + j1 * q1 + j2 * q2
        yy = q0 + q1 + q2
        angle2 = jsum * xx - jproduct * yy  # the largest |h omega|^2 that E and |L| allow
        if parts == 0:
            parts = 1
            if angle2 > reach:
                count = sqrt(angle2 / reach)
                if not count < PARTS_LIMIT:
                    return inf - inf, x, y, z, lx, ly, lz
                parts = int(count) + 1
                h /= parts
                continue
        m = k0 * k2 * q1
        p = m - k0 * k1 * q2
        r = m - k1 * k2 * q0
        a, b = p + r, p * r
        if jsquare * yy < SHORT:  # what follows the second degree is below round-off
            s = 1.0 - a / 6.0 + (a * a + 12.0 * b) / 120.0
            cs = 0.25 + 0.25 * (xx * (s10 + xx * s20) + yy * (s01 + xx * s11 + yy * s02))
            cd = 0.25 * (xx * (d10 + xx * d20) + yy * (d01 + xx * d11 + yy * d02))
        else:
            s = _sine(a, b)
            cs = 0.25 + 0.25 * (
                xx * (s10 + xx * (s20 + xx * (s30 + xx * s40)))
                + yy * (s01 + xx * (s11 + xx * (s21 + xx * s31))
                + yy * (s02 + xx * (s12 + xx * s22) + yy * (s03 + xx * s13 + yy * s04)))
            )  # fmt: skip
            cd = 0.25 * (
                xx * (d10 + xx * (d20 + xx * (d30 + xx * d40)))
                + yy * (d01 + xx * (d11 + xx * (d21 + xx * d31))
                + yy * (d02 + xx * (d12 + xx * d22) + yy * (d03 + xx * d13 + yy * d04)))
            )  # fmt: skip
        ss = s * s
        cn = sqrt(1.0 - p * ss)
        dn = sqrt(1.0 - r * ss)
        dd = 1.0 / (1.0 - m * ss)
        n0 = (cn * u0 + k0 * s * dn * u1 * u2) * dd  # h L_b[next]
        n1 = (cn * dn * u1 + k1 * s * u2 * u0) * dd
        n2 = (dn * u2 + k2 * s * cn * u0 * u1) * dd
        g0 = (cs * j0 + cd) * (u0 + n0)
        g1 = (cs * j1 + cd) * (u1 + n1)
        g2 = (cs * j2 + cd) * (u2 + n2)
        e = sqrt(0.5 + 0.5 * sqrt(1.0 - 4.0 * (g0 * g0 + g1 * g1 + g2 * g2)))
        f = 1.0 / e
        w, x, y, z = product(w, x, y, z, e, f * g0, f * g1, f * g2)
        if angle2 > LONG:  # the series errs by more than round-off: R^T L = L_b[next] keeps the energy
            v0, v1, v2 = to_body(w, x, y, z, h * lx, h * ly, h * lz)
            f = 0.5 / yy
            w, x, y, z = product(
                w, x, y, z, 1.0, f * (n1 * v2 - n2 * v1), f * (n2 * v0 - n0 * v2), f * (n0 * v1 - n1 * v0)
            )
        parts -= 1
        if parts == 0:
            return w, x, y, z, lx, ly, lz


def _sine(a: float, b: float) -> float:
    """sn(u)/u from a = p + r and b = p r, where p and r are u^2 and u^2 m up to signs; to u^12."""
    aa, bb = a * a, b * b
    return (
        1.0
        - a / 6.0
        + (aa + 12.0 * b) / 120.0
        - a * (aa + 132.0 * b) / 5040.0
        + (aa * aa + 1224.0 * aa * b + 3024.0 * bb) / 362880.0
        - a * (aa * aa + 11064.0 * aa * b + 132624.0 * bb) / 39916800.0
        + (aa * aa * aa + 99636.0 * aa * aa * b + 4095792.0 * aa * bb + 4390848.0 * bb * b) / 6227020800.0
    )
