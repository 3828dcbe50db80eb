"""Dialogs of rows above their buttons, and text fields; the rows scroll if the window is not high enough."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import ceil

from viewer.common.language import marked
from viewer.scene.words.formatting import named
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes, windows
from viewer.ui.widgets.drawing import Look, combo, shortened, text_right, tooltip, width_of

WIDTH, LABEL = 440.0, 126.0  # widths of a dialog and of its labels, at scale 1
BUTTON = 96.0  # width of a button, at scale 1
CANCEL = marked("Cancel")
NOTHING: Mapping[str, tuple[str, ...]] = {}
LONGEST = 1000  # the most characters in a field
REFUSED_LINES = 6  # the most lines for the reason of a refusal: a longer one scrolls


class Form:
    """A dialog of rows above its buttons; the heights of both are known from the previous frame."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._rows = self._below = 0  # heights of the rows, and of the rest below them, in pixels
        self._end = 0.0  # where the rows end, in pixels from the top of the dialog
        self._top: float | None = None  # top of the dialog since it was opened, in pixels from that of the window
        self._window = (0.0, 0.0)  # the size of the window
        self.opening = False  # whether the next `draw` opens it
        self.growing = False  # whether it was last drawn higher or lower than its contents need
        self.typed: dict[str, str] = {}  # the texts of its fields, by their names
        self.refused = ""  # why the entries are not taken, until one of them changes
        self._entered = False  # whether Enter was pressed in a field

    def draw(self, look: Look, window: tuple[float, float], contents: Callable[[], bool]) -> bool:
        """Draw the dialog over a window of this size; return whether it is open.

        `contents` draws the rows and the buttons, and returns whether the dialog stays open. When the dialog grows, its
        top does not move.
        """
        style, before = imgui.get_style(), self._rows + self._below
        edge, gap = style.window_padding.y, style.item_spacing.y
        high = before + 2 * edge if before else window[1]
        if self.opening or self._window != window:
            self._top, self._window = None, window
        with windows.modal(look, self._name, (look.px(WIDTH), high), window, self.opening, self._top) as seen:
            if not seen:
                self.growing = False
                return self.opening
            if self.opening:
                imgui.set_nav_cursor_visible(False)  # Enter takes what is typed until a key chooses an item
            self.opening = False
            top = imgui.get_window_pos().y
            goes_on = contents()
            self._below = ceil(imgui.get_cursor_pos_y() - gap - self._end)
            if not goes_on:
                imgui.close_current_popup()
        self.growing = self._rows + self._below != before
        if not self.growing:
            self._top = top
        return goes_on

    @contextmanager
    def rows(self) -> Iterator[None]:
        """Draw the items of the block as the rows above the buttons."""
        self._entered = False
        room = max(imgui.get_content_region_avail().y - self._below, imgui.get_text_line_height())
        with scopes.child("rows", (0.0, room), imgui.ChildFlags_.nav_flattened.value):
            yield
            self._rows = ceil(imgui.get_cursor_pos_y() - imgui.get_style().item_spacing.y)
        self._end = imgui.get_cursor_pos_y() - imgui.get_style().item_spacing.y

    def heading(self, look: Look, words: str, note: str = "") -> None:
        """Write the title of the dialog, cut if it is too long, and a note at the right."""
        left, room = imgui.get_cursor_screen_pos().x, imgui.get_content_region_avail().x
        with scopes.font(look.fonts.medium):
            imgui.text_unformatted(shortened(words, room - width_of(note) - look.px(12)))
        tooltip(look, words)
        text_right(left + room, imgui.get_item_rect_min().y, look.palette.dim, note)

    def field(self, look: Look, name: str, words: str | None = None, unit: str = "") -> None:
        """Draw the text field of this name, with `words` as its label if they are given."""
        if words is not None:
            label(look, words)
        entered, typed = text_field(look, f"##{self._name.lower()} {name}", self.typed[name], unit)
        self._entered = self._entered or entered
        if typed != self.typed[name]:
            self.typed[name], self.refused = typed[:LONGEST], ""

    def choose(
        self, look: Look, name: str, options: Mapping[str, str], chosen: str, words: str | None = None,
        width: float = 0.0, meanings: Mapping[str, tuple[str, ...]] = NOTHING,
    ) -> str:  # fmt: skip
        """Draw a list of options, with `words` as its label if they are given; return the chosen option.

        `options` have the name of each; `meanings` are the lines of an option's tooltip. `width` is in pixels, or 0 for
        all the room that there is.
        """
        if words is not None:
            label(look, words)
        with combo(look, f"##{name}", options[chosen], width or imgui.get_content_region_avail().x) as opened:
            for option, called in options.items() if opened else ():
                if imgui.selectable(f"{called}###{option or name}", option == chosen)[0]:
                    chosen, self.refused = option, ""
                if option in meanings:
                    tooltip(look, *meanings[option])
        return chosen

    def answer(self, look: Look, take: str, possible: bool = True) -> bool | None:
        """Draw the buttons; return True if the entries are taken, False if they are cancelled, None if neither.

        `take` is the label, made by `named`, of the button that takes them.
        """
        cancelled, pressed = buttons(look, take, possible)
        if cancelled:
            return False
        return True if possible and (pressed or self._entered or enter_pressed()) else None


