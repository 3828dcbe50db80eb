"""How well what somebody typed fits a title: by whole words, beginnings, parts, or letters with gaps between."""

import re

WHOLE, PREFIX, PART = 4.0, 3.0, 2.0  # points of a word that was typed
SYNONYM = 0.95
UNPRIMED = 0.9  # of the points of a title without its primes and hyphens
BEGINS = UNPRIMED * PREFIX  # the least score of what fits by whole words and beginnings only


def score(query: str, title: str, synonyms: str = "") -> float:
    """How well a title fits what was typed: 0 where a word of it is not there, not even with gaps between letters.

    `synonyms` count only as a whole or by their beginnings, and a little less.
    """
    words, lower = query.lower().split(), title.lower()
    total = 0.0
    for word in words:
        points = max(_points(word, lower), UNPRIMED * _points(_plain(word), _plain(lower)))
        other = _points(word, synonyms)
        points = max(points, SYNONYM * other if other >= PREFIX else 0.0)
        if points == 0.0:
            return 0.0
        total += points
    return total / max(1, len(words)) + 0.5 / (1 + len(title))  # among equals the shorter title


def _points(word: str, title: str) -> float:
    """Most for a whole word of the title, then for the beginning of one, for a part, for letters with gaps between."""
    if not word:
        return 0.0
    if re.search(rf"(^|\W){re.escape(word)}(\W|$)", title):
        return WHOLE
    if re.search(rf"(^|\W){re.escape(word)}", title):
        return PREFIX
    if word in title:
        return PART
    at, first = -1, -1
    for letter in word:
        at = title.find(letter, at + 1)
        if at < 0:
            return 0.0
        first = at if first < 0 else first
    return len(word) / (1 + at - first)  # 1 without a gap


def _plain(string: str) -> str:
    """Without primes and hyphens, which are awkward to type."""
    return string.replace("′", "").replace("-", "").replace("ω", "omega")
