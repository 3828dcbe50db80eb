"""Who has which part of the interface: the scene, the panel or its strip at the right.

Interface pixels, y downwards.
"""

from dataclasses import dataclass

from viewer.settings import NARROWEST_PANEL, PANEL_WIDTH

STRIP_WIDTH = 38.0  # at scale 1, of the folded panel
OPEN_SHARE = 0.45  # where the usual panel takes more of the width, it opens only when it is asked to
MOST = 0.75  # of the width that it ever takes


@dataclass(frozen=True)
class Rect:
    """A part of the window: upper left corner and size in whole pixels."""

    x: int
    y: int
    width: int
    height: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, self.height

    def holds(self, x: float, y: float) -> bool:
        """Whether the point (x, y) lies in it."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    def viewport(self, window_height: int) -> tuple[int, int, int, int]:
        """The same as OpenGL counts: x, y of the lower left corner, upwards from the window's lower edge."""
        return self.x, window_height - self.y - self.height, self.width, self.height


@dataclass(frozen=True)
class Layout:
    """The parts of a window; None for a part that is not shown. The scene has at least one pixel."""

    scene: Rect
    panel: Rect | None = None
    strip: Rect | None = None


def arrange(
    size: tuple[int, int],
    scale: float,
    hidden: bool = False,
    panel_open: bool | None = None,
    wanted_panel: float = PANEL_WIDTH,
) -> Layout:
    """Divides an interface of `size` pixels; `hidden`: the scene has all of it. `wanted_panel`: width at scale 1.

    `panel_open`: whether the panel is wanted or folded to a strip; None: open where it leaves the scene enough.
    """
    width, height = max(size[0], 1), max(size[1], 1)
    panel = 0 if hidden else panel_width(width, scale, wanted_panel)
    if not panel:
        return Layout(scene=Rect(0, 0, width, height))
    is_open = PANEL_WIDTH * scale <= OPEN_SHARE * width if panel_open is None else panel_open
    side = panel if is_open else round(STRIP_WIDTH * scale)
    place = Rect(width - side, 0, side, height)
    return Layout(Rect(0, 0, width - side, height), *((place, None) if is_open else (None, place)))


def panel_width(width: int, scale: float, wanted: float = PANEL_WIDTH) -> int:
    """How many of the interface's `width` pixels the open panel takes; 0 where there is no room for it.

    At most half; the usual width is granted up to three quarters.
    """
    pixels = min(wanted * scale, max(width / 2, min(PANEL_WIDTH * scale, MOST * width)))
    return round(pixels) if pixels >= NARROWEST_PANEL * scale else 0


def text_scale(width: int, scale: float, text_size: float) -> float:
    """The interface's scale for a screen's `scale` and the user's text size: larger text does not hide the panel."""
    return scale * min(text_size, max(1.0, width / 2 / (NARROWEST_PANEL * scale)))
