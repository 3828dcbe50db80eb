"""What stands in the panel, and how it is used."""

import numpy as np
import pytest
import trimesh

from viewer.common.errors import InputError
from viewer.physics.body import SHAPES
from viewer.scenario.field import Number
from viewer.scenario.fields import fields_of
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import SECTIONS, Scenario
from viewer.scene.words.formatting import short
from viewer.scene.words.spin import rank_names
from viewer.ui.widgets.fields import has_widget
from viewer.workspace.questions import OpenQuestion, SaveQuestion


@pytest.mark.parametrize("integrator", ["explicit-euler", "averaged", "implicit"])
def test_the_energy_lies_between_its_bounds_where_the_momentum_drifts(stage, integrator):
    """E(min) = |L|^2/(2 I max), E(max) = |L|^2/(2 I min), of the |L| below; explicit: 4 times that of the start."""
    shown = stage("ode-blog", size=(800, 2000), open_all=True)
    shown.workspace.session.change({"solver.integrator": integrator})
    shown.workspace.session.run_to(30.0)
    shown.frame(2)
    now = shown.workspace.session.snapshot()
    size = np.linalg.norm(now.reading.angular_momentum_world)
    least, most = size**2 / 20, size**2 / 4  # of (10, 4, 2) kg m2
    assert least <= now.reading.energy <= most
    words = [words for words, _ in shown.texts]
    assert words[words.index("E(min) ") + 1] == short(least)
    assert short(most) in words
    assert words[words.index("|L|") + 1] == short(size)


def test_a_motion_that_has_diverged_is_said_to_have(stage):
    """It stood there as tumbling, with a flip every 1e-89 s."""
    shown = stage("dzhanibekov", size=(800, 2000))
    session = shown.workspace.session
    session.change({"solver.integrator": "explicit-euler", "solver.integration_period": 0.1})
    with pytest.raises(InputError, match="diverged"):
        session.run_to(5000.0)
    session.playback.play()
    session.scene.advance(0.25)
    shown.frame(2)
    words = [words for words, _ in shown.texts]
    assert "Diverged: this is the last state" in words
    assert not any("flips every" in line for line in words)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_body_shows_the_dimensions_that_its_shape_uses_and_no_others(stage, shape):
    shown = stage(size=(800, 2800), open_all=True)
    shown.workspace.session.change({"body.shape": shape})
    shown.frame(2)
    numbers = {name.split(".")[1].split("[")[0] for name in shown.boxes if name.startswith("##body.")} - {
        "shape",
        "material",
        "pivot",
    }
    scenario = shown.workspace.session.scenario
    drawn = {name for name in SHAPES[shape].dimensions if has_widget(fields_of(SECTIONS["body"])[name])}
    if shape == "mesh":  # its weight is its mass here, and a closed mesh is no shell
        drawn = drawn - {"density", "shell_thickness"} | {"weight"}
    assert numbers == {name for name in drawn if name == "weight" or scenario.has_effect(f"body.{name}")}


def test_every_field_has_a_widget(stage):
    shown = stage(size=(800, 2800), open_all=True)
    assert "##stereo.separation[0]" not in shown.boxes
    shown.workspace.session.change({"stereo.mode": "anaglyph"})
    shown.frame(2)
    shown.workspace.session.change({"camera_path.kind": "orbit", "view.stroboscope": 3})
    shown.frame(2)
    shown.workspace.session.change({"bodies": Scenario.preset("twenty-boxes").bodies})
    shown.frame(2)
    for section in ("start", "loads", "solver", "view", "stereo", "show", "camera_path"):
        for name, field in fields_of(SECTIONS[section]).items():
            if not has_widget(field):
                continue
            assert any(box.startswith(f"##{section}.{name}") for box in shown.boxes), f"{section}.{name}"


def test_moments_that_no_solid_has_are_told(stage):
    shown = stage(size=(800, 2000))
    shown.workspace.session.change({"body.shape": "moments", "body.moments": (1.0, 1.0, 5.0)})
    shown.frame(2)
    warning = shown.workspace.session.snapshot().body.warning
    assert warning
    assert any(words.lower() == warning.lower() for words, _ in shown.texts)


def test_the_tensor_of_a_body_in_the_axes_that_it_came_in(stage):
    shown = stage(size=(800, 2000))
    shown.workspace.settings.change("panel.tensor", "file")
    shown.workspace.session.change({"body.shape": "tensor", "body.tensor": (2.0, 3.0, 4.0, 0.125, 0.25, -0.375)})
    shown.frame(2)
    written = [words for words, _ in shown.texts]
    assert all(written.count(number) >= 2 for number in ("0.125", "0.250", "−0.375"))


