"""GIF files written frame by frame, so that a long one needs no more memory than a short one."""

import struct
from collections.abc import Sequence
from typing import BinaryIO

import numpy as np

from viewer.export.image_renderer import Image

COLORS = 256


class GifWriter:
    """Writes frames of (width, height), each shown for `seconds`, rounded to 0.01 s so that their sum stays right.

    `text` is the scene, which the file holds. The colours of `sample` are those of all frames.
    """

    def __init__(
        self, file: BinaryIO, size: tuple[int, int], seconds: float, text: str, sample: Sequence[Image]
    ) -> None:
        from PIL import Image as pillow

        self._file, self._seconds, self._pillow = file, seconds, pillow
        self._palette = pillow.fromarray(_colors(np.concatenate(sample))).quantize(
            COLORS, method=pillow.Quantize.MEDIANCUT
        )
        colors = bytes(self._palette.getpalette() or []).ljust(3 * COLORS, b"\0")
        file.write(b"GIF89a" + struct.pack("<HHBBB", *size, 0xF7, 0, 0) + colors)
        file.write(b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")  # for ever
        file.write(b"!\xfe" + _blocks(text.encode()))
        self._wanted = self._written = 0.0  # s: how long the pictures should be shown, and are

    def add(self, image: Image) -> None:
        """Write the next frame, (H, W, 3)."""
        from PIL import GifImagePlugin

        self._wanted += self._seconds
        hundredths = max(1, round(100 * (self._wanted - self._written)))
        self._written += hundredths / 100
        self._file.write(b"!\xf9\x04\x04" + struct.pack("<H", hundredths) + b"\0\0")
        picture = self._pillow.fromarray(np.ascontiguousarray(image)).quantize(
            palette=self._palette, dither=self._pillow.Dither.NONE
        )
        for block in GifImagePlugin.getdata(picture):
            self._file.write(block)

    def finish(self) -> None:
        """Write the end of the file, which stays open."""
        self._file.write(b";")


def _colors(image: Image) -> Image:
    """Return the image's colours as one row, each as often as the root of its count there, so that rare ones matter."""
    pixels = image.reshape(-1, 3)
    coarse = (pixels >> 2).astype(np.int32) @ np.array([1 << 12, 1 << 6, 1], dtype=np.int32)
    _, first, counts = np.unique(coarse, return_index=True, return_counts=True)
    return np.repeat(pixels[first], np.ceil(np.sqrt(counts)).astype(int), axis=0)[None]


def _blocks(data: bytes) -> bytes:
    """Return the data in sub-blocks of at most 255 bytes, and the empty one."""
    parts = [data[i : i + 255] for i in range(0, len(data), 255)]
    return b"".join(bytes([len(part)]) + part for part in parts) + b"\0"
