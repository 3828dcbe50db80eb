"""What the very first start shows over the scene: a caption, a button into the tour; slow motion at flips."""

from collections.abc import Callable
from math import exp

from viewer.common.language import tr
from viewer.scenario.tours import tours
from viewer.ui.layout import Rect
from viewer.ui.overlay import Canvas, Card
from viewer.ui.overlays.recovery import Recovery
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes, windows
from viewer.ui.widgets.drawing import tooltip
from viewer.ui.widgets.style import u32
from viewer.workspace.workspace import Workspace

TOURS = ("why-it-flips", "flip")  # the first that there is explains it
CAPTION_SIZE, CAPTION_FRACTION = 30.0, 0.045  # at text size 1, and at least so much of the scene's height
WIDEST = 0.88  # of the scene's width, that the caption takes
BELOW, HINT = 0.09, 50.0  # between the button and its lower edge: of the scene's height, and least, for the first hint
FADE_IN = 1.2  # s, of the caption
SLOWEST = 0.3  # of the speed, in the middle of a flip
LASTS = 0.09  # of the time between two flips: so long before and after one the speed has come most of the way
FAINT = 0.45  # of the opacity of arrows and ellipsoid
COMES = 0.15  # of the time between two flips, in which they come


class FirstStart(Card):
    """While it lasts `UiState.opening` is set: until the scene is changed or another one takes its place, or Escape.

    However it is looked at meanwhile, the caption stays, and the panel stays folded until somebody opens it.
    """

    def __init__(self, workspace: Workspace, recovery: Recovery, clock: Callable[[], float]) -> None:
        self._workspace, self._session, self._state = workspace, workspace.session, workspace.state
        self._recovery, self._clock = recovery, clock
        self._began = 0.0
        self._seen = 0.0  # s of the motion, when it began
        self._flip: float | None = None  # the time of one, s; known once it is needed
        self._between = 0.0  # two flips, s
        self._shown: tuple[object, ...] = ()  # what it explains

    @property
    def is_open(self) -> bool:
        return self._state.opening

    def close(self) -> None:
        self._workspace.end_first_scene()

    @property
    def animated(self) -> bool:
        """Whether the caption is still getting brighter."""
        return self._state.opening and self._clock() - self._began <= FADE_IN

    def begin(self) -> None:
        """The scene is seen for the first time. Its motion goes slowly where it turns over."""
        self._state.opening, self._began, self._shown = True, self._clock(), self._now
        self._state.panel = False
        between = self._session.snapshot().flip_period
        if between is not None:
            self._seen, self._flip, self._between = self._session.motion.time, None, between
            self._session.playback.pace = self.pace

    def pace(self, time: float) -> float:
        """The factor on the speed at a time [s] of the motion: 1 far from a flip, smoothly less near to one."""
        if time == self._seen:
            return 1.0  # the first picture does not wait for where the flips are: a tenth of the start
        if self._flip is None:
            self._flip, _ = self._session.motion.next_flip()
        if self._flip is None:
            return 1.0
        between = self._between
        away = (time - self._flip + 0.5 * between) % between - 0.5 * between
        return 1.0 - (1.0 - SLOWEST) * exp(-((away / (LASTS * between)) ** 2))

    @property
    def _now(self) -> tuple[object, ...]:
        """The scene but for the clock and how it is looked at."""
        scene, motion = self._session.scenario, self._session.motion
        return scene.body, scene.start, scene.loads, scene.solver, scene.race, scene.bodies, scene.show, motion.changes

    def _fade(self) -> None:
        """After the first flip the arrows of L and omega and the ellipsoid come, faintly."""
        if self._flip is not None and self._between:
            since = (self._session.motion.time - self._flip) / (COMES * self._between)
            self._state.faint = FAINT * min(1.0, max(0.0, since))

    def explain(self) -> None:
        """Begins the tour that explains it."""
        self._workspace.end_first_scene()
        self._workspace.tour.start(next(name for name in TOURS if name in tours()))

    def take_key(self, name: str) -> bool:
        """Whether a key, written as in the table of actions, is the button."""
        pressed = name == "Enter" and self.box is not None and self._state.opening
        if pressed:
            self.explain()
        return pressed

    def draw(self, canvas: Canvas) -> None:
        """The caption with the button below it, near the lower edge of the scene: below them stands the first hint.

        They stand above the card of what was not saved, where that is in the way.
        """
        look, scene, card = canvas.look, canvas.areas.scene, self._recovery.box
        self.box = None
        if self._state.opening and self._now != self._shown:
            self._workspace.end_first_scene()
        if not self._state.opening or canvas.touring or canvas.hidden or canvas.chart:
            return
        self._fade()
        caption, why = tr("Nothing pushes it. Watch."), tr("Why?")
        there = min(1.0, max(0.0, (self._clock() - self._began) / FADE_IN))
        letters = max(CAPTION_SIZE, CAPTION_FRACTION * scene.height / look.scale)
        with scopes.font(look.fonts.regular, letters):
            size = imgui.calc_text_size(caption)
        fits = min(1.0, WIDEST * scene.width / size.x)
        tall = imgui.get_frame_height() + look.px(6)
        wide = max(imgui.calc_text_size(why).x + look.px(40), look.px(96))
        middle, bottom = scene.x + 0.5 * scene.width, scene.y + scene.height - max(BELOW * scene.height, look.px(HINT))
        if card is not None and card.x + card.width > middle - max(wide, fits * size.x) / 2:
            bottom = min(bottom, card.y - look.px(10))
        box = Rect(round(middle - wide / 2), round(bottom - tall), round(wide), round(tall))
        at = (round(middle - fits * size.x / 2), round(box.y - look.px(10) - fits * size.y))
        with scopes.font(look.fonts.regular, fits * letters):
            target, color = imgui.get_background_draw_list(), u32(look.palette.text, 0.92 * there)
            target.add_text(at, color, caption)
        self.box = box
        with windows.card(look, "First start", box):
            imgui.set_cursor_screen_pos((box.x, box.y))
            with scopes.colored(look.palette.fill, what="button"):
                pressed = imgui.button(why + "###why", box.size)
            tooltip(look, tr("Enter", "key"))
        if pressed:
            self.explain()
