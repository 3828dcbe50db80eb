"""Off-axis stereo: parallax as the formula has it, none across, none at the plane of the screen."""

import math

import numpy as np
import pytest

from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.sections.picture import Stereo
from viewer.scene.camera.camera import look
from viewer.scene.stereo.views import OnScreen, eye_views, part_size, rectangles, shown_size

FOV = math.radians(20.0)
TWO_EYED = [mode for mode in STEREO_MODES.values() if len(mode.eyes) == 2]
SIZES = [(1280, 720), (801, 601), (500, 900)]


def seen(
    mode: str, size: tuple[int, int], point: np.ndarray, screen: OnScreen | None = None, **stereo: object
) -> dict[int, list[np.ndarray]]:
    """Image positions by eye, in pixels of the screen from the middle of the eye's picture."""
    camera = look(np.eye(3), np.zeros(3), 1.1, 0.4, 5.0, FOV)
    settings = Stereo(mode=mode, **stereo)  # type: ignore[arg-type]
    screen = screen or OnScreen()
    views = eye_views(camera, settings, size, 1.0, 20.0, screen)
    if mode == "wiggle":
        views += eye_views(camera, settings, size, 1.0, 20.0, OnScreen(turn=1))
    positions: dict[int, list[np.ndarray]] = {}
    for view in views:
        clip = view.clip_from_world @ np.append(point, 1.0)
        at = 0.5 * (clip[:2] / clip[3] + 1.0) * view.rectangle[2:]
        if STEREO_MODES[mode].layout == "interlaced":  # pixel k of a part is pixel n k + place of the picture
            pattern = STEREO_MODES[mode].interlacing
            n = np.array([len(pattern[0]), len(pattern)])
            place = np.array(view.rectangle[:2]) // np.array(view.rectangle[2:])
            at = (n * (at / screen.block - 0.5) + place + 0.5) * screen.block - 0.5 * np.array(size)
        else:
            at = (at / view.rectangle[2:] - 0.5) * view.shown_size
        positions.setdefault(view.eye, []).append(at)
    return positions


def pair(*arguments: object, **stereo: object) -> tuple[np.ndarray, np.ndarray]:
    """The one position in the left and in the right eye's picture."""
    positions = seen(*arguments, **stereo)  # type: ignore[arg-type]
    assert sorted(positions) == [-1, 1]
    for several in positions.values():  # the parts of a interlaced picture agree
        np.testing.assert_allclose(several, [several[0]] * len(several), atol=1e-9)
    return positions[-1][0], positions[1][0]


def point_at_depth(depth: float) -> np.ndarray:
    camera = look(np.eye(3), np.zeros(3), 1.1, 0.4, 5.0, FOV)
    return camera.position - depth * camera.backward + 0.3 * camera.right - 0.2 * camera.up


@pytest.mark.parametrize("mode", TWO_EYED, ids=lambda mode: mode.name)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("depth", [3.0, 5.0, 9.0])
def test_parallax_is_that_of_the_formula(mode, size: tuple[int, int], depth: float) -> None:
    separation, convergence = 3.0, 1.2
    left, right = pair(mode.name, size, point_at_depth(depth), separation=separation, convergence=convergence)
    per_metre = 0.5 * shown_size(mode, size)[1] / math.tan(FOV / 2)
    expected = 0.01 * separation * 5.0 * per_metre * (1.0 / (convergence * 5.0) - 1.0 / depth)
    # px; behind the screen the right eye sees it further right
    assert right[0] - left[0] == pytest.approx(expected, abs=1e-9)
    assert right[1] - left[1] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("mode", TWO_EYED, ids=lambda mode: mode.name)
def test_no_parallax_at_the_convergence_plane(mode) -> None:
    left, right = pair(mode.name, (1280, 720), point_at_depth(6.0), separation=5.0, convergence=1.2)
    np.testing.assert_allclose(left, right, atol=1e-9)


@pytest.mark.parametrize("mode", STEREO_MODES.values(), ids=lambda mode: mode.name)
@pytest.mark.parametrize("origin", [(0, 0), (1, 0), (0, 1), (7, 12)])
def test_exchange_swaps_the_eyes_in_every_place(mode, origin: tuple[int, int]) -> None:
    camera = look(np.eye(3), np.zeros(3), 1.1, 0.4, 5.0, FOV)
    plain, swapped = (
        eye_views(
            camera, Stereo(mode=mode.name, exchange_eyes=exchanged), (1280, 720), 1.0, 20.0, OnScreen(origin=origin)
        )
        for exchanged in (False, True)
    )
    assert [view.rectangle for view in plain] == [view.rectangle for view in swapped]
    assert [view.eye for view in plain] == [-view.eye for view in swapped]


def test_cross_eyed_is_side_by_side_exchanged() -> None:
    point = point_at_depth(3.0)
    left, right = pair("side-by-side", (1280, 720), point)
    np.testing.assert_allclose(pair("cross-eyed", (1280, 720), point), (left, right), atol=1e-12)


