"""The comfort governor: parallax stays within what is allowed, and does not pump while the body tumbles."""

import dataclasses
import math

import numpy as np
import pytest
from helpers.frames import CONSTRUCTED, picture_of
from helpers.rays import lines_of_sight, meets_ellipsoid

from viewer.scenario.choices.stereo_modes import MIDDLE, STEREO_MODES
from viewer.scenario.choices.themes import QUALITIES
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.picture import Stereo, View
from viewer.scene.build import build_frame
from viewer.scene.constructions.scale import construct
from viewer.scene.description import Frame
from viewer.scene.presentation import ANYWHERE, Display, Presentation
from viewer.scene.stereo.comfort import (
    FARTHEST,
    MOST_APART,
    NEAREST,
    Depths,
    Eyes,
    Picture,
    automatic,
    between_eyes,
    comfort,
    most_separation,
    parallax,
    place_eyes,
)
from viewer.scene.stereo.views import OnScreen
from viewer.session.session import Session
from viewer.session.snapshot import Snapshot

SIZE = (1280, 720)
TIMES = (0.0, 0.7, 1.9, 3.3, 5.0)


def frames(
    preset: str, times: tuple[float, ...] = TIMES, screen: OnScreen = ANYWHERE, **changes: object
) -> list[Frame]:
    scenario = Scenario.preset(preset).with_value("stereo.mode", "anaglyph")
    whole = {"view.construction": "poinsot", "show.ellipsoid": True, "show.plane": True, "race.show": "off"}
    for path, value in whole.items():
        scenario = scenario.with_value(path, value)
    for path, value in changes.items():
        scenario = scenario.with_value(path.replace("__", "."), value)
    session, drawn = Session(scenario, playing=False), []
    for time in times:
        session.scene.run_on_to(time)
        drawn.append(picture_of(session, SIZE, screen=screen))
    return drawn


def picture(width: float | None = None) -> Picture:
    camera = dataclasses.replace(
        frames("paper-fig1", (0.0,))[0].main.camera, distance=5.0, field_of_view=math.radians(20.0)
    )
    return Picture(camera, 16 / 9, width)


def met(rays: np.ndarray, eye: np.ndarray, world_from_body: np.ndarray, semi_axes: np.ndarray) -> np.ndarray:
    """Where rays meet an ellipsoid about the origin in front of the eye, (N, 3)."""
    points = eye + meets_ellipsoid(rays, eye, world_from_body, semi_axes)[..., None] * rays
    return np.asarray(points[np.isfinite(points[..., 0])])


def geometry(snapshot: Snapshot, view: View, frame: Frame) -> np.ndarray:
    """Points of what is to be seen now, (N, 3), from energy, momentum and moments: ellipsoid, body, arrows, and the
    plane if it is shown.

    Of the picture's own geometry only the metres of a rad/s are taken, and how far the body axes are drawn.
    """
    inertia, rotation = np.array(snapshot.body.principal_moments), snapshot.reading.rotation_world_from_body
    built = construct(snapshot, view.vector_scale)
    energy, size, scale = snapshot.reading.target_energy, snapshot.reading.target_momentum, built.scale
    momentum = snapshot.reading.angular_momentum_world / np.linalg.norm(snapshot.reading.angular_momentum_world)
    rays, eye = lines_of_sight(frame.main.camera, SIZE[0] / SIZE[1]), frame.main.camera.position
    distance, share = scale * 2.0 * energy / size, np.linspace(0.0, 1.0, 400)[:, None]
    if view.construction == "momentum":
        radius, per = 1.32 * distance, 1.32 * distance / size
        held = met(rays, eye, rotation, per * np.sqrt(2.0 * energy * inertia))
        held = held[np.linalg.norm(held, axis=1) < 1.7 * radius]  # there it has faded
        arrow = share * per * snapshot.reading.angular_momentum_world
        return np.concatenate([met(rays, eye, rotation, np.full(3, radius)), held, arrow])
    semi_axes = scale * np.sqrt(2.0 * energy / inertia)
    points = [met(rays, eye, rotation, semi_axes), share * 1.32 * distance * momentum]
    points.append(share * scale * snapshot.reading.omega_world)
    body = snapshot.shape
    if body.shape == "ellipsoid":
        points.append(met(rays, eye, rotation, 0.5 * np.array([body.width, body.depth, body.height])))
    if body.shape == "box":
        edges = np.stack(np.meshgrid(*3 * [np.linspace(-0.5, 0.5, 9)]), axis=-1).reshape(-1, 3)
        points.append(edges * (body.width, body.depth, body.height) @ rotation.T)
    low, _, high = sorted(1.0 / inertia)
    ratio = 2.0 * energy / size**2
    outer = scale * size * math.sqrt(max(high - ratio, 0.0) * max(ratio - low, 0.0))
    if frame.main.scene.plane is not None:
        with np.errstate(divide="ignore", invalid="ignore"):
            along = (distance - eye @ momentum) / (rays @ momentum)
        plane = eye + along[:, None] * rays
        from_foot = np.linalg.norm(plane - distance * momentum, axis=1)
        points.append(plane[(along > 0.0) & (from_foot < max(2.0 * outer, 1.05 * semi_axes.max()))])
    for axis, end in zip(rotation.T, built.axis_ends, strict=True):
        points += [share * end * axis, -share * end * axis]
    return np.concatenate(points)


