"""The units of each quantity, how a number with a unit is read, and which unit suits a value.

Inside the program every value is in SI units. A quantity is named by its SI unit, such as "m" or "rad/s", as in fields
and readouts. A number, with or without a unit, may be typed as arithmetic: `2*3`, `pi/2`, `120 rpm`; a size in pixels
as `1280x720`. Only numbers, operators, brackets and a few names are understood; nothing that is typed is run as code.
"""

import ast
import math
import operator
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NamedTuple

from viewer.common.errors import name_shown, refusal, shown
from viewer.common.frozen import frozen
from viewer.common.language import marked, tr

_TURN, _DEGREE = 2.0 * math.pi, math.pi / 180.0
_MINUTE, _HOUR, _DAY, _YEAR = 60.0, 3600.0, 86400.0, 31557600.0  # s; the Julian year, 365.25 d
_INCH, _FOOT, _POUND, _SLUG = 0.0254, 0.3048, 0.45359237, 14.593902937206  # m, m, kg, kg


# the unit that takes the place of another if moments of inertia are known only as ratios to the largest
PER_LARGEST = {"kg m²": "", "J": "1/s²", "kg m²/s": "rad/s", "1/(kg m²)": ""}


class Unit(NamedTuple):
    """A unit: `size` is its size in the SI unit, and `also` are other ways to write it.

    Values are shown in this unit from `begin` (in the SI unit) up to the `begin` of the next unit. If `begin` is None,
    the unit can be typed, but is not shown.
    """

    name: str
    size: float
    begin: float | None = None
    also: tuple[str, ...] = ()


@frozen
class Quantity:
    """A quantity and its units, including the SI unit. The units in which values are shown are in order of `begin`."""

    name: str
    units: tuple[Unit, ...]


def _prefixed(name: str, also: tuple[str, ...] = ()) -> tuple[Unit, ...]:
    """Return the units made of the SI unit `name` and the usual prefixes, and the bare unit for values beyond them."""
    steps = (("", 1.0, 0.0), ("µ", 1e-6, 1e-7), ("m", 1e-3, 1e-4), ("", 1.0, 1e-2), ("k", 1e3, 1e4), ("M", 1e6, 1e6),
             ("G", 1e9, 1e9), ("", 1.0, 1e12))  # fmt: skip
    return tuple(
        Unit(prefix + name, size, begin, tuple(prefix + other for other in also) + (("u" + name,) * (prefix == "µ")))
        for prefix, size, begin in steps
    )


