"""Names over a picture that is drawn with fewer pixels than it is shown with."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from helpers.frames import picture_of, with_scene

from viewer.render.renderer import Renderer
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.choices.themes import FULL, QUALITIES, Quality
from viewer.scenario.scenario import Scenario
from viewer.scene.description import Frame
from viewer.scene.stereo.views import rectangles
from viewer.session.session import Session

SIZE = (640, 480)
LOW = QUALITIES["low"]


def drawn(mode: str, quality: Quality, labels: bool = True, preset: str = "paper-fig1", inset: bool = False) -> Frame:
    scenario = Scenario.preset(preset).with_value("stereo.mode", mode).with_value("show.inset", inset)
    session = Session(scenario, playing=False)
    session.run_to(1.0)
    frame = picture_of(session, SIZE, quality=quality)
    if labels:
        return frame
    layers = (replace(layer, scene=replace(layer.scene, labels=())) for layer in frame.layers)
    return replace(frame, layers=tuple(layers))


def shown(renderer: Renderer, frame: Frame, *, names: bool = True) -> np.ndarray:
    """The window's pixels, both buffers where there are two."""
    window = renderer.ctx.simple_framebuffer(SIZE)
    views = tuple(dict.fromkeys(rectangles(frame.mode, SIZE)))
    pictures = []
    renderer.draw(frame, window=None if names else SIZE)
    for buffer in range(2 if frame.mode.layout == "quad-buffer" else 1):
        renderer.present(window, views, buffer)
        pictures.append(np.frombuffer(window.read(), np.uint8).astype(float))
    renderer.release()  # goes away from a framebuffer that is released here
    window.release()
    return np.concatenate(pictures)


DIRECT = [name for name, mode in STEREO_MODES.items() if mode.layout not in ("anaglyph", "interlaced")]


@pytest.mark.sweep(most=3)
@pytest.mark.parametrize(
    ("mode", "changes"),
    [
        *((mode, {}) for mode in DIRECT),
        *((mode, {"inset": True}) for mode in ("mono", "side-by-side-half", "quad-buffer")),
        *((mode, {"preset": "race-of-five"}) for mode in ("mono", "top-bottom")),
    ],
)
def test_names_are_as_sharp_as_the_window_where_the_picture_is_coarse(
    renderer: Renderer, mode: str, changes: dict[str, Any]
) -> None:
    wanted, nameless = (
        shown(renderer, drawn(mode, quality, labels, **changes)) for quality, labels in ((FULL, True), (LOW, False))
    )
    wanted -= shown(renderer, drawn(mode, FULL, labels=False, **changes))
    inside, over = (shown(renderer, drawn(mode, LOW, **changes), names=names) - nameless for names in (True, False))
    off, blurred = (np.abs(names - wanted).sum() / np.abs(wanted).sum() for names in (over, inside))
    assert off < 0.12  # of all that the names change; measured .05 to .09: the ground below them is coarse
    assert blurred > 0.6  # names that are part of the coarse picture: measured .71 to .92


def test_names_of_a_composed_picture_are_part_of_it(renderer: Renderer) -> None:
    frame = drawn("anaglyph", LOW)
    renderer.draw(frame)
    whole = renderer.read().copy()
    renderer.draw(frame, window=SIZE)
    np.testing.assert_array_equal(renderer.read(), whole)


def test_an_inset_covers_names(renderer: Renderer) -> None:
    """The names of what lies below an inset are not drawn over it."""
    frame = drawn("mono", LOW, inset=True)
    (window,) = [view.window for view in frame.insets[0].views]
    assert window is not None
    label = next(label for label in frame.main.scene.labels if label.text == "L")
    ray = np.linalg.inv(frame.main.views[0].clip_from_world)
    middle = [2 * (window[i] + 0.5 * window[2 + i]) / frame.size[i] - 1 for i in (0, 1)]
    anchor = ray @ [*middle, 0.0, 1.0]
    below = replace(label, anchor=anchor[:3] / anchor[3], offset=(0.0, 0.0))
    pictures = [shown(renderer, with_scene(frame, labels=labels), names=False) for labels in ((below,), ())]
    np.testing.assert_array_equal(*pictures)


def test_a_picture_without_names_has_none(renderer: Renderer) -> None:
    renderer.draw(drawn("mono", LOW), window=SIZE)
    without = renderer.read().copy()
    renderer.draw(drawn("mono", LOW, labels=False))
    np.testing.assert_array_equal(renderer.read(), without)
