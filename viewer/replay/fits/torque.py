"""The torque that explains how energy and |L| of a recorded motion change: drag, or a constant torque.

A torque tau changes |L| at the rate tau.L/|L| and the energy at tau.omega, with L and omega as recorded. So the changes
of log |L| and of half of log E are integrals over the recording, times the size of the torque, which a linear fit
gives.
"""

import numpy as np

from viewer.common.frozen import frozen
from viewer.physics.body import RigidBody
from viewer.physics.rotation import Array, rotation_matrix
from viewer.physics.state import States
from viewer.replay.fits.rigid_fit import alike_rows

SAME_CHANGE = 0.02  # of the changes of energy and |L|, which may be left open
MOST_LEFT = 0.1  # of the rms of these changes, which may be left open
CLEARLY = 0.5  # of the residual of linear drag, below which another torque explains more
LEAST_SIGMAS = 5.0  # standard deviations of a torque that is there
LEAST_SIGMA = 1e-9  # 1/s, 1/rad or N m: the integrals over the recording are no better
LINEAR, QUADRATIC = "-k L", "-k |omega| L"


def _drags(body: RigidBody, states: States) -> dict[str, Array]:
    """Return the torques (N, 3) of drag for k = 1, in body axes, by their formulas."""
    omega = states.omega_body
    L, speed = body.principal_moments * omega, np.linalg.norm(omega, axis=1, keepdims=True)
    return {
        LINEAR: -L,
        QUADRATIC: -speed * L,
        "-k I omega, I the largest moment": -body.principal_moments.max() * omega,
    }


@frozen
class Torque:
    """A torque on a body.

    `sizes` has k of a drag (1,) [1/s, or 1/rad if it grows with the square of omega], or a constant torque (3,) [N m];
    `sigma` has their standard deviations. `formula` is that of the drag, or says what the torque is constant in.
    `left` is the rms of the changes that it leaves open.
    """

    formula: str
    sizes: Array
    sigma: Array
    left: float

    @property
    def unit(self) -> str:
        """The unit of a drag."""
        return "/rad" if self.formula == QUADRATIC else "/s"


def torque_of(body: RigidBody, states: States, noise: float) -> Torque | None:
    """Return the torque that explains how energy and |L| change in states, or None if neither kind explains it.

    Linear drag is returned if no other torque explains clearly more. `noise` is the relative noise of the rates.
    """
    drags = [
        _fitted(body, states, formula, torque[:, :, None], noise) for formula, torque in _drags(body, states).items()
    ]
    found = sorted((one for one in drags if one is not None), key=lambda one: (one.left, one.formula))
    if found:
        return next((one for one in found if one.formula == LINEAR and CLEARLY * one.left <= found[0].left), found[0])
    axes = np.broadcast_to(np.eye(3), (len(states.time), 3, 3))
    turned = np.swapaxes(rotation_matrix(states.orientation_wxyz), 1, 2)
    constant = [_fitted(body, states, *pair, noise) for pair in (("the body", axes), ("space", turned))]
    return min((one for one in constant if one is not None), key=lambda one: one.left, default=None)


def _fitted(body: RigidBody, states: States, formula: str, torques: Array, noise: float) -> Torque | None:
    """Return the sum of some torques (N, 3, P), each times a size; None if it does not explain the changes."""
    omega, dt = states.omega_body, np.diff(states.time)[:, None]
    L = body.principal_moments * omega
    square, twice = np.sum(L**2, axis=1), np.sum(L * omega, axis=1)
    curves, columns = [], []
    for vectors, size in ((L, square), (omega, twice)):
        curves.append(0.5 * np.log(size / size[0]))
        rate = np.einsum("ni,nip->np", vectors, torques) / size[:, None]
        summed = np.concatenate((np.zeros((1, rate.shape[1])), np.cumsum(0.5 * dt * (rate[1:] + rate[:-1]), axis=0)))
        columns.append(np.column_stack((summed, np.ones(len(omega)))))
    count = columns[0].shape[1] - 1
    system = np.zeros((2 * len(omega), count + 2))
    for number, column in enumerate(columns):
        rows = slice(number * len(omega), (number + 1) * len(omega))
        system[rows, :count], system[rows, count + number] = column[:, :-1], 1.0
    values = np.concatenate(curves)
    sizes, *_ = np.linalg.lstsq(system, values, rcond=None)
    off = (values - system @ sizes).reshape(2, -1)
    left = float(np.sqrt(np.mean(off**2)))
    most = max(10.0 * noise, SAME_CHANGE * max(float(np.ptp(one)) for one in curves))
    if np.abs(off).max() > most or left > MOST_LEFT * float(np.std(curves)):
        return None
    longer = max(alike_rows([one]) for one in off)
    covariance = np.linalg.pinv(system.T @ system) * (left**2 * longer)
    sigma = np.maximum(np.sqrt(np.diag(covariance))[:count], LEAST_SIGMA)
    if (np.abs(sizes[:count]) < LEAST_SIGMAS * sigma).all() or (count == 1 and sizes[0] < 0.0):
        return None
    return Torque(formula, sizes[:count], sigma, left)
