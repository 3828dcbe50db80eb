"""The box of a number, which can be dragged, stepped by wheel and keys, typed into, and reset.

A drag leads through the range, with Shift ten times as finely. A double click, Ctrl+click or Enter begins typing; so
does a digit if the box has the keyboard. The wheel steps if Ctrl is held or the box has the keyboard; otherwise it
scrolls the panel. A right click or Delete sets the default.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from viewer.common.errors import InputError
from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.common.quantities import LONGEST_LIST, ONE_TURN, TURNS, Unit, read_number, suited
from viewer.scenario.field import Number, Vector
from viewer.scenario.value_scale import ValueScale
from viewer.scene.words.formatting import full, in_unit, parse, range_of, rounded, sentence, short, with_unit
from viewer.ui.layout import Rect
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes, windows
from viewer.ui.widgets.drawing import Look, beside_item, text, text_right, tooltip, width_of
from viewer.ui.widgets.form import TextField
from viewer.ui.widgets.keyboard_focus import FINE, PASTE, STEPS, KeyboardFocus
from viewer.ui.widgets.style import u32
from viewer.user import log

SLOWER = 0.1  # factor of a drag with Shift held
DRAG_TRAVEL = 260.0  # pixels at scale 1 that lead a component of a vector through its whole range
SNAP = 5.0  # pixels at scale 1 around a mark within which a drag stops at the mark
MAX_TEXT = 64
REFUSED_SECONDS = 6.0


@frozen
class NumberSpec:
    """A number with its box.

    Attributes
    ----------
    path, index
        The path of the field, and the component of a vector.
    default
        The value that a right click sets.
    prefix
        The label in the box, if there is room for it.
    whole
        The vector that the number is a component of.
    unit_written
        Whether the unit is written in the box.
    formula
        The formula for the tooltip, if it is not the field's own.
    marks
        Values at which a drag stops.
    take_list
        A function that takes a typed or pasted list of numbers for several boxes. It gets the text and the size of the
        unit of numbers without one, and returns None if the text is no list, else what is wrong with it, or "".
    """

    path: str
    field: Number
    value: float
    default: float
    index: int = 0
    prefix: str = ""
    whole: tuple[float, ...] = ()
    unit_written: bool = True
    formula: str = ""
    marks: tuple[float, ...] = ()
    take_list: Callable[[str, float], str | None] | None = None

    @property
    def name(self) -> str:
        """The name of the box for Dear ImGui."""
        return f"##{self.path}[{self.index}]"

    @property
    def called(self) -> str:
        """The symbol of the field and the label of the component, or the label of the field if there are none."""
        parts = (self.field.symbol, tr(self.field.labels[self.index]) if isinstance(self.field, Vector) else "")
        return " ".join(part for part in parts if part) or tr(self.field.label)

    @property
    def unit(self) -> Unit:
        """The unit in which the value is shown and typed, which suits its size, or that of its vector."""
        return suited(self.field.unit, self.value, *self.whole)

    @property
    def scale(self) -> ValueScale:
        """The scale along which a drag leads the value."""
        return ValueScale(self.field, self.value, max(map(abs, self.whole), default=0.0))


class Rejection(NamedTuple):
    """The reason why a text was not taken, shown at the box with this name until the time `until` [s]."""

    name: str
    reason: str
    until: float


class NumberFields:
    """The boxes, of which one may be dragged or typed into.

    `commit` is called when a gesture ends. The reason why a text was not taken is shown at its box for a while.
    """

    def __init__(self, focus: KeyboardFocus, commit: Callable[[], None], clock: Callable[[], float]) -> None:
        self._focus, self._commit, self._clock = focus, commit, clock
        self.refused: Rejection | None = None
        self._scale: ValueScale | None = None
        self._fraction = 0.0
        self.typing: str | None = None  # the name of the box that is typed into
        self._text = TextField()  # in that box
        self._typed_from, self._unit = "", Unit("", 1.0)  # its first text, and the unit of a number typed without one
        self._finished = False

    def wait(self) -> float | None:
        """Return the seconds until a message is removed, or None if there is none."""
        return None if self.refused is None else max(0.0, self.refused.until - self._clock())

    def begin_frame(self) -> None:
        """Remove a message that has been shown for REFUSED_SECONDS."""
        if self.wait() == 0.0:
            self.refused = None

    @property
    def busy(self) -> bool:
        """Whether more frames are needed, for ImGui's field to get the typed text or for the end of the typing."""
        return self.waiting or (self.typing is not None and self._finished)

    @property
    def waiting(self) -> bool:
        """Whether a box is about to get the keyboard."""
        return self.typing is not None and self._text.waiting

    def finish(self) -> None:
        """Take what has been typed as if Enter were pressed."""
        self._finished = self.typing is not None

    def box(self, look: Look, number: NumberSpec, width: float) -> float | None:
        """Draw the box; return the new value, or None."""
        draw = self._type if self.typing == number.name else self._box
        new = draw(look, number, width)
        if self.refused is not None and self.refused.name == number.name:
            _draw_refused(look, self.refused.reason)
        return new

    def _box(self, look: Look, number: NumberSpec, width: float) -> float | None:
        """Draw the box while nobody is typing into it; return the new value, or None."""
        imgui.invisible_button(number.name, (width, imgui.get_frame_height()))
        hovered, active = imgui.is_item_hovered(), imgui.is_item_active()
        if imgui.is_item_visible():
            _paint(look, number, hovered, active, self._scale if active and self._scale is not None else number.scale)
        keys, typed = self._focus.item(look, number.name, number=True)
        default = (hovered and imgui.is_mouse_clicked(1)) or "Delete" in keys or "Backspace" in keys
        if imgui.is_item_deactivated() or imgui.is_item_activated() or default:
            self._commit()  # each gesture is undone on its own
        if default:
            return number.default
        io = imgui.get_io()
        if hovered and (imgui.is_mouse_double_clicked(0) or (imgui.is_item_activated() and io.key_ctrl)):
            self._start_typing(number, "")
            return None
        if PASTE in keys:
            if not self._is_list(number, imgui.get_clipboard_text()):
                self._start_typing(number, imgui.get_clipboard_text().strip())
            return None
        if typed or "Enter" in keys:
            self._start_typing(number, typed)
            return None
        if hovered or active:
            imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew.value)
        if imgui.is_item_activated():
            self._scale = number.scale
            self._fraction = self._scale.fraction(number.value)
        if active:
            return self._drag(look, number, width)
        if hovered and self.refused is None:  # it would lie over the reason
            _tooltip(look, number)
        return self._step(number, keys, hovered)

    def _drag(self, look: Look, number: NumberSpec, width: float) -> float | None:
        """Return the value to which a drag of the mouse leads, or None if that is the present one."""
        io = imgui.get_io()
        if io.mouse_delta.x == 0.0 or self._scale is None or not imgui.is_mouse_dragging(0, 1.0):
            return None
        travel = width if not isinstance(number.field, Vector) else look.px(DRAG_TRAVEL)
        self._fraction += io.mouse_delta.x / travel * (SLOWER if io.key_shift else 1.0)
        self._fraction = min(1.0, max(0.0, self._fraction))
        new = self._scale.value(self._fraction)
        for mark in () if io.key_shift else number.marks:
            if abs(self._fraction - self._scale.fraction(mark)) * travel < look.px(SNAP):
                new = mark
        return new if new != number.value else None

    def _step(self, number: NumberSpec, keys: list[str], hovered: bool) -> float | None:
        """Return the value to which wheel and keys lead, or None if that is the present one."""
        steps = sum(STEPS.get(key.removeprefix(FINE), 0) for key in keys)
        fine = any(key.startswith(FINE) for key in keys)
        io = imgui.get_io()
        if hovered and io.mouse_wheel and (io.key_ctrl or self._focus.at == number.name):
            steps += 1 if io.mouse_wheel > 0 else -1
            fine = fine or io.key_shift
        if self._focus.at == number.name:
            imgui.set_item_key_owner(imgui.Key.mouse_wheel_y)  # the panel does not scroll then
        if not steps and not keys:
            return None
        scale = number.scale
        ends = dict(zip(("Home", "End"), scale.ends, strict=True))
        end = next((ends[key] for key in keys if key in ends), None)
        new = scale.stepped(number.value, steps, fine) if end is None else end
        for mark in number.marks:
            if (number.value - mark) * (new - mark) < 0.0:
                new = mark
        return new if new != number.value else None

    def _start_typing(self, number: NumberSpec, text: str) -> None:
        """Begin typing into the box; `text`, unless it is empty, replaces the number."""
        self.typing, self.refused = number.name, None
        self._unit = unit = number.unit
        self._typed_from = full(number.value) if unit.size == 1.0 else f"{number.value / unit.size:.15g} {unit.name}"
        self._text = TextField(self._typed_from, text)
        self._finished = False

    def _is_list(self, number: NumberSpec, text: str) -> bool:
        """Return whether a text is a list of numbers; if it is, it has been taken or refused."""
        why = None if number.take_list is None else number.take_list(text, number.unit.size)
        if why is not None:
            self.refused = None
        if why:
            self._refuse(number.name, why)
        return why is not None

    def _refuse(self, name: str, reason: str) -> None:
        """Show at a box for a while why a text was not taken."""
        self.refused = Rejection(name, reason, self._clock() + REFUSED_SECONDS)

    def _type(self, look: Look, number: NumberSpec, width: float) -> float | None:
        """Draw the box while it is typed into; return the new value when the typing ends, else None."""
        waiting = self._text.waiting
        if imgui.is_key_chord_pressed(imgui.Key.mod_ctrl | imgui.Key.v) and self._is_list(
            number, imgui.get_clipboard_text()
        ):
            self.typing = None
        goes_on = self._text.draw(f"{number.name}typed", width, LONGEST_LIST if number.take_list else MAX_TEXT)
        self._focus.item(look, number.name, number=True)
        if self.typing is None or (goes_on and (waiting or not self._finished)):
            return None
        self.typing = self.refused = None
        if self._text.text == self._typed_from or self._is_list(number, self._text.text):
            return None
        self._commit()
        typed, unit = self._text.text.strip(), self._unit
        try:
            value = parse(number.field, typed, unit.size)
        except InputError as error:
            self._refuse(number.name, str(error))
            log.write("error", f"{number.path}: {typed!r}; {error}")
            return None
        if not _is_rather_si(number, typed, value, unit):
            return value
        meant = f"{typed} {number.field.unit}"
        self._start_typing(number, meant)
        text = tr("{meant}? Enter takes it. For {value} write {typed}")
        other = with_unit(value, number.field.unit)
        self._refuse(number.name, text.format(meant=meant, value=other, typed=f"{typed} {unit.name}"))
        return None


