"""What is open, against a model of it: fields and dated changes. Change, play, seek, undo and redo in any order."""

import dataclasses
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from helpers.playing import PAPER, Clock, play, session
from hypothesis import example, given, settings

from viewer.physics.simulation import Simulation
from viewer.replay.opening import read
from viewer.scenario.scenario import Scenario
from viewer.session.document import ACTIVE_FIELDS, Change
from viewer.session.session import Session

SLOWLY = {"playback.speed": 1.0, "solver.integration_period": 0.02, "solver.extra_substeps": 0}
PLAIN = PAPER.with_values(SLOWLY)
OTHER = Scenario.preset("dzhanibekov").with_values({**SLOWLY, "playback.auto_speed": False})
SCENES = (PLAIN, OTHER)
DATED = ("loads.external_friction", "solver.integrator", "solver.integration_period")  # change the motion on its way
FIELDS = ("show.body", "stereo.mode", "loads.pulse", "loads.auto_pulse", "body.mass", *DATED)
VALUES = {
    "show.body": (True, False),
    "stereo.mode": ("mono", "anaglyph", "side-by-side"),
    "loads.pulse": (0.01, 0.02),
    "body.mass": (1.0, 2.0),
    "loads.external_friction": (0.0, 0.01, 0.02),
    "solver.integrator": ("exact-drift", "split", "jolt"),
    "solver.integration_period": (0.02, 0.01),
}
HALF_A_STEP = 0.01 + 1e-9  # s, of the longest: so far a moment may lie from the nearest step
IMPULSE = "impulse"  # in the place of a field
PATIENCE = 2000  # frames
Dated = tuple[float, tuple[tuple[str, Any], ...]]


@dataclasses.dataclass(frozen=True)
class Model:
    """Fields at the start of a scene, and changes and impulses from a time on, in the order in which they were made."""

    fields: tuple[tuple[str, Any], ...]
    dated: tuple[Dated, ...] = ()
    scene: int = 0
    opening: int = dataclasses.field(default=0, compare=False)  # which one it is of

    @classmethod
    def of(cls, scene: int, opening: int = 0) -> "Model":
        return cls(tuple((path, SCENES[scene].value(path)) for path in FIELDS), (), scene, opening)

    @property
    def origin(self) -> float:
        return min([0.0, *(time for time, _ in self.dated)])

    def at(self, time: float) -> dict[str, Any]:
        """Every field as it is at a time. What was changed at the origin or on the way back to it holds both ways."""
        values = dict(self.fields)
        reached = 0.0
        for when, change in self.dated:
            if when <= reached or when <= time:
                values |= {path: value for path, value in change if path != IMPULSE}
            reached = min(reached, when)
        return values

    def last(self) -> dict[str, Any]:
        return self.at(np.inf)

    def changed(self, time: float, path: str, value: Any) -> "Model":
        """What was to come after the change does not come; another body begins at t = 0 with all as it is now; a pulse
        that is set follows |L| no more."""
        if path == "body.mass":
            return self.begun(self.at(time) | {path: value})
        if path not in (*DATED, IMPULSE):
            values = {path: value} | ({"loads.auto_pulse": False} if path == "loads.pulse" else {})
            return dataclasses.replace(self, fields=tuple((dict(self.fields) | values).items()))
        stays, reached = [], 0.0
        for when, change in self.dated:
            if when <= reached or when <= time:
                stays.append((when, change))
            reached = min(reached, when)
        return dataclasses.replace(self, dated=(*stays, (time, ((path, value),))))

    def begun_anew(self) -> "Model":
        return self.begun(self.last())

    def begun(self, fields: dict[str, Any]) -> "Model":
        return dataclasses.replace(self, fields=tuple(fields.items()), dated=())

    def begins_as(self, other: "Model") -> bool:
        mass = dict(self.fields)["body.mass"] == dict(other.fields)["body.mass"]
        return mass and self.opening == other.opening

    def simulation(self, time: float) -> Simulation:
        """The motion at `time`, from the start through all that happens on the way, in a simulation of its own."""
        scene = SCENES[self.scene]
        simulation = scene.with_values(dict(self.fields)).simulation()
        reached = 0.0

        def go(then: float) -> None:
            simulation.advance_steps(round((then - simulation.time) / simulation.step))

        values = dict(self.fields)
        for when, change in self.dated:
            if when > reached and when > time:
                break
            reached = min(reached, when)
            go(when)
            if change[0][0] == IMPULSE:
                simulation.kick(change[0][1])
                continue
            values |= dict(change)
            scenario = scene.with_values(values)
            simulation.change(
                loads=scenario.loads_value(),
                integrator=scenario.solver.integrator,
                step=scenario.solver.step,
                stabilisation=scenario.solver.stabilisation,
            )
        go(time)
        return simulation


