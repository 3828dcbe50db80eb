"""Silhouettes are where geometry says to half a pixel, and what is nearest to the eye lies on top, from every side."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.frames import picture_of, with_scene

from viewer.render.passes import surfaces
from viewer.render.passes.lines import CASING
from viewer.scenario.scenario import Scenario
from viewer.scene.description import CONTACT_RADIUS, Frame, Ghost
from viewer.scene.stereo.views import EyeView
from viewer.session.session import Session

SWITCHES = ("body", "angular_momentum", "angular_velocity", "ellipsoid", "plane", "polhode", "herpolhode",
            "space_axes", "body_axes", "labels")  # fmt: skip
SIZE = (480, 400)
HEAD = 60.0  # px: length of an arrow's head


def only(*shown: str) -> dict[str, bool]:
    return {f"show__{name}": name in shown for name in SWITCHES}


def rays(view: EyeView) -> np.ndarray:
    """Unit vectors (height, width, 3) from the eye through the middles of its pixels, bottom row first."""
    width, height = view.rectangle[2:]
    u, v = np.meshgrid((np.arange(width) + 0.5) / width, (np.arange(height) + 0.5) / height)
    far = np.stack([2 * u - 1, 2 * v - 1, np.ones_like(u), np.ones_like(u)], axis=-1)
    world = far @ np.linalg.inv(view.clip_from_world).T
    ray = world[..., :3] / world[..., 3:] - view.position
    return ray / np.linalg.norm(ray, axis=-1, keepdims=True)


def in_body(frame: Frame, vectors: np.ndarray, extents: np.ndarray) -> np.ndarray:
    return vectors @ frame.main.scene.world_from_body / extents


def miss(frame: Frame, view: EyeView, extents: np.ndarray) -> np.ndarray:
    """Pixels by which a ray passes outside the ellipsoid; less than 0 inside."""
    eye, ray = in_body(frame, view.position, extents), in_body(frame, rays(view), extents)
    outside = np.linalg.norm(np.cross(ray, eye), axis=-1) / np.linalg.norm(ray, axis=-1) - 1.0
    return outside / np.hypot(*np.gradient(outside))


def painted(renderer, frame: Frame, empty: Frame) -> np.ndarray:
    """Which pixels a frame paints over an empty one, bottom row first."""
    renderer.draw(empty)
    background = renderer.read().astype(int)
    renderer.draw(frame)
    return np.any(np.abs(renderer.read() - background) > 2, axis=2)[::-1]


@pytest.mark.sweep
@pytest.mark.parametrize("part", ["body", "ellipsoid"])
@pytest.mark.parametrize("view", [(62.0, 1.0), (0.0, 1.0), (97.0, 1.7), (180.0, 0.6)])
@pytest.mark.parametrize("mode", ["mono", "side-by-side-half"])
def test_the_silhouette_of_an_ellipsoid(renderer, frame_of, part: str, view, mode: str) -> None:
    changes = {"view__polar_angle_deg": view[0], "view__zoom": view[1], "stereo__mode": mode}
    frame = frame_of("paper-fig1-fine", 3.3, SIZE, **changes, **only(part))
    drawn = painted(renderer, frame, frame_of("paper-fig1-fine", 3.3, SIZE, **changes, **only()))
    scene = frame.main.scene
    extents = scene.solid.half_extents if part == "body" else scene.shell.semi_axes
    for eye in frame.main.views:
        x, y, width, height = eye.rectangle
        outside, here = miss(frame, eye, extents), drawn[y : y + height, x : x + width]
        assert here[outside < -0.5].all()
        # the soft edge ends half the sum of its slopes outside: .5 px along an axis, .71 px along a diagonal
        assert not here[outside > 0.75].any()


def test_the_silhouette_of_a_cylinder(renderer, frame_of) -> None:
    for polar_angle in (62.0, 90.0, 140.0):
        view = {"view__polar_angle_deg": polar_angle}
        frame = frame_of("disc", 2.0, SIZE, **view, **only("body"))
        drawn = painted(renderer, frame, frame_of("disc", 2.0, SIZE, **view, **only()))
        eye_view = frame.main.views[0]
        extents = frame.main.scene.solid.half_extents
        # grown by two pixels it holds all that is painted, shrunk by one it is filled
        pixel = np.linalg.norm(eye_view.position) * np.tan(0.5 * frame.main.camera.field_of_view) * 2 / SIZE[1]
        for grown, inside in ((-1.0, True), (1.8, False)):  # 1.8: half an edge of 1.25 px and its softness
            eye = in_body(frame, eye_view.position, extents + grown * pixel)
            ray = in_body(frame, rays(eye_view), extents + grown * pixel)
            squared = np.sum(ray[..., :2] ** 2, axis=-1)
            middle = -(ray[..., :2] @ eye[:2]) / squared
            half = (1.0 - eye[0] ** 2 - eye[1] ** 2) / squared + middle**2
            reach = np.sqrt(np.maximum(half, 0.0))
            caps = np.sort(np.stack([(-1.0 - eye[2]) / ray[..., 2], (1.0 - eye[2]) / ray[..., 2]]), axis=0)
            hit = (half > 0.0) & (np.maximum(middle - reach, caps[0]) < np.minimum(middle + reach, caps[1]))
            wrong = hit & ~drawn if inside else drawn & ~hit
            assert not wrong.any(), f"{polar_angle}: {np.argwhere(wrong)[:5]} {wrong.sum()}"


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize("polar_angle", [15.0, 62.0, 90.0, 150.0, 176.0])
def test_the_head_of_an_arrow_is_a_cone_from_every_side(renderer, frame_of, polar_angle: float) -> None:
    view = {"view__polar_angle_deg": polar_angle, "view__zoom": 1.0}
    frame = frame_of("paper-fig1-fine", 0.0, SIZE, **view, **only("angular_momentum"))
    arrow = replace(frame.main.scene.arrows[0], head=HEAD / frame.main.pixel_scale)  # small pictures have thinner lines
    frame = with_scene(frame, arrows=(arrow,))
    drawn = painted(renderer, frame, frame_of("paper-fig1-fine", 0.0, SIZE, **view, **only()))
    eye_view = frame.main.views[0]
    clip = eye_view.clip_from_world @ [*arrow.end, 1.0]
    length = HEAD * 2.0 * clip[3] * np.tan(0.5 * frame.main.camera.field_of_view) / SIZE[1]
    axis = arrow.end / np.linalg.norm(arrow.end)
    turn, swing = np.linspace(0.0, 2.0 * np.pi, 200), np.linalg.svd(axis[None])[2][1:]
    rim = (
        arrow.end
        - length * axis
        + 0.36 * length * (np.cos(turn)[:, None] * swing[0] + np.sin(turn)[:, None] * swing[1])
    )
    corners = np.vstack([rim, arrow.end, arrow.end - length * axis, np.zeros(3)])
    on_clip = np.c_[corners, np.ones(len(corners))] @ eye_view.clip_from_world.T
    pixels = (0.5 + 0.5 * on_clip[:, :2] / on_clip[:, 3:]) * SIZE
    from scipy.spatial import ConvexHull

    outline = ConvexHull(pixels[:-2]).equations  # a cone's silhouette: the hull of its rim and its tip
    at = np.stack(np.meshgrid(np.arange(SIZE[0]) + 0.5, np.arange(SIZE[1]) + 0.5), axis=-1)
    outside = np.max(at @ outline[:, :2].T + outline[:, 2], axis=-1)
    along = pixels[-2] - pixels[-1]
    from_shaft = np.abs(
        np.cross(np.append(along, 0.0), np.concatenate([at - pixels[-1], np.zeros((*at.shape[:2], 1))], axis=2))[..., 2]
    )
    beside = from_shaft / max(np.hypot(*along), 1e-9) > 5.5
    assert np.count_nonzero(outside < -0.6) > 400
    assert drawn[outside < -0.6].all()
    # half a pixel of softness and the casing, both by |d/dx| + |d/dy|: sqrt(2) as wide on an oblique outline; more
    # where two outlines meet. Measured 3.26 at most, the bound is 3.28.
    reach = np.sqrt(2.0) * (0.5 + CASING * frame.main.pixel_scale) + 0.45
    assert not drawn[(outside > reach) & beside].any()


def opaque_colours(frame: Frame) -> Frame:
    """The frame with a red body, a green ellipsoid and a blue plane, all but opaque."""
    red, green, blue, none = (0.9, 0.0, 0.0), (0.0, 0.7, 0.0), (0.0, 0.0, 0.7), (0.0, 0.0, 0.0)
    theme = replace(
        frame.main.scene.theme, name="plain", body=red, edge=red, axes=(red, red, red), shell=green, sections=green,
        plane=blue, grid=blue, herpolhode=blue, background_top=none, background_bottom=none, background_centre=none,
        shell_rim_alpha=0.85, plane_alpha=0.85, shadow_alpha=0.0, rim_light=0.0,
    )  # fmt: skip
    solid = replace(frame.main.scene.solid, axis_colors=(red, red, red)) if frame.main.scene.solid else None
    return with_scene(frame, theme=theme, solid=solid)


@pytest.mark.sweep
@pytest.mark.parametrize("polar_angle", [40.0, 65.0, 110.0, 145.0])
@pytest.mark.parametrize("vector_scale", [0.4, 0.6, 0.9, 1.0, 1.3])
def test_what_is_nearest_lies_on_top(renderer, frame_of, monkeypatch, polar_angle: float, vector_scale: float) -> None:
    """Of body, glass and plane, at every pixel, from above and below, and where the body pierces both."""
    monkeypatch.setattr(surfaces, "FACE_ALPHA", 0.85)
    frame = opaque_colours(
        frame_of("paper-fig1-fine", 5.0, SIZE, view__polar_angle_deg=polar_angle, view__vector_scale=vector_scale,
                 **only("body", "ellipsoid", "plane"))
    )  # fmt: skip
    renderer.draw(frame)
    picture = renderer.read()[::-1]
    scene, view = frame.main.scene, frame.main.views[0]
    ray, depths = rays(view), []
    for extents in (scene.solid.half_extents, scene.shell.semi_axes):
        eye, along = in_body(frame, view.position, extents), in_body(frame, ray, extents)
        squared, middle = np.sum(along**2, axis=-1), along @ eye
        under_root = middle**2 - squared * (eye @ eye - 1.0)
        away = (-middle - np.sqrt(np.maximum(under_root, 0.0))) / squared
        depths.append(np.where(under_root > 0.0, away, np.inf))
    normal = scene.plane.world_from_plane[:, 2]
    away = ((scene.plane.centre - view.position) @ normal) / (ray @ normal)
    place = view.position + away[..., None] * ray - scene.plane.centre
    in_plane = np.linalg.norm(place, axis=-1)
    depths.append(np.where((away > 0.0) & (in_plane < 0.3 * scene.plane.reach), away, np.inf))
    nearest = np.argmin(depths, axis=0)
    clear = np.isfinite(np.min(depths, axis=0)) & (
        (in_plane < 0.3 * scene.plane.reach) | (away < 0.0) | (away > np.min(depths, axis=0))
    )
    # leave out a border of two pixels, where two surfaces share a pixel
    for axis in (0, 1):
        for shift in (-2, -1, 1, 2):
            clear &= np.roll(nearest, shift, axis) == nearest
            clear &= np.roll(np.isfinite(np.min(depths, axis=0)), shift, axis)
    assert np.count_nonzero(clear) > 3000
    right = np.argmax(picture, axis=2) == nearest
    assert np.mean(right[clear]) > 0.999, f"{np.mean(right[clear]):.4f}"


@pytest.mark.parametrize("scale", [1.0, 5.0, 10.0])  # 5: lines as wide as in a picture of 3840x2160
def test_the_ring_around_the_touching_point_is_round_at_every_scale(renderer, scale: float) -> None:
    scenario = Scenario.preset("paper-fig1-fine")
    for name in SWITCHES:
        scenario = scenario.with_value(f"show.{name}", name == "angular_velocity")
    frame = picture_of(Session(scenario, playing=False), SIZE, pixel_scale=scale)
    assert frame.main.scene.contact is not None
    theme = replace(frame.main.scene.theme, halo=(1.0, 0.0, 0.0))  # a casing that is seen
    ring, empty = (
        with_scene(frame, theme=theme, arrows=(), overlay_strokes=(), contact=contact)
        for contact in (frame.main.scene.contact, None)
    )
    drawn = painted(renderer, ring, empty)
    clip = frame.main.views[0].clip_from_world @ np.array([*frame.main.scene.contact, 1.0])
    x, y = 0.5 * (clip[:2] / clip[3] + 1.0) * SIZE
    across, up = np.meshgrid(np.arange(SIZE[0]) + 0.5 - x, np.arange(SIZE[1]) + 0.5 - y)
    line = frame.main.pixel_scale + 1.0  # half of its width, and the casing
    off = np.abs(np.hypot(across, up) - CONTACT_RADIUS * frame.main.pixel_scale)
    assert drawn[off < line].all()
    assert not drawn[off > line + 0.75].any()


@pytest.mark.parametrize("azimuth", [20.0, 130.0])
def test_a_bare_twin_of_a_box_has_its_outline_and_no_edges_within(renderer, azimuth: float) -> None:
    """Of the twelve edges those between a face that is seen and one that is not; in the body's own pose."""
    scenario = Scenario.preset("box-80kg").with_values(
        {"view.azimuth_deg": azimuth, **{f"show.{name}": name == "body" for name in SWITCHES}}
    )
    frame = picture_of(Session(scenario, playing=False), SIZE)
    scene, view = frame.main.scene, frame.main.views[0]
    twin = Ghost(scene.world_from_body, (0.0, 1.0, 0.0), faces=0.0, width=3.0, silhouette=True)
    drawn = painted(renderer, with_scene(frame, ghosts=(twin,)), frame)
    eye = scene.world_from_body.T @ view.position / scene.solid.half_extents
    counts = [0, 0]
    for along in range(3):
        a, b = (along + 1) % 3, (along + 2) % 3
        for signs in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            middle = np.zeros(3)
            middle[[a, b]] = signs
            seen = signs[0] * eye[a] > 1.0, signs[1] * eye[b] > 1.0
            at = view.clip_from_world @ np.array([*scene.world_from_body @ (middle * scene.solid.half_extents), 1.0])
            x, y = (0.5 * (at[:2] / at[3] + 1.0) * SIZE).astype(int)
            near = drawn[y - 1 : y + 2, x - 1 : x + 2]
            if any(seen):
                counts[all(seen)] += 1
                assert near.any() == (not all(seen)), (along, signs)
    assert counts[0] >= 4
    assert counts[1] >= 1


