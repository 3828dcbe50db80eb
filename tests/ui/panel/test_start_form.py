"""The start as |L|, energy and axis; what the panel says of the spin; the inertia tensor."""

import numpy as np
import pytest

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.loads import Loads
from viewer.physics.poinsot.spin import circulation, separatrix_energy
from viewer.physics.state import State
from viewer.replay.opening import read_own
from viewer.scenario.scenario import Scenario
from viewer.scene.words.spin import describe_spin
from viewer.ui.platform.imgui_module import imgui

MOMENTS = np.array([0.0145, 0.052, 0.0625])


def start_of(shown):
    """(L, E) at the start."""
    scenario = shown.workspace.session.scenario
    omega = np.array(scenario.start.angular_velocity)
    momentum = scenario.rigid_body().principal_moments * omega
    return momentum, 0.5 * float(momentum @ omega)


def test_a_drag_of_the_energy_leads_through_the_separatrix_and_back(stage):
    shown = stage(size=(1280, 1200))
    shown.workspace.session.change({"start.angular_velocity": (0.2, 2.5, 0.6)})
    shown.workspace.session.commit_change()
    before, energy = start_of(shown)
    name = "##start.energy[0]"
    shown.drag(name, 80, release=False)
    led, higher = start_of(shown)
    assert higher > energy
    assert (circulation(MOMENTS, before).axis, circulation(MOMENTS, led).axis) == (2, 0)
    assert np.linalg.norm(led) == pytest.approx(np.linalg.norm(before), rel=1e-14)
    assert np.all(led * before > 0.0)
    x, y = shown.over(name)
    shown.move(x - 400, y)
    led, lower = start_of(shown)
    assert led == pytest.approx((0.0, 0.0, np.linalg.norm(before)), abs=1e-15)
    assert lower < energy
    shown.button(False)
    shown.workspace.session.undo()
    assert start_of(shown)[0] == pytest.approx(before, abs=0)


def test_a_drag_is_held_at_the_separatrix_and_shift_lets_it_pass(stage):
    shown = stage(size=(1280, 1200))
    shown.workspace.session.change({"start.angular_velocity": (6.0, 1.0, 0.6)})
    shown.frame(2)
    momentum, energy = start_of(shown)
    middle = separatrix_energy(MOMENTS, momentum)
    left, _, right, _ = shown.boxes["##start.energy[0]"]
    low, high = (float(momentum @ momentum) / (2 * MOMENTS[i]) for i in (2, 0))
    way = (middle - energy) / (high - low) * (right - left)
    shown.drag("##start.energy[0]", round(way) + 3)
    assert start_of(shown)[1] == pytest.approx(middle, rel=1e-14)
    shown.workspace.session.undo()
    imgui.get_io().add_key_event(imgui.Key.mod_shift, True)
    shown.drag("##start.energy[0]", -40)
    imgui.get_io().add_key_event(imgui.Key.mod_shift, False)
    assert energy > start_of(shown)[1] > middle


def test_the_energy_is_typed_and_what_may_not_be_is_told(stage):
    shown = stage(size=(1280, 1200))
    momentum, _ = start_of(shown)
    shown.enter("##start.energy[0]", "0.5 J")
    assert start_of(shown)[1] == pytest.approx(0.5, rel=1e-14)
    assert start_of(shown)[0] @ start_of(shown)[0] == pytest.approx(momentum @ momentum)
    shown.enter("##start.energy[0]", "5")
    shown.frame()
    assert any(words == "Energy: a number from 0.1975 to 0.851296 J" for words, _ in shown.texts)
    assert start_of(shown)[1] == pytest.approx(0.5, rel=1e-14)
    shown.click("##start.energy[0]", which=1)
    assert start_of(shown)[1] == pytest.approx(separatrix_energy(MOMENTS, momentum), rel=1e-14)


