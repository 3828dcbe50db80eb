"""The desktop app: puts window, loop, workspace, ui and renderer together, and hands the window's events on."""

import contextlib
import time
from collections.abc import Callable

from viewer.app.frames import FilmClock, Frames, Loop
from viewer.app.preferences import Preferences, opened_window
from viewer.commands.begin import Start, begin, workspace_of
from viewer.commands.documents import open_together
from viewer.commands.opening import end_opening
from viewer.common.language import tr
from viewer.export.writer import Writer
from viewer.ui.platform.display import Monitor
from viewer.ui.platform.imgui_events import connect_clipboard
from viewer.ui.platform.pyglet_options import EVENT_HANDLED
from viewer.ui.platform.window import NoWindow
from viewer.ui.ui import Ui
from viewer.ui.view.scene_view import SceneView
from viewer.ui.window_layout import WindowLayout
from viewer.user import log

__all__ = ["App", "NoWindow"]


class App:
    """One window with one workspace."""

    def __init__(self, start: Start, clock: Callable[[], float] = time.perf_counter) -> None:
        """Open the window; raises NoWindow."""
        film_clock = FilmClock(clock)
        self.workspace = workspace = workspace_of(start, clock, film_clock)
        self._watched = start.watched
        self.window, self.ctx = opened_window(self.failed, start.settings, start.size)
        self._preferences = Preferences(workspace, self.window, start.scenario if start.guest else None, start.watched)
        workspace.window, self._monitor = self.window, Monitor()
        layout = WindowLayout(workspace, self.window, self._monitor)
        self.scene_view = SceneView(self.ctx, self.window, workspace, layout, self._monitor, clock, film_clock)
        workspace.writer = film_clock.writer = Writer(
            self.ctx, workspace.session, lambda: self.frames.picture, lambda: workspace.files.inputs,
            workspace.messages.notice, workspace.messages.error,
        )  # fmt: skip
        self.ui = Ui(self.ctx, workspace, self.window, layout, self.scene_view, self.failed)
        self.frames = Frames(
            self.ctx, workspace, self.window, self.scene_view, self.ui, film_clock, self.failed, start.exit_after_frames
        )
        self.loop = Loop(self.frames, clock)
        workspace.in_window["quit"] = self.loop.end
        for handler in (self, self.frames.controller):
            self.window.push_handlers(handler)
        connect_clipboard(self.window)
        film_clock.follow()
        begin(workspace, start)

    def failed(self, error: Exception) -> None:
        """Log and report an unexpected exception.

        The motion stops, as it may be the cause, and the unsaved scene is kept. In a run of a given number of frames,
        which nobody watches, the exception is raised instead.
        """
        if not self._watched:
            raise error
        workspace, (summary, detail) = self.workspace, log.crash(error)
        workspace.session.playback.pause()
        text = tr("{error}; the motion is paused (more in {file})")
        if workspace.unsaved.keep():
            text = tr("{error}; the motion is paused, the scene is kept (more in {file})")
        workspace.messages.error(text.format(error=summary, file=log.path()), detail)

    def on_file_drop(self, x: float, y: float, paths: list[str]) -> None:
        """Open files that were dropped on the window; this ends a question about another file."""
        self.workspace.question = None
        open_together(self.workspace, paths)

    def on_move(self, *_: object) -> None:
        """Record that the window may be on another screen: it was moved, or regained the keyboard focus."""
        self._monitor.moved()

    on_activate = on_move

    def on_deactivate(self) -> None:
        """Write the settings: the window lost the keyboard."""
        self._preferences.keep()

    def on_expose(self, *_: object) -> None:
        """Paint the window again: it was covered, or has another size or scale."""
        self._monitor.moved()
        self.ui.touched()
        self.loop.expose()

    on_resize = on_scale = on_expose

    def on_show(self) -> None:
        """Go on: the window can be seen."""
        self.frames.shown = True
        self.loop.expose()

    def on_hide(self) -> None:
        """Draw no more: the window cannot be seen."""
        self.frames.shown = False

    def on_close(self) -> bool:
        """Close the window after this frame, not at once as pyglet would."""
        self.loop.end()
        return bool(EVENT_HANDLED)

    def run(self) -> None:
        """Run until the window is closed."""
        try:
            self.loop.run()
        finally:
            self.close()

    def close(self) -> None:
        """Release everything; the app cannot be used any more."""
        with contextlib.ExitStack() as stack:  # from the last to the first, even if some raise
            for release in (self.window.close, self.scene_view.release, self.ui.release,
                            self.workspace.writer.release, self.workspace.unsaved.close,
                            lambda: end_opening(self.workspace),
                            self._preferences.keep, self._preferences.save_session):  # fmt: skip
                stack.callback(release)
