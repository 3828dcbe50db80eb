"""Which control of the interface has the keyboard: Tab leads through them all in the order in which they are drawn.

As long as no control has it, every key is an action of the scene (the arrows push the body). The control that has it
shows a ring and takes the arrow and page keys, Enter and Delete; a number also takes typed digits. Escape, or a press
on the scene, gives the keyboard back.
"""

from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets.drawing import Look
from viewer.ui.widgets.style import u32

PASTE = "Ctrl+V"
TAKEN = ("Left", "Right", "Up", "Down", "PageUp", "PageDown", "Home", "End", "Enter", "Delete", "Backspace")
STEPS = {"Right": 1, "Up": 1, "Left": -1, "Down": -1, "PageUp": 10, "PageDown": -10}
TYPED = "0123456789.,-+−"
FINE = "Shift+"
Corner = tuple[float, float]
WAITED = 3  # frames within which a control that has yet to appear must do so


class KeyboardFocus:
    """Gives the keyboard to one control.

    `item` is called for each control after it is drawn; keys come through `take`.
    """

    def __init__(self) -> None:
        self.at: str | None = None  # the name of the control that has the keyboard
        self._last: str | None = None  # .. that had it before
        self._order: list[str] = []  # the controls of this frame, in their order
        self._known: list[str] = []  # those of the previous frame
        self._keys: list[str] = []
        self._text = ""
        self._numbers: set[str] = set()
        self._come = 0  # frames within which the control with the keyboard may still appear, to be scrolled to
        self._pointed, self._pointed_come = "", 0
        self.pointed_at: tuple[Corner, Corner] | None = None  # corners of the control pointed at, if it can be seen

    def begin_frame(self) -> None:
        """Begin a frame, and forget the controls that were not drawn in the last one."""
        self._known, self._order = self._order, []
        if self.at is not None and self.at not in self._known and not self._come:
            self.at = None
        self._come = max(0, self._come - 1)
        if self.at is None:
            self._keys.clear()
            self._text = ""

    @property
    def drawn(self) -> int:
        """The number of controls that this frame has so far."""
        return len(self._order)

    def is_since(self, drawn: int) -> bool:
        """Return whether a control other than the first `drawn` ones of this frame has the keyboard."""
        return self.at in self._order[drawn:]

    def give(self, name: str) -> None:
        """Give the keyboard to a control, even to one that first appears in the next frame."""
        self.at, self._come = name, WAITED

    def point(self, name: str) -> None:
        """Scroll to a control, and note in `pointed_at` where it is drawn from now on; it does not get the keyboard."""
        self._pointed, self._pointed_come, self.pointed_at = name, 3 * WAITED, None

    def leave(self) -> None:
        """Give the keyboard back to the scene."""
        self._last, self.at = self.at or self._last, None

    def take(self, key: str) -> bool:
        """Take a key, written as in the table of actions, if it is for the controls; return whether it is."""
        if key in ("Tab", "Shift+Tab") and self._known:
            self._move(-1 if key.startswith(FINE) else 1)
            return True
        if self.at is None:
            return False
        if key == "Escape":
            self.leave()
        elif key.removeprefix(FINE) in TAKEN or (key == PASTE and self.at in self._numbers):
            self._keys.append(key)
        else:
            return False
        return True

    @property
    def waiting(self) -> bool:
        """Whether the next frame presses the control, or begins to type into it."""
        return bool(self._text) or "Enter" in self._keys or PASTE in self._keys

    def take_text(self, typed: str) -> bool:
        """Take typed text if the control is a number and the text can begin one; return whether it was taken."""
        if self.at not in self._numbers or typed not in TYPED:
            return False
        self._text += typed
        return True

    def item(self, look: Look, name: str, number: bool = False) -> tuple[list[str], str]:
        """Register the last item of ImGui as a control; return its keys since the last frame and the typed text.

        Enter presses the item, unless it is a `number`, which gets Enter among its keys.
        """
        self._order.append(name)
        if number:
            self._numbers.add(name)
        if name == self._pointed:
            self._note_pointed()
        if name != self.at:
            return [], ""
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        if self._come:
            self._come = 0
            _scroll_to(low.y, high.y)
        out = look.px(2)
        corners = (low.x - out + 1, low.y - out + 1), (high.x + out - 1, high.y + out - 1)
        color, thick = u32(look.palette.accent), look.px(1.5)
        imgui.get_window_draw_list().add_rect(*corners, color, look.px(5), thickness=thick)
        keys, text = self._keys[:], self._text
        self._keys.clear()
        self._text = ""
        if not number and "Enter" in keys:
            imgui.internal.activate_item_by_id(imgui.get_item_id())
        return keys, text

    def _note_pointed(self) -> None:
        """Note where the last item of ImGui is, because it is the control pointed at."""
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        top = imgui.get_window_pos().y
        seen = top <= low.y and high.y <= top + imgui.get_window_height()
        self.pointed_at = ((low.x, low.y), (high.x, high.y)) if seen else None
        if self._pointed_come:
            self._pointed_come -= 1
            _scroll_to(low.y, high.y)

    def button(self, look: Look, name: str) -> None:
        """Register the last item as a control that knows only Enter; Up and Down lead to its neighbours."""
        for key in self.item(look, name)[0]:
            if key in ("Up", "Down"):
                self._move(STEPS[key] * -1)

    def _move(self, by: int) -> None:
        names = self._known
        if self.at in names:
            at = (names.index(self.at) + by) % len(names)
        elif self._last in names:
            at = names.index(self._last)
        else:
            at = 0 if by > 0 else -1
        self.at = self._last = names[at]
        self._come = WAITED


def _scroll_to(top: float, bottom: float) -> None:
    """Scroll ImGui's window to its last item, if that cannot be seen."""
    window = imgui.get_window_pos().y
    if top < window or bottom > window + imgui.get_window_height():
        imgui.set_scroll_here_y(0.5)
