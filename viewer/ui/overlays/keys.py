"""The list of keys over the whole window, in as many columns as there is room for; it scrolls where it is too tall."""

from viewer.ui.input import actions
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.state import UiState
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import Look, text, width_of
from viewer.ui.widgets.windows import flags

SCROLLS = {"Up": -1.0, "Down": 1.0, "PageUp": -12.0, "PageDown": 12.0, "Home": -999.0, "End": 999.0}  # lines
GAP = 24.0  # at scale 1, between a key and what it does
BETWEEN = 36.0  # between two columns

Group = tuple[str, list[tuple[str, str]]]


class Keys:
    """A click or Escape closes it."""

    def __init__(self, state: UiState) -> None:
        self._state = state
        self._lines = 0.0  # to scroll in the next frame

    def take_key(self, key: str) -> bool:
        """Whether a key, written as in the table of actions, scrolls the list."""
        self._lines += SCROLLS.get(key, 0.0)
        return key in SCROLLS

    def draw(self, look: Look, size: tuple[int, int]) -> None:
        """Draws it over the middle of an interface of `size` pixels."""
        if not self._state.keys:
            return
        width, height = size
        imgui.set_next_window_pos((width / 2, height / 2), 0, (0.5, 0.5))
        room = max(1.0, width - look.px(16)), max(1.0, height - look.px(16))
        imgui.set_next_window_size_constraints((0, 0), room)
        seen = flags("always_auto_resize") & ~imgui.WindowFlags_.no_scrollbar.value
        sizes = {"window_padding": (look.px(20), look.px(16)), "window_border_size": 1.0}
        with scopes.window("Keys", seen, sizes, (look.palette.background, 1.0)):
            for i, column in enumerate(_columns(look, room[0] - look.px(52))):
                if i:
                    imgui.same_line(0, look.px(BETWEEN))
                _column(look, column)
            if self._lines:
                line = imgui.get_text_line_height_with_spacing()
                imgui.set_scroll_y(imgui.get_scroll_y() + self._lines * line)
                self._lines = 0.0
            if imgui.is_window_appearing():
                imgui.set_window_focus()
            elif imgui.is_mouse_clicked(0):
                self._state.keys = False


def _columns(look: Look, room: float) -> list[list[Group]]:
    """The groups in one, two or three columns, as many as fit side by side, of about the same height."""
    groups = actions.rows()
    for count in (3, 2):
        columns = _divided(groups, count)
        if sum(_width(look, column) for column in columns) + (count - 1) * look.px(BETWEEN) <= room:
            return columns
    return [groups]


def _divided(groups: list[Group], count: int) -> list[list[Group]]:
    """The groups in their order, cut where the columns come out most alike."""
    tall = [len(lines) + 2 for _, lines in groups]
    even = sum(tall) / count
    columns: list[list[Group]] = [[] for _ in range(count)]
    before = 0.0
    for group, lines in zip(groups, tall, strict=True):
        columns[min(count - 1, int((before + lines / 2) / even))].append(group)
        before += lines
    return [column for column in columns if column]


def _key_width(look: Look, column: list[Group]) -> float:
    return max(width_of(keys) for _, lines in column for keys, _ in lines) + look.px(GAP)


def _width(look: Look, column: list[Group]) -> float:
    return _key_width(look, column) + max(width_of(text) for _, lines in column for _, text in lines)


def _column(look: Look, column: list[Group]) -> None:
    """Headings with their lines: keys in one column, what they do in the next."""
    p, across = look.palette, _key_width(look, column)
    with scopes.group():
        for i, (title, lines) in enumerate(column):
            if i:
                imgui.dummy((0.0, look.px(6)))
            with scopes.font(look.fonts.medium):
                imgui.text_unformatted(title)
            for keys, description in lines:
                at = imgui.get_cursor_screen_pos()
                imgui.dummy((across + width_of(description), imgui.get_text_line_height()))
                text(at.x, at.y, p.accent, keys)
                text(at.x + across, at.y, p.text, description)
