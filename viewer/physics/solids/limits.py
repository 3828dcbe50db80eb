"""What bodies may be made from: the ranges of their numbers, and how large a mesh file may be."""

import os
from numbers import Real
from pathlib import Path
from typing import Any, NamedTuple

from viewer.common.errors import Wording, brief, refusal, shown

MOST_FACES = 1_000_000
SUFFIXES = (".stl", ".obj", ".ply", ".glb", ".off")
MOST_BYTES = 60_000_000


class Range(NamedTuple):
    """A range of numbers from `low` to `high`; `high` always belongs to it, `low` only if the range is `closed`."""

    unit: str
    low: float
    high: float
    closed: bool = True

    def check(self, name: str, value: Any) -> float:
        """Return the value; raise InputError, whose message begins with `name`, if it is no number or out of range."""
        if isinstance(value, bool) or not isinstance(value, Real):
            raise refusal(
                "{path}: {value} is not a number; allowed is {allowed}",
                path=name, value=shown(value), allowed=self.allowed,
            )  # fmt: skip
        number = float(value)
        if not self.low <= number <= self.high or (number == self.low and not self.closed):
            given = f"{brief(number)} {self.unit}"
            if self.closed:
                raise refusal("{path}: {value} is outside {allowed}", path=name, value=given, allowed=self.allowed)
            raise refusal(
                "{path}: {value} is not allowed; it must be {allowed}", path=name, value=given, allowed=self.allowed
            )
        return number

    def check_three(self, name: str, value: Any) -> tuple[float, float, float]:
        """Return the three numbers of a list, each checked as by `check`."""
        try:
            x, y, z = value
        except (TypeError, ValueError):
            raise refusal(
                "{path}: {value} is not a list of {count} numbers", path=name, value=shown(value), count=3
            ) from None
        return self.check(f"{name}[0]", x), self.check(f"{name}[1]", y), self.check(f"{name}[2]", z)

    @property
    def allowed(self) -> Wording:
        """The range in words, such as "1e-6 to 1e9 m"."""
        low, high = brief(self.low), f"{brief(self.high)} {self.unit}"
        if self.closed:
            return Wording("{low} to {high}", low=low, high=high)
        return Wording("above {low} to {high}", low=low, high=high)


MASS = Range("kg", 1e-9, 1e30)
LENGTH = Range("m", 1e-6, 1e9)
DENSITY = Range("kg/m³", 0.0, 1e6, closed=False)
THICKNESS = Range("m", 0.0, 1e9, closed=False)
PART_MASS, PART_DENSITY = Range("kg", 0.0, 1e30), Range("kg/m³", -1e6, 1e6)  # 0 if the other is given
PLACE, ANGLE = Range("m", -1e9, 1e9), Range("°", -180.0, 180.0)


def check_faces(count: int) -> None:
    """Raise InputError if there are more faces than a body may have."""
    if count > MOST_FACES:
        raise refusal("has {count} faces; allowed are at most {most}", count=f"{count:,}", most=f"{MOST_FACES:,}")


def check_vertices(count: int) -> None:
    """Raise InputError if there are more vertices, or other elements that are no faces, than a body may have."""
    if count > 3 * MOST_FACES:
        raise refusal(
            "has {count} vertices; allowed are at most {most}", count=f"{count:,}", most=f"{3 * MOST_FACES:,}"
        )


def is_mesh_file(name: str | os.PathLike[str]) -> bool:
    """Return whether this is the name of a mesh file, by its suffix."""
    return Path(name).suffix.lower() in SUFFIXES
