"""The line that names the first gestures and keys, once for each user: for ten seconds, or until one is used."""

from collections.abc import Callable

from viewer.common.language import tr
from viewer.ui.layout import Rect
from viewer.ui.overlay import Canvas, Overlay, Overlays
from viewer.ui.overlays.recovery import Recovery
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.widgets import scopes, windows
from viewer.ui.widgets.drawing import width_of
from viewer.user.settings import Settings

SECONDS = 10.0
EVEN = 1.15  # times an equal part of its length: so wide its lines may be
SETTING = "hints.first"
NAMED = ("play", "gallery", "stereo")  # the actions that it names, beside the drag


class FirstHint(Overlay):
    """It waits until no tour and no lecture explains the scene, then it is drawn until it ends."""

    is_card = True

    def __init__(self, settings: Settings, overlays: Overlays, recovery: Recovery, clock: Callable[[], float]) -> None:
        self._settings, self._overlays, self._recovery, self._clock = settings, overlays, recovery, clock
        self._due = False
        self._until: float | None = None
        self._at_press = False  # whether it was shown when the mouse was pressed last

    @property
    def shown(self) -> bool:
        """Whether it is on the screen."""
        return self._until is not None

    def begin(self) -> None:
        """It is shown as soon as there is room for it, unless this user has seen it."""
        self._due = self._settings.kept and not self._settings.value(SETTING)

    def pressed(self) -> None:
        """A button of the mouse goes down over the scene."""
        self._at_press = self.shown

    def dragged(self) -> None:
        """The view was turned; by a press from before the line was there nobody followed it."""
        if self._at_press:
            self._until = None

    def started(self, action: str) -> None:
        """An action was started."""
        if action in NAMED:
            self._until = None

    def wait(self) -> float | None:
        """Seconds until it ends; None: it is not shown."""
        if self._until is None:
            return None
        left = max(0.0, self._until - self._clock())
        if left == 0.0:
            self._until = None  # one frame is due, without it
        return left

    def draw(self, canvas: Canvas) -> None:
        """Draw the line in the middle of the scene, above the messages, unless something else explains the scene."""
        look, free = canvas.look, canvas.free
        explained = canvas.touring or canvas.hidden or canvas.chart
        if explained or self._overlays.modal or self._recovery.box is not None:
            return
        if self._due:
            self._due, self._until = False, self._clock() + SECONDS
            self._settings.change(SETTING, True)
        if self.wait() is None:
            return
        line, pad, margin = tr("Drag to turn, Space to pause, A for scenes, S for stereo"), look.px(12), look.px(12)
        size = imgui.calc_text_size(line, False, max(look.px(30), free.width - 2 * (margin + pad)))
        lines = round(size.y / imgui.get_text_line_height())
        even = imgui.calc_text_size(line, False, EVEN * width_of(line) / lines)
        size = even if even.y == size.y else size  # lines of about the same length
        wide, tall = size.x + 2 * pad + 1.0, size.y + 2 * look.px(7)
        x, y = free.x + (free.width - wide) / 2, float(free.y + free.height) - margin - tall
        box = Rect(round(x), round(y), round(wide), round(tall))
        with windows.card(look, "First hint", box):
            imgui.set_cursor_screen_pos((box.x + pad, box.y + look.px(7)))
            with scopes.wrapped(pad + size.x + 1.0):
                imgui.text_unformatted(line)
