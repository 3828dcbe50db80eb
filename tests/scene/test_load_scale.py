"""How long the arrows of forces and torques are, and what load an arrow of some length stands for."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from helpers.pointing import box_radius

from viewer.scenario.scenario import Scenario
from viewer.scene.camera.camera import Canvas, look
from viewer.scene.constructions.loads import (
    ARM_NAME,
    NAME_OFFSET,
    SPRING_SWING,
    SPRING_TURNS,
    THIN_HEAD,
    _label,
    spring_strokes,
)
from viewer.scene.constructions.scale import LOAD_GROWTH, load_arrow, load_of_arrow, load_scale
from viewer.scene.description import Stroke
from viewer.scene.presentation import Presentation, Pull
from viewer.session.session import Session


def scale_of(**changes: Any) -> Any:
    scenario = Scenario.preset("box-80kg").with_values(
        {path.replace("__", "."): value for path, value in changes.items()}
    )
    return load_scale(Session(scenario, playing=False).snapshot(), scenario.view)


@pytest.mark.parametrize("load", [(3.0, 0.0, 0.0), (1.0, -2.0, 0.5), (1e-9, 0.0, 2e-9), (0.0, 0.0, 0.0)])
def test_an_arrow_can_be_dragged_to_the_load_that_it_shows(load: tuple[float, float, float]) -> None:
    arrow = load_arrow(np.array(load), 0.2)
    np.testing.assert_allclose(load_of_arrow(arrow, 0.2), load, rtol=1e-12)
    assert np.linalg.norm(arrow) == pytest.approx(0.2 * np.linalg.norm(load) ** LOAD_GROWTH)


def test_arrows_grow_with_the_vectors_and_are_the_same_for_the_same_motion_of_any_mass() -> None:
    """F = M a and torque = I alpha: of twice the mass twice the load has an arrow of the same length."""
    plain, large = scale_of(), scale_of(view__vector_scale=2.0)
    for name in ("force", "torque", "longest"):
        assert getattr(large, name) == pytest.approx(2.0 * getattr(plain, name))
    assert large.arm == plain.arm == 1.0
    radius = box_radius(Scenario.preset("box-80kg"))
    assert plain.longest == pytest.approx(1.4 * radius)
    mass = Scenario.preset("box-80kg").body.mass
    assert plain.force == pytest.approx(0.8 * radius * (mass * radius) ** -LOAD_GROWTH)
    assert plain.torque == pytest.approx(1.4 * radius * (mass * radius**2) ** -LOAD_GROWTH)
    heavy = scale_of(body__mass=160.0)
    assert heavy.longest == pytest.approx(plain.longest)
    for name in ("force", "torque"):
        assert getattr(heavy, name) * 2.0**LOAD_GROWTH == pytest.approx(getattr(plain, name))


def test_the_spring_of_a_pull_swings_as_far_to_either_side_across_the_line_of_sight() -> None:
    target = (0.4, -0.3, 0.9)
    scenario = Scenario.preset("box-80kg")
    snapshot = Session(scenario, playing=False).snapshot()
    pull = Pull((0.1, 0.2, -0.1), target, (1.0, 0.0, 0.0))
    canvas = Canvas(look(np.eye(3), np.zeros(3), 1.1, 0.4, 3.0, 0.7), (900.0, 600.0))
    shown = Presentation(scenario.view, scenario.show, scenario.race, scenario.stereo, pull=pull)
    strokes = spring_strokes(snapshot, shown, canvas)
    points = np.array([strokes[0].start, *(stroke.end for stroke in strokes)])
    for before, after in pairwise(strokes):
        np.testing.assert_array_equal(before.end, after.start)
    np.testing.assert_allclose(points[0], snapshot.reading.rotation_world_from_body @ pull.point_body, atol=1e-15)
    np.testing.assert_allclose(points[-1], target, atol=1e-15)
    along = points[-1] - points[0]
    off = points - points[0] - ((points - points[0]) @ along / (along @ along))[:, None] * along
    per_pixel = 2.0 * 3.0 * np.tan(0.35) / 600.0
    swings = np.linalg.norm(off, axis=1) / per_pixel
    np.testing.assert_allclose(swings, [0.0, 0.0, *SPRING_TURNS * [SPRING_SWING], 0.0, 0.0], atol=1e-9)
    assert np.all(np.sum(off[2:-3] * off[3:-2], axis=1) < 0.0)  # to one side and to the other in turn
    np.testing.assert_allclose(off @ canvas.camera.backward, 0.0, atol=1e-12)
    fractions = (points - points[0]) @ along / (along @ along)
    np.testing.assert_allclose(np.diff(fractions[2:-2]), np.diff(fractions[2:-2])[0])
    assert fractions[1] + fractions[-2] == pytest.approx(1.0)
    assert spring_strokes(snapshot, Presentation.of(scenario), canvas) == []


@pytest.mark.parametrize("end", [(0.0, 0.5, 0.8), (0.0, 0.5, -0.8), (0.0, -0.6, 0.1), (0.0, -0.3, -0.9)])
def test_the_name_of_an_arrow_stands_to_its_right_and_ahead_of_its_head(end: tuple[float, float, float]) -> None:
    canvas = Canvas(look(np.eye(3), np.zeros(3), 0.5 * np.pi, 0.0, 5.0, 0.6), (900.0, 600.0))  # y to the right, z up
    tip = np.array(end)
    ahead = tip[1:] / np.linalg.norm(tip[1:])
    across = np.array([ahead[1], -ahead[0]]) * (1.0 if ahead[1] >= 0.0 else -1.0)
    label = _label(Stroke(np.zeros(3), tip, (1.0, 0.0, 0.0), 1.0, 2.0, THIN_HEAD, name="F"), canvas)
    np.testing.assert_allclose(label.offset, NAME_OFFSET * (0.6 * ahead + 0.8 * across), rtol=1e-9)
    assert np.hypot(*label.offset) == pytest.approx(NAME_OFFSET)
    np.testing.assert_array_equal(label.anchor, tip)
    arm = _label(Stroke(np.zeros(3), tip, (1.0, 0.0, 0.0), 1.0, 2.0, 0.0, name="r"), canvas)
    np.testing.assert_allclose(arm.offset, NAME_OFFSET * across, rtol=1e-9)
    assert arm.offset[0] >= 0.0
    np.testing.assert_allclose(arm.anchor, ARM_NAME * tip)
