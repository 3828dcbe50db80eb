"""What the commands share: their parsers, the options of a scene and of a picture."""

import argparse
import tomllib
from collections.abc import Iterator
from typing import Any, NoReturn

from viewer.common.errors import InputError, refusal, shown
from viewer.common.language import tr
from viewer.common.quantities import UnitError, value_of
from viewer.export.console import report
from viewer.physics.kernels.quaternion import Three
from viewer.physics.stepping.projection import STABILISATIONS
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.choices.themes import THEMES
from viewer.scenario.field import Text
from viewer.scenario.scenario import FIELDS, Scenario
from viewer.scenario.scene_file import tell_of_others
from viewer.scenario.sections.motion import START_FORMS

LONGEST_MESSAGE = 300  # characters


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        message = message.removeprefix("argument ")
        cut = message if len(message) <= LONGEST_MESSAGE else message[:LONGEST_MESSAGE] + "..."
        raise InputError(cut)


def command_parser(name: str, description: str, epilog: str | None = None) -> Parser:
    """Return a parser for `poinsot NAME`."""
    return Parser(
        prog=f"poinsot {name}".rstrip(),
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def scene_options(parser: Parser) -> None:
    """Add the options that change the motion."""
    add = parser.add_argument
    add("--integrator", metavar="NAME", help="how the motion is computed; `poinsot integrators` lists them")
    set_option(parser)
    add("--stabilisation", dest="scene_stabilisation", metavar="NAME", help=", ".join(STABILISATIONS))


def set_option(parser: Parser, meaning: str = "any field, such as body.mass=2 (as in a file)") -> None:
    """Add the option that changes any field."""
    parser.add_argument("--set", metavar="FIELD=VALUE", action="append", default=[], help=meaning)


def picture_options(parser: Parser, size: str | None = "1280x720") -> None:
    """Add the options that change how the scene is shown.

    `size` is the default size; None stands for the size of the last window.
    """
    add = parser.add_argument
    add("--stereo", metavar="MODE", help=", ".join(STEREO_MODES))
    add("--theme", metavar="NAME", help=", ".join(THEMES))
    add("--swap-eyes", action="store_true", help="exchange left and right")
    add("--size", metavar="WxH", default=size, help=f"in pixels ({size or 'as last time'})")


def chosen_scene(options: argparse.Namespace, base: Scenario | None = None) -> Scenario:
    """Return the scene that the options name, with the changes that they ask for.

    Stereo mode, theme and the like are taken from `base` if the scene does not set them.
    """
    scenario = Scenario.find(options.scene, base)
    tell_of_others(options.scene, report)
    return changed_scene(scenario, options)


def changed_scene(scenario: Scenario, options: argparse.Namespace) -> Scenario:
    """Return a scene with the changes that the options ask for."""
    named = {
        "stereo": "stereo.mode",
        "integrator": "solver.integrator",
        "scene_stabilisation": "solver.stabilisation",
        "theme": "view.theme",
        "glasses": "stereo.glasses",
        "method": "stereo.anaglyph_method",
    }
    values = {path: getattr(options, name) for name, path in named.items() if getattr(options, name, None) is not None}
    if getattr(options, "swap_eyes", False):
        values["stereo.exchange_eyes"] = not scenario.stereo.exchange_eyes
    values |= dict(settings(options.set))
    bodies = [member.body for member in scenario.bodies] or [scenario.body]
    if values.get("body.shape") == "mesh" and not any(body.file for body in bodies):
        values = {"body.file": ""} | values  # no example stands in for the file that is missing
    return scenario.with_values(values)


def settings(texts: list[str]) -> Iterator[tuple[str, Any]]:
    """Yield the fields and values of texts such as "body.mass=2"."""
    for text in texts:
        path, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise refusal("--set: {given} is not FIELD=VALUE", given=shown(text))
        yield path, _value(path, value)


def _value(path: str, text: str) -> Any:
    """Return the value of a text written as in a scene file or as in the panel; any other text is a string.

    Raises InputError if the text begins like a list or a table, is not valid TOML, and the field is not a text.
    """
    try:
        table = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        field = START_FORMS.get(path) or FIELDS.get(path)
        if field is not None and (found := field.of_words(text)) is not None:
            return found
        if text.startswith(("[", "{")) and field is not None and type(field) is not Text:
            raise refusal("{path}: {given} cannot be read as TOML", path=path, given=shown(text)) from None
        return text
    return table["value"] if len(table) == 1 else text  # two lines are not one value


def quantity(text: str, unit: str) -> float:
    """Return the number in an argument such as "10", "1/60" or "30 cm", converted to `unit`, an SI unit."""
    try:
        return value_of(text, unit)
    except UnitError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    except ValueError:
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a number") from None


def number(text: str) -> float:
    """Return the number in an argument without a unit, such as "25" or "30000/1001"."""
    return quantity(text, "")


def whole(text: str) -> int:
    """Return the whole number in an argument."""
    found = number(text)
    if not found.is_integer():
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a whole number")
    return int(found)


def duration(text: str) -> float:
    """Return the time [s] in an argument such as "10" or "5.41 d"."""
    return quantity(text, "s")


def place(text: str) -> Three:
    """Return the point [m] in an argument such as "0.5,0,-1" or "1/2,0,30 cm"."""
    try:
        x, y, z = (value_of(part, "m") for part in text.split(","))
    except ValueError:
        message = tr("{given} is not allowed; it must be three numbers X,Y,Z [m]").format(given=shown(text))
        raise argparse.ArgumentTypeError(message) from None
    return x, y, z
