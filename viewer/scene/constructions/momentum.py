"""Momentum space (Binet's construction, the paper's Fig. 3): the surfaces that hold L' in the body.

The sphere σ' of all L' of the right length and the ellipsoid ε' of all L' of the right energy intersect in the curve
γ', along which L' runs. All of it is drawn in the world, turned with the body, on which the camera rides: L' then has
the direction of L, and the length of the arrow L in Poinsot's construction.
"""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.common.language import tr
from viewer.scenario.choices.themes import Theme
from viewer.scenario.sections.picture import SUITED_POLAR_ANGLES, Show
from viewer.scene.annotations.label_layout import arrange
from viewer.scene.annotations.label_places import SHAFT_PRICE, STUB_PRICE, lines_on, points_of
from viewer.scene.annotations.labels import (
    OMEGA_SIZE,
    SYMBOL_SIZE,
    axis_colors,
    axis_names,
    body_axes,
    space_axes,
    triad_box,
)
from viewer.scene.annotations.ticks import measured_legend, measured_momenta
from viewer.scene.annotations.trails import points_along, trail_of
from viewer.scene.camera.camera import Camera, Canvas
from viewer.scene.camera.framing import Subject
from viewer.scene.camera.sweep import ball, mirrored
from viewer.scene.constructions.correction import (
    correction_arrow,
    error_angle,
    errors,
    factor_line,
    longest_momentum,
)
from viewer.scene.constructions.drawing import Drawing, Lines
from viewer.scene.constructions.loads import handle_position
from viewer.scene.constructions.race import ghost_lanes, text_lines
from viewer.scene.constructions.scale import MOMENTUM_REACH, MOMENTUM_SEEN, MomentumSpace, within
from viewer.scene.description import Constraints, Curve, Label, SceneDescription, Stroke, Trail
from viewer.scene.presentation import Presentation
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

FURTHEST = 4.0  # times the sphere's radius: L' is not drawn longer, wherever an integrator drives it
BRANCHES = ((1.0, 1.25), (0.5, 0.8))  # alpha and width of the curve's branch with L', and of the other one
SEPARATRIX = (0.55, 1.1)
ARROW_WIDTH, ARROW_HEAD = 5.0, 18.0
HIDDEN = 1e-6  # of the radius: the size of a surface that is not shown
TRAIL_COLUMN = 4  # of the ring: omega in the body
TRAIL_FADE = 0.3  # turns of the motion
LONG_FADE = 6.0  # .. if all of the path is shown, which does not fade out
OFF_CURVE = 1e-5  # relative errors from which on the legend has them
LEGEND_CORNER = (22.0, 30.0)  # px from the left and upper sides
LEGEND_ROOM = (235.0, 105.0)  # px from there that the surfaces must leave free for a legend
LEGEND_LINE, LEGEND_SIZE, LEGEND_INDENT = 21.0, 13.5, 26.0
SMALLER = 0.8  # factor by which the legend shrinks rather than be missing
CAMERA_ANGLES = np.linspace(0.0, 0.5 * math.pi, 9)  # from z', at which the camera fits the ellipsoid
MARGIN = 1.06  # around the surfaces and the axes, for the names
_TURNS = np.arange(600) + 0.5
_ANGLES, _HEIGHTS = _TURNS * math.pi * (3.0 - math.sqrt(5.0)), 1.0 - _TURNS / 300.0
_RADII = np.sqrt(1.0 - _HEIGHTS**2)
# even over the sphere, (600, 3)
DIRECTIONS = np.stack([np.cos(_ANGLES) * _RADII, np.sin(_ANGLES) * _RADII, _HEIGHTS], axis=1)
CORNERS = math.sqrt(0.5) * np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)])  # on the screen, (4, 2)
STANDS_OUT = 0.02  # of the radius: this far beyond the ellipsoid, the sphere's outline is clearly visible
CURVE_SEEN = 0.1  # of the radius: a smaller curve is almost a point, and its name fades
TIP_OFFSET = 18.0  # px that the name of L' stands ahead of its tip
TIP_ASIDE = 0.6  # .. and to the side, of that: a body axis may go on ahead


