"""The buttons above the plots: which plots are shown, how they follow, what is exported.

They take as many lines as leave the curves enough room; the rest of the buttons is in a list.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

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
CURVES = 75.0  # height at scale 1 that the lines after the first at least leave the curves
PAD, GAP, CLOSE = 14.0, 4.0, 22.0  # of a button's text, between buttons, side of the cross that closes
MORE = marked("More")  # the button that lists the buttons for which there is no room


class Button(NamedTuple):
    """A button above the plots. `lit`: what it switches is on. `kind`, the end of its name, groups similar buttons."""

    label: str
    lit: bool
    meaning: Sequence[str]
    action: Callable[[], object]
    kind: str = "##plots"


class Head:
    """The lines of buttons; `lines` is the number that was needed last."""

    def __init__(self, state: UiState, focus: KeyboardFocus) -> None:
        self._state, self._focus = state, focus
        self.lines = 1

    def draw(self, look: Look, rect: Rect, buttons: Sequence[Button]) -> None:
        """Draw the buttons from the left, in as many lines as they need and fit, and the cross that closes the plots.

        The buttons for which there is no room are behind a button "more".
        """
        first, close = imgui.get_cursor_screen_pos(), look.px(CLOSE)
        right = rect.x + rect.width - look.px(10) - close
        most = max(1, int((rect.height / look.scale - CURVES) // LINE))
        more = self._width(look, MORE)
        x, self.lines = first.x, 1
        for at, button in enumerate(buttons):
            if at and button.kind != buttons[at - 1].kind:
                x += look.px(3 * GAP)
            wide = needed = self._width(look, button.label)
            may_break = self.lines < most and button.kind == "##pane"
            if not may_break:
                needed = min(sum(self._width(look, one.label) for one in buttons[at:]), wide + more)
            is_full = x + needed > right and x > first.x
            listed = is_full and not may_break and (x + more <= right or self.lines == most)
            if is_full and not listed:
                x, self.lines = first.x, self.lines + 1
            imgui.set_cursor_screen_pos((x, first.y + (self.lines - 1) * look.px(LINE)))
            if listed:
                self._more(look, buttons[at:])
                break
            self._button(look, button)
            x += wide
        imgui.set_cursor_screen_pos((right, first.y))
        if icon_button(look, "close plots", icons.cross, close, close, plain=True):
            self._state.plots = False
        self._focus.button(look, "close plots")
        tooltip(look, tr("Close the plots (G)"))

    def _width(self, look: Look, label: str) -> float:
        """Return the width of a button and the gap after it."""
        return width_of(tr(label)) + look.px(PAD) + look.px(GAP)

    def _more(self, look: Look, buttons: Sequence[Button]) -> None:
        """Draw the button that lists the buttons for which there is no room."""

        def open_list() -> None:
            imgui.open_popup("more of the plots")

        self._button(look, Button(MORE, False, [", ".join(tr(button.label) for button in buttons)], open_list))
        with scopes.popup("more of the plots") as listed:
            for button in buttons if listed else ():
                if imgui.selectable(named(button.label, "##more"), button.lit)[0]:
                    button.action()
                tooltip(look, *button.meaning)

    def _button(self, look: Look, button: Button) -> None:
        """Draw a button, with a background only if it is lit or the mouse is over it."""
        p, label, name = look.palette, tr(button.label), button.label + button.kind
        clicked = imgui.invisible_button(name, (width_of(label) + look.px(PAD), look.px(CLOSE)))
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        hovered = imgui.is_item_hovered()
        if button.lit or hovered:
            ground = p.hovered if hovered else p.raised
            imgui.get_window_draw_list().add_rect_filled(low, high, u32(ground), look.px(4))
        y = low.y + (look.px(CLOSE) - imgui.get_text_line_height()) / 2
        text(low.x + look.px(PAD / 2), y, p.text if button.lit or hovered else p.dim, label)
        tooltip(look, *button.meaning)
        self._focus.button(look, name)
        if clicked:
            button.action()
