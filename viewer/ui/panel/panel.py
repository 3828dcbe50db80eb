"""The panel: title, search and readouts that are always shown, and below them sections that can be folded."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from viewer.commands.opening import REPAIR, repair
from viewer.common.errors import FAILED, ErrorBoundary
from viewer.common.language import marked, tr
from viewer.scenario.field import Number
from viewer.scenario.scenario import field_at
from viewer.scenario.sections.motion import START_FORMS
from viewer.scene.stereo.anaglyph_theme import theme_of
from viewer.scene.words.formatting import named, sentence, titled
from viewer.ui.layout import Rect
from viewer.ui.overlay import Overlay, UiCanvas
from viewer.ui.overlays.commands import Command, beside_rows
from viewer.ui.panel import readouts
from viewer.ui.panel.body_section import BodySection
from viewer.ui.panel.flights_section import FlightsSection
from viewer.ui.panel.head import PanelSearch, SceneSection, SceneSource, SceneTitle
from viewer.ui.panel.loads_section import LoadsSection
from viewer.ui.panel.motion_sections import SolverSection, StartSection
from viewer.ui.panel.picture_sections import CameraPathSection, ShowSection, StereoSection, ViewSection
from viewer.ui.panel.race_section import RaceSection
from viewer.ui.panel.section import Draw, Section, fits, fits_title
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.view.scene_view import SceneView
from viewer.ui.widgets import form, icons, scopes, windows
from viewer.ui.widgets.drawing import Look, icon_button, shortened, text_right, tooltip, width_of
from viewer.ui.widgets.fields import FieldWidgets
from viewer.ui.widgets.style import u32
from viewer.ui.widgets.windows import Splitter
from viewer.ui.window_layout import WindowLayout
from viewer.workspace.workspace import Workspace

if TYPE_CHECKING:
    from viewer.replay.findings import Replay

TALL = 430.0  # at scale 1: in a lower panel, the numbers scroll with the sections
OF_A_BODY = ("Body", "Start", "Loads", "Solver", "Race")
SECTIONS: tuple[type[Section], ...] = (
    SceneSection, BodySection, StartSection, LoadsSection, SolverSection, RaceSection, ViewSection, StereoSection,
    ShowSection, CameraPathSection,
)  # fmt: skip
ELSEWHERE, LISTED = marked("Elsewhere"), 10  # heading of commands that a search finds, and the most of them


class Panel(Overlay):
    """The panel beside the scene, in which the user changes the session."""

    def __init__(
        self,
        workspace: Workspace,
        layout: WindowLayout,
        scene_view: SceneView,
        controls: FieldWidgets,
        boundary: ErrorBoundary,
    ) -> None:
        """Make the sections; `boundary` lets a section fail without the others."""
        self._workspace, self._session, self._settings = workspace, workspace.session, workspace.settings
        self._state, self._layout, self._controls, self._boundary = workspace.state, layout, controls, boundary
        self._title = SceneTitle(workspace, controls.focus)
        self.search = PanelSearch(controls.focus)
        self._commands: tuple[str, list[Command]] = "", []  # the last query, and the commands found for it
        self._source = SceneSource(controls)
        self._race: tuple[str | None, str] | None = None  # path and title of the last scene, if it has a race
        self._edge = Splitter(workspace.settings, "panel.width", upper=False)
        self.section: str | None = None  # the section under the pointer, else the one with the keyboard
        self._sections = tuple(section(workspace, controls, scene_view) for section in SECTIONS)
        self._flights = FlightsSection(workspace, controls, scene_view)

    @property
    def is_open(self) -> bool:
        """Whether Escape ends a search, deselects a part of the body, or drops numbers typed for the tensor."""
        return self._searches or self._state.part is not None or self._state.tensor is not None

    @property
    def _searches(self) -> bool:
        return bool(self.search.query) and self._is_shown

    @property
    def _is_shown(self) -> bool:
        return self._layout.areas.panel is not None

    def close(self) -> None:
        """End the search; else deselect the part; else drop the numbers typed for the tensor."""
        if self._searches:
            self.search.clear()
        elif self._state.part is not None:
            self._state.part = None
        else:
            self._state.tensor = None

    @property
    def typing(self) -> bool:
        """Whether the line to search in has the keyboard."""
        return (self.search.active or self.search.waiting) and self._is_shown

    @property
    def waiting(self) -> bool:
        """Whether the line to search in is about to get the keyboard."""
        return self.search.waiting and self._is_shown

    def take_key(self, key: str) -> bool:
        """Leave the line to search in with a key for that; return whether the key was taken."""
        return self.search.take_key(key)

    def draw(self, canvas: UiCanvas) -> None:
        """Draw the panel, or the strip to which it is folded."""
        if canvas.areas.panel is not None:
            self._draw(canvas.look, canvas.areas.panel)
        elif canvas.areas.strip is not None:
            self._draw_strip(canvas.look, canvas.areas.strip)

    def _draw(self, look: Look, rect: Rect) -> None:
        """Draw the whole panel."""
        self._unfold_race()
        with windows.docked(look, "Panel", rect):
            self._edge.draw(look, rect)
            self._controls.pointed = ""
            self._title.draw(look)
            if self._state.quiz_open:
                imgui.dummy((0.0, imgui.get_text_line_height()))  # so that the rows below do not move
            else:
                self._source.draw(look, self._session.scenario)
            self._title.bodies(look)
            self.search.draw(look)
            imgui.dummy((0.0, look.px(2)))
            sections = tuple((section.title, section.draw) for section in self._shown)
            numbers = partial(self._part, "readouts", partial(self._readouts, look))
            if self.search.query:
                self._scrolling(look, "Found", tuple(self._found(self.search.query)))
            elif rect.height >= look.px(TALL):
                numbers()
                self._scrolling(look, "Sections", sections)
            else:
                self._scrolling(look, "Sections", sections, numbers)
            if self._settings.value("names.pointer"):
                self._state.pointed = self._controls.pointed

    def _draw_strip(self, look: Look, rect: Rect) -> None:
        """Draw the folded panel, a strip at the right with the buttons that open the panel and the list of keys."""
        with windows.docked(look, "Strip", rect, (5, 10)):
            windows.line(look, rect, upper=False)
            side = look.px(28)
            if icon_button(look, "unfold", icons.unfold, side, side):
                self._layout.toggle_panel()
            tooltip(look, tr("Show the panel (P)"))
            if imgui.button("?", (side, side)):
                self._workspace.in_window["keys"]()
            tooltip(look, tr("Keys"))

    def _unfold_race(self) -> None:
        """Unfold the section Race, and scroll to it, when a scene with a race was opened."""
        scenario = self._session.scenario
        races = scenario.race.show != "off" and self._session.document.recordings is None
        race = (self._session.document.path, scenario.title) if races else None
        if race is not None and race != self._race:
            self._unfold("Race")
            self._controls.focus.point("##race.show")
        self._race = race

    @property
    def _shown(self) -> tuple[Section, ...]:
        """The sections that there are now."""
        flights = () if self._flights.selection is None or self._state.quiz_open else (self._flights,)
        held = self._session.document.held
        return (*flights, *(section for section in self._sections if not held or section.title not in OF_A_BODY))

    def _readouts(self, look: Look) -> None:
        session, document = self._session, self._session.document
        if document.held:
            readouts.draw_held(look, session.snapshot())
            return
        is_question, theme = self._state.quiz_open, theme_of(session.scenario)
        over = readouts.draw(
            look, theme, session.snapshot(), document.ratios, document.resolved_moments, is_question,
            session.scenario.show.gimbals, document.slowing is not None,
        )  # fmt: skip
        self._controls.pointed = over or self._controls.pointed
        if document.recordings is not None and not is_question:
            self._recorded(look, document.recordings)

    def _recorded(self, look: Look, found: "Replay") -> None:
        """Draw how the recordings differ from the readouts, which are those of a free motion.

        If rates and orientations disagree, a button repairs that.
        """
        if found.slowing is not None:
            free = tr("These are the numbers of its free motion; as recorded, {slowing}")
            form.remark(look, free.format(slowing=found.slowing))
        with scopes.wrapped(0.0), scopes.colored(look.palette.danger):
            for line in found.contradictions:
                imgui.text_unformatted(sentence(line))
        if not found.repairable:
            return
        if imgui.button(named(REPAIR), (imgui.get_content_region_avail().x, 0.0)):
            repair(self._workspace)
        self._controls.focus.button(look, REPAIR)
        tooltip(look, tr("Read the recording so that its angular velocities and its orientations agree"))

    def _scrolling(
        self, look: Look, name: str, sections: tuple[tuple[str, Draw], ...], before: Callable[[], None] | None = None
    ) -> None:
        """Draw the sections in an area that scrolls if they are too tall.

        `before` draws what stands above them and scrolls with them. ImGui remembers the scroll position under `name`.
        """
        child = imgui.get_cursor_screen_pos()
        edge = child.x + imgui.get_content_region_avail().x
        low, high = (child.x, child.y + look.px(1)), (edge, child.y + look.px(2))
        imgui.get_window_draw_list().add_rect_filled(low, high, u32(look.palette.line))
        imgui.dummy((0.0, look.px(1)))
        room = edge - child.x
        imgui.set_next_window_content_size((room, 0.0))
        with scopes.child(name, (room + imgui.get_style().window_padding.x, 0.0)):
            if before is not None:
                before()
            if not sections:
                with scopes.colored(look.palette.dim):
                    imgui.text_unformatted(tr("no matches"))
            focus = self._controls.focus
            inside = imgui.is_window_hovered(imgui.HoveredFlags_.child_windows.value)
            pointed = focused = None
            for title, section in sections:
                drawn, top = focus.drawn, imgui.get_cursor_screen_pos().y
                if self._header(look, title):
                    self._part(title, partial(section, look))
                    imgui.dummy((0.0, look.px(2)))
                if inside and top <= imgui.get_mouse_pos().y < imgui.get_cursor_screen_pos().y:
                    pointed = title
                if focus.is_since(drawn):
                    focused = title
            self.section = pointed or focused

    def _found(self, query: str) -> Iterator[tuple[str, Draw]]:
        """Yield whole sections whose titles fit, the fitting rows of other sections, and last the commands found."""
        for section in self._shown:
            rows = dict.fromkeys(draw for texts, draw in section.rows() if fits(query, texts))
            if fits_title(query, section.title):
                yield section.title, section.draw
            elif rows:
                yield section.title, partial(_draw_all, tuple(rows))
        if query != self._commands[0]:
            self._commands = query, beside_rows(self._workspace, query, LISTED)
        if self._commands[1]:
            yield ELSEWHERE, self._elsewhere

    def _elsewhere(self, look: Look) -> None:
        """Draw a line for each action, scene, tour or page of the manual that was found."""
        room = imgui.get_content_region_avail().x
        for number, command in enumerate(self._commands[1]):
            title, y = shortened(command.title, room), imgui.get_cursor_screen_pos().y
            if imgui.selectable(f"{title}###found {number}", False)[0]:
                self._commands = "", []  # running it may change which commands there are
                command.run()
            if title != command.title:
                tooltip(look, command.title)
            hint = shortened(command.hint, room - width_of(title) - look.px(10))
            text_right(imgui.get_item_rect_max().x, y, look.palette.dim, hint)
            self._controls.focus.button(look, f"found {number}")

    def _part(self, name: str, draw: Callable[[], object]) -> None:
        """Draw a part of the panel; if that fails, write a line of text in its place."""
        if not self._boundary.attempt(f"panel, {name}", draw):
            imgui.text_disabled(tr(FAILED))

    def _header(self, look: Look, name: str) -> bool:
        """Draw the title of a section, which a click opens and closes; return whether it is open.

        During a search, the sections are all open.
        """
        if self.search.query:
            with scopes.font(look.fonts.medium):
                imgui.text_unformatted(tr(name))
            return True
        settings = self._settings
        unfolded: tuple[str, ...] = settings.value("panel.open_sections")
        was_open = name in unfolded
        imgui.set_next_item_open(was_open)
        flags = imgui.TreeNodeFlags_
        kind = flags.no_tree_push_on_open.value | flags.span_avail_width.value | flags.frame_padding.value
        padding = (0.0, imgui.get_style().frame_padding.y)
        color = look.palette.text if was_open else look.palette.dim
        with scopes.font(look.fonts.medium), scopes.styled(frame_padding=padding), scopes.colored(color):
            is_open = bool(imgui.tree_node_ex(named(name, "##header"), kind))
        if is_open != was_open:
            rest = tuple(other for other in unfolded if other != name)
            settings.change("panel.open_sections", (*rest, name) if is_open else rest)
        self._controls.focus.button(look, f"{name}##header")
        return is_open

    def _unfold(self, section: str) -> None:
        unfolded: tuple[str, ...] = self._settings.value("panel.open_sections")
        if section not in unfolded:
            self._settings.change("panel.open_sections", (*unfolded, section))

    def show_field(self, path: str) -> str:
        """Open the panel and the section in which a field of the scene has its control; return the control's name."""
        section, field = titled(path.partition(".")[0]), START_FORMS.get(path) or field_at(path)
        self._unfold(section)
        self.search.clear()
        self._layout.show_panel(True)
        return f"##{path}[0]" if isinstance(field, Number) else f"##{path}"


def _draw_all(rows: tuple[Draw, ...], look: Look) -> None:
    for row in rows:
        row(look)
