"""The desktop app: opens the window and runs the loop. Draws only when something has changed."""

import contextlib
import gc
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import moderngl

from viewer.app import timings
from viewer.app.documents import Documents, own_file
from viewer.app.loop import PACE, Loop
from viewer.app.preferences import Preferences
from viewer.common import language
from viewer.common.language import tr
from viewer.export.writer import FPS, WindowPicture, Writer
from viewer.scenario.playlists import Playlist
from viewer.scenario.scenario import Scenario
from viewer.scenario.tours import unreadable_tours
from viewer.session.session import Session
from viewer.ui.input.controller import Controller
from viewer.ui.panel.head import title_of
from viewer.ui.platform.display import Monitor
from viewer.ui.platform.imgui_events import connect_clipboard
from viewer.ui.platform.pyglet_options import EVENT_HANDLED
from viewer.ui.platform.window import NAME, AppWindow, NoWindow, open_window
from viewer.ui.ui import Ui
from viewer.ui.view.scene_view import SceneView
from viewer.ui.window_layout import WindowLayout
from viewer.user import last_session as session_file
from viewer.user import log
from viewer.user.last_session import LastSession, same_but_for_screen
from viewer.user.settings import Settings
from viewer.workspace.opening import LOOK_EVERY, Awaited
from viewer.workspace.workspace import Workspace

if TYPE_CHECKING:
    from viewer.app.live import Live
    from viewer.replay.live.phone import Phone
    from viewer.replay.opening import Recordings

__all__ = ["App", "NoWindow"]


