"""The panel's race: how it is shown, the step, the body by its inverse moments, and the lanes with their errors."""

import dataclasses
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.common.frozen import frozen
from viewer.common.language import marked, tr
from viewer.physics.poinsot.spin import at_energy
from viewer.physics.rotation import angles_about_space_axes, from_rotation_vector, multiply
from viewer.race.live import LaneNow
from viewer.race.verdict import hides_phase
from viewer.scenario.field import Choice, Number
from viewer.scenario.scenario import Scenario, field_at
from viewer.scenario.sections.race import ENERGY_FACTOR, MIDDLE_INVERSE, MOST_LANES, SLOW_INVERSE, Lane, Recorded
from viewer.scene.constructions.race import color_of, lane_color
from viewer.scene.words.formatting import format_errors, printable
from viewer.ui.panel.section import Draw, Section
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import icons, scopes
from viewer.ui.widgets.drawing import SMALLEST, Look, fitting_size, icon_button, shortened, text, tooltip
from viewer.ui.widgets.style import u32

NUMBER = 11.0  # size of a lane's number at scale 1
HIDDEN_PHASE = marked("perfect energy hides a wrong phase")
SLIDES = (0.1, 5.0)  # range of the smallest 1/I on its slider, in units of the largest 1/I less the smallest
ALIKE = 1e-12  # relative: inverse moments closer than this are the same
SAME = 1e-14  # relative: energy factors closer than this are the same
Array = NDArray[np.float64]
Span: TypeAlias = tuple[float, float]  # least and greatest value


@frozen
class InverseMoments:
    """The body and the start of a race by its inverse moments J = 1/I and its energy factor J_L = 2E/|L|².

    Each change concerns one of these quantities and keeps the others: the smallest J; the middle J, the largest J and
    J_L, each minus the smallest J; |L|; the direction of L in space. After a change, the body is given by its moments.

    `inverse` are the J about the body axes (3,) [1/(kg m2)]. At the start, `momentum` is L (3,) in body axes,
    `orientation_wxyz` the orientation (4,).
    """

    inverse: Array
    momentum: Array
    orientation_wxyz: Array
    orientation_deg: tuple[float, float, float]

    @classmethod
    def of(cls, scenario: Scenario) -> "InverseMoments":
        """Return the inverse moments and the start of a scene."""
        body, start = scenario.rigid_body(), scenario.start_state()
        momentum = body.principal_moments * np.array(scenario.start.angular_velocity)
        orientation = np.array(start.orientation_wxyz)
        return cls(1.0 / body.principal_moments, momentum, orientation, scenario.start.orientation_deg)

    @property
    def rising(self) -> tuple[float, float, float]:
        """The smallest, the middle and the largest J."""
        low, middle, high = np.sort(self.inverse).tolist()
        return low, middle, high

    @property
    def energy_factor(self) -> float:
        """J_L = 2E/|L|² [1/(kg m2)], between the smallest and the largest J; the smallest one at rest."""
        unit = self._unit
        return self.rising[0] if unit is None else float(unit @ (self.inverse * unit))

    def with_smallest(self, value: float) -> dict[str, Any]:
        """Return the fields to change for a smallest J of `value`; the other J and J_L change by the same amount."""
        low, middle, high = self.rising
        return self._changes((value, value + (middle - low), value + (high - low)), self.momentum)

    def with_middle(self, value: float) -> dict[str, Any]:
        """Return the fields to change for a middle J of `value`, or as near to it as the other J allow."""
        low, _, high = self.rising
        rising = (low, min(max(value, low), high), high)
        return self._changes(rising, self._at(self._ranked(rising), self.energy_factor))

    def with_energy_factor(self, value: float) -> dict[str, Any]:
        """Return the fields to change for a J_L of `value`, between the smallest and the largest J."""
        return self._changes(self.rising, self._at(self.inverse, value))

    @property
    def _unit(self) -> Array | None:
        size = float(np.linalg.norm(self.momentum))
        return self.momentum / size if size else None

    def _ranked(self, rising: tuple[float, float, float]) -> Array:
        """Return the J about the body axes (3,), from the J in ascending order; each axis keeps its rank."""
        inverse = np.empty(3)
        inverse[np.argsort(self.inverse, kind="stable")] = rising
        return inverse

    def _at(self, inverse: Array, factor: float) -> Array:
        """Return the L (3,) in body axes that has this energy factor with these J; |L| does not change."""
        unit = self._unit
        if unit is None or abs(float(unit @ (inverse * unit)) - factor) <= SAME * factor:
            return self.momentum
        size = float(np.linalg.norm(self.momentum))
        return at_energy(1.0 / inverse, self.momentum, 0.5 * factor * size**2)

    def _changes(self, rising: tuple[float, float, float], momentum: Array) -> dict[str, Any]:
        """Return the fields of a scene with these J and this L in body axes; L in space does not change."""
        inverse, degrees = self._ranked(rising), self.orientation_deg
        if momentum is not self.momentum:
            turned = multiply(self.orientation_wxyz, _turn(momentum, self.momentum))
            x, y, z = np.degrees(angles_about_space_axes(turned)).tolist()
            degrees = x, y, z
        return {
            "body.shape": "moments",
            "body.moments": tuple((1.0 / inverse).tolist()),
            "start.orientation_deg": degrees,
            "start.angular_velocity": tuple((momentum * inverse).tolist()),
        }


