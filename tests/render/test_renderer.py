"""What the renderer draws, checked where geometry says what must be there."""

import numpy as np
import pytest
from helpers.frames import picture_of

from viewer.common.ring_buffer import RingBuffer
from viewer.render.passes.curves import PointTexture
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.choices.themes import QUALITIES
from viewer.scenario.scenario import Scenario
from viewer.scene.description import TrailTint
from viewer.scene.stereo.views import OnScreen
from viewer.session.session import Session

BODY_ONLY = {
    f"show__{name}": False
    for name in (
        "angular_momentum", "angular_velocity", "ellipsoid", "plane", "polhode", "herpolhode", "space_axes",
        "body_axes", "labels",
    )
}  # fmt: skip


def luminance(picture: np.ndarray) -> np.ndarray:
    return picture.astype(np.float64).sum(axis=2)


@pytest.mark.parametrize("mode", ["mono", "side-by-side-half"])
def test_the_silhouette_of_a_sphere_is_where_geometry_says(renderer, frame_of, mode: str) -> None:
    frame = frame_of("sphere", size=(600, 500), stereo__mode=mode, **BODY_ONLY)
    renderer.draw(frame)
    drawn = renderer.read().astype(int)
    renderer.draw(frame_of("sphere", size=(600, 500), stereo__mode=mode, show__body=False, **BODY_ONLY))
    painted = np.any(np.abs(drawn - renderer.read()) > 2, axis=2)[::-1]
    for view in frame.main.views:
        x, y, width, height = view.rectangle
        u, v = np.meshgrid((np.arange(width) + 0.5) / width, (np.arange(height) + 0.5) / height)
        far = np.stack([2 * u - 1, 2 * v - 1, np.ones_like(u), np.ones_like(u)], axis=-1)
        world = far @ np.linalg.inv(view.clip_from_world).T
        ray = world[..., :3] / world[..., 3:] - view.position
        ray /= np.linalg.norm(ray, axis=-1, keepdims=True)
        outside = np.linalg.norm(np.cross(ray, view.position), axis=-1) - frame.main.scene.solid.half_extents[0]
        gradient = np.hypot(*np.gradient(outside))  # m a pixel
        part = painted[y : y + height, x : x + width]
        assert part[outside < -0.5 * gradient].all()
        assert not part[outside > 0.8 * gradient].any()  # the soft edge reaches half a pixel's diagonal outwards


def test_hidden_things_are_not_drawn(renderer, frame_of) -> None:
    renderer.draw(frame_of("paper-fig1", show__body=False, **BODY_ONLY))
    empty = renderer.read().astype(int)
    assert np.ptp(empty, axis=(0, 1)).max() < 40  # nothing but the gradient: measured 31


@pytest.mark.parametrize("name", ["angular_momentum", "angular_velocity", "ellipsoid", "plane", "polhode", "herpolhode",
                                  "space_axes", "body_axes", "body", "labels"])  # fmt: skip
def test_each_switch_changes_the_picture(renderer, frame_of, name: str) -> None:
    renderer.draw(frame_of("paper-fig1", 2.0))
    shown = renderer.read().copy()
    renderer.draw(frame_of("paper-fig1", 2.0, **{f"show__{name}": False}))
    assert np.count_nonzero(np.any(shown != renderer.read(), axis=2)) > 30


@pytest.mark.parametrize("preset", ["paper-fig1", "box-80kg", "rod", "ode-blog"])
def test_nothing_is_drawn_twice_differently(renderer, frame_of, preset: str) -> None:
    frame = frame_of(preset, 1.0)
    renderer.draw(frame)
    first = renderer.read().copy()
    renderer.draw(frame_of("sphere"))
    renderer.draw(frame)
    np.testing.assert_array_equal(first, renderer.read())


@pytest.mark.sweep
@pytest.mark.parametrize("mode", list(STEREO_MODES))
@pytest.mark.parametrize("size", [(64, 64), (65, 1), (1, 1), (641, 333)])
def test_every_mode_draws_every_size(renderer, frame_of, mode: str, size: tuple[int, int]) -> None:
    renderer.draw(frame_of("paper-fig1", size=size, stereo__mode=mode))
    assert renderer.read().shape == (size[1], size[0], 3)


