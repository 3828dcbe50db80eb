"""What somebody types where a number is wanted: `2*3`, `pi/2`, `120 rpm`.

Reads numbers, signs, brackets and a few names; nothing that is typed is run.
"""

import ast
import math
import operator
import re
from collections.abc import Callable
from typing import Any

LONGEST = 100  # letters: nothing longer is read, so that nesting stays shallow
NAMES = {"pi": math.pi, "π": math.pi, "tau": math.tau}
FUNCTIONS: dict[str, Callable[[float], float]] = {"sqrt": math.sqrt}
OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: math.pow, ast.UAdd: operator.pos, ast.USub: operator.neg,
}  # fmt: skip
SIGNS = str.maketrans({"−": "-", "×": "*", "·": "*", "÷": "/"})
TOKEN = re.compile(
    r"(?P<number>(?:\d+[.,]?\d*|[.,]\d+)(?:e[-+]?\d+)?)|(?P<name>[a-zπ]+)|(?P<sign>\*\*|[-+*/^()])|\S", re.I
)

# How much of a field's unit another unit is that may stand behind the number.
_TURN = 2.0 * math.pi
UNITS: dict[str, dict[str, float]] = {
    "rad/s": {"rpm": _TURN / 60.0, "RPM": _TURN / 60.0, "1/min": _TURN / 60.0, "Hz": _TURN, "°/s": math.pi / 180.0,
              "deg/s": math.pi / 180.0},
    "°/s": {"deg/s": 1.0, "rad/s": 180.0 / math.pi, "rpm": 6.0},
    "°": {"deg": 1.0, "rad": 180.0 / math.pi},
    "kg": {"g": 1e-3, "t": 1e3},
    "m": {"mm": 1e-3, "cm": 1e-2, "km": 1e3},
    "s": {"ms": 1e-3, "min": 60.0, "h": 3600.0},
    "J": {"mJ": 1e-3, "kJ": 1e3},
    "N": {"mN": 1e-3, "kN": 1e3},
    "kg m²": {"kg m2": 1.0, "kgm²": 1.0, "kgm2": 1.0},
    "×": {"x": 1.0},
}  # fmt: skip


def value_of(text: str, unit: str = "") -> float:
    """The finite number that a text stands for, in the field's `unit`; raises ValueError where it is none."""
    plain, factor = _without_unit(text.strip(), unit)
    try:
        number = _evaluated(ast.parse(_as_python(plain.translate(SIGNS)), mode="eval").body) * factor
    except (ArithmeticError, LookupError, SyntaxError, ValueError):
        raise ValueError(f"{text!r} is not a number") from None
    if not math.isfinite(number):
        raise ValueError(f"{text!r} is not finite")
    return number


def _without_unit(text: str, unit: str) -> tuple[str, float]:
    """The text without the unit at its end, and how much of the field's own unit that one is."""
    known = {unit: 1.0, **UNITS.get(unit, {})} if unit else {}
    for name in sorted(known, key=len, reverse=True):
        before = text[: -len(name)].rstrip()
        if text.endswith(name) and re.search(r"[\d.)π]$|\bpi$|\btau$", before):
            return before, known[name]
    return text, 1.0


def _as_python(text: str) -> str:
    """The same as Python writes it: numbers as floats, ^ as **, the * in `2 pi`, brackets after sqrt."""
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
    """The value of an expression of numbers, NAMES, OPERATORS and FUNCTIONS; raises LookupError or ValueError."""
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
