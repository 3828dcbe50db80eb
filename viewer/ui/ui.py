"""All elements of the ui: owns the ImGui context and lays them out."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import moderngl

from viewer.commands.actions import activity
from viewer.commands.loads import SpaceFrameOffer
from viewer.common import language
from viewer.common.errors import ErrorBoundary
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.choices.themes import THEMES
from viewer.scene.annotations.trails import corner
from viewer.scene.words.describe import describe
from viewer.ui import manual
from viewer.ui.bars.timeline import ChartBar, Timeline
from viewer.ui.bars.toolbar import Toolbar
from viewer.ui.freshness import Freshness
from viewer.ui.layout import Areas, Rect
from viewer.ui.lecture.board import Board
from viewer.ui.lecture.screen import BlackScreen, Spotlight
from viewer.ui.names.card import NameCard, NamePointer
from viewer.ui.names.legend import Legend
from viewer.ui.overlay import Overlay, UiCanvas
from viewer.ui.overlays.columns_dialog import ColumnsDialog
from viewer.ui.overlays.command_palette import CommandPalette
from viewer.ui.overlays.commands import find
from viewer.ui.overlays.file_dialog import FileDialog
from viewer.ui.overlays.gallery import Gallery, Thumbnails
from viewer.ui.overlays.mesh_dialog import MeshDialog
from viewer.ui.overlays.messages import MessageCard, clear_of_corner
from viewer.ui.overlays.reading import Keys, Words
from viewer.ui.overlays.saving import ProgressCard, RecordingMark, SaveDialog
from viewer.ui.overlays.start_cards import BeginningVeil, FirstHint, FirstStart, Recovery
from viewer.ui.overlays.tour_card import TourCard
from viewer.ui.panel.panel import Panel
from viewer.ui.platform.imgui_events import CURSORS
from viewer.ui.platform.imgui_module import imgui, implot
from viewer.ui.platform.imgui_renderer import ImguiRenderer
from viewer.ui.plots.plots import Plots
from viewer.ui.sound import Sound
from viewer.ui.view.scene_overlays import ChoiceName, SelectedBody
from viewer.ui.view.scene_view import SceneView
from viewer.ui.widgets import style
from viewer.ui.widgets.drawing import Look
from viewer.ui.widgets.fields import FieldWidgets
from viewer.ui.widgets.style import u32
from viewer.ui.window_layout import WindowLayout
from viewer.workspace.state import UiState
from viewer.workspace.workspace import Workspace

if TYPE_CHECKING:
    from viewer.ui.platform.window import AppWindow

LONGEST_STEP = 1.0  # s between two frames, for ImGui: more than a double click lasts


class Ui:
    """The panel, dialogs and messages of one app. Positions are ui pixels (see `viewports`)."""

    def __init__(
        self,
        ctx: moderngl.Context,
        workspace: Workspace,
        window: "AppWindow",
        layout: WindowLayout,
        scene_view: SceneView,
        failed: Callable[[Exception], None],
    ) -> None:
        """`failed` is called with an unexpected exception."""
        self.workspace, self.state, self.window, self.layout = workspace, workspace.state, window, layout
        self.scene_view = scene_view
        session, clock = workspace.session, workspace.clock
        self.context, self._plots_context = imgui.create_context(), implot.create_context()
        imgui.set_current_context(self.context)
        io = imgui.get_io()
        io.set_ini_filename("")
        io.set_log_filename("")
        io.config_input_text_cursor_blink = False
        io.config_windows_move_from_title_bar_only = True
        io.backend_flags |= imgui.BackendFlags_.has_mouse_cursors.value
        self._fonts = style.load_fonts()
        self._renderer = ImguiRenderer(ctx)
        self.boundary = ErrorBoundary(failed)
        self.overlays = overlays = layout.overlays
        self.controls = FieldWidgets(session, workspace.editor, clock)
        self.space_frame = SpaceFrameOffer(workspace)
        self.recovery = Recovery(workspace)
        self.first_start = FirstStart(workspace, self.recovery)
        self.first_hint = FirstHint(workspace.settings, overlays, self.recovery, clock)
        self.keys, self.words = Keys(), Words()
        self.gallery = Gallery(workspace, Thumbnails(self._renderer))
        self.sound = Sound(session, scene_view, workspace.settings, workspace.messages)
        self.panel = Panel(workspace, layout, scene_view, self.controls, self.boundary)
        self.plots = Plots(workspace, self.controls, self.boundary)
        self.names = NamePointer(workspace.state, workspace.settings, layout, scene_view, clock)
        focus = self.controls.focus
        self.tour_card = TourCard(workspace.tour, layout, self.show_field, focus, scene_view, clock)
        self.name_card = NameCard(workspace, scene_view, self.names)
        self.legend = Legend(workspace, scene_view)
        self.message_card = MessageCard(workspace, scene_view, partial(activity, workspace))
        self.palette = CommandPalette(partial(find, workspace))
        opened = {"gallery": self.gallery, "palette": self.palette, "keys": self.keys}
        self.dialog, self.mesh_dialog = FileDialog(workspace), MeshDialog(workspace)
        self.columns_dialog, self.save_dialog = ColumnsDialog(workspace), SaveDialog(workspace)
        self.board = Board(workspace, self.controls)
        overlays.fill(  # from back to front
            SelectedBody(workspace, scene_view),
            RecordingMark(workspace.writer),
            self.first_start,
            self.panel,
            self.plots,
            Timeline(session, workspace.state, self.controls, workspace.stabilisation),
            Toolbar(workspace, focus, opened),
            ChoiceName(workspace),
            self.tour_card,
            self.legend,
            FocusedControl(self.controls),
            self.board,
            Hand(workspace.state),
            ChartBar(session, workspace.state, self.controls),
            self.recovery,
            BeginningVeil(workspace),
            self.message_card,
            self.first_hint,
            self.name_card,
            ProgressCard(workspace.writer),
            self.keys,
            self.words,
            self.gallery,
            self.palette,
            self.dialog,
            self.mesh_dialog,
            self.columns_dialog,
            self.save_dialog,
            Spotlight(self._renderer, workspace.state, overlays),
            BlackScreen(workspace.lecture, workspace.state),
        )
        self._look: Look | None = None
        self._look_of: tuple[str, bool, float, bool] | None = None
        self.freshness = Freshness(session, overlays, self._made_of, clock)
        self._viewports = self.layout.viewports  # of the frame that was built last
        self.pointer: tuple[float, float] | None = None  # where the mouse is, None outside of the window
        workspace.in_window |= {
            "panel": layout.toggle_panel,
            "search": self.search,
            "sound": self.sound.toggle,
            "legend": self.legend.toggle,
            "dismiss": overlays.dismiss,
            "close-overlays": overlays.close_all,
            "keys": self.keys.toggle,
            "manual": self.show_manual,
            "palette": self.palette.toggle,
            "gallery": self.gallery.toggle,
            "describe": lambda: self.words.show(describe(session)),
            "go-to": self.go_to,
        }

    def _made_of(self) -> object:
        """Return all that a layout depends on besides the motion, the pointer and the input."""
        workspace, job = self.workspace, activity(self.workspace)
        shown = workspace.messages.shown, None if job is None else (job.text, job.offer is None)
        return replace(self.state), self.overlays.open, shown, workspace.revision

    @property
    def gray(self) -> bool:
        """Whether the ui has no colours, for coloured glasses."""
        return self._look_of is not None and self._look_of[1]

    @property
    def cursor(self) -> str | None:
        """The name, in pyglet, of the cursor that the system shows; None if the ui draws its own or hides it."""
        return None if self._draws_cursor or self._hides_cursor else CURSORS.get(imgui.get_mouse_cursor(), "")

    @property
    def _hides_cursor(self) -> bool:
        """Whether a lecture shows no cursor: on a black screen, and from a key press until the mouse moves."""
        return self.state.lecture and (self.state.black or not self.state.spot)

    @property
    def _draws_cursor(self) -> bool:
        return len(self.layout.viewports.rects) > 1

    def pointed(self, at: tuple[float, float] | None) -> None:
        """Note where the mouse is: None if it is outside the window.

        If it has moved, a frame is due in a lecture, which shows a spot there, or if the ui draws the cursor itself.
        """
        if at != self.pointer:
            self.state.spot = self.state.lecture and at is not None
            if self._draws_cursor or self.state.lecture:
                self.freshness.one_more()
        self.pointer = at

    def covers(self, x: float, y: float) -> bool:
        """Return whether an element of the ui takes the mouse at (x, y)."""
        return not self.layout.areas.scene.holds(x, y) or self.overlays.covers(x, y)

    def take_key(self, key: str) -> bool:
        """Return whether a key, written as in the table of actions, is for an element of the ui.

        In a lecture every key hides the pointer.
        """
        self.state.spot = False
        return self.overlays.take_key(key)

    def go_to(self, path: str, control: str = "") -> None:
        """Show the control of a field of the scene; give the keyboard to it, or to `control` if that is named."""
        shown = self.show_field(path)
        self.controls.focus.give(control or shown)

    def show_field(self, path: str) -> str:
        """Show the control of a field of the scene, in the panel or on the board; return the control's name."""
        return self.workspace.lecture.ask(path) if self.state.lecture else self.panel.show_field(path)

    def search(self) -> None:
        """Give the keyboard to the panel's search; if the panel cannot be shown, open or close the palette."""
        if not self.state.lecture:
            self.layout.show_panel(True)
        if self.layout.areas.panel is None:
            self.palette.toggle()
        else:
            self.panel.search.begin()

    def show_manual(self) -> None:
        """Open the manual where it explains the section of the panel in use."""
        manual.show(self.workspace.messages, manual.anchor_of(self.panel.section))

    def touched(self, resting: bool = False) -> None:
        """Note an input; frames are due for it. `resting`: the mouse may come to rest on something with a tooltip."""
        self.freshness.touched(resting)

    @property
    def has_input(self) -> bool:
        """Whether there is input that ImGui has not taken yet."""
        return bool(self.context.input_events_queue.size() > 0)

    def refresh(self) -> None:
        """Build the next frame, unless the last one is new enough to be shown again."""
        recording = self.workspace.writer.recording
        if recording or self.has_input or self.freshness.due(self.pointer):
            self.build()

    def build(self) -> None:
        """Build the next frame: take the input, and act on it.

        If that changes the layout, the frame is built again, so that scene and ui divide the window alike.
        """
        self.freshness.settling -= 1
        for _ in range(3):  # a docked card and the contents of a dialog are measured when they are laid out
            self._viewports, areas = self.layout.viewports, self.layout.areas
            self._build(areas)
            same = (self._viewports, areas) == (self.layout.viewports, self.layout.areas)
            if same and not self.overlays.growing:
                break

    def paint(self, framebuffer: moderngl.Framebuffer) -> None:
        """Draw the frame that was built last over `framebuffer`."""
        self._renderer.draw(framebuffer, self._viewports.rects, self.window.pixels[1], self.gray)

    def _build(self, areas: Areas) -> None:
        """Let ImGui take the input, and lay everything out."""
        if language.choose(self.workspace.settings.value("panel.language")):
            self.workspace.session.status.changed()  # the words in the scene
        size = self._viewports.size
        imgui.set_current_context(self.context)
        implot.set_current_context(self._plots_context)
        look = self.prepared_look()
        io = imgui.get_io()
        io.display_size = (float(size[0]), float(size[1]))
        flag = imgui.ConfigFlags_.nav_enable_keyboard.value  # only in lists and dialogs: see `KeyboardFocus`
        moving = self.overlays.popup_open or bool(self.overlays.dialogs)
        io.config_flags = io.config_flags | flag if moving else io.config_flags & ~flag
        io.delta_time = min(LONGEST_STEP, max(1e-4, self.freshness.begin(self.pointer)))
        imgui.new_frame()
        try:
            self._elements(self._canvas(look, size, areas))
        except BaseException:
            _close_what_is_open(io)
            raise
        imgui.render()
        self.overlays.laid_out()

    def _canvas(self, look: Look, size: tuple[int, int], areas: Areas) -> UiCanvas:
        """Return what the elements are drawn on."""
        state, document = self.state, self.workspace.session.document
        taken = (0.0, 0.0)  # in the scene's lower left corner the picture has something of its own
        if not state.chart:
            taken = corner(document.scenario, document.measured is not None)
        free = clear_of_corner(look, areas.scene, self.scene_view.marks_scale, taken)
        touring = state.lecture or self.workspace.tour.tour is not None
        return UiCanvas(look, size, areas, free, self.pointer, self.gray, state.hidden, state.chart, touring)

    def _elements(self, canvas: UiCanvas) -> None:
        """Draw the elements; if one of them fails, the others are still drawn."""
        if not self.overlays.modal:
            self.space_frame.follow()
        self.state.pointed = ""  # until the panel says what it is
        self.workspace.session.playback.held = False  # until the timeline is dragged, or a picture is saved
        self.controls.focus.begin_frame()
        self.controls.numbers.begin_frame()
        popup_was_open = self.overlays.popup_open
        self.overlays.draw(canvas, self.boundary.attempt)
        popup_open = self.overlays.popup_open
        busy = self.controls.numbers.busy or self.overlays.growing or self.has_input
        if popup_open != popup_was_open or busy:
            self.freshness.touched()  # ImGui spreads a press and its release over frames
        self.layout.note_use(canvas.areas, self.pointer, popup_open)
        if self.state.handle:
            imgui.set_mouse_cursor(imgui.MouseCursor_.hand.value)
        self._draw_cursor(canvas.look, canvas.size)

    def _draw_cursor(self, look: Look, size: tuple[int, int]) -> None:
        """Draw the cursor in every part; at the edge, while a drag leads out of the part where it began."""
        if self.pointer is None or self._hides_cursor or not self._draws_cursor:
            return
        x, y = (min(max(at, 0.0), side - 1.0) for at, side in zip(self.pointer, size, strict=True))
        white, black = u32((1.0, 1.0, 1.0)), u32((0.0, 0.0, 0.0))
        shadow = u32((0.0, 0.0, 0.0), 0.2)
        imgui.internal.render_mouse_cursor((x, y), look.scale, imgui.get_mouse_cursor(), white, black, shadow)

    def prepared_look(self) -> Look:
        """Return the look for the present theme, mode and scale; set ImGui's style when one of them has changed."""
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
        """Return the pixels (H, W, 3) of a part of the ui as drawn last, the top row first."""
        ground = self._look.palette.background if self._look else (0.0, 0.0, 0.0)
        pixels = self._renderer.read(self._viewports.size, ground)
        return pixels[rect.y : rect.y + rect.height, rect.x : rect.x + rect.width].copy()

    def save_plots_picture(self) -> None:
        """Write a picture of the plots in the frame just completed, if one was asked for."""
        wanted, self.plots.picture_wanted = self.plots.picture_wanted, False
        if wanted and (rect := self.layout.areas.plots) is not None:
            self.workspace.writer.save_plots_picture(self.picture(rect))

    def release(self) -> None:
        """Delete the GL objects and the ImGui context."""
        self.sound.close()
        imgui.set_current_context(self.context)
        self._renderer.release()
        implot.destroy_context(self._plots_context)
        imgui.destroy_context(self.context)


