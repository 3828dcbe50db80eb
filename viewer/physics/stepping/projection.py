"""Projection of L_b to its curve, in which the sphere |L_b| = |L| and the ellipsoid L_b.J L_b = 2E intersect.

The body turns, and L in space keeps its direction. There are two methods: a step along the gradient of the energy, from
the paper on stabilisation through invariants (ialms.net/sim, Fig. 4), and the closest point on the curve. Both work on
plain floats, like the kernels.
"""

from dataclasses import astuple
from math import copysign, isfinite, sqrt

from viewer.common.errors import refusal
from viewer.common.frozen import frozen
from viewer.physics.kernels.quaternion import Constants, Four, Seven, Three, exp, product, to_body, turned

STABILISATIONS = {"off": "Off", "gradient": "Paper's gradient", "closest-point": "Closest point"}

STILL = 1e-140  # |L|^2, in the units of the kernels, below which nothing is corrected: its square would lose digits
ALIKE = 4e-16  # relative; moments or energies closer than this count as equal


@frozen
class GradientSettings:
    """The constants of the gradient method.

    A step takes back the fraction i_c of the error, which starts at i_0. If the energy errs by more than k_e times its
    target, i_c is multiplied by k2, up to 1; if not, by k1, down to i_0. In a step the method turns the body by at most
    largest_turn [rad]. Raises ValueError if a value makes no sense.
    """

    i_0: float = 1e-4
    k1: float = 0.9
    k2: float = 1.1
    k_e: float = 1e-9
    largest_turn: float = 1.0

    def __post_init__(self) -> None:
        for name, value in vars(self).copy().items():
            low, high = {"k2": (1.0, 1e9), "largest_turn": (0.0, 3.0)}.get(name, (0.0, 1.0))
            value = float(value)
            if not (isfinite(value) and low <= value <= high):
                raise refusal(
                    "gradient.{name}: {value:g} is outside {low:g} to {high:g}",
                    name=name,
                    value=value,
                    low=low,
                    high=high,
                )
            object.__setattr__(self, name, value)

    @property
    def constants(self) -> Constants:
        """The constants for `project_along_gradient`."""
        return astuple(self)


def paper_step(
    seven: Seven, energy: float, fraction: float, J: Three, h: float, settings: Constants
) -> tuple[Seven, float]:
    """Return (state, next fraction i_c) after a step of the loop in Fig. 4 of the paper. The state has L in space.

    The loop is the first-order method, but omega_b is corrected by phi/h before it turns the body; phi is that of
    `correction`.
    """
    w, x, y, z, lx, ly, lz = seven
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
    px, py, pz, fraction = correction(bx, by, bz, energy, fraction, J, settings)
    ew, ex, ey, ez = exp(h * J[0] * bx + px, h * J[1] * by + py, h * J[2] * bz + pz)
    w, x, y, z = product(w, x, y, z, ew, ex, ey, ez)
    return (w, x, y, z, lx, ly, lz), fraction


def sized(x: float, y: float, z: float, size: float) -> Three:
    """Return the vector scaled to this length; a zero vector remains zero."""
    norm = sqrt(x * x + y * y + z * z)
    k = size / norm if norm > 0.0 else 1.0
    return k * x, k * y, k * z


def project_along_gradient(
    seven: Seven, energy: float, size: float, fraction: float, J: Three, in_space: bool, settings: Constants
) -> tuple[Seven, float]:
    """Return (state, next fraction i_c), the body turned by the phi of `correction`.

    If the state has L in space (`in_space`), as in the paper, L does not change; otherwise it gets the length `size`.
    """
    w, x, y, z, lx, ly, lz = seven
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz) if in_space else sized(lx, ly, lz, size)
    px, py, pz, fraction = correction(bx, by, bz, energy, fraction, J, settings)
    ew, ex, ey, ez = exp(px, py, pz)
    w, x, y, z = product(w, x, y, z, ew, ex, ey, ez)
    if not in_space:
        lx, ly, lz = turned(-px, -py, -pz, bx, by, bz)
    return (w, x, y, z, lx, ly, lz), fraction


