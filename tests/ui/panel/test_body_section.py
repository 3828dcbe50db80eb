"""A body from parts, a mesh or a tensor in the panel: edited, undone, refused; its tensor and axes."""

import itertools
import math

import numpy as np
import pytest
import trimesh

from viewer.physics.solids.composite import PART_SHAPES, Part
from viewer.scenario.consequences import EXAMPLES
from viewer.scenario.custom_body import volume_of
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.body import DENSITIES, Body
from viewer.ui.overlays.commands import find
from viewer.ui.panel.inertia import DETAILS, report, turn_of
from viewer.ui.platform.imgui_module import imgui


@pytest.fixture
def opened(stage):
    shown = stage(size=(1280, 1800))
    shown.workspace.settings.change("panel.open_sections", ("Body",))
    shown.frame(2)
    return shown


@pytest.fixture
def composite(opened):
    """A cylinder of 0.148 kg and a box of 0.848 kg."""
    opened.workspace.session.change({"body.shape": "composite", "body.parts": EXAMPLES["composite"]["parts"]})
    opened.workspace.session.commit_change()
    opened.frame(2)
    return opened


def parts_of(shown) -> tuple[Part, ...]:
    return shown.workspace.session.scenario.body.parts


def choose(shown, combo: str, label: str) -> None:
    shown.click(combo)
    shown.frame(2)
    shown.click(label)
    shown.frame(2)


def test_a_part_is_selected_duplicated_and_removed_with_undo(composite):
    before = parts_of(composite)
    composite.click("##part 1")
    assert composite.workspace.state.part == 1
    composite.frame(2)
    composite.click("Duplicate")
    composite.frame(2)
    assert len(parts_of(composite)) == 3
    assert composite.workspace.state.part == 2
    assert parts_of(composite)[2].weight == before[1].weight
    composite.click("Remove")
    composite.frame(2)
    assert parts_of(composite) == before
    composite.workspace.session.undo()
    composite.frame()
    assert (len(parts_of(composite)), composite.workspace.state.part) == (3, 2)
    composite.workspace.session.undo()
    composite.frame()
    assert (parts_of(composite), composite.workspace.state.part) == (before, 1)


def test_copies_stand_beside_their_part_and_each_other(composite):
    """The surface of a part inside its copy flickers."""
    (number,) = [n for n, part in enumerate(parts_of(composite)) if part.shape == "box"]
    composite.workspace.state.part = number
    for count in (3, 4):
        composite.frame(2)
        composite.workspace.state.part = number  # the copy is selected: back to the original
        composite.frame(2)
        composite.click("Duplicate")
        composite.frame(2)
        assert len(parts_of(composite)) == count
    boxes = sorted((part.triangles(0.01).vertices[:, 0] for part in parts_of(composite)[number:]), key=np.min)
    assert len(boxes) == 3
    for left, right in itertools.pairwise(boxes):
        assert np.max(left) < np.min(right) < np.max(left) + 0.2 * np.ptp(left)


def test_every_new_part_stands_beside_the_others_and_is_one_step_of_undo(composite):
    """The surface of a part inside another one flickers."""
    for kind, shape in PART_SHAPES.items():
        if kind == "mesh":  # it stands where its file has it
            continue
        before = parts_of(composite)
        choose(composite, "Add a part", shape.label)
        *others, new = [part.triangles(1e-4).vertices for part in parts_of(composite)]
        body = np.concatenate(others)
        assert 0.0 < np.min(new[:, 0]) - np.max(body[:, 0]) < 0.2 * np.max(np.linalg.norm(body, axis=1))
        composite.workspace.session.undo()
        composite.frame(2)
        assert parts_of(composite) == before
        composite.workspace.session.redo()
        composite.frame(2)


