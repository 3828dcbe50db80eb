"""The window's legend in a picture of the scene: the same names with signs of the same forms and colours."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from viewer.common.frozen import frozen
from viewer.scene.annotations.letters import plain_letters
from viewer.scene.camera.camera import Canvas
from viewer.scene.description import Frame, Label, Patch, Stroke
from viewer.scene.naming.spot import Sign
from viewer.scene.stereo.views import shown_size

# px at scale 1: size of a name, width and half height of a sign, gap between them
NAME_SIZE, WIDE, HALF, GAP = 13.0, 18.0, 4.5, 6.0
# px, of the lines of a sign; 2 for a curve or a trail
LINE_WIDTHS = {"arrow": 2.5, "axis": 1.0, "ticks": 1.0, "ruling": 1.0}
PATCHES = {"surface": (2.0, 0.0), "glass": (HALF, 0.0), "ring": (HALF, 2.0)}  # px: corner radius, width of a ring
ARC_PIECES = 6  # straight pieces of the arc that stands for a curve


@frozen
class LegendEntry:
    """A name with its sign.

    `x` is the distance of the sign's left end from the picture's left edge, `y` that of its middle from the upper edge,
    in px at scale 1. A negative one counts from the right or the lower edge.
    """

    name: str
    sign: Sign
    x: float
    y: float


def with_legend(frame: Frame, entries: Sequence[LegendEntry]) -> Frame:
    """Return the frame with these entries in the plane of the screen, over its main layer."""
    if not entries:
        return frame
    main, scene = frame.main, frame.main.scene
    width, height = (side / main.pixel_scale for side in shown_size(frame.mode, frame.size))
    canvas = Canvas(main.camera, (width, height), main.eyes.convergence)
    strokes, patches, labels = [], [], []
    for entry in entries:
        x, y = entry.x % width, height - entry.y % height
        name, place = plain_letters(entry.name), canvas.on_screen_plane(x + WIDE + GAP, y)
        labels.append(Label(name, place, scene.theme.text, NAME_SIZE, (0.0, 0.0), "number", centred=False))
        if entry.sign.form in PATCHES:
            middle = canvas.on_screen_plane(x + 0.5 * WIDE, y)
            patches.append(Patch(middle, (HALF, HALF), entry.sign.color, *PATCHES[entry.sign.form]))
        for start, end, part in sign_lines(entry.sign.form):
            begin, stop = (canvas.on_screen_plane(x + across, y + up) for across, up in (start, end))
            wide = LINE_WIDTHS.get(entry.sign.form, 2.0)
            strokes.append(Stroke(begin, stop, entry.sign.color, part * entry.sign.alpha, wide))
    return frame.with_scene(
        0,
        overlay_strokes=(*scene.overlay_strokes, *strokes),
        backings=(*scene.backings, *patches),
        labels=(*scene.labels, *labels),
    )


Point = tuple[float, float]


def sign_lines(form: str) -> Iterator[tuple[Point, Point, float]]:
    """Yield start, end and opacity of each line of a sign; a surface, glass and a ring have no lines.

    Points are in px at scale 1, right and up from the middle of the sign's left end.
    """
    if form == "trail":  # fainter towards its older end
        for part in range(4):
            yield (0.25 * part * WIDE, 0.0), (0.25 * (part + 1) * WIDE, 0.0), 0.25 * (part + 1)
    elif form == "curve":
        heights = [(6.0 * t * (1.0 - t) - 1.0) * HALF for t in (n / ARC_PIECES for n in range(ARC_PIECES + 1))]
        for number, (start, end) in enumerate(pairwise(heights)):
            yield (number * WIDE / ARC_PIECES, start), ((number + 1) * WIDE / ARC_PIECES, end), 1.0
    elif form == "ruling":
        for at in (-HALF, 0.0, HALF):
            yield (0.5 * WIDE - HALF, at), (0.5 * WIDE + HALF, at), 1.0
            yield (0.5 * WIDE + at, -HALF), (0.5 * WIDE + at, HALF), 1.0
    elif form not in PATCHES:
        yield (0.0, 0.0), (WIDE, 0.0), 1.0
    for side in (-HALF, HALF) if form == "arrow" else ():
        yield (WIDE - 7.0, side), (WIDE, 0.0), 1.0
    for part in range(5) if form == "ticks" else ():
        at, tall = WIDE * (0.1 + 0.2 * part), HALF * (1.0 if part == 2 else 0.6)
        yield (at, -tall), (at, tall), 1.0
