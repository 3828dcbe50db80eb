"""A motion in fixed steps of one integrator under loads, and the targets of its energy and of |L|."""

from __future__ import annotations

from copy import copy
from math import hypot, inf, isfinite
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.common.errors import Wording, refusal
from viewer.physics.body import RigidBody
from viewer.physics.centre_of_mass import CentreOfMass, turn
from viewer.physics.exact.free_rotation import ClosedForm, FreeRotation
from viewer.physics.exact.lagrange_top import LagrangeTop
from viewer.physics.integrators import Integrator
from viewer.physics.kept import Kept
from viewer.physics.kernels.exact_drift import NO_CURVE, curve_through
from viewer.physics.kernels.quaternion import Moving, to_body
from viewer.physics.loads import Loads, TorqueFunction
from viewer.physics.state import AT_REST, NO_STRETCH, Sample, State
from viewer.physics.stepping.coupled_steps import Coordinates, CoupledSteps, Moved
from viewer.physics.stepping.kicks import Place, Targets, apply_impulse, clamp_energy
from viewer.physics.stepping.projection import GradientSettings
from viewer.physics.stepping.stepper import Stepper, TimeTooLate, checked, turn_between
from viewer.physics.torque_of_time import one

Array = NDArray[np.float64]

AT_CAP = 1e-12  # relative: round-off of an omega at its cap
BATCH, BATCH_FAST = 64, 16384  # steps between two checks whether the state is still finite


class NextStep(NamedTuple):
    """L_b and omega after the next step; each is a pair: without the stabilisation of the step, and with it.

    `momentum_body` is L_b (3,) [kg m2/s], `omega_world` is omega (3,) in space [rad/s].
    """

    momentum_body: tuple[Array, Array]
    omega_world: tuple[Array, Array]


