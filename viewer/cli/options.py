"""What the commands share: their parsers, the options of a scene and of a picture."""

import argparse
import os
import tomllib
from collections.abc import Iterator
from typing import Any, NoReturn

from viewer.common.errors import InputError, shown
from viewer.physics.stepping.projection import STABILISATIONS
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.choices.themes import THEMES
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario

LONGEST_MESSAGE = 300  # letters


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        raise InputError(_one_line(message.removeprefix("argument ")))


def _one_line(message: str) -> str:
    """A message that may hold any word of the command line, so that it can be shown."""
    plain = "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in message
    )
    return plain if len(plain) <= LONGEST_MESSAGE else plain[:LONGEST_MESSAGE] + "..."


def command_parser(name: str, description: str, epilog: str | None = None) -> Parser:
    """A parser for `poinsot NAME`."""
    return Parser(
        prog=f"poinsot {name}".rstrip(),
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def scene_options(parser: Parser) -> None:
    """What changes the motion."""
    add = parser.add_argument
    add("--integrator", metavar="NAME", help="how the motion is computed; `poinsot integrators` lists them")
    set_option(parser, "any field, such as body.mass=2 (as in a file)")


def set_option(parser: Parser, meaning: str) -> None:
    """What changes any field."""
    parser.add_argument("--set", metavar="FIELD=VALUE", action="append", default=[], help=meaning)


def stabilisation_option(parser: Parser) -> None:
    """How the motion is led back to its invariants."""
    parser.add_argument(
        "--stabilisation", dest="scene_stabilisation", metavar="NAME", help=", ".join(STABILISATIONS)
    )


def picture_options(parser: Parser, size: str | None = "1280x720") -> None:
    """What changes how it is shown; `size`: the usual one, None: as the window was the last time."""
    add = parser.add_argument
    add("--stereo", metavar="MODE", help=f"{', '.join(STEREO_MODES)}")
    add("--theme", metavar="NAME", help=", ".join(THEMES))
    add("--swap-eyes", action="store_true", help="exchange left and right")
    add("--size", metavar="WxH", default=size, help=f"in pixels ({size or 'as the last time'})")


def chosen_scene(options: argparse.Namespace, base: Scenario | None = None) -> Scenario:
    """The scene with the changes that the options ask for; `base`: what it takes where it says nothing itself."""
    return changed_scene(Scenario.find(options.scene, base), options)


def changed_scene(scenario: Scenario, options: argparse.Namespace) -> Scenario:
    """A scene with the changes that the options ask for."""
    named = {
        "stereo": "stereo.mode",
        "integrator": "solver.integrator",
        "scene_stabilisation": "solver.stabilisation",
        "theme": "view.theme",
        "glasses": "stereo.glasses",
        "method": "stereo.anaglyph_method",
    }
    values = {
        path: getattr(options, name)
        for name, path in named.items()
        if getattr(options, name, None) is not None
    }
    if getattr(options, "swap_eyes", False):
        values["stereo.exchange_eyes"] = not scenario.stereo.exchange_eyes
    return scenario.with_values(values | dict(settings(options.set)))


def settings(words: list[str]) -> Iterator[tuple[str, Any]]:
    """The fields and values of words such as "body.mass=2"."""
    for word in words:
        path, equals, value = (part.strip() for part in word.partition("="))
        if not equals:
            raise InputError(f"--set: {shown(word)}; write FIELD=VALUE")
        yield path, _value(value)


def _value(word: str) -> Any:
    """A value as in a scene file; a bare word is a text."""
    try:
        table = tomllib.loads(f"value = {word}")
    except (ValueError, RecursionError):
        return word
    return table["value"] if len(table) == 1 else word  # two lines are not one value


def keep_input(name: str, output: str, what: str = "scene") -> None:
    """Raises InputError where the output would take the place of the file that is read, also through a link."""
    try:
        same = name not in PRESETS and os.path.samefile(name, output)
    except OSError:  # one of them is not there
        return
    if same:
        raise InputError(f"output: {shown(output)} is the {what} itself; allowed is another file")


def number(name: str, word: str) -> float:
    """The number that a word is; `name` stands in the error."""
    try:
        return float(word)
    except ValueError:
        raise InputError(f"{name}: {shown(word)} is not a number") from None


def whole_number(name: str, word: str) -> int:
    """The whole number that a word is; `name` stands in the error."""
    try:
        return int(word)
    except ValueError:
        raise InputError(f"{name}: {shown(word)} is not a whole number") from None
