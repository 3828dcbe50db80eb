"""The letters that names in the scene are written in, and how large they are."""

import json
import unicodedata
from functools import cache, lru_cache
from typing import Any

from viewer.common import resources
from viewer.scene.description import Label

SUBSCRIPT, SUPERSCRIPT = (0.62, 0.20), (0.62, -0.33)  # size of a small letter, and how far it is lowered, em
SMALL = {  # letters that are drawn as another letter, smaller, and lowered or raised
    **{small: (letter, *SUBSCRIPT) for small, letter in zip("₁₂₃ʟₑᵣꜰ", "123Lerf", strict=True)},
    **{small: (letter, *SUPERSCRIPT) for small, letter in zip("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "−0123456789", strict=True)},
}
MIDDLE = {"symbol": 0.30, "number": 0.35}  # em: height of the middle of the letters above the base line
SPACE = 0.28  # em


@cache
def atlas() -> dict[str, Any]:
    """Return the header of the atlas in assets/fonts: its size, and the places of each style's letters in it."""
    header: dict[str, Any] = json.loads(resources.read_text("assets", "fonts", "labels.json"))
    return header


def missing(text: str, style: str) -> set[str]:
    """Return the letters of a text that the atlas lacks in this style of labels."""
    font = atlas()["glyphs"][style]
    return {letter for letter in text if not letter.isspace() and SMALL.get(letter, (letter,))[0] not in font} - {*font}


def plain_letters(text: str) -> str:
    """Return a text in the letters that the scene has for numbers and names.

    A letter that is missing loses its accent or, if that does not help, becomes a question mark.
    """
    font = {*atlas()["glyphs"]["number"], *SMALL}
    letters = (c if c in font else unicodedata.normalize("NFD", c) for c in unicodedata.normalize("NFC", text))
    kept = (c for c in "".join(letters) if not unicodedata.combining(c))
    return "".join(c if c in font or c.isspace() else "?" for c in kept)


def half_size(label: Label) -> tuple[float, float]:
    """Return half the width and height [px] of the box around a label's middle that holds its letters as drawn."""
    across, up = _half_size(label.text, label.style)
    return label.size * across, label.size * up


@lru_cache(maxsize=1024)
def _half_size(text: str, style: str) -> tuple[float, float]:
    """Return the `half_size` of a text, in em."""
    header = atlas()
    font, margin = header["glyphs"][style], 0.5 * header["spread"] / header["em"]  # around each letter in the atlas
    pen, up, ink = 0.0, 0.0, [0.0]  # ink: where letters begin and end, which slanted ones do beyond their advance
    for letter in text:
        base, fraction, lowered = (letter, 1.0, 0.0) if letter in font else SMALL.get(letter, (letter, 1.0, 0.0))
        if base not in font:
            pen += SPACE
            continue
        *_, width, height, left, low, advance = font[base]
        lowest = fraction * (low + margin) - lowered - MIDDLE[style]
        highest = lowest + fraction * (height / header["em"] - 2.0 * margin)
        begin = pen + fraction * (left + margin)
        ink += [begin, begin + fraction * (width / header["em"] - 2.0 * margin)]
        pen, up = pen + fraction * advance, max(up, -lowest, highest)
    return max(0.5 * pen, 0.5 * pen - min(ink), max(ink) - 0.5 * pen), up