def shares(frame: Frame, points: np.ndarray) -> np.ndarray:
    """Parallax, in widths of the picture, of the points that both eyes see, from the eyes' own matrices."""
    positions, seen = [], np.ones(len(points), dtype=bool)
    for view in frame.main.views:
        clip = np.concatenate([points, np.ones((len(points), 1))], axis=1) @ view.clip_from_world.T
        seen &= np.all(np.abs(clip[:, :2]) <= clip[:, 3:], axis=1) & (clip[:, 2] >= -clip[:, 3])
        positions.append(0.5 * clip[:, 0] / np.where(seen, clip[:, 3], 1.0))
    return np.asarray((positions[1] - positions[0])[seen])


def kept(session: Session, **view: object) -> int:
    """That what is drawn keeps within what is allowed and within what is told; returns how many points there are."""
    snapshot, presentation = session.snapshot(), Presentation.of(session.scenario)
    presentation = dataclasses.replace(presentation, view=dataclasses.replace(presentation.view, **view))
    frame = build_frame(snapshot, presentation, Display(SIZE))
    parallaxes = shares(frame, geometry(snapshot, presentation.view, frame))
    if len(parallaxes):  # the worst of 20000 such pictures: 4e-16 beyond
        assert parallaxes.min() >= max(NEAREST, frame.comfort.nearest.fraction) - 1e-12, view
        assert parallaxes.max() <= min(FARTHEST, frame.comfort.farthest.fraction) + 1e-12, view
    assert frame.comfort.comfortable
    return len(parallaxes)


def running(preset: str, construction: str, time: float, **changes: object) -> Session:
    scenario = Scenario.preset(preset).with_value("stereo.mode", "anaglyph")
    for path, value in ({"view.construction": construction, "race.show": "off"} | changes).items():
        scenario = scenario.with_value(path.replace("__", "."), value)
    session = Session(scenario, playing=False)
    session.run_to(time)
    return session


@pytest.mark.sweep(most=3)
@pytest.mark.parametrize("construction", ["poinsot", "momentum"])
@pytest.mark.parametrize("preset", CONSTRUCTED)
def test_what_is_drawn_is_comfortable_at_every_zoom_and_from_every_side(preset: str, construction: str) -> None:
    session = running(preset, construction, 1.0 if construction == "poinsot" else 2.2)
    for frame in ("ceiling", "floor", "space", "body") if construction == "poinsot" else ("ceiling",):
        points = [kept(session, frame=frame, zoom=float(zoom)) for zoom in np.geomspace(0.05, 50.0, 19)]
        assert min(points[:12]) > 100


@pytest.mark.sweep(most=3)
@pytest.mark.parametrize(
    ("preset", "view"),
    [("paper-fig1", {"field_of_view_deg": 60.0}), ("dzhanibekov", {"field_of_view_deg": 5.0}),
     ("disc", {"vector_scale": 0.2}), ("dzhanibekov", {"vector_scale": 4.0}), ("paper-fig1", {"polar_angle_deg": 3.0}),
     ("dzhanibekov", {"polar_angle_deg": 0.0}), ("disc", {"polar_angle_deg": 90.0}),
     ("paper-fig1", {"polar_angle_deg": 171.0}), ("dzhanibekov", {"pan": (0.5, 0.4)}),
     ("paper-fig1", {"field_of_view_deg": 60.0, "vector_scale": 0.3, "polar_angle_deg": 20.0}),
     ("disc", {"field_of_view_deg": 60.0, "vector_scale": 0.3, "polar_angle_deg": 20.0})],
)  # fmt: skip
def test_what_is_drawn_is_comfortable_through_every_lens(preset: str, view: dict[str, object]) -> None:
    for construction in ("poinsot", "momentum"):
        session = running(preset, construction, 1.0)
        for frame in ("ceiling", "floor"):
            for zoom in (0.3, 1.0, 2.0, 3.5, 4.0, 4.6, 6.0, 8.0, 20.0):
                kept(session, frame=frame, zoom=zoom, **view)


