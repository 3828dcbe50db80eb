"""The exact drift: the free motion itself, to round-off, without elliptic functions. The default step.

The free motion carries L_b to L_b[next] in a time h. The body turns by the quaternion (w, g/w) of the discrete rigid
body of Moser and Veselov (Commun. Math. Phys. 139, 1991) with corrected moments:
g = (h/4) (cs J + cd)(L_b + L_b[next]), w^2 = 1/2 + 1/2 sqrt(1 - 4 g.g).

cs and cd are numbers, the same for all three axes: power series in x = h^2 L.J L and y = h^2 L.L. Their coefficients
are polynomials in e1, e2, e3, the elementary symmetric functions of J = 1/I. Below are all terms up to the fourth
degree. Their factors are rational, found from the exact motion by a fit that leaves no residual.
"""

from math import inf, nan, sqrt

from viewer.physics.kernels.quaternion import Constants, Four, Seven, to_body

Term = tuple[int, int, int, int, int, int, int]

# Rows (p, r, a, b, c, n, d): the term n/d e1^a e2^b e3^c x^p y^r. cs = 1 + sum, cd = sum.
# fmt: off
CS_TERMS: tuple[Term, ...] = (
    (1, 0, 1, 0, 0, -1, 6), (0, 1, 0, 1, 0, 1, 12),
    (2, 0, 2, 0, 0, 1, 120), (2, 0, 0, 1, 0, -1, 240), (1, 1, 1, 1, 0, -1, 120), (1, 1, 0, 0, 1, 1, 30),
    (0, 2, 0, 2, 0, 1, 120), (0, 2, 1, 0, 1, -1, 40),
    (3, 0, 3, 0, 0, -1, 5040), (3, 0, 1, 1, 0, 1, 5040), (3, 0, 0, 0, 1, 1, 280), (2, 1, 2, 1, 0, 1, 3360),
    (2, 1, 0, 2, 0, 41, 20160), (2, 1, 1, 0, 1, -53, 5040), (1, 2, 1, 2, 0, -1, 560),
    (1, 2, 2, 0, 1, 11, 1680), (1, 2, 0, 1, 1, -1, 672), (0, 3, 0, 3, 0, 17, 20160),
    (0, 3, 1, 1, 1, -11, 3360), (0, 3, 0, 0, 2, 5, 1008),
    (4, 0, 4, 0, 0, 1, 362880), (4, 0, 2, 1, 0, -1, 241920), (4, 0, 0, 2, 0, 17, 80640),
    (4, 0, 1, 0, 1, -3, 4480), (3, 1, 3, 1, 0, -1, 181440), (3, 1, 1, 2, 0, -11, 30240),
    (3, 1, 2, 0, 1, 23, 15120), (3, 1, 0, 1, 1, -23, 20160), (2, 2, 2, 2, 0, 13, 60480),
    (2, 2, 0, 3, 0, 1, 40320), (2, 2, 3, 0, 1, -17, 20160), (2, 2, 1, 1, 1, 1, 4032),
    (2, 2, 0, 0, 2, 53, 20160), (1, 3, 1, 3, 0, -11, 51840), (1, 3, 2, 1, 1, 17, 20160),
    (1, 3, 0, 2, 1, 47, 120960), (1, 3, 1, 0, 2, -47, 15120), (0, 4, 0, 4, 0, 31, 362880),
    (0, 4, 1, 2, 1, -19, 40320), (0, 4, 2, 0, 2, 1, 1920), (0, 4, 0, 1, 2, 97, 241920),
)
CD_TERMS: tuple[Term, ...] = (
    (1, 0, 0, 1, 0, 1, 12), (0, 1, 0, 0, 1, -1, 6),
    (2, 0, 1, 1, 0, -1, 240), (2, 0, 0, 0, 1, -1, 40), (1, 1, 0, 2, 0, -1, 240), (1, 1, 1, 0, 1, 1, 30),
    (0, 2, 0, 1, 1, -1, 240),
    (3, 0, 2, 1, 0, 1, 10080), (3, 0, 0, 2, 0, -13, 10080), (3, 0, 1, 0, 1, 1, 336),
    (2, 1, 1, 2, 0, 13, 20160), (2, 1, 2, 0, 1, -1, 315), (2, 1, 0, 1, 1, 11, 2016),
    (1, 2, 0, 3, 0, 1, 10080), (1, 2, 1, 1, 1, -1, 10080), (1, 2, 0, 0, 2, -11, 1260),
    (0, 3, 0, 2, 1, -19, 20160), (0, 3, 1, 0, 2, 1, 280),
    (4, 0, 3, 1, 0, -1, 725760), (4, 0, 1, 2, 0, -1, 120960), (4, 0, 2, 0, 1, -1, 5760),
    (4, 0, 0, 1, 1, 17, 26880), (3, 1, 2, 2, 0, -1, 24192), (3, 1, 0, 3, 0, 97, 362880),
    (3, 1, 3, 0, 1, 1, 5670), (3, 1, 1, 1, 1, -23, 30240), (3, 1, 0, 0, 2, -1, 560),
    (2, 2, 1, 3, 0, -1, 24192), (2, 2, 2, 1, 1, 19, 120960), (2, 2, 0, 2, 1, -19, 17280),
    (2, 2, 1, 0, 2, 89, 30240), (1, 3, 0, 4, 0, -1, 725760), (1, 3, 1, 2, 1, 37, 120960),
    (1, 3, 2, 0, 2, -1, 840), (1, 3, 0, 1, 2, 19, 20160), (0, 4, 0, 3, 1, -61, 725760),
    (0, 4, 1, 1, 2, 3, 8960), (0, 4, 0, 0, 3, -61, 72576),
)
# fmt: on

