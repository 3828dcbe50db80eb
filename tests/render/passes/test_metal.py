"""Metal is neutral, with streaks along a T-handle's bars, which both eyes see at the same places."""

import numpy as np
import pytest
from test_surfaces import only

from viewer.scene.description import Frame

SIZE = (960, 800)
HANDLE = np.linspace(0.35, 0.6, 6)  # of its length, from the crossbar's axis: bare metal


def bare_points(frame: Frame) -> np.ndarray:
    """Places (along, around, 3) on the handle's side that face the camera, in the world, m."""
    solid, world_from_body = frame.main.scene.solid, frame.main.scene.world_from_body
    radius, length = solid.half_extents[1], 2.0 * solid.half_extents[2] - solid.half_extents[1]
    towards = world_from_body.T @ frame.main.camera.backward
    around = np.arctan2(towards[1], towards[0]) + np.radians(np.linspace(-60.0, 60.0, 61))
    along, around = np.meshgrid(solid.bar - length * HANDLE, around, indexing="ij")
    places = np.stack([radius * np.cos(around), radius * np.sin(around), along], axis=-1)
    return np.asarray(places @ world_from_body.T)


def colors_at(renderer, frame: Frame, places: np.ndarray) -> np.ndarray:
    """What is drawn there, by linear interpolation between pixels, of 255."""
    renderer.draw(frame)
    drawn = renderer.read().astype(float)[::-1]
    (view,) = frame.main.views
    clip = np.concatenate([places, np.ones_like(places[..., :1])], axis=-1) @ view.clip_from_world.T
    x, y = np.moveaxis((0.5 * clip[..., :2] / clip[..., 3:] + 0.5) * SIZE - 0.5, -1, 0)
    i, j = np.floor(x).astype(int), np.floor(y).astype(int)
    u, v = (x - i)[..., None], (y - j)[..., None]
    lower = (1 - u) * drawn[j, i] + u * drawn[j, i + 1]
    return np.asarray((1 - v) * lower + v * ((1 - u) * drawn[j + 1, i] + u * drawn[j + 1, i + 1]))


def without_fibres(found: np.ndarray) -> np.ndarray:
    """Means over 10 degrees around the handle: what is mirrored, without the marks of brushing."""
    windows = np.lib.stride_tricks.sliding_window_view(found, 5, axis=1)
    return np.asarray(windows.mean(axis=-1))


@pytest.mark.parametrize("theme", ["dark", "light", "high-contrast"])
def test_it_is_neutral_and_has_streaks(renderer, frame_of, theme: str) -> None:
    frame = frame_of("t-handle", 2.0, SIZE, view__theme=theme, **only("body"))
    found = colors_at(renderer, frame, bare_points(frame))
    chroma, gray = np.ptp(found, axis=-1), without_fibres(found.mean(axis=-1))
    assert chroma.max() < 9.0  # measured 7; the body's own colour has 17 and 19
    assert gray.max() > (1.8 if theme == "light" else 2.6) * gray.min()  # measured 3.8; in a bright room 2.1
    assert np.ptp(gray, axis=0).max() < 2.5  # along the bar; measured 2.1


def test_both_eyes_see_the_streaks_at_the_same_places(renderer, frame_of) -> None:
    mono = frame_of("t-handle", 2.0, SIZE, **only("body"))
    places = bare_points(mono)
    left, right = (
        colors_at(renderer, frame_of("t-handle", 2.0, SIZE, stereo__mode=mode, **only("body")), places)
        for mode in ("left", "right")
    )
    apart = np.abs(without_fibres(left) - without_fibres(right))
    assert apart.max() < 4.0  # of 255; measured .9; 6.8 where each eye has a reflection of its own


@pytest.mark.parametrize("time", [0.0, 1.0, 3.0])
def test_a_box_is_not_black_on_white(renderer, frame_of, time: float) -> None:
    """Its faces mirror the ground for long: in a bright room that is light gray."""
    renderer.draw(frame_of("box-80kg", time, SIZE, view__theme="light", view__material="metal", **only("body")))
    gray = renderer.read()[..., :3].mean(axis=-1)
    faces = gray[gray < 225.0]
    assert np.percentile(faces, 10) > 97.0  # of 255; measured 101 to 110; 89 to 95 over a ground as bright as it was
    assert np.median(faces) > 125.0  # measured 134 to 156
