"""What somebody types where a number is wanted: `2*3`, `pi/2`, `120 rpm`.

Reads numbers, signs, brackets and a few names; nothing that is typed is run.
"""

import math
import re
from collections.abc import Callable

NAMES = {"pi": math.pi, "π": math.pi, "tau": math.tau}
FUNCTIONS: dict[str, Callable[[float], float]] = {"sqrt": math.sqrt}
SIGNS = str.maketrans({"−": "-", "×": "*", "·": "*", "÷": "/"})
TOKEN = re.compile(
    r"\s*(?:(\d+(?:[.,]\d*)?(?:e[-+]?\d+)?|[.,]\d+(?:e[-+]?\d+)?)|([a-zπ]+)|(\*\*|[-+*/^()]))", re.I
)
DEEPEST = 20  # brackets and signs within each other

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
        number = _Reader(plain.translate(SIGNS)).all() * factor
    except (ArithmeticError, ValueError, TypeError):
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


class _Reader:
    """Reads a sum of products of powers, from left to right."""

    def __init__(self, text: str) -> None:
        self._tokens: list[str] = []
        at = 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if match is None:
                raise ValueError(text[at:])
            self._tokens.append(match[0].strip().lower())
            at = match.end()
        self._deep = 0

    def all(self) -> float:
        """The whole text."""
        value = self._sum()
        if self._tokens:
            raise ValueError(self._tokens[0])
        return value

    def _next(self, *wanted: str) -> str | None:
        """Takes the next token if it is one of these."""
        return self._tokens.pop(0) if self._tokens and self._tokens[0] in wanted else None

    def _sum(self) -> float:
        self._deep += 1
        if self._deep > DEEPEST:
            raise ValueError("too deep")
        value = self._product()
        while sign := self._next("+", "-"):
            value += self._product() * (1.0 if sign == "+" else -1.0)
        self._deep -= 1
        return value

    def _product(self) -> float:
        value = self._signed()
        while True:
            if self._next("*"):
                value *= self._signed()
            elif self._next("/"):
                value /= self._signed()
            elif self._tokens and (self._tokens[0] == "(" or self._tokens[0][0].isalpha()):
                value *= self._power()  # 2 pi
            else:
                return value

    def _signed(self) -> float:
        sign = 1.0
        while found := self._next("+", "-"):
            sign = -sign if found == "-" else sign
        return sign * self._power()

    def _power(self) -> float:
        base = self._atom()
        if not self._next("**", "^"):
            return base
        self._deep += 1
        if self._deep > DEEPEST:
            raise ValueError("too deep")
        value = base ** self._signed()
        self._deep -= 1
        if isinstance(value, complex):
            raise ValueError("a root of a negative number")
        return float(value)

    def _atom(self) -> float:
        if not self._tokens:
            raise ValueError("something is missing")
        token = self._tokens.pop(0)
        if token in NAMES:
            return NAMES[token]
        if token in FUNCTIONS:
            return FUNCTIONS[token](self._atom())
        if token == "(":
            value = self._sum()
            if not self._next(")"):
                raise ValueError("a bracket is open")
            return value
        return float(token.replace(",", "."))
