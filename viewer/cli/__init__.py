"""The command `poinsot`: reads arguments and calls one function of app or export. One module a command."""

import io
import os
import signal
import sys
import threading
from collections.abc import Sequence
from importlib import import_module

from viewer import garbage, log
from viewer.errors import GraphicsError, SceneError

# command: the module and its function, which takes the words after the command and returns the exit status
COMMANDS = {
    "render": "viewer.cli.render:run",
    "contact-sheet": "viewer.cli.contact_sheet:run",
    "simulate": "viewer.cli.simulate:run",
    "race": "viewer.cli.race:run",
    "replay": "viewer.cli.replay:run",
    "doctor": "viewer.cli.doctor:run",
    "stereo-chart": "viewer.cli.stereo_chart:run",
    "presets": "viewer.cli.lists:presets",
    "tours": "viewer.cli.lists:tours",
    "integrators": "viewer.cli.lists:integrators",
    "stereo-modes": "viewer.cli.lists:stereo_modes",
}
OPEN = "viewer.cli.window:run"  # without a command


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit status: 0, or 2 with one line on standard error."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # for a terminal or pipe that has no θ
    _end_on_request()
    try:
        status = _run(COMMANDS[words[0]], words[1:]) if words and words[0] in COMMANDS else _run(OPEN, words)
        if sys.stdout is not None:  # it is None where it was closed: poinsot ... >&-
            sys.stdout.flush()
        return status
    except OSError as error:  # files have errors of their own: this is standard output
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # poinsot simulate ... | head
            return 0
        print(f"poinsot: cannot be written: {error.strerror or error}", file=sys.stderr)
        return 2
    except Terminated:
        return 128 + signal.SIGTERM
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except (SceneError, GraphicsError) as error:
        print(f"poinsot: {_one_line(str(error))}", file=sys.stderr)
        return 2
    except Exception as error:
        line, _ = log.crash(error)
        print(f"poinsot: {line} (more in {log.path()})", file=sys.stderr)
        return 1


class Terminated(KeyboardInterrupt):
    """The system asks the program to end; what was begun is cleared away as after Ctrl-C."""


def _end_on_request() -> None:
    """Lets a request to end (SIGTERM) raise Terminated, unless somebody else takes care of it."""

    def end(number: int, frame: object) -> None:
        raise Terminated

    if (
        signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        and threading.current_thread() is threading.main_thread()
    ):
        signal.signal(signal.SIGTERM, end)


def _one_line(words: str) -> str:
    """Words that may hold the name of a file: on one line, and nothing in them steers the terminal."""
    words = " ".join(words.splitlines())
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in words)


def _run(command: str, words: list[str]) -> int:
    module, _, function = command.partition(":")
    run = getattr(import_module(module), function)
    if command != OPEN:  # the window has more to import
        garbage.look_again()
    status: int = run(words)
    return status
