"""ImGui's text field, which says until when what is typed has to wait for it."""

from viewer.ui.platform.imgui_module import imgui


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
        """Draws it; whether it goes on. What is longer than `longest` is cut."""
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
