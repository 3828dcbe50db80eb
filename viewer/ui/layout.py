"""Who has which part of the interface: the scene, the panel at its right. Interface pixels, y downwards."""

from dataclasses import dataclass

from viewer.settings import NARROWEST_PANEL, PANEL_WIDTH


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


def arrange(
    size: tuple[int, int], scale: float, hidden: bool = False, wanted_panel: float = PANEL_WIDTH
) -> Layout:
    """Divides a window of `size` pixels; `hidden`: the scene has all of it. `wanted_panel`: width at scale 1."""
    width, height = max(size[0], 1), max(size[1], 1)
    panel = 0 if hidden else panel_width(width, scale, wanted_panel)
    return Layout(
        scene=Rect(0, 0, width - panel, height),
        panel=Rect(width - panel, 0, panel, height) if panel else None,
    )


def panel_width(width: int, scale: float, wanted: float = PANEL_WIDTH) -> int:
    """How many of the window's `width` pixels the panel takes: at most half, none where that is too narrow."""
    pixels = min(wanted * scale, width / 2)
    return round(pixels) if pixels >= NARROWEST_PANEL * scale else 0


def text_scale(width: int, scale: float, text_size: float) -> float:
    """The interface's scale for a screen's `scale` and the user's text size: larger text does not hide the panel."""
    return scale * min(text_size, max(1.0, width / 2 / (NARROWEST_PANEL * scale)))
