"""Twins of the body: those of the lanes of a race, and the outlines that a stroboscope shows at other moments."""

from math import floor, inf

import numpy as np

from viewer.physics.body import RigidBody
from viewer.physics.rotation import rotation_matrix
from viewer.physics.simulation import Simulation
from viewer.physics.state import State
from viewer.scene.annotations.labels import axis_colors
from viewer.scene.constructions.race import lane_color, shown_lanes
from viewer.scene.constructions.scale import Construction
from viewer.scene.description import Ghost, Stroke
from viewer.scene.presentation import Presentation
from viewer.session.snapshot import Snapshot

TURN = np.radians(20.0)  # about L from one moment to the next
OUTLINE = 0.8  # opacity of an outline over the ellipsoid, of that of its axis; the faces have none: they would hide it
WIDTH = 2.2  # px, of an outline: of a past body it is all that one sees
AXIS_WIDTH = 2.4  # px, of the axis of a twin
FULL = 0.5  # of the time between two moments: so much later an outline has its full opacity


def ghosts(snapshot: Snapshot, presentation: Presentation) -> tuple[Ghost, ...]:
    """Return the twins of a race's lanes, without faces: several would hide the body, and each other."""
    if presentation.race.show != "ghosts":
        return ()
    return tuple(
        Ghost(
            now.rotation_world_from_body,
            lane_color(now.number, presentation.view.theme, presentation.stereo),
            f"ghost:{now.lane.label}",
            faces=0.0,
        )
        for now in shown_lanes(snapshot, presentation.race)
        if now.stopped is None
    )


def ghost_axes(snapshot: Snapshot, presentation: Presentation, built: Construction) -> list[Stroke]:
    """Return both ends of each twin's axis of the smallest moment of inertia, in its lane's colour."""
    show = presentation.show
    if presentation.race.show != "ghosts" or not (show.body and show.body_axes):
        return []
    number = int(np.argmin(snapshot.body.principal_moments))
    outer, strokes = float(built.axis_ends[number]), list[Stroke]()
    for now in shown_lanes(snapshot, presentation.race):
        if now.stopped is None:
            axis = now.rotation_world_from_body[:, number]
            color = lane_color(now.number, presentation.view.theme, presentation.stereo)
            for end in (outer * axis, -outer * axis):
                start = (1.0 - built.stub_length / outer) * end
                strokes.append(Stroke(start, end, color, 1.0, AXIS_WIDTH, name=f"ghost:{now.lane.label}"))
    return strokes


def flashes(
    snapshot: Snapshot, presentation: Presentation, built: Construction
) -> tuple[tuple[Ghost, ...], list[Stroke]]:
    """The body at the moments of a stroboscope, which stand still while the motion goes on, the furthest come first:
    its outlines, and of each the positive end of the axis of the smallest moment of inertia, in that axis's hue, from
    the outline on.

    They are those of the free motion through the present state; none under loads, nor before those ended.
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
    """The state, and those of the free motion once, twice .. `count` times so many seconds later, to round-off."""
    simulation, states = Simulation(body, state, integrator="exact-drift", step=abs(seconds)), [state]
    for _ in range(count):
        simulation.advance_steps(1 if seconds > 0.0 else -1)
        states.append(simulation.state)
    return states


def _opacity(age: float, count: int) -> float:
    """It comes as the body leaves it and goes as the next ones come, without a jump."""
    return float(min(1.0, age / FULL) * (1.0 - age / count))
