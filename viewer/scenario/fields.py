"""A field of a scene: its unit, range, meaning, and the check that files, panel and scripts share."""

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from numbers import Integral, Real
from typing import Any

from viewer.common.errors import InputError, allowed_names, brief, shown

Vector = tuple[float, ...]
TEXT_LIMIT = 300  # characters in a text
ROWS_LIMIT = 64
TEXTS_LIMIT = 100  # texts in a list


@dataclass(frozen=True)
class Field:
    """One field: `kind` is "number", "integer", "vector", "choice", "switch", "text", "texts" (a list) or "rows".

    `low`, `high`: what is allowed, bounds included, for each component. `soft_low`, `soft_high`: what a slider offers.
    `symbol`: as in the formulas. `formula`: what it means there. `labels`: of a vector's components.
    `choices`: allowed values with their labels; `meanings`: what each is. `log_scale`: the slider is logarithmic.
    `ended_by`: a switch that goes off where one of these fields of its section is set and the switch is not
    (`Scenario.with_values`).
    `remembered`: the user's settings keep it between runs, for scenes that do not set it.
    `columns`: name, least and greatest value of each number in a row.
    `most`: texts in a list; `entry`: raises InputError for a text that is not allowed there.
    `former`: names that it once had; files and scripts may still use them.
    `when`: (path, values): it has an effect only where the field at that path has one of these values.
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
    when: tuple[str, tuple[Any, ...]] | None = None
    columns: tuple[tuple[str, float, float], ...] = ()
    most: int = TEXTS_LIMIT
    entry: Callable[[str], object] | None = None

    def check(self, path: str, value: Any) -> Any:
        """`value` as the field's own plain type; raises InputError where it is of a wrong type or out of range."""
        if self.kind == "number":
            return self._number(path, value)
        if self.kind == "integer":
            return self._integer(path, value)
        if self.kind == "vector":
            if isinstance(value, str | bytes) or not hasattr(value, "__len__") or not hasattr(value, "__getitem__"):
                raise InputError(f"{path}: {shown(value)} is not a list of {self.size} numbers")
            if len(value) != self.size or isinstance(value, dict):
                raise InputError(f"{path}: {shown(value)} is not a list of {self.size} numbers")
            return tuple(self._number(f"{path}[{i}]", value[i]) for i in range(self.size))
        if self.kind == "rows":
            return self._rows(path, value)
        if self.kind == "choice":
            return self._choice(path, value)
        if self.kind == "switch":
            if not isinstance(value, bool):
                raise InputError(f"{path}: {shown(value)} is not a switch; allowed are {self.allowed}")
            return value
        if self.kind == "texts":
            return self._texts(path, value)
        return self._text(path, value)

    def _number(self, path: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, Real):
            raise InputError(f"{path}: {shown(value)} is not a number; allowed is {self.allowed}")
        try:
            number = float(value)
        except OverflowError:
            raise InputError(f"{path}: {shown(value)} is outside {self.allowed}") from None
        if not self.low <= number <= self.high:
            raise InputError(f"{path}: {brief(number)}{self._unit} is outside {self.allowed}")
        return number

    def _integer(self, path: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, Integral):
            raise InputError(f"{path}: {shown(value)} is not a whole number; allowed is {self.allowed}")
        number = int(value)
        if not self.low <= number <= self.high:
            raise InputError(f"{path}: {shown(number)} is outside {self.allowed}")
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
                raise InputError(f"{path}[{i}], {name}: {brief(rows[i][0])} is not above that of the row before")
        return tuple(rows)

    def _choice(self, path: str, value: Any) -> str:
        names = [name for name, _ in self.choices]
        if not isinstance(value, str) or value not in names:
            raise InputError(f"{path}: {shown(value)} is unknown; {allowed_names(value, names)}")
        return value

    def _text(self, path: str, value: Any) -> str:
        if not isinstance(value, str):
            raise InputError(f"{path}: {shown(value)} is not a text")
        if len(value) > TEXT_LIMIT:
            raise InputError(f"{path}: {shown(value)} has {len(value)} characters; allowed are at most {TEXT_LIMIT}")
        if not value.isprintable():
            raise InputError(f"{path}: {shown(value)} has characters that cannot be shown; allowed is one line")
        return value

    def _texts(self, path: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or len(value) > self.most:
            raise InputError(f"{path}: {shown(value)} is not a list of at most {self.most} texts")
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
        if self.kind == "rows":
            columns = (f"{name} {brief(low)}..{brief(high)}" for name, low, high in self.columns)
            return f"at most {ROWS_LIMIT} rows of [{', '.join(columns)}], the first increasing"
        if self.kind == "texts":
            return f"at most {self.most} texts"
        return f"{brief(self.low)}..{brief(self.high)}{self._unit}"

    @property
    def _unit(self) -> str:
        return f" {self.unit}" if self.unit else ""


def field(default: Any, kind: str, label: str, description: str, **more: Any) -> Any:
    """A dataclass field that carries its `Field`."""
    return dataclasses.field(default=default, metadata={"field": Field(kind, label, description, **more)})


def number(
    default: float,
    label: str,
    description: str,
    low: float,
    high: float,
    soft: tuple[float, float] | None = None,
    **more: Any,
) -> Any:
    """A number in `low`..`high`; a slider offers `soft`, or all of it."""
    soft_low, soft_high = soft or (low, high)
    return field(
        default, "number", label, description, low=low, high=high, soft_low=soft_low, soft_high=soft_high, **more
    )


def integer(default: int, label: str, description: str, low: int, high: int, **more: Any) -> Any:
    """A whole number in `low`..`high`."""
    return field(default, "integer", label, description, low=low, high=high, soft_low=low, soft_high=high, **more)


def vector(
    default: Vector,
    label: str,
    description: str,
    low: float,
    high: float,
    labels: tuple[str, ...],
    soft: tuple[float, float] | None = None,
    **more: Any,
) -> Any:
    """A list of numbers, each in `low`..`high`."""
    soft_low, soft_high = soft or (low, high)
    return field(
        default,
        "vector",
        label,
        description,
        low=low,
        high=high,
        soft_low=soft_low,
        soft_high=soft_high,
        size=len(default),
        labels=labels,
        **more,
    )


def rows(label: str, description: str, columns: Sequence[tuple[str, float, float]], **more: Any) -> Any:
    """Rows of numbers, of which the first rises from row to row; none by default."""
    return field((), "rows", label, description, columns=tuple(columns), **more)


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


def switch(default: bool, label: str, description: str, **more: Any) -> Any:
    """True or false."""
    return field(default, "switch", label, description, **more)


def current_name(fields: Mapping[str, Field], name: str) -> str:
    """The present name of the one of `fields` that once had this name; any other name as it is."""
    return next((now for now, field in fields.items() if name in field.former), name)


def fields_of(section: Any) -> dict[str, Field]:
    """The fields of a section (class or value), in order of declaration."""
    return _fields_of(section if isinstance(section, type) else type(section))


@cache
def _fields_of(section: Any) -> dict[str, Field]:
    return {f.name: f.metadata["field"] for f in dataclasses.fields(section) if "field" in f.metadata}
