"""Unit quaternions (w, x, y, z), body to world (v_world = q v_body q*), and matrices: one or N at a time, float64."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.common.errors import brief, shown
from viewer.physics.kernels.quaternion import from_matrix, to_body

Array = NDArray[np.float64]

NEAR = 1e-6  # how far an entry of R^T R may be from that of a rotation


def multiply(p: ArrayLike, q: ArrayLike) -> Array:
    """Return the product p q, (..., 4): the turn q, then the turn p, both about axes fixed in space."""
    pw, px, py, pz = np.moveaxis(np.asarray(p, dtype=np.float64), -1, 0)
    qw, qx, qy, qz = np.moveaxis(np.asarray(q, dtype=np.float64), -1, 0)
    w = pw * qw - px * qx - py * qy - pz * qz
    x = pw * qx + px * qw + py * qz - pz * qy
    y = pw * qy - px * qz + py * qw + pz * qx
    z = pw * qz + px * qy - py * qx + pz * qw
    return np.stack((w, x, y, z), axis=-1)


def conjugate(q: ArrayLike) -> Array:
    """Return the inverses (..., 4) of unit quaternions."""
    return np.asarray(np.asarray(q, dtype=np.float64) * (1.0, -1.0, -1.0, -1.0))


def turn_angle(q: ArrayLike) -> Array:
    """Return the angles (...) [rad], 0..pi, by which unit quaternions (..., 4) turn; small angles are accurate, too."""
    q = np.asarray(q, dtype=np.float64)
    return np.asarray(2.0 * np.arctan2(np.linalg.norm(q[..., 1:], axis=-1), np.abs(q[..., 0])))


def rotation_vectors(q: ArrayLike) -> Array:
    """Return the rotation vectors (..., 3) [rad], at most pi long, of unit quaternions (..., 4)."""
    q = np.asarray(q, dtype=np.float64)
    q = np.where(q[..., :1] < 0.0, -q, q)
    sine = np.linalg.norm(q[..., 1:], axis=-1)
    factor = np.where(sine > 1e-12, turn_angle(q) / np.maximum(sine, 1e-12), 2.0)
    return np.asarray(q[..., 1:] * factor[..., None])


def gimbal_angles(q: ArrayLike) -> tuple[float, float, float]:
    """Return the angles [rad] of outer, middle and inner gimbal: Euler's angles of a unit quaternion about z, x and z.

    The middle angle is from 0 to pi. At both ends only the sum or the difference of the other two is determined.
    """
    w, x, y, z = np.asarray(q, dtype=np.float64).tolist()
    half_sum, half_difference = math.atan2(z, w), math.atan2(y, x)
    outer, inner = (math.remainder(half_sum + part, math.tau) for part in (half_difference, -half_difference))
    return outer, 2.0 * math.atan2(math.hypot(x, y), math.hypot(w, z)), inner


def rotation_matrix(q: ArrayLike) -> Array:
    """Return `rotation_world_from_body` (..., 3, 3) of unit quaternions (..., 4): v_world = R @ v_body."""
    q = np.asarray(q, dtype=np.float64)
    w, x, y, z = q.tolist() if q.ndim == 1 else np.moveaxis(q, -1, 0)  # Python numbers are quicker one by one
    rotation = np.empty((*q.shape[:-1], 3, 3))
    rotation[..., 0, 0] = w * w + x * x - y * y - z * z
    rotation[..., 0, 1] = 2 * (x * y - w * z)
    rotation[..., 0, 2] = 2 * (x * z + w * y)
    rotation[..., 1, 0] = 2 * (x * y + w * z)
    rotation[..., 1, 1] = w * w - x * x + y * y - z * z
    rotation[..., 1, 2] = 2 * (y * z - w * x)
    rotation[..., 2, 0] = 2 * (x * z - w * y)
    rotation[..., 2, 1] = 2 * (y * z + w * x)
    rotation[..., 2, 2] = w * w - x * x - y * y + z * z
    return rotation


def matrix_from_quaternion(wxyz: ArrayLike) -> Array:
    """Return the rotation matrices of quaternions of any length but 0, which are normalised first.

    Parameters
    ----------
    wxyz : array_like
        Quaternions (..., 4), body to world.

    Returns
    -------
    ndarray
        The matrices R (..., 3, 3), v_world = R @ v_body.

    Raises
    ------
    ValueError
        For another shape, a zero quaternion, a number that is not finite.

    References
    ----------
    D. Baraff and A. Witkin, Rigid Body Simulation: ``quaternion_to_matrix``.

    Examples
    --------
    >>> matrix_from_quaternion((1, 0, 0, 1)).round(12) @ (1, 0, 0)  # a quarter turn about z
    array([0., 1., 0.])
    """
    q = _numbers(wxyz)
    if q is None or q.shape[-1:] != (4,) or not (np.isfinite(q).all() and q.any(axis=-1).all()):
        raise ValueError(f"wxyz: {shown(wxyz)} is not allowed; it must be 4 finite numbers, not all 0, or rows of them")
    q = q / np.abs(q).max(axis=-1, keepdims=True)  # first, so that no square overflows
    return rotation_matrix(q / np.linalg.norm(q, axis=-1, keepdims=True))


def quaternion_from_matrix(R: ArrayLike) -> Array:
    """Return the unit quaternions of rotation matrices: of the two that each matrix has, the one with w >= 0.

    Parameters
    ----------
    R : array_like
        Rotation matrices (..., 3, 3), v_world = R @ v_body.

    Returns
    -------
    ndarray
        The quaternions (..., 4) wxyz, body to world.

    Raises
    ------
    ValueError
        For another shape, and for a matrix that is no rotation: an entry of R^T R differs from the identity's by more
        than 1e-6, or it mirrors.

    References
    ----------
    D. Baraff and A. Witkin, Rigid Body Simulation: ``matrix_to_quaternion``.

    Examples
    --------
    >>> quaternion_from_matrix([[0, -1, 0], [1, 0, 0], [0, 0, 1]]).round(6)
    array([0.707107, 0.      , 0.      , 0.707107])
    """
    matrices = _numbers(R)
    if matrices is None or matrices.shape[-2:] != (3, 3) or not np.isfinite(matrices).all():
        raise ValueError(f"R: {shown(R)} is not allowed; it must be 3 rows of 3 finite numbers, or several of them")
    off = float(np.abs(np.swapaxes(matrices, -1, -2) @ matrices - np.eye(3)).max(initial=0.0))
    if off > NEAR:
        raise ValueError(
            f"R: is no rotation; an entry of R^T R differs from the identity's by {brief(off, 2)},"
            f" allowed is {brief(NEAR)}"
        )
    if (np.linalg.det(matrices) < 0.0).any():
        raise ValueError("R: is no rotation but a mirror; its determinant must be 1, not -1")
    q = np.array([from_matrix(*row) for row in matrices.reshape(-1, 9).tolist()]).reshape(*matrices.shape[:-2], 4)
    q = np.where(q[..., :1] < 0.0, -q, q)
    return np.asarray(q / np.linalg.norm(q, axis=-1, keepdims=True))


def star(a: ArrayLike) -> Array:
    """Return the matrices of the cross product with vectors: star(a) @ b = a x b.

    Parameters
    ----------
    a : array_like
        Vectors (..., 3).

    Returns
    -------
    ndarray
        The matrices (..., 3, 3).

    Raises
    ------
    ValueError
        For another shape, and for a number that is not finite.

    Examples
    --------
    >>> star((0, 0, 1)) @ (1, 0, 0)
    array([0., 1., 0.])
    """
    vectors = _numbers(a)
    if vectors is None or vectors.shape[-1:] != (3,) or not np.isfinite(vectors).all():
        raise ValueError(f"a: {shown(a)} is not allowed; it must be 3 finite numbers, or rows of them")
    x, y, z = np.moveaxis(vectors, -1, 0)
    zero = np.zeros_like(x)
    rows = ((zero, -z, y), (z, zero, -x), (-y, x, zero))
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _numbers(given: ArrayLike) -> Array | None:
    """Return `given` as an array of floats; None if it cannot be one."""
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return None


def rotate(q: ArrayLike, v: ArrayLike) -> Array:
    """Return vectors (..., 3) turned by unit quaternions (..., 4): from body to world."""
    q, v = np.asarray(q, dtype=np.float64), np.asarray(v, dtype=np.float64)
    if q.ndim == 1:  # one matrix for all vectors
        return np.asarray((rotation_matrix(q) @ v[..., None])[..., 0])
    w, x, y, z = (q[..., i] for i in range(4))
    return np.stack(to_body(w, -x, -y, -z, *(v[..., i] for i in range(3))), axis=-1)  # type: ignore[arg-type]


def rotate_back(q: ArrayLike, v: ArrayLike) -> Array:
    """Return vectors (..., 3) turned by the inverse of unit quaternions (..., 4): from world to body."""
    return rotate(conjugate(q), v)


def from_rotation_vector(vector: ArrayLike) -> Array:
    """Return the unit quaternions (..., 4) of rotation vectors (..., 3) [rad]."""
    vector = np.asarray(vector, dtype=np.float64)
    half = 0.5 * np.linalg.norm(vector, axis=-1, keepdims=True)
    return np.concatenate((np.cos(half), 0.5 * np.sinc(half / np.pi) * vector), axis=-1)


def angles_about_space_axes(q: ArrayLike) -> Array:
    """Return the angles (3,) [rad] by which turns about the space axes X, then Y, then Z make a unit quaternion (4,).

    If the turn about Y is a quarter turn, X and Z turn about the same axis; the angle about X is then 0.
    """
    R = rotation_matrix(q)
    level = float(np.hypot(R[0, 0], R[1, 0]))
    y = np.arctan2(-R[2, 0], level)
    if level < 1e-9:
        return np.array([0.0, y, np.arctan2(-R[0, 1], R[1, 1])])
    return np.array([np.arctan2(R[2, 1], R[2, 2]), y, np.arctan2(R[1, 0], R[0, 0])])
