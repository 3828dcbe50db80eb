"""Twins of the body: the lanes of a race, each in its colour, and a stroboscope's outlines at other moments."""

import dataclasses
from collections.abc import Iterable, Sequence
from math import floor, inf

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color, hex_color
from viewer.common.language import tr
from viewer.physics.body import RigidBody
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.rotation import from_rotation_vector, multiply, rotation_matrix
from viewer.physics.simulation import Simulation
from viewer.physics.state import State
from viewer.race.live import LaneNow
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.picture import Stereo
from viewer.scenario.sections.race import LANE_COLORS, Lane, Race, Recorded
from viewer.scene.annotations.labels import axis_colors
from viewer.scene.annotations.letters import plain_letters
from viewer.scene.camera.camera import Canvas
from viewer.scene.constructions.scale import Construction, within
from viewer.scene.description import Ghost, Label, Stroke
from viewer.scene.presentation import Presentation
from viewer.scene.stereo.anaglyph_theme import readable_in, theme_of
from viewer.scene.words.formatting import format_errors
from viewer.session.derived import STRAYS
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]
AnyLane = Lane | Recorded
Line = tuple[str, Color, float]  # text, colour and size, px

OMEGA_WIDTH = 2.4
OMEGA_HEAD = 9.0
TITLE_SIZE, NOTE_SIZE = 14.0, 11.5  # px, of the name of a lane and of its errors
TITLE_MARGIN = 12.0  # px
NOTE_LETTER = 0.53  # width of a letter over its size
LEAST_LEGEND = (420.0, 300.0)  # px: a smaller picture has no legend
FURTHEST = 3.0  # times the construction's size: no lane's arrow is longer
TURN = np.radians(20.0)  # about L from one moment of the stroboscope to the next
OUTLINE = 0.8  # an outline's opacity over the ellipsoid, over its axis's; faces are not drawn: they would hide it
WIDTH = 2.2  # px, of an outline, which is all that one sees of a past body
AXIS_WIDTH = 2.4  # px, of the axis of a twin
FULL = 0.5  # of the time between two moments, after which an outline has its full opacity


def lane_color(number: int, theme: str, stereo: Stereo) -> Color:
    """Return the colour of the lane with this number in the theme with this name, for a stereo mode and glasses."""
    return readable_in(theme, stereo, hex_color(LANE_COLORS[number % len(LANE_COLORS)]))


def color_of(lane: AnyLane, number: int, lanes: Sequence[AnyLane], scenario: Scenario) -> Color:
    """Return the colour of the numbers and curves of one of these `lanes`.

    It is the text's colour if the body itself turns as this lane does, and a ghost as the exact motion.
    """
    if lane is _body_lane(lanes, scenario.race):
        return theme_of(scenario).text
    return lane_color(number, scenario.view.theme, scenario.stereo)


def _body_lane(lanes: Sequence[AnyLane], race: Race) -> AnyLane | None:
    """Return the scene's one recording, as which the body turns beside the ghosts, or None."""
    recorded = [lane for lane in lanes if isinstance(lane, Recorded)]
    alone = race.show == "ghosts" and len(recorded) == 1 and recorded[0].name not in race.hidden
    return recorded[0] if alone else None


def shown_lanes(snapshot: Snapshot, race: Race) -> tuple[LaneNow, ...]:
    """Return the lanes that are not hidden."""
    return tuple(now for now in snapshot.lanes if now.lane.name not in race.hidden)


def turning_as_recorded(snapshot: Snapshot, race: Race) -> Snapshot:
    """Return a snapshot in which the body turns as the scene's one recording does, and the exact motion is a ghost.

    Without ghosts, or with several recordings, the snapshot is returned unchanged.
    """
    body = _body_lane([now.lane for now in snapshot.lanes], race)
    now = next((now for now in snapshot.lanes if now.lane is body and now.stopped is None), None)
    if now is None:
        return snapshot
    here = snapshot.reading
    ahead = here.time - now.time  # less than the time between two rows; meanwhile it turns on evenly
    orientation = multiply(from_rotation_vector(now.omega_world * ahead), now.orientation_wxyz)
    turned = dataclasses.replace(
        now, time=here.time, orientation_wxyz=orientation, rotation_world_from_body=rotation_matrix(orientation)
    )
    exact = dataclasses.replace(
        now, lane=Lane(snapshot.integrator, snapshot.stabilisation), time=here.time, trail=snapshot.trail, gaps=(),
        orientation_wxyz=here.orientation_wxyz, rotation_world_from_body=here.rotation_world_from_body,
        omega_world=here.omega_world, angular_momentum_world=here.angular_momentum_world, energy_error=0.0,
        momentum_error=0.0, direction_error=0.0, orientation_error=0.0,
        phase_error=None if now.phase_error is None else 0.0, other_since=None,
    )  # fmt: skip
    others = tuple(lane for lane in snapshot.lanes if lane is not now)
    return dataclasses.replace(lane_snapshot(snapshot, turned), lanes=(exact, *others), recorded=now)


