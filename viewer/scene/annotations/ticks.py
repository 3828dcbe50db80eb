"""Short marks on the curves: the omega that a recording measured, and ticks that show that the ellipsoid rolls.

The measured points lie on the polhode where the exact motion explains them, and in momentum space as L' on its curve.
The rolling ticks are at equal arc lengths on polhode and herpolhode and meet at the contact: each tick of the polhode
has left a tick on the plane at the point that it touched last. They are counted from the polhode's vertex.
"""

import math

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.common.errors import brief
from viewer.common.language import tr
from viewer.physics.poinsot.construction import RollingMarks
from viewer.race.recorded_lane import Measured
from viewer.scenario.choices.themes import Theme
from viewer.scenario.sections.picture import Show
from viewer.scene.annotations.trails import TINTS, color_scale, colors, ramp
from viewer.scene.camera.camera import Canvas
from viewer.scene.constructions.scale import FURTHEST, Construction, MomentumSpace
from viewer.scene.description import Label, Stroke, Ticks, Trail
from viewer.scene.presentation import Presentation
from viewer.scene.stereo.anaglyph_theme import readable_in
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

BINS = 5  # of residuals, with a colour each
FIRST = 0.3  # of the ramp: colours before it hardly stand out from the ground
SIDE, SIDE_NOW = 6.0, 12.0  # px, of a point and of the present one
ALPHA, BEHIND = 1.0, 0.45  # opacity of a point, and the factor on the far side of the ellipsoid
USUAL = 95.0  # percentile of the residuals, up to which the colours reach at least
ROUND = 1.0, 2.0, 3.0, 5.0, 10.0  # times a power of ten: residuals at which the colours may end
ABOVE = 44.0  # px, of the legend above that of the trail's colours
SPACING = 0.055  # between ticks, about, of the construction's radius
LONGER = 5  # every fifth tick is longer
HALF_LENGTHS, WIDTHS = (0.015, 0.027), (1.4, 2.0)  # of the radius; px: of most ticks, of the longer ones
COUNTS = 15, 300  # least and most ticks on a polhode: a shorter one has none, on a longer one they are farther apart
FEWEST_AROUND = 8  # ticks in a turn of the herpolhode: if there were fewer, none are shown
READABLE = 4.0, 6.0  # px between ticks, at which they begin to appear, and are fully visible
ROWS = 1024  # of the trail, at most, that are searched for ticks
FADE = 0.5  # of the ticks on the plane: the older ones, which fade
TICK_ALPHA = 0.95  # of a tick
FACING = 0.06  # cosine between the surface's normal and the line of sight from which on a tick is seen in full


def measured_points(
    snapshot: Snapshot, presentation: Presentation, built: Construction, canvas: Canvas
) -> Ticks | None:
    """Return all measured points, the present one larger and last, or None if they are not shown."""
    measured = shown(snapshot, presentation)
    if measured is None or not built.moving:
        return None
    in_body = _within(built, measured.omega_body)
    return _ticks(snapshot, presentation, measured, in_body, in_body / built.semi_axes**2, canvas)


def measured_momenta(
    snapshot: Snapshot, presentation: Presentation, built: MomentumSpace, canvas: Canvas
) -> Ticks | None:
    """Return the measured points in momentum space; they lie on the sphere if |L| is right."""
    measured = shown(snapshot, presentation)
    if measured is None or not built.moving:
        return None
    in_body = _within(built, measured.omega_body * snapshot.body.principal_moments)
    return _ticks(snapshot, presentation, measured, in_body, in_body, canvas)


def _within(built: Construction | MomentumSpace, vectors: Array) -> Array:
    """Return vectors (N, 3) in metres, each component at most FURTHEST times the construction's radius."""
    furthest = FURTHEST * built.radius / built.scale
    return np.asarray(built.scale * np.clip(vectors, -furthest, furthest))


