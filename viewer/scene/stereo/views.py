"""Where the eyes stand and what each of them sees: off-axis frusta, and the part of the picture each one fills."""

import math

import numpy as np
from numpy.typing import NDArray
from pyrr import matrix44

from viewer.common.frozen import frozen
from viewer.scenario.choices.stereo_modes import STEREO_MODES, StereoMode
from viewer.scenario.sections.picture import Stereo
from viewer.scene.camera.camera import Camera, projection

Array = NDArray[np.float64]
Rectangle = tuple[int, int, int, int]
Box = tuple[float, float, float, float]  # left, lower side, width, height as fractions of an eye's picture

WHOLE: Box = (0.0, 0.0, 1.0, 1.0)
MARGIN = 256  # px around a tile: more than a line's joint is wide


@frozen
class OnScreen:
    """Where and when a picture is seen.

    Attributes
    ----------
    origin
        The position of the picture's upper left pixel on the screen, in pixels from the screen's upper left one.
    width
        The width of the picture on the screen [m], or None if it is unknown.
    fraction
        The picture's width over the screen's.
    turn
        The number of the turn, when the eyes take turns.
    block
        The number of the picture's pixels, across and down, that are to be reduced to one pixel of the screen.
    resolution
        The number of pixels drawn, across and down, for one pixel of an interlaced picture.
    """

    origin: tuple[int, int] = (0, 0)
    width: float | None = None
    fraction: float = 1.0
    turn: int = 0
    block: int = 1
    resolution: float = 1.0


