"""The body of a recording that is one motion: as Euler's equations or a steady L give it, or, where the motion is the
exact one, by least squares on the motion itself, which knows it better."""

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.replay.flights.body_fit import fit_flight
from viewer.replay.inertia import Fit
from viewer.replay.recording import Recording

Array = NDArray[np.float64]

AS_GOOD = 2.0  # times the misfit of the linear fit: the exact motion explains as much
MOST_TURNS, MOST_ROWS = 6.0, 400  # of the beginning, which are fitted
FEWEST_ROWS = 8
KNOWN = 1e-9  # sigma of the linear fit to orientations that no fit to rates betters


@frozen
class FittedBody:
    """moments (3,): the largest is 1, with one standard deviation; axes (3, 3): principal axes as columns, in the
    recording's own, each named as the nearest of those. misfit: of the rates, or of L, relative to them."""

    moments: Array
    sigma: Array
    axes: Array
    misfit: float


def fitted_body(recording: Recording, linear: Fit) -> FittedBody | None:
    """None where the motion does not determine every moment.

    Orientations that were integrated from rates are smoother than these: they hide how far off the linear fit is.
    """
    found = None
    if linear.determined:
        moments, axes = linear.principal()
        found = FittedBody(moments, linear.sigma, axes, linear.misfit)
        if recording.has_orientations and found.sigma.max() < KNOWN:
            return found
    turned = np.cumsum(np.linalg.norm(recording.omega_body[1:], axis=1) * np.diff(recording.time))
    rows = slice(0, int(np.clip(np.searchsorted(turned, 2.0 * np.pi * MOST_TURNS) + 2, FEWEST_ROWS, MOST_ROWS)))
    motion = fit_flight(recording.time[rows], recording.omega_body[rows])
    if motion.residual > AS_GOOD * linear.misfit:
        return found
    if not motion.determined:
        return None
    return FittedBody(motion.moments, motion.moments_sigma, motion.axes, motion.residual)