def test_a_point_mass_is_added_and_moved_as_the_parallel_axes_say(composite):
    choose(composite, "Add a part", "Point mass")
    number = composite.workspace.state.part
    assert (number, parts_of(composite)[2].shape) == (2, "point")
    composite.enter("##body.parts[2].position[0]", "0.4")
    composite.enter("##body.parts[2].mass[0]", "2")
    rigid, parts = composite.workspace.session.snapshot().body, parts_of(composite)
    assert (parts[2].position[0], parts[2].mass) == (0.4, 2.0)
    masses, centres = [p.weight for p in parts], [np.array(p.position) for p in parts]
    middle = sum(m * r for m, r in zip(masses, centres, strict=True)) / sum(masses)
    np.testing.assert_allclose(rigid.centre, middle, rtol=1e-14)
    # of homogeneous solids: m/12 (3 r² + h²), m/12 (w² + d²), their closed forms; the point has none of its own
    cylinder, box = masses[0] / 12 * (3 * 0.015**2 + 0.3**2), masses[1] / 12 * (0.03**2 + 0.03**2)
    far = sum(m * (np.sum((r - middle)[1:] ** 2)) for m, r in zip(masses, centres, strict=True))
    assert rigid.tensor[0, 0] == pytest.approx(cylinder + box + far, rel=1e-13)  # 2e-16


@pytest.fixture
def drilled(opened):
    """A cube of 1 dm with a ball inside it, which is part 0."""
    ball, cube = Part("sphere", density=1000.0, radius=0.04), Part("box", density=3000.0, width=0.1)
    opened.workspace.session.change({"body.shape": "composite", "body.parts": [ball, cube]})
    opened.workspace.session.commit_change()
    opened.frame(2)
    opened.click("##part 0")
    opened.frame(2)
    return opened


BALL = 4.0 / 3.0 * math.pi * 0.04**3  # m3


def test_a_density_a_material_and_a_hole(drilled):
    choose(drilled, "##body.parts[0].material", "Aluminium")
    assert parts_of(drilled)[0].density == 2700.0
    choose(drilled, "##body.parts[0].weight", "Given")
    assert parts_of(drilled)[0].mass == pytest.approx(2700.0 * BALL, rel=1e-5)
    assert parts_of(drilled)[0].density == 0.0
    choose(drilled, "##body.parts[0].weight", "From density, as a hole")
    assert parts_of(drilled)[0].density == -3000.0  # that of the cube around it
    assert drilled.workspace.session.snapshot().body.mass == pytest.approx(3.0 - 3000.0 * BALL, rel=1e-12)


def test_a_hole_that_is_heavier_than_the_rest_is_refused_in_a_line(drilled):
    choose(drilled, "##body.parts[0].weight", "From density, as a hole")
    before = parts_of(drilled)
    drilled.enter("##body.parts[0].density[0]", "50000")
    assert parts_of(drilled) == before
    message = drilled.workspace.messages.current
    assert message is not None
    assert message.text.startswith("Parts: with the holes the mass is")


def test_only_mass_points_are_the_sum_over_them(composite):
    """I_x = Σ m (y² + z²), and so on: the definition."""
    before = parts_of(composite)
    assert find(composite.workspace, "only mass", 1)[0].title == "Only mass points"
    choose(composite, "Add a part", "Only mass points")
    parts = parts_of(composite)
    assert [part.shape for part in parts] == ["point"] * 6
    square = sum(part.mass * np.square(part.position) for part in parts)
    moments = composite.workspace.session.snapshot().body.principal_moments
    np.testing.assert_allclose(moments, square.sum() - square, rtol=1e-14)  # 2e-16
    composite.workspace.session.undo()
    assert parts_of(composite) == before


def test_a_part_that_becomes_thin_keeps_its_mass(composite):
    composite.click("##part 1")
    composite.frame(2)
    mass = parts_of(composite)[1].weight
    choose(composite, "##body.parts[1].shape", "Thin rod")
    assert parts_of(composite)[1].shape == "rod"
    assert parts_of(composite)[1].mass == pytest.approx(mass, rel=1e-15)
    assert "##body.parts[1].weight" not in composite.boxes  # a density says nothing


