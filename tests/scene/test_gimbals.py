"""Gimbals: their rings hang in one another, follow the body by Euler's angles, and say when they are locked."""

import math

import numpy as np
import pytest
from helpers.frames import picture_of
from numpy.testing import assert_allclose

from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.rotation import gimbal_angles, multiply, rotation_matrix
from viewer.scenario.scenario import Scenario
from viewer.scene.constructions.gimbals import INNER, MIDDLE, OUTER, are_locked
from viewer.scene.naming.things import THINGS, proviso
from viewer.scene.words.describe import describe
from viewer.session.session import Session


def turn(axis: int, angle: float) -> np.ndarray:
    return np.array([math.cos(angle / 2), *(math.sin(angle / 2) * np.eye(3)[axis])])


def session_at(orientation_deg: tuple[float, float, float]) -> Session:
    scene = Scenario.preset("gyroscope-in-gimbals").with_value("start.orientation_deg", orientation_deg)
    return Session(scene, playing=False)


@pytest.mark.parametrize("middle", [0.0, 1e-9, 0.3, 1.5, 3.0, math.pi - 1e-9, math.pi])
@pytest.mark.parametrize(("outer", "inner"), [(0.0, 0.0), (0.4, -2.0), (-3.0, 3.0), (2.5, 1.5)])
def test_eulers_angles_about_z_x_and_z_make_the_orientation(outer, middle, inner):
    q = multiply(multiply(turn(2, outer), turn(0, middle)), turn(2, inner))
    found = gimbal_angles(q)
    assert found[1] == pytest.approx(middle, abs=1e-15)
    again = multiply(multiply(turn(2, found[0]), turn(0, found[1])), turn(2, found[2]))
    assert abs(float(again @ q)) == pytest.approx(1.0, abs=1e-15)
    assert max(abs(found[0]), abs(found[2])) <= math.pi
    if 1e-6 < middle < math.pi - 1e-6:
        assert_allclose(np.exp(1j * np.array(found[::2])), np.exp(1j * np.array((outer, inner))), atol=1e-14)
    else:  # only their sum or their difference is known, and is right
        sign = 1.0 if middle < 1.0 else -1.0
        assert np.exp(1j * (found[0] + sign * found[2])) == pytest.approx(np.exp(1j * (outer + sign * inner)), abs=1e-8)


@pytest.mark.parametrize("orientation", [(61.5, 0.0, 0.0), (20.0, -30.0, 70.0), (0.0, 0.0, 0.0), (175.0, 10.0, 5.0)])
def test_each_ring_holds_the_axles_of_its_neighbours(orientation):
    """The outer one holds z and the level axis, the middle one that and z', the inner one is the circle about z'."""
    session = session_at(orientation)
    scene = picture_of(session, (1280, 720)).main.scene
    rings = [curve for curve in scene.curves if curve.name == "gimbals"]
    assert len(rings) == 3
    assert all(ring.in_space for ring in rings)
    rotation = rotation_matrix(session.snapshot().reading.orientation_wxyz)
    ends = [line.end for line in scene.arrows if line.name == "gimbals"]
    radius = np.linalg.norm(rings[0].points[0]) / OUTER
    up = np.array((0.0, 0.0, 1.0))
    level = rings[0].points[0] / np.linalg.norm(rings[0].points[0])
    for ring, size, (one, other) in zip(
        rings,
        (OUTER, MIDDLE, INNER),
        ((up, level), (level, rotation[:, 2]), (rotation[:, 0], rotation[:, 1])),
        strict=True,
    ):
        assert_allclose(np.linalg.norm(ring.points, axis=1), size * radius, rtol=1e-14)
        for axis in (one, other):
            assert np.min(np.linalg.norm(ring.points - size * radius * axis, axis=1)) < 1e-14
    assert level[2] == 0.0
    assert abs(level @ rotation[:, 2]) < 1e-15
    for axis, reach in ((level, OUTER), (rotation[:, 2], MIDDLE), (rotation[:, 0], INNER)):
        assert min(np.linalg.norm(end - reach * radius * axis) for end in ends) < 1e-14


def test_locked_gimbals_are_said_to_be_so():
    """In the picture, in words and on the card of the thing; not at 11 degrees from it."""
    for tilt, locked in ((9.0, True), (11.0, False), (171.0, True), (90.0, False)):
        session = session_at((tilt, 0.0, 0.0))
        snapshot = session.snapshot()
        scene = picture_of(session, (1280, 720)).main.scene
        assert are_locked(snapshot) is locked
        assert any(label.text == "gimbal lock" for label in scene.labels) is locked
        assert (scene.curves[0].color == scene.theme.force) is locked
        assert bool(THINGS["gimbals"].more(snapshot)) is locked
        assert ("Gimbal lock" in describe(session)) is locked
        assert f"middle {tilt:.1f}°" in describe(session)
        assert proviso("gimbals", snapshot) == ""


def test_they_are_drawn_only_where_they_are_asked_for():
    plain = Session(Scenario.preset("disc"), playing=False)
    assert not any(curve.name == "gimbals" for curve in picture_of(plain, (640, 360)).main.scene.curves)
    assert "gimbals" not in describe(plain)


def test_the_scenes_axis_passes_close_by_the_vertical_once_in_a_round():
    """L leans by 31.5 degrees, z' by 30 from L. Upright, the outer ring swings round, and the inner one back."""
    session = session_at((61.5, 0.0, 0.0))
    snapshot = session.snapshot()
    start, body = session.scenario.start_state(), snapshot.body
    L = rotation_matrix(start.orientation_wxyz) @ (body.principal_moments * start.omega_body)
    assert math.degrees(math.acos(L[2] / np.linalg.norm(L))) == pytest.approx(31.5, abs=0.1)
    round_time = 2.0 * math.pi * body.principal_moments[0] / np.linalg.norm(L)
    states = FreeRotation(body, start).at(np.linspace(0.0, round_time, 2001))
    outer, middle, inner = np.unwrap(np.array([gimbal_angles(q) for q in states.orientation_wxyz]).T, axis=1)
    assert math.degrees(np.min(middle)) == pytest.approx(1.5, abs=0.1)
    near = middle < 3.0 * np.min(middle)
    assert np.mean(near) < 0.05  # of the time
    swing, back = (math.degrees(np.ptp(angles[near])) for angles in (outer, inner))
    assert (swing, back) == pytest.approx((133.6, 140.5), abs=0.5)
