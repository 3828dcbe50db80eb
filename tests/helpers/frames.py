"""The picture of a session, for tests of what is in it."""

from dataclasses import replace

from viewer.scenario.scenario import Scenario
from viewer.scene.build import build_frame
from viewer.scene.description import Frame
from viewer.scene.presentation import Display, Presentation
from viewer.session.session import Session


def picture_of(session: Session, size: tuple[int, int], **display: object) -> Frame:
    """What the session shows now, as its scene says; `display`: fields of a Display."""
    shown = Display(size, **display)  # type: ignore[arg-type]
    return build_frame(session.snapshot(), Presentation.of(session.scenario), shown)


def with_scene(frame: Frame, **changes: object) -> Frame:
    """The frame with these fields of its main scene changed."""
    scene = replace(frame.main.scene, **changes)  # type: ignore[arg-type]
    return replace(frame, layers=(replace(frame.main, scene=scene), *frame.insets))


# one preset of each kind, for what holds in every scene: a sweep over all of them takes longer and finds no more
KINDS = (
    "paper-fig1",  # an ellipsoid; an integrator that errs, with stabilisation
    "disc",  # two equal moments
    "dzhanibekov",  # a box that flips: of all, the most parallax in front of the screen
    "ode-blog",  # moments that no solid has
    "rod",  # internal friction
    "race-of-five",  # a race in a grid
    "race-hidden-phase",  # a race of ghosts
    "twenty-boxes",  # several bodies
    "t-handle",  # only the body is shown, seen from space
    "hammer",  # a composite
    "toutatis",  # a mesh; turns in days
    "apophis-2029",  # a torque that comes and goes
    "earth",  # the largest numbers; no plane
)
# .. of which each is drawn in a way of its own: a cylinder, cells, ghosts, several bodies, a composite, a mesh
DRAWN = ("rod", "race-of-five", "race-hidden-phase", "twenty-boxes", "hammer", "toutatis")
SINGLE = [name for name in KINDS if not Scenario.preset(name).bodies]
CONSTRUCTED = [
    name for name in SINGLE if Scenario.preset(name).show.ellipsoid and Scenario.preset(name).race.show == "off"
]
