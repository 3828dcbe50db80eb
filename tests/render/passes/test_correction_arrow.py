"""The arrow of the next correction is where the paper's formula says, to the pixel, for each eye in every mode."""

import numpy as np
import pytest
from helpers.correction import factor_of, omega_led_back, running
from helpers.frames import picture_of, with_scene

from viewer.render.renderer import Renderer
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scene.constructions.scale import construct
from viewer.scene.description import Frame

SIZE = (900, 640)


def only(frame: Frame, name: str) -> Frame:
    arrows = tuple(arrow for arrow in frame.main.scene.arrows if arrow.name == name)
    return with_scene(
        frame, arrows=arrows, solid=None, shell=None, plane=None, curves=(), trail=None, contact=None, strokes=(),
        overlay_strokes=(), labels=(),
    )  # fmt: skip


def changed_by(renderer: Renderer, frame: Frame) -> np.ndarray:
    """Where the arrow is seen, (N, 2): px from the left and the lower side of the picture."""
    pictures = []
    for name in ("correction", "none"):
        renderer.draw(only(frame, name))
        pictures.append(renderer.read()[::-1].astype(int))
    rows, columns = np.nonzero(np.abs(pictures[0] - pictures[1]).max(axis=2) > 60)
    return np.stack([columns, rows], axis=1) + 0.5


@pytest.mark.sweep(most=4)
@pytest.mark.parametrize("mode", [name for name in STEREO_MODES if name != "quad-buffer"])
def test_it_is_where_the_formula_says(renderer, mode: str) -> None:
    session = running(time=1.5, stereo__mode=mode)
    frame = picture_of(session, SIZE)
    scale = construct(session.snapshot(), 1.0).scale
    tip = scale * session.snapshot().reading.omega_world
    start = tip - factor_of(frame.main.scene) * scale * omega_led_back(session)
    seen = changed_by(renderer, frame)
    assert len(seen) > 30
    offs = []
    for view in frame.main.views:
        clip = np.column_stack([np.stack([start, tip]), np.ones(2)]) @ view.clip_from_world.T
        woven = STEREO_MODES[mode].layout == "interlaced"  # each eye has its pixels of the whole picture
        x, y, width, height = (0, 0, *SIZE) if woven else view.rectangle
        begin, end = (x, y) + (0.5 + 0.5 * clip[:, :2] / clip[:, 3:]) * (width, height)
        along = (end - begin) / np.linalg.norm(end - begin)
        across = np.abs((seen - begin) @ np.array([-along[1], along[0]]))
        shaft = seen[(across < 3.0) & (np.abs((seen - begin) @ along) < 40.0)]
        offs.append(float(np.min((shaft - begin) @ along)))
    # px that the shaft begins before (-) or after its place: measured -.9..0.4, where each eye has its own pixels; else
    # the other eye's shaft, 2 px beside it, is seen as well: -2.5
    assert max(map(abs, offs)) < 3.0, offs
