"""Which of the elements that are open gets a key, typed text or the mouse: the uppermost first."""

from typing import TYPE_CHECKING

from viewer.ui.platform.imgui_module import imgui

if TYPE_CHECKING:
    from viewer.ui.ui import Ui


class Front:
    """Asks the elements of `ui`, from front to back. Positions are ui pixels (see `viewports`)."""

    def __init__(self, ui: "Ui") -> None:
        self._ui = ui
        self.popup_open = False  # a list or another popup of ImGui's, in the last frame

    def dismiss(self) -> bool:
        """Closes the uppermost of what is open: keys, messages, a card, the stereo chart or a tour."""
        ui, state = self._ui, self._ui.state
        if state.words:
            state.words = False
        elif state.keys:
            state.keys = False
        elif state.messages:
            state.messages = False
        elif ui.recovery.box is not None:
            ui.recovery.later()
        elif state.chart:
            state.chart = False
        elif state.hand:
            state.hand = False
        elif state.lecture:
            ui.lecture.end()
        elif ui.tour.tour is not None:
            ui.tour.end()
        elif ui.panel.search.query and ui.layout.areas.panel is not None:
            ui.panel.search.clear()
        elif state.part is not None:
            state.part = None
        elif state.tensor is not None:
            state.tensor = None
        else:
            return False
        return True

    def covers(self, x: float, y: float) -> bool:
        """Whether an element of the ui takes the mouse at (x, y)."""
        ui = self._ui
        if self.popup_open or ui.state.covered:
            return True
        over = (ui.messages, ui.recovery, ui.tour_card, ui.first_start, ui.progress_card)
        return not ui.layout.areas.scene.holds(x, y) or any(element.covers(x, y) for element in over)

    @property
    def in_dialog(self) -> bool:
        """Whether a dialog is open that takes mouse and keyboard."""
        return self._ui.state.in_dialog

    @property
    def takes_keys(self) -> bool:
        """Whether the keyboard belongs to a text field, an open list or a dialog."""
        wanted = bool(imgui.get_io().want_text_input)
        in_list = self.popup_open or self._ui.state.palette or self._searching
        return self.in_dialog or in_list or self._ui.controls.typing or wanted

    @property
    def _searching(self) -> bool:
        """Whether the panel's search is about to get the keyboard."""
        return self._ui.panel.search.waiting and self._ui.layout.areas.panel is not None

    def take_key(self, name: str) -> bool:
        """Whether a key, written as in the table of actions, is for the control that has the keyboard."""
        ui = self._ui
        if ui.lecture.take_first(name) or (name == "Escape" and self._cancel_dialog()):
            return True
        if ui.first_start.take_key(name) or ui.palette.take_key(name) or ui.gallery.take_key(name):
            return True
        if ui.panel.search.take_key(name):
            return True
        if ui.words.take_key(name) or (ui.state.keys and ui.keys.take_key(name)):
            return True
        if name in ("Tab", "Shift+Tab") and ui.controls.numbers.typing is not None:
            ui.controls.focus.give(ui.controls.numbers.typing)
            ui.controls.numbers.finish()
        elif self.takes_keys or ui.state.keys or ui.state.words:
            return False
        return ui.lecture.take_key(name) or ui.controls.focus.take(name) or ui.tour.take_key(name)

    def _cancel_dialog(self) -> bool:
        """Closes the dialog that is open, unless one of its lists is; whether there was one."""
        ui = self._ui
        if not self.in_dialog or ui.context.open_popup_stack.size() > 1:
            return False
        ui.state.close_dialog()
        self.popup_open = False
        imgui.set_current_context(ui.context)
        if ui.context.open_popup_stack.size():  # none where the dialog was opened since the last frame
            imgui.internal.close_popup_to_level(0, True)  # what opens before the next frame is another one
        return True

    def take_text(self, typed: str) -> bool:
        """The same for typed text."""
        ui = self._ui
        if ui.palette.take_text(typed) or ui.gallery.take_text(typed):
            return True
        if self._searching and ui.panel.search.catch_text(typed):
            return True
        if ui.controls.numbers.catch_text(typed) or (not self.takes_keys and ui.lecture.take_text(typed)):
            return True
        return not self.takes_keys and (ui.controls.focus.take_text(typed) or ui.tour.take_text(typed))