def momentum_subject(snapshot: Snapshot, built: MomentumSpace) -> Subject:
    """Return what the camera, which rides on the body, frames: both surfaces, turned about z', and the axes' ends."""
    (x, y, z), ends = np.minimum(built.semi_axes, built.reach), built.outer + built.stub_length
    corners = max(x, y) * np.sin(CAMERA_ANGLES), z * np.cos(CAMERA_ANGLES)
    points = [*np.column_stack(corners), (max(ends[:2]), 0.0), (0.0, ends[2])]
    profile = mirrored(MARGIN * np.array(points)) + ball(MARGIN * built.radius)
    return Subject(snapshot.reading.rotation_world_from_body.T, np.zeros(3), profile, SUITED_POLAR_ANGLES["body"])


def describe_momentum(drawing: Drawing, built: MomentumSpace, lines: Lines, large: bool) -> SceneDescription:
    """Return the scene in momentum space, with the `lines` of the things in the table; if `large`, with the legend."""
    snapshot, presentation, canvas = drawing.snapshot, drawing.presentation, drawing.canvas
    show, theme, camera = presentation.show, presentation.theme, canvas.camera
    rotation = snapshot.reading.rotation_world_from_body
    moments = np.asarray(snapshot.body.principal_moments, dtype=np.float64)
    tip = momentum_tip(snapshot, built)
    colors = axis_colors(theme, moments)
    room, axes = np.full(3, built.stub_length), axis_names(presentation.view.axis_names, moments)
    strokes, labels = ([], []) if not show.body_axes else body_axes(built.outer, room, rotation, colors, axes, canvas)
    arrows, names_of_lines = list(lines.arrows), list(lines.labels)
    curves = tuple(_curves(snapshot, built, theme)) if built.moving and show.polhode else ()
    trail = None
    if built.moving and (show.herpolhode or show.body_path):
        trail = momentum_trail(snapshot, presentation, built)
    stubs = tuple(strokes)
    if built.moving:
        times, apart = drawing.correction
        named = names(snapshot, show, built, camera, theme)
        if times > 0.0:
            color = theme.angular_momentum
            arrows += correction_arrow(tip, apart, longest_momentum(built), color, canvas, theme)
            if large:
                arc, errors = error_angle(tip, apart, color, canvas, theme)
                strokes += arc
                named = [*errors, *named]
        named = [*names_of_lines, *named]
        drawn = [arrow for arrow in arrows if arrow.head or not arrow.name]  # names may stand on the arms of forces
        seen_curves = [points_of(curve, rotation) for curve in curves] + (
            [] if trail is None else [points_along(trail)]
        )
        priced = [(drawn, SHAFT_PRICE), (stubs, STUB_PRICE)]
        labels = named + labels
        if presentation.legends and large:
            labels += legend(snapshot, presentation, built, times, canvas)
        corner = [triad_box(canvas)] if large and show.space_axes else []
        labels = arrange(labels, canvas, None, rotation, drawn, tip, lines_on(canvas, priced, seen_curves), corner)
    else:
        labels = [*names_of_lines, *labels]
    triad, triad_labels = space_axes(canvas, theme) if large and show.space_axes else ([], [])
    if large:
        scale, scale_labels = measured_legend(snapshot, presentation, canvas)
        triad, triad_labels = triad + scale, triad_labels + scale_labels
    return SceneDescription(
        theme=theme,
        world_from_body=rotation,
        camera_forward=-camera.backward,
        key_light=camera.up,
        constraints=_constraints(show, built, theme),
        curves=curves,
        trail=trail,
        measured=measured_momenta(snapshot, presentation, built, canvas),
        contact=tip if built.moving else None,
        handle=handle_position(drawing, {"momentum": tip, "contact": tip}),
        arrows=tuple(arrows),
        strokes=tuple(strokes),
        overlay_strokes=(*triad, *lines.overlay),
        labels=tuple(labels + triad_labels) if show.labels else (),
        plane_in_front=True,
    )


