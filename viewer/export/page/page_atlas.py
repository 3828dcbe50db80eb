"""The letters of a page's labels: a part of the program's atlas, which alone is larger than a page may be."""

import base64
import zlib
from typing import Any

import numpy as np

from viewer.common import resources
from viewer.common.quantities import QUANTITIES
from viewer.scene.annotations.letters import MIDDLE, SMALL, SPACE, atlas

NUMBERS = {*"0123456789.−×·", *"".join(unit.name for unit in QUANTITIES["rad/s"].units)}  # of the rulings of planes
WIDTH = 512  # texels
GAP = 1  # texels between letters, which are interpolated


def page_atlas() -> dict[str, Any]:
    """Return an atlas as that of `letters.atlas`, with all symbols and the letters of NUMBERS.

    `field` has its texels in base64, as zlib packs them, a byte each, `size` (across, up) in all; `small`, `middle` and
    `space` are SMALL, MIDDLE and SPACE of `letters`.
    """
    header = atlas()
    width, height = header["size"]
    packed = zlib.decompress(resources.read_bytes("assets", "fonts", "labels.bin"))
    field = np.frombuffer(packed, dtype=np.uint8).reshape(height, width)
    kept = [
        (style, letter, glyph)
        for style, font in header["glyphs"].items()
        for letter, glyph in font.items()
        if style == "symbol" or letter in NUMBERS
    ]
    drawn = np.zeros((height, WIDTH), dtype=np.uint8)
    glyphs: dict[str, dict[str, list[float]]] = {style: {} for style in header["glyphs"]}
    pen = low = next_low = 0
    for style, letter, (x, y, w, h, *rest) in sorted(
        kept, key=lambda entry: -entry[2][3]
    ):  # each row the highest first
        if pen + w > WIDTH:
            pen, low = 0, next_low
        if pen == 0:
            next_low = low + h + GAP
        drawn[low : low + h, pen : pen + w] = field[y : y + h, x : x + w]
        glyphs[style][letter] = [pen, low, w, h, *rest]
        pen += w + GAP
    drawn = (
        drawn[:next_low] & 0xFC
    )  # 6 bits, which pack to half as much: an outline is off by a tenth of a texel at most
    text = base64.b64encode(zlib.compress(drawn.tobytes(), 9)).decode()
    return {
        "em": header["em"],
        "spread": header["spread"],
        "size": [WIDTH, len(drawn)],
        "glyphs": glyphs,
        "small": {letter: list(drawn_as) for letter, drawn_as in SMALL.items()},
        "middle": MIDDLE,
        "space": SPACE,
        "field": text,
    }
