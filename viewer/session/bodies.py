"""What goes with the selected body's motion and is brought to the same time: the other bodies, and the race.

If the scene is torque-free and its integrator has no error, the bodies come from the closed form, all of them in one
evaluation. Otherwise each body has a motion of its own, with loads, changes and a record, like the selected body's.
"""

import dataclasses
from collections.abc import Callable

from viewer.common.errors import InputError, refusal
from viewer.common.language import tr
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.simulation import NumericalOverflow
from viewer.race.live import LiveRace
from viewer.race.trajectory import Trajectory
from viewer.scenario.scenario import Scenario
from viewer.session.closed_bodies import ClosedBodies
from viewer.session.derived import middle_period
from viewer.session.document import Change, Document
from viewer.session.motion import IrreversibleError, Motion
from viewer.session.snapshot import Snapshot

NEAR = 256  # steps: a state no further ahead than this is reached step by step
SAMPLES_KEPT = 8192  # one by one, for each of several bodies

Late = Callable[[], bool]


class SteppedBodies:
    """Bodies under loads, or with an integrator that has errors: each has a motion of its own.

    The other bodies `follow` the motion of the selected one; `late` says that they have not reached its time yet.
    `document` is the scene, with all that has been changed since t = 0.
    """

    def __init__(self, document: Document, selected: int, motion: Motion) -> None:
        self.document, self._selected = document, selected
        self._names = [document.start.body_name(number) for number in range(len(document.start.bodies))]
        self.late = False
        self.motions = [motion if n == selected else self._begun(n) for n in range(len(self._names))]
        self._stopped: dict[int, NumericalOverflow | IrreversibleError] = {}

    def _begun(self, number: int) -> Motion:
        return Motion(self.document.start.of_body(number), self.document.changes, SAMPLES_KEPT)

    @property
    def _others(self) -> list[tuple[int, Motion]]:
        return [(n, motion) for n, motion in enumerate(self.motions) if n != self._selected]

    @property
    def period(self) -> float | None:
        """The median [s] of the bodies' torque-free periods; None if no body has a period."""
        return middle_period(motion.period for n, motion in enumerate(self.motions) if n not in self._stopped)

    @property
    def turning(self) -> list[tuple[float, float]]:
        """The fastest rate and the time between states, as in `Motion.turning`, of each body that has not stopped."""
        return [motion.turning for n, motion in enumerate(self.motions) if n not in self._stopped]

    def follow(self, motion: Motion, late: Late) -> None:
        """Bring the other bodies to the time of the selected body's motion, or less far once `late()` is true."""
        self.motions[self._selected] = motion
        self.late = False
        for number, other in self._others:
            stopped = self._stopped.get(number)
            if stopped is not None and other.span[0] <= motion.time <= other.span[1]:
                del self._stopped[number]
            elif stopped is not None:
                continue
            try:
                there = _go_to(other, motion.time, late)
            except (NumericalOverflow, IrreversibleError) as error:
                self._stopped[number] = error
            else:
                self.late = self.late or not there

    def select(self, number: int, motion: Motion) -> Motion:
        """Return the motion of another body at the time of `motion`, which is that of the body selected so far.

        Raises InputError if the other body's motion stopped before that time.
        """
        self.follow(motion, lambda: False)
        stopped = self._stopped.get(number)
        if stopped is not None:
            why = stopped.message if isinstance(stopped, NumericalOverflow) else str(stopped)
            raise refusal("Body {name} {why}; scrub back to see it", name=self._names[number], why=why)
        self._selected = number
        return self.motions[number]

    def snapshots(self, selected: Snapshot, ahead: float, paths: bool) -> tuple[Snapshot, ...]:
        """Return the snapshots of all bodies.

        `selected` is the snapshot of the selected body. Those of the others are later than their last step by `ahead`,
        a fraction of a step. `paths` says that the trails are shown.
        """
        found = []
        for number, motion in enumerate(self.motions):
            one = selected if number == self._selected else motion.snapshot(ahead)
            stopped = self._stopped.get(number)
            why = one.stopped if stopped is None else str(stopped)
            found.append(dataclasses.replace(one, name=self._names[number], stopped=why))
        return tuple(found)

    def change(self, scenario: Scenario) -> None:
        """Let the loads and the solver of `scenario` act from now on."""
        for number, motion in self._others:
            motion.change(scenario.of_body(number))

    def pulse(self, angular_impulse_body: tuple[float, float, float]) -> None:
        """Apply an angular impulse [N m s] along the body axes now, to all but the selected body."""
        for _, motion in self._others:
            motion.pulse(angular_impulse_body)

    def revise(self, before: tuple[Change, ...], changes: tuple[Change, ...]) -> bool:
        """Replace changes as `Motion.revise` does; return False if the bodies have to begin again."""
        self._stopped.clear()
        done = [motion.revise(before, changes) for _, motion in self._others]
        return all(done)


