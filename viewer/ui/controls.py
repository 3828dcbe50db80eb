"""One widget per kind of field, made from what the field says of itself: unit, range, labels, description.

Number fields are dragged (with Shift ten times as fine), typed into after a double click or Ctrl+click, and set back
to their default by a right click. Values reach the scene only through `session.change`; where it refuses, `report`
gets the reason and the old value stays.
"""

from collections.abc import Callable
from typing import Any

from viewer.fields import Field, SceneError
from viewer.scenario import Scenario, field_at
from viewer.ui.draw import Look, begin_combo, shortened, text, text_right, tooltip, width_of
from viewer.ui.native_imgui import imgui
from viewer.ui.style import u32
from viewer.ui.text import Scale, full, parse, sentence, short

FINE = 0.1  # how much slower a drag is with Shift held
DRAG_TRAVEL = 260.0  # pixels at scale 1 that lead a component of a vector through its whole range
LABEL_WIDTH = 122.0
MAX_TEXT = 64

Key = tuple[str, int]


class Controls:
    """The widgets and what must be remembered between frames: which one is dragged or typed into."""

    def __init__(self, session: Any, report: Callable[[str], None]) -> None:
        self._session = session
        self._report = report
        self._scale: Scale | None = None
        self._fraction = 0.0
        self._typing: Key | None = None
        self._typed = ""
        self._typed_from = ""
        self._typing_fresh = False

    @property
    def typing(self) -> bool:
        """Whether somebody types into a number."""
        return self._typing is not None

    def row(self, look: Look, path: str) -> None:
        """The label and the widget of the field at `path`, where it matters."""
        field = field_at(path)
        if not self._session.scenario.matters(path):
            return
        if field.kind == "vector":
            self._vector(look, path, field)
            return
        if field.kind == "switch":
            self.switch(look, path)
            return
        self._label(look, field.label)
        if field.kind == "choice":
            self._choice(look, path, field)
        else:
            self._number(look, path, field)

    def value(self, look: Look, path: str, shown: float, width: float) -> float | None:
        """The widget of a number that shows `shown`, without label; returns the new value without setting it."""
        field = field_at(path)
        return self._box(look, (path, 0), field, shown, width, "", field.unit)

    def change(self, path: str, value: Any, final: bool = True) -> bool:
        """Gives a value to the session; `final`: it is a change of its own for undo. False where it was refused."""
        try:
            self._session.change(path, value)
        except SceneError as error:
            self._report(str(error))
            return False
        if final:
            self._session.commit_change()
        return True

    def change_many(self, values: dict[str, Any]) -> None:
        """As `change`, several fields at once, in the middle of a drag."""
        try:
            self._session.change_many(values)
        except SceneError as error:
            self._report(str(error))

    def _label(self, look: Look, label: str) -> None:
        """Writes the label and puts the cursor where its widget begins."""
        x = imgui.get_cursor_pos_x()
        imgui.align_text_to_frame_padding()
        imgui.push_style_color(imgui.Col_.text.value, u32(look.palette.dim))
        imgui.text_unformatted(shortened(label, look.px(LABEL_WIDTH - 6)))
        imgui.pop_style_color()
        imgui.same_line(x + look.px(LABEL_WIDTH))

    def _choice(self, look: Look, path: str, field: Field) -> None:
        value = self._session.scenario.value(path)
        width = imgui.get_content_region_avail().x
        if not begin_combo(look, f"##{path}", dict(field.choices)[value], width):
            tooltip(look, sentence(field.description))
            return
        for name, label in field.choices:
            if imgui.selectable(label, name == value)[0] and name != value:
                self.change(path, name)
            if name == value:
                imgui.set_item_default_focus()
        imgui.end_combo()

    def switch(self, look: Look, path: str, label: str | None = None) -> None:
        """A box to tick, with the field's label or `label`."""
        field, value = field_at(path), bool(self._session.scenario.value(path))
        words, gap, side, tall = label or field.label, look.px(7), look.px(18), imgui.get_frame_height()
        clicked = imgui.invisible_button(f"##{path}", (side + gap + width_of(words), tall))
        at, held, hovered = imgui.get_item_rect_min(), imgui.is_item_active(), imgui.is_item_hovered()
        tooltip(look, sentence(field.description))
        p, target, top = look.palette, imgui.get_window_draw_list(), at.y + (tall - side) // 2
        ground = p.active if held else p.hovered if hovered else p.raised
        target.add_rect_filled((at.x, top), (at.x + side, top + side), u32(ground), look.px(4))
        if value:
            inset = look.px(4)
            imgui.internal.render_check_mark(
                target, (at.x + inset, top + inset), u32(p.accent), side - 2 * inset
            )
        text(at.x + side + gap, at.y + imgui.get_style().frame_padding.y, p.text, words)
        if clicked:
            self.change(path, not value)

    def _number(self, look: Look, path: str, field: Field) -> None:
        value = self._session.scenario.value(path)
        width = imgui.get_content_region_avail().x
        new = self._box(look, (path, 0), field, value, width, "", field.unit)
        if new is not None:
            self.change(path, new, final=False)

    def _vector(self, look: Look, path: str, field: Field) -> None:
        values = self._session.scenario.value(path)
        imgui.align_text_to_frame_padding()
        imgui.push_style_color(imgui.Col_.text.value, u32(look.palette.dim))
        imgui.text_unformatted(field.label)
        imgui.pop_style_color()
        degrees = field.unit if field.unit == "°" else ""  # narrow enough to stand at every number
        if field.unit and not degrees:
            unit = imgui.get_cursor_screen_pos()
            edge = unit.x + imgui.get_content_region_avail().x
            text_right(edge, imgui.get_item_rect_min().y, look.palette.dim, field.unit)
        gap = look.px(4)
        width = (imgui.get_content_region_avail().x - gap * (field.size - 1)) // field.size
        for i, value in enumerate(values):
            if i:
                imgui.same_line(0, gap)
            new = self._box(look, (path, i), field, value, width, field.labels[i], degrees)
            if new is not None:
                self.change(path, (*values[:i], new, *values[i + 1 :]), final=False)

    def _box(
        self, look: Look, key: Key, field: Field, value: float, width: float, prefix: str, unit: str
    ) -> float | None:
        """A field to drag or type into; returns the new value where there is one."""
        if self._typing == key:
            return self._type(key, field, width)
        imgui.invisible_button(f"##{key[0]}[{key[1]}]", (width, imgui.get_frame_height()))
        hovered, active = imgui.is_item_hovered(), imgui.is_item_active()
        self._paint(look, field, value, prefix, unit, hovered, active)
        io = imgui.get_io()
        default = hovered and imgui.is_mouse_clicked(1)
        if imgui.is_item_deactivated() or imgui.is_item_activated() or default:
            self._session.commit_change()  # each gesture is undone on its own
        if default:
            return self._default(key)
        if hovered and (imgui.is_mouse_double_clicked(0) or (imgui.is_item_activated() and io.key_ctrl)):
            self._start_typing(key, value)
            return None
        if imgui.is_item_activated():
            self._scale = Scale(field, value)
            self._fraction = self._scale.fraction(value)
        if hovered or active:
            imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew.value)
        if not active:
            self._tooltip(look, key, field, value)
            return None
        if io.mouse_delta.x == 0.0 or self._scale is None or not imgui.is_mouse_dragging(0, 1.0):
            return None
        travel = width if field.kind != "vector" else look.px(DRAG_TRAVEL)
        self._fraction += io.mouse_delta.x / travel * (FINE if io.key_shift else 1.0)
        self._fraction = min(1.0, max(0.0, self._fraction))
        new = self._scale.value(self._fraction)
        return new if new != value else None

    def _paint(
        self, look: Look, field: Field, value: float, prefix: str, unit: str, hovered: bool, active: bool
    ) -> None:
        """Ground, the part left of the value, the number and its unit."""
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        p, target, rounding = look.palette, imgui.get_window_draw_list(), look.px(4)
        target.add_rect_filled(
            low, high, u32(p.active if active else p.hovered if hovered else p.raised), rounding
        )
        self._mark(look, field, value, low, high)
        pad, y = look.px(6), low.y + imgui.get_style().frame_padding.y
        number = short(value)
        if prefix and width_of(prefix) + width_of(number) + 3 * pad / 2 <= high.x - low.x:
            text(low.x + pad, y, p.dim, prefix)
        x = high.x - pad
        if unit and width_of(f"{number} {unit}") + 2 * pad <= high.x - low.x:
            x -= text_right(x, y, p.dim, unit) + (0 if unit == "°" else look.px(4))
        text_right(x, y, p.text, number)

    def _mark(self, look: Look, field: Field, value: float, low: Any, high: Any) -> None:
        """Where the value stands between (low) and (high) of the box: a line, for single numbers a fill as well."""
        scale, width = Scale(field, value), high.x - low.x
        edge = low.x + width * scale.fraction(value)
        zero = low.x + width * (scale.fraction(0.0) if scale.low < 0.0 < scale.high else 0.0)
        p, target, line = look.palette, imgui.get_window_draw_list(), look.px(2)
        left, right = min(edge, zero), max(edge, zero)
        tops = (
            ((high.y - line, p.accent),)
            if field.kind == "vector"
            else ((low.y, p.fill), (high.y - line, p.accent))
        )
        for top, color in tops if right - left >= 1.0 else ():
            target.push_clip_rect((left, top), (right, high.y), True)
            target.add_rect_filled(low, high, u32(color), look.px(4))
            target.pop_clip_rect()

    def _default(self, key: Key) -> float:
        """The field's default, or its component."""
        value = Scenario().value(key[0])
        return float(value[key[1]]) if isinstance(value, tuple) else value

    def _start_typing(self, key: Key, value: float) -> None:
        self._typing = key
        self._typed = self._typed_from = full(value)
        self._typing_fresh = True

    def _type(self, key: Key, field: Field, width: float) -> float | None:
        """The field while somebody types into it; returns the value when it is done."""
        flags = imgui.InputTextFlags_.auto_select_all.value
        imgui.set_next_item_width(width)
        if self._typing_fresh:
            imgui.set_keyboard_focus_here()
        self._typed = imgui.input_text(f"##{key[0]}[{key[1]}]typed", self._typed, flags)[1][:MAX_TEXT]
        if self._typing_fresh:
            self._typing_fresh = False
            return None
        if not imgui.is_item_deactivated() and imgui.is_item_active():
            return None
        self._typing = None
        if self._typed == self._typed_from:
            return None
        self._session.commit_change()
        try:
            return parse(key[0], field, self._typed)
        except SceneError as error:
            self._report(str(error))
            return None

    def _tooltip(self, look: Look, key: Key, field: Field, value: float) -> None:
        """Meaning, symbol with every digit, range."""
        unit = f" {field.unit}" if field.unit and field.unit != "°" else field.unit
        parts = (field.symbol, field.labels[key[1]] if field.labels else "")
        name = " ".join(part for part in parts if part) or field.label
        tooltip(
            look,
            sentence(field.description),
            f"{name} = {full(value)}{unit}",
            f"{field.allowed}   ·   double click to type",
        )
