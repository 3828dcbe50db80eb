"""Scene files: TOML text to checked values, and values to TOML text that keeps the comments of an older one.

Knows the fields' declarations only as tables {section: {key: Field}}; the section "" is the top of the file.
"""

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from viewer.common import input_files
from viewer.common.errors import InputError, allowed_names, name_shown, shown
from viewer.common.output_files import whole_file
from viewer.scenario import embedded
from viewer.scenario.fields import Field, current_name

VERSION = 1

Declared = Mapping[str, Mapping[str, Field]]
Values = dict[str, Any]  # by path, such as "title" and "body.mass"


def read(path: str | os.PathLike[str]) -> str:
    """The text of a scene file, or of the scene inside a picture; raises InputError where there is none."""
    with input_files.open_file(path) as file:
        if embedded.is_picture(file.read(8)):
            file.seek(0)
            return embedded.scene_text(file, input_files.name_shown(path))
    return input_files.read_text(path, embedded.TEXT_LIMIT)


def is_picture(path: str | os.PathLike[str]) -> bool:
    """Whether there is a file at `path` that is a picture, by what it begins with."""
    try:
        with input_files.open_file(path) as file:
            return embedded.is_picture(file.read(8))
    except InputError:
        return False


def parse(text: str, declared: Declared, name: str = "scene") -> Values:
    """The values in a scene's text, checked; `name` stands in the errors, with the line.

    Raises InputError for broken TOML, an unknown section or key, a wrong type, a value out of range or a newer version.
    """
    data = input_files.parse_toml(text, name)
    _check_version(data.pop("version", VERSION), name, text)
    values: Values = {}
    for key, entry in data.items():
        if key in declared[""]:
            values[key] = _checked(declared[""][key], "", key, entry, name, text)
        elif key not in declared or key == "":
            known = ["version", *declared[""], *[section for section in declared if section]]
            raise InputError(
                f"{name_shown(key)}: there is no such section; {allowed_names(key, known)}"
                f" ({name}{_line(text, '', key)})"
            )
        elif not isinstance(entry, dict):
            raise InputError(f"{key}: {shown(entry)} is not a section; write [{key}] ({name}{_line(text, '', key)})")
        else:
            values |= _section(declared[key], key, entry, name, text)
    return values


def _section(fields: Mapping[str, Field], section: str, entries: dict[str, Any], name: str, text: str) -> Values:
    given: Values = {}
    for key, value in entries.items():
        current = current_name(fields, key)
        if current not in fields:
            raise InputError(
                f"{section}.{name_shown(key)}: there is no such field; {allowed_names(key, fields)}"
                f" ({name}{_line(text, section, key)})"
            )
        path = f"{section}.{current}"
        if path in given:
            both = " and ".join(key for key in entries if current_name(fields, key) == current)
            where = f"{name}{_line(text, section, key)}"
            raise InputError(f"{path}: is given twice, as {both}; allowed is one of them ({where})")
        given[path] = _checked(fields[current], section, key, value, name, text)
    return given


def _checked(field: Field, section: str, key: str, value: Any, name: str, text: str) -> Any:
    try:
        return field.check(_path(section, key), value)
    except InputError as error:
        raise InputError(f"{error} ({name}{_line(text, section, key)})") from None


def _path(section: str, key: str) -> str:
    return f"{section}.{key}" if section else key


def _check_version(version: Any, name: str, text: str) -> None:
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise InputError(f"version: {shown(version)}; allowed is {VERSION} ({name}{_line(text, '', 'version')})")
    if version > VERSION:
        raise InputError(
            f"version: {shown(version)} is newer than this program, which reads {VERSION}"
            f" ({name}{_line(text, '', 'version')})"
        )


_HEADER = re.compile(r"\s*\[+([^\[\]#]+)\]")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")


def _line(text: str, section: str, key: str) -> str:
    """ ", line N" of a key, or of the section that holds it, or nothing."""
    table, found = "", ""
    wanted = _path(section, key)
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.match(line):
            table = path = _plain(header[1])
        elif match := _KEY.match(line):
            path = f"{table}.{_plain(match[1])}" if table else _plain(match[1])
        else:
            continue
        if path == wanted or path.startswith(wanted + "."):
            return f", line {number}"
        if path == section and not found:
            found = f", line {number}"
    return found


def _plain(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.split("."))


def write(path: str | os.PathLike[str], values: Values, declared: Declared, described: Callable[[str], Values]) -> None:
    """Writes a scene file, whole or not at all; an older scene there keeps its comments and its order.

    A new file gets every field, with its unit and meaning as comments; an older one only what it had or needs.
    `described`: all values of the scene that a text describes; raises InputError where it describes none.
    """
    if is_picture(path):
        raise InputError(f"{os.fspath(path)}: is a picture; a scene is not written over it")
    old = ""
    if Path(path).is_file():
        try:
            old = read(path)
            described(old)
        except InputError:
            old = ""
    text = _updated(old, values, declared, described) if old.strip() else text_of(values, declared)
    with whole_file(path) as file:
        file.write(text.encode("utf-8"))


def text_of(values: Values, declared: Declared) -> str:
    """The text of a new scene file: every field, with its unit and meaning as comments."""
    import tomlkit

    document = tomlkit.document()
    document["version"] = VERSION
    for section, fields in declared.items():
        table = document if section == "" else tomlkit.table()
        for key, field in fields.items():
            item = _item(values[_path(section, key)])
            if section:
                item.comment(f"{field.unit}: {field.description}" if field.unit else field.description)
            table.add(key, item)
        if section:
            document[section] = table
    return tomlkit.dumps(document)


def _updated(old: str, values: Values, declared: Declared, described: Callable[[str], Values]) -> str:
    """The old text, changed only where it describes other values."""
    import tomlkit

    document = tomlkit.parse(old)
    for _ in range(2):  # what is written at first may end something automatic, which then has to be written, too
        before = described(tomlkit.dumps(document))
        for section, fields in declared.items():
            for key, field in fields.items():
                value = values[_path(section, key)]
                if value == before[_path(section, key)]:
                    continue
                if section and section not in document:
                    document[section] = tomlkit.table()
                table = document[section] if section else document
                written = next((former for former in field.former if former in table), key)
                table[written] = _like(_old_item(table, written), value)
    return tomlkit.dumps(document)


def _item(value: Any) -> Any:
    import tomlkit

    if isinstance(value, tuple):
        value = [list(part) if isinstance(part, tuple) else part for part in value]
    return tomlkit.item(value)


def _old_item(table: Any, key: str) -> Any:
    """What stands under a key, with its comment; `table[key]` would give a plain bool without it."""
    from tomlkit.items import AbstractTable

    if key not in table:
        return None
    container = table.value if isinstance(table, AbstractTable) else table
    return container.item(key) if hasattr(container, "item") else table[key]  # no item: scattered dotted keys


def _like(old: Any, value: Any) -> Any:
    """`value` with the comment that stood behind the old one."""
    item = _item(value)
    if old is not None and hasattr(old, "trivia"):
        item.trivia.indent, item.trivia.comment_ws = old.trivia.indent, old.trivia.comment_ws
        item.trivia.comment, item.trivia.trail = old.trivia.comment, old.trivia.trail
    return item
