"""Points of the scene that the pointer drags: the tips of omega and L, the point of contact, and the force."""

import numpy as np
from numpy.typing import NDArray

from viewer.commands.start import PATHS, start_values
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.exact.lagrange_top import LagrangeTop
from viewer.physics.rotation import rotate
from viewer.physics.state import States
from viewer.scene.constructions.axis_path import axis_end, directions, sphere_radius
from viewer.scene.constructions.loads import FORCE_HANDLES
from viewer.scene.constructions.poinsot import FRAMES
from viewer.scene.constructions.scale import ARROW_REACH, construct, load_of_arrow, load_scale, momentum_space
from viewer.scene.description import SceneDescription
from viewer.session.snapshot import Snapshot
from viewer.ui.input.tools import Aim, PausedTool, Tool
from viewer.ui.view.scene_view import SceneView
from viewer.ui.window_layout import WindowLayout
from viewer.workspace.workspace import Workspace

Array = NDArray[np.float64]

SHORTEST = 0.02  # least fraction of its length to which an arrow is dragged, so that it can be taken again
PARTS = 360  # pieces of the contact's curve over a period, in which its nearest point is sought
SMALLEST_CURVE = 10.0  # px at scale 1: the contact is not dragged along a smaller one
LATER = 1.5  # px at scale 1 by which a point of the curve half a period away counts as farther from the pointer


def ends(scene: SceneDescription, by_hand: bool) -> dict[str, Array]:
    """Return the points (3,) [m] in the world that the pointer can take, by the names of their handles.

    These are always the tip of the force and its point of application. With `by_hand` there are also the tips of omega
    and L, and without it the point of contact and the end of a top's axis.
    """
    found = {"contact": scene.contact} if scene.contact is not None and scene.curves and not by_hand else {}
    found |= {} if by_hand else axis_end(scene.paths)
    for arrow in scene.arrows:
        if arrow.name == "F":
            found |= dict(zip(FORCE_HANDLES, (arrow.end, arrow.start), strict=True))
        elif by_hand and arrow.name in ("L", "L′", "ω"):
            found["omega" if arrow.name == "ω" else "momentum"] = arrow.end
    return found


def _no_shorter(arrow: Array, before: Array) -> Array:
    """Return `arrow` (3,), or SHORTEST times `before` if that is longer."""
    short = float(np.linalg.norm(arrow)) < SHORTEST * float(np.linalg.norm(before))
    return SHORTEST * before if short else arrow


class Tip(PausedTool):
    """The tip of the arrow of omega or of L.

    It moves parallel to the plane of the picture, or with Shift along the arrow. The arrow of L is ARROW_REACH times as
    long as the distance of the invariable plane from the centre. That distance stands for 2E/|L| [rad/s].
    """

    def __init__(self, workspace: Workspace, layout: WindowLayout, scene_view: SceneView, momentum: bool) -> None:
        super().__init__(workspace, layout, scene_view)
        self._momentum = momentum

    def grasp(self, aim: Aim) -> bool:
        """Take the tip where it is drawn."""
        frame = self._scene_view.frame
        if frame is None:
            return False
        super().grasp(aim)
        self._scale = self._scene_view.hold()  # m per rad/s
        self._snapshot = self._session.snapshot()
        self._end = ends(frame.main.scene, by_hand=True)["momentum" if self._momentum else "omega"]
        self._depth = aim.picking.depth(self._end)
        return True

    def drag(self, aim: Aim) -> None:
        """Bring the tip to the pointer, or with Shift to the nearest point on the line of the arrow."""
        target = self._along(aim) if aim.along else aim.picking.point(aim.pixel, self._depth)
        reading = self._snapshot.reading
        omega = self._omega(reading.rotation_world_from_body.T @ _no_shorter(target, self._end))
        self._change(start_values(self._snapshot, reading.orientation_wxyz, self._rounded(PATHS[1], omega)))

    def _along(self, aim: Aim) -> Array:
        """Return the point (3,) on the line of the arrow that is nearest to the line of sight."""
        direction = self._end / float(np.linalg.norm(self._end))
        point, away = aim.picking.ray(aim.pixel)
        cosine = float(direction @ away)
        across = max(1.0 - cosine * cosine, 1e-6)
        return np.asarray(float(direction @ point - cosine * (away @ point)) / across * direction)

    def _omega(self, end_body: Array) -> Array:
        """Return the angular velocity (3,) [rad/s] whose arrow ends at `end_body` (3,) [m], both in body axes."""
        if not self._momentum:
            return np.asarray(end_body / self._scale)
        length = float(np.linalg.norm(end_body))
        direction = end_body / length
        per_momentum = direction / self._snapshot.body.principal_moments  # omega of |L| = 1
        return np.asarray(length / (ARROW_REACH * self._scale * float(direction @ per_momentum)) * per_momentum)