@pytest.mark.parametrize("changes", [{"view.construction": "momentum"}, {"view.frame": "floor", "show.body": False}])
def test_no_arrow_that_ends_there_cuts_the_ring_around_the_touching_point(renderer, changes: dict[str, object]) -> None:
    """The arrow of L' or omega comes from the eye's side: its head would leave of the ring the letter C."""
    scenario = Scenario.preset("box-80kg").with_values(changes)
    session = Session(scenario, playing=False)
    session.run_to(2.2)
    frame = picture_of(session, SIZE)
    scene = frame.main.scene
    theme = replace(scene.theme, halo=(0.0, 1.0, 0.0), text=(1.0, 0.0, 0.0))
    ring, none = (with_scene(frame, theme=theme, labels=(), contact=contact) for contact in (scene.contact, None))
    drawn = painted(renderer, ring, none)
    clip = frame.main.views[0].clip_from_world @ np.array([*scene.contact, 1.0])
    x, y = 0.5 * (clip[:2] / clip[3] + 1.0) * SIZE
    across, up = np.meshgrid(np.arange(SIZE[0]) + 0.5 - x, np.arange(SIZE[1]) + 0.5 - y)
    radius = np.hypot(across, up)
    line = np.abs(radius - CONTACT_RADIUS * frame.main.pixel_scale) < frame.main.pixel_scale
    assert np.count_nonzero(line) > 50
    assert drawn[line].all()


