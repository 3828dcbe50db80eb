"""The names in momentum space, and its legend."""

import math

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.common.language import tr
from viewer.scenario.choices.themes import Theme
from viewer.scenario.sections.picture import Show
from viewer.scene.annotations.labels import OMEGA_SIZE, SYMBOL_SIZE
from viewer.scene.camera.camera import Camera
from viewer.scene.camera.canvas import Canvas
from viewer.scene.constructions.correction import errors
from viewer.scene.constructions.scale import MOMENTUM_REACH, MOMENTUM_SEEN, MomentumSpace
from viewer.scene.description import Label
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

OFF_CURVE = 1e-5  # relative errors from which on the legend has them
LEGEND_CORNER = (22.0, 30.0)  # px from the left and upper sides
LEGEND_ROOM = (235.0, 105.0)  # px from there, that the sphere leaves free; else there is no legend
LEGEND_LINE, LEGEND_SIZE, LEGEND_INDENT = 21.0, 13.5, 26.0
_TURNS = np.arange(600) + 0.5
_ANGLES, _HEIGHTS = _TURNS * math.pi * (3.0 - math.sqrt(5.0)), 1.0 - _TURNS / 300.0
_RADII = np.sqrt(1.0 - _HEIGHTS**2)
# even over the sphere, (600, 3)
DIRECTIONS = np.stack([np.cos(_ANGLES) * _RADII, np.sin(_ANGLES) * _RADII, _HEIGHTS], axis=1)
CORNERS = math.sqrt(0.5) * np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)])  # on the screen, (4, 2)
STANDS_OUT = 0.02  # of the radius: reaching so far beyond the ellipsoid, the sphere's outline is clearly its own
CURVE_SEEN = 0.1  # of the radius: a smaller curve is all but a point, and its name fades
TIP_OFFSET = 21.0  # px
TIP_ASIDE = 0.6  # .. so far to the side of L', whose axis may go on there
TIP_AHEAD = 0.45  # .. so far ahead of it where the correction ends, else to the side


def sphere_color(theme: Theme) -> Color:
    """Glass with a hint of L's colour."""
    red, green, blue = (0.5 * a + 0.5 * b for a, b in zip(theme.angular_momentum, theme.sections, strict=True))
    return red, green, blue


def tip_label(tip: Array, apart: Array, camera: Camera, theme: Theme) -> Label:
    """L' beside the arrow's head, ahead of it and to the right, or clear of where the correction comes from.

    `apart`: (3,), from the tip to the beginning of the correction, of length 1 where that is fully seen.
    """
    ahead, coming = (np.array([v @ camera.right, v @ camera.up]) for v in (tip, apart))
    length = float(np.linalg.norm(ahead))
    ahead = ahead / length if length > 1e-9 else np.array([0.0, 1.0])
    right = np.array([ahead[1], -ahead[0]])
    seen = min(float(np.linalg.norm(coming)), 1.0)
    aside = -min(max(3.0 * float(right @ coming), -1.0), 1.0)
    side = (1.0 + seen * (TIP_AHEAD - 1.0)) * ahead + ((1.0 - seen) * TIP_ASIDE + seen * aside) * right
    offset = TIP_OFFSET * side / float(np.linalg.norm(side))
    return Label("L′", tip, theme.angular_momentum, SYMBOL_SIZE, (float(offset[0]), float(offset[1])))


def names(snapshot: Snapshot, show: Show, built: MomentumSpace, camera: Camera, theme: Theme) -> list[Label]:
    """σ' at the sphere's lower left, or where the ellipsoid does not cover it, ε' where that stands out most, γ' at the
    upper right of the curve."""
    rotation = snapshot.reading.rotation_world_from_body
    labels = []
    if show.plane:
        flat = _on_sphere(built, rotation, camera)
        anchor = built.radius * (flat[0] * camera.right + flat[1] * camera.up)
        labels.append(_beside("σ′", anchor, flat, sphere_color(theme)))
    if show.ellipsoid:
        anchor = _on_ellipsoid(built, rotation, camera)
        flat = np.array([anchor @ camera.right, anchor @ camera.up])
        labels.append(_beside("ε′", anchor, flat / max(float(np.linalg.norm(flat)), 1e-9), theme.sections))
    if show.polhode:
        curve = built.scale * (snapshot.curves.polhode * snapshot.body.principal_moments) @ rotation.T
        height = curve @ (0.6 * camera.right + 0.8 * camera.up)
        height += 1.5 * np.minimum(curve @ camera.backward, 0.0)
        best = int(np.argmax(height))
        seen = min(float(np.max(np.ptp(curve, axis=0))) / (CURVE_SEEN * built.radius), 1.0)
        labels.append(_beside("γ′", curve[best], np.array([0.6, 0.8]), theme.polhode, seen))
    return labels


