"""Loads that a key or a button adds: a force at a corner of the body, a torque in time, a thruster.

They are large enough for their effect to be seen, and small enough for it to be followed.
"""

import math
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError
from viewer.common.language import tr
from viewer.scenario.consequences import beat
from viewer.scenario.field import Number, Tables
from viewer.scenario.scenario import field_at
from viewer.scene.constructions.scale import round_below, solid_of
from viewer.scene.constructions.solids import SolidSize
from viewer.session.session import Session
from viewer.workspace.editor import SceneEditor
from viewer.workspace.workspace import Workspace

Array = NDArray[np.float64]

TURNING = 0.1  # largest torque of a force over the rotational energy: L turns by 0.1 rad while the body turns by 2 rad
FROM_REST = 0.3  # 1/s2: acceleration of the centre of a body at rest, over the distance of its furthest point
SWING = 0.7  # amplitude of a torque in time, over |L| per beat
FIRING = 0.1  # torque of a thruster, which is on for a beat, over |L| per beat
PIECES, THRUSTERS = "loads.torque_of_time", "loads.thrusters"
NONE = (0.0, 0.0, 0.0)
ON_MOMENTUM = ("ceiling", "floor")  # the frames in which L is at rest


def add_force(session: Session, editor: SceneEditor) -> None:
    """Set force and arm, as one undoable action. Raises InputError if there is a force already."""
    if any(session.scenario.loads.force):
        if session.scene.bodies is None:
            raise InputError(tr("There is a force already: drag its tip or its point of application"))
        raise InputError(tr("There is a force already: change it under Loads"))
    snapshot = session.snapshot()
    solid = solid_of(snapshot)
    corner, radius, mass = _corner(solid), solid.radius, snapshot.body.mass
    wanted = TURNING * snapshot.reading.energy / radius if not snapshot.reading.at_rest else FROM_REST * mass * radius
    arm_field, force_field = field_at("loads.arm", Number), field_at("loads.force", Number)
    size = min(round_below(max(wanted, 1e-30)), force_field.high)
    arm = tuple(min(float(f"{part:.4g}"), arm_field.high) for part in corner.tolist())
    in_space = session.scenario.loads.frame == "space"
    away = np.abs(snapshot.reading.rotation_world_from_body @ arm if in_space else np.array(arm))
    across = int(np.argmin(away))  # the axis that is most nearly at right angles to the arm
    force = tuple(size if axis == across else 0.0 for axis in range(3))
    editor.change({"loads.force": force, "loads.arm": arm})
    editor.commit()
    if any(session.scenario.loads.force) and session.scene.bodies is None:
        editor.notice(tr("Drag the tip of F or its point of application to change it"))


def _corner(solid: SolidSize) -> Array:
    """Return the point (3,) [m] of the surface where a new force acts: a corner, if the body has one.

    It is the end of the crossbar of a T-handle, and the vertex of a mesh that is farthest from the centre.
    """
    extents = solid.half_extents
    if solid.mesh is not None:
        vertices = solid.mesh.vertices
        return np.array(vertices[np.argmax(np.sum(vertices**2, axis=1))])
    if solid.kind == "box":
        return extents
    if solid.kind == "t-handle":
        return np.array([extents[0], 0.0, solid.bar])
    corner: Array = extents / np.sqrt(2.0 if solid.kind == "cylinder" else 3.0)
    if solid.kind == "cylinder":
        corner[2] = extents[2]
    return corner


def remove_force(editor: SceneEditor) -> None:
    """Remove force and arm, as one undoable action."""
    editor.change({"loads.force": NONE, "loads.arm": NONE})
    editor.commit()


def beat_of(session: Session) -> float:
    """Return the beat [s], the time scale of new loads that suits the motion: 1 s for everyday bodies."""
    reading = session.snapshot().reading
    return beat(reading.energy, float(np.linalg.norm(reading.angular_momentum_world)))


def new_torque(session: Session) -> dict[str, Any]:
    """Return a sine-shaped torque about the space axis z, with the keys of a scene file."""
    seconds = beat_of(session)
    size = _size(SWING * _momentum(session) / seconds, "loads.torque")
    return {"kind": "sine", "amplitude": (0.0, 0.0, size), **numbers_of("sine", seconds)}


def numbers_of(kind: str, seconds: float) -> dict[str, float]:
    """Return the first values of a torque of this kind, except its amplitude; `seconds` is the beat of new loads."""
    if kind == "sine":
        return {"frequency": 0.5 / seconds}
    return {"period": 2.0 * seconds, "width": 0.5 * seconds} if kind == "pulse-train" else {}


def new_thruster(session: Session) -> dict[str, Any]:
    """Return a thruster on the body's axis y', at the surface, that begins within one beat and fires for one."""
    snapshot, seconds = session.snapshot(), beat_of(session)
    arm = min(float(f"{solid_of(snapshot)[1][1]:.3g}"), field_at("loads.arm", Number).high)
    size = _size(FIRING * _momentum(session) / (arm * seconds), "loads.force")
    beats = math.floor(snapshot.reading.time / seconds)
    times = tuple(float(f"{(beats + later) * seconds:.12g}") for later in (1, 2))
    return {"point": (0.0, arm, 0.0), "force": (size, 0.0, 0.0), "times": times}


def add_part(session: Session, editor: SceneEditor, path: str) -> None:
    """Add an entry to the list at `path`, PIECES or THRUSTERS, as one undoable action."""
    field = field_at(path, Tables)
    new = new_torque(session) if path == PIECES else new_thruster(session)
    editor.set(path, [*field.plain(session.scenario.value(path)), new])


def _momentum(session: Session) -> float:
    """Return |L| [kg m2/s] or, for a body at rest, what it would be at 1 rad/s."""
    snapshot = session.snapshot()
    if snapshot.reading.at_rest:
        return float(np.mean(snapshot.body.principal_moments))
    return float(np.linalg.norm(snapshot.reading.angular_momentum_world))


def _size(wanted: float, path: str) -> float:
    """Return a round number, at most `wanted` and at most what the field at `path` allows."""
    return min(round_below(max(wanted, 1e-30)), field_at(path, Number).high)


class SpaceFrameOffer:
    """A message, shown once for each scene, that offers the view from space.

    It is for the view in which L stands still: there one cannot see that a load turns L.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._offered: set[tuple[str | None, str]] = set()  # the scenes by file and title

    def follow(self) -> None:
        """Make the offer if it is due, but not in a lecture, tour, film, race or drag, or beside another message."""
        workspace, session, document = self._workspace, self._workspace.session, self._workspace.session.document
        state, scene = workspace.state, (document.path, document.scenario.title)
        if scene in self._offered or session.scene.message is not None or not self._due:
            return
        busy = state.lecture or state.hidden or state.chart or state.pull is not None or state.handle
        running = workspace.tour.tour is not None or workspace.writer.recording
        compared = session.scene.race is not None or session.scene.bodies is not None
        if not (busy or running or compared or workspace.messages.shown is not None):
            self._offered.add(scene)
            why = tr("A torque turns L. In this view L stands still and the world turns instead.")
            take = partial(workspace.editor.set, "view.frame", "space")
            workspace.messages.offer(why, tr("View from space"), take, lambda: self._due, leave=lambda: None)

    @property
    def _due(self) -> bool:
        """Whether a load turns L, and the view hides that."""
        scenario = self._workspace.session.scenario
        view, loads = scenario.view, scenario.loads_value()
        turns = loads.turns or loads.external_friction > 0.0
        return turns and view.frame in ON_MOMENTUM and view.construction == "poinsot"
