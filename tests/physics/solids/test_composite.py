"""Bodies that are sums of parts, against closed forms and the triangles that stand for them."""

import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation

from viewer.common.errors import InputError
from viewer.physics.body import RigidBody
from viewer.physics.solids.composite import PART_SHAPES, Part
from viewer.physics.solids.crossings import Crossings

FILE = {"file": "cube.ply", "unit": "cm"}


def part(shape: str, **more: object) -> Part:
    amount = {"mass": 2.0} if PART_SHAPES[shape].volume is None else {"density": 300.0}
    return Part(shape, **(amount | (FILE if shape == "mesh" else {}) | more))  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def _cube(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("meshes"))
    trimesh.creation.box((10.0, 8.0, 6.0)).export("cube.ply")


@pytest.mark.parametrize("shape", [name for name, kind in PART_SHAPES.items() if kind.volume is not None])
def test_a_part_has_the_mass_properties_of_its_triangles(shape: str) -> None:
    made = part(shape, position=(0.3, -0.1, 0.2), orientation_deg=(20.0, -50.0, 130.0), depth=0.07, height=0.2)
    triangles = made.triangles(0.01)
    mesh = trimesh.Trimesh(triangles.vertices, triangles.faces)
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    found = made.properties()
    assert found.mass == pytest.approx(300.0 * mesh.volume, rel=5e-3)  # measured 4.0e-3, of the facets
    assert found.centre == pytest.approx(mesh.center_mass, abs=1e-9)
    assert found.tensor == pytest.approx(300.0 * mesh.moment_inertia, rel=8e-3, abs=1e-6)  # measured 7.1e-3


def test_thin_parts() -> None:
    rod, ring, point = (part(shape).properties() for shape in ("rod", "ring", "point"))
    assert np.diag(rod.tensor) == pytest.approx((2.0 * 0.01 / 12.0, 2.0 * 0.01 / 12.0, 0.0))
    assert np.diag(ring.tensor) == pytest.approx((0.0025, 0.0025, 0.005))
    assert point.tensor == pytest.approx(np.zeros((3, 3)))


def test_thin_parts_are_drawn() -> None:
    for shape in ("rod", "ring", "point"):
        triangles = part(shape).triangles(0.004)
        mesh = trimesh.Trimesh(triangles.vertices, triangles.faces)
        assert mesh.is_watertight
        assert mesh.volume > 0.0


def test_mass_points_are_their_sum() -> None:
    """The tensor of points straight from its definition."""
    rng = np.random.default_rng(2)
    points, masses = rng.normal(size=(6, 3)), rng.uniform(0.5, 2.0, 6)
    body = RigidBody.composite([Part("point", m, position=tuple(p)) for m, p in zip(masses, points, strict=True)])
    centre = masses @ points / masses.sum()
    arms = points - centre
    tensor = sum(m * (a @ a * np.eye(3) - np.outer(a, a)) for m, a in zip(masses, arms, strict=True))
    assert body.mass == pytest.approx(masses.sum())
    assert body.centre == pytest.approx(centre)
    assert body.tensor == pytest.approx(tensor)
    assert body.inertia_source.method == "composite"


def test_a_turned_box_is_the_box_in_its_own_axes() -> None:
    angles = (20.0, 10.0, -30.0)
    body = RigidBody.composite([Part("box", 3.0, width=1.0, depth=0.5, height=0.2, orientation_deg=angles)])
    assert body.principal_moments == pytest.approx(RigidBody.box(3.0, 1.0, 0.5, 0.2).principal_moments)
    assert body.principal_axes == pytest.approx(Rotation.from_euler("xyz", angles, degrees=True).as_matrix())
    assert body.mesh is not None
    assert np.ptp(body.mesh.vertices, axis=0) == pytest.approx((1.0, 0.5, 0.2))


def test_a_centre_of_mass_at_the_origin_but_for_rounding_is_there() -> None:
    """1e-9 of the radius of gyration, 16 mm, is no place."""
    part = Part("box", mass=0.01, width=0.04, depth=0.04, height=0.008, position=(0.794e-12, -3e-13, 0.001))
    assert RigidBody.composite([part]).centre.tolist() == [0.0, 0.0, 0.001]


def test_a_hollow_sphere() -> None:
    body = RigidBody.composite([Part("sphere", density=500.0, radius=1.0), Part("sphere", density=-500.0, radius=0.8)])
    mass = 500.0 * 4.0 / 3.0 * np.pi * (1.0 - 0.8**3)
    assert body.mass == pytest.approx(mass)
    assert body.principal_moments == pytest.approx([0.4 * mass * (1.0 - 0.8**5) / (1.0 - 0.8**3)] * 3)
    assert body.inertia_source.text == "the sum of the parts; holes: 1"


