"""Draws a snapshot as a picture: supersampled, in tiles if it is large, with an open shutter on request."""

import math
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from functools import cache

import moderngl
import numpy as np
from numpy.typing import NDArray

from viewer.common import signals
from viewer.common.color import linear_from_srgb, srgb_from_linear
from viewer.common.errors import GraphicsError, check_range, refusal
from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.common.quantities import check_size
from viewer.render.renderer import Renderer
from viewer.scenario.choices.stereo_modes import STEREO_MODES, StereoMode
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.picture import Stereo
from viewer.scene.build import build_frame
from viewer.scene.camera.camera import Camera
from viewer.scene.description import Frame, Label
from viewer.scene.moment import fitted_to_moment
from viewer.scene.presentation import ARRIVED, Display, Presentation, Transition
from viewer.scene.stereo.chart import chart_frame
from viewer.scene.stereo.views import MARGIN, EyeView, OnScreen, Rectangle, common, part_size
from viewer.session.snapshot import Snapshot

CHART_SAMPLES = 2
STEP = 4  # of the screen's pixels: tiles begin at multiples of it, so that patterns and derivatives are as in the whole
TILE_PIXELS = 2**22  # drawn at a time: 16 MB a buffer; larger ones are slower
# moments while the shutter is open: at least in a frame of a film, at least in a single picture, and at most
SUBFRAMES, STILL_SUBFRAMES, MOST_SUBFRAMES = 16, 64, 256
FIGURE = 0.4  # of the height of a picture: the distance from its middle to the end of a turning body
BLUR_STEP = 3.0  # px that this end moves between two moments
BRIGHTEST = 1 << 19  # linear light of white; sRGB 1 of 255 has 159, and 256 pictures have a sum of 27 bits

Image = NDArray[np.uint8]


