"""The picture of a session, for tests of what is in it."""

from viewer.scene.build import build_frame
from viewer.scene.description import Frame
from viewer.scene.presentation import Display, Presentation
from viewer.session.session import Session


def picture_of(session: Session, size: tuple[int, int], **display: object) -> Frame:
    """What the session shows now, as its scene says; `display`: fields of a Display."""
    shown = Display(size, **display)  # type: ignore[arg-type]
    return build_frame(session.snapshot(), Presentation.of(session.scenario), shown)
