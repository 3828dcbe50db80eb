"""How far along a slider a value stands, and the steps by which wheel and keys change it."""

import math

from viewer.scenario.fields import Field


class ValueScale:
    """How a slider's travel 0..1 maps to a field's values; covers `value` too where it lies beyond the soft range."""

    def __init__(self, field: Field, value: float) -> None:
        self.low = max(field.low, min(field.soft_low, value))
        self.high = min(field.high, max(field.soft_high, value))
        self.least, self.most = field.low, field.high
        self.log = field.log_scale and self.low > 0.0
        self.whole = field.kind == "integer"

    def fraction(self, value: float) -> float:
        """Where `value` stands, 0..1."""
        if self.high <= self.low:
            return 0.0
        if self.log:
            return math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def value(self, fraction: float) -> float:
        """The value at `fraction`, rounded to what a slider can resolve: 400 steps or more, 3 digits if logarithmic."""
        fraction = min(1.0, max(0.0, fraction))
        if fraction in (0.0, 1.0):
            exact = self.high if fraction else self.low
            return round(exact) if self.whole else exact
        if self.log:
            return float(f"{self.low * (self.high / self.low) ** fraction:.2e}")
        number = self.low + fraction * (self.high - self.low)
        if self.whole:
            return round(number)
        decimals = -math.floor(math.log10((self.high - self.low) / 400.0))
        return min(self.high, max(self.low, round(number, decimals) + 0.0))

    def stepped(self, value: float, steps: int, fine: bool) -> float:
        """`value` led on by steps of a round size, a hundredth of the range or so; `fine`: ten times smaller ones."""
        if steps == 0:
            return value
        if self.whole:
            return min(self.most, max(self.least, value + steps))
        if self.log and value > 0.0:
            power = math.floor(math.log10(value * (1.0 - 1e-9 if steps < 0 else 1.0 + 1e-9))) - 1
        else:
            power = math.floor(math.log10((self.high - self.low) / 400.0)) + 1
        power -= 1 if fine else 0
        unit = 10.0**power
        whole = math.floor(value / unit + 1e-9) if steps > 0 else math.ceil(value / unit - 1e-9)
        number = round((whole + steps) * unit, max(0, -power)) + 0.0
        return min(self.most, max(self.least, number))
