"""The command `poinsot`: reads arguments and calls one function of app or export. One module a command."""

import errno
import gc
import sys
from collections.abc import Sequence
from importlib import import_module

from viewer.common import console, signals
from viewer.common.errors import GraphicsError, InputError
from viewer.user import log

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
READER_GONE = 141  # as a shell tells of SIGPIPE: what was asked for is not all there
INTERRUPTED = 130  # by Ctrl-C


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit status: 0, or 2 with one line on standard error, or a shell's for a signal."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    console.prepare()
    signals.take_over()
    try:
        status = _run(COMMANDS[words[0]], words[1:]) if words and words[0] in COMMANDS else _run(OPEN, words)
        sys.stdout.flush()
        return status
    except console.OutputError as error:
        console.abandon(sys.stdout)
        sys.stdout = None
        if error.errno == errno.EPIPE:  # poinsot simulate ... | head
            return READER_GONE
        console.say(f"standard output cannot be written: {error.strerror}")
        return 2
    except KeyboardInterrupt as error:
        return error.status if isinstance(error, signals.Interrupted) else INTERRUPTED
    except (InputError, GraphicsError) as error:
        console.say(_one_line(str(error)))
        return 2
    except OSError as error:  # the system refuses something that nobody expected it to
        log.crash(error)
        subject = f"{error.filename}: " if error.filename else ""
        console.say(_one_line(f"{subject}{error.strerror or error} (more in {log.path()})"))
        return 2
    except Exception as error:
        line, _ = log.crash(error)
        console.say(f"{line} (more in {log.path()})")
        return 1


def _one_line(words: str) -> str:
    """Words that may hold the name of a file: on one line, and nothing in them steers the terminal."""
    words = " ".join(words.splitlines())
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in words)


def _run(command: str, words: list[str]) -> int:
    module, _, function = command.partition(":")
    with signals.held():  # libraries that are still being loaded bear no exception
        run = getattr(import_module(module), function)
    if command != OPEN:  # the window has more to import
        gc.freeze()
        gc.enable()
    status: int = run(words)
    return status
