"""The panel's section Loads: force, torque, friction and pulses, and the torques in time and thrusters as lists."""

from dataclasses import replace
from functools import lru_cache, partial
from math import inf, isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.commands.actions import ACTIONS, keys_shown
from viewer.commands.loads import PIECES, THRUSTERS, add_force, add_part, beat_of, numbers_of, remove_force
from viewer.common.color import Color
from viewer.common.frozen import frozen
from viewer.common.language import marked, tr
from viewer.physics.loads import Thruster, TorquePiece
from viewer.scenario.field import Choice, Number, Numbers, Tables, Vector
from viewer.scenario.scenario import field_at
from viewer.scenario.sections.body import XYZ, XYZ_BODY
from viewer.scene.constructions.race import lane_color
from viewer.scene.words.formatting import MINUS, named, sentence, with_unit
from viewer.ui.panel.section import Draw, Section
from viewer.ui.platform.imgui_module import imgui, implot
from viewer.ui.plots import chart
from viewer.ui.widgets import icons, scopes
from viewer.ui.widgets.drawing import Look, icon_button, tooltip
from viewer.ui.widgets.style import u32

Array = NDArray[np.float64]
Part = TorquePiece | Thruster

RAMP = 5.0  # beats from the start of a new ramp to its end
LEAST_STEP = 1e-3  # s, or half of the distance if that is less: how near a gesture brings a time to its neighbour
# the keys of the values before and after which a time must not go, or ""
NEIGHBOURS = {"start": ("", "end"), "end": ("start", ""), "width": ("", "period"), "period": ("width", "")}
PICTURE_HEIGHT = 76.0  # at scale 1, of the torques over time
ENDLESS = 5.0  # s that are shown of a torque without an end
ENDLESS_CYCLES = 4.0  # that are shown of a sine or of pulses without an end
POINTS = 500, 5000  # points of a curve without cycles, and the most points of any curve
POINTS_PER_CYCLE = 20
MOST_PULSES = 2000  # the most cycles in the picture whose edges are exact


@frozen
class LoadList:
    """The texts of a list of loads: of its button, of an entry's title, and of the cross that removes an entry."""

    add: str
    title: str
    remove: str


LISTS = {
    PIECES: LoadList(marked("Add a torque in time"), marked("Torque {number}"), marked("Remove this torque")),
    THRUSTERS: LoadList(marked("Add a thruster"), marked("Thruster {number}"), marked("Remove this thruster")),
}


