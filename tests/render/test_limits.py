"""The least that OpenGL 3.3 promises is enough: exactly that version, no multisampling, textures of 1024 pixels."""

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from viewer.common.errors import GraphicsError
from viewer.render.renderer import Renderer
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.choices.themes import QUALITIES

LEAST = 1024  # GL_MAX_TEXTURE_SIZE and GL_MAX_RENDERBUFFER_SIZE in OpenGL 3.3, table 6.40
EXACTLY_3_3 = {"MESA_GL_VERSION_OVERRIDE": "3.3", "MESA_GLSL_VERSION_OVERRIDE": "330"}
DRAWN = """
import sys
import numpy as np
from viewer.export.offscreen import offscreen_context
from viewer.render.renderer import Renderer
from viewer.scenario.scenario import Scenario
from viewer.scene.build import build_frame
from viewer.scene.presentation import Display, Presentation
from viewer.session.session import Session
context = offscreen_context()
session = Session(Scenario.preset("paper-fig1"), playing=False)
session.run_to(5.0)
renderer = Renderer(context)
renderer.draw(build_frame(session.snapshot(), Presentation.of(session.scenario), Display((480, 320))))
np.save(sys.argv[1], renderer.read())
print(context.version_code, context.error)
"""


def test_opengl_3_3_exactly_draws_the_same(gl, renderer, frame_of, tmp_path) -> None:
    if "Mesa" not in gl.info["GL_VERSION"]:
        pytest.skip("only Mesa can be told to be no newer")
    path = tmp_path / "drawn.npy"
    run = subprocess.run(
        [sys.executable, "-c", DRAWN, str(path)],
        env=os.environ | EXACTLY_3_3, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert run.stdout.split() == ["330", "GL_NO_ERROR"]
    renderer.draw(frame_of("paper-fig1", 5.0, (480, 320)))
    np.testing.assert_array_equal(np.load(path), renderer.read())


class Small:
    """A context whose textures and renderbuffers have at most LEAST pixels a side, as OpenGL would refuse more."""

    def __init__(self, ctx: Any) -> None:
        self._ctx = ctx
        self.info = dict(ctx.info) | {"GL_MAX_TEXTURE_SIZE": LEAST, "GL_MAX_RENDERBUFFER_SIZE": LEAST}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ctx, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("_ctx", "info"):
            object.__setattr__(self, name, value)
        else:
            setattr(self._ctx, name, value)

    def texture(self, size: tuple[int, int], *args: Any, **options: Any) -> Any:
        assert max(size) <= LEAST, f"a texture of {size}"
        return self._ctx.texture(size, *args, **options)

    def depth_renderbuffer(self, size: tuple[int, int], *args: Any, **options: Any) -> Any:
        assert max(size) <= LEAST, f"a renderbuffer of {size}"
        assert options.get("samples", 0) == 0
        return self._ctx.depth_renderbuffer(size, *args, **options)


@pytest.mark.sweep(most=4)
@pytest.mark.parametrize("mode", list(STEREO_MODES))
def test_the_smallest_textures_are_enough(gl, frame_of, mode: str) -> None:
    renderer = Renderer(Small(gl))
    size = (LEAST, 600)
    renderer.draw(frame_of("paper-fig1", 2.0, size, stereo__mode=mode, view__trail_color="speed", show__inset=True))
    assert renderer.read().std() > 5.0
    with pytest.raises(GraphicsError, match="1025x600 is more than this machine's OpenGL can draw, 1024x1024"):
        renderer.draw(frame_of("paper-fig1", size=(LEAST + 1, 600), stereo__mode="mono"))
    renderer.release()


def test_a_larger_window_is_drawn_coarser_then() -> None:
    full = QUALITIES["full"]
    assert full.within((1920, 1080), 16384) is full
    assert round(full.within((1920, 1080), LEAST).resolution * 1920) <= LEAST