def _is_rather_si(number: NumberSpec, typed: str, value: float, unit: Unit) -> bool:
    """Return whether a number typed without a unit is nearer to the present value in the SI unit than in the one shown.

    `value` is the number read in the unit shown. An example is 1/60 for a step that is shown in ms.
    """
    present, in_si = max(map(abs, (number.value, *number.whole))), value / unit.size
    if unit.size == 1.0 or not value or not present or not number.field.low <= in_si <= number.field.high:
        return False
    if read_number(typed, number.field.unit)[1] is not None:
        return False
    return abs(math.log(abs(in_si) / present)) < abs(math.log(abs(value) / present))


def _paint(look: Look, number: NumberSpec, hovered: bool, active: bool, scale: ValueScale) -> None:
    """Paint the background, the value's position, the number and its unit."""
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    p, target, rounding = look.palette, imgui.get_window_draw_list(), look.px(4)
    ground = p.active if active else p.hovered if hovered else p.raised
    target.add_rect_filled(low, high, u32(ground), rounding)
    _mark(look, number, low, high, scale)
    pad, y = look.px(6), low.y + imgui.get_style().frame_padding.y
    chosen = number.unit
    digits = in_unit(number.value, chosen)
    unit = chosen.name if number.unit_written else ""
    if number.prefix:
        needed = width_of(f"{number.prefix}{digits}{unit}")
        pad = pad if needed + 3 * pad <= high.x - low.x else look.px(3)
        if needed + 3 * pad <= high.x - low.x:
            text(low.x + pad, y, p.dim, number.prefix)
    x = high.x - pad
    if unit and width_of(f"{digits} {unit}") + 2 * pad <= high.x - low.x:
        x -= text_right(x, y, p.dim, unit) + (0 if unit == "°" else look.px(4))
    text_right(x, y, p.text, digits)


