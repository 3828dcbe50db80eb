"""`poinsot doctor`: what a bug report has to contain about this machine."""

from typing import Any

from viewer.cli.options import command_parser
from viewer.export.console import json_text


def run(argv: list[str]) -> int:
    """Runs with the arguments after the command; returns the exit status: 1 where a picture or a window fails."""
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
    """The facts as text: a heading a part, a line an entry."""
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
