"""Numbers as they are shown: three significant digits, six in tooltips, or all of them."""

import math
from collections.abc import Iterable

from viewer.common.language import tr
from viewer.common.quantities.units import Unit, suited

MINUS = "−"
DIGITS = 3  # of a short number
FINE = 6  # .. of one in a tooltip
UNSEEN = 1e-7  # degrees
WHOLE = 5  # digits before the point at most, and then all of them; what is larger has a power of ten
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def short(value: float, digits: int = DIGITS) -> str:
    """`value` with three significant digits, or as many as wanted: 0.0145, 1.00, 123, 1230, −4.56×10⁻⁵."""
    if isinstance(value, int):
        return str(value).replace("-", MINUS)
    if not math.isfinite(value):
        return "∞" if value > 0 else f"{MINUS}∞" if value < 0 else tr("not a number")
    if value == 0.0:
        return "0"
    mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    power = int(exponent)
    if -4 <= power < digits:
        text = f"{value:.{digits - 1 - power}f}"
    elif digits <= power < WHOLE:
        text = f"{value:.0f}"
    else:
        text = f"{mantissa}×10{str(power).translate(SUPERSCRIPTS)}"
    return text.replace("-", MINUS)


def in_unit(value: float, unit: Unit) -> str:
    """`value` in that unit, as `short`; an angle that nobody could see is 0."""
    if unit.name == "°" and abs(value) < UNSEEN:
        return "0"
    return short(value / unit.size) if unit.size != 1.0 else short(value)


def with_unit(value: float, unit: str, digits: int = DIGITS) -> str:
    """`value`, in the SI unit `unit`, as `short` in the unit that suits it: "305 d"."""
    number, name = parts(value, unit, digits)
    return f"{number}{'' if name == '°' else ' '}{name}".rstrip()


def parts(value: float, unit: str, digits: int = DIGITS) -> tuple[str, str]:
    """The number and the unit of `with_unit`."""
    chosen = suited(unit, value)
    return short(value / chosen.size, digits), chosen.name


def scaled(values: Iterable[float], unit: str) -> Unit:
    """The unit that suits these values in the SI unit `unit`, with a power of ten where its numbers would need one."""
    values = [value for value in values if math.isfinite(value)]
    chosen = suited(unit, *values)
    sizes = [abs(value) / chosen.size for value in values if value]
    power, least = (_power(max(sizes)), _power(min(sizes))) if sizes else (0, 0)
    if (-3 <= power < WHOLE and least >= -4) or -1 <= power < WHOLE:
        return chosen
    return Unit(f"10{str(power).translate(SUPERSCRIPTS)} {chosen.name}".rstrip(), chosen.size * 10.0**power)


def _power(size: float) -> int:
    return math.floor(math.log10(size))


def columns(values: Iterable[float], unit: str, digits: int = DIGITS) -> tuple[list[str], str]:
    """Numbers in the SI unit `unit` in the one that suits them all, with the power of ten that they have in common."""
    values = list(values)
    chosen = scaled(values, unit)
    return [short(value / chosen.size if chosen.size != 1.0 else value, digits) for value in values], chosen.name


def clock(time: float, span: float) -> tuple[str, str]:
    """A time [s], and its unit, as fine as a span [s] can be pointed at: 2 decimals, fewer of large numbers."""
    unit = suited("s", span)
    there = span / unit.size
    decimals = 2 if there < 1000.0 else 1 if there < 1e5 else 0
    return f"{time / unit.size:.{decimals}f}".replace("-", MINUS), unit.name


def rounded(value: float) -> str:
    """`value` with six significant digits, without zeros at the end: 0.0427083, 0.3, 1.5×10⁻⁷."""
    digits, times, power = short(value, FINE).partition("×")
    return (digits.rstrip("0").rstrip(".") if "." in digits else digits) + times + power


def fine(value: float, unit: str) -> str:
    """`value`, in the SI unit `unit`, with six significant digits in the unit that suits it, and in that one itself:
    "5.41 d = 467424 s"."""
    chosen, plain = suited(unit, value), f"{rounded(value)} {unit}"
    return plain if chosen.size == 1.0 else f"{rounded(value / chosen.size)} {chosen.name} = {plain}"


def full(value: float) -> str:
    """Every digit of `value`: the shortest text that reads back as the same number."""
    text = repr(value)
    return (text[:-2] if text.endswith(".0") else text).replace("-", MINUS)
