"""The inertia tensor, up to its scale, of a body whose free motion was recorded, by fits that are linear in it.

If orientations were recorded, L has to be constant in space. With rates alone, Euler's equations have to hold:
integrated in the body, they say that I omega + the integral of omega x I omega dt stays constant in a free flight, so
that the start need not be known. A tensor is written here as (Ixx, Iyy, Izz, Ixy, Ixz, Iyz).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import cumulative_trapezoid
from scipy.interpolate import CubicSpline

from viewer.physics.rotation import Array, rotation_matrix
from viewer.replay.fits.rigid_fit import alike_rows
from viewer.replay.kinematics import SPLINE_REACH, blocks

MOST_SAMPLES = 2000
FIRST_TURN = 4.0 * np.pi  # rad: the fit begins with this much of the motion, in which an engine has erred little
FLAT = 5.0, 1e-6  # misfits, plus a constant, by which a flat body may break the triangle inequality; 1.8 measured
OPEN = 0.1  # sigma of a moment from which on it is not determined
FEWEST = 6  # rows
PAIRS = (0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)
SOLID = 1.1  # times the two smaller moments, which noise may make the largest one of a plate
BALL = 0.03  # relative difference of the largest and the smallest moment, up to which a body is nearly a ball
RIDGE = 1e-6  # of the size: a tensor that does not see the change explains nothing
LOSSES = 0.0, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5  # of log |L| during a motion, by drag, that are tried
ROUND_OFF = 1e-15  # least noise of the residuals, relative to |L|


@dataclass(frozen=True, eq=False)
class Fit:
    """A fit that is linear in the inertia tensor.

    `inertia` (3, 3) is in the recording's body axes; its largest principal moment is 1. `misfit` is the rms of the
    residuals, relative to |L|, or inf if no solid fits. `others` (n,) are the other unknowns in the same unit, and
    `covariance` (6 + n, 6 + n) is that of Ixx, Iyy, Izz, Ixy, Ixz, Iyz and the others.
    """

    inertia: Array
    misfit: float
    covariance: Array
    others: Array = field(default_factory=lambda: np.zeros(0))

    @property
    def determined(self) -> bool:
        """Whether the motion determines every moment (a spin about one axis does not)."""
        return bool(np.isfinite(self.misfit) and self.sigma.max() < OPEN)

    @property
    def sigma(self) -> Array:
        """The standard deviations (3,) of the moments relative to the largest, in the order of `principal`."""
        moments, axes = self.principal()
        slopes = _tensor_slopes(axes)
        largest = int(np.argmax(moments))
        by_tensor = slopes - moments[:, None] * slopes[largest]
        variance = np.einsum("ni,ij,nj->n", by_tensor, self.covariance[:6, :6], by_tensor)
        return np.asarray(np.sqrt(np.maximum(variance, 0.0)))

    def principal(self) -> tuple[Array, Array]:
        """Return the principal moments (3,) and axes (3, 3), whose columns are in the recording's body axes.

        The axes are right-handed; each has the name and direction of the nearest body axis. If the largest moment
        exceeds the sum of the other two by no more than the misfit explains, the other two are enlarged to those of a
        flat body.
        """
        moments, axes = np.linalg.eigh(self.inertia)
        axes, order, _ = principal_axes(axes)
        moments = moments[order]
        largest = float(moments.max())
        others = float(moments.sum()) - largest
        if max(largest * (1.0 - FLAT[0] * self.misfit - FLAT[1]), 0.0) < others < largest:
            moments = np.where(moments == largest, largest, moments * (largest / others))
        return moments, axes


def fit_inertia(time: Array, orientation_wxyz: Array, omega_body: Array, fewest: int = 0) -> Fit:
    """Return the tensor from the beginning of a motion, of which no more is used than is needed for all moments.

    At least `fewest` rows are used. The result is the best of three least-squares fits. In one, L is constant in space,
    as a good engine keeps it. In the others, Euler's equation holds with the rates at the beginning of each step, or at
    its end, as in explicit and implicit engines.
    """
    turned = np.concatenate(([0.0], np.cumsum(np.linalg.norm(omega_body[1:], axis=1) * np.diff(time))))
    reach = FIRST_TURN
    while True:
        some = slice(0, min(max(int(np.searchsorted(turned, reach)) + 1, fewest), len(time), MOST_SAMPLES))
        R, omega = rotation_matrix(orientation_wxyz[some]), omega_body[some]
        fits = [steady_L(R, omega / _size(omega))]
        fits += [_euler(time[some], omega, implicit) for implicit in (False, True)]
        best = min(fits, key=lambda fit: (not fit.determined, fit.misfit))
        if best.determined or some.stop >= min(len(time), MOST_SAMPLES):
            return best
        reach *= 2.0


def steady_L(R: Array, omega: Array, *others: Array) -> Fit:
    """Return the fit of R I omega - L = 0 to all samples, for the six components of I and the three of L.

    R (N, 3, 3) turns from the body to space; the size of omega (N, 3) should be about 1. Before L come the unknowns by
    which other columns (N, 3, n) are multiplied.
    """
    minus_L = np.broadcast_to(-np.eye(3), R.shape)
    return fitted(np.concatenate((R @ tensor_times(omega), *others, minus_L), axis=2), omega)


def _euler(time: Array, omega_body: Array, implicit: bool) -> Fit:
    """Return the fit of I d(omega)/dt + omega x I omega = 0 to all steps.

    omega is that at the end of the step if `implicit`, else that at its beginning.
    """
    omega = omega_body / _size(omega_body)
    angle = np.diff(time)[:, None] * _size(omega_body)
    rate = np.diff(omega, axis=0) / angle
    at = omega[1:] if implicit else omega[:-1]
    return fitted(tensor_times(rate) + np.cross(at[:, :, None], tensor_times(at), axis=1), at)


def _size(omega: Array) -> float:
    return max(float(np.abs(omega).max()), 1e-300)


def _tensor_slopes(axes: Array) -> Array:
    """Return the derivatives (3, 6) of the principal moments with respect to (Ixx, Iyy, Izz, Ixy, Ixz, Iyz)."""
    x, y, z = axes
    return np.stack((x * x, y * y, z * z, 2.0 * x * y, 2.0 * x * z, 2.0 * y * z), axis=1)


def fitted(rows: Array, omega: Array) -> Fit:
    """Return the tensor whose product with `rows` (N, 3, 6 or more) is nearest to zero.

    Columns after the first six belong to other unknowns. `omega` (N, 3) gives the size of L; the covariance follows
    from the residuals.
    """
    flat = rows.reshape(-1, rows.shape[2])
    _, singular, right = np.linalg.svd(flat, full_matrices=False)
    found = right[-1] * np.sign(right[-1, :3].sum())
    inertia = as_matrix(found[:6])
    moments = np.linalg.eigvalsh(inertia)
    if not moments[0] > 0.0:
        return Fit(np.eye(3), np.inf, np.eye(rows.shape[2]), found[6:])
    size = float(np.sqrt(np.mean(np.sum((omega @ inertia) ** 2, axis=1))))
    misfit = float(singular[-1] / np.sqrt(len(rows)) / max(size, 1e-300))
    noise = max(float(singular[-1]) / np.sqrt(max(len(flat) - rows.shape[2], 1)), ROUND_OFF * size)
    spread = right[:-1] * (noise / np.maximum(singular[:-1], 1e-300) / moments[-1])[:, None]
    covariance = spread.T @ spread * alike_rows([(flat @ found).reshape(-1, 3)])
    return Fit(inertia / moments[-1], misfit, covariance, found[6:] / moments[-1])


def tensor_times(v: Array) -> Array:
    """Return the matrices (..., 3, 6) that, times the six components of I, give I v for vectors v (..., 3)."""
    x, y, z = np.moveaxis(v, -1, 0)
    o = np.zeros_like(x)
    rows = ((x, o, o, y, z, o), (o, y, o, x, o, z), (o, o, z, o, x, y))
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def euler_misfit(time: Array, rates: Array) -> float:
    """Return what Euler's equation leaves open of how rates (N, 3) change, for the best solid: from 0 to 1.

    As it is relative to the change of I omega, it does not become small where the body hardly turns. Where the rates
    are too fast, nearly a ball explains anything, so that a ball counts as no solid here.
    """
    changed = tensor_times(rates)
    left = changed + conserved_at(np.zeros_like(rates), integrals(time, rates))
    changed, left = ((part - part.mean(axis=0)).reshape(-1, 6) for part in (changed, left))
    ridge = RIDGE * max(float(np.linalg.norm(changed)), 1e-300) * np.eye(6)
    size = np.linalg.qr(np.concatenate((changed, ridge)), "r")  # not the squares, which have half the digits
    _, shares, tensors = np.linalg.svd(np.linalg.qr(left, "r") @ np.linalg.inv(size))
    inertia = as_matrix(np.linalg.solve(size, tensors[-1]))
    moments = np.linalg.eigvalsh(inertia * np.sign(np.trace(inertia)))
    is_solid = moments[0] > 0.0 and moments[2] < SOLID * (moments[0] + moments[1])
    is_solid = is_solid and moments[0] < (1.0 - BALL) * moments[2]
    return min(float(shares[-1]), 1.0) if is_solid else 1.0


def integrals(time: Array, rates: Array, smooth: bool = True) -> Array:
    """Return the integrals (N, 6), from the first row to each, of the products PAIRS of rates (N, 3).

    If `smooth`, a spline is integrated, else trapezoids, which are quicker and are not disturbed by a jump elsewhere.
    Long recordings are processed in blocks to save memory.
    """
    found = np.zeros((len(time), 6))
    for block, wide in blocks(len(time), SPLINE_REACH if smooth else 0):
        h = np.diff(time[wide])[:, None]
        products = np.stack([rates[wide, i] * rates[wide, j] for i, j in PAIRS], axis=1)
        part = 0.5 * h * (products[1:] + products[:-1])
        if smooth:
            slope = CubicSpline(time[wide], products).derivative()(time[wide])
            part += h * h / 12.0 * (slope[:-1] - slope[1:])
        first = max(block.start, 1)
        found[first : block.stop] = part[first - 1 - wide.start : block.stop - 1 - wide.start]
    return np.cumsum(found, axis=0, out=found)


def conserved_at(rates: Array, integral: Array) -> Array:
    """Return the matrices (..., 3, 6) that give what a free motion conserves when multiplied by the tensor.

    It conserves I omega + the integral of omega x I omega dt from the first row. The rows have rates (..., 3) and
    `integrals` (..., 6).
    """
    xx, yy, zz, xy, xz, yz = np.moveaxis(integral, -1, 0)
    o = np.zeros_like(xx)
    turned = ((o, -yz, yz, -xz, xy, yy - zz), (xz, o, -xz, yz, zz - xx, -xy), (-xy, xy, o, xx - yy, -yz, xz))
    # rows: omega x I omega in x, y, z, integrated
    return np.asarray(tensor_times(rates) + np.moveaxis(np.array(turned), (0, 1), (-2, -1)))


def as_matrix(tensor: Array) -> Array:
    """Return the symmetric matrices (..., 3, 3) of tensors (..., 6)."""
    return np.asarray(tensor[..., [0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(*tensor.shape[:-1], 3, 3))


def estimated_inertia(flights: Sequence[tuple[Array, Array]]) -> tuple[Array, Array, float] | None:
    """Return second moments (3,) of sum 1, principal axes as columns (3, 3) and drag k [1/s] from (time, rates).

    The drag is the one of a few by which the flights are explained best. Returns None if no solid explains them.
    """
    kept: list[Array] = []
    slowed: list[Array] = []
    best, seconds = (np.inf, np.eye(3), 0.0), 0.0
    flights = [(time, rates) for time, rates in flights if len(time) >= FEWEST]
    for time, rates in flights:
        speed = np.linalg.norm(rates, axis=1)
        seconds = max(seconds, float(np.trapezoid(speed, time) / max(float(speed.max()), 1e-300)))  # without rest
        turned = cumulative_trapezoid(rates, time, axis=0, initial=0.0)
        for found, part in ((kept, conserved_at(rates, integrals(time, rates))), (slowed, tensor_times(turned))):
            found.append((part - part.mean(axis=0)).reshape(-1, 6))
    for loss in LOSSES if flights else ():
        drag = loss / max(seconds, 1e-300)
        _, left, right = np.linalg.svd(np.concatenate(kept) + drag * np.concatenate(slowed), full_matrices=False)
        inertia = as_matrix(right[-1])
        inertia = inertia * np.sign(np.trace(inertia))
        size = float(np.linalg.norm(np.concatenate([rates for _, rates in flights]) @ inertia))
        if np.linalg.eigvalsh(inertia)[0] > 0.0 and left[-1] / size < best[0]:
            best = float(left[-1]) / size, inertia, drag
    if best[0] == np.inf:
        return None
    moments, axes = np.linalg.eigh(best[1])
    axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
    spread = np.maximum(1.0 - 2.0 * moments / moments.sum(), 0.0)
    return spread / spread.sum(), axes, best[2]


def principal_axes(columns: Array) -> tuple[Array, NDArray[np.intp], Array]:
    """Return principal axes (3, 3), as right-handed columns, each named after the nearest axis of the sensor.

    They are the `columns` of a rotation, in the order (3,) and with the signs (3,) that are also returned: axes[:, i] =
    signs[i] * columns[:, order[i]].
    """
    nearness = np.abs(columns)
    order = np.zeros(3, dtype=np.intp)
    for _ in range(3):
        row, column = np.unravel_index(int(np.argmax(nearness)), (3, 3))
        order[int(row)] = column
        nearness[row, :], nearness[:, column] = -1.0, -1.0
    axes = columns[:, order]
    signs = np.where(np.diag(axes) < 0.0, -1.0, 1.0)
    axes = axes * signs
    if np.linalg.det(axes) < 0.0:
        least = int(np.argmin(np.diag(axes)))
        axes[:, least] *= -1.0
        signs[least] *= -1.0
    return axes, order, signs
