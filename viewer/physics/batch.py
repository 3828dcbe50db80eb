"""Many free bodies at once, compiled: one array per component, which is what the processor likes best."""

from collections.abc import Callable
from functools import cache
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.physics.body import RigidBody
from viewer.physics.fast import compiled
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.rotation import rotate, rotate_back
from viewer.physics.stepping import drifted, drifted_in_runs

Array = NDArray[np.float64]


class Batch:
    """N torque-free bodies, or N starts of one body, that move in equal steps.

    orientation_wxyz (N, 4), omega_body (N, 3) [rad/s] of the start; bodies: one for all, or N. Needs numba, the extra
    `fast`. Errors are ValueErrors naming field, value and what is allowed.
    """

    def __init__(
        self,
        bodies: RigidBody | list[RigidBody],
        orientation_wxyz: ArrayLike,
        omega_body: ArrayLike,
        integrator: str = "exact-drift",
        step: float = 1 / 60,
    ) -> None:
        entry = INTEGRATORS.get(integrator)
        if entry is None or entry.step is None or entry.constants is None:
            allowed = ", ".join(name for name, other in INTEGRATORS.items() if other.step)
            raise ValueError(f"integrator: {integrator!r} is not allowed; allowed are {allowed}")
        if not (isfinite(step) and step > 0.0):
            raise ValueError(f"step: {step:g} s is not allowed; it must be positive and finite")
        q, omega = np.array(orientation_wxyz, dtype=np.float64), np.array(omega_body, dtype=np.float64)
        count = len(omega)
        if (
            q.shape != (count, 4)
            or omega.shape != (count, 3)
            or not (np.isfinite(q).all() and q.any(axis=1).all())
        ):
            raise ValueError(
                f"orientation_wxyz, omega_body: shapes {q.shape}, {omega.shape} or a value do not fit"
            )
        kinds = [bodies] if isinstance(bodies, RigidBody) else list(bodies)
        if len(kinds) not in (1, count):
            raise ValueError(f"bodies: {len(kinds)} is not allowed; allowed is one or {count}")
        for body in kinds:
            refusal = entry.refuses(body.principal_moments.tolist()) if entry.refuses else None
            if refusal:
                raise ValueError(f"integrator: {integrator} {refusal}")
        self._entry, self.step, self.steps = entry, float(step), 0
        self._moments = np.array([body.principal_moments for body in kinds])
        self._unit = np.exp2(np.frexp(self._moments.min(axis=1, keepdims=True))[1])  # as in Simulation
        constants = [entry.constants((j[0], j[1], j[2])) for j in (self._unit / self._moments).tolist()]
        self._constants = np.array(constants)
        q /= np.linalg.norm(q, axis=1, keepdims=True)
        L = self._moments / self._unit * omega
        L = rotate(q, L) if entry.in_space else L
        self._seven = tuple(np.ascontiguousarray(column) for column in (*q.T, *L.T))

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.steps * self.step

    def advance_steps(self, count: int) -> None:
        """Makes `count` steps of every body; what leaves the finite range comes out as inf or nan."""
        if count < 0 and not self._entry.reversible:
            raise ValueError(f"count: {count} is not allowed; {self._entry.name} goes forward only")
        h = self.step if count >= 0 else -self.step
        _runner(self._entry.name, self._constants.shape[1])(*self._seven, h, self._constants, abs(count))
        self.steps += count

    @property
    def orientation_wxyz(self) -> Array:
        """(N, 4)."""
        return np.stack(self._seven[:4], axis=1)

    @property
    def angular_momentum_world(self) -> Array:
        """L (N, 3) in space [kg m2/s]."""
        L = np.stack(self._seven[4:], axis=1) * self._unit
        return L if self._entry.in_space else rotate(self.orientation_wxyz, L)

    @property
    def omega_body(self) -> Array:
        """(N, 3) [rad/s]."""
        L = np.stack(self._seven[4:], axis=1) * self._unit
        L = rotate_back(self.orientation_wxyz, L) if self._entry.in_space else L
        return np.asarray(L / self._moments)

    @property
    def rotational_energy(self) -> Array:
        """(N,) [J]."""
        return np.asarray(0.5 * (self._moments * self.omega_body**2).sum(axis=1))


@cache
def _runner(name: str, width: int) -> Callable[..., None]:
    """(w, x, y, z, lx, ly, lz, h, constants, count): moves the arrays on, body by body."""
    entry = INTEGRATORS[name]
    step = compiled(entry.step)
    drift = compiled(drifted_in_runs if entry.runs else drifted)
    import numba
    from numba.np.unsafe.ndarray import to_fixed_tuple

    def run(
        w: Any, x: Any, y: Any, z: Any, lx: Any, ly: Any, lz: Any, h: float, constants: Any, count: int
    ) -> None:
        for n in range(len(w)):
            c = to_fixed_tuple(constants[n if len(constants) > 1 else 0], width)
            seven = (w[n], x[n], y[n], z[n], lx[n], ly[n], lz[n])
            seven = drift(step, seven, count, h, c)
            w[n], x[n], y[n], z[n], lx[n], ly[n], lz[n] = seven

    jitted: Callable[..., None] = numba.njit(error_model="numpy")(run)
    return jitted
