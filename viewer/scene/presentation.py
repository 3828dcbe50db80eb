"""How a motion is shown: what of it, from where, by which eyes, in which colours; and in how many pixels."""

import dataclasses
from dataclasses import dataclass

from viewer.scenario.choices.quality import FULL, Quality
from viewer.scenario.choices.stereo_modes import STEREO_MODES, StereoMode
from viewer.scenario.choices.themes import Theme
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.motion import Race
from viewer.scenario.sections.picture import Show, Stereo, View
from viewer.scene.camera.camera import Camera
from viewer.scene.stereo.anaglyph_theme import theme_in
from viewer.scene.stereo.comfort import Eyes, with_eyes
from viewer.scene.stereo.views import OnScreen

ANYWHERE = OnScreen()


@dataclass(frozen=True)
class Presentation:
    """The parts of a scene that change its picture and not its motion.

    `handle`: which one of a force the pointer is over, as `scene.constructions.loads.HANDLES` has them; "": none.
    """

    view: View
    show: Show
    race: Race
    stereo: Stereo
    handle: str = ""

    @classmethod
    def of(cls, scenario: Scenario) -> "Presentation":
        """As the scene has it."""
        return cls(scenario.view, scenario.show, scenario.race, scenario.stereo)

    @property
    def mode(self) -> StereoMode:
        """The stereo mode."""
        return STEREO_MODES[self.stereo.mode]

    @property
    def theme(self) -> Theme:
        """The colours, as the stereo mode and the glasses need them."""
        return theme_in(self.view.theme, self.stereo)

    def with_eyes(self, eyes: Eyes) -> "Presentation":
        """The same, seen by these eyes."""
        return dataclasses.replace(self, stereo=with_eyes(self.stereo, eyes))


@dataclass(frozen=True)
class Display:
    """What a picture is drawn for: `size` pixels, which are drawn in that quality.

    `pixel_scale`: pixels per pixel of the screen at scale 1 (more on a fine screen, or where a picture is drawn larger
    to be reduced). Lines and letters grow with it, and with pictures larger than the standard one.
    """

    size: tuple[int, int]
    pixel_scale: float = 1.0
    screen: OnScreen = ANYWHERE
    quality: Quality = FULL


@dataclass(frozen=True)
class Transition:
    """Where camera and eyes come from, and the fraction of the path that each has covered; None: it has arrived."""

    camera: tuple[Camera, float] | None = None
    eyes: tuple[Eyes, float] | None = None


ARRIVED = Transition()
