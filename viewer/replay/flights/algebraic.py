"""The inertia tensor from Euler's equations, integrated in the body: linear in the tensor, so that no start is needed.

In a free flight I omega + integral of omega x I omega dt stays. A tensor stands here as (Ixx, Iyy, Izz, Ixy, Ixz, Iyz).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from viewer.replay.kinematics import SPLINE_REACH, blocks

Array = NDArray[np.float64]

FEWEST = 6  # rows
PAIRS = (0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)


def tensor_times(v: Array) -> Array:
    """(..., 3, 6): the matrix that times a tensor gives I v for vectors (..., 3)."""
    x, y, z = np.moveaxis(v, -1, 0)
    o = np.zeros_like(x)
    rows = ((x, o, o, y, z, o), (o, y, o, x, o, z), (o, o, z, o, x, y))
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def conserved(time: Array, rates: Array) -> Array:
    """(N, 3, 6): times the tensor it is I omega + the integral of omega x I omega from the first row."""
    return conserved_at(rates, integrals(time, rates))


def integrals(time: Array, rates: Array, smooth: bool = True) -> Array:
    """(N, 6): of the products PAIRS of rates (N, 3) from the first row. `smooth`: by a spline, else by trapezes, which
    are quicker and do not reach across a jump. Long recordings are taken in blocks, for less memory."""
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
    """(..., 3, 6): what `conserved` is, of rates (..., 3) and `integrals` (..., 6) in some rows."""
    xx, yy, zz, xy, xz, yz = np.moveaxis(integral, -1, 0)
    o = np.zeros_like(xx)
    turned = ((o, -yz, yz, -xz, xy, yy - zz), (xz, o, -xz, yz, zz - xx, -xy), (-xy, xy, o, xx - yy, -yz, xz))
    # rows: omega x I omega in x, y, z, integrated
    return np.asarray(tensor_times(rates) + np.moveaxis(np.array(turned), (0, 1), (-2, -1)))


def as_matrix(tensor: Array) -> Array:
    """The symmetric matrices (..., 3, 3) of tensors (..., 6)."""
    return np.asarray(tensor[..., [0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(*tensor.shape[:-1], 3, 3))


def estimated_inertia(flights: Sequence[tuple[Array, Array]]) -> tuple[Array, Array] | None:
    """(second moments (3,) of sum 1, principal axes as columns (3, 3)) from (time, rates) of flights; None where no
    solid explains them."""
    rows = []
    for time, rates in flights:
        if len(time) >= FEWEST:
            part = conserved(time, rates)
            rows.append((part - part.mean(axis=0)).reshape(-1, 6))
    if not rows:
        return None
    inertia = as_matrix(np.linalg.svd(np.concatenate(rows), full_matrices=False)[2][-1])
    moments, axes = np.linalg.eigh(inertia * np.sign(np.trace(inertia)))
    if not moments[0] > 0.0:
        return None
    axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
    spread = np.maximum(1.0 - 2.0 * moments / moments.sum(), 0.0)
    return spread / spread.sum(), axes


def principal_axes(columns: Array) -> tuple[Array, NDArray[np.intp], Array]:
    """(axes (3, 3) right-handed, order (3,), signs (3,)) of principal axes, columns of a rotation: each is named and
    directed as the nearest of the sensor's, axes[:, i] = signs[i] * columns[:, order[i]]."""
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