def _ticks(
    snapshot: Snapshot, presentation: Presentation, measured: Measured, in_body: Array, normals: Array, canvas: Canvas
) -> Ticks:
    """Return marks at points `in_body` (N, 3) [m] of a surface with outward normals (N, 3), both in body axes."""
    world_from_body, camera = snapshot.reading.rotation_world_from_body, canvas.camera
    points, normals = in_body @ world_from_body.T, normals @ world_from_body.T
    near = np.sum(normals * (camera.position - points), axis=1) >= 0.0
    inks = np.array(bin_colors(presentation))
    now = int(np.argmin(np.abs(measured.time - snapshot.reading.time)))
    sides = np.full(len(points), SIDE)
    sides[now] = SIDE_NOW
    order = np.argsort(np.arange(len(points)) == now, kind="stable")
    depths = np.maximum((camera.position - points) @ camera.backward, 1e-6)
    half = 0.5 * (sides * canvas.metres_per_pixel(1.0) * depths)[:, None] * camera.right
    alphas = np.where(near, ALPHA, BEHIND * ALPHA)[order]
    colors, best = inks[bins(measured)][order], bin_colors(presentation)[0]
    return Ticks((points - half)[order], (points + half)[order], best, alphas, sides[order], colors)


def shown(snapshot: Snapshot, presentation: Presentation) -> Measured | None:
    """Return the measured points that are shown; None under loads, since the measured body had none."""
    return snapshot.measured if presentation.show.measured and snapshot.loads.free else None


def largest(measured: Measured) -> float:
    """Return the round residual at which the colours end."""
    usual = max(float(np.percentile(measured.residuals, USUAL)), 1e-16)
    power = 10.0 ** math.floor(math.log10(usual))
    return next(round_ * power for round_ in ROUND if round_ * power >= usual * (1.0 - 1e-9))


def bins(measured: Measured) -> NDArray[np.intp]:
    """Return the index (N,) of each point's colour; 0 is the colour of the smallest residuals."""
    return np.clip(BINS * measured.residuals / largest(measured), 0, BINS - 1).astype(np.intp)


def bin_colors(presentation: Presentation) -> list[Color]:
    """Return the colours from the smallest residuals to the largest; all stand out, also to the colour-blind."""
    inks = ramp(colors(presentation.theme, False, presentation.stereo), np.linspace(FIRST, 1.0, BINS))
    return [readable_in(presentation.view.theme, presentation.stereo, ink) for ink in inks]


def measured_legend(snapshot: Snapshot, presentation: Presentation, canvas: Canvas) -> tuple[list[Stroke], list[Label]]:
    """Return the legend of the colours of measured points, which stands beside the space axes."""
    measured, view = shown(snapshot, presentation), presentation.view
    if measured is None:
        return [], []
    above = ABOVE if view.trail_color in TINTS and view.construction == "poinsot" else 0.0
    most = tr("{percent} %").format(percent=brief(100.0 * largest(measured), 2))
    return color_scale(
        presentation, canvas, bin_colors(presentation), ("0", most, tr("measured ω: residual")), 0.1, above
    )


def rolling_ticks(
    snapshot: Snapshot, show: Show, built: Construction, canvas: Canvas, theme: Theme, trail: Trail | None
) -> tuple[Ticks | None, Ticks | None]:
    """Return the ticks of the polhode, and those on the plane along `trail`; each is None if it is not shown."""
    marks = _marks(snapshot, built) if show.rolling_ticks else None
    opacity = 0.0 if marks is None else _seen_well(marks, built, canvas)
    if marks is None or opacity == 0.0:
        return None, None
    carried = _polhode_ticks(snapshot, built, marks, canvas, theme, opacity) if show.polhode else None
    left = None if trail is None else _trail_ticks(snapshot, built, marks, trail, theme, opacity)
    return carried, left


def _marks(snapshot: Snapshot, built: Construction) -> RollingMarks | None:
    """Return ticks that suit the construction's size; None if the curves are too small or change under loads."""
    branch = snapshot.curves.branch if built.moving and snapshot.loads.free else None
    if branch is None:
        return None
    least, most = COUNTS
    count = LONGER * round(branch.length * built.scale / (SPACING * built.radius) / LONGER)
    around = 2.0 * math.pi * snapshot.curves.herpolhode_radii[1]
    if count < least or around * min(count, most) < FEWEST_AROUND * branch.length:
        return None
    return snapshot.curves.marks(min(count, most))