def _mark(look: Look, number: NumberSpec, low: Any, high: Any, scale: ValueScale) -> None:
    """Paint the value's position as a line, for a single number also as a filled bar, and the marks of the box."""
    field, width = number.field, high.x - low.x
    edge = low.x + width * scale.fraction(number.value)
    zero = low.x + width * (scale.fraction(0.0) if scale.low < 0.0 < scale.high else 0.0)
    p, target, line = look.palette, imgui.get_window_draw_list(), look.px(2)
    left, right = min(edge, zero), max(edge, zero)
    under = (high.y - line, p.accent)
    tops = (under,) if isinstance(field, Vector) else ((low.y, p.fill), under)
    for top, color in tops if right - left >= 1.0 else ():
        with scopes.clip(target, (left, top), (right, high.y)):
            target.add_rect_filled(low, high, u32(color), look.px(4))
    for mark in number.marks:
        x = round(low.x + width * scale.fraction(mark))
        target.add_rect_filled((x - 1, low.y), (x + 1, high.y), u32(p.text, 0.7))


def _tooltip(look: Look, number: NumberSpec) -> None:
    """Show meaning, symbol with the value, formula and range."""
    field = number.field
    unit = f" {field.unit}" if field.unit and field.unit != "°" else field.unit
    formula, chosen = number.formula or field.formula, number.unit
    shown = f" = {short(number.value / chosen.size)} {chosen.name}" if chosen.size != 1.0 else ""
    tooltip(
        look,
        sentence(tr(field.description)),
        f"{number.called} = {rounded(number.value)}{unit}{shown}",
        *((tr(formula),) if formula else ()),
        tr("{range}   ·   double click to type").format(range=range_of(field)),
        *((tr(ONE_TURN),) if field.unit in TURNS else ()),
        *((tr("a list of numbers can be pasted: it fills all boxes"),) if number.take_list else ()),
        tr("right click: {default}   ·   Ctrl+wheel: step").format(default=f"{rounded(number.default)}{unit}"),
    )


def _draw_refused(look: Look, reason: str) -> None:
    """Draw, beside the last item, why a text was not taken; the mouse reaches through it."""
    pad = imgui.get_style().window_padding
    size = imgui.calc_text_size(reason, False, look.px(264))
    wide, tall = size.x + 2 * pad.x + 1.0, size.y + 2 * pad.y
    x, y = beside_item(look, wide, tall)
    rect = Rect(round(x), round(y), round(wide), round(tall))
    with (
        windows.card(look, "Rejection", rect, mouse=False),
        scopes.colored(look.palette.danger),
        scopes.wrapped(0.0),
    ):
        imgui.text_unformatted(reason)
