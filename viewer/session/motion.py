"""A running motion: its simulation, the changes on its way, its trail, and the record that leads back to any time."""

import dataclasses
from collections.abc import Callable
from math import hypot, inf, sqrt

import numpy as np

from viewer.common.errors import InputError
from viewer.common.language import marked, tr
from viewer.physics.exact.free_rotation import FreeRotation, exact_motion
from viewer.physics.exact.lagrange_top import LagrangeTop
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.poinsot.construction import largest_rate
from viewer.physics.poinsot.spin import circulation
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.race.live import LaneNow
from viewer.race.recorded_lane import Measured
from viewer.scenario.scenario import Scenario
from viewer.session.checkpoints import TRAIL_ANGLE, Checkpoints
from viewer.session.derived import VERTICAL, Derived
from viewer.session.document import ActiveLoads, Change
from viewer.session.snapshot import Reading, Snapshot

CHUNKS = (4, 256)  # steps between two looks at the clock: at first, and at most
SKIPPED = 8192  # samples of a time that is skipped, at most
PATIENCE = 30  # runs in a row that are not finished in time, until compiled steps are requested
LEVEL = 1e-9  # sine of an inclination that counts as none
PATH_SAG = 1e-3  # of the radius of gyration: the largest sag of a chord of the path, if the step allows
FORWARDS_ONLY = marked("Time does not run backwards: {why}")


class IrreversibleError(ValueError):
    """The motion does not run backwards; the message says why."""


