"""The position of a value along a slider, and the steps by which wheel and keys change the value."""

import math

from viewer.scenario.field import Integer, Number

WIDE = 1e3  # a field that allows this many times its soft range has a scale that follows the value
NEAR = 1e-3, 50.0  # multiples of the upper soft limit between which a value of a field that allows 0 is everyday


class ValueScale:
    """Maps a slider's travel, 0..1, to the values of a field.

    For an everyday value, the slider covers the field's soft range, extended to that value. Around any other value, it
    covers three decades on a logarithmic scale; if the field allows 0 or negative values, the scale is linear and ends
    at ten times the value's power of ten. `size` is the magnitude of the vector that the value is a component of.
    """

    def __init__(self, field: Number, value: float, size: float = 0.0) -> None:
        self.least, self.most = field.low, field.high
        self.whole = isinstance(field, Integer)
        size = max(abs(value), size)
        if not self.whole and _is_far(field, size):
            decade = 10.0 ** math.floor(math.log10(size))
            self.log = field.soft_low > 0.0
            low, high = (0.1, 100.0) if self.log else (0.0 if field.soft_low == 0.0 else -10.0, 10.0)
            self.low, self.high = max(field.low, low * decade), min(field.high, high * decade)
            self.ends = self.low, self.high
            return
        self.low = max(field.low, min(field.soft_low, value))
        self.high = min(field.high, max(field.soft_high, value))
        self.log = field.log_scale and self.low > 0.0
        self.ends = field.soft_low, field.soft_high

    def fraction(self, value: float) -> float:
        """Return the position of `value` on the slider, 0..1."""
        if self.high <= self.low:
            return 0.0
        if self.log:
            return math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def value(self, fraction: float) -> float:
        """Return the value at a position 0..1 of the slider.

        It is rounded to one of 400 steps or more or, on a logarithmic scale, to 3 digits.
        """
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
        """Return `value` after some steps of a round size; if `fine`, they are ten times as small."""
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


def _is_far(field: Number, size: float) -> bool:
    """Return whether a value of this size is far from everyday ones, in a field whose range is far wider than those."""
    if size <= 0.0 or not math.isfinite(size) or field.soft_high <= 0.0:
        return False
    if field.soft_low > 0.0:
        wide = field.high >= WIDE * field.soft_high or field.low * WIDE <= field.soft_low
        return wide and not field.soft_low <= size <= field.soft_high
    low, high = (end * field.soft_high for end in NEAR)
    return field.high >= WIDE * field.soft_high and not low <= size <= high