# fmt: off
QUANTITIES: dict[str, Quantity] = {
    "m": Quantity(marked("length"), (
        Unit("µm", 1e-6, 0.0, ("um",)), Unit("mm", 1e-3, 1e-4), Unit("cm", 1e-2), Unit("m", 1.0, 0.1),
        Unit("km", 1e3, 1e3), Unit("in", _INCH), Unit("ft", _FOOT),
    )),
    "kg": Quantity(marked("mass"), (
        Unit("µg", 1e-9, 0.0, ("ug",)), Unit("mg", 1e-6, 1e-6), Unit("g", 1e-3, 1e-3), Unit("kg", 1.0, 0.1),
        Unit("t", 1e3, 1e4), Unit("kg", 1.0, 1e9), Unit("lb", _POUND), Unit("slug", _SLUG),
    )),
    "s": Quantity(marked("time"), (
        Unit("µs", 1e-6, 0.0, ("us",)), Unit("ms", 1e-3, 1e-4), Unit("s", 1.0, 0.1), Unit("min", _MINUTE, 6e2),
        Unit("h", _HOUR, 2.0 * _HOUR), Unit("d", _DAY, 2.0 * _DAY), Unit("a", _YEAR, 1e3 * _DAY),
    )),
    "rad/s": Quantity(marked("angular velocity"), (
        Unit("°/d", _DEGREE / _DAY, 0.0, ("deg/d",)), Unit("°/h", _DEGREE / _HOUR, 1e-4, ("deg/h",)),
        Unit("°/s", _DEGREE, None, ("deg/s",)), Unit("rad/s", 1.0, 1e-3), Unit("rpm", _TURN / 60.0, 2e3,
        ("RPM", "1/min")), Unit("Hz", _TURN),
    )),
    "m/s": Quantity(marked("velocity"), (
        Unit("mm/s", 1e-3, 0.0), Unit("cm/s", 1e-2), Unit("m/s", 1.0, 1e-3), Unit("km/s", 1e3, 1e4),
        Unit("km/h", 1.0 / 3.6),
    )),
    "°/s": Quantity(marked("angular velocity"), (
        Unit("°/s", 1.0, 0.0, ("deg/s",)), Unit("rad/s", 1.0 / _DEGREE), Unit("rpm", 6.0),
    )),
    "°": Quantity(marked("angle"), (Unit("°", 1.0, 0.0, ("deg",)), Unit("rad", 1.0 / _DEGREE))),
    "rad": Quantity(marked("angle"), (Unit("rad", 1.0, 0.0), Unit("°", _DEGREE, None, ("deg",)))),
    "kg m²": Quantity(marked("moment of inertia"), (
        Unit("g mm²", 1e-9, None, ("g mm2",)), Unit("g cm²", 1e-7, None, ("g cm2",)),
        Unit("kg m²", 1.0, 0.0, ("kg m2", "kgm²", "kgm2")),
        Unit("slug ft²", _SLUG * _FOOT**2, None, ("slug ft2",)), Unit("lb in²", _POUND * _INCH**2, None, ("lb in2",)),
    )),
    "kg/m³": Quantity(marked("density"), (
        Unit("kg/m³", 1.0, 0.0, ("kg/m3",)), Unit("g/cm³", 1e3, None, ("g/cm3", "g/ml")),
    )),
    "kg m²/s": Quantity(marked("angular momentum"), (
        Unit("kg m²/s", 1.0, 0.0, ("kg m2/s", "N m s", "J s")),
    )),
    "m³": Quantity(marked("volume"), (
        Unit("mm³", 1e-9, 0.0, ("mm3",)), Unit("cm³", 1e-6, 1e-7, ("cm3",)), Unit("m³", 1.0, 1e-2, ("m3",)),
        Unit("km³", 1e9, 1e7, ("km3",)),
    )),
    "J": Quantity(marked("energy"), _prefixed("J")),
    "N": Quantity(marked("force"), _prefixed("N")),
    "N m": Quantity(marked("torque"), _prefixed("N m", ("Nm",))),
    "N m s": Quantity(marked("angular impulse"), _prefixed("N m s", ("Nms", "kg m²/s", "kg m2/s"))),
    "J/s": Quantity(marked("power"), (
        *(unit if unit.name != "W" else Unit("J/s", 1.0, unit.begin) for unit in _prefixed("W")), Unit("W", 1.0),
    )),
    "Hz": Quantity(marked("frequency"), (Unit("mHz", 1e-3), Unit("Hz", 1.0, 0.0, ("1/s",)), Unit("kHz", 1e3))),
    "%": Quantity(marked("percentage"), (Unit("%", 1.0, 0.0),)),
    "×": Quantity(marked("factor"), (Unit("×", 1.0, 0.0, ("x",)),)),
}
# fmt: on

TURNS = {"rad/s": _TURN, "°/s": 360.0}  # one turn, for the units in whose place the time of one turn may be given

NO_NUMBERS = ("nan", "inf")  # words that are no unit
LONGEST_WORD = 60  # letters at the end of a text in which a unit is looked for: the time goes with their square
_NUMBER_BEFORE = re.compile(r"[\d.)π]$|\b(pi|tau)$")  # what may stand before a unit
_WORD_BEHIND = re.compile(
    r"(?<=[\d.)π ])\s*(?!e[-+]?\d|(?:pi|tau|sqrt)\b|π)(?P<word>[^\W\d_](?:[^()*+]*[^\s()*+])?|°\S*)$", re.I
)


ONE_TURN = marked("a time, such as 5.41 d, sets one turn")


class UnitError(ValueError):
    """The unit does not belong to the quantity; the message says which units do."""