@frozen
class EyeView:
    """What one eye sees in one part of the picture: matrices for column vectors, and where it is drawn.

    Attributes
    ----------
    rectangle
        x, y, width and height in pixels, from the lower left corner of the finished picture or of the interlaced
        parts. If the picture is drawn in tiles, it is the part in the tile; the rest is about the whole picture.
    shown_size
        Width and height of the rectangle on the screen; widths of lines and letters are measured in these pixels.
    eye
        The eye whose view it is: -1 left, 0 in the middle, +1 right.
    pixels
        Width and height of the eye's whole picture.
    window
        The part of the rectangle that is drawn, or None if all of it is.
    offset
        The position of the rectangle's lower left corner in the eye's whole picture.
    """

    clip_from_world: Array
    position: Array
    rectangle: Rectangle
    shown_size: tuple[float, float]
    eye: int
    pixels: tuple[int, int]
    window: Rectangle | None = None
    offset: tuple[int, int] = (0, 0)

    @property
    def from_drawn(self) -> tuple[int, int]:
        """The shift from a pixel that is drawn to the same pixel of the eye's whole picture."""
        return self.offset[0] - self.rectangle[0], self.offset[1] - self.rectangle[1]

    @property
    def viewport(self) -> Rectangle:
        """The rectangle to rasterise: that of the view, in a tile with a margin, so that no line's joint is clipped."""
        if self.rectangle[2:] == self.pixels:
            return self.rectangle
        sides = zip(self.offset, self.rectangle[2:], self.pixels, strict=True)
        (left, right), (low, high) = (
            (max(start - MARGIN, 0), min(start + length + MARGIN, whole)) for start, length, whole in sides
        )
        return left - self.from_drawn[0], low - self.from_drawn[1], right - left, high - low

    @property
    def scissor(self) -> Rectangle | None:
        """The rectangle in which pixels may be drawn, or None if that is the viewport."""
        if self.window is not None:
            return common(self.rectangle, self.window)
        return None if self.viewport == self.rectangle else self.rectangle

    @property
    def clip_from_whole(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Scale and shift, (across, up), from clip coordinates of the whole picture to those of the viewport."""
        if self.rectangle[2:] == self.pixels:
            return (1.0, 1.0), (0.0, 0.0)
        sides = zip(self.pixels, self.viewport, self.viewport[2:], self.from_drawn, strict=False)
        (a, b), (c, d) = (
            (whole / part, (whole - part - 2 * (start + offset)) / part) for whole, start, part, offset in sides
        )
        return (a, c), (b, d)


def common(one: Rectangle, other: Rectangle) -> Rectangle:
    """Return what two rectangles have in common; its width or height is 0 if they do not overlap."""
    left, low = max(one[0], other[0]), max(one[1], other[1])
    right, high = min(one[0] + one[2], other[0] + other[2]), min(one[1] + one[3], other[1] + other[3])
    return left, low, max(right - left, 0), max(high - low, 0)


def rectangles(mode: StereoMode, size: tuple[int, int]) -> list[Rectangle]:
    """Return the rectangle of a picture of `size` pixels that each of the mode's `eyes` has, in their order."""
    width, height = size
    across, down = mode.halves
    w, h = max(width // across, 1), max(height // down, 1)
    if mode.layout == "columns":
        return [(0, 0, w, h), (width - w, 0, w, h)]
    if mode.layout == "rows":
        return [(0, height - h, w, h), (0, 0, w, h)]
    return [(0, 0, w, h)] * len(mode.eyes)


def shown_size(mode: StereoMode, size: tuple[int, int]) -> tuple[float, float]:
    """Return width and height of one eye's picture on the screen, where a squeezed picture is stretched again."""
    _x, _y, width, height = rectangles(mode, size)[0]
    across, down = mode.halves if mode.squeezed else (1, 1)
    return float(across * width), float(down * height)


def width_on_screen(stereo: Stereo, size: tuple[int, int], screen: OnScreen) -> float | None:
    """Return the width [m] of one eye's picture on the screen, or None if that is unknown."""
    whole = screen.fraction * stereo.screen_width if stereo.screen_width > 0.0 else screen.width
    return None if whole is None else whole * shown_size(STEREO_MODES[stereo.mode], size)[0] / size[0]


def part_size(mode: StereoMode, size: tuple[int, int], block: int = 1) -> tuple[int, int]:
    """Return width and height of one of the parts that are interlaced to a picture of `size` pixels."""
    across, down = len(mode.interlacing[0]), len(mode.interlacing)
    return block * -(-size[0] // (across * block)), block * -(-size[1] // (down * block))


def reduced_size(mode: StereoMode, size: tuple[int, int], screen: OnScreen) -> tuple[int, int]:
    """Return the width and height of the whole picture of an eye in an interlaced mode at a reduced resolution."""
    across, down, parts = len(mode.interlacing[0]), len(mode.interlacing), len(position_eyes(mode, size, screen))
    part = math.sqrt(parts / len(mode.eyes)) * screen.resolution
    return max(round(part * size[0] / across), 1), max(round(part * size[1] / down), 1)


def position_eyes(mode: StereoMode, size: tuple[int, int], screen: OnScreen) -> list[int]:
    """Return the eye of each position in the interlacing pattern, row by row from the picture's lower left pixel."""
    across, down = len(mode.interlacing[0]), len(mode.interlacing)
    top = -(-size[1] // screen.block) - 1 + screen.origin[1]
    return [
        mode.interlacing[(top - b) % down][(a + screen.origin[0]) % across] for b in range(down) for a in range(across)
    ]


def window(rectangle: Rectangle, box: Box) -> Rectangle:
    """Return the box of a rectangle, in whole pixels."""
    x, y, width, height = rectangle
    left, low = round(box[0] * width), round(box[1] * height)
    return x + left, y + low, max(round(box[2] * width), 1), max(round(box[3] * height), 1)


def _placed(box: Box) -> Array:
    """Return the matrix (4, 4) in clip coordinates that moves the contents of a whole picture into the box."""
    left, low, width, height = box
    return _scaled_and_shifted((width, height), (2.0 * left + width - 1.0, 2.0 * low + height - 1.0))


def _scaled_and_shifted(scale: tuple[float, float], shift: tuple[float, float]) -> Array:
    """Return a matrix (4, 4), column vectors: across and up times `scale`, then plus `shift`."""
    matrix = np.asarray(matrix44.create_from_scale((*scale, 1.0)))
    matrix[3, :2] = shift
    return matrix.T


def eye_views(
    camera: Camera,
    stereo: Stereo,
    size: tuple[int, int],
    near: float,
    far: float,
    screen: OnScreen | None = None,
    box: Box = WHOLE,
    shown: tuple[float, float] | None = None,
) -> list[EyeView]:
    """Return the views to be drawn of a picture, in this box of each eye's picture.

    The eyes stand `separation` apart, in hundredths of the camera's distance; points at `convergence` times that
    distance appear in the plane of the screen. `shown` is the exact size of an eye's picture on the screen, which the
    drawn pixels may have only nearly.
    """
    mode, screen = STEREO_MODES[stereo.mode], screen or OnScreen()
    seen_as = shown_size(mode, size)
    across, down = shown or seen_as
    aspect = across * box[2] / (down * box[3])
    apart = 0.01 * stereo.separation * camera.distance
    convergence = stereo.convergence * camera.distance

    def view(
        shown_to: int, rectangle: Rectangle, seen: tuple[float, float], part_from_clip: Array | None = None
    ) -> EyeView:
        eye = -shown_to if stereo.exchange_eyes else shown_to
        sideways = 0.5 * eye * apart
        clip = projection(camera.field_of_view, aspect, near, far, sideways, convergence, camera.shift)
        clip = clip @ camera.view_from_world(sideways)
        if box != WHOLE:
            clip = _placed(box) @ clip
        position = camera.position + sideways * camera.right
        return EyeView(
            clip if part_from_clip is None else part_from_clip @ clip,
            position,
            rectangle,
            seen,
            eye,
            rectangle[2:],
            None if box == WHOLE else window(rectangle, box),
        )

    if mode.layout == "interlaced" and screen.resolution < 1.0:
        w, h = reduced_size(mode, size, screen)
        eyes = dict.fromkeys(position_eyes(mode, size, screen))
        return [view(eye, (number * w, 0, w, h), seen_as) for number, eye in enumerate(eyes)]
    if mode.layout == "interlaced":
        return [view(*part) for part in _interlaced(mode, size, screen)]
    pictures = list(zip(mode.eyes, rectangles(mode, size), strict=True))
    if mode.layout == "frame-sequential":
        pictures = [pictures[screen.turn % len(pictures)]]
    return [view(eye, rectangle, seen_as) for eye, rectangle in pictures]


def _interlaced(
    mode: StereoMode, size: tuple[int, int], screen: OnScreen
) -> list[tuple[int, Rectangle, tuple[float, float], Array]]:
    """Return eye, rectangle, size on the screen and matrix of each part: the pixels of one position in the pattern.

    A part holds every second pixel of the picture across, down or both; its matrix shifts and squeezes the eye's
    picture so that each drawn pixel is centred on the one that is shown, and as wide as the gap to the next.
    """
    across, down = len(mode.interlacing[0]), len(mode.interlacing)
    w, h = part_size(mode, size, screen.block)
    parts = []
    for number, eye in enumerate(position_eyes(mode, size, screen)):
        a, b = number % across, number // across
        scale = size[0] / (across * w), size[1] / (down * h)
        shift = (
            scale[0] - 1.0 + screen.block * (across - 1 - 2 * a) / (across * w),
            scale[1] - 1.0 + screen.block * (down - 1 - 2 * b) / (down * h),
        )
        rectangle = (a * w, b * h, w, h)
        parts.append((eye, rectangle, (float(across * w), float(down * h)), _scaled_and_shifted(scale, shift)))
    return parts


Pair = tuple[float, float]

RANGE = 1e-3, 1e3  # nearest and farthest depth over the camera's distance: any that enclose the scene will do


@frozen
class Picking:
    """The projection of an eye's picture of `size` pixels; positions count right and down from its upper left corner.

    `clip_from_world` (4, 4) is for column vectors; `backward` (3,) is the camera's.
    """

    clip_from_world: Array
    backward: Array
    size: Pair

    def pixel(self, point: Array) -> Pair:
        """Return the pixel at which a point (3,) [m] of the world appears."""
        x, y, _, w = (self.clip_from_world @ (*point, 1.0)).tolist()
        across, up = x / w, y / w
        return 0.5 * (1.0 + across) * self.size[0], 0.5 * (1.0 - up) * self.size[1]

    def depth(self, point: Array) -> float:
        """Return how far a point lies from the middle of the body towards the eye, m."""
        return float(point @ self.backward)

    def point(self, pixel: Pair, depth: float) -> Array:
        """Return the point (3,) [m] that appears at this pixel and lies this far towards the eye."""
        clip = self.clip_from_world @ (*(depth * self.backward), 1.0)  # all points of this depth have this z and w
        across, up = 2.0 * pixel[0] / self.size[0] - 1.0, 1.0 - 2.0 * pixel[1] / self.size[1]
        found = np.linalg.solve(self.clip_from_world, (across * clip[3], up * clip[3], clip[2], clip[3]))
        return np.asarray(found[:3] / found[3])

    def ray(self, pixel: Pair) -> tuple[Array, Array]:
        """Return a point (3,) [m] on the line of sight through a pixel, and its unit vector (3,) away from the eye."""
        away = self.point(pixel, 0.0)
        towards = self.point(pixel, 1e-2 * max(float(np.linalg.norm(away)), 1.0))
        return away, (away - towards) / float(np.linalg.norm(away - towards))


def picking(camera: Camera, stereo: Stereo, size: Pair, part: int) -> Picking:
    """Return the projection of the picture in this part of the window.

    If both eyes share a part, the projection is that of an eye in the middle between them. `stereo` has the eyes as
    they stand in that picture.
    """
    mode = STEREO_MODES[stereo.mode]
    eye = mode.eyes[part] if mode.halves != (1, 1) else 0
    sideways = 0.5 * (-eye if stereo.exchange_eyes else eye) * 0.01 * stereo.separation * camera.distance
    near, far = (fraction * camera.distance for fraction in RANGE)
    aspect, convergence = size[0] / size[1], stereo.convergence * camera.distance
    clip = projection(camera.field_of_view, aspect, near, far, sideways, convergence, camera.shift)
    return Picking(clip @ camera.view_from_world(sideways), camera.backward, size)
