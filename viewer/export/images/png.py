"""PNG files written strip by strip, so that a picture of any size needs the memory of one strip."""

import struct
import zlib
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from viewer.scenario.embedded import PNG_BEGIN, png_chunk, png_text_chunk

AT_ONCE = 64  # rows
COLOR_TYPES = {3: 2, 4: 6}  # by channels: RGB, RGBA
SRGB = b"\0"  # rendering intent "perceptual"


class PngWriter:
    """Writes a picture of (width, height) with 3 or 4 channels from its top row down; `text`: the scene inside."""

    def __init__(self, file: BinaryIO, size: tuple[int, int], channels: int, text: str, software: str) -> None:
        self._file = file
        self._packer = zlib.compressobj(strategy=zlib.Z_RLE)  # as small as with level 2, in 0.8 of the time
        self._above = np.zeros((1, size[0] * channels), dtype=np.uint8)
        file.write(PNG_BEGIN)
        file.write(png_chunk(b"IHDR", struct.pack(">IIBBBBB", *size, 8, COLOR_TYPES[channels], 0, 0, 0)))
        file.write(png_chunk(b"sRGB", SRGB))
        file.write(png_chunk(b"tEXt", b"Software\0" + software.encode("latin-1")))
        if text:
            file.write(png_text_chunk(text))

    def write(self, rows: NDArray[np.uint8]) -> None:
        """The next rows, (n, width, channels)."""
        for start in range(0, len(rows), AT_ONCE):
            self._put(self._packer.compress(self._filtered(rows[start : start + AT_ONCE])))

    def finish(self) -> None:
        """The end of the picture; the file stays open."""
        self._put(self._packer.flush())
        self._file.write(png_chunk(b"IEND", b""))

    def _put(self, packed: bytes) -> None:
        if packed:
            self._file.write(png_chunk(b"IDAT", packed))

    def _filtered(self, rows: NDArray[np.uint8]) -> bytes:
        """Each row as its difference from the pixel to the left (type 1) or above (type 2), whichever is smaller."""
        count, channels = len(rows), rows.shape[2]
        flat = rows.reshape(count, -1)
        lines = np.empty((2, count, 1 + flat.shape[1]), dtype=np.uint8)
        lines[0, :, 0], lines[1, :, 0] = 1, 2
        left, up = lines[:, :, 1:]
        left[:, :channels] = flat[:, :channels]
        np.subtract(flat[:, channels:], flat[:, :-channels], out=left[:, channels:])
        np.subtract(flat, np.concatenate([self._above, flat[:-1]]), out=up)
        self._above = flat[-1:].copy()
        sizes = [np.minimum(part, -part).sum(axis=1, dtype=np.uint64) for part in (left, up)]
        smaller: NDArray[np.uint8] = lines[(sizes[1] < sizes[0]).astype(np.intp), np.arange(count)]
        return smaller.tobytes()
