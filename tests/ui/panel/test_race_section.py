"""The panel's race: lanes hidden and taken out; the sliders of body, start and step."""

import re
import time

import numpy as np
import pytest
from helpers.disagreeing_log import disagreeing_log
from helpers.recorded_motion import rows_of
from helpers.reference import DATA
from scipy.spatial.transform import Rotation

from viewer.commands import opening
from viewer.commands.opening import REPAIR
from viewer.physics.rotation import rotation_matrix
from viewer.scenario.scenario import Scenario
from viewer.scene.words.formatting import format_errors
from viewer.ui.panel.race_section import HIDDEN_PHASE


@pytest.mark.parametrize("moments", [(10.0, 4.0, 2.0), (1.0, 0.625, 0.5), (0.02, 0.01, 0.013)])
def test_a_slider_changes_what_it_names(stage, moments):
    """The smallest takes all three along and J_L, the middle and the energy factor move alone. L in space stays."""
    shown = stage("race-of-five", size=(1280, 2100), open_all=True)
    session = shown.workspace.session
    session.change({"body.moments": moments})

    def facts():
        scenario = session.scenario
        omega, inertia = np.array(scenario.start.angular_velocity), np.array(scenario.body.moments)
        L = inertia * omega
        in_space = rotation_matrix(scenario.start_state().orientation_wxyz) @ L
        return np.array([*np.sort(1.0 / inertia), omega @ L / (L @ L)]), in_space

    _, momentum = facts()
    for name, moved in (("J min", {0, 1, 2, 3}), ("J mid", {1}), ("J_L", {3})):
        shown.frame()
        before, _ = facts()
        shown.drag(f"##race.{name}[0]", 4)
        after, L = facts()
        for n in range(4):
            if n in moved:
                assert after[n] > before[n]
            else:
                assert after[n] == pytest.approx(before[n], rel=1e-12)  # measured: 5e-16
        if len(moved) == 4:
            assert np.diff(after) == pytest.approx(np.diff(before), rel=1e-11)  # measured: 2e-15
        assert pytest.approx(momentum, rel=1e-12, abs=1e-12 * np.linalg.norm(momentum)) == L
        assert list(np.argsort(session.scenario.body.moments)) == list(np.argsort(moments))
    before, _ = facts()
    for _ in range(3):
        session.undo()
    assert tuple(session.scenario.body.moments) == moments


def test_the_sliders_are_there_for_any_body_and_make_moments_of_it(stage):
    shown = stage("race-hidden-phase", size=(1280, 2100), open_all=True)
    session = shown.workspace.session
    moments = session.scenario.rigid_body().principal_moments
    shown.drag("##race.J min[0]", 4)
    assert session.scenario.body.shape == "moments"
    added = 1.0 / np.array(session.scenario.body.moments) - 1.0 / moments
    assert added == pytest.approx(np.full(3, added[0]), rel=1e-12)
    session.undo()
    assert session.scenario.body.shape == "box"


def test_the_other_way_to_step_begins_at_the_step_that_there_is(stage):
    shown = stage("race-of-five", size=(1280, 2100), open_all=True)
    session = shown.workspace.session
    step = session.scene.race.course.step
    shown.click("##race.stepping")
    shown.click("Fixed step")
    assert session.scenario.race.stepping == "fixed"
    assert session.scenario.race.step == session.scene.race.course.step == step
    shown.drag("##race.step[0]", 4)
    step = session.scenario.race.step
    assert session.scene.race.course.step == step
    shown.click("##race.stepping")
    shown.click("Steps per rotation")
    assert session.scene.race.course.step == pytest.approx(step, rel=1e-14)


def test_a_scene_with_a_race_opens_with_the_section_unfolded_and_in_sight(stage):
    shown = stage("dzhanibekov", size=(1280, 720))
    assert "##race.show" not in shown.boxes
    shown.workspace.session.open(Scenario.preset("race-of-five"))
    shown.frame(6)
    _, top, _, bottom = shown.boxes["##race.show"]
    assert 34 < top < bottom < 720
    shown.workspace.settings.change("panel.open_sections", ())
    shown.frame(2)
    assert "##race.show" not in shown.boxes  # folded by hand it stays so


def test_the_section_names_every_lane_and_what_a_perfect_energy_hides(stage):
    shown = stage("race-hidden-phase", size=(1280, 2400), open_all=True)
    shown.workspace.session.run_to(20.0)
    shown.frame()
    words = [words for words, _ in shown.texts]
    for label in ("First order, closest point", "Implicit midpoint", "Split rotations"):
        assert label in words
    assert HIDDEN_PHASE in words
    shown.workspace.session.change({"race.show": "off"})
    shown.frame()
    assert "Split rotations" not in [words for words, _ in shown.texts]


