"""The messages of one window: the one that is shown now, and the earlier ones."""

import re
import time
from collections import deque
from collections.abc import Callable
from math import inf

from viewer.common import __version__
from viewer.common.errors import GraphicsError, InputError, lines_of
from viewer.common.frozen import frozen
from viewer.common.language import marked, tr
from viewer.scene.words.formatting import printable, sentence
from viewer.user import log

NOTICE_SECONDS = 4.0  # for which a notice is shown; an error is shown until it is closed or another message comes
READ = 20.0  # characters that one reads in a second
OFFER_SECONDS = 12.0  # for which a notice with a button, or a doubt, is shown
LISTED = 50  # messages in the list
COLUMNS = marked("Columns...")  # the button that declares the columns of a recording, which a dialog asks for
DIRECTION_FIELD, AXES_FIELD, RATE_UNIT_FIELD = marked("Direction of q"), marked("Axes of ω"), marked("Unit of ω")
TIME_UNIT_FIELD, STEP_FIELD, MOMENTS_FIELD = marked("Unit of time"), marked("No time: step"), marked("Moments")
IN_DIALOG = {
    "--columns": (marked("the columns and their signs"),),
    "--quaternion": (DIRECTION_FIELD,),
    "--angular-velocity": (AXES_FIELD, RATE_UNIT_FIELD),
    "--time-unit": (TIME_UNIT_FIELD,),
    "--step": (STEP_FIELD,),
    "--moments": (MOMENTS_FIELD,),
}
"""What that dialog asks for, too, with the names of its fields."""
_OPTION = r"(?<![\w-])--[a-z][a-z-]+"
_ADVICE = re.compile(rf"[;:] (?=[^;:\n]*{_OPTION})[^;:\n]*")


def in_window(text: str) -> str:
    """Return the text of an error or a doubt without advice on options of the command, which the window does not have.

    If the dialog for columns asks for the same, the advice is to use it.
    """
    options = re.findall(_OPTION, " ".join(_ADVICE.findall(text)))
    fields = dict.fromkeys(tr(field) for option, fields in IN_DIALOG.items() if option in options for field in fields)
    advice = tr("{fields} can be declared in the dialog “{dialog}”")
    advice = advice.format(dialog=tr(COLUMNS), fields=", ".join(fields))
    return _ADVICE.sub("", text) + (f"; {advice}" if fields else "")


@frozen
class Offer:
    """A button beside a message; pressing it calls `take`.

    The message disappears as soon as `holds` returns False. If `leave` is given, the message is a question, and closing
    it without pressing the button calls `leave`.
    """

    label: str
    take: Callable[[], object]
    holds: Callable[[], bool] = lambda: True
    leave: Callable[[], object] | None = None


@frozen
class Message:
    """A notice or an error; `at` is the time of day as text, `detail` is more text for a bug report."""

    text: str
    error: bool = False
    at: str = ""
    detail: str = ""
    offer: Offer | None = None

    @property
    def report(self) -> str:
        """The text that the button "copy" puts on the clipboard."""
        lines = (f"Poinsot {__version__}, {self.at}", self.text, self.detail)
        return "\n".join(line for line in lines if line)


@frozen
class Activity:
    """Lengthy work of the program; `cancel` ends it."""

    text: str
    cancel: Callable[[], object]
    offer: Offer | None = None


