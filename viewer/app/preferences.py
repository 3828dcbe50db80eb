"""What one run of the app leaves to the next: where the window was, and the theme and glasses that the user chose."""

from viewer.ui.platform.window import AppWindow
from viewer.workspace.workspace import Workspace

FRAME = 64  # pixels: a window manager may report a position that is off by its frame, which would add up


class Preferences:
    """Takes what is to be remembered from the window and the scene into the settings."""

    def __init__(self, workspace: Workspace, window: AppWindow) -> None:
        self._workspace, self._window = workspace, window
        self._bounds = window.bounds()

    def keep(self) -> str | None:
        """Write the settings, in a lecture without those of the window; return one line where that fails."""
        self._workspace.note_choices()
        if not self._workspace.state.lecture:
            self._note_window()
        return self._workspace.settings.save()

    def _note_window(self) -> None:
        """Where the user has put the window, and its size at scale 1."""
        settings, window = self._workspace.settings, self._window
        if window.fullscreen != settings.value("window.fullscreen"):
            settings.change("window.fullscreen", bool(window.fullscreen))
        if window.fullscreen:
            return
        x, y, *size = bounds = window.bounds()
        if list(self._bounds[2:]) != size:
            settings.change("window.width", size[0])
            settings.change("window.height", size[1])
        if max(abs(x - self._bounds[0]), abs(y - self._bounds[1])) > FRAME:
            settings.change("window.x", x)
            settings.change("window.y", y)
            self._bounds = bounds
