"""The list of keys over the whole window, in as many columns as there is room for; long lines break, and it scrolls
where it is too tall."""

from viewer.commands import actions
from viewer.ui.overlay import Canvas, Modal
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes
from viewer.ui.widgets.drawing import Look, text, width_of
from viewer.ui.widgets.windows import flags

SCROLLS = {"Up": -1.0, "Down": 1.0, "PageUp": -12.0, "PageDown": 12.0, "Home": -999.0, "End": 999.0}  # lines
GAP = 24.0  # at scale 1, between a key and what it does
BETWEEN = 36.0  # between two columns
LEAST = 200.0  # so much room for what a key does have two or three columns
NARROW = 160.0  # with less room than this it stands below its key

Group = tuple[str, list[tuple[str, str]]]


class Keys(Modal):
    """A click or Escape closes it."""

    fills = True

    def __init__(self) -> None:
        self._lines = 0.0  # to scroll in the next frame

    def toggle(self) -> None:
        """Open or close the list."""
        self.is_open = not self.is_open

    def take_key(self, key: str) -> bool:
        """Scroll the list."""
        self._lines += SCROLLS.get(key, 0.0)
        return key in SCROLLS

    def draw(self, canvas: Canvas) -> None:
        if not self.is_open:
            return
        look, (width, height) = canvas.look, canvas.size
        imgui.set_next_window_pos((width / 2, height / 2), 0, (0.5, 0.5))
        room = max(1.0, width - look.px(16)), max(1.0, height - look.px(16))
        imgui.set_next_window_size_constraints((0, 0), room)
        seen = flags("always_auto_resize") & ~imgui.WindowFlags_.no_scrollbar.value
        sizes = {"window_padding": (look.px(20), look.px(16)), "window_border_size": 1.0}
        with scopes.window("Keys", seen, sizes, (look.palette.background, 1.0)):
            for i, (column, wide) in enumerate(_columns(look, room[0] - look.px(52))):
                if i:
                    imgui.same_line(0, look.px(BETWEEN))
                _column(look, column, wide)
            if self._lines:
                line = imgui.get_text_line_height_with_spacing()
                imgui.set_scroll_y(imgui.get_scroll_y() + self._lines * line)
                self._lines = 0.0
            if imgui.is_window_appearing():
                imgui.set_window_focus()
            elif imgui.is_mouse_clicked(0):
                self.close()


def _columns(look: Look, room: float) -> list[tuple[list[Group], float]]:
    """The groups in one, two or three columns, as many as fit side by side, of about the same height; of each how wide
    the text may be that says what a key does."""
    groups = actions.rows()
    for count in (3, 2, 1):
        columns = _divided(groups, count)
        widest = [max(width_of(description) for _, lines in column for _, description in lines) for column in columns]
        left = room - sum(_key_width(look, column) for column in columns) - (count - 1) * look.px(BETWEEN)
        if sum(widest) <= left:
            return list(zip(columns, widest, strict=True))
        if (each := left / count) >= look.px(LEAST):
            break
    return [(column, each) for column in columns]


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


def _column(look: Look, column: list[Group], width: float) -> None:
    """Headings with their lines: keys in one column, what they do in the next, which breaks at `width`, or below."""
    p, across = look.palette, _key_width(look, column)
    with scopes.group():
        for i, (title, lines) in enumerate(column):
            if i:
                imgui.dummy((0.0, look.px(6)))
            with scopes.font(look.fonts.medium):
                imgui.text_unformatted(title)
            for keys, description in lines:
                if width < look.px(NARROW):
                    with scopes.wrapped(imgui.get_cursor_pos_x() + across + width):
                        with scopes.colored(p.accent):
                            imgui.text_unformatted(keys)
                        imgui.text_unformatted(description)
                    continue
                at = imgui.get_cursor_screen_pos()
                text(at.x, at.y, p.accent, keys)
                imgui.set_cursor_screen_pos((at.x + across, at.y))
                with scopes.wrapped(imgui.get_cursor_pos_x() + width + 1.0):
                    imgui.text_unformatted(description)
