"""The app as the ui sees it: what lies above this room in the house, as protocols. `viewer.app.app.App` is a `Host`.

An element takes the narrowest of these that it needs: a session, the settings, `UiState`, or else the whole host.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import moderngl

    from viewer.scenario.scenario import Scenario
    from viewer.scenario.sections.picture import View
    from viewer.session.session import Session
    from viewer.ui.input.actions import Action
    from viewer.ui.platform.window import AppWindow
    from viewer.ui.state import UiState
    from viewer.ui.ui import Ui
    from viewer.ui.view.scene_view import SceneView
    from viewer.user.autosave import Leftover
    from viewer.user.settings import Settings


class Documents(Protocol):
    """Scene files: `path` is the open scene's own, `left` are the scenes that an ended program left unsaved."""

    path: str | None
    left: "list[Leftover]"

    @property
    def recent(self) -> list[str]:
        """The files opened or saved last, the last one first."""

    @property
    def opening(self) -> str | None:
        """What to show while a file is being read."""

    def open(self, name: str) -> str | None:
        """Opens a preset, a scene file or a recording; returns the error where that fails."""

    def end_opening(self) -> None:
        """Cancels the file that is being read."""

    def save(self) -> None:
        """Saves the scene to its file; asks for one where it has none."""

    def ask_open(self) -> None:
        """Asks for a file to open."""

    def ask_save(self) -> None:
        """Asks for a file to save to."""

    def restore(self, left: "Leftover") -> None:
        """Opens a scene that was left unsaved."""

    def discard(self, left: "Leftover") -> None:
        """Deletes a scene that was left unsaved."""


class Capture(Protocol):
    """Pictures, films and plots as files."""

    @property
    def recording(self) -> bool:
        """Whether a film is being recorded."""

    @property
    def seconds(self) -> float:
        """The length of the film so far."""

    def picture_kinds(self) -> dict[str, str]:
        """Suffix and summary of each picture format but the usual one."""

    def save_picture(self, suffix: str = ".png") -> None:
        """Writes the scene to a picture file."""

    def toggle_film(self) -> None:
        """Begins a film, or ends it."""

    def save_plots_csv(self) -> None:
        """Writes the curves that are shown as a table."""

    def save_plots_png(self) -> None:
        """Writes a picture of the plots."""


class Host(Protocol):
    """One window with one session."""

    @property
    def session(self) -> "Session": ...
    @property
    def settings(self) -> "Settings": ...
    @property
    def state(self) -> "UiState": ...
    @property
    def ui(self) -> "Ui": ...
    @property
    def scene_view(self) -> "SceneView": ...
    @property
    def window(self) -> "AppWindow": ...
    @property
    def ctx(self) -> "moderngl.Context": ...
    @property
    def frames(self) -> int: ...
    @property
    def documents(self) -> Documents: ...
    @property
    def capture(self) -> Capture: ...

    def do(self, action: "Action") -> None:
        """Runs an action; errors become messages."""

    def attempt(self, what: Callable[[], object]) -> str | None:
        """Does it; an InputError becomes a message, and is returned."""

    def change(self, path: str, value: Any) -> None:
        """Changes one field of the scene, as one step of undo."""

    def change_many(self, values: "Mapping[str, Any]") -> None:
        """Changes fields of the scene in the middle of a gesture."""

    def scene_opened(self, before: "Scenario", glide_to: "View | None" = None) -> None:
        """A scene has taken the place of `before`: the camera stands where it says, or glides to a view."""

    def failed(self, error: Exception) -> None:
        """Reports an unexpected exception."""

    def quit(self) -> None:
        """Closes the window after this frame."""


class WindowEvents(Protocol):
    """What the window reports, other than mouse and keyboard."""

    def files_dropped(self, paths: list[str]) -> None:
        """Files were dropped on it."""

    def moved(self) -> None:
        """It is somewhere else on the desktop."""

    def exposed(self) -> None:
        """It has to be painted again."""

    def shown(self, visible: bool) -> None:
        """It was shown or hidden."""

    def keep(self) -> None:
        """It lost the keyboard: settings are saved."""

    def quit(self) -> None:
        """It is to close."""
