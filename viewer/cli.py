"""The command `poinsot`: reads arguments and calls one function of app or export."""

import argparse
import io
import os
import sys
import tomllib
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from viewer import timings

timings.mark("Python itself")

from viewer import __version__  # noqa: E402
from viewer.errors import PACKAGES, GraphicsError, SceneError  # noqa: E402
from viewer.export.size import parse_size  # noqa: E402
from viewer.fields import shown  # noqa: E402
from viewer.physics.integrators import INTEGRATORS  # noqa: E402
from viewer.scenario import DEFAULT_PRESET, PRESETS, Scenario  # noqa: E402
from viewer.stereo_modes import STEREO_MODES  # noqa: E402

timings.mark("numpy, scene and physics")

FALLBACK_PICTURE = "poinsot.png"
FALLBACK_SECONDS = 5.0  # on the clock: what the window would show after that time

DESCRIPTION = """Shows how a rigid body turns: Poinsot's construction, live and in stereo."""
EPILOG = f"""without a window:
  poinsot render SCENE -o picture.png    a picture (--time, --size, --stereo, ...)
  poinsot simulate SCENE -o table.csv    the motion as numbers (--seconds, --every)
  poinsot presets | integrators | stereo-modes

SCENE is a scene file or one of the presets {", ".join(PRESETS)}."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit status: 0, or 2 with one line on standard error."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # for a terminal or pipe that has no θ
    try:
        status = COMMANDS[words[0]](words[1:]) if words and words[0] in COMMANDS else _open(words)
        if sys.stdout is not None:  # it is None where it was closed: poinsot ... >&-
            sys.stdout.flush()
        return status
    except OSError as error:  # files have errors of their own: this is standard output
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # poinsot simulate ... | head
            return 0
        print(f"poinsot: cannot be written: {error.strerror or error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except (SceneError, GraphicsError) as error:
        print(f"poinsot: {error}", file=sys.stderr)
        return 2


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        raise SceneError(message.removeprefix("argument "))


def _parser(name: str, description: str, epilog: str | None = None) -> _Parser:
    return _Parser(
        prog=f"poinsot {name}".rstrip(),
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def _scene_options(parser: _Parser) -> None:
    add = parser.add_argument
    add("--integrator", metavar="NAME", help="how the motion is computed; `poinsot integrators` lists them")
    add(
        "--set",
        metavar="FIELD=VALUE",
        action="append",
        default=[],
        help="any field, such as body.mass=2 (as in a file)",
    )


def _picture_options(parser: _Parser) -> None:
    add = parser.add_argument
    add("--stereo", metavar="MODE", help=f"{', '.join(STEREO_MODES)}")
    add("--swap-eyes", action="store_true", help="exchange left and right")
    add("--theme", metavar="NAME", help="dark, light")
    add("--size", metavar="WxH", default="1280x720", help="in pixels (1280x720)")


def _scenario(options: argparse.Namespace) -> Scenario:
    """The scene with the changes that the options ask for."""
    scenario = Scenario.find(options.scene)
    named = {"stereo": "stereo.mode", "integrator": "solver.integrator", "theme": "view.theme"}
    for name, path in named.items():
        if getattr(options, name, None) is not None:
            scenario = scenario.with_value(path, getattr(options, name))
    if getattr(options, "swap_eyes", False):
        scenario = scenario.with_value("stereo.exchange_eyes", not scenario.stereo.exchange_eyes)
    for setting in options.set:
        path, equals, value = (part.strip() for part in setting.partition("="))
        if not equals:
            raise SceneError(f"--set: {shown(setting)}; write FIELD=VALUE")
        scenario = scenario.with_value(path, _value(value))
        if path == "playback.speed":  # as in the panel: a speed that is set ends the automatic one
            scenario = scenario.with_value("playback.auto_speed", False)
    return scenario


def _value(word: str) -> Any:
    """A value as in a scene file; a bare word is a text."""
    try:
        table = tomllib.loads(f"value = {word}")
    except (ValueError, RecursionError):
        return word
    return table["value"] if len(table) == 1 else word  # two lines are not one value


def _keep_scene(options: argparse.Namespace) -> None:
    """Raises SceneError where the output would take the place of the scene's file."""
    try:
        same = options.scene not in PRESETS and os.path.samefile(options.scene, options.output)
    except OSError:  # one of them is not there
        return
    if same:
        raise SceneError(f"output: {shown(options.output)} is the scene itself; allowed is another file")