def test_the_size_of_the_momentum_scales_the_spin(stage):
    shown = stage(size=(1280, 1200))
    before, _ = start_of(shown)
    shown.enter("##start.momentum[0]", "0.3")
    after, _ = start_of(shown)
    assert np.linalg.norm(after) == pytest.approx(0.3)
    assert np.cross(before, after) == pytest.approx(0.0, abs=1e-16)
    shown.enter("##start.momentum[0]", "0")
    assert shown.workspace.session.scenario.start.angular_velocity == (0.0, 0.0, 0.0)
    shown.frame(2)
    assert "##start.energy[0]" not in shown.boxes
    shown.enter("##start.momentum[0]", "0.2")
    assert np.linalg.norm(start_of(shown)[0]) == pytest.approx(0.2)


def test_too_fast_a_spin_is_refused(stage):
    shown = stage(size=(1280, 1200))
    before = start_of(shown)[0]
    shown.enter("##start.momentum[0]", "9e6")
    assert "is outside −1e6 to 1e6 rad/s" in shown.message
    assert start_of(shown)[0] == pytest.approx(before)


def test_an_axis_is_chosen(stage):
    shown = stage(size=(1280, 1200))
    size = np.linalg.norm(start_of(shown)[0])
    shown.click("##start.axis")
    shown.frame(2)
    shown.click("−x′ smallest")
    shown.frame(2)
    assert start_of(shown)[0] == pytest.approx((-size, 0.0, 0.0))
    shown.workspace.session.undo()
    assert start_of(shown)[0][1] > 0.0


def test_a_sphere_has_no_choice_of_energy(stage):
    shown = stage("sphere", size=(1280, 1200))
    assert "##start.momentum[0]" in shown.boxes
    assert "##start.energy[0]" not in shown.boxes


ROD, DISC = np.array((2.0, 2.0, 0.1)), np.array((1.0, 1.0, 2.0))
INSIDE, OUTSIDE = Loads(internal_friction=0.1), Loads(external_friction=0.1)
PUSHED = Loads(force=(0, 0, 1), arm=(1, 0, 0))


@pytest.mark.parametrize(
    ("moments", "omega", "loads", "said"),
    [
        (MOMENTS, (0.0, 3.0, 0.3), Loads(), "Tumbling, flips every 3.50 s"),
        (MOMENTS, (0.0, 3.0, 0.3), Loads(force=(0, 0, 1)), "Tumbling, flips every 3.50 s"),  # no arm
        (MOMENTS, (0.0, 3.0, 0.3), INSIDE, "Settling, tumbling"),
        (MOMENTS, (0.0, 3.0, 0.3), OUTSIDE, "Slowing, tumbling"),
        (MOMENTS, (0.0, 3.0, 0.3), PUSHED, "Under a torque: ω 5.71° from +y′"),
        (MOMENTS, (0.0, 0.1, -3.0), Loads(), "Wobbling about −z′ (largest), 1.59°"),
        (MOMENTS, (0.0, 0.0, 3.0), INSIDE, "Steady about +z′ (largest)"),
        (MOMENTS, (0.0, -3.0, 0.0), Loads(), "Steady about −y′ (middle), unstable"),
        (MOMENTS, (3.0, 0.1, 0.0), INSIDE, "Settling, wobbling about +x′, 6.82°"),
        (MOMENTS, (3.0, 0.1, 0.0), Loads(), "Wobbling about +x′ (smallest), 6.82°"),
        (ROD, (1.0, 2.0, 0.0), Loads(), "Flat spin, end over end"),
        (ROD, (1.0, 2.0, 0.0), INSIDE, "Flat spin, end over end"),
        (DISC, (-1.0, 0.0, 0.0), Loads(), "Steady about an axis across z′"),
        (ROD, (1.0, 2.0, 1e-3), INSIDE, "Flat spin, end over end"),
        (ROD, (1.0, 0.0, 3.0), INSIDE, "Settling, precessing, +z′ 81.5° from L"),
        (ROD, (1.0, 0.0, 3.0), Loads(), "Precessing, +z′ (smallest) 81.5° from L"),
        (ROD, (0.0, 0.0, -3.0), Loads(), "Steady about −z′ (smallest)"),
        (DISC, (0.0, 1.0, -3.0), Loads(), "Precessing, −z′ (largest) 9.46° from L"),
        (DISC, (0.0, 1.0, 1e-5), Loads(), "Steady about an axis across z′"),
        (np.ones(3), (0.0, 1.0, -3.0), INSIDE, "Steady"),
    ],
)
def test_what_is_said_of_a_motion(moments, omega, loads, said):
    free = FreeRotation(RigidBody.from_moments(moments), State((1, 0, 0, 0), omega))
    line, more = describe_spin(moments, np.array(omega), free.flip_period, loads, False, loads.turns)
    assert line == said
    assert more.endswith(".")