class App:
    """One window with one session."""

    documents: Documents
    ui: Ui

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
        recording: "Recordings | None" = None,
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
        self._clock = clock
        settings = settings or Settings()
        language.choose(settings.value("panel.language"))
        saved = last_session is None or not last_session.unsaved
        session = Session(
            scenario, playing, recording=recording, saved=saved, path=own_file(scene_name), held=phone is not None
        )
        self.workspace = Workspace(session, settings, clock, self._animation_clock)
        if last_session is not None:
            self.workspace.state.plots, self.workspace.state.panel = last_session.plots, last_session.panel
        self.frames = 0  # presented so far
        self._exit_after = exit_after_frames
        self._guest = scenario if guest else None
        self._shown = True
        self._monitor = Monitor()
        self.loop = Loop(self, clock)
        self.window, self.ctx = self._open_window(size)
        self._preferences = Preferences(self.workspace, self.window)
        timings.mark("window open")
        self.layout = WindowLayout(self.workspace, self.window, self._monitor)
        self.scene_view = SceneView(
            self.ctx, self.window, self.workspace, self.layout, self._monitor, clock, self._animation_clock
        )
        messages = self.workspace.messages
        self.workspace.writer = Writer(
            self.ctx, session, self._picture, lambda: self.documents.inputs, messages.notice, messages.error
        )
        timings.mark("renderer ready")
        checksum_left = "" if last_session is None else last_session.checksum
        self.documents = Documents(self, unsaved=not saved, checksum_left=checksum_left, opened=scene_name)
        self.documents.awaited = awaited
        self.ui = Ui(self.ctx, self, clock)
        timings.mark("ui ready")
        self._controller = Controller(self, self.ui, clock)
        self.window.push_handlers(self)
        self.window.push_handlers(self._controller)
        connect_clipboard(self.window)
        self._tell(self.workspace.settings.problems)
        if scene_name is not None and last_session is None:
            self.documents.report_mesh(scene_name)
            self.documents.ask_size(scene_name)
        self.documents.report_recording()
        self._filmed_from = clock()
        if tour is not None:
            self.workspace.tour.start(tour)
        elif playlist is not None:
            self.ui.lecture.begin(playlist)
        elif opening:
            self.ui.first_start.begin()
        self.live: Live | None = None
        if phone is not None:
            from viewer.app import live  # here: SciPy takes long to import

            self.workspace.session.playback.pause()
            self.live = live.Live(self, phone)
        if asks is not None:
            self.documents.open(asks)
        elif exit_after_frames is None:
            self.ui.first_hint.begin()

    def _open_window(self, size: tuple[int, int] | None) -> tuple[AppWindow, moderngl.Context]:
        """The window where it was last time; in the requested size, else as it was."""
        settings = self.workspace.settings
        remembered = settings.value("window.width"), settings.value("window.height")
        position = settings.value("window.x"), settings.value("window.y")
        fullscreen = settings.value("window.fullscreen") and size is None
        known = settings.has("window.x") and settings.has("window.y")
        return open_window(
            lambda error: self.failed(error), size or remembered, fullscreen, position if known else None
        )

    def _tell(self, problems: Iterable[str]) -> None:
        for problem in problems:
            self.workspace.messages.error(problem)

    def failed(self, error: Exception) -> None:
        """An unexpected exception is logged and reported; the motion stops, as it may be the cause, and unsaved changes
        are kept. A run of a given number of frames, which nobody watches, raises it."""
        if self._exit_after is not None:
            raise error
        summary, detail = log.crash(error)
        self.workspace.session.playback.pause()
        text = tr("{error}; the motion is paused (more in {file})")
        if self.documents.unsaved.keep():
            text = tr("{error}; the motion is paused, the scene is kept (more in {file})")
        self.workspace.messages.error(text.format(error=summary, file=log.path()), detail)

    @property
    def visible(self) -> bool:
        """Whether the window can be drawn into."""
        return self._shown and min(self.window.pixels) >= 1

    @property
    def due(self) -> bool:
        """Whether anything on the screen is out of date, or moves."""
        counting = self._exit_after is not None or self.workspace.writer.busy
        moving = self.workspace.session.scene.moving or self.workspace.animator.gliding or self._controller.keys_held
        return counting or moving or self.scene_view.due or self.ui.freshness.wait() == 0.0

    @property
    def interval(self) -> float:
        """Seconds between two frames; more while a file is read, which the drawing takes time from."""
        if self.workspace.writer.recording:
            return 1 / FPS
        return max(PACE / self.window.frame_rate, 0.0 if self.documents.opening is None else LOOK_EVERY)

    def wait(self, now: float) -> float | None:
        """Seconds until something is due by itself; None: never."""
        live = None if self.live is None else self.live.wait()
        waits = (self.ui.freshness.wait(), self.scene_view.wait(), self.documents.wait(now), live)
        return min((wait for wait in waits if wait is not None), default=None)

    def prepare(self, now: float) -> None:
        """Called before it is asked whether a frame is due; `now`: seconds on the app's clock."""
        if not self.workspace.writer.recording:
            self._filmed_from = now
        self.documents.follow(now)
        if self.live is not None:
            self.live.follow(now)
        self.loop.boundary.attempt("names", self.ui.names.update)

    def _animation_clock(self) -> float:
        """The time [s] by which camera and eyes move: in a film from picture to picture, however long one takes."""
        return self._filmed_from + self.workspace.writer.seconds if self.workspace.writer.recording else self._clock()

    def frame(self, seconds: float) -> None:
        """One frame, `seconds` after the last one could have been due: the ui takes the input and changes the scene,
        the motion goes on, and what has become of it is drawn. What fails leaves the rest as it is."""
        attempt, recording = self.loop.boundary.attempt, self.workspace.writer.recording
        self.window.switch_to()
        if changes := self.workspace.animator.glide():
            self.workspace.editor.change(changes)
        self._take_snapshot()
        attempt("ui", self.ui.refresh)
        elapsed = 1 / FPS if recording else seconds
        attempt("motion", lambda: self.workspace.session.scene.advance(elapsed, patient=recording))
        self._take_snapshot()
        attempt("pointer", self._controller.follow)
        self._take_snapshot()
        attempt("scene", self.scene_view.draw)
        self.scene_view.present(lambda: self.ui.paint(self.ctx.screen))
        self._show_title()
        self.window.show_cursor(self.ui.cursor)
        self.scene_view.finish()
        attempt("sound", self.ui.sound.follow)
        self.ui.save_plots_picture()
        self.window.flip()
        self.frames += 1
        if self.frames == 1:
            timings.mark("first picture")
            if not gc.isenabled():  # the command has put it off until now
                gc.freeze()
                gc.enable()
            self._tell(unreadable_tours())  # now: reading them takes 18 ms
        if recording and self.workspace.writer.recording:
            self.workspace.writer.wait() if self.workspace.session.scene.late else self.workspace.writer.record()
        self.workspace.writer.work()
        if self._exit_after is not None and self.frames >= self._exit_after:
            self.quit()

    def _picture(self) -> WindowPicture:
        """How the window shows the scene, for the files that are written of it."""
        view = self.scene_view
        return WindowPicture(
            view.scenario, view.size, self.window.interface_scale, view.transition, self.ui.legend.listed
        )

    def _take_snapshot(self) -> None:
        """The motion as it is now; where that fails the last snapshot is shown again."""
        if not self.loop.boundary.attempt("snapshot", self.workspace.session.snapshot):
            self.loop.boundary.attempt("last snapshot", self.workspace.session.show_again)

    def _show_title(self) -> None:
        """The window's title: the scene's, with a mark if it is not saved or recorded."""
        mark = "• " if self.workspace.session.unsaved else ""
        if self.workspace.writer.recording:
            mark = f"● {self.workspace.writer.seconds:.0f} s "
        title = f"{mark}{title_of(self.workspace.session.scenario, self.workspace.state)} · {NAME}"
        if title != self.window.caption:
            self.window.set_caption(title)

    def on_file_drop(self, x: float, y: float, paths: list[str]) -> None:
        """Files were dropped on the window; a question about another file ends."""
        self.layout.overlays.close_dialog()
        self.documents.open_together(paths)

    def on_move(self, x: int, y: int) -> None:
        """The window is somewhere else on the desktop."""
        self._monitor.moved()

    def on_activate(self) -> None:
        """The window got the keyboard; its screen may be another by now."""
        self._monitor.moved()

    def on_deactivate(self) -> None:
        """The window lost the keyboard."""
        self.keep()

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
        self._shown = True
        self.loop.expose()

    def on_hide(self) -> None:
        """The window cannot be seen."""
        self._shown = False

    def on_close(self) -> bool:
        """The user closes the window: after this frame, not at once as pyglet would."""
        self.quit()
        return bool(EVENT_HANDLED)

    def quit(self) -> None:
        """Closes the window after this frame."""
        self.loop.end()

    def run(self) -> None:
        """Runs until the window is closed."""
        try:
            self.loop.run()
        finally:
            self.close()

    def keep(self) -> None:
        """Saves the settings; a failure becomes a message."""
        problem = self._preferences.keep()
        if problem:
            self.workspace.messages.error(problem)

    def _save_session(self) -> None:
        """Keeps the scene and what is open for the next start."""
        if not self.workspace.settings.kept or self._exit_after is not None:
            return
        self.workspace.tour.end()
        left = self.ui.lecture.last_session
        if self._guest is not None and session_file.path().exists() and same_but_for_screen(self._guest, left.scenario):
            return
        if awaited := self.documents.awaited:  # not there yet
            left = replace(left, recordings=awaited.files, flight=awaited.flight)
        if left.file is not None:
            left = replace(left, checksum=self.documents.checksum_of(left.file))
        problem = session_file.save(left, self.workspace.settings.scene_defaults())
        if problem is not None:  # there is no window any more that could show it
            log.write("error", problem)

    def close(self) -> None:
        """Releases everything; the app cannot be used any more."""
        with contextlib.ExitStack() as stack:  # from the last to the first, whatever the others raise
            for release in (self.window.close, self.scene_view.release, self.ui.release,
                            self.workspace.writer.release, self.documents.close, self.keep,
                            self._save_session):  # fmt: skip
                stack.callback(release)