def test_columns_show_the_eyes_and_cross_eyed_exchanges_them(renderer, frame_of) -> None:
    pictures = {}
    for mode in ("side-by-side", "cross-eyed"):
        renderer.draw(frame_of("paper-fig1", 5.0, size=(640, 240), stereo__mode=mode))
        picture = renderer.read().copy()
        pictures[mode] = picture[:, :320], picture[:, 320:]
    plain, crossed = (np.array(pictures[mode], dtype=int) for mode in ("side-by-side", "cross-eyed"))
    # The dither goes by window pixels, and soft edges round with the place in the picture: measured 4 of 255.
    assert np.max(np.abs(plain - crossed[::-1])) <= 6
    assert np.mean(np.abs(plain[0] - plain[1]) > 20) > 0.002


def test_a_point_texture_follows_a_ring_round_its_end(gl) -> None:
    ring = RingBuffer(2500, 4)
    texture = PointTexture(gl, 2500)
    rng = np.random.default_rng(3)
    for n in (1, 700, 0, 1799, 3, 2000):
        ring.append_rows(rng.normal(size=(n, 4)))
        first, end = texture.follow(ring.view())
        assert (first, end) == (max(0, ring.count - 2500), ring.count)
        stored = np.frombuffer(texture.texture.read(), np.float32).reshape(-1, 4)
        numbers = np.arange(first, end)
        rows = ring.rows(first, end)
        np.testing.assert_array_equal(stored[numbers % 2500], rows[:, [1, 2, 3, 0]].astype(np.float32))
    ring.clear()
    assert texture.follow(ring.view()) == (0, 0)
    texture.release()


def test_values_of_a_trail_are_those_of_its_rows_after_a_time_without_colours(gl) -> None:
    """Speed, age, speed: rows that came in between have their values too."""
    ring = RingBuffer(500, 4)
    texture = PointTexture(gl, 500)
    rng = np.random.default_rng(5)
    speed = TrailTint("speed", lambda rows: np.linalg.norm(rows[:, 1:4], axis=1), 0.0, 1.0, np.zeros((9, 3)))
    for tint in (speed, None, speed):
        ring.append_rows(rng.normal(size=(40, 4)))
        texture.follow(ring.view(), 1, tint)
    assert texture.values is not None
    stored = np.frombuffer(texture.values.read(), np.float32)[:120]
    np.testing.assert_allclose(stored, np.sqrt((ring.rows(0, 120)[:, 1:] ** 2).sum(axis=1)), rtol=1e-6)
    texture.release()


def test_only_new_rows_of_a_trail_are_uploaded(gl, monkeypatch: pytest.MonkeyPatch) -> None:
    ring = RingBuffer(1000, 4)
    texture = PointTexture(gl, 1000)
    written: list[int] = []
    monkeypatch.setattr(texture, "write", lambda slot, points, values: written.append(len(points)))
    for n in (10, 5, 0, 1):
        ring.append_rows(np.zeros((n, 4)))
        texture.follow(ring.view())
    assert written == [10, 5, 1]
    texture.release()


def test_a_picture_of_twice_the_size_shows_the_same(renderer, frame_of) -> None:
    renderer.draw(frame_of("paper-fig1", 4.0, size=(900, 720)))
    small = renderer.read().astype(float)
    renderer.draw(frame_of("paper-fig1", 4.0, size=(1800, 1440)))
    large = renderer.read().astype(float).reshape(720, 2, 900, 2, 3).mean(axis=(1, 3))
    difference = np.abs(small - large)
    assert difference.mean() < 0.8  # measured .73, at the edges of lines, casings and ticks
    assert np.mean(difference > 60) < 0.0005  # measured .00002


def test_an_integrator_that_blows_up_is_drawn_without_a_warning(renderer) -> None:
    session = Session(Scenario.preset("ode-blog").with_value("solver.integrator", "explicit-euler"), playing=True)
    session.scene.run_on_to(28.0)
    for _ in range(100):
        session.scene.advance(0.2)
        renderer.draw(picture_of(session, (320, 240)))
    assert "diverged" in (session.scene.message or "")
    assert renderer.read().std() > 5.0


