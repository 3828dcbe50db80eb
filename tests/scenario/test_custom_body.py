"""Scenes whose body is a mesh, a tensor or a sum of parts: files, paths, rules, and what is refused."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import trimesh

from viewer.common.errors import InputError
from viewer.physics.body import RigidBody
from viewer.physics.solids.composite import Part
from viewer.scenario.custom_body import mesh_summary, reach_of, rigid_body
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session


@pytest.fixture(autouse=True)
def _thing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    trimesh.creation.box((30.0, 20.0, 10.0)).export("thing.stl")


def refused(text: str) -> str:
    """Why the body of a scene file is refused."""
    Path("x.toml").write_text(text)
    with pytest.raises(InputError) as caught:
        Scenario.load("x.toml").simulation()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_mesh_file_is_a_scene() -> None:
    scenario = Scenario.find("thing.stl")
    assert (scenario.title, scenario.body.shape, scenario.body.unit) == ("thing", "mesh", "mm")
    assert scenario.body.method == "solid"
    assert "longest extent 30 mm" in scenario.summary
    assert "guess" in scenario.summary
    assert scenario.start.angular_velocity == (0.03, 3.0, 0.03)  # about the middle axis
    assert scenario.rigid_body().principal_moments == pytest.approx(
        RigidBody.box(1, 0.03, 0.02, 0.01).principal_moments
    )


def test_a_scene_names_its_mesh_from_where_it_is(tmp_path: Path) -> None:
    scenario = Scenario.load("thing.stl")
    scenario.save("scene.toml")
    assert 'file = "thing.stl"' in Path("scene.toml").read_text()
    assert Scenario.load("scene.toml") == scenario
    inner = tmp_path / "inner"
    inner.mkdir()
    scenario.save(inner / "scene.toml")
    assert f'file = "{tmp_path / "thing.stl"}"' in (inner / "scene.toml").read_text()
    assert Scenario.load(inner / "scene.toml") == scenario
    assert Scenario.from_text(scenario.to_text()) == scenario  # as it is kept unsaved, and in pictures


def test_a_mesh_that_was_moved_with_its_scene_is_found(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    Scenario.load("thing.stl").save("a/scene.toml")  # with an absolute path
    shutil.move("a/scene.toml", "b/scene.toml")
    shutil.move("thing.stl", "b/thing.stl")
    assert Scenario.load("b/scene.toml").body.file == str(tmp_path / "b" / "thing.stl")


def test_a_mesh_of_the_program_is_named_by_its_name() -> None:
    scenario = Scenario().with_values({"body.shape": "mesh", "body.file": "toutatis.ply", "body.unit": "km"})
    scenario.save("scene.toml")
    assert 'file = "toutatis.ply"' in Path("scene.toml").read_text()
    moments = np.sort(Scenario.load("scene.toml").rigid_body().principal_moments)
    assert moments / moments[0] == pytest.approx((1.0, 3.013, 3.190), abs=1e-3)


def test_setting_the_mass_ends_the_density() -> None:
    scenario = Scenario.load("thing.stl").with_values({"body.density": 7850.0})
    assert scenario.rigid_body().mass == pytest.approx(0.0471)
    assert scenario.with_values({"body.mass": 2.0}).rigid_body().mass == 2.0
    scenario.save("scene.toml")  # with both
    assert Scenario.load("scene.toml").rigid_body().mass == pytest.approx(0.0471)


def test_what_is_missing_later_loses_nothing() -> None:
    """Nor is the file read again for another mass."""
    scenario = Scenario.load("thing.stl")
    session = Session(scenario, playing=False)
    mesh = session.snapshot().body.mesh
    Path("thing.stl").unlink()
    session.change({"body.mass": 5.0})
    assert session.snapshot().body.mass == 5.0
    assert session.snapshot().body.mesh is mesh
    before = session.scenario
    with pytest.raises(InputError, match=r"body.file: .*gone.stl: file not found"):
        session.change({"body.file": "gone.stl"})
    assert session.scenario == before
    session.undo()
    assert session.scenario.body.mass == 1.0
    Path("other.toml").write_text('[body]\nshape = "mesh"\nfile = "gone.stl"')
    with pytest.raises(InputError, match=r"body.file: .*gone.stl: file not found"):
        session.open(Scenario.load("other.toml"))
    assert session.scenario.body.mass == 1.0


def test_the_longest_extent_instead_of_a_unit() -> None:
    values = {"body.shape": "mesh", "body.file": "thing.stl", "body.unit": "longest", "body.longest": 0.3}
    scenario = Scenario().with_values(values)
    assert scenario.rigid_body().principal_moments == pytest.approx(RigidBody.box(1, 0.3, 0.2, 0.1).principal_moments)
    assert scenario.has_effect("body.longest")
    assert not scenario.with_values({"body.unit": "mm"}).has_effect("body.longest")


def test_parts_in_a_file() -> None:
    Path("hammer.toml").write_text(
        '[body]\nshape = "composite"\n'
        '[[body.parts]]\nshape = "rod"\nmass = 1.0 # the handle\nlength = 0.4\n'
        '[[body.parts]]\nshape = "mesh"\nfile = "thing.stl"\nunit = "mm"\ndensity = 7850.0\nposition = [0, 0, 0.2]\n'
    )
    scenario = Scenario.load("hammer.toml")
    body = scenario.rigid_body()
    assert body.mass == pytest.approx(1.0471)
    assert body.centre == pytest.approx((0.0, 0.0, 0.0471 * 0.2 / 1.0471))
    parts = scenario.body.parts
    heavier = scenario.with_values({"body.parts": [*scenario.body.parts, {"shape": "point", "mass": 2.0}]})
    assert heavier.rigid_body().mass == pytest.approx(3.0471)
    assert heavier.body.parts[:2] == parts
    heavier.save("hammer.toml")
    text = Path("hammer.toml").read_text()
    assert "# the handle" in text
    assert 'file = "thing.stl"' in text
    assert Scenario.load("hammer.toml") == heavier


def test_several_bodies_with_meshes_and_parts_of_their_own() -> None:
    Path("two.toml").write_text(
        '[[bodies]]\nbody = {shape = "mesh", file = "thing.stl", unit = "mm", density = 7850.0}\n'
        '[[bodies]]\nbody = {shape = "composite", parts = [{shape = "box", mass = 1.0}, {shape = "mesh", file ='
        ' "thing.stl", unit = "mm", density = 100.0}]}\n'
    )
    scenario = Scenario.load("two.toml")
    assert [scenario.of_body(number).rigid_body().mass for number in (0, 1)] == pytest.approx([0.0471, 1.0006])
    for changed in (scenario, scenario.with_values({"body.mass": 2.0}, of=0), scenario.with_value("body.density", 5.0)):
        changed.save("again.toml")
        assert Scenario.load("again.toml") == changed
        assert Scenario.from_text(changed.to_text()) == changed
    assert scenario.with_values({"body.mass": 2.0}, of=0).of_body(0).rigid_body().mass == 2.0


@pytest.mark.parametrize("shape", ["mesh", "composite", "tensor"])
def test_a_shape_chosen_in_the_window_begins_with_an_example(shape: str) -> None:
    session = Session(Scenario(), playing=False)
    session.change({"body.shape": shape})
    assert session.snapshot().body.warning is None
    assert Scenario.from_text(session.scenario.to_text()) == session.scenario


def test_what_is_refused() -> None:
    mesh, sum_ = '[body]\nshape = "mesh"\n', '[body]\nshape = "composite"\n'
    assert refused(mesh).startswith("body.file: is missing; allowed is a mesh file")
    assert "nix.stl: file not found" in refused(mesh + 'file = "nix.stl"')
    assert "is no mesh file; allowed are .stl" in refused(mesh + 'file = "/etc/passwd"')
    assert refused(mesh + 'file = "thing.stl"\ndensity = 1.0\nmethod = "shell"').startswith("body.shell_thickness: 0 m")
    assert refused(sum_).startswith("body.parts: there is none")
    assert refused(sum_ + '[[body.parts]]\nshape = "box"').startswith("body.parts[0].mass: allowed is either a mass")
    assert refused(sum_ + '[[body.parts]]\nshape = "rod"\nmass = 1').startswith("body.parts: they make no solid")
    assert "unit: is missing" in refused(sum_ + '[[body.parts]]\nshape = "mesh"\nmass = 1\nfile = "thing.stl"')
    assert refused('[body]\nshape = "tensor"\ntensor = [1, 1, 3, 0, 0, 0]').startswith("body.tensor: no solid has")


@pytest.mark.parametrize("name", ["//host/share/x.stl", r"\\\\host\\share\\x.stl", r"\\/host/share/x.stl"])
@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('[body]\nshape = "mesh"\nfile = "{name}"\n', "body.file"),
        ('[body]\nshape = "moments"\nappearance = "{name}"\n', "body.appearance"),
        ('[body]\nshape = "composite"\nparts = [{{ shape = "mesh", file = "{name}", unit = "m", mass = 1 }}]\n',
         "body.parts"),
        ('[[bodies]]\nbody = {{ shape = "mesh", file = "{name}" }}\n', "bodies"),
    ],
)  # fmt: skip
def test_a_scene_contacts_no_server(monkeypatch: pytest.MonkeyPatch, name: str, text: str, where: str) -> None:
    """On every system; nothing is asked of the file system before."""
    for function in ("stat", "open", "lstat"):
        monkeypatch.setattr(f"os.{function}", None)
    for folder in (None, Path("here")):
        with pytest.raises(InputError, match=rf"{where}.*: .*host.*another computer.*\(scene, line \d\)"):
            Scenario.from_text(text.format(name=name), folder=folder)


@pytest.mark.parametrize("height", [0.1, 2.0])
def test_an_axisymmetric_mesh_is_shown_near_its_own_speed(height: float) -> None:
    """It wobbles with (1 - I/I across) of its spin, the closed form; not in minutes, as about its middle axis."""
    trimesh.creation.cylinder(0.5, height, sections=48).export("round.stl")
    opened = Session(Scenario.load("round.stl"))
    across, _, along = opened.motion.body.principal_moments
    assert opened.motion.period == pytest.approx(2.0 * np.pi / (abs(along / across - 1.0) * 3.0), rel=1e-5)  # STL
    assert 0.2 <= opened.scene.speed <= 1.0


def test_a_summary_has_the_mass_with_six_digits() -> None:
    body = Scenario.load("thing.stl").with_value("body.mass", 1.23456789).body
    assert "; mass 1.23457 kg; " in mesh_summary(body, rigid_body(body))


def test_parts_reach_as_far_as_the_farthest_of_them() -> None:
    parts = (
        Part("sphere", mass=1.0, radius=0.2, position=(0.3, 0.0, 0.0)),
        Part("sphere", mass=1.0, radius=0.1, position=(0.0, -0.6, 0.0)),
    )
    body = Scenario().with_values({"body.shape": "composite", "body.parts": parts}).body
    assert reach_of(body) == pytest.approx(0.7)
