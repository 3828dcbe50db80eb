"""Which control of the interface has the keyboard: Tab leads through them all in the order in which they are drawn.

As long as none has it, every key is an action of the scene (the arrows push the body). A control that has it shows a
ring, takes the arrow and page keys, Enter and Delete, and a number also what is typed. Escape, or a press on the scene,
gives the keyboard back.
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
WAITED = 3  # frames for a control that has yet to appear


class KeyboardFocus:
    """Draw every control, then call `item` for it; keys come through `take` and `take_text`."""

    def __init__(self) -> None:
        self.at: str | None = None
        self._last: str | None = None  # what had the keyboard before
        self._order: list[str] = []  # of the controls of this frame, and of the one before
        self._known: list[str] = []
        self._keys: list[str] = []
        self._text = ""
        self._numbers: set[str] = set()
        self._come = 0  # frames in which what has the keyboard may appear, to be scrolled to
        self._pointed, self._pointed_come = "", 0
        self.pointed_at: tuple[Corner, Corner] | None = None  # where what is pointed at was drawn last

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
        """How many controls this frame has so far."""
        return len(self._order)

    def is_since(self, drawn: int) -> bool:
        """Return whether one of the controls drawn since there were `drawn` of them has the keyboard."""
        return self.at in self._order[drawn:]

    def give(self, name: str) -> None:
        """Give the keyboard to a control, which may appear in the next frame only."""
        self.at, self._come = name, WAITED

    def point(self, name: str) -> None:
        """Note from now on in `pointed_at` where a control is drawn, and scroll to it; it gets no key."""
        self._pointed, self._pointed_come, self.pointed_at = name, 3 * WAITED, None

    def leave(self) -> None:
        """Give the keyboard back to the scene."""
        self._last, self.at = self.at or self._last, None

    def take(self, key: str) -> bool:
        """Return whether a key, written as in the table of actions, is for the controls."""
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
        """Whether the next frame lets the control be typed into, or pressed."""
        return bool(self._text) or "Enter" in self._keys or PASTE in self._keys

    def take_text(self, typed: str) -> bool:
        """Return whether typed text is for the control: the beginning of a number."""
        if self.at not in self._numbers or typed not in TYPED:
            return False
        self._text += typed
        return True

    def item(self, look: Look, name: str, number: bool = False) -> tuple[list[str], str]:
        """Register the last item of ImGui as a control; return its keys since the last frame and what was typed.

        Enter presses the item, but for a `number`, which gets it among its keys.
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
        """Note where the last item of ImGui is, at which something points."""
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        top = imgui.get_window_pos().y
        seen = top <= low.y and high.y <= top + imgui.get_window_height()
        self.pointed_at = ((low.x, low.y), (high.x, high.y)) if seen else None
        if self._pointed_come:
            self._pointed_come -= 1
            _scroll_to(low.y, high.y)

    def button(self, look: Look, name: str) -> None:
        """Do as `item` for a control that knows only Enter; up and down lead to its neighbours."""
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
    """Scroll ImGui's window to its last item, where that is not to be seen."""
    window = imgui.get_window_pos().y
    if top < window or bottom > window + imgui.get_window_height():
        imgui.set_scroll_here_y(0.5)