class Contact(PausedTool):
    """The point where the ellipsoid touches the plane: dragging it along its curve changes the time.

    The curve is the one along which the contact is seen to move, up to half a period before and after the present time:
    the polhode if the body is seen at rest, else the herpolhode; of a top, the path of the tip of omega in space.
    """

    def grasp(self, aim: Aim) -> bool:
        """Take the contact, unless its curve is missing or too small."""
        super().grasp(aim)
        self._top: tuple[float, LagrangeTop] | None = None  # its motion from the time [s] at which it was taken
        found = self._curve(aim)
        if found is None or float(np.max(np.ptp(found[1], axis=0))) < SMALLEST_CURVE * self._layout.scale:
            self.cancel()
            return False
        return True

    def drag(self, aim: Aim) -> None:
        """Go to the time at which the contact is nearest to the pointer."""
        found = self._curve(aim)
        if found is None:
            return
        times, pixels = found
        first, along = pixels[:-1], np.diff(pixels, axis=0)
        squares = np.maximum(np.sum(along * along, axis=1), 1e-12)
        part = np.clip(np.sum((np.array(aim.pixel) - first) * along, axis=1) / squares, 0.0, 1.0)
        away = np.linalg.norm(first + part[:, None] * along - aim.pixel, axis=1)
        later = times[:-1] + part * np.diff(times)
        nearest = np.argmin(away + LATER * self._layout.scale * np.abs(later / times[-1]))
        motion = self._session.motion
        earliest = motion.span[0] if motion.irreversible else -np.inf
        self._session.playback.go_to(max(motion.time + float(later[nearest]), earliest))

    def _curve(self, aim: Aim) -> tuple[Array, Array] | None:
        """Return times (N,) [s] from now and the pixels (N, 2) of the contact at these times; None without a period."""
        snapshot = self._session.snapshot()
        if snapshot.period is None:
            return None
        times = snapshot.period * np.linspace(-0.5, 0.5, PARTS + 1)
        return times, np.array([aim.picking.pixel(point) for point in self._points(snapshot, times)])

    def _points(self, snapshot: Snapshot, times: Array) -> Array:
        """Return the points of contact (N, 3) [m] at these times, on the curve as the present picture shows it."""
        view, moments = self._session.scenario.view, snapshot.body.principal_moments
        states, rotation = self._states(snapshot, times), snapshot.reading.rotation_world_from_body
        built = construct(snapshot, view.vector_scale)
        if view.construction == "momentum":
            return np.asarray(momentum_space(snapshot, built).scale * (states.omega_body * moments) @ rotation.T)
        if FRAMES[view.frame].on_body:
            return np.asarray(built.scale * states.omega_body @ rotation.T)
        return built.scale * rotate(states.orientation_wxyz, states.omega_body)

    def _states(self, snapshot: Snapshot, times: Array) -> States:
        """Return the states at times (N,) [s] from now: those of a top under its weight, or of the free motion."""
        body, reading = snapshot.body, snapshot.reading
        if snapshot.top is None:
            return FreeRotation(body, reading.state).at(times)
        if self._top is None:
            self._top = reading.time, LagrangeTop.of(body, snapshot.loads, reading.state)
        since, top = self._top
        return top.at(reading.time - since + times)


class AxisEnd(Contact):
    """The end of a top's axis: dragging it along its path on the sphere changes the time."""

    def _points(self, snapshot: Snapshot, times: Array) -> Array:
        """Return the ends of the axis (N, 3) [m] at these times; where the body is seen at rest, all are the same."""
        view = self._session.scenario.view
        orientation = self._states(snapshot, times).orientation_wxyz
        if FRAMES[view.frame].on_body:
            orientation = np.tile(snapshot.reading.orientation_wxyz, (len(times), 1))
        return sphere_radius(construct(snapshot, view.vector_scale)) * directions(snapshot, orientation)


class Force(Tool):
    """The force in the scene, held by the tip of its arrow or by its point of application.

    The held point remains under the pointer and at its distance from the eye, even while the body turns.
    """

    follows = True

    def __init__(self, workspace: Workspace, layout: WindowLayout, scene_view: SceneView, handle: str) -> None:
        super().__init__(workspace, layout, scene_view)
        self._handle = handle

    @property
    def lost(self) -> bool:
        """Whether the scene has no force any more."""
        return not any(self._session.scenario.loads.force)

    def grasp(self, aim: Aim) -> bool:
        """Take the force where it is drawn."""
        frame = self._scene_view.frame
        if frame is None or self.lost:
            return False
        places = ends(frame.main.scene, by_hand=False)
        self._arrow = places["tip"] - places["point"]
        self._depth, self._exceeded = aim.picking.depth(places[self._handle]), False
        self._editor.commit()
        return True

    def drag(self, aim: Aim) -> None:
        """Change the force, or its arm, so that the held point is under the pointer."""
        snapshot, loads = self._session.snapshot(), self._session.scenario.loads
        target, rotation = aim.picking.point(aim.pixel, self._depth), snapshot.reading.rotation_world_from_body
        scale = load_scale(snapshot, self._session.scenario.view)
        if self._handle == "point":
            self._set("loads.arm", rotation.T @ target / scale.arm)
        else:
            arrow = _no_shorter(target - scale.arm * rotation @ loads.arm, self._arrow)
            force = load_of_arrow(arrow, scale.force)
            self._set("loads.force", rotation.T @ force if loads.frame == "body" else force)

    def _set(self, path: str, vector: Array) -> None:
        self._editor.change({path: tuple(self._rounded(path, vector).tolist())})

    def drop(self) -> None:
        """Complete the step of undo."""
        self._editor.commit()

    def cancel(self) -> None:
        """Restore the force, its arm and the motion."""
        self._editor.cancel()
