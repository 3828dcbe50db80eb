"""The panel: title and readouts that always show, and below them sections that fold."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from viewer.common.exception_handler import FAILED, ErrorBoundary
from viewer.physics.body import SHAPES
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.fields import fields_of
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import SECTIONS, field_at
from viewer.scene.stereo.anaglyph_theme import theme_of
from viewer.ui.bars.chart_bar import LEAKS
from viewer.ui.host import Host
from viewer.ui.layout import Rect
from viewer.ui.panel import parallax_readout, readouts
from viewer.ui.panel.race_section import RaceSection
from viewer.ui.panel.start_form import StartForm
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.state import UiState
from viewer.ui.widgets import icons, scopes, windows
from viewer.ui.widgets.drawing import Look, combo, icon_button, tooltip
from viewer.ui.widgets.fields import FieldWidgets
from viewer.ui.widgets.formatting import printable, sentence, short
from viewer.ui.widgets.splitter import Splitter
from viewer.ui.widgets.style import u32
from viewer.user.settings import setting_at

TALL = 430.0  # at scale 1: in a panel that is not so tall, the numbers scroll with the sections
SECTION_NAMES = ("Scene", "Body", "Start", "Loads", "Solver", "Race", "View", "Stereo", "Show", "Camera path")
COLOR_OF = {"ellipsoid": "shell", "plane": "grid"}  # switches whose colour in the theme has another name


class Panel:
    """Draws the panel and gives what the user does there to the app's session and actions."""

    def __init__(self, app: Host, controls: FieldWidgets, boundary: ErrorBoundary) -> None:
        """`boundary`: in it each section fails alone."""
        self._app = app
        self._boundary = boundary
        self._controls = controls
        self._start_form = StartForm(app.session, controls)
        self._method = "closest-point"  # of the stabilisation, while it is off
        self._edge = Splitter(app.settings, "panel.width", upper=False)
        self.section: str | None = None  # under the pointer, else the one with the keyboard
        self._recent: list[str] = []  # the files in the list of scenes, since it opened
        sections: tuple[Callable[[Look], None], ...] = (
            self._scene,
            self._body,
            self._start,
            self._loads,
            self._solver,
            RaceSection(app.session, controls).draw,
            lambda look: self._rows(look, "view"),
            self._stereo,
            self._show,
            lambda look: self._rows(look, "camera_path"),
        )
        self._sections = tuple(zip(SECTION_NAMES, sections, strict=True))

    def draw(self, look: Look, rect: Rect) -> None:
        """The whole panel."""
        with windows.docked(look, "Panel", rect):
            self._edge.draw(look, rect)
            snapshot = self._app.session.snapshot()
            self._title(look)
            imgui.dummy((0.0, look.px(2)))
            drawn = partial(readouts.draw, look, theme_of(self._app.session.scenario), snapshot)
            numbers = partial(self._part, "readouts", drawn)
            if rect.height >= look.px(TALL):
                numbers()
                self._folding(look)
            else:
                self._folding(look, numbers)

    def _title(self, look: Look) -> None:
        """Which scene it is, with the presets to choose from, and a button for the keys."""
        app, size, gap = self._app, imgui.get_frame_height(), look.px(4)
        scenario = app.session.scenario
        width = imgui.get_content_region_avail().x - 2 * (size + gap)
        focus = self._controls.focus
        with combo(look, "##scene", scenario.title, width, look.fonts.medium) as opened:
            if opened:
                self._scenes(look)
        if not opened:
            focus.button(look, "##scene")
            tooltip(look, scenario.title, scenario.summary)
        imgui.same_line(0, gap)
        if imgui.button("?", (size, size)):
            app.state.toggle("keys")
        tooltip(look, "Keys (?)")
        focus.button(look, "?")
        imgui.same_line(0, gap)
        if icon_button(look, "fold", icons.fold, size, size):
            app.ui.toggle_panel()
        tooltip(look, "Fold the panel (P)")
        focus.button(look, "fold")

    def _scenes(self, look: Look) -> None:
        """The list of the presets and of the files opened last."""
        app = self._app
        for name, preset in PRESETS.items():
            if imgui.selectable(f"{preset.title}##{name}", preset.title == app.session.scenario.title)[0]:
                app.documents.open(name)
            tooltip(look, preset.summary)
        imgui.separator()
        if imgui.is_window_appearing():
            self._recent = app.documents.recent
        for path in self._recent:
            if imgui.selectable(f"{printable(Path(path).name)}##{printable(path)}", False)[0]:
                app.documents.open(path)
            tooltip(look, printable(path))
        if imgui.selectable("All scenes and tours… (A)", False)[0]:
            app.ui.gallery.toggle()

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
            imgui.text_disabled(FAILED)

    def _header(self, look: Look, name: str) -> bool:
        """A line to click on that opens and closes a section; True where it is open."""
        settings = self._app.settings
        unfolded: tuple[str, ...] = settings.value("panel.open_sections")
        was_open = name in unfolded
        imgui.set_next_item_open(was_open)
        flags = imgui.TreeNodeFlags_
        kind = flags.no_tree_push_on_open.value | flags.span_avail_width.value | flags.frame_padding.value
        padding = (0.0, imgui.get_style().frame_padding.y)
        color = look.palette.text if was_open else look.palette.dim
        with scopes.font(look.fonts.medium), scopes.styled(frame_padding=padding), scopes.colored(color):
            is_open = bool(imgui.tree_node_ex(f"{name}##header", kind))
        if is_open != was_open:
            rest = tuple(other for other in unfolded if other != name)
            settings.change("panel.open_sections", (*rest, name) if is_open else rest)
        self._controls.focus.button(look, f"{name}##header")
        return is_open

    def _rows(self, look: Look, section: str) -> None:
        """A row for every field of a section of the scene."""
        for name in fields_of(SECTIONS[section]):
            self._controls.row(look, f"{section}.{name}")

    def _stereo(self, look: Look) -> None:
        """How the eyes see it; where they stand by themselves, their numbers are those of the picture."""
        picture, stereo = self._app.scene_view, self._app.session.scenario.stereo
        for name in fields_of(SECTIONS["stereo"]):
            path = f"stereo.{name}"
            if self._app.state.chart and path in LEAKS:  # they are in the chart's own bar
                continue
            if name in ("separation", "convergence") and stereo.comfort and picture.eyes is not None:
                new = self._controls.value_row(look, path, getattr(picture.eyes, name))
                if new is not None:
                    self._app.change_many({path: new})
            else:
                self._controls.row(look, path)
            if name == "comfort" and picture.comfort is not None and len(STEREO_MODES[stereo.mode].eyes) > 1:
                parallax_readout.draw(look, picture.comfort)

    def _body(self, look: Look) -> None:
        """The shape and only the dimensions that it uses."""
        shape = SHAPES[self._app.session.scenario.body.shape]
        for name in ("shape", *shape.dimensions):
            self._controls.row(look, f"body.{name}", formula=shape.formula if name != "moments" else "")
        self._tensor(look)
        warning = self._app.session.snapshot().body.warning
        if warning:
            with scopes.colored(look.palette.danger), scopes.wrapped(0.0):
                imgui.text_unformatted(sentence(warning))

    def _tensor(self, look: Look) -> None:
        """The inertia tensor in the axes of the body or of space."""
        settings, controls, path = self._app.settings, self._controls, "panel.tensor"
        field, axes = setting_at(path), settings.value(path)
        controls.label(look, field.label)
        new = controls.choose(look, path, field, axes, imgui.get_content_region_avail().x)
        if new is not None:
            settings.change(path, new)
        readouts.tensor(look, self._app.session.snapshot(), in_space=axes == "space")

    def _start(self, look: Look) -> None:
        """Orientation and angular velocity; the latter also as size, energy and axis of L."""
        self._rows(look, "start")
        self._start_form.draw(look)

    def _loads(self, look: Look) -> None:
        """Force, arm and friction, and what torque the force has now."""
        self._rows(look, "loads")
        snapshot = self._app.session.snapshot()
        loads = self._app.session.scenario.loads
        in_space = loads.frame == "space"
        force = snapshot.reading.rotation_world_from_body.T @ loads.force if in_space else loads.force
        torque = float(np.linalg.norm(np.cross(loads.arm, force)))
        self._controls.heading(look, "Torque |r × F|", f"{short(torque)} N m")

    def _solver(self, look: Look) -> None:
        """The integrator and its steps, and the stabilisation with a switch of its own."""
        controls, solver = self._controls, self._app.session.scenario.solver
        for name in fields_of(SECTIONS["solver"]):
            if name != "stabilisation":
                controls.row(look, f"solver.{name}")
        controls.heading(look, "Step h", f"{short(1e3 * solver.step)} ms")
        path = "solver.stabilisation"
        field, method = field_at(path), solver.stabilisation
        if method != "off":
            self._method = method
        room = imgui.get_content_region_avail().x
        if controls.box(look, "stabilise", field.label, method != "off", field.description):
            controls.change(path, "off" if method != "off" else self._method)
        imgui.same_line(round(0.5 * room))
        pairs = zip(field.choices, field.meanings, strict=True)
        choices, meanings = zip(*(pair for pair in pairs if pair[0][0] != "off"), strict=True)
        shown = replace(field, choices=choices, meanings=meanings)
        new = controls.choose(look, path, shown, self._method, imgui.get_content_region_avail().x)
        if new is not None:
            controls.change(path, new)

    def _show(self, look: Look) -> None:
        """What is drawn: boxes to tick in two columns, with the colour of what has one of its own."""
        theme = theme_of(self._app.session.scenario)
        half = imgui.get_content_region_avail().x / 2
        start = imgui.get_cursor_pos_x()
        for i, name in enumerate(fields_of(SECTIONS["show"])):
            if i % 2:
                imgui.same_line(start + half)
            self._controls.switch(look, f"show.{name}")
            color = getattr(theme, COLOR_OF.get(name, name), None)
            if color is not None:
                low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
                middle = high.x + look.px(9), (low.y + high.y) / 2
                imgui.get_window_draw_list().add_circle_filled(middle, look.px(3), u32(color))
        if imgui.button("Hide the interface (H)", (imgui.get_content_region_avail().x, 0.0)):
            self._app.state.toggle("hidden")
        self._controls.focus.button(look, "Hide the interface (H)")

    def _scene(self, look: Look) -> None:
        """Scene files."""
        documents = self._app.documents
        gap = look.px(4)
        width = (imgui.get_content_region_avail().x - 2 * gap) / 3
        files = (("Open…", documents.ask_open), ("Save", documents.save), ("Save as…", documents.ask_save))
        for i, (label, action) in enumerate(files):
            if i:
                imgui.same_line(0, gap)
            if imgui.button(label, (width, 0.0)):
                action()
            self._controls.focus.button(look, label)


def draw_strip(look: Look, rect: Rect, state: UiState, unfold: Callable[[], None]) -> None:
    """The folded panel: a strip at the right with what leads to it and to the keys."""
    with windows.docked(look, "Strip", rect, (5, 10)):
        windows.line(look, rect, upper=False)
        side = look.px(28)
        if icon_button(look, "unfold", icons.unfold, side, side):
            unfold()
        tooltip(look, "Show the panel (P)")
        if imgui.button("?", (side, side)):
            state.toggle("keys")
        tooltip(look, "Keys")
