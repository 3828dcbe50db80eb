"""The command `poinsot`: reads arguments and calls one function of app or export."""

import errno
import gc
import sys
import threading
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple

from viewer.common import signals
from viewer.common.errors import GraphicsError, InputError, lines_of
from viewer.export import console
from viewer.user import log


class Command(NamedTuple):
    """A command of `poinsot`.

    `run` is "module:function" in this package; the function takes the arguments after the command and returns the exit
    status. `usage` and `summary` are as the help of `poinsot` shows them.
    """

    run: str
    usage: str
    summary: str


COMMANDS = {
    "render": Command("pictures:render", "SCENE -o picture.png", "a picture, a page or a film (--time, --size, ...)"),
    "contact-sheet": Command("pictures:contact_sheet", "-o sheet.png", "every preset, view, theme and stereo mode"),
    "stereo-chart": Command("pictures:stereo_chart", "-o chart.png", "are glasses, mode and order of the eyes right?"),
    "simulate": Command("motion:simulate", "SCENE -o table.csv", "the motion as numbers (--seconds, --every)"),
    "describe": Command("motion:describe", "SCENE --time 3", "a scene and its motion in plain words (--json)"),
    "race": Command("motion:race", "SCENE", "integrators beside the exact motion (--integrators, -o, ...)"),
    "replay": Command("recordings:replay", "RECORDING", "another program's motion, analysed; --show opens the window"),
    "live": Command("recordings:live", "URL", "a phone's gyroscope as it measures, with the app phyphox"),
    "body": Command("body:run", "MESH --density 7850", "mass, centre and inertia of a mesh (--unit, --json)"),
    "doctor": Command("about:doctor", "", "what a bug report needs to know of this machine"),
    "presets": Command("about:presets", "", "the scenes that come with the program"),
    "tours": Command("about:tours", "", "the guided tours, for --tour"),
    "integrators": Command("about:integrators", "", "the methods that compute the motion"),
    "stereo-modes": Command("about:stereo_modes", "", "the modes that show both eyes' pictures"),
    "formats": Command("about:formats", "", "the formats of recordings that are read"),
}
OPEN = "window:run"  # without a command
READER_GONE = 141  # as shells report SIGPIPE: the output is not complete
INTERRUPTED = 130  # by Ctrl-C


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status.

    If nothing goes wrong, the status is that of the command. After an error it is 2 if the error was expected or came
    from the operating system, else 1; the error is reported in one line. After a signal it is the status that a shell
    would return.
    """
    argv = list(sys.argv[1:] if arguments is None else arguments)
    console.prepare()
    _log_the_unexpected()
    signals.take_over()
    try:
        status = _run(COMMANDS[argv[0]].run, argv[1:]) if argv and argv[0] in COMMANDS else _run(OPEN, argv)
        sys.stdout.flush()
        return status
    except console.OutputError as error:
        console.abandon(sys.stdout)
        sys.stdout = None
        if error.errno == errno.EPIPE:  # poinsot simulate ... | head
            return READER_GONE
        console.report(f"standard output cannot be written: {error.strerror}")
        return 2
    except KeyboardInterrupt as error:
        return error.status if isinstance(error, signals.Interrupted) else INTERRUPTED
    except (InputError, GraphicsError) as error:
        for line in lines_of(error):
            console.report(line)
        return 2
    except OSError as error:  # an unexpected one
        log.crash(error)
        subject = f"{error.filename}: " if error.filename else ""
        console.report(f"{subject}{error.strerror or error} (more in {log.path()})")
        return 2
    except Exception as error:
        line, _ = log.crash(error)
        console.report(f"{line} (more in {log.path()})")
        return 1


def _log_the_unexpected() -> None:
    """Write to the log what Python would print by itself: warnings of libraries, and exceptions that end a thread.

    The user gets a line about each of these exceptions.
    """

    def warn(message: Warning | str, category: type[Warning], filename: str, lineno: int, *_: Any, **__: Any) -> None:
        log.write("notice", f"{category.__name__}: {message} ({filename}:{lineno})")

    def thread_ended(ended: threading.ExceptHookArgs) -> None:
        if ended.exc_value is not None:
            console.report(f"{log.crash(ended.exc_value)[0]} (more in {log.path()})")

    warnings.showwarning = warn
    if threading.excepthook is threading.__excepthook__:  # whoever has set it wants to see them
        threading.excepthook = thread_ended


def _run(command: str, argv: list[str]) -> int:
    module, _, function = command.partition(":")
    with signals.held():  # libraries that are still being loaded bear no exception
        run = getattr(import_module(f"viewer.cli.{module}"), function)
    if command != OPEN:  # the window has more to import
        gc.freeze()
        gc.enable()
    status: int = run(argv)
    return status
