"""The panel's head: the title of the scene, the source of its numbers, and the line to search in."""

from pathlib import Path

from viewer.commands.documents import ask_open, ask_save, open_named, save
from viewer.commands.opening import open_scene
from viewer.common.language import marked, tr
from viewer.scenario.field import TEXT_LIMIT
from viewer.scenario.presets import GROUPS, PRESETS
from viewer.scenario.scenario import Scenario, field_at
from viewer.scene.words.formatting import named, printable
from viewer.scene.words.sources import sources, summary, title
from viewer.ui.panel.section import Section
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import icons, scopes
from viewer.ui.widgets.drawing import Look, combo, icon_button, text, tooltip, width_of
from viewer.ui.widgets.fields import FieldWidgets
from viewer.ui.widgets.form import TextField
from viewer.ui.widgets.keyboard_focus import KeyboardFocus
from viewer.ui.widgets.style import u32
from viewer.workspace.state import UiState
from viewer.workspace.workspace import Workspace

BUTTON, POPUP = "##where the numbers come from", "sources"
UNDERLINE = 0.5  # opacity of the line under the text
TEXTS = ("source", "assumed")
LINES = 2  # the least height of a field for one of these texts
SEARCH = "##search"
LONGEST = 60  # the most characters to search for
HINT = marked("Search (Ctrl+F)")


def title_of(scenario: Scenario, state: UiState) -> str:
    """Return the title of the scene, or "Question" while a tour asks about it, for the title may be the answer."""
    return tr("Question") if state.quiz_open else title(scenario)


class SceneTitle:
    """The panel's first line: the scene's title, and the buttons for the list of keys and for folding the panel."""

    def __init__(self, workspace: Workspace, focus: KeyboardFocus) -> None:
        self._workspace, self._session, self._state, self._focus = workspace, workspace.session, workspace.state, focus
        self._recent: list[str] = []  # the files in the list of scenes, since it opened

    def draw(self, look: Look) -> None:
        """Draw the title of the scene, which opens a list of scenes, and the buttons for the keys and the folding."""
        size, gap, run = imgui.get_frame_height(), look.px(4), self._workspace.in_window
        width = imgui.get_content_region_avail().x - 2 * (size + gap)
        focus, shown = self._focus, title_of(self._session.scenario, self._state)
        with combo(look, "##scene", shown, width, look.fonts.medium) as opened:
            if opened:
                self._scenes(look)
        if not opened:
            focus.button(look, "##scene")
            about = "" if self._state.quiz_open else summary(self._session)
            tooltip(look, *filter(None, (shown, about)))
        imgui.same_line(0, gap)
        if imgui.button("?", (size, size)):
            run["keys"]()
        tooltip(look, tr("Keys (?)"))
        focus.button(look, "?")
        imgui.same_line(0, gap)
        if icon_button(look, "fold", icons.fold, size, size):
            run["panel"]()
        tooltip(look, tr("Fold the panel (P)"))
        focus.button(look, "fold")

    def bodies(self, look: Look) -> None:
        """Draw the name of the body whose numbers are shown, if there are several; it opens a list of all bodies."""
        session, scenario = self._session, self._session.scenario
        if not scenario.bodies:
            return
        names = [scenario.body_name(number) for number in range(len(scenario.bodies))]
        selected, width = session.scene.selected, imgui.get_content_region_avail().x
        shown = tr("Body {number} of {count}: {name}").format(
            number=selected + 1, count=len(names), name=names[selected]
        )
        with combo(look, "##selected", shown, width) as opened:
            if opened:
                for number, name in enumerate(names):
                    if imgui.selectable(f"{printable(name)}##body {number}", number == selected)[0]:
                        session.select(number)
        if not opened:
            self._focus.button(look, "##selected")
            tooltip(look, tr("The body whose numbers these are: body and start are its own, all else is common to all"))

    def _scenes(self, look: Look) -> None:
        """Draw the list of the presets and of the files opened last."""
        if imgui.selectable(named("All scenes and tours… (A)"), False)[0]:
            self._workspace.in_window["gallery"]()
        imgui.separator()
        group = ""
        for name, preset in PRESETS.items():
            if preset.group != group:
                group = preset.group
                imgui.separator_text(tr(GROUPS[group]))
            if imgui.selectable(named(preset.title, f"##{name}"), preset.title == self._session.scenario.title)[0]:
                open_scene(self._workspace, name)
            tooltip(look, tr(preset.summary))
        imgui.separator()
        if imgui.is_window_appearing():
            self._recent = self._workspace.files.recent
        for path in self._recent:
            if imgui.selectable(f"{printable(Path(path).name)}##{printable(path)}", False)[0]:
                open_named(self._workspace, path)
            tooltip(look, printable(path))


