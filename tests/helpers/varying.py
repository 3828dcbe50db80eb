"""Torques that vary, as the tests know them: shapes in plain numpy, the loads that mean the same, and DOP853 from one
edge to the next."""

import functools
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.physics.body import RigidBody
from viewer.physics.loads import Loads, Thruster, TorquePiece
from viewer.physics.rotation import multiply, rotate, rotate_back
from viewer.physics.state import State

Array = NDArray[np.float64]

BODY = RigidBody.from_moments((1, 2, 2.5), mass=4)
START = State((0.8, 0.2, -0.4, 0.4), (1, 0.7, 1.1), position=(1, 2, 3), linear_momentum=(0.1, 0, -0.2))
A, POINT, THRUST, WEIGHT = (np.array(v) for v in ((0.3, -0.5, 0.4), (0.2, 0.5, -0.3), (0.6, -1, 0.8), (0.2, 0.1, -0.3)))
BURNS = (0.33, 1.27, 2.71)
PULSES = [0.1 + 0.73 * n + late for n in range(5) for late in (0, 0.31) if 0.1 + 0.73 * n + late < 3.3]


def followed(
    body: RigidBody,
    start: State,
    torque: Callable[[float, Array, Array], Any],
    seconds: float,
    edges: Sequence[float] = (),
    force: Callable[[float, Array], Any] = lambda t, q: np.zeros(3),
    friction: float = 0.0,
    by_place: Callable[[Array, Array], Any] = lambda position, momentum: np.zeros(3),
    pushes: Callable[[float, State], Any] = lambda t, state: np.zeros(3),
) -> tuple[Array, Array, Array, Array]:
    """(orientation, L, position, P in space) after `seconds` by DOP853 at 1e-13, which begins anew at the `edges`.

    torque(t, q, omega in the body), force(t, q), by_place(position, linear momentum), a torque besides: in space.
    pushes(t, state): a force besides.
    """
    from scipy.integrate import solve_ivp

    I = body.principal_moments

    def slope(t: float, y: Array, inside: float) -> Array:
        q, L, P = y[:4] / np.linalg.norm(y[:4]), y[4:7], y[10:]
        omega = rotate_back(q, L) / I
        acting = np.asarray(torque(inside if edges else t, q, omega)) - friction * rotate(q, omega)
        acting = acting + np.asarray(by_place(y[7:10], P))
        pushing = np.asarray(force(inside if edges else t, q)) + np.asarray(pushes(t, State(q, omega, y[7:10], P)))
        return np.concatenate((0.5 * multiply(y[:4], [0.0, *omega]), acting, P / body.mass, pushing))

    L0 = rotate(start.orientation_wxyz, I * start.omega_body)
    y = np.concatenate((start.orientation_wxyz, L0, start.position, start.linear_momentum))
    times = [0.0, *sorted(edge for edge in edges if 0.0 < edge < seconds), seconds]
    for begin, end in pairwise(times):
        inside = 0.5 * (begin + end)  # where nothing but what begins and ends at edges depends on the time
        y = solve_ivp(slope, (begin, end), y, "DOP853", rtol=1e-13, atol=1e-13, args=(inside,)).y[:, -1]
    return y[:4] / np.linalg.norm(y[:4]), y[4:7], y[7:10], y[10:]


def no_force(t, q):
    return np.zeros(3)


def sine(t, q, omega):
    return A * np.sin(0.8 * np.pi * t)


def pulses(t, q, omega):
    return rotate(q, A) * (0.1 < t < 3.3 and (t - 0.1) % 0.73 < 0.31)


def burning(t):
    return BURNS[0] < t < BURNS[1] or t > BURNS[2]


def thruster(t, q, omega):
    return rotate(q, np.cross(POINT, THRUST)) * burning(t)


def thrust(t, q):
    return rotate(q, THRUST) * burning(t) + WEIGHT


def damping(t, q, omega):
    return rotate(q, -np.array((0.1, 0.2, 0.3)) * omega) + 0.2 * np.array((np.cos(t), np.sin(2 * t), 0.5))


def gravity_gradient(t, q, omega):
    down = rotate_back(q, np.array((np.cos(0.3 * t), np.sin(0.3 * t), 0)))
    return rotate(q, 1.5 * np.cross(down, BODY.principal_moments * down))


def function_of(torque):
    return lambda t, state: torque(t, state.orientation_wxyz, state.omega_body)


CASES = {
    "sine": (
        Loads(torque_of_time=(TorquePiece("sine", tuple(A), frequency=0.4),), external_friction=0.1), sine, (),
        no_force,
    ),
    "pulse train": (
        Loads(torque_of_time=(
            TorquePiece("pulse-train", tuple(A), "body", period=0.73, width=0.31, start=0.1, end=3.3),
        )), pulses, [*PULSES, 3.3], no_force,
    ),
    "thruster": (
        Loads(force=tuple(WEIGHT), thrusters=(Thruster(tuple(POINT), tuple(THRUST), BURNS),)), thruster, BURNS, thrust,
    ),
    "damping": (Loads(torque_function=function_of(damping), external_friction=0.1), damping, (), no_force),
    "gravity gradient": (Loads(torque_function=function_of(gravity_gradient)), gravity_gradient, (), no_force),
}  # fmt: skip


@functools.cache
def wanted(case):
    loads, torque, edges, force = CASES[case]
    return followed(BODY, START, torque, 4.0, tuple(edges), force, loads.external_friction)
