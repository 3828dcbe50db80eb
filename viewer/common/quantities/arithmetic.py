"""What somebody types where a number or a size in pixels is wanted: `2*3`, `pi/2`, `120 rpm`, `1280x720`.

Reads numbers, signs, brackets and a few names; nothing that is typed is run.
"""

import ast
import math
import operator
import re
from collections.abc import Callable
from typing import Any

from viewer.common.errors import refusal, shown
from viewer.common.quantities.units import UnitError, read, read_number

LONGEST, LONGEST_LIST = 100, 1000  # letters: nothing longer is read, so that nesting stays shallow
NAMES = {"pi": math.pi, "π": math.pi, "tau": math.tau}
FUNCTIONS: dict[str, Callable[[float], float]] = {"sqrt": math.sqrt}
OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: math.pow, ast.UAdd: operator.pos, ast.USub: operator.neg,
}  # fmt: skip
SMALLEST, LARGEST = 64, 65536  # along a side
_SIZE = re.compile(r"\s*(\d{1,9})\s*[x×*]\s*(\d{1,9})\s*", re.IGNORECASE | re.ASCII)
SIGNS = str.maketrans({"−": "-", "×": "*", "·": "*", "÷": "/"})
BRACKETS = re.compile(r"[\[\](){}|]")
SEPARATORS, SEPARATORS_BUT_COMMA = re.compile(r"[\s;,]+"), re.compile(r"[\s;]+")
LITERAL = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.I)
TOKEN = re.compile(
    r"(?P<number>(?:\d+[.,]?\d*|[.,]\d+)(?:e[-+]?\d+)?)|(?P<name>[a-zπ]+)|(?P<sign>\*\*|[-+*/^()])|\S", re.I
)


def value_of(text: str, unit: str = "", bare: float = 1.0) -> float:
    """Return the finite number in the SI unit `unit` that a text stands for, with or without a unit behind it.

    `bare`: how many of that unit 1 is without a unit. Raises ValueError where it is none, UnitError of a wrong unit.
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
    """Return the numbers in the SI unit `unit` of a list: between blanks, line breaks, brackets, semicolons and commas.

    All ways to read it: where each comma may be a decimal one, that as well. None where it holds anything else.
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
    """Return the same as Python writes it: numbers as floats, ^ as **, the * in `2 pi`, brackets after sqrt."""
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
    """Return the value of an expression of numbers, NAMES, OPERATORS and FUNCTIONS; raises LookupError or
    ValueError."""
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
