"""All elements of the ui: owns the ImGui context and lays them out."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import moderngl

from viewer.common import language
from viewer.common.errors import ErrorBoundary
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.choices.themes import THEMES
from viewer.scene.annotations.picture_legend import LegendEntry
from viewer.ui import manual
from viewer.ui.bars.timeline import Timeline
from viewer.ui.bars.toolbar import Toolbar
from viewer.ui.draw_order import in_draw_order
from viewer.ui.freshness import Freshness
from viewer.ui.front import Front
from viewer.ui.host import Host
from viewer.ui.layout import Areas, Rect
from viewer.ui.lecture.board import Board
from viewer.ui.lecture.lecture import Lecture
from viewer.ui.lecture.spotlight import Spotlight
from viewer.ui.names import legend
from viewer.ui.names.card import NameCard
from viewer.ui.names.pointer import NamePointer
from viewer.ui.overlays.columns_dialog import ColumnsDialog
from viewer.ui.overlays.command_palette import CommandPalette
from viewer.ui.overlays.commands import beside_rows, find
from viewer.ui.overlays.file_dialog import FileDialog
from viewer.ui.overlays.first_hint import FirstHint
from viewer.ui.overlays.first_start import FirstStart
from viewer.ui.overlays.gallery import Gallery, Thumbnails
from viewer.ui.overlays.keys import Keys
from viewer.ui.overlays.mesh_dialog import MeshDialog
from viewer.ui.overlays.messages import MessageCard
from viewer.ui.overlays.recovery import Recovery
from viewer.ui.overlays.saving import ProgressCard, SaveDialog
from viewer.ui.overlays.tours.card import TourCard
from viewer.ui.overlays.words import Words
from viewer.ui.panel.panel import Panel
from viewer.ui.platform.imgui_events import CURSORS
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.platform.imgui_renderer import ImguiRenderer
from viewer.ui.plots.plots import Plots
from viewer.ui.sound.sound import Sound
from viewer.ui.view.stereo_name import StereoName
from viewer.ui.widgets import style
from viewer.ui.widgets.drawing import Look
from viewer.ui.widgets.fields import FieldWidgets
from viewer.ui.widgets.style import u32
from viewer.ui.window_layout import WindowLayout
from viewer.workspace.space_frame import SpaceFrameOffer

LONGEST_STEP = 1.0  # s between two frames, for ImGui: more than a double click lasts


class Ui:
    """The panel, dialogs and messages of one app. Positions are ui pixels (see `viewports`)."""

    layout: WindowLayout
    save_dialog: SaveDialog
    mesh_dialog: MeshDialog
    columns_dialog: ColumnsDialog
    palette: CommandPalette
    gallery: Gallery
    sound: Sound
    words: Words
    keys: Keys
    lecture: Lecture

    def __init__(self, ctx: moderngl.Context, app: Host, clock: Callable[[], float] = time.perf_counter) -> None:
        self.app, self.workspace, self.state, self.layout = app, app.workspace, app.workspace.state, app.layout
        workspace, session = app.workspace, app.workspace.session
        self.context = imgui.create_context()
        imgui.set_current_context(self.context)
        io = imgui.get_io()
        io.set_ini_filename("")
        io.set_log_filename("")
        io.config_input_text_cursor_blink = False
        io.config_windows_move_from_title_bar_only = True
        io.backend_flags |= imgui.BackendFlags_.has_mouse_cursors.value
        self._fonts = style.load_fonts()
        self._renderer = ImguiRenderer(ctx)
        self.boundary = ErrorBoundary(lambda error: app.failed(error))
        self.message_card = MessageCard(workspace)
        self.controls = FieldWidgets(session, workspace.editor, clock)
        self.stereo_name = StereoName(workspace.stereo, clock)
        self.name_card = NameCard()
        self.toolbar = Toolbar(app, self.controls.focus)
        self.dialog = FileDialog(workspace.messages)
        self.mesh_dialog = MeshDialog(workspace.messages)
        self.columns_dialog = ColumnsDialog(workspace.messages)
        self.save_dialog = SaveDialog(session, workspace.writer)
        self.progress_card = ProgressCard(workspace.writer)
        self.panel = Panel(
            workspace,
            app.layout,
            app.documents,
            app.scene_view,
            self.controls,
            self.boundary,
            open_gallery=lambda: self.gallery.toggle(),
            open_keys=lambda: self.keys.toggle(),
            find=partial(beside_rows, app),
            toggle_sound=lambda: self.sound.toggle(),
        )
        self.timeline = Timeline(session, workspace.state, self.controls, workspace.stabilisation)
        self.keys = Keys()
        self.words = Words()
        self.palette = CommandPalette(partial(find, app))
        self.recovery = Recovery(app.documents)
        self.tour_card = TourCard(app.layout, self.show_field, self.controls.focus, app.scene_view, clock)
        workspace.tour.point_at = self.tour_card.point_at
        self.first_hint = FirstHint(workspace.settings, clock)
        self.first_start = FirstStart(workspace, clock)
        self.lecture = Lecture(app, workspace.tour)
        self.board = Board(session, self.controls, self.lecture)
        self.spotlight = Spotlight(self._renderer)
        self.space_frame = SpaceFrameOffer(workspace)
        self.gallery = Gallery(app.documents, workspace.tour.start, self.lecture.begin, Thumbnails(self._renderer))
        self.sound = Sound(session, app.scene_view, workspace.settings, workspace.messages)
        self.plots = Plots(session, workspace.state, workspace.settings, workspace.writer, self.controls, self.boundary)
        self.names = NamePointer(workspace.state, workspace.settings, app.layout, app.scene_view, clock)
        self._selected = session.scene.selected  # of several bodies, in the last frame
        self._look: Look | None = None
        self._look_of: tuple[str, bool, float, bool] | None = None
        self.overlays = app.layout.overlays
        self.overlays.fill(
            self.keys,
            self.words,
            self.gallery,
            self.palette,
            self.dialog,
            self.mesh_dialog,
            self.columns_dialog,
            self.save_dialog,
        )
        self.freshness = Freshness(self, clock)
        self.front = Front(self)
        self._viewports = self.layout.viewports  # of the frame that was built last
        self.legend: Rect | None = None  # where it was drawn last
        self.legend_entries: tuple[LegendEntry, ...] = ()  # what it listed, for pictures
        self.pointer: tuple[float, float] | None = None  # where the mouse is, None outside of the window

    @property
    def gray(self) -> bool:
        """Whether the ui has no colours, for coloured glasses."""
        return self._look_of is not None and self._look_of[1]

    @property
    def cursor(self) -> str | None:
        """The cursor for the system to show, by pyglet's name; None where the ui draws its own."""
        return None if self._draws_cursor or self._hides_cursor else CURSORS.get(imgui.get_mouse_cursor(), "")

    @property
    def _hides_cursor(self) -> bool:
        """Whether a hall would only be disturbed by it: it has not moved since the last key."""
        return self.state.lecture and (self.state.black or not self.state.spot)

    @property
    def _draws_cursor(self) -> bool:
        return len(self.layout.viewports.rects) > 1

    def pointed(self, at: tuple[float, float] | None) -> None:
        """The mouse is there, None: outside the window; a frame is due where the ui draws the cursor."""
        if at != self.pointer:
            self.state.spot = self.state.lecture and at is not None
            if self._draws_cursor or self.state.lecture:
                self.freshness.one_more()
        self.pointer = at

    def go_to(self, path: str) -> None:
        """Shows the control of a field of the scene and gives it the keyboard."""
        self.controls.focus.give(self.show_field(path))

    def show_field(self, path: str) -> str:
        """Shows the control of a field of the scene, in the panel or on the board; returns its name."""
        return self.lecture.ask(path) if self.state.lecture else self.panel.show_field(path)

    def search(self) -> None:
        """Gives the keyboard to the panel's search; where there is no panel, opens the palette."""
        if not self.state.lecture:
            self.layout.show_panel(True)
        if self.layout.areas.panel is None:
            self.palette.toggle()
        else:
            self.panel.search.begin()

    def show_manual(self) -> None:
        """Opens the manual where it explains the section of the panel in use."""
        manual.show(self.workspace.messages, manual.anchor_of(self.panel.section))

    def touched(self, resting: bool = False) -> None:
        """There was input: frames are due. `resting`: the mouse may come to rest on something with a tooltip."""
        self.freshness.touched(resting)

    @property
    def has_input(self) -> bool:
        """Whether there is input that ImGui has not taken yet."""
        return bool(self.context.input_events_queue.size() > 0)

    def refresh(self) -> None:
        """Builds the next frame, unless the last one is new enough to be shown again."""
        if self.freshness.due:
            self.build()

    def build(self) -> None:
        """Builds the next frame: takes the input, and changes what it asks for. Where that changes the layout, the
        frame is built again, so that scene and ui divide the window alike."""
        self.freshness.settling -= 1
        for _ in range(3):  # a card that is docked, and what is in a dialog, is measured once it is laid out
            self._viewports, areas = self.layout.viewports, self.layout.areas
            self._build(areas)
            same = (self._viewports, areas) == (self.layout.viewports, self.layout.areas)
            if same and not self._growing:
                break

    @property
    def _growing(self) -> bool:
        """Whether a dialog is not as high as what is in it."""
        return any(dialog.growing for dialog in self.overlays.dialogs)

    def paint(self, framebuffer: moderngl.Framebuffer) -> None:
        """Draws that frame over `framebuffer`."""
        self._renderer.draw(framebuffer, self._viewports.rects, self.app.window.pixels[1])

    def _build(self, areas: Areas) -> None:
        """Lets ImGui take the input and lay everything out."""
        if language.choose(self.workspace.settings.value("panel.language")):
            self.workspace.session.status.changed()  # the words in the scene
        size = self._viewports.size
        imgui.set_current_context(self.context)
        look = self._prepared_look()
        io = imgui.get_io()
        io.display_size = (float(size[0]), float(size[1]))
        flag = imgui.ConfigFlags_.nav_enable_keyboard.value  # only in lists and dialogs: see `KeyboardFocus`
        moving = self.front.popup_open or bool(self.overlays.dialogs)
        io.config_flags = io.config_flags | flag if moving else io.config_flags & ~flag
        io.delta_time = min(LONGEST_STEP, max(1e-4, self.freshness.begin()))
        imgui.new_frame()
        try:
            self._elements(look, size, areas)
        except BaseException:
            _close_what_is_open(io)
            raise
        imgui.render()
        self.front.laid_out()

    def _elements(self, look: Look, size: tuple[int, int], areas: Areas) -> None:
        """Draws the elements; where one of them fails the others are there."""
        session = self.workspace.session
        if not self.overlays.modal:
            self.space_frame.follow()
        if self._selected != session.scene.selected:
            self._selected, self.state.part = session.scene.selected, None
        self.state.pointed = ""  # until the panel says what it is
        session.playback.held = False  # until the timeline is dragged, or a picture is saved
        self.controls.focus.begin_frame()
        self.controls.numbers.begin_frame()
        for name, draw in in_draw_order(self, look, size, areas):
            self.boundary.attempt(name, draw)
        if self.plots.behind and areas.plots is not None:
            self.freshness.one_more()
        follows = self.workspace.session.scene.bodies is not None or legend.is_shown(
            self.workspace.settings, self.state
        )
        if (
            follows and not self.workspace.session.scene.moving and self.app.scene_view.due
        ):  # cells and legend may be others then
            self.freshness.one_more()
        any_popup = imgui.PopupFlags_.any_popup.value
        was_open, self.front.popup_open = self.front.popup_open, bool(imgui.is_popup_open("", any_popup))
        busy = self.controls.numbers.busy or self._growing or self.has_input
        if was_open != self.front.popup_open or busy:
            self.freshness.touched()  # ImGui spreads a press and its release over frames
        self.layout.note_use(areas, self.pointer, self.front.popup_open)
        if self.state.handle:
            imgui.set_mouse_cursor(imgui.MouseCursor_.hand.value)
        self._draw_cursor(look, size)

    def _draw_cursor(self, look: Look, size: tuple[int, int]) -> None:
        """The cursor in every part; at the edge, while a drag leads out of the part where it began."""
        if self.pointer is None or self._hides_cursor or not self._draws_cursor:
            return
        x, y = (min(max(at, 0.0), side - 1.0) for at, side in zip(self.pointer, size, strict=True))
        white, black = u32((1.0, 1.0, 1.0)), u32((0.0, 0.0, 0.0))
        shadow = u32((0.0, 0.0, 0.0), 0.2)
        imgui.internal.render_mouse_cursor((x, y), look.scale, imgui.get_mouse_cursor(), white, black, shadow)

    def _prepared_look(self) -> Look:
        """The look for the present theme, mode and scale; sets ImGui's style when one of them has changed."""
        scenario = self.workspace.session.scenario
        coloured_glasses = STEREO_MODES[scenario.stereo.mode].layout == "anaglyph"
        wanted = (scenario.view.theme, coloured_glasses, self.layout.scale, self.state.lecture)
        if self._look is None or wanted != self._look_of:
            palette = style.palette_of(THEMES[scenario.view.theme])
            if coloured_glasses:
                palette = style.neutral(palette)
            style.apply(palette, self.layout.scale, tooltips=not self.state.lecture)
            self._look, self._look_of = Look(palette, self._fonts, self.layout.scale), wanted
        return self._look

    def picture(self, rect: Rect) -> Any:
        """A part of what was drawn last, as pixels (H, W, 3), the top row first."""
        ground = self._look.palette.background if self._look else (0.0, 0.0, 0.0)
        pixels = self._renderer.read(self._viewports.size, ground)
        return pixels[rect.y : rect.y + rect.height, rect.x : rect.x + rect.width].copy()

    def save_plots_picture(self) -> None:
        """Write the picture of the plots, if one was asked for, of the frame that is complete now."""
        wanted, self.plots.picture_wanted = self.plots.picture_wanted, False
        if wanted and (rect := self.layout.areas.plots) is not None:
            self.workspace.writer.save_plots_picture(self.picture(rect))

    def release(self) -> None:
        """Deletes the GL objects and the ImGui context."""
        self.sound.close()
        imgui.set_current_context(self.context)
        self.plots.release()
        self.panel.release()
        self._renderer.release()
        imgui.destroy_context(self.context)


def _close_what_is_open(io: Any) -> None:
    """Ends a frame in the middle of which an exception came: ImGui closes the windows that are open itself."""
    io.config_error_recovery_enable_assert = io.config_error_recovery_enable_debug_log = False
    imgui.render()
    io.config_error_recovery_enable_assert = io.config_error_recovery_enable_debug_log = True