def momentum_in_body_lines(drawing: Drawing) -> Lines:
    """Return the arrow of L', with its name ahead of the tip and to the right."""
    built = drawing.space
    if built is None or not built.moving:
        return Lines()
    color, camera, tip = drawing.theme.angular_momentum, drawing.canvas.camera, momentum_tip(drawing.snapshot, built)
    arrow = Stroke(np.zeros(3), tip, color, 1.0, ARROW_WIDTH, ARROW_HEAD, name="L′")
    right, up = float(tip @ camera.right), float(tip @ camera.up)
    length = max(math.hypot(right, up), 1e-9) / TIP_OFFSET
    offset = (right + TIP_ASIDE * up) / length, (up - TIP_ASIDE * right) / length
    return Lines((arrow,), labels=(Label("L′", tip, color, SYMBOL_SIZE, offset),))


def momentum_tip(snapshot: Snapshot, built: MomentumSpace) -> Array:
    """Return the end (3,) [m] of the arrow of L'."""
    tip = built.scale * np.asarray(snapshot.body.principal_moments) * snapshot.reading.omega_body
    return np.asarray(snapshot.reading.rotation_world_from_body @ within(tip, FURTHEST * built.radius))


def _constraints(show: Show, built: MomentumSpace, theme: Theme) -> Constraints | None:
    if not built.moving or not (show.ellipsoid or show.plane):
        return None
    hidden = HIDDEN * built.radius
    return Constraints(
        built.radius if show.plane else hidden,
        built.semi_axes if show.ellipsoid else np.full(3, hidden),
        sphere_color(theme),
        MOMENTUM_REACH * built.radius,
    )


def _curves(snapshot: Snapshot, built: MomentumSpace, theme: Theme) -> list[Curve]:
    """Return both branches of γ', that of L' first, and the separatrix."""
    moments = np.asarray(snapshot.body.principal_moments)
    carrier = np.full(3, built.radius)
    branch = built.scale * moments * snapshot.curves.polhode
    curves = [
        Curve(sign * branch, theme.polhode, width * theme.polhode_width, alpha, carrier, name)
        for sign, name, (alpha, width) in zip((1.0, -1.0), ("γ′", "opposite"), BRANCHES, strict=True)
    ]
    alpha, width = SEPARATRIX
    return curves + [
        Curve(built.scale * circle, theme.text, width, alpha, carrier, "separatrix")
        for circle in snapshot.curves.separatrix
    ]


def momentum_trail(snapshot: Snapshot, presentation: Presentation, built: MomentumSpace) -> Trail:
    """Return the path of L' so far."""
    moments = np.asarray(snapshot.body.principal_moments, dtype=np.float64)
    world_from_points = snapshot.reading.rotation_world_from_body @ np.diag(built.scale * moments)
    newest = within(snapshot.reading.omega_body, FURTHEST * built.radius / (built.scale * float(np.min(moments))))
    color = presentation.theme.angular_momentum
    long = presentation.show.body_path
    fade = LONG_FADE if long else TRAIL_FADE
    return trail_of(
        snapshot, presentation, TRAIL_COLUMN, newest, world_from_points, color, np.ones(3), fade, not long, long,
        name="trail",
    )  # fmt: skip


def sphere_color(theme: Theme) -> Color:
    """Return the sphere's colour: glass with a hint of L's."""
    red, green, blue = (0.5 * a + 0.5 * b for a, b in zip(theme.angular_momentum, theme.sections, strict=True))
    return red, green, blue


