"""`poinsot presets` and others, which list what there is to choose from, and `doctor`, which examines this machine."""

from typing import Any

from viewer.cli.options import command_parser
from viewer.export.console import json_text
from viewer.physics.integrators import INTEGRATORS
from viewer.scenario import tours as tour_files
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.presets import PRESETS


def _list(argv: list[str], name: str, description: str, summaries: dict[str, str]) -> int:
    command_parser(name, description).parse_args(argv)
    width = max(map(len, summaries))
    for entry, summary in summaries.items():
        print(f"{entry:<{width}}  {summary}")
    return 0


def presets(argv: list[str]) -> int:
    """List the scenes that come with the program."""
    summaries = {preset.name: preset.summary for preset in PRESETS.values()}
    return _list(argv, "presets", "Lists the scenes that come with the program.", summaries)


def tours(argv: list[str]) -> int:
    """List the guided tours that come with the program."""
    summaries = {tour.name: f"{tour.title}: {tour.summary}" for tour in tour_files.tours().values()}
    return _list(argv, "tours", "Lists the guided tours; `poinsot --tour NAME` begins with one.", summaries)


def integrators(argv: list[str]) -> int:
    """List the methods that compute the motion."""
    summaries = {entry.name: f"{entry.summary} ({entry.source})" for entry in INTEGRATORS.values()}
    return _list(argv, "integrators", "Lists the methods that compute the motion.", summaries)


def stereo_modes(argv: list[str]) -> int:
    """List the modes that show both eyes' pictures."""
    summaries = {mode.name: mode.summary for mode in STEREO_MODES.values()}
    return _list(argv, "stereo-modes", "Lists the modes that show both eyes' pictures.", summaries)


def formats(argv: list[str]) -> int:
    """List the formats of recordings that are read."""
    from viewer.replay.formats.formats import FORMATS  # here: scipy takes long to import

    summaries = {entry.name: f"{entry.summary} ({entry.example})" for entry in FORMATS.values()}
    return _list(argv, "formats", "Lists the formats of recordings; each is recognised by what is in it.", summaries)


def doctor(argv: list[str]) -> int:
    """Print what a bug report has to contain about this machine; return 1 if a picture or a window fails."""
    parser = command_parser(
        "doctor",
        "Looks at Python, packages, OpenGL, screens and folders, and draws a test picture; no window is needed.",
    )
    parser.add_argument("--json", action="store_true", help="as JSON")
    options = parser.parse_args(argv)
    from viewer.app.diagnostics import examine

    facts = examine()
    print(json_text(facts) if options.json else "\n".join(lines(facts)))
    return 0 if facts["ok"] else 1


def lines(facts: dict[str, Any]) -> list[str]:
    """Return the facts as lines of text: a heading for each part, a line for each entry."""
    found: list[str] = []
    for part, entries in facts.items():
        if isinstance(entries, dict):
            width = max(map(len, entries), default=0)
            found += [part, *(f"  {name:<{width}}  {_text(entry)}".rstrip() for name, entry in entries.items()), ""]
    picture = "correct" if facts["picture"].get("right") else "wrong"
    return [*found, f"the test picture is {picture}; {'no problems found' if facts['ok'] else 'there are problems'}"]


def _text(entry: Any) -> str:
    if isinstance(entry, bool):
        return "yes" if entry else "no"
    if isinstance(entry, dict):
        return ", ".join(f"{name} {_text(value)}" for name, value in entry.items())
    if isinstance(entry, list | tuple):
        return "; ".join(_text(value) for value in entry) if entry else "none"
    return str(entry) if entry is not None else "unknown"
