"""Schemes that add up the nine numbers of the rotation matrix R, dR/dt = [omega]x R with omega = R J R^T L.

The sum is no longer a rotation: R = Q S with the nearest rotation Q (its polar factor) and a symmetric stretch S,
which is the identity at the start. The state is the quaternion of Q, L in space, and S as xx, yy, zz, xy, xz, yz:
thirteen floats, of which those of Q and S stand for the nine numbers of R. L is kept, bit for bit. The schemes that
restore a rotation after each step have no S: their state is the seven floats of the momentum schemes. All schemes work
in the frame of Q at the beginning of the step, where R is S. c = J.
"""

from math import nan, sqrt

from viewer.physics.kernels.quaternion import (
    Constants,
    Four,
    Nine,
    Seven,
    Six,
    Thirteen,
    Three,
    from_matrix,
    product,
    solved,
    to_body,
)

UNSTRETCHED: Six = (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
ONE: Nine = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
POLAR_ITERATIONS = 40  # of Newton's method for the polar factor; 3 to 6 if a step turns by less than a rad
ITERATIONS = 50  # of Newton's method for the backward step; 3 to 5 if a step turns by less than a rad


def stretched_rates(lx: float, ly: float, lz: float, c: Constants, s: Six) -> Three:
    """Return omega = S J S L in the frame of Q, where L is given, too."""
    ux = c[0] * (s[0] * lx + s[3] * ly + s[4] * lz)
    uy = c[1] * (s[3] * lx + s[1] * ly + s[5] * lz)
    uz = c[2] * (s[4] * lx + s[5] * ly + s[2] * lz)
    return s[0] * ux + s[3] * uy + s[4] * uz, s[3] * ux + s[1] * uy + s[5] * uz, s[4] * ux + s[5] * uy + s[2] * uz


def slope(m: Nine, lx: float, ly: float, lz: float, c: Constants) -> Nine:
    """Return dR/dt = [omega]x R at R = m, row by row."""
    ux = c[0] * (m[0] * lx + m[3] * ly + m[6] * lz)
    uy = c[1] * (m[1] * lx + m[4] * ly + m[7] * lz)
    uz = c[2] * (m[2] * lx + m[5] * ly + m[8] * lz)
    ox = m[0] * ux + m[1] * uy + m[2] * uz
    oy = m[3] * ux + m[4] * uy + m[5] * uz
    oz = m[6] * ux + m[7] * uy + m[8] * uz
    return (
        oy * m[6] - oz * m[3], oy * m[7] - oz * m[4], oy * m[8] - oz * m[5],
        oz * m[0] - ox * m[6], oz * m[1] - ox * m[7], oz * m[2] - ox * m[8],
        ox * m[3] - oy * m[0], ox * m[4] - oy * m[1], ox * m[5] - oy * m[2],
    )  # fmt: skip


def plus(m: Nine, k: float, d: Nine) -> Nine:
    """Return m + k d."""
    return (
        m[0] + k * d[0], m[1] + k * d[1], m[2] + k * d[2], m[3] + k * d[3], m[4] + k * d[4], m[5] + k * d[5],
        m[6] + k * d[6], m[7] + k * d[7], m[8] + k * d[8],
    )  # fmt: skip


def full(s: Six) -> Nine:
    """Return the symmetric matrix with these six numbers: xx, yy, zz, xy, xz, yz."""
    return s[0], s[3], s[4], s[3], s[1], s[5], s[4], s[5], s[2]


def euler_step(m: Nine, lx: float, ly: float, lz: float, h: float, c: Constants) -> Nine:
    """Return R + h [omega]x R."""
    return plus(m, h, slope(m, lx, ly, lz, c))


def rk4_step(m: Nine, lx: float, ly: float, lz: float, h: float, c: Constants) -> Nine:
    """Return R after the classical Runge-Kutta step."""
    k1 = slope(m, lx, ly, lz, c)
    k2 = slope(plus(m, 0.5 * h, k1), lx, ly, lz, c)
    k3 = slope(plus(m, 0.5 * h, k2), lx, ly, lz, c)
    k4 = slope(plus(m, h, k3), lx, ly, lz, c)
    return plus(plus(plus(plus(m, h / 6.0, k1), h / 3.0, k2), h / 3.0, k3), h / 6.0, k4)


def undone(ox: float, oy: float, oz: float, h: float, x: float, y: float, z: float) -> Three:
    """Return (1 - h [omega]x)^-1 v, which is (v + h omega x v + h^2 omega omega.v)/(1 + h^2 omega^2)."""
    g = 1.0 / (1.0 + h * h * (ox * ox + oy * oy + oz * oz))
    k = h * h * (ox * x + oy * y + oz * z)
    return (
        g * (x + h * (oy * z - oz * y) + k * ox),
        g * (y + h * (oz * x - ox * z) + k * oy),
        g * (z + h * (ox * y - oy * x) + k * oz),
    )


def backward_step(m: Nine, lx: float, ly: float, lz: float, h: float, c: Constants) -> Nine:
    """Return R[next] = R + h [omega[next]]x R[next] by Newton's method on omega[next]; nan if it does not converge.

    R[next] = A R, A = (1 - h [omega[next]]x)^-1, omega[next] = A K A^T L with K = R J R^T, and dA = A h [domega]x A.
    """
    p, q, r = c[0], c[1], c[2]
    kxx = p * m[0] * m[0] + q * m[1] * m[1] + r * m[2] * m[2]
    kyy = p * m[3] * m[3] + q * m[4] * m[4] + r * m[5] * m[5]
    kzz = p * m[6] * m[6] + q * m[7] * m[7] + r * m[8] * m[8]
    kxy = p * m[0] * m[3] + q * m[1] * m[4] + r * m[2] * m[5]
    kxz = p * m[0] * m[6] + q * m[1] * m[7] + r * m[2] * m[8]
    kyz = p * m[3] * m[6] + q * m[4] * m[7] + r * m[5] * m[8]
    ox, oy, oz = kxx * lx + kxy * ly + kxz * lz, kxy * lx + kyy * ly + kyz * lz, kxz * lx + kyz * ly + kzz * lz
    close = 16.0 * 2.2e-16**2 * (ox * ox + oy * oy + oz * oz)
    last = nan
    for _ in range(ITERATIONS):
        # A and B = A K, row by row
        a, b, d = h * ox, h * oy, h * oz
        g = 1.0 / (1.0 + a * a + b * b + d * d)
        axx, axy, axz = g * (1.0 + a * a), g * (a * b - d), g * (a * d + b)
        ayx, ayy, ayz = g * (a * b + d), g * (1.0 + b * b), g * (b * d - a)
        azx, azy, azz = g * (a * d - b), g * (b * d + a), g * (1.0 + d * d)
        bxx, bxy = axx * kxx + axy * kxy + axz * kxz, axx * kxy + axy * kyy + axz * kyz
        byx, byy = ayx * kxx + ayy * kxy + ayz * kxz, ayx * kxy + ayy * kyy + ayz * kyz
        bzx, bzy = azx * kxx + azy * kxy + azz * kxz, azx * kxy + azy * kyy + azz * kyz
        bxz, byz = axx * kxz + axy * kyz + axz * kzz, ayx * kxz + ayy * kyz + ayz * kzz
        bzz = azx * kxz + azy * kyz + azz * kzz
        # u = A^T L, v = B u, N = B A^T
        ux = axx * lx + ayx * ly + azx * lz
        uy = axy * lx + ayy * ly + azy * lz
        uz = axz * lx + ayz * ly + azz * lz
        vx, vy, vz = bxx * ux + bxy * uy + bxz * uz, byx * ux + byy * uy + byz * uz, bzx * ux + bzy * uy + bzz * uz
        nxx, nyy = bxx * axx + bxy * axy + bxz * axz, byx * ayx + byy * ayy + byz * ayz
        nzz, nxy = bzx * azx + bzy * azy + bzz * azz, bxx * ayx + bxy * ayy + bxz * ayz
        nxz, nyz = bxx * azx + bxy * azy + bxz * azz, byx * azx + byy * azy + byz * azz
        # the Jacobian 1 + h A [v]x - h N [u]x of omega - v
        ex, ey, ez = ox - vx, oy - vy, oz - vz
        dx, dy, dz = solved(
            1.0 + h * (axy * vz - axz * vy - nxy * uz + nxz * uy),
            h * (axz * vx - axx * vz - nxz * ux + nxx * uz),
            h * (axx * vy - axy * vx - nxx * uy + nxy * ux),
            h * (ayy * vz - ayz * vy - nyy * uz + nyz * uy),
            1.0 + h * (ayz * vx - ayx * vz - nyz * ux + nxy * uz),
            h * (ayx * vy - ayy * vx - nxy * uy + nyy * ux),
            h * (azy * vz - azz * vy - nyz * uz + nzz * uy),
            h * (azz * vx - azx * vz - nzz * ux + nxz * uz),
            1.0 + h * (azx * vy - azy * vx - nxz * uy + nyz * ux),
            ex, ey, ez,
        )  # fmt: skip
        ox, oy, oz = ox - dx, oy - dy, oz - dz
        moved = dx * dx + dy * dy + dz * dz
        if moved <= close or (moved >= last and moved <= 1e8 * close):  # it no longer falls, at round-off
            xx, yx, zx = undone(ox, oy, oz, h, m[0], m[3], m[6])
            xy, yy, zy = undone(ox, oy, oz, h, m[1], m[4], m[7])
            xz, yz, zz = undone(ox, oy, oz, h, m[2], m[5], m[8])
            return xx, xy, xz, yx, yy, yz, zx, zy, zz
        last = moved
    return nan, nan, nan, nan, nan, nan, nan, nan, nan


def polar(m: Nine) -> tuple[Four, Six]:
    """Return the quaternion of U and the six numbers of S in m = U S, where U is the rotation nearest to m.

    They are found by scaled Newton steps (Higham 1986). If det m <= 0 there is no such rotation, and the quaternion is
    nan.
    """
    a, b, c, d, e, f, g, h, i = m
    for _ in range(POLAR_ITERATIONS):
        p, q, r = e * i - f * h, f * g - d * i, d * h - e * g  # cofactors
        s, t, u = c * h - b * i, a * i - c * g, b * g - a * h
        x, y, z = b * f - c * e, c * d - a * f, a * e - b * d
        det = a * p + b * q + c * r
        if not det > 0.0:
            return (nan, nan, nan, nan), UNSTRETCHED
        own = a * a + b * b + c * c + d * d + e * e + f * f + g * g + h * h + i * i
        other = p * p + q * q + r * r + s * s + t * t + u * u + x * x + y * y + z * z
        k = sqrt(sqrt(other / own) / det)
        j, k = 0.5 / (det * k), 0.5 * k
        p, q, r = k * a + j * p, k * b + j * q, k * c + j * r
        s, t, u = k * d + j * s, k * e + j * t, k * f + j * u
        x, y, z = k * g + j * x, k * h + j * y, k * i + j * z
        moved = (
            (p - a) ** 2 + (q - b) ** 2 + (r - c) ** 2 + (s - d) ** 2 + (t - e) ** 2 + (u - f) ** 2
            + (x - g) ** 2 + (y - h) ** 2 + (z - i) ** 2
        )  # fmt: skip
        a, b, c, d, e, f, g, h, i = p, q, r, s, t, u, x, y, z
        if moved <= 1e-18:  # the next iteration would move it by the square of that
            stretch = (
                a * m[0] + d * m[3] + g * m[6],
                b * m[1] + e * m[4] + h * m[7],
                c * m[2] + f * m[5] + i * m[8],
                0.5 * (a * m[1] + d * m[4] + g * m[7] + b * m[0] + e * m[3] + h * m[6]),
                0.5 * (a * m[2] + d * m[5] + g * m[8] + c * m[0] + f * m[3] + i * m[6]),
                0.5 * (b * m[2] + e * m[5] + h * m[8] + c * m[1] + f * m[4] + i * m[7]),
            )
            return from_matrix(a, b, c, d, e, f, g, h, i), stretch
    return (nan, nan, nan, nan), UNSTRETCHED


def _kept(w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, m: Nine) -> Thirteen:
    """Return the state whose matrix R is Q m; w, x, y, z is the quaternion of Q."""
    (uw, ux, uy, uz), s = polar(m)
    w, x, y, z = product(w, x, y, z, uw, ux, uy, uz)
    return w, x, y, z, lx, ly, lz, s[0], s[1], s[2], s[3], s[4], s[5]


def _put_back(w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, m: Nine) -> Seven:
    """Return the state whose rotation is the nearest to Q m; w, x, y, z is the quaternion of Q."""
    (uw, ux, uy, uz), _ = polar(m)
    w, x, y, z = product(w, x, y, z, uw, ux, uy, uz)
    return w, x, y, z, lx, ly, lz


def euler(
    w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float,
    sxx: float, syy: float, szz: float, sxy: float, sxz: float, syz: float, h: float, c: Constants,
) -> Thirteen:  # fmt: skip
    """Step R to R + h [omega]x R, without re-orthogonalising R."""
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
    return _kept(w, x, y, z, lx, ly, lz, euler_step(full((sxx, syy, szz, sxy, sxz, syz)), bx, by, bz, h, c))


def rk4(
    w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float,
    sxx: float, syy: float, szz: float, sxy: float, sxz: float, syz: float, h: float, c: Constants,
) -> Thirteen:  # fmt: skip
    """Step R by the classical Runge-Kutta method, without restoring a rotation."""
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
    return _kept(w, x, y, z, lx, ly, lz, rk4_step(full((sxx, syy, szz, sxy, sxz, syz)), bx, by, bz, h, c))


def backward_euler(
    w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float,
    sxx: float, syy: float, szz: float, sxy: float, sxz: float, syz: float, h: float, c: Constants,
) -> Thirteen:  # fmt: skip
    """Step R to R[next] = R + h [omega[next]]x R[next], without restoring a rotation."""
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
    return _kept(w, x, y, z, lx, ly, lz, backward_step(full((sxx, syy, szz, sxy, sxz, syz)), bx, by, bz, h, c))


def euler_orthonormal(
    w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, h: float, c: Constants
) -> Seven:
    """Step as `euler`, then take the nearest rotation: a turn about omega by atan(h |omega|)."""
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
    return _put_back(w, x, y, z, lx, ly, lz, euler_step(ONE, bx, by, bz, h, c))


def rk4_orthonormal(
    w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, h: float, c: Constants
) -> Seven:
    """Step as `rk4`, then take the nearest rotation."""
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
    return _put_back(w, x, y, z, lx, ly, lz, rk4_step(ONE, bx, by, bz, h, c))


def backward_euler_orthonormal(
    w: float, x: float, y: float, z: float, lx: float, ly: float, lz: float, h: float, c: Constants
) -> Seven:
    """Step as `backward_euler`, then take the nearest rotation: a turn about omega[next] by atan(h |omega[next]|)."""
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
    return _put_back(w, x, y, z, lx, ly, lz, backward_step(ONE, bx, by, bz, h, c))
