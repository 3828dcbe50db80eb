"""Unit quaternions (w, x, y, z), body to world: v_world = q v_body q*; one or N at a time, float64."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def multiply(p: ArrayLike, q: ArrayLike) -> Array:
    """The product p q, (..., 4): first q, then p."""
    pw, px, py, pz = np.moveaxis(np.asarray(p, dtype=np.float64), -1, 0)
    qw, qx, qy, qz = np.moveaxis(np.asarray(q, dtype=np.float64), -1, 0)
    w = pw * qw - px * qx - py * qy - pz * qz
    x = pw * qx + px * qw + py * qz - pz * qy
    y = pw * qy - px * qz + py * qw + pz * qx
    z = pw * qz + px * qy - py * qx + pz * qw
    return np.stack((w, x, y, z), axis=-1)


def conjugate(q: ArrayLike) -> Array:
    """The inverses (..., 4) of unit quaternions."""
    return np.asarray(np.asarray(q, dtype=np.float64) * (1.0, -1.0, -1.0, -1.0))


def turn_angle(q: ArrayLike) -> Array:
    """The angle (...) [rad], 0..pi, by which unit quaternions (..., 4) turn, exact for small ones."""
    q = np.asarray(q, dtype=np.float64)
    return np.asarray(2.0 * np.arctan2(np.linalg.norm(q[..., 1:], axis=-1), np.abs(q[..., 0])))


def rotation_vectors(q: ArrayLike) -> Array:
    """Rotation vectors (..., 3) [rad], at most pi long, of unit quaternions (..., 4)."""
    q = np.asarray(q, dtype=np.float64)
    q = np.where(q[..., :1] < 0.0, -q, q)
    sine = np.linalg.norm(q[..., 1:], axis=-1)
    factor = np.where(sine > 1e-12, turn_angle(q) / np.maximum(sine, 1e-12), 2.0)
    return np.asarray(q[..., 1:] * factor[..., None])


def rotation_matrix(q: ArrayLike) -> Array:
    """`rotation_world_from_body` (..., 3, 3) of unit quaternions (..., 4): v_world = R @ v_body."""
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


def rotate(q: ArrayLike, v: ArrayLike) -> Array:
    """Vectors (..., 3) turned by unit quaternions (..., 4): from body to world."""
    return np.asarray((rotation_matrix(q) @ np.asarray(v, dtype=np.float64)[..., None])[..., 0])


def rotate_back(q: ArrayLike, v: ArrayLike) -> Array:
    """Vectors (..., 3) turned by the inverse of unit quaternions (..., 4): from world to body."""
    back = np.swapaxes(rotation_matrix(q), -1, -2)
    return np.asarray((back @ np.asarray(v, dtype=np.float64)[..., None])[..., 0])
