"""The numbers of the plane's ruling lie on the plane for both eyes, and are read wherever they stand."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from helpers.frames import picture_of, with_scene
from helpers.pointing import eye_pixel

from viewer.common.color import LUMINANCE, linear_from_srgb, srgb_from_linear
from viewer.render.renderer import Renderer
from viewer.scenario.choices.stereo_modes import GLASSES
from viewer.scenario.choices.themes import THEMES
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario
from viewer.scene.annotations.letters import half_size
from viewer.scene.description import Frame, Label, Layer, background
from viewer.session.session import Session

SIZE, FINE = (640, 360), 4  # px, and so many drawn across and down for each: a letter's edges are soft by one
MARGIN = 6.0  # px around a number's letters and their halo
NUMBERED = [name for name in PRESETS if not Scenario.preset(name).bodies and Scenario.preset(name).race.show != "grid"]


def numbers_of(frame: Frame) -> list[Label]:
    labels = frame.main.scene.labels
    return [n for n in labels if n.style == "number" and n.centred and n.offset == (0.0, 0.0) and n.text[0].isdigit()]


def on_plane(layer: Layer, point: np.ndarray) -> np.ndarray:
    """Where the line of sight of an eye in the middle through a point meets the plane."""
    plane, eye = layer.scene.plane, layer.camera.position
    normal = plane.world_from_plane[:, 2]
    return eye + (point - eye) * ((plane.centre - eye) @ normal) / ((point - eye) @ normal)


def middle(ink: np.ndarray, at: np.ndarray, half: tuple[float, float]) -> float:
    """Where, px from the left, the ink around a place has its middle."""
    left, top, right, bottom = np.rint(FINE * np.array([*(at - half - MARGIN), *(at + half + MARGIN)])).astype(int)
    across = ink[max(top, 0) : bottom, max(left, 0) : right].sum(axis=0)
    return float(across @ (np.arange(len(across)) + max(left, 0) + 0.5) / across.sum()) / FINE


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize("preset", NUMBERED)
@pytest.mark.parametrize("zoom", [0.5, 1.0, 2.0, 5.0])
def test_their_parallax_is_that_of_the_plane(renderer: Renderer, preset: str, zoom: float) -> None:
    for frame_name in ("ceiling", "floor"):
        changes = {"view.construction": "poinsot", "view.frame": frame_name, "view.zoom": zoom}
        scenario = Scenario.preset(preset).with_values({**changes, "stereo.mode": "side-by-side"})
        session = Session(scenario, playing=False)
        for time in (0.0, 1.7 * session.scene.speed):
            session.scene.run_on_to(time)
            frame = picture_of(session, (2 * FINE * SIZE[0], FINE * SIZE[1]), pixel_scale=FINE)
            layer, numbers = frame.main, [n for n in numbers_of(frame) if n.alpha > 0.5]
            theme = replace(layer.scene.theme, halo=(1.0, 1.0, 1.0))  # as the letters: together they are smooth
            scene = vars(background(theme, layer.camera))
            renderer.draw(with_scene(frame, **scene))
            ground = renderer.read().astype(int)
            for number in numbers:
                there = on_plane(layer, number.anchor)
                places = [eye_pixel(layer, there, SIZE, eye) for eye in (-1, 1)]
                renderer.draw(
                    with_scene(frame, **{**scene, "labels": (replace(number, color=(1.0, 1.0, 1.0), alpha=1.0),)})
                )
                ink = np.abs(renderer.read() - ground).sum(axis=2)
                eyes = np.split(ink, 2, axis=1)
                seen = [middle(own, at, half_size(number)) for own, at in zip(eyes, places, strict=True)]
                plane, drawn = places[1][0] - places[0][0], seen[1] - seen[0]
                assert abs(drawn - plane) < 0.1, (number.text, drawn, plane)  # measured .011; it was 12.7


def light_to(own: tuple[int, ...], picture: np.ndarray) -> np.ndarray:
    """Relative luminance of a picture, (..., 3), for an eye whose filter lets these primaries through."""
    weights = LUMINANCE * [float(i in own) for i in range(3)]
    return np.asarray(linear_from_srgb(picture / 255.0) @ weights / weights.sum())


def around(letters: np.ndarray) -> np.ndarray:
    """The pixels that are at most two away from letters, (H, W), across or down."""
    for _ in range(2):
        padded = np.pad(letters, 1)
        letters = np.lib.stride_tricks.sliding_window_view(padded, (3, 3)).any(axis=(2, 3))
    return letters


@pytest.mark.sweep
@pytest.mark.parametrize("theme", list(THEMES))
@pytest.mark.parametrize("glasses", ["", *GLASSES])
@pytest.mark.parametrize("size", [(1280, 720), (640, 360)])
def test_they_stand_out_from_all_that_is_around_them(
    renderer: Renderer, theme: str, glasses: str, size: tuple[int, int]
) -> None:
    """By 4.5 to 1, as WCAG 2.2 asks of text (1.4.3): on the sheet, in the shadow, over glass and the body."""
    stereo = {"stereo.mode": "anaglyph", "stereo.glasses": glasses} if glasses else {}
    primaries = (GLASSES[glasses].left, GLASSES[glasses].right) if glasses else ((0, 1, 2),)
    eyes = (-1, 1) if glasses else (0,)
    found = []
    for preset, frame_name in itertools.product(("paper-fig1", "box-80kg", "disc"), ("ceiling", "floor")):
        scenario = Scenario.preset(preset).with_values({"view.theme": theme, "view.frame": frame_name, **stereo})
        session = Session(scenario, playing=False)
        for time in (0.0, 1.0, 2.0):
            session.scene.run_on_to(time)
            frame = picture_of(session, size)
            scene, numbers = frame.main.scene, [n for n in numbers_of(frame) if n.alpha > 0.95]
            pictures = []  # with the numbers, and with their halos alone
            for ink in (scene.theme.text, scene.theme.halo):
                written = tuple(replace(n, color=ink) if n in numbers else n for n in scene.labels)
                renderer.draw(with_scene(frame, labels=written))
                pictures.append(renderer.read().copy())
            for number, (eye, own) in itertools.product(numbers, zip(eyes, primaries, strict=True)):
                x, y = eye_pixel(frame.main, number.anchor, size, eye)
                wide, tall = half_size(number)
                rows, columns = (
                    slice(round(at - half - 4), round(at + half + 4)) for at, half in ((y, tall), (x, wide))
                )
                light, bare = (light_to(own, picture[rows, columns]) for picture in pictures)
                covered = np.abs(srgb_from_linear(light) - srgb_from_linear(bare))
                covered /= covered.max()
                beside = around(covered > 0.25) & (covered < 0.1)
                low, high = sorted((np.median(light[covered > 0.75]), light[beside].mean()))
                found.append((float((high + 0.05) / (low + 0.05)), number.text, preset, time))
    assert len(found) > 10  # 14 in the small picture
    assert min(found)[0] > 4.5, min(found)  # measured 4.6 to 12.4
