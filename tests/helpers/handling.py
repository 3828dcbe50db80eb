"""A phone's sensors while it is handled and never let go: carried about, waved, turned over, put down, left to rest."""

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, sosfiltfilt
from scipy.spatial.transform import Rotation

Array = NDArray[np.float64]

# (rms of a component of omega [rad/s], its band [Hz], rms of a component of the hand's acceleration [m/s2])
KINDS = {
    "rest": (0.0, 1.0, 0.0),
    "held": (0.3, 1.5, 0.3),
    "carried": (1.2, 2.0, 2.0),
    "turned over": (3.0, 1.0, 1.5),
    "waved": (5.0, 2.5, 6.0),
    "shaken": (8.0, 4.0, 12.0),
}


def handled(seconds: float, rate: float, seed: int) -> tuple[Array, Array, Array]:
    """(time (N,), omega (N, 3) [rad/s], specific force (N, 3) [m/s2]): stretches of every kind, with soft passages."""
    chance = np.random.default_rng(seed)
    count = round(seconds * rate)
    time = np.arange(count) / rate
    omega, hand = np.zeros((count, 3)), np.zeros((count, 3))
    begin = 0
    while begin < count:
        end = min(begin + round(chance.uniform(2.0, 12.0) * rate), count)
        turning, band, pushing = KINDS[chance.choice(list(KINDS))]
        inside = np.clip(np.minimum(np.arange(begin, end) - begin, end - np.arange(begin, end)) / (0.3 * rate), 0, 1)
        for values, size in ((omega, turning), (hand, pushing)):
            white = chance.normal(size=(end - begin + 400, 3))
            smooth = sosfiltfilt(butter(2, band, fs=rate, output="sos"), white, axis=0)[200:-200]
            values[begin:end] = smooth * (size / smooth.std()) * inside[:, None]
        begin = end
    if seed % 2:  # steps, while it is walked
        hand[:, 2] += 3.0 * np.sin(2 * np.pi * 1.9 * time) ** 3
    turned, reach = Rotation.from_rotvec(omega / rate).as_quat(), 1
    while reach < count:  # the product of all turns so far, by doubling
        turned[reach:] = (Rotation.from_quat(turned[:-reach]) * Rotation.from_quat(turned[reach:])).as_quat()
        reach *= 2
    force = Rotation.from_quat(turned).inv().apply(hand + np.array((0.0, 0.0, 9.81)))
    return time, omega + 0.02 * chance.normal(size=omega.shape), force + 0.05 * chance.normal(size=force.shape)
