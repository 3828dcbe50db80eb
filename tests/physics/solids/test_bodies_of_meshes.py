"""Bodies from mesh files: what is made of good ones, and what is mended, refused or said of others."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh

from viewer.common.errors import InputError
from viewer.common.resources import folder
from viewer.physics.body import RigidBody
from viewer.physics.solids.composite import Part
from viewer.physics.solids.inertia import mesh_inertia
from viewer.physics.solids.repair import _probes, judged

CUBE = trimesh.creation.box((2.0, 2.0, 2.0))
V, F = np.array(CUBE.vertices), np.array(CUBE.faces)


def found(vertices: np.ndarray, faces: np.ndarray, method: str = "auto", shell: bool = False) -> tuple[float, str, str]:
    """Volume or area, method, and all that is said of it."""
    unit, source = mesh_inertia(judged(vertices, faces), method, shell)
    return unit.mass, source.method, source.text


def both(other: np.ndarray, faces: np.ndarray = F) -> tuple[np.ndarray, np.ndarray]:
    return np.vstack([V, other]), np.vstack([F, faces + len(V)])


def test_a_box_that_lacks_a_triangle_is_no_solid() -> None:
    assert found(V, F[1:]) == (pytest.approx(8.0), "hull", "the convex hull of the mesh (3 open edges)")
    assert found(V, F[1:], shell=True)[:2] == (pytest.approx(22.0), "shell")
    with pytest.raises(InputError, match="no solid: 3 open edges; allowed are shell and hull"):
        found(V, F[1:], "solid")


def test_edges_of_too_many_faces_are_told_from_open_ones() -> None:
    """A cube with a fin at an edge; two tetrahedra with one wall between them."""
    fin = np.array([[*F[0][:2], 8]])
    said = "the convex hull of the mesh (2 open edges); 1 edge of three or more faces"
    assert found(np.vstack([V, [[5.0, 5.0, 5.0]]]), np.vstack([F, fin]))[2] == said
    sides = [[0, 1, 3], [1, 2, 3], [2, 0, 3], [1, 0, 4], [2, 1, 4], [0, 2, 4], [0, 1, 2]]
    places = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, -1]], dtype=float)
    assert found(places, np.array(sides))[2] == "the convex hull of the mesh (3 edges of three or more faces)"


@pytest.mark.parametrize("count", [2, 10, 30])
def test_bars_that_overlap_at_their_ends_are_no_solid(count: int) -> None:
    """As modelling programs export them: the ends are a tenth of the whole, and counted twice."""
    bars = [trimesh.creation.box((1.0, 0.05, 0.05)).apply_translation((0.9 * n, 0.0, 0.0)) for n in range(count)]
    chain = trimesh.util.concatenate(bars)
    assert judged(np.array(chain.vertices), np.array(chain.faces)).fault is not None


def test_bars_that_cross_are_no_solid_and_what_only_touches_is_one() -> None:
    bars = [trimesh.creation.box(np.roll((1.0, 0.05, 0.05), n)) for n in range(3)]  # no corner lies within another
    cross = trimesh.util.concatenate(bars)
    assert str(judged(np.array(cross.vertices), np.array(cross.faces)).fault) == "it overlaps itself"
    small, pillar, lid = (
        trimesh.creation.box((0.5, 0.5, 0.5)).apply_translation((1.25, 0.1, 0.1)),
        trimesh.creation.box((2.0, 2.0, 2.0)).apply_translation((2.0, 2.0, 0.0)),
        trimesh.creation.cylinder(0.3, 1.0).apply_translation((0.0, 0.0, 1.5)),
    )
    for other in (small, pillar, lid):
        vertices, faces = both(np.array(other.vertices), np.array(other.faces))
        mass, method, _ = found(vertices.astype(np.float32).astype(float), faces)
        assert (mass, method) == (pytest.approx(8.0 + other.volume, rel=1e-6), "solid")


def test_two_cubes_at_one_place_are_one() -> None:
    mass, method, said = found(*both(V))
    assert (mass, method) == (pytest.approx(8.0), "solid")
    assert said.endswith("faces given twice, left out once: 12")


def test_two_cubes_at_one_place_with_other_triangles_are_no_solid() -> None:
    assert found(*both(V * [-1, 1, 1], F[:, ::-1]))[1:] == ("hull", "the convex hull of the mesh (it overlaps itself)")


def test_split_vertices_are_merged() -> None:
    assert found(V[F].reshape(-1, 3), np.arange(36).reshape(-1, 3))[:2] == (pytest.approx(8.0), "solid")


@pytest.mark.parametrize(
    ("mesh", "mass", "said"),
    [
        ((V, F[:, ::-1]), 8.0, "inside out"),
        ((V, np.vstack([F[:3], F[3:4, ::-1], F[4:]])), 8.0, "turned over, so that all face outward: 1"),
        (both(V + 5.0), 16.0, ""),
        (both(V + 5.0, F[:, ::-1]), 16.0, "turned over, so that all face outward: 12"),
        (both(0.5 * V, F[:, ::-1]), 7.0, ""),
        (both(V + 2.0), 16.0, ""),
        ((V, np.vstack([F, [[0, 0, 1]]])), 8.0, "without an area, left out: 1"),
    ],
    ids=["inverted", "one face", "apart", "one inverted", "cavity", "at a corner", "degenerate"],
)
def test_solids_and_what_is_mended(mesh: tuple[np.ndarray, np.ndarray], mass: float, said: str) -> None:
    assert found(*mesh)[:2] == (pytest.approx(mass), "solid")
    assert said in found(*mesh)[2]
    assert bool(said) == (";" in found(*mesh)[2])


@pytest.mark.parametrize("mesh", [both(V + 0.5), both(0.5 * V)], ids=["overlap", "cavity facing outward"])
def test_overlapping_solids_are_no_solid(mesh: tuple[np.ndarray, np.ndarray]) -> None:
    assert found(*mesh)[1:] == ("hull", "the convex hull of the mesh (it overlaps itself)")


def test_a_flat_mesh_is_a_shell() -> None:
    square = V[V[:, 2] > 0.0]
    order = np.argsort(np.arctan2(square[:, 1], square[:, 0]))
    faces = np.array([[0, 1, 2], [0, 2, 3]])
    assert found(square[order], faces) == (pytest.approx(4.0), "shell", "a thin shell along the mesh (it is flat)")
    with pytest.raises(InputError, match="flat"):
        found(square[order], faces, "hull")


def test_a_moebius_strip_has_one_side() -> None:
    n = 24
    angles = np.linspace(0.0, 2.0 * np.pi, n, endpoint=False)
    tube = [  # two sheets close together would be a torus; this closes the strip's edge by a cone to a point
        (
            (1.0 + s * 0.3 * np.cos(t / 2)) * np.cos(t),
            (1.0 + s * 0.3 * np.cos(t / 2)) * np.sin(t),
            s * 0.3 * np.sin(t / 2),
        )
        for t in angles
        for s in (-1, 1)
    ]
    ring = [2 * i for i in range(n)] + [2 * i + 1 for i in range(n)]
    faces = [[ring[i], ring[i + n], ring[(i + 1) % (2 * n)]] for i in range(n)]
    faces += [[ring[i + n], ring[(i + n + 1) % (2 * n)], ring[(i + 1) % (2 * n)]] for i in range(n)]
    faces += [[ring[i], ring[(i + 1) % (2 * n)], 2 * n] for i in range(2 * n)]
    mesh = np.array([*tube, (0.0, 0.0, 3.0)]), np.array(faces)
    assert found(*mesh)[1:] == ("hull", "the convex hull of the mesh (the surface has only one side)")


def test_nothing_with_an_area_is_refused() -> None:
    with pytest.raises(InputError, match="no face with an area"):
        found(np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]), np.array([[0, 1, 2]]))


def test_a_thin_card_is_a_solid() -> None:
    """300 mm by 200 mm by 5 um: the depth at which it is looked must not pass through it."""
    card = trimesh.creation.box((0.3, 0.2, 5e-6))
    assert found(np.array(card.vertices), np.array(card.faces))[1] == "solid"


def test_a_body_from_a_file(tmp_path: Path) -> None:
    mesh = trimesh.creation.box((30.0, 20.0, 10.0))
    mesh.apply_transform(trimesh.transformations.rotation_matrix(0.3, (0.0, 0.0, 1.0), (50.0, 0.0, 0.0)))
    file = tmp_path / "box.stl"
    mesh.export(file)
    body = RigidBody.from_mesh(file, unit="mm", density=7850.0)
    exact = RigidBody.box(7850.0 * 6e-6, 0.03, 0.02, 0.01)
    assert body.mass == pytest.approx(exact.mass, rel=1e-6)
    assert body.principal_moments == pytest.approx(exact.principal_moments, rel=1e-6)
    assert body.centre == pytest.approx(mesh.center_mass / 1000.0, abs=1e-8)
    assert body.principal_axes[:2, :2] == pytest.approx(
        np.array([[np.cos(0.3), -np.sin(0.3)], [np.sin(0.3), np.cos(0.3)]]), abs=1e-6
    )
    assert body.mesh is not None
    assert np.ptp(body.mesh.vertices, axis=0) == pytest.approx((0.03, 0.02, 0.01), abs=1e-8)
    assert body.mesh.vertices.mean(axis=0) == pytest.approx(np.zeros(3), abs=1e-8)
    heavier = RigidBody.from_mesh(file, unit="mm", mass=3.0)
    assert heavier.mass == pytest.approx(3.0)
    assert heavier.principal_moments / 3.0 == pytest.approx(body.principal_moments / body.mass)
    assert heavier.mesh is body.mesh  # so that nothing is uploaded anew
    longest = RigidBody.from_mesh(file, longest=0.3, mass=1.0)
    assert longest.mesh is not None
    scale = 0.3 / np.ptp(mesh.vertices, axis=0).max()
    assert np.ptp(longest.mesh.vertices, axis=0) == pytest.approx(scale * np.array([30.0, 20.0, 10.0]), rel=1e-6)


def test_a_shell_has_its_mass_from_its_thickness(tmp_path: Path) -> None:
    file = tmp_path / "bowl.off"
    (trimesh.Trimesh(V * 1000.0, F[1:], process=False)).export(file)
    body = RigidBody.from_mesh(file, unit="mm", density=1000.0, thickness=0.001)
    assert body.inertia_source.method == "shell"
    assert body.mass == pytest.approx(22.0)  # m2 times 1 kg/m2
    with pytest.raises(InputError, match="thickness: must be given"):
        RigidBody.from_mesh(file, unit="mm", density=1000.0, method="shell")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"mass": 1.0}, "unit: must be given"),
        ({"mass": 1.0, "unit": "furlong"}, "'furlong' is unknown"),
        ({"mass": 1.0, "unit": "mm", "longest": 0.3}, "unit, longest: only one of them can be given"),
        ({"unit": "m"}, "mass: must be given, or density"),
        ({"unit": "m", "mass": 1.0, "density": 1.0}, "not both"),
        ({"unit": "m", "mass": 1.0, "method": "guess"}, "'guess' is unknown"),
    ],
)
def test_arguments_that_are_refused(arguments: dict[str, object], said: str, tmp_path: Path) -> None:
    file = tmp_path / "cube.ply"
    CUBE.export(file)
    with pytest.raises(ValueError, match=said):
        RigidBody.from_mesh(file, **arguments)  # type: ignore[arg-type]


def test_a_file_is_read_again_only_where_it_has_changed(tmp_path: Path) -> None:
    file = tmp_path / "cube.ply"
    CUBE.export(file)
    first = RigidBody.from_mesh(file, unit="m", mass=1.0)
    assert RigidBody.from_mesh(file, unit="m", mass=1.0).mesh is first.mesh
    trimesh.creation.box((2.0, 2.0, 4.0)).export(file)
    assert RigidBody.from_mesh(file, unit="m", mass=1.0) != first
    file.unlink()
    assert RigidBody.from_mesh(file, unit="m", mass=2.0).mass == 2.0  # as it was


def test_toutatis_has_the_moments_of_its_published_model() -> None:
    """Of uniform density: 1 : 3.013 : 3.190."""
    body = RigidBody.from_mesh(str(folder("assets") / "bodies" / "toutatis.ply"), unit="km", density=2100.0)
    moments = np.sort(body.principal_moments)
    assert body.inertia_source.text == "the solid that the mesh encloses"
    assert moments / moments[0] == pytest.approx((1.0, 3.013, 3.190), abs=1e-3)  # measured 3.0131, 3.1899


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"mass": math.nan}, "mass: nan kg is outside 1e-9 to 1e30 kg"),
        ({"mass": "1"}, "mass: '1' is not a number; allowed is 1e-9 to 1e30 kg"),
        ({"density": -1.0}, "density: -1 kg/m³ is not allowed; it must be above 0 to 1e6 kg/m³"),
        ({"mass": 1.0, "longest": 0.0}, "longest: 0 m is outside 1e-6 to 1e9 m"),
        ({"mass": 1.0, "thickness": 0.0}, "thickness: 0 m is not allowed; it must be above 0 to 1e9 m"),
    ],
)
def test_arguments_that_are_refused_by_name(given: dict[str, Any], said: str) -> None:
    for path in ("none.stl", None):
        with pytest.raises(InputError) as refused:
            RigidBody.from_mesh(path, **given)  # type: ignore[arg-type]
        assert str(refused.value) == said


@pytest.mark.parametrize("path", [None, b"box.stl", 3])
def test_what_is_no_path_is_refused(path: Any) -> None:
    with pytest.raises(InputError, match="is no path; allowed is a mesh file: STL, OBJ, PLY, GLB, OFF"):
        RigidBody.from_mesh(path, mass=1.0)


def test_meshes_that_have_too_many_faces_together_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.physics.solids.composite.MOST_FACES", 30)
    trimesh.creation.box().export(tmp_path / "box.ply")
    parts = [Part("mesh", 1.0, file=str(tmp_path / "box.ply"))] * 4
    assert RigidBody.composite(parts[:2]).mass == 2.0
    with pytest.raises(InputError, match=r"parts\[2\]: with it the meshes have 36 faces together; allowed .* most 30"):
        RigidBody.composite(parts)


def test_a_shell_is_no_thicker_than_the_mesh_is_long(tmp_path: Path) -> None:
    path = tmp_path / "box.stl"
    CUBE.export(path)
    with pytest.raises(InputError, match="thickness: 3 m is more than the mesh is long, 2 m"):
        RigidBody.from_mesh(path, unit="m", density=1000.0, method="shell", thickness=3.0)
    assert RigidBody.from_mesh(path, unit="m", density=1000.0, method="shell", thickness=0.001).mass == 24.0
    assert RigidBody.from_mesh(path, unit="m", density=1000.0, method="shell", thickness=2.0).mass == 48_000.0


@pytest.mark.parametrize("size", [0.1, 1.0, 10.0])
def test_only_the_faces_that_were_turned_over_are_counted_in_any_unit(size: float) -> None:
    faces = F.copy()
    faces[3] = faces[3, ::-1]
    surface = judged(size * V, faces)
    assert [str(note) for note in surface.notes] == ["faces turned over, so that all face outward: 1"]
    a, b, c = np.moveaxis(surface.vertices[surface.faces], 1, 0)
    assert np.sum(np.einsum("ij,ij->i", a, np.cross(b, c))) / 6.0 == pytest.approx(8.0 * size**3)


def test_beside_the_largest_parts_is_looked_first() -> None:
    """Three parts of areas 6, 30 and 11: of each the largest face; then faces evenly by area."""
    part = np.array([0, 0, 1, 1, 1, 2, 2])
    areas = np.array([1.0, 5.0, 20.0, 4.0, 6.0, 2.0, 9.0])
    assert _probes(part, areas, 7).tolist() == [2, 6, 1, *range(7)]
    assert _probes(part, areas, 2).tolist() == [2, 6, 2, 4]  # a quarter and three quarters of 47: 11.75 and 35.25
