"""How far apart the eyes' pictures of a point lie, how far they may, and where the eyes stand so that they do not.

Parallax is positive behind the screen, where the right eye sees a point further right, and counts in widths of the
picture.
"""

import dataclasses
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viewer.scene.camera import Camera
from viewer.scene.framing import Subject
from viewer.sections import Stereo

Array = NDArray[np.float64]

NEAREST, FARTHEST = -0.01, 0.02  # parallax of what is nearest and farthest: so much is easy on the eyes
MOST_APART = 1.0 / 30.0  # of the distance of the screen plane: more makes a model of the scene
EYES_APART = 0.063  # m; eyes would have to turn outwards to see pictures further apart
ROUNDING = 1e-9
ARRIVED = 0.01  # % of the distance
MERIDIANS, PARALLELS = 48, 25


@dataclass(frozen=True)
class Depths:
    """Distance of the nearest and the farthest point that is drawn, along the camera's axis, m."""

    nearest: float
    farthest: float


@dataclass(frozen=True)
class Eyes:
    """As in the section [stereo]: in hundredths of the camera's distance, and in the distance itself."""

    separation: float
    convergence: float


@dataclass(frozen=True)
class Parallax:
    """Of one point: `share` of the picture's width, `degrees` between the two eyes' lines of sight and those to the
    screen, `metres` on the screen, None where its size is unknown."""

    share: float
    degrees: float
    metres: float | None
    comfortable: bool


@dataclass(frozen=True)
class Comfort:
    """What the eyes have to bear."""

    nearest: Parallax
    farthest: Parallax

    @property
    def comfortable(self) -> bool:
        """Whether all of the scene is easy on the eyes."""
        return self.nearest.comfortable and self.farthest.comfortable


def _unit_sphere() -> Array:
    """Points of the unit sphere, (N, 3)."""
    slope, around = np.meshgrid(
        np.linspace(-0.5 * math.pi, 0.5 * math.pi, PARALLELS),
        np.linspace(0.0, 2.0 * math.pi, MERIDIANS, endpoint=False),
    )
    return np.stack(
        [np.cos(slope) * np.cos(around), np.cos(slope) * np.sin(around), np.sin(slope)], axis=-1
    ).reshape(-1, 3)


def _unit_circle() -> Array:
    """Points of the unit circle, (N, 2)."""
    around = np.linspace(0.0, 2.0 * math.pi, 240, endpoint=False)
    return np.stack([np.cos(around), np.sin(around)], axis=-1)


SPHERE, CIRCLE = _unit_sphere(), _unit_circle()


def swept_points(subject: Subject) -> Array:
    """Points, (N, 3), around all that the subject can come to fill while it turns: so the depths that follow from them
    stay, however it turns now."""
    figure = subject.figure
    out = figure.level - figure.radius  # of what sticks out of the spheroid
    spheroid = SPHERE * (figure.level, figure.level, figure.depth + out)
    tip = np.array([[0.0, 0.0, figure.tip]])
    return np.asarray(np.concatenate([spheroid, tip]) @ subject.frame_from_world + subject.centre)


def surrounds(subject: Subject, point: Array) -> bool:
    """Whether a point, (3,), lies within what the subject can come to fill."""
    offset = subject.frame_from_world @ (point - subject.centre)
    extents = np.maximum((subject.figure.radius, subject.figure.radius, subject.figure.depth), 1e-12)
    return float(np.linalg.norm(offset / extents)) < 1.0


@dataclass(frozen=True)
class Picture:
    """One eye's picture: the camera, width over height, and the width on the screen, m, None where nobody knows it."""

    camera: Camera
    aspect: float
    width: float | None = None

    @property
    def width_at_one(self) -> float:
        """Width of what it shows at a distance of 1."""
        return 2.0 * math.tan(0.5 * self.camera.field_of_view) * self.aspect

    @property
    def most_behind(self) -> float:
        """The most parallax that is allowed behind the screen."""
        return FARTHEST if self.width is None else min(FARTHEST, EYES_APART / self.width)


def disc_points(centre: Array, directions: Array, radius: float, picture: Picture) -> Array:
    """Points, (N, 3), of a disc in the plane of the two `directions`, (3, 2): its edge, where the picture's sides cut
    the edge, and where its corners meet the disc. What is seen of it is nearest and farthest in some of them."""
    camera, to_disc = picture.camera, centre - picture.camera.position
    up = math.tan(0.5 * camera.field_of_view)
    across = picture.aspect * up
    corners = np.array([(x, y) for x in (-across, across) for y in (-up, up)])
    rays = corners @ np.stack([camera.right, camera.up]) - camera.backward
    normal = np.cross(directions[:, 0], directions[:, 1])
    slope = rays @ normal
    met = rays[slope != 0.0] * (float(to_disc @ normal) / slope[slope != 0.0])[:, None] - to_disc
    in_disc = met[np.linalg.norm(met, axis=1) <= radius] @ directions

    axes = [camera.right, -camera.right, camera.up, -camera.up]
    sides = np.stack(axes) + np.array([across, across, up, up])[:, None] * camera.backward
    gradient, value = sides @ directions, sides @ to_disc  # along the disc, and at its centre
    steep = np.maximum(np.sum(gradient**2, axis=1), 1e-30)
    foot = -(value / steep)[:, None] * gradient
    half_chord = np.sqrt(np.maximum(radius**2 - np.sum(foot**2, axis=1), 0.0) / steep)[:, None]
    along = half_chord * np.stack([-gradient[:, 1], gradient[:, 0]], axis=1)
    cuts = np.concatenate([foot - along, foot + along])[np.tile(np.sum(foot**2, axis=1) <= radius**2, 2)]
    return np.asarray(centre + np.concatenate([radius * CIRCLE, in_disc, cuts]) @ directions.T)