def correction(bx: float, by: float, bz: float, energy: float, fraction: float, J: Three, settings: Constants) -> Four:
    """Return (phi, next fraction i_c), phi being the rotation vector [rad] by which the body is to turn.

    phi = -i_c dE (omega x L)/|omega x L|^2, dE = E - `energy`.

    phi is 0 if omega x L = 0: an exact spin about an axis is never left. Near such a spin, where Newton's step would
    overshoot without bound, |phi| is limited to sqrt(2 |dE|/((J_max - J_min) |L|^2)), a bound that is ours: with it the
    error can at most double.
    """
    i_0, k1, k2, k_e, largest = settings
    jx, jy, jz = J
    excess = 0.5 * (jx * bx * bx + jy * by * by + jz * bz * bz) - energy
    error = abs(excess)
    fraction = min(1.0, fraction * k2) if error > k_e * energy else max(i_0, fraction * k1)
    gx, gy, gz = (jy - jz) * by * bz, (jz - jx) * bz * bx, (jx - jy) * bx * by
    square = gx * gx + gy * gy + gz * gz
    if square < STILL * STILL:
        return 0.0, 0.0, 0.0, fraction
    size = sqrt(square)
    reach = sqrt(2.0 * error / ((max(J) - min(J)) * (bx * bx + by * by + bz * bz)))
    k = copysign(min(fraction * error / size, reach, largest), -excess) / size
    return k * gx, k * gy, k * gz, fraction


def project_to_closest(seven: Seven, energy: float, size: float, J: Three, in_space: bool) -> Seven:
    """Return the body turned so that L_b is the closest point of the curve of this energy.

    If the state has L in space (`in_space`), L does not change; otherwise it keeps its direction in space and gets the
    length `size`.
    """
    w, x, y, z, lx, ly, lz = seven
    if in_space:
        bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
        cx, cy, cz = closest_point(bx, by, bz, J[0], J[1], J[2], energy)
    else:
        bx, by, bz = sized(lx, ly, lz, size)
        lx, ly, lz = cx, cy, cz = closest_point(bx, by, bz, J[0], J[1], J[2], energy)
    if bx * bx + by * by + bz * bz > STILL:
        aw, ax, ay, az = arc(cx, cy, cz, bx, by, bz)
        w, x, y, z = product(w, x, y, z, aw, ax, ay, az)
    return w, x, y, z, lx, ly, lz


def closest_point(bx: float, by: float, bz: float, jx: float, jy: float, jz: float, energy: float) -> Three:
    """Return the point nearest to L_b = b among those with the same |L_b| and with L_b.J L_b = 2 energy.

    With y = b/|b|, its direction is x_i = y_i / (1 + mu a_i), where a_i = J_i - 2 energy/|L|^2, and mu is the root of f
    = sum a_i x_i^2 between the poles. If this |L| cannot have the energy, the point is the nearest spin about the axis
    of the least or largest moment.
    """
    norm = sqrt(bx * bx + by * by + bz * bz)
    if norm * norm < STILL or jx == jy == jz:
        return bx, by, bz
    y = (bx / norm, by / norm, bz / norm)
    j = (jx, jy, jz)
    ratio = 2.0 * energy / (norm * norm)
    a = (jx - ratio, jy - ratio, jz - ratio)
    high, low = max(a), min(a)
    if high <= ALIKE * max(j):
        return _in_eigenspace(y, j, max(j), norm)
    if low >= -ALIKE * max(j):
        return _in_eigenspace(y, j, min(j), norm)
    f = a[0] * y[0] * y[0] + a[1] * y[1] * y[1] + a[2] * y[2] * y[2]
    if abs(f) <= ALIKE * max(j):  # on the curve; near an axis round-off of E would move it by its root
        return bx, by, bz
    pole = low if f > 0.0 else high
    on_pole, rest = 0.0, 0.0  # y_p^2, and f at the pole without y_p
    for k in range(3):
        if a[k] == pole:
            on_pole += y[k] * y[k]
        else:
            x_k = y[k] / ((pole - a[k]) / pole)
            rest += a[k] * x_k * x_k
    if on_pole == 0.0 and rest * f >= 0.0:
        x = _at_pole(y, a, pole, rest)
    else:
        d = _root(y, a, pole, f, on_pole, rest)
        x = (_moved(y[0], a[0], pole, d), _moved(y[1], a[1], pole, d), _moved(y[2], a[2], pole, d))
    scale = norm / sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])
    return x[0] * scale, x[1] * scale, x[2] * scale


