"""Pictures of a scene, drawn without a window."""

import functools
import math
import os
import sys
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from viewer.errors import PACKAGES, GraphicsError, SceneError
from viewer.export.size import check_size
from viewer.files import whole_file
from viewer.render.renderer import Renderer
from viewer.scenario import Scenario
from viewer.scene.build import build_frame
from viewer.scene.stereo import OnScreen
from viewer.session import Session, Snapshot

SUPERSAMPLING = (1, 2, 3, 4)
MOST_PIXELS = 2**26  # drawn for supersampling: 1 GB with depth and background
FORMATS: dict[str, dict[str, Any]] = {
    ".png": {"format": "PNG", "compress_level": 1},
    ".jpg": {"format": "JPEG", "quality": 92, "subsampling": 0},
    ".jpeg": {"format": "JPEG", "quality": 92, "subsampling": 0},
}

Image = NDArray[np.uint8]


def render_image(
    scenario: Scenario,
    time: float = 0.0,
    size: tuple[int, int] = (1280, 720),
    stereo: str | None = None,
    supersample: int = 2,
) -> Image:
    """The picture of a scene at `time` seconds: (H, W, 3) uint8, sRGB, top row first; no window.

    `stereo` replaces the scene's own mode. Every pixel is the mean of `supersample` squared ones, taken of the sRGB
    values (in linear light thin dark lines on white would grow thinner); fewer where
    that would be more than MOST_PIXELS or than the graphics can draw.
    Raises SceneError for values that are not allowed, GraphicsError where there is no OpenGL.
    """
    check_size(size)
    if supersample not in SUPERSAMPLING:
        raise SceneError(f"supersample: {supersample} is unknown; allowed are 1, 2, 3, 4")
    if stereo is not None:
        scenario = scenario.with_value("stereo.mode", stereo)
    session = Session(scenario, playing=False)
    session.run_to(time)
    return draw(session.snapshot(), size, supersample)


def draw(snapshot: Snapshot, size: tuple[int, int], supersample: int = 2) -> Image:
    """The picture of one moment; the rest as in `render_image`."""
    renderer, limit = _renderer()
    width, height = size
    if max(size) > limit:
        raise GraphicsError(
            f"size: {width}x{height} is more than this machine's OpenGL can draw, {limit}x{limit}"
        )
    factor = min(supersample, limit // max(size), max(1, math.isqrt(MOST_PIXELS // (width * height))))
    try:
        drawn = width * factor, height * factor
        frame = build_frame(snapshot, drawn, pixel_scale=float(factor), screen=OnScreen(block=factor))
        renderer.draw(frame)
        image: Image = renderer.read()
    except (MemoryError, moderngl.Error) as error:
        raise GraphicsError(
            f"size: {width}x{height} cannot be drawn here ({' '.join(str(error).split())})"
        ) from None
    return box_filtered(image, factor)


def box_filtered(image: Image, factor: int) -> Image:
    """The mean of each `factor` x `factor` block: (H, W, 3) to (H / factor, W / factor, 3)."""
    if factor == 1:
        return image
    height, width = image.shape[0] // factor, image.shape[1] // factor
    total = np.zeros((height, width, 3), dtype=np.uint16)
    for row in range(factor):
        for column in range(factor):
            total += image[row::factor, column::factor]
    half = factor * factor // 2
    return ((total + half) // (factor * factor)).astype(np.uint8)


def check_output(path: str | os.PathLike[str]) -> None:
    """Raises SceneError where a picture cannot be written to a file of this name."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise SceneError(
            f"output: {os.fspath(path)!r} is no picture; allowed are names in {', '.join(FORMATS)}"
        )
    if not Path(path).parent.is_dir():
        raise SceneError(f"output: there is no folder {os.fspath(Path(path).parent)!r}")


def save_image(image: Image, path: str | os.PathLike[str]) -> None:
    """Writes a picture whole or not at all; the name's end tells the format."""
    from PIL import Image as pillow

    check_output(path)
    with whole_file(path) as temporary:
        pillow.fromarray(image).save(temporary, **FORMATS[Path(path).suffix.lower()])


@functools.cache
def _renderer() -> tuple[Renderer, int]:
    """One renderer for the whole process, and the largest side that it can draw."""
    context = offscreen_context()
    limits = [context.info["GL_MAX_TEXTURE_SIZE"], *context.info["GL_MAX_VIEWPORT_DIMS"]]
    return Renderer(context), int(min(limits))


@functools.cache
def offscreen_context() -> Any:
    """The one OpenGL context of this process that needs no window."""
    options: dict[str, Any] = {"backend": "egl"} if sys.platform == "linux" else {}
    try:
        return moderngl.create_context(standalone=True, require=330, **options)
    except Exception as error:  # whatever glcontext raises: it has no class of its own
        reason = " ".join(str(error).split())
        if sys.platform == "linux":
            raise GraphicsError(f"no OpenGL 3.3 without a window ({reason}); {PACKAGES}") from None
        raise GraphicsError(f"no OpenGL 3.3 without a window ({reason})") from None
