"""Makes `assets/fonts/labels.bin` and `labels.json`, the distance field of the letters drawn in the scene.

    python tests/tools/bake_glyphs.py SYMBOL_FONT PRIME_FONT NUMBER_FONT
    python tests/tools/bake_glyphs.py NUMBER_FONT  (adds what FURTHER names to the files)

`assets/fonts/README.md` names the fonts used. Run by hand when a letter is missing; the app only reads the result.
"""

import json
import sys
import zlib
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from scipy.ndimage import distance_transform_edt

EM = 48  # texels
FINER = 8  # the letter is rasterised so much finer than the field
SPREAD = 12  # texels from 0 to 1 across the outline
PAD = SPREAD // 2
SYMBOLS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzωαβγεσ"
UPRIGHT = "′0123456789"
NUMBERS = "".join(chr(c) for c in range(33, 127)) + "·°²×−"
# letters with accents, Greek and Cyrillic
FURTHER = (
    "".join(
        chr(c)
        for low, high in ((0xC0, 0x180), (0x218, 0x21C), (0x386, 0x3CF), (0x400, 0x460), (0x490, 0x492))
        for c in range(low, high)
        if chr(c).isalpha() and chr(c) != "ŉ"
    )
    + "ẞ„“”’…′"
)
WIDTH = 1024
FOLDER = Path(__file__).resolve().parents[2] / "assets" / "fonts"
Glyphs = dict[str, dict[str, list[float]]]


def glyph_field(character: str, font: ImageFont.FreeTypeFont) -> tuple[np.ndarray, float, float, float]:
    """Returns the distance field, uint8, of one letter, the left and lower side of its box, and its advance, in em."""
    left, top, right, bottom = (round(side) for side in font.getbbox(character, anchor="ls"))
    pad = PAD * FINER
    width = -(-(right - left + 2 * pad) // FINER) * FINER
    height = -(-(bottom - top + 2 * pad) // FINER) * FINER
    image = Image.new("L", (width, height), 0)
    ImageDraw.Draw(image).text((pad - left, pad - top), character, font=font, fill=255, anchor="ls")
    inside = np.asarray(image) > 127
    distance = distance_transform_edt(inside) - distance_transform_edt(~inside)
    coarse = distance.reshape(height // FINER, FINER, width // FINER, FINER).mean(axis=(1, 3)) / FINER
    field = np.clip(0.5 + coarse / SPREAD, 0.0, 1.0)
    em = EM * FINER
    low = (-(height - pad + top)) / em
    return np.round(255 * field).astype(np.uint8), (left - pad) / em, low, font.getlength(character) / em


def main(symbol_font: str, prime_font: str, number_font: str) -> None:
    """Bakes all letters into one atlas."""
    wanted = [("symbol", symbol_font, SYMBOLS), ("symbol", prime_font, UPRIGHT), ("number", number_font, NUMBERS)]
    bake(wanted, {"symbol": {}, "number": {}}, np.zeros((0, WIDTH), dtype=np.uint8))
    add(number_font)


def add(number_font: str) -> None:
    """Adds the letters of FURTHER that the files lack."""
    header = json.loads((FOLDER / "labels.json").read_text(encoding="utf-8"))
    above = np.frombuffer(zlib.decompress((FOLDER / "labels.bin").read_bytes()), np.uint8)
    missing = "".join(letter for letter in FURTHER if letter not in header["glyphs"]["number"])
    bake([("number", number_font, missing)], header["glyphs"], above.reshape(header["size"][::-1]))


def bake(wanted: list[tuple[str, str, str]], glyphs: Glyphs, atlas: np.ndarray) -> None:
    """Writes the files: the `glyphs` of `atlas` (H, W), and those `wanted` (style, font, letters).

    Letters that look the same, such as A in three alphabets, share a place; the tallest are in the first rows.
    """
    fields = {}
    for style, letters in glyphs.items():
        for character, (x, y, width, height, *metrics) in letters.items():
            fields[style, character] = atlas[int(y) : int(y + height), int(x) : int(x + width)], metrics
    for style, path, characters in wanted:
        font = ImageFont.truetype(path, EM * FINER)
        for character in characters:
            field, *metrics = glyph_field(character, font)
            fields[style, character] = field[::-1], [round(value, 5) for value in metrics]  # bottom row first, as in GL
    places: dict[tuple[int, bytes], tuple[int, int]] = {}
    atlas = np.zeros((2 * WIDTH, WIDTH), dtype=np.uint8)
    x = y = row = 0
    for (style, character), (field, metrics) in sorted(fields.items(), key=lambda item: -len(item[1][0])):
        height, width = field.shape
        if (height, field.tobytes()) not in places:
            if x + width > WIDTH:
                x, y, row = 0, y + row, 0
            atlas[y : y + height, x : x + width] = field
            places[height, field.tobytes()] = x, y
            x, row = x + width, max(row, height)
        glyphs[style][character] = [*places[height, field.tobytes()], width, height, *metrics]
    used = atlas[: y + row]
    (FOLDER / "labels.bin").write_bytes(zlib.compress(used.tobytes(), 9))
    header = {"size": [WIDTH, y + row], "em": EM, "spread": SPREAD, "glyphs": glyphs}
    (FOLDER / "labels.json").write_text(
        json.dumps(header, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    (add if len(sys.argv) == 2 else main)(*sys.argv[1:])