@pytest.mark.parametrize(
    ("construction", "part"),
    [("poinsot", "body"), ("poinsot", "ellipsoid"), ("momentum", "plane"), ("momentum", "ellipsoid")],
)
def test_no_surface_is_drawn_before_the_near_plane(renderer, frame_of, construction: str, part: str) -> None:
    """What rays find keeps to the plane that cuts off all that is too near, as lines do."""
    frame = frame_of("paper-fig1-fine", 1.0, SIZE, view__construction=construction, **only(part))
    empty = frame_of("paper-fig1-fine", 1.0, SIZE, view__construction=construction, **only())
    scene, (eye,) = frame.main.scene, frame.main.views
    extents = {
        "body": lambda: scene.solid.half_extents,
        "ellipsoid": lambda: (scene.shell or scene.constraints).semi_axes,
        "plane": lambda: np.full(3, scene.constraints.radius),
    }[part]()
    reach = np.linalg.norm(extents * (frame.main.camera.backward @ scene.world_from_body))
    near, far = (
        frame.main.camera.distance + (0.3 if part == "body" else 0.7) * reach,
        2.0 * frame.main.camera.distance,
    )
    clip = eye.clip_from_world.copy()
    clip[2] = ((far + near) * clip[3] - np.array([0.0, 0.0, 0.0, 2.0 * far * near])) / (far - near)
    cut = (replace(eye, clip_from_world=clip),)
    drawn = painted(renderer, *(replace(f, layers=(replace(f.main, views=cut),)) for f in (frame, empty)))

    ray, start = in_body(frame, rays(eye), extents), in_body(frame, eye.position, extents)
    squared, along = np.sum(ray**2, axis=-1), ray @ start
    half_chord = np.sqrt(np.maximum(along**2 - squared * (start @ start - 1.0), 0.0))
    hit = (-along + (-1.0 if part == "body" else 1.0) * half_chord) / squared
    depth = -hit * (rays(eye) @ frame.main.camera.backward)
    inside = miss(frame, eye, extents) < -1.5
    clear = inside & (np.abs(depth - near) > 0.02 * reach)  # the rest is soft, or within a pixel of the cut
    assert (depth < near)[clear].sum() > 100
    assert not drawn[clear & (depth < near)].any()
    if part == "body":
        assert drawn[clear & (depth > near)].all()
        assert (depth > near)[clear].sum() > 100


