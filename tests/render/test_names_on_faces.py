"""The name of an axis is read on the body's face, which has the colour of that axis too."""

import numpy as np
import pytest
from helpers.frames import with_scene
from test_ink_contrast import luminance

from viewer.scenario.choices.themes import THEMES
from viewer.scene.camera.camera import Canvas

SIZE = (900, 600)


@pytest.mark.parametrize("theme", list(THEMES))
@pytest.mark.parametrize(("preset", "time", "name"), [("ode-blog", 1.0, "x′"), ("dzhanibekov", 9.0, "z′")])
def test_it_stands_out_from_its_own_face(renderer, frame_of, preset: str, time: float, name: str, theme: str) -> None:
    frame = frame_of(preset, time, SIZE, view__theme=theme)
    (label,) = [label for label in frame.main.scene.labels if label.text == name]
    renderer.draw(with_scene(frame, labels=(), strokes=()))
    anchor = frame.main.scene.world_from_body.T @ label.anchor
    x, y = Canvas(frame.main.camera, SIZE).project(label.anchor)  # the end of its axis: before its face
    below = renderer.read()[round(0.5 * SIZE[1] - y), round(0.5 * SIZE[0] + x)]
    assert np.argmax(np.abs(anchor)) == "xyz".index(name[0])
    high, low = sorted((float(luminance(255 * np.array(label.color))), float(luminance(below))), reverse=True)
    assert (high + 0.05) / (low + 0.05) > 2.3  # measured 2.4 to 4.5; 1.1 to 2.2 in the axis' own colour
