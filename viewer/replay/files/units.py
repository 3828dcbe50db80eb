"""Units in the names of columns: "Gyroscope x (rad/s)", "Zeit [ms]"."""

import re
from collections.abc import Sequence

_BRACKETS = re.compile(r"[(\[{]([^()\[\]{}]*)[)\]}]\s*$")
SPELLINGS = (
    ("µ", "u"), ("μ", "u"), ("²", "2"), ("⁻¹", "-1"), ("⁻²", "-2"), ("⁻", "-"),
    ("град", "deg"), ("рад", "rad"), ("об", "r"), ("мин", "min"), ("мкс", "us"), ("м", "m"), ("с", "s"),
)  # fmt: skip
LONGEST_NAME = 200  # characters that are looked at
UNITS = {
    "rad/s": ("rates", "rad/s"), "rads-1": ("rates", "rad/s"), "rad/sec": ("rates", "rad/s"),
    "deg/s": ("rates", "deg/s"), "°/s": ("rates", "deg/s"), "degs-1": ("rates", "deg/s"), "dps": ("rates", "deg/s"),
    "degrees/s": ("rates", "deg/s"), "deg/sec": ("rates", "deg/s"), "°s-1": ("rates", "deg/s"),
    "rpm": ("rates", "rpm"), "r/min": ("rates", "rpm"), "rev/min": ("rates", "rpm"), "u/min": ("rates", "rpm"),
    "1/min": ("rates", "rpm"), "min-1": ("rates", "rpm"),
    "m/s2": ("acceleration", "m/s2"), "ms-2": ("acceleration", "m/s2"), "m/s/s": ("acceleration", "m/s2"),
    "m/sec2": ("acceleration", "m/s2"), "g": ("acceleration", "g"), "gn": ("acceleration", "g"),
    "s": ("time", "s"), "sec": ("time", "s"), "seconds": ("time", "s"), "ms": ("time", "ms"), "us": ("time", "us"),
    "ns": ("time", "ns"), "min": ("time", "min"),
}  # fmt: skip
"""By their text without spaces and signs of powers: the quantity, and its unit in a recording's conventions."""


def unit_of(name: str) -> tuple[str, str]:
    """(quantity, unit) by the unit in brackets at the end of a column's name; empty where there is none known."""
    found = _BRACKETS.search(name[-LONGEST_NAME:])
    if found is None:
        return "", ""
    text = re.sub(r"[\s^·*]", "", found[1].lower())
    for given, plain in SPELLINGS:
        text = text.replace(given, plain)
    return UNITS.get(text, ("", ""))


def columns_with(names: Sequence[str], quantity: str) -> list[int]:
    """The columns whose unit is one of this quantity."""
    return [index for index, name in enumerate(names) if unit_of(name)[0] == quantity]
