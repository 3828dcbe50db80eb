"""How the sections of a scene declare their fields, and how values that are given by path are checked."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from viewer.common.errors import allowed_names, name_shown, nearest, refusal
from viewer.scenario.field import Choice, Field, Integer, Number, Switch, Tables, Text, Texts, Vector


def field(default: Any, declared: Field) -> Any:
    """Return a dataclass field with this default that carries its declaration."""
    return dataclasses.field(default=default, metadata={"field": declared})


def number(
    default: float | tuple[float, ...] | None,
    label: str,
    description: str,
    low: float,
    high: float,
    soft: tuple[float, float] | None = None,
    kind: type[Number] = Number,
    **more: Any,
) -> Any:
    """Declare a number in `low`..`high`. A slider offers the range `soft`, or the whole range if that is None."""
    soft_low, soft_high = soft or (low, high)
    bounds: dict[str, Any] = {"low": low, "high": high, "soft_low": soft_low, "soft_high": soft_high}
    return field(default, kind(label, description, **bounds, **more))


def integer(default: int, label: str, description: str, low: int, high: int, **more: Any) -> Any:
    """Declare a whole number in `low`..`high`."""
    return number(default, label, description, low, high, kind=Integer, **more)


def vector(
    default: tuple[float, ...],
    label: str,
    description: str,
    low: float,
    high: float,
    labels: tuple[str, ...],
    **more: Any,
) -> Any:
    """Declare a list of numbers, each in `low`..`high`; `soft` is as for `number`."""
    size = len(default)
    return number(default, label, description, low, high, kind=Vector, size=size, labels=labels, **more)


def choice(default: str | None, label: str, description: str, choices: Sequence[tuple[str, ...]], **more: Any) -> Any:
    """Declare a choice among named values, each given as (name, label) or (name, label, meaning)."""
    named = tuple((entry[0], entry[1]) for entry in choices)
    meanings = tuple(entry[2] if len(entry) > 2 else "" for entry in choices)
    return field(default, Choice(label, description, choices=named, meanings=meanings, **more))


def switch(default: bool, label: str, description: str, **more: Any) -> Any:
    """Declare a switch."""
    return field(default, Switch(label, description, **more))


def text(default: str, label: str, description: str) -> Any:
    """Declare one line of text."""
    return field(default, Text(label, description))


def texts(default: tuple[str, ...], label: str, description: str, **more: Any) -> Any:
    """Declare a list of texts, each one line."""
    return field(default, Texts(label, description, **more))


def tables(label: str, description: str, make: Callable[..., Any], keys: Mapping[str, Field], **more: Any) -> Any:
    """Declare a list of tables with these keys, empty by default; `make` turns each table into a value."""
    return field((), Tables(label, description, make=make, keys=tuple(keys.items()), **more))


Declared = Mapping[str, Mapping[str, Field]]  # the fields by section and name; the section "" is the top of a file


def current_path(declared: Declared, path: str) -> str:
    """Return the present path, such as "body.mass", of a field that may be given by a former name.

    Raises InputError if there is no such field.
    """
    section, _, name = path.partition(".")
    if path in declared[""]:
        return path
    if not section or section not in declared:
        sections = [known for known in declared if known]
        raise refusal(
            "{path}: field not found; {hint}allowed is SECTION.FIELD; sections: {sections}",
            path=name_shown(path),
            hint=nearest(section, sections),
            sections=", ".join(sections),
        )
    fields = declared[section]
    if not name:
        raise refusal("{path}: is a section; {allowed}", path=section, allowed=allowed_names(name, fields))
    current = next((now for now, field in fields.items() if name in field.former), name)
    if current not in fields:
        raise refusal(
            "{path}: field not found; {allowed}",
            path=f"{section}.{name_shown(name)}",
            allowed=allowed_names(name, fields),
        )
    return f"{section}.{current}"


def check_into(values: dict[str, Any], declared: Declared, path: str, value: Any) -> None:
    """Check the value of the field at `path` and add it to `values`.

    Raises InputError if the value is not allowed, or if the field has a value there already.
    """
    section, _, name = current_path(declared, path).rpartition(".")
    field = declared[section][name]
    current = f"{section}.{name}" if section else name
    if current in values:
        raise refusal(
            "{path}: is given twice; allowed is one of {names}", path=path, names=", ".join((name, *field.former))
        )
    values[current] = field.check(path, value)


@cache
def fields_of(section: type) -> dict[str, Field]:
    """Return the fields of a section, in order of declaration."""
    return {f.name: f.metadata["field"] for f in dataclasses.fields(section) if "field" in f.metadata}


def ended(section: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return False or 0 for each field of a section that the `given` fields switch off.

    Such a field has one of them in its `ended_by`, and is not given itself.
    """
    return {
        name: False if isinstance(field, Switch) else 0.0
        for name, field in fields_of(section).items()
        if name not in given and not given.keys().isdisjoint(field.ended_by)
    }
