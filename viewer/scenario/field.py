"""A field of a scene, a tour or a setting: what it is, and the check of a value that it is given."""

import math
from collections.abc import Callable, Iterator, Mapping
from numbers import Integral, Real
from typing import Any

from viewer.common.errors import InputError, allowed_names, brief, name_shown, refusal, shown
from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.common.quantities import units

Vector = tuple[float, ...]
TEXT_LIMIT = 300  # characters in a text
ROWS_LIMIT = 64
TEXTS_LIMIT = 100  # texts in a list


@frozen
class Field:
    """One field: `kind` is "number", "integer", "numbers" (a list), "vector", "choice", "switch", "text", "texts" (a
    list), "rows", "tables" (a list of named values each) or "entries" (a list of tables, which `read` reads).

    `low`, `high`: what is allowed, bounds included, for each component. `soft_low`, `soft_high`: what a slider offers.
    `symbol`: as in the formulas. `formula`: what it means there. `labels`: of a vector's components.
    `choices`: allowed values with their labels; `meanings`: what each is. `log_scale`: the slider is logarithmic.
    `ended_by`: a switch that goes off, a number that becomes 0, where one of these fields of its section is set and it
    is not (`Scenario.with_values`).
    `remembered`: the user's settings keep it between runs, for scenes that do not set it.
    `columns`: name, least and greatest value of each number in a row.
    `keys`: of each table, where the first of `when` is another key; `make`: what is made of a table, an immutable value
    with these attributes; raises ValueErrors that begin with a key.
    `required`: of a key of a table: that has no default there, wherever `when` holds.
    `most`: numbers, tables or texts in a list; `entry`: raises InputError for a text that is not allowed there.
    `read`: what the table at a path is, or InputError.
    `former`: names that it once had; files and scripts may still use them.
    `keywords`: words of the subject that a search finds it by, beside its label and its description.
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
    keywords: str = ""
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
                raise refusal(
                    "{path}: {value} is not a switch; allowed are {allowed}",
                    path=path,
                    value=shown(value),
                    allowed=self.allowed,
                )
            return value
        if self.kind == "texts":
            return self._texts(path, value)
        if self.kind == "entries":
            return self._entries(path, value)
        return self._text(path, value)

    def _measured(self, path: str, text: str) -> Any:
        """The number of a text with a unit, such as "5.41 d"; any other text as it is."""
        try:
            number, in_si = units.read_number(text, self.unit)
            return text if in_si is None else float(f"{in_si(float(number)):.15g}")
        except units.UnitError as error:
            raise InputError(f"{path}: {error}") from None
        except ValueError:
            return text

    def _number(self, path: str, value: Any) -> float:
        if isinstance(value, str):
            value = self._measured(path, value)
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
            raise refusal(
                "{path}: {value} is not a list of rows; allowed is {allowed}",
                path=path,
                value=shown(value),
                allowed=self.allowed,
            )
        rows: list[Vector] = []
        for i, row in enumerate(value):
            if not isinstance(row, list | tuple) or len(row) != len(self.columns):
                raise refusal(
                    "{path}[{i}]: {row} is not a row; allowed is {allowed}",
                    path=path,
                    i=i,
                    row=shown(row),
                    allowed=self.allowed,
                )
            rows.append(
                tuple(
                    Field("number", "", "", low=low, high=high)._number(f"{path}[{i}], {name}", entry)
                    for (name, low, high), entry in zip(self.columns, row, strict=True)
                )
            )
            if i and rows[i][0] <= rows[i - 1][0]:
                name = self.columns[0][0]
                raise refusal(
                    "{path}[{i}], {name}: {number} is not above that of the previous row",
                    path=path,
                    i=i,
                    name=name,
                    number=brief(rows[i][0]),
                )
        return tuple(rows)

    def _tables(self, path: str, value: Any) -> tuple[Any, ...]:
        wanted = tr("allowed is {allowed}").format(allowed=self.allowed)
        return tuple(self._table(*each) for each in self._each(path, value, wanted))

    def _entries(self, path: str, value: Any) -> tuple[Any, ...]:
        assert self.read is not None
        return tuple(
            self.read(*each) for each in self._each(path, value, tr("write [[{path}]] before each").format(path=path))
        )

    def _each(self, path: str, value: Any, wanted: str) -> Iterator[tuple[str, Any]]:
        """The path of each table in a list, and what it is."""
        if not isinstance(value, list | tuple):
            raise refusal(
                "{path}: {value} is not a list of tables; {wanted}", path=path, value=shown(value), wanted=wanted
            )
        if len(value) > self.most:
            raise refusal(
                "{path}: {count} tables are too many; allowed is {allowed}",
                path=path,
                count=len(value),
                allowed=self.allowed,
            )
        return ((f"{path}[{i}]", table) for i, table in enumerate(value))

    def _table(self, path: str, table: Any) -> Any:
        assert self.make is not None
        if isinstance(self.make, type) and isinstance(table, self.make):
            table = self._keys_of(table)
        fields = dict(self.keys)
        if not isinstance(table, Mapping):
            raise refusal(
                "{path}: {table} is not a table; allowed are {fields}",
                path=path,
                table=shown(table),
                fields=", ".join(fields),
            )
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
            where = (
                "" if when is None else tr(" where {name} is {values}").format(name=when[0], values=", ".join(allowed))
            )
            if key in checked and not used:
                raise refusal("{path}.{key}: has no effect; it is allowed{where}", path=path, key=key, where=where)
            if field.required and used and key not in checked:
                kinds = {
                    "vector": tr("{count} numbers in ").format(count=field.size),
                    "number": tr("a number in "),
                    "choice": tr("one of "),
                }
                raise refusal(
                    "{path}.{key}: is missing; it must be given{where}: {needed}",
                    path=path,
                    key=key,
                    where=where,
                    needed=kinds[field.kind] + field.allowed if field.kind in kinds else "a text",
                )
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
            raise refusal(
                "{path}: {value} has {count} characters; allowed are at most {most}",
                path=path,
                value=shown(value),
                count=len(value),
                most=TEXT_LIMIT,
            )
        if not value.isprintable():
            raise refusal(
                "{path}: {value} has characters that cannot be shown; allowed is one line",
                path=path,
                value=shown(value),
            )
        return value

    def _texts(self, path: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or len(value) > self.most:
            raise refusal(
                "{path}: {value} is not a list of at most {most} strings", path=path, value=shown(value), most=self.most
            )
        found = tuple(self._text(f"{path}[{i}]", entry) for i, entry in enumerate(value))
        if self.entry is not None:
            for i, text in enumerate(found):
                try:
                    self.entry(text)
                except InputError as error:
                    raise InputError(f"{path}[{i}]: {error}") from None
        return found

    @property
    def allowed(self) -> str:
        """What is allowed, as error messages state it."""
        if self.kind == "choice":
            return ", ".join(name for name, _ in self.choices)
        if self.kind == "switch":
            return "true, false"
        if self.kind == "text":
            return tr("at most {count} characters").format(count=TEXT_LIMIT)
        if self.kind == "rows":
            columns = (f"{name} {_between(low, high)}" for name, low, high in self.columns)
            return tr("at most {count} rows of [{columns}], the first increasing").format(
                count=ROWS_LIMIT, columns=", ".join(columns)
            )
        if self.kind == "texts":
            return tr("at most {count} strings").format(count=self.most)
        if self.kind == "tables":
            keys = ", ".join(key for key, _ in self.keys)
            return tr("at most {count} tables of {keys}").format(count=self.most, keys=keys)
        if self.kind == "entries":
            return tr("at most {count} tables").format(count=self.most)
        if self.kind == "numbers":
            return tr("at most {count} numbers, each {range}{unit}").format(
                count=self.most, range=_between(self.low, self.high), unit=self._unit
            )
        return f"{_between(self.low, self.high)}{self._unit}"

    @property
    def _unit(self) -> str:
        return f" {self.unit}" if self.unit else ""


def _between(low: float, high: float) -> str:
    """A range in words."""
    return tr("{low} to {high}").format(low=brief(low), high=brief(high))
