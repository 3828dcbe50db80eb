"""The chart that shows in ten seconds whether glasses, stereo mode and order of the eyes are right.

Everything on it stands in a scene before a camera and goes through the same passes as any picture: each thing has its
depth, and its parallax follows from that. The chart is laid out on a board of 16 by 9 units in the picture's middle.
"""

import dataclasses
import math

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.common.language import tr
from viewer.scenario.choices.stereo_modes import GLASSES, LEFT, METHODS, RIGHT, STEREO_MODES
from viewer.scenario.choices.themes import Theme
from viewer.scenario.sections.picture import Stereo
from viewer.scene.camera.camera import Camera, Canvas
from viewer.scene.description import Frame, Label, Layer, Patch, background
from viewer.scene.presentation import Display
from viewer.scene.stereo.anaglyph_theme import theme_in
from viewer.scene.stereo.comfort import Depths, Eyes, Picture, comfort
from viewer.scene.stereo.views import eye_views, shown_size, width_on_screen

Array = NDArray[np.float64]

BOARD = (16.0, 9.0)
# parallax of the depth steps, in widths of the picture
STEPS = (-0.01, -0.005, 0.0, 0.005, 0.01, 0.015, 0.02)
EYES = Eyes(5.0, 1.0)
CAMERA = Camera(
    np.array([0.0, 0.0, 1.0]),
    right=np.array([1.0, 0.0, 0.0]),
    up=np.array([0.0, 1.0, 0.0]),
    backward=np.array([0.0, 0.0, 1.0]),
    distance=1.0,
    field_of_view=math.radians(20.0),
)
GRAYS = 11
NEAR, FAR = 0.2, 20.0
ORDER = 0.012  # parallax, in front and behind, of the marks for the order of the eyes
WHITE, BLACK, DARK, PALE, MIDDLE = ((v, v, v) for v in (1.0, 0.0, 0.13, 0.9, 0.5))


class _Board:
    """The board, with the shapes and texts on it; lengths are in its units, from its lower left corner."""

    def __init__(self, shown: tuple[float, float], theme: Theme) -> None:
        self._canvas = Canvas(CAMERA, shown, EYES.convergence)
        self.unit = min(shown[0] / BOARD[0], shown[1] / BOARD[1])
        self._corner = [0.5 * (side - self.unit * length) for side, length in zip(shown, BOARD, strict=True)]
        self._theme = theme
        self.card, self.ink = (DARK, WHITE) if theme.dark else (PALE, BLACK)
        self.patches: list[Patch] = []
        self.labels: list[Label] = []

    def point(self, x: float, y: float, parallax: float = 0.0) -> Array:
        """Return the world point with this parallax that a centred eye sees at (x, y) of the board."""
        on_plane = self._canvas.on_screen_plane(self._corner[0] + self.unit * x, self._corner[1] + self.unit * y)
        return np.asarray(CAMERA.position + (on_plane - CAMERA.position) * (self.depth(parallax) / EYES.convergence))

    def depth(self, parallax: float) -> float:
        """Return the depth at which a point has this parallax."""
        width_at_one = self._canvas.size[0] * self._canvas.metres_per_pixel(1.0)
        return 1.0 / (1.0 / EYES.convergence - parallax * width_at_one / (0.01 * EYES.separation))

    def box(
        self, x: float, y: float, width: float, height: float, color: Color, corner: float = 0.12,
        ring: float = 0.0, eye: int = 0, parallax: float = 0.0,
    ) -> None:  # fmt: skip
        """Add a box with its middle at (x, y), or only its edge if `ring` is not 0; `eye` is as in Patch."""
        half = 0.5 * self.unit * width, 0.5 * self.unit * height
        self.patches.append(
            Patch(self.point(x, y, parallax), half, color, min(self.unit * corner, *half), self.unit * ring, eye)
        )

    def disc(self, x: float, y: float, size: float, color: Color, ring: float = 0.0, parallax: float = 0.0) -> None:
        """Add a disc of this diameter, or a ring if `ring` is not 0."""
        self.box(x, y, size, size, color, 0.5 * size, ring, parallax=parallax)

    def text(
        self, x: float, y: float, text: str, size: float = 0.26, dim: bool = False, centred: bool = False,
        eye: int = 0, parallax: float = 0.0, color: Color | None = None,
    ) -> None:  # fmt: skip
        """Add a line of text that begins at (x, y), or has its middle there if `centred`."""
        self.labels.append(
            Label(text, self.point(x, y, parallax), color or self._theme.text, self.unit * size, (0.0, 0.0), "number",
                  0.62 if dim else 1.0, centred, eye)
        )  # fmt: skip