def _go_to(motion: Motion, time: float, late: Late) -> bool:
    """Bring a motion to a time [s], beyond its record if need be; return False if `late()` ended this early."""
    first, last = motion.span
    recorded = min(max(time, first), last)
    if recorded < motion.time - 0.5 * motion.step or recorded > motion.time + NEAR * motion.step:
        motion.seek(recorded)
    far = abs(time - motion.time) > NEAR * motion.step
    return motion.skip_to(time, late) if far else motion.run_to(time, late)


Bodies = ClosedBodies | SteppedBodies


def bodies_of(document: Document, selected: int, motion: Motion, before: Bodies | None) -> Bodies | None:
    """Return all bodies of a document, the selected one with `motion`; None if the scene has only one body.

    `before` are the document's bodies up to now. Raises InputError if a body does not fit loads and integrator.
    """
    if not document.start.bodies:
        return None
    if in_closed_form(document):
        return ClosedBodies(document, selected, motion, before if isinstance(before, ClosedBodies) else None)
    return SteppedBodies(document, selected, motion)


def changed_bodies(
    bodies: Bodies | None,
    document: Document,
    selected: int,
    motion: Motion,
    change: Callable[[Bodies], None] = lambda bodies: None,
) -> Bodies | None:
    """Make a change to the bodies and return them.

    `change` applies it to all but the selected body, whose `motion` has changed already. The bodies are made anew if
    the document now needs the other class of bodies.
    """
    if bodies is None or not document.start.bodies or isinstance(bodies, ClosedBodies) != in_closed_form(document):
        return bodies_of(document, selected, motion, None)
    bodies.document = document
    change(bodies)
    return bodies


def folded(scenario: Scenario, selected: int) -> Scenario:
    """Return the scene with the body and the start of its selected body, or as it is if it has no list of bodies."""
    return scenario.of_body(min(selected, len(scenario.bodies) - 1)) if scenario.bodies else scenario


def motion_of(document: Document, selected: int) -> Motion:
    """Return the motion of a document: that of the selected body if the scene has several.

    Raises InputError if body, loads and integrator do not fit.
    """
    check_bodies(document.start)
    capacity = SAMPLES_KEPT if document.start.bodies else None
    return Motion(folded(document.start, selected), document.changes, capacity)


def check_bodies(scenario: Scenario) -> None:
    """Raise InputError if one of a scene's bodies does not fit the scene's loads and integrator."""
    for number in range(len(scenario.bodies)):
        try:
            scenario.of_body(number).simulation()
        except InputError as error:
            raise InputError(f"bodies[{number}]: {error}") from None


def in_closed_form(document: Document) -> bool:
    """Return whether the motion is free and exact throughout, so that it is known in closed form."""
    scenario = document.start
    for change in (Change(0.0), *document.changes):
        if change.impulse is not None:
            return False
        scenario = scenario.with_values(dict(change.values))
        loads, solver = scenario.loads_value(), scenario.solver
        exact = INTEGRATORS[solver.integrator].dense and solver.stabilisation == "off" and not solver.largest_omega
        if not (exact and loads.free and not loads.pushes):
            return False
    return True


def race_beside(document: Document, recordings: tuple[Trajectory, ...]) -> tuple[LiveRace | None, str | None]:
    """Return the race from t = 0 with the recordings in it, or None, and a message or None.

    The message says why there is no race, or which lanes were refused.
    """
    scenario = document.scenario
    if scenario.race.show == "off":
        return None, None
    if scenario.bodies:
        return None, tr("No race: this scene has {count} bodies").format(count=len(scenario.bodies))
    if document.freed:
        return None, tr(
            "No race: a load or a torque pulse has acted on this motion; a race needs a free one (R: reset)"
        )
    if not scenario.race.lanes and not recordings:  # the scene of a recording that cannot be read
        return None, None
    try:
        race = LiveRace(scenario, recordings)
    except InputError as error:
        return None, tr("No race: {why}").format(why=error)
    return race, "; ".join(race.refused) or None
