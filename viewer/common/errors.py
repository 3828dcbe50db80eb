"""Errors of input and of the machine, each one line that can be shown as it is, and numbers as text."""

import math
import re
import string
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from viewer.common.language import marked, tr


class InputError(ValueError):
    """A scene or an argument that cannot be used; the message names the field, the value and what is allowed.

    Examples
    --------
    >>> from viewer import InputError, Scenario
    >>> try:
    ...     Scenario().with_value("body.mass", -1)
    ... except InputError as error:
    ...     print(str(error).startswith("body.mass: -1"))
    True
    """


class Wording:
    """An English text with placeholders, and their values; {value:g} shows a number as `brief` does.

    `str` translates it into the user's language. The code that writes a message thus need not know where it will be
    shown. A value may itself be a `Wording`, or an error made of one.
    """

    def __init__(self, text: str, /, **values: object) -> None:
        self.text, self.values = text, values

    def __str__(self) -> str:
        return _Text().format(tr(self.text), **self.values)

    def __repr__(self) -> str:
        return f"Wording({str(self)!r})"


def refusal(text: str, /, **values: object) -> InputError:
    """Return an InputError with this text, in which the `values` are filled in."""
    return InputError(Wording(text, **values))


class _Prefixed(Wording):
    """An error with a name in front of it. Like the error itself, it is translated only when it is shown."""

    def __str__(self) -> str:
        return f"{self.text}{self.values['error']}"


def prefixed(prefix: str, error: object) -> InputError:
    """Return the error with the name of a file or a field in front of it: `prefixed("body.mass: ", error)`."""
    return InputError(_Prefixed(prefix, error=error))


def check_range(what: str, value: float, low: float, high: float, unit: str = "") -> None:
    """Raise InputError unless `value` is within `low` to `high`; `what` names it in the message.

    A `unit` begins with a space.
    """
    if not low <= value <= high:
        raise refusal(
            "{what}: {value:g}{unit} is outside {low:g} to {high:g}{unit}",
            what=what,
            value=value,
            unit=unit,
            low=low,
            high=high,
        )


def lines_of(error: Exception) -> list[str]:
    """Return the lines that tell of an error: its own, and its notes."""
    return [str(error), *getattr(error, "__notes__", ())]


class GraphicsError(RuntimeError):
    """The machine cannot draw the window or a picture; the message names what is missing."""


FAILED = marked("Cannot be shown (internal error)")  # shown in place of a part of the ui that has failed
PACKAGES = marked("on Debian: apt-get install libegl1 libgl1")  # what a machine without OpenGL needs


_EXPONENT = re.compile(r"e\+?(-?)0*")


def brief(number: float, digits: int | None = None) -> str:
    """Return the shortest text for exactly this number: 0, 0.1, 1e-5.

    With `digits`, the number is rounded to so many digits first.
    """
    number = number if digits is None else float(f"{number:.{digits}g}")
    text = f"{number:g}"
    text = text if float(text) == number or math.isnan(number) else repr(number)
    return _EXPONENT.sub(r"e\1", text)


def split_sigma(value: float, sigma: float) -> tuple[str, str]:
    """Return a value and its standard deviation as texts, such as ("0.790", "± 0.002").

    The value has the digits that its deviation leaves certain. A deviation of 0 stands for an unknown one and gives "".
    """
    if not sigma > 0.0:
        return brief(value, 6), ""
    digits = min(max(-math.floor(math.log10(sigma)), 0), 12)
    return f"{value:.{digits}f}", f"± {sigma:.{digits}f}"


def with_sigma(value: float, sigma: float) -> str:
    """Return a value with its standard deviation, such as 0.790 ± 0.002."""
    return " ".join(split_sigma(value, sigma)).rstrip()


class _Text(string.Formatter):
    """A formatter that writes numbers of the formats "g" and ".3g" as `brief` does."""

    def format_field(self, value: Any, spec: str) -> str:
        if not isinstance(value, float) or not spec.endswith("g"):
            return format(value, spec)
        return brief(value, int(spec[1:-1]) if spec != "g" else None)


def shown(value: Any) -> str:
    """Return a value as an error message shows it: one line of at most 40 characters."""
    try:
        text = repr(value)
    except ValueError:  # an int of more digits than Python prints
        text = tr("a very long number")
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:37] + "..."


def nearest(value: Any, names: Sequence[str]) -> str:
    """Return "did you mean X? " with the one of `names` that is most like `value`, or "" if none is like it."""
    from difflib import get_close_matches  # here: 8 ms, needed for an error only

    close = get_close_matches(value, names, n=1) if isinstance(value, str) and len(value) < 80 else []
    return tr("did you mean {name}? ").format(name=close[0]) if close else ""


def allowed_names(value: Any, names: Iterable[str]) -> str:
    """Return "did you mean X? allowed are X, Y, Z" for a `value` that is not one of the names."""
    names = list(names)
    return nearest(value, names) + tr("allowed are {names}").format(names=", ".join(names))


def name_shown(name: str) -> str:
    """Return a name of a field or a file as it was written; if it is not one short line, as `shown` gives it."""
    return name if name.isprintable() and 0 < len(name) <= 80 else shown(name)


class ErrorBoundary:
    """A boundary that lets the parts of a frame fail independently.

    `failed` is called only once for the same exception, even if every frame raises it.
    """

    def __init__(self, failed: Callable[[Exception], None]) -> None:
        self._failed = failed
        self._failing: dict[str, str] = {}

    def attempt(self, part: str, what: Callable[[], object]) -> bool:
        """Run this part of the frame; return False if it raises."""
        try:
            what()
        except Exception as error:
            kind = f"{type(error).__name__}: {error}"
            if self._failing.get(part) != kind:
                self._failing[part] = kind
                self._failed(error)
            return False
        self._failing.pop(part, None)
        return True
