"""The picture of the scene in the window: when it is out of date, what it is drawn from, where it is put."""

import contextlib
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import moderngl
import numpy as np
from numpy.typing import NDArray

from viewer.common import language
from viewer.common.language import tr
from viewer.render.renderer import Renderer
from viewer.scenario.choices.stereo_modes import STEREO_MODES, StereoMode
from viewer.scenario.choices.themes import Quality
from viewer.scenario.scenario import Scenario
from viewer.scene.annotations.label_layout import LabelMotion
from viewer.scene.build import build_frame, layer_snapshots, main_camera
from viewer.scene.constructions.bodies import body_box
from viewer.scene.constructions.cells import cell_at
from viewer.scene.constructions.scale import construct
from viewer.scene.description import Frame
from viewer.scene.naming.spot import Spot, faded, glowing, seen_at, with_part
from viewer.scene.naming.things import glowing_for
from viewer.scene.presentation import ARRIVED, Display, Presentation
from viewer.scene.stereo.chart import chart_frame
from viewer.scene.stereo.comfort import Comfort, Eyes
from viewer.scene.stereo.views import OnScreen, Picking, picking
from viewer.session.snapshot import Snapshot
from viewer.ui.layout import Rect
from viewer.ui.platform.display import Monitor
from viewer.ui.view.dynamic_resolution import DynamicResolution
from viewer.ui.view.viewports import picture_size
from viewer.ui.window_layout import WindowLayout
from viewer.workspace.transitions import MIDDLE_OF_SCENE, Place, turning_point
from viewer.workspace.workspace import Workspace

if TYPE_CHECKING:
    from viewer.ui.platform.window import AppWindow

Array = NDArray[np.float64]

FAINT = {"angular_momentum": True, "angular_velocity": True, "ellipsoid": True}  # what `UiState.faint` shows


