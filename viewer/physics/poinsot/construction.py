"""Poinsot's construction: the inertia ellipsoid, its plane, and the two curves that the touching point draws.

The ellipsoid {omega : omega.I omega = 2E} is fixed in the body; it rolls without slipping on the plane
{omega : omega.Lhat = 2E/|L|}, fixed in space. Everything here lives in the space of omega [rad/s].
At rest (`rest.at_rest`) all of it is 0.
"""

from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.physics.poinsot.branch import Branch
from viewer.physics.state import at_rest

Array = NDArray[np.float64]

FINE = 8  # points of the first sampling of a polhode per point of the second


def ellipsoid_semi_axes(principal_moments: ArrayLike, energy: float) -> Array:
    """Semi-axes (3,) of the inertia ellipsoid along body x, y, z [rad/s]."""
    return np.asarray(np.sqrt(2.0 * energy / np.asarray(principal_moments, dtype=np.float64)))


def plane_distance(energy: float, L_norm: float) -> float:
    """Distance of the invariable plane from the centre of mass [rad/s]."""
    return 0.0 if at_rest(energy, L_norm) else 2.0 * energy / L_norm


def energy_bounds(principal_moments: ArrayLike, L_norm: float) -> tuple[float, float]:
    """The least and the largest energy [J] that a body of angular momentum |L| can have."""
    moments = np.asarray(principal_moments, dtype=np.float64)
    return L_norm * L_norm / (2.0 * float(moments.max())), L_norm * L_norm / (2.0 * float(moments.min()))


def largest_rate(principal_moments: ArrayLike, energy: float, L_norm: float) -> float:
    """The largest |omega| [rad/s] on the polhode of an energy [J] and an |L| [kg m2/s].

    Where the component of L along the middle axis is 0, |omega|^2 = (J_min + J_max) 2E - J_min J_max |L|^2.
    """
    if at_rest(energy, L_norm):
        return 0.0
    moments = np.asarray(principal_moments, dtype=np.float64).tolist()
    low, high, root = 1.0 / max(moments), 1.0 / min(moments), sqrt(2.0 * energy)
    return root * sqrt(high) * sqrt(max(1.0 + low / high - low * (L_norm / root) ** 2, 0.0))


def herpolhode_radii(principal_moments: ArrayLike, energy: float, L_norm: float) -> tuple[float, float]:
    """(inner, outer) radius [rad/s] of the ring that the herpolhode fills, about the foot of L on the plane.

    Where the component L_k is 0, |omega|^2 - (2E/|L|)^2 = |L|^2 (J_i - J_L)(J_L - J_j), with J_L = 2E/|L|^2.
    """
    if at_rest(energy, L_norm):
        return 0.0, 0.0
    low, middle, high = sorted(1.0 / np.asarray(principal_moments, dtype=np.float64))
    ratio = 2.0 * energy / (L_norm * L_norm)
    above, below = max(high - ratio, 0.0), max(ratio - low, 0.0)
    inner = (middle - ratio) * below if middle >= ratio else (ratio - middle) * above
    return min(L_norm * sqrt(inner), L_norm * sqrt(above * below)), L_norm * sqrt(above * below)


def polhode(
    principal_moments: ArrayLike, energy: float, L_norm: float, omega_body: ArrayLike, points: int = 512
) -> Array:
    """The closed branch of the polhode that holds omega_body: (points, 3) in the body frame [rad/s].

    Evenly spaced in arc length; the first point is not repeated at the end. A steady spin gives the same point
    everywhere, a symmetric top a circle, the separatrix the closed curve through both its corners.
    """
    J = 1.0 / np.asarray(principal_moments, dtype=np.float64)
    omega = np.asarray(omega_body, dtype=np.float64)
    if at_rest(energy, L_norm):
        return np.zeros((points, 3))
    branch = polhode_branch(principal_moments, energy, L_norm, omega)
    if branch.is_point:  # a sphere
        return np.tile(J[0] * L_norm * omega / max(float(np.linalg.norm(omega)), 1e-300), (points, 1))
    angle = np.linspace(0.0, 2.0 * np.pi, FINE * points + 1)
    chords = np.linalg.norm(np.diff(branch.at(angle), axis=0), axis=1)
    length = np.concatenate(([0.0], np.cumsum(chords)))
    if not length[-1] > 0.0:
        return branch.at(np.zeros(points))
    return branch.at(np.interp(np.arange(points) * (length[-1] / points), length, angle))


def polhode_branch(principal_moments: ArrayLike, energy: float, L_norm: float, omega_body: ArrayLike) -> Branch:
    """That branch by its angle and its arc length; not at rest."""
    J = 1.0 / np.asarray(principal_moments, dtype=np.float64)
    axes = _axes(J, energy, L_norm)
    sign = float(np.asarray(omega_body, dtype=np.float64)[axes[0]])
    return Branch(J, axes, 2.0 * energy / (L_norm * L_norm), L_norm, sign)


def separatrix(principal_moments: ArrayLike, L_norm: float, points: int = 256) -> Array:
    """Where L_b runs on the sphere of radius |L| if it has the energy of a spin about the middle axis [kg m2/s].

    Two great circles (2, points, 3), which cross at that axis: (J_high - J_mid) L_high^2 = (J_mid - J_low) L_low^2.
    None, (0, points, 3), where two moments are equal or |L| = 0.
    """
    J = 1.0 / np.asarray(principal_moments, dtype=np.float64)
    low, middle, high = (int(k) for k in np.argsort(J, kind="stable"))
    if not (L_norm > 0.0 and J[low] < J[middle] < J[high]):
        return np.zeros((0, points, 3))
    angle = np.arange(points) * (2.0 * np.pi / points)
    fraction = (J[middle] - J[low]) / (J[high] - J[low])  # of (L_low^2 + L_high^2) in L_high^2
    circles = np.empty((2, points, 3))
    circles[:, :, middle] = np.cos(angle)
    circles[:, :, high] = sqrt(fraction) * np.sin(angle)
    circles[:, :, low] = np.array([[1.0], [-1.0]]) * sqrt(1.0 - fraction) * np.sin(angle)
    return L_norm * circles


def _axes(J: Array, energy: float, L_norm: float) -> tuple[int, int, int, int]:
    """(axis that the polhode goes around, axes of the least, middle, largest J)."""
    low, middle, high = (int(k) for k in np.argsort(J, kind="stable"))
    if J[middle] == J[high]:
        return low, low, middle, high
    if J[low] == J[middle]:
        return high, low, middle, high
    return (low if 2.0 * energy <= J[middle] * L_norm * L_norm else high), low, middle, high
