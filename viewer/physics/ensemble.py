"""Many bodies at once in compiled code, with one array for each component, which suits the processor best."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.physics.body import RigidBody
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.kernels.exact_drift import NO_CURVE, curve_through
from viewer.physics.loads import Loads
from viewer.physics.rotation import rotate, rotate_back
from viewer.physics.stepping.compiled import MachineCode
from viewer.physics.stepping.projection import GradientSettings
from viewer.physics.stepping.stepper import Stepper, checked

Array = NDArray[np.float64]


class Ensemble:
    """N bodies, or N starts of one body, that move in equal steps under the same loads.

    `orientation_wxyz` (N, 4) and `omega_body` (N, 3) [rad/s] are those of the start; `bodies` is one body for all, or a
    list of N. The other arguments are as in `Simulation`. Needs numba, the extra `fast`. Errors are ValueErrors that
    name the field, the value and what is allowed.
    """

    def __init__(
        self,
        bodies: RigidBody | list[RigidBody],
        orientation_wxyz: ArrayLike,
        omega_body: ArrayLike,
        integrator: str = "exact-drift",
        step: float = 1 / 60,
        loads: Loads | None = None,
        stabilisation: str = "off",
        gradient: GradientSettings | None = None,
    ) -> None:
        entry = INTEGRATORS.get(integrator)
        if entry is None or entry.step is None or entry.matrix:
            allowed = ", ".join(name for name, other in INTEGRATORS.items() if other.step and not other.matrix)
            raise ValueError(f"integrator: {integrator!r} is not allowed; allowed are {allowed}")
        q, omega = np.array(orientation_wxyz, dtype=np.float64), np.array(omega_body, dtype=np.float64)
        count = len(omega)
        fit = q.shape == (count, 4) and omega.shape == (count, 3)
        if not (fit and np.isfinite(q).all() and np.isfinite(omega).all() and q.any(axis=1).all()):
            raise ValueError(f"orientation_wxyz, omega_body: shapes {q.shape}, {omega.shape} or a value do not fit")
        kinds = [bodies] if isinstance(bodies, RigidBody) else list(bodies)
        if len(kinds) not in (1, count):
            raise ValueError(f"bodies: {len(kinds)} is not allowed; allowed is one or {count}")
        loads, constants = loads or Loads(), (gradient or GradientSettings()).constants
        if loads.varies:
            raise ValueError(
                "loads: a torque of time, thrusters and functions are not allowed here; allowed is what stays"
            )
        acting = [loads.on(body) for body in kinds]
        for body, own in zip(kinds, acting, strict=True):
            checked(body, integrator, step, own, stabilisation)
            if own.only_weight and stabilisation != "off":
                raise ValueError(
                    f"stabilisation: {stabilisation} is not allowed for bodies about a pivot here; allowed is off"
                )
        self._entry, self.step, self.steps = entry, float(step), 0
        self._moments = np.array([body.principal_moments for body in kinds])
        self._unit = np.exp2(np.frexp(self._moments.min(axis=1, keepdims=True))[1])  # as in Simulation
        self._steppers = [
            Stepper(entry, self.step, own, stabilisation, constants, (j[0], j[1], j[2]), unit, fast=True)
            for own, j, (unit,) in zip(acting, (self._unit / self._moments).tolist(), self._unit.tolist(), strict=True)
        ]
        q /= np.linalg.norm(q, axis=1, keepdims=True)
        L_b = self._moments / self._unit * omega
        L = rotate(q, L_b) if entry.in_space else L_b
        self._seven = tuple(np.ascontiguousarray(column) for column in (*q.T, *L.T))
        inverses = np.broadcast_to(self._unit / self._moments, (count, 3)).tolist()
        self._curves = np.array(
            [curve_through(*momentum, *j) for momentum, j in zip(L_b.tolist(), inverses, strict=True)]
        )
        energy, fraction = 0.5 * (L_b * omega).sum(axis=1), np.full(count, constants[0])
        self._targets = (energy, np.linalg.norm(L_b, axis=1), fraction)

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.steps * self.step

    def advance_steps(self, count: int) -> None:
        """Make `count` steps of every body; the numbers of a body that diverges become inf or nan."""
        if count < 0 and self._steppers[0].irreversible:
            raise ValueError(f"count: {count} is not allowed; {self._steppers[0].irreversible}")
        prepared = [stepper.prepared(1 if count >= 0 else -1) for stepper in self._steppers]
        rows = np.array([list(_numbers(rest)) for _, rest in prepared])
        steps, rest = prepared[0]
        last = self._steppers[0].held(NO_CURVE, self.steps, 1 if count >= 0 else -1)
        run = _runner(steps, _expression(rest, iter(range(rows.shape[1]))), bool(last))
        run(*self._seven, *self._targets, rows, self._curves, last[-1] if last else 0, abs(count))
        self.steps += count

    @property
    def orientation_wxyz(self) -> Array:
        """The orientations (N, 4), quaternions from body to world."""
        return np.stack(self._seven[:4], axis=1)

    @property
    def angular_momentum_world(self) -> Array:
        """L (N, 3) in space [kg m2/s]."""
        L = np.stack(self._seven[4:], axis=1) * self._unit
        return L if self._entry.in_space else rotate(self.orientation_wxyz, L)

    @property
    def omega_body(self) -> Array:
        """The angular velocities (N, 3) in body axes [rad/s]."""
        L = np.stack(self._seven[4:], axis=1) * self._unit
        L = rotate_back(self.orientation_wxyz, L) if self._entry.in_space else L
        return np.asarray(L / self._moments)

    @property
    def rotational_energy(self) -> Array:
        """The energies of rotation (N,) [J]."""
        return np.asarray(0.5 * (self._moments * self.omega_body**2).sum(axis=1))

    @property
    def target_energy(self) -> Array:
        """The target energy (N,) [J], which follows the work of the loads in each step."""
        return np.asarray(self._targets[0] * self._unit[:, 0])


def _numbers(rest: Any) -> Iterator[float]:
    """Yield the floats in nested tuples, one after the other."""
    for value in rest:
        if isinstance(value, float):
            yield value
        elif isinstance(value, tuple):
            yield from _numbers(value)


def _expression(rest: Any, columns: Iterator[int]) -> str:
    """Return nested tuples as Python text in which each float is `row[n]`; other values are written out.

    `columns` yields the next n.
    """
    if isinstance(rest, tuple):
        return "(" + "".join(_expression(value, columns) + ", " for value in rest) + ")"
    return f"row[{next(columns)}]" if isinstance(rest, float) else repr(rest)


@cache
def _runner(steps: MachineCode, rest: str, held: bool) -> Callable[..., None]:
    """Return a compiled function that advances the arrays of many bodies, body by body.

    The function takes seven arrays of the state, three of the targets, rows of constants, curves (N, 4), `to_go` and
    the number of steps. `rest` is Python text for the constants that `steps` takes. `held` says whether `steps` also
    takes a curve and `to_go`, which are explained at `exact_drift_steps`.
    """
    import numba

    last = "(curve[0], curve[1], curve[2], curve[3]), to_go" if held else ""
    call = f"lambda seven, targets, count, row, curve, to_go: steps(seven, targets, count, {rest[1:-1]}{last})"
    steps_of = numba.njit(error_model="numpy")(eval(call, {"steps": steps.dispatcher}))

    def run(
        w: Any, x: Any, y: Any, z: Any, lx: Any, ly: Any, lz: Any, energy: Any, size: Any, fraction: Any, rows: Any,
        curves: Any, to_go: int, count: int,
    ) -> None:  # fmt: skip
        for n in range(len(w)):
            seven, targets = steps_of(
                (w[n], x[n], y[n], z[n], lx[n], ly[n], lz[n]), (energy[n], size[n], fraction[n]), count,
                rows[n if len(rows) > 1 else 0], curves[n], to_go,
            )  # fmt: skip
            w[n], x[n], y[n], z[n], lx[n], ly[n], lz[n] = seven
            energy[n], size[n], fraction[n] = targets

    jitted: Callable[..., None] = numba.njit(error_model="numpy")(run)
    return jitted
