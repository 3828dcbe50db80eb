"""`poinsot body`."""

import json

import numpy as np
import pytest
import trimesh

from viewer import cli
from viewer.cli.body import stability
from viewer.physics.body import RigidBody


@pytest.fixture(autouse=True)
def _thing() -> None:
    box = trimesh.creation.box((30.0, 20.0, 10.0))
    box.apply_translation((100.0, 0.0, 0.0))
    box.export("thing.stl")


def test_it_prints_mass_centre_inertia_and_axes(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main("body thing.stl --unit mm --density 7850".split()) == 0
    text = capsys.readouterr().out
    assert "mass            0.0471 kg" in text
    assert "the solid that the mesh encloses" in text
    assert [line.split()[-1] for line in text.splitlines()[-3:]] == ["stable", "unstable", "stable"]
    assert "guess" not in text


def test_json_has_every_digit(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main("body thing.stl --unit mm --density 7850 --json".split()) == 0
    found = json.loads(capsys.readouterr().out)
    exact = RigidBody.box(0.0471, 0.03, 0.02, 0.01)
    assert found["mass_kg"] == pytest.approx(0.0471)
    assert found["center_m"][0] == pytest.approx(0.1)
    assert found["center_m"][1:] == [0.0, 0.0]
    assert np.array(found["inertia_kg_m2"]) == pytest.approx(np.diag(exact.principal_moments), abs=1e-18)
    assert found["principal_moments_kg_m2"] == pytest.approx(exact.principal_moments.tolist())
    assert found["principal_axes"] == np.eye(3).tolist()
    assert (found["method"], found["reason"]) == ("solid", "")


def test_a_unit_that_is_guessed_is_said_to_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main("body thing.stl --mass 2".split()) == 0
    assert "0.03 m, if its unit is mm (a guess; --unit says it)" in capsys.readouterr().out
    assert cli.main("body thing.stl --density steel --json".split()) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["mass_kg"] == pytest.approx(0.0471)
    assert found["unit_guessed"] is True


def test_what_is_uncertain_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """A cube of 1 m without a triangle: at most a dome over that is missing."""
    box = trimesh.creation.box((1.0, 1.0, 1.0))
    trimesh.Trimesh(box.vertices, box.faces[1:], process=False).export("open.ply")
    assert cli.main("body open.ply --mass 2 --unit m --json".split()) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["method"], found["reason"]) == ("solid", "3 open edges")
    assert found["stability"] == ["cannot be told"] * 3
    dome = 0.5 * (2.0 + np.sqrt(2.0)) / (3.0 * np.pi)
    assert (found["volume_m3"], found["volume_error_m3"]) == (pytest.approx(1.0), pytest.approx(dome))
    assert found["mass_error_kg"] == 0.0
    assert min(found["moments_error_kg_m2"]) > dome * 2.0 / 6.0
    assert cli.main("body open.ply --density 2 --unit m".split()) == 0
    said = capsys.readouterr().out
    assert "volume          1 ± 0.19 m³\nmass            2 ± 0.37 kg\n" in said
    rows = [line.split() for line in said.splitlines()[-3:]]
    assert [row[:3:2] for row in rows] == [["x′", "±"], ["y′", "±"], ["z′", "±"]]
    assert cli.main("body open.ply --mass 2 --unit m --method shell --json".split()) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["volume_m3"], found["volume_error_m3"], found["moments_error_kg_m2"]) == (None, None, [0.0] * 3)


def test_no_more_digits_are_told_than_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    """A box without its bottom; of what may also be nothing, only the most is told."""
    box = trimesh.creation.box((2.0, 1.0, 1.0))
    box.update_faces(box.triangles_center[:, 2] > -0.5)
    box.export("bottomless.ply")
    assert cli.main("body bottomless.ply --density 1234 --unit m".split()) == 0
    said = capsys.readouterr().out
    assert "mass            2500 ± 1600 kg\n" in said
    assert [line.split()[1:4] for line in said.splitlines()[-3:]] == [
        ["at", "most", most] for most in ("1900", "2900", "2900")
    ]


