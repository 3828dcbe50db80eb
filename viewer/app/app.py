"""The desktop app: opens the window and runs the loop. Draws only when something has changed."""

import contextlib
import gc
import os
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import moderngl

from viewer.app import capture
from viewer.common import signals, timings
from viewer.common.errors import GraphicsError, InputError
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.picture import View
from viewer.session.session import Session
from viewer.user import log
from viewer.user.settings import Settings

timings.mark("physics and scene imported")


from viewer.app.documents import Documents  # noqa: E402
from viewer.app.exports import Exports  # noqa: E402
from viewer.app.preferences import Preferences  # noqa: E402
from viewer.common.exception_handler import ErrorBoundary, ExceptionHandler  # noqa: E402
from viewer.ui.input.actions import Action  # noqa: E402
from viewer.ui.input.controller import Controller  # noqa: E402
from viewer.ui.layout import Rect, text_scale  # noqa: E402
from viewer.ui.platform.display import Monitor  # noqa: E402
from viewer.ui.platform.imgui_events import connect_clipboard  # noqa: E402
from viewer.ui.platform.pyglet_options import app as toolkit  # noqa: E402
from viewer.ui.platform.window import NAME, AppWindow, NoWindow, open_window  # noqa: E402
from viewer.ui.state import UiState  # noqa: E402
from viewer.ui.ui import Ui  # noqa: E402
from viewer.ui.view.scene_view import SceneView  # noqa: E402
from viewer.ui.view.viewports import Viewports  # noqa: E402

if TYPE_CHECKING:
    from viewer.replay.analysis import Replay

timings.mark("window and picture imported")

__all__ = ["App", "NoWindow", "run"]

RETRY = 0.1  # s until the next frame after one that failed as a whole
PACE = 0.95  # share of the screen's interval after which a frame may begin: the swap waits for the rest


class Loop(toolkit.EventLoop):  # type: ignore[misc]
    """pyglet's event loop with the app's own idea of what to do between events."""

    def __init__(self, app: "App") -> None:
        super().__init__()
        self._app = app

    def idle(self) -> float | None:
        """Called after events; returns how long to wait for the next ones."""
        return self._app.idle()

    def _blocking_timer(self) -> None:
        """While the system holds the loop (on Windows: the window is being resized)."""
        toolkit.platform_event_loop.set_timer(self._blocking_timer, self._app.idle())


