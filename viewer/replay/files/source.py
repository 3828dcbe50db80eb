"""The file, ZIP archive or folder that a recording is read from: its members, none of them unpacked."""

import codecs
import contextlib
import io
import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import IO, TextIO

from viewer.common import input_files
from viewer.common.errors import refusal, shown
from viewer.common.language import plural

LARGEST_FILE = 2**31  # bytes
MOST_MEMBERS = 1000
DEEPEST = 2  # folders inside a folder
HIGHEST_RATIO = 200.0  # of bytes to packed bytes; numbers as text have about 3, the best packing 1000
SMALL = 2**24  # bytes: a member that is no larger does no harm, however well it was packed
START = 65_536  # bytes by which a member is recognised
ENCRYPTED = 1  # flag of a member
BESIDE = ".42"  # suffix of files in one folder that belong together
ZIP = b"PK\x03\x04"
EMPTY_ZIP = b"PK\x05\x06"
OLD_EXCEL = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
NOT_TEXT = frozenset(range(32)) - frozenset(b"\t\n\v\f\r\x1a\x1b")  # bytes; 1a ended files once, 1b steers terminals


class Member:
    """A file, by itself or in an archive or folder.

    `name` is its path in the archive or folder, with slashes; `size` is in bytes; `open` opens it.
    """

    def __init__(self, name: str, size: int, opener: Callable[[], IO[bytes]]) -> None:
        self.name, self.size, self.open = name, size, opener

    @property
    def base(self) -> str:
        """Its name without the folders."""
        return self.name.rpartition("/")[2]

    @property
    def folder(self) -> str:
        """The folder that it is in, empty for the outermost one."""
        return self.name.rpartition("/")[0]

    @cached_property
    def start(self) -> bytes:
        """Its first bytes, at most START."""
        with self.open() as file:
            return file.read(START)

    @cached_property
    def encoding(self) -> str | None:
        """The encoding of its text: Windows' Latin-1 if it is neither UTF-8 nor UTF-16; None if it is no text."""
        start = self.start
        for mark, encoding in BYTE_ORDER_MARKS:
            if start.startswith(mark):
                return encoding
        if not NOT_TEXT.isdisjoint(start):
            return None
        try:
            codecs.getincrementaldecoder("utf-8")().decode(start)
        except UnicodeDecodeError:
            return "cp1252"
        return "utf-8"

    @cached_property
    def text_start(self) -> str:
        """The first characters of its text, or an empty text if it is no text."""
        if self.encoding is None:
            return ""
        text = self.start.decode(self.encoding, errors="ignore")
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def text(self) -> TextIO:
        """Open its text; bytes that are wrong in its encoding are no error."""
        encoding = self.encoding or "utf-8"
        errors = "surrogateescape" if encoding.startswith("utf-8") else "replace"
        return io.TextIOWrapper(self.open(), encoding=encoding, errors=errors)


class Source:
    """The members of a file, archive or folder that is read, and its name as errors show it.

    `packed` says whether it is an archive or a folder; `warnings` say what was left out; `wanted` is the member or
    folder inside an archive that the path names, or empty.
    """

    def __init__(
        self,
        name: str,
        members: list[Member],
        packed: bool = False,
        warnings: tuple[str, ...] = (),
        wanted: str = "",
    ) -> None:
        self.name, self.members, self.packed, self.warnings = name, members, packed, warnings
        self.wanted = wanted

    @property
    def only(self) -> Member | None:
        """The only member if the source is a single file, or None if it is an archive or a folder."""
        return self.members[0] if len(self.members) == 1 and not self.packed else None

    def shown(self, member: Member) -> str:
        """Return the name of a member as errors show it."""
        return self.name if self.only is member else f"{self.name}, {input_files.name_shown(member.name)}"

    def texts(self) -> Iterator[Member]:
        """Return the members that are text."""
        return (member for member in self.members if member.encoding is not None)


@contextlib.contextmanager
def open_source(path: str | os.PathLike[str]) -> Iterator[Source]:
    """Open the source at a path; "FILE.zip/INSIDE" is a member of an archive, or a folder in it.

    Raises InputError if it cannot be read; so does the block, if reading fails there.
    """
    if not os.fspath(path):  # else it is the current folder
        raise refusal("recording: '' is the name of no file; a file, an archive or a folder is needed")
    place, wanted = _inside(Path(path))
    name = input_files.name_shown(place.name or os.fspath(path))
    try:
        with input_files.read_errors(name), _opened(place, name) as source:
            source.wanted = wanted
            yield source
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, UnicodeDecodeError) as error:
        raise refusal("{name}: is damaged: {reason}", name=name, reason=shown(str(error))) from None


