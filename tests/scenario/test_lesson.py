"""What lecture mode shows of a scene: what the scene names, else what tells most about it."""

import pytest

from viewer.common.errors import InputError
from viewer.physics.body import SHAPES
from viewer.scenario.field import Vector
from viewer.scenario.lesson_board import controls_of, readouts_of
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario, field_at
from viewer.scenario.sections.lesson import MOST, Control


def names(scenario: Scenario) -> list[str]:
    return [f"{control.path}[{control.index}]" for control in controls_of(scenario)]


def test_a_scene_names_its_controls_and_numbers_and_a_file_keeps_them(tmp_path):
    lesson = {"lesson.controls": ["start.angular_velocity[2]", "body.mass", "show.inset"], "lesson.readouts": ["time"]}
    scenario = Scenario().with_values(lesson)
    assert controls_of(scenario) == (
        Control("start.angular_velocity", 2), Control("body.mass"), Control("show.inset")
    )  # fmt: skip
    assert readouts_of(scenario) == ("time",)
    scenario.save(tmp_path / "scene.toml")
    assert Scenario.load(tmp_path / "scene.toml") == scenario


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("controls", ["body.mas"], "lesson.controls[0]: 'body.mas': field not found; did you mean mass? "),
        ("controls", ["bodi.mass"], "lesson.controls[0]: 'bodi.mass': section not found; did you mean body? "),
        ("controls", ["body.mass", "a b"], "lesson.controls[1]: 'a b' is not a field, such as body.mass or "),
        ("controls", ["start.angular_velocity"], "lesson.controls[0]: 'start.angular_velocity' is not a component; "),
        ("controls", ["start.angular_velocity[3]"], "lesson.controls[0]: 'start.angular_velocity[3]' is not a comp"),
        ("controls", ["body.mass[0]"], "lesson.controls[0]: 'body.mass[0]' has no components; allowed is body.mass"),
        ("controls", ["race.lanes"], "lesson.controls[0]: 'race.lanes': field not found; "),
        ("controls", 4 * ["body.mass"], "lesson.controls: ['body.mass', 'body.mass', 'body.mass... is not a list of "),
        ("readouts", ["omegas"], "lesson.readouts[0]: 'omegas' is unknown; did you mean omega? allowed are time, "),
        ("readouts", "omega", "lesson.readouts: 'omega' is not a list of at most 3 strings"),
    ],
)
def test_what_is_not_allowed_is_one_line(path, value, message):
    with pytest.raises(InputError) as caught:
        Scenario().with_value(f"lesson.{path}", value)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_scene_that_names_none_shows_what_drives_it():
    flip = Scenario.preset("paper-fig1").with_values(
        {"start.angular_velocity": (0.01, -6.0, 0.5), "lesson.controls": (), "solver.integrator": "exact-drift"}
    )
    free = [f"start.angular_velocity[{axis}]" for axis in (1, 2, 0)]
    assert names(flip) == free
    assert readouts_of(flip) == ("omega", "energy", "momentum")
    pushed = flip.with_values({"loads.torque": (0.0, 0.0, -0.2), "loads.internal_friction": 0.1})
    assert names(pushed) == ["loads.torque[2]", "loads.internal_friction[0]", free[0]]
    euler = flip.with_value("solver.integrator", "explicit-euler")
    assert names(euler) == ["solver.integrator[0]", "solver.integration_period[0]", free[0]]
    assert readouts_of(euler) == ("energy", "energy_error", "momentum_error")
    race = flip.with_values({"race.show": "grid", "race.stepping": "fixed"})
    assert names(race)[:2] == ["race.step[0]", free[0]]


def test_a_control_without_effect_is_left_out():
    scenario = Scenario().with_value("lesson.controls", ["stereo.separation", "body.mass"])
    assert names(scenario) == ["body.mass[0]"]
    assert names(scenario.with_value("stereo.mode", "anaglyph")) == ["stereo.separation[0]", "body.mass[0]"]


@pytest.mark.parametrize("name", list(PRESETS))
def test_every_preset_has_something_to_change_in_a_lecture(name):
    scenario = Scenario.preset(name)
    controls = controls_of(scenario)
    assert 1 <= len(controls) <= MOST
    assert len(set(controls)) == len(controls)
    for control in controls:
        field = field_at(control.path)
        assert control.index < (field.size if isinstance(field, Vector) else 1)
        assert scenario.has_effect(control.path)


@pytest.mark.parametrize("preset", [name for name in PRESETS if Scenario.preset(name).lesson.controls])
@pytest.mark.parametrize("shape", list(SHAPES))
def test_every_control_that_is_offered_changes_the_motion_or_the_picture(preset, shape):
    """Of a cylinder the depth was offered, of a body of parts the height: dragging them only restarted the motion."""
    scenario = Scenario.preset(preset).with_value("body.shape", shape)
    controls = controls_of(scenario)
    assert controls
    for control in controls:
        if control.path.startswith("body."):
            value = scenario.value(control.path)
            other = scenario.with_value(control.path, 1.1 * value)
            assert other.rigid_body().principal_moments.tolist() != scenario.rigid_body().principal_moments.tolist()


def test_a_mesh_of_a_density_has_no_mass_to_be_set():
    scenario = Scenario().with_values({"body.shape": "mesh", "lesson.controls": ["body.mass"]})
    assert controls_of(scenario) == (Control("body.mass"),)
    assert Control("body.mass") not in controls_of(scenario.with_value("body.density", 2700.0))
