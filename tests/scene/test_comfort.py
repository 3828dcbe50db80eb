"""The comfort governor: parallax stays within what is allowed, and does not pump while the body tumbles."""

import dataclasses
import math

import numpy as np
import pytest

from viewer.scenario import PRESETS, Scenario
from viewer.scene.build import build_frame
from viewer.scene.comfort import (
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
from viewer.scene.description import Frame
from viewer.scene.stereo import OnScreen
from viewer.sections import Stereo
from viewer.session import Session

SIZE = (1280, 720)
TIMES = (0.0, 0.7, 1.9, 3.3, 5.0)


def frames(
    preset: str, times: tuple[float, ...] = TIMES, screen: OnScreen | None = None, **changes: object
) -> list[Frame]:
    scenario = Scenario.preset(preset).with_value("stereo.mode", "anaglyph")
    whole = {"view.construction": "poinsot", "show.ellipsoid": True, "show.plane": True, "race.show": "off"}
    for path, value in whole.items():
        scenario = scenario.with_value(path, value)
    for path, value in changes.items():
        scenario = scenario.with_value(path.replace("__", "."), value)
    session, drawn = Session(scenario, playing=False), []
    for time in times:
        session.run_to(time)
        drawn.append(build_frame(session.snapshot(), SIZE, screen=screen))
    return drawn


def picture(width: float | None = None) -> Picture:
    camera = dataclasses.replace(
        frames("paper-fig1", (0.0,))[0].camera, distance=5.0, field_of_view=math.radians(20.0)
    )
    return Picture(camera, 16 / 9, width)


def drawn_points(frame: Frame) -> np.ndarray:
    """Points of what is drawn now, (N, 3): ellipsoid, plane, arrows, axes."""
    scene, rng = frame.scene, np.random.default_rng(1)
    sphere = rng.normal(size=(4000, 3))
    sphere /= np.linalg.norm(sphere, axis=1, keepdims=True)
    points = [sphere * scene.shell.semi_axes @ scene.world_from_body.T]
    around, r = rng.uniform(0.0, 2 * math.pi, 4000), scene.plane.reach * np.sqrt(rng.uniform(size=4000))
    flat = np.stack([r * np.cos(around), r * np.sin(around)], axis=1)
    points.append(scene.plane.centre + flat @ scene.plane.world_from_plane[:, :2].T)
    points += [np.stack([stroke.start, stroke.end]) for stroke in (*scene.arrows, *scene.strokes)]
    return np.concatenate(points)


def shares(frame: Frame, points: np.ndarray) -> np.ndarray:
    """Parallax, in widths of the picture, of the points that both eyes see, from the eyes' own matrices."""
    positions, seen = [], np.ones(len(points), dtype=bool)
    for view in frame.views:
        clip = np.concatenate([points, np.ones((len(points), 1))], axis=1) @ view.clip_from_world.T
        seen &= (np.abs(clip[:, 0]) <= clip[:, 3]) & (np.abs(clip[:, 1]) <= clip[:, 3])
        positions.append(0.5 * clip[:, 0] / clip[:, 3])
    return (positions[1] - positions[0])[seen]


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("view", [{}, {"view__frame": "floor"}, {"view__frame": "space"}, {"view__zoom": 2.5},
                                  {"view__latitude_deg": 5.0}, {"view__latitude_deg": 88.0}])  # fmt: skip
def test_what_is_drawn_stays_within_the_comfortable(preset: str, view: dict[str, object]) -> None:
    for frame in frames(preset, (0.0, 1.9), **view):
        parallaxes = shares(frame, drawn_points(frame))
        # the swept extent is held by points 7.5 degrees apart: measured .0002 beyond at most
        assert parallaxes.min() >= NEAREST - 5e-4
        assert parallaxes.max() <= FARTHEST + 5e-4
        assert np.ptp(parallaxes) > 0.002  # and there is depth
        assert frame.comfort.comfortable
        assert frame.comfort.nearest.share <= parallaxes.min() + 1e-4
        assert frame.comfort.farthest.share >= parallaxes.max() - 1e-4


@pytest.mark.parametrize(
    "preset", [name for name in PRESETS if name != "rod"]
)  # a rod loses energy: another size
@pytest.mark.parametrize("view", ["ceiling", "floor", "space", "body"])
def test_it_does_not_pump_while_the_body_tumbles(preset: str, view: str) -> None:
    eyes = [frame.eyes for frame in frames(preset, view__frame=view)]
    for other in eyes[1:]:
        assert other.separation == pytest.approx(eyes[0].separation, rel=1e-9)
        assert other.convergence == pytest.approx(eyes[0].convergence, rel=1e-9)


def test_it_follows_the_camera() -> None:
    far, near = (frames("paper-fig1", (0.0,), view__zoom=zoom)[0] for zoom in (1.0, 2.5))
    assert near.eyes.convergence < far.eyes.convergence
    assert near.eyes.separation < far.eyes.separation


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
    assert figures.nearest.share == pytest.approx(share)
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
    session.change("stereo.separation", 5.0)
    assert not session.scenario.stereo.comfort
    (frame,) = frames("paper-fig1", (0.0,), stereo__comfort=False, stereo__separation=5.0)
    assert frame.eyes == Eyes(5.0, 1.0)
    assert not frame.comfort.comfortable


def test_on_the_way_the_eyes_keep_to_what_is_allowed() -> None:
    look, span = picture(), Depths(3.0, 9.0)
    start, end = Eyes(10.0, 0.8), automatic(span, look)
    for share in np.linspace(0.0, 1.0, 11):
        eyes, figures = place_eyes(Stereo(mode="anaglyph"), look, span, (start, float(share)))
        assert figures.comfortable
        assert eyes.separation <= most_separation(eyes, span, look) + 1e-12
    assert eyes.convergence == end.convergence
    assert eyes.separation == pytest.approx(end.separation, rel=1e-12)
    assert between_eyes(end, end, 0.3) == end


def test_half_of_a_window_has_half_of_its_width() -> None:
    for mode, width in (("side-by-side", 0.4), ("side-by-side-half", 0.8), ("anaglyph", 0.8)):
        (frame,) = frames("paper-fig1", (0.0,), OnScreen(width=0.8), stereo__mode=mode)
        assert frame.comfort.farthest.metres == pytest.approx(width * frame.comfort.farthest.share)
    (projected,) = frames("paper-fig1", (0.0,), OnScreen(width=0.8, share=0.5), stereo__screen_width=4.0)
    assert projected.comfort.farthest.metres == pytest.approx(2.0 * projected.comfort.farthest.share)
