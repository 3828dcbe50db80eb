"""Momentum space that is asked for is never an empty picture."""

import numpy as np
import pytest
from helpers.frames import picture_of

from viewer.commands.actions import ACTION_OF
from viewer.scenario.consequences import MOMENTUM_SPACE
from viewer.scene.camera.camera import Canvas


def shown_fields(stage_shown) -> set[str]:
    return {path for path in MOMENTUM_SPACE if stage_shown.workspace.session.scenario.value(path)}


@pytest.mark.parametrize("scene", ["t-handle", "top-with-cusps"])
@pytest.mark.parametrize("key", ["M", "I"])
def test_it_is_shown_where_the_scene_hides_all_of_it(stage, key, scene):
    """As the scene of the first start does, which shows the body alone, and that of a top, which also shows L."""
    shown = stage(scene)
    assert not shown_fields(shown)
    ACTION_OF[key].run(shown.workspace)
    assert shown_fields(shown) == set(MOMENTUM_SPACE)


def test_the_way_back_leads_to_the_whole_construction(stage):
    shown = stage("t-handle")
    for _ in range(2):
        ACTION_OF["M"].run(shown.workspace)
    scene = picture_of(shown.workspace.session, (950, 600)).main.scene
    assert {"L", "ω"} <= {arrow.name for arrow in scene.arrows}
    assert scene.contact is not None
    assert scene.trail is not None


@pytest.mark.parametrize("key", ["M", "I"])
@pytest.mark.parametrize("size", [(950, 600), (480, 520), (600, 360)])
def test_all_that_is_shown_then_is_in_the_picture(stage, key, size):
    shown = stage("t-handle")
    ACTION_OF[key].run(shown.workspace)
    home = shown.workspace.animator.home
    assert (home.zoom, home.pan) == (1.0, (0.0, 0.0))  # whoever goes back there sees it, too
    for _ in range(3):
        frame = picture_of(shown.workspace.session, size)
        camera, scene = frame.main.camera, frame.main.scene
        canvas, turned = Canvas(camera, size), scene.world_from_body
        ends = [arrow.end for arrow in scene.arrows] + [turned @ point for point in scene.curves[0].points]
        if scene.plane is not None:
            across, up, _ = scene.plane.world_from_plane.T
            circle = np.linspace(0.0, 2.0 * np.pi, 60)[:, None]
            rim = scene.plane.centre + scene.plane.reach * (np.cos(circle) * across + np.sin(circle) * up)
            ends += list(rim)
        assert np.all(np.abs(canvas.project(np.array(ends))) < 0.5 * np.array(size))
        shown.workspace.session.scene.run_on_to(shown.workspace.session.motion.time + 1.3)


@pytest.mark.parametrize("kept", MOMENTUM_SPACE)
def test_what_a_scene_hides_of_it_stays_hidden_beside_what_it_shows(stage, kept):
    shown = stage("t-handle")
    shown.workspace.editor.set(kept, True)
    ACTION_OF["M"].run(shown.workspace)
    assert shown.workspace.session.scenario.view.construction == "momentum"
    assert shown_fields(shown) == {kept}


def test_each_of_it_can_be_hidden_once_it_is_shown(stage):
    shown = stage("t-handle")
    ACTION_OF["M"].run(shown.workspace)
    for path in MOMENTUM_SPACE:
        shown.workspace.editor.set(path, False)
    assert not shown_fields(shown)
