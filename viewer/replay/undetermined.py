"""Why a motion does not determine the moments of a body: it is no free motion, or it turns too little.

What is compared are the mean rates over turns that are large against the noise, at the orientations in their middle. A
free body has some tensor I for which R I omega is the same in all of them.
"""

import numpy as np
from scipy.optimize import least_squares

from viewer.common.errors import InputError, brief, refusal
from viewer.common.language import tr
from viewer.physics.rotation import Array, conjugate, multiply, rotation_matrix, rotation_vectors
from viewer.replay.fits.inertia import tensor_times
from viewer.replay.flights.signal_quality import noise_of
from viewer.replay.kinematics import rows_of_turn, turns_between
from viewer.replay.recording import Recording

MOST_TURNS = 2000  # evenly spread over the recording
MOST_ROWS = 20_000  # whose noise is measured
SWINGS = 0.03  # relative rms of L, from which on a motion is not free
BY_NOISE = 3.0  # times what noise explains: less is no swing
STILL = 0.03  # rad: what turns no further rests, and its noise, which is not that of single rows, is no motion
LONGER = 1.5  # times the usual time of a turn: rows are missing in it
OF_STEPS = 1.9  # times the noise of orientations is what is measured in the turns from one to the next, which share it
STARTS, MOST_STEPS = 3, 40  # bodies from which the best is searched, and steps of each search


def why_undetermined(recording: Recording) -> InputError:
    """Return the error for a motion that does not determine the moments."""
    time, q = recording.time, recording.orientation_wxyz
    rows = rows_of_turn(q)
    first = np.unique(np.linspace(0, len(q) - 1 - rows, min(MOST_TURNS, (len(q) - 1) // rows)).astype(int))
    lasting = time[first + rows] - time[first]
    first = first[lasting <= LONGER * np.median(lasting)]
    turned = rotation_vectors(multiply(conjugate(q[first]), q[first + rows]))
    omega = turned / (time[first + rows] - time[first])[:, None]
    middle = q[first] + q[first + rows] * np.sign(np.sum(q[first] * q[first + rows], axis=1, keepdims=True))
    middle = rotation_matrix(middle / np.linalg.norm(middle, axis=1, keepdims=True))
    noise = noise_of(turns_between(q[:MOST_ROWS]))
    noise *= np.sqrt(2.0) / OF_STEPS if recording.has_orientations else np.sqrt(rows)
    explained = min(float(noise / max(np.sqrt(np.mean(np.sum(turned**2, axis=1))), 1e-300)), 1.0)
    swing = least_swing(middle, omega)
    reach = 2.0 * float(np.arccos(np.clip(np.abs(q @ q[0]).min(), 0.0, 1.0)))
    if reach > STILL and swing > max(SWINGS, BY_NOISE * explained):
        return refusal(
            "{name}: no free body moves like this: L of even the best one swings by {swing} %, of which noise explains"
            " at most {noise} %",
            name=recording.name,
            swing=brief(100.0 * swing, 2),
            noise=brief(max(100.0 * explained, 0.1), 2),
        )
    text, angle = tr("it turns by only {angle}°"), reach
    if reach > STILL:
        text, angle = tr("it turns by only {angle}° about other axes than one"), turn_across(q, rows)
    return refusal(
        "{name}: moments: this motion does not determine them, as {reason}; declare them, such as --moments 1,2,2.5",
        name=recording.name,
        reason=text.format(angle=brief(float(np.degrees(angle)), 2)),
    )


def turn_across(q: Array, rows: int) -> float:
    """Return how far a body turns to and fro [rad] about other axes of its own than that about which it turns most."""
    turned = rotation_vectors(multiply(conjugate(q[:-rows:rows]), q[rows::rows]))
    axis = np.linalg.svd(turned, full_matrices=False)[2][0]
    across = np.cumsum(turned - (turned @ axis)[:, None] * axis, axis=0)
    return float(np.linalg.norm(np.ptp(across, axis=0)))


def least_swing(rotation: Array, omega: Array) -> float:
    """Return the rms by which L differs from its mean, relative to |L|, for the body for which it differs least.

    `rotation` (N, 3, 3) is body to world, `omega` (N, 3) is in the body.
    """
    own = tensor_times(omega / max(float(np.abs(omega).max()), 1e-300))
    turned = rotation @ own
    off = turned - turned.mean(axis=0)
    lower = [np.linalg.cholesky(np.einsum("nij,nik->jk", part, part) + 1e-12 * np.eye(6)).T for part in (off, own)]

    def swing(root: Array) -> Array:
        half = root.reshape(3, 3)
        second = half @ half.T  # the second moments of the mass, so that every root gives a solid
        tensor = np.trace(second) * np.eye(3) - second
        parts = tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        return np.asarray(lower[0] @ parts / np.linalg.norm(lower[1] @ parts))

    chance = np.random.default_rng(0)
    starts = [np.eye(3).ravel(), *(chance.normal(size=9) for _ in range(STARTS - 1))]
    return min(float(np.linalg.norm(least_squares(swing, start, max_nfev=MOST_STEPS).fun)) for start in starts)
