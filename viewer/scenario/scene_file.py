"""Scene files: reads TOML text as checked values, and writes values as TOML text that keeps an older text's comments.

The declarations of the fields are known here only as tables (`Declared`).
"""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from viewer.common import input_files
from viewer.common.errors import InputError, Wording, allowed_names, name_shown, refusal, shown
from viewer.common.language import tr
from viewer.common.output_files import WholeFile
from viewer.scenario import embedded
from viewer.scenario.field import Entries, Field, Tables
from viewer.scenario.fields import Declared, check_into

VERSION = 1
NO_EFFECT = "no effect here; "

Values = dict[str, Any]  # by path, such as "title" and "body.mass"


def read(path: str | os.PathLike[str]) -> str:
    """Return the text of a scene file, or of the scene inside a picture; raises InputError if there is none."""
    name = input_files.name_shown(path)
    with input_files.open_file(path) as file, input_files.read_errors(name):
        if embedded.is_picture(file.read(8)):
            file.seek(0)
            return embedded.scene_text(file, name)
    text = input_files.read_text(path, embedded.TEXT_LIMIT)
    if not text.strip():
        raise refusal("{path}: is empty; allowed is a scene file", path=name)
    return text


def is_picture(path: str | os.PathLike[str]) -> bool:
    """Return whether there is a file at `path` that begins as a picture does."""
    try:
        with input_files.open_file(path) as file, input_files.read_errors(os.fspath(path)):
            return embedded.is_picture(file.read(8))
    except InputError:
        return False


def tell_of_others(path: str | os.PathLike[str], tell: Callable[[str], object]) -> None:
    """Call `tell` with a line if the file holds several scenes, of which only the first is read."""
    if is_picture(path):
        name = input_files.name_shown(path)
        with input_files.open_file(path) as file, input_files.read_errors(name):
            count = embedded.count(file)
        if count > 1:
            tell(tr("{name}: holds {count} scenes, of which the first is read").format(name=name, count=count))


def parse(
    text: str, declared: Declared, name: str = "scene", check: Callable[[str, Any], None] = lambda path, value: None
) -> Values:
    """Return the checked values in a scene's text. Errors name the text `name` and the line.

    `check` is called with each path and its value, and may raise InputError for reasons beyond the declarations.
    Raises InputError for broken TOML, an unknown section or key, a wrong type, a value out of range or a newer version.
    """
    values: Values = {}
    for section, key, value in _entries(input_files.parse_toml(text, name), declared):
        try:
            if (section, key) == ("", "version"):
                _check_version(value)
            elif not section and key not in declared[""]:
                raise InputError(_unknown(key, value, declared))
            else:
                path = _path(section, key)
                check_into(values, declared, path, value)
                check(path, values.get(path))
        except InputError as error:
            raise InputError(f"{error} ({name}{_line(text, section, key, str(error))})") from None
    return values


def _entries(data: dict[str, Any], declared: Declared) -> Iterator[tuple[str, str, Any]]:
    """Yield (section, key, value) for each entry of a file, its version first."""
    yield "", "version", data.pop("version", VERSION)
    for key, entry in data.items():
        if key in declared and key and isinstance(entry, dict):
            yield from ((key, name, value) for name, value in entry.items())
        else:
            yield "", key, entry


def _unknown(key: str, entry: Any, declared: Declared) -> str:
    """Return why a key at the top of a file is refused; the key is not the name of a field there."""
    if key and key in declared:
        return tr("{key}: {value} is not a section; write [{key}]").format(key=key, value=shown(entry))
    if key == "items" and isinstance(entry, list):
        return tr("items: this is a playlist, not a scene; the window opens it, and a page (-o lecture.html) shows it")
    if key == "steps" and isinstance(entry, list):
        return tr("steps: this is a tour, not a scene; only the window shows it, as in: poinsot --tour tour.toml")
    names = ["version", *declared[""], *[section for section in declared if section]]
    return tr("{key}: section not found; {allowed}").format(key=name_shown(key), allowed=allowed_names(key, names))


