"""The parts of the interface.

At the top is the toolbar, below it the scene with a tour's card, plots and timeline, at the right the panel or its
strip. All positions are ui pixels, y downwards; the constants are pixels at scale 1.
"""

from dataclasses import replace
from functools import lru_cache

from viewer.common.frozen import frozen
from viewer.user.settings import NARROWEST_PANEL, PANEL_WIDTH

STRIP_WIDTH = 38.0  # of the folded panel
OPEN_FRACTION = 0.45  # if the panel at its usual width takes more of the window's width, it opens only on request
MOST = 0.75  # the largest fraction of the window's width that the panel ever takes
TOOLBAR_HEIGHT, TIMELINE_HEIGHT = 34.0, 48.0
LOWEST_WITH_TOOLBAR = 320.0  # a lower window has no toolbar; there is also none if the scene would get too low
NARROWEST_BAR, LOWEST_WINDOW = 200.0, 160.0  # with less room there are no plots, no docked card and no toolbar
NARROWEST_TIMELINE = 110.0  # holds the track, the play button and the clock; with less width there is no timeline
LOWEST_SCENE = 140.0  # if the scene would be lower, there are no plots and no toolbar
UNDER_CARD = 100.0  # the height that a card at least leaves the scene
LEAST_CARD = 120.0  # the least height of a card; in a card that is lower than it needs, the text scrolls
LOWEST_PLOTS, MOST_PLOTS = 90.0, 0.6  # the least height of the plots, and the largest fraction of the height
LOW_PLOTS = 150.0  # curves are hard to read in lower plots, which therefore stand beside the card
CARD_BESIDE = 1100.0  # a scene of this width holds a card in its corner; below a narrower one the card has its own part
CUT = 0.8  # if less than this fraction of a tour's tallest card fits below the scene, its cards stand beside the scene


@frozen
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
        """Tell whether the point (x, y) lies in it."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    def viewport(self, window_height: int) -> tuple[int, int, int, int]:
        """Return x and y of the lower left corner, upwards from the window's lower edge as in OpenGL, and the size."""
        return self.x, window_height - self.y - self.height, self.width, self.height


@frozen
class Areas:
    """The parts of a window; None for a part that is not shown. The scene has at least one pixel.

    The `board` takes the place of panel and strip in lecture mode.
    """

    scene: Rect
    toolbar: Rect | None = None
    panel: Rect | None = None
    strip: Rect | None = None
    card: Rect | None = None
    plots: Rect | None = None
    timeline: Rect | None = None
    board: Rect | None = None


@lru_cache(maxsize=8)  # asked for many times a frame
def arrange(
    size: tuple[int, int],
    scale: float,
    hidden: bool = False,
    panel_open: bool | None = None,
    wanted_panel: float = PANEL_WIDTH,
    wanted_plots: float = 0.0,
    card: int = 0,
    grows: bool = False,
    tallest: int = 0,
) -> Areas:
    """Divide an interface of `size` pixels among its parts.

    If the scene is narrow, a tour's card has a part of its own below it. Card and plots stand side by side if otherwise
    the scene would have less than half of the window, or if the plots would be low. If the tallest card of the tour
    would be cut and there are no plots, card and scene stand side by side.

    Parameters
    ----------
    hidden
        Whether the scene has the whole interface.
    panel_open
        Whether the panel is open or folded to a strip; None: it is open if it leaves the scene enough room.
    wanted_panel, wanted_plots
        Width of the panel and height of the plots at scale 1; 0 if the plots are closed.
    card, tallest
        Heights of a tour's present card and of its tallest one [pixels]; 0 if there is no card. If the tallest card
        leaves no room for the toolbar, there is none at any step, so that the toolbar does not come and go.
    grows
        Whether the interface gets wider when the panel opens; the panel then has a strip even if it has no room now.
    """
    width, height = max(size[0], 1), max(size[1], 1)
    if hidden:
        return Areas(scene=Rect(0, 0, width, height))
    top = round(TOOLBAR_HEIGHT * scale)
    divided = panel_open, wanted_panel, wanted_plots, grows, tallest if card else 0
    if width >= NARROWEST_BAR * scale and height >= LOWEST_WITH_TOOLBAR * scale:
        for each in sorted({card, tallest if card else 0}):
            below = _divide(width, height - top, top, scale, each, *divided)
            bare = _divide(width, height, 0, scale, each, *divided)
            if beside_scene(bare) or not _has_room(below, bare, each, height, scale):
                break
        else:
            below = _divide(width, height - top, top, scale, card, *divided)
            return replace(below, toolbar=Rect(0, 0, width, top))
    return _divide(width, height, 0, scale, card, *divided)


def beside_scene(areas: Areas) -> bool:
    """Tell whether a tour's card stands beside the scene."""
    return areas.card is not None and areas.card.y == areas.scene.y


