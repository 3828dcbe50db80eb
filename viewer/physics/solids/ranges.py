"""What the numbers that bodies are made from may be."""

from numbers import Real
from typing import Any, NamedTuple

from viewer.common.errors import brief, refusal, shown
from viewer.common.language import marked, tr


class Range(NamedTuple):
    """From `low` to `high`, bounds included, but for a `low` that is not `closed`."""

    unit: str
    low: float
    high: float
    closed: bool = True

    def check(self, name: str, value: Any) -> float:
        """The value; raises InputError that begins with the name where it is no number or outside."""
        if isinstance(value, bool) or not isinstance(value, Real):
            text = marked("{path}: {value} is not a number; allowed is {allowed}")
            raise refusal(text, path=name, value=shown(value), allowed=self.allowed)
        number = float(value)
        if not self.low <= number <= self.high or (number == self.low and not self.closed):
            raise refusal(
                marked("{path}: {value} is outside {allowed}")
                if self.closed
                else marked("{path}: {value} is not allowed; it must be {allowed}"),
                path=name,
                value=f"{brief(number)} {self.unit}",
                allowed=self.allowed,
            )
        return number

    def check_three(self, name: str, value: Any) -> tuple[float, float, float]:
        """The same for three numbers in a row."""
        try:
            x, y, z = value
        except (TypeError, ValueError):
            text = marked("{path}: {value} is not a list of {count} numbers")
            raise refusal(text, path=name, value=shown(value), count=3) from None
        return self.check(f"{name}[0]", x), self.check(f"{name}[1]", y), self.check(f"{name}[2]", z)

    @property
    def allowed(self) -> str:
        """In words."""
        text = tr("{low} to {high}") if self.closed else tr("above {low} to {high}")
        return f"{text.format(low=brief(self.low), high=brief(self.high))} {self.unit}"


MASS = Range("kg", 1e-9, 1e30)
LENGTH = Range("m", 1e-6, 1e9)
DENSITY = Range("kg/m³", 0.0, 1e6, closed=False)
THICKNESS = Range("m", 0.0, 1e9, closed=False)
PART_MASS, PART_DENSITY = Range("kg", 0.0, 1e30), Range("kg/m³", -1e6, 1e6)  # 0: by the other one
PLACE, ANGLE = Range("m", -1e9, 1e9), Range("°", -180.0, 180.0)
