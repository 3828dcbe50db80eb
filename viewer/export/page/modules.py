"""Joins the JavaScript modules of `assets/page/` to one: a page is a single file and imports nothing."""

import re
from collections.abc import Iterable

from viewer.common import resources

_IMPORT = re.compile(r'(?m)^import \{[^}]*\} from "\./([\w-]+)\.js";\n')
_EXPORT = re.compile(r"(?m)^export (?=(?:async )?(?:function|class|const|let)\b)")
_DECLARED = re.compile(r"(?m)^(?:export )?(?:async )?(?:function\*?|class|const|let) (\w+)")
_UNREAD = re.compile(r"(?ms)^ */\*\*.*?\*/\n|^ *//[^\n]*\n|^ +|^\n")  # comments of whole lines, indents, empty lines
_LEFT = re.compile(r"(?m)^(?:import|export)\b.*$")


def joined(names: Iterable[str]) -> str:
    """Return the source of these modules and of those that they import, each after the modules that it imports.

    Import lines, the word `export`, whole lines of comment and indents are left out. Raises ValueError if two modules
    declare the same name at their top level, or if one imports or exports in another way than
    `import { name } from "./module.js";` and `export function`, `class`, `const` or `let`.
    """
    parts: dict[str, str] = {}
    begun: set[str] = set()
    declared: dict[str, str] = {}

    def add(name: str) -> None:
        if name in begun:
            return
        begun.add(name)
        source = module(name)
        for imported in _IMPORT.findall(source):
            add(imported)
        for found in declared_in(name):
            if found in declared:
                raise ValueError(f"{name}.js declares {found}, which {declared[found]}.js declares, too")
            declared[found] = name
        parts[name] = _UNREAD.sub("", _EXPORT.sub("", _IMPORT.sub("", source)))
        if left := _LEFT.search(parts[name]):
            raise ValueError(f"{name}.js: cannot join: {left.group()}")

    for name in names:
        add(name)
    return "".join(parts.values())


def module(name: str) -> str:
    """Return the source of the module `name` of `assets/page/`."""
    return resources.read_text("assets", "page", f"{name}.js")


def declared_in(name: str) -> list[str]:
    """Return the names that a module declares at its top level."""
    return _DECLARED.findall(module(name))
