"""The message at the bottom of the scene, the list of recent ones above it, and the mark of a film being recorded."""

import time
from collections import deque
from collections.abc import Callable

from viewer.common.errors import GraphicsError, InputError
from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.common.version import __version__
from viewer.ui.layout import Rect
from viewer.ui.platform.imgui_module import imgui
from viewer.ui.state import UiState
from viewer.ui.widgets import icons, scopes, windows
from viewer.ui.widgets.drawing import Look, icon_button, shortened_to, text, tooltip, width_of
from viewer.ui.widgets.formatting import named, printable
from viewer.ui.widgets.style import u32
from viewer.user import log

NOTICE_SECONDS = 4.0  # that a notice stays; an error stays until it is closed or another message comes
READ = 20.0  # characters a second
OFFER_SECONDS = 12.0  # that a notice with a button stays
KEPT = 50  # messages in the list
LISTED = 8  # that have room in it
MARK_MARGIN, MARK_RADIUS = 14.0, 5.0  # px at scale 1, of the recording mark
HIGHEST = 0.25  # of the scene's height for the text of the newest message, which is not to stand before its middle
LEAST_BESIDE = 320.0  # at scale 1: width for messages beside what stands in the scene's corner


def clear_of_corner(look: Look, scene: Rect, taken: tuple[float, float]) -> Rect:
    """The scene without its lower left corner, `taken` pixels wide and high: what is beside it, where that is narrow
    what is above it."""
    wide, tall = round(taken[0]), round(taken[1])
    if scene.width - wide >= look.px(LEAST_BESIDE):
        return Rect(scene.x + wide, scene.y, scene.width - wide, scene.height)
    return Rect(scene.x, scene.y, scene.width, max(1, scene.height - tall))


@frozen
class Message:
    """A notice or an error. `at`: the time of day, as text. `detail`: what a bug report needs besides.

    `offer`: the label of a button that does something about it.
    """

    text: str
    error: bool
    at: str
    detail: str = ""
    offer: str = ""

    @property
    def report(self) -> str:
        """What the button "copy" copies."""
        lines = (f"Poinsot {__version__}, {self.at}", self.text, self.detail)
        return "\n".join(line for line in lines if line)


