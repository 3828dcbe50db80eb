"""Torques that vary, as the tests know them: shapes in plain numpy, and DOP853 from one edge to the next."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.physics.body import RigidBody
from viewer.physics.rotation import multiply, rotate, rotate_back
from viewer.physics.state import State

Array = NDArray[np.float64]


def followed(
    body: RigidBody,
    start: State,
    torque: Callable[[float, Array, Array], Any],
    seconds: float,
    edges: Sequence[float] = (),
    force: Callable[[float, Array], Any] = lambda t, q: np.zeros(3),
    friction: float = 0.0,
    by_place: Callable[[Array, Array], Any] = lambda position, momentum: np.zeros(3),
) -> tuple[Array, Array, Array, Array]:
    """(orientation, L, position, P in space) after `seconds` by DOP853 at 1e-13, which begins anew at the `edges`.

    torque(t, q, omega in the body), force(t, q), by_place(position, linear momentum), a torque besides: in space.
    """
    from scipy.integrate import solve_ivp

    I = body.principal_moments

    def slope(t: float, y: Array, inside: float) -> Array:
        q, L, P = y[:4] / np.linalg.norm(y[:4]), y[4:7], y[10:]
        omega = rotate_back(q, L) / I
        acting = np.asarray(torque(inside if edges else t, q, omega)) - friction * rotate(q, omega)
        acting = acting + np.asarray(by_place(y[7:10], P))
        pushing = np.asarray(force(inside if edges else t, q))
        return np.concatenate((0.5 * multiply(y[:4], [0.0, *omega]), acting, P / body.mass, pushing))

    L0 = rotate(start.orientation_wxyz, I * start.omega_body)
    y = np.concatenate((start.orientation_wxyz, L0, start.position, start.linear_momentum))
    times = [0.0, *sorted(edge for edge in edges if 0.0 < edge < seconds), seconds]
    for begin, end in pairwise(times):
        inside = 0.5 * (begin + end)  # where nothing but what begins and ends at edges depends on the time
        y = solve_ivp(slope, (begin, end), y, "DOP853", rtol=1e-13, atol=1e-13, args=(inside,)).y[:, -1]
    return y[:4] / np.linalg.norm(y[:4]), y[4:7], y[7:10], y[10:]
