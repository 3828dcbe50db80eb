"""The body of a recording that is one motion: as Euler's equations or a steady L give it, or, where the motion is the
exact one, by least squares on the motion itself, which knows it better."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.replay.flights.body_fit import fit_flight
from viewer.replay.inertia import MOST_SAMPLES, Fit, fit_inertia
from viewer.replay.kinematics import rates_of
from viewer.replay.recording import Recording

Array = NDArray[np.float64]

AS_GOOD = 2.0  # times the misfit of the linear fit: the exact motion explains as much
MOST_TURNS, MOST_ROWS = 6.0, 400  # of the beginning, which are fitted
FEWEST_ROWS = 8
FINER = 7  # orientations from which a rate is taken, to see how much that matters
UNEXPLAINED = 0.2  # of the rates: orientations so far apart that they leave so much open determine no body
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
    """None where the motion does not determine every moment. The rates of orientations are those of polynomials through
    them: what finer ones change in the moments belongs to the uncertainty."""
    found = _fitted_body(recording, linear)
    if found is None or recording.has_rates or len(recording.time) < FINER:
        return found
    if found.misfit > UNEXPLAINED:
        return None
    some = slice(0, MOST_SAMPLES)
    time, q, gaps = recording.time[some], recording.orientation_wxyz[some], recording.gaps
    gaps = gaps[gaps < len(time)]
    again = replace(recording, time=time, orientation_wxyz=q, omega_body=rates_of(time, q, gaps, FINER), gaps=gaps)
    finer = _fitted_body(again, fit_inertia(time, q, again.omega_body))
    off = found.misfit if finer is None else np.abs(finer.moments - found.moments)
    return replace(found, sigma=np.where(found.moments < 1.0, np.hypot(found.sigma, off), found.sigma))


def _fitted_body(recording: Recording, linear: Fit) -> FittedBody | None:
    """The same by the noise alone.

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