class App:
    """One window with one session."""

    def __init__(
        self,
        scenario: Scenario,
        *,
        size: tuple[int, int] | None = None,
        playing: bool = True,
        scene_name: str | None = None,
        exit_after_frames: int | None = None,
        settings: Settings | None = None,
        clock: Callable[[], float] = time.perf_counter,
        log: "Replay | None" = None,
    ) -> None:
        self._clock = clock
        self.settings = settings or Settings()
        self.state = UiState()
        self.session = Session(scenario, playing=playing, recording=log)
        self.frames = 0  # presented so far
        self._exit_after = exit_after_frames
        self._exposed = True
        self._visible = True
        self._next_frame = 0.0
        self._quitting = False
        self._boundary = ErrorBoundary(lambda error: self.failed(error))
        self._monitor = Monitor()
        self.window, self.ctx = self._open_window(size)
        self._preferences = Preferences(self.settings, self.window, scenario)
        timings.mark("window open")
        self.scene_view = SceneView(self, self._monitor, clock, self._gliding)
        self.capture = capture.Capture(self.ctx)
        self.exports = Exports(self)
        timings.mark("renderer ready")
        self.documents = Documents(self, scene_name)
        self.ui = Ui(self.ctx, self, clock)
        timings.mark("interface ready")
        self._controller = Controller(self, self.ui, clock, self._gliding)
        self.window.controller = ExceptionHandler(self._controller, self.failed)
        connect_clipboard(self.window)
        self.ui.scale = self.interface_scale
        for problem in self.settings.problems:
            self.ui.messages.error(problem)
        self._before = self._filmed_from = clock()
        self.loop = Loop(self)
        toolkit.event_loop = self.loop

    def _open_window(self, size: tuple[int, int] | None) -> tuple[AppWindow, moderngl.Context]:
        """The window at the place where it was the last time; in the size that is asked for, else as it was."""
        settings = self.settings
        remembered = settings.value("window.width"), settings.value("window.height")
        place = settings.value("window.x"), settings.value("window.y")
        fullscreen = settings.value("window.fullscreen") and size is None
        known = settings.has("window.x") and settings.has("window.y")
        guarded = ExceptionHandler(self, self.failed)
        return open_window(guarded, size or remembered, fullscreen, place if known else None)

    @property
    def interface_scale(self) -> float:
        """What the interface is enlarged by: the screen's scale, times the user's text size."""
        scale = self.window.interface_scale
        width = self.ui.viewports(self.window.pixels).size[0]
        return text_scale(width, scale, self.settings.value("panel.text_size"))

    def idle(self) -> float | None:
        """Draws what is due; returns the seconds until it wants to be called again, None: at the next event."""
        waits: list[float | None] = []
        done = self._boundary.attempt("frame", lambda: waits.append(self._idle()))
        if done:
            return waits[0]
        self._exposed = True
        return RETRY

    def failed(self, error: Exception) -> None:
        """Something that nobody expected: logged and told; the motion stops, as it may be the reason, and what is not
        saved is kept. A run of a given number of frames, which nobody sits at, raises it."""
        if self._exit_after is not None:
            raise error
        words, detail = log.crash(error)
        self.session.playback.pause()
        kept = ", the scene is kept" if self.documents.keep() else ""
        self.ui.messages.error(f"{words}; the motion is paused{kept} (more in {log.path()})", detail)
        self.ui.touched()

    def _idle(self) -> float | None:
        now = self._clock()
        if self._quitting or signals.asked() is not None:
            self.loop.exit()
            return 0.0
        if not self._visible or min(self.window.pixels) < 1:
            self._before = now
            return None
        if now < self._next_frame:
            return self._wait()
        recording = self.capture.recording
        seconds, self._before = 1 / capture.FPS if recording else now - self._before, now
        self._boundary.attempt("motion", lambda: self.session.advance(seconds, patient=recording))
        if not recording:
            self._filmed_from = now
        self._controller.advance()
        self.documents.follow(now)
        if self._due():
            self._next_frame = now + (1 / capture.FPS if recording else PACE / self.window.frame_rate)
            self._draw()
            if recording:
                self.exports.record()
        return self._wait()

    def _gliding(self) -> float:
        """The time [s] by which what glides goes on: in a film from picture to picture, however long one takes."""
        return self._filmed_from + self.capture.seconds if self.capture.recording else self._clock()

    def _due(self) -> bool:
        """Whether anything on the screen is out of date."""
        counting = self._exit_after is not None or self.capture.recording
        return counting or self._exposed or self.scene_view.due or self.ui.wait() == 0.0

    def moved(self) -> None:
        """The window stands elsewhere: which eye has which pixel may be another."""
        self._monitor.moved()

    def _wait(self) -> float | None:
        """Seconds until the next frame is due by itself."""
        until_next = max(0.0, self._next_frame - self._clock())
        if self.session.moving or self._controller.easing or self._controller.keys_held or self._due():
            return until_next
        waits = (self.ui.wait(), self.scene_view.wait(), self.documents.wait(self._clock()))
        known = [wait for wait in waits if wait is not None]
        return max(until_next, min(known)) if known else None

    @property
    def scene(self) -> Rect:
        """The scene's part of the interface, in interface pixels."""
        return self.ui.layout(self.window.pixels).scene

    @property
    def viewports(self) -> Viewports:
        """The window's parts, one for each eye that has its own."""
        return self.ui.viewports(self.window.pixels)

    def _draw(self) -> None:
        """One frame: the scene where it has changed, then the interface over it; each is there without the other."""
        self.window.switch_to()
        self.ui.scale = self.interface_scale
        if not self._boundary.attempt("moment", self.session.snapshot):
            self._boundary.attempt("moment before", self.session.show_again)
        self._boundary.attempt("picture", self.scene_view.draw)
        self._exposed = False
        size = self.window.pixels
        self._boundary.attempt("interface", lambda: self.ui.build(size, self.ui.scale))
        self.scene_view.present(lambda: self.ui.paint(self.ctx.screen))
        mark = "• " if self.session.unsaved else ""
        if self.capture.recording:
            mark = f"● {self.capture.seconds:.0f} s "
        title = f"{mark}{self.session.scenario.title} · {NAME}"
        if title != self.window.caption:
            self.window.set_caption(title)
        self.window.show_cursor(self.ui.cursor)
        self.scene_view.finish()
        self.exports.frame_complete()
        self.window.flip()
        self.frames += 1
        if self.frames == 1:
            timings.mark("first picture")
            if not gc.isenabled():  # the command has put it off until now
                gc.freeze()
                gc.enable()
        if self._exit_after is not None and self.frames >= self._exit_after:
            self.quit()

    def do(self, action: Action) -> None:
        """Carries out an action; what goes wrong is shown."""
        self.attempt(lambda: action.run(self))

    def change(self, path: str, value: object) -> None:
        """Changes one field of the scene for good."""
        self.change_many({path: value})
        self.session.commit_change()

    def change_many(self, values: Mapping[str, Any]) -> None:
        """Changes fields of the scene in the middle of a gesture."""
        values = self.scene_view.with_eyes(values)
        self.attempt(lambda: self.session.change(values))

    def attempt(self, what: Callable[[], object]) -> str | None:
        """Does it; shows and returns the error where it fails."""
        try:
            what()
        except (InputError, GraphicsError) as error:
            self.ui.messages.error(str(error))
            self.ui.touched()
            return str(error)
        return None

    def another_scene(self, before: Scenario, glide_to: View | None = None) -> None:
        """A scene has taken the place of `before`: the camera stands where it says, or glides to a view."""
        self._preferences.scene_opened(before, self.session.scenario)
        self._controller.set_home(glide_to or self.session.scenario.view)
        if glide_to is not None:
            self._controller.go_home()
        else:
            self.ui.messages.clear()
            self.scene_view.forget()

    def files_dropped(self, paths: list[str]) -> None:
        """Files were dropped on the window: opens the first."""
        if paths:
            self.documents.open(paths[0])

    def home_view(self) -> None:
        """Back to the view with which the scene was opened."""
        self._controller.go_home()

    def exposed(self) -> None:
        """The window has to be painted anew."""
        self._monitor.moved()
        self._exposed = True

    def shown(self, visible: bool) -> None:
        """The window was shown or hidden."""
        self._visible = visible
        self._exposed = True

    def quit(self) -> None:
        """Ends the loop after this frame."""
        self._quitting = True

    def run(self) -> None:
        """Runs until the window is closed."""
        try:
            with signals.waking(toolkit.platform_event_loop.notify):
                self.loop.run(interval=None)
        finally:
            self.close()

    def keep(self) -> None:
        """Writes what is to be remembered; what goes wrong is shown."""
        problem = self._preferences.keep(self.session.scenario)
        if problem:
            self.ui.messages.error(problem)
            self.ui.touched()

    def close(self) -> None:
        """Deletes everything; the app is not to be used any more."""
        with contextlib.ExitStack() as stack:  # each, whatever the others raise
            for release in (self.window.close, self.scene_view.release, self.ui.release,
                            self.capture.release, self.documents.close, self.keep):  # fmt: skip
                stack.callback(release)


def run(
    scenario: Scenario,
    *,
    size: tuple[int, int] | None = None,
    playing: bool = True,
    scene_name: str | os.PathLike[str] | None = None,
    exit_after_frames: int | None = None,
    settings: Settings | None = None,
    tour: str | None = None,
    log: "Replay | None" = None,
) -> None:
    """Opens the window and runs until it is closed, or for `exit_after_frames` frames. Raises NoWindow.

    `size`: of the window in pixels at scale 1; None: as it was the last time. `scene_name`: the preset or file that the
    scene comes from. `settings`: what is remembered between runs; None: nothing. `tour`: the guided tour to
    begin with. `log`: as a Session takes it.
    """
    name = None if scene_name is None else os.fspath(scene_name)
    with signals.held():  # neither OpenGL nor the window's library bears an exception: the app ends by itself
        app = App(
            scenario,
            size=size,
            playing=playing,
            scene_name=name,
            exit_after_frames=exit_after_frames,
            settings=settings,
            log=log,
        )
        if tour is not None:
            app.ui.tour.start(tour)
        app.run()