def _path(section: str, key: str) -> str:
    return f"{section}.{key}" if section else key


def _check_version(version: Any) -> None:
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise refusal("version: {version}; allowed is {known}", version=shown(version), known=VERSION)
    if version > VERSION:
        raise refusal(
            "version: {version} is newer than this program, which reads {known}", version=shown(version), known=VERSION
        )


_HEADER = re.compile(r"\s*(\[\[?)([^\[\]#]+)\]")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_ENTRY = re.compile(r"[\w.-]+\[\d+\][\w.-]*")


def _line(text: str, section: str, key: str, message: str) -> str:
    """Return ", line N" for the line of a key, or else of its section; an empty text if neither is found.

    If the `message` begins with the path of an entry in a list of tables, such as "bodies[3].body.mass", the line is
    that of the entry.
    """
    wanted = _path(section, key)
    entry = _ENTRY.match(message)
    if entry and entry[0].startswith(f"{wanted}["):
        wanted = entry[0]
        section = wanted.partition(".")[0]
    table, found, first = "", "", ""
    counts: dict[str, int] = {}  # of the tables in each list so far
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.match(line):
            table = path = _in_list(_plain(header[2]), header[1] == "[[", counts)
        elif match := _KEY.match(line):
            path = f"{table}.{_plain(match[1])}" if table else _plain(match[1])
        else:
            continue
        if path == wanted or path.startswith((wanted + ".", wanted + "[")):
            return f", line {number}"
        if path and (path == section or wanted.startswith((path + ".", path + "["))):
            found = f", line {number}"
        elif path.partition("[")[0] == _path("", key) and not first:
            first = f", line {number}"
    return found or first


@contextmanager
def lines_in_errors(text: str, name: str) -> Iterator[None]:
    """Add the name of the file and the line to errors raised in the block, which begin with a path in a TOML text."""
    try:
        yield
    except InputError as error:
        key = re.split(r"[\[.:]", str(error), maxsplit=1)[0]
        raise InputError(f"{error} ({name}{_line(text, '', key, str(error))})") from None


