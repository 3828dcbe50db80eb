"""Torque in time in the panel: added, edited, removed, undone; what the picture shows."""

import math

import numpy as np
import pytest

from viewer.commands.loads import PIECES, THRUSTERS, add_part, new_thruster, new_torque
from viewer.physics.loads import Thruster, TorquePiece
from viewer.scenario.scenario import Scenario, field_at
from viewer.session.session import Session
from viewer.ui.overlays.commands import commands
from viewer.ui.panel.loads_section import between_neighbours, curve_of, size_of, window_of
from viewer.workspace.editor import SceneEditor
from viewer.workspace.messages import Messages
from viewer.workspace.transitions import CameraAnimator

SINE = TorquePiece("sine", (0.0, 0.0, 0.1), frequency=0.5)


@pytest.fixture
def opened(stage):
    shown = stage(size=(1280, 2600), open_all=True)
    shown.frame(2)
    return shown


def test_a_torque_in_time_is_added_edited_and_removed(opened):
    session = opened.workspace.session
    opened.click("Add a torque in time")
    assert session.scenario.loads.torque_of_time == (SINE,)
    opened.frame(2)
    opened.click("##loads.torque_of_time[0].no_end")
    assert session.scenario.loads.torque_of_time[0].end == 1.0
    opened.frame(2)
    assert "##loads.torque_of_time[0].end[0]" in opened.boxes
    opened.click("##loads.torque_of_time[0].no_end")
    assert session.scenario.loads.torque_of_time[0].end == math.inf
    session.undo()
    assert session.scenario.loads.torque_of_time[0].end == 1.0
    session.undo()
    assert session.scenario.loads.torque_of_time == (SINE,)
    opened.frame(2)
    opened.click("out loads.torque_of_time 0")
    assert session.scenario.loads.torque_of_time == ()
    session.undo()
    assert session.scenario.loads.torque_of_time == (SINE,)


def test_what_is_clicked_after_a_number_was_typed_is_undone_on_its_own(opened):
    session = opened.workspace.session
    opened.click("Add a torque in time")
    session.change({"loads.torque_of_time": [TorquePiece("sine", (0.0, 0.0, 0.1), frequency=0.5, start=2.0)]})
    opened.frame(2)
    opened.click("##loads.torque_of_time[0].no_end")
    assert session.scenario.loads.torque_of_time[0].end == 3.0
    session.undo()
    assert session.scenario.loads.torque_of_time[0].start == 2.0


@pytest.mark.parametrize("preset", ["paper-fig1", "box-80kg", "sphere", "twenty-boxes"])
def test_what_is_added_suits_the_body_and_the_time(preset):
    """A tenth and more of |L|, and not over before it begins."""
    session = Session(Scenario.preset(preset), playing=False)
    session.run_to(3.4)
    editor = SceneEditor(session, Messages(), CameraAnimator(lambda: 0.0, session.scenario.view), lambda: 0.0)
    add_part(session, editor, PIECES)
    add_part(session, editor, THRUSTERS)
    piece, thruster = session.scenario.loads.torque_of_time[0], session.scenario.loads.thrusters[0]
    size = np.linalg.norm(session.snapshot().reading.angular_momentum_world)
    assert 0.2 * size < np.linalg.norm(piece.amplitude) <= 0.7 * size
    assert 0.03 * size < np.linalg.norm(thruster.torque) <= 0.1 * size
    assert thruster.times == (4.0, 5.0)


def test_a_thruster_gets_and_loses_times(opened):
    session = opened.workspace.session
    opened.click("Add a thruster")
    assert session.scenario.loads.thrusters[0].times == (1.0, 2.0)
    opened.frame(2)
    opened.click("Add a time##0")
    opened.frame(2)
    assert session.scenario.loads.thrusters[0].times == (1.0, 2.0, 3.0)
    opened.click("Add a time##0")
    opened.frame(2)
    opened.click("Remove the last##0")
    assert session.scenario.loads.thrusters[0].times == (1.0, 2.0, 3.0)
    opened.frame(2)
    opened.click("out loads.thrusters 0")
    assert session.scenario.loads.thrusters == ()


def test_at_the_limit_there_is_no_button(opened):
    opened.workspace.session.change({"loads.torque_of_time": [SINE] * 16})
    opened.boxes.clear()
    opened.frame(2)
    assert "Add a torque in time" not in opened.boxes
    assert "Add a thruster" in opened.boxes


def test_the_picture_shows_what_begins_and_ends_and_the_present_time():
    burn = Thruster((0, 0.5, 0), (2.0, 0, 0), (1.0, 4.0))
    begin, end = window_of((burn, SINE), 2.0)
    assert begin < 0.0
    assert end > 8.0  # four cycles
    for now in (-50.0, 0.0, 3.0, 1e4):
        begin, end = window_of((burn, SINE), now)
        assert begin < now < end


PARTS = [
    SINE, TorquePiece("sine", (0, 0, 1), frequency=100.0, start=0.3, end=7.0),
    TorquePiece("pulse-train", (1, 0, 0), period=1.1, width=1e-3), TorquePiece("ramp", (0, 1, 0), start=1.0, end=3.3),
    TorquePiece("pulse-train", (1, 0, 0), period=0.5, width=0.2, start=-1.05, end=2.1),
    TorquePiece("constant", (0, 1, 0)),
    Thruster((0, 0.5, 0), (2.0, 0, 0), (1.0, 1.002, 4.0, 4.7, 6.0)),
]  # fmt: skip