class Driven:
    """A session and its model, led through the same."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.session = Session(PLAIN, playing=False, clock=self.clock)
        self.model = Model.of(0)
        self.kept, self.openings = [self.model], 0  # as opened, by the number of the opening
        self.done: list[tuple[Model, Model]] = []
        self.undone: list[tuple[Model, Model]] = []

    def change(self, path: str, number: int) -> None:
        value = VALUES[path][number % len(VALUES[path])]
        time, before = self.session.motion.time, self.model
        if before.at(time)[path] == value:
            return
        self.session.change({path: value})
        self.session.commit_change()
        self._did(before.changed(time, path, value))

    def pulse(self, axis: int) -> None:
        time, size = self.session.motion.time, self.session.scenario.loads.pulse
        self.session.pulse(axis, 1)
        impulse = tuple(size if n == axis else 0.0 for n in range(3))
        self._did(self.model.changed(time, IMPULSE, impulse))

    def open(self, scene: int) -> None:
        self.session.open(SCENES[scene])
        self.openings += 1
        self._did(Model.of(scene, self.openings))
        self.kept.append(self.model)

    def _did(self, model: Model) -> None:
        if model != self.model:
            self.done.append((self.model, model))
            self.undone.clear()
            self.model = model

    def run(self, quarters: int) -> None:
        """Forwards, or back for a negative number of quarters of a second."""
        if quarters < 0:
            self.session.playback.reverse()
        else:
            self.session.playback.play()
        for _ in range(abs(quarters)):
            self.session.scene.advance(0.25)
        if self.session.playback.backwards:
            self.session.playback.reverse()
        self.session.playback.pause()
        if (
            quarters < 0 or self.session.motion.time < 0.0
        ):  # steps towards t = 0 err by round-off; what is recorded does not
            self.session.playback.seek(self.session.motion.time)

    def seek(self, share: float) -> None:
        """Nothing that is kept hangs on where in time one looks."""
        first, last = self.session.motion.span
        before = self.session.document, self.session.unsaved, self.session.document.scenario.to_text()
        self.session.playback.seek(first + share * (last - first))
        assert (self.session.document, self.session.unsaved, self.session.document.scenario.to_text()) == before

    def undo(self) -> None:
        """And, where there was something: redo after undo is the identity, and undo after that as before."""
        if not self.done:
            self.session.undo()
            return
        here, time, document, scenario = (
            self.here(),
            self.session.motion.time,
            self.session.document,
            self.session.scenario,
        )
        before, after = self.done.pop()
        assert after == self.model
        same_start = before.begins_as(after)
        self.session.undo()
        taken_back, same = (self.session.document, self.session.motion.time == pytest.approx(time, abs=HALF_A_STEP))
        back = self.came_back(after, before)
        message = str(self.session.scene.message)
        assert same or back or not same_start or "Time does not run backwards" in message
        self.session.redo()
        assert self.session.document == document
        self.came_back(before, after)
        if same and same_start and all(when <= time for when, _ in after.dated):
            assert self.session.motion.time == pytest.approx(time, abs=2 * HALF_A_STEP)
        if self.session.motion.time == time:
            assert self.session.scenario == scenario
            np.testing.assert_array_equal(self.here(), here)
        self.session.undo()
        assert self.session.document == taken_back
        assert same_start or back or self.session.motion.time == 0.0
        self.model = before
        self.undone.append((before, after))

    def came_back(self, then: Model, now: Model) -> bool:
        """Whether something dated is there that was not, and nothing has gone for it; then it has been reached."""
        kept = then.dated if then.begins_as(now) else ()
        back = len(now.dated) > len(kept) and now.dated[: len(kept)] == kept
        assert not back or self.session.motion.time >= now.dated[-1][0] - HALF_A_STEP
        return back

    def redo(self) -> None:
        self.session.redo()
        if self.undone:
            then, self.model = self.model, self.undone[-1][1]
            self.done.append(self.undone.pop())
            self.came_back(then, self.model)

    def press(self, keys: list[bool]) -> None:
        """Undo and redo one upon the other, on a machine on which a frame has time for a few steps only."""
        self.clock.tick = 0.03
        for again in keys:
            getattr(self.session, "redo" if again else "undo")()
            taken, other = (self.undone, self.done) if again else (self.done, self.undone)
            if taken:
                self.model = taken[-1][1 if again else 0]
                other.append(taken.pop())
            self.check()
            self.session.scene.advance(1 / 60)
            self.check()
        for _ in range(PATIENCE):
            if not self.session.scene.moving:
                break
            self.session.scene.advance(1 / 60)
        assert not self.session.scene.moving
        self.clock.tick = 0.0

    def reset(self) -> None:
        """All that was done on the way is done to the start; undo knows when it was done."""
        self.session.reset()
        self._did(self.model.begun_anew())

    def here(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        catching_up = self.session.playback.catching_up  # the picture then stays as it was
        now = (self.session.scene if catching_up else self.session).snapshot()
        return np.concatenate((now.reading.orientation_wxyz, now.reading.omega_body))

    def check(self) -> None:
        """The session is what the model says: panel, file, and the motion bit for bit."""
        time = self.session.motion.time
        assert {path: self.session.scenario.value(path) for path in FIELDS} == self.model.at(time)
        saved = self.session.document.scenario
        assert {path: saved.value(path) for path in FIELDS} == self.model.last()
        assert self.session.unsaved == (self.model.begun_anew() != self.kept[self.model.opening])
        state = self.model.simulation(time).state
        np.testing.assert_array_equal(self.here(), (*state.orientation_wxyz, *state.omega_body))


OPERATIONS = st.one_of(
    st.tuples(st.just("change"), st.sampled_from(tuple(VALUES)), st.integers(0, 2)),
    st.tuples(st.just("change"), st.sampled_from(DATED), st.integers(0, 2)),
    st.tuples(st.just("run"), st.integers(-3, 8)),
    st.tuples(st.just("run"), st.integers(1, 8)),
    st.tuples(st.just("pulse"), st.integers(0, 2)),
    st.tuples(st.just("pulse"), st.integers(0, 2)),
    st.tuples(st.just("open"), st.integers(0, 1)),
    st.tuples(st.just("seek"), st.floats(0.0, 1.0)),
    st.tuples(st.just("undo")),
    st.tuples(st.just("redo")),
    st.tuples(st.just("press"), st.lists(st.booleans(), min_size=1, max_size=8)),
    st.tuples(st.just("reset")),
)


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(st.lists(OPERATIONS, max_size=20))
@example([("run", -2), ("run", 1)])
@example(
    [
        ("run", 4),
        ("change", "loads.external_friction", 2),
        ("seek", 0.0),
        ("change", "loads.external_friction", 2),
        ("reset",),
    ]
)
@example(
    [("open", 1), *[("run", 1), ("pulse", 0)] * 6, *[("undo",), ("run", 1)] * 7, ("press", [True] * 10), ("run", 1)]
)
@example([("run", 4), ("pulse", 0), ("undo",), ("reset",), ("run", 1), ("redo",)])
@example([("pulse", 2), ("run", -3), ("pulse", 1), ("run", 1), ("pulse", 1), ("run", 3)])  # past its origin again
@example([("pulse", 1), ("run", -3), ("pulse", 1), ("reset",), ("run", 8)])
def test_whatever_is_done_in_whichever_order_the_document_is_fields_and_dated_changes(
    operations: list[tuple[Any, ...]],
) -> None:
    driven = Driven()
    for name, *words in operations:
        getattr(driven, name)(*words)
        driven.check()
    while driven.done:
        driven.undo()
        driven.check()
    assert driven.session.document.start == PLAIN
    driven.session.reset()
    driven.check()
    while driven.undone:
        driven.redo()
        driven.check()


def friction(running: Session) -> float:
    return running.scenario.loads.external_friction


def test_undo_takes_a_change_out_of_the_past() -> None:
    running = session(PLAIN)
    running.scene.run_on_to(5.0)
    running.change({"loads.external_friction": 0.02})
    running.scene.run_on_to(8.0)
    running.playback.pause()
    braked = running.snapshot().reading.energy
    running.playback.seek(2.0)
    running.undo()
    assert (running.motion.time, friction(running)) == (pytest.approx(2.0, abs=0.02), 0.0)
    assert running.motion.changes == []
    running.scene.run_on_to(8.0)
    assert running.snapshot().reading.energy == pytest.approx(running.snapshot().reading.target_energy, rel=1e-12)
    assert friction(running) == 0.0
    running.redo()
    assert running.motion.time == pytest.approx(8.0, abs=0.02)
    assert friction(running) == 0.02
    assert running.motion.changes == [pytest.approx(5.0, abs=0.02)]
    assert running.snapshot().reading.energy == pytest.approx(braked, rel=1e-12)
    running.playback.seek(2.0)
    assert friction(running) == 0.0
    assert friction(Session(running.document.scenario)) == 0.02


def test_undo_of_what_is_shown_leaves_the_motion_alone() -> None:
    running = session(PLAIN)
    play(running, 5.0)
    running.change({"loads.external_friction": 0.02})
    play(running, 2.0)
    running.playback.seek(2.0)
    running.change({"show.body": False})
    play(running, 5.0)
    before, scenario, span = running.snapshot(), running.scenario, running.motion.span
    running.undo()
    now = running.snapshot()
    assert running.scenario == dataclasses.replace(scenario, show=PLAIN.show)
    assert (friction(running), running.motion.span) == (0.02, span)
    np.testing.assert_array_equal(now.reading.orientation_wxyz, before.reading.orientation_wxyz)
    running.undo()
    assert friction(running) == 0.0
    assert running.motion.time == pytest.approx(before.reading.time, abs=0.02)


def test_a_pulse_is_taken_out_of_the_motion_and_what_was_done_before_it_stays() -> None:
    running, other = session(PLAIN), session(PLAIN)
    for one in (running, other):
        one.scene.run_on_to(1.0)
        one.change({"loads.external_friction": 0.02})
        one.scene.run_on_to(2.0)
        if one is running:
            one.pulse(0, 1)
        one.scene.run_on_to(3.0)
        one.playback.pause()
    kicked = running.snapshot().reading.omega_body
    running.undo()
    assert running.motion.changes == [pytest.approx(1.0, abs=0.02)]
    np.testing.assert_array_equal(running.snapshot().reading.omega_body, other.snapshot().reading.omega_body)
    running.redo()
    assert running.motion.changes == [pytest.approx(1.0, abs=0.02), pytest.approx(2.0, abs=0.02)]
    np.testing.assert_array_equal(running.snapshot().reading.omega_body, kicked)
    running.playback.seek(1.5)
    running.pulse(1, 1)  # the friction stays, the other pulse does not come
    assert running.motion.changes == [pytest.approx(1.0, abs=0.02), pytest.approx(1.5, abs=0.02)]
    running.undo()  # .. and now it comes again
    running.scene.run_on_to(3.0)
    assert running.motion.changes == [pytest.approx(1.0, abs=0.02), pytest.approx(2.0, abs=0.02)]
    running.reset()
    assert running.document.changes == ()


def test_a_drag_while_the_clock_runs_is_taken_back_whole() -> None:
    running = session(PLAIN)
    play(running, 1.0)
    for number in range(1, 6):
        running.change({"loads.external_friction": 0.002 * number})
        running.scene.advance(0.1)
    running.commit_change()
    assert len(running.document.changes) == 5
    running.undo()
    assert running.document.changes == ()
    assert friction(running) == 0.0
    running.redo()
    assert len(running.motion.changes) == 5


def test_a_long_way_back_goes_on_in_the_frames_that_follow() -> None:
    """However often undo is pressed meanwhile, it ends at the moment at which it was pressed first."""
    clock = Clock(1e-3)
    running = Session(Scenario.preset("dzhanibekov"), clock=clock)
    clock.tick = 0.0
    for value in (0.01, 0.0, 0.01):
        running.change({"loads.external_friction": value})
        running.commit_change()
        running.scene.run_on_to(running.motion.time + 1.0)
    running.playback.pause()
    clock.tick = 1e-3
    for _ in range(3):
        running.undo()
    assert running.motion.time < 2.0
    assert running.scene.moving
    clock.tick = 0.0
    running.scene.advance(1 / 60)
    assert running.motion.time == pytest.approx(3.0, abs=1e-3)
    assert not running.scene.moving
    assert running.document.changes == ()


def test_undo_of_opening_leaves_the_screen_as_the_user_has_set_it_since() -> None:
    running = session(PLAIN)
    play(running, 1.0)
    then = running.motion.time
    running.change({"loads.external_friction": 0.02})
    running.change({"view.zoom": 3.0})
    running.open(*read("sphere", running.scenario))
    running.change({"view.theme": "light"})
    running.undo()
    assert running.motion.time == then  # what was changed on the way has come again
    assert friction(running) == 0.02
    assert (running.scenario.title, running.scenario.view.zoom, running.scenario.view.theme) == (
        PLAIN.title,
        3.0,
        "light",
    )
    running.redo()
    assert running.scenario.title == "Sphere"


def test_what_acts_is_declared_as_what_a_motion_can_change() -> None:
    assert set(DATED) < set(ACTIVE_FIELDS)
    assert "loads.pulse" not in ACTIVE_FIELDS


def test_a_motion_is_disturbed_from_the_moment_when_the_first_load_acts() -> None:
    """Not by a change of the solver; and by a load only once it has acted until the next change."""
    running = Session(PLAIN, playing=True)
    changes = ({"solver.integrator": "split"}, {"solver.integrator": "jolt"}, {"loads.external_friction": 0.01},
               {"loads.external_friction": 0.0}, {"solver.integrator": "split"})  # fmt: skip
    begun, seen = [], []
    for change in changes:
        play(running, 1.0)
        running.change(change)
        running.commit_change()
        begun.append(running.document.changes[-1].time)
        seen.append(running.document.disturbed)
    assert seen == [None, None, None, begun[2], begun[2]]


def test_a_change_forgets_those_that_are_later_and_moves_the_origin_back() -> None:
    """From the earliest change before t = 0 on time is known in both directions."""
    document = session().document
    for time in (1.0, 2.0, 1.5, -1.0, -0.5, -2.0):
        document = document.with_change(Change(time, (("loads.external_friction", abs(time)),)))
    assert [change.time for change in document.changes] == [-1.0, -2.0]
    later = document.with_change(Change(0.5)).with_change(Change(0.25))
    assert [change.time for change in later.changes] == [-1.0, -2.0, 0.25]


def test_a_body_is_given_where_a_file_has_one_that_no_preset_has(tmp_path: Path) -> None:
    preset = session().document
    assert preset.given_body is None
    own = dataclasses.replace(preset, path=tmp_path / "scene.toml")
    assert own.given_body is None
    other = dataclasses.replace(own, start=own.start.with_value("body.mass", 1.2345))
    assert other.given_body == other.start.body
    assert dataclasses.replace(other, path=None).given_body is None