def _inside(place: Path) -> tuple[Path, str]:
    """Return the archive that a path leads into, and the path inside it, with slashes; else the path itself and ""."""
    with contextlib.suppress(OSError, ValueError):
        if not os.path.lexists(place):
            archive = next((parent for parent in place.parents if parent.is_file()), None)
            if archive is not None:
                return archive, place.relative_to(archive).as_posix()
    return place, ""


@contextlib.contextmanager
def _opened(place: Path, name: str) -> Iterator[Source]:
    try:
        folder = stat.S_ISDIR(os.stat(place).st_mode)
    except (OSError, ValueError):
        folder = False  # what is wrong with it is said where it is opened
    if folder:
        yield _folder(place, name)
        return
    if place.suffix.lower() == BESIDE and place.is_file():
        yield _folder(place.parent, name, BESIDE)
        return
    with input_files.open_file(place) as file:
        size = os.fstat(file.fileno()).st_size
        start = file.read(len(OLD_EXCEL))
        file.seek(0)
        if start.startswith((ZIP, EMPTY_ZIP)):
            with zipfile.ZipFile(file) as archive:
                yield _unpacked(archive, name)
            return
        if start == OLD_EXCEL:
            raise refusal("{name}: is a table of Excel; export the recording as CSV instead", name=name)
        _check_size(size, name)
        yield Source(name, [Member(name, size, lambda: input_files.open_file(place))])


def _check_size(size: int, name: str) -> None:
    if size > LARGEST_FILE:
        raise refusal("{name}: is larger than {most} MB, the limit", name=name, most=LARGEST_FILE // 2**20)


def _folder(place: Path, name: str, suffix: str | None = None) -> Source:
    """Return the regular files in a folder and its subfolders, without hidden ones.

    With a `suffix`, only the files with that suffix in the folder itself are returned.
    """
    members: list[Member] = []
    folders = [(place, 0)]
    while folders:
        here, depth = folders.pop()
        for entry in sorted(here.iterdir()):
            if entry.name.startswith("."):
                continue
            if entry.is_dir():
                if suffix is None and depth < DEEPEST and not entry.is_symlink():
                    folders.append((entry, depth + 1))
            elif entry.is_file() and suffix in (None, entry.suffix.lower()):
                size = entry.stat().st_size
                inside = entry.relative_to(place).as_posix()
                members.append(Member(inside, size, lambda entry=entry: input_files.open_file(entry)))  # type: ignore[misc]
            if len(members) > MOST_MEMBERS or len(folders) > MOST_MEMBERS:
                raise refusal(
                    "{name}: holds more than {most} files; a recording's folder has few",
                    name=name,
                    most=MOST_MEMBERS,
                )
    return Source(name, [member for member in members if member.size <= LARGEST_FILE], packed=True)


def _unpacked(archive: zipfile.ZipFile, name: str) -> Source:
    """Return the members of an archive. Raises InputError if one would be unsafe to unpack or cannot be unpacked."""
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    if len(entries) > MOST_MEMBERS:
        raise refusal(
            "{name}: holds {count} files; at most {most} are read", name=name, count=len(entries), most=MOST_MEMBERS
        )
    if any(entry.filename == "[Content_Types].xml" for entry in entries):
        raise refusal("{name}: is a table of Excel; export the recording as CSV instead", name=name)
    members, outside = [], []
    for entry in entries:
        inside = entry.filename.replace("\\", "/")
        if inside.startswith("/") or ".." in inside.split("/") or ":" in inside.split("/")[0]:
            outside.append(inside)
            continue
        where = f"{name}, {input_files.name_shown(inside)}"
        _check_size(entry.file_size, where)
        if entry.file_size > SMALL and entry.file_size > HIGHEST_RATIO * max(entry.compress_size, 1):
            raise refusal(
                "{where}: {size} MB were packed into {packed} kB; no recording is packed so well",
                where=where,
                size=entry.file_size // 2**20,
                packed=max(entry.compress_size, 1) // 2**10,
            )
        if entry.flag_bits & ENCRYPTED:
            raise refusal("{where}: is encrypted; unpack the archive first", where=where)
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise refusal("{where}: is packed by another method than Deflate; unpack the archive first", where=where)
        members.append(Member(inside, entry.file_size, partial(archive.open, entry)))
    _check_size(sum(member.size for member in members), name)
    warnings = ()
    if outside:
        text = plural(
            "left out {count} file whose name leads out of the archive: {first}",
            "left out {count} files whose names lead out of the archive, the first of them {first}",
            len(outside),
        )
        warnings = (text.format(count=len(outside), first=shown(outside[0])),)  # type: ignore[assignment]
    return Source(name, members, packed=True, warnings=warnings)
