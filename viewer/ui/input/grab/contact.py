"""Where the ellipsoid touches the plane, dragged along its curve: that is time."""

import numpy as np
from numpy.typing import NDArray

from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.rotation import rotate
from viewer.scene.constructions.poinsot import FRAMES
from viewer.scene.constructions.scale import construct, momentum_space
from viewer.session.session import Session
from viewer.session.snapshot import Snapshot
from viewer.ui.input.grab.aim import Aim
from viewer.ui.input.grab.held import Held

Array = NDArray[np.float64]

PARTS = 360  # of a period, in which the nearest point of the curve is looked for
LEAST = 10.0  # px at scale 1 that the curve measures, to be dragged along
AS_NEAR = 1.5  # px at scale 1: of points that are as near to the pointer, the next in time counts


class Contact:
    """Time is such that the point of contact is as near to the pointer as it comes.

    Seen from the body it runs along the polhode, seen from space along the herpolhode: the curve on which it is seen to
    move is the one that is followed, half a period back and forth from where it is.
    """

    def __init__(self, session: Session, held: Held) -> None:
        self._session, self._held = session, held

    def grasp(self, aim: Aim) -> bool:
        """The pointer is over it; False where it does not move."""
        self._held.begin(camera=False)
        found = self._curve(aim)
        if found is None or float(np.max(np.ptp(found[1], axis=0))) < LEAST * self._held.scale:
            self._held.cancel()
            return False
        return True

    def drag(self, aim: Aim) -> None:
        """It follows the pointer."""
        found = self._curve(aim)
        if found is None:
            return
        times, pixels = found
        first, last = pixels[:-1], pixels[1:]
        along = last - first
        squares = np.maximum(np.sum(along * along, axis=1), 1e-12)
        part = np.clip(np.sum((np.array(aim.pixel) - first) * along, axis=1) / squares, 0.0, 1.0)
        away = np.linalg.norm(first + part[:, None] * along - aim.pixel, axis=1)
        near = np.flatnonzero(away <= float(np.min(away)) + AS_NEAR * self._held.scale)
        late = times[:-1] + part * np.diff(times)
        runs = np.split(near, np.flatnonzero(np.diff(near) > 1) + 1)  # each around a point as near as any other
        nearest = [int(run[np.argmin(away[run])]) for run in runs]
        segment = min(nearest, key=lambda at: abs(late[at]))
        self._session.playback.go_to(max(self._session.motion.time + float(late[segment]), self._earliest()))

    def wheel(self, notches: float, aim: Aim) -> None:
        """Does nothing."""

    def release(self, aim: Aim) -> None:
        """The time stays where it is."""
        self._held.end()

    def cancel(self) -> None:
        """Back to when it was taken."""
        self._held.cancel()

    @property
    def lost(self) -> bool:
        """Whether another motion is there."""
        return self._held.lost

    def drop(self) -> None:
        """It stays as it is."""
        self._held.end()

    def _earliest(self) -> float:
        """The time [s] before which there is no motion."""
        motion = self._session.motion
        return motion.span[0] if motion.irreversible else -np.inf

    def _curve(self, aim: Aim) -> tuple[Array, Array] | None:
        """Times (N,) [s] from now, and where the contact is seen then, (N, 2) px; None where it goes nowhere."""
        snapshot = self._session.snapshot()
        if snapshot.period is None:
            return None
        times = snapshot.period * np.linspace(-0.5, 0.5, PARTS + 1)
        return times, np.array([aim.picking.pixel(point) for point in self._points(snapshot, times)])

    def _points(self, snapshot: Snapshot, times: Array) -> Array:
        """The points of contact (N, 3) [m] in the picture as it stands now."""
        view, moments = self._session.scenario.view, snapshot.body.principal_moments
        states = FreeRotation(snapshot.body, snapshot.reading.state).at(times)
        rotation = snapshot.reading.rotation_world_from_body
        built = construct(snapshot, view.vector_scale)
        if view.construction == "momentum":
            return np.asarray(momentum_space(snapshot, built).scale * (states.omega_body * moments) @ rotation.T)
        if FRAMES[view.frame].on_body:
            return np.asarray(built.scale * states.omega_body @ rotation.T)
        return built.scale * rotate(states.orientation_wxyz, states.omega_body)