SLOTS = tuple((p, r) for r in range(5) for p in range(5 - r) if p + r > 0)


def coefficients(terms: tuple[Term, ...], inverse_moments: tuple[float, float, float]) -> tuple[float, ...]:
    """Return the 14 coefficients of x^p y^r for one body, in the order of SLOTS."""
    j0, j1, j2 = inverse_moments
    e1, e2, e3 = j0 + j1 + j2, j0 * j1 + j1 * j2 + j2 * j0, j0 * j1 * j2
    sums = dict.fromkeys(SLOTS, 0.0)
    for p, r, a, b, c, numerator, denominator in terms:
        sums[p, r] += numerator / denominator * e1**a * e2**b * e3**c
    return tuple(sums.values())


Eight = tuple[float, float, float, float, float, float, float, float]

PARTS_LIMIT = 10_000  # parts that a step of the exact drift may be cut into
SHORT = 2.5e-5  # (h J_max |L|)^2 below which the exact drift needs its series to the second degree only
LONG = 0.01  # (h |omega|)^2 above which the series of the exact drift err by more than round-off
NO_CURVE: Four = (nan, nan, nan, nan)


def exact_drift(
    w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, h: float, c: Constants,
    count: int = 1, run: int = 1, path: list[Seven] | None = None,
) -> Seven:  # fmt: skip
    """Move the body as it moves freely, to round-off: the addition theorem moves L_b, a series turns the body.

    A step that turns further than the series reaches is made in equal parts; if it would take more than PARTS_LIMIT
    parts, the result is nan. `count` steps are made at once. If `run` is above 1, L_b goes on by itself and is compared
    with R^T L only after every `run` steps, at less than half the cost. `path` receives (w, x, y, z, L_b) after every
    step. Everything is in one function, because a call costs Python a tenth of a step.

    c = (J, k_0 = J_3 - J_2, k_1 = J_1 - J_3, k_2 = J_2 - J_1, k_0 k_2, k_0 k_1, k_1 k_2, J_min + J_max, J_min J_max,
    J_max^2, square of the angle that the series reaches, then a quarter of the coefficients of cs and of cd).
    """
    (j0, j1, j2, k0, k1, k2, k02, k01, k12, jsum, jproduct, jsquare, reach,
     s10, s20, s30, s40, s01, s11, s21, s31, s02, s12, s22, s03, s13, s04,
     d10, d20, d30, d40, d01, d11, d21, d31, d02, d12, d22, d03, d13, d04) = c  # fmt: skip
    hx, hy, hz = h * lx, h * ly, h * lz
    while count > 0:
        left = run if run < count else count
        count -= left
        tx = hy * z - hz * y
        ty = hz * x - hx * z
        tz = hx * y - hy * x
        tx += tx
        ty += ty
        tz += tz
        u0 = hx + w * tx + (ty * z - tz * y)  # h L_b
        u1 = hy + w * ty + (tz * x - tx * z)
        u2 = hz + w * tz + (tx * y - ty * x)
        q0 = u0 * u0
        q1 = u1 * u1
        q2 = u2 * u2
        xx = j0 * q0 + j1 * q1 + j2 * q2
        yy = q0 + q1 + q2
        angle2 = jsum * xx - jproduct * yy  # the largest |h omega|^2 that E and |L| allow
        parts = 1
        if angle2 > reach:
            ratio = sqrt(angle2 / reach)
            if not ratio < PARTS_LIMIT:
                return inf - inf, x, y, z, lx, ly, lz
            parts = int(ratio) + 1
            f = 1.0 / parts
            u0 *= f
            u1 *= f
            u2 *= f
            q0 = u0 * u0
            q1 = u1 * u1
            q2 = u2 * u2
            xx = j0 * q0 + j1 * q1 + j2 * q2
            yy = q0 + q1 + q2
        turns = left * parts
        compared = angle2 > LONG or parts > 1  # else the series errs by less than round-off
        m = k02 * q1
        p = m - k01 * q2
        r = m - k12 * q0
        a = p + r
        b = p * r
        if jsquare * yy < SHORT:  # what follows the second degree is below round-off
            s = 1.0 - a / 6.0 + (a * a + 12.0 * b) / 120.0
            cs = 0.25 + xx * (s10 + xx * s20) + yy * (s01 + xx * s11 + yy * s02)
            cd = xx * (d10 + xx * d20) + yy * (d01 + xx * d11 + yy * d02)
        else:
            s = (  # sn(u)/u, where p and r are u^2 and u^2 m up to signs; to u^12
                1.0
                + a * (-1.0 / 6.0 + a * (1.0 / 120.0 + a * (-1.0 / 5040.0 + a * (1.0 / 362880.0
                + a * (-1.0 / 39916800.0 + a * (1.0 / 6227020800.0))))))
                + b * (12.0 / 120.0 + a * (-132.0 / 5040.0 + a * (1224.0 / 362880.0
                + a * (-11064.0 / 39916800.0 + a * (99636.0 / 6227020800.0))))
                + b * (3024.0 / 362880.0 + a * (-132624.0 / 39916800.0 + a * (4095792.0 / 6227020800.0))
                + b * (4390848.0 / 6227020800.0)))
            )  # fmt: skip
            cs = (
                0.25 + xx * (s10 + xx * (s20 + xx * (s30 + xx * s40)))
                + yy * (s01 + xx * (s11 + xx * (s21 + xx * s31))
                + yy * (s02 + xx * (s12 + xx * s22) + yy * (s03 + xx * s13 + yy * s04)))
            )  # fmt: skip
            cd = (
                xx * (d10 + xx * (d20 + xx * (d30 + xx * d40)))
                + yy * (d01 + xx * (d11 + xx * (d21 + xx * d31))
                + yy * (d02 + xx * (d12 + xx * d22) + yy * (d03 + xx * d13 + yy * d04)))
            )  # fmt: skip
        ss = s * s
        c0 = cs * j0 + cd
        c1 = cs * j1 + cd
        c2 = cs * j2 + cd
        while True:  # s, c0, c1, c2 depend on E and |L| only, which are kept because cn and dn are those of this L_b
            cn = sqrt(1.0 - p * ss)
            dn = sqrt(1.0 - r * ss)
            dd = 1.0 / (1.0 - m * ss)
            n0 = (cn * u0 + k0 * s * dn * u1 * u2) * dd  # h L_b[next]
            n1 = (cn * dn * u1 + k1 * s * u2 * u0) * dd
            n2 = (dn * u2 + k2 * s * cn * u0 * u1) * dd
            g0 = c0 * (u0 + n0)
            g1 = c1 * (u1 + n1)
            g2 = c2 * (u2 + n2)
            e = sqrt(0.5 + 0.5 * sqrt(1.0 - 4.0 * (g0 * g0 + g1 * g1 + g2 * g2)))
            f = 1.0 / e
            g0 *= f
            g1 *= f
            g2 *= f
            pw = w * e - x * g0 - y * g1 - z * g2
            px = w * g0 + x * e + y * g2 - z * g1
            py = w * g1 - x * g2 + y * e + z * g0
            z = w * g2 + x * g1 - y * g0 + z * e
            w = pw
            x = px
            y = py
            turns -= 1
            if path is not None and turns % parts == 0:
                f = parts / h
                path.append((w, x, y, z, f * n0, f * n1, f * n2))
            if turns == 0:
                break
            u0 = n0
            u1 = n1
            u2 = n2
            m = k02 * u1 * u1
            p = m - k01 * u2 * u2
            r = m - k12 * u0 * u0
        if compared and yy > 0.0:  # R^T L = L_b[next] keeps the energy
            tx = hy * z - hz * y
            ty = hz * x - hx * z
            tz = hx * y - hy * x
            tx += tx
            ty += ty
            tz += tz
            u0 = hx + w * tx + (ty * z - tz * y)
            u1 = hy + w * ty + (tz * x - tx * z)
            u2 = hz + w * tz + (tx * y - ty * x)
            f = 0.5 / (parts * yy)
            g0 = f * (n1 * u2 - n2 * u1)
            g1 = f * (n2 * u0 - n0 * u2)
            g2 = f * (n0 * u1 - n1 * u0)
            pw = w - x * g0 - y * g1 - z * g2
            px = w * g0 + x + y * g2 - z * g1
            py = w * g1 - x * g2 + y + z * g0
            z = w * g2 + x * g1 - y * g0 + z
            w = pw
            x = px
            y = py
        f = 1.5 - 0.5 * (w * w + x * x + y * y + z * z)  # 1/|q| to round-off, as |q| is that close to 1
        w *= f
        x *= f
        y *= f
        z *= f
    return w, x, y, z, lx, ly, lz


