"""Closed shapes with one defect each: what is wrong about volume and moments is no more than what is told."""

from collections.abc import Callable

import numpy as np
import pytest
import trimesh

from viewer.physics.solids import crossings
from viewer.physics.solids.crossings import Boxes
from viewer.physics.solids.inertia import MassProperties, enclosed, principal_axes
from viewer.physics.solids.mesh_inertia import mesh_inertia
from viewer.physics.solids.repair import judged

Array = np.ndarray
Mesh = tuple[Array, Array]
Damage = Callable[[Array, Array, np.random.Generator], tuple[Array, Array, MassProperties]]


def convex(number: int) -> Mesh:
    """One of 32 boxes, cylinders, cones, capsules and lumps, turned and moved."""
    rng = np.random.default_rng(number)
    make = number % 5
    size = rng.uniform(0.4, 2.0, 3)
    if make == 0:
        mesh = trimesh.creation.box(size).subdivide().subdivide()
    elif make == 1:
        mesh = trimesh.creation.cylinder(size[0], size[1], sections=int(rng.integers(5, 40)))
    elif make == 2:
        mesh = trimesh.creation.cone(size[0], size[1], sections=int(rng.integers(5, 40)))
    elif make == 3:
        mesh = trimesh.creation.icosphere(2).apply_scale(size)
    else:
        mesh = trimesh.convex.convex_hull(rng.normal(size=(60, 3)) * size)
    mesh.apply_transform(trimesh.transformations.random_rotation_matrix(rng.random(3), translate=False))
    mesh.apply_translation(rng.normal(size=3))
    return np.array(mesh.vertices), np.array(mesh.faces)


def hollow(number: int) -> Mesh:
    """One of 8 rings, tubes and wavy balls."""
    rng = np.random.default_rng(1000 + number)
    mesh = {
        0: lambda: trimesh.creation.torus(1.0, rng.uniform(0.2, 0.5), 24, 16),
        1: lambda: trimesh.creation.annulus(0.5, 1.0, rng.uniform(0.3, 2.0), sections=24),
        2: lambda: trimesh.creation.icosphere(3),
    }[number % 3]()
    vertices = np.array(mesh.vertices)
    vertices *= 1.0 + 0.2 * np.sin(3.0 * vertices[:, [0]] + number)
    return vertices + rng.normal(size=3), np.array(mesh.faces)


def shape(number: int) -> Mesh:
    return hollow(number) if number >= 32 else convex(number)


def flipped(vertices: Array, faces: Array, rng: np.random.Generator) -> tuple[Array, Array, MassProperties]:
    which = rng.random(len(faces)) < 0.3
    return vertices, np.where(which[:, None], faces[:, ::-1], faces), enclosed(vertices, faces)


def doubled(vertices: Array, faces: Array, rng: np.random.Generator) -> tuple[Array, Array, MassProperties]:
    """One face given twice, one face once more from behind."""
    one, other = rng.choice(len(faces), 2, replace=False)
    return vertices, np.vstack([faces, faces[[one]], faces[[other], ::-1]]), enclosed(vertices, faces)


def missing(vertices: Array, faces: Array, rng: np.random.Generator) -> tuple[Array, Array, MassProperties]:
    """Without one face, or without all around one vertex."""
    left_out = np.any(faces == rng.integers(len(vertices)), axis=1)
    if np.sum(left_out) > 8 or rng.random() < 0.5:
        left_out = np.arange(len(faces)) == rng.integers(len(faces))
    return vertices, faces[~left_out], enclosed(vertices, faces)


def folded(vertices: Array, faces: Array, rng: np.random.Generator) -> tuple[Array, Array, MassProperties]:
    """A vertex lies across the opposite side of one of its faces, so that these pass through others.

    Where they pass through none, there is a groove, and the shape is another one without a defect.
    """
    for _ in range(30):
        a, b, c = faces[rng.integers(len(faces))]
        moved = vertices.copy()
        moved[a] += rng.uniform(1.05, 1.5) * (0.5 * (vertices[b] + vertices[c]) - vertices[a])
        if judged(moved, faces).fault is not None:
            return moved, faces, enclosed(vertices, faces)
    raise AssertionError("no fold was found")


def overlapping(vertices: Array, faces: Array, rng: np.random.Generator) -> tuple[Array, Array, MassProperties]:
    """Two parts of a convex shape that have its middle in common; their union is the shape."""
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    heights = vertices @ axis
    low, high = np.quantile(heights, (0.35, 0.65)) + 0.01 * np.ptp(heights) * rng.random(2)
    edges = np.unique(np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)), axis=0)
    halves = []
    for level, side in ((high, -1.0), (low, 1.0)):
        a, b = heights[edges].T
        crossing = (a - level) * (b - level) < 0.0
        fraction = ((level - a) / np.where(crossing, b - a, 1.0))[crossing, None]
        begin, end = (vertices[edges[crossing, k]] for k in (0, 1))
        points = np.vstack([vertices[side * (heights - level) >= 0.0], begin + fraction * (end - begin)])
        halves.append(trimesh.convex.convex_hull(points))
    both = trimesh.util.concatenate(halves)
    return np.array(both.vertices), np.array(both.faces), enclosed(vertices, faces)