def ghost_lanes(snapshot: Snapshot, presentation: Presentation) -> list[tuple[LaneNow, Color]]:
    """Return the lanes that are shown as ghosts, each with its colour."""
    if presentation.race.show != "ghosts":
        return []
    theme, stereo = presentation.view.theme, presentation.stereo
    return [(now, lane_color(now.number, theme, stereo)) for now in shown_lanes(snapshot, presentation.race)]


def lane_arrows(snapshot: Snapshot, presentation: Presentation, built: Construction) -> list[Stroke]:
    """Return a thin arrow along the omega of each lane that is shown as a ghost."""
    if not presentation.show.angular_velocity:
        return []
    arrows = []
    for now, color in ghost_lanes(snapshot, presentation):
        tip = within(built.scale * now.omega_world, FURTHEST * built.radius)
        if now.stopped is None and float(np.linalg.norm(tip)) > 0.0:
            name = f"lane:{now.lane.label}"
            arrows.append(Stroke(np.zeros(3), tip, color, 0.95, OMEGA_WIDTH, OMEGA_HEAD, name=name))
    return arrows


def lane_snapshot(snapshot: Snapshot, now: LaneNow) -> Snapshot:
    """Return the snapshot with a lane in place of the motion; the construction is still that of the targets."""
    errors = now.energy_error, now.momentum_error, now.direction_error, now.orientation_error
    return dataclasses.replace(
        snapshot,
        lanes=(),
        strays=not isinstance(now.lane, Recorded) and max(map(abs, errors)) > STRAYS,
        correction=None,  # this is the motion's own, as is
        measured=snapshot.measured if isinstance(now.lane, Recorded) else None,
        stabilisation="off",
        trail=now.trail,
        gaps=now.gaps,
        reading=dataclasses.replace(
            snapshot.reading,
            time=now.time,
            orientation_wxyz=now.orientation_wxyz,
            rotation_world_from_body=now.rotation_world_from_body,
            omega_world=now.omega_world,
            omega_body=now.rotation_world_from_body.T @ now.omega_world,
            angular_momentum_world=now.angular_momentum_world,
        ),
    )


def whose(snapshot: Snapshot) -> str:
    """Return the note on the scene's own motion: that it is the reference, if its integrator has no error."""
    return tr("reference") if INTEGRATORS[snapshot.integrator].dense else tr("this motion")


def legend(snapshot: Snapshot, presentation: Presentation, canvas: Canvas, first: Sequence[Line] = ()) -> list[Label]:
    """Return the lines `first` and, if there is room, the ghosts' names and errors, in the upper left corner."""
    width, height = canvas.size
    if presentation.race.show != "ghosts" or width < LEAST_LEGEND[0] or height < LEAST_LEGEND[1]:
        return text_lines(first, canvas)
    if width < canvas.text_size * LEAST_LEGEND[0] or height < canvas.text_size * LEAST_LEGEND[1]:
        canvas = dataclasses.replace(canvas, text_size=1.0)
    text = presentation.theme.text
    lines = list(first)
    if (recorded := snapshot.recorded) is not None:
        lines += [(recorded.lane.label, text, TITLE_SIZE), (format_errors(recorded), text, NOTE_SIZE)]
    for now, color in ghost_lanes(snapshot, presentation):
        exact = recorded is not None and now is snapshot.lanes[0]
        errors = whose(snapshot) if exact else format_errors(now)
        lines += [(now.lane.label, color, TITLE_SIZE), (errors, text, NOTE_SIZE)]
    return text_lines(lines, canvas)


def shortened(text: str, size: float, width: float) -> str:
    """Return as much of a line as fits into this width [px], with an ellipsis in place of the rest."""
    letters = max(1, int(width / (NOTE_LETTER * size)))
    return text if len(text) <= letters else text[: letters - 1].rstrip(" ,") + "…"