def _seen_well(marks: RollingMarks, built: Construction, canvas: Canvas) -> float:
    """Return the opacity of the ticks in a picture: 0 if the picture is too small for them."""
    apart = built.scale * marks.spacing / canvas.metres_per_pixel(canvas.camera.distance)
    return min(max((apart - READABLE[0]) / (READABLE[1] - READABLE[0]), 0.0), 1.0)


def _polhode_ticks(
    snapshot: Snapshot, built: Construction, marks: RollingMarks, canvas: Canvas, theme: Theme, opacity: float
) -> Ticks:
    """Return the ticks on the ellipsoid; those on its far side are transparent."""
    rotation = snapshot.reading.rotation_world_from_body.T
    points, normals = built.scale * marks.points @ rotation, marks.normals @ rotation
    to_eye = canvas.camera.position - points
    facing = np.sum(normals * to_eye, axis=1) / np.linalg.norm(to_eye, axis=1)
    alphas = TICK_ALPHA * opacity * np.clip(facing / FACING, 0.0, 1.0)
    return _across(points, marks.sides @ rotation, np.arange(marks.count), built, theme.polhode, alphas)


def _trail_ticks(
    snapshot: Snapshot, built: Construction, marks: RollingMarks, trail: Trail, theme: Theme, opacity: float
) -> Ticks | None:
    """Return the ticks that the last turn about L has left on the plane."""
    if trail.fades_out:
        return None
    ring, now = trail.ring, snapshot.reading
    first = max(ring.row_at(now.time - trail.length), ring.count - ROWS, ring.first)
    rows = ring.rows(first, ring.count)
    if not len(rows):
        return None
    furthest = FURTHEST * built.radius / built.scale
    omega_body = np.concatenate([np.clip(rows[:, 4:7], -furthest, furthest), now.omega_body[None]])
    omega_world = np.concatenate([np.clip(rows[:, 1:4], -furthest, furthest), trail.newest[None, 1:]])
    passed = marks.passed(omega_body)
    steps = np.diff(passed)
    steps -= marks.count * np.rint(steps / marks.count)
    sign = 1 if np.sum(steps) >= 0.0 else -1
    passed = sign * passed[0] + np.maximum.accumulate(np.append(0.0, np.cumsum(sign * steps)))
    shown = min(2.0 * math.pi * snapshot.curves.herpolhode_radii[1] / marks.spacing, marks.count)
    numbers = np.arange(math.ceil(max(passed[0], passed[-1] - shown)), math.floor(passed[-1]) + 1)
    if not len(numbers):
        return None
    at = np.interp(numbers, passed, np.arange(len(passed)))
    before = np.minimum(at.astype(int), len(passed) - 2)
    if trail.gaps:
        known = ~np.isin(before + 1, trail.after_gaps(first) - first)
        numbers, at, before = numbers[known], at[known], before[known]
    points = omega_world[before] + (at - before)[:, None] * (omega_world[before + 1] - omega_world[before])
    up = built.momentum_axis
    away = points - (points @ up)[:, None] * up
    away /= np.maximum(np.sqrt(np.sum(away * away, axis=1, keepdims=True)), 1e-300)
    x, y, z = up.tolist()
    turn = np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])  # away @ turn: vector product of L's direction and away
    tick = sign * numbers % marks.count
    sides = marks.radial[tick, None] * away + marks.around[tick, None] * (away @ turn)
    alphas = TICK_ALPHA * opacity * np.clip((1.0 - (passed[-1] - numbers) / shown) / FADE, 0.0, 1.0)
    return _across(built.scale * points, sides, tick, built, theme.herpolhode, alphas)


def _across(
    points: Array, sides: Array, numbers: NDArray[np.int64], built: Construction, color: tuple[float, float, float],
    alphas: Array,
) -> Ticks:  # fmt: skip
    """Return ticks with their middles at `points` (N, 3), along unit vectors `sides` (N, 3)."""
    longer = (numbers % LONGER == 0).astype(int)
    half = built.radius * np.array(HALF_LENGTHS)[longer, None] * sides
    return Ticks(points - half, points + half, color, alphas, np.array(WIDTHS)[longer])
