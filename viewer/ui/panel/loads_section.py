"""The panel's section Loads: force, torque, friction and pulses, and the torques in time and thrusters as lists."""

from dataclasses import replace
from functools import partial
from math import inf, isfinite
from typing import Any

import numpy as np

from viewer.commands.actions import ACTIONS, keys_shown
from viewer.commands.loads import PIECES, THRUSTERS, add_force, add_part, beat_of, numbers_of, remove_force
from viewer.common.color import Color
from viewer.common.frozen import frozen
from viewer.common.language import marked, tr
from viewer.physics.loads import Thruster, TorquePiece
from viewer.scenario.field import Choice, Number, Numbers, Tables, Vector
from viewer.scenario.scenario import field_at
from viewer.scenario.sections.body import XYZ
from viewer.scenario.sections.motion import XYZ_BODY
from viewer.scene.constructions.race import lane_color
from viewer.scene.words.formatting import MINUS, named, sentence, with_unit
from viewer.ui.panel.section import Draw, Section
from viewer.ui.panel.torque_picture import TorquePicture
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import icons, scopes
from viewer.ui.widgets.drawing import Look, icon_button, tooltip
from viewer.ui.widgets.fields import FieldWidgets
from viewer.ui.widgets.number_field import NumberSpec
from viewer.ui.widgets.style import u32
from viewer.workspace.workspace import Workspace

RAMP = 5.0  # beats from the start of a new ramp to its end
SHARE = 0.55  # of a line, for the first of two choices
LEAST_APART = 1e-3  # s that a gesture leaves between two times
NEIGHBOURS = {"start": ("", "end"), "end": ("start", ""), "width": ("", "period"), "period": ("width", "")}


@frozen
class LoadList:
    """The texts of a list of loads: of its button, and of an entry and its cross. An entry follows from its keys."""

    add: str
    title: str
    remove: str


LISTS = {
    PIECES: LoadList(marked("Add a torque in time"), marked("Torque {number}"), marked("Remove this torque")),
    THRUSTERS: LoadList(marked("Add a thruster"), marked("Thruster {number}"), marked("Remove this thruster")),
}