class SceneSource:
    """The line that says where the numbers come from; it opens the texts about that, which the user may write."""

    def __init__(self, controls: FieldWidgets) -> None:
        self._controls = controls
        self._writing = False  # whether the texts are fields to be typed into

    def draw(self, look: Look, scenario: Scenario) -> None:
        """Draw the line, which shows the texts while the mouse rests on it, and opens them when it is pressed.

        Every scene has the line, so that the rows below do not move when a change makes the numbers the user's own.
        """
        lines = sources(scenario)
        room, place = imgui.get_content_region_avail().x, imgui.get_cursor_screen_pos()
        words = tr("Where the numbers come from") if lines else tr("Say where the numbers come from")
        size = width_of(words), imgui.get_text_line_height()
        if imgui.invisible_button(BUTTON, size):
            imgui.open_popup(POPUP)
            self._writing = not lines
        color = look.palette.text if imgui.is_item_hovered() else look.palette.dim
        text(place.x, place.y, color, words)
        below, target = place.y + size[1], imgui.get_window_draw_list()
        target.add_line((place.x, below), (place.x + size[0], below), u32(color, UNDERLINE))
        if lines:
            tooltip(look, *lines)
        self._controls.focus.button(look, BUTTON)
        imgui.set_next_window_pos((place.x, below + look.px(2)))
        with scopes.popup(POPUP) as opened:
            if opened and self._writing:
                for name in TEXTS:
                    self._field(look, name, tr(scenario.value(name)), room - 2 * imgui.get_style().window_padding.x)
            elif opened:
                self._read(lines, room)

    def _read(self, lines: list[str], room: float) -> None:
        """Draw the texts to be read."""
        with scopes.wrapped(room):
            for line in lines:
                imgui.text_unformatted(line)
        if imgui.button(named("Change…")):
            self._writing = True

    def _field(self, look: Look, name: str, words: str, room: float) -> None:
        """Draw a field with one of the texts; what is typed into it is one step of undo."""
        field, editor = field_at(name), self._controls.editor
        pad = imgui.get_style().frame_padding
        lines = imgui.calc_text_size(words + " ", False, room - 3 * pad.x).y / imgui.get_text_line_height()
        tall = max(LINES, round(lines)) * imgui.get_text_line_height() + 2 * pad.y
        with scopes.colored(look.palette.dim):
            imgui.text_unformatted(tr(field.label))
        tooltip(look, tr(field.description))
        if imgui.is_window_appearing() and name == TEXTS[0]:
            imgui.set_keyboard_focus_here()
        flag = imgui.InputTextFlags_.word_wrap.value
        changed, typed = imgui.input_text_multiline(f"##{name}", words, (room, tall), flag)
        if imgui.is_item_activated():
            editor.commit()
        leaves = imgui.is_key_pressed(imgui.Key.escape)  # what was typed stays: undo takes it back
        if changed and not leaves:
            editor.change({name: "".join(c if c.isprintable() else " " for c in typed)[:TEXT_LIMIT]})
        if imgui.is_item_deactivated():
            editor.commit()
            if leaves:
                imgui.close_current_popup()
        if len(words) >= TEXT_LIMIT:
            with scopes.colored(look.palette.dim):
                imgui.text_unformatted(field.allowed)


class PanelSearch:
    """The line to search in; its text is kept until it is cleared or the window is closed."""

    def __init__(self, focus: KeyboardFocus) -> None:
        self._focus = focus
        self._field = TextField(resting=True)
        self.active = False  # whether the keyboard is in the line

    @property
    def query(self) -> str:
        """The words that are looked for; "" shows all."""
        return self._field.text.strip()

    @property
    def waiting(self) -> bool:
        """Whether the line is about to get the keyboard."""
        return self._field.waiting

    def begin(self) -> None:
        """Give the line the keyboard, with its text selected."""
        self._focus.leave()
        self._field = TextField(self._field.text)

    def clear(self) -> None:
        """Clear the line, so that all is shown again."""
        if self.active:
            imgui.internal.clear_active_id()
        self._field = TextField(resting=True)

    def take_key(self, key: str) -> bool:
        """Leave the line with Tab, Down, Enter or Shift+Tab; return whether the key was taken.

        Tab and Down lead to the next control, which is in the first row found, and Shift+Tab to the previous one.
        """
        if not self.active or key not in ("Tab", "Enter", "Down", "Shift+Tab"):
            return False
        imgui.internal.clear_active_id()
        self.active = False
        self._focus.give(SEARCH)
        return key == "Enter" or self._focus.take("Shift+Tab" if key == "Shift+Tab" else "Tab")

    def draw(self, look: Look) -> None:
        """Draw the line, and in it the cross that clears it."""
        at, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
        side = imgui.get_frame_height()
        cross = side + look.px(4) if self._field.text else 0.0
        self.active = self._field.draw(SEARCH, room - cross, LONGEST, tr(HINT))
        if imgui.is_item_deactivated() and imgui.is_key_pressed(imgui.Key.escape):
            self.clear()
        if not self.active and self._field.waiting:
            self._field = TextField(self._field.text, resting=True)
        self._focus.button(look, SEARCH)
        if not self.active and not self.query:  # a tooltip would hide the rows found
            tooltip(
                look, tr("Shows matching settings only, by label, description, symbol or path"), tr("Escape: show all")
            )
        if cross:
            imgui.set_cursor_screen_pos((at.x + room - side, at.y))
            if icon_button(look, "clear search", icons.cross, side, side, plain=True, dim=True):
                self.clear()
            tooltip(look, tr("Show all"))


class SceneSection(Section):
    """The buttons that open and save scene files."""

    title = marked("Scene")

    def draw(self, look: Look) -> None:
        """Draw the buttons that open and save."""
        gap = look.px(4)
        files = (
            (marked("Open…"), ask_open),
            (marked("Save"), save),
            (marked("Save as…"), ask_save),
        )
        widths = [width_of(tr(label)) for label, _ in files]
        spare = (imgui.get_content_region_avail().x - 2 * gap - sum(widths)) / 3  # each has room for its own word
        padding = imgui.get_style().frame_padding
        with scopes.styled(frame_padding=(max(0.0, min(padding.x, spare / 2)), padding.y)):
            for i, (label, action) in enumerate(files):
                if i:
                    imgui.same_line(0, gap)
                if imgui.button(named(label), (widths[i] + spare, 0.0)):
                    action(self._workspace)
                self._controls.focus.button(look, label)
