"""Playlists: files that list the scenes and tours of a lecture, in the order in which they are shown.

An error in a file is one line with the field, the value, what is allowed and the line, as in a tour.
"""

import os
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from viewer.common.errors import InputError, nearest, prefixed, refusal, shown
from viewer.common.frozen import frozen
from viewer.common.input_files import name_shown, open_file, parse_toml
from viewer.common.input_files import read_text as read_file
from viewer.common.resources import folder, read_text
from viewer.scenario import embedded
from viewer.scenario.fields import fields_of, text
from viewer.scenario.presets import PRESETS
from viewer.scenario.recordings import is_recording
from viewer.scenario.scenario import Scenario
from viewer.scenario.scene_file import check_keys, lines_in_errors, tables_of
from viewer.scenario.tours import Tour, tour

MOST_ITEMS = 200
SIZE_LIMIT = 100_000  # bytes
_LISTED = re.compile(rb"^[ \t]*(?:\[\[[ \t]*items[ \t]*\]\]|items[ \t]*=)", re.MULTILINE)


@frozen
class Item:
    """A scene or a tour in a playlist.

    `scene` is the name of a preset or the path of a file; `tour` is None for a scene.
    """

    title: str = text("", "Title", "shown instead of the scene's title")
    note: str = text("", "Note", "a line below the title")
    scene: str = text("", "Scene", "a preset, or a file with a scene or a recording, relative to the playlist")
    tour: Tour | None = None


@frozen
class Playlist:
    """A whole playlist, with at least one item."""

    name: str
    title: str
    items: tuple[Item, ...]


@frozen
class _Head:
    title: str = text("", "Title", "name of the lecture")
    tour: str = text("", "Tour", "a guided tour's name, or a file with a tour, relative to the playlist")


TEXTS = fields_of(Item) | fields_of(_Head)


def is_playlist(path: str | os.PathLike[str]) -> bool:
    """Return whether there is a file at `path` with the contents of a playlist, even a broken one."""
    if os.fspath(path) in PRESETS or is_recording(os.fspath(path)):
        return False
    try:
        with open_file(path) as file:
            start = file.read(SIZE_LIMIT)
    except (InputError, OSError):
        return False
    return not embedded.is_picture(start[:8]) and _LISTED.search(start) is not None


def load(path: str | os.PathLike[str]) -> Playlist:
    """Return the playlist in a file. Raises InputError, also if a scene or tour in it is missing or broken."""
    return parse(read_file(path, SIZE_LIMIT), Path(path).name, Path(path).parent)


def parse(source: str, name: str, beside: Path) -> Playlist:
    """Return the playlist that a TOML text describes. Raises InputError, also if a scene or tour is missing or broken.

    `name` is the name of the text in errors. Relative paths in it are relative to the folder `beside`.
    """
    data = parse_toml(source, name)
    with lines_in_errors(source, name):
        check_keys(data, ("title", "items"))
        title = TEXTS["title"].check("title", data.get("title", ""))
        found = tuple(_item(*table, beside) for table in tables_of(data, "items", MOST_ITEMS))
    return Playlist(name.removesuffix(".toml"), title, found)


def _item(path: str, entries: dict[str, Any], beside: Path) -> Item:
    """Return the item that a table describes, checked."""
    check_keys(entries, ("scene", "tour", "title", "note"), f"{path}.")
    values = {key: TEXTS[key].check(f"{path}.{key}", value) for key, value in entries.items()}
    kinds = [key for key in ("scene", "tour") if key in values]
    for key in kinds:
        if not values[key].strip():
            raise refusal(
                "{path}.{key}: is empty; allowed is {description}",
                path=path,
                key=key,
                description=TEXTS[key].description,
            )
    if len(kinds) != 1:
        raise refusal("{path}: allowed is either a scene or a tour", path=path)
    try:
        values[kinds[0]] = (_scene if kinds[0] == "scene" else _tour)(values[kinds[0]], beside)
    except InputError as error:
        raise prefixed(f"{path}.{kinds[0]}: ", error) from None
    return Item(**values)


def _scene(name: str, beside: Path) -> str:
    """Return the name of a preset or the path of a file; raises InputError if it cannot be opened."""
    if name in PRESETS:
        return name
    path = beside / name
    if not os.path.lexists(path) and not path.suffix:
        presets = ", ".join(PRESETS)
        raise refusal(
            "{name} is neither a preset nor a file; {hint}presets are {presets}",
            name=shown(name),
            hint=nearest(name, list(PRESETS)),
            presets=presets,
        )
    if is_recording(str(path)):
        open_file(path).close()
    elif is_playlist(path):
        raise refusal("{name} is a playlist; allowed are scenes and tours", name=name_shown(name))
    else:
        Scenario.load(path)
    return str(path)


def _tour(name: str, beside: Path) -> Tour:
    """Return the tour with this name; a name that ends in ".toml" is that of a file in the folder `beside`.

    Raises InputError if there is no such tour, or if its file cannot be read.
    """
    return tour(str(beside / name) if name.endswith(".toml") else name)


@lru_cache(maxsize=1)
def playlists() -> dict[str, Playlist]:
    """Return the playlists that come with the program, by name. They contain presets and tours only."""
    files = sorted(file.name for file in folder("assets").joinpath("playlists").iterdir())
    found = [parse(read_text("assets", "playlists", name), name, Path()) for name in files if name.endswith(".toml")]
    return {playlist.name: playlist for playlist in found}
