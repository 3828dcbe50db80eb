"""The stereo box of MP4 files: st3d inside the video's sample entry.

Google, "Spherical Video V2 RFC": a full box (version and flags 0) with one byte, the layout of the eyes.
"""

import struct
from collections.abc import Iterator
from typing import BinaryIO

TOP_BOTTOM, LEFT_RIGHT = 1, 2
PATH = (b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stsd", b"avc1")  # boxes around it
INSIDE = {b"stsd": 16, b"avc1": 86}  # bytes before the boxes inside; else 8
MOST = 2**28  # bytes of a moov box that is read


def mark(file: BinaryIO, layout: int) -> bool:
    """Puts the box into a finished film; False where its moov box is not its last one: then the file stays as it is."""
    start, moov, path = _moov(file)
    if not path or file.seek(0, 2) != start + len(moov):
        return False
    box = struct.pack(">I4sIB", 13, b"st3d", 0, layout)
    longer = bytearray(moov)
    end = path[-1][1]
    longer[end:end] = box
    for head, stop in path:
        struct.pack_into(">I", longer, head, stop - head + len(box))
    file.seek(start)
    file.write(longer)
    return True


def _moov(file: BinaryIO) -> tuple[int, bytes, list[tuple[int, int]]]:
    """Where the moov box begins, its bytes, and the boxes of PATH in them; empty where they are not all there."""
    start = 0
    while True:
        file.seek(start)
        head = file.read(16)
        if len(head) < 8:
            return start, b"", []
        size, kind = struct.unpack_from(">I4s", head)
        if size == 1 and len(head) == 16:
            (size,) = struct.unpack_from(">Q", head, 8)
        if size < 8:
            return start, b"", []
        if kind == PATH[0]:
            file.seek(start)
            moov = file.read(min(size, MOST))
            path = _path(moov)
            return start, moov, path if len(path) == len(PATH) else []
        start += size


def _boxes(data: bytes, start: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """(kind, start, end) of the boxes one after the other."""
    while start + 8 <= end:
        size, kind = struct.unpack_from(">I4s", data, start)
        if size < 8 or start + size > end:
            return
        yield kind, start, start + size
        start += size


def _path(moov: bytes) -> list[tuple[int, int]]:
    """(start, end) of each box of PATH, one inside the other, as far as they are found; in the first trak that fits."""

    def inside(start: int, end: int, depth: int) -> list[tuple[int, int]]:
        best: list[tuple[int, int]] = []
        for kind, head, stop in _boxes(moov, start, end):
            if kind == PATH[depth]:
                path = [(head, stop)]
                if depth + 1 < len(PATH):
                    path += inside(head + INSIDE.get(kind, 8), stop, depth + 1)
                best = max(best, path, key=len)
        return best

    return inside(0, len(moov), 0)