class SteppedBody:
    """A body that moves step by step, forward and back; the arguments are those of `Simulation`."""

    def __init__(
        self,
        body: RigidBody,
        start: State,
        integrator: str = "exact-drift",
        step: float = 1 / 60,
        loads: Loads | TorqueFunction | None = None,
        stabilisation: str = "off",
        gradient: GradientSettings | None = None,
        fast: bool = False,
        drift_angle: float | None = None,
        largest_omega: float = inf,
    ) -> None:
        self._body = body
        self._loads = Loads.of(loads).on(body)
        self._method, self._step = checked(body, integrator, step, self._loads, stabilisation)
        self._stabilisation, self._fast, self._drift_angle = stabilisation, fast, drift_angle
        if drift_angle is not None and not 0.0 < drift_angle <= 1.0:
            raise refusal("drift_angle: {drift_angle:g} rad is outside 0 to 1 rad", drift_angle=drift_angle)
        self._gradient = gradient or GradientSettings()
        self._largest_omega = _checked_cap(largest_omega, self._method)
        self._floats = Coordinates.of(body, self._method)
        self.restart(start)
        self._prepare()

    def restart(self, start: State) -> None:
        """Begin anew at time 0 in another state, with loads and solver as they are.

        Parameters
        ----------
        start : State
            The state at t = 0.
        """
        if self._loads.held and start.linear_momentum.any():
            raise refusal(
                "start.linear_velocity: {speed:g} m/s is not allowed for a body that turns about a pivot; it must be 0",
                speed=float(np.linalg.norm(start.linear_momentum)) / self._body.mass,
            )
        w, x, y, z = start.orientation_wxyz.tolist()
        momentum = self._floats.momentum_of(start)
        self._seven: Moving = self._floats.at((w, x, y, z), momentum)
        self._targets: Targets = (self._floats.energy(self._seven), hypot(*momentum), self._gradient.i_0)
        self._steps = self._steps_before = 0
        self._time_before = 0.0
        self._kept = Kept.of(self._body, self._loads, start)
        self._anchor_at(start)

    def _anchor_at(self, state: State) -> None:
        """Let the motion of the centre of mass and the closed form begin at this state, under the present loads."""
        self._centre = CentreOfMass(state.position, state.linear_momentum, self._loads, self._body.mass)
        self._state: State | None = None  # what was read since the last step
        self._closed_form = ClosedForm(self._body, state, self._loads)
        self._curve = curve_through(*self._floats.momentum_of(state), *self._floats.J)  # of L_b while nothing acts

    # -- what can be read, cheaply ------------------------------------------------------------------------------

    @property
    def body(self) -> RigidBody:
        """The body that turns."""
        return self._body

    @property
    def loads(self) -> Loads:
        """The loads that act on the body."""
        return self._loads

    @property
    def integrator(self) -> str:
        """The name of the integrator, a key of INTEGRATORS."""
        return self._method.name

    @property
    def stabilisation(self) -> str:
        """How the body is projected to its targets: a key of STABILISATIONS."""
        return self._stabilisation

    @property
    def gradient(self) -> GradientSettings:
        """The constants of the stabilisation "gradient"."""
        return self._gradient

    @property
    def gradient_fraction(self) -> float:
        """The fraction i_c of the error of the energy that the last step of the stabilisation "gradient" took back."""
        return self._targets[2]

    @property
    def largest_omega(self) -> float:
        """The cap on |omega| [rad/s]; inf if there is none."""
        return self._largest_omega

    @property
    def at_cap(self) -> bool:
        """Whether |omega| is at the cap `largest_omega` now."""
        return hypot(*self._floats.omega_body(self._now())) >= self._largest_omega * (1.0 - AT_CAP)

    @property
    def step(self) -> float:
        """The step h [s]."""
        return self._step

    @property
    def steps(self) -> int:
        """The number of steps since the start; steps back count negative."""
        return self._steps

    @property
    def time(self) -> float:
        """The simulated time [s]."""
        return self._time_before + self._elapsed

    @property
    def state(self) -> State:
        """The state now: orientation, angular velocity, position and linear momentum."""
        if self._state is None:
            seven = self._now()
            self._state = State(seven[:4], self._floats.omega_body(seven), *self._centre.after(self._elapsed))
        return self._state

    @property
    def rotational_energy(self) -> float:
        """The energy of rotation of the present state [J]."""
        return self._floats.energy(self._now()) * self._floats.unit

    @property
    def kept(self) -> Kept | None:
        """What the weight alone keeps of a body about a pivot; None if it does not act alone, or there is no pivot."""
        return self._kept

    @property
    def target_momentum(self) -> float:
        """The value that |L| should have [kg m2/s]: loads change it, errors do not.

        Momentum schemes make no error in |L|, so that for them it is |L| itself; so it is if the weight acts alone.
        """
        if self._method.in_space:
            return hypot(*self._floats.momentum_world(self._now())) * self._floats.unit
        return self._targets_now()[1] * self._floats.unit

    @property
    def target_energy(self) -> float:
        """The value that the energy of rotation should have [J]: loads change it, errors do not.

        If the weight alone acts on a body about a pivot, it is what E + V leaves at the present height, or the nearest
        energy that a body of the present |L| can have.
        """
        return self._targets_now()[0] * self._floats.unit

    @property
    def angular_momentum_world(self) -> Array:
        """The angular momentum L (3,) in space [kg m2/s]."""
        return np.array(self._floats.momentum_world(self._now())) * self._floats.unit

    @property
    def stretch(self) -> Array | None:
        """The six numbers of the stretch S in the integrator's matrix R = Q S; None if it keeps no matrix.

        See `kernels.matrix`.
        """
        return np.array(self._seven[7:]) if self._method.matrix else None

    @property
    def omega_body(self) -> Array:
        """The angular velocity (3,) in the body frame [rad/s]."""
        return np.array(self._floats.omega_body(self._now()))

    @property
    def omega_world(self) -> Array:
        """The angular velocity (3,) in space [rad/s]."""
        return self._floats.omega_world(self._now())

    # -- going back to where it was, and on from there -----------------------------------------------------------

    @property
    def irreversible(self) -> str | None:
        """The reason why steps back would not undo steps; None if they do, to round-off."""
        if self._loads.external_friction and not any(self._seven[4:7]):
            return str(Wording("friction has brought the body to rest and leaves nothing to go back by"))
        if self._largest_omega < inf:
            return str(Wording("the cap on ω takes away what a step back would need"))
        if self._is_brought_back:
            return str(Wording("the stabilisation forgets the errors that it takes away"))
        return self._stepper.irreversible

    def copy(self) -> Self:
        """Return another simulation in the same state; later changes of one do not affect the other."""
        return copy(self)  # everything that it holds is replaced, never changed

    def sample(self) -> Sample:
        """Return all that moves now. `resume` can go on from it, bit for bit."""
        seven = self._now()
        return Sample(
            self._steps, self.time, seven[:4], seven[4:7], self._method.in_space, *self._targets_now(),
            *self._centre.after(self._elapsed),
            turn_between(self._next_two()),
            seven[7:] or NO_STRETCH,
        )  # fmt: skip

    def _check_time(self, motion: FreeRotation | LagrangeTop, late: float) -> None:
        """Raise NumericalOverflow if the closed form cannot reach the time `late` [s] after its start."""
        if abs(late) > motion.latest:
            raise TimeTooLate(self._method.label, self.time, motion.latest)

    def resume(self, sample: Sample) -> None:
        """Return to the step at which a sample was taken; loads and solver must be the same as then.

        Parameters
        ----------
        sample : Sample
            The result of `sample` at that step.
        """
        self._state, self._steps = None, sample.steps
        self._targets = (sample.target_energy, sample.target_norm, sample.gradient_fraction)
        if self._centre.thrust:
            self._centre = self._centre.placed(np.array(sample.position), np.array(sample.linear_momentum))
        if self._method.step is not None:
            self._seven = (*sample.orientation_wxyz, *sample.angular_momentum)
            if self._method.matrix:
                self._seven = (*self._seven, *sample.stretch)

    @property
    def dense(self) -> bool:
        """Whether the state between two steps is known."""
        return self._method.step is None or (self._stepper.dense and self._largest_omega == inf)

    def ahead(self, fraction: float) -> Self:
        """Return a copy that is a fraction of a step ahead.

        Parameters
        ----------
        fraction : float
            The fraction, -1..1.

        Returns
        -------
        Simulation
            The copy; the simulation itself if the state between two steps is not known, or if the copy diverges.
        """
        if not self.dense or fraction == 0.0:
            return self
        later = self.copy()
        if self._centre.thrust and self._method.step is None:
            later._centre = self._thrust_on(fraction, 1)
        elif self._centre.thrust:
            later._centre = self._coupled.centre_ahead(self._moved, fraction)
        later._state, later._steps = None, self._steps + fraction  # type: ignore[assignment]
        if self._method.step is not None:
            later._seven, _ = self._stepper.steps(self._seven, self._targets, 1, fraction)
        return later if isfinite(sum(later._seven)) else self

    def next_step(self) -> NextStep | None:
        """Return what the next step leads to; None if there is no stabilisation or no finite step."""
        both = self._next_two()
        if both is None:
            return None
        plain, projected = (np.array(self._floats.momentum_body(seven)) * self._floats.unit for seven in both)
        return NextStep((plain, projected), (self._floats.omega_world(both[0]), self._floats.omega_world(both[1])))

    # -- what moves it ------------------------------------------------------------------------------------------

    def advance(self, seconds: float) -> None:
        """Make the whole number of steps nearest to a time.

        Parameters
        ----------
        seconds : float
            The time [s]; negative to go back, see `advance_steps`.

        Raises
        ------
        ValueError
            If the time is not finite, or as in `advance_steps`.
        """
        if not isfinite(seconds):
            raise refusal("seconds: {seconds:g} is not allowed; it must be finite", seconds=seconds)
        self.advance_steps(round(seconds / self._step))

    def advance_steps(self, count: int) -> None:
        """Make steps, forward or back.

        Parameters
        ----------
        count : int
            The number of steps; negative for steps back, which need a reversible integrator.

        Raises
        ------
        ValueError
            If steps back would not undo steps.
        NumericalOverflow
            If the state is no longer finite; the simulation then stands at the last finite state.
        """
        if count < 0 and self.irreversible:
            raise refusal("count: {count} is not allowed; {irreversible}", count=count, irreversible=self.irreversible)
        if count == 0:
            return
        self._state = None
        sign = 1 if count > 0 else -1
        if self._method.step is None:
            self._check_time(self._closed_form.motion, self._elapsed + count * self._step)
            if self._centre.thrust:
                self._centre = self._thrust_on(sign, abs(count))
            self._steps += count
            return
        if self._loads.varies:
            for _ in range(abs(count)):
                moved = self._coupled.by_parts(self._moved, self.time, self._time_before, sign)
                self._seven, self._targets, self._centre = self._capped(moved.rotation), moved.targets, moved.centre
                self._steps += sign
            return
        while count:
            batch, curve = min(BATCH_FAST if self._fast else BATCH, abs(count)), self._curve
            if self._largest_omega < inf or self._is_brought_back:
                batch, curve = 1, NO_CURVE
            elif self._centre.thrust:
                batch = 1
            seven, targets = self._stepper.steps(self._seven, self._targets, batch, sign, curve, self._steps)
            if not isfinite(sum(seven) + sum(targets)):
                self._stop_at_last_finite(sign)
            self._keep(seven, targets, sign)
            self._steps += sign * batch
            count -= sign * batch

    def request_compilation(self) -> None:
        """Switch to compiled code that makes the same steps, bit for bit; if there is none yet, have it compiled.

        A thread in the background compiles it, once. Without numba nothing changes.
        """
        self._stepper.request_compilation()

    def change(
        self,
        *,
        loads: Loads | TorqueFunction | None = None,
        integrator: str | None = None,
        step: float | None = None,
        stabilisation: str | None = None,
        gradient: GradientSettings | None = None,
        largest_omega: float | None = None,
    ) -> None:
        """Go on from the present state with other loads or another solver.

        Another stabilisation makes the fraction i_c of the gradient method begin anew. With other `gradient`
        constants, i_c goes on, but is at least their i_0. If an error is raised, nothing has changed.

        Parameters
        ----------
        loads, integrator, step, stabilisation, gradient, largest_omega : optional
            As in `Simulation`; None keeps the present value.

        Raises
        ------
        ValueError
            If the arguments do not fit each other or the body.
        """
        loads = self._loads if loads is None else Loads.of(loads).on(self._body)
        stabilisation = self._stabilisation if stabilisation is None else stabilisation
        name, step = integrator or self._method.name, self._step if step is None else step
        method, step = checked(self._body, name, step, loads, stabilisation)
        new = loads, method, step, stabilisation, self._gradient if gradient is None else gradient
        cap = _checked_cap(self._largest_omega if largest_omega is None else largest_omega, method)
        now = self._loads, self._method, self._step, self._stabilisation, self._gradient
        if (*new, cap) == (*now, self._largest_omega):
            return
        w, x, y, z, *_ = seven = self._now()
        momentum, anchor, linear = self._floats.momentum_body(seven), self.state, self._centre.after(self._elapsed)
        energy, size, fraction = self._targets_now()
        if self._method.in_space:
            size = hypot(*momentum)
        elif method.in_space:  # there is no error in |L| from now on
            energy = clamp_energy(energy, hypot(*momentum) ** 2, self._floats.J)
        least = new[-1].i_0
        fraction = least if stabilisation != self._stabilisation else max(fraction, least)
        self._time_before, self._steps_before = self.time, self._steps
        same_frame, stretch = method.in_space and self._method.in_space, self._seven[7:]
        self._loads, self._method, self._step, self._stabilisation, self._gradient = new
        self._largest_omega = cap
        self._floats = Coordinates.of(self._body, method)
        if loads != now[0]:
            self._kept = Kept.of(self._body, loads, anchor)
        in_frame = self._floats.at((w, x, y, z), momentum)
        self._seven = (w, x, y, z, *seven[4:7], *in_frame[7:]) if same_frame else in_frame
        if stretch and method.matrix:
            self._seven = (*self._seven[:7], *stretch)
        elif stretch:  # the rotation nearest to the matrix takes its place from now on
            anchor = State(self._seven[:4], self._floats.omega_body(self._seven), *linear)
        self._targets = (energy, size, fraction)
        self._anchor_at(anchor)
        self._prepare()

    def kick(self, angular_impulse_body: ArrayLike) -> None:
        """Change L now by an angular impulse; the orientation does not change.

        The targets follow. A step back does not undo the impulse. If an error is raised, nothing has changed.

        Parameters
        ----------
        angular_impulse_body : array_like
            The impulse (3,) [N m s] along the body axes.

        Raises
        ------
        ValueError
            If the impulse is not three finite numbers, or L would no longer be finite.
        """
        impulse = np.asarray(angular_impulse_body, dtype=np.float64)
        if impulse.shape == (3,) and np.isfinite(impulse).all():
            x, y, z = (float(part) / self._floats.unit for part in impulse.tolist())
            now = self._now()
            seven, targets = apply_impulse(
                now[:7], self._targets_now(), (x, y, z), self._floats.J, self._method.in_space
            )
            seven = (*seven, *now[7:])
            if isfinite(sum(seven) + sum(targets)):
                anchor = State(seven[:4], self._floats.omega_body(seven), *self._centre.after(self._elapsed))
                self._time_before, self._steps_before = self.time, self._steps
                self._seven, self._targets = seven, targets
                self._kept = Kept.of(self._body, self._loads, anchor)
                self._anchor_at(anchor)
                return
        raise refusal(
            "angular_impulse_body: {value} N m s is not allowed; it must be 3 numbers, and L stay finite",
            value=impulse.tolist(),
        )

    # -- inside ---------------------------------------------------------------------------------------------------

    @property
    def _elapsed(self) -> float:
        """The time [s] since loads or solver last changed."""
        return (self._steps - self._steps_before) * self._step

    def _prepare(self) -> None:
        """Prepare for steps with these loads and this solver."""
        self._stepper = Stepper(
            self._method, self._step, self._loads, "off" if self._is_brought_back else self._stabilisation,
            self._gradient.constants, self._floats.J, self._floats.unit, self._fast, self._drift_angle,
        )  # fmt: skip
        self._coupled = CoupledSteps(self._stepper, self._floats, self._loads, self._step)

    @property
    def _moved(self) -> Moved:
        return Moved(self._seven, self._targets, self._centre)

    @property
    def _foreseen(self) -> Place:
        """A function from a time [s] in the next step to position and linear momentum of the centre of mass."""
        return self._coupled.foreseen(self._moved, self.time, self._time_before)

    @property
    def _is_brought_back(self) -> bool:
        """Whether each step is followed by one to the nearest state that has what the weight keeps."""
        return self._kept is not None and self._stabilisation != "off"

    def _brought_back(self, seven: Moving) -> Moving:
        """Return the nearest state that has what the weight keeps."""
        assert self._kept is not None
        (x, y, z), unit = self._floats.momentum_world(seven), self._floats.unit
        q, (x, y, z) = self._kept.nearest(seven[:4], (x * unit, y * unit, z * unit))
        return self._floats.at(q, to_body(*q, x / unit, y / unit, z / unit))

    def _next_two(self) -> tuple[Moving, Moving] | None:
        """Return the floats after the next step, without and with its stabilisation; None as in `next_step`."""
        if not self._is_brought_back:
            return self._stepper.next_step(self._seven, self._targets, self.time, self._foreseen)
        plain, _ = self._stepper.steps(self._seven, self._targets, 1, 1)
        return (plain, self._brought_back(plain)) if isfinite(sum(plain)) else None

    def _keep(self, seven: Moving, targets: Targets, sign: int) -> None:
        """Take over the result of one step, or of several steps if no force turns with the body or is a function."""
        if self._is_brought_back:
            seven = self._brought_back(seven)
        if self._centre.thrust:
            self._centre = self._coupled.centre_after(self._moved, seven, sign)
        self._seven, self._targets = self._capped(seven), targets

    def _capped(self, seven: Moving) -> Moving:
        """Return the state, with L made shorter if |omega| is above its cap."""
        if self._largest_omega == inf:
            return seven
        rate = hypot(*self._floats.omega_body(seven))
        k = self._largest_omega / rate if rate > self._largest_omega else 1.0
        w, x, y, z, lx, ly, lz = seven[:7]
        return (w, x, y, z, k * lx, k * ly, k * lz, *seven[7:])

    def _thrust_on(self, fraction: float, count: int) -> CentreOfMass:
        """Return the centre of mass under thrust after `count` steps of the closed form.

        Each of them is a `fraction` (-1 to 1) of a whole step.
        """
        angle = turn(self._floats.J, self._floats.momentum_body(self._seven), fraction * self._step)
        made = self._steps - self._steps_before
        return self._closed_form.pushed(self._centre, angle, made, self._step, fraction, count)

    def _stop_at_last_finite(self, sign: int) -> None:
        """Make single steps until one of them diverges, and raise its error."""
        while True:
            seven, targets = self._stepper.steps(self._seven, self._targets, 1, sign)
            if not isfinite(sum(seven) + sum(targets)):
                raise self._stepper.overflow(self.time, self._seven, self._targets, seven, sign)
            self._keep(seven, targets, sign)
            self._steps += sign

    def _targets_now(self) -> Targets:
        """Return the targets; if the weight acts alone, they follow from what it keeps."""
        if self._kept is None:
            return self._targets
        now = self._now()
        (x, y, z), (a, b, c) = to_body(*now[:4], 0.0, 0.0, 1.0), self._loads.centre_of_mass
        energy = (self._kept.energy - self._loads.weight * (x * a + y * b + z * c)) / self._floats.unit
        size = hypot(*now[4:7])
        return clamp_energy(energy, size * size, self._floats.J), size, self._targets[2]

    def _now(self) -> Moving:
        """Return the present state, with the integrator "exact" from the closed form."""
        if self._method.step is not None or self._steps == self._steps_before:
            return self._seven
        state = self._closed_form.at(self._elapsed)
        w, x, y, z = state.orientation_wxyz.tolist()
        if self._kept is None:
            return w, x, y, z, *self._seven[4:7]
        return self._floats.at((w, x, y, z), self._floats.momentum_of(state))


def _checked_cap(largest_omega: float, method: Integrator) -> float:
    """Return the cap on |omega| [rad/s]; raise ValueError if it is not allowed, or if the method makes no steps."""
    cap = one("largest_omega", largest_omega)
    if not cap > AT_REST:
        raise refusal(
            "largest_omega: {cap:g} rad/s is not allowed; it must be above {rest:g} rad/s", cap=cap, rest=AT_REST
        )
    if cap < inf and method.step is None:
        raise refusal(
            "solver.largest_omega: {cap:g} rad/s is not allowed with {integrator}, which makes no steps; allowed is no"
            " cap",
            cap=cap,
            integrator=method.name,
        )
    return cap