def _on_sphere(built: MomentumSpace, rotation: Array, camera: Camera) -> Array:
    """The first of `CORNERS` in which the sphere's outline stands out beyond the ellipsoid, or does most."""
    axes = rotation.T @ np.stack([camera.right, camera.up], axis=1)  # of the screen, in the body
    outlines = np.linalg.norm(built.semi_axes * (CORNERS @ axes.T), axis=1)  # how far the ellipsoid reaches, m
    clear = np.clip(1.0 - outlines / built.radius, 0.0, STANDS_OUT)
    return np.asarray(CORNERS[int(np.argmax(clear))])


def _on_ellipsoid(built: MomentumSpace, rotation: Array, camera: Camera) -> Array:
    """A point (3,) where the ellipsoid is clear to see: far out on the screen, but not where it has faded."""
    at = DIRECTIONS / np.linalg.norm(DIRECTIONS / built.semi_axes, axis=1)[:, None]
    across, up = at @ (rotation.T @ camera.right), at @ (rotation.T @ camera.up)
    faded = np.linalg.norm(at, axis=1) > MOMENTUM_SEEN * MOMENTUM_REACH * built.radius
    return np.asarray(rotation @ at[int(np.argmax(np.where(faded, -1.0, np.hypot(across, up) + 0.3 * across)))])


def _beside(text: str, anchor: Array, side: Array, color: Color, alpha: float = 1.0) -> Label:
    size = OMEGA_SIZE if text[0] in "σε" else SYMBOL_SIZE
    offset = (float(16.0 * side[0]), float(16.0 * side[1]))
    return Label(text, anchor, color, size, offset, alpha=alpha)


def legend(snapshot: Snapshot, show: Show, built: MomentumSpace, canvas: Canvas, theme: Theme) -> list[Label]:
    """What is shown stands for what, and how far L' is off it, in the upper left corner; where it is narrow, only
    how far an integrator is off that leaves the exact motion."""
    radius = built.reach / canvas.metres_per_pixel(canvas.camera.distance)
    (width, height), (x, y) = canvas.size, canvas.project(np.zeros(3))
    for grown in (canvas.text_size, 1.0):  # as large as the names, where that has room
        right, up = x + 0.5 * width - grown * LEGEND_ROOM[0], 0.5 * height - grown * LEGEND_ROOM[1] - y
        fits = math.hypot(max(right, 0.0), max(up, 0.0)) >= radius
        if fits:
            break
    surfaces = [
        (show.plane, ("σ′", tr("all L′ of this length"), sphere_color(theme))),
        (show.ellipsoid, ("ε′", tr("all L′ of this energy"), theme.sections)),
        (show.polhode, ("γ′", tr("both: where L′ belongs"), theme.polhode)),
    ]
    lines = [line for shown, line in surfaces if shown and fits]
    if fits or snapshot.strays:
        lines += [("", line, theme.angular_velocity) for line in errors(snapshot, OFF_CURVE)]
    if fits and snapshot.correction is not None:
        lines.append(("", tr("corrected at every step"), theme.text))
    labels = []
    for row, (symbol, text, color) in enumerate(lines):
        down = LEGEND_CORNER[1] + row * LEGEND_LINE
        anchor = canvas.on_screen_plane(grown * LEGEND_CORNER[0], height - grown * down)
        if symbol:
            labels.append(Label(symbol, anchor, color, grown * SYMBOL_SIZE, (0.0, 0.0), centred=False))
        indent = grown * LEGEND_INDENT if fits else 0.0, 0.0
        labels.append(Label(text, anchor, color, grown * LEGEND_SIZE, indent, "number", centred=False))
    return labels
