"""That the ellipsoid rolls: ticks at equal arc lengths on polhode and herpolhode, which meet at the contact.

Each tick of the polhode has left one on the plane where it was last; they are counted from the polhode's vertex.
"""

import math

import numpy as np
from numpy.typing import NDArray

from viewer.physics.poinsot.branch import RollingMarks
from viewer.scenario.choices.themes import Theme
from viewer.scenario.sections.picture import Show
from viewer.scene.camera.camera import Canvas
from viewer.scene.constructions.scale import FURTHEST, Construction
from viewer.scene.description import Ticks, Trail
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

SPACING = 0.055  # of the construction's radius, about
LONGER = 5  # every so many-th tick is longer
HALF_LENGTHS, WIDTHS = (0.015, 0.027), (1.4, 2.0)  # of the radius; px: of most ticks, of the longer ones
COUNTS = 15, 300  # ticks on a polhode: of one with fewer there are none, on a longer one they are farther apart
FEWEST_AROUND = 8  # ticks in a turn of the herpolhode: where there are fewer there are none
READABLE = 4.0, 6.0  # px apart: from there they begin to be seen, and are seen well
ROWS = 1024  # of the trail, in which ticks are looked for
FADE = 0.5  # of the ticks on the plane, the older ones, that fade
ALPHA, BEHIND = 0.95, 0.5  # .. and of that on the far side of the ellipsoid


def rolling_ticks(
    snapshot: Snapshot, show: Show, built: Construction, canvas: Canvas, theme: Theme, trail: Trail | None
) -> tuple[Ticks | None, Ticks | None]:
    """Those of the polhode and those on the plane, along `trail`; None where they are not shown."""
    marks = _marks(snapshot, built) if show.rolling_ticks else None
    opacity = 0.0 if marks is None else _seen_well(marks, built, canvas)
    if marks is None or opacity == 0.0:
        return None, None
    carried = _polhode_ticks(snapshot, built, marks, canvas, theme, opacity) if show.polhode else None
    left = None if trail is None else _trail_ticks(snapshot, built, marks, trail, theme, opacity)
    return carried, left


def _marks(snapshot: Snapshot, built: Construction) -> RollingMarks | None:
    """The ticks that suit the construction's size; None where the curves are too small, or change under loads."""
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
    """Their opacity in a picture: none where it is too small for them."""
    apart = built.scale * marks.spacing / canvas.metres_per_pixel(canvas.camera.distance)
    return min(max((apart - READABLE[0]) / (READABLE[1] - READABLE[0]), 0.0), 1.0)


def _polhode_ticks(
    snapshot: Snapshot, built: Construction, marks: RollingMarks, canvas: Canvas, theme: Theme, opacity: float
) -> Ticks:
    """All of those on the ellipsoid."""
    rotation = snapshot.reading.rotation_world_from_body.T
    points, normals = built.scale * marks.points @ rotation, marks.normals @ rotation
    near = np.sum(normals * (canvas.camera.position - points), axis=1) >= 0.0
    alphas = ALPHA * opacity * np.where(near, 1.0, BEHIND)
    return _across(points, marks.sides @ rotation, np.arange(marks.count), built, theme.polhode, alphas)


def _trail_ticks(
    snapshot: Snapshot, built: Construction, marks: RollingMarks, trail: Trail, theme: Theme, opacity: float
) -> Ticks | None:
    """Those that the last turn about L has left on the plane."""
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
    turn = np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])  # away @ turn: L's direction times it
    tick = sign * numbers % marks.count
    sides = marks.radial[tick, None] * away + marks.around[tick, None] * (away @ turn)
    alphas = ALPHA * opacity * np.clip((1.0 - (passed[-1] - numbers) / shown) / FADE, 0.0, 1.0)
    return _across(built.scale * points, sides, tick, built, theme.herpolhode, alphas)


def _across(
    points: Array, sides: Array, numbers: NDArray[np.int64], built: Construction, color: tuple[float, float, float],
    alphas: Array,
) -> Ticks:  # fmt: skip
    """At points (N, 3), along unit vectors (N, 3)."""
    longer = (numbers % LONGER == 0).astype(int)
    half = built.radius * np.array(HALF_LENGTHS)[longer, None] * sides
    return Ticks(points - half, points + half, color, alphas, np.array(WIDTHS)[longer])
