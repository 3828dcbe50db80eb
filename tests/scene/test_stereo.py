"""Off-axis stereo: parallax as the formula has it, none across, none at the plane of the screen."""

import math

import numpy as np
import pytest

from viewer.scene.camera import look
from viewer.scene.stereo import eye_views, rectangles, shown_size
from viewer.sections import Stereo
from viewer.stereo_modes import STEREO_MODES

FOV = math.radians(20.0)
TWO_EYED = [mode for mode in STEREO_MODES.values() if len(mode.eyes) == 2]
SIZES = [(1280, 720), (801, 600), (500, 900)]


def seen(mode: str, size: tuple[int, int], point: np.ndarray, **stereo: object) -> list[np.ndarray]:
    """Image positions in pixels of each eye's own picture, from its middle."""
    camera = look(np.eye(3), np.zeros(3), 1.1, 0.4, 5.0, FOV)
    views = eye_views(camera, Stereo(mode=mode, **stereo), size, 1.0, 20.0)  # type: ignore[arg-type]
    positions = []
    for view in views:
        clip = view.clip_from_world @ np.append(point, 1.0)
        positions.append(0.5 * np.array(view.shown_size) * clip[:2] / clip[3])
    return positions


def point_at_depth(depth: float) -> np.ndarray:
    camera = look(np.eye(3), np.zeros(3), 1.1, 0.4, 5.0, FOV)
    return camera.position - depth * camera.backward + 0.3 * camera.right - 0.2 * camera.up


@pytest.mark.parametrize("mode", TWO_EYED, ids=lambda mode: mode.name)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("depth", [3.0, 5.0, 9.0])
def test_parallax_is_that_of_the_formula(mode, size: tuple[int, int], depth: float) -> None:
    separation, convergence = 3.0, 1.2
    first, second = seen(
        mode.name, size, point_at_depth(depth), separation=separation, convergence=convergence
    )
    left, right = (first, second) if mode.eyes == (-1, 1) else (second, first)
    height = shown_size(mode, size)[1]
    per_metre = 0.5 * height / math.tan(FOV / 2)
    expected = 0.01 * separation * 5.0 * per_metre * (1.0 / (convergence * 5.0) - 1.0 / depth)
    assert right[0] - left[0] == pytest.approx(
        expected, abs=1e-9
    )  # px; behind the screen: right eye further right
    assert right[1] - left[1] == pytest.approx(0.0, abs=1e-10)


@pytest.mark.parametrize("mode", TWO_EYED, ids=lambda mode: mode.name)
def test_no_parallax_at_the_convergence_plane(mode) -> None:
    left, right = seen(mode.name, (1280, 720), point_at_depth(6.0), separation=5.0, convergence=1.2)
    np.testing.assert_allclose(left, right, atol=1e-10)


@pytest.mark.parametrize("mode", TWO_EYED, ids=lambda mode: mode.name)
def test_exchange_swaps_the_eyes(mode) -> None:
    point = point_at_depth(3.0)
    plain = seen(mode.name, (1280, 720), point)
    swapped = seen(mode.name, (1280, 720), point, exchange_eyes=True)
    np.testing.assert_allclose(plain, swapped[::-1], atol=1e-12)


def test_cross_eyed_is_side_by_side_exchanged() -> None:
    point = point_at_depth(3.0)
    np.testing.assert_allclose(
        seen("cross-eyed", (1280, 720), point), seen("side-by-side", (1280, 720), point)[::-1], atol=1e-12
    )


@pytest.mark.parametrize("size", [(1280, 720), (801, 600), (2, 1)])
def test_the_rectangles_of_columns_have_the_same_size_and_stay_inside(size: tuple[int, int]) -> None:
    (x0, _, w0, h0), (x1, _, w1, h1) = rectangles(STEREO_MODES["side-by-side"], size)
    assert (w0, h0) == (w1, h1)
    assert x0 == 0
    assert x1 + w1 == size[0]
    assert x1 >= w0


def test_half_mode_keeps_the_aspect_of_the_whole_picture() -> None:
    assert shown_size(STEREO_MODES["side-by-side-half"], (1280, 720)) == (1280.0, 720.0)
    assert shown_size(STEREO_MODES["side-by-side"], (1280, 720)) == (640.0, 720.0)
