"""The frames of the window: when one is due, what happens in it, and the event loop that draws them."""

import gc
from collections.abc import Callable

import moderngl

from viewer.commands import opening
from viewer.common import signals
from viewer.common.errors import ErrorBoundary
from viewer.export.writer import FPS, WindowPicture, Writer
from viewer.ui.input.controller import Controller
from viewer.ui.panel.head import title_of
from viewer.ui.platform.pyglet_options import toolkit
from viewer.ui.platform.window import NAME, AppWindow
from viewer.ui.ui import Ui
from viewer.ui.view.scene_view import SceneView
from viewer.workspace.files import LOOK_EVERY
from viewer.workspace.workspace import Workspace

RETRY = 0.1  # s until the next frame after one that failed as a whole
PACE = 0.95  # fraction of the screen's interval after which a frame may begin: the swap waits for the rest


class FilmClock:
    """The clock by which camera and eyes move; in a film, it goes from frame to frame, however long one takes."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._began = clock, 0.0
        self.writer: Writer | None = None

    def follow(self) -> None:
        """Note the present time as the beginning of the next film, unless one is being recorded."""
        if self.writer is None or not self.writer.recording:
            self._began = self._clock()

    def __call__(self) -> float:
        """Return the time [s]: that of the film while one is recorded, else that of the given clock."""
        recording = self.writer is not None and self.writer.recording
        return self._began + self.writer.seconds if self.writer is not None and recording else self._clock()


class Frames:
    """The frames of one window.

    `count` is the number of frames presented so far. `shown` says whether the window is visible, `ended` whether the
    requested number of frames has been drawn.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        workspace: Workspace,
        window: AppWindow,
        scene_view: SceneView,
        ui: Ui,
        film_clock: FilmClock,
        failed: Callable[[Exception], None],
        exit_after: int | None,
    ) -> None:
        self._ctx, self._workspace, self._window, self._scene_view, self._ui = ctx, workspace, window, scene_view, ui
        self._film_clock, self._exit_after = film_clock, exit_after
        self.boundary = ErrorBoundary(failed)
        self.controller = Controller(ui, workspace.clock)
        self.count, self.shown, self.ended = 0, True, False

    @property
    def visible(self) -> bool:
        """Whether the window can be drawn into."""
        return self.shown and min(self._window.pixels) >= 1

    @property
    def due(self) -> bool:
        """Whether anything on the screen is out of date, or moves."""
        workspace = self._workspace
        counting = self._exit_after is not None or workspace.writer.busy
        moving = workspace.session.scene.moving or workspace.animator.gliding or self.controller.keys_held
        return counting or moving or self._scene_view.due or self._ui.freshness.wait() == 0.0

    @property
    def interval(self) -> float:
        """The seconds between two frames; more while a file is being read, because drawing would slow that down."""
        if self._workspace.writer.recording:
            return 1 / FPS
        return max(PACE / self._window.frame_rate, 0.0 if self._workspace.files.opening is None else LOOK_EVERY)

    def wait(self, now: float) -> float | None:
        """Return the seconds until a frame is due even without input; None if never."""
        phone = None if self._workspace.phone is None else self._workspace.phone.wait()
        waits = (self._ui.freshness.wait(), self._scene_view.wait(), opening.wait(self._workspace, now), phone)
        return min((wait for wait in waits if wait is not None), default=None)

    def prepare(self, now: float) -> None:
        """Follow the reading of files and the phone, before a frame may be due; `now` is the time on the clock, s."""
        self._film_clock.follow()
        if self.count > 0:
            opening.follow(self._workspace, now)
        if self._workspace.phone is not None:
            self._workspace.phone.follow(now)
        self.boundary.attempt("names", self._ui.names.update)

    def work(self) -> bool:
        """Go on writing a file while the window is not visible; return whether one is still being written."""
        self._workspace.writer.work()
        return self._workspace.writer.job is not None

    def draw(self, seconds: float) -> None:
        """Draw one frame; `seconds` is the time by which the motion advances, unless a film is recorded.

        The ui takes the input and changes the scene, the motion goes on, and the result is drawn. A failure of one part
        leaves the others unaffected.
        """
        workspace, ui, attempt = self._workspace, self._ui, self.boundary.attempt
        writer, recording = workspace.writer, workspace.writer.recording
        self._window.switch_to()
        if changes := workspace.animator.glide():
            workspace.editor.change(changes)
        self._take_snapshot()
        attempt("ui", ui.refresh)
        elapsed = 1 / FPS if recording else seconds
        attempt("motion", lambda: workspace.session.scene.advance(elapsed, patient=recording))
        self._take_snapshot()
        attempt("pointer", self.controller.follow)
        self._take_snapshot()
        attempt("scene", self._scene_view.draw)
        self._scene_view.present(lambda: ui.paint(self._ctx.screen))
        self._show_title()
        self._window.show_cursor(ui.cursor)
        self._scene_view.finish()
        attempt("sound", ui.sound.follow)
        ui.save_plots_picture()
        self._window.flip()
        self.count += 1
        if self.count == 1:
            self._first_shown()
        if recording and writer.recording:
            writer.wait() if workspace.session.scene.late else writer.record()
        writer.work()
        self.ended = self._exit_after is not None and self.count >= self._exit_after

    def _first_shown(self) -> None:
        if not gc.isenabled():  # the command has disabled it until now
            gc.freeze()
            gc.enable()

    @property
    def picture(self) -> WindowPicture:
        """The look of the scene in the window, for pictures and films of it."""
        view, scale = self._scene_view, self._window.interface_scale
        return WindowPicture(view.scenario, view.size, scale, view.transition, self._ui.legend.listed)

    def _take_snapshot(self) -> None:
        """Take a snapshot of the motion now; if that fails, show the last snapshot again."""
        session = self._workspace.session
        if not self.boundary.attempt("snapshot", session.snapshot):
            self.boundary.attempt("last snapshot", session.show_again)

    def _show_title(self) -> None:
        """Write the scene's title into the title bar, with a mark if it is not as saved, or is being recorded.

        A tour's scene, which nobody saves, has no mark.
        """
        workspace = self._workspace
        mark = "• " if workspace.session.document.edited and workspace.tour.tour is None else ""
        if workspace.writer.recording:
            mark = f"● {workspace.writer.seconds:.0f} s "
        title = f"{mark}{title_of(workspace.session.scenario, workspace.state)} · {NAME}"
        if title != self._window.caption:
            self._window.set_caption(title)


