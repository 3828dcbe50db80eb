"""Glass shows no bands: where its opacity changes slowly, pixels differ so that their mean is right."""

from typing import Any

import moderngl
import numpy as np
import pytest

from viewer.render.renderer import Renderer
from viewer.scene.description import Frame

SIZE = (640, 480)
BLOCK = 8  # px


def exactly(gl: Any, monkeypatch: pytest.MonkeyPatch, frame: Frame) -> np.ndarray:
    """The picture in floating point, 0..255: (H, W, 3), no value rounded."""
    texture = moderngl.Context.texture

    def precise(ctx: Any, size: tuple[int, int], channels: int, *data: Any, **more: Any) -> Any:
        return texture(ctx, size, channels, *data, **{"dtype": "f4"} | more)

    with monkeypatch.context() as patch:
        patch.setattr(moderngl.Context, "texture", precise)
        renderer = Renderer(gl)
        renderer.draw(frame)
        pixels = np.frombuffer(renderer.texture.read(), np.float32).reshape(SIZE[1], SIZE[0], 4)[::-1, :, :3]
        renderer.release()
    return 255.0 * pixels


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("construction", ["poinsot", "momentum"])
def test_the_mean_of_a_few_pixels_is_that_without_rounding(
    gl: Any, renderer: Renderer, frame_of: Any, monkeypatch: pytest.MonkeyPatch, construction: str, theme: str
) -> None:
    hidden = {
        f"show__{name}": False
        for name in ("angular_momentum", "angular_velocity", "polhode", "herpolhode", "space_axes", "body_axes", "body",
                     "labels")
    }  # fmt: skip
    frame = frame_of("paper-fig1", 1.0, SIZE, view__theme=theme, view__construction=construction, **hidden)
    renderer.draw(frame)
    off = renderer.read() - exactly(gl, monkeypatch, frame)
    blocks = off.reshape(SIZE[1] // BLOCK, BLOCK, SIZE[0] // BLOCK, BLOCK, 3).mean(axis=(1, 3))
    # measured .33 to .40 of 255; without noise in the glass .74 to .78. A software rasteriser rounds twice where it
    # blends, and of that the noise evens out a part only.
    assert np.percentile(np.abs(blocks), 99) < 0.5
