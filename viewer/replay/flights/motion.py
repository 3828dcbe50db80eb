"""Angular velocities of many free motions at a time, with drag, in closed form.

The drag is a torque -k L, or -k |omega| L. It changes neither the direction of L in space nor the shape of its curve in
the body; only the size shrinks. With L(t) = exp(-k e) M(s) and ds/dt = exp(-k e), where e is the time, or the angle
turned, M obeys Euler's equations without torque, with s as the time. So the motion with drag is the free one, slowed
down.
"""

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.special import exprel

from viewer.physics.exact.momentum_curves import MomentumCurves
from viewer.physics.rotation import Array
from viewer.replay.kinematics import SPLINE_REACH, blocks

NOTHING = 1e-12  # of the largest rate: components below it are zero
MOST_GROWN = 50.0  # -k t beyond it is of no motion, but met on the way to one, and cut off as numbers overflow
SHIFT = 1e-4  # of k e, as in `slowed_along`: the difference that gives ds/dk
SMOOTHED = 0.01  # s


def slowed_along(time: Array, exponent: Array, drag: float) -> tuple[Array, Array]:
    """Return s (N,) [s] and the fraction of |L| that is left (N,), exp(-k e), at times (N,) for drag k.

    The exponent e (N,) is 0 at first: the time for a torque -k L, the angle turned for -k |omega| L. It is taken as
    linear from each time to the next.
    """
    kt = np.maximum(drag * exponent, -MOST_GROWN)
    left = np.exp(-kt)
    steps = np.diff(time) * left[:-1] * exprel(-np.diff(kt))
    return np.concatenate(([0.0], np.cumsum(steps))), left


def drag_shift(time: Array, exponent: Array, drag: float) -> Array:
    """Return ds/dk (N,) [s2, or s per unit of 1/k], with the arguments of `slowed_along`."""
    step = SHIFT / float(exponent[-1])
    later, earlier = (slowed_along(time, exponent, drag + sign * step)[0] for sign in (1.0, -1.0))
    return np.asarray((later - earlier) / (2.0 * step))


def euler_slope(moments: Array, omega: Array) -> Array:
    """Return d omega/dt (N, 3) without torque, by Euler's equations, for omega (N, 3) in principal axes."""
    after, last = np.array((1, 2, 0)), np.array((2, 0, 1))
    return np.asarray((moments[after] - moments[last]) / moments * omega[:, after] * omega[:, last])


def free_rates(moments: Array, start: Array, time: Array) -> Array:
    """Return omega (P, N, 3) [rad/s] in principal axes of P free motions at times (N,) [s].

    `moments` (P, 3) may have any scale; `start` (P, 3) [rad/s] is omega at time 0.
    """
    found = np.repeat(start[:, :, None], len(time), axis=2)
    omega = np.where(np.abs(start) > NOTHING * np.abs(start).max(axis=1, keepdims=True), start, 0.0)
    some, others = omega != 0.0, np.array((1, 2, 0))
    turning = (some & some[:, others] & (moments != moments[:, others])).any(axis=1)  # the others spin steadily
    if turning.any():
        curves = MomentumCurves.of(moments[turning], omega[turning])
        if not np.isfinite(curves.K).all():  # beside the separatrix instead of on it
            beside = np.where(np.isfinite(curves.K)[:, None], 1.0, 1.0 + NOTHING * np.arange(3))
            curves = MomentumCurves.of(moments[turning], omega[turning] * beside)
        found[turning] = curves.omega(curves.lam[:, None] * time + curves.start()[:, None])
    return found.swapaxes(1, 2)


def angular_acceleration(time: Array, omega: Array) -> Array:
    """Return the smoothed angular acceleration alpha (N, 3) [rad/s2] of rates (N, 3)."""
    together = max(round(SMOOTHED / float(np.median(np.diff(time)))), 1)  # rows: a derivative multiplies their noise
    count = len(time) // together * together
    at, mean = (part[:count].reshape(-1, together, *part.shape[1:]).mean(axis=1) for part in (time, omega))
    found = np.empty_like(omega)
    for block, wide in blocks(len(at), SPLINE_REACH):
        rows = slice(block.start * together, len(time) if block.stop == len(at) else block.stop * together)
        found[rows] = CubicSpline(at[wide], mean[wide])(time[rows], 1)
    return found


def lever_arm(alpha: Array, omega: Array) -> Array:
    """Return the matrices (..., 3, 3) that give the specific force on a sensor when multiplied by its position r.

    The specific force is alpha x r + omega x (omega x r) on a body whose centre of mass falls freely; r is measured
    from that centre. The arguments alpha and omega are (..., 3).
    """
    x, y, z = np.moveaxis(alpha, -1, 0)
    cross = np.zeros((*alpha.shape, 3))
    cross[..., 0, 1], cross[..., 0, 2], cross[..., 1, 2] = -z, y, -x
    outer = omega[..., :, None] * omega[..., None, :] - np.eye(3) * np.sum(omega**2, axis=-1)[..., None, None]
    return np.asarray(cross - np.swapaxes(cross, -1, -2) + outer)
