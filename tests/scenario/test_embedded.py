"""A scene is found in pictures, as other programs have packed it too; damaged and hostile ones are refused."""

import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from viewer.common.errors import InputError
from viewer.scenario import embedded, scene_file
from viewer.scenario.scenario import Scenario

PIXEL = {"PNG": ".png", "JPEG": ".jpg", "GIF": ".gif"}


@pytest.mark.parametrize("kind", PIXEL)
def test_a_picture_is_known_by_what_it_begins_with(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a file"
    assert scene_file.is_picture(path) is False
    path.write_bytes(b"[body]")
    assert scene_file.is_picture(path) is False
    Image.new("RGB", (1, 1)).save(path, kind)
    assert scene_file.is_picture(path) is True


@pytest.mark.parametrize("kind", PIXEL)
def test_a_picture_without_a_scene_gets_one_line(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"a{PIXEL[kind]}"
    Image.new("RGB", (8, 8)).save(path, kind)
    with pytest.raises(InputError) as caught:
        Scenario.load(path)
    assert str(caught.value) == f"{path}: holds no scene; Poinsot opens only pictures and pages that it has made"


def png(*chunks: bytes) -> bytes:
    return embedded.PNG_BEGIN + b"".join(chunks) + embedded.png_chunk(b"IEND", b"")


def text_chunk(data: bytes) -> bytes:
    return embedded.png_chunk(b"iTXt", embedded.PNG_KEYWORD + data)


SHORT = b"# Poinsot 9\n[body]\nmass = 3\n"


def test_texts_that_other_programs_have_packed_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    for chunk in (
        text_chunk(b"\0\0\0en\0scene\0" + SHORT),
        text_chunk(b"\0\1\0\0\0" + zlib.compress(SHORT)),
        embedded.png_chunk(b"zTXt", embedded.PNG_KEYWORD + b"\0\0" + zlib.compress(SHORT)),
        embedded.png_chunk(b"tEXt", embedded.PNG_KEYWORD + b"\0" + SHORT),
    ):
        path.write_bytes(png(embedded.png_chunk(b"IDAT", b"x" * 999), chunk))
        assert Scenario.load(path).body.mass == 3.0


def gif(text: bytes) -> bytes:
    """A comment alone, in sub-blocks."""
    blocks = b"".join(bytes([len(part)]) + part for part in (text[i : i + 255] for i in range(0, len(text), 255)))
    return b"GIF89a" + bytes(7) + b"!\xfe" + blocks + b"\0;"


def packed(text: bytes) -> bytes:
    return png(text_chunk(b"\0\1\0\0\0" + zlib.compress(text)))


@pytest.mark.parametrize("made", [gif, packed])
def test_a_text_may_be_as_long_as_the_limit_and_no_longer(tmp_path: Path, made: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "a picture"
    longest = SHORT + b"#" * (embedded.TEXT_LIMIT - len(SHORT))
    path.write_bytes(made(longest))
    assert Scenario.load(path).body.mass == 3.0
    path.write_bytes(made(longest + b"#"))
    with pytest.raises(InputError, match=r"damaged|holds no scene"):
        Scenario.load(path)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (png(text_chunk(b"\0\0\0\0\0# Poinsot 9\n[body]\nmass = 0\n")), "is outside 1e-9 to 1e30 kg (a.png, line 3)"),
        (png(text_chunk(b"\0\1\0\0\0" + zlib.compress(b"# Poinsot" + bytes(10**8), 9))), "damaged"),
        (png(text_chunk(b"\0\1\0\0\0broken")), "damaged"),
        (png(text_chunk(b"\0\0\0\0\0# Poinsot \xff")), "damaged"),
        (png()[:20], "damaged"),
        (embedded.PNG_BEGIN + b"\xff" * 4 + b"iTXt", "damaged"),
        (embedded.PNG_BEGIN + struct.pack(">I", 2**31) + b"IDAT", "damaged"),
        (b"\xff\xd8\xff\xfe\0\0", "damaged"),
        (b"\xff\xd8\xff\xfe\0\x20# Poinsot", "damaged"),
        (b"\xff\xd8\xff\xfe\0\x10# Poinsot 9\nx=\xff\xd9", "not TOML"),
        (b"GIF89a", "damaged"),
        (b"GIF89a" + bytes(7) + b"!\xfe\x05ab", "damaged"),
    ],
)  # fmt: skip
def test_damaged_and_hostile_pictures_are_one_line(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        Scenario.load(path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_scene_is_not_saved_over_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(png())
    with pytest.raises(InputError, match="is a picture; a scene is not written over it"):
        Scenario().save(path)
    assert path.read_bytes() == png()