class LoadsSection(Section):
    """Force, arm, torque and friction, pulses, torques in time, and the external torque now."""

    title = marked("Loads")

    def draw(self, look: Look) -> None:
        """Draw all rows, as wide as there is room."""
        there = any(self._session.scenario.loads.force)
        label = marked("Remove the force") if there else marked("Add a force (Shift+F)")
        if imgui.button(named(label), (imgui.get_content_region_avail().x, 0.0)):
            editor = self._controls.editor
            editor.attempt(partial(remove_force, editor) if there else partial(add_force, self._session, editor))
        where = tr(label) if there else tr("At a corner of the body")
        tooltip(look, where, tr("Drag its tip or its point of application in the scene"))
        self._controls.focus.button(look, label)
        super().draw(look)
        self._pulses(look)
        self._torques_in_time(look)
        snapshot = self._session.snapshot()
        torque = float(np.linalg.norm(snapshot.external_torque))
        if torque < snapshot.loads.torque_round_off(snapshot.reading.time):
            torque = 0.0
        self._controls.heading(look, tr("External torque now"), with_unit(torque, "N m"))

    def form_of(self, path: str) -> Draw | None:
        """Return the form with the lists of torques in time and of thrusters if `path` is one of them."""
        return self._torques_in_time if path in LISTS else None

    def _pulses(self, look: Look) -> None:
        """Draw a row of buttons: for a pulse in either direction about each of the body's axes."""
        gap = look.px(3)
        width = (imgui.get_content_region_avail().x - 5 * gap) / 6
        size = with_unit(self._session.scenario.loads.pulse, "N m s")
        for axis, name in enumerate(XYZ_BODY):
            for sign in (1, -1):
                if axis or sign < 0:
                    imgui.same_line(0, gap)
                label = f"{'+' if sign > 0 else MINUS}{name.lower()}##pulse"
                if imgui.button(label, (width, 0.0)):
                    self._controls.editor.attempt(partial(self._session.pulse, axis, sign))
                action = ACTIONS[f"pulse-{'xyz'[axis]}{'+-'[sign < 0]}"]
                tooltip(look, f"{sentence(tr(action.description))} ({keys_shown(action.keys)})", f"ΔL = {size}")
                self._controls.focus.button(look, label)

    def _torques_in_time(self, look: Look) -> None:
        """Draw the lists one after the other, and below them the torques over time."""
        loads: list[Part] = []
        for path, texts in LISTS.items():
            field, parts = field_at(path, Tables), self._session.scenario.value(path)
            for i, load in enumerate(parts):
                self._entry(look, path, i, field.used(load), len(loads))
                loads.append(load)
            if len(parts) < field.most:
                if imgui.button(named(texts.add), (imgui.get_content_region_avail().x, 0.0)):
                    add_part(self._session, self._controls.editor, path)
                self._controls.focus.button(look, texts.add)
                tooltip(look, tr(field.description))
        if loads:
            self._controls.heading(look, tr("Torque [N m] over time [s]"))
            colors = [self._color(number) for number in range(len(loads))]
            draw_torques(look, loads, colors, self._session.snapshot().reading.time)

    def _color(self, number: int) -> Color:
        """Return the colour of a load's curve, by the load's number among all of them."""
        scenario = self._session.scenario
        return lane_color(number, scenario.view.theme, scenario.stereo)

    def _entry(self, look: Look, path: str, i: int, values: dict[str, Any], number: int) -> None:
        """Draw the title of an entry and a row for each of its keys."""
        self._title(look, path, i, number)
        axes = XYZ_BODY if values.get("frame", "body") == "body" else XYZ
        for key, field in field_at(path, Tables).keys:
            if key not in values:
                continue
            if isinstance(field, Numbers):
                self._times(look, path, i, field, values[key])
            elif key == "end":
                self._end(look, path, i, field_at(path, Tables).key(key, Number), values)
            elif isinstance(field, Number) and not isinstance(field, Vector):
                before, after = (values.get(name) for name in NEIGHBOURS.get(key, ("", "")))
                self._row(look, path, i, key, between_neighbours(field, values[key], before, after), values[key])
            elif isinstance(field, Vector):
                self._row(look, path, i, key, replace(field, labels=axes), values[key])
            elif (new := self._controls.edit(look, f"{path}[{i}].{key}", field, values[key])) is not None:
                self._set_kind(i, new) if key == "kind" else self._change(path, i, {key: new})

    def _row(
        self, look: Look, path: str, i: int, key: str, field: Number, value: Any, default: float | None = None
    ) -> None:
        """Draw the row of a number or vector; a change of it is part of a gesture."""
        new = self._controls.edit(look, f"{path}[{i}].{key}", field, value, default)
        if new is not None:
            self._change(path, i, {key: new}, final=False)

    def _title(self, look: Look, path: str, i: int, number: int) -> None:
        """Draw the line above an entry: a dot in the colour of its curve, its name, and the cross that removes it."""
        side, at = imgui.get_frame_height(), imgui.get_cursor_screen_pos()
        imgui.dummy((look.px(14), side))
        middle = at.x + look.px(5), at.y + side / 2
        imgui.get_window_draw_list().add_circle_filled(middle, look.px(4), u32(self._color(number)))
        imgui.same_line(0, 0)
        imgui.align_text_to_frame_padding()
        imgui.text_unformatted(tr(LISTS[path].title).format(number=i + 1))
        imgui.same_line(imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x - side)
        if icon_button(look, f"out {path} {i}", icons.cross, side, side, plain=True, dim=True):
            self._change(path, i, None)
        tooltip(look, tr(LISTS[path].remove))
        self._controls.focus.button(look, f"out {path} {i}")

    def _end(self, look: Look, path: str, i: int, field: Number, values: dict[str, Any]) -> None:
        """Draw the row of a torque's end, if it has one, and below it the box "No end", which a ramp does not have."""
        start, end, beat = values["start"], values["end"], beat_of(self._session)
        if isfinite(end):
            default = start + RAMP * beat if values["kind"] == "ramp" else end
            self._row(look, path, i, "end", between_neighbours(field, end, start, None), end, default)
        if values["kind"] == "ramp":
            return
        if self._controls.box(
            look, f"{path}[{i}].no_end", tr("No end"), end == inf, tr("whether the torque never ends")
        ):
            now = float(f"{self._session.snapshot().reading.time:.3g}")
            self._change(path, i, {"end": max(start + beat, now) if end == inf else inf})

    def _times(self, look: Look, path: str, i: int, field: Numbers, times: tuple[float, ...]) -> None:
        """Draw the times at which a thruster goes on and off in turn, and buttons that remove the last and add one."""
        self._controls.heading(look, tr(field.label))
        for n, (before, time, after) in enumerate(zip((None, *times), times, (*times[1:], None), strict=False)):
            one = Number(marked("Off") if n % 2 else marked("On"), field.description, unit=field.unit, low=field.low,
                         high=field.high, soft_low=field.soft_low, soft_high=field.soft_high)  # fmt: skip
            between = between_neighbours(one, time, before, after)
            new = self._controls.edit(look, f"{path}[{i}].{n}", between, time)
            if new is not None:
                self._change(path, i, {"times": (*times[:n], new, *times[n + 1 :])}, final=False)
        gap = look.px(4)
        width = (imgui.get_content_region_avail().x - gap) / 2
        later = times[-1] + beat_of(self._session)
        for label, new_times, allowed in (
            (marked("Remove the last"), times[:-1], len(times) > 1),
            (marked("Add a time"), (*times, later), len(times) < field.most),
        ):
            with scopes.disabled(not allowed):
                if imgui.button(named(label, f"##{i}"), (width, 0.0)) and allowed:
                    self._change(path, i, {"times": new_times})
            self._controls.focus.button(look, f"{label}##{i}")
            imgui.same_line(0, gap)
        imgui.new_line()

    def _tables(self, path: str) -> list[dict[str, Any]]:
        return field_at(path, Tables).plain(self._session.scenario.value(path))

    def _change(self, path: str, i: int, changes: dict[str, Any] | None, final: bool = True) -> None:
        """Give an entry other values, or remove it."""
        tables = self._tables(path)
        tables[i : i + 1] = [] if changes is None else [{**tables[i], **changes}]
        if final:
            self._controls.editor.set(path, tables)
        else:
            self._controls.editor.change({path: tables})

    def _set_kind(self, i: int, kind: str) -> None:
        """Give a torque another shape; values that only the old shape had are dropped."""
        seconds, tables = beat_of(self._session), self._tables(PIECES)
        same: dict[str, Any] = {
            key: tables[i][key] for key in ("amplitude", "frame", "start", "end") if key in tables[i]
        }
        if kind == "ramp":
            same.setdefault("end", same["start"] + RAMP * seconds)
        tables[i] = {**same, **numbers_of(kind, seconds), "kind": kind}
        self._controls.editor.set(PIECES, tables)