@frozen
class Shot:
    """A picture to draw: a snapshot, shown as in `scenario`, in (width, height) pixels.

    Raises InputError for values that are not allowed.

    Attributes
    ----------
    samples
        Each pixel is the mean of `samples` x `samples` drawn ones.
    transparent
        Whether the background is left out.
    turn
        In a film whose mode shows the eyes in turn, the number of the turn, from 0 on; None for a single picture.
    scale
        The size of lines and letters in pixels, relative to that on a screen of scale 1.
    transition
        How far camera and eyes are on their way to another view.
    exposed
        The moments whose mean light is shown in place of the snapshot, empty if the shutter is not open for a time. The
        labels are those of the middle moment.
    fitted
        Whether a view that is neither zoomed nor moved fits the moment instead of the whole motion.
    renamed
        The function that moves the labels of a frame before it is drawn, or None.
    """

    snapshot: Snapshot
    scenario: Scenario
    size: tuple[int, int]
    samples: int = 2
    transparent: bool = False
    turn: int | None = None
    scale: float = 1.0
    transition: Transition = ARRIVED
    exposed: tuple[Snapshot, ...] = ()
    fitted: bool = False
    renamed: Callable[[Frame], Frame] | None = None

    def __post_init__(self) -> None:
        check_size(self.size)
        if self.samples not in (1, 2, 3, 4):
            raise refusal("samples: {samples} is unknown; allowed are 1, 2, 3, 4", samples=self.samples)
        if self.transparent and self._mode.layout == "anaglyph":
            raise refusal("transparent: {name} mixes both eyes' colours and has no transparency", name=self._mode.name)
        if self.transparent and self.exposed:
            raise refusal("transparent: an open shutter sees the background, too; allowed is a picture of one moment")

    @property
    def _mode(self) -> StereoMode:
        return STEREO_MODES[self.scenario.stereo.mode]

    def frames(self) -> list[Frame]:
        """Return the frames whose mean is the picture: one for each moment, `samples` times as large."""
        presentation = Presentation.of(self.scenario)
        drawn = (self.size[0] * self.samples, self.size[1] * self.samples)
        if self._mode.still and self.turn is None:
            presentation = replace(presentation, stereo=replace(presentation.stereo, mode=self._mode.still))
        screen = OnScreen(turn=self.turn or 0, block=self.samples)
        display = Display(drawn, self.scale * self.samples, screen)
        if self.fitted and not self.exposed:
            frame = build_frame(self.snapshot, presentation, display, self.transition)
            presentation = replace(presentation, view=fitted_to_moment(frame, presentation.view))
        moments = self.exposed or (self.snapshot,)
        built = [build_frame(moment, presentation, display, self.transition) for moment in moments]
        if self.exposed:
            built = [with_names_of(frame, built[len(built) // 2]) for frame in built]
        if self.renamed is not None:
            built = [self.renamed(frame) for frame in built]
        return [replace(frame, transparent=self.transparent) for frame in built]


class ImageRenderer:
    """Draws shots in one OpenGL context, into its own textures."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._renderer = Renderer(ctx)
        limits = [ctx.info["GL_MAX_TEXTURE_SIZE"], *ctx.info["GL_MAX_VIEWPORT_DIMS"]]
        self.largest = int(min(limits)) - 2 * MARGIN  # side of a tile
        self.tile_pixels = TILE_PIXELS

    def render(self, shot: Shot) -> Image:
        """Return the picture: (H, W, 3) uint8, sRGB, top row first; (H, W, 4) if it is transparent.

        A pixel is the mean of its samples' sRGB values: in linear light, thin dark lines on white would grow thinner.
        Raises GraphicsError if memory runs out.
        """
        steps = self.steps(shot)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                image: Image = end.value
                return image

    def steps(self, shot: Shot) -> Generator[int, None, Image]:
        """Draw the picture of `render` strip by strip; yield the number of rows done so far, and return the picture."""
        width, height = shot.size
        try:
            whole, row = np.empty((0, 0, 0), dtype=np.uint8), 0
            for strip in self.strips(shot):
                if len(strip) == height:
                    whole = strip
                else:
                    if not row:
                        whole = np.empty((height, *strip.shape[1:]), dtype=np.uint8)
                    whole[row : row + len(strip)] = strip
                row += len(strip)
                yield row
        except MemoryError:
            raise GraphicsError(
                tr("size: {width}x{height} does not fit into this machine's memory").format(width=width, height=height)
            ) from None
        return whole

    def strips(self, shot: Shot) -> Iterator[Image]:
        """Yield the picture of `render` in strips of full width, from the top down, to save memory."""
        (width, height), samples, frames = shot.size, shot.samples, shot.frames()
        most = _in_steps(self.largest // samples)
        across = min(width, most)
        down = min(height, most, _in_steps(self.tile_pixels // (across * samples**2)))
        for low in reversed(range(0, height, down)):
            rows = min(down, height - low)
            tiles = []
            for left in range(0, width, across):
                columns = min(across, width - left)
                box = (left * samples, low * samples, columns * samples, rows * samples)
                tiles.append(self._exposed(frames, box, samples))
            yield tiles[0] if len(tiles) == 1 else np.concatenate(tiles, axis=1)

    def _exposed(self, frames: list[Frame], box: tuple[int, int, int, int], samples: int) -> Image:
        """Return the mean light of the frames in the rectangle `box` = x, y, width, height, reduced by `samples`."""
        if len(frames) == 1:
            return self._tile(frames[0], box, samples)
        exposure = Exposure()
        for frame in frames:
            exposure.add(self._tile(frame, box, samples))
        return exposure.mean()

    def _tile(self, frame: Frame, box: tuple[int, int, int, int], samples: int) -> Image:
        """Return the frame in the rectangle `box` = x, y, width, height, reduced by `samples`."""
        part = frame if box == (0, 0, *frame.size) else part_of(frame, box)
        try:
            with signals.held():  # an exception must not arise while moderngl calls Python
                self._renderer.draw(part)
                drawn = self._renderer.read(4)
            image = box_filtered(drawn, samples, 4 if frame.transparent else 3)
        except (MemoryError, moderngl.Error) as error:
            width, height = (side // samples for side in frame.size)
            reason = " ".join(str(error).split())
            raise GraphicsError(
                tr("size: {width}x{height} cannot be drawn here ({reason})").format(
                    width=width, height=height, reason=reason
                )
            ) from None
        return unmultiplied(image) if frame.transparent else image

    def render_chart(self, stereo: Stereo, theme: str, size: tuple[int, int]) -> Image:
        """Return the chart that shows whether glasses, mode and order of the eyes of `stereo` are right."""
        check_size(size)
        samples = CHART_SAMPLES
        drawn = (size[0] * samples, size[1] * samples)
        if max(drawn) > self.largest:
            raise GraphicsError(
                tr("size: {width}x{height} is too large for a chart on this machine").format(
                    width=size[0], height=size[1]
                )
            )
        mode = STEREO_MODES[stereo.mode]
        shown = replace(stereo, mode=mode.still) if mode.still else stereo
        frame = chart_frame(shown, Display(drawn, float(samples), OnScreen(block=samples)), theme)
        return self._tile(frame, (0, 0, *drawn), samples)

    def release(self) -> None:
        """Free all memory on the GPU; afterwards nothing can be drawn.

        The compiled shaders alone take some 25 MB with Mesa's software rasteriser.
        """
        self._renderer.release()
        before, self._ctx.gc_mode = self._ctx.gc_mode, "auto"  # moderngl deletes each object with its last reference
        del self._renderer
        self._ctx.gc_mode = before


def _in_steps(length: int) -> int:
    return max(STEP, length // STEP * STEP)


def box_filtered(image: Image, factor: int, channels: int) -> Image:
    """Return the mean of each block of `factor` x `factor` pixels, in the first `channels` channels.

    The image (H, W, n) becomes (H / factor, W / factor, channels).
    """
    (height, width), given = (side // factor for side in image.shape[:2]), image.shape[2]
    result = np.empty((height, width, channels), dtype=np.uint8)
    if factor == 1:
        for channel in range(channels):  # four times as fast as all at once
            result[:, :, channel] = image[:, :, channel]
        return result
    rows = image[::factor].astype(np.uint16)
    for row in range(1, factor):
        rows += image[row::factor]
    flat, count = rows.reshape(height, -1), factor * factor
    for channel in range(channels):  # long strided rows: three times as fast as over the short last axis
        total = flat[:, channel :: given * factor].copy()
        for column in range(1, factor):
            total += flat[:, channel + column * given :: given * factor]
        total += count // 2
        result[:, :, channel] = total >> count.bit_length() - 1 if factor != 3 else total // count
    return result


def unmultiplied(image: Image) -> Image:
    """Return an image (H, W, 4) with its colours divided by alpha, by which they had been multiplied."""
    alpha = image[..., 3:].astype(np.uint16)
    colors = (255 * image[..., :3].astype(np.uint32) + alpha // 2) // np.maximum(alpha, 1)
    return np.concatenate([np.minimum(colors, 255).astype(np.uint8), image[..., 3:]], axis=2)


def part_of(frame: Frame, tile: Rectangle) -> Frame:
    """Return a part of a frame as a frame of its own; `tile` is x, y, width, height from the frame's lower left corner.

    Every pixel is computed from the same numbers as in the whole frame: its position there, the projection of the
    whole, and values that are constant over a line, a letter or a surface. So it has the same colour, but for the last
    bit of a curve's depth, which the rasteriser interpolates.
    """

    def cut(views: tuple[EyeView, ...]) -> tuple[EyeView, ...]:
        parts = [_interlaced(frame, view, tile) if interlaced else _inside(view, tile) for view in views]
        return tuple(
            _cut(view, inside, corner)
            for view, (inside, corner) in zip(views, parts, strict=True)
            if min(inside[2:]) > 0
        )

    interlaced = frame.mode.layout == "interlaced"
    layers = tuple(replace(layer, views=cut(layer.views)) for layer in frame.layers)
    return replace(frame, size=tile[2:], layers=layers)


def _inside(view: EyeView, tile: Rectangle) -> tuple[Rectangle, tuple[int, int]]:
    """Return the rectangle of the view's pixels in the tile, and the corner at which it is drawn."""
    inside = common(view.rectangle, tile)
    return inside, (inside[0] - tile[0], inside[1] - tile[1])


def _interlaced(frame: Frame, view: EyeView, tile: Rectangle) -> tuple[Rectangle, tuple[int, int]]:
    """Return what `_inside` returns, for a view whose pixels alternate with those of the others in a pattern."""
    pattern, block = frame.mode.interlacing, frame.screen.block
    width, height = part_size(frame.mode, tile[2:], block)
    x, y, w, h = view.rectangle
    inside = (x + tile[0] // len(pattern[0]), y + tile[1] // len(pattern), width, height)
    return inside, (x // w * width, y // h * height)


def _cut(view: EyeView, inside: Rectangle, corner: tuple[int, int]) -> EyeView:
    """Return the part of a view with the pixels `inside`, drawn with its lower left corner at `corner`."""
    across, up = inside[0] - corner[0], inside[1] - corner[1]
    window = view.window and (view.window[0] - across, view.window[1] - up, *view.window[2:])
    offset = (inside[0] - view.rectangle[0], inside[1] - view.rectangle[1])
    return replace(view, rectangle=(*corner, *inside[2:]), window=window, offset=offset)


@cache
def _linear() -> NDArray[np.uint32]:
    """Return the table of the linear light of each sRGB value."""
    return np.rint(BRIGHTEST * linear_from_srgb(np.arange(256) / 255)).astype(np.uint32)


@cache
def _srgb() -> NDArray[np.uint8]:
    """Return the table of the sRGB value of each linear light; making it takes 15 ms and for a moment 17 MB."""
    return np.rint(255 * srgb_from_linear(np.arange(BRIGHTEST + 1) / BRIGHTEST)).astype(np.uint8)


def check_subframes(subframes: int) -> None:
    """Raise InputError if a picture cannot be the mean of this number of moments."""
    check_range("subframes", subframes, 1, MOST_SUBFRAMES)


def subframes_for(snapshot: Snapshot, open_for: float, height: int, least: int) -> int:
    """Return the number of moments, at least `least`, whose mean shows no bands in a picture `height` pixels high.

    The shutter is open for `open_for` [s] of the motion. The bodies are taken to keep the rates that they have in
    `snapshot`.
    """
    turning = [one.reading.omega_world for one in (snapshot, *snapshot.bodies)]
    fastest = max(math.sqrt(float(omega @ omega)) for omega in turning)
    wanted = fastest * open_for * FIGURE * height / BLUR_STEP
    return min(max(math.ceil(min(wanted, MOST_SUBFRAMES)), least), MOST_SUBFRAMES)


def open_moments(open_for: float, subframes: int) -> list[float]:
    """Return the middles of equal parts of the time for which the shutter is open, in the unit of `open_for`."""
    return [(k + 0.5) / subframes * open_for for k in range(subframes)]


def with_names_of(frame: Frame, other: Frame) -> Frame:
    """Return `frame` with its labels where `other`, the frame of another moment, has them.

    The mean of many such frames then has sharp labels.
    """
    layers = tuple(
        replace(layer, scene=replace(layer.scene, labels=_as_seen(named.scene.labels, named.camera, layer.camera)))
        for layer, named in zip(frame.layers, other.layers, strict=True)
    )
    return replace(frame, layers=layers)


def _as_seen(labels: tuple[Label, ...], by: Camera, camera: Camera) -> tuple[Label, ...]:
    """Return the labels moved so that `camera` sees them where the camera `by` sees them now."""
    if camera is by or not labels:
        return labels
    before, now = (np.stack([c.right, c.up, c.backward]) for c in (by, camera))
    seen = (np.array([label.anchor for label in labels]) - by.position) @ before.T
    high, high_now = (math.tan(0.5 * c.field_of_view) for c in (by, camera))
    moved = 2.0 * high_now * np.subtract(by.shift, camera.shift)
    seen[:, :2] = high_now / high * seen[:, :2] - moved * seen[:, 2:]
    anchors = seen @ now + camera.position
    return tuple(replace(label, anchor=anchor) for label, anchor in zip(labels, anchors, strict=True))


class Exposure:
    """Adds up pictures of one size, (H, W, 3) uint8, sRGB."""

    def __init__(self) -> None:
        self._light: NDArray[np.uint32] | None = None
        self._count = 0

    def add(self, image: NDArray[np.uint8]) -> None:
        """Add the next picture; all have the same weight."""
        if self._light is None:
            self._light = np.zeros(image.shape, dtype=np.uint32)
        self._light += _linear()[image]
        self._count += 1

    def mean(self) -> NDArray[np.uint8]:
        """Return the mean of their light, as sRGB."""
        assert self._light is not None  # one was added
        return np.asarray(_srgb()[(self._light + self._count // 2) // self._count])
