"""Reads another engine's recording as it stands: times with orientations, angular velocities or both.

Lines "# key: value" before the table may declare what the numbers mean:

    # source: MuJoCo 4.0.0, integrator Euler
    # moments: 1.33, 6.93, 7.73              kg m2, about the body axes of the recording
    # quaternion: wxyz, world from body      or xyzw; or body from world
    # angular velocity: body, rad/s          or world; deg/s, rpm
    # time: s                                or ms
"""

import io
import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viewer.common import input_files
from viewer.common.errors import refusal
from viewer.common.language import tr
from viewer.replay.columns import QUATERNION, RATES
from viewer.replay.conventions import Conventions
from viewer.replay.csv_table import Table, read_table

Array = NDArray[np.float64]
Progress = Callable[[float], None]

LARGEST_FILE = 512 * 2**20  # bytes
FEWEST_ROWS = 8
LARGEST_NUMBER = 1e30  # in any unit: squares and products of such numbers are finite


def no_progress(fraction: float) -> None:
    """Ignores it."""


@dataclass(frozen=True, eq=False)
class RawRecording:
    """The numbers as they stand in the file: time (N,), quaternion (N, 4), rates (N, 3), in the file's own units and
    order; None where the file has none. `name`: the file's. `warnings`: what was assumed or left out while reading.
    """

    name: str
    time: Array
    quaternion: Array | None
    rates: Array | None
    declared: Conventions
    warnings: tuple[str, ...] = ()


def read_recording(path: str | os.PathLike[str], progress: Progress = no_progress) -> RawRecording:
    """The recording in a file. `progress` is called with the fraction read; an exception from it ends the reading.

    Raises InputError, which names line and column.
    """
    name = input_files.name_shown(os.path.basename(os.fspath(path)))
    with input_files.open_file(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > LARGEST_FILE:
            raise refusal("{name}: is larger than {most} MB, the limit", name=name, most=LARGEST_FILE // 2**20)
        try:
            with io.TextIOWrapper(file, encoding="utf-8-sig") as text:
                table = read_table(text, name, lambda: progress(file.tell() / max(size, 1)))
        except UnicodeDecodeError:
            raise refusal("{name}: is not a text file in UTF-8; a recording is a CSV file", name=name) from None
        except OSError as error:
            raise refusal("{name}: cannot be read: {reason}", name=name, reason=error.strerror or error) from None
    return raw_recording(table, name)


def raw_recording(table: Table, name: str = "recording") -> RawRecording:
    """The checked columns of a table. Raises InputError."""
    warnings = table.warnings.copy()
    columns = _finite(table.columns, name, warnings)
    time = columns["t"]
    growing = np.diff(time) > 0.0
    if not growing.all():
        raise refusal(
            "{name}: t: does not increase at row {row} of the table", name=name, row=int(np.argmin(growing)) + 2
        )
    q, rates = (
        np.stack([columns[role] for role in group], axis=1) if group[0] in columns else None
        for group in (QUATERNION, RATES)
    )
    return RawRecording(name, time, q, rates, table.declared, tuple(warnings))


def _finite(columns: dict[str, Array], name: str, warnings: list[str]) -> dict[str, Array]:
    """The rows whose numbers are all finite and within bounds; a warning about those left out."""
    finite = np.logical_and.reduce([np.isfinite(column) for column in columns.values()])
    if finite.sum() < FEWEST_ROWS:
        raise refusal(
            "{name}: rows of finite numbers: {count}; at least {fewest} are needed",
            name=name,
            count=finite.sum(),
            fewest=FEWEST_ROWS,
        )
    if not finite.all():
        end, first = int(np.flatnonzero(finite)[-1]) + 1, int(np.argmin(finite)) + 1
        between = int(np.count_nonzero(~finite[:end]))
        if between:
            text = tr("left out {count} rows with nan or inf, the first of them row {first}")
            warnings.append(text.format(count=between, first=first))
        if end < len(finite):  # an engine that diverged
            text = tr("used {count} of {rows} rows: the numbers after row {count} are not finite")
            warnings.append(text.format(count=end, rows=len(finite)))
    for role, column in columns.items():
        worst = float(np.abs(column[finite]).max())
        if worst > LARGEST_NUMBER:
            raise refusal(
                "{name}: {role}: {worst:g} is outside -{largest:g} to {largest:g}",
                name=name,
                role=role,
                worst=worst,
                largest=LARGEST_NUMBER,
            )
    return {role: column[finite] for role, column in columns.items()}
