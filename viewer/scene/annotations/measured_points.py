"""What was measured of omega, as points in the body: on the polhode where the exact motion explains them, in momentum
space as L' on its curve; coloured by what the exact motion leaves."""

import math

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.common.errors import brief
from viewer.common.language import tr
from viewer.race.recorded_lane import Measured
from viewer.scene.annotations.trails import LEGEND_CORNER, LEGEND_LENGTH, STOPS, TINTS, colors
from viewer.scene.camera.camera import Canvas
from viewer.scene.constructions.scale import FURTHEST, Construction, MomentumSpace
from viewer.scene.description import Label, Stroke, Ticks
from viewer.scene.presentation import Presentation
from viewer.scene.stereo.anaglyph_theme import readable_in
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

BINS = 5  # of residuals, with a colour each
FIRST = 0.3  # of the way along the ramp: what comes before hardly stands out from the ground
SIDE, SIDE_NOW = 6.0, 12.0  # px, of a point and of the present one
ALPHA, BEHIND = 1.0, 0.45  # .. and of that on the far side of the ellipsoid
USUAL = 95.0  # percentile of the residuals, up to which the colours reach at least
ROUND = 1.0, 2.0, 3.0, 5.0, 10.0  # times a power of ten: where they end
ABOVE = 44.0  # px, of the legend above that of the trail's colours


def measured_points(
    snapshot: Snapshot, presentation: Presentation, built: Construction, canvas: Canvas
) -> Ticks | None:
    """All of them, the present one larger and last; None where they are not shown."""
    measured = shown(snapshot, presentation)
    if measured is None or not built.moving:
        return None
    furthest = FURTHEST * built.radius / built.scale
    in_body = built.scale * np.clip(measured.omega_body, -furthest, furthest)
    return _ticks(snapshot, presentation, measured, in_body, in_body / built.semi_axes**2, canvas)


def measured_momenta(
    snapshot: Snapshot, presentation: Presentation, built: MomentumSpace, canvas: Canvas
) -> Ticks | None:
    """The same in momentum space: on the sphere where |L| is right."""
    measured = shown(snapshot, presentation)
    if measured is None or not built.moving:
        return None
    furthest, moments = FURTHEST * built.radius / built.scale, np.asarray(snapshot.body.principal_moments)
    in_body = built.scale * np.clip(measured.omega_body * moments, -furthest, furthest)
    return _ticks(snapshot, presentation, measured, in_body, in_body, canvas)


def _ticks(
    snapshot: Snapshot, presentation: Presentation, measured: Measured, in_body: Array, normals: Array, canvas: Canvas
) -> Ticks:
    """Points `in_body` (N, 3) [m] of a surface with outward normals (N, 3), both along the body axes."""
    world_from_body, camera = snapshot.reading.rotation_world_from_body, canvas.camera
    points, normals = in_body @ world_from_body.T, normals @ world_from_body.T
    near = np.sum(normals * (camera.position - points), axis=1) >= 0.0
    best, *others = bin_colors(presentation)
    inks = np.array([best, *others])[bins(measured)]
    sides = np.full(len(points), SIDE)
    now = int(np.argmin(np.abs(measured.time - snapshot.reading.time)))
    sides[now] = SIDE_NOW
    order = np.argsort(np.arange(len(points)) == now, kind="stable")
    depths = np.maximum((camera.position - points) @ camera.backward, 1e-6)
    half = 0.5 * (sides * canvas.metres_per_pixel(1.0) * depths)[:, None] * camera.right
    alphas = np.where(near, ALPHA, BEHIND * ALPHA)
    return Ticks((points - half)[order], (points + half)[order], best, alphas[order], sides[order], inks[order])


def shown(snapshot: Snapshot, presentation: Presentation) -> Measured | None:
    """What is shown of them: nothing where loads act, as they had none."""
    return snapshot.measured if presentation.show.measured and snapshot.loads.free else None


def largest(measured: Measured) -> float:
    """The round residual at which the colours end."""
    usual = max(float(np.percentile(measured.residuals, USUAL)), 1e-16)
    power = 10.0 ** math.floor(math.log10(usual))
    return next(round_ * power for round_ in ROUND if round_ * power >= usual * (1.0 - 1e-9))


def bins(measured: Measured) -> NDArray[np.intp]:
    """The number of each point's colour, (N,), the best one 0."""
    return np.clip(BINS * measured.residuals / largest(measured), 0, BINS - 1).astype(np.intp)


def bin_colors(presentation: Presentation) -> list[Color]:
    """From the least residual to the largest one: each stands out from the ground, also to the colour-blind."""
    stops = colors(presentation.theme, False, presentation.stereo)
    places = np.linspace(FIRST, 1.0, BINS) * (STOPS - 1)
    red, green, blue = (np.interp(places, np.arange(STOPS), column).tolist() for column in stops.T)
    theme, stereo = presentation.view.theme, presentation.stereo
    return [readable_in(theme, stereo, color) for color in zip(red, green, blue, strict=True)]


def measured_legend(snapshot: Snapshot, presentation: Presentation, canvas: Canvas) -> tuple[list[Stroke], list[Label]]:
    """What the colours mean, beside the space axes."""
    measured = shown(snapshot, presentation)
    if measured is None:
        return [], []
    x, y = LEGEND_CORNER
    view = presentation.view
    y += ABOVE if view.trail_color in TINTS and view.construction == "poinsot" else 0.0
    inks = bin_colors(presentation)

    def point(along: float, up: float = 0.0) -> Array:
        return canvas.on_screen_plane(x + along * LEGEND_LENGTH, y + up)

    strokes = [Stroke(point((n + 0.1) / BINS), point((n + 0.9) / BINS), ink, 1.0, 7.0) for n, ink in enumerate(inks)]
    most = tr("{percent} %").format(percent=brief(100.0 * largest(measured), 2))
    texts = ((0.0, -15.0, "0"), (1.0, -15.0, most), (0.5, 15.0, tr("measured ω: residual")))
    labels = [
        Label(text, point(along, up), presentation.theme.text, 12.5, (0.0, 0.0), "number", 0.9, centred=True)
        for along, up, text in texts
    ]
    return strokes, labels
