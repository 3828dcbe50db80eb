"""Numbers as the panel writes and reads them."""

import math
import re
from collections.abc import Iterable

from viewer.common.errors import InputError, brief
from viewer.common.language import plural, tr
from viewer.common.quantities import Unit, UnitError, suited, value_of
from viewer.race.live import LaneNow
from viewer.race.verdict import format_angle, format_phase
from viewer.scenario.field import Field, Integer, Number, Tables
from viewer.scenario.scenario import field_at
from viewer.scenario.sections.motion import START_FORMS
from viewer.scenario.sections.race import Recorded

PERCENT = 1e-3  # from which on a relative error is written in %
GAP = "   "  # between the parts of a lane's errors


def named(text: str, mark: str = "") -> str:
    """Return a text for an item of ImGui in the user's language; its identifier is the English one, with `mark`."""
    return f"{tr(text)}###{text}{mark}"


def extents(lengths: Iterable[float]) -> str:
    """Return lengths [m] in the unit that suits them all, such as "12.3 × 4.00 × 4.00 mm"."""
    numbers, unit = columns(lengths, "m")
    return f"{' × '.join(numbers)} {unit}"


def sentence(string: str) -> str:
    """Return `string` with a capital at the beginning; a symbol such as ω or x is not changed."""
    if string[:1] != "a" and not string[1:2].isalpha():
        return string
    return string[:1].upper() + string[1:]


def titled(section: str) -> str:
    """Return the name of a scene's section as the panel writes it."""
    return section.replace("_", " ").capitalize()


def printable(string: str) -> str:
    r"""Return `string` as Dear ImGui takes it: a byte that is not UTF-8 in a file's name reads \udcff."""
    return string.encode("utf-8", "backslashreplace").decode("utf-8")


def parse(field: Number, text: str, bare: float = 1.0) -> float:
    """Return the number that somebody typed, with or without unit, or a sum such as 2*3.

    `bare` is the value of a typed 1 without a unit, in the field's unit. Raises InputError if the text is no number, or
    the number is not allowed.
    """
    try:
        number = value_of(text, field.unit, bare)
    except UnitError as error:
        raise InputError(f"{tr(field.label)}: {error}") from None
    except ValueError:
        raise InputError(wanted(field)) from None
    if not field.low <= number <= field.high:
        raise InputError(wanted(field))
    if not isinstance(field, Integer):
        return number
    if not number.is_integer():
        raise InputError(wanted(field))
    return int(number)


def wanted(field: Number) -> str:
    """Return which numbers a field takes, such as "Mass: a number from 0.1 to 100 kg"."""
    low, high = bound(field.low), bound(field.high)
    endless = field.high == math.inf
    if isinstance(field, Integer):
        text = tr("{name}: a whole number from {low} to {high}")
    else:
        text = tr("{name}: a number of at least {low}") if endless else tr("{name}: a number from {low} to {high}")
    return text.format(name=tr(field.label), low=low, high=high) + (f" {field.unit}" if field.unit else "")


def range_of(field: Number) -> str:
    """Return the numbers that a field takes, as a tooltip has them, such as "0.1 to 100 kg"."""
    low, high = (bound(float(f"{end:.{FINE}g}")) for end in (field.low, field.high))
    text = tr("{low} to {high}").format(low=low, high=high)
    return f"{text} {field.unit}".rstrip()


def bound(number: float) -> str:
    """Return an end of a range, such as 0, 0.05, 100, −10⁶."""
    if number == 0.0 or not math.isfinite(number) or 1e-4 <= abs(number) < 1e6:
        return brief(number).replace("-", MINUS)
    return short(number, 1).replace("1×", "") if number == float(f"{number:.0e}") else short(number)


def plain(error: Exception) -> str:
    """Return what an error of a scene says, with the field's label in place of its path, and true minus signs."""
    string = str(error)
    match = _PATH.match(string)
    field = _field(match[1]) if match else None
    if match is None or field is None:
        return string
    name, key = tr(field.label), (dict(field.keys) if isinstance(field, Tables) else {}).get(match[3])
    if key is not None:  # a key of a table in a list, counted from 1: "Thruster 1, force"
        name = f"{tr(field.label.removesuffix('s'))} {int(match[2]) + 1}, {tr(key.label.lower())}"
    elif match[3]:
        return string
    return f"{name}: {_NEGATIVE.sub(MINUS, string[match.end() :])}"


def _field(path: str) -> Field | None:
    try:
        return START_FORMS.get(path) or field_at(path)
    except InputError:
        return None


_PATH = re.compile(r"([a-z_]+\.[a-z_]+)(?:\[(\d+)\](?:\.([a-z_]+)(?:\[\d+\])?)?)?: ")
_NEGATIVE = re.compile(r"(?:(?<!\w)|(?<=\d[eE]))-(?=[\d.]|inf\b)")  # of a number or exponent, not a hyphen