class Motion:
    """The motion of a scene from t = 0 on. Raises InputError if its body, loads and integrator do not fit.

    All of it is recorded: `seek` goes to any recorded time. From there the motion repeats the record, with its changes
    of loads and solver, until something else is changed.
    """

    def __init__(self, scenario: Scenario, changes: tuple[Change, ...] = (), capacity: int | None = None) -> None:
        """Begin at t = 0.

        `changes` are those of a Document; each is made when the motion reaches its time. `capacity` is that of
        `Checkpoints`.
        """
        self._scenario = scenario
        self._simulation = scenario.simulation()
        self.body = self._simulation.body
        self.checkpoints = Checkpoints(self._simulation, ActiveLoads(scenario.loads, scenario.solver), capacity)
        self._segment = self.checkpoints.segments[0]  # the segment in which the motion is
        self._behind = 0  # runs in a row that were not finished in time
        self._stopped: tuple[int, str] | None = None  # the steps after which it diverges, and the text about that
        self._repeats = True  # the state is the recorded one to the last bit, so that the record is repeated
        self._start_momentum = Reading.of(self._simulation).angular_momentum_world
        self._start_position = scenario.start.position
        height = self.body.centre_at(self._simulation.state.orientation_wxyz, (0.0, 0.0, 0.0))[2]
        self._hangs = self._simulation.loads.held and bool(height <= LEVEL * np.linalg.norm(self.body.centre_of_mass))
        self._derived = Derived(self.body)
        self._interval = steps_per_row(self._simulation)
        self._due = list(changes)  # those that are later than the record
        self._apply_changes_up_to_origin()

    def _apply_changes_up_to_origin(self) -> None:
        """Apply the changes that are no later than the origin; each makes its time the new origin."""
        try:
            while self._due and self._due[0].time <= self.checkpoints.begin:
                self.run_to(self._due[0].time)
                self._apply(self._due.pop(0))
        except (NumericalOverflow, IrreversibleError) as error:
            raise InputError(str(error)) from None

    @property
    def time(self) -> float:
        """Simulated time in seconds."""
        return float(self._simulation.time)

    @property
    def step(self) -> float:
        """The step h in seconds."""
        return float(self._simulation.step)

    @property
    def active(self) -> ActiveLoads:
        """The loads and the solver that act now."""
        return self._segment.active

    @property
    def changes(self) -> list[float]:
        """The times [s] of the changes and pulses that are recorded."""
        return [segment.simulation.time for segment in self.checkpoints.segments[1:]]

    @property
    def period(self) -> float | None:
        """The period [s] of the torque-free motion from here on; None if that is not periodic."""
        return self._derived.periods(self._simulation).period

    @property
    def turning(self) -> tuple[float, float]:
        """The largest |omega| [rad/s] of the free motion from here on, and the time [s] between two known states.

        That time is a step, or 0 if the states between two steps are known, too.
        """
        simulation = self._simulation
        momentum = hypot(*simulation.angular_momentum_world.tolist())
        rate = largest_rate(self.body.principal_moments, simulation.rotational_energy, momentum)
        return rate, 0.0 if self.dense else self.step

    @property
    def span(self) -> tuple[float, float]:
        """The times [s] between which the motion is recorded; the present time lies between them."""
        return self.checkpoints.span

    @property
    def irreversible(self) -> str | None:
        """Why the motion does not run backwards from here; None if it does."""
        return self._simulation.irreversible

    @property
    def dense(self) -> bool:
        """Whether the states between two steps are known."""
        return self._simulation.dense

    @property
    def diverged(self) -> str | None:
        """Why the motion goes no further than here; None if it goes on."""
        return self._stopped[1] if self._stopped and self._stopped[0] == self._simulation.steps else None

    @property
    def is_top(self) -> bool:
        """Whether its weight alone turns the body about a pivot."""
        return self._simulation.loads.only_weight

    def next_flip(self) -> tuple[float | None, str]:
        """Return the time [s] of the next reversal about the middle axis and "", or None and why there is none."""
        if not self._simulation.loads.free:
            return None, tr("The next flip is known for the free motion only, without force and friction")
        if self._derived.strays(self._simulation):
            return None, tr("The next flip is known for the exact motion only, which {name} leaves").format(
                name=tr(INTEGRATORS[self._simulation.integrator].label)
            )
        state, moments = self._simulation.state, self.body.principal_moments
        tumbling = circulation(moments, moments * np.asarray(state.omega_body)).flips
        after = FreeRotation(self.body, state).next_flip(self.step) if tumbling else None
        if after is None:
            return None, tr("There is no flip ahead: only what tumbles past its middle axis flips")
        return self.time + after, ""

    def next_nod(self) -> tuple[float | None, str]:
        """Return the time [s] of a top's next nod and what that is, or None and why there is none."""
        simulation = self._simulation
        top = exact_motion(self.body, simulation.state, simulation.loads, precise=False)
        if not isinstance(top, LagrangeTop):
            return None, tr("The next nod is known of a symmetric top under its weight alone")
        if top.nod_time is None or np.ptp(top.inclinations) < VERTICAL:
            return None, tr("There is no nod ahead: the axis keeps its inclination")
        after = top.nod_time if top.nod_time > self.step else top.nod_time + (top.nutation_period or 0.0)
        return self.time + after, tr("The next nod: here the centre of mass is lowest")

    def one_period_on(self) -> tuple[float | None, str]:
        """Return the time [s] at which the state is the present one again and "", or None and why there is none."""
        if self.is_top:
            return None, tr(
                "There is no loop: a top nods, precesses and spins in times of their own, and does not repeat"
            )
        if not self._simulation.loads.free:
            return None, tr("There is no loop: under force and friction the motion does not repeat")
        if self._derived.strays(self._simulation):
            return None, tr("There is no loop: with {name} the motion does not repeat").format(
                name=tr(INTEGRATORS[self._simulation.integrator].label)
            )
        if self.period is None:
            return None, tr("There is no loop: from here on the motion has no period")
        end = self.time + self.period
        changes = [segment.simulation.time for segment in self.checkpoints.segments]
        if any(self.time < time < end for time in (*changes, *(change.time for change in self._due))):
            return None, tr("There is no loop: the motion is changed within the next period")
        return end, ""

    def change(self, scenario: Scenario) -> None:
        """Let the loads and the solver of `scenario` act from now on, and forget the record after this time.

        Raises InputError and changes nothing if they do not fit the body.
        """
        self._set_active_loads(scenario)
        self._due.clear()

    def _set_active_loads(self, scenario: Scenario) -> None:
        loads, solver = scenario.loads_value(), scenario.solver
        before = self._simulation.copy()
        try:
            self._simulation.change(
                loads=loads, integrator=solver.integrator, step=solver.step, stabilisation=solver.stabilisation,
                gradient=solver.gradient, largest_omega=solver.cap,
            )  # fmt: skip
        except ValueError as error:
            raise InputError(str(error)) from None
        self._changed(before, ActiveLoads(scenario.loads, solver))

    def pulse(self, angular_impulse_body: tuple[float, float, float]) -> None:
        """Apply an angular impulse [N m s] along the body axes, and forget the record after this time.

        Raises InputError if L would not stay finite.
        """
        self._apply_impulse(angular_impulse_body)
        self._due.clear()

    def _apply_impulse(self, angular_impulse_body: tuple[float, float, float]) -> None:
        before = self._simulation.copy()
        try:
            self._simulation.kick(angular_impulse_body)
        except ValueError as error:
            raise InputError(str(error)) from None
        self._changed(before, self.active)

    def _changed(self, before: Simulation, active: ActiveLoads) -> None:
        """Begin a segment; `before` is the simulation before the change."""
        self._interval = steps_per_row(self._simulation)
        self.checkpoints.change(before, self._simulation, active)
        self._segment, self._stopped = self.checkpoints.segments[-1], None
        self._repeats = True

    def revise(self, before: tuple[Change, ...], changes: tuple[Change, ...]) -> bool:
        """Replace the changes `before` by `changes`, and forget the record from the first difference on.

        If the motion has passed that difference, it goes back to a time before it. Returns False, and does nothing, if
        the state at that time is not recorded.
        """
        same = next((n for n, (a, b) in enumerate(zip(before, changes, strict=False)) if a != b), None)
        if same is None:
            same = min(len(before), len(changes))
        differ = [change.time for change in (*before[same : same + 1], *changes[same : same + 1])]
        if not differ:
            return True
        past = self._up_to_origin(changes)
        if same < max(self._up_to_origin(before), past):
            return False
        first, self._stopped = min(differ), None
        steps = self.checkpoints.forget_from(first)
        if self._simulation.steps > steps:
            self._restore(steps)
        self._due = [change for change in changes[past:] if change.time >= first or change in self._due]
        return True

    def _up_to_origin(self, changes: tuple[Change, ...]) -> int:
        """Return how many of the changes are made before the motion reaches its origin."""
        return max((n + 1 for n, change in enumerate(changes) if change.time <= self.checkpoints.begin), default=0)

    def _apply_due_changes(self) -> None:
        """Apply the changes whose time has come."""
        while self._due and self._steps_to(self._due[0].time) <= 0:
            self.checkpoints.reached(self._simulation.steps)
            self._apply(self._due.pop(0))

    def _apply(self, change: Change) -> None:
        if change.impulse is not None:
            self._apply_impulse(change.impulse)
        else:
            scenario = dataclasses.replace(self._scenario, **self.active._asdict())
            self._set_active_loads(scenario.with_values(dict(change.values)))

    def _steps_to(self, time: float) -> int:
        """Return the number of steps of the present length from now to a time [s], negative if it is earlier."""
        return round((time - self.time) / self.step)

    def seek(self, time: float) -> None:
        """Go to the recorded state nearest to `time` [s]."""
        self._restore(self.checkpoints.steps_at(time))

    def _restore(self, steps: int) -> None:
        """Go to the recorded state after this many steps."""
        self._adopt(self.checkpoints.simulation(steps), steps)
        self._repeats = True

    def _adopt(self, simulation: Simulation, steps: int) -> None:
        """Go on with `simulation`; the motion is then in the segment at `steps`."""
        self._simulation = simulation
        self._segment = self.checkpoints.segments[self.checkpoints.segment_at(steps)]
        self._interval = steps_per_row(self._simulation)

    def run_to(self, time: float, late: Callable[[], bool] = lambda: False) -> bool:
        """Run to the step nearest to `time` [s]; return False if `late()` ends this early.

        The length of the step may change on the way. Raises as `run` does.
        """
        sign = 1 if time > self.time else -1
        while (steps := self._steps_to(time)) * sign > 0:
            leg, stop = abs(steps), self.checkpoints.next_stop(self._simulation.steps, sign)
            if stop is not None:
                leg = min(leg, abs(stop - self._simulation.steps))
            elif sign > 0 and self._due:
                leg = min(leg, max(1, self._steps_to(self._due[0].time)))
            if self.run(sign * leg, late) < leg or (leg < abs(steps) and late()):
                return False
        return True

    def skip_to(self, time: float, late: Callable[[], bool] = lambda: False) -> bool:
        """Go to the step nearest to `time` [s], without stepping if the motion has a closed form and no errors.

        The record then comes from the closed form. Returns and raises as `run_to` does.
        """
        sign, goal = (1 if time > self.time else -1), self.time
        while goal != time and self._simulation.dense and not self._simulation.loads.pushes:
            goal = min(time, self._due[0].time) if sign > 0 and self._due else time
            self._skip(self._steps_to(goal))
            if not self.run_to(goal, late):
                return False
            self._apply_due_changes()
        return self.run_to(time, late)

    def _skip(self, steps: int) -> None:
        """Go forward by up to `steps`, or back if negative, by the closed form; there must be no change on the way.

        Only whole intervals of the trail are skipped; the caller makes the steps that are left.
        """
        sign, interval = (1 if steps > 0 else -1), self._interval
        count = abs(steps) // interval
        if count == 0:
            return
        fine = min(count, SKIPPED // 2)
        coarse = range(0, count - fine, max(1, -(-(count - fine) // (SKIPPED // 2))))
        intervals = np.array([*coarse[1:], *range(count - fine + 1, count + 1)], dtype=np.int64)
        direction = self.checkpoints.direction(self._simulation.steps, sign)
        rows = self._simulation.closed_samples(self._simulation.steps + sign * interval * intervals)
        direction.append_rows(self.body, rows)
        self.checkpoints.reached(int(rows["steps"][-1]))
        self._restore(int(rows["steps"][-1]))

    def run(self, steps: int, late: Callable[[], bool] = lambda: False) -> int:
        """Make `steps` steps, backwards if negative; return how many were made, which are fewer if `late()` is true.

        Raises NumericalOverflow, and IrreversibleError if the motion does not run backwards.
        """
        sign, done, chunk = (1 if steps > 0 else -1), 0, CHUNKS[0]
        if self._is_outward(sign) and not self._repeats:
            self._restore(self._simulation.steps)
        try:
            while done < abs(steps):
                done += self._run_part(sign, min(abs(steps) - done, chunk))
                chunk = min(2 * chunk, CHUNKS[1])
                if late():
                    break
        except NumericalOverflow as error:
            self._stopped = self._simulation.steps, str(error)
            raise
        finally:
            self.checkpoints.reached(self._simulation.steps)
        self._behind = self._behind + 1 if done < abs(steps) else 0
        if self._behind >= PATIENCE:
            self._simulation.request_compilation()
        return done

    def _is_outward(self, sign: int) -> bool:
        """Return whether this direction of time leads away from the origin of the checkpoints."""
        return self.checkpoints.direction(self._simulation.steps, sign).sign == sign

    def _run_part(self, sign: int, most: int) -> int:
        """Make at most `most` steps, none of them across a change; return how many."""
        checkpoints, simulation = self.checkpoints, self._simulation
        if sign < 0:
            simulation = self._simulation_to_step_back()
        self._repeats = self._is_outward(sign)
        stop = checkpoints.next_stop(simulation.steps, sign)
        direction = checkpoints.direction(simulation.steps, sign)
        if stop is not None:
            count = min(most, abs(stop - simulation.steps))
        else:
            count = min(most, max(1, self._interval - abs(simulation.steps - direction.last)))
            if sign > 0 and self._due:
                count = min(count, max(1, self._steps_to(self._due[0].time)))
        simulation.advance_steps(sign * count)
        if not simulation.loads.free:
            self._interval = steps_per_row(self._simulation)
        if stop is None and abs(simulation.steps - direction.last) >= self._interval:
            direction.append(simulation)
        if simulation.steps == stop and checkpoints.is_change(stop):
            self._adopt(checkpoints.simulation(stop), stop)
            self._repeats = True
        if sign > 0 and self._due and simulation.steps >= checkpoints.later.end:
            self._apply_due_changes()
        return count

    def _simulation_to_step_back(self) -> Simulation:
        """Return the simulation that steps back: at a change, the one before the change. Raises IrreversibleError."""
        steps, simulation = self._simulation.steps, self._simulation
        changed = self.checkpoints.is_change(steps) and steps > self.checkpoints.origin
        if changed:
            simulation = self.checkpoints.simulation(steps, before=True)
        if simulation.irreversible:
            raise IrreversibleError(tr(FORWARDS_ONLY).format(why=simulation.irreversible))
        if changed:
            self._adopt(simulation, steps - 1)
        return simulation

    def snapshot(
        self, ahead: float = 0.0, lanes: tuple[LaneNow, ...] = (), measured: Measured | None = None
    ) -> Snapshot:
        """Return the snapshot of the motion now, with the lanes of a race and the points of a recording.

        If the integrator knows the states between two steps, the snapshot is later than the last step by `ahead`, a
        fraction of a step from -1 to 1.
        """
        simulation = self._simulation
        cycles = self._derived.periods(simulation)
        return Snapshot(
            body=self.body,
            shape=self._scenario.body,
            integrator=simulation.integrator,
            stabilisation=simulation.stabilisation,
            corrector=simulation.gradient_fraction if simulation.stabilisation == "gradient" else None,
            loads=simulation.loads,
            reading=Reading.of(simulation.ahead(ahead)),
            start_angular_momentum_world=self._start_momentum,
            start_position=self._start_position,
            top=self._derived.top(simulation),
            hangs=self._hangs,
            curves=self._derived.curves(simulation),
            period=cycles.period,
            flip_period=cycles.flip,
            precession_period=cycles.precession,
            frame_period=cycles.frame,
            strays=self._derived.strays(simulation),
            trail=self.checkpoints.trail(simulation, self._interval),
            lanes=lanes,
            correction=self._derived.correction(simulation),
            cap=simulation.largest_omega if simulation.at_cap else None,
            begun=None if self._segment is self.checkpoints.segments[0] else self._segment.begun,
            stopped=self.diverged,
            measured=measured,
            kept=simulation.kept,
        )


def steps_per_row(simulation: Simulation) -> int:
    """Return the number of steps between two rows of the trail, at least 1.

    In these steps the body turns by at most TRAIL_ANGLE, at the largest |omega| that E and |L| allow, and the path of
    its centre of mass departs from a chord by at most PATH_SAG.
    """
    smallest = float(min(simulation.body.principal_moments))
    fastest = min(
        sqrt(2 * simulation.rotational_energy / smallest),
        float(np.linalg.norm(simulation.angular_momentum_world)) / smallest,
    )
    turned = fastest * simulation.step
    apart = TRAIL_ANGLE / turned if turned > 0 else inf
    loads = simulation.loads
    force = loads.weight + sum(hypot(*part) for part in (loads.force, *(each.force for each in loads.thrusters)))
    if force > 0.0 and loads.pushes:
        mass = simulation.body.mass
        apart = min(apart, sqrt(8.0 * PATH_SAG * sqrt(smallest / mass) * mass / force) / simulation.step)
    return int(max(1, min(apart, 1e9)))
