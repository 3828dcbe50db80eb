"""How a motion is shown: what of it, from where, by which eyes, in which colours; and in how many pixels."""

import dataclasses

from viewer.common.frozen import frozen
from viewer.scenario.choices.stereo_modes import STEREO_MODES, StereoMode
from viewer.scenario.choices.themes import FULL, Quality, Theme
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.picture import Show, Stereo, View
from viewer.scenario.sections.race import Race
from viewer.scene.camera.camera import Camera
from viewer.scene.stereo.anaglyph_theme import theme_in
from viewer.scene.stereo.comfort import Eyes, with_eyes
from viewer.scene.stereo.views import OnScreen

ANYWHERE = OnScreen()


@frozen
class Pull:
    """A spring from a point (3,) [m] fixed in the body to one in space, and its force (3,) [N] on the body."""

    point_body: tuple[float, float, float]
    target_world: tuple[float, float, float]
    force_world: tuple[float, float, float]


@frozen
class Presentation:
    """The parts of a scene that change its picture and not its motion.

    `handle`: the thing under the pointer: "tip" or "point" of the force, the tip of "omega" or of "momentum", the
    "contact" of ellipsoid and plane, any point of the "body"; "": nothing. `held_scale`: the metres per rad/s at which
    a drag holds the picture, and the fraction of the way from there to the scene's own scale that is covered. `pull`:
    the pull of the pointer on the body. `legends`: the upper left corner tells of the motion.
    """

    view: View
    show: Show
    race: Race
    stereo: Stereo
    handle: str = ""
    held_scale: tuple[float, float] | None = None
    pull: Pull | None = None
    legends: bool = True

    @classmethod
    def of(cls, scenario: Scenario) -> "Presentation":
        """Return the presentation that a scene has."""
        return cls(scenario.view, scenario.show, scenario.race, scenario.stereo)

    @property
    def mode(self) -> StereoMode:
        """The stereo mode."""
        return STEREO_MODES[self.stereo.mode]

    @property
    def theme(self) -> Theme:
        """The colours, as the stereo mode and the glasses need them."""
        return theme_in(self.view.theme, self.stereo, self.view.material)

    def with_eyes(self, eyes: Eyes) -> "Presentation":
        """Return the presentation with these eyes."""
        return dataclasses.replace(self, stereo=with_eyes(self.stereo, eyes))


# px: up to this size of an eye's picture, lines and letters have their plain widths
STANDARD = (900.0, 720.0)


def enlargement(size: tuple[float, float]) -> float:
    """Return how much larger than plain the lines and letters of an eye's picture of this width and height [px] are."""
    return max(min(size[0] / STANDARD[0], size[1] / STANDARD[1]), 1.0)


@frozen
class Display:
    """What a picture is drawn for: `size` pixels, which are drawn in that quality.

    `pixel_scale`: pixels per pixel of the screen at scale 1 (more on a fine screen, or where a picture is drawn larger
    to be reduced). Lines and letters grow with it, and with pictures larger than the standard one. `text_size`: how
    much larger than usual the user wants letters; a picture larger than the standard one enlarges them as much itself.
    """

    size: tuple[int, int]
    pixel_scale: float = 1.0
    screen: OnScreen = ANYWHERE
    quality: Quality = FULL
    text_size: float = 1.0


@frozen
class Transition:
    """Where camera and eyes come from, and the fraction of the path that each has covered; None if it has arrived.

    `scale`: the metres per rad/s from which the picture's size changes together with the camera.
    """

    camera: tuple[Camera, float] | None = None
    eyes: tuple[Eyes, float] | None = None
    scale: float | None = None

    @property
    def held_scale(self) -> tuple[float, float] | None:
        """The `held_scale` of a `Presentation`."""
        return None if self.camera is None or self.scale is None else (self.scale, self.camera[1])


ARRIVED = Transition()
