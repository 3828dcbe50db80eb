"""What a field of a scene is: unit, range, meaning and the check that the file, the panel and scripts share."""

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Vector = tuple[float, ...]


class SceneError(ValueError):
    """A scene that cannot be used: one line that names the field, the value got and what is allowed."""


@dataclass(frozen=True)
class Field:
    """One field: `kind` is "number", "integer", "vector", "choice", "switch" or "text".

    `low`, `high`: what is allowed, bounds included, for each component. `soft_low`, `soft_high`: what a slider offers.
    `symbol`: as in the formulas. `formula`: what it means there. `labels`: of a vector's components.
    `choices`: allowed values with their labels. `log`: the slider is logarithmic.
    """

    kind: str
    label: str
    description: str
    unit: str = ""
    symbol: str = ""
    low: float = -math.inf
    high: float = math.inf
    soft_low: float = 0.0
    soft_high: float = 1.0
    log: bool = False
    size: int = 1
    labels: tuple[str, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()

    def check(self, path: str, value: Any) -> Any:
        """`value` as the field's own type; raises SceneError where it is of a wrong type or out of range."""
        if self.kind == "number":
            return self._number(path, value)
        if self.kind == "integer":
            if isinstance(value, bool) or not isinstance(value, int):
                raise SceneError(f"{path}: {_show(value)} is not a whole number; allowed is {self.allowed}")
            if not self.low <= value <= self.high:
                raise SceneError(f"{path}: {value} is outside {self.allowed}")
            return value
        if self.kind == "vector":
            if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != self.size:
                raise SceneError(f"{path}: {_show(value)} is not a list of {self.size} numbers")
            return tuple(self._number(f"{path}[{i}]", v) for i, v in enumerate(value))
        if self.kind == "choice":
            if value not in [name for name, _ in self.choices]:
                raise SceneError(f"{path}: {_show(value)} is unknown; allowed are {self.allowed}")
            return value
        if self.kind == "switch":
            if not isinstance(value, bool):
                raise SceneError(f"{path}: {_show(value)} is not true or false")
            return value
        if not isinstance(value, str):
            raise SceneError(f"{path}: {_show(value)} is not a text")
        return value

    def _number(self, path: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise SceneError(f"{path}: {_show(value)} is not a number; allowed is {self.allowed}")
        try:
            number = float(value)
        except OverflowError:
            raise SceneError(f"{path}: {_show(value)} is outside {self.allowed}") from None
        if not self.low <= number <= self.high:
            unit = f" {self.unit}" if self.unit else ""
            raise SceneError(f"{path}: {number:g}{unit} is outside {self.allowed}")
        return number

    @property
    def allowed(self) -> str:
        """What is allowed, in words."""
        if self.kind == "choice":
            return ", ".join(name for name, _ in self.choices)
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.low:g}..{self.high:g}{unit}"


def _show(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


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
    return field(
        default, "integer", label, description, low=low, high=high, soft_low=low, soft_high=high, **more
    )


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


def choice(default: str, label: str, description: str, choices: Sequence[tuple[str, str]], **more: Any) -> Any:
    """One of the named values."""
    return field(default, "choice", label, description, choices=tuple(choices), **more)


def switch(default: bool, label: str, description: str, **more: Any) -> Any:
    """True or false."""
    return field(default, "switch", label, description, **more)


def fields_of(section: Any) -> dict[str, Field]:
    """The fields of a section (class or value), in order of declaration."""
    return {f.name: f.metadata["field"] for f in dataclasses.fields(section)}