def _moved(y: float, a: float, pole: float, d: float) -> float:
    """Return y / (1 + mu a) at mu = d - 1/pole, without cancellation."""
    return y / ((pole - a) / pole + d * a)


def _in_eigenspace(y: Three, j: Three, moment: float, norm: float) -> Three:
    """Return the nearest spin about an axis whose J is `moment`; the positive sense if L has no component along it."""
    x = [y[k] if j[k] == moment else 0.0 for k in range(3)]
    size = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])
    if size == 0.0:
        x[j.index(moment)] = size = 1.0
    return x[0] * norm / size, x[1] * norm / size, x[2] * norm / size


def _at_pole(y: Three, a: Three, pole: float, rest: float) -> Three:
    """Return the x of `closest_point` if f has no root, because y is 0 along the axis of the pole.

    mu is then at the pole, and the component of x along that axis follows from f = 0; the positive one is taken.
    """
    x = [0.0 if a[k] == pole else y[k] / ((pole - a[k]) / pole) for k in range(3)]
    x[a.index(pole)] = sqrt(-rest / pole)
    return x[0], x[1], x[2]


def _root(y: Three, a: Three, pole: float, f: float, on_pole: float, rest: float) -> float:
    """Return the root of the f of `closest_point` as d = mu + 1/pole.

    Newton's method is applied to P^-1/2 - N^-1/2 and kept in its bracket. P and N are the sums of the positive terms
    and of the negated negative terms of f, which falls with mu.
    """
    start = 1.0 / pole  # mu = 0
    near, far = 0.0, start
    d = start
    if rest * f > 0.0:
        d = copysign(min(abs(start), sqrt(on_pole / abs(pole * rest))), start)
    for _ in range(60):
        P, N, dP, dN = 0.0, 0.0, 0.0, 0.0
        for k in range(3):
            factor = 1.0 / ((pole - a[k]) / pole + d * a[k])
            term = a[k] * (y[k] * factor) * (y[k] * factor)
            slope = -2.0 * a[k] * factor * term
            if term > 0.0:
                P, dP = P + term, dP + slope
            else:
                N, dN = N - term, dN - slope
        if P == N:
            return d
        if P > 0.0 and N > 0.0:
            p, n = 1.0 / sqrt(P), 1.0 / sqrt(N)
            step = -(p - n) / (0.5 * (n / N * dN - p / P * dP))
            if abs(step) <= 4.0 * 2.2e-16 * abs(d):
                return d + step
        else:
            step = 0.0
        if (P > N) == (f > 0.0):  # the root is on the far side from mu = 0
            far = d
        else:
            near = d
        d_next = d + step
        if step == 0.0 or not min(near, far) < d_next < max(near, far):
            d_next = 0.5 * (near + far)
        d = d_next
    return d


def arc(ux: float, uy: float, uz: float, vx: float, vy: float, vz: float) -> Four:
    """Return the shortest turn that takes direction u to v, both of the same length; not normalised."""
    return (
        ux * ux + uy * uy + uz * uz + ux * vx + uy * vy + uz * vz,
        uy * vz - uz * vy,
        uz * vx - ux * vz,
        ux * vy - uy * vx,
    )
