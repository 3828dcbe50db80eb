"""The quantities that can colour a trail, and the colours, whose steps look even, also to the colour-blind."""

from collections.abc import Callable, Sequence
from math import pi

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color, linear_from_oklab, srgb_from_linear
from viewer.common.frozen import frozen
from viewer.common.language import marked, tr
from viewer.scenario.choices.themes import Theme
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.picture import Stereo
from viewer.scene.annotations.labels import TRIAD_SIZE
from viewer.scene.camera.camera import Canvas
from viewer.scene.description import Label, Stroke, Trail, TrailTint
from viewer.scene.presentation import Presentation
from viewer.scene.stereo.anaglyph_theme import gentle_in
from viewer.session.checkpoints import POSITION_COLUMN
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

STOPS = 9  # as in shaders/curve.frag
LEGEND_CORNER, LEGEND_LENGTH, LEGEND_PARTS = (130.0, 40.0), 150.0, 48
LEGEND_END = 310.0  # px from the left, with the number at its end
# a and b of OKLab, which the colour-blind tell apart
BLUE, YELLOW = np.array([-0.03, -0.13]), np.array([0.00, 0.13])
EVENLY = np.linspace(0.0, 1.0, 100)  # fractions along a trail, of points on its visible part
FADED = 4.0  # fade times after which a trail that fades out is invisible


@frozen
class Tint:
    """A quantity that can colour a trail.

    `of_rows` returns its values (n,) for rows (n, 7) of time, omega in the world and omega in the body. `bounds`
    returns the values that have the first and the last colour, and `texts` the legend's texts for these.
    """

    name: str
    title: str
    of_rows: Callable[[Array, Snapshot], Array]
    bounds: Callable[[Snapshot], tuple[float, float]]
    texts: Callable[[float, float], tuple[str, str]]
    cyclic: bool = False


def _speed(rows: Array, _snapshot: Snapshot) -> Array:
    return np.asarray(np.linalg.norm(rows[:, 1:4], axis=1))


def _speeds(snapshot: Snapshot) -> tuple[float, float]:
    speeds = np.linalg.norm(snapshot.curves.polhode, axis=1)
    low, high = float(np.min(speeds)), float(np.max(speeds))
    return (low, high) if high - low > 1e-6 * high else (0.0, max(high, 1e-9))


def _energy_error(rows: Array, snapshot: Snapshot) -> Array:
    energy = 0.5 * rows[:, 4:7] ** 2 @ np.asarray(snapshot.body.principal_moments)
    target = max(snapshot.reading.target_energy, 1e-300)
    return np.asarray(np.log10(np.clip(np.abs(energy / target - 1.0), 1e-16, 1.0)))


def _phase(rows: Array, snapshot: Snapshot) -> Array:
    return np.asarray(rows[:, 0] / (snapshot.period or 1.0) % 1.0)


TINTS: dict[str, Tint] = {
    tint.name: tint
    for tint in (
        Tint("speed", marked("speed, rad/s"), _speed, _speeds, lambda low, high: (f"{low:.3g}", f"{high:.3g}")),
        Tint("energy-error", marked("error of E"), _energy_error, lambda _: (-16.0, 0.0), lambda *_: ("1e-16", "1")),
        Tint("phase", "phase", _phase, lambda _: (0.0, 1.0), lambda *_: ("0", marked("period")), cyclic=True),
    )
}


def colors(theme: Theme, cyclic: bool, stereo: Stereo) -> Array:
    """Return sRGB colours (STOPS, 3), 0..1, suited to the mode and the glasses of `stereo`.

    They run from blue to yellow on a dark ground and from yellow to blue on a light one, and back again if `cyclic`.
    """
    fraction = np.linspace(0.0, 1.0, STOPS)
    if cyclic:
        fraction = 0.5 - 0.5 * np.cos(2.0 * np.pi * fraction)
    dim, clear = (0.52, 0.92) if theme.dark else (0.72, 0.32)
    lightness = dim + (clear - dim) * fraction
    hue = BLUE + fraction[:, None] * (YELLOW - BLUE) if theme.dark else YELLOW + fraction[:, None] * (BLUE - YELLOW)
    stops = srgb_from_linear(linear_from_oklab(np.column_stack([lightness, hue])))
    return np.array([gentle_in(stereo, (float(r), float(g), float(b))) for r, g, b in stops])


