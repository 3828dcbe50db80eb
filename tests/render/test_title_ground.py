"""A lane that diverges goes far beyond its cell, and not through its title."""

from dataclasses import replace

import numpy as np
import pytest

from viewer.scene.annotations.letters import half_size
from viewer.scene.camera.camera import Canvas

SIZE = (1280, 720)
TITLE = "Explicit Euler"


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_nothing_runs_through_the_title_of_a_lane_that_diverges(renderer, frame_of, theme):
    frame = frame_of("race-of-five", 80.0, SIZE, view__theme=theme)
    number, layer = next(
        (n, layer) for n, layer in enumerate(frame.layers) if TITLE in {label.text for label in layer.scene.labels}
    )
    left, low, wide, tall = (share * side for share, side in zip(layer.box, 2 * SIZE, strict=True))
    canvas = Canvas(layer.camera, (wide, tall), layer.eyes.convergence)
    lines = [label for label in layer.scene.labels if not label.centred]
    assert lines[0].text == TITLE
    bare = replace(layer, scene=replace(layer.scene, labels=()))
    renderer.draw(replace(frame, layers=(*frame.layers[:number], bare, *frame.layers[number + 1 :])))
    pixels = renderer.read().astype(int)
    for line in lines:
        x, y = canvas.project(line.anchor) + np.array([0.5 * wide + left, 0.5 * tall + low])
        half = half_size(line)
        rows = slice(round(SIZE[1] - y - 0.5 * line.size), round(SIZE[1] - y + 0.5 * line.size))
        behind = pixels[rows, round(x) : round(x + 2 * half[0])]
        assert np.ptp(behind, axis=(0, 1)).max() <= 2, line.text  # the cell's ground


@pytest.mark.slow
def test_no_name_stands_on_a_title(frame_of):
    for time in np.linspace(60.0, 100.0, 9):
        frame = frame_of("race-of-five", float(time), SIZE)
        for layer in frame.insets:
            wide, tall = layer.box[2] * SIZE[0], layer.box[3] * SIZE[1]
            canvas = Canvas(layer.camera, (wide, tall), layer.eyes.convergence)
            titles = [label for label in layer.scene.labels if not label.centred]
            for name in (label for label in layer.scene.labels if label.centred):
                at = canvas.project(name.anchor) + name.offset
                for title in titles:
                    half = np.array(half_size(title))
                    apart = np.abs(at - canvas.project(title.anchor) - (half[0], 0.0)) - half - half_size(name)
                    assert apart.max() >= 0.0, (time, name.text, title.text)