def _turn(a: Array, b: Array) -> Array:
    """Return the unit quaternion of the smallest turn from the direction of `a` to that of `b`, both (3,)."""
    axis = np.cross(a, b)
    sine, cosine = float(np.linalg.norm(axis)), float(a @ b)
    if sine <= 1e-300:
        return np.array([1.0, 0.0, 0.0, 0.0])  # no slider leads L to its opposite
    return from_rotation_vector(np.arctan2(sine, cosine) / sine * axis)


class RaceSection(Section):
    """How the race is shown, its step, the inverse moments of the body, and the lanes with their errors."""

    title = marked("Race")
    _stabilisation = "off"  # of a lane that will be added
    _drag_began: InverseMoments | None = None  # the moments when the drag of a slider began

    def form_of(self, path: str) -> Draw | None:
        """Return the form of the whole section, because its rows belong together."""
        return self.draw

    def draw(self, look: Look) -> None:
        """Draw all rows, as wide as there is room."""
        self._controls.row(look, "race.show")
        scenario = self._session.scenario
        if scenario.race.show == "off":
            return
        running = {now.lane.name: now for now in self._session.snapshot().lanes}
        recordings = [now for now in running.values() if isinstance(now.lane, Recorded)]
        for now in recordings:
            self._lane(look, now.number, now.lane.name, now)
        if not recordings:  # a recording brings its own steps and body
            self._steps(look)
            self._inverse_moments(look)
        for number, name in enumerate(dict.fromkeys(scenario.race.lanes)):
            lane = running.get(name)
            self._lane(look, number if lane is None else lane.number, name, lane)
        if len(scenario.race.lanes) < MOST_LANES:
            self._add(look)
        at, line = imgui.get_cursor_screen_pos(), imgui.get_text_line_height()  # it keeps its place while it is empty
        if any(_hides(now) for name, now in running.items() if name not in scenario.race.hidden):
            text(at.x, at.y, look.palette.danger, shortened(tr(HIDDEN_PHASE), imgui.get_content_region_avail().x))
        imgui.dummy((0.0, line))

    def _steps(self, look: Look) -> None:
        """Draw how the lanes' step is given, and the step; a choice of how it is given does not change its length."""
        scenario, race = self._session.scenario, self._session.scene.race
        new = self._controls.edit(look, "race.stepping", field_at("race.stepping"), scenario.race.stepping)
        if new is not None:
            values: dict[str, Any] = {"race.stepping": new}
            if race is not None:
                same = {"fixed": "step", "rotation": "steps_per_rotation"}[new]
                allowed = field_at(f"race.{same}", Number)
                values[f"race.{same}"] = min(max(getattr(race.course, same), allowed.low), allowed.high)
            self._controls.editor.change(values)
            self._controls.editor.commit()
        self._controls.row(look, "race.step" if scenario.race.stepping == "fixed" else "race.steps_per_rotation")

    def _inverse_moments(self, look: Look) -> None:
        """Draw sliders for the smallest and the middle J = 1/I and the energy factor, if the J are not all the same."""
        scenario = self._session.scenario
        now = InverseMoments.of(scenario)
        slow, middle, fast = now.rising
        spread, allowed = fast - slow, field_at("body.moments", Number)
        if not spread > ALIKE * fast:  # then neither the middle J nor the energy can be chosen
            return
        wide = (1.0 / allowed.high, 1.0 / allowed.low - spread)
        slides = (SLIDES[0] * spread, SLIDES[1] * spread)
        self._slider(look, SLOW_INVERSE, slow, wide, slides, InverseMoments.with_smallest)
        self._slider(look, MIDDLE_INVERSE, middle, (slow, fast), (slow, fast), InverseMoments.with_middle)
        factor = min(max(now.energy_factor, slow), fast)
        led = InverseMoments.with_energy_factor
        self._slider(look, ENERGY_FACTOR, factor, (slow, fast), (slow, fast), led, (middle,))

    def _slider(
        self, look: Look, field: Number, value: float, allowed: Span, slides: Span,
        changes: Callable[[InverseMoments, float], dict[str, Any]], marks: tuple[float, ...] = (),
    ) -> None:  # fmt: skip
        """Draw a slider, which changes the moments from what they were when the drag began."""
        (low, high), (soft_low, soft_high) = allowed, slides
        field = dataclasses.replace(field, low=low, high=high, soft_low=soft_low, soft_high=soft_high)
        before = InverseMoments.of(self._session.scenario)
        wanted = self._controls.edit(look, f"race.{field.symbol}", field, value, unit_written=False, marks=marks)
        if imgui.is_item_activated():
            self._drag_began = before
        if wanted is not None:
            began = self._drag_began if self._drag_began is not None and imgui.is_item_active() else before
            self._controls.editor.change(changes(began, wanted))

    def _lane(self, look: Look, number: int, name: str, now: LaneNow | None) -> None:
        """Draw a lane with its number and its errors; a click on its name hides or shows it, the cross removes it.

        A recording, which is a lane of its own, can be neither hidden nor removed.
        """
        race, p, side = self._session.scenario.race, look.palette, imgui.get_frame_height()
        recorded = now is not None and isinstance(now.lane, Recorded)
        shown, room = name not in race.hidden, imgui.get_content_region_avail().x
        label = printable(now.lane.label) if now is not None else Lane.parse(name).label
        clicked = imgui.invisible_button(f"##lane {name}", (room - (0.0 if recorded else side), side))
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        self._controls.focus.button(look, f"##lane {name}")
        hint = "{name}" if recorded else tr("{name}: click to hide") if shown else tr("{name}: click to show")
        tooltip(look, hint.format(name=label), *((now.stopped,) if now and now.stopped else ()))
        target, middle = imgui.get_window_draw_list(), (low.y + high.y) / 2
        color = u32(self._color(number, now))
        centre, digits = (low.x + look.px(8), middle), str(number + 1)
        if shown:
            target.add_circle_filled(centre, look.px(8), color)
        else:
            target.add_circle(centre, look.px(7.5), color, 0, look.px(1.5))
        with scopes.font(look.fonts.medium, NUMBER):
            width, height = imgui.calc_text_size(digits)
            at = round(centre[0] - width / 2), round(centre[1] - height / 2)
            target.add_text(at, u32(p.background) if shown else color, digits)
        y = middle - imgui.get_text_line_height() / 2
        text(low.x + look.px(20), y, p.text if shown else p.dim, shortened(label, high.x - low.x - look.px(24)))
        if clicked and not recorded:
            hidden = tuple(other for other in race.hidden if other != name)
            self._controls.editor.set("race.hidden", (*hidden, name) if shown else hidden)
        if not recorded:
            imgui.same_line(0, 0)
            removed = icon_button(look, f"out {name}", icons.cross, side, side, plain=True, dim=True)
            if removed and len(race.lanes) > 1:
                self._controls.editor.set("race.lanes", tuple(other for other in race.lanes if other != name))
            tooltip(look, tr("Remove {name} from the race").format(name=label))
        if shown:
            at, ink, room = imgui.get_cursor_screen_pos(), p.danger if _hides(now) else p.dim, room - look.px(20)
            line = "" if now is None else format_errors(now)
            with scopes.font(imgui.get_font(), fitting_size(look, line, room, SMALLEST)):
                text(at.x + look.px(20), at.y - look.px(4), ink, shortened(line, room))
            imgui.dummy((0.0, imgui.get_text_line_height() - look.px(2)))

    def _color(self, number: int, now: LaneNow | None) -> Color:
        """Return the colour of a lane in the scene, by its number while it does not run."""
        scenario = self._session.scenario
        if now is None:
            return lane_color(number, scenario.view.theme, scenario.stereo)
        return color_of(now.lane, number, [one.lane for one in self._session.snapshot().lanes], scenario)

    def _add(self, look: Look) -> None:
        """Draw a list of integrators and one of stabilisations; a choice in the first list adds a lane."""
        controls, race = self._controls, self._session.scenario.race
        half = (imgui.get_content_region_avail().x - look.px(4)) / 2
        methods = field_at("solver.integrator", Choice)
        new = controls.choose(look, "race.add", methods, marked("Add a lane…"), half)
        imgui.same_line(0, look.px(4))
        field = field_at("solver.stabilisation", Choice)
        chosen = controls.choose(look, "race.add with", field, self._stabilisation, half)
        self._stabilisation = chosen or self._stabilisation
        if new is not None and (lane := Lane(new, self._stabilisation).name) not in race.lanes:
            controls.editor.set("race.lanes", (*race.lanes, lane))


def _hides(now: LaneNow | None) -> bool:
    """Return whether a lane keeps energy and |L| but has a wrong phase."""
    if now is None or now.stopped is not None:
        return False
    return hides_phase(now.energy_error, now.momentum_error, now.phase_error)