def curve_through(bx: float, by: float, bz: float, j0: float, j1: float, j2: float) -> Four:
    """Return the closed curve of L_b on its sphere as four numbers: J - J_r for the three axes, and d.

    d = (2 E - J_r |L|^2)/|L|^2 = sum (J - J_r) L_b^2/|L|^2.

    J_r is the component of J that is nearest to 2 E/|L|^2. Near the separatrix and near an axis, where the motion is
    sensitive to E, d is thus small compared with J, and its round-off is small, too. Returns NO_CURVE at rest, and if
    |L|^2 is not finite.
    """
    square = bx * bx + by * by + bz * bz
    if not 0.0 < square < inf:
        return NO_CURVE
    f = 1.0 / sqrt(square)
    q0, q1, q2 = (f * bx) ** 2, (f * by) ** 2, (f * bz) ** 2
    e = j0 * q0 + j1 * q1 + j2 * q2
    r = j0
    if abs(j1 - e) < abs(r - e):
        r = j1
    if abs(j2 - e) < abs(r - e):
        r = j2
    return j0 - r, j1 - r, j2 - r, (j0 - r) * q0 + (j1 - r) * q1 + (j2 - r) * q2


def project_to_curve(w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, curve: Four) -> Seven:
    """Turn the body a little, along the gradient of the energy, so that R^T L lies on `curve` again.

    L_b comes from the orientation, whose rounding would otherwise let the energy wander, and with it the rates: the
    phase error would grow with the 3/2 power of the number of steps.
    """
    v0, v1, v2, d = curve
    u0, u1, u2 = to_body(w, x, y, z, lx, ly, lz)
    square = u0 * u0 + u1 * u1 + u2 * u2
    if not (0.0 < square < inf and d == d):
        return w, x, y, z, lx, ly, lz
    f = 1.0 / sqrt(square)
    u0 *= f
    u1 *= f
    u2 *= f
    g0, g1, g2 = (v2 - v1) * u1 * u2, (v0 - v2) * u2 * u0, (v1 - v0) * u0 * u1
    steep = g0 * g0 + g1 * g1 + g2 * g2
    if steep == 0.0:  # on an axis
        return w, x, y, z, lx, ly, lz
    f = 0.25 * (v0 * u0 * u0 + v1 * u1 * u1 + v2 * u2 * u2 - d) / steep
    g0 *= f
    g1 *= f
    g2 *= f
    pw = w - x * g0 - y * g1 - z * g2
    px = w * g0 + x + y * g2 - z * g1
    py = w * g1 - x * g2 + y + z * g0
    pz = w * g2 + x * g1 - y * g0 + z
    f = 1.0 / sqrt(pw * pw + px * px + py * py + pz * pz)
    return f * pw, f * px, f * py, f * pz, lx, ly, lz