def test_tensor_axes_and_centre_of_mass_unfold_and_are_copied(opened):
    tensor = np.array([[2.0, 0.3, 0.1], [0.3, 2.5, -0.2], [0.1, -0.2, 3.0]])
    six = (2.0, 2.5, 3.0, 0.3, 0.1, -0.2)
    opened.workspace.session.change({"body.shape": "tensor", "body.tensor": six})
    opened.frame(2)
    assert "##numbers Tensor" not in opened.boxes
    opened.click(DETAILS)
    opened.frame(2)
    words = [words for words, _ in opened.texts]
    at = words.index("2.00", len(words) - words[::-1].index("Tensor"))
    assert words[at : at + 3] == ["2.00", "0.300", "0.100"]
    np.testing.assert_allclose(opened.workspace.session.snapshot().body.tensor, tensor, atol=1e-14)
    np.testing.assert_allclose(
        sorted(opened.workspace.session.snapshot().body.principal_moments), np.linalg.eigvalsh(tensor), rtol=1e-13
    )
    copied = report(opened.workspace.session.snapshot().body, None).splitlines()
    given = np.array([[float(n) for n in line[6:-7].split(",")] for line in copied if line[:2] in ("Ix", "Iy", "Iz")])
    np.testing.assert_allclose(given, tensor, atol=1e-14)


def test_the_turn_between_file_and_body_is_an_angle_about_an_axis():
    angle, axis = turn_of(np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))  # x to y to z to x
    assert angle == pytest.approx(120.0, abs=1e-12)
    np.testing.assert_allclose(axis, np.full(3, 1 / math.sqrt(3)), atol=1e-15)
    assert turn_of(np.eye(3)) == (0.0, (0.0, 0.0, 0.0))


def test_a_mesh_is_weighed_by_a_material(opened):
    opened.workspace.session.change({"body.shape": "mesh", "body.longest": 0.1})
    opened.frame(2)
    choose(opened, "##body.weight", "From density")
    assert opened.workspace.session.snapshot().body.mass == pytest.approx(1.0, rel=1e-5)  # as before
    choose(opened, "##body.material", "Steel")
    body = opened.workspace.session.scenario.body
    volume = volume_of(body)
    assert body.density == 7850.0
    assert opened.workspace.session.snapshot().body.mass == pytest.approx(7850.0 * volume, rel=1e-14)
    assert any("Inertia" in words or "inertia from the solid" in words for words, _ in opened.texts)


def test_materials_have_a_density_and_where_it_is_from():
    assert all(material.source and 100.0 < material.density < 23000.0 for material in DENSITIES.values())
    assert len({material.density for material in DENSITIES.values()}) == len(DENSITIES)


def test_the_volume_of_parts_is_known_where_none_is_thin():
    box, hole = Part("box", density=1.0, width=2.0, depth=1.0, height=1.0), Part("sphere", density=-1.0, radius=0.3)
    assert volume_of(Body("composite", parts=(box, hole))) == pytest.approx(2.0 - 4.0 / 3.0 * math.pi * 0.3**3)
    assert volume_of(Body("composite", parts=(box, Part("point", mass=1.0)))) is None


def test_a_method_that_the_mesh_does_not_allow_cannot_be_chosen(opened, tmp_path):
    """As in the dialog of a mesh: two triangles apart are no solid."""
    path = tmp_path / "lid.stl"
    box = trimesh.creation.box((1.0, 2.0, 3.0))
    trimesh.Trimesh(box.vertices, box.faces[[0, 9]], process=False).export(path)
    opened.workspace.session.change({"body.shape": "mesh", "body.file": str(path), "body.density": 1000.0})
    opened.frame(2)
    mass = opened.workspace.session.snapshot().body.mass  # of the convex hull
    choose(opened, "##body.method", "Solid")
    assert opened.workspace.session.scenario.body.method == "auto"
    opened.over("Solid")
    opened.frame(40)
    assert any(words == "Not possible: 6 open edges" for words, _ in opened.texts)
    opened.click("Shell")
    opened.frame(2)
    body = opened.workspace.session.snapshot().body
    assert body.inertia_source.method == "shell"
    assert body.mass == pytest.approx(mass, rel=1e-5)  # a density says nothing without a thickness
    opened.workspace.session.undo()
    assert opened.workspace.session.scenario.body.density == 1000.0


