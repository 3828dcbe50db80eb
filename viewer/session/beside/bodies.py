"""The bodies of a scene that has several: each goes to the time at which the selected one's motion stands.

Where the scene is torque-free and its integrator has no error, they come from the closed form at that time, all in one
evaluation; else each has a motion of its own, with loads, changes and record as the selected one has.
"""

from collections.abc import Callable
from typing import Protocol

from viewer.common.errors import InputError
from viewer.common.ring_buffer import RingBuffer
from viewer.physics.integrators import INTEGRATORS
from viewer.scenario.scenario import Scenario
from viewer.session.beside.closed import ClosedBodies
from viewer.session.beside.stepped import SteppedBodies
from viewer.session.document import Change, Document
from viewer.session.motion import Motion
from viewer.session.snapshot import Snapshot
from viewer.session.trail import TRAIL_ROWS, TRAIL_WIDTH

Late = Callable[[], bool]


class Bodies(Protocol):
    """All bodies of a scene; those beside the selected one `follow` its motion. `late`: they have yet to come there.

    `document`: theirs, with all that has been changed since t = 0.
    """

    late: bool
    document: Document

    @property
    def period(self) -> float | None:
        """That of the torque-free motion from now on [s] which is in the middle of theirs; None where none has one."""
        ...

    @property
    def turning(self) -> list[tuple[float, float]]:
        """`Motion.turning` of each that goes on."""
        ...

    def follow(self, motion: Motion, late: Late) -> None:
        """To the time at which the motion of the selected body stands; less far when `late()`."""
        ...

    def select(self, number: int, motion: Motion) -> Motion:
        """The motion of another body, at the time at which `motion`, that of the one selected so far, stands.

        Raises InputError where it stopped before.
        """
        ...

    def snapshots(self, selected: Snapshot, ahead: float, paths: bool) -> tuple[Snapshot, ...]:
        """All of them, later by the fraction `ahead` of a step, where the selected one is as in its snapshot.

        `paths`: their trails are shown.
        """
        ...

    def change(self, scenario: Scenario) -> None:
        """Other loads and another solver act from now on."""
        ...

    def pulse(self, angular_impulse_body: tuple[float, float, float]) -> None:
        """An angular impulse [N m s] along the body axes acts now, on all but the selected one."""
        ...

    def revise(self, before: tuple[Change, ...], changes: tuple[Change, ...]) -> bool:
        """As `Motion.revise`; False where they have to begin again."""
        ...


def bodies_of(document: Document, selected: int, motion: Motion, before: Bodies | None) -> Bodies | None:
    """All bodies of a document, of which the selected one has that motion; None where it has but one.

    `before`: those of the document until now. Raises InputError where one of them cannot move so.
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
    """The bodies after `change`, which the motion of the selected one has had; made anew where they are of another kind
    then."""
    if bodies is None or not document.start.bodies or isinstance(bodies, ClosedBodies) != in_closed_form(document):
        return bodies_of(document, selected, motion, None)
    bodies.document = document
    change(bodies)
    return bodies


def folded(scenario: Scenario, selected: int) -> Scenario:
    """A scene with body and start of the selected one of its bodies, where it has several."""
    return scenario.of_body(min(selected, len(scenario.bodies) - 1)) if scenario.bodies else scenario


def motion_of(document: Document, selected: int, trail: RingBuffer) -> Motion:
    """The motion of a document, of the selected one of its bodies where it has several; `trail`: where it has but one.

    Raises InputError where body, loads and integrator do not fit.
    """
    if document.start.bodies:
        check_bodies(document.start)
        trail = RingBuffer(TRAIL_ROWS, TRAIL_WIDTH)  # of its own, for another one may be selected later
    return Motion(folded(document.start, selected), trail, document.changes)


def check_bodies(scenario: Scenario) -> None:
    """Raises InputError where one of a scene's bodies does not go with its loads and its integrator."""
    for number in range(len(scenario.bodies)):
        try:
            scenario.of_body(number).simulation()
        except InputError as error:
            raise InputError(f"bodies[{number}]: {error}") from None


def in_closed_form(document: Document) -> bool:
    """Whether all is free and exact at any time."""
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
