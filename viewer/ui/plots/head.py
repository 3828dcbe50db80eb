"""The buttons above the plots: which plots are shown, how they follow, what is exported.

They take as many lines as leave the curves room; what finds none is in a list.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from viewer.common.language import marked, tr
from viewer.scene.words.formatting import named
from viewer.ui.layout import Rect
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import icons, scopes
from viewer.ui.widgets.drawing import Look, icon_button, text, tooltip, width_of
from viewer.ui.widgets.keyboard_focus import KeyboardFocus
from viewer.ui.widgets.style import u32
from viewer.workspace.state import UiState

LINE = 26.0  # height at scale 1 of a line of buttons
CURVES = 75.0  # .. that the lines after the first one leave the curves
PAD, GAP, CLOSE = 14.0, 4.0, 22.0  # of a button's text, between buttons, side of the cross that closes
MORE = marked("More")  # the button that lists those that have no room
# label, whether it is on, lines of its meaning, action
Button: TypeAlias = tuple[str, bool, Sequence[str], Callable[[], object]]


class Head:
    """Draws the buttons, and knows how many lines they took."""

    def __init__(self, state: UiState, focus: KeyboardFocus) -> None:
        self._state, self._focus = state, focus
        self.lines = 1

    def draw(self, look: Look, rect: Rect, panes: Sequence[Button], buttons: Sequence[Button]) -> None:
        """Draw the buttons of the plots from the left on, in as many lines as they need, and `buttons` at the right
        of the last line."""
        gap, close, right = look.px(GAP), look.px(CLOSE), rect.x + rect.width - look.px(10)
        first, most = imgui.get_cursor_screen_pos(), max(1, int((rect.height / look.scale - CURVES) // LINE))

        def room_of(*labels: str) -> float:
            return sum(width_of(tr(label)) + look.px(PAD) + gap for label in labels)

        def to(x: float) -> None:
            imgui.set_cursor_screen_pos((x, first.y + (self.lines - 1) * look.px(LINE)))

        x, self.lines, listed = first.x, 1, list[Button]()
        for at, button in enumerate(panes):
            wide, end = room_of(button[0]), right - close
            if x > first.x and x + wide > end and self.lines < most:
                x, self.lines = first.x, self.lines + 1
            if x > first.x and x + wide + (room_of(MORE) if self.lines == most else 0.0) > end:
                listed = list(panes[at:])
                break
            to(x)
            self._button(look, button, "##pane")
            x += wide
        if room_of(MORE) + close > right - x and self.lines < most:
            x, self.lines = first.x, self.lines + 1
        labels, folded = [button[0] for button in buttons], 0
        while (
            folded < len(buttons)
            and room_of(*[MORE] * bool(folded or listed), *labels[folded:]) + close > right - x
        ):  # fmt: skip
            folded += 1
        listed += buttons[:folded]
        to(right - close - room_of(*[MORE] * bool(listed), *labels[folded:]))
        if listed:
            self._more(look, listed)
            imgui.same_line(0, gap)
        for button in buttons[folded:]:
            self._button(look, button, "##plots")
            imgui.same_line(0, gap)
        imgui.set_cursor_screen_pos((right - close, first.y))
        if icon_button(look, "close plots", icons.cross, close, close, plain=True):
            self._state.plots = False
        self._focus.button(look, "close plots")
        tooltip(look, tr("Close the plots (G)"))

    def _more(self, look: Look, buttons: Sequence[Button]) -> None:
        """Draw a button that lists those that have no room."""

        def open_list() -> None:
            imgui.open_popup("more of the plots")

        self._button(look, (MORE, False, [", ".join(tr(button[0]) for button in buttons)], open_list), "##plots")
        with scopes.popup("more of the plots") as listed:
            for label, lit, meaning, action in buttons if listed else ():
                if imgui.selectable(named(label, "##more"), lit)[0]:
                    action()
                tooltip(look, *meaning)

    def _button(self, look: Look, button: Button, kind: str) -> None:
        """Draw a button without a ground of its own, in the text's colour if it is on."""
        (untranslated, lit, meaning, action), p = button, look.palette
        label, name = tr(untranslated), untranslated + kind
        clicked = imgui.invisible_button(name, (width_of(label) + look.px(PAD), look.px(CLOSE)))
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        hovered = imgui.is_item_hovered()
        if lit or hovered:
            ground = p.hovered if hovered else p.raised
            imgui.get_window_draw_list().add_rect_filled(low, high, u32(ground), look.px(4))
        y = low.y + (look.px(CLOSE) - imgui.get_text_line_height()) / 2
        text(low.x + look.px(PAD / 2), y, p.text if lit or hovered else p.dim, label)
        tooltip(look, *meaning)
        self._focus.button(look, name)
        if clicked:
            action()
