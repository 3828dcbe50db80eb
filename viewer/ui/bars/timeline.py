"""The bar below the scene: time, transport buttons and speed.

While the stereo chart is shown, another bar stands in its place, with the stereo mode and the crosstalk of the user's
glasses.
"""

from collections.abc import Callable

from viewer.common.color import Color
from viewer.common.language import marked, tr
from viewer.scenario.field import Choice
from viewer.scenario.scenario import field_at
from viewer.scene.words.formatting import clock, short
from viewer.session.session import Session
from viewer.ui.overlay import Overlay, UiCanvas
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import icons, windows
from viewer.ui.widgets.drawing import Look, icon_button, shortened, text, tooltip, width_of
from viewer.ui.widgets.fields import FieldWidgets
from viewer.ui.widgets.keyboard_focus import STEPS
from viewer.ui.widgets.style import mix, u32
from viewer.workspace.editor import Stabilisation
from viewer.workspace.state import UiState

FILLS = 10.0  # s on the clock in which a motion fills the track; from then on the track ends at the newest state
LAGGING = 0.9  # fraction of the wanted speed below which the bar shows the speed that is reached
TRACK = 16.0  # height at scale 1 in which the track can be taken
BUTTON = (28.0, 26.0)
LEAST, LABELLED = 280.0, 500.0  # least widths of the bar to have the stabilisation, and with its name besides
RESTART, STEP, WITH_SPEED = 150.0, 190.0, 240.0  # least widths of the bar to have these besides play and the clock
SPEED = (70.0, 130.0)  # narrowest and widest slider
LEAKS = {"stereo.left_leak": marked("Left crosstalk"), "stereo.right_leak": marked("Right crosstalk")}
MODE_WIDTH, SLIDER = 170.0, 150.0  # px at scale 1
MODE_FRACTION = 0.3  # the largest fraction of the bar for the stereo mode, beside the crosstalk
CLOCK = "0000.00"  # a text for which room is kept, so that nothing comes and goes with the clock's digits