def first_control(path: str, number: int) -> str:
    """Return the name of the first control of an entry of one of LISTS: a choice, else the first box of a vector."""
    key, field = field_at(path, Tables).keys[0]
    return f"##{path}[{number}].{key}" + ("" if isinstance(field, Choice) else "[0]")


def between_neighbours(field: Number, value: float, before: float | None, after: float | None) -> Number:
    """Return the field of a number with a range that keeps the value between its neighbours during a gesture."""
    low, high = field.low, field.high
    if before is not None:
        low = max(low, before + min(LEAST_STEP, 0.5 * (value - before)))
    if after is not None:
        high = min(high, after - min(LEAST_STEP, 0.5 * (after - value)))
    return replace(field, low=low, high=high)


def draw_torques(look: Look, parts: list[Part], colors: list[Color], now: float) -> None:
    """Draw the torques over time, as wide as there is room, with a line at the present time [s]."""
    begin, end = window_of(parts, now)
    most = max(map(size_of, parts)) or 1.0
    flags = chart.PLOT | implot.Flags_.no_inputs.value | implot.Flags_.no_legend.value
    size = imgui.get_content_region_avail().x, look.px(PICTURE_HEIGHT)
    with chart.applied(look), scopes.plot("torque in time", size, flags) as seen:
        if not seen:
            return
        axis = chart.X_AXIS | implot.AxisFlags_.no_grid_lines.value
        implot.setup_axes("", "", axis, axis)
        implot.setup_axis_limits(chart.X, begin, end, imgui.Cond_.always.value)
        implot.setup_axis_limits(chart.Y, -1.15 * most, 1.15 * most, imgui.Cond_.always.value)
        for number, (part, color) in enumerate(zip(parts, colors, strict=True)):
            chart.line(look, f"##{number}", color, *curve_of(part, begin, end), 1.5)
        chart.draw_now(look, now)


