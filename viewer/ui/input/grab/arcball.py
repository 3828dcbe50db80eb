"""The ball around the body that the pointer turns, and how fast it turns when it is let go."""

import math
from collections import deque
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.physics.rotation import conjugate, multiply, rotation_vectors
from viewer.scene.camera.camera import cross
from viewer.scene.stereo.views import Pair, Picking

Array = NDArray[np.float64]

ROLLING = math.sqrt(0.5)  # of the radius: a line of sight further out rolls the ball on evenly
WINDOW = 0.08  # s before the release that tell how fast
SHORTEST = 0.03  # s that they must span: on a machine that draws few frames the samples before them count, too ..
LONGEST = 0.3  # s .. as far back
TOGETHER = 0.004  # s: events that come so close come from one look at the mouse


def on_ball(picking: Picking, pixel: Pair, radius: float) -> Array:
    """The unit vector (3,) of the point of a ball about the origin that a pixel shows.

    The exact point in the middle part of its picture; from there on the angle grows evenly with the distance, so that
    the ball can be turned on, however far the pointer goes.
    """
    point, away = picking.ray(pixel)
    nearest = point - float(point @ away) * away  # of the line of sight to the middle
    off = float(np.linalg.norm(nearest))
    most = ROLLING * radius
    if off <= most:
        return np.asarray((nearest - math.sqrt(radius * radius - off * off) * away) / radius)
    angle = math.asin(ROLLING) + (off - most) / (radius * math.sqrt(1.0 - ROLLING * ROLLING))
    return np.asarray(math.sin(angle) * nearest / off - math.cos(angle) * away)


def turn_between(a: Array, b: Array) -> Array:
    """The quaternion (4,) of the smallest turn from one unit vector to another."""
    half = a + b
    length = float(np.linalg.norm(half))
    if length < 1e-9:  # half a turn, about any axis across
        side = cross(a, np.eye(3)[int(np.argmin(np.abs(a)))])
        return np.array([0.0, *(side / np.linalg.norm(side))])
    half = half / length
    return np.array([float(a @ half), *cross(a, half)])


@frozen
class Sample:
    """Where the pointer was at a `time` [s], and how the body stood (4,) wxyz."""

    time: float
    pixel: Pair
    orientation_wxyz: Array


class Track:
    """The last moments of a drag."""

    def __init__(self) -> None:
        self.samples: deque[Sample] = deque()

    def add(self, sample: Sample) -> None:
        """A later one; those that come together count as one."""
        if self.samples and sample.time - self.samples[-1].time < TOGETHER and len(self.samples) > 1:
            self.samples.pop()
        self.samples.append(sample)
        while len(self.samples) > 2 and sample.time - self.samples[1].time > WINDOW:
            self.samples.popleft()

    @property
    def last_moments(self) -> list[Sample]:
        """Those within WINDOW before the last; where they span less than SHORTEST, with the one before them."""
        ages = [self.samples[-1].time - sample.time for sample in self.samples]
        first = next((n for n, age in enumerate(ages) if age <= WINDOW), 0)
        if first > 0 and ages[first] < SHORTEST and ages[first - 1] <= LONGEST:
            first -= 1
        return list(self.samples)[first:]

    @property
    def path(self) -> float:
        """How far the pointer went in them, px."""
        pixels = [sample.pixel for sample in self.last_moments]
        return sum(math.dist(a, b) for a, b in pairwise(pixels))


def angular_velocity(track: list[Sample]) -> Array:
    """The angular velocity (3,) [rad/s] in space that fits the orientations best: the least squares' slope of their
    rotation vectors from the last one. Zero where there are fewer than two times."""
    times = np.array([sample.time for sample in track])
    if len(track) < 2 or times[-1] <= times[0]:
        return np.zeros(3)
    orientations = np.array([sample.orientation_wxyz for sample in track])
    turned = rotation_vectors(multiply(orientations, conjugate(orientations[-1])))
    late = times - times.mean()
    return np.asarray(late @ (turned - turned.mean(axis=0)) / float(late @ late))
