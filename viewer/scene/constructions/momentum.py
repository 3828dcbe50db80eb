"""Momentum space (Binet's construction, the paper's Fig. 3): what holds L' in the body.

The sphere σ' of all L' of the right length and the ellipsoid ε' of all L' of the right energy cut in the curve γ', on
which the motion runs. All of it is drawn in the world, turned with the body, on which the camera rides: L' then
keeps the direction of L, and its length that of the arrow L beside Poinsot's construction.
"""

import math

import numpy as np
from numpy.typing import NDArray

from viewer.scenario.choices.themes import Theme
from viewer.scenario.sections.picture import Show
from viewer.scene.annotations.axes import axis_colors, axis_names, body_axes, space_axes
from viewer.scene.annotations.label_layout import arrange, spots
from viewer.scene.annotations.trail_colors import trail_of
from viewer.scene.camera.camera import Camera
from viewer.scene.camera.framing import Figure, Subject
from viewer.scene.camera.sweep import ball
from viewer.scene.constructions.momentum_labels import LEGEND_SIZE, legend, names, sphere_color, tip_label
from viewer.scene.constructions.scale import MOMENTUM_REACH, MomentumSpace, round_below, within
from viewer.scene.description import Constraints, Curve, Label, SceneDescription, Stroke, Trail
from viewer.scene.presentation import Presentation
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

FURTHEST = 4.0  # .. and so far L', wherever an integrator drives it
BRANCHES = ((1.0, 1.25), (0.5, 0.8))  # alpha and width of the curve's branch with L', and of the other one
SEPARATRIX = (0.55, 1.1)
ARROW_WIDTH, ARROW_HEAD = 5.0, 18.0
CORRECTION_WIDTH, CORRECTION_HEAD = 2.6, 11.0
CORRECTION_REACH = 0.6  # of the radius: the largest correction is drawn at most so long
CORRECTION_END = 9.0  # px: it ends so far from the tip of L', outside of the ring
CORRECTION_LABEL = (76.0, 14.0)  # px from the end of the arrow, in its direction
CORRECTION_SEEN = 0.12  # of that: a shorter one fades
ROUND_OFF = 1e-14  # of |L|: no correction is
HIDDEN = 1e-6  # of the radius: the size of what is not shown
TRAIL_COLUMN = 4  # of the ring: omega in the body
TRAIL_FADE = 0.3  # turns of the motion


def momentum_subject(snapshot: Snapshot, built: MomentumSpace) -> Subject:
    """What the camera shows, riding on the body."""
    end = built.reach + built.stub_length
    return Subject(
        snapshot.reading.rotation_world_from_body.T,
        np.zeros(3),
        Figure((*ball(built.reach), (0.0, end), (0.0, -end), (end, 0.0))),
    )


def describe_momentum(
    snapshot: Snapshot,
    presentation: Presentation,
    built: MomentumSpace,
    camera: Camera,
    shown: tuple[float, float],
    large: bool,
) -> SceneDescription:
    """What is drawn; `shown`: width and height of an eye's picture in pixels at scale 1. `large`: with its legend."""
    show, theme, convergence = presentation.show, presentation.theme, presentation.stereo.convergence
    rotation = snapshot.reading.rotation_world_from_body
    moments = np.asarray(snapshot.body.principal_moments, dtype=np.float64)
    tip = momentum_tip(snapshot, built)
    colors = axis_colors(theme, moments)
    strokes, labels = ([], []) if not show.body_axes else body_axes(
        built.outer, built.stub_length, rotation, colors, axis_names(presentation.view.axis_names, moments), camera
    )  # fmt: skip
    arrows: list[Stroke] = []
    lines: list[Label] = []
    if built.moving:
        times, apart = magnified(snapshot, built)
        named = names(snapshot, show, built, camera, theme)
        if show.angular_momentum:
            arrows.append(Stroke(np.zeros(3), tip, theme.angular_momentum, 1.0, ARROW_WIDTH, ARROW_HEAD, name="L′"))
            seen = apart / (CORRECTION_SEEN * CORRECTION_REACH * built.radius)
            named.insert(0, tip_label(tip, seen, camera, theme))
        if times > 0.0:
            correction, name = _correction(built, tip, times, apart, camera, shown, theme)
            arrows += correction
            named += [name] if large else []
        labels = arrange(named + labels, spots(arrows, tip, camera, shown), camera, shown, None, rotation)
        lines = legend(snapshot, built, camera, shown, theme, convergence) if large else []
    triad, triad_labels = space_axes(camera, convergence, shown, theme) if large else ([], [])
    return SceneDescription(
        theme=theme,
        world_from_body=rotation,
        camera_forward=-camera.backward,
        key_light=camera.up,
        constraints=_constraints(show, built, theme),
        curves=tuple(_curves(snapshot, built, theme)) if built.moving and show.polhode else (),
        trail=momentum_trail(snapshot, presentation, built) if built.moving and show.herpolhode else None,
        contact=tip if built.moving else None,
        arrows=tuple(arrows),
        strokes=tuple(strokes),
        overlay_strokes=tuple(triad) if show.space_axes else (),
        labels=tuple(labels + lines + (triad_labels if show.space_axes else [])) if show.labels else (),
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
        Curve(sign * branch, theme.polhode, width * theme.polhode_width, alpha, carrier)
        for sign, (alpha, width) in zip((1.0, -1.0), BRANCHES, strict=True)
    ]
    alpha, width = SEPARATRIX
    curves += [Curve(built.scale * circle, theme.text, width, alpha, carrier) for circle in snapshot.curves.separatrix]
    return curves