class LoadsSection(Section):
    """Force, arm, torque and friction, pulses, torques in time, and the external torque now."""

    title = "Loads"

    def __init__(self, workspace: Workspace, controls: FieldWidgets) -> None:
        super().__init__(workspace, controls)
        self._picture = TorquePicture()

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
        """Return the lists of torques in time and of thrusters."""
        return self._torques_in_time if path in LISTS else None

    def _pulses(self, look: Look) -> None:
        """Draw a button for a push either way about each of the body's axes, in one row."""
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
        loads: list[TorquePiece | Thruster] = []
        for path in LISTS:
            self._list(look, path, len(loads))
            loads += self._session.scenario.value(path)
        if loads:
            self._controls.heading(look, tr("Torque [N m] over time [s]"))
            colors = [self._color(number) for number in range(len(loads))]
            self._picture.draw(look, tuple(loads), colors, self._session.snapshot().reading.time)

    def release(self) -> None:
        """Delete ImPlot's context; the ImGui context must be current."""
        self._picture.release()

    def _list(self, look: Look, path: str, first: int) -> None:
        """Draw the entries of a list, whose curves have the colours from number `first` on, and a button for more."""
        field, add = field_at(path, Tables), LISTS[path].add
        for i, load in enumerate(self._session.scenario.value(path)):
            self._entry(look, path, i, field.used(load), first + i)
        if len(self._session.scenario.value(path)) >= field.most:
            return
        if imgui.button(named(add), (imgui.get_content_region_avail().x, 0.0)):
            add_part(self._session, self._controls.editor, path)
        self._controls.focus.button(look, add)
        tooltip(look, tr(field.description))

    def _entry(self, look: Look, path: str, i: int, values: dict[str, Any], number: int) -> None:
        """Draw what the keys of an entry declare: choices, vectors, numbers, and lists of times."""
        keys = {key: field for key, field in field_at(path, Tables).keys if key in values}
        name = tr(LISTS[path].title).format(number=i + 1)
        self._title(look, number, name, path, i, LISTS[path].remove)
        choices = {key: field for key, field in keys.items() if isinstance(field, Choice)}
        chosen = self._choices(look, f"{path}[{i}]", choices, values)
        axes = XYZ_BODY if values.get("frame", "body") == "body" else XYZ
        for key, field in keys.items():
            if isinstance(field, Vector):
                field = replace(field, labels=axes)
                if (new := self._controls.edit(look, f"{path}[{i}].{key}", field, values[key])) is not None:
                    self._change(path, i, {key: new}, final=False)
        end = values.get("start", 0.0) + RAMP * beat_of(self._session) if values.get("kind") == "ramp" else inf
        self._numbers(look, path, i, {k: f for k, f in keys.items() if type(f) is Number}, values, {"end": end})
        for key, field in keys.items():
            if isinstance(field, Numbers):
                self._times(look, path, i, key, replace(field, label=f"{name}, {tr(field.label.lower())}"), values[key])
        if "kind" in chosen:
            self._set_kind(i, chosen["kind"])
        elif chosen:
            self._change(path, i, chosen)

    def _choices(self, look: Look, name: str, choices: dict[str, Choice], values: dict[str, Any]) -> dict[str, str]:
        """Draw up to two choices side by side, each below its label; return what was chosen, by key."""
        gap, left = look.px(4), imgui.get_cursor_pos_x()
        room = imgui.get_content_region_avail().x - gap
        widths = round(SHARE * room), round(room) - round(SHARE * room)
        for number, field in enumerate(choices.values()):
            if number:
                imgui.same_line(left + widths[0] + gap)
            self._controls.heading(look, tr(field.label))
        chosen: dict[str, str] = {}
        for number, ((key, field), width) in enumerate(zip(choices.items(), widths, strict=False)):
            if number:
                imgui.same_line(0, gap)
            if (new := self._controls.choose(look, f"{name}.{key}", field, values[key], width)) is not None:
                chosen[key] = new
        return chosen

    def _tables(self, path: str) -> list[dict[str, Any]]:
        return field_at(path, Tables).plain(self._session.scenario.value(path))

    def _change(self, path: str, i: int, changes: dict[str, Any] | None, final: bool = True) -> None:
        """Give part i other values, or takes it out."""
        tables = self._tables(path)
        tables[i : i + 1] = [] if changes is None else [{**tables[i], **changes}]
        if final:
            self._controls.editor.set(path, tables)
        else:
            self._controls.editor.change({path: tables})

    def _out(self, look: Look, path: str, i: int, meaning: str) -> None:
        """The cross that takes part i out, at the right of its line."""
        side = imgui.get_frame_height()
        if icon_button(look, f"out {path} {i}", icons.cross, side, side, plain=True, dim=True):
            self._change(path, i, None)
        tooltip(look, tr(meaning))
        self._controls.focus.button(look, f"out {path} {i}")

    def _color(self, number: int) -> Color:
        """Of the part with that number."""
        scenario = self._session.scenario
        return lane_color(number, scenario.view.theme, scenario.stereo)

    def _title(self, look: Look, number: int, name: str, path: str, i: int, meaning: str) -> None:
        """The line above a part: a dot in the colour of its curve, its name, and what takes it out."""
        side, at = imgui.get_frame_height(), imgui.get_cursor_screen_pos()
        color = self._color(number)
        imgui.dummy((look.px(14), side))
        imgui.get_window_draw_list().add_circle_filled((at.x + look.px(5), at.y + side / 2), look.px(4), u32(color))
        imgui.same_line(0, 0)
        imgui.align_text_to_frame_padding()
        imgui.text_unformatted(name)
        imgui.same_line(imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x - side)
        self._out(look, path, i, meaning)

    def _set_kind(self, i: int, kind: str) -> None:
        """Give a torque another shape; what only the old one had goes."""
        seconds, tables = beat_of(self._session), self._tables(PIECES)
        same: dict[str, Any] = {
            key: tables[i][key] for key in ("amplitude", "frame", "start", "end") if key in tables[i]
        }
        if kind == "ramp":
            same.setdefault("end", same["start"] + RAMP * seconds)
        tables[i] = {**same, **numbers_of(kind, seconds), "kind": kind}
        self._controls.editor.set(PIECES, tables)

    def _times(self, look: Look, path: str, i: int, key: str, field: Numbers, times: tuple[float, ...]) -> None:
        """Draw the times on, off, on, .., and buttons that take the last one away and add one."""
        gap = look.px(4)
        self._controls.heading(look, tr(dict(field_at(path, Tables).keys)[key].label))
        names = list(map(str, range(len(times))))
        self._numbers(look, path, i, dict.fromkeys(names, field), dict(zip(names, times, strict=True)), {}, times=times)
        width = (imgui.get_content_region_avail().x - gap) / 2
        later, on = times[-1] + beat_of(self._session), len(times) % 2 == 1
        removes = tr("Takes on at {time} away") if on else tr("Takes off at {time} away")
        adds = tr("Adds off at {time}") if on else tr("Adds on again at {time}")
        for label, meaning, time, new, allowed in (
            (marked("Remove the last"), removes, times[-1], times[:-1], len(times) > 1),
            (marked("Add a time"), adds, later, (*times, later), len(times) < field.most),
        ):
            with scopes.disabled(not allowed):
                if imgui.button(named(label, f"##{i}"), (width, 0.0)) and allowed:
                    self._change(path, i, {key: new})
            tooltip(look, meaning.format(time=with_unit(time, "s")))
            self._controls.focus.button(look, f"{label}##{i}")
            imgui.same_line(0, gap)
        imgui.new_line()

    def _numbers(
        self, look: Look, path: str, i: int, fields: dict[str, Number], values: dict[str, Any],
        defaults: dict[str, float], times: tuple[float, ...] | None = None,
    ) -> None:  # fmt: skip
        """Boxes of two in a line, each with its name inside; of `times`: the numbers of these."""
        gap = look.px(4)
        width = (imgui.get_content_region_avail().x - gap) // 2
        for n, (key, field) in enumerate(fields.items()):
            if n % 2:
                imgui.same_line(0, gap)
            value = float(values[key])
            field = between_neighbours(field, key, values)
            prefix = tr(field.label) if times is None else tr("Off") if n % 2 else tr("On")
            if not isfinite(value):
                self._no_end(look, path, i, values)
                continue
            spec = NumberSpec(f"{path}[{i}].{key}", field, value, defaults.get(key, value), prefix=prefix)
            new = self._controls.numbers.box(look, spec, width)
            if defaults.get(key) == inf:
                if not n % 2:
                    imgui.same_line(0, gap)
                self._no_end(look, path, i, values)
            if new is None:
                continue
            if times is None:
                self._change(path, i, {key: new}, final=False)
            else:
                self._change(path, i, {"times": (*times[:n], new, *times[n + 1 :])}, final=False)

    def _no_end(self, look: Look, path: str, i: int, values: dict[str, Any]) -> None:
        """A box that is ticked where part i never ends; a click gives it an end, or takes that away."""
        never = values["end"] == inf
        if self._controls.box(look, f"{path}[{i}].no_end", tr("No end"), never, tr("whether the torque never ends")):
            now = self._session.snapshot().reading.time
            end = max(values["start"] + beat_of(self._session), float(f"{now:.3g}"))
            self._change(path, i, {"end": end if never else inf})


def first_control(path: str, number: int) -> str:
    """Return the name of the first control of an entry of one of LISTS: a choice, else the first box of a vector."""
    keys = field_at(path, Tables).keys
    choice = next((key for key, field in keys if isinstance(field, Choice)), None)
    return f"##{path}[{number}].{choice}" if choice else f"##{path}[{number}].{keys[0][0]}[0]"


def between_neighbours(field: Number, key: str, values: dict[str, Any]) -> Number:
    """Return the field of one of several numbers as far as the others leave it room: a switching time, start or end, a
    width.

    A gesture stops there, and what is typed beyond is refused at its box.
    """
    value, low, high = float(values[key]), field.low, field.high
    neighbours = (str(int(key) - 1), str(int(key) + 1)) if key.isdigit() else NEIGHBOURS.get(key, ("", ""))
    before, after = (values.get(name) for name in neighbours)
    touching = LEAST_APART if field.unit == "s" and key not in ("period", "width") else 0.0
    if before is not None:
        low = max(low, before + min(touching, 0.5 * (value - before)))
    if after is not None:
        high = min(high, after - min(touching, 0.5 * (after - value)))
    return replace(field, low=low, high=high)
