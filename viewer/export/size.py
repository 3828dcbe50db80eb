"""Sizes of pictures and of the window, in pixels."""

import re

from viewer.common.errors import refusal, shown

SMALLEST, LARGEST = 64, 65536  # along a side
_SIZE = re.compile(r"\s*(\d{1,9})\s*[x×*]\s*(\d{1,9})\s*", re.IGNORECASE | re.ASCII)


def check_size(size: tuple[int, int]) -> None:
    """Raises InputError where a picture of this (width, height) is not allowed."""
    if not all(isinstance(side, int) and SMALLEST <= side <= LARGEST for side in size):
        allowed = f"{SMALLEST}x{SMALLEST} to {LARGEST}x{LARGEST}"
        raise refusal("size: {size} is outside {allowed} pixels", size=f"{size[0]}x{size[1]}", allowed=allowed)


def parse_size(text: str) -> tuple[int, int]:
    """(width, height) of a text such as "1280x720" or "1280 × 720", checked."""
    if not text.strip():
        raise refusal("size: is empty; allowed is WIDTHxHEIGHT, such as 1280x720")
    found = _SIZE.fullmatch(text)
    if found is None:
        raise refusal("size: {size} is not WIDTHxHEIGHT, such as 1280x720", size=shown(text))
    size = int(found[1]), int(found[2])
    check_size(size)
    return size
