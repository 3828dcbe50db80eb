"""Pulls the turning body by a spring between one of its points and the pointer."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.commands.start import allowed
from viewer.common.language import tr
from viewer.physics.body import RigidBody
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.rotation import rotate, rotation_matrix
from viewer.physics.state import State
from viewer.scene.constructions.scale import solid_of
from viewer.scene.constructions.solids import hit
from viewer.scene.presentation import Pull
from viewer.session.session import TORQUE
from viewer.ui.input.tools import Aim, Tool

Array = NDArray[np.float64]

LEAST_LEVER = 0.4  # fraction of the body's reach: a spring fixed nearer to the centre is no stiffer
RATE = 4.0  # rad/s on the screen: the natural frequency of body and spring, whatever the body and the speed
LONGEST = 0.25  # the most seconds of real time between two frames for which the force is made
OTHER = "exact-drift"  # the integrator that is offered if the present one takes no loads
STRETCH = 3.0  # greatest length of the spring, in distances of the body's furthest point


class Spring(Tool):
    """A spring that pulls the body while it is held; its torque acts in addition to the scene's loads.

    Speed, camera and picture size do not change meanwhile. Anything else that changes the motion releases the spring.
    """

    follows = True

    def point_at(self, aim: Aim) -> Array | None:
        """Return the point (3,) [m] of the body under the pointer, in body axes; None if the body is not there."""
        snapshot = self._session.snapshot()
        point, away = (snapshot.reading.rotation_world_from_body.T @ each for each in aim.picking.ray(aim.pixel))
        distance = hit(solid_of(snapshot), point, away)
        return None if distance is None else np.asarray(point + distance * away)

    def grasp(self, aim: Aim) -> bool:
        """Fix the spring to the point of the body under the pointer."""
        session, point = self._session, self.point_at(aim)
        if point is None or self._refused():
            return False
        self._editor.commit()
        if session.playback.backwards:
            session.playback.reverse()
        self._point = point  # (3,) m in the body
        self._own = np.array(session.scenario.loads.torque)  # the scene's own, N m
        rotation = session.snapshot().reading.rotation_world_from_body
        self._depth, self._time = aim.picking.depth(rotation @ point), session.motion.time
        self._scene_view.hold()
        return self._pull(aim)

    def drag(self, aim: Aim) -> None:
        """Move the spring's end to the pointer, as far from the eye as the body's point was when the drag began."""
        self._pull(aim)

    def _pull(self, aim: Aim) -> bool:
        """Set the spring's present torque; if it is refused, drop the spring and return False."""
        session, snapshot = self._session, self._session.snapshot()
        reading = snapshot.reading
        reach, speed = solid_of(snapshot).radius, session.scene.speed
        seconds = min(max(session.motion.time - self._time, session.motion.step), LONGEST * speed)
        self._time = session.motion.time
        at, target = reading.rotation_world_from_body @ self._point, aim.picking.point(aim.pixel, self._depth)
        length = float(np.linalg.norm(target - at))
        pulled = at + (target - at) * min(1.0, STRETCH * reach / max(length, 1e-9))
        force = spring_force(snapshot.body, reach, reading.state, self._point, pulled, RATE / speed, seconds)
        torque = np.cross(at, force)
        if session.scenario.loads.torque_frame == "body":
            torque = reading.rotation_world_from_body.T @ torque
        self._state.pull = Pull(_three(self._point), _three(target), _three(force))
        taken = self._editor.attempt(lambda: session.pull.to(_three(allowed(TORQUE, torque + self._own))))
        if not taken:
            self.drop()
        return taken

    @property
    def lost(self) -> bool:
        """Whether something else has ended the pull: a scene was opened, a step undone, a tour begun."""
        return self._session.pull.scene_torque is None

    def drop(self) -> None:
        """Remove the torque; the motion goes on, or is paused as before."""
        self._session.pull.end()
        self._state.pull = None
        self._scene_view.let_go()

    def cancel(self) -> None:
        """Restore the motion as if it had not been pulled."""
        self._state.pull = None
        self._editor.cancel()
        self._scene_view.let_go()

    def _refused(self) -> bool:
        """Return whether the body cannot be pulled; a message then says why."""
        if self._session.scene.race is not None:
            self._messages.notice(tr("No pull in a race: its lanes are compared with the free motion"))
            return True
        integrator, other = INTEGRATORS[self._session.scenario.solver.integrator], INTEGRATORS[OTHER]
        if integrator.torque_free_only:
            why = tr("{integrator}: for torque-free motion only, so the body cannot be pulled")
            self._messages.offer(
                why.format(integrator=integrator.label),
                tr("Use {integrator}").format(integrator=other.label),
                lambda: self._editor.set("solver.integrator", OTHER),
                lambda: INTEGRATORS[self._session.scenario.solver.integrator] is integrator,
            )
        return integrator.torque_free_only


def _three(vector: Array) -> tuple[float, float, float]:
    x, y, z = vector.tolist()
    return x, y, z


def turning_mass(body: RigidBody, orientation_wxyz: ArrayLike, lever: ArrayLike) -> float:
    """Return the effective mass [kg] for a force at a lever (3,) [m] in space that turns the body about its centre.

    Its reciprocal is the mean of the reciprocals of the masses in two perpendicular directions across the lever.
    """
    R = rotation_matrix(np.asarray(orientation_wxyz))
    x, y, z = np.asarray(lever, dtype=np.float64).tolist()
    across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    mobility = across.T @ (R * body.inverse_moments) @ R.T @ across  # velocity per force, both at the lever
    return 2.0 / float(np.trace(mobility))


def spring_force(
    body: RigidBody, reach: float, state: State, point_body: ArrayLike, target: ArrayLike, rate: float, seconds: float
) -> Array:
    """Return the force (3,) [N] in space that pulls a point (3,) [m] of the body to `target` (3,) [m] in space.

    The spring is critically damped with the natural frequency `rate` [rad/s], however heavy the body is. The force acts
    for `seconds` [s]. It is the force at the end of that time, as in an implicit step, so that the body comes to rest
    even if the time is long. `reach` is the distance [m] of the body's farthest point from its centre.
    """
    lever = rotate(state.orientation_wxyz, np.asarray(point_body, dtype=np.float64))
    length = max(float(np.linalg.norm(lever)), 1e-9)
    mass = turning_mass(body, state.orientation_wxyz, lever * max(1.0, LEAST_LEVER * reach / length))
    velocity = np.cross(rotate(state.orientation_wxyz, state.omega_body), lever)
    stiffness, damping = rate * rate, 2.0 * rate  # per mass
    pull = stiffness * (np.asarray(target, dtype=np.float64) - lever) - (damping + stiffness * seconds) * velocity
    return np.asarray(mass * pull / (1.0 + damping * seconds + stiffness * seconds * seconds))