class Loop(toolkit.EventLoop):  # type: ignore[misc]
    """pyglet's event loop, for the frames of one window."""

    def __init__(self, frames: Frames, clock: Callable[[], float]) -> None:
        super().__init__()
        self._frames, self._clock = frames, clock
        self._ending = False
        self._exposed = True
        self._before = clock()  # the last time at which a frame could have been due
        self.next_frame = 0.0  # when the next frame may begin
        toolkit.event_loop = self

    @property
    def ending(self) -> bool:
        """Whether the program has been asked to end."""
        return self._ending or self._frames.ended or signals.asked() is not None

    def expose(self) -> None:
        """Paint the window again."""
        self._exposed = True

    def end(self) -> None:
        """End the loop after this frame."""
        self._ending = True

    def run(self, interval: float | None = None) -> None:
        """Run until it is ended."""
        self._before = self._clock()  # the motion does not go on for the time in which the window was opened
        with signals.waking(toolkit.platform_event_loop.notify):
            super().run(interval)

    def idle(self) -> float | None:
        """Draw a frame if one is due; pyglet calls this after events.

        Return the seconds until the next call, or None to wait for the next event.
        """
        waits: list[float | None] = []
        if self._frames.boundary.attempt("frame", lambda: waits.append(self._turn())):
            return waits[0]
        self._exposed = True
        return RETRY

    def _turn(self) -> float | None:
        frames, now = self._frames, self._clock()
        if self.ending:
            self.exit()
            return 0.0
        if not frames.visible:
            self._before = now
            return 0.0 if frames.work() else None
        if now >= self.next_frame:
            seconds, self._before = now - self._before, now
            frames.prepare(now)
            if self._exposed or frames.due:
                self.next_frame, self._exposed = now + frames.interval, False
                frames.draw(seconds)
        now = self._clock()
        until_next = max(0.0, self.next_frame - now)
        if self._exposed or frames.due:
            return until_next
        wait = frames.wait(now)
        return None if wait is None else max(until_next, wait)

    def _blocking_timer(self) -> None:
        """Go on drawing while the system blocks the loop (on Windows, while the window is being resized)."""
        toolkit.platform_event_loop.set_timer(self._blocking_timer, self.idle())