def names(snapshot: Snapshot, show: Show, built: MomentumSpace, camera: Camera, theme: Theme) -> list[Label]:
    """Return the names of the surfaces and of the curve.

    σ' stands at the sphere's lower left, or at another corner if the ellipsoid covers that one, ε' where the ellipsoid
    is clearly visible, and γ' at the upper right of the curve.
    """
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
    """Return the first of `CORNERS` at which the sphere's outline is clearly outside the ellipsoid, or is most so."""
    axes = rotation.T @ np.stack([camera.right, camera.up], axis=1)  # of the screen, in the body
    outlines = np.linalg.norm(built.semi_axes * (CORNERS @ axes.T), axis=1)  # how far the ellipsoid reaches, m
    clear = np.clip(1.0 - outlines / built.radius, 0.0, STANDS_OUT)
    return np.asarray(CORNERS[int(np.argmax(clear))])


def _on_ellipsoid(built: MomentumSpace, rotation: Array, camera: Camera) -> Array:
    """Return a point (3,) of the ellipsoid that is clearly visible: far out on the screen, but not faded."""
    at = DIRECTIONS / np.linalg.norm(DIRECTIONS / built.semi_axes, axis=1)[:, None]
    across, up = at @ (rotation.T @ camera.right), at @ (rotation.T @ camera.up)
    faded = np.linalg.norm(at, axis=1) > MOMENTUM_SEEN * MOMENTUM_REACH * built.radius
    return np.asarray(rotation @ at[int(np.argmax(np.where(faded, -1.0, np.hypot(across, up) + 0.3 * across)))])


def _beside(text: str, anchor: Array, side: Array, color: Color, alpha: float = 1.0) -> Label:
    size = OMEGA_SIZE if text[0] in "σε" else SYMBOL_SIZE
    offset = (float(16.0 * side[0]), float(16.0 * side[1]))
    return Label(text, anchor, color, size, offset, alpha=alpha)


def legend(
    snapshot: Snapshot, presentation: Presentation, built: MomentumSpace, times: float, canvas: Canvas
) -> list[Label]:
    """Return the legend in the upper left corner: what surfaces and curve stand for, and how far L' is off them.

    `times` is the factor by which the corrections are magnified, 0 if there is none. The legend is as large as the
    names if it leaves the surfaces free at zoom 1; if there is less room, it is smaller. A narrow picture has only the
    line with this factor, the errors of an integrator that leaves the exact motion, and that the ghosts are missing.
    """
    show, theme, view, camera = presentation.show, presentation.theme, presentation.view, canvas.camera
    shift = camera.shift[0] - view.pan[0], camera.shift[1] - view.pan[1]
    whole = replace(
        camera, field_of_view=math.radians(view.field_of_view_deg), shift=shift
    )  # neither zoomed nor panned
    unzoomed = replace(canvas, camera=whole)
    radius = built.reach / unzoomed.metres_per_pixel(camera.distance)
    (width, height), (x, y) = canvas.size, unzoomed.project(np.zeros(3))
    smaller = [step / 10.0 for step in range(int(10.0 * canvas.text_size), 9, -1)]
    for grown in (canvas.text_size, *smaller, SMALLER):
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
    if times > 0.0:
        lines.append(("", factor_line(times), theme.text))
    if fits or snapshot.strays:
        lines += [("", line, theme.angular_velocity) for line in errors(snapshot, OFF_CURVE)]
    if ghost_lanes(snapshot, presentation):
        lines.append(("", tr("ghosts of the race are not shown here"), theme.text))
    if not fits:
        return text_lines([(text, color, LEGEND_SIZE) for _, text, color in lines], canvas)
    labels = []
    for row, (symbol, text, color) in enumerate(lines):
        down = LEGEND_CORNER[1] + row * LEGEND_LINE
        anchor = canvas.on_screen_plane(grown * LEGEND_CORNER[0], height - grown * down)
        if symbol:
            labels.append(Label(symbol, anchor, color, grown * SYMBOL_SIZE, (0.0, 0.0), centred=False))
        indent = grown * LEGEND_INDENT, 0.0
        labels.append(Label(text, anchor, color, grown * LEGEND_SIZE, indent, "number", centred=False))
    return labels
