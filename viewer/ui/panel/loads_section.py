"""The panel's section Loads: force, torque, friction and pulses, and the torques in time and thrusters as lists."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import inf, isfinite
from typing import Any

import numpy as np

from viewer.commands.loads import PIECES, THRUSTERS, add_force, add_part, beat_of, numbers_of, remove_force
from viewer.common.color import Color
from viewer.common.language import marked, tr
from viewer.physics.loads import Thruster, TorquePiece
from viewer.scenario.field import Choice, Number, Numbers, Tables, Vector
from viewer.scenario.scenario import field_at
from viewer.scenario.sections.motion import XYZ_BODY
from viewer.scene.constructions.race import lane_color
from viewer.scene.words.formatting import MINUS, named, sentence, with_unit
from viewer.session.session import Session
from viewer.ui.input.actions import ACTIONS, keys_shown
from viewer.ui.panel.section import Draw, Section
from viewer.ui.panel.torque_picture import TorquePicture
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import icons, scopes
from viewer.ui.widgets.drawing import Look, icon_button, tooltip
from viewer.ui.widgets.fields import FieldWidgets
from viewer.ui.widgets.number_field import NumberSpec
from viewer.ui.widgets.style import u32
from viewer.user.settings import Settings

RAMP = 5.0  # beats from the start of a new ramp to its end
LEAST_APART = 1e-3  # s that a gesture leaves between two times
NEIGHBOURS = {"start": ("", "end"), "end": ("start", ""), "width": ("", "period"), "period": ("width", "")}


class LoadsSection(Section):
    """Force, arm, torque and friction, pulses, torques in time, and the external torque now."""

    def __init__(self, session: Session, controls: FieldWidgets, settings: Settings) -> None:
        super().__init__("Loads", session, controls, settings)
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
        return self._torques_in_time if path in (PIECES, THRUSTERS) else None

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
        """Draw both lists, and below them the torques over time."""
        self._list(look, PIECES, marked("Add a torque in time"), self._piece)
        self._list(look, THRUSTERS, marked("Add a thruster"), self._thruster)
        loads = self._session.scenario.loads
        if loads.torque_of_time or loads.thrusters:
            self._controls.heading(look, tr("Torque [N m] over time [s]"))
            parts: tuple[TorquePiece | Thruster, ...] = (*loads.torque_of_time, *loads.thrusters)
            colors = [self._color(number) for number in range(len(parts))]
            self._picture.draw(look, parts, colors, self._session.snapshot().reading.time)

    def release(self) -> None:
        """Deletes ImPlot's context; the ImGui context must be current."""
        self._picture.release()

    def _list(self, look: Look, path: str, add: str, row: Callable[[Look, int, dict[str, Any]], None]) -> None:
        """The parts of one field one after the other, and a button for one more."""
        field, tables = field_at(path, Tables), self._tables(path)
        for i, table in enumerate(tables):
            row(look, i, table)
        if len(tables) >= field.most:
            return
        if imgui.button(named(add), (imgui.get_content_region_avail().x, 0.0)):
            add_part(self._session, self._controls.editor, path)
        self._controls.focus.button(look, add)
        tooltip(look, tr(field.description))

    def _tables(self, path: str) -> list[dict[str, Any]]:
        return field_at(path, Tables).plain(self._session.scenario.value(path))

    def _change(self, path: str, i: int, changes: dict[str, Any] | None, final: bool = True) -> None:
        """Gives part i other values, or takes it out."""
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

    def _piece(self, look: Look, i: int, table: dict[str, Any]) -> None:
        """Kind and frame, amplitude, and the numbers that the kind has."""
        field, gap = field_at(PIECES, Tables), look.px(4)
        kinds, frames = field.key("kind", Choice), field.key("frame", Choice)
        self._title(look, i, tr("Torque {number}").format(number=i + 1), PIECES, i, marked("Remove this torque"))
        room, left = imgui.get_content_region_avail().x - gap, imgui.get_cursor_pos_x()
        first = round(0.55 * room)
        self._controls.heading(look, tr(kinds.label))
        imgui.same_line(left + first + gap)
        self._controls.heading(look, tr(frames.label))
        kind = self._controls.choose(look, f"{PIECES}[{i}].kind", kinds, table["kind"], first)
        imgui.same_line(0, gap)
        frame = self._controls.choose(look, f"{PIECES}[{i}].frame", frames, table["frame"], round(room) - first)
        self._vector(look, PIECES, i, "amplitude", table, table["frame"] == "body")
        names = [key for key in ("frequency", "period", "width", "start") if key in table] + ["end"]
        pairs = [(key, field.key(key, Number)) for key in names]
        default = {"end": table["start"] + RAMP * beat_of(self._session) if table["kind"] == "ramp" else inf}
        self._numbers(look, PIECES, i, pairs, {"end": inf, **table}, default)
        if kind is not None:
            self._set_kind(i, table, kind)
        if frame is not None:
            self._change(PIECES, i, {"frame": frame})

    def _set_kind(self, i: int, table: dict[str, Any], kind: str) -> None:
        """The same torque in another shape; what only the old one had goes."""
        seconds = beat_of(self._session)
        kept: dict[str, Any] = {key: table[key] for key in ("amplitude", "frame", "start", "end") if key in table}
        if kind == "ramp":
            kept.setdefault("end", table["start"] + RAMP * seconds)
        kept |= numbers_of(kind, seconds)
        tables = self._tables(PIECES)
        tables[i] = {**kept, "kind": kind}
        self._controls.editor.set(PIECES, tables)

    def _thruster(self, look: Look, i: int, table: dict[str, Any]) -> None:
        """Point, force, and the times on, off, on, ..; minus and plus take one away and add one."""
        field, gap = field_at(THRUSTERS, Tables).key("times", Numbers), look.px(4)
        name = tr("Thruster {number}").format(number=i + 1)
        color = len(self._session.scenario.loads.torque_of_time) + i
        self._title(look, color, name, THRUSTERS, i, marked("Remove this thruster"))
        for key in ("point", "force"):
            self._vector(look, THRUSTERS, i, key, table, True)
        times = table["times"]
        self._controls.heading(look, tr(field.label))
        number = replace(field, label=f"{name}, {tr(field.label.lower())}")
        numbers = [(str(n), number) for n in range(len(times))]
        values = {str(n): time for n, time in enumerate(times)}
        self._numbers(look, THRUSTERS, i, numbers, values, {}, times=times)
        width = (imgui.get_content_region_avail().x - gap) / 2
        later = times[-1] + beat_of(self._session)
        on = len(times) % 2 == 1
        taken = tr("Takes on at {time} away") if on else tr("Takes off at {time} away")
        added = tr("Adds off at {time}") if on else tr("Adds on again at {time}")
        for label, meaning, new, allowed in (
            (marked("Remove the last"), taken.format(time=with_unit(times[-1], "s")), times[:-1], len(times) > 1),
            (
                marked("Add a time"),
                added.format(time=with_unit(later, "s")),
                (*times, later),
                len(times) < field.most,
            ),
        ):
            with scopes.disabled(not allowed):
                if imgui.button(named(label, f"##{i}"), (width, 0.0)) and allowed:
                    self._change(THRUSTERS, i, {"times": new})
            tooltip(look, meaning)
            self._controls.focus.button(look, f"{label}##{i}")
            imgui.same_line(0, gap)
        imgui.new_line()

    def _vector(self, look: Look, path: str, i: int, key: str, table: dict[str, Any], in_body: bool) -> None:
        field = field_at(path, Tables).key(key, Vector)
        named_axes = replace(field, labels=tuple(f"{axis}′" if in_body else axis for axis in "XYZ"))
        new = self._controls.edit(look, f"{path}[{i}].{key}", named_axes, table[key])
        if new is not None:
            self._change(path, i, {key: new}, final=False)

    def _numbers(
        self, look: Look, path: str, i: int, fields: Sequence[tuple[str, Number]], values: dict[str, Any],
        defaults: dict[str, float], times: tuple[float, ...] | None = None,
    ) -> None:  # fmt: skip
        """Boxes of two in a line, each with its name inside; of `times`: the numbers of these."""
        gap = look.px(4)
        width = (imgui.get_content_region_avail().x - gap) // 2
        for n, (key, field) in enumerate(fields):
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
    """The name of the first control of an entry of PIECES or THRUSTERS."""
    return f"##{path}[{number}].kind" if path == PIECES else f"##{path}[{number}].point[0]"


def between_neighbours(field: Number, key: str, values: dict[str, Any]) -> Number:
    """The field of one of several numbers as far as the others leave it room: a switching time, start or end, a width.

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
