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
        self._took_keys = False  # as of `takes_keys`, when the ui was laid out last

    def dismiss(self) -> bool:
        """Closes the uppermost of what is open: keys, messages, a card, the stereo chart or a tour."""
        ui, state = self._ui, self._ui.state
        opened = next((overlay for overlay in reversed(ui.overlays) if overlay.is_open), None)
        if opened is not None:
            opened.close()
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
        elif ui.workspace.tour.tour is not None:
            ui.workspace.tour.end()
        elif ui.panel.search.query and ui.layout.areas.panel is not None:
            ui.panel.search.clear()
        elif state.part is not None:
            state.part = None
        elif state.tensor is not None:
            state.tensor = None
        elif state.opening:
            ui.workspace.end_first_scene()
        else:
            return False
        return True

    def covers(self, x: float, y: float) -> bool:
        """Whether an element of the ui takes the mouse at (x, y)."""
        ui = self._ui
        if self.popup_open or ui.overlays.modal or ui.state.black:
            return True
        over = (ui.message_card, ui.recovery, ui.tour_card, ui.first_start, ui.progress_card)
        return not ui.layout.areas.scene.holds(x, y) or any(element.covers(x, y) for element in over)

    @property
    def takes_keys(self) -> bool:
        """Whether the keyboard belongs to a text field, an open list or a dialog."""
        ui = self._ui
        wanted = ui.context.want_text_input_next_frame > 0 or self._imgui_moves
        in_list = self.popup_open or self._searching or any(overlay.typing for overlay in ui.overlays)
        return in_list or ui.controls.typing or wanted

    @property
    def awaits_keyboard(self) -> bool:
        """Whether a text field, a list or a dialog is about to get the keyboard: what is typed is to wait for it."""
        ui = self._ui
        opening = self.takes_keys and not self._took_keys
        waiting = self._searching or any(overlay.waiting for overlay in ui.overlays)
        waiting = waiting or ui.controls.numbers.waiting or ui.controls.focus.waiting
        return opening or waiting or self._imgui_moves

    def laid_out(self) -> None:
        """The ui was laid out: what has been opened is there."""
        self._took_keys = self.takes_keys

    @property
    def _imgui_moves(self) -> bool:
        """Whether ImGui gives the keyboard to another of its items in the next frame."""
        return bool(self._ui.context.nav_move_submitted)

    @property
    def _searching(self) -> bool:
        """Whether the panel's search is about to get the keyboard."""
        return self._ui.panel.search.waiting and self._ui.layout.areas.panel is not None

    def take_key(self, name: str) -> bool:
        """Whether a key, written as in the table of actions, is for the control that has the keyboard."""
        ui = self._ui
        if ui.lecture.take_first(name):
            return True
        imgui.set_current_context(ui.context)
        for overlay in reversed(ui.overlays):
            if overlay.modal:
                taken = overlay.take_key(name)
                self.popup_open = self.popup_open and bool(ui.context.open_popup_stack.size())
                return taken
        if ui.panel.search.take_key(name):
            return True
        if name in ("Tab", "Shift+Tab") and ui.controls.numbers.typing is not None:
            ui.controls.focus.give(ui.controls.numbers.typing)
            ui.controls.numbers.finish()
        elif self.takes_keys:
            return False
        takers = ui.lecture.take_key, ui.controls.focus.take, ui.workspace.tour.take_key, ui.first_start.take_key
        return any(take(name) for take in takers)

    def take_text(self, typed: str) -> bool:
        """The same for typed text."""
        ui = self._ui
        if self.takes_keys:
            return False
        for overlay in reversed(ui.overlays):
            if overlay.modal:
                return overlay.take_text(typed)
        takers = ui.lecture, ui.controls.focus, ui.workspace.tour
        return any(element.take_text(typed) for element in takers)
