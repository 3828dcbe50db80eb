"""The figure of revolution that an ellipsoid fills while it turns freely about L and L runs along its polhode.

For each angle θ from L there is a best spheroid about L that encloses the ellipsoid, in closed form. Let L̂ be the
direction of L in the body, A the diagonal matrix of the squared semi-axes, and b the component of A L̂ across L. The
support in the direction (cos θ L̂ + sin θ e) has the square cos²θ L̂·A L̂ + 2 sin θ cos θ b·e + sin²θ e·A e. Its first
term is the same all along the polhode, and its second is at most sin²θ (b·e)²/k + cos²θ k for any k > 0. So a spheroid
encloses the ellipsoid if its squared half height is L̂·A L̂ + k and its squared radius is the largest eigenvalue of
A + b b'/k across L; with k = |b| tan θ it touches the ellipsoid at θ.
"""

import math
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen

Array = NDArray[np.float64]
# points of a figure of revolution: distance from the upright axis, and height along it, m
Profile = tuple[tuple[float, float], ...]

ANGLES = np.linspace(0.0, 0.5 * math.pi, 17)  # from L, at which the sides of an outline touch the figure
STEADY = 1e-6  # of the largest square: a smaller |b| is round-off, or negligible


@frozen
class Sweep:
    """The figure that an ellipsoid fills; `squares` (3,) [m²] are those of its semi-axes along the body axes.

    `along` (N, 3) has the squares of the components of L's direction in the body, at points of the polhode among which
    are its vertices.
    """

    squares: Array
    along: Array

    @property
    def radius(self) -> float:
        """The largest distance [m] of the swept figure from L."""
        return float(self.around[0][-1])

    @cached_property
    def around(self) -> tuple[Array, Array]:
        """Radii and half heights of the spheroids that touch the swept figure at ANGLES."""
        return self.spheroids(np.tan(ANGLES))

    def spheroids(self, slopes: Array) -> tuple[Array, Array]:
        """Return radii and half heights (S,) [m] of the spheroids about L that touch the figure at tan θ = `slopes`."""
        # a ball adds the same in every direction: the rest is exact without it
        base = float(np.min(self.squares))
        more = self.squares - base
        upward, second, third = (self.along @ more**power for power in (1, 2, 3))
        across = second - upward**2  # |b|^2
        tilts = across > (STEADY * float(np.max(self.squares))) ** 2
        across = np.where(tilts, across, 0.0)
        turned = np.where(tilts, third - 2.0 * upward * second + upward**3, 0.0)  # b·(A - base) b
        least = STEADY * float(np.max(self.squares))
        room = np.maximum(slopes * math.sqrt(float(np.max(across))), least)[:, None]
        # sum and product of the two eigenvalues of A - base across L
        sum_across = float(np.sum(more)) - upward
        product = self.along @ (more[[2, 0, 1]] * more[[1, 2, 0]])
        trace = sum_across + across / room
        minor = product + (sum_across * across - turned) / room
        largest = 0.5 * (trace + np.sqrt(np.maximum(trace**2 - 4.0 * minor, 0.0)))
        height = base + float(np.max(upward))
        return np.sqrt(base + np.max(largest, axis=1)), np.sqrt(height + room[:, 0])

    def missed(self, points: Array, eye: Array, axis: Array) -> NDArray[np.bool_]:
        """Return whether lines from an eye through points (.., 3) miss the figure; L has the direction `axis`.

        A line that misses one of the spheroids misses the figure, too.
        """
        flat, tall = (sizes**-2.0 for sizes in self.around)
        ahead = points - eye
        up, eye_up = (ahead @ axis)[..., None], float(eye @ axis)
        # products in the coordinates in which each spheroid is the unit ball
        along = (ahead @ eye)[..., None] * flat + up * (eye_up * (tall - flat))
        steep = (ahead * ahead).sum(axis=-1)[..., None] * flat + up * up * (tall - flat)
        outside = float(eye @ eye) * flat + eye_up**2 * (tall - flat) - 1.0
        return np.asarray((along**2 < steep * outside).any(axis=-1))

    @cached_property
    def profile(self) -> Profile:
        """The corners of a polygon around the swept figure's outline."""
        radii, heights = self.around
        support = np.hypot(radii * np.sin(ANGLES), heights * np.cos(ANGLES))
        support[0] = math.sqrt(float(np.max(self.along @ self.squares)))
        return polygon(support)

    def swept(self, reach: Array, points: int = 6) -> Profile:
        """Return corners [m] around the arcs that the ends of body axes of these lengths (3,) sweep."""
        least, most = np.min(self.along, axis=0), np.max(self.along, axis=0)
        along = np.stack([most, least])
        begin, end = np.arctan2(np.sqrt(np.maximum(1.0 - along, 0.0)), np.sqrt(along))
        angles = begin + np.arange(points)[:, None] * ((end - begin) / (points - 1))
        outside = reach / np.cos(0.5 * (angles[1] - angles[0]))
        return mirrored(np.stack([outside * np.sin(angles), outside * np.cos(angles)], axis=-1).reshape(-1, 2))


def polygon(reach: Array) -> Profile:
    """Return the corners of a polygon with sides at distances `reach`, evenly turned from pole to equator."""
    angles = np.linspace(0.0, 0.5 * math.pi, len(reach))
    sines, cosines = np.sin(angles), np.cos(angles)
    step = math.sin(angles[1])
    out = (reach[1:] * cosines[:-1] - reach[:-1] * cosines[1:]) / step
    up = (reach[:-1] * sines[1:] - reach[1:] * sines[:-1]) / step
    return mirrored(np.stack([out, up], axis=1))


def ball(radius: float) -> Profile:
    """Return corners of a polygon around a circle."""
    return polygon(np.full(len(ANGLES), radius))


def mirrored(upper: Array) -> Profile:
    """Return these points (N, 2) and their mirror images below the equator."""
    return tuple(map(tuple, np.concatenate([upper, upper * (1.0, -1.0)]).tolist()))
