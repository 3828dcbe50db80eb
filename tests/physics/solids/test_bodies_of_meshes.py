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
from viewer.physics.solids.mesh_inertia import mesh_inertia
from viewer.physics.solids.repair import _probes, judged

CUBE = trimesh.creation.box((2.0, 2.0, 2.0))
V, F = np.array(CUBE.vertices), np.array(CUBE.faces)


def found(vertices: np.ndarray, faces: np.ndarray, method: str = "auto", shell: bool = False) -> tuple[float, str, str]:
    """Volume or area, method, and all that is said of it."""
    unit, source = mesh_inertia(judged(vertices, faces), method, shell)
    return unit.mass, source.method, source.text


def both(other: np.ndarray, faces: np.ndarray = F) -> tuple[np.ndarray, np.ndarray]:
    return np.vstack([V, other]), np.vstack([F, faces + len(V)])


def test_a_box_that_lacks_a_triangle_is_closed_unless_it_is_a_sheet_of_known_thickness() -> None:
    """Where the triangle is missing there may have been a dome, of a volume that is told."""
    mass, method, said = found(V, F[1:])
    assert (mass, method) == (pytest.approx(8.0), "solid")
    assert said.startswith(
        "the solid that the mesh encloses (3 open edges); openings closed: 1; volume ± 19 %, moments "
    )
    assert found(V, F[1:], "solid")[:2] == (pytest.approx(8.0), "solid")
    assert found(V, F[1:], shell=True)[:2] == (pytest.approx(22.0), "shell")


def test_an_open_box_is_its_hull_unless_a_solid_is_asked_for() -> None:
    """A box of 2 x 2 x 2 without a lid, whose floor rises to a peak in its middle."""
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    places = np.array([(*corner, z) for z in (-1, 1) for corner in corners] + [(0, 0, 0)], dtype=float)
    around = [(n, (n + 1) % 4) for n in range(4)]
    faces = [face for n, m in around for face in ((n, m, m + 4), (n, m + 4, n + 4), (m, n, 8))]
    mass, method, said = found(places, np.array(faces))
    assert (mass, method) == (pytest.approx(8.0), "hull")
    assert "(4 open edges); the hull is 20 % larger than what the faces enclose; volume ± " in said
    mass, method, said = found(places, np.array(faces), "solid")
    assert (mass, method) == (pytest.approx(8.0 - 4.0 / 3.0), "solid")
    assert said.startswith("the solid that the mesh encloses (4 open edges); openings closed: 1; volume ± ")


def test_walls_and_fins_count_for_nothing() -> None:
    """A cube with a fin at an edge; two tetrahedra with one wall between them, or a wall of each."""
    fin = np.array([[*F[0][:2], 8]])
    mass, method, said = found(np.vstack([V, [[5.0, 5.0, 5.0]]]), np.vstack([F, fin]))
    assert (mass, method) == (pytest.approx(8.0), "solid")
    assert said == (
        "the solid that the mesh encloses (2 open edges); 1 edge of three or more faces; faces of inner walls and fins,"
        " left out: 1"
    )
    sides = [[0, 1, 3], [1, 2, 3], [2, 0, 3], [1, 0, 4], [2, 1, 4], [0, 2, 4], [0, 1, 2]]
    places = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, -1]], dtype=float)
    for walls in ([], [[2, 1, 0]]):
        mass, method, said = found(places, np.array(sides + walls))
        assert (mass, method) == (pytest.approx(1.0 / 3.0), "solid")
        assert said.endswith(f"faces of inner walls and fins, left out: {1 + len(walls)}")


@pytest.mark.parametrize("count", [2, 10, 30])
def test_bars_that_overlap_at_their_ends_count_once_there(count: int) -> None:
    """As modelling programs export them: the ends are a tenth of the whole, and their sides lie in one plane."""
    bars = [trimesh.creation.box((1.0, 0.05, 0.05)).apply_translation((0.9 * n, 0.0, 0.0)) for n in range(count)]
    chain = trimesh.util.concatenate(bars)
    unit, source = mesh_inertia(judged(np.array(chain.vertices), np.array(chain.faces)))
    length = 0.9 * (count - 1) + 1.0
    bar = RigidBody.box(0.05**2 * length, length, 0.05, 0.05)
    assert unit.mass == pytest.approx(bar.mass, rel=1e-12)  # measured 5e-16
    assert np.diag(unit.tensor) == pytest.approx(bar.principal_moments, rel=1e-12)
    assert (source.method, str(source.reason)) == ("solid", "it overlaps itself")
    assert source.volume_error == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("whole", [True, False])