def bar_entered(eye: np.ndarray, ray: np.ndarray, axis: int, radius: float, span: tuple[float, float]) -> np.ndarray:
    """Where rays (..., 3) from (3,) enter a solid round bar along an axis through the origin; infinite where they miss.

    `span`: the coordinates of its ends along its axis.
    """
    across = [n for n in range(3) if n != axis]
    o, d = eye[across], ray[..., across]
    a, b, c = np.sum(d * d, axis=-1), d @ o, o @ o - radius**2
    root = np.sqrt(np.maximum(b * b - a * c, 0.0))
    ends = np.sort([(end - eye[axis]) / ray[..., axis] for end in span], axis=0)
    enters, leaves = np.maximum((-b - root) / a, ends[0]), np.minimum((-b + root) / a, ends[1])
    return np.where((b * b > a * c) & (enters < leaves), enters, np.inf)


@pytest.mark.parametrize("view", [(66.0, 20.0), (90.0, 90.0), (0.0, 0.0), (140.0, -130.0), (8.0, 60.0)])
@pytest.mark.parametrize("mode", ["mono", "side-by-side-half"])
def test_a_t_handle_is_two_bars(renderer, frame_of, view: tuple[float, float], mode: str) -> None:
    changes = {"view__polar_angle_deg": view[0], "view__azimuth_deg": view[1], "stereo__mode": mode}
    frame = frame_of("t-handle", 2.6, SIZE, **changes, **only("body"))
    drawn = painted(renderer, frame, frame_of("t-handle", 2.6, SIZE, **changes, **only()))
    solid = frame.main.scene.solid
    half, radius, length = (
        solid.half_extents[0],
        solid.half_extents[1],
        2.0 * solid.half_extents[2] - solid.half_extents[1],
    )
    for eye_view in frame.main.views:
        x, y, width, height = eye_view.rectangle
        pixel = np.linalg.norm(eye_view.position) * np.tan(0.5 * frame.main.camera.field_of_view) * 2 / height
        eye = in_body(frame, eye_view.position, np.ones(3)) - [0.0, 0.0, solid.bar]
        ray = in_body(frame, rays(eye_view), np.ones(3))
        here = drawn[y : y + height, x : x + width]
        for grown, inside in ((-1.0, True), (1.8, False)):  # as of a cylinder
            g = grown * pixel * (2.0 if mode == "side-by-side-half" else 1.0)  # there pixels are twice as wide
            bar = bar_entered(eye, ray, 0, radius + g, (-half - g, half + g))
            handle = bar_entered(eye, ray, 2, radius + g, (-length - g, 0.0))
            hit = np.isfinite(np.minimum(bar, handle))
            wrong = hit & ~here if inside else here & ~hit
            assert np.count_nonzero(hit) > 1000
            assert not wrong.any(), f"{grown}: {np.argwhere(wrong)[:5]} {wrong.sum()}"


