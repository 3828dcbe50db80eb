"""The background is drawn in place the first time, kept from the second on, and always the same."""

import moderngl
import numpy as np
import pytest

from viewer.render.renderer import Renderer
from viewer.scenario.scenario import Scenario
from viewer.scene.build import build_frame
from viewer.scene.presentation import Display, Presentation
from viewer.session.session import Session

SIZE = (161, 90)  # odd: between the halves of two eyes there is nothing


def frame_of(mode: str, theme: str):
    scenario = Scenario.preset("disc").with_values({"stereo.mode": mode, "view.theme": theme})
    session = Session(scenario, playing=False)
    return build_frame(session.snapshot(), Presentation.of(session.scenario), Display(SIZE))


@pytest.mark.parametrize("mode", ["mono", "anaglyph", "side-by-side", "row-interlaced", "quad-buffer"])
def test_every_picture_has_the_same_however_often_it_is_drawn(gl, mode):
    dark, light = frame_of(mode, "dark"), frame_of(mode, "light")
    renderer = Renderer(gl)
    pictures = []
    for frame in (dark, dark, dark, light, dark, light, light, dark):
        renderer.draw(frame)
        pictures.append((frame is dark, renderer.read().copy()))
    renderer.release()
    for is_dark, picture in pictures:
        first = next(other for same, other in pictures if same == is_dark)
        np.testing.assert_array_equal(picture, first)
    assert np.mean(pictures[0][1] != pictures[3][1]) > 0.9


def test_a_single_picture_keeps_no_background(gl, monkeypatch):
    made, texture = [], type(gl).texture
    monkeypatch.setattr(
        type(gl), "texture", lambda ctx, size, *rest, **named: made.append(size) or texture(ctx, size, *rest, **named)
    )
    renderer, frame = Renderer(gl), frame_of("mono", "dark")
    counts = []
    for _ in range(3):
        renderer.draw(frame)
        counts.append(made.count(SIZE))
    renderer.release()
    assert counts == [1, 2, 2]


def test_one_that_could_not_be_kept_is_drawn_again(gl, monkeypatch):
    renderer, frame = Renderer(gl), frame_of("mono", "dark")
    renderer.draw(frame)
    first = renderer.read().copy()

    def refuse(*_, **__):
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(moderngl.VertexArray, "render", refuse)
        with pytest.raises(MemoryError):
            renderer.draw(frame)
    renderer.draw(frame)
    np.testing.assert_array_equal(renderer.read(), first)
    renderer.release()