def chart_frame(stereo: Stereo, display: Display, theme_name: str = "dark") -> Frame:
    """Return the chart for a display, in the mode, glasses, method and order of eyes of `stereo`."""
    size, pixel_scale, screen = display.size, display.pixel_scale, display.screen
    whole = shown_size(STEREO_MODES[stereo.mode], size)
    shown = whole[0] / pixel_scale, whole[1] / pixel_scale
    theme = theme_in(theme_name, stereo)
    board = _Board(shown, theme)
    _heading(board, stereo)
    _left_and_right(board, theme)
    _depth_steps(board, theme)
    _ghost_patches(board, stereo)
    _grey_ramp(board)
    placed = dataclasses.replace(stereo, separation=EYES.separation, convergence=EYES.convergence)
    views = eye_views(CAMERA, placed, size, NEAR, FAR, screen)
    picture = Picture(CAMERA, whole[0] / whole[1], width_on_screen(stereo, size, screen))
    deep = [board.depth(parallax) for parallax in (STEPS[0], STEPS[-1])]
    figures = comfort(EYES, Depths(*deep), picture, stereo.viewing_distance)
    scene = dataclasses.replace(background(theme, CAMERA), labels=tuple(board.labels), patches=tuple(board.patches))
    layer = Layer(pixel_scale, tuple(views), CAMERA, scene, EYES, figures)
    return Frame((layer,), size, placed, screen, figures)


def _heading(board: _Board, stereo: Stereo) -> None:
    mode = STEREO_MODES[stereo.mode]
    name = tr(mode.label)
    if mode.layout == "anaglyph":
        text = tr("{mode}: {glasses} glasses, colours: {method}")
        glasses, method = tr(GLASSES[stereo.glasses].label.lower()), tr(METHODS[stereo.anaglyph_method].label)
        name = text.format(mode=name, glasses=glasses, method=method)
    board.text(0.6, 8.5, tr("Stereo chart · {name}").format(name=name), 0.36)
    board.text(0.6, 8.06, tr(mode.summary) + (tr("; eyes swapped") if stereo.exchange_eyes else ""), dim=True)


def _left_and_right(board: _Board, theme: Theme) -> None:
    """Draw a letter for each eye alone, a disc in front of the screen and a ring behind it."""
    seen = (2.6, LEFT, "L", tr("only the left eye sees L")), (7.0, RIGHT, "R", tr("only the right eye sees R"))
    for x, eye, letter, line in seen:
        board.box(x, 6.55, 4.0, 2.1, board.card)
        board.text(x, 6.75, letter, 1.5, centred=True, eye=eye, color=board.ink)
        board.text(x, 5.75, line, 0.24, dim=True, centred=True)
    board.box(12.4, 6.55, 6.0, 2.1, board.card)
    board.disc(10.9, 6.8, 0.9, theme.text, parallax=-ORDER)
    board.text(10.9, 5.75, tr("disc in front"), 0.24, dim=True, centred=True)
    board.disc(13.9, 6.8, 1.1, theme.text, ring=0.16, parallax=ORDER)
    board.text(13.9, 5.75, tr("ring behind"), 0.24, dim=True, centred=True)
    line = tr("Letters or depth reversed: swap the eyes (X). A letter seen by both eyes: wrong mode or glasses.")
    board.text(0.6, 5.16, line, 0.24)


def _depth_steps(board: _Board, theme: Theme) -> None:
    """Draw a row of figures from in front of the screen to behind it."""
    board.box(8.0, 4.06, 14.8, 1.6, board.card)
    for i, parallax in enumerate(STEPS):
        x = 1.9 + 2.03 * i
        board.disc(x, 4.3, 0.62, theme.text, ring=0.1 if parallax > 0.0 else 0.0, parallax=parallax)
        sign = "-" if parallax < 0.0 else "+" if parallax > 0.0 else ""
        text = f"{sign}{abs(100.0 * parallax):g} %" if parallax else tr("screen")
        board.text(x, 3.6, text.replace("-", "−"), 0.26, centred=True, parallax=parallax)
    board.text(0.6, 3.0, tr("Each step lies farther away than the one at its left; parallax of the width."), 0.24)


def _ghost_patches(board: _Board, stereo: Stereo) -> None:
    """Draw squares for one eye alone, light on dark and dark on light; a trace in the other eye is a ghost."""
    cards = ((2.3, BLACK, WHITE), (6.1, MIDDLE, WHITE), (9.9, MIDDLE, BLACK), (13.7, WHITE, BLACK))
    for x, ground, color in cards:
        board.box(x, 2.05, 3.4, 1.1, ground)
        for shift, eye, letter in ((-0.8, LEFT, "L"), (0.8, RIGHT, "R")):
            board.box(x + shift, 2.05, 0.7, 0.7, color, 0.06, eye=eye)
            board.text(x + shift, 2.05, letter, 0.3, centred=True, eye=eye, color=ground)
    line = tr("With one eye closed the other eye's squares are gone.")
    if STEREO_MODES[stereo.mode].layout == "anaglyph":
        text = tr("Ghosts: raise left crosstalk ({left} %) or right crosstalk ({right} %).")
        line += " " + text.format(left=f"{stereo.left_leak:g}", right=f"{stereo.right_leak:g}")
    board.text(0.6, 1.26, line, 0.24)


def _grey_ramp(board: _Board) -> None:
    width = 14.8 / GRAYS
    for i in range(GRAYS):
        value = i / (GRAYS - 1)
        board.box(0.6 + width * (i + 0.5), 0.72, width, 0.5, (value, value, value), 0.0)
    board.text(0.6, 0.24, tr("Grey without a tint, eleven steps: the colours are mixed right."), 0.24)
