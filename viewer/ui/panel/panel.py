"""The panel: title and readouts that always show, and below them sections that fold."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from viewer.common.exception_handler import FAILED, ErrorBoundary
from viewer.common.language import marked, tr
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.fields import fields_of
from viewer.scenario.presets import GROUPS, PRESETS
from viewer.scenario.scenario import SECTIONS, field_at
from viewer.scenario.sections.forms import START_FORMS
from viewer.scene.stereo.anaglyph_theme import theme_of
from viewer.session.session import Session
from viewer.ui.bars.chart_bar import LEAKS
from viewer.ui.host import Documents
from viewer.ui.input.begin_force import add_force, remove_force
from viewer.ui.layout import Rect
from viewer.ui.panel import parallax_readout, pulse_bar, readouts
from viewer.ui.panel.body.body_section import BodySection
from viewer.ui.panel.race_section import RaceSection
from viewer.ui.panel.scene_source import SceneSource
from viewer.ui.panel.start_form import StartForm
from viewer.ui.panel.torque_form import TorqueForm
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.stabilisation import FIELD, Stabilisation
from viewer.ui.state import UiState
from viewer.ui.view.scene_view import SceneView
from viewer.ui.widgets import icons, scopes, windows
from viewer.ui.widgets.drawing import Look, combo, icon_button, tooltip, width_of
from viewer.ui.widgets.fields import FieldWidgets
from viewer.ui.widgets.formatting import named, printable, short, titled, with_unit
from viewer.ui.widgets.splitter import Splitter
from viewer.ui.widgets.style import u32
from viewer.ui.window_layout import WindowLayout
from viewer.user.settings import Settings, default_of, setting_at

TALL = 430.0  # at scale 1: in a panel that is not so tall, the numbers scroll with the sections
SECTION_NAMES = ("Scene", "Body", "Start", "Loads", "Solver", "Race", "View", "Stereo", "Show", "Camera path")
OCTANT_BUTTON = marked("First octant (Shift+M)")
# switches whose colour in the theme has another name
BOX_AND_DOT = 37.0  # at scale 1: the box before a label in the section Show, and the dot behind it
COLOR_OF = {"ellipsoid": "shell", "plane": "grid", "loads": "force", "centre_path": "text"}


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
    ) -> None:
        """`boundary`: in it each section fails alone."""
        self._session, self._settings, self._state, self._layout = session, settings, state, layout
        self._documents, self._scene_view, self._open_gallery = documents, scene_view, open_gallery
        self._controls, self._boundary = controls, boundary
        self._start_form = StartForm(session, controls)
        self._source = SceneSource(controls)
        self._torque_form = TorqueForm(session, controls)
        self._body_section = BodySection(session, controls, state, lambda near, done: documents.ask_mesh(near, done))
        self._stabilisation = stabilisation
        self._edge = Splitter(settings, "panel.width", upper=False)
        self.section: str | None = None  # under the pointer, else the one with the keyboard
        self._recent: list[str] = []  # the files in the list of scenes, since it opened
        sections: tuple[Callable[[Look], None], ...] = (
            self._scene,
            self._body,
            self._start,
            self._loads,
            self._solver,
            RaceSection(session, controls).draw,
            self._view,
            self._stereo,
            self._show,
            lambda look: self._rows(look, "camera_path"),
        )
        self._sections = tuple(zip(SECTION_NAMES, sections, strict=True))

    def draw(self, look: Look, rect: Rect) -> None:
        """The whole panel."""
        with windows.docked(look, "Panel", rect):
            self._edge.draw(look, rect)
            self._controls.pointed = ""
            self._title(look)
            self._source.draw(look, self._session.scenario)
            self._bodies(look)
            imgui.dummy((0.0, look.px(2)))
            numbers = partial(self._part, "readouts", partial(self._readouts, look))
            if rect.height >= look.px(TALL):
                numbers()
                self._folding(look)
            else:
                self._folding(look, numbers)
            if self._settings.value("names.pointer"):
                self._state.pointed = self._controls.pointed

    def _readouts(self, look: Look) -> None:
        over = readouts.draw(look, theme_of(self._session.scenario), self._session.snapshot())
        self._controls.pointed = over or self._controls.pointed

    def _title(self, look: Look) -> None:
        """Which scene it is, with the presets to choose from, and a button for the keys."""
        size, gap, scenario = imgui.get_frame_height(), look.px(4), self._session.scenario
        width = imgui.get_content_region_avail().x - 2 * (size + gap)
        focus = self._controls.focus
        with combo(look, "##scene", tr(scenario.title), width, look.fonts.medium) as opened:
            if opened:
                self._scenes(look)
        if not opened:
            focus.button(look, "##scene")
            tooltip(look, tr(scenario.title), tr(scenario.summary))
        imgui.same_line(0, gap)
        if imgui.button("?", (size, size)):
            self._state.toggle("keys")
        tooltip(look, tr("Keys (?)"))
        focus.button(look, "?")
        imgui.same_line(0, gap)
        if icon_button(look, "fold", icons.fold, size, size):
            self._layout.toggle_panel()
        tooltip(look, tr("Fold the panel (P)"))
        focus.button(look, "fold")

    def _bodies(self, look: Look) -> None:
        """Of several bodies the one whose numbers are here, with the others to choose from."""
        session, scenario = self._session, self._session.scenario
        if not scenario.bodies:
            return
        names = [scenario.body_name(number) for number in range(len(scenario.bodies))]
        selected, width = session.selected, imgui.get_content_region_avail().x
        shown = tr("Body {number} of {count}: {name}").format(
            number=selected + 1, count=len(names), name=names[selected]
        )
        with combo(look, "##selected", shown, width) as opened:
            if opened:
                for number, name in enumerate(names):
                    if imgui.selectable(f"{printable(name)}##body {number}", number == selected)[0]:
                        session.select(number)
        if not opened:
            self._controls.focus.button(look, "##selected")
            tooltip(look, tr("The body whose numbers these are: body and start are its own, all else is common to all"))

    def _scenes(self, look: Look) -> None:
        """The list of the presets and of the files opened last."""
        if imgui.selectable(named("All scenes and tours… (A)"), False)[0]:
            self._open_gallery()
        imgui.separator()
        group = ""
        for name, preset in PRESETS.items():
            if preset.group != group:
                group = preset.group
                imgui.separator_text(tr(GROUPS[group]))
            if imgui.selectable(named(preset.title, f"##{name}"), preset.title == self._session.scenario.title)[0]:
                self._documents.open(name)
            tooltip(look, tr(preset.summary))
        imgui.separator()
        if imgui.is_window_appearing():
            self._recent = self._documents.recent
        for path in self._recent:
            if imgui.selectable(f"{printable(Path(path).name)}##{printable(path)}", False)[0]:
                self._documents.open(path)
            tooltip(look, printable(path))

    def _folding(self, look: Look, before: Callable[[], None] = lambda: None) -> None:
        """The sections, which scroll where they are too tall, and what scrolls `before` them."""
        child = imgui.get_cursor_screen_pos()
        edge = child.x + imgui.get_content_region_avail().x
        low, high = (child.x, child.y + look.px(1)), (edge, child.y + look.px(2))
        imgui.get_window_draw_list().add_rect_filled(low, high, u32(look.palette.line))
        imgui.dummy((0.0, look.px(1)))
        room = edge - child.x
        imgui.set_next_window_content_size((room, 0.0))
        with scopes.child("Sections", (room + imgui.get_style().window_padding.x, 0.0)):
            before()
            focus = self._controls.focus
            inside = imgui.is_window_hovered(imgui.HoveredFlags_.child_windows.value)
            pointed = focused = None
            for name, section in self._sections:
                drawn, top = focus.drawn, imgui.get_cursor_screen_pos().y
                if self._header(look, name):
                    self._part(name, partial(section, look))
                    imgui.dummy((0.0, look.px(2)))
                if inside and top <= imgui.get_mouse_pos().y < imgui.get_cursor_screen_pos().y:
                    pointed = name
                if focus.is_since(drawn):
                    focused = name
            self.section = pointed or focused

    def _part(self, name: str, draw: Callable[[], None]) -> None:
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

    def show_field(self, path: str) -> str:
        """Opens the panel where the control of a field of the scene is; returns the name of the control."""
        section, field = titled(path.partition(".")[0]), START_FORMS.get(path) or field_at(path)
        unfolded: tuple[str, ...] = self._settings.value("panel.open_sections")
        if section not in unfolded:
            self._settings.change("panel.open_sections", (*unfolded, section))
        self._layout.show_panel(True)
        numbers = field.kind in ("number", "integer", "vector")
        return f"##{path}[0]" if numbers else f"##{path}"

    def _rows(self, look: Look, section: str) -> None:
        """A row for every field of a section of the scene."""
        for name in fields_of(SECTIONS[section]):
            self._controls.row(look, f"{section}.{name}")

    def _stereo(self, look: Look) -> None:
        """How the eyes see it; where they stand by themselves, their numbers are those of the picture."""
        picture, stereo = self._scene_view, self._session.scenario.stereo
        for name in fields_of(SECTIONS["stereo"]):
            path = f"stereo.{name}"
            if self._state.chart and path in LEAKS:  # they are in the chart's own bar
                continue
            if name in ("separation", "convergence") and stereo.comfort and picture.eyes is not None:
                new = self._controls.value_row(look, path, getattr(picture.eyes, name))
                if new is not None:
                    self._controls.editor.change({path: new})
            else:
                self._controls.row(look, path)
            if name == "comfort" and picture.comfort is not None and len(STEREO_MODES[stereo.mode].eyes) > 1:
                parallax_readout.draw(look, picture.comfort)

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
        readouts.tensor(look, self._session.snapshot(), self._settings.value("panel.tensor"))

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
        path, stabilisation = FIELD, self._stabilisation
        field = field_at(path)
        room = imgui.get_content_region_avail().x
        if controls.box(look, "stabilise", tr(field.label), stabilisation.on, f"{tr(field.description)} (K)"):
            stabilisation.toggle()
        imgui.same_line(round(0.5 * room))
        pairs = zip(field.choices, field.meanings, strict=True)
        choices, meanings = zip(*(pair for pair in pairs if pair[0][0] != "off"), strict=True)
        shown = replace(field, choices=choices, meanings=meanings)
        new = controls.choose(look, path, shown, stabilisation.method, imgui.get_content_region_avail().x)
        if new is not None:
            controls.editor.set(path, new)
        for name in names[at + 1 :]:
            controls.row(look, f"solver.{name}")
        if (corrector := self._session.snapshot().corrector) is not None:
            controls.heading(look, tr("Corrector i_c"), short(corrector))

    def _show(self, look: Look) -> None:
        """What is drawn: boxes to tick in two columns, with the colour of what has one of its own."""
        theme = theme_of(self._session.scenario)
        room, start = imgui.get_content_region_avail().x, imgui.get_cursor_pos_x()
        labels = [tr(field.label) for field in fields_of(SECTIONS["show"]).values()]
        widest = max(width_of(label) for label in labels[1::2]) + look.px(BOX_AND_DOT)
        second = min(room / 2, room - widest)
        for i, name in enumerate(fields_of(SECTIONS["show"])):
            if i % 2:
                imgui.same_line(start + second)
            self._controls.switch(look, f"show.{name}")
            color = getattr(theme, COLOR_OF.get(name, name), None)
            if color is not None:
                low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
                middle = high.x + look.px(9), (low.y + high.y) / 2
                imgui.get_window_draw_list().add_circle_filled(middle, look.px(3), u32(color))
        for number, path in enumerate(("names.pointer", "names.legend")):
            if number:
                imgui.same_line(start + second)
            field, on = setting_at(path), bool(self._settings.value(path))
            if self._controls.box(look, path, tr(field.label), on, tr(field.description)):
                self._settings.change(path, not on)
        if imgui.button(named("Hide the interface (H)"), (imgui.get_content_region_avail().x, 0.0)):
            self._state.toggle("hidden")
        self._controls.focus.button(look, "Hide the interface (H)")

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
        for i, (label, action) in enumerate(files):
            if i:
                imgui.same_line(0, gap)
            if imgui.button(named(label), (widths[i] + spare, 0.0)):
                action()
            self._controls.focus.button(look, label)


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
