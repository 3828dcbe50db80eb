"""Numbers as they are shown: three significant digits, or all of them."""

import math

from viewer.common.language import tr

MINUS = "−"
DIGITS = 3  # of a short number
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
    elif digits <= power < 6:
        text = f"{value:.0f}"
    else:
        text = f"{mantissa}×10{str(power).translate(SUPERSCRIPTS)}"
    return text.replace("-", MINUS)


def full(value: float) -> str:
    """Every digit of `value`: the shortest text that reads back as the same number."""
    text = repr(value)
    return (text[:-2] if text.endswith(".0") else text).replace("-", MINUS)
