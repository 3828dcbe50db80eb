"""Text files that have rows of numbers, separated by white space, below keywords."""

import calendar
import io
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from viewer.common.errors import refusal, shown
from viewer.replay.files.source import Member
from viewer.replay.files.text_table import LONGEST_LINE, MOST_ROWS, is_number, too_long
from viewer.replay.raw_recording import Array, check_sizes

Line = tuple[int, str]  # its number from 1, and the line without white space at its ends

REPORT_EVERY = 100_000  # lines


def lines_of(member: Member, where: str, progress: Callable[[float], None]) -> Iterator[Line]:
    """Yield the lines that are not empty. `where` is the file's name in errors. Raises InputError."""
    read = 0
    with member.text() as text:
        for number in range(1, MOST_ROWS):
            line = text.readline(LONGEST_LINE + 1)
            if line == "":
                return
            if len(line) > LONGEST_LINE:
                raise too_long(where, number)
            read += len(line)
            if number % REPORT_EVERY == 0:
                progress(min(read / max(member.size, 1), 1.0))
            if line := line.strip():
                yield number, line
    raise refusal("{name}: has more than {most} rows", name=where, most=MOST_ROWS)


def numbers(rows: Sequence[Line], names: Sequence[str], where: str, skip: int = 0) -> Array:
    """Return the numbers (len(names), N) in rows, after the first `skip` words of each.

    Raises InputError, which names the line.
    """
    wanted = len(names) + skip
    for number, line in rows:
        if len(line.split()) != wanted:
            raise refusal(
                "{where}: {found} columns instead of {columns}",
                where=f"{where}, line {number}",
                found=len(line.split()),
                columns=wanted,
            )
    if not rows:
        return np.empty((len(names), 0))
    text = io.StringIO("\n".join(line for _, line in rows))
    try:
        found = np.loadtxt(text, comments=None, usecols=range(skip, wanted), ndmin=2).T
    except ValueError as error:
        for number, line in rows:
            for name, word in zip(names, line.split()[skip:], strict=True):
                if not is_number(word):
                    what = f"{name}: {shown(word)}"
                    raise refusal(
                        "{where}: {what} is not a number", where=f"{where}, line {number}", what=what
                    ) from None
        raise refusal("{name}: cannot be read: {reason}", name=where, reason=shown(str(error))) from None
    check_sizes(dict(zip(names, found, strict=True)), where)
    return np.where(np.isfinite(found), found, np.nan)


def seconds_of(rows: Sequence[Line], formats: Sequence[str], example: str, where: str) -> Array:
    """Return the seconds (N,) from the first row to each row, by the dates with which the rows begin.

    The dates are in one of `formats`, which are as in `time.strptime`; fractions of a second may follow. A date has as
    many words as `example`. Raises InputError, which names the line.
    """
    whole, fractions = [], []
    for number, line in rows:
        date = " ".join(line.split()[: len(example.split())])
        text, _, fraction = date.replace('"', "").replace("'", "").strip().upper().removesuffix("Z").partition(".")
        moment = next((found for one in formats if (found := _moment(text, one)) is not None), None)
        if moment is None or not f"0{fraction}".isdecimal():
            raise refusal(
                "{where}: {given} is no time; allowed are such as {example}",
                where=f"{where}, line {number}",
                given=shown(date),
                example=example,
            )
        whole.append(moment)
        fractions.append(float(f"0.{fraction}0"))
    since = np.array(whole, float) - (whole[0] if whole else 0)
    return np.asarray(since + np.array(fractions) - (fractions[0] if fractions else 0.0))


def _moment(text: str, form: str) -> int | None:
    """Return the seconds since 1970 of a date in a format of `time.strptime`, or None if it is in another format.

    A leap second, which `time.strptime` accepts, is refused: it would be the same moment as the second after it.
    """
    try:
        found = time.strptime(text, form)
    except ValueError:
        return None
    return calendar.timegm(found) if found.tm_sec <= 59 else None
