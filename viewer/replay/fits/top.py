"""A top's moments and centre of mass, up to their scale, by a fit that is linear in them.

A body about a fixed point changes its L by the torque of its weight alone, so that R I omega - L0 is the integral of
z x R c dt: R turns from the body to space, where z points upwards, and c is the centre of mass as seen from the point,
times the weight. With R recorded, this is linear in I, c and L0.
"""

from typing import Any

import numpy as np

from viewer.common.errors import brief, with_sigma
from viewer.common.frozen import frozen
from viewer.physics.rotation import Array, rotation_matrix
from viewer.replay.fits.inertia import MOST_SAMPLES, OPEN, steady_L
from viewer.replay.flights.signal_quality import noise_of

ROWS = 12, 200_000  # the fewest and the most; more would take much memory
MARGIN = 10.0  # times the misfit without weight; 12 of a sleeping top with noise of 1e-3, 1.9 at most of other motions
NOISY = 3.0  # times the noise in the residuals: less is noise
SMOOTH = 1e-4  # of |L|: the rates of orientations and the integrals over the rows err by less; 5e-6 measured
FINEST = 1e-6  # the least standard deviation, of a moment and in rad; 4e-7 measured, with the errors of integrators


@frozen
class Top:
    """A top whose recorded motion its weight explains.

    `moments` (3,) about the fixed point are relative to the largest, with the standard deviations `sigma` (3,); `axes`
    (3, 3) has the principal axes as columns, in the recording's own axes. `direction` (3,) is that of the centre of
    mass as seen from the point, a unit vector in the recording's axes, with the standard deviation `angle_sigma` [rad].
    `misfit` is the rms of the residuals, relative to |L|.
    """

    moments: Array
    axes: Array
    sigma: Array
    direction: Array
    angle_sigma: float
    misfit: float

    @property
    def verdict(self) -> str:
        """The sentence on the motion, with its numbers and their standard deviations."""
        moments = " : ".join(with_sigma(*pair) for pair in zip(self.moments.tolist(), self.sigma.tolist(), strict=True))
        along = ", ".join(brief(round(value, 4) + 0.0) for value in self.direction.tolist())
        return (
            f"moves as a top, by its weight about a fixed point: moments {moments}, centre of mass along ({along}) from"
            f" that point, to within {brief(float(np.degrees(self.angle_sigma)), 1)}°, z pointing upwards (misfit"
            f" {brief(self.misfit, 1)})"
        )

    def data(self) -> dict[str, Any]:
        """Return it as plain data with every digit, for JSON."""
        moments, sigma, place = self.moments.tolist(), self.sigma.tolist(), self.direction.tolist()
        found = {"moments": moments, "moments_sigma": sigma, "centre_of_mass_direction": place}
        return {**found, "direction_sigma_rad": self.angle_sigma, "misfit": self.misfit}


def top_of(time: Array, orientation_wxyz: Array, omega_body: Array) -> Top | None:
    """Return the top whose weight explains all rows but for noise, or None.

    There is none if the motion does not determine the moments, if it is explained without weight with a misfit that is
    less than MARGIN times as large, or if the number of rows is outside ROWS.
    """
    if not ROWS[0] <= len(time) <= ROWS[1]:
        return None
    R, h = rotation_matrix(orientation_wxyz), np.diff(time)[:, None, None]
    slope = np.cross(R, omega_body[:, None])  # of R, in time
    steps = 0.5 * h * (R[1:] + R[:-1]) + h * h / 12.0 * (slope[:-1] - slope[1:])
    x, y, z = np.moveaxis(np.concatenate((np.zeros((1, 3, 3)), np.cumsum(steps, axis=0))), 1, 0) / time[-1]
    pushed, omega = np.stack((y, -x, 0.0 * z), axis=1), omega_body / np.abs(omega_body).max()
    rows = np.unique(np.linspace(0, len(time) - 1, MOST_SAMPLES).astype(int))
    free, found = steady_L(R[rows], omega[rows]), steady_L(R[rows], omega[rows], pushed[rows])
    if not (found.determined and MARGIN * found.misfit < min(free.misfit, 1.0)):
        return None
    L, place = np.einsum("nij,nj->ni", R, omega @ found.inertia), found.others[:3]
    left, size = L + pushed @ place - found.others[3:], float(np.sqrt(np.mean(np.sum(L * L, axis=1))))
    if float(np.sqrt(np.mean(np.sum(left * left, axis=1)))) > max(NOISY * noise_of(left), SMOOTH * size):
        return None
    length = float(np.linalg.norm(place))
    across = np.eye(3) - np.outer(place, place) / length**2
    angle = float(np.sqrt(np.trace(across @ found.covariance[6:9, 6:9]))) / length
    moments, axes = found.principal()
    pulled = found.sigma + 3.0 * len(rows) * found.sigma**2  # noise in the rates themselves makes the moments smaller
    if pulled.max() > OPEN:
        return None
    sigma = np.where(moments == moments.max(), 0.0, np.maximum(pulled, FINEST))
    return Top(moments, axes, sigma, place / length, max(angle, FINEST), found.misfit)
