"""A pyglet window's events for Dear ImGui; positions here are framebuffer pixels from the upper left."""

from typing import Any

from viewer.ui.platform.imgui_module import imgui
from viewer.ui.platform.pyglet_options import key, mouse

NOWHERE = -3.4e38  # the position that means: the mouse is not over the window
BUTTONS = {mouse.LEFT: 0, mouse.RIGHT: 1, mouse.MIDDLE: 2}

MODIFIERS = {
    key.LCTRL: imgui.Key.mod_ctrl, key.RCTRL: imgui.Key.mod_ctrl, key.LSHIFT: imgui.Key.mod_shift,
    key.RSHIFT: imgui.Key.mod_shift, key.LCOMMAND: imgui.Key.mod_super, key.RCOMMAND: imgui.Key.mod_super,
}  # fmt: skip


def _keys() -> dict[int, Any]:
    """Return ImGui's key for each of pyglet's."""
    k = imgui.Key
    named = {
        key.TAB: k.tab, key.LEFT: k.left_arrow, key.RIGHT: k.right_arrow, key.UP: k.up_arrow, key.DOWN: k.down_arrow,
        key.PAGEUP: k.page_up, key.PAGEDOWN: k.page_down, key.HOME: k.home, key.END: k.end, key.INSERT: k.insert,
        key.DELETE: k.delete, key.BACKSPACE: k.backspace, key.SPACE: k.space, key.RETURN: k.enter,
        key.NUM_ENTER: k.keypad_enter, key.ESCAPE: k.escape, key.LCTRL: k.left_ctrl, key.RCTRL: k.right_ctrl,
        key.LSHIFT: k.left_shift, key.RSHIFT: k.right_shift, key.LALT: k.left_alt, key.RALT: k.right_alt,
        key.LCOMMAND: k.left_super, key.RCOMMAND: k.right_super,
    }  # fmt: skip
    return named | {getattr(key, letter.upper()): getattr(k, letter) for letter in "acvxyz"}


class ImguiInput:
    """Passes the window's events on to ImGui, whose context must be current."""

    def __init__(self) -> None:
        self._keys = _keys()
        self._io = imgui.get_io()
        self.held: set[int] = set()  # pyglet's symbols of the keys that ImGui believes to be down

    def move(self, x: float, y: float) -> None:
        """Tell ImGui that the mouse is at (x, y)."""
        self._io.add_mouse_pos_event(x, y)

    def leave(self) -> None:
        """Tell ImGui that the mouse has left the window."""
        self._io.add_mouse_pos_event(NOWHERE, NOWHERE)

    def button(self, button: int, down: bool) -> None:
        """Tell ImGui that a mouse button went down or up."""
        if button in BUTTONS:
            self._io.add_mouse_button_event(BUTTONS[button], down)

    def wheel(self, across: float, away: float) -> None:
        """Tell ImGui that the wheel turned."""
        self._io.add_mouse_wheel_event(across, away)

    def modifiers(self, modifiers: int) -> None:
        """Tell ImGui which modifier keys are down; `modifiers` are pyglet's bits."""
        k = imgui.Key
        for bit, name in (
            (key.MOD_SHIFT, k.mod_shift),
            (key.MOD_CTRL, k.mod_ctrl),
            (key.MOD_ALT, k.mod_alt),
            (key.MOD_COMMAND, k.mod_super),
        ):
            self._io.add_key_event(name, bool(modifiers & bit))

    def modifier(self, symbol: int, down: bool) -> None:
        """Tell ImGui that a modifier key went down or up, so that it knows them at each click and scroll."""
        if symbol in MODIFIERS:
            self._io.add_key_event(MODIFIERS[symbol], down)

    def key(self, symbol: int, down: bool) -> None:
        """Tell ImGui that a key went down or up."""
        if symbol in self._keys:
            self._io.add_key_event(self._keys[symbol], down)
            (self.held.add if down else self.held.discard)(symbol)

    def text(self, typed: str) -> None:
        """Tell ImGui that text was typed."""
        self._io.add_input_characters_utf8(typed)

    def focus(self, focused: bool) -> None:
        """Tell ImGui that the window got or lost the keyboard."""
        self._io.add_focus_event(focused)
        if not focused:
            self.held.clear()


CURSORS = {
    imgui.MouseCursor_.text_input.value: "text",
    imgui.MouseCursor_.resize_ew.value: "size_left_right",
    imgui.MouseCursor_.resize_ns.value: "size_up_down",
    imgui.MouseCursor_.resize_all.value: "size",
    imgui.MouseCursor_.hand.value: "hand",
    imgui.MouseCursor_.not_allowed.value: "no",
}


def connect_clipboard(window: Any) -> None:
    """Let text fields copy to and paste from the system's clipboard."""
    platform = imgui.get_platform_io()
    platform.platform_get_clipboard_text_fn = lambda context: window.get_clipboard_text()
    platform.platform_set_clipboard_text_fn = lambda context, text: window.set_clipboard_text(text)


WRITTEN = {
    key.RETURN: "Enter", key.NUM_ENTER: "Enter", key.PAGEUP: "PageUp", key.PAGEDOWN: "PageDown", key.PLUS: "+",
    key.EQUAL: "=", key.MINUS: "-", key.NUM_ADD: "+", key.NUM_SUBTRACT: "-",
} | {getattr(key, f"_{digit}"): str(digit) for digit in range(10)}  # fmt: skip


def key_name(symbol: int, modifiers: int) -> str:
    """Return a key as the table of actions writes it, such as "Ctrl+Shift+S", "Space", "F1"."""
    name = WRITTEN.get(symbol) or str(key.symbol_string(symbol)).capitalize()
    parts = []
    if modifiers & (key.MOD_CTRL | key.MOD_COMMAND):
        parts.append("Ctrl")
    if modifiers & key.MOD_ALT:
        parts.append("Alt")
    if modifiers & key.MOD_SHIFT:
        parts.append("Shift")
    return "+".join((*parts, name))