class Timeline(Overlay):
    """The bar, which controls the time and the speed of the session."""

    def __init__(self, session: Session, state: UiState, controls: FieldWidgets, stabilisation: Stabilisation) -> None:
        self._session, self._state, self._controls = session, state, controls
        self._stabilisation = stabilisation
        self._pointed: float | None = None  # the time [s] to which the mouse drags on the track

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the bar, unless the bar of the stereo chart takes its place."""
        look, rect = canvas.look, canvas.areas.timeline
        if rect is None or canvas.chart:
            return
        with windows.docked(look, "Timeline", rect, (10, 0)):
            windows.line(look, rect, upper=True)
            here = self._session.snapshot().reading.time
            self._track(look, here)
            left = rect.x + look.px(10)
            imgui.set_cursor_screen_pos((left, rect.y + look.px(TRACK)))
            used = self._buttons(look, rect.width / look.scale)
            right = rect.x + rect.width - look.px(10)
            x = left + used + look.px(8)
            top, end = rect.y + look.px(TRACK), right
            if rect.width >= look.px(WITH_SPEED):
                after = min(x + width_of(f"{CLOCK} s") + look.px(14), right - look.px(SPEED[0]))
                end = self._speed(look, after, top, right)
            self._clock(look, here, x, top, end)

    @property
    def _span(self) -> float:
        """The time span [s] to which the digits of times are fitted.

        It is the length of the track, or the time that passes in a second of playback if that is longer.
        """
        first, last = self._ends
        return max(last - first, self._session.scene.speed)

    @property
    def _ends(self) -> tuple[float, float]:
        """The times [s] at which the track begins and ends.

        The track covers the recorded motion, the time to which it is going, and a loop that ends later.
        """
        (first, last), playback = self._session.motion.span, self._session.playback
        return first, max(last, playback.destination, *playback.loop or ())

    def _go(self, time: float) -> None:
        """Go to a time on the track [s]; while a question is open, not beyond the recorded motion."""
        newest = self._session.motion.span[1]
        recorded = time <= newest
        if self._state.quiz_open and not recorded:
            return
        (self._session.playback.seek if recorded else self._session.playback.go_to)(time)

    def _track(self, look: Look, time: float) -> None:
        """Draw the track, with the recorded motion and the loop; a drag along it sets the time.

        Without a loop or a recording, the track of a motion that has just begun is not full yet.
        """
        session, p = self._session, look.palette
        width = max(imgui.get_content_region_avail().x, 1.0)
        imgui.invisible_button("##track", (width, look.px(TRACK)))
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        hovered, active = imgui.is_item_hovered(), imgui.is_item_active()
        first, last = self._ends
        if session.document.recordings is None and session.playback.loop is None:
            last = max(last, first + FILLS * session.scene.speed)
        span = last - first
        left, right, y = low.x + look.px(5), high.x - look.px(5), low.y + look.px(9)

        def x_of(time: float) -> float:
            fraction = (time - first) / span if span > 0.0 else 1.0
            return float(left + (right - left) * min(1.0, max(0.0, fraction)))

        fraction = (imgui.get_io().mouse_pos.x - left) / max(right - left, 1.0)
        pointed = first + span * min(1.0, max(0.0, fraction))
        keys, _ = self._controls.focus.item(look, "##track")
        for key in keys:
            stepped = session.motion.time + 0.01 * span * STEPS.get(key, 0)
            self._go({"Home": first, "End": self._ends[1]}.get(key, stepped))
        session.playback.held = bool(active)
        if active and pointed != self._pointed:
            self._go(pointed)
        self._pointed = pointed if active else None
        target, half = imgui.get_window_draw_list(), look.px(4 if hovered or active else 3) / 2

        def bar(begin: float, end: float, color: Color, alpha: float = 1.0) -> None:
            target.add_rect_filled((begin, y - half), (end, y + half), u32(color, alpha), half)

        here = x_of(time)
        bar(left, right, mix(p.background, p.text, 0.26))
        bar(left, here, p.accent)
        for begin, end in session.document.gaps:  # nothing was recorded there
            begin, end = x_of(begin), x_of(end)
            corners = (begin - look.px(1), y - 2 * half), (end + look.px(1), y + 2 * half)
            target.add_rect_filled(*corners, u32(p.background))
        if session.playback.loop is not None:
            begin, end = map(x_of, session.playback.loop)
            target.add_rect_filled((begin, y - 2 * half), (end, y + 2 * half), u32(p.accent, 0.35))
        for begin, end in marks_within(session.document.marks, (first, last)):
            begin, end = x_of(begin), x_of(end)
            low, high = (begin - look.px(1), y - look.px(4)), (end + look.px(1), y + look.px(4))
            target.add_rect_filled(low, high, u32(p.dim))
        target.add_circle_filled((here, y), look.px(6 if hovered or active else 5), u32(p.text))
        if hovered or active:
            imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew.value)
        if hovered and not active and span > 0.0:
            hint = tr("Drag to any time. Playing from there repeats the recorded motion")
            tooltip(look, f"t = {' '.join(clock(pointed, self._span))}", hint)

    def _buttons(self, look: Look, room: float) -> float:
        """Draw the buttons for which there is room; return their width in pixels."""
        session = self._session
        playback = session.playback
        forwards = playback.playing and not playback.backwards
        backwards = playback.playing and playback.backwards
        irreversible = session.motion.irreversible
        table: tuple[tuple[str, icons.Icon, Callable[[], object], str, float, bool], ...] = (
            ("restart", icons.restart, session.reset, tr("Back to the start (R)"), RESTART, False),
            ("step-back", icons.step_back, lambda: playback.step_once(-1), tr("One step back (Comma)"), 500, False),
            ("backwards", icons.pause if backwards else icons.back, lambda: playback.press(-1),
             tr("Run backwards (B)") if irreversible is None
             else tr("Time does not run backwards: {why}").format(why=irreversible),
             330, False),
            ("play", icons.pause if forwards else icons.play, lambda: playback.press(1),
             tr("Play or pause (Space)"), 0, False),
            ("step", icons.step, playback.step_once, tr("One step of the integration period (Dot)"), STEP, False),
            ("flip", icons.flip, playback.jump_to_flip, tr("To the next flip about the middle axis (N)"), 420, False),
            ("loop", icons.loop, session.scene.toggle_loop,
             tr("Loop over the recording (L)") if session.document.recordings else tr("Loop over one period (L)"),
             420, playback.loop is not None),
            ("plots", icons.plots, lambda: self._state.toggle("plots"), tr("Plots (G)"), 380, self._state.plots),
        )  # fmt: skip
        used, gap = 0.0, look.px(3)
        for name, icon, action, meaning, least, lit in table:
            if room < least:
                continue
            if used:
                imgui.same_line(0, gap)
            waits = name in ("flip", "loop") and self._state.quiz_open  # they would give away the answer
            dim = waits or (name in ("step-back", "backwards") and irreversible is not None)
            if icon_button(look, name, icon, look.px(BUTTON[0]), look.px(BUTTON[1]), lit=lit, dim=dim) and not waits:
                action()
            tooltip(look, meaning)
            self._controls.focus.button(look, name)
            used += look.px(BUTTON[0]) + gap
        return used + self._stabilise(look, room, gap)

    def _stabilise(self, look: Look, room: float, gap: float) -> float:
        """Draw the toggle of the stabilisation, with its name if there is room; return its width."""
        if room < LEAST:
            return 0.0
        toggle, label = self._stabilisation, tr("Stabilise")
        if room < LABELLED + width_of(label) / look.scale:
            label = ""
        imgui.same_line(0, gap)
        wide, tall = look.px(BUTTON[0]) + (width_of(label) + look.px(7) if label else 0.0), look.px(BUTTON[1])
        dim = toggle.needless is not None
        if icon_button(look, "stabilise", icons.stabilise, wide, tall, lit=toggle.on, dim=dim, label=label):
            toggle.toggle()
        tooltip(look, *toggle.meaning)
        self._controls.focus.button(look, "stabilise")
        return wide + gap

    def _clock(self, look: Look, time: float, x: float, top: float, right: float) -> None:
        """Write the time and, after it, the end of the track if that is later; omit what has no room."""
        _, last = self._ends
        here, unit = clock(time, self._span)
        there = f" / {clock(last, self._span)[0]}" if last > time + 1e-9 * self._span else ""
        unit = f" {unit}"
        y = top + (look.px(BUTTON[1]) - imgui.get_text_line_height()) / 2
        wide = [width_of(part) for part in (here, there, unit)]
        if x + max(sum(wide), width_of(f"{CLOCK} / {CLOCK} s")) > right:
            there, wide[1] = "", 0.0
        if x + sum(wide) > right:
            return
        color = look.palette.text
        for part, width in zip((here, there, unit), wide, strict=True):
            text(x, y, color, part)
            x, color = x + width, look.palette.dim

    def _speed(self, look: Look, left: float, top: float, right: float) -> float:
        """Draw the slider of the speed and the box of the automatic speed; return the x at which they begin."""
        session, gap, room = self._session, look.px(8), right - left
        slow = session.playback.playing and session.scene.speed_reached < LAGGING * session.scene.speed
        only = tr("Only {speed} ×")
        label = only.format(speed=short(session.scene.speed_reached)) if slow else tr("Speed")
        with_label, box = width_of(only.format(speed="0.000")) + gap, look.px(25) + width_of(tr("auto")) + gap
        width = min(room, look.px(SPEED[1]))
        with_auto = room - box >= look.px(SPEED[0])
        if with_auto:
            width = min(width, room - box)
        x = end = right - width - (box if with_auto else 0.0)
        if x - with_label >= left or (slow and x - width_of(label) - gap >= left):
            y = top + (look.px(BUTTON[1]) - imgui.get_text_line_height()) / 2
            end = x - width_of(label) - gap
            text(end, y, look.palette.danger if slow else look.palette.dim, label)
        y = top + (look.px(BUTTON[1]) - imgui.get_frame_height()) / 2
        imgui.set_cursor_screen_pos((x, y))
        new = self._controls.value(look, "playback.speed", session.scene.speed, width)
        if new is not None:
            self._controls.editor.change({"playback.speed": new})
        if with_auto:
            imgui.set_cursor_screen_pos((right - box + gap, y))
            self._controls.switch(look, "playback.auto_speed", "auto")
        return end


def marks_within(marks: list[tuple[float, float]], span: tuple[float, float]) -> list[tuple[float, float]]:
    """Return those of the marks (begin, end) [s] that overlap a span of time."""
    return [(begin, end) for begin, end in marks if end > span[0] and begin <= span[1]]


class ChartBar(Overlay):
    """The bar of the stereo chart; Escape closes the chart."""

    def __init__(self, session: Session, state: UiState, controls: FieldWidgets) -> None:
        self._session, self._state, self._controls = session, state, controls

    @property
    def is_open(self) -> bool:
        return self._state.chart

    def close(self) -> None:
        self._state.chart = False

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the bar in the timeline's place, while the chart is shown."""
        look, rect, session, controls = canvas.look, canvas.areas.timeline, self._session, self._controls
        if rect is None or not canvas.chart:
            return
        with windows.docked(look, "Chart", rect, (10, 9)):
            windows.line(look, rect, upper=True)
            stereo, gap, button = session.scenario.stereo, look.px(12), look.px(26)
            end = rect.x + rect.width - look.px(10) - button
            field = field_at("stereo.mode", Choice)
            leaks = session.scenario.has_effect("stereo.left_leak")
            width = min(look.px(MODE_WIDTH), MODE_FRACTION * rect.width if leaks else end - rect.x - 2 * gap)
            mode = controls.choose(look, "chart.mode", field, stereo.mode, width)
            if mode is not None:
                controls.editor.set("stereo.mode", mode)
            if leaks:
                self._leaks(look, end - gap)
            imgui.same_line(0, gap)
            imgui.set_cursor_screen_pos((end, rect.y + look.px(9)))
            if icon_button(look, "close chart", icons.cross, button, button, plain=True):
                self.close()
            tooltip(look, tr("Back to the scene (C)"))

    def _leaks(self, look: Look, end: float) -> None:
        """Draw a name and a slider for the crosstalk of each eye, side by side up to the x `end`; cut long names."""
        gap = look.px(12)
        imgui.same_line(0, gap)
        room = (end - imgui.get_cursor_screen_pos().x) / len(LEAKS) - gap
        for path, name in LEAKS.items():
            at, label = imgui.get_cursor_screen_pos(), shortened(tr(name), room / 2)
            text(at.x, at.y + imgui.get_style().frame_padding.y, look.palette.dim, label)
            imgui.dummy((width_of(label), 1.0))
            imgui.same_line(0, look.px(6))
            width = max(min(room - width_of(label), look.px(SLIDER)), 1.0)
            new = self._controls.value(look, path, self._session.scenario.value(path), width)
            if new is not None:
                self._controls.editor.change({path: new})
            imgui.same_line(0, gap)