def tables_of(data: Mapping[str, Any], key: str, most: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the path and the entries of each table [[key]] of a file.

    Raises InputError unless there are 1 to `most` such tables.
    """
    tables = data.get(key, [])
    if isinstance(tables, list) and len(tables) > most:
        raise refusal(
            "{path}: {count} tables are too many; allowed is {allowed}",
            path=key,
            count=len(tables),
            allowed=Wording("at most {count} tables", count=most),
        )
    if not isinstance(tables, list) or not tables:
        raise refusal(
            "{key}: {tables} is not a list of 1 to {most} tables; write [[{key}]]",
            key=key,
            tables=shown(tables),
            most=most,
        )
    for number, table in enumerate(tables):
        path = f"{key}[{number}]"
        if not isinstance(table, dict):
            raise refusal("{path}: {table} is not a table; write [[{key}]]", path=path, table=shown(table), key=key)
        yield path, table


def check_keys(entries: Iterable[str], names: Collection[str], path: str = "") -> None:
    """Raise InputError if a key of a table is none of the `names`.

    `path` is the path of the table, with a dot at its end.
    """
    for key in entries:
        if key not in names:
            raise refusal(
                "{path}{key}: field not found; {allowed}",
                path=path,
                key=name_shown(key),
                allowed=allowed_names(key, names),
            )


def _in_list(path: str, opens: bool, counts: dict[str, int]) -> str:
    """Return the path in the header of a table, with its index in each list of tables that it belongs to.

    `opens` says whether the header begins a new table of a list. `counts` has the last index of each list.
    """
    for name, last in counts.items():
        if path.startswith(f"{name}."):
            path = f"{name}[{last}]{path[len(name) :]}"
    if not opens:
        return path
    counts[path] = counts.get(path, -1) + 1
    return f"{path}[{counts[path]}]"


def _plain(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.split("."))


def write(
    path: str | os.PathLike[str],
    values: Values,
    declared: Declared,
    described: Callable[[str], Values],
    has_effect: Callable[[str], bool],
) -> None:
    """Write a scene file, whole or not at all; a scene file that was there keeps its comments and its order.

    A new file gets every field, with its unit and meaning as comments. A file that was there gets only the fields that
    it had, and those that the new values need. `described` returns all values of the scene that a text describes, and
    raises InputError if it describes none. `has_effect` says whether the field at a path has an effect in this scene;
    if not, the comment on the field says so.
    """
    if is_picture(path):
        raise refusal("{path}: is a picture; a scene is not written over it", path=os.fspath(path))
    old = ""
    if Path(path).is_file():
        try:
            old = read(path)
            described(old)
        except InputError:
            if _is_listing(old):
                raise refusal(
                    "{path}: is a playlist or a tour; a scene is not written over it", path=os.fspath(path)
                ) from None
            old = ""
    if old.strip():
        text = _updated(old, values, declared, described, has_effect)
    else:
        text = text_of(values, declared, has_effect)
    with WholeFile(path) as file:
        file.write(text.encode("utf-8"))


def _is_listing(text: str) -> bool:
    """Return whether a text is a playlist or a tour."""
    try:
        entries = input_files.parse_toml(text, "")
    except InputError:
        return False
    return any(isinstance(entries.get(key), list) for key in ("items", "steps"))


def text_of(values: Values, declared: Declared, has_effect: Callable[[str], bool]) -> str:
    """Return the text of a new scene file: every field, with its unit and meaning as comments."""
    import tomlkit

    document = tomlkit.document()
    document["version"] = VERSION
    for section, fields in declared.items():
        table = document if section == "" else tomlkit.table()
        for key, field in fields.items():
            if isinstance(field, Entries):
                continue
            item = _item(field, values[_path(section, key)])
            if section:
                item.comment(_comment(field, has_effect(_path(section, key))))
            table.add(key, item)
        if section:
            document[section] = table
    for key, field in declared[""].items():  # at the end: what follows such a table belongs to it
        if isinstance(field, Entries):
            _write_entries(document, key, (), values[key])
    return tomlkit.dumps(document)


def _comment(field: Field, used: bool) -> str:
    """Return the comment on a field: its unit and meaning, after NO_EFFECT if its value is not `used`."""
    meaning = f"{field.unit}: {field.description}" if field.unit else field.description
    return meaning if used else f"{NO_EFFECT}{meaning}"


def _renew_comments(document: Any, declared: Declared, has_effect: Callable[[str], bool]) -> None:
    """Update the comments that `text_of` has written to say which values have an effect; keep other comments."""
    for section in declared.keys() & document.keys() - {""}:
        for key, field in declared[section].items():
            item, used = _old_item(document[section], key), has_effect(_path(section, key))
            if hasattr(item, "trivia") and item.trivia.comment == f"# {_comment(field, not used)}":
                item.comment(_comment(field, used))


def _write_entries(document: Any, key: str, before: tuple[Values, ...], tables: tuple[Values, ...]) -> None:
    """Change the list of tables under a key from the values `before` to those of `tables`."""
    import tomlkit

    if key not in document or len(before) > len(tables):
        document.pop(key, None)
        before = ()
        if tables:
            document.add(tomlkit.nl())
            document.append(key, tomlkit.aot())
    for number, table in enumerate(tables):
        if number >= len(before):
            document[key].append(tomlkit.table())
        written, old = document[key][number], before[number] if number < len(before) else {}
        for name in [*table, *(name for name in old if name not in table)]:
            _write_entry(written, name, old.get(name), table.get(name))


def _write_headed(section: Any, key: str, before: list[dict[str, Any]], tables: list[dict[str, Any]]) -> None:
    """Change the tables [[section.key]] from the values `before` to those of `tables`; neither may be empty."""
    for _ in before[len(tables) :]:
        section[key].pop()
    _write_entries(section, key, tuple(before[: len(tables)]), tuple(tables))


def _write_entry(table: Any, name: str, before: Any, value: Any) -> None:
    """Change one key of a table from the value `before` to `value`; None stands for a missing key."""
    import tomlkit

    if value == before:
        return
    if value is None:
        table.pop(name, None)
    elif not isinstance(value, dict):
        of_tables = isinstance(value, list) and bool(value) and isinstance(value[0], dict)
        item = _inline(value) if of_tables else tomlkit.item(list(value) if isinstance(value, tuple) else value)
        table[name] = _like(_old_item(table, name), item)
    else:
        if name not in table:
            table[name] = tomlkit.inline_table()
        old = before or {}
        for inner in [*value, *(inner for inner in old if inner not in value)]:
            _write_entry(table[name], inner, old.get(inner), value.get(inner))


def _updated(
    old: str,
    values: Values,
    declared: Declared,
    described: Callable[[str], Values],
    has_effect: Callable[[str], bool],
) -> str:
    """Return the old text with the changed values, and with true comments on which values have no effect.

    Sections that the scene no longer has are deleted; everything else in the text is kept.
    """
    import tomlkit
    from tomlkit.items import AoT

    document = tomlkit.parse(old)
    for _ in range(2):  # what is written at first may end something automatic, which then has to be written, too
        for section in [name for name, entry in document.items() if name not in declared and isinstance(entry, dict)]:
            del document[section]  # which the scene does not have any more
        before = described(tomlkit.dumps(document))
        for section, fields in declared.items():
            for key, field in fields.items():
                value = values[_path(section, key)]
                if value == before[_path(section, key)]:
                    continue
                if isinstance(field, Entries):
                    _write_entries(document, key, before[key], value)
                    continue
                if section and section not in document:
                    document[section] = tomlkit.table()
                table = document[section] if section else document
                written = next((former for former in field.former if former in table), key)
                old_item = _old_item(table, written)
                if not isinstance(old_item, AoT):
                    table[written] = _like(old_item, _item(field, value))
                elif value:
                    _write_headed(table, written, field.plain(before[_path(section, key)]), field.plain(value))
                else:
                    del table[written]
    _renew_comments(document, declared, has_effect)
    return tomlkit.dumps(document)


def _item(field: Field, value: Any) -> Any:
    import tomlkit

    if isinstance(field, Tables):
        return _inline(field.plain(value)).multiline(bool(value))
    return tomlkit.item(field.plain(value))


def _inline(tables: list[dict[str, Any]]) -> Any:
    """Return a list of tables written in one line."""
    import tomlkit

    array = tomlkit.array()
    for entries in tables:
        table = tomlkit.inline_table()
        table.update({key: list(entry) if isinstance(entry, tuple) else entry for key, entry in entries.items()})
        array.append(table)
    return array


def _old_item(table: Any, key: str) -> Any:
    """Return the item under a key, which carries its comment, or None if there is none.

    `table[key]` would not do: for a boolean tomlkit returns a plain bool, and the comment is lost.
    """
    from tomlkit.items import AbstractTable

    if key not in table:
        return None
    container = table.value if isinstance(table, AbstractTable) else table
    return container.item(key) if hasattr(container, "item") else table[key]  # no item: scattered dotted keys


def _like(old: Any, item: Any) -> Any:
    """Return `item` with the comment of the old item behind it."""
    if old is not None and hasattr(old, "trivia"):
        item.trivia.indent, item.trivia.comment_ws = old.trivia.indent, old.trivia.comment_ws
        item.trivia.comment, item.trivia.trail = old.trivia.comment, old.trivia.trail
    return item
