"""The panel: title, search and readouts that always show, and below them sections that fold."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from viewer.common.exception_handler import FAILED, ErrorBoundary
from viewer.common.language import marked, tr
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.fields import fields_of
from viewer.scenario.scenario import SECTIONS, field_at
from viewer.scenario.sections.motion import START_AXIS, START_FORMS
from viewer.scene.stereo.anaglyph_theme import theme_of
from viewer.scene.words.formatting import named, titled, with_unit
from viewer.session.session import Session
from viewer.ui.bars.chart_bar import LEAKS
from viewer.ui.host import Documents
from viewer.ui.input.begin_force import PIECES, THRUSTERS, add_force, remove_force
from viewer.ui.layout import Rect
from viewer.ui.panel import correction_loop, parallax_readout, pulse_bar, readouts
from viewer.ui.panel.body.body_section import GIVEN_IN_AXES, BodySection
from viewer.ui.panel.flights_section import FLIGHTS, FlightsSection
from viewer.ui.panel.race_section import RaceSection
from viewer.ui.panel.scene_source import SceneSource
from viewer.ui.panel.scene_title import SceneTitle
from viewer.ui.panel.search import Draw, PanelSearch, Row, fields, fits, fits_title, texts_of, waiting_for
from viewer.ui.panel.show_section import NAMES, SOUND, ShowSection
from viewer.ui.panel.start_form import StartForm
from viewer.ui.panel.torque_form import TorqueForm
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.view.scene_view import SceneView
from viewer.ui.widgets import icons, scopes, windows
from viewer.ui.widgets.drawing import Look, icon_button, shortened, text_right, tooltip, width_of
from viewer.ui.widgets.fields import NOT_SHOWN, FieldWidgets
from viewer.ui.widgets.splitter import Splitter
from viewer.ui.widgets.style import u32
from viewer.ui.window_layout import WindowLayout
from viewer.user.settings import Settings, default_of, setting_at
from viewer.workspace.stabilisation import FIELD, Stabilisation
from viewer.workspace.state import UiState

if TYPE_CHECKING:
    from viewer.ui.overlays.commands import Command

TALL = 430.0  # at scale 1: in a panel that is not so tall, the numbers scroll with the sections
OF_A_BODY = ("Body", "Start", "Loads", "Solver", "Race")
SECTION_NAMES = ("Scene", "Body", "Start", "Loads", "Solver", "Race", "View", "Stereo", "Show", "Camera path")
ELSEWHERE, LISTED = marked("Elsewhere"), 8  # what else is found, and lines of it at most
OCTANT_BUTTON = marked("First octant (Shift+M)")


class Panel:
    """Draws the panel and gives what the user does there to the session."""

    def __init__(
        self,
        session: Session,
        settings: Settings,
        state: UiState,
        layout: WindowLayout,
        documents: Documents,
        scene_view: SceneView,
        controls: FieldWidgets,
        boundary: ErrorBoundary,
        stabilisation: Stabilisation,
        open_gallery: Callable[[], None],
        find: Callable[[str, int], list["Command"]],
        toggle_sound: Callable[[], None],
    ) -> None:
        """`boundary`: in it each section fails alone. `find`: so many commands, at most, for what is searched."""
        self._session, self._settings, self._state, self._layout = session, settings, state, layout
        self._documents, self._scene_view = documents, scene_view
        self._controls, self._boundary = controls, boundary
        self._title = SceneTitle(session, state, documents, controls.focus, open_gallery, layout.toggle_panel)
        self.search = PanelSearch(controls.focus)
        self._find = find
        self._commands: tuple[str, list[Command]] = "", []  # what was searched last, and what was found
        self._start_form = StartForm(session, controls)
        self._source = SceneSource(controls)
        self._torque_form = TorqueForm(session, controls)
        self._body_section = BodySection(session, controls, state, lambda near, done: documents.ask_mesh(near, done))
        self._show_section = ShowSection(session, settings, state, controls, toggle_sound)
        self._stabilisation = stabilisation
        self._race: tuple[str | None, str] | None = None  # the scene with a race that was shown last
        self._edge = Splitter(settings, "panel.width", upper=False)
        self.section: str | None = None  # under the pointer, else the one with the keyboard
        sections: tuple[Draw, ...] = (
            self._scene,
            self._body,
            self._start,
            self._loads,
            self._solver,
            RaceSection(session, controls).draw,
            self._view,
            self._stereo,
            self._show_section.draw,
            lambda look: self._rows(look, "camera_path"),
        )
        self._sections = tuple(zip(SECTION_NAMES, sections, strict=True))
        self._flights = FlightsSection(session, controls, documents.choose_flight, documents.ask_columns)

    def draw(self, look: Look, rect: Rect) -> None:
        """The whole panel."""
        self._unfold_race()
        with windows.docked(look, "Panel", rect):
            self._edge.draw(look, rect)
            self._controls.pointed = ""
            self._title.draw(look)
            if self._state.question:
                imgui.dummy((0.0, imgui.get_text_line_height()))  # so that what is below keeps its place
            else:
                self._source.draw(look, self._session.scenario)
            self._title.bodies(look)
            self.search.draw(look)
            imgui.dummy((0.0, look.px(2)))
            numbers = partial(self._part, "readouts", partial(self._readouts, look))
            if self.search.query:
                self._scrolling(look, "Found", tuple(self._found(self.search.query)))
            elif rect.height >= look.px(TALL):
                numbers()
                self._scrolling(look, "Sections", self._shown)
            else:
                self._scrolling(look, "Sections", self._shown, numbers)
            if self._settings.value("names.pointer"):
                self._state.pointed = self._controls.pointed

    def _unfold_race(self) -> None:
        """A scene with a race has that section unfolded and in sight when it is opened."""
        scenario = self._session.scenario
        races = scenario.race.show != "off" and self._session.document.recordings is None
        race = (self._documents.path, scenario.title) if races else None
        if race is not None and race != self._race:
            self._unfold("Race")
            self._controls.focus.point("##race.show")
        self._race = race

    @property
    def _shown(self) -> tuple[tuple[str, Draw], ...]:
        """The sections that there are now."""
        flights = () if self._flights.chosen is None or self._state.question else ((FLIGHTS, self._flights.draw),)
        sections = self._sections
        if self._session.document.held:
            sections = tuple(section for section in sections if section[0] not in OF_A_BODY)
        return (*flights, *sections)

    def _readouts(self, look: Look) -> None:
        session, document = self._session, self._session.document
        if document.held:
            readouts.draw_held(look, session.snapshot())
            return
        asked, theme = self._state.question, theme_of(session.scenario)
        over = readouts.draw(look, theme, session.snapshot(), document.ratios, document.told, asked)
        self._controls.pointed = over or self._controls.pointed

    def _scrolling(
        self, look: Look, name: str, sections: tuple[tuple[str, Draw], ...], before: Callable[[], None] | None = None
    ) -> None:
        """Sections, which scroll where they are too tall, and what scrolls `before` them. `name`: of the list, whose
        place in it is kept. Those that were found are open."""
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
                if self._heading(look, title) if self.search.query else self._header(look, title):
                    self._part(title, partial(section, look))
                    imgui.dummy((0.0, look.px(2)))
                if inside and top <= imgui.get_mouse_pos().y < imgui.get_cursor_screen_pos().y:
                    pointed = title
                if focus.is_since(drawn):
                    focused = title
            self.section = pointed or focused

    def _found(self, query: str) -> Iterator[tuple[str, Draw]]:
        """The sections whose titles fit, in whole, and of the others the rows that fit."""
        for title, section in self._shown:
            rows = dict.fromkeys(draw for texts, draw in self._rows_of(title, section) if fits(query, texts))
            if fits_title(query, title):
                yield title, section
            elif rows:
                yield title, partial(_draw_all, tuple(rows))
        if query != self._commands[0]:
            self._commands = query, self._find(query, LISTED)
        if self._commands[1]:
            yield ELSEWHERE, self._elsewhere

    def _elsewhere(self, look: Look) -> None:
        """A line for each action, scene, tour or page of the manual that was found."""
        room = imgui.get_content_region_avail().x
        for number, command in enumerate(self._commands[1]):
            title, y = shortened(command.title, room), imgui.get_cursor_screen_pos().y
            if imgui.selectable(f"{title}###found {number}", False)[0]:
                self._commands = "", []  # what it does may change what can be done
                command.run()
            if title != command.title:
                tooltip(look, command.title)
            hint = shortened(command.hint, room - width_of(title) - look.px(10))
            text_right(imgui.get_item_rect_max().x, y, look.palette.dim, hint)
            self._controls.focus.button(look, f"found {number}")

    def _rows_of(self, title: str, section: Draw) -> Iterator[Row]:
        """The rows of a section that can be found; what has a form of its own is drawn in whole."""
        key, scenario = title.lower().replace(" ", "_"), self._session.scenario
        forms: dict[str, Draw] = {
            PIECES: self._torque_form.draw, THRUSTERS: self._torque_form.draw, FIELD: self._stabilisation_row,
        }  # fmt: skip
        for path, field in fields(scenario, key):
            if key == "race":
                draw = section
            elif key == "body" and scenario.body.shape in GIVEN_IN_AXES:
                draw = self._body_section.draw
            elif key == "stereo":
                draw = partial(self._stereo_row, name=path.partition(".")[2])
            elif key == "show":
                draw = partial(self._show_section.switch, name=path.partition(".")[2])
            else:
                draw = forms.get(path, partial(self._controls.row, path=path))
            if field.kind not in NOT_SHOWN or not isinstance(draw, partial):
                yield (*texts_of(path, field), *waiting_for(scenario, path)), draw
        if key == "start":
            for path, field in (START_FORMS | {"start.axis": START_AXIS}).items():
                yield texts_of(path, field), self._start_form.draw
        settings: dict[str, tuple[tuple[str, Draw], ...]] = {
            "body": (("panel.tensor", self._tensor),),
            "view": (("panel.language", partial(self._setting, path="panel.language")),),
            "show": tuple((path, partial(self._show_section.setting, path=path)) for path in (*NAMES, SOUND)),
        }
        for path, draw in settings.get(key, ()):
            yield texts_of(path, setting_at(path)), draw

    def _heading(self, look: Look, title: str) -> bool:
        """The title of a section in which something was found; True: it is open."""
        with scopes.font(look.fonts.medium):
            imgui.text_unformatted(tr(title))
        return True

    def _part(self, name: str, draw: Callable[[], object]) -> None:
        """A part of the panel; where it fails a line of text stands in its place."""
        if not self._boundary.attempt(f"panel, {name}", draw):
            imgui.text_disabled(tr(FAILED))

    def _header(self, look: Look, name: str) -> bool:
        """A line to click on that opens and closes a section; True where it is open."""
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
        """Opens the panel where the control of a field of the scene is; returns the name of the control."""
        section, field = titled(path.partition(".")[0]), START_FORMS.get(path) or field_at(path)
        self._unfold(section)
        self.search.clear()
        self._layout.show_panel(True)
        numbers = field.kind in ("number", "integer", "vector")
        return f"##{path}[0]" if numbers else f"##{path}"

    def _rows(self, look: Look, section: str) -> None:
        """A row for every field of a section of the scene."""
        for name in fields_of(SECTIONS[section]):
            self._controls.row(look, f"{section}.{name}")

    def _stereo(self, look: Look) -> None:
        """How the eyes see it; where they stand by themselves, their numbers are those of the picture."""
        for name in fields_of(SECTIONS["stereo"]):
            self._stereo_row(look, name)

    def _stereo_row(self, look: Look, name: str) -> None:
        """One of these fields; below comfort how deep the picture is."""
        picture, stereo, path = self._scene_view, self._session.scenario.stereo, f"stereo.{name}"
        if self._state.chart and path in LEAKS:  # they are in the chart's own bar
            return
        if name in ("separation", "convergence") and stereo.comfort and picture.eyes is not None:
            new = self._controls.value_row(look, path, getattr(picture.eyes, name))
            if new is not None:
                self._controls.editor.change({path: new})
        else:
            self._controls.row(look, path)
        measured = None if self._state.question else picture.comfort
        if name == "comfort" and measured is not None and len(STEREO_MODES[stereo.mode].eyes) > 1:
            parallax_readout.draw(look, measured)

    def _view(self, look: Look) -> None:
        """The camera; in momentum space with the way to the octant of the paper's Fig. 3."""
        self._rows(look, "view")
        if self._session.scenario.view.construction == "momentum":
            if imgui.button(named(OCTANT_BUTTON), (imgui.get_content_region_avail().x, 0.0)):
                self._scene_view.animator.show_octant(self._session.scenario.view)
            self._controls.focus.button(look, OCTANT_BUTTON)
        self._setting(look, "panel.language")

    def _body(self, look: Look) -> None:
        """The body, and its inertia tensor now."""
        self._body_section.draw(look)
        self._tensor(look)

    def _tensor(self, look: Look) -> None:
        """The inertia tensor in the axes of the body or of space."""
        self._setting(look, "panel.tensor")
        unit = readouts.INERTIA if self._session.document.ratios is None else ""
        readouts.tensor(look, self._session.snapshot(), self._settings.value("panel.tensor"), unit)

    def _setting(self, look: Look, path: str) -> None:
        """A row to choose a setting in."""
        field = setting_at(path)
        self._controls.label(look, tr(field.label))
        value, room = self._settings.value(path), imgui.get_content_region_avail().x
        if (new := self._controls.choose(look, path, field, value, room, default_of(path))) is not None:
            self._settings.change(path, new)

    def _start(self, look: Look) -> None:
        """Orientation and angular velocity; the latter also as size, energy and axis of L."""
        self._rows(look, "start")
        self._start_form.draw(look)

    def release(self) -> None:
        """Deletes what its elements hold of ImPlot; the ImGui context must be current."""
        self._torque_form.release()

    def _loads(self, look: Look) -> None:
        """Force, arm, torque and friction, and the external torque now."""
        there = any(self._session.scenario.loads.force)
        label = marked("Remove the force") if there else marked("Add a force (Shift+F)")
        if imgui.button(named(label), (imgui.get_content_region_avail().x, 0.0)):
            editor = self._controls.editor
            editor.attempt(partial(remove_force, editor) if there else partial(add_force, self._session, editor))
        where = tr(label) if there else tr("At a corner of the body")
        tooltip(look, where, tr("Drag its tip or its point of application in the scene"))
        self._controls.focus.button(look, label)
        self._rows(look, "loads")
        pulse_bar.draw(look, self._session, self._controls)
        self._torque_form.draw(look)
        snapshot = self._session.snapshot()
        torque = float(np.linalg.norm(snapshot.external_torque))
        if torque < snapshot.loads.torque_round_off(snapshot.reading.time):
            torque = 0.0
        self._controls.heading(look, tr("External torque now"), with_unit(torque, "N m"))

    def _solver(self, look: Look) -> None:
        """The integrator and its steps, and the stabilisation with a switch of its own."""
        controls, names = self._controls, list(fields_of(SECTIONS["solver"]))
        at = names.index("stabilisation")
        for name in names[:at]:
            controls.row(look, f"solver.{name}")
        controls.heading(look, tr("Step h"), with_unit(self._session.scenario.solver.step, "s"))
        self._stabilisation_row(look)
        for name in names[at + 1 :]:
            controls.row(look, f"solver.{name}")
        snapshot = self._session.snapshot()
        if snapshot.corrector is not None:
            correction_loop.draw(look, snapshot, self._session.scenario.solver.gradient)

    def _stabilisation_row(self, look: Look) -> None:
        """The switch, and beside it the method."""
        controls, stabilisation, field = self._controls, self._stabilisation, field_at(FIELD)
        room = imgui.get_content_region_avail().x
        if controls.box(look, "stabilise", tr(field.label), stabilisation.on, f"{tr(field.description)} (K)"):
            stabilisation.toggle()
        imgui.same_line(round(0.5 * room))
        pairs = zip(field.choices, field.meanings, strict=True)
        choices, meanings = zip(*(pair for pair in pairs if pair[0][0] != "off"), strict=True)
        shown = replace(field, choices=choices, meanings=meanings)
        new = controls.choose(look, FIELD, shown, stabilisation.method, imgui.get_content_region_avail().x)
        if new is not None:
            controls.editor.set(FIELD, new)

    def _scene(self, look: Look) -> None:
        """Scene files."""
        documents = self._documents
        gap = look.px(4)
        files = (
            (marked("Open…"), documents.ask_open),
            (marked("Save"), documents.save),
            (marked("Save as…"), documents.ask_save),
        )
        widths = [width_of(tr(label)) for label, _ in files]
        spare = (imgui.get_content_region_avail().x - 2 * gap - sum(widths)) / 3  # each has room for its own word
        padding = imgui.get_style().frame_padding
        with scopes.styled(frame_padding=(max(0.0, min(padding.x, spare / 2)), padding.y)):
            for i, (label, action) in enumerate(files):
                if i:
                    imgui.same_line(0, gap)
                if imgui.button(named(label), (widths[i] + spare, 0.0)):
                    action()
                self._controls.focus.button(look, label)


def _draw_all(rows: tuple[Draw, ...], look: Look) -> None:
    for row in rows:
        row(look)


def draw_strip(look: Look, rect: Rect, state: UiState, unfold: Callable[[], None]) -> None:
    """The folded panel: a strip at the right with what leads to it and to the keys."""
    with windows.docked(look, "Strip", rect, (5, 10)):
        windows.line(look, rect, upper=False)
        side = look.px(28)
        if icon_button(look, "unfold", icons.unfold, side, side):
            unfold()
        tooltip(look, tr("Show the panel (P)"))
        if imgui.button("?", (side, side)):
            state.toggle("keys")
        tooltip(look, tr("Keys"))