def remark(look: Look, words: str) -> None:
    """Write a dim, wrapped text."""
    with scopes.colored(look.palette.dim), scopes.wrapped(0.0):
        imgui.text_unformatted(words)


def label(look: Look, words: str) -> None:
    """Write the label of a row, and put the cursor where its widget begins."""
    imgui.align_text_to_frame_padding()
    x = imgui.get_cursor_pos_x()
    with scopes.colored(look.palette.dim):
        imgui.text_unformatted(words)
    imgui.same_line(x + max(look.px(LABEL), width_of(words) + look.px(8)))


def text_field(look: Look, name: str, typed: str, unit: str = "") -> tuple[bool, str]:
    """Draw a field as wide as there is room beside its unit; return whether Enter was pressed in it, and its text."""
    gap = look.px(6)
    imgui.set_next_item_width(-(width_of(unit) + gap) if unit else -1.0)
    entered, now = imgui.input_text(name, typed, entering())
    entered = entered_in(entered)
    if unit:
        imgui.same_line(0, gap)
        imgui.text_unformatted(unit)
    return entered, now


def entering() -> int:
    """Return the flags of a text field that reports Enter.

    If the field gets the keyboard without a click, all of its text is selected, so that typing replaces it.
    """
    flags = int(imgui.InputTextFlags_.enter_returns_true.value)
    return flags if imgui.is_mouse_clicked(0) else flags | int(imgui.InputTextFlags_.auto_select_all.value)


def entered_in(entered: bool) -> bool:
    """Return whether Enter was pressed in the last text field, and not just held down.

    `entered` says whether the field has reported Enter. The field keeps the keyboard, so that typing goes on if the
    dialog stays open.
    """
    if entered:
        imgui.set_keyboard_focus_here(-1)
    return entered and any(imgui.is_key_pressed(key, False) for key in (imgui.Key.enter, imgui.Key.keypad_enter))


def refused_height(words: str, least: int = 0) -> float:
    """Return the height of what `refused` draws, with the gap below it."""
    line = imgui.get_text_line_height()
    wrapped = imgui.calc_text_size(words, False, imgui.get_content_region_avail().x).y if words else 0.0
    high = max(min(wrapped, REFUSED_LINES * line), least * line)
    return float(high + imgui.get_style().item_spacing.y) if high else 0.0


def refused(look: Look, words: str, least: int = 0) -> None:
    """Draw the reason why something is not possible, with room for at least `least` lines."""
    high = refused_height(words, least) - imgui.get_style().item_spacing.y
    if high > 0.0:
        with scopes.child("refused", (0.0, high)), scopes.colored(look.palette.danger), scopes.wrapped(0.0):
            imgui.text_unformatted(words)


def buttons(look: Look, take: str, possible: bool = True) -> tuple[bool, bool]:
    """Draw Cancel, and the button that accepts the entries, at the right; return whether each was pressed.

    `take` is the label of the second button, made by `named`; `possible` says whether that button can be pressed.
    """
    width, gap = look.px(BUTTON), imgui.get_style().item_spacing.x
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x - 2 * width - gap)
    cancelled = imgui.button(named(CANCEL), (width, 0.0))
    imgui.same_line()
    with scopes.colored(look.palette.fill, what="button"), scopes.disabled(not possible):
        return bool(cancelled), bool(imgui.button(take, (width, 0.0)))


def enter_pressed() -> bool:
    """Return whether Enter was pressed for the dialog as a whole, not for an item in it or to open it."""
    here = imgui.is_window_focused(
        imgui.FocusedFlags_.child_windows.value | imgui.FocusedFlags_.no_popup_hierarchy.value
    )
    meant = imgui.is_any_item_active() or imgui.get_io().nav_visible or not here or imgui.is_window_appearing()
    return not meant and bool(imgui.is_key_pressed(imgui.Key.enter, False))


class TextField:
    """A field that takes the keyboard when it is first drawn; ImGui gives it the keyboard one frame later."""

    def __init__(self, text: str = "", typed: str = "", resting: bool = False) -> None:
        """`typed` is entered as soon as the field has the keyboard, and replaces `text`, which is selected.

        `resting`: the field does not take the keyboard by itself.
        """
        self.text = text
        self._early = typed
        self._fresh = not resting

    @property
    def waiting(self) -> bool:
        """Whether more frames are needed before ImGui can take the typed text."""
        return self._fresh or bool(self._early)

    def draw(self, name: str, width: float, longest: int, hint: str = "") -> bool:
        """Draw the field, with at most `longest` characters; return whether the typing goes on."""
        imgui.set_next_item_width(width)
        if self._fresh:
            imgui.set_keyboard_focus_here()
        flags = imgui.InputTextFlags_.auto_select_all.value
        self.text = imgui.input_text_with_hint(name, hint, self.text, flags)[1][:longest]
        if self._fresh:
            self._fresh = False
            return True
        if not imgui.is_item_active() or imgui.is_item_deactivated():
            return False
        if self._early:
            imgui.get_io().add_input_characters_utf8(self._early)
            self._early = ""
        return True
