"""The command `poinsot`: reads arguments and calls one function of app or export. One module a command."""

import errno
import gc
import sys
from collections.abc import Sequence
from importlib import import_module

from viewer.common import console, signals
from viewer.common.errors import GraphicsError, InputError
from viewer.user import log

# command: the module and its function, which takes the arguments after the command and returns the exit status
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
READER_GONE = 141  # as shells report SIGPIPE: the output is not complete
INTERRUPTED = 130  # by Ctrl-C


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit status: 0, or 2 with one line on standard error, or a shell's for a signal."""
    argv = list(sys.argv[1:] if arguments is None else arguments)
    console.prepare()
    signals.take_over()
    try:
        status = _run(COMMANDS[argv[0]], argv[1:]) if argv and argv[0] in COMMANDS else _run(OPEN, argv)
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
        console.say(str(error))
        return 2
    except OSError as error:  # an unexpected one
        log.crash(error)
        subject = f"{error.filename}: " if error.filename else ""
        console.say(f"{subject}{error.strerror or error} (more in {log.path()})")
        return 2
    except Exception as error:
        line, _ = log.crash(error)
        console.say(f"{line} (more in {log.path()})")
        return 1


def _run(command: str, argv: list[str]) -> int:
    module, _, function = command.partition(":")
    with signals.held():  # libraries that are still being loaded bear no exception
        run = getattr(import_module(module), function)
    if command != OPEN:  # the window has more to import
        gc.freeze()
        gc.enable()
    status: int = run(argv)
    return status
