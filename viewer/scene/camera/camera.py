"""The orbit camera, and the frames it rides in.

A frame is a rotation `frame_from_world`, (3, 3), whose last row is the upright axis in world coordinates. The camera
stands on a sphere around a point of the upright axis, at a polar angle counted from that axis (0 looks down it, pi/2 is
level, pi looks up it) and an azimuth around it. There is no singular position: at the poles the azimuth alone
decides what is up in the picture.
"""

import math

import numpy as np
from numpy.typing import NDArray
from pyrr import matrix44

from viewer.common.frozen import frozen

Array = NDArray[np.float64]
CELL = (240.0, 220.0)  # px: in a cell, letters are enlarged at most by the cell's size over this one


@frozen
class Camera:
    """Where a centred eye stands and how it looks; metres, world coordinates.

    `right`, `up` and `backward` are unit vectors, (3,). `distance` is that to the target, the middle of the scene.
    `field_of_view` is the vertical angle, rad. `shift` says where the target appears, in heights of the picture to the
    right and up of its middle: the lens is shifted, not the camera, so the picture moves as a whole, at whatever depth.
    """

    position: Array
    right: Array
    up: Array
    backward: Array
    distance: float
    field_of_view: float
    shift: tuple[float, float] = (0.0, 0.0)

    def view_from_world(self, sideways: float = 0.0) -> Array:
        """Return view_from_world, (4, 4), column vectors, for an eye shifted `sideways` metres along `right`."""
        world_from_view = np.stack([self.right, self.up, self.backward], axis=1)
        # pyrr stores the transposes of the column-vector forms
        matrix = np.asarray(matrix44.create_from_matrix33(world_from_view))
        matrix[3, :3] = -(self.position + sideways * self.right) @ world_from_view
        return matrix.T


def look(
    frame_from_world: Array,
    target: Array,
    polar_angle: float,
    azimuth: float,
    distance: float,
    field_of_view: float,
    shift: tuple[float, float] = (0.0, 0.0),
) -> Camera:
    """Return the camera at `polar_angle`, `azimuth` [rad] and `distance` [m] around `target`, (3,), in the world."""
    st, ct, sp, cp = math.sin(polar_angle), math.cos(polar_angle), math.sin(azimuth), math.cos(azimuth)
    world_from_frame = frame_from_world.T
    backward = world_from_frame @ (st * cp, st * sp, ct)
    right = world_from_frame @ (-sp, cp, 0.0)
    up = world_from_frame @ (-ct * cp, -ct * sp, st)
    return Camera(target + distance * backward, right, up, backward, distance, field_of_view, shift)


def between(a: Camera, b: Camera, fraction: float) -> Camera:
    """Return the camera between `a` (fraction 0) and `b` (fraction 1).

    It turns about a single axis, and distance and field of view change by the same factor in equal steps.
    """
    start, end = (np.stack([c.right, c.up, c.backward]) for c in (a, b))
    right, up, backward = part_of_turn(end @ start.T, fraction) @ start
    distance = a.distance * (b.distance / a.distance) ** fraction
    from_target, to_target = (c.position - c.distance * c.backward for c in (a, b))
    target = from_target + fraction * (to_target - from_target)
    field_of_view = a.field_of_view * (b.field_of_view / a.field_of_view) ** fraction
    across, up_shift = (one + fraction * (other - one) for one, other in zip(a.shift, b.shift, strict=True))
    return Camera(target + distance * backward, right, up, backward, distance, field_of_view, (across, up_shift))


def projection(
    field_of_view: float,
    aspect: float,
    near: float,
    far: float,
    sideways: float = 0.0,
    convergence: float = 1.0,
    shift: tuple[float, float] = (0.0, 0.0),
) -> Array:
    """Return clip_from_view, (4, 4), column vectors; off-axis for an eye shifted `sideways` metres to the right.

    Points at the distance `convergence` [m] fall on the same pixel for every such eye: the frustum is cut
    asymmetrically, the eyes look in parallel, and no vertical parallax arises. `shift`: that of a Camera.
    """
    top = near * math.tan(0.5 * field_of_view)
    half_width = top * aspect
    across = -sideways * near / convergence - 2.0 * top * shift[0]
    raised = -2.0 * top * shift[1]
    bounds = matrix44.create_perspective_projection_from_bounds(
        across - half_width, across + half_width, raised - top, raised + top, near, far
    )
    return np.asarray(bounds.T, dtype=np.float64)  # pyrr stores the transpose of the column-vector form