def test_holes_may_end_at_the_surface() -> None:
    """A tube, a hollow cone and a mesh that is cut through, against closed forms."""
    turned = {"orientation_deg": (20.0, -50.0, 130.0), "position": (0.3, -0.1, 0.2)}
    tube = [
        Part("cylinder", density=sign * 900.0, radius=r, height=0.3, **turned) for sign, r in ((1, 0.1), (-1, 0.08))
    ]
    mass = 900.0 * np.pi * (0.1**2 - 0.08**2) * 0.3
    assert sorted(RigidBody.composite(tube).principal_moments)[0] == pytest.approx(0.5 * mass * (0.1**2 + 0.08**2))
    cones = [Part("cone", density=d, radius=r, height=3.0 * r, **turned) for d, r in ((900.0, 0.1), (-900.0, 0.05))]
    assert RigidBody.composite(cones).mass == pytest.approx(900.0 * np.pi * (0.1**3 - 0.05**3))
    slot = Part("box", density=-300.0, width=0.1, depth=0.02, height=0.06)
    assert RigidBody.composite([part("mesh"), slot]).mass == pytest.approx(300.0 * 0.1 * 0.06 * 0.06)
    halves = [Part("box", density=-2.0, width=0.05, position=(x, 0.0, 0.0)) for x in (-0.025, 0.025)]
    shell = RigidBody.composite([Part("sphere", density=2.0, radius=0.1), *halves])
    assert shell.mass == pytest.approx(2.0 * (4.0 / 3.0 * np.pi * 0.1**3 - 0.1**3))


def test_points_in_a_ring_are_enclosed_once() -> None:
    torus = trimesh.creation.torus(1.0, 0.4, 48, 24)
    points = np.random.default_rng(1).uniform(-1.5, 1.5, (400, 3))
    depth = 0.4 - np.hypot(np.hypot(points[:, 0], points[:, 1]) - 1.0, points[:, 2])
    points, depth = points[np.abs(depth) > 0.01], depth[np.abs(depth) > 0.01]
    assert np.array_equal(Crossings(torus.vertices[torus.faces]).times(points), depth > 0.0)


def test_the_triangles_know_their_parts() -> None:
    mesh = RigidBody.composite(
        [Part("box", 1.0), Part("sphere", 1.0, position=(1.0, 0.0, 0.0)), Part("point", 1.0)]
    ).mesh
    assert mesh is not None
    assert mesh.parts is not None
    middles = mesh.vertices[mesh.faces].mean(axis=1)
    along = [float(middles[mesh.parts == number].mean(axis=0)[0]) for number in range(3)]
    assert along[1] - along[0] == pytest.approx(1.0, abs=1e-3)
    assert along[2] - along[0] == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"shape": "blob"}, "shape: 'blob' is unknown"),
        ({"shape": "rod", "density": 1.0}, "density: a rod has no volume"),
        ({"shape": "box"}, "either a mass or a density"),
        ({"shape": "point"}, "mass: allowed is a mass above 0"),
        ({"shape": "box", "mass": 1.0, "density": 1.0}, "either a mass or a density"),
        ({"shape": "box", "mass": -1.0}, "a hole has a density below 0"),
        ({"shape": "box", "mass": 1.0, "width": 0.0}, "width: 0 m is outside 1e-6 to 1e9 m"),
        ({"shape": "point", "mass": 1e31}, "mass: 1e31 kg is outside 0 to 1e30 kg"),
        ({"shape": "point", "mass": "1"}, "mass: '1' is not a number; allowed is 0 to 1e30 kg"),
        ({"shape": "point", "mass": 1.0, "position": (1, 2)}, r"position: \(1, 2\) is not a list of 3 numbers"),
    ],
)
def test_parts_that_are_refused(arguments: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Part(**arguments)  # type: ignore[arg-type]


CUBE, OUTSIDE = Part("box", density=2.0), "the hole reaches outside of the solids: there the density"


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ([], "parts: there is none"),
        ("ab", "parts: 'ab' is not a list of parts"),
        (["box"], r"parts\[0\]: 'box' is no Part"),
        ([CUBE] * 65, "parts: 65 are too many; allowed are at most 64"),
        ([Part("point", 1.0)], "parts: they make no solid: tensor: is zero"),
        ([Part("rod", 1.0)], "parts: they make no solid: tensor: the smallest principal moment is 0 of the largest"),
        ([Part("box", density=1.0), Part("box", density=-1.0)], "the mass is 0 kg; allowed is more than 0"),
        ([CUBE, Part("box", density=-1.0, position=(9.0, 0.0, 0.0))], f"parts\\[1\\]: {OUTSIDE} would be -1 kg"),
        ([CUBE, Part("box", density=-1.0, position=(0.01, 0.0, 0.0))], OUTSIDE),
        ([CUBE, Part("cylinder", density=-1.0, radius=0.01, height=0.1001)], OUTSIDE),
        ([Part("mesh", density=2.0, **FILE), Part("cone", density=-1.0, radius=0.01, height=0.04)], OUTSIDE),
        ([CUBE, Part("mesh", density=-1.0, position=(0.0, 0.02, 0.0), **FILE)], OUTSIDE),
        (
            [CUBE, Part("sphere", density=-3.0, radius=0.01)],
            "takes away more than is there: the density would be -1 kg",
        ),
        ([CUBE, *[Part("sphere", density=-1.5, radius=0.02)] * 2], "the density would be -1 kg"),
        ([Part("mesh", 1.0, file="none.stl")], r"parts\[0\]: none.stl: file not found"),
    ],
)
def test_sums_that_are_refused(parts: list[Part], said: str) -> None:
    with pytest.raises(InputError, match=said):
        RigidBody.composite(parts)