@pytest.mark.parametrize(
    ("moments", "errors", "said"),
    [
        ([1.0, 2.0, 3.0], [0.0, 0.0, 0.0], ["stable", "unstable", "stable"]),
        ([1.0, 2.0, 3.0], [0.4, 0.5, 0.4], ["stable", "unstable", "stable"]),
        ([1.0, 2.0, 3.0], [0.1, 0.6, 0.5], ["stable", "cannot be told", "cannot be told"]),
        ([2.0, 1.0, 2.0], [0.0, 0.0, 0.0], ["neutral", "stable", "neutral"]),
        ([2.0, 1.0, 2.0], [1e-9, 1e-9, 1e-9], ["neutral", "stable", "neutral"]),
        ([2.0, 1.0, 2.0], [0.01, 0.01, 0.01], ["cannot be told", "stable", "cannot be told"]),
    ],
)
def test_stability_is_told_where_the_errors_do_not_overlap(
    moments: list[float], errors: list[float], said: list[str]
) -> None:
    assert stability(moments, errors) == said


def test_numbers_may_have_units(capsys: pytest.CaptureFixture[str]) -> None:
    """The longest side is 30 cm; of a sheet of 1 mm the mass is that of its area."""
    assert cli.main("body thing.stl --longest 30cm --density 8g/cm3 --method shell --thickness 1mm --json".split()) == 0
    found = json.loads(capsys.readouterr().out)
    mesh = trimesh.load_mesh("thing.stl")
    assert found["longest_m"] == pytest.approx(0.3)
    assert found["mass_kg"] == pytest.approx(8.0 * mesh.area * (0.3 / max(mesh.extents)) ** 2)
    assert cli.main("body thing.stl --unit mm --mass 500g --json".split()) == 0
    assert json.loads(capsys.readouterr().out)["mass_kg"] == pytest.approx(0.5)


def test_a_shape_without_its_file_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main("describe rod --set body.shape=mesh".split()) == 2
    assert "body.file: is missing; allowed is a mesh file" in capsys.readouterr().err
    assert cli.main([*"describe hammer --set body.shape=composite --time".split(), "1 min"]) == 0
    assert "At t = 1.00 min" in capsys.readouterr().out.replace("60.0 s", "1.00 min")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("thing.zip", "thing.zip: is no mesh file"),
        ("thing.stl --unit mm", "--mass, --density: one of them"),
        ("thing.stl --unit mm --mass 1 --density 2", "--mass, --density: only one of them"),
        ("thing.stl --unit mm --longest 2 --mass 1", "--unit, --longest"),
        ("thing.stl --unit yard --mass 1", "--unit: invalid choice: 'yard'"),
        ("thing.stl --mass -1", "mass: -1 kg is outside 1e-9 to 1e30 kg"),
        ("thing.stl --mass 1e31", "mass: 1e31 kg is outside 1e-9 to 1e30 kg"),
        ("thing.stl --mass 5km", "--mass: km is no unit of mass"),
        ("thing.stl --mass 500g --thickness 1mm", "--thickness: has no effect on the solid that the mesh encloses"),
        ("thing.stl --mass 1 --method shell --thickness 1mm", "--thickness: has no effect on a shell of a given mass"),
        ("thing.stl --density gold", "--density: 'gold' is unknown; allowed are wood, ice, water"),
        ("nothing.stl --mass 1", "nothing.stl: file not found"),
        ("thing.txt --mass 1", "thing.txt: is no mesh file"),
        ("thing.stl --mass 1 --method solid --unit mm --longest x", "is not a number"),
    ],
)
def test_bad_arguments(arguments: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["body", *arguments.split()]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_mesh_is_a_scene_for_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main("simulate thing.stl --seconds 1 --every 0.5 -o a.csv".split()) == 0
    assert len(np.loadtxt("a.csv", delimiter=",", skiprows=1)) == 3
    assert cli.main("describe thing.stl --set body.density=7850".split()) == 0
    assert "mesh" in capsys.readouterr().out
    assert cli.main("describe paper-fig1 --json --set body.shape=composite".split()) == 0
    found = json.loads(capsys.readouterr().out)
    assert [part["shape"] for part in found["dimensions"]["parts"]] == ["ellipsoid"]
    assert found["inertia_from"] == "the sum of the parts"
    assert cli.main("describe thing.stl --set body.file=gone.stl".split()) == 2
    assert "body.file: gone.stl: file not found" in capsys.readouterr().err
