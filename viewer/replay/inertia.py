"""The inertia tensor, up to its scale, of a body whose free motion was recorded."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viewer.physics.rotation import rotation_matrix
from viewer.replay.flights.uncertainty import alike_rows

Array = NDArray[np.float64]

MOST_SAMPLES = 2000
FIRST_TURN = 4.0 * np.pi  # rad: the fit begins with so much of the motion, in which an engine has erred little
FLAT = 5.0, 1e-6  # misfits, and more, by which moments of a flat body may break the triangle inequality: 1.8 measured
OPEN = 0.1  # sigma of a moment from which on it is not determined
ROUND_OFF = 1e-15  # least noise of what should be zero, relative to it


@dataclass(frozen=True, eq=False)
class Fit:
    """inertia (3, 3) in the recording's body axes, its largest principal moment 1. misfit: rms of what should be zero,
    relative to |L|; inf where no solid fits. covariance (6, 6): of its components Ixx, Iyy, Izz, Ixy, Ixz, Iyz.
    """

    inertia: Array
    misfit: float
    covariance: Array

    @property
    def determined(self) -> bool:
        """Whether the motion shows every moment (a spin about one axis does not)."""
        return bool(np.isfinite(self.misfit) and self.sigma.max() < OPEN)

    @property
    def sigma(self) -> Array:
        """(3,): one standard deviation of the moments relative to the largest, in the order of `principal`."""
        moments, axes = self.principal()
        slopes = _tensor_slopes(axes)
        largest = int(np.argmax(moments))
        by_tensor = slopes - moments[:, None] * slopes[largest]
        return np.asarray(np.sqrt(np.maximum(np.einsum("ni,ij,nj->n", by_tensor, self.covariance, by_tensor), 0.0)))

    def principal(self) -> tuple[Array, Array]:
        """(moments (3,), axes (3, 3)): the columns are principal axes in the recording's body axes, right-handed, each
        named and directed as the nearest of those. Moments that are a flat body's but for the misfit are that body's.
        """
        moments, axes = np.linalg.eigh(self.inertia)
        order = [-1, -1, -1]
        nearness = np.abs(axes)
        for _ in range(3):
            row, column = np.unravel_index(int(np.argmax(nearness)), (3, 3))
            order[int(row)] = int(column)
            nearness[row, :], nearness[:, column] = -1.0, -1.0
        moments, axes = moments[order], axes[:, order]
        axes = axes * np.where(np.diag(axes) < 0.0, -1.0, 1.0)
        if np.linalg.det(axes) < 0.0:
            axes[:, int(np.argmin(np.diag(axes)))] *= -1.0
        largest = float(moments.max())
        others = float(moments.sum()) - largest
        if max(largest * (1.0 - FLAT[0] * self.misfit - FLAT[1]), 0.0) < others < largest:
            moments = np.where(moments == largest, largest, moments * (largest / others))
        return moments, axes


def fit_inertia(time: Array, orientation_wxyz: Array, omega_body: Array, fewest: int = 0) -> Fit:
    """The tensor from as little of the motion's beginning as determines all moments, but at least `fewest` rows.

    Three least-squares fits, linear in the tensor, of which the best is taken: L stays in space (a good engine), or
    Euler's equation holds with the rates at the beginning or at the end of each step (explicit and implicit engines).
    """
    turned = np.concatenate(([0.0], np.cumsum(np.linalg.norm(omega_body[1:], axis=1) * np.diff(time))))
    reach = FIRST_TURN
    while True:
        some = slice(0, min(max(int(np.searchsorted(turned, reach)) + 1, fewest), len(time), MOST_SAMPLES))
        fits = [_steady_L(orientation_wxyz[some], omega_body[some])]
        fits += [_euler(time[some], omega_body[some], implicit) for implicit in (False, True)]
        best = min(fits, key=lambda fit: (not fit.determined, fit.misfit))
        if best.determined or some.stop >= min(len(time), MOST_SAMPLES):
            return best
        reach *= 2.0


def _steady_L(orientation_wxyz: Array, omega_body: Array) -> Fit:
    """R I omega - L = 0 for all samples, in the six components of I and the three of L."""
    omega = omega_body / _size(omega_body)
    minus_L = np.broadcast_to(-np.eye(3), (len(omega), 3, 3))
    rows = np.concatenate((rotation_matrix(orientation_wxyz) @ _tensor_times(omega), minus_L), axis=2)
    return _fitted(rows, omega)


def _euler(time: Array, omega_body: Array, implicit: bool) -> Fit:
    """I d(omega)/dt + omega x I omega = 0 for all steps, omega at the step's beginning or end."""
    omega = omega_body / _size(omega_body)
    angle = np.diff(time)[:, None] * _size(omega_body)
    rate = np.diff(omega, axis=0) / angle
    at = omega[1:] if implicit else omega[:-1]
    return _fitted(_tensor_times(rate) + np.cross(at[:, :, None], _tensor_times(at), axis=1), at)


def _size(omega: Array) -> float:
    return max(float(np.abs(omega).max()), 1e-300)


def _tensor_times(v: Array) -> Array:
    """(N, 3, 6): the matrix that times (Ixx, Iyy, Izz, Ixy, Ixz, Iyz) gives I v for vectors (N, 3)."""
    x, y, z = v.T
    o = np.zeros_like(x)
    rows = ((x, o, o, y, z, o), (o, y, o, x, o, z), (o, o, z, o, x, y))
    return np.moveaxis(np.array(rows), -1, 0)


def _tensor_slopes(axes: Array) -> Array:
    """(3, 6): derivatives of the principal moments by (Ixx, Iyy, Izz, Ixy, Ixz, Iyz)."""
    x, y, z = axes
    return np.stack((x * x, y * y, z * z, 2.0 * x * y, 2.0 * x * z, 2.0 * y * z), axis=1)


def _fitted(rows: Array, omega: Array) -> Fit:
    """The tensor for which rows (N, 3, 6 or more) times it come nearest to zero, and its covariance by what is left."""
    flat = rows.reshape(-1, rows.shape[2])
    _, singular, right = np.linalg.svd(flat, full_matrices=False)
    a, b, c, d, e, f = right[-1, :6]
    inertia = np.array([[a, d, e], [d, b, f], [e, f, c]])
    moments = np.linalg.eigvalsh(inertia)
    if moments.sum() < 0.0:
        inertia, moments = -inertia, -moments[::-1]
    if not moments[0] > 0.0:
        return Fit(np.eye(3), np.inf, np.eye(6))
    size = float(np.sqrt(np.mean(np.sum((omega @ inertia) ** 2, axis=1))))
    misfit = float(singular[-1] / np.sqrt(len(rows)) / max(size, 1e-300))
    noise = max(float(singular[-1]) / np.sqrt(max(len(flat) - rows.shape[2], 1)), ROUND_OFF * size)
    spread = right[:-1, :6] * (noise / np.maximum(singular[:-1], 1e-300) / moments[-1])[:, None]
    covariance = spread.T @ spread * alike_rows([(flat @ right[-1]).reshape(-1, 3)])
    return Fit(inertia / moments[-1], misfit, covariance)
