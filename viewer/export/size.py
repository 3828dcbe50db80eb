"""Sizes of pictures and of the window, in pixels."""

from viewer.common.errors import InputError, shown

SMALLEST, LARGEST = 64, 65536  # along a side


def check_size(size: tuple[int, int]) -> None:
    """Raises InputError where a picture of this (width, height) is not allowed."""
    if not all(isinstance(side, int) and SMALLEST <= side <= LARGEST for side in size):
        raise InputError(f"size: {size[0]}x{size[1]} is outside {SMALLEST}x{SMALLEST}..{LARGEST}x{LARGEST} pixels")


def parse_size(text: str) -> tuple[int, int]:
    """(width, height) of a text such as "1280x720", checked."""
    width, _, height = text.lower().replace("×", "x").partition("x")
    if not (width.isdecimal() and height.isdecimal() and len(text) < 20):
        raise InputError(f"size: {shown(text)} is not WIDTHxHEIGHT, such as 1280x720")
    size = int(width), int(height)
    check_size(size)
    return size
