"""What one run of the app leaves to the next: where the window was, and the theme and glasses that the user chose."""

from viewer.scenario.scenario import REMEMBERED_FIELDS, Scenario
from viewer.ui.platform.window import AppWindow
from viewer.user.settings import Settings

FRAME = 64  # pixels: a window manager may report a position that is off by its frame, which would add up


class Preferences:
    """Takes what is to be remembered from the window and the scene into the settings."""

    def __init__(self, settings: Settings, window: AppWindow, scenario: Scenario) -> None:
        self._settings, self._window = settings, window
        self._came_with = scenario
        self._bounds = window.bounds()

    def scene_opened(self, before: Scenario, scenario: Scenario) -> None:
        """Another scene was opened: what it brings along is its own and no choice of the user's."""
        self._note(before)
        self._came_with = scenario

    def keep(self, scenario: Scenario, lecture: bool) -> str | None:
        """Writes the settings, in a `lecture` without those of the window; returns one line where that fails."""
        self._note(scenario)
        if not lecture:
            self._note_window()
        return self._settings.save()

    def _note(self, scenario: Scenario) -> None:
        for path in REMEMBERED_FIELDS:
            if scenario.value(path) != self._came_with.value(path):
                self._settings.change(path, scenario.value(path))
        self._came_with = scenario

    def _note_window(self) -> None:
        """Where the user has put the window, and its size at scale 1."""
        if self._window.fullscreen != self._settings.value("window.fullscreen"):
            self._settings.change("window.fullscreen", bool(self._window.fullscreen))
        if self._window.fullscreen:
            return
        x, y, *size = bounds = self._window.bounds()
        if list(self._bounds[2:]) != size:
            self._settings.change("window.width", size[0])
            self._settings.change("window.height", size[1])
        if max(abs(x - self._bounds[0]), abs(y - self._bounds[1])) > FRAME:
            self._settings.change("window.x", x)
            self._settings.change("window.y", y)
            self._bounds = bounds