class Messages:
    """The messages of the app and of the session, of which the last one is shown; every error goes to the log.

    `shown` is the message that is shown until it is closed, its time is over, or another one comes. `activity` is the
    lengthy work in progress; it is shown instead of any message, and is not listed. `listed` says whether the list of
    the latest messages is shown.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.shown: Message | None = None
        self.activity: Activity | None = None
        self.latest: deque[Message] = deque(maxlen=LISTED)
        self.listed = False
        self._until = 0.0
        self._reported: tuple[str | None, int] = (None, 0)  # the session's last report, and its number
        self._report: Message | None = None  # the message that shows this report

    def attempt(
        self,
        what: Callable[[], object],
        text: Callable[[Exception], str] = lambda error: "\n".join(lines_of(error)),
    ) -> str | None:
        """Call `what`; if it is refused, show the error and return its text, else None.

        `text` makes the text from the exception.
        """
        try:
            what()
        except (InputError, GraphicsError) as error:
            shown = in_window(text(error))
            self.error(shown)
            return shown
        return None

    def error(self, text: str, detail: str = "") -> None:
        """Show an error until it is closed."""
        self._show(text, inf, True, detail)
        log.write("error", text)

    def notice(self, text: str) -> None:
        """Show a notice for a few seconds."""
        self._show(text, max(NOTICE_SECONDS, len(text) / READ))

    def offer(
        self, text: str, label: str, take: Callable[[], object], holds: Callable[[], bool], error: bool = False,
        leave: Callable[[], object] | None = None,
    ) -> None:  # fmt: skip
        """Show a notice with a button; pressing it calls `take` and removes the notice.

        A plain notice disappears after a while, an `error` stays until it is closed. So does a question, which is a
        notice with `leave`: closing it without pressing the button calls `leave`. `holds` is called in each frame, and
        when it returns False, the message disappears.
        """
        self._show(text, inf if error or leave else OFFER_SECONDS, error, offer=Offer(label, take, holds, leave))

    def _show(
        self, text: str, seconds: float, error: bool = False, detail: str = "", offer: Offer | None = None
    ) -> None:
        self.shown = message = Message(printable(text), error, time.strftime("%H:%M:%S"), printable(detail), offer)
        self._until = self._clock() + seconds
        if self.latest and (self.latest[-1].text, self.latest[-1].error) == (message.text, error):
            self.latest.pop()
        self.latest.append(message)

    def follow(self, report: str | None, doubt: bool = False, number: int = 0) -> None:
        """Show the session's `report` when it is new, and remove it when the session withdraws it (None).

        A `doubt` is not an error: it waits until no other message is shown. `number` tells two equal reports apart.
        """
        waits = doubt and self.shown is not None and self.shown is not self._report
        if (report, number) == self._reported or waits:
            return
        self._reported = report, number
        if self.shown is self._report:
            self.clear()
        if report is not None:
            shown = ". ".join(sentence(in_window(line)) for line in report.split("\n")) if doubt else report
            self._show(shown, OFFER_SECONDS if doubt else inf, not doubt)
            self._report = self.shown

    def toggle_list(self) -> None:
        """Show or hide the list of the latest messages."""
        self.listed = not self.listed and bool(self.latest)

    def clear(self) -> None:
        """Remove the message that is shown; the list keeps it."""
        self.shown = None

    def close(self) -> None:
        """Cancel the activity that is shown, or else close the message."""
        if self.activity is not None:
            self.activity.cancel()
        elif self.shown is not None:
            offer, self.shown = self.shown.offer, None
            if offer is not None and offer.leave is not None:
                offer.leave()

    def take_offer(self) -> None:
        """Call the function of the button beside the message that is shown."""
        offer = (self.activity or self.shown or Message("")).offer
        if self.activity is None:
            self.clear()
        if offer is not None:
            offer.take()

    def for_dialog(self, done: Callable[[], str | None]) -> str | None:
        """Call `done`, the function of a dialog; return the error for the dialog to show, or None to close the dialog.

        An error that the dialog shows is listed, but not shown behind the dialog. An error with a button closes the
        dialog.
        """
        before, problem = self.shown, done()
        new = self.shown if self.shown is not before else None
        if problem is None or new is None or not new.error:
            return problem
        if new.offer:
            return None
        self.clear()
        return new.text

    @property
    def current(self) -> Message | None:
        """The message to show now."""
        if self.activity is not None:
            return Message(printable(self.activity.text), offer=self.activity.offer)
        if self.shown is not None:
            offer = self.shown.offer
            if self._clock() >= self._until or (offer is not None and not offer.holds()):
                self.shown = None
        return self.shown

    def wait(self) -> float | None:
        """Return the seconds until a notice ends; None if nothing ends by itself."""
        return None if self.shown is None or self._until == inf else max(0.0, self._until - self._clock())
