"""The hand turns the body, and throws it."""

import math
from collections import deque

import numpy as np
from numpy.typing import NDArray

from viewer.commands.start import start_values
from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.physics.rotation import conjugate, from_rotation_vector, multiply, rotate_back, rotation_vectors
from viewer.scene.camera.camera import cross
from viewer.scene.constructions.scale import solid_of
from viewer.scene.stereo.views import Pair, Picking
from viewer.scene.words.formatting import with_unit
from viewer.ui.input.tools import Aim, PausedTool

Array = NDArray[np.float64]

ROLLING = math.sqrt(0.5)  # fraction of the ball's radius: a line of sight farther out rolls the ball on evenly
TWIST = math.radians(6.0)  # turn about the line of sight for a notch of the wheel
WINDOW = 0.08  # s before the release: the turn in this time gives the angular velocity of a throw
LEAST_TURN = math.radians(1.5)  # a body that turned less in this time is let go at rest


@frozen
class Sample:
    """The orientation of the body (4,) at a `time` [s]."""

    time: float
    orientation_wxyz: Array


class Hand(PausedTool):
    """Turns the body about its centre like a ball that the pointer holds, while L does not change in space.

    If the body is let go at rest, the motion begins in its new orientation with that L; if it is let go while it turns,
    it is thrown: the motion begins with the angular velocity of the drag.
    """

    samples: deque[Sample]  # the last moments of the drag

    def grasp(self, aim: Aim) -> bool:
        """Take hold of the point under the pointer on the ball around the body."""
        super().grasp(aim)
        self._scene_view.hold()
        self._start = self._session.snapshot()
        self._radius, self._twist = solid_of(self._start).radius, 0.0
        self._ball = on_ball(aim.picking, aim.pixel, self._radius)
        self.samples = deque([Sample(aim.time, self._start.reading.orientation_wxyz)])
        return True

    def drag(self, aim: Aim) -> None:
        """Turn the body so that the held point of the ball is under the pointer."""
        orientation = self._follow(aim)
        momentum = rotate_back(orientation, self._start.reading.angular_momentum_world)
        self._change(start_values(self._start, orientation, momentum / self._start.body.principal_moments))

    def wheel(self, notches: float, aim: Aim) -> None:
        """Twist the body about the line of sight."""
        self._twist += notches * TWIST
        self.drag(aim)

    def release(self, aim: Aim) -> None:
        """Let the body go, or throw it."""
        orientation = self._follow(aim)
        turn, omega = throw(self.samples)
        if turn > LEAST_TURN:
            playback = self._session.scenario.playback  # the motion goes on as fast as it was seen to move
            omega = rotate_back(orientation, omega / (1.0 if playback.auto_speed else playback.speed))
            self._change(start_values(self._start, orientation, omega))
            size = float(np.linalg.norm(np.array(self._session.scenario.start.angular_velocity)))
            self._messages.notice(tr("Thrown at {omega}").format(omega=with_unit(size, "rad/s")))
            self._session.playback.keep_speed(1.0)
            self._pause.plays_on = True
        self.drop()

    def _follow(self, aim: Aim) -> Array:
        """Return the orientation (4,) in which the pointer holds the body, and add it to the samples."""
        now = on_ball(aim.picking, aim.pixel, self._radius)
        twist = from_rotation_vector(-self._twist * aim.picking.backward)
        turned = multiply(turn_between(self._ball, now), self._start.reading.orientation_wxyz)
        self.samples.append(Sample(aim.time, multiply(twist, turned)))
        while len(self.samples) > 2 and aim.time - self.samples[1].time > WINDOW:
            self.samples.popleft()
        return self.samples[-1].orientation_wxyz


def throw(samples: deque[Sample]) -> tuple[float, Array]:
    """Return the angle [rad] from the first sample to the last one, and the angular velocity (3,) [rad/s] in space."""
    first, last = samples[0], samples[-1]
    turn = rotation_vectors(multiply(last.orientation_wxyz, conjugate(first.orientation_wxyz)))
    return float(np.linalg.norm(turn)), turn / max(last.time - first.time, 1e-3)


def on_ball(picking: Picking, pixel: Pair, radius: float) -> Array:
    """Return the unit vector (3,) from the centre of a ball to the point of the ball at which the pointer is.

    The centre is the origin. Near the middle of the ball's picture, the point is the one that is seen at `pixel`.
    Farther out, its angle from the middle grows evenly with the distance, so that the pointer can turn the ball even
    from outside its picture.
    """
    point, away = picking.ray(pixel)
    nearest = point - float(point @ away) * away  # the point of the line of sight nearest to the middle
    off = float(np.linalg.norm(nearest))
    most = ROLLING * radius
    if off <= most:
        return np.asarray((nearest - math.sqrt(radius * radius - off * off) * away) / radius)
    angle = math.asin(ROLLING) + (off - most) / (radius * math.sqrt(1.0 - ROLLING * ROLLING))
    return np.asarray(math.sin(angle) * nearest / off - math.cos(angle) * away)


def turn_between(a: Array, b: Array) -> Array:
    """Return the quaternion (4,) of the smallest turn from one unit vector to another."""
    half = a + b
    length = float(np.linalg.norm(half))
    if length < 1e-9:  # half a turn, about any axis across
        side = cross(a, np.eye(3)[int(np.argmin(np.abs(a)))])
        return np.array([0.0, *(side / np.linalg.norm(side))])
    half = half / length
    return np.array([float(a @ half), *cross(a, half)])