def test_a_torque_is_named_while_it_acts(stage):
    shown = stage()
    shown.workspace.session.change(
        {"loads.thrusters": ({"point": (0.5, 0, 0), "force": (0, 0.1, 0), "times": (0.5, 0.9)},)}
    )
    for time, named in ((0.2, False), (0.7, True), (1.5, False)):
        shown.workspace.session.run_to(time)
        shown.frame(2)
        assert any(line.startswith("Under a torque") for line, _ in shown.texts) == named


def test_the_panel_says_what_the_motion_does_and_alarms_nobody(stage):
    shown = stage()
    assert any(line == "Tumbling, flips every 3.50 s" for line, _ in shown.texts)
    shown.workspace.session.change({"start.angular_velocity": (0.0, 0.0, 3.0)})
    shown.frame(2)
    assert any(line == "Steady about +z′ (largest)" for line, _ in shown.texts)


def test_the_panel_of_a_body_at_rest(stage):
    shown = stage()
    shown.workspace.session.change({"loads.external_friction": 1.0})
    shown.workspace.session.run_to(30.0)
    shown.frame(2)
    written = [line for line, _ in shown.texts]
    assert not [line for line in written if "×10" in line]
    assert {"At rest", "none", "0"} <= set(written)


def test_explorer_1_ends_in_a_flat_spin(stage):
    """It said in red that it tumbles and flips."""
    shown = stage("rod")
    assert any(line.startswith("Settling, precessing, ") for line, _ in shown.texts)
    shown.workspace.session.run_to(60.0)
    shown.frame(2)
    assert "Flat spin, end over end" in [line for line, _ in shown.texts]


def test_the_inertia_tensor_in_both_axes(stage):
    shown = stage(size=(1280, 1200))
    written = [line for line, _ in shown.texts]
    assert written.count("0.0145") == 2  # among the moments, and in the tensor
    assert written.count("0") >= 6
    shown.workspace.session.run_to(1.0)
    shown.click("##panel.tensor")
    shown.frame(2)
    shown.click("space axes")
    shown.frame(2)
    turned = shown.workspace.session.snapshot().reading.rotation_world_from_body
    tensor = turned @ np.diag(MOMENTS) @ turned.T
    written = [line for line, _ in shown.texts]
    assert f"{tensor[0, 0]:.4f}"[:5] in [line[:5] for line in written]
    assert written.count("0.0145") == 1
    assert shown.workspace.settings.value("panel.tensor") == "space"


def test_the_stabilisation_is_switched_and_keeps_its_method(stage):
    shown = stage(size=(800, 2600), open_all=True)
    solver = lambda: shown.workspace.session.scenario.solver.stabilisation  # noqa: E731
    assert solver() == "gradient"
    shown.click("##stabilise")
    assert solver() == "off"
    shown.click("##stabilise")
    assert solver() == "gradient"
    shown.click("##solver.stabilisation")
    shown.frame(2)
    shown.click("Closest point")
    shown.frame(2)
    shown.click("##stabilise")
    assert solver() == "off"
    shown.click("##stabilise")
    assert solver() == "closest-point"


def test_of_a_recorded_body_momentum_and_energy_are_per_largest_moment(stage):
    shown = stage(size=(1280, 1400))
    fields, found = read_own("tossed-phone.csv", 1)
    shown.workspace.session.open(Scenario().with_values(fields), found)
    shown.frame(3)
    shown.texts.clear()
    shown.ui.build()
    words = [text for text, _ in shown.texts]
    assert "kg m²/s" not in words
    assert "J" not in words
    shown.workspace.session.open(Scenario.preset("rod"))
    shown.frame(3)
    shown.texts.clear()
    shown.ui.build()
    words = [text for text, _ in shown.texts]
    assert {"kg m²/s", "J"} <= set(words)