class Messages:
    """Messages of the app, else of the session; every error goes to the log as well."""

    def __init__(self, state: UiState, clock: Callable[[], float] = time.monotonic) -> None:
        self._state, self._clock = state, clock
        self.shown: Message | None = None  # of the app, until it is closed or its time is over
        self._until = 0.0
        self._closed: tuple[str, int] | None = None  # the session's message that the user has closed, and its number
        self._listed: tuple[str, int] | None = None  # .. that is in the list already
        self._doubt = False  # whether that is no error, and comes back after other messages
        self.working: str | None = None  # what the app is at just now: goes before all else, and into no list
        self.cancel: Callable[[], None] = lambda: None  # ends that
        self.proposed: tuple[str, Callable[[], object]] | None = None  # a button beside it, and what that does
        self._take: Callable[[], object] = lambda: None  # what the button of an offer does
        self._holds: Callable[[], bool] = lambda: True  # whether what the offer says is still so
        self._leave: Callable[[], object] | None = None  # what closing the offer does
        self.latest: deque[Message] = deque(maxlen=KEPT)
        self.boxes: list[Rect] = []  # what was drawn last, where the mouse is not the scene's

    def attempt(self, what: Callable[[], object], text: Callable[[Exception], str] = str) -> str | None:
        """Does it; what is refused becomes an error message, which is returned. `text`: how it reads."""
        try:
            what()
        except (InputError, GraphicsError) as error:
            self.error(text(error))
            return text(error)
        return None

    def error(self, text: str, detail: str = "") -> None:
        """Shows an error until it is closed."""
        self._show(text, True, detail)
        self._until = float("inf")
        log.write("error", text)

    def notice(self, text: str) -> None:
        """Shows a notice for a few seconds."""
        self._show(text, False, "")
        self._until = self._clock() + max(NOTICE_SECONDS, len(text) / READ)

    def offer(
        self, text: str, label: str, take: Callable[[], object], holds: Callable[[], bool], error: bool = False,
        leave: Callable[[], object] | None = None,
    ) -> None:  # fmt: skip
        """Shows a notice with a button, which does something and takes the notice away; `error`: an error, which stays
        until it is closed. `leave`: the offer is a question, which stays as well, and closing it does this.

        It goes as soon as it no longer `holds`, which is asked in each frame, or the session has something to say.
        """
        self._show(text, error, "", label)
        self._until = float("inf") if error or leave else self._clock() + OFFER_SECONDS
        self._take, self._holds, self._leave = take, holds, leave

    def _show(self, text: str, error: bool, detail: str, offer: str = "") -> None:
        self.shown = Message(printable(text), error, time.strftime("%H:%M:%S"), printable(detail), offer)
        if not self._doubt:
            self._closed = self._listed
        self._keep(self.shown)

    def _keep(self, message: Message) -> None:
        """Into the list; a repeated message replaces the last one."""
        if self.latest and (self.latest[-1].text, self.latest[-1].error) == (message.text, message.error):
            self.latest.pop()
        self.latest.append(message)

    def clear(self) -> None:
        """Takes the app's own message away; the list keeps it."""
        self.shown = None

    def for_dialog(self, done: Callable[[], str | None]) -> str | None:
        """Does what a dialog is for, and returns the error that it is to show: what it says stands there and in the
        list, not behind the dialog as well. None: the dialog is over, an error with a button among them."""
        before, problem = self.shown, done()
        new = self.shown if self.shown is not before else None
        if problem is None or new is None or not new.error:
            return problem
        if new.offer:
            return None
        self.clear()
        return new.text

    def toggle_list(self) -> None:
        """Shows or hides the list of the latest messages."""
        self._state.messages = not self._state.messages and bool(self.latest)

    def current(self, session_message: str | None, doubt: bool = False, number: int = 0) -> Message | None:
        """What to show; None for nothing. `doubt`: the session's message is no error. `number`: of the message, another
        one where it was given again; a doubt may be put anew each time."""
        offer = self.shown is not None and bool(self.shown.offer)
        given = None if session_message is None else (session_message, 0 if doubt else number)
        news = given is not None and given != self._listed
        if self._clock() >= self._until or (offer and (news or not self._holds())):
            self.shown = None
        if session_message is None:
            self._closed = None
        elif news:
            self._keep(Message(printable(session_message), not doubt, time.strftime("%H:%M:%S")))
        self._listed, self._doubt = given, doubt
        if self.working is not None:
            label = "" if self.proposed is None else self.proposed[0]
            return Message(printable(self.working), False, "", offer=label)
        if self.shown is not None:
            return self.shown
        if session_message is not None and given != self._closed:
            return Message(printable(session_message), not doubt, time.strftime("%H:%M:%S"))
        return None

    def wait(self) -> float | None:
        """Seconds until a notice ends; None where nothing is to end by itself."""
        if self.shown is None or self._until == float("inf"):
            return None
        return max(0.0, self._until - self._clock())

    def covers(self, x: float, y: float) -> bool:
        """Whether (x, y) lies on what was drawn."""
        return any(box.holds(x, y) for box in self.boxes)

    def draw(self, look: Look, scene: Rect, message: Message | None, hidden: bool, errors_only: bool = False) -> None:
        """Draws the `current` one at the bottom of the scene, and the list above it; notices not while `hidden`."""
        self.boxes = []
        width, height = scene.size
        if width < look.px(80) or height < look.px(60):
            return
        bottom = scene.y + height - look.px(12)
        if message is not None and (message.error or not (errors_only or (hidden and not message.offer))):
            bottom = self._line(look, scene, bottom, message) - look.px(6)
        if self._state.messages and not hidden:
            self._list(look, scene, bottom)

    def _line(self, look: Look, scene: Rect, bottom: float, message: Message) -> float:
        """The newest message with its buttons, cut where it is tall; returns its upper edge."""
        p, margin, pad, button = look.palette, look.px(12), look.px(12), look.px(22)
        more = len(self.latest) > 1
        buttons = button * (2 + more) + look.px(4)
        room = max(look.px(30), scene.width - 2 * margin - 2 * pad - buttons) + 1.0
        tall = max(HIGHEST * scene.height, 2.1 * imgui.get_text_line_height())
        shown = shortened_to(message.text, room, tall)
        wrapped = imgui.calc_text_size(shown, False, room)
        below = imgui.get_frame_height() + look.px(6) if message.offer else 0.0
        wide = width_of(message.offer) + 2 * look.px(8) - buttons if message.offer else 0.0
        box = (
            max(min(wrapped.x, room), min(wide, room)) + 2 * pad + buttons,
            max(wrapped.y, button) + 2 * look.px(6) + below,
        )
        x, y = scene.x + margin, float(max(scene.y, bottom - box[1]))
        rect = Rect(round(x), round(y), round(box[0]), round(box[1]))
        self.boxes.append(rect)
        with windows.card(look, "Message", rect):
            stripe = p.danger if message.error else p.accent
            imgui.get_window_draw_list().add_rect_filled((x, y), (x + look.px(3), y + box[1]), u32(stripe))
            imgui.set_cursor_screen_pos((x + pad, y + (box[1] - below - wrapped.y) / 2))
            with scopes.wrapped(pad + room):
                imgui.text_unformatted(shown)
            if shown != message.text:
                tooltip(look, message.text)
            at = x + box[0] - buttons
            top = y + (box[1] - below - button) / 2
            if more:
                imgui.set_cursor_screen_pos((at, top))
                if icon_button(look, "messages", icons.lines, button, button, plain=True):
                    self.toggle_list()
                tooltip(look, tr("Recent messages (Ctrl+L)"))
                at += button
            imgui.set_cursor_screen_pos((at, top))
            if icon_button(look, "copy", icons.copy, button, button, plain=True):
                imgui.set_clipboard_text(message.report)
            tooltip(look, tr("Copy with details"), *message.detail.splitlines()[-1:])
            imgui.set_cursor_screen_pos((at + button, top))
            if icon_button(look, "close", icons.cross, button, button, plain=True):
                if self.working is not None:
                    self.cancel()
                elif self.shown is None:
                    self._closed = self._listed
                else:
                    self.clear()
                    if message.offer and self._leave is not None:
                        self._leave()
            if message.offer:
                imgui.set_cursor_screen_pos((x + pad, y + box[1] - below - look.px(2)))
                taken = imgui.button(f"{message.offer}###offer")
                low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
                imgui.get_window_draw_list().add_rect(low, high, u32(p.accent), look.px(4))
                if taken and self.proposed is not None:
                    self.proposed[1]()
                elif taken:
                    self.clear()
                    self._take()
        return y

    def _list(self, look: Look, scene: Rect, bottom: float) -> None:
        """The latest messages, the newest below, with the hour of each."""
        p, margin, pad = look.palette, look.px(12), look.px(12)
        hour = imgui.calc_text_size("00:00:00  ").x
        width = min(scene.width - 2 * margin, look.px(620))
        room = max(look.px(30), width - 2 * pad - hour) + 1.0
        kept = list(self.latest)[-LISTED:]
        heights = [imgui.calc_text_size(message.text, False, room).y + look.px(4) for message in kept]
        while len(heights) > 1 and sum(heights) + look.px(44) > bottom - scene.y:
            kept, heights = kept[1:], heights[1:]
        tall = sum(heights) + look.px(46)
        x, y = scene.x + margin, max(float(scene.y), bottom - tall)
        rect = Rect(round(x), round(y), round(width), round(tall))
        self.boxes.append(rect)
        with windows.card(look, "Messages", rect):
            imgui.set_cursor_screen_pos((x + pad, y + look.px(8)))
            if imgui.button(named("Copy all")):
                imgui.set_clipboard_text("\n\n".join(message.report for message in self.latest))
            imgui.same_line()
            if imgui.button(named("Close", "##messages")):
                self._state.messages = False
            y += look.px(40)
            for message, tall in zip(kept, heights, strict=True):
                text(x + pad, y, p.dim, message.at)
                imgui.set_cursor_screen_pos((x + pad + hour, y))
                color = p.danger if message.error else p.text
                with scopes.wrapped(pad + hour + room), scopes.colored(color):
                    imgui.text_unformatted(message.text)
                y += tall


def draw_recording_mark(look: Look, scene: Rect, seconds: float) -> None:
    """The mark of a film of that length so far, in the scene's upper left corner; no film shows it."""
    target, middle = imgui.get_background_draw_list(), 0.5 * imgui.get_text_line_height()
    x, y, radius = scene.x + look.px(MARK_MARGIN), scene.y + look.px(MARK_MARGIN), look.px(MARK_RADIUS)
    target.add_circle_filled((x + radius, y + middle), radius, u32(look.palette.danger))
    target.add_text((x + 3 * radius, y), u32(look.palette.text), f"{seconds:.0f} s")
