"""Several bodies in one state vector that a solver `ode(y0, dydt, t0, t1)` advances, after Baraff and Witkin.

A body has thirteen numbers: x (3) [m], q (4, wxyz, body to world), P (3) [kg m/s], L (3) [kg m2/s]; x, P and L are in
space. dx/dt = P/M, dq/dt = (0, omega_w) q/2, dP/dt = F, dL/dt = torque. Or it has eighteen, with the nine numbers of
the rotation matrix R, row by row, in place of q: dR/dt = Star(omega_w) R. Any solver with the signature of `euler` will
do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.common.errors import brief
from viewer.physics.body import RigidBody
from viewer.physics.kernels.matrix import polar
from viewer.physics.loads import Loads, TorqueFunction
from viewer.physics.rotation import multiply, rotate, rotate_back, rotation_matrix
from viewer.physics.state import State

Array = NDArray[np.float64]
Slope = Callable[[float, Array], Array]
Solver = Callable[[Array, Slope, float, float], Array]


def euler(y0: ArrayLike, dydt: Slope, t0: float, t1: float) -> Array:
    """Return y at t1 by one step of Euler's method from y0 at t0.

    Parameters
    ----------
    y0 : array_like
        The state at t0.
    dydt : callable
        ``dydt(t, y)``, the slope at a time.
    t0, t1 : float
        The times at which the step begins and ends.

    Returns
    -------
    ndarray
        The state at t1, shaped like y0.

    Examples
    --------
    >>> float(euler([1.0], lambda t, y: y, 0.0, 0.1)[0])
    1.1
    """
    y0 = np.asarray(y0, dtype=np.float64)
    return np.asarray(y0 + (t1 - t0) * np.asarray(dydt(t0, y0)))


def rk4(y0: ArrayLike, dydt: Slope, t0: float, t1: float) -> Array:
    """Return y at t1 by one step of the classical Runge-Kutta method from y0 at t0.

    Parameters
    ----------
    y0 : array_like
        The state at t0.
    dydt : callable
        ``dydt(t, y)``, the slope at a time.
    t0, t1 : float
        The times at which the step begins and ends.

    Returns
    -------
    ndarray
        The state at t1, shaped like y0.

    Examples
    --------
    >>> round(float(rk4([1.0], lambda t, y: y, 0.0, 0.1)[0]), 6)  # e to the 0.1
    1.105171
    """
    y0, h = np.asarray(y0, dtype=np.float64), t1 - t0
    a = np.asarray(dydt(t0, y0))
    b = np.asarray(dydt(t0 + 0.5 * h, y0 + 0.5 * h * a))
    c = np.asarray(dydt(t0 + 0.5 * h, y0 + 0.5 * h * b))
    d = np.asarray(dydt(t1, y0 + h * c))
    return np.asarray(y0 + h / 6.0 * (a + 2.0 * (b + c) + d))


class Bodies:
    """Several bodies that move side by side, each under loads of its own, by one `ode` over all their states.

    If a torque begins or ends within a step, the solver sees a jump. Each q is normalised after a call of `ode`; a
    matrix R is left as it is, so that errors make it cease to be a rotation. Loads that vary are then given the
    rotation nearest to R.

    Parameters
    ----------
    bodies : sequence of RigidBody
        The bodies.
    starts : sequence of State
        The state of each body at t = 0.
    loads : sequence of Loads or callable, optional
        What acts on each body, none by default.
    ode : callable, optional
        ``ode(y0, dydt, t0, t1)``, the solver; `rk4` by default.
    matrix : bool, optional
        Whether the state has the 9 numbers of a rotation matrix for each body in place of a quaternion.

    Raises
    ------
    ValueError
        If the lists differ in length, or a load has internal friction, which has no place in these equations.

    References
    ----------
    D. Baraff and A. Witkin, Physically Based Modeling: Rigid Body Simulation, SIGGRAPH course notes.

    Examples
    --------
    >>> from viewer import Bodies, RigidBody, State
    >>> pair = Bodies([RigidBody.box(1, 1, 0.4, 0.2)] * 2, [State((1, 0, 0, 0), (0, 3, 0))] * 2)
    >>> pair.advance(1.0, steps=100)
    >>> [round(float(state.omega_body[1]), 6) for state in pair.states]
    [3.0, 3.0]
    """

    def __init__(
        self,
        bodies: Sequence[RigidBody],
        starts: Sequence[State],
        loads: Sequence[Loads | TorqueFunction] | None = None,
        ode: Solver = rk4,
        matrix: bool = False,
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
        self.loads = tuple(load.on(body) for load, body in zip(self.loads, self.bodies, strict=True))
        for load in self.loads:
            if load.internal_friction:
                raise ValueError(
                    f"loads.internal_friction: {brief(load.internal_friction)} J/s is not allowed here; it must be 0"
                )
        self.ode, self._matrix = ode, matrix
        self.time = 0.0
        self._mass = np.array([[body.mass] for body in self.bodies])
        self._moments = np.array([body.principal_moments for body in self.bodies])
        self._force = np.array([load.force for load in self.loads])
        self._arm = np.array([load.arm for load in self.loads])
        self._friction = np.array([[load.external_friction] for load in self.loads])
        self._in_body = np.array([[load.frame == "body"] for load in self.loads])
        self._weight = np.array([(0.0, 0.0, -load.weight) for load in self.loads])
        self._centre = np.array([load.centre_of_mass for load in self.loads])
        self._held = np.array([load.held for load in self.loads])
        self._torque = np.array([load.torque for load in self.loads])
        self._torque_in_body = np.array([[load.torque_frame == "body"] for load in self.loads])
        self._varying = [n for n, load in enumerate(self.loads) if load.varies]
        self._y = np.concatenate([self._row(body, start) for body, start in zip(self.bodies, starts, strict=True)])

    def slope(self, t: float, y: Array) -> Array:
        """Return dy/dt; the orientation is that of a normalised copy of q.

        Parameters
        ----------
        t : float
            The time [s].
        y : ndarray
            The state (13 N,), or (18 N,) with matrices.
        """
        x, turned, P, L = self._parts(y)
        R = self._rotations(y)
        omega = _times(R, _times(np.swapaxes(R, 1, 2), L) / self._moments)
        force = np.where(self._in_body, _times(R, self._force), self._force)
        torque = np.where(self._torque_in_body, _times(R, self._torque), self._torque)
        torque = torque + np.cross(_times(R, self._arm), force) + np.cross(_times(R, self._centre), self._weight)
        force = force + self._weight
        for n in self._varying:
            q = self._orientation(turned[n])
            state = State(q, rotate_back(q, omega[n]), x[n], P[n])
            force[n], torque[n] = self.loads[n].force_at(t, state), self.loads[n].torque_at(t, state)
        force[self._held] = 0.0
        torque -= self._friction * omega
        if self._matrix:
            turning = np.cross(omega[:, :, None], R, axis=1).reshape(-1, 9)
        else:
            turning = 0.5 * multiply(np.pad(omega, ((0, 0), (1, 0))), turned)
        return np.concatenate((P / self._mass, turning, force, torque), axis=1).ravel()

    def _parts(self, y: Array) -> tuple[Array, Array, Array, Array]:
        """Return x (N, 3), q (N, 4) or R (N, 9), P and L (N, 3)."""
        x, turned, P, L = np.split(y.reshape(len(self.bodies), -1), (3, -6, -3), axis=1)
        return x, turned, P, L

    def _rotations(self, y: Array) -> Array:
        """Return the matrices R (N, 3, 3): those in the state, or those of its normalised quaternions."""
        turned = self._parts(y)[1]
        if self._matrix:
            return turned.reshape(-1, 3, 3)
        return rotation_matrix(turned / np.linalg.norm(turned, axis=1, keepdims=True))

    def _orientation(self, turned: Array) -> Array:
        """Return the unit quaternion (4,) of a part of the state: of q (4,), or of the rotation nearest to R (9,)."""
        a, b, c, *rest = turned.tolist()
        q = np.array(polar((a, b, c, *rest))[0]) if self._matrix else turned
        return np.asarray(q / np.linalg.norm(q))

    def advance(self, seconds: float, steps: int = 1) -> None:
        """Advance all bodies by calls of `ode`.

        Parameters
        ----------
        seconds : float
            The total time [s] by which the bodies move on; negative to go back in time.
        steps : int, optional
            The number of calls.

        Raises
        ------
        ValueError
            If an argument is not allowed, or the result of `ode` does not fit the state or is not finite.
        """
        if not isfinite(seconds) or steps < 1:
            raise ValueError(
                f"seconds, steps: {brief(seconds)} s in {steps} is not allowed; finite, in at least one step"
            )
        begin = self.time
        for n in range(steps):
            t0, t1 = begin + seconds * n / steps, begin + seconds * (n + 1) / steps
            y = self._result(t0, t1)
            turned = self._parts(y)[1]
            with np.errstate(all="ignore"):  # an overflow is reported below
                sizes = np.linalg.norm(turned, axis=1, keepdims=True)
                if not sizes.all():
                    raise ValueError("ode: a quaternion of the result is 0; it must have a length")
                if not self._matrix:
                    turned /= sizes
            if not (np.isfinite(y).all() and np.isfinite(sizes).all()):
                raise ValueError(f"ode: the state diverged between t = {brief(t0, 4)} s and {brief(t1, 4)} s")
            self._y, self.time = y, t1

    def _result(self, t0: float, t1: float) -> Array:
        """Return a copy of the result of `ode`; raise ValueError if it does not fit the state."""
        found = self.ode(self._y, self.slope, t0, t1)
        try:
            result = np.array(found, dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError(f"ode: the result is a {type(found).__name__} that holds other than numbers") from None
        if result.shape != self._y.shape:
            raise ValueError(f"ode: the result has shape {result.shape}; it must be {self._y.shape}")
        return result

    @property
    def matrices(self) -> Array:
        """The rotation matrices R (N, 3, 3), v_world = R @ v_body; if `matrix` is set, as the steps left them."""
        return self._rotations(self._y).copy()

    @property
    def states(self) -> tuple[State, ...]:
        """The states of the bodies. If `matrix` is set, each has the rotation nearest to its R, and the omega of R."""
        found = []
        for R, moments, x, turned, P, L in zip(self.matrices, self._moments, *self._parts(self._y), strict=True):
            q = self._orientation(turned)
            found.append(State(q, rotate_back(q, R @ (R.T @ L / moments)), x, P))
        return tuple(found)

    def _row(self, body: RigidBody, start: State) -> Array:
        q = start.orientation_wxyz
        L = rotate(q, body.principal_moments * start.omega_body)
        turned = rotation_matrix(q).ravel() if self._matrix else q
        return np.concatenate((start.position, turned, start.linear_momentum, L))


def _times(R: Array, v: Array) -> Array:
    """Return R v for matrices (N, 3, 3) and vectors (N, 3)."""
    return np.asarray((R @ v[..., None])[..., 0])
