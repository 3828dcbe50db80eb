"""What a scene says of itself, as far as it is still true: title, summary, sources of its numbers, assumptions."""

from typing import Protocol

from viewer.common.language import tr
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session


class Sourced(Protocol):
    """A scene, or the entry that stands for a scene in a list."""

    @property
    def source(self) -> str:
        """Where its numbers come from; may be empty."""
        ...

    @property
    def assumed(self) -> str:
        """What is assumed; may be empty."""
        ...

    def holds(self, text: str) -> bool:
        """Return whether the text of this name, such as "source", is still true of the scene."""
        ...


def sources(scene: Sourced) -> list[str]:
    """Return a line each for source and assumption, if the scene has them and they are still true of its numbers."""
    lines = ("source", tr("Source: {source}"), scene.source), ("assumed", tr("Assumed: {assumed}"), scene.assumed)
    return [line.format(source=tr(text), assumed=tr(text)) for name, line, text in lines if text and scene.holds(name)]


def title(scenario: Scenario) -> str:
    """Return the title of a scene, marked as changed if it is no longer true of the scene."""
    named = tr(scenario.title)
    return named if scenario.holds("title") else tr("{title}, changed").format(title=named)


def summary(session: Session) -> str:
    """Return the summary of the open scene; it is empty if it describes another motion than the one that runs."""
    document = session.document
    if document.pushed or (document.recorded is not None and document.recordings is None):
        return ""
    as_saved = document.path is None or document.scenario.motion_fields == document.saved.motion_fields
    return tr(document.scenario.summary) if as_saved and document.scenario.holds("summary") else ""