def shadow(renderer, frame: Frame, **theme: object) -> np.ndarray:
    """By how much the shadow darkens each pixel, of 765, bottom row first; with these values of the theme changed."""
    pictures = []
    for alpha in ({}, {"shadow_alpha": 0.0}):
        renderer.draw(with_scene(frame, theme=replace(frame.main.scene.theme, **theme | alpha)))
        pictures.append(renderer.read().astype(float).sum(axis=-1)[::-1])
    return pictures[1] - pictures[0]


@pytest.mark.parametrize("frame", ["ceiling", "floor"])
def test_the_shadow_on_the_plane_is_darkest_at_the_contact(renderer, frame_of, frame: str, monkeypatch) -> None:
    """Seen through clear glass, on a white plane."""
    monkeypatch.setattr(surfaces, "FACE_ALPHA", 0.0)
    monkeypatch.setattr(surfaces, "SECTION_ALPHA", (0.0, 0.0))
    shown = frame_of("box-80kg", 2.0, SIZE, view__frame=frame, **only("plane", "ellipsoid", "angular_velocity"))
    contact = shown.main.scene.contact
    bare = with_scene(shown, contact=None, arrows=())
    darker = shadow(renderer, bare, plane=(1.0, 1.0, 1.0), plane_alpha=0.9, shell_rim_alpha=0.0)
    core = np.argwhere(darker > 0.97 * np.max(darker)).mean(axis=0)[::-1] + 0.5
    clip = shown.main.views[0].clip_from_world @ (*contact, 1.0)
    assert np.hypot(*(core - 0.5 * (clip[:2] / clip[3] + 1.0) * SIZE)) < 1.0  # px; measured 0.04 and 0.56


@pytest.mark.parametrize("theme", ["dark", "light", "high-contrast"])
def test_the_shadow_on_the_plane_is_dark_in_every_theme(renderer, frame_of, theme: str) -> None:
    shown = frame_of("box-80kg", 2.0, SIZE, view__theme=theme, **only("plane", "ellipsoid"))
    darker = shadow(renderer, shown)
    assert np.min(darker) >= -3.0  # nowhere lighter, but for the dither of three channels
    assert np.max(darker) > 230.0  # measured 275, 273 and 247; in the dark theme it was 202
