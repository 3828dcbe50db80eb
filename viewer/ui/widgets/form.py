"""Dialogs of rows above their buttons, whose rows scroll where the window has no room, and text fields."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import ceil

from viewer.common.language import marked
from viewer.scene.words.formatting import named
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes, windows
from viewer.ui.widgets.drawing import Look, combo, shortened, text_right, tooltip, width_of

WIDTH, LABEL = 440.0, 126.0  # at scale 1, of a dialog and of its labels
BUTTON = 96.0  # .. and of a button
CANCEL = marked("Cancel")
NOTHING: Mapping[str, tuple[str, ...]] = {}
LONGEST = 1000  # letters that are typed into a field
REFUSED_LINES = 6  # of what is refused, at most: more of it scrolls


class Form:
    """One such dialog; how high its rows and its buttons are is known from the frame before."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._rows = self._below = 0  # pixels
        self._end = 0.0  # .. from the top of the dialog: where the rows end
        self._top: float | None = None  # .. from that of the window: where it stands since it was opened
        self._window = (0.0, 0.0)  # the size of that
        self.opening = False  # it is to be opened by the next `draw`
        self.growing = False  # it was drawn as high as before, and is higher or lower now
        self.typed: dict[str, str] = {}  # in its fields, by their names
        self.refused = ""  # why what was typed is not taken; the next change ends that
        self._entered = False  # whether Enter was pressed in a field

    def draw(self, look: Look, window: tuple[float, float], contents: Callable[[], bool]) -> bool:
        """Draw the dialog over a window of this size; return whether it is open.

        `contents` draws what stands in it, which keeps its place where it grows, and returns whether it goes on.
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
        """Yield what stands above the buttons."""
        self._entered = False
        room = max(imgui.get_content_region_avail().y - self._below, imgui.get_text_line_height())
        with scopes.child("rows", (0.0, room), imgui.ChildFlags_.nav_flattened.value):
            yield
            self._rows = ceil(imgui.get_cursor_pos_y() - imgui.get_style().item_spacing.y)
        self._end = imgui.get_cursor_pos_y() - imgui.get_style().item_spacing.y

    def heading(self, look: Look, words: str, note: str = "") -> None:
        """Write the title of the dialog, cut where it is long, and a note at the right."""
        left, room = imgui.get_cursor_screen_pos().x, imgui.get_content_region_avail().x
        with scopes.font(look.fonts.medium):
            imgui.text_unformatted(shortened(words, room - width_of(note) - look.px(12)))
        tooltip(look, words)
        text_right(left + room, imgui.get_item_rect_min().y, look.palette.dim, note)

    def field(self, look: Look, name: str, words: str | None = None, unit: str = "") -> None:
        """Draw the field of what is typed by that name, behind a label where there are `words`."""
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
        """Draw a list of options, as each is called, behind a label where there are `words`; return the chosen one.

        `width`: in pixels; 0: all that there is. `meanings`: the lines of an option's tooltip.
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
        """Draw the buttons; return whether what was entered is taken or cancelled, None while it goes on.

        `take`: as of `named`.
        """
        cancelled, pressed = buttons(look, take, possible)
        if cancelled:
            return False
        return True if possible and (pressed or self._entered or enter_pressed()) else None


def remark(look: Look, words: str) -> None:
    """Write a dim text that breaks."""
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
    """Return the flags of a text field in which Enter is pressed.

    If the keyboard comes to it without a click all of it is selected, so that what is typed takes its place.
    """
    flags = int(imgui.InputTextFlags_.enter_returns_true.value)
    return flags if imgui.is_mouse_clicked(0) else flags | int(imgui.InputTextFlags_.auto_select_all.value)


def entered_in(entered: bool) -> bool:
    """Return whether Enter was pressed in the last text field, as `entered` says, and not only held down.

    The field keeps the keyboard: where the dialog stays open one types on.
    """
    if entered:
        imgui.set_keyboard_focus_here(-1)
    return entered and any(imgui.is_key_pressed(key, False) for key in (imgui.Key.enter, imgui.Key.keypad_enter))


def refused_height(words: str, least: int = 0) -> float:
    """Return how high `refused` is, with the gap below it."""
    line = imgui.get_text_line_height()
    wrapped = imgui.calc_text_size(words, False, imgui.get_content_region_avail().x).y if words else 0.0
    high = max(min(wrapped, REFUSED_LINES * line), least * line)
    return float(high + imgui.get_style().item_spacing.y) if high else 0.0


def refused(look: Look, words: str, least: int = 0) -> None:
    """Draw why something is not possible; there is room for at least so many lines."""
    high = refused_height(words, least) - imgui.get_style().item_spacing.y
    if high > 0.0:
        with scopes.child("refused", (0.0, high)), scopes.colored(look.palette.danger), scopes.wrapped(0.0):
            imgui.text_unformatted(words)


def buttons(look: Look, take: str, possible: bool = True) -> tuple[bool, bool]:
    """Draw Cancel, and the button that takes what was typed, at the right; return whether they were pressed.

    `take` is its label as of `named`, `possible` says whether it can be pressed.
    """
    width, gap = look.px(BUTTON), imgui.get_style().item_spacing.x
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x - 2 * width - gap)
    cancelled = imgui.button(named(CANCEL), (width, 0.0))
    imgui.same_line()
    with scopes.colored(look.palette.fill, what="button"), scopes.disabled(not possible):
        return bool(cancelled), bool(imgui.button(take, (width, 0.0)))


def enter_pressed() -> bool:
    """Return whether Enter was pressed and no item is meant, nor was it what opened the dialog."""
    here = imgui.is_window_focused(
        imgui.FocusedFlags_.child_windows.value | imgui.FocusedFlags_.no_popup_hierarchy.value
    )
    meant = imgui.is_any_item_active() or imgui.get_io().nav_visible or not here or imgui.is_window_appearing()
    return not meant and bool(imgui.is_key_pressed(imgui.Key.enter, False))


class TextField:
    """A field that takes the keyboard when it is drawn first. ImGui gives it the keyboard a frame later only."""

    def __init__(self, text: str = "", typed: str = "", resting: bool = False) -> None:
        """`typed`: what is typed into it as soon as it has the keyboard; it replaces `text`, which is selected.

        `resting`: it does not take the keyboard by itself.
        """
        self.text = text
        self._early = typed
        self._fresh = not resting

    @property
    def waiting(self) -> bool:
        """Whether more frames are due until ImGui can have what is typed."""
        return self._fresh or bool(self._early)

    def draw(self, name: str, width: float, longest: int, hint: str = "") -> bool:
        """Draw the field, and cut what is longer than `longest`; return whether somebody goes on typing."""
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
