"""The way of the camera when another axis is to stand upright."""

import math
from itertools import pairwise

import numpy as np
import pytest

from viewer.commands.actions import ACTION_OF
from viewer.scenario.choices.themes import QUALITIES
from viewer.scenario.scenario import Scenario
from viewer.scene.build import build_frame
from viewer.scene.camera.camera import Camera, between, look, part_of_turn
from viewer.scene.presentation import Display, Presentation
from viewer.session.session import Session
from viewer.workspace.transitions import OCTANT, SECONDS, CameraTransition, EyeTransition
from viewer.workspace.workspace import Workspace

UP = np.array([0.0, 0.0, 2.0])
ABOVE = look(np.eye(3), np.zeros(3), 1.0, 0.3, 4.0, 0.35)
BELOW = look(np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, -0.2]), 1.3, 0.3, 5.0, 0.35)


def axes(camera: Camera) -> np.ndarray:
    return np.stack([camera.right, camera.up, camera.backward])


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.9, 1.0])
def test_every_camera_on_the_way_is_one_and_the_ends_are_the_ends(share: float) -> None:
    camera = between(ABOVE, BELOW, share)
    np.testing.assert_allclose(axes(camera) @ axes(camera).T, np.eye(3), atol=1e-14)
    assert np.linalg.det(axes(camera)) == pytest.approx(1.0)
    if share in (0.0, 1.0):
        end = BELOW if share else ABOVE
        np.testing.assert_allclose(axes(camera), axes(end), atol=1e-14)
        np.testing.assert_allclose(camera.position, end.position, atol=1e-14)
        assert camera.distance == pytest.approx(end.distance)


def test_the_way_is_even() -> None:
    turns = [axes(between(ABOVE, BELOW, share)) for share in np.linspace(0.0, 1.0, 11)]
    angles = [math.acos(min(1.0, (np.trace(b @ a.T) - 1.0) / 2.0)) for a, b in pairwise(turns)]
    assert max(angles) == pytest.approx(min(angles), rel=1e-6)


def test_half_a_turn_and_no_turn_have_a_way_too() -> None:
    quarter = part_of_turn(np.diag([-1.0, -1.0, 1.0]), 0.5)
    np.testing.assert_allclose(quarter @ quarter, np.diag([-1.0, -1.0, 1.0]), atol=1e-15)
    np.testing.assert_array_equal(part_of_turn(np.eye(3), 0.5), np.eye(3))


def test_a_new_frame_is_reached_in_time_and_from_the_camera_of_the_last_picture() -> None:
    transition = CameraTransition()
    assert transition.follow("ceiling", UP, 0.0) is None
    transition.arrived(ABOVE)
    assert transition.follow("floor", UP, 1.0) == (ABOVE, 0.0)
    transition.arrived(between(ABOVE, BELOW, 0.0))
    way = transition.follow("floor", UP, 1.0 + SECONDS / 2)
    assert way == (ABOVE, pytest.approx(0.5))
    assert transition.fraction(1.0 + SECONDS) == 1.0
    assert transition.follow("floor", UP, 1.0 + SECONDS) is None
    assert transition.fraction(2.0) == 1.0


def test_another_scene_is_shown_at_once() -> None:
    transition = CameraTransition()
    transition.follow("ceiling", UP, 0.0)
    transition.arrived(ABOVE)
    transition.forget()
    assert transition.follow("space", UP, 1.0) is None


def test_where_L_turns_over_the_camera_does_not_jump() -> None:
    transition = CameraTransition()
    transition.follow("ceiling", UP, 0.0)
    transition.arrived(ABOVE)
    assert transition.follow("ceiling", 0.0 * UP, 1.0) is None  # at rest for a moment
    transition.arrived(ABOVE)
    assert transition.follow("ceiling", -0.1 * UP, 2.0) == (ABOVE, 0.0)
    assert transition.follow("ceiling", -0.2 * UP, 2.0 + SECONDS) is None


def test_eyes_that_differ_by_the_rounding_of_another_resolution_have_arrived() -> None:
    """A paused scene on a slow machine was drawn coarse and in full in turn, without end."""
    session = Session(Scenario.preset("paper-fig1").with_value("stereo.mode", "side-by-side"))
    presentation = Presentation.of(session.scenario)
    size = (509, 1123)  # at which the eyes differ in their last bits, by 3.6e-15
    displays = [Display(size, quality=quality) for quality in QUALITIES.values()]
    frames = [build_frame(session.snapshot(), presentation, display) for display in displays]
    assert len({frame.main.eyes for frame in frames}) > 1
    transition = EyeTransition()
    for frame in frames:
        transition.follow(session.scenario.stereo, 0.0)
        transition.arrived(frame.main.eyes)
        assert transition.there


def test_the_camera_comes_back_from_the_octant_of_momentum_space() -> None:
    """It is near there: the figure of the other construction was cut off."""
    session, now = Session(Scenario.preset("box-80kg"), playing=False), [0.0]
    workspace = Workspace(session, clock=lambda: now[0])

    def arrive() -> None:
        now[0] += 2.0 * SECONDS
        session.change(workspace.animator.glide())

    before = session.scenario.view
    ACTION_OF["Shift+M"].run(workspace)
    arrive()
    assert session.scenario.view.zoom == OCTANT["zoom"]
    ACTION_OF["Shift+M"].run(workspace)  # once more changes nothing
    arrive()
    ACTION_OF["M"].run(workspace)
    arrive()
    assert session.scenario.view == before

    ACTION_OF["Shift+M"].run(workspace)
    arrive()
    session.change({"view.zoom": 2.0})  # by hand: that view is kept
    ACTION_OF["M"].run(workspace)
    arrive()
    assert session.scenario.view.zoom == 2.0
