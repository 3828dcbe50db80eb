"""The scene inside a picture: its text, put into PNG, JPEG and GIF files and found there again.

What is found is a text like that of any scene file, and goes through the same checks. A checksum in its first line
reveals a damaged text, which might still read as a scene, but as another one.
"""

import re
import struct
import zlib
from typing import TYPE_CHECKING, BinaryIO

from viewer.common.errors import refusal

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

MARK = "# Poinsot "  # how the text begins
TEXT_LIMIT = 256_000  # bytes of a scene's text; one of every field has about 3000
PNG_KEYWORD = "Poinsot scene"
SUFFIXES = (".png", ".jpg", ".jpeg", ".jps", ".mpo", ".gif")  # of pictures in which a scene may be
PNG_BEGIN = b"\x89PNG\r\n\x1a\n"
BEGINNINGS = (PNG_BEGIN, b"\xff\xd8\xff", b"GIF8")
_CHECKSUM = re.compile(r", checksum ([0-9a-f]{8})$")  # pictures made before have none


def headed(text: str, version: str, time: float) -> str:
    """Return the text to put into a file: a line of its own, then the scene.

    The line has the version, the time [s] of the picture and the CRC-32 of the scene.
    """
    return f"{MARK}{version}, picture at t = {time:.9g} s, checksum {zlib.crc32(text.encode()):08x}\n{text}"


def is_picture(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is a picture in which a scene may be."""
    return head.startswith(BEGINNINGS)


def scene_text(file: BinaryIO, name: str) -> str:
    """Return the text of the scene in a picture; raises InputError where there is none, or it cannot be read."""
    try:
        text = _text_in(file)
        found = text.startswith(MARK)
        damaged = found and not (len(text.encode()) <= TEXT_LIMIT and _is_whole(text))
    except (OSError, SyntaxError, EOFError, ValueError, IndexError, struct.error, zlib.error):  # what Pillow raises
        found = damaged = True
    if damaged:
        raise refusal("{name}: the picture is damaged; its scene cannot be read", name=name)
    if not found:
        raise refusal("{name}: is a picture without a scene; Poinsot opens only pictures that it has made", name=name)
    return text


def _text_in(file: BinaryIO) -> str:
    """Return the text that a picture has as its comment, in a PNG file under PNG_KEYWORD; empty: none."""
    from PIL.GifImagePlugin import GifImageFile
    from PIL.JpegImagePlugin import JpegImageFile
    from PIL.PngImagePlugin import PngImageFile, iTXt

    head = file.read(8)
    file.seek(0)
    if not head.startswith(PNG_BEGIN):
        picture: ImageFile = (GifImageFile if head.startswith(b"GIF8") else JpegImageFile)(file)
        comment: bytes = picture.info.get("comment", b"")
        return comment.decode("utf-8")
    png = PngImageFile(file)
    text = png.info.get(PNG_KEYWORD) or png.text.get(PNG_KEYWORD, "")  # other programs put it behind the picture
    return text if isinstance(text, iTXt) else text.encode("latin-1").decode("utf-8")


def _is_whole(text: str) -> bool:
    """Return whether the text is the one that was put in, as far as a checksum says."""
    head, _, scene = text.partition("\n")
    checksum = _CHECKSUM.search(head)
    return checksum is None or int(checksum[1], 16) == zlib.crc32(scene.encode())


def png_text_chunk(text: str) -> bytes:
    """Return an iTXt chunk that holds the text."""
    return png_chunk(b"iTXt", PNG_KEYWORD.encode() + b"\0\0\0\0\0" + text.encode())


def png_chunk(kind: bytes, data: bytes) -> bytes:
    """Return a chunk of a PNG file with its length and check sum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
