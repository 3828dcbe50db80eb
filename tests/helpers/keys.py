"""Keys as the actions name them, on the keyboard of a window."""

from collections.abc import Callable
from typing import Any

from viewer.commands.actions import ACTIONS

Check = Callable[[Any, int], None]


XDOTOOL = {
    "Space": "space",
    ".": "period",
    ",": "comma",
    "+": "plus",
    "-": "minus",
    "?": "question",
    "=": "equal",
    "PageUp": "Prior",
    "PageDown": "Next",
    "Enter": "Return",
    "Backspace": "BackSpace",
}


def press(shown, action: str, which: int = 0) -> None:
    key = ACTIONS[action].keys[which]
    parts = key.replace("++", "+plus").split("+") if len(key) > 1 else [key]
    shown.key("+".join(XDOTOOL.get(part, part.lower() if len(part) == 1 else part) for part in parts))


def keys_of(*groups: str) -> list[tuple[str, int]]:
    """The actions of these groups, and the numbers of their keys."""
    return [(action.name, i) for action in ACTIONS.values() if action.group in groups for i in range(len(action.keys))]


def checks_in(names: dict[str, Any]) -> dict[str, Check]:
    """The functions `check_...` of a module by the actions that they check."""
    return {name[6:].replace("_", "-"): check for name, check in names.items() if name.startswith("check_")}