def text_lines(lines: Iterable[Line], canvas: Canvas) -> list[Label]:
    """Return lines of text from the upper left corner down, in the plane of the screen.

    A line wider than the picture ends in an ellipsis.
    """
    labels, down, grown = [], 2.0, canvas.text_size
    for text, color, size in lines:
        text = shortened(text, size, canvas.size[0] / grown - 2.0 * TITLE_MARGIN)
        down += 0.5 * size + 8.0
        anchor = canvas.on_screen_plane(grown * TITLE_MARGIN, canvas.size[1] - grown * down)
        down += 0.5 * size
        size *= grown
        labels.append(Label(plain_letters(text), anchor, color, size, (0.0, 0.0), style="number", centred=False))
    return labels


def ghosts(snapshot: Snapshot, presentation: Presentation) -> tuple[Ghost, ...]:
    """Return the twins of a race's lanes, without faces, which would hide the body and each other."""
    return tuple(
        Ghost(now.rotation_world_from_body, color, f"ghost:{now.lane.label}", faces=0.0)
        for now, color in ghost_lanes(snapshot, presentation)
        if now.stopped is None
    )


def ghost_axes(snapshot: Snapshot, presentation: Presentation, built: Construction) -> list[Stroke]:
    """Return both ends of each twin's axis of the smallest moment of inertia, in its lane's colour."""
    if not (presentation.show.body and presentation.show.body_axes):
        return []
    number = int(np.argmin(snapshot.body.principal_moments))
    outer = float(built.axis_ends[number])
    strokes = []
    for now, color in ghost_lanes(snapshot, presentation):
        for end in (outer, -outer) if now.stopped is None else ():
            tip = end * now.rotation_world_from_body[:, number]
            start = (1.0 - built.stub_length / outer) * tip
            strokes.append(Stroke(start, tip, color, 1.0, AXIS_WIDTH, name=f"ghost:{now.lane.label}"))
    return strokes


def flashes(
    snapshot: Snapshot, presentation: Presentation, built: Construction
) -> tuple[tuple[Ghost, ...], list[Stroke]]:
    """Return the body's outlines at the moments of a stroboscope, those farthest in time first, and an axis of each.

    The moments stand still while the motion goes on. The axis is the positive end of that of the smallest moment of
    inertia, in its colour. The outlines belong to the free motion through the present state: there are none while loads
    act, and none at moments before they ended.
    """
    show = presentation.show
    view, reading, theme = presentation.view, snapshot.reading, presentation.theme
    count = view.stroboscope
    if not count or reading.at_rest or not snapshot.loads.free:
        return (), []
    # the component of omega along L is 2 E / |L| at any time
    spacing = TURN * float(np.linalg.norm(reading.angular_momentum_world)) / (2.0 * reading.energy)
    last = floor(reading.time / spacing)
    since = reading.time - last * spacing
    latest = _after(snapshot.body, reading.state, -since, 1)[-1] if since > 0.0 else reading.state
    later = _after(snapshot.body, latest, spacing, count)[1:] if view.onion_skin else []
    found = [
        (-k - since / spacing, state) for k, state in enumerate(_after(snapshot.body, latest, -spacing, count - 1))
    ]
    found += [(k - since / spacing, state) for k, state in enumerate(later, 1)]
    begun = -inf if snapshot.begun is None else (snapshot.begun - reading.time) / spacing
    ghosts, axes = list[Ghost](), list[Stroke]()
    number = int(np.argmin(snapshot.body.principal_moments))
    hue = axis_colors(theme, np.asarray(snapshot.body.principal_moments))[number]
    inner, outer = float(built.solid.reach[number]), float(built.axis_ends[number])
    for ahead, state in sorted((one for one in found if one[0] >= begun), key=lambda one: -abs(one[0])):
        color, opacity = theme.text if ahead <= 0.0 else theme.herpolhode, _opacity(abs(ahead), count)
        rotation = rotation_matrix(state.orientation_wxyz)
        outline = opacity * (OUTLINE if show.ellipsoid else 1.0)
        ghosts.append(Ghost(rotation, color, outline=outline, faces=0.0, width=WIDTH, silhouette=True))
        if show.body_axes:
            end = rotation[:, number]
            axes.append(Stroke(inner * end, outer * end, hue, opacity, AXIS_WIDTH))
    return tuple(ghosts), axes


def _after(body: RigidBody, state: State, seconds: float, count: int) -> list[State]:
    """Return the state, and the states of the free motion 1 to `count` times `seconds` later, to round-off."""
    simulation, states = Simulation(body, state, integrator="exact-drift", step=abs(seconds)), [state]
    for _ in range(count):
        simulation.advance_steps(1 if seconds > 0.0 else -1)
        states.append(simulation.state)
    return states


def _opacity(age: float, count: int) -> float:
    """Return an outline's opacity, which rises as the body leaves it and falls as later ones appear, without a jump."""
    return float(min(1.0, age / FULL) * (1.0 - age / count))