def test_boxes_that_touch_with_whole_faces_do_not_overlap(whole: bool) -> None:
    """Their diagonals cross there, so that nothing is a wall; one box may lack half of its other end."""
    box = trimesh.creation.box((2.0, 1.0, 1.0))
    places, faces = np.array(box.vertices), np.array(box.faces)
    far = np.flatnonzero(box.triangles_center[:, 0] == 1.0)[0]
    damaged = faces if whole else np.delete(faces, far, axis=0)
    union = np.vstack([places, places + np.array([2.0, 0.0, 0.0])]), np.vstack([faces, damaged + len(places)])
    unit, source = mesh_inertia(judged(*union))
    alone, alone_from = mesh_inertia(judged(places, damaged))
    assert source.volume_error is not None
    assert alone_from.volume_error is not None
    assert source.volume_error * unit.mass == pytest.approx(alone_from.volume_error * alone.mass, abs=1e-13)
    assert unit.mass == pytest.approx(4.0, rel=1e-13)  # measured 0
    if whole:
        assert source.text == "the solid that the mesh encloses"
        assert np.diag(unit.tensor) == pytest.approx([2.0 / 3.0, 17.0 / 3.0, 17.0 / 3.0], rel=1e-13)  # measured 2e-16


def test_a_moment_is_told_to_be_no_less_than_nothing() -> None:
    """A box without its bottom, below which a dome may be missing: with it each moment is more than twice as large."""
    box = trimesh.creation.box((2.0, 1.0, 1.0))
    _, _, said = found(np.array(box.vertices), np.array(box.faces)[box.triangles_center[:, 2] > -0.5])
    assert said.endswith("moments about x′ −100 % to +360 %, y′ −100 % to +180 %, z′ −100 % to +180 %")


def test_the_pole_with_two_arms_has_the_mass_of_its_union() -> None:
    """Boxes of 1 x 20 x 1 m, and 12 x 1 x 1 m across it: 31 m3, no part of which is told to be uncertain."""
    pole, arms = trimesh.creation.box((1.0, 20.0, 1.0)), trimesh.creation.box((12.0, 1.0, 1.0))
    cross = trimesh.util.concatenate([pole, arms.apply_translation((0.0, 5.0, 0.0))])
    mass, method, said = found(np.array(cross.vertices), np.array(cross.faces))
    assert (mass, method) == (pytest.approx(31.0, rel=1e-13), "solid")  # measured 4e-16
    assert said == "the solid that the mesh encloses (it overlaps itself); overlaps, counted once: 3.2 %"
    surface = judged(np.array(cross.vertices), np.array(cross.faces))
    solid, hull = mesh_inertia(surface)[0], mesh_inertia(surface, "hull")
    assert hull[1].moment_errors is not None
    for axis, error in enumerate(hull[1].moment_errors):  # of each moment, not of the largest: 69, 84 and 65 %
        assert error == pytest.approx(1.0 - solid.tensor[axis, axis] / hull[0].tensor[axis, axis])


def test_an_open_part_beside_a_closed_one_is_its_own_hull() -> None:
    """A cup beside a cube; a flat sheet encloses nothing. No hull spans the room between them."""
    half = trimesh.creation.icosphere(3)
    below = np.array(half.faces)[half.triangles_center[:, 2] < 0.0]
    cup = trimesh.Trimesh(half.vertices, below).convex_hull.volume
    mass, method, said = found(*both(half.vertices + np.array([9.0, 0.0, 0.0]), below))
    assert (mass, method) == (pytest.approx(8.0 + cup, rel=1e-9), "solid")
    assert "open parts, taken as their own convex hulls: 1" in said
    mass, method, said = found(*both(V + np.array([9.0, 0.0, 0.0]), F[:1]))
    assert (mass, method) == (pytest.approx(8.0), "solid")
    assert said == "the solid that the mesh encloses (3 open edges); flat parts, which enclose nothing: 1"


def test_bars_that_cross_count_once_and_what_only_touches_is_a_solid() -> None:
    bars = [trimesh.creation.box(np.roll((1.0, 0.05, 0.05), n)) for n in range(3)]  # no corner lies within another
    cross = trimesh.util.concatenate(bars)
    mass, method, said = found(np.array(cross.vertices), np.array(cross.faces))
    assert (mass, method) == (pytest.approx(3 * 0.05**2 - 2 * 0.05**3), "solid")
    assert "it overlaps itself" in said
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


def test_two_cubes_at_one_place_with_other_triangles_count_once() -> None:
    mass, method, said = found(*both(V * [-1, 1, 1], F[:, ::-1]))
    assert (mass, method) == (pytest.approx(8.0), "solid")
    assert said == "the solid that the mesh encloses (it overlaps itself); overlaps, counted once: 100 %"


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


def test_overlapping_solids_count_once_and_a_cavity_that_faces_outward_is_doubtful() -> None:
    mass, method, said = found(*both(V + 0.5))
    assert (mass, method) == (pytest.approx(16.0 - 1.5**3), "solid")
    assert said == "the solid that the mesh encloses (it overlaps itself); overlaps, counted once: 27 %"
    mass, method, said = found(*both(0.5 * V))
    assert (mass, method) == (pytest.approx(8.0), "solid")
    assert "parts within others, taken as solid, not as cavities: 1" in said
    assert "volume ± 13 %" in said


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
    _, method, said = found(*mesh)
    assert method == "hull"
    assert said.startswith(
        "the convex hull of the mesh (the surface has only one side); the hull is 33.1 % larger than"
    )


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