def format_errors(now: LaneNow) -> str:
    """Return a lane's relative errors of energy and |L|, and its phase error or, without a phase, its turn.

    For a lane that makes another motion, its flips take the place of the phase error; for one that has stopped, the
    reason takes the place of all errors, and so does, for a recording, what keeps these from having a meaning.
    """
    if isinstance(now.lane, Recorded) and now.lane.off:
        percent = brief(100.0 * now.lane.off, 2)
        return tr("rates and orientations differ by {percent} %").format(percent=percent)
    if isinstance(now.lane, Recorded) and now.lane.misdeclared:
        return tr("the declared moments do not fit")
    if now.stopped is not None:
        return now.stopped.partition(" (")[0].removeprefix(now.lane.label).strip()
    turned = (
        f"{tr('turn')} {format_angle(now.orientation_error, '+')}"
        if now.phase_error is None
        else f"{tr('phase')} {format_phase(now.phase_error)}"
    )
    if now.other_since is not None:
        turned = another_motion(now)
    energy, momentum = map(tr, now.names)
    errors = (
        f"{energy} {_relative_error(now.energy_error)}",
        f"{momentum} {_relative_error(now.momentum_error)}",
        turned,
    )
    return GAP.join(errors).replace("-", "−")


def another_motion(now: LaneNow) -> str:
    """Return the text for a lane that no longer makes the exact motion, with the number of its flips if it is known."""
    if now.flips is None:
        return tr("another motion")
    return plural("another motion: {count} flip", "another motion: {count} flips", now.flips).format(count=now.flips)


def _relative_error(error: float) -> str:
    """Return an error as "+160 %", as "+2e-16" if it is below PERCENT, or as "0"."""
    if abs(error) < PERCENT:
        return f"{error:+.0e}" if error else "0"
    return f"{'+' if error > 0.0 else '-'}{brief(100.0 * abs(error), 2)} %"


MINUS = "−"
DIGITS = 3  # of a short number
FINE = 6  # .. of a number in a tooltip
ROUND_OFF = 1e-11  # relative, or rad: smaller errors count as none
UNSEEN = 1e-7  # degrees: smaller angles are shown as 0
WHOLE = 5  # digits before the point at most, all of which are shown; larger numbers have a power of ten
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def short(value: float, digits: int = DIGITS) -> str:
    """Return `value` with three significant digits, or as many as wanted: 0.0145, 1.00, 123, 1230, −4.56×10⁻⁵."""
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
    """Return `value` in this unit, formatted by `short`; an angle too small to be seen is 0."""
    if unit.name == "°" and abs(value) < UNSEEN:
        return "0"
    return short(value / unit.size) if unit.size != 1.0 else short(value)


def cleared(value: float, scale: float) -> float:
    """Return `value`, or 0 where it is round-off beside `scale`, as the sum of larger terms may be."""
    return value if abs(value) > ROUND_OFF * scale else 0.0


def with_unit(value: float, unit: str, digits: int = DIGITS) -> str:
    """Return `value`, given in the SI unit `unit`, in the unit that suits it, such as "305 d"."""
    number, name = parts(value, unit, digits)
    return f"{number}{'' if name == '°' else ' '}{name}".rstrip()


def parts(value: float, unit: str, digits: int = DIGITS) -> tuple[str, str]:
    """Return the number and the unit of `with_unit`."""
    chosen = suited(unit, value)
    return short(value / chosen.size, digits), chosen.name


def scaled(values: Iterable[float], unit: str) -> Unit:
    """Return the unit that suits values given in the SI unit `unit`, with a power of ten if the numbers need one."""
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
    """Return numbers, given in the SI unit `unit`, in the unit that suits them all, and that unit's name."""
    values = list(values)
    chosen = scaled(values, unit)
    return [short(value / chosen.size if chosen.size != 1.0 else value, digits) for value in values], chosen.name


def clock(time: float, span: float) -> tuple[str, str]:
    """Return a time [s] and its unit, as finely as one can point at it on a span [s]: with at most 3 decimals."""
    unit = suited("s", span)
    there = span / unit.size
    decimals = 3 if there < 1.0 else 2 if there < 1000.0 else 1 if there < 1e5 else 0
    return f"{time / unit.size:.{decimals}f}".replace("-", MINUS), unit.name


def rounded(value: float) -> str:
    """Return `value` with six significant digits, without zeros at the end: 0.0427083, 0.3, 1.5×10⁻⁷."""
    digits, times, power = short(value, FINE).partition("×")
    return (digits.rstrip("0").rstrip(".") if "." in digits else digits) + times + power


def fine(value: float, unit: str) -> str:
    """Return `value` with six significant digits in the unit that suits it and in `unit`: "5.41 d = 467424 s"."""
    chosen, plain = suited(unit, value), f"{rounded(value)} {unit}"
    return plain if chosen.size == 1.0 else f"{rounded(value / chosen.size)} {chosen.name} = {plain}"


def full(value: float) -> str:
    """Return every digit of `value`: the shortest text that reads back as the same number."""
    text = repr(value)
    return (text[:-2] if text.endswith(".0") else text).replace("-", MINUS)