def trail_of(
    snapshot: Snapshot, presentation: Presentation, column: int, newest: Array, world_from_points: Array,
    color: Color, carrier: Array, fade: float, fades_out: bool, in_body: bool = False,
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0), name: str = "",
) -> Trail:  # fmt: skip
    """Return the trail of a vector, which is `newest` (3,) now; it fades in `fade` periods, the rest is as in Trail.

    For a path `in_body`, two turns about L at the target E and |L| count as a period, so that an error of the
    integrator does not change its length. Except for the path of the centre of mass, no trail reaches back beyond the
    beginning of the present free motion.
    """
    turn = snapshot.turn_time
    if in_body:
        turn = 2.0 * pi * snapshot.reading.target_momentum / snapshot.reading.target_energy
    length, now = presentation.view.trail_periods * turn, snapshot.reading.time
    if column != POSITION_COLUMN and snapshot.begun is not None and now >= snapshot.begun:
        length = min(length, now - snapshot.begun)
    return Trail(
        snapshot.trail,
        column,
        np.array([now, *newest]),
        world_from_points,
        color,
        carrier,
        fade * turn,
        fades_out,
        length,
        _tint(snapshot, presentation),
        origin,
        name,
        snapshot.gaps,
    )


def _wanted(snapshot: Snapshot, presentation: Presentation) -> Tint | None:
    """Return the tint that the scene asks for; under loads, E has no one target, and no error in the past is known."""
    name = presentation.view.trail_color
    return None if name == "energy-error" and not snapshot.loads.free else TINTS.get(name)


def _tint(snapshot: Snapshot, presentation: Presentation) -> TrailTint | None:
    """Return the colouring that the scene asks for, or None if the trail is coloured by age."""
    tint = _wanted(snapshot, presentation)
    if tint is None:
        return None
    low, high = tint.bounds(snapshot)
    stops = colors(presentation.theme, tint.cyclic, presentation.stereo)
    return TrailTint(tint.name, lambda rows: tint.of_rows(rows, snapshot), low, high, stops)


def corner(scenario: Scenario, measured: bool = False) -> tuple[float, float]:
    """Return width and height, px at scale 1, of the space axes and the legend in a scene's lower left corner.

    `measured` tells whether there are points of a recording.
    """
    tinted = scenario.view.trail_color in TINTS and scenario.view.construction == "poinsot"
    legend = tinted or (measured and scenario.show.measured)
    if not scenario.show.space_axes and not legend:
        return 0.0, 0.0
    return LEGEND_END if legend else TRIAD_SIZE, TRIAD_SIZE


def tint_legend(snapshot: Snapshot, presentation: Presentation, canvas: Canvas) -> tuple[list[Stroke], list[Label]]:
    """Return the legend of a trail's colours, beside the space axes, or nothing if they stand for age."""
    tint = _wanted(snapshot, presentation)
    if tint is None:
        return [], []
    stops = colors(presentation.theme, tint.cyclic, presentation.stereo)
    least, most = map(tr, tint.texts(*tint.bounds(snapshot)))
    inks = ramp(stops, (np.arange(LEGEND_PARTS) + 0.5) / LEGEND_PARTS)
    return color_scale(presentation, canvas, inks, (least, most, tr(tint.title)), -0.1)


def ramp(stops: Array, fractions: Array) -> list[Color]:
    """Return the colours at these fractions of the way along `stops`, (STOPS, 3)."""
    red, green, blue = (np.interp(fractions * (STOPS - 1), np.arange(STOPS), column).tolist() for column in stops.T)
    return list(zip(red, green, blue, strict=True))


def color_scale(
    presentation: Presentation, canvas: Canvas, inks: Sequence[Color], texts: tuple[str, str, str], gap: float,
    above: float = 0.0,
) -> tuple[list[Stroke], list[Label]]:  # fmt: skip
    """Return a row of colours in the plane of the screen, with texts below both ends and over the middle.

    `gap` is the fraction of a colour's length that is left out at each of its ends. `above` raises the row, px.
    """
    color, (x, y) = presentation.theme.text, LEGEND_CORNER

    def point(along: float, up: float = 0.0) -> Array:
        return canvas.on_screen_plane(x + along * LEGEND_LENGTH, y + above + up)

    ends = [((n + gap) / len(inks), (n + 1 - gap) / len(inks)) for n in range(len(inks))]
    strokes = [Stroke(point(begin), point(end), ink, 1.0, 7.0) for (begin, end), ink in zip(ends, inks, strict=True)]
    places = (0.0, -15.0), (1.0, -15.0), (0.5, 15.0)
    labels = [
        Label(text, point(*place), color, 12.5, (0.0, 0.0), "number", 0.9)
        for text, place in zip(texts, places, strict=True)
    ]
    return strokes, labels


def points_along(trail: Trail) -> Array:
    """Return points along a trail, (N, 3), m in the world, the newest last, or none if there is no trail yet."""
    ring, newest = trail.ring, trail.newest
    age = min(trail.length, FADED * trail.fade_time) if trail.fades_out else trail.length
    first = ring.row_at(float(newest[0]) - age)
    if first >= ring.count:
        return np.zeros((0, 3))
    rows = (first + (ring.count - 1 - first) * EVENLY).astype(int)
    vectors = ring.data[rows % ring.capacity, trail.column : trail.column + 3]
    return trail.in_world(np.concatenate([vectors, newest[None, 1:4]]))
