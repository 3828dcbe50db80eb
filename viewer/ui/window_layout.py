"""How the window is divided: between the eyes by the stereo mode, and between the elements of the ui."""

from typing import TYPE_CHECKING

from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scene.presentation import enlargement
from viewer.scene.stereo.comfort import EYES_APART
from viewer.ui.layout import NARROWEST_BAR, Areas, Rect, arrange, text_scale
from viewer.ui.lecture.layout import arrange_lecture
from viewer.ui.overlay import Overlays
from viewer.ui.platform.display import Monitor
from viewer.ui.view.viewports import Viewports, divide
from viewer.user.settings import NARROWEST_PANEL
from viewer.workspace.workspace import Workspace

if TYPE_CHECKING:
    from viewer.ui.platform.window import AppWindow


class WindowLayout:
    """The division of the window, which follows its size, the settings, and what is open; in ui pixels."""

    def __init__(self, workspace: Workspace, window: "AppWindow", monitor: Monitor) -> None:
        self._session, self._state, self._settings = workspace.session, workspace.state, workspace.settings
        self._window, self._monitor = window, monitor
        self.overlays = Overlays()
        self._panel_used = False
        self.card_height = 0  # pixels that a tour's card needs at its present step
        self.tallest_card = 0  # pixels that the tallest card of the tour needs

    @property
    def viewports(self) -> Viewports:
        """The window's parts, each of which shows the whole ui."""
        return divide(STEREO_MODES[self._mode], self._window.pixels, self._widest)

    @property
    def _widest(self) -> int | None:
        """The largest distance [pixels] between pictures side by side at which the eyes need not turn outwards.

        None if there is no limit: the stereo mode or the scene asks for none, the width of the screen is unknown, or
        the room is needed for the panel, the plots, a lecture or a dialog.
        """
        stereo, state = self._session.scenario.stereo, self._state
        if not stereo.comfort or not STEREO_MODES[stereo.mode].is_parallel(stereo.exchange_eyes):
            return None
        if state.panel_modes.get(stereo.mode, self._panel_used) or state.plots or state.lecture:
            return None
        if self.overlays.reading:
            return None
        return self._monitor.pixels(self._window, EYES_APART, stereo.screen_width)

    @property
    def scale(self) -> float:
        """Ui pixels per pixel at scale 1: the screen's scale times the text size, as far as there is room.

        In a lecture the interface grows with the window, as the scene's letters do, so that the last row can read it.
        """
        (width, height), screen = self.viewports.size, self._window.interface_scale
        if self._state.lecture:
            text_size = self._state.lecture_text * enlargement((width / screen, height / screen))
        else:
            text_size = self._settings.value("panel.text_size")
        return text_scale(width, screen, text_size)

    @property
    def text_size(self) -> float:
        """How many times larger than usual the letters are, as far as there is room."""
        return self.scale / self._window.interface_scale

    @property
    def areas(self) -> Areas:
        """Which element has which part of the ui; a panel in use does not fold by itself."""
        state, settings = self._state, self._settings
        panel_open = True if self._panel_used and state.panel is None and self._has_room else state.panel
        if self._parted:
            panel_open = state.panel_modes.get(self._mode, bool(self._panel_used and panel_open))
        plots = settings.value("plots.height") if state.plots else 0.0
        if state.lecture and not state.hidden:
            has_board = state.panel is not False
            return arrange_lecture(self.viewports.size, self.scale, has_board, plots, self.card_height)
        wide = self._panel_width
        grows = self._widest is not None
        size, scale = self.viewports.size, self.scale
        return arrange(size, scale, state.hidden, panel_open, wide, plots, self.card_height, grows, self.tallest_card)

    @property
    def scene_rects(self) -> tuple[Rect, ...]:
        """Where the window shows the scene, in its pixels: once in each of its parts."""
        return self.viewports.outward(self.areas.scene)

    def show_panel(self, is_open: bool) -> None:
        """Open the panel, or fold it to its strip.

        If each eye has a part of the window, the choice holds for the present stereo mode. Else it holds for all other
        modes; but a panel opened where it would open by itself folds again when there is no longer room for it.
        """
        state, self._panel_used = self._state, False
        by_itself = is_open and self._opens and not state.lecture
        state.hidden = False
        if self._parted and not state.lecture:
            state.panel_modes = {**state.panel_modes, self._mode: is_open}
        else:
            state.panel = None if by_itself else is_open

    @property
    def _mode(self) -> str:
        """The name of the stereo mode."""
        return self._session.scenario.stereo.mode

    @property
    def _parted(self) -> bool:
        """Whether each eye has a part of the window; a panel would then take much of the part."""
        return len(self.viewports.rects) > 1

    @property
    def _panel_width(self) -> float:
        """The width of the open panel at scale 1.

        If each eye has a part of the window, it is at most half of that part, but never less than NARROWEST_PANEL.
        """
        wide: float = self._settings.value("panel.width")
        half = self.viewports.size[0] / (2 * self.scale)
        return max(min(wide, half), NARROWEST_PANEL) if self._parted else wide

    @property
    def _opens(self) -> bool:
        """Whether there is enough room for the panel to open by itself."""
        return not self._parted and arrange(self.viewports.size, self.scale).panel is not None

    @property
    def _has_room(self) -> bool:
        """Whether the open panel leaves room for a timeline, and a scene at least NARROWEST_BAR wide."""
        areas = arrange(self.viewports.size, self.scale, False, True, self._panel_width)
        return areas.timeline is not None and areas.scene.width >= NARROWEST_BAR * self.scale

    def toggle_panel(self) -> None:
        """Fold the panel, or the board in lecture mode, if it is shown; else open it."""
        self.show_panel(self.areas.panel is None and self.areas.board is None)

    def beside_panel(self, is_open: bool) -> int:
        """Return the width of the scene beside the open or the folded panel."""
        return arrange(self.viewports.size, self.scale, False, is_open, self._panel_width).scene.width

    def panel_fits(self, least: float) -> bool:
        """Return whether the open panel leaves the scene `least` pixels at scale 1; if not, let the panel fold."""
        if self._state.lecture:
            return False
        fits = self.beside_panel(True) >= least * self.scale
        if not fits:
            self._fold_by_itself()
        return fits

    def _fold_by_itself(self) -> None:
        """Forget that the panel was used or opened, so that it is open only where it opens by itself."""
        self._panel_used = False
        if self._parted:
            modes = self._state.panel_modes
            self._state.panel_modes = {mode: is_open for mode, is_open in modes.items() if mode != self._mode}
        else:
            self._state.panel = None

    def note_use(self, areas: Areas, pointer: tuple[float, float] | None, in_list: bool) -> None:
        """Note whether the panel is in use, because the mouse at `pointer` is over it or a list is open (`in_list`).

        While in use it does not fold by itself. `areas` are those of the frame that was built.
        """
        if self._state.lecture:
            return
        if not self._parted and self._state.panel is None and self._panel_used and not self._opens and self._has_room:
            self._state.panel = True
        at_panel = pointer is not None and areas.panel is not None and areas.panel.holds(*pointer)
        self._panel_used = areas.panel is not None and (at_panel or in_list)
