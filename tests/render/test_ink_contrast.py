"""Every line stands out from what lies beside it by 3 to 1, WCAG 2.2's least contrast of graphics (1.4.11)."""

import numpy as np
import pytest
from helpers.frames import with_scene
from helpers.pointing import eye_pixel

from viewer.render.renderer import Renderer
from viewer.scenario.choices.themes import MATERIALS, THEMES
from viewer.scene.description import Frame, Layer

SIZE = (800, 600)
LEAST = 3.0
WINDOW = 16  # px of a line: a dash and a gap
ALONE = {f"show__{name}": False for name in ("labels", "space_axes", "rolling_ticks", "herpolhode")}
ALONE["solver__stabilisation"] = "off"  # no correction beside omega


def luminance(pixels: np.ndarray) -> np.ndarray:
    """WCAG's relative luminance of sRGB, (..., 3), 0..255."""
    encoded = pixels / 255.0
    light = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    return light @ (0.2126, 0.7152, 0.0722)


def contrasts(picture: np.ndarray, points: np.ndarray, ink: np.ndarray) -> np.ndarray:
    """How a line through `points`, (N, 2) px about 1 px apart, stands out to either side, (M,): of the pixel of each
    WINDOW points that is most like the `ink`, against what it contrasts with most within 5 px of it on that side."""
    along = np.gradient(points, axis=0)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.linalg.norm(along, axis=1)[:, None]
    offsets = np.arange(-5.0, 5.01, 0.5)
    places = np.rint(points[:, None] + offsets[:, None] * across[:, None] - 0.5).astype(int)  # (N, 21, 2)
    seen = picture[places[..., 1], places[..., 0]].astype(float)
    light = luminance(seen)
    core = np.abs(offsets) <= 1.5
    away = np.linalg.norm(seen[:, core] - ink, axis=-1)
    own = light[:, core][np.arange(len(points)), np.argmin(away, axis=1)]
    found = []
    for first in range(0, len(points) - WINDOW + 1, WINDOW):
        best = first + int(np.argmin(np.min(away[first : first + WINDOW], axis=1)))
        for side in (light[best, offsets < -1.0], light[best, offsets > 1.0]):
            high, low = np.maximum(own[best], side), np.minimum(own[best], side)
            found.append(np.max((high + 0.05) / (low + 0.05)))
    return np.array(found)


def through(layer: Layer, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Points 1 px apart on the screen between two points of the world, (N, 2)."""
    a, b = eye_pixel(layer, start, SIZE), eye_pixel(layer, end, SIZE)
    return a + np.linspace(0.0, 1.0, max(int(np.linalg.norm(b - a)), 2))[:, None] * (b - a)


def beside_itself(points: np.ndarray) -> np.ndarray:
    """Which points, (N, 2) px 1 px apart, of a closed line have another part of it within 12 px: (N,)."""
    numbers = np.arange(len(points))
    gap = np.abs(numbers[:, None] - numbers)
    apart = np.minimum(gap, len(points) - gap) > 24
    return np.any(apart & (np.linalg.norm(points[:, None] - points, axis=-1) < 12.0), axis=1)


def of_strokes(renderer: Renderer, frame: Frame) -> dict[str, float]:
    """The least contrast of each arrow's shaft and each stub, all drawn alone."""
    scene, least = frame.main.scene, {}
    for stroke in (*scene.arrows, *scene.strokes):
        points = through(frame.main, stroke.start, stroke.end)
        points = points[6 : len(points) - int(stroke.head) - 6]  # clear of its ends
        if len(points) >= WINDOW and stroke.alpha == 1.0:  # one that lies along L on the screen fades
            arrows, strokes = ([s for s in those if s is stroke] for those in (scene.arrows, scene.strokes))
            renderer.draw(with_scene(frame, contact=None, curves=(), arrows=arrows, strokes=strokes))
            found = contrasts(renderer.read(), points, 255 * np.array(stroke.color)).reshape(-1, 2).min(axis=1)
            of_all = np.sort(found)[1 if stroke.head else 0]  # where it leaves the body a dash may be cut
            least[stroke.name] = min(float(of_all), least.get(stroke.name, np.inf))
    return least


def of_polhode(renderer: Renderer, frame: Frame) -> float:
    """The least contrast of the polhode, near, far and hidden, drawn alone; but for where it is seen edge on."""
    scene = frame.main.scene
    renderer.draw(with_scene(frame, contact=None, arrows=(), strokes=()))
    corners = np.array([eye_pixel(frame.main, p, SIZE) for p in scene.curves[0].points @ scene.world_from_body.T])
    corners = np.concatenate([corners, corners[:1]])
    lengths = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(corners, axis=0), axis=1)))
    at = np.arange(0.0, lengths[-1])
    points = np.stack([np.interp(at, lengths, part) for part in corners.T], axis=1)
    found = contrasts(renderer.read(), points, 255 * np.array(scene.curves[0].color))
    windows = len(found) // 2
    crowded = beside_itself(points)[: windows * WINDOW].reshape(windows, WINDOW).any(axis=1)
    return float(found.reshape(windows, 2)[~crowded].min())


SEEN = [("paint", "ceiling"), *((material, "floor") for material in MATERIALS)]


@pytest.mark.sweep
@pytest.mark.parametrize(("material", "frame"), SEEN)
@pytest.mark.parametrize("theme", list(THEMES))
def test_inks_stand_out_from_body_and_ground(renderer, frame_of, theme: str, material: str, frame: str) -> None:
    for preset, time in (("paper-fig1-fine", 5.0), ("race-hidden-phase", 3.0)):
        view = {"view__theme": theme, "view__frame": frame, "view__material": material}
        drawn = frame_of(preset, time, SIZE, **ALONE, **view)
        least = of_strokes(renderer, drawn) | {"polhode": of_polhode(renderer, drawn)}
        assert min(least.values()) > LEAST, (preset, least)


@pytest.mark.parametrize("theme", list(THEMES))
def test_the_dimension_line_beside_l_stands_out(renderer, frame_of, theme: str) -> None:
    frame = frame_of("paper-fig2", 2.0, SIZE, **ALONE, view__theme=theme, show__projection=True)
    (line,) = [stroke for stroke in frame.main.scene.overlay_strokes if stroke.name == "ωʟ"]
    renderer.draw(with_scene(frame, contact=None, curves=(), arrows=(), strokes=()))
    points = through(frame.main, line.start, line.end)
    found = contrasts(renderer.read(), points[6:-6], 255 * np.array(line.color))
    assert found.min() > LEAST  # measured 3.9 (light), 9.1, 10.3; 1.1 to 1.3 without a casing
