"""The scene inside a picture or a page: writes its text into PNG, JPEG, GIF and HTML files, and finds it there again.

Only the structure of the files is read, block after block, never the picture, and no block larger than a scene. Pillow
is not suitable: it reads every block as a whole (2 GB of memory and 19 s for one foreign chunk of 1 GB, which is
skipped here). The text goes through the same checks as that of any scene file. A checksum in its first line reveals a
damaged text, which might otherwise be read as another scene.
"""

import re
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from html import escape, unescape
from typing import BinaryIO

from viewer.common.errors import InputError, refusal

MARK = "# Poinsot "  # how the text begins
TEXT_LIMIT = 256_000  # bytes of a scene's text; one of every field has about 3000
BLOCKS = 100_000  # at most, that are looked at
PNG_KEYWORD = b"Poinsot scene"
SUFFIXES = (".png", ".jpg", ".jpeg", ".jps", ".mpo", ".gif", ".html")  # of files in which a scene may be
PNG_BEGIN = b"\x89PNG\r\n\x1a\n"
PAGE_HEAD = 8 * TEXT_LIMIT  # bytes of a page within which the scene begins and ends
_IN_PAGE = re.compile(rb'<meta name="poinsot-scene" content="([^"]*)">')
_CHECKSUM = re.compile(r", checksum ([0-9a-f]{8})$")  # older pictures have none


def headed(text: str, version: str, time: float) -> str:
    """Return the text to put into a picture: a heading line, then the scene.

    The heading has the version, the time [s] of the picture and the CRC-32 of the scene.
    """
    return f"{MARK}{version}, picture at t = {time:.9g} s, checksum {zlib.crc32(text.encode()):08x}\n{text}"


def is_picture(head: bytes) -> bool:
    """Return whether a file that begins with the bytes `head` is a picture or a page that may contain a scene."""
    return any(head.startswith(begin) for begin in READERS)


def scene_text(file: BinaryIO, name: str) -> str:
    """Return the text of the scene in a picture, or of the first in a page.

    Raises InputError if there is none, or if it cannot be read.
    """
    try:
        for found in _texts(file):
            return _undamaged(found.decode("utf-8"))
    except (struct.error, zlib.error, EOFError, UnicodeDecodeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise refusal("{name}: is damaged; its scene cannot be read", name=name) from None
    raise refusal("{name}: holds no scene; Poinsot opens only pictures and pages that it has made", name=name)


def count(file: BinaryIO) -> int:
    """Return the number of scenes in a picture or a page that can be read; only a page has several."""
    found = 0
    with suppress(struct.error, zlib.error, EOFError, ValueError):  # what is cut off after its first scene
        for _ in _texts(file):
            found += 1
    return found


def _texts(file: BinaryIO) -> Iterator[bytes]:
    """Yield the scenes' texts."""
    head = file.read(8)
    reader = next(read for begin, read in READERS.items() if head.startswith(begin))
    yield from (found for found in reader(file) if found.startswith(MARK.encode()))


def _undamaged(text: str) -> str:
    """Return the text; raises ValueError if its checksum is wrong."""
    head, _, scene = text.partition("\n")
    checksum = _CHECKSUM.search(head)
    if checksum and int(checksum[1], 16) != zlib.crc32(scene.encode()):
        raise ValueError
    return text


def png_text_chunk(text: str) -> bytes:
    """Return an iTXt chunk that holds the text."""
    return png_chunk(b"iTXt", PNG_KEYWORD + b"\0\0\0\0\0" + text.encode())


def png_chunk(kind: bytes, data: bytes) -> bytes:
    """Return a chunk of a PNG file with its length and checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def page_line(text: str) -> str:
    """Return an HTML element that holds the text."""
    return f'<meta name="poinsot-scene" content="{escape(text)}">'


def _exactly(file: BinaryIO, count: int) -> bytes:
    data = file.read(count)
    if len(data) < count:
        raise EOFError
    return data


def _png_texts(file: BinaryIO) -> Iterator[bytes]:
    for _ in range(BLOCKS):
        length, kind = struct.unpack(">I4s", _exactly(file, 8))
        if kind == b"IEND":
            return
        if kind in (b"iTXt", b"zTXt", b"tEXt") and length <= TEXT_LIMIT + 200:
            data = _exactly(file, length)
            (checksum,) = struct.unpack(">I", _exactly(file, 4))
            keyword, _, rest = data.partition(b"\0")
            if keyword == PNG_KEYWORD:
                if checksum != zlib.crc32(kind + data):
                    raise ValueError
                yield _png_text(kind, rest)
                return
        else:
            file.seek(length + 4, 1)


def _png_text(kind: bytes, data: bytes) -> bytes:
    """Return the text of a text chunk; `data` is what follows the keyword and its zero byte."""
    if kind == b"tEXt":
        return data
    if kind == b"zTXt":
        return _inflated(data[1:])
    compressed = data[:1] == b"\1"
    _language, _, rest = data[2:].partition(b"\0")
    _translated, _, text = rest.partition(b"\0")
    return _inflated(text) if compressed else text


def _inflated(data: bytes) -> bytes:
    """Return compressed data unpacked. Raises ValueError if they are longer than a scene's text may be."""
    unpacker = zlib.decompressobj()
    text = unpacker.decompress(data, TEXT_LIMIT)
    if unpacker.unconsumed_tail:
        raise ValueError
    return text


def _jpeg_texts(file: BinaryIO) -> Iterator[bytes]:
    file.seek(2)
    for _ in range(BLOCKS):
        marker = _exactly(file, 2)
        if marker[0] != 0xFF or marker[1] in (0xD9, 0xDA):  # the picture itself begins
            return
        (length,) = struct.unpack(">H", _exactly(file, 2))
        if length < 2:
            raise EOFError
        data = _exactly(file, length - 2)
        if marker[1] == 0xFE:
            yield data


def _gif_texts(file: BinaryIO) -> Iterator[bytes]:
    file.seek(10)
    flags = _exactly(file, 3)[0]
    if flags & 0x80:  # a palette
        file.seek(3 << ((flags & 7) + 1), 1)
    for _ in range(BLOCKS):
        kind = _exactly(file, 1)
        if kind == b"!":
            comment = _exactly(file, 1) == b"\xfe"
            text = _gif_blocks(file)
            if comment:
                yield text
        else:  # the first picture
            return


def _gif_blocks(file: BinaryIO) -> bytes:
    """Return the data of the sub-blocks up to the empty one, or nothing if they are too long for a scene's text."""
    text = bytearray()
    while size := _exactly(file, 1)[0]:
        block = _exactly(file, size)
        if len(text) <= TEXT_LIMIT:
            text += block
    return bytes(text) if len(text) <= TEXT_LIMIT else b""


def _page_texts(file: BinaryIO) -> Iterator[bytes]:
    file.seek(0)
    for found in _IN_PAGE.finditer(file.read(PAGE_HEAD)):
        yield unescape(found[1].decode()).encode()


READERS: dict[bytes, Callable[[BinaryIO], Iterator[bytes]]] = {
    PNG_BEGIN: _png_texts,
    b"\xff\xd8\xff": _jpeg_texts,
    b"GIF8": _gif_texts,
    **dict.fromkeys((b"<", b"\xef\xbb\xbf<", b"\xff\xfe<"), _page_texts),  # no scene file begins so
}
