"""`poinsot presets`, `poinsot tours`, `poinsot integrators`, `poinsot stereo-modes`: what there is to choose from."""

from collections.abc import Callable

from viewer.cli.options import command_parser
from viewer.physics.integrators import INTEGRATORS
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.presets import PRESETS
from viewer.scenario.tours import tours as all_tours


def _list(words: list[str], name: str, description: str, lines: Callable[[], list[tuple[str, str]]]) -> int:
    command_parser(name, description).parse_args(words)
    entries = lines()
    width = max(len(entry) for entry, _ in entries)
    for entry, meaning in entries:
        print(f"{entry:<{width}}  {meaning}")
    return 0


def presets(words: list[str]) -> int:
    """The scenes that come with the program."""

    def lines() -> list[tuple[str, str]]:
        return [(preset.name, preset.summary) for preset in PRESETS.values()]

    return _list(words, "presets", "Lists the scenes that come with the program.", lines)


def tours(words: list[str]) -> int:
    """The guided tours that come with the program."""

    def lines() -> list[tuple[str, str]]:
        return [(entry.name, f"{entry.title}: {entry.summary}") for entry in all_tours().values()]

    return _list(words, "tours", "Lists the guided tours; `poinsot --tour NAME` begins with one.", lines)


def integrators(words: list[str]) -> int:
    """The ways to compute the motion."""

    def lines() -> list[tuple[str, str]]:
        return [(entry.name, f"{entry.summary} ({entry.source})") for entry in INTEGRATORS.values()]

    return _list(words, "integrators", "Lists the ways to compute the motion.", lines)


def stereo_modes(words: list[str]) -> int:
    """The ways to show both eyes' pictures."""

    def lines() -> list[tuple[str, str]]:
        return [(mode.name, mode.summary) for mode in STEREO_MODES.values()]

    return _list(words, "stereo-modes", "Lists the ways to show both eyes' pictures.", lines)
