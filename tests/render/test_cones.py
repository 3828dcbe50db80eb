"""Body cone and space cone: where they are, that they touch along omega, and in which order they are drawn."""

from dataclasses import replace
from math import acos, atan2

import numpy as np
import pytest
from helpers.frames import picture_of, with_scene
from numpy.testing import assert_allclose
from scipy.spatial import ConvexHull, Delaunay

from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.choices.themes import THEMES
from viewer.scenario.scenario import Scenario
from viewer.scene.description import Frame
from viewer.scene.naming.spot import things_in
from viewer.session.session import Session

SIZE = (640, 480)
BARE = {"arrows": (), "front_arrows": (), "strokes": (), "curves": (), "labels": (), "trail": None, "contact": None,
        "polhode_ticks": None, "trail_ticks": None}  # fmt: skip


def frame_of(preset: str, time: float = 0.7, **changes: object) -> Frame:
    values = {"show.cones": True} | {name.replace("__", "."): value for name, value in changes.items()}
    session = Session(Scenario.preset(preset).with_values(values), playing=False)
    session.run_to(time)
    return picture_of(session, SIZE)


def angles(points: np.ndarray, axis: np.ndarray) -> np.ndarray:
    return np.arccos(points @ axis / np.linalg.norm(points, axis=1) / np.linalg.norm(axis))


@pytest.mark.parametrize(("preset", "nested"), [("disc", True), ("dumb-bell", False)])
def test_cones_of_a_symmetric_body_are_round_and_touch_along_omega(preset: str, nested: bool) -> None:
    scenario = Scenario.preset(preset)
    moments, omega = scenario.rigid_body().principal_moments, np.array(scenario.start_state().omega_body)
    scene = frame_of(preset).main.scene
    body, space = scene.cones
    assert (body.name, space.name) == ("body cone", "space cone")
    tip = next(arrow for arrow in scene.arrows if arrow.name == "ω").end
    L = next(arrow for arrow in scene.arrows if arrow.name == "L").end
    axis = scene.world_from_body @ body.points.mean(axis=0)
    alone = int(np.argmax(np.abs(moments - np.median(moments))))
    across = float(np.linalg.norm(np.delete(omega, alone)))
    assert_allclose(angles(body.points @ scene.world_from_body.T, axis), atan2(across, abs(omega[alone])), rtol=1e-6)
    momentum = moments * omega
    cosine = momentum @ omega / np.linalg.norm(momentum) / np.linalg.norm(omega)
    assert_allclose(angles(space.points, L), acos(cosine), rtol=1e-6)
    for rim in (body.points @ scene.world_from_body.T, space.points):
        assert np.linalg.norm(rim - tip, axis=1).min() < 0.01 * np.linalg.norm(tip)  # a piece of the rim is longer
    assert (scene.tangent is None) == nested
    if scene.tangent is not None:  # the plane between them holds omega, with the cones' axes on its two sides
        assert abs(scene.tangent @ tip) < 1e-12
        assert (scene.tangent @ L) * (scene.tangent @ axis) < 0.0
    assert things_in(scene)["body cone"].form == things_in(scene)["space cone"].form == "glass"


def test_cones_in_general_are_those_of_polhode_and_herpolhode() -> None:
    scene = frame_of("dzhanibekov").main.scene
    body, space = scene.cones
    assert_allclose(body.points, scene.curves[0].points)
    assert scene.plane is not None
    heights = space.points @ scene.plane.world_from_plane[:, 2]
    assert_allclose(heights, np.linalg.norm(scene.plane.centre), rtol=1e-6)  # the tip of omega stays on the plane
    away = np.linalg.norm(space.points - scene.plane.centre, axis=1)
    inner, outer = scene.plane.bounds
    assert away.min() > 0.999 * inner
    assert away.max() < 1.001 * outer


def test_there_are_none_unless_wanted_or_under_a_torque_or_for_a_spin_about_an_axis() -> None:
    none = ({"show__cones": False}, {"loads__torque": (0.0, 0.0, 1e-3)}, {"view__construction": "momentum"},
            {"start__angular_velocity": (0.0, 0.0, 3.0)})  # fmt: skip
    for change in none:
        assert frame_of("disc", **change).main.scene.cones == ()
    assert not Scenario().show.cones


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("mode", ["mono", "anaglyph", "side-by-side", "top-bottom", "left"])
def test_cones_are_drawn_between_apex_and_rims(gl, renderer, mode: str, theme: str) -> None:
    assert mode in STEREO_MODES
    frame = frame_of("disc", stereo__mode=mode, view__theme=theme, show__body=False)
    frame = with_scene(frame, **BARE)
    renderer.draw(frame)
    drawn = renderer.read().astype(int)
    renderer.draw(with_scene(frame, cones=()))
    changed = (np.abs(drawn - renderer.read()).sum(axis=-1) > 12)[::-1]
    scene, inside = frame.main.scene, np.zeros_like(changed)
    grid = np.stack(np.meshgrid(*(np.arange(side) + 0.5 for side in SIZE)), axis=-1)
    for view in frame.main.views:
        x, y, width, height = view.rectangle
        for rim in (scene.cones[0].points @ scene.world_from_body.T, scene.cones[1].points):
            points = np.column_stack([np.vstack([np.zeros(3), rim]), np.ones(len(rim) + 1)]) @ view.clip_from_world.T
            at = np.array((x, y)) + (0.5 + 0.5 * points[:, :2] / points[:, 3:]) * (width, height)
            inside |= Delaunay(at[ConvexHull(at).vertices]).find_simplex(grid) >= 0
    assert (changed & inside).sum() > 0.97 * inside.sum()  # measured: .984 to 1; at the apex they are thin
    assert (changed & ~inside).sum() < 0.001 * inside.sum()  # measured: 8e-5


def test_each_pixel_of_a_cone_is_in_one_of_its_three_parts(gl, renderer, monkeypatch) -> None:
    """Behind, within and before an ellipsoid that covers nothing, they make the cones as without an ellipsoid."""
    monkeypatch.setattr("viewer.render.passes.surfaces.GLOSS", 0.0)
    frame = with_scene(frame_of("dumb-bell", show__body=False, show__plane=False), **BARE)
    shell = frame.main.scene.shell
    renderer.draw(with_scene(frame, shell=replace(shell, opacity=0.0)))
    parts = renderer.read().astype(int)
    renderer.draw(with_scene(frame, shell=None))
    assert np.abs(parts - renderer.read()).max() <= 3  # measured: 2, the noise of the glass
