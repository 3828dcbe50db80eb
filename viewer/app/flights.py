"""What is said when a flight or a comparison is opened."""

from typing import TYPE_CHECKING

from viewer.ui.panel.flights_section import FLIGHTS

if TYPE_CHECKING:
    from viewer.ui.host import Host

OPEN_SECTIONS = "panel.open_sections"


def begin_recording(host: "Host") -> str | None:
    """What was recorded runs again and again, and the panel lists all flights; returns what happened in one, or which
    recording is the closest, in one line; None where the open scene has neither."""
    found, settings = host.workspace.session.document.recordings, host.workspace.settings
    if found is None:
        return None
    host.workspace.session.scene.loop_recording()
    unfolded: tuple[str, ...] = settings.value(OPEN_SECTIONS)
    if found.flight is not None and FLIGHTS not in unfolded:
        settings.change(OPEN_SECTIONS, (*unfolded, FLIGHTS))
    return found.line