def momentum_trail(snapshot: Snapshot, presentation: Presentation, built: MomentumSpace) -> Trail:
    """Where L' has been."""
    moments = np.asarray(snapshot.body.principal_moments, dtype=np.float64)
    world_from_points = snapshot.reading.rotation_world_from_body @ np.diag(built.scale * moments)
    newest = within(snapshot.reading.omega_body, FURTHEST * built.radius / (built.scale * float(np.min(moments))))
    color = presentation.theme.angular_momentum
    return trail_of(
        snapshot, presentation, TRAIL_COLUMN, newest, world_from_points, color, np.ones(3), TRAIL_FADE, True
    )


def magnified(snapshot: Snapshot, built: MomentumSpace) -> tuple[float, Array]:
    """How many times the next correction is magnified, 0: there is none; and from its end to its beginning, (3,), m."""
    size = float(np.linalg.norm(snapshot.reading.angular_momentum_world))
    correction = snapshot.correction
    if correction is None or correction.largest <= ROUND_OFF * size:
        return 0.0, np.zeros(3)
    longest = CORRECTION_REACH * built.radius
    times = round_below(longest / (built.scale * correction.largest))
    apart = correction.before - correction.after
    apart = times * built.scale * (snapshot.reading.rotation_world_from_body @ apart)
    return times, within(apart, 1.5 * longest)


def _correction(
    built: MomentumSpace,
    tip: Array,
    times: float,
    apart: Array,
    camera: Camera,
    shown: tuple[float, float],
    theme: Theme,
) -> tuple[list[Stroke], Label]:
    """The next correction, magnified: L' as a step leaves it, and the arrow from there to where it is projected."""
    longest = CORRECTION_REACH * built.radius
    strayed, flat = tip + apart, np.array([apart @ camera.right, apart @ camera.up])
    length = float(np.linalg.norm(flat))
    fraction = min(length / (CORRECTION_SEEN * longest), 1.0)
    side = flat / max(length, 1e-300)
    short = CORRECTION_END * 2.0 * camera.distance * math.tan(0.5 * camera.field_of_view) / shown[1]
    end = tip + apart * min(short / max(length, 1e-300), 0.5)
    factor = f"{times:.0f}" if times < 1e5 else f"{times:.0e}".replace("+0", "").replace("+", "")
    offset = (CORRECTION_LABEL[0] * float(side[0]), CORRECTION_LABEL[1] * float(side[1]))
    strokes = [
        Stroke(np.zeros(3), strayed, theme.angular_momentum, 0.45 * fraction, 1.4),
        Stroke(strayed, end, theme.text, fraction, CORRECTION_WIDTH, CORRECTION_HEAD, name="correction"),
    ]
    name = f"correction, {factor} ×"
    return strokes, Label(name, strayed, theme.text, LEGEND_SIZE, offset, "number", fraction)
