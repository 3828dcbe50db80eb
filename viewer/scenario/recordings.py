"""Which names are those of other programs' recordings: known without reading more than their first bytes."""

import os
import re
from pathlib import Path

from viewer.common.errors import InputError
from viewer.common.input_files import open_file
from viewer.scenario.presets import PRESETS

RECORDING_SUFFIXES = (".csv", ".tsv", ".zip", ".npz", ".npy", ".gcsv", ".aem", ".a", ".42")
PERHAPS = (".txt", ".dat", ".log", ".asc", ".kvn", ".xml", "")  # of a file that may be one, by what it begins with
HEAD = 4096  # bytes
_MARKS = re.compile(rb"(\xef\xbb\xbf)?\s*(PK\x03\x04|CCSDS_AEM_VERS|stk\.v\.|GYROFLOW IMU LOG|<[^\0]*?CCSDS_AEM_VERS)")
_ROW = re.compile(rb"^[^=\[\]\n]*[\d\"'a-z]\s*[,;\t ]\s*[^=\n]*$", re.IGNORECASE)


def is_recording(name: str) -> bool:
    """Whether this is the name of another program's recording, from which a scene is made: a file or a folder."""
    if name in PRESETS:
        return False
    suffix = Path(name).suffix.lower()
    if suffix in RECORDING_SUFFIXES:
        return True
    try:
        return os.path.isdir(name) or (suffix in PERHAPS and _begins_like_one(name))
    except ValueError:  # a name with a zero byte
        return False


def _begins_like_one(name: str) -> bool:
    """Whether a file begins with the mark of a format, or with a row of a table."""
    try:
        with open_file(name) as file:
            head = file.read(HEAD)
    except (InputError, OSError):
        return False
    if _MARKS.match(head):
        return True
    lines = [line for line in head.splitlines() if line.strip() and not line.lstrip().startswith((b"#", b"% "))]
    return bool(lines) and _ROW.match(lines[0]) is not None
