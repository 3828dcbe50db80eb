"""The path of a top's axis: where the closed form puts it, to the pixel, in every stereo mode."""

from math import cos

import numpy as np
import pytest
from helpers.frames import picture_of, with_scene
from numpy.testing import assert_allclose
from scipy.ndimage import distance_transform_edt

from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.exact.lagrange_top import LagrangeTop
from viewer.physics.rotation import rotate
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.scenario import Scenario
from viewer.scene.constructions.axis_path import SPHERE, axis_end
from viewer.scene.description import Frame
from viewer.session.session import Session

SIZE, TIME = (960, 540), 0.5
VIEW = {"view.zoom": 1.0, "view.pan": (0.0, 0.0), "view.polar_angle_deg": 62.0, "view.azimuth_deg": 30.0}
PRESET = Scenario.preset("top-with-cusps").with_values(VIEW)


def session_of(**changes: object) -> Session:
    values = {name.replace("__", "."): value for name, value in changes.items()}
    session = Session(PRESET.with_values(values), playing=False)
    session.run_to(TIME)
    return session


def axis_ends(times: np.ndarray) -> np.ndarray:
    """By the closed form: the ends (N, 3) [m] of the axis on the sphere."""
    body, start = PRESET.rigid_body(), PRESET.start_state()
    weight = (0.0, 0.0, -body.mass * PRESET.loads.gravity)
    top = LagrangeTop(body.principal_moments.tolist(), body.centre_of_mass.tolist(), weight, start)
    radius = SPHERE * float(np.hypot(0.1, 0.11))  # of the rim of the disc's far side
    return radius * rotate(top.at(times).orientation_wxyz, np.array((0.0, 0.0, 1.0)))


def without_path(frame: Frame) -> Frame:
    return with_scene(frame, paths=())


@pytest.mark.parametrize("mode", [name for name in STEREO_MODES if name not in ("wiggle", "quad-buffer")])
def test_path_lies_where_the_closed_form_puts_it(gl, renderer, mode: str) -> None:
    hiding = ("body", "angular_momentum", "angular_velocity", "body_axes", "loads", "herpolhode", "space_axes")
    hidden = {f"show__{name}": False for name in hiding}
    frame = picture_of(session_of(stereo__mode=mode, **hidden), SIZE)
    frame = with_scene(frame, arrows=())  # the axis itself
    renderer.draw(frame)
    drawn = renderer.read().astype(int)
    renderer.draw(without_path(frame))
    changed = (np.abs(drawn - renderer.read()).sum(axis=-1) > 24)[::-1]  # rows from the lower side up
    points = np.column_stack([axis_ends(np.linspace(0.0, TIME, 4000)), np.ones(4000)])
    aside = np.ones_like(changed)
    for view in frame.main.views:
        clip = points @ view.clip_from_world.T
        x, y, width, height = (0, 0, *SIZE) if frame.mode.layout == "interlaced" else view.rectangle
        at = (np.array((x, y)) + (0.5 + 0.5 * clip[:, :2] / clip[:, 3:]) * (width, height)).astype(int)
        aside[at[:, 1], at[:, 0]] = False
        away = distance_transform_edt(~changed)[at[:, 1], at[:, 0]]
        assert away.max() < 1.5  # px: nothing of the path is missing; measured: 1.42 of a checkerboard
    # half its width with the casing, and the caps of cusps; measured: 5.4 in half a height, 4.2 in mono
    assert distance_transform_edt(aside)[changed].max() < 5.5


def test_axis_and_circles_have_the_inclinations_of_the_cubic() -> None:
    scene = picture_of(session_of(), SIZE).main.scene
    circles = [curve for curve in scene.curves if curve.name == "bounds"]
    heights = sorted(float(circle.points[0, 2] / np.linalg.norm(circle.points[0])) for circle in circles)
    body = PRESET.rigid_body()
    A, _, C = body.principal_moments
    pull, spin, u = body.mass * 9.81 * 0.1, C * 90.0, cos(np.radians(40.0))
    # let go with its axis at rest, it falls to the smaller root of (1 - u2) 2 A P = L3^2 (u2 - u) for its height
    b = spin**2 / (4.0 * A * pull)
    lowest = b - np.sqrt(b * b - 2.0 * b * u + 1.0)
    assert_allclose(heights, [lowest, u], rtol=1e-6)  # measured: 1e-7, that of a start at rest
    assert_allclose(axis_end(scene.paths)["axis"], axis_ends(np.array([TIME]))[0], rtol=1e-6, atol=1e-9)


def test_path_is_there_for_a_body_about_a_pivot_only() -> None:
    shown = picture_of(session_of(), SIZE).main.scene
    assert [path.name for path in shown.paths] == ["axis"]
    assert shown.sphere is not None
    for change in ({"show__axis_path": False}, {"body__pivot": (0.0, 0.0, 0.0)}, {"view__construction": "momentum"}):
        scene = picture_of(session_of(**change), SIZE).main.scene
        assert not scene.paths
        assert scene.sphere is None
        assert all(curve.name != "bounds" for curve in scene.curves)


def test_hanging_body_hangs_from_a_rod_and_keeps_it_as_it_swings() -> None:
    for tilt, rods in ((30.0, 3), (90.0, 1), (150.0, 1)):
        session = session_of(start__orientation_deg=(tilt, 0.0, 0.0), start__angular_velocity=(8.0, 0.0, 1.0))
        scene = picture_of(session, SIZE).main.scene
        legs = [arrow for arrow in scene.arrows if arrow.name == "pivot"]
        assert len(legs) == rods
        assert all((leg.end[2] > 0.0) == (rods == 1) for leg in legs)
        vertical = next(arrow for arrow in scene.arrows if arrow.name == "vertical")
        assert (vertical.end[2] < 0.0) == (rods == 1)


def test_axes_begin_at_the_pivot_where_no_ellipsoid_hides_it() -> None:
    for ellipsoid in (False, True):
        scene = picture_of(session_of(show__ellipsoid=ellipsoid), SIZE).main.scene
        stubs = [stroke for stroke in scene.strokes if stroke.name in ("x′", "y′", "z′")]
        assert len(stubs) == (6 if ellipsoid else 3)
        assert all(stub.start.any() == ellipsoid for stub in stubs)


def test_free_bodies_about_a_pivot_have_their_paths_in_closed_form() -> None:
    """Their rows are not those of a simulation."""
    tumbling = {"loads.gravity": 0.0, "start.angular_velocity": (0.0, 30.0, 9.0), "view.bodies": "constructions"}
    alone = PRESET.with_values(tumbling)
    pair = alone.with_values({"bodies": tuple({"name": name} for name in "ab")})
    session = Session(pair, playing=False)
    session.run_to(TIME)
    for snapshot in session.snapshot().bodies:
        rows = snapshot.trail.rows(snapshot.trail.first, snapshot.trail.count)
        exact = FreeRotation(snapshot.body, alone.start_state()).at(rows[:, 0])
        assert_allclose(rows[:, 7:], rotate(exact.orientation_wxyz, np.array((0.0, 0.0, 0.1))), atol=1e-9)
        assert np.ptp(rows[:, 9]) > 0.1