def cavity(vertices: Array, faces: Array, rng: np.random.Generator) -> tuple[Array, Array, MassProperties]:
    """A small copy within the shape, whose faces are wound as if it were solid."""
    middle = vertices.mean(axis=0)
    inner = middle + rng.uniform(0.2, 0.6) * (vertices - middle)
    hole = enclosed(inner, faces).times(-1.0)
    truth = MassProperties.total([enclosed(vertices, faces), hole])
    return np.vstack([vertices, inner]), np.vstack([faces, faces + len(vertices)]), truth


def cracked(vertices: Array, faces: Array, rng: np.random.Generator) -> tuple[Array, Array, MassProperties]:
    """A face divided at a point beside the middle of its side, which its neighbour does not have."""
    number = rng.integers(len(faces))
    a, b, c = faces[number]
    size = np.linalg.norm(vertices[b] - vertices[a])
    split = 0.5 * (vertices[a] + vertices[b]) + rng.normal(size=3) * size * 10.0 ** rng.uniform(-6.0, -1.0)
    new = len(vertices)
    faces = np.vstack([faces, [[a, new, c], [new, b, c]]])
    return np.vstack([vertices, split]), np.delete(faces, number, axis=0), enclosed(vertices, faces[:-2])


def crossed(vertices: Array, faces: Array, rng: np.random.Generator) -> tuple[Array, Array, MassProperties]:
    """Two neighbouring vertices have changed places."""
    a, b, _ = faces[rng.integers(len(faces))]
    moved = vertices.copy()
    moved[[a, b]] = vertices[[b, a]]
    return moved, faces, enclosed(vertices, faces)


DEFECTS: list[Damage] = [flipped, doubled, missing, folded, cracked, crossed, overlapping, cavity]
FOR_CONVEX = 6  # from here on
# the last eight shapes are not convex
CASES = [(number, number % 8 if number < 32 else number % FOR_CONVEX) for number in range(40)]
OTHERS = [
    (number, defect)
    for number in range(40)
    for defect in range(8)
    if (number, defect) not in CASES and (number < 32 or defect < FOR_CONVEX)
]


def check(vertices: Array, faces: Array, truth: MassProperties) -> str:
    """Check that volume and moments are wrong by no more than what is told; return the method."""
    found, how = mesh_inertia(judged(vertices, faces))
    assert how.volume_error is not None
    assert how.moment_errors is not None
    rounding = 1e-9  # measured at most 2e-14 where nothing is told
    assert abs(found.mass - truth.mass) <= (how.volume_error + rounding) * found.mass, how.text
    moments, _ = principal_axes(found.tensor)
    true = np.linalg.eigvalsh(truth.tensor)[np.argsort(np.argsort(moments))]
    assert np.all(np.abs(moments - true) <= np.array(how.moment_errors) * moments + rounding * max(moments)), how.text
    return how.method


def check_case(number: int, defect: int) -> None:
    method = check(*DEFECTS[defect](*shape(number), np.random.default_rng(100 * defect + number)))
    assert method == "solid" or DEFECTS[defect] is missing  # where much is missing, it is the hull


@pytest.mark.parametrize(("number", "defect"), CASES, ids=[f"{n}-{DEFECTS[d].__name__}" for n, d in CASES])
def test_the_error_is_no_more_than_what_is_told(number: int, defect: int) -> None:
    check_case(number, defect)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "defect"), OTHERS, ids=[f"{n}-{DEFECTS[d].__name__}" for n, d in OTHERS])
def test_the_error_is_no_more_than_what_is_told_of_any_shape(number: int, defect: int) -> None:
    check_case(number, defect)


@pytest.mark.parametrize("number", [223, 253, 293])
def test_sides_that_pass_just_through_other_sides_are_found(number: int) -> None:
    """Of regular triangles: where neighbours change places, no side passes through the inside of a face."""
    assert check(*crossed(*convex(number), np.random.default_rng(82000 + number))) == "solid"


def test_a_fold_makes_no_more_uncertain_than_the_faces_around_it() -> None:
    """A ball of 1280 faces; their number divides what one vertex may change."""
    ball = trimesh.creation.icosphere(3)
    vertices, faces, truth = folded(np.array(ball.vertices), np.array(ball.faces), np.random.default_rng(5))
    assert check(vertices, faces, truth) == "solid"
    _, how = mesh_inertia(judged(vertices, faces))
    assert how.volume_error is not None
    assert how.volume_error < 0.0002  # measured 0.00013; the solid is wrong by 0.00008


@pytest.mark.parametrize("number", [3, 6, 17, 23])
def test_many_crossings_are_sampled_and_the_error_is_told(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crossings, "CUTS", 0)
    vertices, faces, truth = overlapping(*shape(number), np.random.default_rng(number))
    assert check(vertices, faces, truth) == "solid"
    _, how = mesh_inertia(judged(vertices, faces))
    assert how.volume_error is not None
    assert 0.0 < how.volume_error < 0.001  # measured 0.0006 at most; the solid is wrong by 0.00007


def test_a_point_far_from_a_tiny_mesh_lies_in_no_box() -> None:
    boxes = Boxes(np.zeros((2, 1)), np.full((2, 1), 1e-200), 2.0)
    with np.errstate(all="raise"):
        point, thing = boxes.at(np.array([[0.5e-200, 1.0, -1.0], [0.5e-200, 1.0, 0.0]]))
    assert (point.tolist(), thing.tolist()) == ([0], [0])
