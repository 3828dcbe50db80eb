"""The hand turns the body, and throws it."""

import math

import numpy as np
from numpy.typing import NDArray

from viewer.commands.start import PATHS, beyond, start_values
from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.physics.rotation import from_rotation_vector, multiply, rotate_back
from viewer.scene.constructions.scale import solid_of
from viewer.scene.words.formatting import with_unit
from viewer.session.session import Session
from viewer.session.snapshot import Snapshot
from viewer.ui.input.grab.aim import Aim
from viewer.ui.input.grab.arcball import Sample, Track, angular_velocity, on_ball, turn_between
from viewer.ui.input.grab.held import Held

Array = NDArray[np.float64]

TWIST = math.radians(6.0)  # about the line of sight, of a notch of the wheel
STILL = 3.0  # px at scale 1 in the last moments of the drag: the body is let go at rest


@frozen
class _Grip:
    """What was held: `ball` (3,), the unit vector to its point under the pointer; the orientation (4,) wxyz then."""

    snapshot: Snapshot
    radius: float
    ball: Array
    orientation_wxyz: Array


class Hand:
    """Turns the body about its centre; L stays as it is in space until the body is thrown.

    Let go at rest, the motion begins there with that L; let go in motion, with the angular velocity of the drag.
    """

    def __init__(self, session: Session, held: Held) -> None:
        self._session, self._held = session, held
        self._grip: _Grip | None = None
        self._twist = 0.0  # rad, about the line of sight
        self.track = Track()
        self.thrown: list[Sample] = []  # the last moments of the drag before, from which its throw came

    def grasp(self, aim: Aim) -> bool:
        """The pointer is over the ball around the body."""
        snapshot = self._session.snapshot()
        radius = solid_of(snapshot).radius
        ball, orientation = on_ball(aim.picking, aim.pixel, radius), snapshot.reading.orientation_wxyz
        self._grip, self._twist, self.track = _Grip(snapshot, radius, ball, orientation), 0.0, Track()
        self.track.add(Sample(aim.time, aim.pixel, orientation))
        self._held.begin()
        return True

    def drag(self, aim: Aim) -> None:
        """The ball's point stays under the pointer."""
        if self._grip is None:
            return
        orientation = self._turned(self._grip, aim)
        self.track.add(Sample(aim.time, aim.pixel, orientation))
        momentum = self._grip.snapshot.reading.angular_momentum_world
        self._begin_at(self._grip.snapshot, orientation, momentum)

    def wheel(self, notches: float, aim: Aim) -> None:
        """Twists it about the line of sight."""
        self._twist += notches * TWIST
        self.drag(aim)

    def release(self, aim: Aim) -> None:
        """Lets it go, or throws it."""
        grip = self._grip
        if grip is None:
            return
        orientation = self._turned(grip, aim)
        self.track.add(Sample(aim.time, aim.pixel, orientation))
        last = self.track.last_moments
        turning = any(not np.array_equal(one.orientation_wxyz, last[0].orientation_wxyz) for one in last)
        twisted = turning and self.track.path == 0.0
        if twisted or self.track.path > STILL * self._held.scale:
            self.thrown = last
            playback = self._session.scenario.playback  # it goes on as it was seen to move
            speed = 1.0 if playback.auto_speed else playback.speed
            self._throw(grip, orientation, angular_velocity(last) / speed)
        self._grip = None
        self._held.end()

    def cancel(self) -> None:
        """The body and its motion are as before."""
        self._grip = None
        self._held.cancel()

    @property
    def lost(self) -> bool:
        """Whether another motion is there."""
        return self._held.lost

    def drop(self) -> None:
        """It stays as it is."""
        self._grip = None
        self._held.end()

    def _turned(self, grip: _Grip, aim: Aim) -> Array:
        """The orientation (4,) in which the pointer holds the body."""
        now = on_ball(aim.picking, aim.pixel, grip.radius)
        twist = from_rotation_vector(-self._twist * aim.picking.backward)
        return multiply(twist, multiply(turn_between(grip.ball, now), grip.orientation_wxyz))

    def _begin_at(self, snapshot: Snapshot, orientation: Array, momentum_world: Array) -> None:
        omega = rotate_back(orientation, momentum_world) / snapshot.body.principal_moments
        self._held.change(start_values(snapshot, orientation, omega))

    def _throw(self, grip: _Grip, orientation: Array, omega_world: Array) -> None:
        omega = rotate_back(orientation, omega_world)
        self._held.change(start_values(grip.snapshot, orientation, omega))
        size = float(np.linalg.norm(np.array(self._session.scenario.start.angular_velocity)))
        if beyond(PATHS[1], omega):
            self._held.notice(tr("Thrown at {omega}, the most that is possible").format(omega=with_unit(size, "rad/s")))
        else:
            self._held.notice(tr("Thrown at {omega}").format(omega=with_unit(size, "rad/s")))
        self._session.playback.keep_speed(1.0)
        self._held.goes_on = True
