"""What the numbers that bodies are made from may be, and densities of common materials."""

from numbers import Real
from typing import Any, NamedTuple

from viewer.common.errors import Wording, brief, refusal, shown


class Range(NamedTuple):
    """From `low` to `high`, bounds included, but for a `low` that is not `closed`."""

    unit: str
    low: float
    high: float
    closed: bool = True

    def check(self, name: str, value: Any) -> float:
        """The value; raises InputError that begins with the name where it is no number or outside."""
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
        """The same for three numbers in a row."""
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
PART_MASS, PART_DENSITY = Range("kg", 0.0, 1e30), Range("kg/m³", -1e6, 1e6)  # 0: by the other one
PLACE, ANGLE = Range("m", -1e9, 1e9), Range("°", -180.0, 180.0)


class Material(NamedTuple):
    """`density` in kg/m3; `source`: of the number before it was rounded."""

    label: str
    density: float
    source: str


MATERIALS = {
    "wood": Material("Wood (oak or ash)", 700.0, "CRC Handbook: 600–900"),
    "ice": Material("Ice", 917.0, "CRC Handbook: 917 (0 °C)"),
    "water": Material("Water", 1000.0, "CRC Handbook: 998.2 (20 °C)"),
    "plastic": Material("Plastic (ABS)", 1050.0, "Granta MaterialUniverse: 1020–1080"),
    "glass": Material("Glass", 2500.0, "EN 572-1: 2500"),
    "aluminium": Material("Aluminium", 2700.0, "EN 1999-1-1, 3.2.5: 2700"),
    "rock": Material("Rock (granite)", 2650.0, "CRC Handbook: 2640–2760"),
    "steel": Material("Steel", 7850.0, "EN 1993-1-2, 3.2.2: 7850"),
    "brass": Material("Brass", 8500.0, "CuZn39Pb3 (CW614N): 8470"),
    "lead": Material("Lead", 11350.0, "J. Emsley, The Elements: 11350 (20 °C)"),
}