class SceneView:
    """Draws the scene when something that its picture depends on has changed, as finely as the machine can keep up."""

    def __init__(
        self,
        ctx: moderngl.Context,
        window: "AppWindow",
        workspace: Workspace,
        layout: WindowLayout,
        monitor: Monitor,
        clock: Callable[[], float],
        animation_clock: Callable[[], float],
    ) -> None:
        """Take the parts that it draws with.

        `animation_clock` returns the time by which labels move: the film's while one is recorded.
        """
        self._ctx, self._window, self._layout = ctx, window, layout
        self._session, self._state, self._animator = workspace.session, workspace.state, workspace.animator
        self._monitor, self._clock = monitor, clock
        self.renderer = Renderer(ctx)
        self._animation_clock, self._named_at, self._names = animation_clock, 0.0, LabelMotion()
        self._resolution = DynamicResolution()
        self._drawn: tuple[object, ...] | None = None
        self._failed: tuple[object, ...] | None = None  # the key of a picture that failed, without the quality
        self._rects: tuple[Rect, ...] = ()  # the parts of the window with the last picture
        self._painted: Frame | None = None  # the frame drawn last, of the scene or of the chart
        self._fresh: tuple[Quality, float] | None = None  # of a picture since the last flip: quality, time it was begun
        self._measured_for = self.mode  # the stereo mode in which costs have been measured
        self._drawn_pan = (0.0, 0.0)  # the view's pan in the last picture
        self.count = 0  # pictures drawn so far
        self.frame: Frame | None = None  # of the last picture of the scene
        # pixels of the window per pixel at scale 1 of that picture's legends, which grow with it
        self.marks_scale = window.interface_scale
        self.transition = ARRIVED  # in that picture
        self.eyes: Eyes | None = None  # where the eyes stand in that picture
        self.comfort: Comfort | None = None  # how comfortable that picture is

    @property
    def mode(self) -> StereoMode:
        """The stereo mode that is shown."""
        wanted = STEREO_MODES[self._session.scenario.stereo.mode]
        return STEREO_MODES[wanted.still] if self.unavailable else wanted

    @property
    def unavailable(self) -> str | None:
        """Why the stereo mode of the scene is not available on this machine; None if it is."""
        wanted = STEREO_MODES[self._session.scenario.stereo.mode]
        if wanted.layout == "quad-buffer" and not self._window.has_two_buffers:
            text = tr("{mode}: the driver offers no buffer for each eye; shown as {still}")
            return text.format(mode=tr(wanted.label), still=tr(STEREO_MODES[wanted.still].label))
        return None

    @property
    def scenario(self) -> Scenario:
        """The scene, in the stereo mode that is shown."""
        scenario = self._session.scenario
        if scenario.stereo.mode == self.mode.name:
            return scenario
        return scenario.with_value("stereo.mode", self.mode.name)

    @property
    def size(self) -> tuple[int, int]:
        """The size of the picture in pixels, the parts of both eyes together."""
        return picture_size(self._layout.scene_rects)

    @property
    def due(self) -> bool:
        """Whether the picture is out of date."""
        return not self._is_done(self._key(self._seen()))

    def _is_done(self, key: tuple[object, ...]) -> bool:
        """Return whether the picture for this key has been drawn, or could not be drawn."""
        return key == self._drawn or key[1:] == self._failed

    def wait(self) -> float | None:
        """Return the seconds until the picture is drawn anew even if nothing changes, or None for never."""
        now = self._clock()
        sharper = None if self._state.chart else self._resolution.wait(now)  # a chart is always drawn in full
        known = [w for w in (self._monitor.wait(self.mode, now), sharper) if w is not None]
        return min(known) if known else None

    def draw(self) -> None:
        """Draw the picture if it is out of date."""
        if self.mode is not self._measured_for:
            self._measured_for = self.mode
            self._resolution.forget()
        now, seen = self._clock(), self._seen()
        key = self._key(seen)
        self._rects = self._layout.scene_rects
        if self._is_done(key):
            return
        self.count += 1
        before, self._drawn, self._failed = self._drawn, key, key[1:]
        if self._state.chart:
            self._paint(self._chart(seen))
            self._failed = None
            return
        if before is None or key[2:] != before[2:]:
            self._resolution.moved(now, self._session.scene.moving)
        snapshot, scenario = self._session.snapshot(), self.scenario
        quality = self._resolution.quality(scenario.view.quality, now)
        self.transition = self._animator.follow(scenario, snapshot.reading.angular_momentum_world)
        scale, within = self._window.interface_scale, quality.within(self.size, self.renderer.largest)
        display = Display(self.size, scale, seen, within, self._layout.text_size)
        frame = build_frame(snapshot, self._presentation(scenario), display, self.transition)
        if scenario.body.shape == "composite":
            frame = with_part(
                frame, self._state.part, 0 if self._session.scene.bodies is None else self._session.scene.selected + 1
            )
        if self._state.faint:
            frame = faded(frame, self._state.faint)
        frame = glowing(frame, self._state.named)
        if self._state.pointed:
            frame = glowing_for(frame, self._state.pointed, self._session.scene.selected)
        frame = self._led(frame)
        self._paint(frame)
        self._animator.drawn(frame)
        self.frame, self.eyes, self.comfort = frame, frame.main.eyes, frame.comfort
        self._drawn_pan = scenario.view.pan
        resolution = 1.0 if self.mode.layout == "interlaced" else within.resolution  # pixels per pixel of the window
        self.marks_scale = frame.main.pixel_scale / resolution
        fraction = self.transition.camera[1] if self.transition.camera else 1.0
        self._drawn, self._failed = (quality, *key[1:-1], (True, fraction, self._names.moving)), None
        self._fresh = quality, now

    def _led(self, frame: Frame) -> Frame:
        """Return a frame whose labels move gradually from their places in the last picture.

        In a scene at rest they go to their new places at once.
        """
        now, before = self._animation_clock(), self.frame
        rescaled = before is not None and frame.main.pixel_scale != before.main.pixel_scale  # places are in pixels
        if rescaled or not self._session.scene.moving:
            self._names.forget()
        seconds, self._named_at = now - self._named_at, now
        return self._names.led(frame, seconds)

    def _presentation(self, scenario: Scenario) -> Presentation:
        """Return the scene's presentation, with what the pointer holds, and without what an open question hides."""
        state, held = self._state, self.transition.held_scale
        own = Presentation.of(scenario)
        shown = replace(own, handle=state.handle, held_scale=held, pull=state.pull, legends=not state.quiz_open)
        if state.quiz_open:  # measured points, and the circles of a top's axis, show what is still to come
            shown = replace(shown, show=replace(shown.show, measured=False, axis_path=False))
        return replace(shown, show=replace(shown.show, **FAINT)) if state.faint else shown

    def _paint(self, frame: Frame) -> None:
        """Draw a frame; if that fails, redraw the last one that could be drawn, and raise the error."""
        try:
            self.renderer.draw(frame, window=self.size)
        except Exception:
            if self._painted is not None:
                with contextlib.suppress(Exception):
                    self.renderer.draw(self._painted, window=self.size)
            raise
        self._painted = frame

    def _chart(self, seen: OnScreen) -> Frame:
        """Return the frame of the stereo chart, in the scene's stereo mode and theme."""
        display = Display(self.size, self._window.interface_scale, seen)
        return chart_frame(self.scenario.stereo, display, self.scenario.view.theme)

    def snapshot_of(self, layer: int) -> Snapshot:
        """Return the present snapshot that the layer of this number shows."""
        shown = layer_snapshots(self._session.snapshot(), Presentation.of(self.scenario))
        return shown[min(layer, len(shown) - 1)]

    def body_at(self, x: float, y: float, spot: Spot | None) -> int | None:
        """Return the number of the body in whose cell the ui's point (x, y) lies, or None if there is none.

        If the bodies are in one space, it is the body to which the `spot` there belongs.
        """
        area = self._layout.areas.scene
        if self.frame is None or self._session.scene.bodies is None or self._state.chart:
            return None
        if self.frame.in_one_space:
            return spot.layer - 1 if spot is not None and spot.layer else None
        return cell_at(self.frame.insets, (x - area.x) / area.width, 1.0 - (y - area.y) / area.height)

    def turning_point(self, x: float, y: float, part: int) -> Array:
        """Return the point about which a drag turns the view that begins at the ui's point (x, y)."""
        view, area = self._session.scenario.view, self._layout.areas.scene
        if self.frame is None or view.zoom <= 1.0:
            return MIDDLE_OF_SCENE
        pixel, size = (x + 0.5 - area.x, y + 0.5 - area.y), (float(area.width), float(area.height))
        return turning_point(view, seen_at(self.frame, part, pixel, size, self._layout.scale))

    def places(self, x: float, y: float) -> tuple[Place, Place, Place]:
        """Return the places of the ui's point (x, y) and of the lower left and upper right corner of the picture.

        They are counted to the right and up from where the scene's middle appears; the unit is the height of the
        picture or, in a grid, of the cell at that point, whose corners are then meant.
        """
        if self.frame is None:
            return (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)
        area, layer = self._layout.areas.scene, self.frame.main
        across, up = (x - area.x) / area.width, 1.0 - (y - area.y) / area.height
        cells = self.frame.insets if len(self.frame.insets) > 1 else ()  # a single one is an inset in the picture
        if (cell := cell_at(cells, across, up)) is not None:
            layer = cells[cell]
        (left, low, width, height), view = layer.box, self._session.scenario.view
        right, above = (  # the wheel may have turned further since that picture
            shift - drawn + pan for shift, drawn, pan in zip(layer.camera.shift, self._drawn_pan, view.pan, strict=True)
        )
        aspect = area.width * width / (area.height * height)
        point = ((across - left) / width - 0.5) * aspect - right, (up - low) / height - 0.5 - above
        return point, (-0.5 * aspect - right, -0.5 - above), (0.5 * aspect - right, 0.5 - above)

    def body_rect(self, number: int) -> Rect | None:
        """Return the rectangle of a body in the ui, or None if it has none.

        It is the body's cell or, if all bodies are in one space, what the body itself covers.
        """
        area = self._layout.areas.scene
        if self.frame is None or self._session.scene.bodies is None or number >= len(self.frame.insets):
            return None
        layer = self.frame.insets[number]
        box = body_box(layer, area.size) if self.frame.in_one_space else layer.box
        if box is None:
            return None
        left, low, width, height = box
        top = 1.0 - low - height
        return Rect(
            area.x + round(left * area.width), area.y + round(top * area.height), round(width * area.width),
            round(height * area.height),
        )  # fmt: skip

    def present(self, paint_over: Callable[[], None]) -> None:
        """For each buffer of the window, put the picture into the window's parts and call `paint_over`."""
        screen, height = self._ctx.screen, self._window.pixels[1]
        viewports = [rect.viewport(height) for rect in self._rects]
        for buffer in self._window.buffers(self.mode.layout == "quad-buffer", screen):
            screen.clear()  # between the halves of an odd width there is nothing
            self.renderer.present(screen, viewports, buffer)
            paint_over()

    def finish(self) -> None:
        """Wait until a picture just begun is drawn, and note how long that took."""
        if self._fresh is None:
            return
        self._ctx.finish()
        (quality, began), now = self._fresh, self._clock()
        self._resolution.drawn(quality, now - began, now)
        self._fresh = None

    def _seen(self) -> OnScreen:
        """Return where on the screen, and at which turn of the eyes, the picture is seen."""
        return self._monitor.seen(self._window, self.mode, self._layout.scene_rects[0], self._clock())

    def _key(self, seen: OnScreen) -> tuple[object, ...]:
        """Return all that the picture depends on: first its quality, then what glows, last the camera's transition."""
        session, scale = self._session, self._window.interface_scale
        if self._state.chart:
            words = language.chosen()
            return "chart", None, words, session.scenario.stereo, session.scenario.view.theme, self.size, scale, seen
        if not session.scene.moving:
            self._resolution.stopped()
        quality, size = (
            self._resolution.quality(session.scenario.view.quality, self._clock()),
            self._layout.areas.scene.size,
        )
        pointed, spot = (self._state.handle, self._state.pull, self._state.quiz_open), self._state.named
        named = None if spot is None else (spot.layer, spot.name, spot.point)
        glow = self._state.pointed, self._state.part, named, self._state.faint
        sizes = size, scale, self._layout.text_size
        return quality, glow, session.status.revision, pointed, sizes, seen, (*self._animator.state, False)

    def picking(self, part: int) -> Picking | None:
        """Return how the present motion is seen in this part of the window, or None if no scene is shown."""
        if self.frame is None or self._state.chart:
            return None
        display = Display(self.size, self._window.interface_scale, self.frame.screen)
        presentation, eyes = self._presentation(self.scenario), self.frame.main.eyes
        camera = main_camera(self._session.snapshot(), presentation, display, self.transition)
        rect = self._layout.areas.scene
        return picking(camera, presentation.with_eyes(eyes).stereo, (float(rect.width), float(rect.height)), part)

    def hold(self) -> float:
        """Hold the camera and the construction's scale during a drag; return that scale, in m per rad/s."""
        assert self.frame is not None, "nothing has been drawn that could be dragged"
        presentation = self._presentation(self.scenario)
        built = construct(self._session.snapshot(), presentation.view.vector_scale, presentation.held_scale)
        self._animator.hold(built.scale)
        self.transition = replace(self.transition, camera=(self.frame.main.camera, 0.0), scale=built.scale)
        return built.scale

    def let_go(self) -> None:
        """Let the camera and the construction's scale go back to what the scene wants."""
        self._animator.let_go()

    def release(self) -> None:
        """Delete the GL objects."""
        self.renderer.release()
