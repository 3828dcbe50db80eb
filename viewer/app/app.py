"""The desktop app: puts window, loop, workspace, ui and renderer together, and hands the window's events on."""

import contextlib
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from viewer.app.frames import FilmClock, Frames, Loop
from viewer.app.preferences import Preferences, opened_window
from viewer.commands import lecture
from viewer.commands import opening as opening_commands
from viewer.commands.documents import open_named, open_together
from viewer.common import language
from viewer.common.language import tr
from viewer.export.writer import Writer
from viewer.scenario.playlists import Playlist
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session
from viewer.ui.platform.display import Monitor
from viewer.ui.platform.imgui_events import connect_clipboard
from viewer.ui.platform.pyglet_options import EVENT_HANDLED
from viewer.ui.platform.window import NoWindow
from viewer.ui.ui import Ui
from viewer.ui.view.scene_view import SceneView
from viewer.ui.window_layout import WindowLayout
from viewer.user import log
from viewer.user.last_session import LastSession
from viewer.user.settings import Settings
from viewer.workspace.files import Awaited, own_file
from viewer.workspace.workspace import Workspace

if TYPE_CHECKING:
    from viewer.replay.findings import Replay
    from viewer.replay.phone import Phone

__all__ = ["App", "NoWindow"]


class App:
    """One window with one workspace."""

    def __init__(
        self,
        scenario: Scenario,
        *,
        size: tuple[int, int] | None = None,
        playing: bool = True,
        scene_name: str | None = None,
        exit_after_frames: int | None = None,
        settings: Settings | None = None,
        tour: str | None = None,
        playlist: Playlist | None = None,
        clock: Callable[[], float] = time.perf_counter,
        recording: "Replay | None" = None,
        opening: bool = False,
        last_session: LastSession | None = None,
        guest: bool = False,
        phone: "Phone | None" = None,
        asks: str | None = None,
        awaited: Awaited | None = None,
    ) -> None:
        """Opens the window; raises NoWindow.

        `size`: of the window in pixels at scale 1; None: as it was the last time. `scene_name`: the preset or file that
        the scene comes from. `exit_after_frames`: ends the run by itself. `settings`: what is remembered between runs;
        None: nothing. `tour`: the guided tour to begin with; `playlist`: the lecture. `recording`: as a Session takes
        it. `opening`: it is the very first start, with a caption over the scene until the user takes over.
        `last_session`: how the last window closed, of which `scenario` is the scene. `guest`: the user has not asked
        for `scenario`, which does not take the place of the last session where it is closed without a change.
        `phone`: one that is followed in it, a `live_scene`. `asks`: a recording that it opens by itself, and asks what
        its columns are. `awaited`: what is read, once the window is there, to go beside `scenario`.
        """
        settings = settings or Settings()
        language.choose(settings.value("panel.language"))
        saved, path = last_session is None or not last_session.unsaved, own_file(scene_name)
        session = Session(scenario, playing, recording=recording, saved=saved, path=path, held=phone is not None)
        film_clock = FilmClock(clock)
        self.workspace = workspace = Workspace(session, settings, clock, film_clock, scene_name, last_session)
        workspace.files.awaited = awaited
        self._watched = exit_after_frames is None
        self.window, self.ctx = opened_window(lambda error: self.failed(error), settings, size)
        self._preferences = Preferences(workspace, self.window, scenario if guest else None, self._watched)
        workspace.window, self._monitor = self.window, Monitor()
        layout = WindowLayout(workspace, self.window, self._monitor)
        self.scene_view = SceneView(self.ctx, self.window, workspace, layout, self._monitor, clock, film_clock)
        messages = workspace.messages
        workspace.writer = film_clock.writer = Writer(
            self.ctx, session, lambda: self.frames.picture, lambda: workspace.files.inputs,
            messages.notice, messages.error,
        )  # fmt: skip
        self.ui = Ui(self.ctx, workspace, self.window, layout, self.scene_view, lambda error: self.failed(error), clock)
        self.frames = Frames(
            self.ctx, workspace, self.window, self.scene_view, self.ui, film_clock,
            lambda error: self.failed(error), exit_after_frames,
        )  # fmt: skip
        self.loop = Loop(self.frames, clock)
        workspace.in_window["quit"] = self.loop.end
        for handler in (self, self.frames.controller):
            self.window.push_handlers(handler)
        connect_clipboard(self.window)
        for problem in settings.problems:
            messages.error(problem)
        if scene_name is not None and last_session is None:
            opening_commands.report_mesh(workspace, scene_name)
            opening_commands.ask_size(workspace, scene_name)
        opening_commands.report_recording(workspace)
        film_clock.follow()
        if tour is not None:
            workspace.tour.start(tour)
        elif playlist is not None:
            lecture.begin(workspace, playlist)
        elif opening:
            workspace.first_scene.begin()
        if phone is not None:
            from viewer.commands.live import Live  # here: SciPy takes long to import

            self.frames.live = Live(workspace, phone)
        if asks is not None:
            open_named(workspace, asks)
        elif self._watched:
            self.ui.first_hint.begin()

    def failed(self, error: Exception) -> None:
        """Log and report an unexpected exception; the motion stops, as it may be the cause, and unsaved changes are
        kept. A run of a given number of frames, which nobody watches, raises it."""
        if not self._watched:
            raise error
        workspace, (summary, detail) = self.workspace, log.crash(error)
        workspace.session.playback.pause()
        text = tr("{error}; the motion is paused (more in {file})")
        if workspace.unsaved.keep():
            text = tr("{error}; the motion is paused, the scene is kept (more in {file})")
        workspace.messages.error(text.format(error=summary, file=log.path()), detail)

    def on_file_drop(self, x: float, y: float, paths: list[str]) -> None:
        """Files were dropped on the window; a question about another file ends."""
        self.workspace.question = None
        open_together(self.workspace, paths)

    def on_move(self, x: int, y: int) -> None:
        """The window is somewhere else on the desktop."""
        self._monitor.moved()

    def on_activate(self) -> None:
        """The window got the keyboard; its screen may be another by now."""
        self._monitor.moved()

    def on_deactivate(self) -> None:
        """The window lost the keyboard."""
        self._preferences.keep()

    def on_expose(self) -> None:
        """The window has to be painted again."""
        self._monitor.moved()
        self.ui.touched()
        self.loop.expose()

    def on_resize(self, width: int, height: int) -> None:
        """The window has another size."""
        self.on_expose()

    def on_scale(self, scale: float, dpi: int) -> None:
        """The window is on a screen with another scale."""
        self.on_expose()

    def on_show(self) -> None:
        """The window can be seen."""
        self.frames.shown = True
        self.loop.expose()

    def on_hide(self) -> None:
        """The window cannot be seen."""
        self.frames.shown = False

    def on_close(self) -> bool:
        """The user closes the window: after this frame, not at once as pyglet would."""
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
        with contextlib.ExitStack() as stack:  # from the last to the first, whatever the others raise
            for release in (self.window.close, self.scene_view.release, self.ui.release,
                            self.workspace.writer.release, self.workspace.unsaved.close,
                            lambda: opening_commands.end_opening(self.workspace),
                            self._preferences.keep, self._preferences.save_session):  # fmt: skip
                stack.callback(release)
