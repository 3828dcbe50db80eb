"""Why a motion does not determine the moments of a body: it is no free motion, or it turns too little."""

import numpy as np

from viewer.common.errors import InputError, brief, refusal
from viewer.common.language import tr
from viewer.physics.rotation import Array, conjugate, multiply, rotation_vectors
from viewer.replay.fits.swing import swing_of
from viewer.replay.flights.signal_quality import noise_of
from viewer.replay.kinematics import turns_between
from viewer.replay.recording import Recording

MOST_ROWS = 20_000  # whose noise is measured
SWINGS = 0.03  # relative rms of L, from which on a motion is not free
BY_NOISE = 3.0  # times what noise explains: less is no swing
STILL = 0.03  # rad: what turns no further rests, and its noise, which is not that of single rows, is no motion
OF_STEPS = 1.9  # times the noise of orientations is what is measured in the turns from one to the next, which share it


def why_undetermined(recording: Recording) -> InputError:
    """Return the error for a motion that does not determine the moments."""
    q = recording.orientation_wxyz
    swing, noise = swing_of(recording.time, q), noise_of(turns_between(q[:MOST_ROWS]))
    noise *= np.sqrt(2.0) / OF_STEPS if recording.has_orientations else np.sqrt(swing.rows)
    explained = min(noise / max(swing.turn, 1e-300), 1.0)
    text, angle = tr("it turns by only {angle}°"), 2.0 * float(np.arccos(min(np.abs(q @ q[0]).min(), 1.0)))
    if angle > STILL:
        if swing.least > max(SWINGS, BY_NOISE * explained):
            return refusal(
                "{name}: no free body moves like this: L of even the best one swings by {swing} %, of which noise"
                " explains at most {noise} %",
                name=recording.name,
                swing=brief(100.0 * swing.least, 2),
                noise=brief(max(100.0 * explained, 0.1), 2),
            )
        text, angle = tr("it turns by only {angle}° about any axis but one"), _turn_across(q, swing.rows)
    return refusal(
        "{name}: moments: this motion does not determine them, as {reason}; declare them, such as --moments 1,2,2.5",
        name=recording.name,
        reason=text.format(angle=brief(float(np.degrees(angle)), 2)),
    )


def _turn_across(q: Array, rows: int) -> float:
    """Return how far a body turns to and fro [rad] about other axes of its own than that about which it turns most."""
    turned = rotation_vectors(multiply(conjugate(q[:-rows:rows]), q[rows::rows]))
    axis = np.linalg.svd(turned, full_matrices=False)[2][0]
    across = np.cumsum(turned - (turned @ axis)[:, None] * axis, axis=0)
    return float(np.linalg.norm(np.ptp(across, axis=0)))
