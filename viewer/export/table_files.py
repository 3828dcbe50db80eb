"""Table files, with one entry a format. Each file also holds the scene whose motion is in the table."""

import io
import os
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from viewer.common import __version__, signals
from viewer.common.errors import refusal
from viewer.common.language import marked, tr
from viewer.common.output_files import WholeFile, output_suffix
from viewer.common.part_file import WriteError, disk_full, keep_free
from viewer.export import console
from viewer.export.console import Progress
from viewer.export.table import BODY, Table
from viewer.scenario.embedded import MARK

ROW_GROUP = 16_384  # rows that Parquet keeps together: 2 MB
CHUNK = 1 << 20  # bytes that are read at a time
ROOM = 1 << 24  # bytes kept free: a block as text, a group of Parquet, and the end of each format

Array = NDArray[np.float64]


class CsvWriter:
    """Writes a heading, the rows, and at the end the scene in lines that begin with "# "."""

    def __init__(self, file: BinaryIO, table: Table) -> None:
        self._file, self._scene, self._columns = file, scene_of(table), table.columns
        file.write((",".join(table.columns) + "\n").encode())

    def write(self, rows: Array) -> None:
        """Write the next rows, (n, columns)."""
        self._file.write(csv_lines(rows, self._columns).encode())

    def finish(self) -> None:
        """Write the scene."""
        lines = self._scene.rstrip("\n").split("\n")
        self._file.write("".join(f"# {line}".rstrip() + "\n" for line in lines).encode())


def csv_lines(rows: Array, columns: tuple[str, ...]) -> str:
    """Return rows as text, in the shortest decimals that read back the same; a body's number is an integer."""
    if columns[0] != BODY:
        return "".join(",".join(map(repr, row)) + "\n" for row in rows.tolist())
    return "".join(",".join((f"{body:.0f}", *map(repr, row))) + "\n" for body, *row in rows.tolist())


class _Archive(zipfile.ZipFile):
    def __del__(self) -> None:
        """Keep an archive that was left in the middle from writing to a file that is closed."""


class NpzWriter:
    """Writes numpy's archive of the record array "motion", whose fields are the columns, and two texts.

    These are "scene" and "version".
    """

    def __init__(self, file: BinaryIO, table: Table) -> None:
        self._archive = _Archive(file, "w", zipfile.ZIP_STORED)
        for name, text in (("scene", scene_of(table)), ("version", __version__)):
            with self._archive.open(f"{name}.npy", "w") as member:
                np.lib.format.write_array(member, np.array(text), allow_pickle=False)
        self._file, self._wanted, self._rows = file, table.rows, 0
        self._record = np.dtype([(name, np.float64) for name in table.columns])
        self._member = self._archive.open("motion.npy", "w", force_zip64=True)
        self._member.write(_npy_header(self._record, table.rows))

    def write(self, rows: Array) -> None:
        """Write the next rows, (n, columns)."""
        self._member.write(np.ascontiguousarray(rows).data)
        self._rows += len(rows)

    def finish(self) -> None:
        """Write the archive's directory."""
        self._member.close()
        if self._rows < self._wanted:
            self._shorten()
        self._archive.close()

    def _shorten(self) -> None:
        """Correct the number of rows in the array's header and in the archive; fewer came than were announced."""
        file, info = self._file, self._archive.getinfo("motion.npy")
        begin = info.header_offset + len(info.FileHeader(zip64=True))
        file.seek(begin)
        file.write(_npy_header(self._record, self._rows))
        size = file.tell() - begin + self._rows * self._record.itemsize  # without an incomplete block
        file.truncate(begin + size)
        file.seek(begin)
        left, check = size, 0
        while left:
            part = file.read(min(left, CHUNK))
            left, check = left - len(part), zlib.crc32(part, check)
        info.CRC, info.file_size, info.compress_size = check, size, size
        file.seek(info.header_offset)
        file.write(info.FileHeader(zip64=True))
        self._archive.start_dir = begin + size


