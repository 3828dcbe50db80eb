"""Preferences that one run of the app leaves to the next: the window's place, and the user's theme and glasses."""

from collections.abc import Callable
from dataclasses import replace

import moderngl

from viewer.scenario.scenario import Scenario
from viewer.ui.platform.window import AppWindow, open_window
from viewer.user import last_session as session_file
from viewer.user import log
from viewer.user.last_session import same_but_for_screen
from viewer.user.settings import Settings
from viewer.workspace.workspace import Workspace

FRAME = 64  # pixels: a window manager may report a position that is off by its frame, which would add up


def opened_window(
    failed: Callable[[Exception], None], settings: Settings, size: tuple[int, int] | None
) -> tuple[AppWindow, moderngl.Context]:
    """Open the window at its last position, in the requested size or else in its last one."""
    remembered = settings.value("window.width"), settings.value("window.height")
    position = settings.value("window.x"), settings.value("window.y")
    known = settings.has("window.x") and settings.has("window.y")
    fullscreen = settings.value("window.fullscreen") and size is None
    return open_window(failed, size or remembered, fullscreen, position if known else None)


class Preferences:
    """Copies the values to be remembered from the window and the scene to the settings."""

    def __init__(self, workspace: Workspace, window: AppWindow, guest: Scenario | None, watched: bool) -> None:
        """Note the window as it is now.

        `guest` is the scene if the user has not asked for it, else None; `watched` says whether a user watches the
        window.
        """
        self._workspace, self._window, self._guest, self._watched = workspace, window, guest, watched
        self._bounds = window.bounds()

    def keep(self) -> None:
        """Write the settings; an error becomes a message.

        In a lecture, the window's position and size are left out. An unattended run writes nothing.
        """
        workspace = self._workspace
        if not self._watched:
            return
        workspace.note_choices(workspace.session.scenario)
        if not workspace.state.lecture:
            self._note_window()
        problem = workspace.settings.save()
        if problem:
            workspace.messages.error(problem)

    def save_session(self) -> None:
        """Write the scene, and which elements are open, for the next start.

        Nothing is written if nobody watches, or if the scene is the unchanged `guest` and an earlier session is on the
        disk.
        """
        workspace, files, guest = self._workspace, self._workspace.files, self._guest
        if not workspace.settings.kept or not self._watched:
            return
        workspace.tour.end()
        last = workspace.lecture.last_session
        if guest is not None and session_file.path().exists() and same_but_for_screen(guest, last.scenario):
            return
        if files.awaited is not None:  # not read yet
            awaited = files.awaited
            last = replace(last, recordings=awaited.files, flight=awaited.flight, repair=awaited.repair)
        if last.file is not None:
            last = replace(last, checksum=files.checksum_of(last.file))
        problem = session_file.save(last, workspace.settings.scene_defaults())
        if problem is not None:  # there is no window any more that could show it
            log.write("error", problem)

    def _note_window(self) -> None:
        """Note the window's position and its size at scale 1, if the user has changed them."""
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
