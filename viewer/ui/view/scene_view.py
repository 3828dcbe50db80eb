"""The picture of the scene in the window: when it is out of date, what it is drawn from, where it is put."""

import contextlib
from collections.abc import Callable

from viewer.render.renderer import Renderer
from viewer.scenario.choices.quality import Quality
from viewer.scenario.choices.stereo_modes import STEREO_MODES, StereoMode
from viewer.scenario.scenario import Scenario
from viewer.scene.build import build_frame
from viewer.scene.description import Frame
from viewer.scene.presentation import ARRIVED, Display, Presentation
from viewer.scene.stereo.comfort import Comfort, Eyes
from viewer.scene.stereo.test_chart import chart_frame
from viewer.scene.stereo.views import OnScreen
from viewer.ui.host import Host
from viewer.ui.layout import Rect
from viewer.ui.platform.display import Monitor
from viewer.ui.view.dynamic_resolution import DynamicResolution
from viewer.ui.view.transitions import CameraAnimator
from viewer.ui.view.viewports import picture_size


class SceneView:
    """Draws the scene of `app` where something has changed that it depends on, as fine as the machine keeps up with."""

    def __init__(
        self, app: Host, monitor: Monitor, clock: Callable[[], float], animation_clock: Callable[[], float]
    ) -> None:
        """`animation_clock`: a film's while one is recorded."""
        self._app, self._monitor, self._clock = app, monitor, clock
        self.renderer = Renderer(app.ctx)
        self.animator = CameraAnimator(animation_clock, app.session.scenario.view)
        self._resolution = DynamicResolution()
        self._drawn: tuple[object, ...] | None = None
        self._places: tuple[Rect, ...] = ()  # in the window, of the last picture
        self._painted: Frame | None = None  # the last one, of the scene or of the chart
        self._fresh: tuple[Quality, float] | None = None  # drawn since the last flip, and when that began
        self.count = 0  # pictures drawn so far
        self.frame: Frame | None = None  # of the last one
        self.transition = ARRIVED  # of the last one
        self.eyes: Eyes | None = None  # where they stand there
        self.comfort: Comfort | None = None  # and what they have to bear there

    @property
    def mode(self) -> StereoMode:
        """The stereo mode that is shown."""
        wanted = STEREO_MODES[self._app.session.scenario.stereo.mode]
        return STEREO_MODES[wanted.still] if self.lacking else wanted

    @property
    def lacking(self) -> str | None:
        """What this machine lacks for the stereo mode that is wanted; None where it has all."""
        wanted = STEREO_MODES[self._app.session.scenario.stereo.mode]
        if wanted.layout == "quad-buffer" and not self._app.window.has_two_buffers:
            return f"{wanted.label}: the driver offers no buffer for each eye; shown as {wanted.still}"
        return None

    @property
    def scenario(self) -> Scenario:
        """The scene, in the stereo mode that is shown."""
        scenario: Scenario = self._app.session.scenario
        if scenario.stereo.mode == self.mode.name:
            return scenario
        return scenario.with_value("stereo.mode", self.mode.name)

    @property
    def size(self) -> tuple[int, int]:
        """Its size in pixels, the eyes' parts together."""
        return picture_size(self._app.ui.scene_places)

    @property
    def due(self) -> bool:
        """Whether the picture is out of date."""
        return self._key(self._seen()) != self._drawn

    def wait(self) -> float | None:
        """Seconds until it wants to be drawn though nothing changes; None: never."""
        now = self._clock()
        known = [w for w in (self._monitor.wait(self.mode, now), self._resolution.wait(now)) if w is not None]
        return min(known) if known else None

    def draw(self) -> None:
        """Draws it, where it is out of date."""
        now, seen = self._clock(), self._seen()
        key = self._key(seen)
        self._places = self._app.ui.scene_places
        if key == self._drawn:
            return
        self.count += 1
        before, self._drawn = self._drawn, key  # where it fails: not again before something changes
        if self._app.state.chart:
            self._paint(self._chart(seen))
            return
        if before is None or key[1:] != before[1:]:
            self._resolution.moved(now, self._app.session.moving)
        snapshot, scenario = self._app.session.snapshot(), self.scenario
        quality = self._resolution.quality(scenario.view.quality, now)
        self.transition = self.animator.follow(scenario, snapshot.reading.angular_momentum_world)
        scale, within = self._app.window.interface_scale, quality.within(self.size, self.renderer.largest)
        display = Display(self.size, scale, seen, within)
        frame = build_frame(snapshot, Presentation.of(scenario), display, self.transition)
        self._paint(frame)
        self.animator.drawn(frame)
        self.frame, self.eyes, self.comfort = frame, frame.main.eyes, frame.comfort
        fraction = self.transition.camera[1] if self.transition.camera else 1.0
        self._drawn = (quality, *key[1:-1], (True, fraction))
        self._fresh = quality, now

    def _paint(self, frame: Frame) -> None:
        """Draws a frame; where that fails the last one that could be drawn stands there again."""
        try:
            self.renderer.draw(frame, names=frame.size == self.size)
        except Exception:
            if self._painted is not None:
                with contextlib.suppress(Exception):
                    self.renderer.draw(self._painted)
            raise
        self._painted = frame

    def _chart(self, seen: OnScreen) -> Frame:
        """The chart instead of the scene, in the scene's mode and colours."""
        display = Display(self.size, self._app.window.interface_scale, seen)
        return chart_frame(self.scenario.stereo, display, self.scenario.view.theme)

    def present(self, paint_over: Callable[[], None]) -> None:
        """Puts it into its places in the window, and calls `paint_over`; for each buffer that the window has."""
        app = self._app
        screen, height = app.ctx.screen, app.window.pixels[1]
        viewports = [place.viewport(height) for place in self._places]
        for buffer in app.window.buffers(self.mode.layout == "quad-buffer", screen):
            screen.clear()  # between the halves of an odd width there is nothing
            self.renderer.present(screen, viewports, buffer)
            paint_over()

    def finish(self) -> None:
        """Waits until a new picture is drawn, and takes note of how long that took."""
        if self._fresh is None:
            return
        self._app.ctx.finish()
        (quality, began), now = self._fresh, self._clock()
        self._resolution.drawn(quality, now - began, now)
        self._fresh = None

    def redraw(self) -> None:
        """Whatever it shows, it is out of date."""
        self._drawn = None

    def _seen(self) -> OnScreen:
        """Where and when it is seen."""
        app = self._app
        return self._monitor.seen(app.window, self.mode, app.ui.scene_places[0], self._clock())

    def _key(self, seen: OnScreen) -> tuple[object, ...]:
        """All that it depends on: its quality first, last the state of camera and eyes."""
        app, now = self._app, self._clock()
        if self._app.state.chart:
            scenario = app.session.scenario
            return "chart", scenario.stereo, scenario.view.theme, self.size, app.window.interface_scale, seen
        quality = self._resolution.quality(app.session.scenario.view.quality, now)
        size, scale = app.ui.layout.scene.size, app.window.interface_scale
        return quality, app.session.status.revision, size, scale, seen, self.animator.state

    def release(self) -> None:
        """Deletes its GL objects."""
        self.renderer.release()
