"""What the pointer is over, against distances and silhouettes that are computed apart from the program."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from helpers.frames import picture_of, with_scene
from helpers.pointing import eye_pixel

from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.scenario import Scenario
from viewer.scene.description import Curve, Frame, Solid, Stroke
from viewer.scene.naming.spot import REACH, faded, glowing, hit_disc, nearest_line, place_of, spot_at, things_in
from viewer.scene.stereo.views import Picking
from viewer.session.session import Session

SIZE = (900, 600)
SCENES = 15  # of each of the 14 stereo modes: 210 in all
EMPTY: dict[str, Any] = {
    "solid": None, "shell": None, "plane": None, "constraints": None, "curves": (), "trail": None, "paths": (),
    "centre_path": None, "contact": None, "arrows": (), "strokes": (), "overlay_strokes": (),
}  # fmt: skip


def scene_in(rng: np.random.Generator, mode: str, **stereo: Any) -> Frame:
    """A picture from a random side, with random eyes, of nothing."""
    values = {
        "view.polar_angle_deg": rng.uniform(20.0, 160.0),
        "view.azimuth_deg": rng.uniform(-180.0, 180.0),
        "view.zoom": rng.uniform(0.7, 1.5),
        "view.pan": tuple(rng.uniform(-0.1, 0.1, 2).tolist()),
        "stereo.mode": mode,
        "stereo.separation": rng.uniform(1.0, 8.0),
        "stereo.convergence": rng.uniform(0.8, 1.3),
        "stereo.exchange_eyes": bool(rng.integers(2)),
        **stereo,
    }
    session = Session(Scenario.preset("paper-fig1").with_values(values), playing=False)
    return with_scene(picture_of(session, SIZE), **EMPTY)


def parts_of(frame: Frame) -> list[tuple[int, int, tuple[float, float]]]:
    """The window's parts: number, whose eye's picture is there (0: both eyes share it), its size as it is seen."""
    mode = frame.mode
    across, down = mode.halves
    squeezed = (across, down) if mode.squeezed else (1, 1)
    size = (SIZE[0] // across * squeezed[0], SIZE[1] // down * squeezed[1])
    if mode.halves == (1, 1):
        return [(0, 0, size)]
    sign = -1 if frame.stereo.exchange_eyes else 1
    return [(part, sign * eye, size) for part, eye in enumerate(mode.eyes)]


@pytest.mark.sweep(most=4)
@pytest.mark.parametrize("mode", STEREO_MODES)
def test_a_line_says_its_name_within_six_pixels_in_every_stereo_mode(mode: str) -> None:
    rng = np.random.default_rng(list(STEREO_MODES).index(mode))
    worst, tried = 0.0, 0
    for _ in range(SCENES):
        frame = scene_in(rng, mode)
        ends = rng.uniform(-0.12, 0.12, (2, 3))
        frame = with_scene(frame, arrows=(Stroke(*ends, (1.0, 0.0, 0.0), 1.0, 2.0, name="L"),))
        for part, eye, size in parts_of(frame):
            start, end = (eye_pixel(frame.main, point, size, eye) for point in ends)
            along = (end - start) / np.linalg.norm(end - start)
            across = np.array([-along[1], along[0]])
            fraction = rng.uniform(0.1, 0.9)
            foot = start + fraction * (end - start)
            for away in (-REACH - 0.01, -REACH + 0.01, 0.0, REACH - 0.01, REACH + 0.01):
                pixel = foot + away * across
                if not all(0.0 <= at < side for at, side in zip(pixel, size, strict=True)):
                    continue
                tried += 1
                found = spot_at(frame, part, tuple(pixel), size, 1.0)
                assert (found is not None) == (abs(away) < REACH), (part, away)
                if found is not None:
                    there = eye_pixel(frame.main, found.point, size, eye)
                    worst = max(worst, float(np.linalg.norm(there - foot)))
    assert tried > 50
    assert worst < 1e-6


def test_a_circle_has_its_closed_distance() -> None:
    rng = np.random.default_rng(4)
    near = 0
    for _ in range(20):
        frame = scene_in(rng, "mono")
        camera, radius = frame.main.camera, rng.uniform(0.03, 0.1)
        turns = np.linspace(0.0, 2.0 * np.pi, 1000, endpoint=False)
        flat = np.stack([np.cos(turns), np.sin(turns)], axis=1) @ np.stack([camera.right, camera.up])
        circle = Curve(radius * flat @ frame.main.scene.world_from_body, (1.0,) * 3, 2.0, 1.0, np.zeros(3), "polhode")
        frame = with_scene(frame, curves=(circle,))
        middle, rim = (eye_pixel(frame.main, radius * point, SIZE) for point in (np.zeros(3), camera.right))
        for turn, beside in rng.uniform((0.0, -2.0 * REACH), (2.0 * np.pi, 2.0 * REACH), (10, 2)):
            pixel = middle + (math.dist(rim, middle) + beside) * np.array([np.cos(turn), np.sin(turn)])
            if not all(0.0 <= at < side for at, side in zip(pixel, SIZE, strict=True)) or abs(beside) % REACH < 0.01:
                continue  # the circle is a polygon, 0.002 px off at most
            near += abs(beside) < REACH
            assert (spot_at(frame, 0, tuple(pixel), SIZE, 1.0) is not None) == (abs(beside) < REACH)
    assert near > 50


def test_the_path_of_a_thrown_body_says_its_name_where_it_is_drawn() -> None:
    velocity = np.array((0.1, 0.2, 0.05))
    values = {"start.linear_velocity": tuple(velocity), "view.follow": False}
    session = Session(Scenario.preset("box-80kg").with_values(values), playing=False)
    session.run_to(1.5)
    frame, time = picture_of(session, SIZE), session.snapshot().reading.time
    bare = EMPTY | {"centre_path": frame.main.scene.centre_path}
    frame = with_scene(frame, **bare)
    behind = -0.4 * time * velocity  # of the body, which is at the origin
    found = spot_at(frame, 0, tuple(eye_pixel(frame.main, behind, SIZE)), SIZE, 1.0)
    assert found is not None
    assert (found.name, found.time) == ("centre", pytest.approx(0.6 * time, abs=0.02))  # within the tie, 0.01 s
    assert found.point == pytest.approx((found.time - time) * velocity, abs=1e-9)
    place = place_of(frame.main.scene, frame.main.camera, "centre")
    assert place is not None
    found = spot_at(frame, 0, tuple(eye_pixel(frame.main, place, SIZE)), SIZE, 1.0)
    assert found is not None
    assert found.name == "centre"


def test_the_line_nearer_to_the_eye_wins_and_lines_come_before_surfaces() -> None:
    frame = scene_in(np.random.default_rng(1), "mono", **{"view.pan": (0.0, 0.0)})
    camera = frame.main.camera
    near, far = (
        Stroke(depth * camera.backward - 0.05 * camera.right, depth * camera.backward + 0.05 * camera.right,
               (1.0,) * 3, 1.0, 2.0, name=name)
        for depth, name in ((0.05, "ω"), (-0.05, "L"))
    )  # fmt: skip
    ball = Solid("ellipsoid", np.full(3, 0.2), ((1.0,) * 3,) * 3)
    middle = tuple(eye_pixel(frame.main, np.zeros(3), SIZE))
    for arrows in ((near, far), (far, near)):
        found = spot_at(with_scene(frame, arrows=arrows, solid=ball), 0, middle, SIZE, 1.0)
        assert found is not None
        assert found.name == "ω"
    below = (middle[0], middle[1] + 20.0)
    found = spot_at(with_scene(frame, arrows=(near,), solid=ball), 0, below, SIZE, 1.0)
    assert found is not None
    assert found.name == "body"
    assert found.point is None


def test_a_ball_says_its_name_within_its_silhouette() -> None:
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(20):
        frame, radius = scene_in(rng, "mono"), rng.uniform(0.05, 0.15)
        frame = with_scene(frame, solid=Solid("ellipsoid", np.full(3, radius), ((1.0,) * 3,) * 3))
        camera = frame.main.camera
        distance = float(np.linalg.norm(camera.position))
        half = math.tan(0.5 * camera.field_of_view)
        for pixel in eye_pixel(frame.main, np.zeros(3), SIZE) + rng.uniform(-120.0, 120.0, (20, 2)):
            if not all(0.0 <= at < side for at, side in zip(pixel, SIZE, strict=True)):
                continue
            across, above = (
                (pixel[0] - 0.5 * SIZE[0]) / SIZE[1] - camera.shift[0],
                0.5 - pixel[1] / SIZE[1] - camera.shift[1],
            )
            right, up = 2.0 * half * across, 2.0 * half * above
            sight = right * camera.right + up * camera.up - camera.backward
            angle = math.acos(float(-camera.position @ sight) / distance / float(np.linalg.norm(sight)))
            found = spot_at(frame, 0, tuple(pixel), SIZE, 1.0)
            hits += found is not None
            assert (found is not None) == (angle < math.asin(radius / distance))
    assert 30 < hits < 300


def test_a_plane_is_met_within_its_disc() -> None:
    centre, turned = np.array([0.0, 0.0, 1.0]), np.eye(3)
    assert hit_disc(np.zeros(3), np.array([0.5, 0.0, 1.0]), centre, turned, 0.6) == 1.0
    assert hit_disc(np.zeros(3), np.array([0.7, 0.0, 1.0]), centre, turned, 0.6) is None
    assert hit_disc(np.zeros(3), np.array([1.0, 0.0, 0.0]), centre, turned, 0.6) is None


def test_the_inset_covers_what_is_behind_it_and_says_the_names_of_the_other_construction() -> None:
    scenario = Scenario.preset("paper-fig1").with_values({"show.inset": True})
    frame = picture_of(Session(scenario, playing=False), SIZE)
    inset = frame.insets[0]
    left, low, width, height = inset.box
    room = (width * SIZE[0], height * SIZE[1])
    corner = np.array([left * SIZE[0], (1.0 - low - height) * SIZE[1]])
    arrow = next(a for a in inset.scene.arrows if a.name == "L′")
    pixel = corner + eye_pixel(inset, 0.5 * arrow.end, room)
    found = spot_at(frame, 0, tuple(pixel), SIZE, 1.0)
    assert found is not None
    assert (found.layer, found.name) == (1, "L′")
    assert glowing(frame, found).layers[1].scene.glowing == "L′"
    assert glowing(frame, found).main.scene.glowing == ""
    empty = replace(frame, layers=(frame.main, replace(inset, scene=replace(inset.scene, **EMPTY))))
    assert spot_at(empty, 0, tuple(pixel), SIZE, 1.0) is None


@pytest.mark.parametrize("construction", ["poinsot", "momentum"])
@pytest.mark.parametrize("preset", ["paper-fig1", "dzhanibekov"])
def test_everything_can_be_pointed_at_where_it_says(preset: str, construction: str) -> None:
    """Alone in the picture, so that nothing is in front of it."""
    scenario = Scenario.preset(preset).with_values({"view.construction": construction, "show.inset": False})
    session = Session(scenario, playing=False)
    session.run_to(3.0)
    frame = picture_of(session, SIZE)
    scene, found = frame.main.scene, []
    for name in things_in(scene):
        place = place_of(scene, frame.main.camera, name)
        if place is None:
            continue
        found.append(name)
        alone = {
            "arrows": tuple(arrow for arrow in scene.arrows if arrow.name == name),
            "curves": tuple(curve for curve in scene.curves if curve.name == name),
            "trail": scene.trail if scene.trail is not None and scene.trail.name == name else None,
            "solid": scene.solid if name == "body" else None,
            "shell": scene.shell if name == "ellipsoid" else None,
            "plane": scene.plane if name == "plane" else None,
            "constraints": scene.constraints if name in ("sphere", "energy") else None,
            "contact": scene.contact if name == "contact" else None,
        }
        if name in ("ellipsoid", "sphere", "energy"):  # the rim as seen from afar: from near by it would be missed
            place = 0.97 * place
        x, y = eye_pixel(frame.main, place, SIZE).tolist()
        spot = spot_at(with_scene(frame, **{**EMPTY, **alone}), 0, (x, y), SIZE, 1.0)
        assert spot is not None, name
        assert spot.layer == 0
        assert spot.name in ((name, "sphere") if name == "energy" else (name,))  # the sphere may be before it
    assert len(found) >= 5


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_lines_under_the_pointer_it_is_over_the_one_before(order: int) -> None:
    """Both appear at the pointer: the nearer one with its beginning, the farther one with its end."""
    seen = Picking(
        np.array([[1.0, 0, 0, 0], [0, 1.0, 0, 0], [0, 0, 0, 1.0], [0, 0, 1.0, 0]]), np.eye(3)[2], (200.0, 200.0)
    )
    near = np.array([[0.0, 0.0, 2.0], [2.0, 0.0, 2.0]])  # z is the depth; pixel 100 + 100 x/z
    far = np.array([[-3.0, 0.0, 3.0], [0.0, 0.0, 3.0]])
    found = nearest_line([near, far][::order], seen, (100.0, 100.0), 6.0, 1.0)
    assert found is not None
    assert (found.line, found.along % 1.0, found.away) == (0 if order > 0 else 1, 0.0, 0.0)
    np.testing.assert_allclose(found.point, near[0], atol=1e-12)
    past = nearest_line([near], seen, (150.0, 104.0), 6.0, 1.0)
    assert past is not None
    assert past.away == pytest.approx(4.0)
    np.testing.assert_allclose(past.point, (1.0, 0.0, 2.0), atol=1e-12)
    assert nearest_line([near], seen, (150.0, 107.0), 6.0, 1.0) is None


def test_faint_arrows_have_their_names_where_they_end():
    """At the first start they are shorter than those of the construction, whose plane is not shown."""
    shown = {f"show.{name}": True for name in ("angular_momentum", "angular_velocity", "ellipsoid")}
    session = Session(Scenario.preset("t-handle").with_values(shown), playing=False)
    shortened = 0
    for time in (0.0, 2.6, 15.0):
        session.run_to(time)
        whole = picture_of(session, (1280, 720)).main.scene
        scene = faded(picture_of(session, (1280, 720)), 0.5).main.scene
        for before, arrow in zip(
            (*whole.arrows, *whole.front_arrows), (*scene.arrows, *scene.front_arrows), strict=True
        ):
            part = float(np.linalg.norm(arrow.end) / np.linalg.norm(before.end))
            shortened += part < 0.95
            assert arrow.alpha == 0.5 * before.alpha
            for own, faint in zip(whole.labels, scene.labels, strict=True):
                if own.text == arrow.name:
                    np.testing.assert_allclose(faint.anchor, part * own.anchor, atol=1e-12)
    assert shortened >= 3