def test_a_click_hides_a_lane_and_the_cross_takes_it_out(stage):
    shown = stage("race-of-five", size=(1280, 2100), open_all=True)
    session = shown.workspace.session
    shown.click("##lane jolt")
    assert session.scenario.race.hidden == ("jolt",)
    shown.click("##lane jolt")
    assert session.scenario.race.hidden == ()
    shown.click("out naive-rotation")
    assert "naive-rotation" not in session.scenario.race.lanes
    session.undo()
    assert "naive-rotation" in session.scenario.race.lanes


@pytest.mark.parametrize("axes", ["x-y-z", "yx-z"])
def test_a_recording_whose_frames_differ_is_repaired_by_a_button(stage, tmp_path, axes):
    """The panel says how, until it is repaired; undo takes it back."""
    name = disagreeing_log(tmp_path / "log.csv", axes)
    shown = stage(size=(1280, 2100), open_all=True)
    workspace = shown.workspace
    opening.open_scene(workspace, name)
    wait_for(workspace)
    shown.frame(2)
    assert workspace.session.document.recording.repairable
    assert " of the rates are " in shown.message
    assert any(re.match(r"rates and orientations differ by 1\d\d %", line) for line in overlaid(workspace))
    assert workspace.session.document.measured.residuals.max() > 1.0  # they are against the orientations
    workspace.messages.clear()
    shown.frame(2)
    assert any(" of the rates are " in words for words, _ in shown.texts)
    shown.click(REPAIR)
    wait_for(workspace)
    shown.frame(2)
    found = workspace.session.document.recording
    assert not found.repairable
    assert found.recording.conventions.rate_axes == axes
    assert REPAIR not in shown.boxes
    assert not any("differ by" in line for line in overlaid(workspace))
    assert workspace.session.document.measured.residuals.max() < 1e-3  # 9e-5, its noise
    workspace.session.undo()
    shown.frame(2)
    assert workspace.session.document.recording.repairable
    assert REPAIR in shown.boxes


def test_the_numbers_of_a_recording_that_drag_slows_are_said_to_be_those_of_its_free_motion(stage):
    shown = stage(size=(1280, 720))
    workspace = shown.workspace
    opening.open_scene(workspace, str(DATA / "damped-to-rest.csv"))
    wait_for(workspace)
    shown.frame(2)
    assert shown.message == "A drag of 0.3 /s slows it down to rest at about t = 32 s"
    words = [words for words, _ in shown.texts]
    assert any(line.startswith("Without drag: tumbling") for line in words)
    assert any(line.startswith("These are the numbers of its free motion; as recorded, a drag") for line in words)
    assert workspace.session.playback.loop == (0.0, workspace.session.document.recording.rest)  # not 100 min of rest


def overlaid(workspace) -> list[str]:
    """Return the errors that the picture shows of each lane."""
    return [format_errors(now) for now in workspace.session.snapshot().lanes]


def wait_for(workspace) -> None:
    while workspace.files.opening is not None:
        opening.follow(workspace, 0.0)
        time.sleep(0.01)


def test_a_recording_whose_frames_differ_in_one_of_two_ways_names_both(stage, tmp_path):
    """It is turned by a hand, so that no free motion tells which; nothing is offered that may be wrong."""
    t = np.arange(300) * 0.02
    rates = np.column_stack((np.sin(t), np.cos(2.0 * t + 1.0), np.sin(3.0 * t + 2.0)))
    turn = Rotation.identity()
    steps = Rotation.from_rotvec(0.01 * (rates[1:] + rates[:-1]))
    q = Rotation.concatenate([turn, *(turn := turn * step for step in steps)]).as_quat()[:, [3, 0, 1, 2]]
    (tmp_path / "a.csv").write_text("t,qw,qx,qy,qz,wx,wy,wz\n" + rows_of(t, q, rates * (1.0, -1.0, -1.0)))
    shown = stage()
    messages = shown.workspace.messages
    opening.open_scene(shown.workspace, str(tmp_path / "a.csv"))
    wait_for(shown.workspace)
    assert "a.csv: rates and orientations disagree" in messages.current.text
    assert "these readings fit alike: (1) rates recorded as x, -y, -z; (2) " in messages.current.text
    assert "can be declared in the dialog “Columns...”" in messages.current.text
    assert messages.current.offer is None or messages.current.offer.label != REPAIR
