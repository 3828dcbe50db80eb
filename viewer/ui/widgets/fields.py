"""A widget for each kind of field, made from what the field declares: unit, range, labels, description."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from viewer.common.language import tr
from viewer.common.quantities.units import suited
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
LABEL_FRACTION = 0.43  # of a row, for its label
COLUMNS = 3  # of a vector, side by side
LISTED = {"Up": -1, "Left": -1, "Down": 1, "Right": 1, "Home": -999, "End": 999}  # keys in a list of choices


class FieldWidgets:
    """The widgets of the fields. `focus`: which of them has the keyboard."""

    def __init__(self, session: Session, editor: SceneEditor, clock: Callable[[], float] = time.monotonic) -> None:
        self._session, self.editor = session, editor
        self.focus = KeyboardFocus()
        self.pointed = ""  # the path of the field that the pointer is over
        self.numbers = NumberFields(self.focus, editor.commit, clock)

    @property
    def typing(self) -> bool:
        """Whether somebody types into a number."""
        return self.numbers.typing is not None

    def row(self, look: Look, path: str, formula: str = "") -> None:
        """Draw the label and the widget of the field at `path`, where it has an effect. `formula`: for its own."""
        field = field_at(path)
        if not has_widget(field) or not self._session.scenario.has_effect(path):
            return
        if isinstance(field, Vector):
            for i, width in self._boxes(look, field, self._session.scenario.value(path)):
                self.alone(look, path, i, width, formula)
            return
        if not isinstance(field, Switch):
            self.label(look, tr(field.label))
        self.alone(look, path, 0, imgui.get_content_region_avail().x, formula)

    def alone(self, look: Look, path: str, index: int, width: float, formula: str = "") -> None:
        """Draw the widget of the field at `path`, of a vector that of the component `index`, without a label."""
        WIDGETS[type(field_at(path))](self, look, path, index, width, formula)
        self._note(path)

    def _switch(self, look: Look, path: str, index: int, width: float, formula: str) -> None:
        self.switch(look, path)

    def _choice(self, look: Look, path: str, index: int, width: float, formula: str) -> None:
        field, value = field_at(path, Choice), self._session.scenario.value(path)
        if (choice := self.choose(look, path, field, value, width, DEFAULT.value(path))) is not None:
            self.editor.set(path, choice)

    def _number(self, look: Look, path: str, index: int, width: float, formula: str) -> None:
        field, value = field_at(path, Number), self._session.scenario.value(path)
        if (new := self.numbers.box(look, self._shown(path, field, value, formula), width)) is not None:
            self.editor.change({path: new})

    def _component(self, look: Look, path: str, index: int, width: float, formula: str) -> None:
        field, values, default = field_at(path, Vector), self._session.scenario.value(path), DEFAULT.value(path)
        number = NumberSpec(
            path, field, values[index], float(default[index]), index, tr(field.labels[index]), values,
            unit_written=field.unit == "°", formula=formula,
        )  # fmt: skip
        if (new := self.numbers.box(look, number, width)) is not None:
            self.editor.change({path: (*values[:index], new, *values[index + 1 :])})

    def _note(self, path: str) -> None:
        """The last item is that of the field at `path`."""
        if imgui.is_item_hovered():
            self.pointed = path

    def value(self, look: Look, path: str, shown: float, width: float) -> float | None:
        """The widget of a number that shows `shown`, without label; returns the new value without setting it."""
        return self.numbers.box(look, self._shown(path, field_at(path, Number), shown), width)

    def value_row(self, look: Look, path: str, shown: float) -> float | None:
        """As `value`, with its label; nothing where the field does not matter now."""
        if not self._session.scenario.has_effect(path):
            return None
        self.label(look, tr(field_at(path).label))
        return self.value(look, path, shown, imgui.get_content_region_avail().x)

    def number_row(self, look: Look, number: NumberSpec) -> float | None:
        """The label and the box of a number that is no field of the scene; returns the new value, if it is allowed."""
        self.label(look, tr(number.field.label))
        new = self.numbers.box(look, number, imgui.get_content_region_avail().x)
        self._note(number.path)
        if new is None or not self.editor.attempt(lambda: number.field.check(number.path, new)):
            return None
        return new

    def label(self, look: Look, label: str) -> None:
        """Writes the label and puts the cursor where its widget begins."""
        x = imgui.get_cursor_pos_x()
        room = round(LABEL_FRACTION * imgui.get_content_region_avail().x)
        space = room - look.px(6)
        imgui.align_text_to_frame_padding()
        size = fitting_size(look, label, space, SMALLEST)
        with scopes.colored(look.palette.dim), scopes.font(imgui.get_font(), size):
            imgui.text_unformatted(shortened(label, space))
        imgui.same_line(x + room)

    def heading(self, look: Look, label: str, unit: str = "") -> None:
        """A line of its own above what it names: the label, and at the right the unit."""
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
        """A list to choose from, which shows `value`; returns the choice where there is a new one.

        A right click or Delete chooses `default`, where there is one. `impossible`: choices that cannot be taken now,
        each with the reason why.
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
        """The list of choices while it is open; returns the new one where one is clicked."""
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

    def switch(self, look: Look, path: str, label: str | None = None) -> None:
        """A box to tick, with the field's label or `label`."""
        field, value = field_at(path), bool(self._session.scenario.value(path))
        clicked = self.box(look, path, tr(label or field.label), value, tr(field.description))
        self._note(path)
        reset = imgui.is_item_hovered() and imgui.is_mouse_clicked(1) and value != DEFAULT.value(path)
        if clicked or reset:
            self.editor.set(path, not value)

    def box(self, look: Look, name: str, label: str, value: bool, description: str) -> bool:
        """A box that is ticked where `value`; True when it was clicked."""
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

    def vector(
        self, look: Look, path: str, field: Vector, values: Sequence[float], default: Sequence[float] = (),
        takes_lists: bool = False,
    ) -> tuple[float, ...] | None:  # fmt: skip
        """The heading and the boxes of a vector that is not set at once; returns the new one, if there is one.

        `default`: zeros if not given.
        """
        changed = None
        for i, width in self._boxes(look, field, values):
            number = NumberSpec(
                path, field, values[i], default[i] if default else 0.0, i, tr(field.labels[i]), tuple(values),
                unit_written=field.unit == "°", takes_lists=takes_lists,
            )  # fmt: skip
            if (new := self.numbers.box(look, number, width)) is not None:
                changed = (*values[:i], new, *values[i + 1 :])
            self._note(path)
        return changed

    def _boxes(self, look: Look, field: Vector, values: Sequence[float]) -> Iterator[tuple[int, float]]:
        """The heading of a vector; then which component comes next and how wide its box is, at the cursor."""
        degrees = field.unit == "°"  # narrow enough to stand at every number
        self.heading(look, tr(field.label), "" if degrees else suited(field.unit, *values).name)
        gap, columns = look.px(4), min(field.size, COLUMNS)
        width = (imgui.get_content_region_avail().x - gap * (columns - 1)) // columns
        for i in range(field.size):
            if i % columns:
                imgui.same_line(0, gap)
            yield i, width

    def _shown(self, path: str, field: Number, value: float, formula: str = "") -> NumberSpec:
        """Return what the box of a field shows."""
        return NumberSpec(path, field, value, default=DEFAULT.value(path), formula=formula)


Widget = Callable[[FieldWidgets, Look, str, int, float, str], None]
WIDGETS: dict[type[Field], Widget] = {
    Number: FieldWidgets._number,
    Integer: FieldWidgets._number,
    Vector: FieldWidgets._component,
    Choice: FieldWidgets._choice,
    Switch: FieldWidgets._switch,
}


def has_widget(field: Field) -> bool:
    """Return whether a field has a widget: others are only in files, or have a form of their own."""
    return type(field) in WIDGETS