def _npy_header(record: np.dtype[np.void], rows: int) -> bytes:
    """Return the header of the record array; it has the same length for any number of rows."""
    descr = np.lib.format.dtype_to_descr(record)
    header = io.BytesIO()
    np.lib.format.write_array_header_2_0(header, {"descr": descr, "fortran_order": False, "shape": (rows,)})
    return header.getvalue()


class ParquetWriter:
    """Writes the table's columns, with the scene and the version in the file's metadata."""

    def __init__(self, file: BinaryIO, table: Table) -> None:
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            raise refusal(
                "output: .parquet needs pyarrow; pip install pyarrow brings it, or write .csv or .npz"
            ) from None
        self._arrow: Any = pyarrow
        texts = {"scene": scene_of(table), "version": __version__}
        self._schema = pyarrow.schema([(name, pyarrow.float64()) for name in table.columns], metadata=texts)
        # few numbers occur twice: looking for them took 17 MB, and made the file a fifth larger
        self._writer = parquet.ParquetWriter(file, self._schema, use_dictionary=False)
        self._waiting: list[Array] = []

    def write(self, rows: Array) -> None:
        """Write the next rows, (n, columns)."""
        self._waiting.append(rows)
        if sum(map(len, self._waiting)) >= ROW_GROUP:
            self._flush()

    def finish(self) -> None:
        """Write the file's directory."""
        self._flush()
        self._writer.close()

    def __del__(self) -> None:
        """Keep a writer that was left in the middle from writing to a file that is closed."""
        if hasattr(self, "_writer"):
            self._writer.is_open = False

    def _flush(self) -> None:
        if self._waiting:
            columns = np.concatenate(self._waiting).T
            self._writer.write_table(self._arrow.table(list(columns), schema=self._schema))
            self._waiting = []


def scene_of(table: Table) -> str:
    """Return the text of a table's scene, as its file holds it."""
    return f"{MARK}{__version__}, the scene of this table\n{table.scenario.to_text()}"


Writer = CsvWriter | NpzWriter | ParquetWriter
Begin = Callable[[BinaryIO, Table], Writer]
FORMATS: dict[str, Begin] = {".csv": CsvWriter, ".npz": NpzWriter, ".parquet": ParquetWriter}  # by suffix


def check_output(path: str | os.PathLike[str]) -> Begin:
    """Return the writer that a file's suffix selects. Raises InputError if there is none, or no folder for the file."""
    return FORMATS[output_suffix(path, marked("table"), FORMATS)]


def write_table(path: str | os.PathLike[str], table: Table) -> None:
    """Write a table to a file, block by block as it is computed.

    If the table ends before its last row (a request to end, a failure of the physics, a full disk), its rows up to then
    are in a file beside `path`, like an incomplete `WholeFile`, and the cause is raised with the name of that file;
    without rows there is no file. If the file cannot be written for another reason, none is left, because its contents
    are unknown. Raises InputError if the physics fails or the file cannot be written.
    """
    wanted, rows = check_output(path), 0
    ended: BaseException | None = None
    target = WholeFile(path)
    with target as file:
        keep_free(file, ROOM)
        writer = wanted(file, table)
        try:
            with Progress(table.rows, "row") as progress:
                for block in table.blocks():
                    with signals.held():  # so that a request to end acts after a block, not in one
                        writer.write(block)
                        rows += len(block)
                    progress.advance(len(block))
                    if disk_full(file):
                        break
        except BaseException as error:  # whatever it is: the rows are kept first
            if not rows or isinstance(error, WriteError):
                raise
            ended = error
        with signals.held():
            writer.finish()
        target.complete = rows == table.rows
    if not target.complete:
        holds = tr("{path} holds the first {rows} of {total} rows")
        holds = holds.format(path=target.path, rows=rows, total=table.rows)
        console.raise_broken_off(ended, Path(path), holds)


def print_table(table: Table) -> None:
    """Write a table to standard output, block by block as it is computed, as CSV without the scene."""
    blocks = table.blocks()
    first = next(blocks)  # errors come before the heading
    sys.stdout.write(",".join(table.columns) + "\n" + csv_lines(first, table.columns))
    for block in blocks:
        sys.stdout.write(csv_lines(block, table.columns))