def read(text: str, unit: str) -> tuple[str, float]:
    """Return the text without the unit at its end, and the size of that unit in the SI unit `unit`; 1 without a unit.

    Raises UnitError if the number is followed by a unit of another quantity or by an unknown word.
    """
    text = text.strip()
    for name, size in sorted(_sizes(unit).items(), key=lambda entry: -len(entry[0])):
        before = text[: -len(name)].rstrip()
        if text.endswith(name) and _NUMBER_BEFORE.search(before):
            return before, size
    behind = _WORD_BEHIND.search(text[-LONGEST_WORD:])
    if unit not in QUANTITIES or behind is None or behind["word"] in {*_sizes(unit), *NO_NUMBERS}:  # as in "inf d"
        return text, 1.0
    names = ", ".join(dict.fromkeys(entry.name for entry in QUANTITIES[unit].units))
    why = tr("{unit} is no unit of {quantity}; allowed: {names}").format(
        unit=name_shown(" ".join(behind["word"].split())), quantity=tr(QUANTITIES[unit].name), names=names
    )
    raise UnitError(f"{why}; {tr(ONE_TURN)}" if unit in TURNS else why)


def read_number(text: str, unit: str) -> tuple[str, Callable[[float], float] | None]:
    """Return the text without the unit at its end, and a function that converts its number to the SI unit `unit`.

    The function is None if the text has no unit. If `unit` is that of an angular velocity, a time such as "5.41 d" is
    understood as the time of one turn. Raises UnitError.
    """
    if unit in TURNS:
        with suppress(UnitError):
            time, seconds = read(text, "s")
            if time != text.strip():
                return time, lambda number: TURNS[unit] / (number * seconds) if number else math.inf
    number, size = read(text, unit)
    return number, None if number == text.strip() else lambda value: value * size


def suited(unit: str, *values: float) -> Unit:
    """Return the unit in which the largest of these values reads best; they are in the SI unit `unit`.

    If all values are 0, it is the SI unit.
    """
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    fitting = [entry for entry in _shown(unit) if entry.begin is not None and entry.begin <= largest]
    return fitting[-1] if largest > 0.0 and fitting else Unit(unit, 1.0)


def written(value: float, unit: str, digits: int) -> str:
    """Return a value, given in the SI unit `unit`, as text in the unit that suits it, such as "7.5 g"."""
    chosen = suited(unit, value)
    return f"{value / chosen.size:.{digits}g} {chosen.name}"


def _shown(unit: str) -> Iterable[Unit]:
    return QUANTITIES[unit].units if unit in QUANTITIES else ()


def _sizes(unit: str) -> dict[str, float]:
    """Return the size of every unit of a quantity, by name; only the SI unit if the table lacks the quantity."""
    found = {unit: 1.0} if unit else {}
    for entry in _shown(unit):
        found |= dict.fromkeys((entry.name, *entry.also), entry.size)
    return found


LONGEST, LONGEST_LIST = 100, 1000  # characters of a number and of a list that are read, so that nesting stays shallow
NAMES = {"pi": math.pi, "π": math.pi, "tau": math.tau}
FUNCTIONS: dict[str, Callable[[float], float]] = {"sqrt": math.sqrt}
OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: math.pow, ast.UAdd: operator.pos, ast.USub: operator.neg,
}  # fmt: skip
SMALLEST, LARGEST = 64, 65536  # px along a side of a picture
_SIZE = re.compile(r"\s*(\d{1,9})\s*[x×*]\s*(\d{1,9})\s*", re.IGNORECASE | re.ASCII)
SIGNS = str.maketrans({"−": "-", "×": "*", "·": "*", "÷": "/"})
BRACKETS = re.compile(r"[\[\](){}|]")
SEPARATORS, SEPARATORS_BUT_COMMA = re.compile(r"[\s;,]+"), re.compile(r"[\s;]+")
LITERAL = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.I)
TOKEN = re.compile(
    r"(?P<number>(?:\d+[.,]?\d*|[.,]\d+)(?:e[-+]?\d+)?)|(?P<name>[a-zπ]+)|(?P<sign>\*\*|[-+*/^()])|\S", re.I
)


