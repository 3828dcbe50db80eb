"""The picture of a session, for tests of what is in it."""

from dataclasses import replace

from viewer.scenario.presets import PRESETS
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


# presets of one body, which the whole picture shows: every scene, and of the real bodies one of each kind
_KINDS = ("t-handle", "toutatis")
SINGLE = [name for name in PRESETS if not Scenario.preset(name).bodies and (not PRESETS[name].group or name in _KINDS)]
CONSTRUCTED = [name for name in SINGLE if Scenario.preset(name).show.ellipsoid]  # not only the body
