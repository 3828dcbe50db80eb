"""The parallax of points between the eyes' pictures, its limits, and the positions of the eyes that keep to them.

Parallax is positive behind the screen, where the right eye sees a point further right, and is given in widths of the
picture.
"""

import dataclasses
import math
from collections.abc import Sequence

from viewer.common.frozen import frozen
from viewer.scenario.sections.picture import Stereo
from viewer.scene.camera.camera import Camera
from viewer.scene.camera.sight import Extent

NEAREST, FARTHEST = -0.01, 0.02  # the parallaxes between which all is easy on the eyes
MOST_APART = 1.0 / 20.0  # of the screen plane's distance: with more, the scene looks like a model
EYES_APART = 0.063  # m; eyes would have to turn outwards to see pictures further apart
ROUNDING = 1e-9
ARRIVED = 0.01  # % of the distance


@frozen
class Depths:
    """The distances of the nearest and the farthest point that is drawn, along the camera's axis, m.

    `cut` is that of the nearest point at which the left or right side of the picture cuts a surface.
    """

    nearest: float
    farthest: float
    cut: float = math.inf


@frozen
class Eyes:
    """The positions of the eyes, as in the section [stereo].

    `separation` is in hundredths of the camera's distance, `convergence` is the screen plane's distance over it.
    """

    separation: float
    convergence: float


@frozen
class Parallax:
    """The parallax of one point.

    `fraction` is in widths of the picture, `metres` on the screen, or None if its size is unknown. `degrees` is the
    angle at which a viewer sees that length.
    """

    fraction: float
    degrees: float
    metres: float | None
    comfortable: bool


@frozen
class Comfort:
    """The parallax of the nearest and of the farthest point that the eyes see."""

    nearest: Parallax
    farthest: Parallax

    @property
    def comfortable(self) -> bool:
        """Whether all of the scene is easy on the eyes."""
        return self.nearest.comfortable and self.farthest.comfortable


@frozen
class Picture:
    """One eye's picture, or a part of it: the camera, and `aspect`, the ratio of width to height.

    `width` is that on the screen [m], or None if it is unknown. `fraction` is the width over that of the whole picture,
    in which parallax is given.
    """

    camera: Camera
    aspect: float
    width: float | None = None
    fraction: float = 1.0

    @property
    def width_at_one(self) -> float:
        """The width of the camera's field of view at a distance of 1."""
        return 2.0 * math.tan(0.5 * self.camera.field_of_view) * self.aspect

    @property
    def most_behind(self) -> float:
        """The largest parallax that is allowed behind the screen."""
        return FARTHEST if self.width is None else min(FARTHEST, EYES_APART / self.width)


def depths(extent: Extent, picture: Picture, near: float) -> Depths:
    """Return the depths of the visible part of `extent`, at least `near`; the target's depth if none is visible."""
    seen = [span for span in extent.seen(picture.camera, picture.aspect) if span[1] >= near]
    if not seen:
        return Depths(picture.camera.distance, picture.camera.distance)
    nearest, farthest = min(span[0] for span in seen), max(span[1] for span in seen)
    return Depths(max(nearest, near), farthest, max(min(span[2] for span in seen), near))


def parallax(eyes: Eyes, depth: float, picture: Picture) -> float:
    """Return the parallax of a point at that depth, in widths of the picture."""
    distance = picture.camera.distance
    apart, screen = 0.01 * eyes.separation * distance, eyes.convergence * distance
    return apart / picture.width_at_one * (1.0 / screen - 1.0 / depth)


def place_eyes(
    stereo: Stereo, picture: Picture, span: Depths, transition: tuple[Eyes, float] | None = None
) -> tuple[Eyes, Comfort]:
    """Return the positions of the eyes, automatic or as they are set, and the parallax that they see.

    `transition` has the eyes at the start of the path and the fraction of the path that is covered; automatic eyes keep
    to the allowed parallax on the way, too.
    """
    eyes = automatic(span, picture) if stereo.comfort else Eyes(stereo.separation, stereo.convergence)
    if transition is not None:
        eyes = between_eyes(transition[0], eyes, transition[1])
        if stereo.comfort:
            eyes = dataclasses.replace(eyes, separation=min(eyes.separation, most_separation(eyes, span, picture)))
    return eyes, comfort(eyes, span, picture, stereo.viewing_distance)


