"""The steps of one setup of a simulation, and which setups are allowed."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from math import asin, dist, hypot, inf, isfinite, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import Wording, brief, prefixed, refusal
from viewer.physics.body import RigidBody
from viewer.physics.integrators import INTEGRATORS, Integrator, Step, drift_constants
from viewer.physics.kernels.exact_drift import NO_CURVE, longest_drift, project_to_curve
from viewer.physics.kernels.matrix import UNSTRETCHED
from viewer.physics.kernels.quaternion import Constants, Four, Moving, Seven, Three, to_body
from viewer.physics.loads import Loads
from viewer.physics.stepping import splitting
from viewer.physics.stepping.compiled import compile_in_background, compiled, require
from viewer.physics.stepping.kicks import Place, Targets, VaryingKicks, apply_kick, kick_constants
from viewer.physics.stepping.projection import STABILISATIONS

Steps = Callable[..., tuple[Moving, Targets]]
Parts = tuple[Steps, tuple[Step, ...], tuple[Any, ...]]
Rows = list[Moving] | NDArray[np.float64]

FAILED_TARGETS: Targets = (nan, 0.0, 0.0)  # after a step whose arithmetic failed
TURN_LARGE = 100.0  # rad a step: a larger turn is reported as the reason why the state is no longer finite


def origin(_time: float) -> tuple[Three, Three]:
    """Return position and momentum of a centre of mass that rests in the origin at all times."""
    return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)


class NumericalOverflow(ValueError):
    """An integrator has diverged; the simulation stands at the last finite state.

    Parameters
    ----------
    label : str
        The name of the integrator, as it is shown.
    time : float
        The time [s] of the last finite state.
    quantity : str or Wording
        The quantity that is no longer finite.

    Attributes
    ----------
    message : Wording
        The error in short, without the integrator's name.

    Examples
    --------
    >>> from viewer import NumericalOverflow, RigidBody, Simulation, State
    >>> body, start = RigidBody.from_moments((1, 2, 3)), State((1, 0, 0, 0), (3, 30, 3))
    >>> try:
    ...     Simulation(body, start, "explicit-euler", 0.5).advance(500)
    ... except NumericalOverflow as error:
    ...     print(error.label)
    Explicit Euler
    """

    def __init__(self, label: str, time: float, quantity: str | Wording) -> None:
        super().__init__(label, time, quantity)
        self.label, self.time, self.quantity = label, time, quantity
        self.message = Wording("diverged at t = {time} s", time=brief(time, 4))

    def __str__(self) -> str:
        return f"{Wording(self.label)} {self.message} ({self.quantity})"


class StepTooLong(NumericalOverflow):
    """The step is so long that the exact drift would cut it into more than PARTS_LIMIT parts.

    `longest` [s] is the longest step allowed.
    """

    def __init__(self, label: str, time: float, step: float, longest: float) -> None:
        super().__init__(label, time, "step")
        self.message = Wording("stopped at t = {time} s", time=brief(time, 4))
        self.step, self.longest = step, longest

    def __str__(self) -> str:
        return str(Wording(
            "{name} {stopped}: a step of {step} s is too long for this body at this spin; the longest is {longest} s",
            name=Wording(self.label), stopped=self.message, step=brief(self.step, 4), longest=brief(self.longest, 2),
        ))  # fmt: skip


class TimeTooLate(NumericalOverflow):
    """The time is so late that the closed form cannot count the turns up to it.

    `longest` [s] is the latest time that it reaches.
    """

    def __init__(self, label: str, time: float, longest: float) -> None:
        super().__init__(label, time, "time")
        self.message = Wording("stopped at t = {time} s", time=brief(time, 4))
        self.longest = longest

    def __str__(self) -> str:
        return str(Wording(
            "{name} {stopped}: the closed form counts the turns for {longest} s and no longer",
            name=Wording(self.label), stopped=self.message, longest=brief(self.longest, 2),
        ))  # fmt: skip


def checked(
    body: RigidBody, integrator: str, step: float, loads: Loads, stabilisation: str
) -> tuple[Integrator, float]:
    """Return the integrator and the step [s]; raise a ValueError that names the field if one does not fit."""
    if integrator not in INTEGRATORS:
        raise refusal(
            "solver.integrator: {integrator!r} is unknown; allowed are {integrators}",
            integrator=integrator,
            integrators=", ".join(INTEGRATORS),
        )
    method, step = INTEGRATORS[integrator], float(step)
    if not (isfinite(step) and step > 0.0):
        raise refusal("solver.step: {step:g} s is not allowed; it must be positive and finite", step=step)
    if stabilisation not in STABILISATIONS:
        raise refusal(
            "solver.stabilisation: {stabilisation!r} is unknown; allowed are {stabilisations}",
            stabilisation=stabilisation,
            stabilisations=", ".join(STABILISATIONS),
        )
    if method.step is None and stabilisation != "off":
        raise refusal(
            "solver.stabilisation: {stabilisation} is not allowed with {integrator}, which makes no steps that could be"
            " corrected; allowed is off",
            stabilisation=stabilisation,
            integrator=integrator,
        )
    is_top = method.step is None and loads.only_weight
    if is_top and body.top_axis is None:
        raise refusal(
            "solver.integrator: {integrator} is for tops that are symmetric about the line to the pivot; choose"
            " another",
            integrator=integrator,
        )
    if method.torque_free_only and not (loads.free or is_top):
        raise refusal(
            "solver.integrator: {integrator} is torque-free; take away all loads or choose another",
            integrator=integrator,
        )
    if method.composition and loads.internal_friction:
        raise refusal(
            "solver.integrator: {integrator} takes no internal friction, under which it would be of order 2; allowed is"
            " loads.internal_friction 0 J/s, or another integrator",
            integrator=integrator,
        )
    if loads.only_weight and stabilisation == "gradient":
        raise refusal(
            "solver.stabilisation: gradient is not allowed for a body that its weight turns about a pivot, whose E and"
            " |L| change; allowed are off and closest-point"
        )
    if method.matrix and stabilisation != "off":
        raise refusal(
            "solver.stabilisation: {stabilisation} is not allowed with {integrator}, whose matrix is no rotation that"
            " could be turned back; allowed is off",
            stabilisation=stabilisation,
            integrator=integrator,
        )
    why = method.refuses(body.principal_moments.tolist()) if method.refuses else None
    if why:
        raise prefixed(f"solver.integrator: {integrator} ", why)
    return method, step


def turn_between(both: tuple[Moving, Moving] | None) -> float:
    """Return the angle [rad] of the turn from the first of two states to the second; 0 if there are none."""
    return 4.0 * asin(min(1.0, 0.5 * dist(both[0][:4], both[1][:4]))) if both else 0.0


class Stepper:
    """The steps of one setup.

    `unit` [kg m2] is the unit of inertia, and J is 1/I in it. `gradient` has the constants of the stabilisation
    "gradient". With `fast` the steps are compiled, see `stepping.compiled`. `drift_angle` is as in `Simulation`.
    """

    def __init__(
        self, method: Integrator, step: float, loads: Loads, stabilisation: str, gradient: Constants, J: Three,
        unit: float, fast: bool = False, drift_angle: float | None = None,
    ) -> None:  # fmt: skip
        if fast:
            require()
        self._method, self._h, self._loads, self._J, self._unit = method, step, loads, J, unit
        self._correction, self._gradient = list(STABILISATIONS).index(stabilisation), gradient
        self._drift_angle = drift_angle
        if method.paper_loop and self._correction == splitting.GRADIENT and not loads.internal_friction:
            self._correction = splitting.PAPER
        exact = method.constants is drift_constants
        self._constants = drift_constants(J, drift_angle) if exact else method.constants(J)
        self._kicks: dict[float, tuple[Constants, ...]] = {}
        self._prepared: dict[float, tuple[Steps, tuple[Any, ...]]] = {}
        self._quick: set[float] = set()  # the signs whose steps were compiled in the background, without `fast`
        self._fast = fast
        self._uncorrected: Stepper | None = None
        self._each: Parts | None = None  # the `_parts` for the steps of `each`
        self._at_rest = (1.0, *[0.0] * 6, *(UNSTRETCHED if method.matrix else ()))
        self._undisturbed = loads.free and not self._correction
        self._on_curve = self._undisturbed and method.runs
        self._varying = VaryingKicks(method, loads, J, unit) if loads.varies else None

    @property
    def irreversible(self) -> str | None:
        """The reason why steps back would not undo steps; None if they do, to round-off."""
        if not self._method.reversible:
            label = Wording(self._method.label)
            return str(Wording("with the integrator {integrator} a step back does not undo a step", integrator=label))
        if self._loads.internal_friction:
            return str(Wording("internal friction only takes energy away"))
        if self._correction:
            return str(Wording("the stabilisation forgets the errors that it takes away"))
        return None

    @property
    def dense(self) -> bool:
        """Whether a shorter step leads to the state between two steps, to round-off."""
        return self._method.dense and self._undisturbed

    def next_step(
        self, seven: Moving, targets: Targets, time: float = 0.0, place: Place = origin
    ) -> tuple[Moving, Moving] | None:
        """Return the state after the next step, without and with its stabilisation.

        Returns None if there is no stabilisation or no finite step. `time` and `place` are as in `part`.
        """
        if not self._correction:
            return None
        if self._uncorrected is None:
            self._uncorrected = Stepper(
                self._method, self._h, self._loads, "off", self._gradient, self._J, self._unit,
                drift_angle=self._drift_angle,
            )  # fmt: skip
        steppers = self._uncorrected, self
        if self._varying is None:
            (plain, _), (projected, after) = (stepper.steps(seven, targets, 1, 1) for stepper in steppers)
        else:
            cuts = self._varying.cuts(time, self._h)
            (plain, _), (projected, after) = (
                stepper._all_parts(seven, targets, time, cuts, place) for stepper in steppers
            )
        return (plain, projected) if isfinite(sum(plain) + sum(projected) + sum(after)) else None

    def steps(
        self, seven: Moving, targets: Targets, count: int, sign: float, curve: Four = NO_CURVE, made: int = 0
    ) -> tuple[Moving, Targets]:
        """Return (state, targets) after `count` steps, forward if `sign` is 1 and back if it is -1.

        If the stepper is dense, a `sign` between -1 and 1 makes steps of that fraction of h. `made` is the number of
        steps made before these: the free exact drift is projected to `curve` each time the total is a multiple of HELD.
        If the arithmetic fails, the state is returned as it was, and the target energy is nan.
        """
        try:
            steps, rest = self.prepared(sign)
            return steps(seven, targets, count, *rest, *self.held(curve, made, sign))
        except (ArithmeticError, ValueError):  # overflow, division by zero, the root of a negative number
            return seven, FAILED_TARGETS

    def cuts(self, time: float, sign: float) -> list[float]:
        """Return the fractions 0 .. 1 at which the parts of the step begin and end; the step begins at `time` [s]."""
        return [0.0, 1.0] if self._varying is None else self._varying.cuts(time, sign * self._h)

    def part(
        self, moving: Moving, targets: Targets, time: float, begin: float, end: float, sign: float, place: Place
    ) -> tuple[Moving, Targets]:
        """Return (state, targets) after a part of the step that begins at `time` [s], under loads that vary.

        `begin` and `end` are fractions of the step; `place` is a function from a time [s] to position and momentum of
        the centre of mass. Raises ValueError if a torque function does not return a torque.
        """
        varying, method, seven = self._varying, self._method, moving[:7]
        assert varying is not None
        h = (end - begin) * sign * self._h
        at = time + begin * sign * self._h
        drifts, kicks = method.composition or ((1.0,), (0.5, 0.5))
        if method.composition:
            for a, b in zip(drifts, kicks, strict=False):
                seven = self._drifted(seven, a * h)
                at += a * h
                seven, targets, friction = varying.kick(seven, targets, at, at, b * h, place)
            seven = self._drifted(seven, drifts[-1] * h)
            if self._correction:
                stabilised = splitting.stabilise(seven, targets, self._J, True, self._correction, self._gradient)
                seven, targets = stabilised
        elif method.loaded:
            (dx, dy, dz), after, friction = varying.impulse(seven, targets, at, at + h, h, place)
            loss = self._loads.internal_friction / self._unit * self._h
            try:
                seven = method.loaded(*seven, h, self._constants, dx, dy, dz)[:7]
                seven, targets = splitting.settled(seven, after, loss, self._J, self._correction, self._gradient)
            except (ArithmeticError, ValueError):
                return seven, FAILED_TARGETS
        else:
            middle = at + 0.5 * h
            seven, targets, _ = varying.kick(seven, targets, at, middle, 0.5 * h, place)
            try:
                steps, rest = self.prepared(sign)
                drifted, targets = steps(seven, targets, 1, *rest)
            except (ArithmeticError, ValueError):
                return seven, FAILED_TARGETS
            seven, targets, friction = varying.kick(drifted[:7], targets, middle, at + h, 0.5 * h, place)
        return varying.rest(seven, targets) if friction else (seven, targets)

    def _all_parts(
        self, seven: Moving, targets: Targets, time: float, cuts: list[float], place: Place
    ) -> tuple[Moving, Targets]:
        for begin, end in pairwise(cuts):
            seven, targets = self.part(seven, targets, time, begin, end, 1, place)
        return seven, targets

    def _drifted(self, seven: Seven, h: float) -> Seven:
        assert self._method.step is not None
        try:
            return self._method.step(*seven, h, self._constants)[:7]
        except (ArithmeticError, ValueError):
            return (nan, *seven[1:])

    def held(self, curve: Four, made: int, sign: float) -> tuple[Any, ...]:
        """Return the last arguments for the function of `prepared`.

        For the free exact drift they are `curve` and the number of steps up to the next projection to it. For other
        steps there are none.
        """
        return (curve, splitting.HELD - int(sign) * made % splitting.HELD) if self._on_curve else ()

    def request_compilation(self) -> None:
        """Switch to the compiled code if it is ready; otherwise have it compiled in the background.

        The compiled code makes the same steps, bit for bit.
        """
        for sign, (steps, rest) in self._prepared.items():
            if not self._fast and sign not in self._quick:
                last = self.held(NO_CURVE, 0, sign)
                quick = compile_in_background(steps, (self._at_rest, (0.0, 0.0, 0.0), 0, *rest, *last))
                if quick:
                    self._prepared[sign] = quick, rest
                    self._quick.add(sign)

    def prepared(self, sign: float) -> tuple[Steps, tuple[Any, ...]]:
        """Return the function that makes the steps, and some of its arguments.

        It is called with (seven, targets, count), then these arguments, then those of `held`.
        """
        if abs(sign) != 1:
            return self._prepare(sign)
        if sign not in self._prepared:
            self._prepared[sign] = self._prepare(sign)
        return self._prepared[sign]

    def _prepare(self, sign: float) -> tuple[Steps, tuple[Any, ...]]:
        function, first, rest = self._parts(sign)
        if self._fast:
            return compiled(function, *first), rest
        return partial(function, *first) if first else function, rest

    def _parts(self, sign: float) -> Parts:
        """Return the function that makes the steps, its leading arguments, which are kernels, and its trailing ones."""
        method, h, J = self._method, sign * self._h, self._J
        step = method.step
        assert step is not None
        if self._on_curve:
            return splitting.exact_drift_steps, (step,), (h, self._constants, splitting.RUN if self._fast else 1)
        if self._undisturbed:
            return splitting.free_steps, (step,), (h, self._constants)
        kicks = self._kick_constants(sign) if self._varying is None else ()  # those that vary are `part`'s
        stabilisation = (J, self._correction, self._gradient)
        if method.composition and kicks:
            drifts = tuple(fraction * h for fraction in method.composition[0])
            run = splitting.COMPOSED_RUN if self._fast and not self._correction else 1
            return splitting.composed_steps, (), (drifts, self._constants, kicks, run, *stabilisation)
        loss = self._loads.internal_friction / self._unit * self._h
        if method.loaded and kicks:
            first = (method.loaded,)
            return splitting.loaded_steps, first, (h, self._constants, kicks[0], loss, *stabilisation)
        rest = (h, self._constants, kicks[0] if kicks else None, loss, method.in_space, *stabilisation)
        return splitting.split_steps, (step,), rest

    def each(self, seven: Moving, targets: Targets, count: int, curve: Four, made: int) -> tuple[Rows, Moving, Targets]:
        """Return the state after each of `count` steps, the last state and its targets, for a motion without loads.

        The steps are those of `steps`, bit for bit unless they are compiled. If the arithmetic fails, there are fewer
        states.
        """
        function, first, rest = self._each = self._each or self._parts(1)
        held = self.held(curve, made, 1)
        loop: Callable[..., Any] = splitting.each_exact_drift_step if held else splitting.each_step
        if self._fast:
            rows = np.empty((count, len(seven)))
            return rows, *compiled(loop, function, *first)(rows, seven, targets, rest, *held)
        path: list[Any] = [None] * count
        try:
            seven, targets = loop(function, *first, path, seven, targets, rest, *held)
            return path, seven, targets
        except (ArithmeticError, ValueError):
            return path[: path.index(None)], seven, FAILED_TARGETS

    def path(self, seven: Moving, count: int, curve: Four) -> tuple[Moving, list[Moving]]:
        """Return the state after `count` steps, projected to `curve`, and (orientation, L_b) after each step.

        This is for the free exact drift that is not compiled. For other steps, or if the arithmetic fails, the state is
        the one given and the list is empty.
        """
        path: list[Moving] = []
        if self._on_curve and not self._fast:
            assert self._method.step is not None
            try:
                last = self._method.step(*seven, self._h, self._constants, count, splitting.SHORT_RUN, path)
                seven = project_to_curve(*last[:7], curve)
            except (ArithmeticError, ValueError):
                path.clear()
        return seven, path

    def overflow(self, time: float, before: Moving, targets: Targets, after: Moving, sign: int) -> NumericalOverflow:
        """Return the error of the step from `before`, at `time` [s], to `after`, which is not finite."""
        label, quantity = self._method.label, Wording("angular momentum")
        try:
            for constants in self._kick_constants(sign)[:1]:
                before, _ = apply_kick(before[:7], targets, constants, self._J, self._method.in_space)
        except OverflowError:  # friction back over a long time
            return NumericalOverflow(label, time, quantity)
        L = to_body(*before[:7]) if self._method.in_space else before[4:7]
        if self._method.runs:
            longest = longest_drift(*L, self._constants)
            if isfinite(longest) and self._h > longest:
                return StepTooLong(label, time, self._h, longest)
        turned = hypot(*(j * part for j, part in zip(self._J, L, strict=True))) * self._h
        if turned > TURN_LARGE:
            quantity = Wording("one step turns by {angle} rad", angle=brief(turned, 2))
        elif isfinite(sum(after)):
            quantity = Wording("position")
        elif inf not in map(abs, after[4:7]):
            quantity = Wording("rotation matrix") if self._method.matrix else Wording("orientation")
        return NumericalOverflow(label, time, quantity)

    def _kick_constants(self, sign: float) -> tuple[Constants, ...]:
        """Return the constants of the kicks of a step, none if nothing kicks.

        The two kicks of kick, drift, kick are equal and have one set of constants.
        """
        if sign not in self._kicks:
            method = self._method
            fractions = method.composition[1] if method.composition else (1.0 if method.loaded else 0.5,)
            found = (kick_constants(self._loads, self._J, self._unit, part * sign * self._h) for part in fractions)
            self._kicks[sign] = tuple(constants for constants in found if constants is not None)
        return self._kicks[sign]
