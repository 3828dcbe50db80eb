"""The letters in which the scene writes: those of the atlas in assets/fonts."""

import json
import unicodedata
from functools import cache
from typing import Any

from viewer.common import resources

SUBSCRIPT, SUPERSCRIPT = (0.62, 0.20), (0.62, -0.33)  # size of a small letter, and how far it is lowered, em
SMALL = {  # letters that are drawn as another one, smaller and lower or higher
    **{small: (letter, *SUBSCRIPT) for small, letter in zip("₁₂₃ʟₑᵣꜰ", "123Lerf", strict=True)},
    **{small: (letter, *SUPERSCRIPT) for small, letter in zip("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "−0123456789", strict=True)},
}


@cache
def atlas() -> dict[str, Any]:
    """Return the header of the atlas: its size, and where each style's letters are in it."""
    header: dict[str, Any] = json.loads(resources.read_text("assets", "fonts", "labels.json"))
    return header


def missing(text: str, style: str) -> set[str]:
    """Return the letters of a text that the atlas lacks in that style of labels."""
    font = atlas()["glyphs"][style]
    return {letter for letter in text if not letter.isspace() and SMALL.get(letter, (letter,))[0] not in font} - {*font}


def plain_letters(text: str) -> str:
    """Return a text in the letters that the scene has for numbers and names: accents go where there is no such letter,
    and any other letter becomes a question mark."""
    font = atlas()["glyphs"]["number"]
    letters = (c if c in font else unicodedata.normalize("NFD", c) for c in unicodedata.normalize("NFC", text))
    kept = (c for c in "".join(letters) if not unicodedata.combining(c))
    return "".join(c if c in font or c.isspace() else "?" for c in kept)
