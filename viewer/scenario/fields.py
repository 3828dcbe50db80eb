"""A field of a scene: its unit, range, meaning, and the check that files, panel and scripts share."""

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from numbers import Integral, Real
from typing import Any

from viewer.common.errors import InputError, allowed_names, brief, name_shown, nearest, refusal, shown
from viewer.common.language import tr

Vector = tuple[float, ...]
TEXT_LIMIT = 300  # characters in a text
ROWS_LIMIT = 64
TEXTS_LIMIT = 100  # texts in a list


@dataclass(frozen=True)
class Field:
    """One field: `kind` is "number", "integer", "numbers" (a list), "vector", "choice", "switch", "text", "texts" (a
    list), "rows", "tables" (a list of named values each) or "entries" (a list of tables, which `read` reads).

    `low`, `high`: what is allowed, bounds included, for each component. `soft_low`, `soft_high`: what a slider offers.
    `symbol`: as in the formulas. `formula`: what it means there. `labels`: of a vector's components.
    `choices`: allowed values with their labels; `meanings`: what each is. `log_scale`: the slider is logarithmic.
    `ended_by`: a switch that goes off where one of these fields of its section is set and the switch is not
    (`Scenario.with_values`).
    `remembered`: the user's settings keep it between runs, for scenes that do not set it.
    `columns`: name, least and greatest value of each number in a row.
    `keys`: of each table, where the first of `when` is another key; `make`: what is made of a table, an immutable value
    with these attributes; raises ValueErrors that begin with a key.
    `required`: of a key of a table: that has no default there, wherever `when` holds.
    `most`: numbers, tables or texts in a list; `entry`: raises InputError for a text that is not allowed there.
    `read`: what the table at a path is, or InputError.
    `former`: names that it once had; files and scripts may still use them.
    `when`: (path, values): it has an effect only where the field at that path has one of these values; None: where that
    is not empty.
    """

    kind: str
    label: str
    description: str
    unit: str = ""
    symbol: str = ""
    formula: str = ""
    low: float = -math.inf
    high: float = math.inf
    soft_low: float = 0.0
    soft_high: float = 1.0
    log_scale: bool = False
    size: int = 1
    labels: tuple[str, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    meanings: tuple[str, ...] = ()
    ended_by: tuple[str, ...] = ()
    remembered: bool = False
    former: tuple[str, ...] = ()
    when: tuple[str, tuple[Any, ...] | None] | None = None
    columns: tuple[tuple[str, float, float], ...] = ()
    most: int = TEXTS_LIMIT
    entry: Callable[[str], object] | None = None
    keys: tuple[tuple[str, "Field"], ...] = ()
    make: Callable[..., Any] | None = None
    required: bool = False
    read: Callable[[str, Any], Any] | None = None

    def check(self, path: str, value: Any) -> Any:
        """`value` as the field's own plain type; raises InputError where it is of a wrong type or out of range."""
        if self.kind == "number":
            return self._number(path, value)
        if self.kind == "integer":
            return self._integer(path, value)
        if self.kind == "vector":
            if isinstance(value, str | bytes) or not hasattr(value, "__len__") or not hasattr(value, "__getitem__"):
                raise refusal(
                    "{path}: {value} is not a list of {count} numbers", path=path, value=shown(value), count=self.size
                )
            if len(value) != self.size or isinstance(value, dict):
                raise refusal(
                    "{path}: {value} is not a list of {count} numbers", path=path, value=shown(value), count=self.size
                )
            return tuple(self._number(f"{path}[{i}]", value[i]) for i in range(self.size))
        if self.kind == "rows":
            return self._rows(path, value)
        if self.kind == "tables":
            return self._tables(path, value)
        if self.kind == "numbers":
            if not isinstance(value, list | tuple) or len(value) > self.most:
                raise refusal(
                    "{path}: {value} is not a list; allowed is {allowed}",
                    path=path,
                    value=shown(value),
                    allowed=self.allowed,
                )
            return tuple(self._number(f"{path}[{i}]", number) for i, number in enumerate(value))
        if self.kind == "choice":
            return self._choice(path, value)
        if self.kind == "switch":
            if not isinstance(value, bool):
                raise InputError(f"{path}: {shown(value)} is not a switch; allowed are {self.allowed}")
            return value
        if self.kind == "texts":
            return self._texts(path, value)
        if self.kind == "tables":
            return self._tables(path, value)
        if self.kind == "entries":
            return self._entries(path, value)
        return self._text(path, value)

    def _number(self, path: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, Real):
            raise refusal(
                "{path}: {value} is not a number; allowed is {allowed}",
                path=path,
                value=shown(value),
                allowed=self.allowed,
            )
        try:
            number = float(value)
        except OverflowError:
            raise refusal(
                "{path}: {value} is outside {allowed}", path=path, value=shown(value), allowed=self.allowed
            ) from None
        if not self.low <= number <= self.high:
            raise refusal(
                "{path}: {value} is outside {allowed}",
                path=path,
                value=brief(number) + self._unit,
                allowed=self.allowed,
            )
        return number

    def _integer(self, path: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, Integral):
            raise refusal(
                "{path}: {value} is not a whole number; allowed is {allowed}",
                path=path,
                value=shown(value),
                allowed=self.allowed,
            )
        number = int(value)
        if not self.low <= number <= self.high:
            raise refusal("{path}: {value} is outside {allowed}", path=path, value=shown(number), allowed=self.allowed)
        return number

    def _rows(self, path: str, value: Any) -> tuple[Vector, ...]:
        if not isinstance(value, list | tuple) or len(value) > ROWS_LIMIT:
            raise InputError(f"{path}: {shown(value)} is not a list of rows; allowed is {self.allowed}")
        rows: list[Vector] = []
        for i, row in enumerate(value):
            if not isinstance(row, list | tuple) or len(row) != len(self.columns):
                raise InputError(f"{path}[{i}]: {shown(row)} is not a row; allowed is {self.allowed}")
            rows.append(
                tuple(
                    Field("number", "", "", low=low, high=high)._number(f"{path}[{i}], {name}", entry)
                    for (name, low, high), entry in zip(self.columns, row, strict=True)
                )
            )
            if i and rows[i][0] <= rows[i - 1][0]:
                name = self.columns[0][0]
                raise InputError(f"{path}[{i}], {name}: {brief(rows[i][0])} is not above that of the previous row")
        return tuple(rows)

    def _tables(self, path: str, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise InputError(f"{path}: {shown(value)} is not a list of tables; allowed is {self.allowed}")
        if len(value) > self.most:
            raise refusal(
                "{path}: {count} tables are too many; allowed is {allowed}",
                path=path,
                count=len(value),
                allowed=self.allowed,
            )
        return tuple(self._table(f"{path}[{i}]", table) for i, table in enumerate(value))

    def _table(self, path: str, table: Any) -> Any:
        assert self.make is not None
        if isinstance(self.make, type) and isinstance(table, self.make):
            table = self._keys_of(table)
        fields = dict(self.keys)
        if not isinstance(table, Mapping):
            raise InputError(f"{path}: {shown(table)} is not a table; allowed are {', '.join(fields)}")
        checked = {}
        for key, value in table.items():
            if key not in fields:
                raise refusal(
                    "{path}: key not found; {allowed}",
                    path=f"{path}.{name_shown(key)}",
                    allowed=allowed_names(key, fields),
                )
            checked[key] = fields[key].check(f"{path}.{key}", value)
        for key, field in fields.items():
            when = field.when
            allowed = () if when is None else when[1] or ()
            used = when is None or checked.get(when[0], fields[when[0]].choices[0][0]) in allowed
            where = "" if when is None else f" where {when[0]} is {', '.join(allowed)}"
            if key in checked and not used:
                raise InputError(f"{path}.{key}: has no effect; it is allowed{where}")
            if field.required and used and key not in checked:
                kind = f"{field.size} numbers" if field.kind == "vector" else "a number"
                raise InputError(f"{path}.{key}: is missing; it must be given{where}: {kind} in {field.allowed}")
        try:
            return self.make(**checked)
        except ValueError as error:
            raise InputError(f"{path}.{error}") from None

    def _keys_of(self, made: Any) -> dict[str, Any]:
        fields = dict(self.keys)
        return {
            key: getattr(made, key)
            for key, field in fields.items()
            if field.when is None or getattr(made, field.when[0]) in (field.when[1] or ())
        }

    def plain(self, value: Any) -> list[dict[str, Any]]:
        """A checked value of the kind "tables" as a list of tables, without keys that have no effect."""
        return [{key: entry for key, entry in self._keys_of(made).items() if entry != math.inf} for made in value]

    def _choice(self, path: str, value: Any) -> str:
        names = [name for name, _ in self.choices]
        if not isinstance(value, str) or value not in names:
            raise refusal(
                "{path}: {value} is unknown; {allowed}",
                path=path,
                value=shown(value),
                allowed=allowed_names(value, names),
            )
        return value

    def _text(self, path: str, value: Any) -> str:
        if not isinstance(value, str):
            raise refusal("{path}: {value} is not a string", path=path, value=shown(value))
        if len(value) > TEXT_LIMIT:
            raise InputError(f"{path}: {shown(value)} has {len(value)} characters; allowed are at most {TEXT_LIMIT}")
        if not value.isprintable():
            raise InputError(f"{path}: {shown(value)} has characters that cannot be shown; allowed is one line")
        return value

    def _texts(self, path: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or len(value) > self.most:
            raise InputError(f"{path}: {shown(value)} is not a list of at most {self.most} strings")
        found = tuple(self._text(f"{path}[{i}]", entry) for i, entry in enumerate(value))
        if self.entry is not None:
            for i, text in enumerate(found):
                try:
                    self.entry(text)
                except InputError as error:
                    raise InputError(f"{path}[{i}]: {error}") from None
        return found

    def _entries(self, path: str, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise InputError(f"{path}: {shown(value)} is not a list of tables; write [[{path}]] before each")
        if len(value) > self.most:
            raise refusal(
                "{path}: {count} tables are too many; allowed is {allowed}",
                path=path,
                count=len(value),
                allowed=self.allowed,
            )
        assert self.read is not None
        return tuple(self.read(f"{path}[{i}]", entry) for i, entry in enumerate(value))

    @property
    def allowed(self) -> str:
        """What is allowed, as error messages state it."""
        if self.kind == "choice":
            return ", ".join(name for name, _ in self.choices)
        if self.kind == "switch":
            return "true, false"
        if self.kind == "rows":
            columns = (f"{name} {brief(low)}..{brief(high)}" for name, low, high in self.columns)
            return f"at most {ROWS_LIMIT} rows of [{', '.join(columns)}], the first increasing"
        if self.kind == "texts":
            return tr("at most {count} strings").format(count=self.most)
        if self.kind == "tables":
            return f"at most {self.most} tables of {', '.join(key for key, _ in self.keys)}"
        if self.kind == "entries":
            return tr("at most {count} tables").format(count=self.most)
        if self.kind == "numbers":
            return f"at most {self.most} numbers of {brief(self.low)}..{brief(self.high)}{self._unit}"
        return f"{brief(self.low)}..{brief(self.high)}{self._unit}"

    @property
    def _unit(self) -> str:
        return f" {self.unit}" if self.unit else ""


def field(default: Any, kind: str, label: str, description: str, **more: Any) -> Any:
    """A dataclass field that carries its `Field`."""
    return dataclasses.field(default=default, metadata={"field": Field(kind, label, description, **more)})


def number(
    default: float | Vector,
    label: str,
    description: str,
    low: float,
    high: float,
    soft: tuple[float, float] | None = None,
    kind: str = "number",
    **more: Any,
) -> Any:
    """A number in `low`..`high`; a slider offers `soft`, or all of it."""
    soft_low, soft_high = soft or (low, high)
    return field(default, kind, label, description, low=low, high=high, soft_low=soft_low, soft_high=soft_high, **more)


def integer(default: int, label: str, description: str, low: int, high: int, **more: Any) -> Any:
    """A whole number in `low`..`high`."""
    return number(default, label, description, low, high, kind="integer", **more)


def vector(
    default: Vector, label: str, description: str, low: float, high: float, labels: tuple[str, ...], **more: Any
) -> Any:
    """A list of numbers, each in `low`..`high`; `soft` as of a number."""
    return number(default, label, description, low, high, kind="vector", size=len(default), labels=labels, **more)


def rows(label: str, description: str, columns: Sequence[tuple[str, float, float]], **more: Any) -> Any:
    """Rows of numbers, of which the first rises from row to row; none by default."""
    return field((), "rows", label, description, columns=tuple(columns), **more)


def tables(label: str, description: str, make: Callable[..., Any], keys: Mapping[str, Field], **more: Any) -> Any:
    """A list of tables with these keys, of each of which `make` makes a value; none by default."""
    return field((), "tables", label, description, make=make, keys=tuple(keys.items()), **more)


def choice(default: str, label: str, description: str, choices: Sequence[tuple[str, ...]], **more: Any) -> Any:
    """One of the named values: (name, label) or (name, label, what it is)."""
    named = tuple((entry[0], entry[1]) for entry in choices)
    meanings = tuple(entry[2] if len(entry) > 2 else "" for entry in choices)
    return field(default, "choice", label, description, choices=named, meanings=meanings, **more)


def text(default: str, label: str, description: str) -> Any:
    """One line of text."""
    return field(default, "text", label, description)


def texts(default: tuple[str, ...], label: str, description: str, **more: Any) -> Any:
    """A list of texts, each one line."""
    return field(default, "texts", label, description, **more)


def entries(label: str, description: str, read: Callable[[str, Any], Any], **more: Any) -> Any:
    """A list of tables; none by default."""
    return field((), "entries", label, description, read=read, **more)


def switch(default: bool, label: str, description: str, **more: Any) -> Any:
    """True or false."""
    return field(default, "switch", label, description, **more)


Declared = Mapping[str, Mapping[str, Field]]  # the fields by section and name; the section "" is the top of a file


def current_path(declared: Declared, path: str) -> str:
    """The path such as "body.mass" of a field by its present or a former name; raises InputError where it has none."""
    section, _, name = path.partition(".")
    if path in declared[""]:
        return path
    if not section or section not in declared:
        sections = [known for known in declared if known]
        raise InputError(
            f"{name_shown(path)}: field not found; {nearest(section, sections)}"
            f"allowed is SECTION.FIELD with the sections {', '.join(sections)}"
        )
    fields = declared[section]
    current = next((now for now, field in fields.items() if name in field.former), name)
    if current not in fields:
        raise refusal(
            "{path}: field not found; {allowed}",
            path=f"{section}.{name_shown(name)}",
            allowed=allowed_names(name, fields),
        )
    return f"{section}.{current}"


def check_into(values: dict[str, Any], declared: Declared, path: str, value: Any) -> None:
    """Adds to `values` the checked value of the field at `path`; raises InputError, also where it has one already."""
    section, _, name = current_path(declared, path).rpartition(".")
    field = declared[section][name]
    current = f"{section}.{name}" if section else name
    if current in values:
        raise InputError(f"{path}: is given twice; allowed is one of {', '.join((name, *field.former))}")
    values[current] = field.check(path, value)


def fields_of(section: Any) -> dict[str, Field]:
    """The fields of a section (class or value), in order of declaration."""
    return _fields_of(section if isinstance(section, type) else type(section))


@cache
def _fields_of(section: Any) -> dict[str, Field]:
    return {f.name: f.metadata["field"] for f in dataclasses.fields(section) if "field" in f.metadata}
