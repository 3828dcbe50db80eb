"""A widget for each kind of field, made from what the field declares: unit, range, labels, description."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from viewer.common.language import tr
from viewer.common.quantities import suited
from viewer.scenario.field import Choice, Field, Integer, Number, Switch, Vector
from viewer.scenario.scenario import Scenario, field_at
from viewer.scene.words.formatting import named, sentence
from viewer.session.session import Session
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import (
    SMALLEST,
    Look,
    combo,
    fitting_size,
    shortened,
    text,
    text_right,
    tooltip,
    width_of,
)
from viewer.ui.widgets.keyboard_focus import KeyboardFocus
from viewer.ui.widgets.number_field import NumberFields, NumberSpec
from viewer.ui.widgets.style import u32
from viewer.workspace.editor import SceneEditor

DEFAULT = Scenario()
NOTHING: Mapping[str, object] = {}
LABEL_FRACTION = 0.43  # of a row's width, for its label
COLUMNS = 3  # components of a vector side by side
LISTED = {"Up": -1, "Left": -1, "Down": 1, "Right": 1, "Home": -999, "End": 999}  # keys in a list of choices


class FieldWidgets:
    """The widgets of the fields; `focus` says which of them has the keyboard."""

    def __init__(self, session: Session, editor: SceneEditor, clock: Callable[[], float] = time.monotonic) -> None:
        self._session, self.editor = session, editor
        self.focus = KeyboardFocus()
        self.pointed = ""  # the path of the field that the pointer is over
        self.numbers = NumberFields(self.focus, editor.commit, clock)

    @property
    def typing(self) -> bool:
        """Whether a number is being typed."""
        return self.numbers.typing is not None

    def row(self, look: Look, path: str, formula: str = "") -> None:
        """Draw the row of a field of the scene, if it has an effect; `formula` takes the place of the field's own."""
        if has_widget(field_at(path)) and self._session.scenario.has_effect(path):
            more = {"formula": formula} if formula else {}
            field, value, default = self._now(path)
            self._take(path, self.edit(look, path, field, value, default, **more))

    def alone(self, look: Look, path: str, index: int, width: float) -> None:
        """Draw the widget of a field of the scene without a label; of a vector, only that of the component `index`."""
        field, value, default = self._now(path)
        if isinstance(field, Vector):
            new = self._component(look, path, field, value, width, default, index)
        else:
            new = WIDGETS[type(field)](self, look, path, field, value, width, default)
        self._note(path)
        self._take(path, new)

    def _now(self, path: str) -> tuple[Field, Any, Any]:
        """Return the field at a path, its value in the scene and its default."""
        return field_at(path), self._session.scenario.value(path), DEFAULT.value(path)

    def _take(self, path: str, new: Any) -> None:
        """Set a field of the scene, unless `new` is None; a new number is part of a gesture, to be committed later."""
        if new is None:
            return
        if isinstance(field_at(path), Number):
            self.editor.change({path: new})
        else:
            self.editor.set(path, new)

    def edit(self, look: Look, path: str, field: Field, value: Any, default: Any = None, **more: Any) -> Any:
        """Draw the label and the widget of a field; return its new value, or None.

        `path` names the widget, such as "body.parts[0].mass" for a key of a table. `default` is set by a right click;
        `more` are further arguments of the widget for this kind of field.
        """
        if not isinstance(field, Switch | Vector):
            self.label(look, tr(field.label), sentence(tr(field.description)))
        new = WIDGETS[type(field)](self, look, path, field, value, imgui.get_content_region_avail().x, default, **more)
        self._note(path)
        if isinstance(field, Number) and new is not None and not self.editor.attempt(lambda: field.check(path, new)):
            return None
        return new

    def _note(self, path: str) -> None:
        """Note that the pointer is over the field at `path`, if it is over the last item."""
        if imgui.is_item_hovered():
            self.pointed = path

    def value(self, look: Look, path: str, shown: float, width: float) -> float | None:
        """Draw the widget of a number, without a label and with the value `shown`; return a new value, or None."""
        return self._number(look, path, field_at(path, Number), shown, width, DEFAULT.value(path))

    def _number(
        self, look: Look, path: str, field: Number, value: float, width: float, default: float | None = None,
        **more: Any,
    ) -> float | None:  # fmt: skip
        """Draw the box of a number; return its new value, or None."""
        spec = NumberSpec(path, field, value, value if default is None else default, **more)
        return self.numbers.box(look, spec, width)

    def _vector(
        self, look: Look, path: str, field: Vector, values: Sequence[float], width: float,
        default: Sequence[float] | None = None, **more: Any,
    ) -> tuple[float, ...] | None:  # fmt: skip
        """Draw the heading of a vector, and its boxes in up to COLUMNS columns; return a new vector, or None."""
        changed, gap, columns = None, look.px(4), min(field.size, COLUMNS)
        unit = "" if field.unit == "°" else suited(field.unit, *values).name  # degrees stand at every number
        self.heading(look, tr(field.label), unit)
        each = (imgui.get_content_region_avail().x - gap * (columns - 1)) // columns
        for i in range(field.size):
            if i % columns:
                imgui.same_line(0, gap)
            changed = self._component(look, path, field, values, each, default, i, **more) or changed
            self._note(path)
        return changed

    def _component(
        self, look: Look, path: str, field: Vector, values: Sequence[float], width: float,
        default: Sequence[float] | None, index: int, **more: Any,
    ) -> tuple[float, ...] | None:  # fmt: skip
        """Draw the box of one component of a vector; return a new vector, or None."""
        number = NumberSpec(
            path, field, values[index], float(default[index]) if default else 0.0, index, tr(field.labels[index]),
            tuple(values), unit_written=field.unit == "°", **more,
        )  # fmt: skip
        new = self.numbers.box(look, number, width)
        return None if new is None else (*values[:index], new, *values[index + 1 :])

    def switch(self, look: Look, path: str, label: str = "") -> None:
        """Draw the box of a switch of the scene, with `label` or the field's own."""
        field, value, default = self._now(path)
        new = self._switch(look, path, field, value, 0.0, default, label)
        self._note(path)
        self._take(path, new)

    def _switch(
        self, look: Look, path: str, field: Field, value: bool, width: float, default: bool | None = None,
        label: str = "",
    ) -> bool | None:  # fmt: skip
        """Draw the box of a switch; return its new value, or None."""
        clicked = self.box(look, path, tr(label or field.label), value, tr(field.description))
        reset = imgui.is_item_hovered() and imgui.is_mouse_clicked(1) and value != default
        return not value if clicked or reset else None

    def label(self, look: Look, label: str, meaning: str = "") -> None:
        """Write a label, whose tooltip is its meaning, and put the cursor where the widget begins."""
        x = imgui.get_cursor_pos_x()
        room = round(LABEL_FRACTION * imgui.get_content_region_avail().x)
        space = room - look.px(6)
        imgui.align_text_to_frame_padding()
        size = fitting_size(look, label, space, SMALLEST)
        with scopes.colored(look.palette.dim), scopes.font(imgui.get_font(), size):
            imgui.text_unformatted(shortened(label, space))
        if meaning:
            tooltip(look, meaning)
        imgui.same_line(x + room)

    def heading(self, look: Look, label: str, unit: str = "") -> None:
        """Write a label on a line of its own above the widgets that it names, and the unit at the right."""
        imgui.align_text_to_frame_padding()
        with scopes.colored(look.palette.dim):
            imgui.text_unformatted(label)
        if unit:
            below = imgui.get_cursor_screen_pos()
            edge = below.x + imgui.get_content_region_avail().x
            text_right(edge, imgui.get_item_rect_min().y, look.palette.dim, unit)

    def choose(
        self, look: Look, name: str, field: Choice, value: str, width: float, default: str | None = None,
        impossible: Mapping[str, object] = NOTHING,
    ) -> str | None:  # fmt: skip
        """Draw a list to choose from, which shows `value`; return the new choice, or None if there is none.

        A right click or Delete chooses `default`, if there is one. `impossible` are the choices that cannot be taken
        now, each with the reason.
        """
        with combo(look, f"##{name}", tr(dict(field.choices).get(value, value)), width) as opened:
            if opened:
                return self._chosen(look, field, value, impossible)
        names = [choice for choice, _ in field.choices if choice == value or choice not in impossible]
        keys, _ = self.focus.item(look, f"##{name}")
        if imgui.is_item_hovered():
            meaning = dict(zip(dict(field.choices), field.meanings, strict=True)).get(value, "")
            tooltip(look, sentence(tr(field.description)), *(sentence(tr(line)) for line in meaning.splitlines()))
        reset = "Delete" in keys or (imgui.is_item_hovered() and imgui.is_mouse_clicked(1))
        if reset and default not in (None, value):
            return default
        step = sum(LISTED.get(key, 0) for key in keys)
        at = names.index(value) if value in names else 0
        new = names[min(len(names) - 1, max(0, at + step))]
        return new if step and new != value else None

    def _chosen(self, look: Look, field: Choice, value: str, impossible: Mapping[str, object]) -> str | None:
        """Draw the list of choices while it is open; return a choice that is clicked and new, or None."""
        chosen: str | None = None
        for (choice, words), meaning in zip(field.choices, field.meanings, strict=True):
            why = impossible.get(choice)
            with scopes.disabled(why is not None):
                if imgui.selectable(named(words), choice == value)[0] and choice != value:
                    chosen = choice
            if meaning or why is not None:
                reasons = () if why is None else (tr("Not possible: {why}").format(why=why),)
                tooltip(look, *reasons, *(sentence(tr(line)) for line in meaning.splitlines()))
            if choice == value:
                imgui.set_item_default_focus()
        return chosen

    def box(self, look: Look, name: str, label: str, value: bool, description: str) -> bool:
        """Draw a box that is ticked if `value` is true; return whether it was clicked."""
        gap, side, tall = look.px(7), look.px(18), imgui.get_frame_height()
        clicked: bool = imgui.invisible_button(f"##{name}", (side + gap + width_of(label), tall))
        at, held, hovered = imgui.get_item_rect_min(), imgui.is_item_active(), imgui.is_item_hovered()
        tooltip(look, sentence(description))
        self.focus.button(look, f"##{name}")
        p, target, top = look.palette, imgui.get_window_draw_list(), at.y + (tall - side) // 2
        ground = p.active if held else p.hovered if hovered else p.raised
        target.add_rect_filled((at.x, top), (at.x + side, top + side), u32(ground), look.px(4))
        if value:
            inset = look.px(4)
            corner = at.x + inset, top + inset
            imgui.internal.render_check_mark(target, corner, u32(p.accent), side - 2 * inset)
        text(at.x + side + gap, at.y + imgui.get_style().frame_padding.y, p.text, label)
        return clicked


WIDGETS: dict[type[Field], Callable[..., Any]] = {
    Number: FieldWidgets._number,
    Integer: FieldWidgets._number,
    Vector: FieldWidgets._vector,
    Choice: FieldWidgets.choose,
    Switch: FieldWidgets._switch,
}


def has_widget(field: Field) -> bool:
    """Return whether a field has a widget; other fields are set only in files, or have a form of their own."""
    return type(field) in WIDGETS
