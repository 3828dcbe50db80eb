"""How a motion is shown: which things, from which side, by which eyes, in which colours; and in how many pixels."""

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

    Attributes
    ----------
    handle
        The handle under the pointer: "tip" or "point" of the force, the tip of "omega" or of "momentum", the "contact"
        of ellipsoid and plane, the end of a top's "axis", any point of the "body", or "" for none.
    held_scale
        The metres per rad/s at which a drag holds the picture, and the fraction that is covered of the way from this
        scale to the scene's own.
    pull
        The pull of the pointer on the body.
    legends
        Whether the upper left corner describes the motion.
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
        """Return the presentation of a scene."""
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
    """Return the factor by which lines and letters are enlarged in an eye's picture of this width and height [px]."""
    return max(min(size[0] / STANDARD[0], size[1] / STANDARD[1]), 1.0)


@frozen
class Display:
    """The target of a picture: its `size` in pixels, the screen, and the quality in which it is drawn.

    `pixel_scale` is the number of pixels per pixel of the screen at scale 1; it is larger on a fine screen, or if a
    picture is drawn larger to be reduced. Lines and letters grow with it, and with pictures larger than the standard
    one. `text_size` is the factor by which the user enlarges letters; `enlargement` counts towards it.
    """

    size: tuple[int, int]
    pixel_scale: float = 1.0
    screen: OnScreen = ANYWHERE
    quality: Quality = FULL
    text_size: float = 1.0


@frozen
class Transition:
    """Where camera and eyes come from, and the fraction of the path that each has covered; None if it has arrived.

    `scale` is the metres per rad/s from which the construction's size changes together with the camera.
    """

    camera: tuple[Camera, float] | None = None
    eyes: tuple[Eyes, float] | None = None
    scale: float | None = None

    @property
    def held_scale(self) -> tuple[float, float] | None:
        """The `held_scale` of a `Presentation` in this transition."""
        return None if self.camera is None or self.scale is None else (self.scale, self.camera[1])


ARRIVED = Transition()
