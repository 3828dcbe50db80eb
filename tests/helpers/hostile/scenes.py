"""Scene files, pictures with a scene inside, values of fields, tours and playlists that nobody expects."""

import io
import json
import zlib
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from PIL import Image

from helpers.frames import picture_of
from helpers.fuzzing import NAMED
from helpers.hostile.edits import WORDS
from viewer.common.resources import folder
from viewer.scenario import embedded, playlists
from viewer.scenario.field import Choice, Field, Integer, Number, Switch, Vector
from viewer.scenario.presets import PRESETS, preset_text
from viewer.scenario.scenario import FIELDS, Scenario
from viewer.scenario.tours import parse
from viewer.scene.words.describe import facts
from viewer.session.session import Session


def run_scene(session: Session) -> None:
    """What the window does in the first moment of a scene: all that it shows is a number."""
    session.scene.advance(0.02)
    picture_of(session, (320, 240))
    json.dumps(facts(session), allow_nan=False)


def read_bytes_as_scene(data: bytes) -> object:
    """A scene file with these bytes, as the program opens it."""
    Path(NAMED).write_bytes(data)
    scenario = Scenario.load(NAMED)
    run_scene(Session(scenario))
    return scenario


SCENES = [preset_text(name).encode() for name in PRESETS]
SCENES.append(Scenario().to_text().encode())


def pictures() -> list[bytes]:
    """Small pictures of every kind and a page, each with a scene inside."""
    text = embedded.headed(SCENES[0].decode(), "0", 1.0)
    head = embedded.png_chunk(b"IHDR", b"\0\0\0\x01\0\0\0\x01\x08\0\0\0\0")
    end = embedded.png_chunk(b"IDAT", zlib.compress(b"\0\0")) + embedded.png_chunk(b"IEND", b"")
    png = embedded.PNG_BEGIN + head + embedded.png_text_chunk(text) + end
    packed = embedded.PNG_KEYWORD + b"\0\1\0\0\0" + zlib.compress(text.encode())
    zipped = embedded.PNG_BEGIN + head + embedded.png_chunk(b"iTXt", packed) + end
    jpeg, gif = (io.BytesIO(), io.BytesIO())
    for kind, file in (("JPEG", jpeg), ("GIF", gif)):
        Image.new("L", (1, 1)).save(file, kind, comment=text.encode())
    page = f"<!DOCTYPE html>\n{embedded.page_line(text)}\n"
    return [png, zipped, jpeg.getvalue(), gif.getvalue(), page.encode()]


BLOCKS = [b"iTXt", b"\xff\xfe", b"\0\0\0\x01", b"\xff" * 4]


def about(field: Field) -> st.SearchStrategy[Any]:
    """Values that a field allows, those at its ends among them; few that it does not."""
    if isinstance(field, Choice):
        return st.sampled_from([name for name, _ in field.choices])
    if isinstance(field, Switch):
        return st.booleans()
    low, high = max(field.low, -1e300), min(field.high, 1e300)
    if isinstance(field, Integer):
        return st.one_of(st.integers(int(low), int(min(high, low + 20))), st.integers(int(low), int(high)))
    ends = [low, high, field.soft_low, field.soft_high, *(sign * size for size in SIZES for sign in (-1.0, 1.0))]
    inside = st.one_of(st.sampled_from([end for end in ends if low <= end <= high]), st.floats(low, high))
    outside = st.sampled_from([2.0 * high + 1.0, low - abs(low) - 1.0, float("nan"), float("inf")])
    number = st.integers(0, 9).flatmap(lambda chance: inside if chance else outside)
    return st.lists(number, min_size=field.size, max_size=field.size) if isinstance(field, Vector) else number


def read_values(given: tuple[str, list[tuple[str, Any]]]) -> object:
    """A preset with values that its fields allow."""
    name, values = given
    scenario = Scenario.preset(name).with_values(dict(values))
    run_scene(Session(scenario))
    return scenario


SIZES = [1e-300, 1e-160, 1e-100, 1e-30, 1e-12, 1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9, 1e12, 1e30, 1e100, 1e160]
VALUED = {path: field for path, field in FIELDS.items() if isinstance(field, (Number, Choice, Switch))}
VALUES_OF_FIELDS = st.tuples(
    st.sampled_from([name for name in PRESETS if name != "twenty-boxes"]),
    st.lists(
        st.sampled_from(sorted(VALUED)).flatmap(lambda path: st.tuples(st.just(path), about(VALUED[path]))),
        min_size=1,
        max_size=5,
    ),
)


def read_bytes_as_tour(data: bytes) -> object:
    """A guided tour of these bytes."""
    tour = parse(data.decode(errors="replace"), NAMED)
    return [tour.scenario(number, Scenario()) for number in range(len(tour.steps))]


def read_bytes_as_playlist(data: bytes) -> object:
    """A lecture of these bytes."""
    Path(NAMED).write_bytes(data)
    playlists.is_playlist(NAMED)
    return playlists.load(NAMED)


def files_in(name: str) -> list[bytes]:
    """The TOML files in a folder of the program's."""
    return [file.read_bytes() for file in (folder("assets") / name).iterdir() if file.name.endswith(".toml")]


TOUR_WORDS = [*WORDS, b"\n[[steps]]\n", b'text = "a"\n', b'scene = "rod"\n', b"changes = { ", b'point = "body"']
LIST_WORDS = [*WORDS, b"\n[[items]]\n", b'scene = "rod"\n', b'scene = "input"\n', b'tour = "first-steps"\n', b"note = "]
