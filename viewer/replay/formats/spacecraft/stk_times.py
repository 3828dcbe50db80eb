"""The times of STK's files in its date formats: elapsed since an epoch or as dates, in any time scale."""

import datetime
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import refusal, shown
from viewer.replay.files.lines import Line, numbers

Array = NDArray[np.float64]

DAY = 86_400.0  # s
ELAPSED = {
    "EpSec": 1.0, "EpMin": 60.0, "EpHr": 3600.0, "EpDay": DAY, "EpYear": 365.25 * DAY, "JDate": DAY, "ModJDate": DAY,
    "JED": DAY,
}  # fmt: skip
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_CLOCK = r"(?P<hour>\d\d?):(?P<minute>\d\d):(?P<second>\d\d(\.\d*)?)"
_GREGORIAN = re.compile(rf"(?P<day>\d\d?) (?P<name>[a-z]{{3}}) (?P<year>\d{{4}}) {_CLOCK}")
_JULIAN = re.compile(rf"(?P<days>\d{{1,3}})/(?P<year>\d\d) {_CLOCK}")
DATES = {  # what an example looks like, and the pattern
    **dict.fromkeys(("UTCG", "LCLG", "TAIG", "TDTG", "TDBG", "GPSG"), ("1 Jul 2007 12:00:00.000", _GREGORIAN)),
    **dict.fromkeys(("UTCJ", "LCLJ", "TAIJ"), ("182/07 12:00:00.000", _JULIAN)),
    "UTCJFOUR": ("182/2007 12:00:00.000", re.compile(rf"(?P<days>\d{{1,3}})/(?P<year>\d{{4}}) {_CLOCK}")),
    "ISO-YMD": (
        "2007-07-01T12:00:00.000", re.compile(rf"(?P<year>\d{{4}})-(?P<month>\d\d)-(?P<day>\d\d)t{_CLOCK}z?")
    ),
    "ISO-YD": ("2007-182T12:00:00.000", re.compile(rf"(?P<year>\d{{4}})-(?P<days>\d{{3}})t{_CLOCK}z?")),
    "YYYY/MM/DD": (
        "2007/07/01 12:00:00.000", re.compile(rf"(?P<year>\d{{4}})/(?P<month>\d\d?)/(?P<day>\d\d?) {_CLOCK}")
    ),
    "DD/MM/YYYY": (
        "01/07/2007 12:00:00.000", re.compile(rf"(?P<day>\d\d?)/(?P<month>\d\d?)/(?P<year>\d{{4}}) {_CLOCK}")
    ),
    "YYYY:MM:DD": (
        "2007:07:01:12:00:00.000", re.compile(rf"(?P<year>\d{{4}}):(?P<month>\d\d?):(?P<day>\d\d?):{_CLOCK}")
    ),
}  # fmt: skip
CENTURY = 60  # years of two digits from here on are of 1900


def timed(rows: Sequence[Line], names: Sequence[str], time_format: str, where: str) -> Array:
    """The times [s] of rows, of dates from the first one, and the numbers after them: (1 + len(names), N). Raises
    InputError, which names the line."""
    given = time_format.strip("\"' ").lower()
    for name, seconds in ELAPSED.items():
        if name.lower() == given:
            return np.array((seconds, *([1.0] * len(names))))[:, None] * numbers(rows, ("t", *names), where)
    for name, (example, pattern) in DATES.items():
        if name.lower() == given:
            words = len(example.split())
            found = numbers(rows, names, where, skip=words)
            return np.concatenate((_seconds(rows, words, example, pattern, where)[None], found))
    raise refusal(
        "{name}: TimeFormat: {given} is not read; allowed are {allowed}",
        name=where,
        given=shown(time_format),
        allowed=", ".join((*ELAPSED, *DATES)),
    )


def _seconds(rows: Sequence[Line], words: int, example: str, pattern: re.Pattern[str], where: str) -> Array:
    days: list[int] = []
    seconds: list[float] = []
    for number, line in rows:
        date = " ".join(line.split()[:words])
        match = pattern.fullmatch(date.replace('"', "").replace("'", "").strip().lower())
        day = None if match is None else _day(match.groupdict())
        if match is None or day is None:
            raise refusal(
                "{where}: {given} is no time; allowed are such as {example}",
                where=f"{where}, line {number}",
                given=shown(date),
                example=example,
            )
        days.append(day)
        seconds.append(3600.0 * int(match["hour"]) + 60.0 * int(match["minute"]) + float(match["second"]))
    since = DAY * (np.array(days, float) - (days[0] if days else 0)) + np.array(seconds)
    return np.asarray(since - since[:1].sum())


def _day(date: dict[str, str | None]) -> int | None:
    """The number of a date's day; None where there is none such."""
    year = int(date["year"] or 0)
    if len(date["year"] or "") == 2:
        year += 1900 if year >= CENTURY else 2000
    try:
        if days := date.get("days"):
            first = datetime.date(year, 1, 1).toordinal()
            return first + int(days) - 1 if 1 <= int(days) <= 366 else None
        name = date.get("name")
        month = MONTHS.index(name) + 1 if name else int(date["month"] or 0)
        return datetime.date(year, month, int(date["day"] or 0)).toordinal()
    except ValueError:
        return None
