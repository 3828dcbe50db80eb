"""Momentum space (Binet's construction, the paper's Fig. 3): what holds L' in the body.

The sphere σ' of all L' of the right length and the ellipsoid ε' of all L' of the right energy cut in the curve γ', on
which the motion runs. All of it is drawn in the world, turned with the body, on which the camera rides: L' then
keeps the direction of L, and its length that of the arrow L beside Poinsot's construction.
"""

import numpy as np
from numpy.typing import NDArray

from viewer.scenario.choices.themes import Theme
from viewer.scenario.sections.picture import SUITED_POLAR_ANGLES, Show
from viewer.scene.annotations.axes import axis_colors, axis_names, body_axes, space_axes
from viewer.scene.annotations.label_layout import arrange
from viewer.scene.annotations.label_places import SHAFT_PRICE, STUB_PRICE, lines_on, points_of
from viewer.scene.annotations.measured_points import measured_legend, measured_momenta
from viewer.scene.annotations.trail_colors import trail_of
from viewer.scene.annotations.trail_points import points_along
from viewer.scene.camera.canvas import Canvas
from viewer.scene.camera.framing import Subject
from viewer.scene.camera.sweep import ball
from viewer.scene.constructions.correction import (
    SEEN,
    correction_arrow,
    error_angle,
    longest_momentum,
    momentum_correction,
)
from viewer.scene.constructions.handles import handle_position
from viewer.scene.constructions.loads import heads_of, load_arrows, load_labels
from viewer.scene.constructions.momentum_labels import legend, names, sphere_color, tip_label
from viewer.scene.constructions.scale import MOMENTUM_REACH, MomentumSpace, within
from viewer.scene.description import Constraints, Curve, SceneDescription, Stroke, Trail
from viewer.scene.presentation import Presentation
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

FURTHEST = 4.0  # .. and so far L', wherever an integrator drives it
BRANCHES = ((1.0, 1.25), (0.5, 0.8))  # alpha and width of the curve's branch with L', and of the other one
SEPARATRIX = (0.55, 1.1)
ARROW_WIDTH, ARROW_HEAD = 5.0, 18.0
HIDDEN = 1e-6  # of the radius: the size of what is not shown
TRAIL_COLUMN = 4  # of the ring: omega in the body
TRAIL_FADE = 0.3  # turns of the motion
LONG_FADE = 6.0  # .. where all of the path is shown, which does not fade out


def momentum_subject(snapshot: Snapshot, built: MomentumSpace) -> Subject:
    """What the camera shows, riding on the body."""
    end = built.reach + built.stub_length
    return Subject(
        snapshot.reading.rotation_world_from_body.T,
        np.zeros(3),
        (*ball(built.reach), (0.0, end), (0.0, -end), (end, 0.0)),
        SUITED_POLAR_ANGLES["body"],
    )


def describe_momentum(
    snapshot: Snapshot, presentation: Presentation, built: MomentumSpace, canvas: Canvas, large: bool
) -> SceneDescription:
    """What is drawn; `large`: with its legend."""
    show, theme, camera = presentation.show, presentation.theme, canvas.camera
    rotation = snapshot.reading.rotation_world_from_body
    moments = np.asarray(snapshot.body.principal_moments, dtype=np.float64)
    tip = momentum_tip(snapshot, built)
    colors = axis_colors(theme, moments)
    strokes, labels = ([], []) if not show.body_axes else body_axes(
        built.outer, built.stub_length, rotation, colors, axis_names(presentation.view.axis_names, moments), camera
    )  # fmt: skip
    arrows: list[Stroke] = []
    curves = tuple(_curves(snapshot, built, theme)) if built.moving and show.polhode else ()
    trail = None
    if built.moving and (show.herpolhode or show.body_path):
        trail = momentum_trail(snapshot, presentation, built)
    stubs = tuple(strokes)
    loads = load_arrows(snapshot, presentation, canvas)
    if built.moving:
        times, apart = momentum_correction(snapshot, built)
        longest = longest_momentum(built)
        named = names(snapshot, show, built, camera, theme)
        if show.angular_momentum:
            arrows.append(Stroke(np.zeros(3), tip, theme.angular_momentum, 1.0, ARROW_WIDTH, ARROW_HEAD, name="L′"))
            seen = apart / (SEEN * longest)
            named.insert(0, tip_label(tip, seen, camera, theme))
        if times > 0.0:
            color = theme.angular_momentum
            correction, factor = correction_arrow(tip, times, apart, longest, color, canvas, theme)
            arrows += correction
            if large:
                arc, errors = error_angle(tip, apart, factor, color, canvas, theme)
                strokes += arc
                first = 1 if show.angular_momentum else 0  # L' itself
                named = [*named[:first], *errors, *named[first:]]
        named += load_labels(loads, canvas)
        drawn = arrows + heads_of(loads)
        seen_curves = [points_of(curve, rotation) for curve in curves] + (
            [] if trail is None else [points_along(trail)]
        )
        priced = [(drawn, SHAFT_PRICE), (stubs, STUB_PRICE)]
        told = large and presentation.legends
        labels = named + labels + (legend(snapshot, show, built, canvas, theme) if told else [])
        labels = arrange(labels, canvas, None, rotation, drawn, tip, lines_on(canvas, priced, seen_curves))
    else:
        labels = load_labels(loads, canvas) + labels
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
        handle=handle_position(snapshot, presentation, {"momentum": tip, "contact": tip}),
        arrows=tuple(arrows + loads),
        strokes=tuple(strokes),
        overlay_strokes=tuple(triad),
        labels=tuple(labels + triad_labels) if show.labels else (),
        plane_in_front=True,
    )


def momentum_tip(snapshot: Snapshot, built: MomentumSpace) -> Array:
    """Where the arrow of L' ends, (3,), m."""
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
    """Both branches of γ', that of L' first, and the separatrix."""
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
    """Where L' has been."""
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
