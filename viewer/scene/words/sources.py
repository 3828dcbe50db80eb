"""Where a scene's numbers come from and what is assumed, in words."""

from typing import Protocol

from viewer.common.language import tr


class Sourced(Protocol):
    """A scene, or what a list shows of one."""

    @property
    def source(self) -> str:
        """Where its numbers come from; may be empty."""
        ...

    @property
    def assumed(self) -> str:
        """What is assumed; may be empty."""
        ...


def sources(scene: Sourced) -> list[str]:
    """A line each; none where the scene says neither."""
    lines = (tr("Numbers: {source}"), scene.source), (tr("Assumed: {assumed}"), scene.assumed)
    return [line.format(source=tr(text), assumed=tr(text)) for line, text in lines if text]
