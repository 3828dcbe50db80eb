"""The running motion: fixed steps of one integrator under loads, and the energy that it ought to have."""

from math import frexp, hypot, inf, isfinite, ldexp

import numpy as np
from numpy.typing import NDArray

from viewer.physics import kernels
from viewer.physics.body import RigidBody
from viewer.physics.exact import FreeRotation
from viewer.physics.integrators import INTEGRATORS, Integrator
from viewer.physics.kernels import Constants, Seven, Three
from viewer.physics.loads import Loads, kick_in_space, loaded_steps
from viewer.physics.state import State

Array = NDArray[np.float64]

BATCH = 64  # steps between two looks whether the state is still finite
TURN_LARGE = 100.0  # rad a step; told as the reason where the state is no longer finite
STABILISATIONS = ("off",)


class NumericalOverflow(ValueError):
    """An integrator left the finite range; `time` [s] of the last finite state, the `quantity` that left."""

    def __init__(self, label: str, time: float, quantity: str) -> None:
        super().__init__(f"{label} left the finite range at t = {time:.4g} s ({quantity})")
        self.time = time
        self.quantity = quantity


class Simulation:
    """A body that turns from `start` on in steps of `step` [s].

    The result depends on the steps, bit for bit, not on how they were divided into calls. With the integrator "exact"
    there is no error of stepping: the closed form starts anew where loads or solver change. Errors are ValueErrors
    naming field, value and what is allowed.
    """

    def __init__(
        self,
        body: RigidBody,
        start: State,
        integrator: str = "exact-drift",
        step: float = 1 / 60,
        loads: Loads | None = None,
        stabilisation: str = "off",
    ) -> None:
        if stabilisation not in STABILISATIONS:
            raise ValueError(
                f"stabilisation: {stabilisation!r} is unknown; allowed is {', '.join(STABILISATIONS)}"
            )
        self._body = body
        self._loads = Loads() if loads is None else loads
        self._method, self._step = _checked(integrator, step, self._loads)
        # Kernels see moments in a unit of 2^n kg m2 near the least one: products of many J stay in range, exactly.
        self._unit = ldexp(1.0, frexp(float(body.principal_moments.min()))[1])
        moments = [float(value) / self._unit for value in body.principal_moments]
        self._J: Three = (1.0 / moments[0], 1.0 / moments[1], 1.0 / moments[2])
        w, x, y, z = start.orientation_wxyz.tolist()
        bx, by, bz = (moment * rate for moment, rate in zip(moments, start.omega_body.tolist(), strict=True))
        self._seven: Seven = (w, x, y, z, *kernels.to_body(w, -x, -y, -z, bx, by, bz))
        self._target = self._energy(self._seven)
        self._steps = self._steps_before = 0
        self._time_before = 0.0
        self._anchor = start  # the state when loads or solver last changed
        self._state: State | None = None  # what was read since the last step
        self._closed: Seven | None = None
        self._free: FreeRotation | None = None
        self._prepare()

    # -- what can be read, cheaply ------------------------------------------------------------------------------

    @property
    def body(self) -> RigidBody:
        """The body that turns."""
        return self._body

    @property
    def loads(self) -> Loads:
        """What acts on it."""
        return self._loads

    @property
    def integrator(self) -> str:
        """The name of the integrator, a key of INTEGRATORS."""
        return self._method.name

    @property
    def step(self) -> float:
        """The step h [s]."""
        return self._step

    @property
    def steps(self) -> int:
        """Steps made since the start; steps back count negative."""
        return self._steps

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self._time_before + self._elapsed

    @property
    def state(self) -> State:
        """Orientation, angular velocity, place and momentum now."""
        if self._state is None:
            seven = self._now()
            position, momentum = self._moved()
            self._state = State(seven[:4], self._omega(seven), position, momentum)
        return self._state

    @property
    def rotational_energy(self) -> float:
        """The energy of rotation that the body has [J]."""
        return self._energy(self._now()) * self._unit

    @property
    def target_energy(self) -> float:
        """The energy of rotation [J] that it ought to have after what the loads did."""
        return self._target * self._unit

    @property
    def angular_momentum_world(self) -> Array:
        """L (3,) in space [kg m2/s]."""
        return np.array(self._seven[4:]) * self._unit

    @property
    def omega_world(self) -> Array:
        """The angular velocity (3,) in space [rad/s]."""
        seven = self._now()
        w, x, y, z = seven[:4]
        return np.array(kernels.to_body(w, -x, -y, -z, *self._omega(seven)))

    # -- what moves it ------------------------------------------------------------------------------------------

    def advance(self, seconds: float) -> None:
        """Makes the whole number of steps nearest to `seconds`; backward where negative, see `advance_steps`."""
        if not isfinite(seconds):
            raise ValueError(f"seconds: {seconds:g} is not allowed; it must be finite")
        self.advance_steps(round(seconds / self._step))

    def advance_steps(self, count: int) -> None:
        """Makes `count` steps; steps back, where negative, need an integrator that is reversible.

        Raises NumericalOverflow where the state is no longer finite, and stands at the last one that was.
        """
        if count < 0 and not (self._method.reversible and self._loads.internal_friction == 0.0):
            raise ValueError(
                f"count: {count} is not allowed; {self._method.name} under these loads goes forward only"
            )
        if count == 0:
            return
        self._state, self._closed = None, None
        if self._method.step is None:
            self._steps += count
            return
        sign = 1 if count > 0 else -1
        while count:
            batch = min(BATCH, abs(count))
            seven, target = self._stepped(batch, sign)
            if not isfinite(sum(seven) + target):
                self._stop_at_last_finite(sign)
            self._seven, self._target = seven, target
            self._steps += sign * batch
            count -= sign * batch

    def set_loads(self, loads: Loads) -> None:
        """Lets other loads act from now on."""
        if loads != self._loads:
            self._method, self._step = _checked(self._method.name, self._step, loads)
            self._start_anew()
            self._loads = loads
            self._prepare()

    def set_solver(self, integrator: str, step: float) -> None:
        """Goes on from the present state with another integrator or step."""
        method, step = _checked(integrator, step, self._loads)
        if (method, step) != (self._method, self._step):
            self._start_anew()
            self._method, self._step = method, step
            self._prepare()

    # -- inside ---------------------------------------------------------------------------------------------------

    @property
    def _elapsed(self) -> float:
        """Seconds since loads or solver last changed."""
        return (self._steps - self._steps_before) * self._step

    def _start_anew(self) -> None:
        self._seven, self._anchor = self._now(), self.state
        self._time_before, self._steps_before = self.time, self._steps

    def _prepare(self) -> None:
        self._state, self._closed, self._free = None, None, None
        self._constants: Constants = self._method.constants(self._J) if self._method.constants else ()
        self._kicks: dict[int, Constants | None] = {}

    def _stepped(self, count: int, sign: int) -> tuple[Seven, float]:
        """(state, target) after `count` steps; nan where the arithmetic failed."""
        seven, step, h, constants = self._seven, self._method.step, sign * self._step, self._constants
        assert step is not None
        try:
            if self._loads.free:
                for _ in range(count):
                    seven = step(*seven, h, constants)
                return seven, self._target
            if sign not in self._kicks:
                self._kicks[sign] = self._loads.kick_constants(self._J, self._unit, 0.5 * h)
            loss = self._loads.internal_friction / self._unit * self._step
            return loaded_steps(
                step, seven, self._target, count, h, constants, self._kicks[sign], loss, self._J
            )
        except (ArithmeticError, ValueError):  # overflow, division by zero, the root of a negative number
            return seven, float("nan")

    def _stop_at_last_finite(self, sign: int) -> None:
        """Goes on step by step to where the state leaves the finite range, and raises."""
        while True:
            seven, target = self._stepped(1, sign)
            if not isfinite(sum(seven) + target):
                raise NumericalOverflow(self._method.label, self.time, self._what_left(seven, sign))
            self._seven, self._target = seven, target
            self._steps += sign

    def _what_left(self, seven: Seven, sign: int) -> str:
        kicked, kick_constants = self._seven, self._kicks.get(sign)
        if kick_constants is not None:
            kicked, _ = kick_in_space(kicked, 0.0, kick_constants)
        turned = hypot(*self._omega(kicked)) * self._step
        if turned > TURN_LARGE:
            return f"one step turns by {turned:.2g} rad"
        return "angular momentum" if inf in map(abs, seven[4:]) else "orientation"

    def _now(self) -> Seven:
        """The present state; `exact` evaluates the closed form."""
        if self._method.step is not None or self._steps == self._steps_before:
            return self._seven
        if self._closed is None:
            if self._free is None:
                self._free = FreeRotation(self._body, self._anchor)
            state = self._free.at(self._elapsed)
            w, x, y, z = state.orientation_wxyz.tolist()
            self._closed = (w, x, y, z, *self._seven[4:])
        return self._closed

    def _omega(self, seven: Seven) -> Three:
        bx, by, bz = kernels.to_body(*seven)
        return self._J[0] * bx, self._J[1] * by, self._J[2] * bz

    def _energy(self, seven: Seven) -> float:
        bx, by, bz = kernels.to_body(*seven)
        return 0.5 * (self._J[0] * bx * bx + self._J[1] * by * by + self._J[2] * bz * bz)

    def _moved(self) -> tuple[Array, Array]:
        """(position, momentum) of the centre of mass, which the force accelerates steadily; friction does not act."""
        position, momentum = self._anchor.position, self._anchor.momentum
        t, force = self._elapsed, np.array(self._loads.force)
        return position + (momentum + 0.5 * t * force) * (t / self._body.mass), momentum + t * force


def _checked(integrator: str, step: float, loads: Loads) -> tuple[Integrator, float]:
    if integrator not in INTEGRATORS:
        raise ValueError(
            f"solver.integrator: {integrator!r} is unknown; allowed are {', '.join(INTEGRATORS)}"
        )
    method, step = INTEGRATORS[integrator], float(step)
    if not (isfinite(step) and step > 0.0):
        raise ValueError(f"solver.step: {step:g} s is not allowed; it must be positive and finite")
    if method.torque_free_only and not loads.free:
        raise ValueError(
            f"solver.integrator: {integrator} is torque-free; take away force and friction or choose another"
        )
    return method, step
