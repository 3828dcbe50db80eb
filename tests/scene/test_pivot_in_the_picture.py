"""A body about a pivot in the picture: where it stands, its weight, the pivot and its stand."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from helpers.frames import picture_of
from numpy.testing import assert_allclose

from viewer.common.errors import InputError
from viewer.scenario.scenario import Scenario
from viewer.scene.words.describe import facts
from viewer.session.session import Session

UP = 0.3  # m, from the pivot to the centre of mass
TOP: dict[str, Any] = {
    "body.shape": "cylinder", "body.mass": 2.0, "body.radius": 0.2, "body.height": 0.05, "body.pivot": (0.0, 0.0, -UP),
    "start.orientation_deg": (30.0, 0.0, 0.0), "start.angular_velocity": (0.0, 0.0, 60.0), "loads.gravity": 9.81,
    "view.frame": "space",
}  # fmt: skip
SOLIDS: dict[str, dict[str, Any]] = {
    "box": {}, "ellipsoid": {}, "sphere": {}, "t-handle": {"body.height": 0.3},
    "moments": {"body.moments": (0.01, 0.01, 0.015)},
}  # fmt: skip


def session_of(seconds: float = 0.3, **changes: Any) -> Session:
    values = TOP | {path.replace("__", "."): value for path, value in changes.items()}
    session = Session(Scenario().with_values(values), playing=False)
    session.scene.motion.run_to(seconds)
    return session


def test_body_weight_and_pivot_are_drawn_where_they_are() -> None:
    session = session_of()
    reading, scene = session.snapshot().reading, picture_of(session, (1280, 720)).main.scene
    assert reading.position.tolist() == [0.0, 0.0, 0.0]
    centre = UP * reading.rotation_world_from_body[:, 2]
    weight = next(arrow for arrow in scene.arrows if arrow.name == "W")
    assert_allclose(weight.start, centre, atol=1e-15)
    along = weight.end - weight.start
    assert_allclose(along / np.linalg.norm(along), (0, 0, -1), atol=1e-15)
    mesh = scene.solid.mesh if scene.solid is not None else None
    assert mesh is not None
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    assert_allclose(0.5 * (low + high), (0, 0, UP), atol=1e-12)
    assert_allclose(high - low, (0.4, 0.4, 0.05), rtol=1e-3)  # flat sides stand for the round one
    assert scene.pivot is not None
    assert scene.pivot.tolist() == [0.0, 0.0, 0.0]
    legs = [arrow for arrow in scene.arrows if arrow.name == "pivot"]
    assert len(legs) == 3
    assert all(leg.end[2] < 0.0 and not leg.start.any() for leg in legs)
    assert next(arrow for arrow in scene.arrows if arrow.name == "vertical").end[2] > 0.0


@pytest.mark.parametrize("shape", SOLIDS)
def test_every_solid_keeps_its_place_and_size_about_a_pivot(shape: str) -> None:
    """Its drawn surface is that of the free body, moved: they reach as far from the centre of mass."""
    values = {"body.shape": shape, "body.pivot": (0.0, 0.0, -UP), **SOLIDS[shape]}
    held, free = (Scenario().with_values(values | more) for more in ({}, {"body.pivot": (0.0, 0.0, 0.0)}))
    solid = picture_of(Session(free, playing=False), (640, 360)).main.scene.solid
    mesh = held.rigid_body().mesh
    assert solid is not None
    assert mesh is not None
    for direction in np.eye(3):
        for sign in (1.0, -1.0):
            reach = float(np.max((mesh.vertices - (0, 0, UP)) @ (sign * direction)))
            assert reach == pytest.approx(solid.size.support(sign * direction), rel=2e-3)


def test_without_a_pivot_nothing_of_it_is_drawn_and_the_body_falls() -> None:
    session = session_of(body__pivot=(0.0, 0.0, 0.0))
    scene = picture_of(session, (1280, 720)).main.scene
    assert scene.pivot is None
    assert not [arrow for arrow in scene.arrows if arrow.name in ("pivot", "vertical")]
    assert next(arrow for arrow in scene.arrows if arrow.name == "W").start.tolist() == [0.0, 0.0, 0.0]
    height = -0.5 * 9.81 * session.scene.motion.time**2
    assert_allclose(session.snapshot().reading.position, (0, 0, height), rtol=1e-12)


def test_the_facts_name_the_pivot_and_the_torque_of_the_weight() -> None:
    found = facts(session_of(0.0))
    assert found["dimensions"]["pivot"] == (0.0, 0.0, -UP)
    assert found["external_torque_N_m"] == pytest.approx([2.0 * 9.81 * UP * 0.5, 0.0, 0.0], abs=1e-15)
    assert found["principal_moments_kg_m2"][0] == pytest.approx(2.0 * (3 * 0.2**2 + 0.05**2) / 12 + 2.0 * UP**2)


def test_a_change_of_shape_keeps_moments_about_the_centre_of_mass_and_the_pivot() -> None:
    before = Scenario().with_values(TOP)
    after = before.with_value("body.shape", "moments")
    assert after.body.moments == pytest.approx(dataclasses.replace(before, body=dataclasses.replace(
        before.body, pivot=(0.0, 0.0, 0.0))).rigid_body().principal_moments)  # fmt: skip
    assert after.rigid_body().principal_moments == pytest.approx(before.rigid_body().principal_moments, rel=1e-15)


def test_gravity_is_undone_and_acts_from_then_on() -> None:
    session = session_of(0.1, loads__gravity=0.0)
    assert session.snapshot().loads.free
    session.change({"loads.gravity": 9.81})
    assert session.snapshot().external_torque.any()
    session.undo()
    assert session.snapshot().loads.free


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"body.pivot": (0.0, 0.0)}, r"body\.pivot: .*3 numbers"),
        ({"body.pivot": (0.0, float("nan"), 0.0)}, r"body\.pivot.*: nan"),
        ({"loads.gravity": -1.0}, r"loads\.gravity: -1 m/s² is outside 0 to 1e6 m/s²"),
        ({"start.linear_velocity": (1.0, 0.0, 0.0)}, r"start\.linear_velocity: 1 m/s is not allowed .* pivot"),
        ({"solver.integrator": "exact", "body.pivot": (0.1, 0.0, -UP)}, r"solver\.integrator: exact is for tops that"),
        ({"solver.integrator": "exact", "loads.torque": (0.0, 0.0, 1.0)}, r"solver\.integrator: exact is torque-free"),
        ({"body.mass": 1e30, "body.pivot": (0.0, 0.0, 1e9), "loads.gravity": 0.0}, None),
    ],
)
def test_bad_values_are_named_in_one_line(values: dict[str, Any], message: str | None) -> None:
    if message is None:  # large, but allowed
        assert Scenario().with_values(TOP | values).simulation().rotational_energy > 0.0
        return
    with pytest.raises(InputError, match=message) as caught:
        Scenario().with_values(TOP | values).simulation()
    assert "\n" not in str(caught.value)