@pytest.mark.parametrize("mode", ["anaglyph", "row-interlaced", "column-interlaced", "checkerboard"])
def test_eyes_that_share_pixels_are_mixed_at_once_where_they_are_shown(renderer, frame_of, gl, mode: str) -> None:
    """The same picture to the last bit, wherever it stands in the window; and one that is shown larger, or read."""
    size, at = (321, 181), (13, 7)
    frame = frame_of("paper-fig1", 4.0, size=size, stereo__mode=mode)
    renderer.draw(frame)
    whole = renderer.read().copy()
    screen = gl.framebuffer([gl.renderbuffer((640, 360), 4)])

    def shown(viewport: tuple[int, int, int, int]) -> np.ndarray:
        renderer.present(screen, [viewport])
        pixels = screen.read(viewport=viewport, components=3, alignment=1)
        return np.frombuffer(pixels, np.uint8).reshape(viewport[3], viewport[2], 3)[::-1]

    larger = shown((0, 0, 640, 360))
    renderer.draw(frame, window=size)
    np.testing.assert_array_equal(shown((*at, *size)), whole)
    np.testing.assert_array_equal(shown((0, 0, 640, 360)), larger)
    np.testing.assert_array_equal(shown((*at, *size)), whole)
    np.testing.assert_array_equal(renderer.read(), whole)
    renderer.release()  # goes away from the framebuffer that is released here
    screen.release()


@pytest.mark.parametrize("mode", ["mono", "anaglyph", "side-by-side", "row-interlaced", "checkerboard"])
def test_fewer_pixels_show_the_same_picture(renderer, gl, mode: str) -> None:
    """Presented at its size, a picture of half the pixels differs from the full one at edges only."""
    session = Session(Scenario.preset("box-80kg").with_value("stereo.mode", mode), playing=False)
    screen = gl.framebuffer([gl.renderbuffer((640, 360), 4)])
    pictures = []
    for quality in ("full", "low"):
        frame = picture_of(session, (640, 360), quality=QUALITIES[quality])
        renderer.draw(frame)
        rectangles = [(0, 0, 640, 360)] if mode != "side-by-side" else [(0, 0, 320, 360), (320, 0, 320, 360)]
        renderer.present(screen, rectangles)
        pictures.append(np.frombuffer(screen.read(components=3), np.uint8).astype(float))
    difference = np.abs(pictures[0] - pictures[1])
    assert 0.0 < difference.mean() < 6.0  # of 255; measured 4.9, of row-interlaced
    screen.release()


@pytest.mark.sweep
@pytest.mark.parametrize("mode", ["row-interlaced", "column-interlaced", "checkerboard"])
@pytest.mark.parametrize("quality", ["full", "high", "low"])
@pytest.mark.parametrize("origin", [(0, 0), (1, 0), (4, 3)])
def test_each_eye_sees_its_own_picture_through_the_pattern(renderer, mode: str, quality: str, origin) -> None:
    """The pixels of an eye are those of its picture alone, in whatever quality; the other's differ by far more."""
    eyes = {"stereo.comfort": False, "stereo.separation": 20.0}
    size, seen, pictures = (320, 180), OnScreen(origin=origin), {}
    for name in (mode, "left", "right"):
        session = Session(Scenario.preset("box-80kg").with_values({"stereo.mode": name} | eyes), playing=False)
        drawn = QUALITIES[quality if name == mode else "full"]
        renderer.draw(picture_of(session, size, screen=seen, quality=drawn))
        pictures[name] = renderer.read().astype(float)
    pattern = STEREO_MODES[mode].interlacing
    rows, columns = (np.arange(size[1 - axis]) + origin[1 - axis] for axis in (0, 1))
    eye = np.array(pattern)[np.ix_(rows % len(pattern), columns % len(pattern[0]))]
    for number, name, other in ((-1, "left", "right"), (1, "right", "left")):
        own, foreign = (np.abs(pictures[mode] - pictures[which])[eye == number].mean() for which in (name, other))
        assert own < 0.7 * foreign  # in the worst case, low, measured .61
