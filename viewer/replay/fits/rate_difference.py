"""How recorded rates differ from those of a free motion that explains the recorded orientations by itself."""

import numpy as np
from scipy.integrate import cumulative_trapezoid

from viewer.common.errors import brief, with_sigma
from viewer.common.language import tr
from viewer.physics.rotation import Array, rotate
from viewer.replay.flights.signal_quality import noise_of
from viewer.replay.recording import Recording

SEEN = 10.0  # times the noise of the orientations that integrated rates have to leave them by
LEFT = 0.1  # of the difference's rms, which a bias, a factor or a delay may leave beyond noise
UNSURE = 3.0  # times the mean square of noise over the root of the number of rows: as far off may its estimate be
FINEST = 1e-9  # the least standard deviation that is written


def difference_of_rates(recording: Recording, exact: Array, noise: float) -> str | None:
    """Return in words how the rates of a recording differ from the `exact` ones (N, 3) [rad/s] of its orientations.

    None is returned if the orientations, with `noise` [rad], do not deny the rates: if these, integrated, would not
    leave them.
    """
    off, time = recording.omega_body - exact, recording.time
    left = cumulative_trapezoid(rotate(recording.orientation_wxyz, off), time, axis=0, initial=0.0)
    if not np.sqrt(np.mean(np.sum((left - left.mean(axis=0)) ** 2, axis=1))) > SEEN * max(noise, FINEST):
        return None
    scatter = noise_of(off)  # of the three components
    bias, spread = off.mean(axis=0), max(scatter / np.sqrt(3.0 * len(off)), FINEST)
    slope = -np.gradient(exact, time, axis=0)
    factor, delay = (float(np.sum(off * column) / np.sum(column**2)) for column in (exact, slope))
    size = float(np.sqrt(max(np.mean(np.sum(off**2, axis=1)) - scatter**2, 0.0)))

    def explains(difference: Array) -> bool:
        rest = np.mean(np.sum((off - difference) ** 2, axis=1)) - scatter**2
        return bool(rest < (LEFT * size) ** 2 + UNSURE * scatter**2 / np.sqrt(len(off)))

    if explains(bias):
        text = tr("the rates differ from those of the orientations by a constant ({values}) rad/s")
        return text.format(values=", ".join(with_sigma(value, spread) for value in bias.tolist()))
    if explains(factor * exact):
        text = tr("the rates are {scale} times those of the orientations")
        sigma = scatter / np.sqrt(3.0 * np.sum(exact**2))
        return text.format(scale=with_sigma(1.0 + factor, max(float(sigma), FINEST)))
    if explains(delay * slope):
        text = tr("the rates come {delay} ({rows} rows) late")
        text = tr("the rates come {delay} ({rows} rows) early") if delay < 0.0 else text
        rows = abs(delay) / float(np.median(np.diff(time)))
        return text.format(delay=f"{brief(1e3 * abs(delay), 3)} ms", rows=brief(rows, 1))
    text = tr(
        "the rates differ from those of the orientations by {percent} % (rms), which no bias, factor or delay explains"
    )
    return text.format(percent=brief(100.0 * size / float(np.sqrt(np.mean(np.sum(exact**2, axis=1)))), 2))