@pytest.mark.parametrize("part", PARTS)
def test_the_curve_of_a_torque_has_its_values_and_its_jumps(part):
    """A pulse of a millisecond in ten seconds is drawn too."""
    times, values = curve_of(part, -2.0031, 8.0017)
    value = part.is_on if isinstance(part, Thruster) else part.at
    assert (np.diff(times) > 0.0).all()
    np.testing.assert_allclose(values, [size_of(part) * float(value(time)) for time in times])
    assert np.abs(values).max() == pytest.approx(size_of(part), rel=0.02)
    assert set(part.edges(-2.0031, 8.0017)) <= set(times.tolist())


def test_at_a_zero_of_the_sine_the_torque_now_is_shown_as_0(opened):
    session = opened.workspace.session
    session.change({"loads.force": (0, 0, 0), "loads.torque_of_time": [{
        "kind": "sine", "amplitude": (0, 0, 1.0), "frequency": 100.0, "frame": "body",
    }]})  # fmt: skip
    session.scene.run_on_to(5.0)
    snapshot = session.snapshot()
    assert 0.0 < np.linalg.norm(snapshot.external_torque) < snapshot.loads.torque_round_off(5.0) < 1e-10
    opened.frame(2)
    assert "0 N m" in [words for words, _ in opened.texts]


def test_a_switching_time_stays_between_its_neighbours(opened):
    session = opened.workspace.session
    session.change(
        {
            "loads.thrusters": [{"point": (0, 0.1, 0), "force": (1.0, 0, 0), "times": (1.0, 2.0, 3.0)}],
            "view.frame": "space",
        }
    )
    opened.frame(2)
    opened.drag("##loads.thrusters[0].1[0]", 2000)
    assert session.scenario.loads.thrusters[0].times == (1.0, 2.999, 3.0)
    opened.drag("##loads.thrusters[0].1[0]", -2000)
    assert session.scenario.loads.thrusters[0].times == (1.0, 1.001, 3.0)
    assert opened.message is None
    field = dict(field_at("loads.thrusters").keys)["times"]
    found = between_neighbours(field, 1.0 + 1e-6, 1.0, 1.0 + 2e-6)
    assert 1.0 < found.low < 1.0 + 1e-6 < found.high < 1.0 + 2e-6


def test_a_time_typed_beyond_its_neighbour_is_refused_at_its_box_and_the_next_entry_takes_that_away(opened):
    session = opened.workspace.session
    session.change(
        {"loads.thrusters": [{"point": (0, 0.1, 0), "force": (1.0, 0, 0), "times": (1.0, 2.0)}], "view.frame": "space"}
    )
    opened.frame(2)
    numbers = opened.ui.panel._controls.numbers
    opened.enter("##loads.thrusters[0].1[0]", "0.5")
    assert numbers.refused.reason == "Off: a number from 1.001 to 10¹² s"
    assert opened.message is None
    opened.enter("##loads.thrusters[0].1[0]", "4")
    assert session.scenario.loads.thrusters[0].times == (1.0, 4.0)
    assert numbers.refused is None


def test_what_the_scene_refuses_is_told_in_the_panel_s_words_until_a_change_is_taken(opened):
    editor = opened.workspace.editor
    editor.set("loads.thrusters", [{"force": (1.0, 0, 0), "times": (1.0, 0.5)}])
    assert opened.message == "Thruster 1, switching times: 0.5 s is not allowed after 1 s; each must be later"
    editor.set("loads.torque_of_time", [{"amplitude": (2e50, 0, 0)}])
    assert opened.message == "Torque in time 1, amplitude: 2e50 N m is outside −1e50 to 1e50 N m"
    editor.set("body.mass", 2.0)
    assert opened.message is None


@pytest.mark.parametrize("path", [PIECES, THRUSTERS])
def test_what_the_palette_adds_is_shown_and_has_the_keyboard(stage, path):
    """Its first control is within the panel, from whose top the section is scrolled to."""
    shown = stage(size=(1280, 720))
    title = {PIECES: "Add a torque in time", THRUSTERS: "Add a thruster"}[path]
    (command,) = [command for command in commands(shown.workspace) if command.title == title]
    command.run()
    shown.frame(6)
    name = {PIECES: f"##{path}[0].kind", THRUSTERS: f"##{path}[0].point[0]"}[path]
    assert shown.ui.controls.focus.at == name
    box, panel = shown.boxes[name], shown.ui.layout.areas.panel
    assert panel.y <= box[1]
    assert box[3] <= panel.y + panel.height


def test_every_part_of_a_torque_is_named(opened):
    opened.click("Add a torque in time")
    opened.frame(2)
    opened.click("Add a thruster")
    opened.frame(2)
    words = [text for text, _ in opened.texts]
    for name in ("Torque 1", "Kind", "Fixed in", "Frequency", "Start", "Thruster 1", "Switching times", "On", "Off"):
        assert name in words
    assert "Torque [N m] over time [s]" in words


@pytest.mark.parametrize(("turn", "beat"), [(86400.0, 50000.0), (2e-3, 2e-3), (1.0, 1.0)])
def test_what_is_added_suits_how_fast_the_body_turns(turn, beat):
    """A sphere: L = 2/5 m r² ω, and it turns about L in 2 pi / ω."""
    sphere = {"body.shape": "sphere", "body.radius": 1.0, "body.mass": 1.0}
    session = Session(Scenario().with_values({**sphere, "start.angular_velocity": (0.0, 0.0, 2.0 * math.pi / turn)}))
    momentum = 0.4 * 2.0 * math.pi / turn
    torque, thruster = new_torque(session), new_thruster(session)
    assert torque["frequency"] == pytest.approx(0.5 / beat, rel=1e-15)
    assert 0.25 <= torque["amplitude"][2] * beat / momentum <= 0.7
    assert thruster["times"] == (beat, 2.0 * beat)
    assert 0.04 <= thruster["force"][0] * thruster["point"][1] * beat / momentum <= 0.1