@pytest.mark.parametrize("mode", [m for m in TWO_EYED if m.layout == "interlaced"], ids=lambda mode: mode.name)
@pytest.mark.parametrize("origin", [(0, 0), (1, 0), (0, 1), (3, 8), (-5, 2)])
@pytest.mark.parametrize("size", [(64, 48), (65, 47), (2, 3)])
@pytest.mark.parametrize("block", [1, 2])
def test_the_parts_of_a_interlaced_picture_go_by_the_screens_pixels(
    mode, origin: tuple[int, int], size: tuple[int, int], block: int
) -> None:
    camera = look(np.eye(3), np.zeros(3), 1.1, 0.4, 5.0, FOV)
    drawn = size[0] * block, size[1] * block
    views = eye_views(camera, Stereo(mode=mode.name), drawn, 1.0, 20.0, OnScreen(origin=origin, block=block))
    across, down = len(mode.interlacing[0]), len(mode.interlacing)
    w, h = part_size(mode, drawn, block)
    assert across * w >= drawn[0]
    assert down * h >= drawn[1]
    eye_at = {view.rectangle[:2]: view.eye for view in views}
    for y in range(size[1]):  # from the top, as screens count
        for x in range(size[0]):
            part = x % across, (size[1] - 1 - y) % down
            expected = mode.interlacing[(y + origin[1]) % down][(x + origin[0]) % across]
            assert eye_at[part[0] * w, part[1] * h] == expected


def test_the_first_pixel_of_the_screen_is_the_left_eyes() -> None:
    for mode in STEREO_MODES.values():
        if mode.interlacing:
            assert mode.interlacing[0][0] == -1


def test_a_mode_that_no_picture_can_have_names_another() -> None:
    for mode in STEREO_MODES.values():
        assert bool(mode.still) == bool(mode.reason) == (mode.layout in ("frame-sequential", "quad-buffer"))
        assert not mode.still or not STEREO_MODES[mode.still].still


def test_wiggling_shows_each_eye_in_its_turn() -> None:
    camera = look(np.eye(3), np.zeros(3), 1.1, 0.4, 5.0, FOV)
    for turn in range(4):
        (view,) = eye_views(camera, Stereo(mode="wiggle"), (64, 48), 1.0, 20.0, OnScreen(turn=turn))
        assert view.eye == (-1, 1)[turn % 2]


@pytest.mark.parametrize("size", [(1280, 720), (801, 600), (2, 1)])
def test_the_rectangles_of_columns_have_the_same_size_and_stay_inside(size: tuple[int, int]) -> None:
    (x0, _, w0, h0), (x1, _, w1, h1) = rectangles(STEREO_MODES["side-by-side"], size)
    assert (w0, h0) == (w1, h1)
    assert x0 == 0
    assert x1 + w1 == size[0]
    assert x1 >= w0


@pytest.mark.parametrize("size", [(1280, 720), (801, 601), (2, 2), (1, 1)])
def test_top_and_bottom_have_the_same_size_and_the_left_eye_on_top(size: tuple[int, int]) -> None:
    (x0, y0, w0, h0), (x1, y1, w1, h1) = rectangles(STEREO_MODES["top-bottom"], size)
    assert (w0, h0) == (w1, h1)
    assert (x0, x1, y1) == (0, 0, 0)
    assert y0 + h0 == size[1]
    assert STEREO_MODES["top-bottom"].eyes == (-1, 1)


@pytest.mark.parametrize(
    ("mode", "size"),
    [
        ("side-by-side-half", (1280.0, 720.0)),
        ("side-by-side", (640.0, 720.0)),
        ("top-bottom-half", (1280.0, 720.0)),
        ("top-bottom", (1280.0, 360.0)),
        ("checkerboard", (1280.0, 720.0)),
    ],
)
def test_half_modes_keep_the_aspect_of_the_whole_picture(mode: str, size: tuple[float, float]) -> None:
    assert shown_size(STEREO_MODES[mode], (1280, 720)) == size


@pytest.mark.parametrize("mode", ["mono", "side-by-side"])
def test_a_box_holds_what_the_whole_picture_shows(mode: str) -> None:
    left, low, width, height = box = (0.6, 0.1, 0.3, 0.2)
    camera, stereo = look(np.eye(3), np.zeros(3), 1.0, 0.5, 4.0, 0.35), Stereo(mode=mode)
    whole, part = (
        eye_views(camera, stereo, (800, 600), 1.0, 9.0, box=box)
        for box in ((0.0, 0.0, 1.0, height / width), box)  # both of the same shape
    )
    for one, other in zip(whole, part, strict=True):
        a, b = (view.clip_from_world @ (0.1, 0.2, 0.3, 1.0) for view in (one, other))
        x, y = (0.5 + 0.5 * a[:2] / a[3]) / (1.0, height / width)  # of the box, 0..1
        np.testing.assert_allclose(0.5 + 0.5 * b[:2] / b[3], (left + width * x, low + height * y), atol=1e-12)