def parts_of(bx: float, by: float, bz: float, h: float, c: Constants) -> int:
    """Return into how many equal parts a drift of L_b by h is cut; 0 if they exceed PARTS_LIMIT or L is not finite."""
    xx, yy = c[0] * bx * bx + c[1] * by * by + c[2] * bz * bz, bx * bx + by * by + bz * bz
    angle2, reach = h * h * (c[9] * xx - c[10] * yy), c[12]
    if angle2 <= reach:
        return 1
    ratio = sqrt(angle2 / reach)
    return int(ratio) + 1 if ratio < PARTS_LIMIT else 0


def longest_drift(bx: float, by: float, bz: float, c: Constants) -> float:
    """Return the longest drift [s] of L_b that PARTS_LIMIT parts can cover; inf at rest, nan if L is not finite."""
    xx, yy = c[0] * bx * bx + c[1] * by * by + c[2] * bz * bz, bx * bx + by * by + bz * bz
    rate2 = c[9] * xx - c[10] * yy
    return PARTS_LIMIT * sqrt(c[12] / rate2) if rate2 > 0.0 else inf - yy


def drift_on(
    w: float, x: float, y: float, z: float, square: float, bx: float, by: float, bz: float, h: float, c: Constants
) -> Eight:  # fmt: skip
    """Return (q, |q|^2, L_b) after a drift within the reach of the series; L_b goes on by itself, q is not normalised.

    The formulas are those of `exact_drift`, arranged for compositions, whose kicks wait for every result: no root is
    taken before it is needed, and the terms are in groups that a processor can work on at once.
    """
    (j0, j1, j2, k0, k1, k2, k02, k01, k12, _, _, _, _,
     s10, s20, s30, s40, s01, s11, s21, s31, s02, s12, s22, s03, s13, s04,
     d10, d20, d30, d40, d01, d11, d21, d31, d02, d12, d22, d03, d13, d04) = c  # fmt: skip
    hh = h * h
    q0, q1, q2 = hh * bx * bx, hh * by * by, hh * bz * bz
    xx = j0 * q0 + j1 * q1 + j2 * q2
    yy = q0 + q1 + q2
    m = k02 * q1
    p, r = m - k01 * q2, m - k12 * q0
    a, b = p + r, p * r
    aa, x2, xy, y2 = a * a, xx * xx, xx * yy, yy * yy
    s = (
        (1.0 - a * (1.0 / 6.0)) + aa * (1.0 / 120.0 - a * (1.0 / 5040.0))
        + aa * aa * ((1.0 / 362880.0 - a * (1.0 / 39916800.0)) + aa * (1.0 / 6227020800.0))
        + b * ((12.0 / 120.0 - a * (132.0 / 5040.0))
        + aa * ((1224.0 / 362880.0 - a * (11064.0 / 39916800.0)) + aa * (99636.0 / 6227020800.0)))
        + b * b * ((3024.0 / 362880.0 - a * (132624.0 / 39916800.0))
        + (aa * (4095792.0 / 6227020800.0) + b * (4390848.0 / 6227020800.0)))
    )  # fmt: skip
    cs = (
        (0.25 + xx * s10 + yy * s01) + (x2 * s20 + xy * s11 + y2 * s02)
        + (x2 * (xx * s30 + yy * s21) + y2 * (xx * s12 + yy * s03))
        + (x2 * (x2 * s40 + xy * s31 + y2 * s22) + y2 * (xy * s13 + y2 * s04))
    )  # fmt: skip
    cd = (
        (xx * d10 + yy * d01) + (x2 * d20 + xy * d11 + y2 * d02)
        + (x2 * (xx * d30 + yy * d21) + y2 * (xx * d12 + yy * d03))
        + (x2 * (x2 * d40 + xy * d31 + y2 * d22) + y2 * (xy * d13 + y2 * d04))
    )  # fmt: skip
    ss = s * s
    # 1 - cn, 1 - dn, 1/(1 - m s^2) - 1: near 1 their rounding would be the same in every step and add up
    pss, rss, mss = p * ss, r * ss, m * ss
    cn, dn = sqrt(1.0 - pss), sqrt(1.0 - rss)
    cl, dl, dm = pss / (1.0 + cn), rss / (1.0 + dn), mss / (1.0 - mss)
    s *= h * (1.0 + dm)
    n0 = bx + ((dm - cl - cl * dm) * bx + dn * (k0 * s * (by * bz)))
    n1 = by + ((dm - (cl + dl - cl * dl) * (1.0 + dm)) * by + k1 * s * (bz * bx))
    n2 = bz + ((dm - dl - dl * dm) * bz + cn * (k2 * s * (bx * by)))
    g0 = h * (cs * j0 + cd) * (bx + n0)
    g1 = h * (cs * j1 + cd) * (by + n1)
    g2 = h * (cs * j2 + cd) * (bz + n2)
    e = 0.5 + 0.5 * sqrt(1.0 - 4.0 * (g0 * g0 + g1 * g1 + g2 * g2))
    return (
        w * e - x * g0 - y * g1 - z * g2,
        w * g0 + x * e + y * g2 - z * g1,
        w * g1 - x * g2 + y * e + z * g0,
        w * g2 + x * g1 - y * g0 + z * e,
        square * e,
        n0,
        n1,
        n2,
    )
