"""The line at the top of the panel that leaves only the rows and sections that fit what is typed."""

from collections.abc import Callable, Iterator, Sequence

from viewer.common.language import marked, tr
from viewer.scenario.field import Field
from viewer.scenario.fields import fields_of
from viewer.scenario.scenario import SECTIONS, Scenario
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import icons
from viewer.ui.widgets.drawing import Look, icon_button, tooltip
from viewer.ui.widgets.keyboard_focus import KeyboardFocus
from viewer.ui.widgets.text_field import TextField

NAME = "##search"
LONGEST = 60  # letters
HINT = marked("Search (Ctrl+F)")
Draw = Callable[[Look], object]
Row = tuple[tuple[str, ...], Draw]  # the texts that it is found by, and what draws it


def fields(scenario: Scenario, section: str) -> Iterator[tuple[str, Field]]:
    """The fields of a section that matter in the scene as it is, by their paths."""
    for name, field in fields_of(SECTIONS[section]).items() if section in SECTIONS else ():
        path = f"{section}.{name}"
        if scenario.has_effect(path) or (path, scenario.body.shape) == ("body.mass", "mesh"):  # it can be given there
            yield path, field


def texts_of(path: str, field: Field) -> tuple[str, ...]:
    """What a row is found by: label, description, keywords, symbol and path, in English and in the user's language."""
    words = [word for word in (field.label, field.description, field.keywords) if word]
    return (*words, *(tr(word) for word in words), field.symbol, path, path.replace("_", " "))


def waiting_for(scenario: Scenario, path: str) -> Iterator[str]:
    """What the fields of the same section are found by that have no effect until the one at `path`, now off, is on."""
    section = path.partition(".")[0]
    for name, field in fields_of(SECTIONS[section]).items():
        if field.when is not None and field.when[0] == path and not scenario.value(path):
            yield from texts_of(f"{section}.{name}", field)


def fits(query: str, texts: Sequence[str]) -> bool:
    """Whether every word of `query` is in one of the texts."""
    texts = [text.casefold() for text in texts]
    return all(any(word in text for text in texts) for word in query.casefold().split())


def fits_title(query: str, title: str) -> bool:
    """Whether what is typed begins a section's title, in English or in the user's language."""
    return any(name.casefold().startswith(query.casefold().strip()) for name in (title, tr(title)))


class PanelSearch:
    """What is typed lasts until it is cleared, and no longer than the window."""

    def __init__(self, focus: KeyboardFocus) -> None:
        self._focus = focus
        self._field = TextField(resting=True)
        self.active = False  # whether the keyboard is in the line

    @property
    def query(self) -> str:
        """What is looked for; empty: all is shown."""
        return self._field.text.strip()

    @property
    def waiting(self) -> bool:
        """Whether the line is about to get the keyboard."""
        return self._field.waiting

    def begin(self) -> None:
        """Gives the line the keyboard; what stands in it is selected."""
        self._focus.leave()
        self._field = TextField(self._field.text)

    def clear(self) -> None:
        """All is shown again."""
        if self.active:
            imgui.internal.clear_active_id()
        self._field = TextField(resting=True)

    def take_key(self, key: str) -> bool:
        """Whether a key leads from the line to the first of what was found."""
        if not self.active or key not in ("Tab", "Enter", "Down", "Shift+Tab"):
            return False
        imgui.internal.clear_active_id()
        self.active = False
        self._focus.give(NAME)
        return key == "Enter" or self._focus.take("Shift+Tab" if key == "Shift+Tab" else "Tab")

    def draw(self, look: Look) -> None:
        """The line, and in it the cross that clears it."""
        at, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
        side = imgui.get_frame_height()
        cross = side + look.px(4) if self._field.text else 0.0
        self.active = self._field.draw(NAME, room - cross, LONGEST, tr(HINT))
        if imgui.is_item_deactivated() and imgui.is_key_pressed(imgui.Key.escape):
            self.clear()
        if not self.active and self._field.waiting:
            self._field = TextField(self._field.text, resting=True)
        self._focus.button(look, NAME)
        if not self.active and not self.query:  # it would stand over what was found
            tooltip(look, tr("Only what fits is shown: label, description, symbol or path"), tr("Escape: show all"))
        if cross:
            imgui.set_cursor_screen_pos((at.x + room - side, at.y))
            if icon_button(look, "clear search", icons.cross, side, side, plain=True, dim=True):
                self.clear()
            tooltip(look, tr("Show all"))
