"""A guided tour: a card with the text of a step, and a ring around what it refers to."""

import time
from collections.abc import Callable
from dataclasses import replace
from math import pi, sin
from typing import Any

from viewer.scenario.scenario import SCREEN_FIELDS, Scenario
from viewer.scenario.tours import Step, Tour
from viewer.scenario.tours import tour as tour_named
from viewer.scene.annotations.anchors import ANCHORS, anchor
from viewer.scene.annotations.labels import on_screen
from viewer.ui.host import Host
from viewer.ui.layout import Layout, Rect
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import icons, scopes, windows
from viewer.ui.widgets.drawing import Look, icon_button, shortened, text, text_right, tooltip, width_of
from viewer.ui.widgets.keyboard_focus import KeyboardFocus
from viewer.ui.widgets.style import u32

WIDTH = 460.0  # at scale 1
MARGIN, PAD = 12.0, 14.0
LEAST = 260.0  # at scale 1: so wide the scene has to be beside the panel, for the card to be read
BESIDE = 320.0  # at scale 1: so much room messages want beside the card
PULSE_SECONDS = 1.6
PULSES = 3
GLIDES = ("polar_angle_deg", "azimuth_deg", "zoom", "pan")  # what of the view is led over from step to step
RING = 17.0  # at scale 1: radius about a thing of the scene


