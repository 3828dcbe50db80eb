"""Several bodies in one state vector behind an `ode(y0, dydt, t0, t1)` slot, after Baraff and Witkin.

Thirteen numbers a body: x (3) [m], q (4, wxyz), P (3) [kg m/s], L (3) [kg m2/s], all in space but q, body to world.
dx/dt = P/M, dq/dt = (0, omega_w) q/2, dP/dt = F, dL/dt = torque. Any solver with the signature of `euler` fits in.
"""

from collections.abc import Callable, Iterable, Sequence
from math import isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.common.errors import brief
from viewer.physics.body import RigidBody
from viewer.physics.loads import Loads, TorqueFunction
from viewer.physics.rotation import multiply, rotate, rotate_back
from viewer.physics.state import State

Array = NDArray[np.float64]
Slope = Callable[[float, Array], Array]
Solver = Callable[[Array, Slope, float, float], Array]

WIDTH = 13


def euler(y0: ArrayLike, dydt: Slope, t0: float, t1: float) -> Array:
    """y at t1 by one step of Euler's method from y0 at t0."""
    y0 = np.asarray(y0, dtype=np.float64)
    return np.asarray(y0 + (t1 - t0) * np.asarray(dydt(t0, y0)))


def rk4(y0: ArrayLike, dydt: Slope, t0: float, t1: float) -> Array:
    """y at t1 by one step of the classical Runge-Kutta method from y0 at t0."""
    y0, h = np.asarray(y0, dtype=np.float64), t1 - t0
    a = np.asarray(dydt(t0, y0))
    b = np.asarray(dydt(t0 + 0.5 * h, y0 + 0.5 * h * a))
    c = np.asarray(dydt(t0 + 0.5 * h, y0 + 0.5 * h * b))
    d = np.asarray(dydt(t1, y0 + h * c))
    return np.asarray(y0 + h / 6.0 * (a + 2.0 * (b + c) + d))


class Bodies:
    """Bodies that move side by side, each under loads of its own, by one `ode` over all their states.

    `loads`: one for each body, none by default. Where a torque begins or ends within a step the solver sees a jump.
    Internal friction has no place in these equations: a ValueError.
    """

    def __init__(
        self,
        bodies: Sequence[RigidBody],
        starts: Sequence[State],
        loads: Sequence[Loads | TorqueFunction] | None = None,
        ode: Solver = rk4,
    ) -> None:
        for name, given in (("bodies", bodies), ("starts", starts), ("loads", () if loads is None else loads)):
            if not isinstance(given, Iterable):
                raise ValueError(f"{name}: {type(given).__name__} is not allowed; allowed is a list, one for each body")
        self.bodies = tuple(bodies)
        self.loads = tuple(map(Loads.of, [None] * len(self.bodies) if loads is None else loads))
        if not len(self.bodies) == len(starts) == len(self.loads) > 0:
            raise ValueError(
                f"bodies, starts, loads: {len(self.bodies)}, {len(starts)} and {len(self.loads)} do not fit;"
                f" allowed are as many of each, at least one"
            )
        for load in self.loads:
            if load.internal_friction:
                raise ValueError(
                    f"loads.internal_friction: {brief(load.internal_friction)} J/s is not allowed here; it must be 0"
                )
        self.ode = ode
        self.time = 0.0
        self._mass = np.array([[body.mass] for body in self.bodies])
        self._moments = np.array([body.principal_moments for body in self.bodies])
        self._force = np.array([load.force for load in self.loads])
        self._arm = np.array([load.arm for load in self.loads])
        self._friction = np.array([[load.external_friction] for load in self.loads])
        self._in_body = np.array([[load.frame == "body"] for load in self.loads])
        self._torque = np.array([load.torque for load in self.loads])
        self._torque_in_body = np.array([[load.torque_frame == "body"] for load in self.loads])
        self._varying = [n for n, load in enumerate(self.loads) if load.varies]
        self._y = np.concatenate([_row(body, start) for body, start in zip(self.bodies, starts, strict=True)])

    def slope(self, t: float, y: Array) -> Array:
        """dY/dt (13 N,) at time t; the orientation comes from a normalised copy of q."""
        rows = y.reshape(-1, WIDTH)
        q, P, L = rows[:, 3:7], rows[:, 7:10], rows[:, 10:]
        unit = q / np.linalg.norm(q, axis=1, keepdims=True)
        omega = rotate(unit, rotate_back(unit, L) / self._moments)
        force = np.where(self._in_body, rotate(unit, self._force), self._force)
        torque = np.where(self._torque_in_body, rotate(unit, self._torque), self._torque)
        torque = torque + np.cross(rotate(unit, self._arm), force)
        for n in self._varying:
            state = State(unit[n], rotate_back(unit[n], omega[n]), rows[n, :3], P[n])
            force[n], torque[n] = self.loads[n].force_at(t, state), self.loads[n].torque_at(t, state)
        torque -= self._friction * omega
        turning = 0.5 * multiply(np.pad(omega, ((0, 0), (1, 0))), q)
        return np.concatenate((P / self._mass, turning, force, torque), axis=1).ravel()

    def advance(self, seconds: float, steps: int = 1) -> None:
        """`steps` calls of `ode` over `seconds` altogether; every q is normalised after each."""
        if not isfinite(seconds) or steps < 1:
            raise ValueError(
                f"seconds, steps: {brief(seconds)} s in {steps} is not allowed; finite, in at least one step"
            )
        begin = self.time
        for n in range(steps):
            t0, t1 = begin + seconds * n / steps, begin + seconds * (n + 1) / steps
            rows = self._result(t0, t1).reshape(-1, WIDTH)
            with np.errstate(all="ignore"):  # what overflows is told below
                sizes = np.linalg.norm(rows[:, 3:7], axis=1, keepdims=True)
                if not sizes.all():
                    raise ValueError("ode: a quaternion of the result is 0; it must have a length")
                rows[:, 3:7] /= sizes
            if not (np.isfinite(rows).all() and np.isfinite(sizes).all()):
                raise ValueError(f"ode: the state diverged between t = {brief(t0, 4)} s and {brief(t1, 4)} s")
            self._y, self.time = rows.ravel(), t1

    def _result(self, t0: float, t1: float) -> Array:
        """A copy of what `ode` gives; ValueError where it does not fit the state."""
        found = self.ode(self._y, self.slope, t0, t1)
        try:
            result = np.array(found, dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError(f"ode: the result is a {type(found).__name__} that holds other than numbers") from None
        if result.shape != self._y.shape:
            raise ValueError(f"ode: the result has shape {result.shape}; it must be {self._y.shape}")
        return result

    @property
    def states(self) -> tuple[State, ...]:
        """The bodies now."""
        found = []
        for moments, row in zip(self._moments, self._y.reshape(-1, WIDTH), strict=True):
            omega = rotate_back(row[3:7], row[10:]) / moments
            found.append(State(row[3:7], omega, row[:3], row[7:10]))
        return tuple(found)


def _row(body: RigidBody, start: State) -> Array:
    L = rotate(start.orientation_wxyz, body.principal_moments * start.omega_body)
    return np.concatenate((start.position, start.orientation_wxyz, start.linear_momentum, L))
