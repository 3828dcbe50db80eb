"""What a mesh file may ask for, looked at before it is given to a loader."""

import contextlib
import os
import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from viewer.common.errors import InputError, refusal

MOST_FACES = 1_000_000
SUFFIXES = (".stl", ".obj", ".ply", ".glb", ".off")
MOST_BYTES = 60_000_000
MOST_HEADER = 20_000  # bytes of a PLY file's header
STL_HEAD, STL_FACE = 84, 50  # bytes


def check_faces(count: int) -> None:
    """Raises InputError where there are more than a body may have."""
    if count > MOST_FACES:
        raise refusal("has {count} faces; allowed are at most {most}", count=f"{count:,}", most=f"{MOST_FACES:,}")


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep a loader's warnings and its log from the user."""
    import logging  # here: 3 ms of every start

    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def is_text_stl(data: bytes) -> bool:
    """Return whether it is text: it begins with "solid", has a facet, and has not the size of the binary form."""
    if len(data) == STL_HEAD + STL_FACE * int.from_bytes(data[80:STL_HEAD], "little"):
        return False
    head = data[:2000].lower()
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return start.startswith(b"solid") and (b"facet" in head or b"endsolid" in head) and b"\0" not in head


def _check_stl(data: bytes) -> None:
    """Binary: as many faces as the header says."""
    count = int.from_bytes(data[80:STL_HEAD], "little")
    if len(data) >= STL_HEAD and len(data) == STL_HEAD + STL_FACE * count:
        check_faces(count)
        return
    if len(data) < STL_HEAD:
        raise refusal("is no STL file: it ends in its header")
    raise refusal(
        "its header promises {count} faces, {bytes} bytes; there are {there}",
        count=f"{count:,}", bytes=f"{STL_HEAD + STL_FACE * count:,}", there=f"{len(data):,}",
    )  # fmt: skip


def _check_ply(data: bytes) -> None:
    """Every element of a PLY file has a byte at least, in text a line."""
    end = data.find(b"end_header", 0, MOST_HEADER)
    if not data.startswith(b"ply") or end < 0:
        raise refusal("is no PLY file: it has no header")
    if counted := re.search(rb"property[ \t]+list[ \t]+((?:float|double)\w*)", data[:end]):
        raise refusal(
            "a list in its header is counted in {kind}; allowed are kinds of whole numbers",
            kind=counted[1].decode("ascii", "replace")[:20],
        )
    left = len(data) - end
    lines = data.count(b"\n", end) - 1 if re.search(rb"format[ \t]+ascii", data[:end]) else None
    promised = 0
    for name, text in re.findall(rb"element[ \t]+(\S+)[ \t]+(\S+)", data[:end]):
        count = whole(text)
        if count > left:
            raise promise(count, name.decode(errors="replace"), left)
        if name.lower() == b"face":
            check_faces(count)
        check_vertices(count)
        promised += count
    if lines is not None and promised > lines:
        raise refusal("its header promises {count} lines; there are {there}", count=f"{promised:,}", there=f"{lines:,}")


def whole(text: bytes) -> int:
    """Return the number that a header gives; raises InputError where it is not a whole one."""
    if not re.fullmatch(rb"\d{1,15}", text):
        raise refusal("{value} in its header is not a whole number", value=repr(text[:40])[1:])
    return int(text)


def promise(count: int, name: str, there: int) -> InputError:
    """Return the error of a header that promises more than there can be."""
    return refusal(
        "its header promises {count} of {name}; there are only {there} bytes",
        count=f"{count:,}", name=name[:20], there=f"{there:,}",
    )  # fmt: skip


def check_vertices(count: int) -> None:
    """Raises InputError where there are more vertices, or anything else that is no face, than a body may have."""
    if count > 3 * MOST_FACES:
        raise refusal(
            "has {count} vertices; allowed are at most {most}", count=f"{count:,}", most=f"{3 * MOST_FACES:,}"
        )


# each raises InputError where a file promises more than it holds or may
CHECKS: dict[str, Callable[[bytes], None]] = {".stl": _check_stl, ".ply": _check_ply}


def is_mesh_file(name: str | os.PathLike[str]) -> bool:
    """Return whether this is the name of a mesh file, by its suffix."""
    return Path(name).suffix.lower() in SUFFIXES
