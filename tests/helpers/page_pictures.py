"""Pictures that a page draws of frames of the program, beside those that the program draws of them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpers.browsers import BrowserPage, page_of
from helpers.page_frames import frame_as_json
from viewer.export.page.page_atlas import page_atlas
from viewer.export.page.shaders import drawing_data
from viewer.scene.description import Frame

BEGIN = """async (drawing, atlas) => {
    const gl = document.querySelector("canvas").getContext("webgl2", { alpha: false, antialias: false });
    window.renderer = new Renderer(gl, drawing, { ...atlas, field: await unpacked(atlas.field) });
}"""
DRAW = """async (frame) => {
    const { canvas } = renderer.gl, [width, height] = frame.size;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    renderer.draw(frame);
    const error = renderer.gl.getError();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return error;
}"""


class PictureOfFrames:
    """A page with a renderer."""

    def __init__(self, page: BrowserPage) -> None:
        self.page = page
        page.open(page_of(["renderer", "packed"], "<canvas></canvas>"))
        page.evaluate(BEGIN, drawing_data(), page_atlas())

    def draw(self, frame: Frame | dict[str, Any]) -> NDArray[np.uint8]:
        """The picture of a frame, (H, W, 3), as a screenshot shows it; the page must be as large."""
        assert self.page.evaluate(DRAW, frame if isinstance(frame, dict) else frame_as_json(frame)) == 0
        return self.page.screenshot()