def automatic(span: Depths, picture: Picture) -> Eyes:
    """Return the eyes for which the nearest and the farthest point have the allowed parallax, or less.

    1 / screen divides the range from 1 / nearest to 1 / farthest as 0 divides the range of the allowed parallax; but
    what a side of the picture cuts does not stand in front of the screen, where it would be nearer than the frame that
    hides it. The eyes are then as far apart as the allowed parallax permits, but no further than MOST_APART.
    """
    near, far, behind = 1.0 / span.nearest, 1.0 / span.farthest, picture.most_behind
    screen = min(1.0 / (far + behind / (behind - NEAREST) * (near - far)), span.cut)
    apart = MOST_APART * screen
    if 1.0 / screen > far:
        apart = min(apart, behind / (1.0 / screen - far) * picture.width_at_one)
    distance = picture.camera.distance
    return Eyes(100.0 * apart / distance, screen / distance)


def between_eyes(start: Eyes, end: Eyes, fraction: float) -> Eyes:
    """Return eyes between `start` (fraction 0) and `end` (fraction 1), or `end` if the rest is too little to see."""
    if abs(end.separation - start.separation) <= ARRIVED and abs(end.convergence - start.convergence) <= 0.1 * ARRIVED:
        return end
    return Eyes(
        start.separation + fraction * (end.separation - start.separation),
        start.convergence * (end.convergence / start.convergence) ** fraction,
    )


def same_eyes(one: Eyes, other: Eyes) -> bool:
    """Return whether two pairs of eyes agree, up to the rounding in which pictures of different resolution differ."""
    return math.isclose(one.separation, other.separation, rel_tol=ROUNDING) and math.isclose(
        one.convergence, other.convergence, rel_tol=ROUNDING
    )


def most_separation(eyes: Eyes, span: Depths, picture: Picture) -> float:
    """Return the largest allowed separation of eyes with this screen plane."""
    one = dataclasses.replace(eyes, separation=1.0)
    nearest, farthest = (parallax(one, depth, picture) for depth in (span.nearest, span.farthest))
    in_front = NEAREST / nearest if nearest < 0.0 else math.inf
    return min(in_front, picture.most_behind / farthest if farthest > 0.0 else math.inf)


def comfort(eyes: Eyes, span: Depths, picture: Picture, viewing_distance: float) -> Comfort:
    """Return the parallax of the nearest and the farthest point, for a viewer at `viewing_distance` [m].

    If the width on the screen is unknown, the angles are for a viewer at a distance of one width of the picture.
    """

    def figures(depth: float) -> Parallax:
        own = parallax(eyes, depth, picture)
        fraction, metres = own * picture.fraction, None if picture.width is None else own * picture.width
        degrees = math.degrees(math.atan(fraction if metres is None else metres / viewing_distance))
        good = NEAREST - ROUNDING <= own <= picture.most_behind + ROUNDING
        return Parallax(fraction, degrees, metres, good)

    return Comfort(figures(span.nearest), figures(span.farthest))


def worst(all_of_them: Sequence[Comfort]) -> Comfort:
    """Return the comfort of a picture made of these parts: the worst of their nearest and of their farthest points."""
    return Comfort(
        min((part.nearest for part in all_of_them), key=lambda point: (point.comfortable, point.fraction)),
        max((part.farthest for part in all_of_them), key=lambda point: (not point.comfortable, point.fraction)),
    )


def with_eyes(stereo: Stereo, eyes: Eyes) -> Stereo:
    """Return the settings with these eyes."""
    return dataclasses.replace(stereo, separation=eyes.separation, convergence=eyes.convergence)