@pytest.mark.parametrize("path", ["body.file", "body.parts[0]"])
def test_another_mesh_takes_the_place_of_one_and_undo_brings_it_back(opened, tmp_path, path):
    for name, extents in (("one.stl", (1.0, 2.0, 3.0)), ("two.stl", (3.0, 4.0, 5.0))):
        trimesh.creation.box(extents).export(tmp_path / name)
    one, two = (str(tmp_path / name) for name in ("one.stl", "two.stl"))
    whole = {"body.shape": "mesh", "body.file": one, "body.mass": 2.0, "body.method": "hull"}
    part = {"body.shape": "composite", "body.parts": [Part("mesh", density=10.0, file=one)]}
    opened.workspace.session.change(whole if path == "body.file" else part)
    opened.workspace.session.commit_change()
    opened.workspace.state.part = 0
    before, name = opened.workspace.session.scenario, "two.stl##" + two
    opened.frame(2)
    opened.click("Other file…##" + path)
    opened.frame(3)
    opened.click(name)
    opened.click("Open")
    body = opened.workspace.session.snapshot().body
    mass = 2.0 if path == "body.file" else 10.0 * 3 * 4 * 5
    expected = mass / 12 * np.array([16 + 25, 9 + 25, 9 + 16])
    np.testing.assert_allclose(np.sort(body.principal_moments), np.sort(expected), rtol=1e-6)  # STL: float32
    assert opened.workspace.session.scenario.body.method == before.body.method
    opened.workspace.session.undo()
    assert opened.workspace.session.scenario == before


@pytest.fixture
def tensor(opened):
    """The tensor of numbers, as it comes: 1, 2, 2.5 and no products."""
    opened.workspace.session.change({"body.shape": "tensor", "body.tensor": (1.0, 2.0, 2.5, 0.0, 0.0, 0.0)})
    opened.workspace.session.commit_change()
    opened.frame(2)
    return opened


def box(number: int) -> str:
    return f"##body.tensor[{number}]"


def tensor_of(shown) -> tuple[float, ...]:
    return shown.workspace.session.scenario.body.tensor


def test_six_numbers_are_typed_one_after_the_other_through_what_no_solid_has(tensor):
    before = tensor_of(tensor)
    tensor.enter(box(0), "10")
    assert (tensor_of(tensor), tensor.workspace.state.tensor) == (before, (10.0, *before[1:]))
    assert any("no solid has the principal moments 2, 2.5, 10 kg m²" in words for words, _ in tensor.texts)
    tensor.enter(box(1), "20")
    assert tensor_of(tensor) == before
    tensor.enter(box(2), "25")
    assert (tensor_of(tensor), tensor.workspace.state.tensor) == ((10.0, 20.0, 25.0, 0.0, 0.0, 0.0), None)
    tensor.workspace.session.undo()
    assert tensor_of(tensor) == before


def test_what_no_solid_has_is_dropped_by_escape_and_by_another_body(tensor):
    tensor.enter(box(0), "10")
    assert tensor.ui.overlays.dismiss()
    assert tensor.workspace.state.tensor is None
    tensor.enter(box(0), "10")
    tensor.workspace.session.change({"body.tensor": (3.0, 4.0, 5.0, 0.0, 0.0, 0.0)})
    tensor.frame()
    assert tensor.workspace.state.tensor is None


