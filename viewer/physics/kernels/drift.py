"""The exact drift: the free motion itself, to round-off, without elliptic functions. The default step."""

from math import inf, sqrt

from viewer.physics.kernels.turning import Constants, Seven, product, to_body

PARTS_LIMIT = 10_000  # parts that a step of the exact drift may be cut into
SHORT = 2.5e-5  # (h J_max |L|)^2 below which the exact drift needs its series to the second degree only
LONG = 0.01  # (h |omega|)^2 above which the series of the exact drift err by more than round-off


def exact_drift(
    w: float,
    x: float,
    y: float,
    z: float,
    lx: float,
    ly: float,
    lz: float,
    h: float,
    c: Constants,
    count: int = 1,
) -> Seven:
    """The free motion itself, to round-off: the addition theorem moves L_b, a series turns the body.

    A step that turns further than the series reaches is made in equal parts; more than PARTS_LIMIT of them give nan.
    `count` steps at once run L_b on by itself and compare it with R^T L at the end only: compiled twice as fast.
    c = (J, k_0 = J_3 - J_2, k_1 = J_1 - J_3, k_2 = J_2 - J_1, J_min + J_max, J_min J_max, J_max^2, square of the angle
    that the series reaches, then the coefficients of cs and of cd).
    """
    (j0, j1, j2, k0, k1, k2, jsum, jproduct, jsquare, reach,
     s10, s20, s30, s40, s01, s11, s21, s31, s02, s12, s22, s03, s13, s04,
     d10, d20, d30, d40, d01, d11, d21, d31, d02, d12, d22, d03, d13, d04) = c  # fmt: skip
    tx, ty, tz = 2.0 * (ly * z - lz * y), 2.0 * (lz * x - lx * z), 2.0 * (lx * y - ly * x)
    u0 = h * (lx + w * tx + (ty * z - tz * y))  # h L_b
    u1 = h * (ly + w * ty + (tz * x - tx * z))
    u2 = h * (lz + w * tz + (tx * y - ty * x))
    q0, q1, q2 = u0 * u0, u1 * u1, u2 * u2
    xx = j0 * q0 + j1 * q1 + j2 * q2
    yy = q0 + q1 + q2
    angle2 = jsum * xx - jproduct * yy  # the largest |h omega|^2 that E and |L| allow
    if angle2 > reach:
        ratio = sqrt(angle2 / reach)
        if not ratio < PARTS_LIMIT:
            return inf - inf, x, y, z, lx, ly, lz
        parts = int(ratio) + 1
        count *= parts
        f = 1.0 / parts
        h, u0, u1, u2 = h * f, u0 * f, u1 * f, u2 * f
        q0, q1, q2 = u0 * u0, u1 * u1, u2 * u2
        xx = j0 * q0 + j1 * q1 + j2 * q2
        yy = q0 + q1 + q2
        angle2 *= f * f
    left = count
    while True:
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
        left -= 1
        if left == 0:
            break
        u0, u1, u2 = n0, n1, n2
        q0, q1, q2 = u0 * u0, u1 * u1, u2 * u2
        xx = j0 * q0 + j1 * q1 + j2 * q2
        yy = q0 + q1 + q2
    if (
        angle2 > LONG or count > 1
    ) and yy > 0.0:  # the series errs by more than round-off: R^T L = L_b[next] keeps the energy
        v0, v1, v2 = to_body(w, x, y, z, h * lx, h * ly, h * lz)
        f = 0.5 / yy
        w, x, y, z = product(
            w, x, y, z, 1.0, f * (n1 * v2 - n2 * v1), f * (n2 * v0 - n0 * v2), f * (n0 * v1 - n1 * v0)
        )
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