def _has_room(below: Areas, bare: Areas, card: int, height: int, scale: float) -> bool:
    """Tell whether there is room for a toolbar.

    `below` are the other parts if there is a toolbar, `bare` those if there is none.
    """
    if bare.card is not None and below.scene.height < min(height // 2, bare.scene.height):
        return False  # half of the window for the scene is worth more than the toolbar
    same = below.card is None or (below.card.height >= card and (below.plots is None) == (bare.plots is None))
    return same and below.scene.height >= LOWEST_SCENE * scale


def _divide(
    width: int,
    height: int,
    top: int,
    scale: float,
    card: int,
    panel_open: bool | None,
    wanted_panel: float,
    wanted_plots: float,
    grows: bool,
    tallest: int,
) -> Areas:
    """Divide the interface below `top` among all parts but the toolbar; `height` is counted from there."""
    panel = panel_width(width, scale, wanted_panel)
    is_open = PANEL_WIDTH * scale <= OPEN_FRACTION * width if panel_open is None else panel_open
    is_open = is_open and not (grows and not panel)
    side = (panel if is_open else round(STRIP_WIDTH * scale)) if panel or grows else 0
    panel_rect = Rect(width - side, top, side, height) if side else None
    left = width - side
    roomy = left >= NARROWEST_BAR * scale and height >= LOWEST_WINDOW * scale
    bar = (
        round(TIMELINE_HEIGHT * scale) if left >= NARROWEST_TIMELINE * scale and height >= LOWEST_WINDOW * scale else 0
    )
    docked = card if roomy and left < CARD_BESIDE * scale else 0
    half = (top + height + 1) // 2
    docked, plots = _card_and_plots(height - bar, scale, wanted_plots if roomy else 0.0, docked, half)
    band = height - bar - half
    narrow = docked and wanted_plots and (docked + plots > band or plots < LOW_PLOTS * scale)
    tallest = max(card, tallest)
    cut = docked and not wanted_plots and _card_and_plots(height - bar, scale, 0.0, tallest, half)[0] < CUT * tallest
    if cut and left // 2 >= NARROWEST_BAR * scale:
        return Areas(
            scene=Rect(0, top, left - left // 2, height - bar),
            panel=panel_rect if is_open else None,
            strip=None if is_open else panel_rect,
            card=Rect(left - left // 2, top, left // 2, height - bar),
            timeline=Rect(0, top + height - bar, left, bar) if bar else None,
        )
    beside = narrow and band >= LEAST_CARD * scale and left // 2 >= NARROWEST_BAR * scale
    below = top + (half if beside else height - bar - plots - docked)
    if beside:
        card_rect, plots_rect = Rect(0, below, left // 2, band), Rect(left // 2, below, left - left // 2, band)
    else:
        card_rect, plots_rect = Rect(0, below, left, docked), Rect(0, below + docked, left, plots)
    return Areas(
        scene=Rect(0, top, left, below - top),
        panel=panel_rect if is_open else None,
        strip=None if is_open else panel_rect,
        card=card_rect if docked else None,
        plots=plots_rect if plots or beside else None,
        timeline=Rect(0, top + height - bar, left, bar) if bar else None,
    )


def _card_and_plots(room: int, scale: float, wanted_plots: float, card: int, half: int) -> tuple[int, int]:
    """Return the heights of a docked card and of the plots, out of `room` pixels; 0 for one that finds no room.

    If they would leave the scene less than `half` of the window, first the plots get lower, then the card. If that is
    not enough, they leave the scene only its least height; finally there are no plots.
    """
    if not card:
        plots = plots_height(room, scale, wanted_plots)
        return 0, min(plots, max(room - half, round(LOWEST_PLOTS * scale)))
    lowest, least_card = (round(LOWEST_PLOTS * scale) if wanted_plots else 0), min(card, round(LEAST_CARD * scale))
    least = round(UNDER_CARD * scale)
    for scene in (half, round(LOWEST_SCENE * scale), least):
        plots = min(plots_height(room - card, scale, wanted_plots), room - card - scene)
        if plots >= lowest:
            return card, plots
        for plots in (lowest, 0) if scene == least else (lowest,):
            if (left := room - plots - scene) >= least_card:
                return min(card, left), plots
    return 0, plots_height(room, scale, wanted_plots)


def plots_height(room: int, scale: float, wanted: float) -> int:
    """Return the height of the plots, out of `room` pixels; 0 if they are closed or find no room."""
    pixels = min(wanted * scale, MOST_PLOTS * room)
    return round(pixels) if wanted and pixels >= LOWEST_PLOTS * scale else 0


def panel_width(width: int, scale: float, wanted: float = PANEL_WIDTH) -> int:
    """Return how many of the interface's `width` pixels the open panel takes; 0 if there is no room for it.

    It takes at most half of them, except that its usual width may be up to three quarters of them.
    """
    pixels = min(wanted * scale, max(width / 2, min(PANEL_WIDTH * scale, MOST * width)))
    return round(pixels) if pixels >= NARROWEST_PANEL * scale else 0


def text_scale(width: int, scale: float, text_size: float) -> float:
    """Return the interface's scale: the screen's `scale` times the text size, but not so large that no panel fits."""
    return scale * min(text_size, max(1.0, width / 2 / (NARROWEST_PANEL * scale)))
