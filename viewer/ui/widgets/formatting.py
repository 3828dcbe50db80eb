"""Numbers as the panel writes and reads them."""

import math
import re

from viewer.common.errors import InputError, brief
from viewer.scenario.fields import Field
from viewer.scenario.scenario import field_at
from viewer.scenario.sections import START_FORMS
from viewer.ui.widgets.arithmetic import value_of

MINUS = "−"
DIGITS = 3  # of a short number
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def short(value: float) -> str:
    """`value` with three significant digits: 0.0145, 1.00, 123, 1230, −4.56×10⁻⁵."""
    if isinstance(value, int):
        return str(value).replace("-", MINUS)
    if not math.isfinite(value):
        return "∞" if value > 0 else f"{MINUS}∞" if value < 0 else "not a number"
    if value == 0.0:
        return "0"
    mantissa, _, exponent = f"{value:.{DIGITS - 1}e}".partition("e")
    power = int(exponent)
    if -4 <= power < DIGITS:
        text = f"{value:.{DIGITS - 1 - power}f}"
    elif DIGITS <= power < 6:
        text = f"{value:.0f}"
    else:
        text = f"{mantissa}×10{str(power).translate(SUPERSCRIPTS)}"
    return text.replace("-", MINUS)


def full(value: float) -> str:
    """Every digit of `value`: the shortest text that reads back as the same number."""
    text = repr(value)
    return (text[:-2] if text.endswith(".0") else text).replace("-", MINUS)


def sentence(words: str) -> str:
    """`words` with a capital at the beginning."""
    return words[:1].upper() + words[1:]


def titled(section: str) -> str:
    """The name of a scene's section as the panel writes it."""
    return section.replace("_", " ").capitalize()


def printable(words: str) -> str:
    """`words` as Dear ImGui takes them: what is not UTF-8 in the name of a file as \\udcff."""
    return words.encode("utf-8", "backslashreplace").decode("utf-8")


def parse(field: Field, text: str) -> float:
    """The number that somebody typed, with or without unit, or a sum such as 2*3; raises InputError where it is none or
    not allowed, in the words of the window."""
    try:
        number = value_of(text, field.unit)
    except ValueError:
        raise InputError(wanted(field)) from None
    if not field.low <= number <= field.high:
        raise InputError(wanted(field))
    if field.kind != "integer":
        return number
    if not number.is_integer():
        raise InputError(wanted(field))
    return int(number)


def wanted(field: Field) -> str:
    """Which numbers a field takes: "Mass: a number from 0.1 to 100 kg"."""
    kind = "a whole number" if field.kind == "integer" else "a number"
    low, high = (brief(end).replace("-", MINUS) for end in (field.low, field.high))
    return f"{field.label}: {kind} from {low} to {high}{f' {field.unit}' if field.unit else ''}"


def plain(error: InputError) -> str:
    """What an error of a scene says, with the field's label where it has its path, and ranges in words."""
    words = str(error)
    match = _PATH.match(words)
    field = _field(match[1]) if match else None
    if match is None or field is None:
        return words
    rest = _RANGE.sub(r"\1 to \2", words[match.end() :])
    return f"{field.label}: {rest}".replace("-", MINUS)


def _field(path: str) -> Field | None:
    try:
        return START_FORMS.get(path) or field_at(path)
    except InputError:
        return None


_PATH = re.compile(r"([a-z_]+\.[a-z_]+)(?:\[\d+\])?: ")
_RANGE = re.compile(r"(-?[\d.e+-]*\d)\.\.(-?[\d.e+-]*\d)")


class Scale:
    """How a slider's travel 0..1 maps to a field's values; covers `value` too where it lies beyond the soft range."""

    def __init__(self, field: Field, value: float) -> None:
        self.low = max(field.low, min(field.soft_low, value))
        self.high = min(field.high, max(field.soft_high, value))
        self.least, self.most = field.low, field.high
        self.log = field.log and self.low > 0.0
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
        places = -math.floor(math.log10((self.high - self.low) / 400.0))
        return min(self.high, max(self.low, round(number, places) + 0.0))

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
