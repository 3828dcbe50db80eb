"""The parts of the window in lecture mode: the scene, and the board beside or below it.

All positions are ui pixels, y downwards.
"""

from math import ceil

from viewer.ui.layout import LOWEST_SCENE, TIMELINE_HEIGHT, UNDER_CARD, Areas, Rect, plots_height

WIDE = 1.45  # width divided by height, from which on the board stands beside the scene, else below it
COLUMN = 270.0  # at scale 1: width of the board beside the scene
CELL = (122.0, 62.0)  # at scale 1: least width and height of a number or a control
HEAD, PAD = 36.0, 10.0  # at scale 1: height of the board's title, width of its edge
CELLS = 6  # numbers and controls for which the board has room
SCENE_FRACTION = 0.5  # fraction of the height that the scene keeps, if timeline and board can give way


def column(areas: Areas) -> Rect | None:
    """Return the rectangle of a board that stands beside the scene, else None."""
    return areas.board if areas.board is not None and areas.board.y == areas.scene.y else None


def under_card(areas: Areas) -> int:
    """Return the height of a card that is docked on the board, or 0 without one."""
    return areas.card.height if areas.card is not None and column(areas) is not None else 0


def columns(width: float, scale: float) -> int:
    """Return how many numbers and controls stand side by side on a board `width` pixels wide."""
    return max(1, min(CELLS, int((width - 2 * PAD * scale) // (CELL[0] * scale))))


def arrange_lecture(
    size: tuple[int, int], scale: float, board: bool = True, wanted_plots: float = 0.0, card: int = 0
) -> Areas:
    """Divide a window of `size` pixels; `board` says whether there is a board.

    The other parameters are those of `arrange`. If the board stands below the scene and the scene would be too low,
    first the timeline gives way, then the board.
    """
    width, height = max(size[0], 1), max(size[1], 1)
    if board and width >= max(WIDE * height, 2 * COLUMN * scale):
        left = width - round(COLUMN * scale)
        tall = min(card, height - round(HEAD * scale))
        beside = Areas(scene=Rect(0, 0, left, height), board=Rect(left, 0, width - left, height))
        docked = Rect(left, height - tall, width - left, tall) if tall > 0 else None
        return _below(beside, scale, round(TIMELINE_HEIGHT * scale), wanted_plots, docked)
    card = min(card, max(0, height - round(UNDER_CARD * scale)))
    rows = ceil(CELLS / columns(width, scale))
    full = round((HEAD + rows * CELL[1] + PAD) * scale) if board else 0
    bar = round(TIMELINE_HEIGHT * scale)
    least = max(LOWEST_SCENE * scale, SCENE_FRACTION * height)
    choices = ((bar, full), (0, full), (0, round(HEAD * scale) if board else 0), (0, 0))
    bar, band = next((pair for pair in choices if height - card - sum(pair) >= least), choices[-1])
    whole = Areas(
        scene=Rect(0, 0, width, height - band - card),
        board=Rect(0, height - band, width, band) if band else None,
        card=Rect(0, height - band - card, width, card) if 0 < card <= height - round(UNDER_CARD * scale) else None,
    )
    if whole.card is None:
        whole = Areas(scene=Rect(0, 0, width, height - band), board=whole.board)
    return _below(whole, scale, bar, wanted_plots, whole.card)


def _below(areas: Areas, scale: float, bar: int, wanted_plots: float, docked: Rect | None) -> Areas:
    """Return the areas with the card, and with plots and timeline at the lower edge of the scene."""
    scene = areas.scene
    plots = plots_height(scene.height - bar, scale, wanted_plots)
    if scene.height - bar - plots < LOWEST_SCENE * scale:
        plots = 0
    if scene.height - bar < LOWEST_SCENE * scale:
        bar = 0
    tall = scene.height - bar - plots
    return Areas(
        scene=Rect(0, 0, scene.width, tall),
        board=areas.board,
        card=docked,
        plots=Rect(0, tall, scene.width, plots) if plots else None,
        timeline=Rect(0, tall + plots, scene.width, bar) if bar else None,
    )