def value_of(text: str, unit: str = "", bare: float = 1.0) -> float:
    """Return the finite number, in the SI unit `unit`, that a text with or without a unit stands for.

    A number without a unit is multiplied by `bare`. Raises ValueError if the text is no finite number, UnitError if its
    unit is wrong.
    """
    plain, in_si = read_number(text, unit)
    try:
        number = _evaluated(ast.parse(_as_python(plain.translate(SIGNS)), mode="eval").body)
        number = number * bare if in_si is None else in_si(number)
    except (ArithmeticError, LookupError, SyntaxError, ValueError):
        raise ValueError(f"{text!r} is not a number") from None
    if not math.isfinite(number):
        raise ValueError(f"{text!r} is not finite")
    return number


def readings(text: str, unit: str = "", bare: float = 1.0) -> list[list[float]]:
    """Return all ways to read a text as a list of two or more numbers in the SI unit `unit`.

    The numbers are separated by blanks, line breaks, brackets, semicolons and commas; in a second way the commas are
    decimal commas. If the text contains anything else, there is no way. `bare` is as in `value_of`.
    """
    plain = BRACKETS.sub(" ", text.translate(SIGNS)).strip()
    try:
        rest, factor = read(plain, unit)
    except UnitError:
        return []
    factor = bare if rest == plain else factor
    found = []
    for between, decimal in ((SEPARATORS, "."), (SEPARATORS_BUT_COMMA, ",")):
        words = [word for word in between.split(rest) if word]
        if len(rest) <= LONGEST_LIST and all(LITERAL.fullmatch(word.replace(decimal, ".")) for word in words):
            numbers = [float(word.replace(decimal, ".")) * factor for word in words]
            found += [numbers] if all(map(math.isfinite, numbers)) else []
    return [numbers for i, numbers in enumerate(found) if len(numbers) > 1 and numbers not in found[:i]]


def _as_python(text: str) -> str:
    """Return an expression as Python writes it: numbers as floats, ^ as **, the * in `2 pi`, brackets after sqrt."""
    if len(text) > LONGEST:
        raise ValueError(text)
    parts: list[str] = []
    before = ""
    for match in TOKEN.finditer(text):
        token = match[0].lower()
        if match.lastgroup is None:
            raise ValueError(text)
        if match["number"]:
            token = repr(float(token.replace(",", ".")))
        if before in FUNCTIONS:
            parts.append(token if token == "(" else f"({token})")
        else:
            factor = match["name"] or token == "("
            parts += ["*"] if factor and (before == ")" or before.isalnum() or before[-1:].isdigit()) else []
            parts.append("**" if token == "^" else token)
        before = token
    return " ".join(parts)


def _evaluated(node: ast.expr) -> float:
    """Return the value of an expression of numbers, NAMES, OPERATORS and FUNCTIONS.

    Raises LookupError or ValueError.
    """
    match node:
        case ast.Constant(float(value)):
            return value
        case ast.Name(name):
            return NAMES[name]
        case ast.UnaryOp(sign, operand):
            return float(OPERATORS[type(sign)](_evaluated(operand)))
        case ast.BinOp(left, sign, right):
            return float(OPERATORS[type(sign)](_evaluated(left), _evaluated(right)))
        case ast.Call(ast.Name(name), [argument], []):
            return FUNCTIONS[name](_evaluated(argument))
    raise ValueError(ast.dump(node))


def check_size(size: tuple[int, int]) -> None:
    """Raise InputError if a picture of this (width, height) is not allowed."""
    if not all(isinstance(side, int) and SMALLEST <= side <= LARGEST for side in size):
        allowed = f"{SMALLEST}x{SMALLEST} to {LARGEST}x{LARGEST}"
        raise refusal("size: {size} is outside {allowed} pixels", size=f"{size[0]}x{size[1]}", allowed=allowed)


def parse_size(text: str) -> tuple[int, int]:
    """Return (width, height) of a text such as "1280x720" or "1280 × 720". Raises InputError."""
    if not text.strip():
        raise refusal("size: is empty; allowed is WIDTHxHEIGHT, such as 1280x720")
    found = _SIZE.fullmatch(text)
    if found is None:
        raise refusal("size: {size} is not WIDTHxHEIGHT, such as 1280x720", size=shown(text))
    size = int(found[1]), int(found[2])
    check_size(size)
    return size