def window_of(parts: list[Part], now: float) -> tuple[float, float]:
    """Return the first and the last time [s] that are shown.

    They enclose all loads, of endless ones a few cycles or seconds. If `now` is not among these times, they are moved
    or extended to enclose it.
    """
    begin = min(part.times[0] if isinstance(part, Thruster) else part.start for part in parts)
    last = max(_end_of(part) for part in parts)
    span = max(last - begin, 1e-3)
    margin = 0.05 * span
    if begin - margin <= now <= last + margin:
        return begin - margin, last + margin
    if now < begin:
        return now - margin, max(last, now + span) + margin
    return now - 0.7 * span, now + 0.4 * span


def _end_of(part: Part) -> float:
    """Return the time [s] at which a load ends, or until which an endless load is shown."""
    if isinstance(part, Thruster):
        return part.times[-1] + (ENDLESS if len(part.times) % 2 else 0.0)
    if isfinite(part.end):
        return part.end
    frequency = _frequency(part)
    return part.start + (ENDLESS_CYCLES / frequency if frequency else ENDLESS)


def _frequency(part: Part) -> float:
    """Return the number of cycles that a load makes in a second, or 0 if it has none."""
    if isinstance(part, Thruster):
        return 0.0
    return {"sine": part.frequency, "pulse-train": 1.0 / part.period}.get(part.kind, 0.0)


def size_of(part: Part) -> float:
    """Return the largest magnitude of a load's torque [N m]."""
    return float(np.linalg.norm(part.torque if isinstance(part, Thruster) else part.amplitude))


@lru_cache(maxsize=32)  # some milliseconds each, and the panel is laid out in every second frame
def curve_of(part: Part, begin: float, end: float) -> tuple[Array, Array]:
    """Return times (N,) [s] from `begin` to `end`, jumps of the load included, and the torque (N,) [N m] at each."""
    cycles = (end - begin) * _frequency(part)
    times = np.linspace(begin, end, min(POINTS[0] + int(POINTS_PER_CYCLE * min(cycles, MOST_PULSES)), POINTS[1]))
    if cycles < MOST_PULSES:
        jumps = np.array(list(part.edges(begin, end)))
        times = np.unique(np.concatenate((times, jumps, np.nextafter(jumps, -inf))))
    multiplier = part.is_on if isinstance(part, Thruster) else part.at
    return times, size_of(part) * np.array([float(multiplier(time)) for time in times.tolist()])
