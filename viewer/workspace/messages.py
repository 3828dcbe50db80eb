"""The messages of one window: what the program has to say now and has said; every error goes to the log."""

import time
from collections import deque
from collections.abc import Callable

from viewer.common import __version__
from viewer.common.errors import GraphicsError, InputError
from viewer.common.frozen import frozen
from viewer.scene.words.formatting import printable
from viewer.user import log

NOTICE_SECONDS = 4.0  # that a notice stays; an error stays until it is closed or another message comes
READ = 20.0  # characters a second
OFFER_SECONDS = 12.0  # that a notice with a button stays
KEPT = 50  # messages in the list


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


@frozen
class Activity:
    """What takes the program long. `cancel` ends it; `offer`: the label of a button, and what that does."""

    text: str
    cancel: Callable[[], object]
    offer: tuple[str, Callable[[], object]] | None = None


class Messages:
    """Messages of the app, else of the session; every error goes to the log as well."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.shown: Message | None = None  # of the app, until it is closed or its time is over
        self._until = 0.0
        self._closed: tuple[str, int] | None = None  # the session's message that the user has closed, and its number
        self._listed: tuple[str, int] | None = None  # .. that is in the list already
        self._doubt = False  # whether that is no error, and comes back after other messages
        self.activity: Activity | None = None  # of now: goes before all else, and into no list
        self._take: Callable[[], object] = lambda: None  # what the button of an offer does
        self._holds: Callable[[], bool] = lambda: True  # whether what the offer says is still so
        self._leave: Callable[[], object] | None = None  # what closing the offer does
        self.latest: deque[Message] = deque(maxlen=KEPT)

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

    def close(self) -> None:
        """Close what is shown: cancel what is in progress, or take the message away."""
        if self.activity is not None:
            self.activity.cancel()
        elif self.shown is None:
            self._closed = self._listed
        else:
            offer, self.shown = self.shown.offer, None
            if offer and self._leave is not None:
                self._leave()

    def take_offer(self) -> None:
        """Do what the button of the message shown does."""
        if self.activity is not None and self.activity.offer is not None:
            self.activity.offer[1]()
        else:
            self.clear()
            self._take()

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
        if self.activity is not None:
            label = "" if self.activity.offer is None else self.activity.offer[0]
            return Message(printable(self.activity.text), False, "", offer=label)
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
