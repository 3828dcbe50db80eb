"""The panel's race: how it is shown, the step, the body by its inverse moments, and the lanes with their errors."""

import dataclasses

import numpy as np

from viewer.race.live import LaneNow
from viewer.race.verdict import format_errors, hides_phase
from viewer.scenario.lanes import MOST_LANES, Lane, Recorded
from viewer.scenario.scenario import field_at
from viewer.scenario.sections.forms import MIDDLE_INVERSE, SLOW_INVERSE
from viewer.scene.constructions.race import lane_color
from viewer.session.session import Session
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import icons
from viewer.ui.widgets.drawing import Look, icon_button, shortened, text, tooltip
from viewer.ui.widgets.fields import FieldWidgets
from viewer.ui.widgets.formatting import printable
from viewer.ui.widgets.number_field import NumberSpec
from viewer.ui.widgets.style import u32

HIDDEN_PHASE = "perfect energy hides a wrong phase"
SLIDES = (0.1, 5.0)  # of the largest 1/I less the smallest: over these a slider leads the smallest


class RaceSection:
    """Draws the section and gives what the user does there to the session."""

    def __init__(self, session: Session, controls: FieldWidgets) -> None:
        self._session, self._controls = session, controls
        self._stabilisation = "off"  # of a lane that will be added

    def draw(self, look: Look) -> None:
        """The rows, as wide as there is room."""
        self._controls.row(look, "race.show")
        scenario = self._session.scenario
        if scenario.race.show == "off":
            return
        running = {now.lane.name: now for now in self._session.snapshot().lanes}
        recordings = [now for now in running.values() if isinstance(now.lane, Recorded)]
        for now in recordings:
            self._log(look, now)
        if not recordings:  # a recording brings its own steps and body
            self._controls.row(look, "race.steps_per_rotation")
            self._inverse_moments(look)
        for number, name in enumerate(dict.fromkeys(scenario.race.lanes)):
            lane = running.get(name)
            self._lane(look, number if lane is None else lane.number, name, lane)
        if len(scenario.race.lanes) < MOST_LANES:
            self._add(look)

    def _inverse_moments(self, look: Look) -> None:
        """Smallest and middle J = 1/I, where the body is given by its moments; L stays, and J max - J min."""
        scenario = self._session.scenario
        if scenario.body.shape != "moments":
            return
        moments = np.array(scenario.body.moments)
        order = np.argsort(1.0 / moments)
        slow, middle, fast = (float(value) for value in np.sort(1.0 / moments))
        spread, allowed = fast - slow, field_at("body.moments")
        ranges = (1.0 / allowed.high, 1.0 / allowed.low - spread), (slow, fast)
        slides = (SLIDES[0] * spread, SLIDES[1] * spread), (slow, fast)
        for field, value, (low, high), (soft_low, soft_high) in (
            (SLOW_INVERSE, slow, ranges[0], slides[0]),
            (MIDDLE_INVERSE, middle, ranges[1], slides[1]),
        ):
            if not soft_low < soft_high:  # all moments alike: there is no middle
                continue
            field = dataclasses.replace(field, low=low, high=high, soft_low=soft_low, soft_high=soft_high)
            number = NumberSpec(f"race.{field.symbol}", field, value, value)
            wanted = self._controls.number_row(look, number)
            if wanted is None:
                continue
            if field.symbol == MIDDLE_INVERSE.symbol:
                self._set_inverse(moments, order, (slow, wanted, fast))
            else:
                self._set_inverse(moments, order, (wanted, wanted + (middle - slow), wanted + spread))

    def _set_inverse(self, moments: np.ndarray, order: np.ndarray, rising: tuple[float, ...]) -> None:
        """Other moments by their `rising` inverses, each axis keeping its rank, for the same L."""
        inverse = np.empty(3)
        inverse[order] = rising
        omega = np.array(self._session.scenario.start.angular_velocity) * moments * inverse
        self._controls.change_many(
            {
                "body.moments": tuple(float(1.0 / value) for value in inverse),
                "start.angular_velocity": tuple(float(value) for value in omega),
            }
        )

    def _log(self, look: Look, now: LaneNow) -> None:
        """The recording that runs in the race."""
        p, at, line = look.palette, imgui.get_cursor_screen_pos(), imgui.get_text_line_height()
        room = imgui.get_content_region_avail().x
        middle, color = ((at.x + look.px(7), at.y + line / 2), lane_color(now.number, self._session.scenario.stereo))
        imgui.get_window_draw_list().add_circle_filled(middle, look.px(5), u32(color))
        text(at.x + look.px(20), at.y, p.text, shortened(printable(now.lane.label), room - look.px(24)))
        text(at.x + look.px(20), at.y + line + look.px(2), p.dim, shortened(format_errors(now), room))
        imgui.dummy((room, 2 * line + look.px(6)))
        tooltip(look, printable(now.lane.label), *((now.stopped,) if now.stopped else ()))

    def _lane(self, look: Look, number: int, name: str, now: LaneNow | None) -> None:
        """A lane: click its name to hide or show it, the cross to take it out; its errors below."""
        race, p, side = self._session.scenario.race, look.palette, imgui.get_frame_height()
        shown, room = name not in race.hidden, imgui.get_content_region_avail().x - side
        label = Lane.parse(name).label
        clicked = imgui.invisible_button(f"##lane {name}", (room, side))
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        self._controls.focus.button(look, f"##lane {name}")
        stopped = (now.stopped,) if now and now.stopped else ()
        tooltip(look, f"{label}: click to {'hide' if shown else 'show'}", *stopped)
        target, middle = imgui.get_window_draw_list(), (low.y + high.y) / 2
        color = lane_color(number, self._session.scenario.stereo)
        if shown:
            target.add_circle_filled((low.x + look.px(7), middle), look.px(5), u32(color))
        else:
            target.add_circle((low.x + look.px(7), middle), look.px(4.5), u32(color), 0, look.px(1.5))
        y = middle - imgui.get_text_line_height() / 2
        text(low.x + look.px(20), y, p.text if shown else p.dim, shortened(label, room - look.px(24)))
        if clicked:
            hidden = tuple(other for other in race.hidden if other != name)
            self._controls.change("race.hidden", (*hidden, name) if shown else hidden)
        imgui.same_line(0, 0)
        removed = icon_button(look, f"out {name}", icons.cross, side, side, plain=True, dim=True)
        if removed and len(race.lanes) > 1:
            self._controls.change("race.lanes", tuple(other for other in race.lanes if other != name))
        tooltip(look, f"Remove {label} from the race")
        if now is not None and shown:
            lines = [(format_errors(now), p.dim)]
            if now.stopped is None and hides_phase(now.energy_error, now.momentum_error, now.phase_error):
                lines.append((HIDDEN_PHASE, p.danger))
            for line, ink in lines:
                at = imgui.get_cursor_screen_pos()
                text(at.x + look.px(20), at.y - look.px(4), ink, shortened(line, room))
                imgui.dummy((0.0, imgui.get_text_line_height() - look.px(2)))

    def _add(self, look: Look) -> None:
        """Two lists, of an integrator and of its stabilisation: a choice in the first one adds a lane."""
        controls, race = self._controls, self._session.scenario.race
        half = (imgui.get_content_region_avail().x - look.px(4)) / 2
        methods = field_at("solver.integrator")
        new = controls.choose(look, "race.add", methods, "Add a lane…", half)
        imgui.same_line(0, look.px(4))
        field = field_at("solver.stabilisation")
        chosen = controls.choose(look, "race.add with", field, self._stabilisation, half)
        self._stabilisation = chosen or self._stabilisation
        if new is not None and (lane := Lane(new, self._stabilisation).name) not in race.lanes:
            controls.change("race.lanes", (*race.lanes, lane))
