"""Angular velocities of many free motions at a time, with linear drag, in closed form.

The drag is a torque -k L, k in 1/s: it leaves L's direction in space, and of its curve in the body all but the size.
With L(t) = exp(-k t) M(s) and s = (1 - exp(-k t))/k, M obeys Euler's equations without torque in the time s: so the
motion with drag is the free one, slowed down.
"""

from math import isfinite, pi

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from viewer.physics.exact.elliptic import Elliptic, jacobi
from viewer.replay.files.blocks import SPLINE_REACH, blocks

Array = NDArray[np.float64]

NOTHING = 1e-12  # of the largest rate: components below it are zero
NO_DRAG = 1e-9  # k t below which s = t
SMOOTHED = 0.01  # s


def slowed(time: Array, drag: float) -> tuple[Array, Array]:
    """(s (N,), exp(-k t) (N,)) of times since the start [s] with drag k [1/s]."""
    kt = drag * time
    with np.errstate(over="ignore"):
        left = np.exp(-kt)
    if float(np.abs(kt).max(initial=0.0)) < NO_DRAG:
        return time, left
    return -np.expm1(-kt) / drag, left


def free_rates(moments: Array, start: Array, time: Array) -> Array:
    """omega (P, N, 3) [rad/s] in principal axes of P free motions at times (N,) [s]; moments (P, 3) up to their scale,
    start (P, 3) [rad/s] at time 0."""
    found = np.empty((len(moments), len(time), 3))
    turning = [_elliptic(*row) for row in zip(moments.tolist(), start.tolist(), strict=True)]
    for n, motion in enumerate(turning):
        if motion is None:
            found[n] = start[n]
    kept = [n for n, motion in enumerate(turning) if motion is not None]
    motions = [motion for motion in turning if motion is not None]
    if not motions:
        return found
    K, lam, m1, side = (np.array([getattr(one, name) for one in motions]) for name in ("K", "lam", "m1", "side"))
    phase = np.array([one.phase(start[n : n + 1])[0] for n, one in zip(kept, motions, strict=True)])
    u = lam[:, None] * time + (phase * 2.0 * K / pi)[:, None]
    halves = np.round(u / (2.0 * K[:, None]))
    sn, cn, dn = jacobi(u - halves * (2.0 * K[:, None]), m1[:, None])
    sign = np.where(np.fmod(halves, 2.0) == 0.0, 1.0, -1.0)
    for n, values in enumerate(zip(sign * cn, (sign * side[:, None]) * sn, dn, strict=True)):
        one = motions[n]
        for axis, value, size, turn, moment in zip(
            one.axes, values, one.amplitudes, one.signs.tolist(), one.moments, strict=True
        ):
            found[kept[n], :, axis] = value * (size * turn / moment)
    return found


def angular_acceleration(time: Array, omega: Array) -> Array:
    """alpha (N, 3) [rad/s2] of rates (N, 3), smoothed."""
    together = max(round(SMOOTHED / float(np.median(np.diff(time)))), 1)  # rows: a derivative multiplies their noise
    count = len(time) // together * together
    at, mean = (part[:count].reshape(-1, together, *part.shape[1:]).mean(axis=1) for part in (time, omega))
    found = np.empty_like(omega)
    for block, wide in blocks(len(at), SPLINE_REACH):
        rows = slice(block.start * together, len(time) if block.stop == len(at) else block.stop * together)
        found[rows] = CubicSpline(at[wide], mean[wide])(time[rows], 1)
    return found


def lever_arm(alpha: Array, omega: Array) -> Array:
    """(..., 3, 3): times a sensor's place r it is the specific force alpha x r + omega x (omega x r) that it measures
    on a body whose centre of mass falls freely; alpha, omega (..., 3)."""
    x, y, z = np.moveaxis(alpha, -1, 0)
    cross = np.zeros((*alpha.shape, 3))
    cross[..., 0, 1], cross[..., 0, 2], cross[..., 1, 2] = -z, y, -x
    outer = omega[..., :, None] * omega[..., None, :] - np.eye(3) * np.sum(omega**2, axis=-1)[..., None, None]
    return np.asarray(cross - np.swapaxes(cross, -1, -2) + outer)


def _elliptic(moments: list[float], omega: list[float]) -> Elliptic | None:
    """The constants of a motion, beside the separatrix if it is on it; None for a steady spin."""
    least = NOTHING * max(map(abs, omega))
    omega = [value if abs(value) > least else 0.0 for value in omega]
    pairs = (0, 1), (1, 2), (2, 0)
    if not any(omega[i] != 0.0 and omega[j] != 0.0 and moments[i] != moments[j] for i, j in pairs):
        return None
    found = Elliptic.of(moments, omega)
    return (
        found
        if isfinite(found.K)
        else Elliptic.of(moments, [value * (1.0 + n * NOTHING) for n, value in enumerate(omega)])
    )