@pytest.mark.sweep("box-80kg", "ode-blog")
@pytest.mark.parametrize("preset", ["box-80kg", "disc", "dzhanibekov", "ode-blog"])
def test_what_is_told_is_drawn_at_one_moment_of_the_motion(preset: str) -> None:
    for construction, view in (("poinsot", "ceiling"), ("poinsot", "space"), ("momentum", "ceiling")):
        session, parallaxes = running(preset, construction, 0.0, view__frame=view), []
        for time in np.linspace(0.0, 6.0, 19):
            session.scene.run_on_to(float(time))
            frame = picture_of(session, SIZE)
            parallaxes.append(shares(frame, geometry(session.snapshot(), session.scenario.view, frame)))
        drawn = np.concatenate(parallaxes)
        assert drawn.min() - frame.comfort.nearest.fraction < 0.002  # measured .0016, of box-80kg
        assert frame.comfort.farthest.fraction - drawn.max() < 0.002  # measured .0011, of ode-blog
        assert np.ptp(drawn) > 0.008  # and there is depth: measured .0119 of ode-blog


def test_what_has_left_its_curve_or_is_pushed_is_comfortable_too() -> None:
    erring = running("ode-blog", "poinsot", 25.0, solver__integrator="explicit-euler")
    pushed = running("paper-fig1", "poinsot", 0.0)
    for time in (1.0, 1.5, 2.5):
        pushed.scene.run_on_to(time)
        pushed.pulse(0, 1)
    for session in (erring, pushed):
        for zoom in (0.3, 1.0, 3.0, 6.0):
            for frame in ("ceiling", "space", "body"):
                kept(session, frame=frame, zoom=zoom)


@pytest.mark.parametrize("follow", [True, False])
def test_what_a_force_drives_away_from_the_camera_is_comfortable(follow: bool) -> None:
    session = running("paper-fig1", "poinsot", 2.0, loads__force=(0.4, 0.3, -0.5))
    for zoom in (0.3, 1.0, 2.0, 4.0):
        kept(session, follow=follow, zoom=zoom)


def test_of_a_grid_the_cells_are_told_in_widths_of_the_whole_picture() -> None:
    scenario = Scenario.preset("race-of-five").with_value("stereo.mode", "anaglyph")
    session = Session(scenario.with_value("race.show", "grid"), playing=False)
    session.run_to(1.0)
    frame = picture_of(session, SIZE, screen=OnScreen(width=0.6))
    cells = [cell.comfort for cell in frame.insets]
    assert frame.comfort.nearest.fraction == min(cell.nearest.fraction for cell in cells)
    assert frame.comfort.farthest.fraction == max(cell.farthest.fraction for cell in cells)
    assert frame.comfort.farthest.metres == pytest.approx(0.6 * frame.comfort.farthest.fraction)
    cell, tip = frame.insets[1], frame.insets[1].scene.arrows[0].end
    left, right = (np.append(tip, 1.0) @ view.clip_from_world.T for view in cell.views)
    apart = 0.5 * float(right[0] / right[3] - left[0] / left[3])
    assert cell.comfort.nearest.fraction <= apart <= cell.comfort.farthest.fraction
    assert cell.comfort.farthest.fraction < 0.75 * FARTHEST  # a cell is 1/3 of the width


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize(
    ("preset", "view"),
    [(name, "ceiling") for name in CONSTRUCTED if name != "rod"]  # a rod loses energy: another size
    + [("dzhanibekov", view) for view in ("floor", "space", "body")],
)
def test_it_does_not_pump_while_the_body_tumbles(preset: str, view: str) -> None:
    for zoom in (1.0, 3.0, 12.0):
        eyes = [frame.main.eyes for frame in frames(preset, view__frame=view, view__zoom=zoom)]
        for other in eyes[1:]:
            assert other.separation == pytest.approx(eyes[0].separation, rel=1e-9)
            assert other.convergence == pytest.approx(eyes[0].convergence, rel=1e-9)


def test_it_follows_the_camera() -> None:
    far, near = (frames("paper-fig1", (0.0,), view__zoom=zoom)[0] for zoom in (1.0, 2.5))
    assert near.main.eyes.convergence < far.main.eyes.convergence
    assert near.main.eyes.separation < far.main.eyes.separation


def test_the_allowance_is_used_and_divided() -> None:
    look = picture()
    span = Depths(3.0, 9.0)
    eyes = automatic(span, look)
    assert parallax(eyes, 3.0, look) == pytest.approx(NEAREST)
    assert parallax(eyes, 9.0, look) == pytest.approx(FARTHEST)
    shallow = automatic(Depths(4.9, 5.1), look)  # a flat scene is not stretched
    assert 0.01 * shallow.separation * 5.0 == pytest.approx(MOST_APART * shallow.convergence * 5.0)
    flat = automatic(Depths(5.0, 5.0), look)
    assert flat.convergence == pytest.approx(1.0)


