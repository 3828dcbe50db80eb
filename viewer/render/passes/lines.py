"""Strokes and arrows of constant width on the screen, with soft edges; and flat shapes: cards, discs and rings."""

import math
from collections.abc import Sequence

import moderngl
import numpy as np
from numpy.typing import NDArray

from viewer.render.program import Instances, Layout, Program
from viewer.scene.description import Layer, Patch, Stroke, Ticks

STROKE_FORMAT = "3f 3f 4f 2f 3f"
HEAD_FORMAT = "3f 3f 4f 2f 3x4"
STROKE_FIELDS = ("start", "end", "stroke_color", "size", "dash")
STROKE_FLOATS = 15
# layers of soft light around a line that glows: px beyond its edge, and opacity
HALO = ((9.0, 0.12), (6.0, 0.16), (3.0, 0.3))
GLOW_WIDTH = 1.25  # factor by which a line that glows is wider
GLOW_TICKS = 1.8  # .. and ticks
CASING = 1.75  # px, of the border in the ground's colour that sets a line off from lines that it crosses
XRAY_HEAD = 0.75  # of an arrow's opacity: that of its head seen through the body
PATCH_FLOATS = 11


class Strokes:
    """Straight strokes, one instance each; `heads` draws the heads of arrows."""

    def __init__(self, ctx: moderngl.Context, program: Program, heads: Program | None = None) -> None:
        self._program, self._heads = program, heads
        layouts: list[Layout] = [(program, STROKE_FORMAT, STROKE_FIELDS)]
        if heads is not None:
            layouts.append((heads, HEAD_FORMAT, STROKE_FIELDS[:4]))
        self._rows = Instances(ctx, STROKE_FLOATS, *layouts)
        self.write = self._rows.write

    def draw(self, *, xray: bool = False, opacity: float = 1.0, casing: float = 0.0) -> None:
        """Draw all strokes; with `xray` as dashes with paler heads, for those inside the body. `casing` is in px."""
        self._program.set(xray=xray, opacity=opacity, casing_width=casing)
        if xray:  # last: their dashes go on to the tip
            self._rows.draw()
        if self._heads is not None:
            self._heads.set(opacity=XRAY_HEAD if xray else opacity, casing_width=casing)
            self._rows.draw(1)
        if not xray:  # last: shafts end on them
            self._rows.draw()


def stroke_rows(strokes: Sequence[Stroke], layer: Layer) -> NDArray[np.float32]:
    """Return strokes as rows, (N, 15) float32, with widths and heads in pixels of the picture."""
    scale, glowing = layer.pixel_scale, layer.scene.glowing
    rows = []
    for s in strokes:
        width = s.width * (GLOW_WIDTH if glowing and s.name == glowing else 1.0) * scale
        dash = s.phase * scale, dashed_length(s, layer), s.dashes
        rows.append((*s.start.tolist(), *s.end.tolist(), *s.color, s.alpha, width, s.head * scale, *dash))
    return np.array(rows, dtype=np.float32).reshape(-1, STROKE_FLOATS)


def tick_rows(ticks: Ticks | None, layer: Layer, name: str = "ticks") -> NDArray[np.float32]:
    """Return ticks in rows like those of `stroke_rows`; `name` is that of the thing that they stand for."""
    if ticks is None:
        return np.zeros((0, STROKE_FLOATS), dtype=np.float32)
    wider = GLOW_TICKS if layer.scene.glowing == name else 1.0
    rows = np.zeros((len(ticks.starts), STROKE_FLOATS), dtype=np.float32)
    rows[:, :3], rows[:, 3:6] = ticks.starts, ticks.ends
    rows[:, 6:9] = ticks.color if ticks.colors is None else ticks.colors
    rows[:, 9], rows[:, 10] = ticks.alphas, layer.pixel_scale * wider * ticks.widths
    return rows


def halo_rows(layer: Layer) -> NDArray[np.float32]:
    """Return the light around the strokes that glow, in rows like those of `stroke_rows`."""
    scene = layer.scene
    strokes = [s for s in (*scene.arrows, *scene.strokes, *scene.overlay_strokes) if s.name and s.name == scene.glowing]
    light = [Stroke(s.start, s.end, s.color, alpha, s.width + 2.0 * beyond) for s in strokes for beyond, alpha in HALO]
    return stroke_rows(light, layer)


def height_of(layer: Layer) -> float:
    """Return the height of the layer in pixels of the finished picture."""
    view = layer.views[0]
    return view.shown_size[1] * (1.0 if view.window is None else view.window[3] / view.pixels[1])


def dashed_length(stroke: Stroke, layer: Layer) -> float:
    """Return the length [px] along which an arrow is dashed, which is the same for both eyes.

    A centred eye would see the arrow at this length if all of it were as far away as its start.
    """
    if not stroke.head and not stroke.name:
        return 0.0
    camera = layer.camera
    from_eye = stroke.start - camera.position
    depth = max(-float(from_eye @ camera.backward), 1e-6)
    x, y, z = from_eye.tolist()
    u, v, w = (stroke.end - stroke.start).tolist()
    distance = max(math.hypot(x, y, z), 1e-12)
    across = math.hypot(v * z - w * y, w * x - u * z, u * y - v * x) / distance  # seen from there, m
    return 0.5 * height_of(layer) / math.tan(0.5 * camera.field_of_view) / depth * across


class Patches:
    """The flat shapes of one eye's picture."""

    def __init__(self, ctx: moderngl.Context) -> None:
        program = Program(ctx, "patch.vert", "patch.frag")
        self._rows = Instances(ctx, PATCH_FLOATS, (program, "3f 4f 4f", ("anchor", "box", "ink")))

    def draw(self, patches: Sequence[Patch], scale: float) -> None:
        """Draw the shapes in their order, with sizes multiplied by `scale`."""
        rows = [
            (*p.anchor, *(scale * length for length in (*p.half_size, p.corner, p.ring)), *p.color, 1.0)
            for p in patches
        ]
        self._rows.write(np.array(rows, dtype=np.float32))
        self._rows.draw()