def _number(name: str, word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise SceneError(f"{name}: {shown(word)} is not a number") from None


def _whole(name: str, word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise SceneError(f"{name}: {shown(word)} is not a whole number") from None


def _open(words: list[str]) -> int:
    """The desktop app."""
    parser = _parser("[SCENE]", DESCRIPTION, EPILOG)
    parser.prog = "poinsot"
    parser.add_argument(
        "scene", nargs="?", default=DEFAULT_PRESET, metavar="SCENE", help="a scene file or a preset"
    )
    _scene_options(parser)
    _picture_options(parser)
    parser.add_argument("--paused", action="store_true", help="begin with the clock stopped")
    parser.add_argument("--version", action="version", version=f"poinsot {__version__}")
    parser.add_argument("--timings", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--exit-after-frames", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args(words)
    scenario, size = _scenario(options), parse_size(options.size)
    if _no_display():
        return _picture_instead(options, scenario, size, "no display")
    try:
        from viewer import app
    except ModuleNotFoundError:
        raise
    except ImportError as error:  # what pyglet raises where a library of the system is missing
        raise GraphicsError(f"no window can be opened ({error}); {PACKAGES}") from None
    try:
        app.run(
            scenario,
            size=size,
            playing=not options.paused,
            scene_name=options.scene,
            exit_after_frames=options.exit_after_frames,
        )
    except app.NoWindow as error:
        return _picture_instead(options, scenario, size, str(error))
    if options.timings:
        print(timings.report())
    return 0


def _no_display() -> bool:
    return sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _picture_instead(options: argparse.Namespace, scenario: Scenario, size: tuple[int, int], why: str) -> int:
    """Draws the scene to a file where no window can be opened."""
    from viewer.export.picture import render_image, save_image
    from viewer.session import Session

    speed = Session(scenario, playing=False).speed
    save_image(render_image(scenario, FALLBACK_SECONDS * speed, size), FALLBACK_PICTURE)
    print(
        f"poinsot: {why}, so the scene is in {FALLBACK_PICTURE}; another size: "
        f"poinsot render {options.scene} --size 1920x1080 -o picture.png"
    )
    return 0


def _render(words: list[str]) -> int:
    parser = _parser("render", "Draws a scene to a picture file; no window is needed.")
    parser.add_argument("scene", metavar="SCENE", help="a scene file or a preset")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="picture to write: .png, .jpg")
    parser.add_argument("--time", default="0", metavar="SECONDS", help="simulated time (0)")
    parser.add_argument("--supersample", default="2", metavar="N", help="1..4 squared samples a pixel (2)")
    _scene_options(parser)
    _picture_options(parser)
    options = parser.parse_args(words)
    from viewer.export import picture

    scenario, size = _scenario(options), parse_size(options.size)
    seconds, supersample = _number("time", options.time), _whole("supersample", options.supersample)
    picture.check_output(options.output)
    _keep_scene(options)
    image = picture.render_image(scenario, seconds, size, supersample=supersample)
    picture.save_image(image, options.output)
    return 0


def _simulate(words: list[str]) -> int:
    parser = _parser(
        "simulate", "Computes the motion of a scene and writes it as a table (CSV); no window is needed."
    )
    parser.add_argument("scene", metavar="SCENE", help="a scene file or a preset")
    parser.add_argument("--seconds", default="10", help="simulated time (10)")
    parser.add_argument("--every", default="0.01", metavar="SECONDS", help="time between two rows (0.01)")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="table to write, .csv; otherwise standard output"
    )
    parser.add_argument(
        "--fast",
        action="store_true",
        help="compiled steps, for long runs; needs numba: pip install 'poinsot[fast]'",
    )
    _scene_options(parser)
    options = parser.parse_args(words)
    from viewer.export import table

    if options.output is not None and not options.output.lower().endswith(".csv"):
        raise SceneError(f"output: {shown(options.output)} is no table; allowed are names in .csv")
    if options.output is not None:
        _keep_scene(options)
    seconds, every = _number("seconds", options.seconds), _number("every", options.every)
    table.write_csv(_scenario(options), seconds, every, options.output, options.fast)
    return 0


def _list(words: list[str], name: str, description: str, lines: Callable[[], list[tuple[str, str]]]) -> int:
    _parser(name, description).parse_args(words)
    entries = lines()
    width = max(len(entry) for entry, _ in entries)
    for entry, meaning in entries:
        print(f"{entry:<{width}}  {meaning}")
    return 0


def _presets(words: list[str]) -> int:
    def lines() -> list[tuple[str, str]]:
        return [(preset.name, preset.summary) for preset in PRESETS.values()]

    return _list(words, "presets", "Lists the scenes that come with the program.", lines)


def _integrators(words: list[str]) -> int:
    def lines() -> list[tuple[str, str]]:
        return [(entry.name, f"{entry.summary} ({entry.source})") for entry in INTEGRATORS.values()]

    return _list(words, "integrators", "Lists the ways to compute the motion.", lines)


def _stereo_modes(words: list[str]) -> int:
    def lines() -> list[tuple[str, str]]:
        return [(mode.name, mode.summary) for mode in STEREO_MODES.values()]

    return _list(words, "stereo-modes", "Lists the ways to show both eyes' pictures.", lines)


COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "render": _render,
    "simulate": _simulate,
    "presets": _presets,
    "integrators": _integrators,
    "stereo-modes": _stereo_modes,
}