@pytest.mark.parametrize("width", [0.3, 3.0, 6.3, 20.0])
def test_on_a_large_screen_the_background_stays_within_the_distance_of_two_eyes(width: float) -> None:
    look = picture(width)
    eyes = automatic(Depths(3.0, 30.0), look)
    assert parallax(eyes, 30.0, look) * width <= 0.063 + 1e-12
    figures = comfort(eyes, Depths(3.0, 30.0), look, 0.6)
    assert figures.comfortable
    assert figures.farthest.metres == pytest.approx(min(FARTHEST * width, 0.063))


def test_the_figures() -> None:
    look = picture(0.5)
    eyes = Eyes(3.0, 1.0)
    figures = comfort(eyes, Depths(4.0, 8.0), look, 0.6)
    share = 0.15 / (2 * math.tan(math.radians(10.0)) * 16 / 9) * (1 / 5 - 1 / 4)
    assert figures.nearest.fraction == pytest.approx(share)
    assert figures.nearest.metres == pytest.approx(0.5 * share)
    assert figures.nearest.degrees == pytest.approx(math.degrees(math.atan(0.5 * share / 0.6)))
    assert not figures.nearest.comfortable
    assert figures.farthest.comfortable
    unknown = comfort(eyes, Depths(4.0, 8.0), picture(), 0.6).nearest
    assert unknown.metres is None
    assert unknown.degrees == pytest.approx(math.degrees(math.atan(share)))


def test_a_file_or_a_hand_that_places_the_eyes_ends_the_governor() -> None:
    assert Scenario().stereo.comfort
    for field in ("separation = 5.0", "convergence = 1.5"):
        assert not Scenario.from_text(f"[stereo]\n{field}").stereo.comfort
        assert Scenario.from_text(f"[stereo]\n{field}\ncomfort = true").stereo.comfort
    session = Session(Scenario.preset("paper-fig1"), playing=False)
    session.change({"stereo.separation": 5.0})
    assert not session.scenario.stereo.comfort
    (frame,) = frames("paper-fig1", (0.0,), stereo__comfort=False, stereo__separation=5.0)
    assert frame.main.eyes == Eyes(5.0, 1.0)
    assert not frame.comfort.comfortable


def test_on_the_path_the_eyes_keep_to_what_is_allowed() -> None:
    look, span = picture(), Depths(3.0, 9.0)
    start, end = Eyes(10.0, 0.8), automatic(span, look)
    for share in np.linspace(0.0, 1.0, 11):
        eyes, figures = place_eyes(Stereo(mode="anaglyph"), look, span, (start, float(share)))
        assert figures.comfortable
        assert eyes.separation <= most_separation(eyes, span, look) + 1e-12
    assert eyes.convergence == end.convergence
    assert eyes.separation == pytest.approx(end.separation, rel=1e-12)
    assert between_eyes(end, end, 0.3) == end


@pytest.mark.parametrize("mode", [name for name, mode in STEREO_MODES.items() if mode.eyes != (MIDDLE,)])
@pytest.mark.parametrize("size", [(1280, 720), (977, 611), (613, 800)])
def test_the_eyes_stand_where_they_do_however_coarse_the_picture(mode: str, size: tuple[int, int]) -> None:
    """Or each finer picture would set them on their way again, and a scene that rests would be drawn for ever."""
    session = Session(Scenario.preset("paper-fig1").with_value("stereo.mode", mode), playing=False)
    snapshot, presentation = session.snapshot(), Presentation.of(session.scenario)
    for screen in (OnScreen(width=0.8), ANYWHERE):
        full, *coarse = (
            build_frame(snapshot, presentation, Display(size, screen=screen, quality=quality)).main.eyes
            for quality in QUALITIES.values()
        )
        for eyes in coarse:
            assert eyes.separation == pytest.approx(full.separation, rel=1e-9)  # measured: 9e-16
            assert eyes.convergence == pytest.approx(full.convergence, rel=1e-9)


def test_half_of_a_window_has_half_of_its_width() -> None:
    for mode, width in (("side-by-side", 0.4), ("side-by-side-half", 0.8), ("anaglyph", 0.8)):
        (frame,) = frames("paper-fig1", (0.0,), OnScreen(width=0.8), stereo__mode=mode)
        assert frame.comfort.farthest.metres == pytest.approx(width * frame.comfort.farthest.fraction)
    (projected,) = frames("paper-fig1", (0.0,), OnScreen(width=0.8, fraction=0.5), stereo__screen_width=4.0)
    assert projected.comfort.farthest.metres == pytest.approx(2.0 * projected.comfort.farthest.fraction)