def depths(points: Array, picture: Picture, near: float) -> Depths:
    """Of those points that lie in the picture, none nearer than `near`; the target's own where there are none."""
    camera = picture.camera
    offset = points - camera.position
    depth = -(offset @ camera.backward)
    reach = (1.0 + ROUNDING) * np.maximum(depth, 0.0) * math.tan(0.5 * camera.field_of_view)
    inside = np.abs(offset @ camera.right) <= picture.aspect * reach
    inside &= np.abs(offset @ camera.up) <= reach
    seen = depth[inside & (depth > 0.0)]
    if len(seen) == 0:
        return Depths(camera.distance, camera.distance)
    nearest = max(float(np.min(seen)), near)
    return Depths(nearest, max(float(np.max(seen)), nearest))


def parallax(eyes: Eyes, depth: float, picture: Picture) -> float:
    """Of a point at that depth."""
    distance = picture.camera.distance
    apart, screen = 0.01 * eyes.separation * distance, eyes.convergence * distance
    return apart / picture.width_at_one * (1.0 / screen - 1.0 / depth)


def place_eyes(
    stereo: Stereo, picture: Picture, span: Depths, on_the_way: tuple[Eyes, float] | None = None
) -> tuple[Eyes, Comfort]:
    """Where the eyes stand, by themselves or as the settings say, and what they have to bear.

    `on_the_way`: they come from there and have gone this share of the way; also then they keep to what is allowed.
    """
    eyes = automatic(span, picture) if stereo.comfort else Eyes(stereo.separation, stereo.convergence)
    if on_the_way is not None:
        eyes = between_eyes(on_the_way[0], eyes, on_the_way[1])
        if stereo.comfort:
            eyes = dataclasses.replace(
                eyes, separation=min(eyes.separation, most_separation(eyes, span, picture))
            )
    return eyes, comfort(eyes, span, picture, stereo.viewing_distance)


def automatic(span: Depths, picture: Picture) -> Eyes:
    """The eyes for which what is nearest and farthest has the parallax that is allowed, or less.

    1 / screen divides the way from 1 / nearest to 1 / farthest as the allowance does; the eyes are then set apart as
    far as it lets them, and no further than MOST_APART.
    """
    near, far, behind = 1.0 / span.nearest, 1.0 / span.farthest, picture.most_behind
    screen = 1.0 / (far + behind / (behind - NEAREST) * (near - far))
    apart = MOST_APART * screen
    if near > far:
        apart = min(apart, (behind - NEAREST) / (near - far) * picture.width_at_one)
    distance = picture.camera.distance
    return Eyes(100.0 * apart / distance, screen / distance)


def between_eyes(start: Eyes, end: Eyes, share: float) -> Eyes:
    """Eyes on the way from `start` (share 0) to `end` (share 1); there, where the rest is not worth the way."""
    if (
        abs(end.separation - start.separation) <= ARRIVED
        and abs(end.convergence - start.convergence) <= 0.1 * ARRIVED
    ):
        return end
    return Eyes(
        start.separation + share * (end.separation - start.separation),
        start.convergence * (end.convergence / start.convergence) ** share,
    )


def most_separation(eyes: Eyes, span: Depths, picture: Picture) -> float:
    """How far apart eyes with this screen plane may stand."""
    one = dataclasses.replace(eyes, separation=1.0)
    nearest, farthest = (parallax(one, depth, picture) for depth in (span.nearest, span.farthest))
    in_front = NEAREST / nearest if nearest < 0.0 else math.inf
    return min(in_front, picture.most_behind / farthest if farthest > 0.0 else math.inf)


def comfort(eyes: Eyes, span: Depths, picture: Picture, viewing_distance: float) -> Comfort:
    """The figures, seen from `viewing_distance` [m]; where the width on the screen is unknown the degrees are those
    from as far away as the picture is wide."""

    def figures(depth: float) -> Parallax:
        share = parallax(eyes, depth, picture)
        metres = None if picture.width is None else share * picture.width
        degrees = math.degrees(math.atan(share if metres is None else metres / viewing_distance))
        good = NEAREST - ROUNDING <= share <= picture.most_behind + ROUNDING
        return Parallax(share, degrees, metres, good)

    return Comfort(figures(span.nearest), figures(span.farthest))


def with_eyes(stereo: Stereo, eyes: Eyes) -> Stereo:
    """The settings with these eyes."""
    return dataclasses.replace(stereo, separation=eyes.separation, convergence=eyes.convergence)