def test_the_panel_says_what_the_inertia_of_a_mesh_comes_from(stage, tmp_path):
    box = trimesh.creation.box((30.0, 20.0, 10.0))
    trimesh.Trimesh(box.vertices, box.faces[1:], process=False).export(tmp_path / "open.stl")
    shown = stage(size=(800, 2000))
    shown.workspace.session.open(Scenario.load(tmp_path / "open.stl"))
    shown.frame(2)
    shown.click("##body.weight")
    shown.frame(2)
    shown.click("From density")
    shown.frame(2)
    shown.click("##body.material")
    shown.frame(2)
    shown.click("Steel")
    shown.frame(2)
    assert shown.workspace.session.scenario.body.density == 7850.0
    written = " ".join(words for words, _ in shown.texts)
    assert (
        "open.stl: inertia from the solid that the mesh encloses (3 open edges); openings closed: 1; volume ± "
        in written
    )


def test_sections_fold(stage):
    shown = stage(size=(1280, 1600))
    assert "##loads.force[0]" not in shown.boxes
    shown.click("Loads##header")
    shown.frame(2)
    assert "##loads.force[0]" in shown.boxes
    shown.click("Loads##header")
    shown.frame(2)
    assert "##loads.force[0]" not in shown.boxes


def test_the_wheel_scrolls_what_is_too_tall(stage):
    shown = stage(size=(800, 500))
    before = shown.boxes["##body.mass[0]"]
    shown.over("##body.mass[0]")
    from viewer.ui.platform.imgui_module import imgui

    imgui.get_io().add_mouse_wheel_event(0.0, -2.0)
    shown.frame(3)
    assert shown.boxes["##body.mass[0]"][1] < before[1] - 20


def test_buttons_of_the_title_and_the_scene(stage):
    shown = stage()
    for name, kind in (("Open…", OpenQuestion), ("Save", SaveQuestion), ("Save as…", SaveQuestion)):
        shown.click(name)
        assert type(shown.workspace.question) is kind
        shown.workspace.question = None
        shown.frame(2)
    shown.click("?")
    assert shown.ui.keys.is_open


def test_a_preset_is_chosen_in_the_title(stage):
    shown = stage()
    shown.click("##scene")
    shown.frame(2)
    ends = tuple(f"##{preset}" for preset in PRESETS)
    choices = [name for name in shown.boxes if name.endswith(ends) and "###" not in name]
    assert len(choices) == len(PRESETS)
    shown.click(choices[1])  # the last ones want scrolling
    assert shown.workspace.session.scenario.title == PRESETS[choices[1].rpartition("##")[2]].title


def test_ranks_of_moments():
    assert rank_names((0.0145, 0.052, 0.0625)) == ("smallest", "middle", "largest")
    assert rank_names((5.0, 1.0, 3.0)) == ("largest", "smallest", "middle")
    assert rank_names((2.0, 2.0, 2.0)) == ("equal",) * 3
    assert rank_names((2.0, 2.0, 1.0)) == ("equal", "equal", "smallest")
    assert rank_names((1.0, 2.0, 1.0)) == ("equal", "largest", "equal")


def test_every_number_has_a_meaning_a_range_and_most_a_unit():
    for section, kind in SECTIONS.items():
        for name, field in fields_of(kind).items():
            assert field.description, f"{section}.{name}"
            if isinstance(field, Number):
                assert field.low < field.high, f"{section}.{name}"
                assert field.low <= field.soft_low < field.soft_high <= field.high, f"{section}.{name}"


def test_a_force_at_an_arm_has_its_moment_in_the_panel(stage):
    shown = stage(size=(800, 2800), open_all=True)
    shown.workspace.session.change({"loads.force": (0.0, 2.0, 0.0), "loads.arm": (0.5, 0.0, 0.0)})
    shown.frame(2)
    assert "1.00 N m" in [words for words, _ in shown.texts]


def test_the_section_under_the_pointer_is_known_else_the_one_with_the_keyboard(stage):
    shown = stage(open_all=True, size=(1280, 2200))
    shown.frame(3)
    for path, section in (("##body.mass[0]", "Body"), ("##solver.integrator", "Solver"), ("Race##header", "Race")):
        shown.move(*shown.over(path))
        shown.frame(2)
        assert shown.ui.panel.section == section
    shown.move(100, 100)  # over the scene
    shown.frame(2)
    assert shown.ui.panel.section is None
    shown.ui.controls.focus.give("##loads.arm[1]")
    shown.frame(2)
    assert shown.ui.panel.section == "Loads"