def _close_what_is_open(io: Any) -> None:
    """End a frame that an exception has interrupted; ImGui itself closes the windows that are still open."""
    io.config_error_recovery_enable_assert = io.config_error_recovery_enable_debug_log = False
    imgui.render()
    io.config_error_recovery_enable_assert = io.config_error_recovery_enable_debug_log = True


class FocusedControl(Overlay):
    """The control that has the keyboard, in the panel, in a bar or on the board."""

    def __init__(self, controls: FieldWidgets) -> None:
        self._controls, self._focus, self._numbers = controls, controls.focus, controls.numbers

    @property
    def typing(self) -> bool:
        return self._controls.typing

    @property
    def waiting(self) -> bool:
        return self._numbers.waiting or self._focus.waiting

    def wait(self) -> float | None:
        return self._numbers.wait()

    def take_key(self, key: str) -> bool:
        """Take a key for the control that has the keyboard; Tab also leads on from a number that is being typed."""
        if self._numbers.typing is not None:
            if key not in ("Tab", "Shift+Tab"):
                return False
            self._focus.give(self._numbers.typing)
            self._numbers.finish()
        return self._focus.take(key)

    def take_text(self, typed: str) -> bool:
        return self._focus.take_text(typed)


class Hand(Overlay):
    """The hand, the tool that takes hold of the body; Escape puts the hand down."""

    def __init__(self, state: UiState) -> None:
        self._state = state

    @property
    def is_open(self) -> bool:
        return self._state.hand

    def close(self) -> None:
        self._state.hand = False