class TourGuide:
    """Leads through a tour, while one runs. It never holds anything up: every step sets all that it needs."""

    def __init__(self, app: Host, focus: KeyboardFocus, clock: Callable[[], float] = time.perf_counter) -> None:
        self._app, self._focus, self._clock = app, focus, clock
        self.tour: Tour | None = None
        self.at = 0  # the number of its step
        self.box: Rect | None = None  # of the card that was drawn last
        self.height = 0  # that it wants, in pixels
        self._pulse_began = float("-inf")
        self._staged: tuple[object, ...] = ()  # what the motion hung on when the step had been set
        self._lent: dict[str, tuple[Any, Any]] = {}  # fields of the screen: the user's value, and the tour's
        self._opened_plots = False

    @property
    def step(self) -> Step | None:
        """The step that is shown."""
        return self.tour.steps[self.at] if self.tour else None

    @property
    def pulsing(self) -> bool:
        """Whether it points at something just now."""
        return self.tour is not None and self._clock() - self._pulse_began < PULSE_SECONDS

    def covers(self, x: float, y: float) -> bool:
        """Whether (x, y) lies on the card."""
        return self.box is not None and self.box.holds(x, y)

    def leaves(self, look: Look, scene: Rect) -> Rect:
        """What the card leaves of the scene to the messages: beside it, or above it where that is narrow."""
        if self.box is None or self.box.y >= scene.y + scene.height:
            return scene
        beside = self.box.x - scene.x
        if beside >= look.px(BESIDE):
            return Rect(scene.x, scene.y, beside, scene.height)
        return Rect(scene.x, scene.y, scene.width, self.box.y - scene.y)

    def start(self, name: str) -> None:
        """Begins the tour of that name; what goes wrong is shown."""
        self._app.attempt(lambda: self._begin(tour_named(name)))
        self._app.ui.touched()

    def _begin(self, tour: Tour) -> None:
        self.end()
        self._app.session.commit_change()
        self.tour = tour
        self._go(0, anew=True)

    def next(self) -> None:
        """The next step; after the last one the tour ends."""
        if self.tour is None:
            return
        if self.at + 1 == len(self.tour.steps):
            self.end()
        else:
            self._go(self.at + 1, anew=self._motion_now() != self._staged)

    def back(self) -> None:
        """The step before, with its motion from the beginning."""
        if self.tour is not None and self.at > 0:
            self._go(self.at - 1, anew=True)

    def end(self) -> None:
        """Ends the tour; its scene stays, and the screen is the user's again."""
        if self._lent:
            session = self._app.session
            self._app.attempt(lambda: session.leave_stage(self.without_tour(session.scenario)))
        self.close()

    def close(self) -> None:
        """The tour is over: another scene, opened on what `without_tour` gives, has taken the place of its own."""
        if self._opened_plots:
            self._app.state.plots = False
        self._lent, self._opened_plots = {}, False
        self.tour, self.box, self.height = None, None, 0
        self._app.session.commit_change()
        self._app.ui.touched()

    def without_tour(self, scenario: Scenario) -> Scenario:
        """The scene with the screen as the user had it before the tour, where he has not set it since."""
        returned = {path: own for path, (own, tours) in self._lent.items() if scenario.value(path) == tours}
        return scenario.with_values({path: scenario.value(path) for path in SCREEN_FIELDS} | returned)

    def show_again(self) -> None:
        """Points once more at what the step refers to."""
        step, interface = self.step, self._app.ui
        self._pulse_began = self._clock()
        fits = interface.panel_fits(LEAST)
        if fits and step is not None and step.point is not None and "." in step.point:
            self._focus.point(interface.show_field(step.point))
        interface.touched()

    def _go(self, number: int, anew: bool) -> None:
        """Shows step `number`; `anew`: the motion begins again, whatever the step says."""
        assert self.tour is not None
        self.at, step = number, self.tour.steps[number]
        own = self.without_tour(self._app.session.scenario)
        scenario = self.tour.scenario(number, own)
        pairs = {path: (own.value(path), scenario.value(path)) for path in SCREEN_FIELDS}
        self._lent = {path: pair for path, pair in pairs.items() if pair[0] != pair[1]}
        time = self.tour.start_time(number) if step.restarts or anew else None
        self._stage(scenario, time, step.plays, cut=step.scene is not None)
        self._staged = self._motion_now()
        if step.plots and not self._app.state.plots:
            self._app.state.plots = True
            self._opened_plots = True
        self.show_again()

    def _stage(self, scenario: Scenario, time: float | None, playing: bool, cut: bool) -> None:
        """Sets a step, from `time` [s] on or (None) from where the motion is; `cut`: no gliding there."""
        app, view = self._app, scenario.view
        before: Scenario = app.session.scenario
        if not cut:
            glided = {name: getattr(before.view, name) for name in GLIDES}
            scenario = replace(scenario, view=replace(view, **glided))
        if app.attempt(lambda: app.session.stage(scenario, time, playing)) is not None:
            return
        if cut:
            app.documents.path = None
        app.scene_opened(before, glide_to=None if cut else view)

    def _motion_now(self) -> tuple[object, ...]:
        """What the motion hangs on: where it is another, somebody has taken over."""
        session = self._app.session
        scenario, changes = session.scenario, len(session.motion.changes)
        loads = replace(scenario.loads, pulse=0.0)
        return scenario.body, scenario.start, loads, scenario.solver, scenario.race, changes

    def draw(self, look: Look, layout: Layout) -> None:
        """The card: in the lower right corner of the scene, or in its own part below it."""
        self.box = None
        scene, margin = layout.scene, look.px(MARGIN)
        width = layout.card.width if layout.card else min(look.px(WIDTH), scene.width - 2 * margin)
        if self.tour is None or self.step is None or width < look.px(180):
            return
        tall = imgui.calc_text_size(self.step.text, False, width - 2 * look.px(PAD)).y
        height = round(tall + imgui.get_text_line_height() + imgui.get_frame_height() + look.px(42))
        if height != self.height:
            self.height = height
            self._app.ui.touched()
        if layout.card is None and height > scene.height - 2 * margin:
            return
        x, y = scene.x + scene.width - width - margin, scene.y + scene.height - height - margin
        self.box = layout.card or Rect(round(x), round(y), round(width), height)
        self._card(look, self.box, self.tour, self.step, tall)

    def _card(self, look: Look, box: Rect, tour: Tour, step: Step, tall: float) -> None:
        p, pad, line = look.palette, look.px(PAD), imgui.get_text_line_height()
        with windows.card(look, "Tour", box):
            target, count = imgui.get_window_draw_list(), len(tour.steps)
            gone = box.x + box.width * (self.at + 1) / count
            target.add_rect_filled((box.x, box.y), (gone, box.y + look.px(3)), u32(p.accent))
            right, top = box.x + box.width - pad, box.y + look.px(12)
            where = f"{self.at + 1} of {count}"
            text_right(right, top, p.dim, where)
            with scopes.font(look.fonts.medium):
                room = box.width - 2 * pad - width_of(where) - look.px(10)
                text(box.x + pad, top, p.text, shortened(tour.title, room))
            imgui.set_cursor_screen_pos((box.x + pad, top + line + look.px(7)))
            with scopes.wrapped(box.width - pad + 1.0):
                imgui.text_unformatted(step.text)
            imgui.set_cursor_screen_pos((box.x + pad, top + line + tall + look.px(17)))
            self._buttons(look, step, right)

    def _buttons(self, look: Look, step: Step, right: float) -> None:
        """Next and Back at the left, at the right what points again and what ends the tour."""
        p, gap, top = look.palette, look.px(6), imgui.get_cursor_screen_pos().y
        last = self.tour is not None and self.at + 1 == len(self.tour.steps)
        with scopes.colored(p.fill, what="button"):
            pressed = imgui.button("Finish" if last else "Next", (look.px(84), 0.0))
        tooltip(look, "Enter")
        imgui.same_line(0, gap)
        with scopes.colored(p.hovered, what="button"):
            with scopes.disabled(self.at == 0):
                back = imgui.button("Back", (look.px(64), 0.0))
            tooltip(look, "Backspace")
            side = imgui.get_frame_height()
            wide = look.px(60)
            imgui.set_cursor_screen_pos((right - wide, top))
            ended = not last and imgui.button("End", (wide, 0.0))
            if not last:
                tooltip(look, "End the tour (Escape); the scene stays as it is")
        again = False
        if step.point is not None:
            imgui.set_cursor_screen_pos((right - (0 if last else wide + gap) - side, top))
            again = icon_button(look, "point", icons.point_at, side, side, plain=True)
            tooltip(look, "Show it again")
        if pressed:
            self.next()
        elif back:
            self.back()
        elif ended:
            self.end()
        elif again:
            self.show_again()

    def draw_pointer(self, look: Look, layout: Layout) -> None:
        """The ring that pulses around what the step refers to; over everything else."""
        if self.step is None or self.step.point is None or not self.pulsing:
            return
        gone = (self._clock() - self._pulse_began) / PULSE_SECONDS
        swing = abs(sin(PULSES * pi * gone))
        there = max(0.0, 1.0 - gone**4)
        p, target = look.palette, imgui.get_foreground_draw_list()
        halo, line = u32(p.background, 0.7 * there), u32(p.accent, there)
        strokes = ((halo, look.px(6)), (line, look.px(3)))
        place = self._place(layout, self.step.point)
        if isinstance(place, Rect):
            out = look.px(3) + look.px(5) * swing
            low = place.x - out, place.y - out
            high = place.x + place.width + out, place.y + place.height + out
            for color, thick in strokes:
                target.add_rect(low, high, color, look.px(6), thickness=thick)
        elif place is not None:
            scene = layout.scene
            with scopes.clip(target, (scene.x, scene.y), (scene.x + scene.width, scene.y + scene.height)):
                for color, thick in strokes:
                    target.add_circle(place, look.px(RING) * (1.0 + 0.45 * swing), color, 48, thick)

    def _place(self, layout: Layout, name: str) -> Rect | tuple[float, float] | None:
        """Where the thing is: a part of the interface, or a point of the scene; None: nowhere."""
        if name in ANCHORS:
            frame, scene = self._app.scene_view.frame, layout.scene
            point = None if frame is None else anchor(frame.main, name)
            if frame is None or point is None:
                return None
            right, up = on_screen(frame.main.camera, point, scene.size)
            return scene.x + scene.width / 2 + float(right), scene.y + scene.height / 2 - float(up)
        if "." not in name:
            part: Rect | None = getattr(layout, name)
            return part
        found = self._focus.pointed_at
        if found is None or layout.panel is None:
            return None
        (left, top), (right, bottom) = found
        if top < layout.panel.y or bottom > layout.panel.y + layout.panel.height:
            return None
        return Rect(round(left), round(top), round(right - left), round(bottom - top))