def upright_frame(up: Array, start_up: Array) -> Array:
    """Return frame_from_world, (3, 3), with `up` as its upright axis; the arguments are unit vectors, (3,).

    At `up == start_up` the world axis most nearly perpendicular to it points along azimuth 0; from there the
    frame is carried along the great circle to `up`, so that it neither jumps nor spins while L is turned by a load.
    """
    reference = np.zeros(3)
    reference[int(np.argmin(np.abs(start_up)))] = 1.0
    first = reference - (reference @ start_up) * start_up
    first /= np.linalg.norm(first)
    start = np.stack([first, cross(start_up, first), start_up])
    return np.asarray(start @ arc(start_up, up).T)


def arc(a: Array, b: Array) -> Array:
    """Return the smallest rotation, (3, 3), that takes unit vector `a` to unit vector `b`; about any axis if b = -a."""
    cosine = float(a @ b)
    if cosine < -1.0 + 1e-12:
        side = np.zeros(3)
        side[int(np.argmin(np.abs(a)))] = 1.0
        axis = cross(a, side)
        axis /= np.linalg.norm(axis)
        return np.asarray(2.0 * np.outer(axis, axis) - np.eye(3))
    skew = _cross_matrix(cross(a, b))
    return np.asarray(np.eye(3) + skew + skew @ skew / (1.0 + cosine))


def part_of_turn(turn: Array, fraction: float) -> Array:
    """Return the rotation, (3, 3), about the axis of `turn` by `fraction` of its angle (Rodrigues)."""
    skew = 0.5 * (turn - turn.T)
    sine_axis = np.array([skew[2, 1], skew[0, 2], skew[1, 0]])
    sine, cosine = float(np.linalg.norm(sine_axis)), 0.5 * (float(np.trace(turn)) - 1.0)
    if sine > 1e-8:
        axis = sine_axis / sine
    elif cosine > 0.0:
        return np.eye(3)
    else:  # half a turn: (turn + 1) / 2 is axis axis^T
        column = (turn + np.eye(3))[:, int(np.argmax(np.diag(turn)))]
        axis = column / np.linalg.norm(column)
    angle = fraction * math.atan2(sine, cosine)
    skew = _cross_matrix(axis)
    return np.asarray(np.eye(3) + math.sin(angle) * skew + (1.0 - math.cos(angle)) * (skew @ skew))


def cross(a: Array, b: Array) -> Array:
    """Return the vector product of two vectors, (3,): numpy's own takes 20 times as long."""
    (x, y, z), (u, v, w) = a.tolist(), b.tolist()
    return np.array([y * w - z * v, z * u - x * w, x * v - y * u])


def _cross_matrix(a: Array) -> Array:
    """Return the matrix, (3, 3), with `_cross_matrix(a) @ b == cross(a, b)`."""
    x, y, z = a.tolist()
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


@frozen
class Canvas:
    """The picture of a centred eye: `size` is its width and height in pixels at scale 1.

    `convergence` is the distance of the plane of the screen over the camera's distance. `text_size` is the factor by
    which names are enlarged.
    """

    camera: Camera
    size: tuple[float, float]
    convergence: float = 1.0
    text_size: float = 1.0

    def metres_per_pixel(self, depth: float) -> float:
        """Return the metres that a pixel spans at a depth [m] along the camera's axis."""
        return 2.0 * depth * math.tan(0.5 * self.camera.field_of_view) / self.size[1]

    def project(self, points: Array) -> Array:
        """Return where world points, (..., 3), appear, (..., 2), in pixels from the middle of the picture."""
        camera = self.camera
        seen = (points - camera.position) @ np.array([camera.right, camera.up, camera.backward]).T
        per_unit = 0.5 * self.size[1] / math.tan(0.5 * camera.field_of_view)
        shift = self.size[1] * np.array(camera.shift)
        return np.asarray(per_unit * seen[..., :2] / np.maximum(-seen[..., 2:], 1e-6) + shift)

    def on_screen_plane(self, x: float, y: float) -> Array:
        """Return the world point (3,), in the plane of the screen, at (x, y) px from the lower left corner."""
        camera, depth = self.camera, self.convergence * self.camera.distance
        per_pixel, (width, height), (across, raised) = self.metres_per_pixel(depth), self.size, camera.shift
        right, up = per_pixel * (x - 0.5 * width - across * height), per_pixel * (y - 0.5 * height - raised * height)
        return np.asarray(camera.position - depth * camera.backward + right * camera.right + up * camera.up)


def cell_text_size(text_size: float, size: tuple[float, float]) -> float:
    """Return the factor by which letters are enlarged in a cell of `size` pixels at scale 1.

    It is the user's `text_size`, or less if there is no room for such letters.
    """
    return min(text_size, max(min(size[0] / CELL[0], size[1] / CELL[1]), 1.0))


def smooth_step(value: float, low: float, high: float) -> float:
    """Return 0 up to `low`, 1 from `high` on, and a smooth rise between them."""
    if value <= low or value >= high:
        return 0.0 if value <= low else 1.0
    fraction = (value - low) / (high - low)
    return fraction * fraction * (3.0 - 2.0 * fraction)
