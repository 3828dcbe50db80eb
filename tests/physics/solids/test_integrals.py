"""Integrals over meshes against closed forms, and against trimesh, which finds them in another way."""

import numpy as np
import pytest
import trimesh

from viewer.physics.body import RigidBody
from viewer.physics.solids.inertia import MassProperties, enclosed, principal_axes, surface


def arrays(mesh: trimesh.Trimesh) -> tuple[np.ndarray, np.ndarray]:
    return np.array(mesh.vertices), np.array(mesh.faces)


def test_a_box_of_triangles_is_exact() -> None:
    mesh = trimesh.creation.box((1.0, 0.5, 0.2))
    mesh.apply_translation((5.0, -3.0, 1.0))
    found = enclosed(*arrays(mesh)).times(7.0)
    body = RigidBody.box(found.mass, 1.0, 0.5, 0.2)
    assert found.mass == pytest.approx(0.7, rel=1e-14)
    assert found.centre == pytest.approx((5.0, -3.0, 1.0), rel=1e-14)
    assert found.tensor == pytest.approx(np.diag(body.principal_moments), abs=1e-15)  # measured 3e-17


def test_the_error_of_a_sphere_falls_with_its_facets() -> None:
    errors = []
    for level in (2, 3, 4):
        found = enclosed(*arrays(trimesh.creation.icosphere(level, radius=2.0)))
        exact = RigidBody.sphere(4 / 3 * np.pi * 8.0, 2.0).principal_moments[0]
        errors.append(1.0 - found.tensor[0, 0] / exact)
    ratios = np.array(errors[:-1]) / errors[1:]  # edges half as long: a quarter
    assert ratios == pytest.approx((4.0, 4.0), rel=0.03)  # measured 3.93, 3.98
    assert errors[-1] < 5e-3


@pytest.mark.parametrize("make", ["cone", "capsule", "annulus", "cylinder"])
def test_trimesh_finds_the_same(make: str) -> None:
    mesh = {
        "cone": lambda: trimesh.creation.cone(1.0, 2.0, sections=40),
        "capsule": lambda: trimesh.creation.capsule(2.0, 0.5),
        "annulus": lambda: trimesh.creation.annulus(0.5, 1.0, 0.4),
        "cylinder": lambda: trimesh.creation.cylinder(0.7, 2.0),
    }[make]()
    mesh.apply_transform(trimesh.transformations.rotation_matrix(0.7, (1.0, 2.0, 3.0), (4.0, 5.0, 6.0)))
    found = enclosed(*arrays(mesh))
    assert found.mass == pytest.approx(mesh.volume, rel=1e-12)
    assert found.centre == pytest.approx(mesh.center_mass, rel=1e-12)
    assert found.tensor == pytest.approx(mesh.moment_inertia, abs=1e-12)  # measured 3e-14


def test_the_surface_of_a_box_is_the_sum_of_its_sides() -> None:
    found = surface(*arrays(trimesh.creation.box((2.0, 2.0, 2.0))))
    assert found.mass == pytest.approx(24.0)
    side = 4.0 * 4.0 / 12.0  # of one side about an axis in its plane through its middle
    exact = 2.0 * (2.0 * side) + 4.0 * (side + 4.0)  # two sides across the axis, four at a distance of 1 m
    assert found.tensor == pytest.approx(exact * np.eye(3))


def test_motions_keep_the_principal_moments() -> None:
    rng = np.random.default_rng(3)
    mesh = trimesh.creation.annulus(0.4, 1.0, 0.7)
    mesh.apply_scale((1.0, 1.5, 1.0))
    first = None
    for _ in range(20):
        mesh.apply_transform(trimesh.transformations.random_rotation_matrix(rng.random(3)))
        mesh.apply_translation(rng.normal(size=3))
        found = enclosed(*arrays(mesh))
        moments, axes = principal_axes(found.tensor)
        assert axes @ np.diag(moments) @ axes.T == pytest.approx(found.tensor, abs=1e-12)
        first = np.sort(moments) if first is None else first
        assert np.sort(moments) == pytest.approx(first, rel=1e-12)  # measured 2e-14


def test_parallel_axes() -> None:
    """A long box from two cubes side by side, and from a longer one with a hole."""
    cube, long = RigidBody.box(1.0, 1.0, 1.0, 1.0), RigidBody.box(3.0, 3.0, 1.0, 1.0)
    unit = MassProperties(1.0, np.zeros(3), np.diag(cube.principal_moments))
    at = [MassProperties(1.0, np.array([x, 0.0, 0.0]), unit.tensor) for x in (-1.0, 0.0, 1.0)]
    total = MassProperties.total(at)
    assert total.tensor == pytest.approx(np.diag(long.principal_moments))
    rest = MassProperties.total([total, at[0].times(-1.0)])
    assert rest.mass == pytest.approx(2.0)
    assert rest.centre == pytest.approx((0.5, 0.0, 0.0))
    assert rest.tensor == pytest.approx(np.diag(RigidBody.box(2.0, 2.0, 1.0, 1.0).principal_moments))
