"""Tells whether a name is that of another program's recording; of a file, at most the first bytes are read."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from viewer.common.errors import InputError, refusal
from viewer.common.input_files import name_shown, open_file
from viewer.scenario.presets import PRESETS

RECORDING_SUFFIXES = (".csv", ".tsv", ".zip", ".npz", ".npy", ".gcsv", ".aem", ".a", ".42")
PERHAPS = (".txt", ".dat", ".log", ".asc", ".kvn", ".xml", "")  # of files that may be recordings: their heads tell
HEAD = 4096  # bytes
FOLDERS = ("*", "*/*", "*/*/*")  # where the recordings in a folder are
_MARKS = re.compile(rb"(\xef\xbb\xbf)?\s*(PK\x03\x04|CCSDS_AEM_VERS|stk\.v\.|GYROFLOW IMU LOG|<[^\0]*?CCSDS_AEM_VERS)")
_ROW = re.compile(rb"^[^=\[\]\n]*[\d\"'a-z]\s*[,;\t ]\s*[^=\n]*$", re.IGNORECASE)


def is_recording(name: str) -> bool:
    """Return whether this is the name of another program's recording, a file or a folder."""
    if name in PRESETS:
        return False
    suffix = Path(name).suffix.lower()
    if suffix in RECORDING_SUFFIXES:
        return True
    try:
        return os.path.isdir(name) or (suffix in PERHAPS and _begins_like_one(name))
    except ValueError:  # a name with a zero byte
        return False


def check_not_an_input(path: str | os.PathLike[str], inputs: Iterable[str]) -> None:
    """Raise InputError if the file to write is one of the files that were read for the `inputs`.

    The inputs are names of presets, files, archives (with or without a path inside them), and folders of recordings. A
    link to a file counts as that file.
    """
    for name in inputs:
        for read in _files_read(name):
            try:
                same = os.path.samefile(read, path)
            except (OSError, ValueError):  # one of them is not there
                continue
            if same:
                raise refusal(
                    "output: {path} is an input ({read}); allowed is another file",
                    path=name_shown(path),
                    read=name_shown(read),
                )


def _files_read(name: str) -> Iterator[Path]:
    """Yield the files that are read when the file, archive or folder with this name is opened; none for a preset."""
    if name in PRESETS:
        return
    place = Path(name)
    if not os.path.lexists(place):
        place = next((parent for parent in place.parents if parent.is_file()), place)  # an archive
    yield place
    if place.is_dir():
        within = (file for depth in FOLDERS for file in place.glob(depth) if is_recording(str(file)))
        yield from (file for file in within if file.is_file())
    elif place.suffix.lower() == ".42":  # what belongs to it
        yield from place.parent.glob("*.42")


def _begins_like_one(name: str) -> bool:
    """Return whether a file begins with the mark of a format, or with a row of a table."""
    try:
        with open_file(name) as file:
            head = file.read(HEAD)
    except (InputError, OSError):
        return False
    if _MARKS.match(head):
        return True
    lines = [line for line in head.splitlines() if line.strip() and not line.lstrip().startswith((b"#", b"% "))]
    return bool(lines) and _ROW.match(lines[0]) is not None