@pytest.mark.parametrize(
    ("pasted", "six"),
    [
        ("5 6 7 .1 .2 .3", (5.0, 6.0, 7.0, 0.1, 0.2, 0.3)),
        ("[[5, .1, .2],\r\n [.1, 6, .3],\n [.2, .3, 7]]", (5.0, 6.0, 7.0, 0.1, 0.2, 0.3)),
        ("5e1\t6e1;7e1", (50.0, 60.0, 70.0, 0.0, 0.0, 0.0)),
        ("(5; 6; 7) g cm²", (5e-7, 6e-7, 7e-7, 0.0, 0.0, 0.0)),
        ("5,5 6,5 7,5 0,1 0,2 0,3", (5.5, 6.5, 7.5, 0.1, 0.2, 0.3)),
    ],
)
def test_a_pasted_list_fills_all_boxes(tensor, monkeypatch, pasted, six):
    before = tensor_of(tensor)
    monkeypatch.setattr(imgui, "get_clipboard_text", lambda: pasted)
    tensor.ui.controls.focus.give(box(0))
    tensor.frame(2)
    assert tensor.ui.overlays.take_key("Ctrl+V")
    tensor.frame()
    assert tensor_of(tensor) == pytest.approx(six, rel=1e-15, abs=0.0)  # 2e-16
    tensor.workspace.session.undo()
    assert tensor_of(tensor) == before


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("1 2 3 4", "Tensor: 4 numbers; allowed are 3 "),
        ("1,2 3,4 5,6", "Tensor: the commas can be decimal ones"),
        ("5 1 0 2 6 0 0 0 7", "Tensor: 1 and 2 must be the same"),
    ],
)
def test_a_list_that_is_no_tensor_is_refused_in_a_line(tensor, typed, why):
    before = tensor_of(tensor)
    tensor.enter(box(0), typed)
    assert tensor.ui.controls.numbers.refused.reason.startswith(why)
    assert (tensor_of(tensor), tensor.workspace.state.tensor) == (before, None)


def test_a_part_from_a_mesh_is_sized_by_its_longest_extent(opened, tmp_path):
    trimesh.creation.box((1.0, 2.0, 3.0)).export(tmp_path / "box.stl")
    part = Part("mesh", density=10.0, file=str(tmp_path / "box.stl"))
    opened.workspace.session.change({"body.shape": "composite", "body.parts": [part]})
    opened.frame(2)
    opened.click("##part 0")
    opened.frame(2)
    choose(opened, "##body.parts[0].unit", "By its longest extent")
    assert (parts_of(opened)[0].unit, parts_of(opened)[0].longest) == ("longest", 3.0)
    opened.frame(2)
    opened.enter("##body.parts[0].longest[0]", "6")
    assert opened.workspace.session.snapshot().body.mass == pytest.approx(10.0 * 2.0 * 4.0 * 6.0, rel=1e-12)
    choose(opened, "##body.parts[0].shape", "Box")
    assert (parts_of(opened)[0].shape, parts_of(opened)[0].unit) == ("box", "m")


@pytest.mark.parametrize("shape", ["mesh", "composite"])
def test_a_mesh_that_is_broken_while_it_turns_stays_as_it_was(opened, tmp_path, shape):
    path = tmp_path / "a-1.stl"
    trimesh.creation.box((1.0, 2.0, 3.0)).export(path)
    opened.workspace.session.open(Scenario.find(str(path)))
    opened.workspace.scene_opened(Scenario())
    assert opened.workspace.session.scenario.summary.startswith("a-1.stl: longest extent 3 m")
    if shape == "composite":
        opened.workspace.session.change(
            {"body.parts": [Part("mesh", density=10.0, file=str(path))], "body.shape": shape}
        )
        assert opened.workspace.session.scenario.summary == ""  # it told of the whole body
        opened.workspace.state.part = 0
    before, body = opened.workspace.session.scenario, opened.workspace.session.snapshot().body
    path.write_bytes(bytes(54))
    opened.frame(3)
    assert opened.workspace.session.snapshot().body is body
    assert ("Size" if shape == "mesh" else f"{path}: is no STL file: it ends in its header") in dict(opened.texts)
    opened.workspace.editor.set(
        "body.mass" if shape == "mesh" else "body.parts", 2.0 if shape == "mesh" else 2 * before.body.parts
    )
    assert "a-1.stl: is no STL file: it ends in its header" in opened.workspace.messages.current.text
    assert opened.workspace.session.scenario == before
