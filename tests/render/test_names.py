"""Names over a picture that is drawn with fewer pixels than it is shown with."""

from dataclasses import replace

import numpy as np
import pytest

from viewer.quality import FULL, QUALITIES, Quality
from viewer.render.renderer import Renderer
from viewer.scenario import Scenario
from viewer.scene.build import build_frame
from viewer.scene.description import Frame
from viewer.scene.stereo import rectangles
from viewer.session import Session
from viewer.stereo_modes import STEREO_MODES

SIZE = (640, 480)
LOW = QUALITIES["low"]


def drawn(mode: str, quality: Quality, labels: bool = True) -> Frame:
    scenario = Scenario.preset("paper-fig1").with_value("stereo.mode", mode).with_value("show.inset", False)
    session = Session(scenario, playing=False)
    session.run_to(1.0)
    frame = build_frame(session.snapshot(), SIZE, quality=quality)
    return frame if labels else replace(frame, scene=replace(frame.scene, labels=()))


def shown(renderer: Renderer, frame: Frame, *, names: bool = True) -> np.ndarray:
    """The window's pixels, both buffers where there are two."""
    window = renderer.ctx.simple_framebuffer(SIZE)
    views = tuple(dict.fromkeys(rectangles(frame.mode, SIZE)))
    pictures = []
    renderer.draw(frame, names=names)
    for buffer in range(2 if frame.mode.layout == "buffers" else 1):
        renderer.present(window, views, buffer)
        pictures.append(np.frombuffer(window.read(), np.uint8).astype(float))
    renderer.release()  # goes away from a framebuffer that is released here
    window.release()
    return np.concatenate(pictures)


@pytest.mark.parametrize(
    "mode", [name for name, mode in STEREO_MODES.items() if mode.layout not in ("mixed", "woven")]
)
def test_names_are_as_sharp_as_the_window_where_the_picture_is_coarse(renderer: Renderer, mode: str) -> None:
    wanted = shown(renderer, drawn(mode, FULL)) - shown(renderer, drawn(mode, FULL, labels=False))
    nameless = shown(renderer, drawn(mode, LOW, labels=False))
    inside, over = (shown(renderer, drawn(mode, LOW), names=names) - nameless for names in (True, False))
    off = np.abs(over - wanted).sum() / np.abs(wanted).sum()
    blurred = np.abs(inside - wanted).sum() / np.abs(wanted).sum()
    assert off < 0.12  # of all that the names change; measured .05 to .09: the ground below them is coarse
    assert blurred > 0.6  # names that are part of the coarse picture: measured .71 to .92


@pytest.mark.parametrize("changes", [{"stereo.mode": "anaglyph"}, {"show.inset": True}])
def test_names_stay_in_a_picture_that_is_composed_or_lies_below_another(
    renderer: Renderer, changes: dict[str, object]
) -> None:
    session = Session(Scenario.preset("paper-fig1"), playing=False)
    for path, value in changes.items():
        session.change(path, value)
    frame = build_frame(session.snapshot(), SIZE, quality=LOW)
    renderer.draw(frame)
    whole = renderer.read().copy()
    renderer.draw(frame, names=False)
    np.testing.assert_array_equal(renderer.read(), whole)


def test_a_picture_without_names_has_none(renderer: Renderer) -> None:
    renderer.draw(drawn("mono", LOW), names=False)
    without = renderer.read().copy()
    renderer.draw(drawn("mono", LOW, labels=False))
    np.testing.assert_array_equal(renderer.read(), without)
