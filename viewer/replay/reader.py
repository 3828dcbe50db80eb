"""Reads another program's recording, in whatever format it is, as it stands: times with orientations, angular
velocities or both.

Lines "# key: value" before a table may declare what the numbers mean:

    # source: MuJoCo 4.0.0, integrator Euler
    # moments: 1.33, 6.93, 7.73              kg m2, about the body axes of the recording
    # quaternion: wxyz, world from body      or xyzw; or body from world
    # angular velocity: body, rad/s          or world; deg/s, rpm
    # time: s                                or ms
"""

import os
from collections.abc import Callable
from dataclasses import replace

from viewer.replay.files.contents import Contents, one_recording
from viewer.replay.files.source import Source, open_source
from viewer.replay.formats.formats import apart, format_of
from viewer.replay.mapping import MAPPED, ColumnMapping, fits, read_mapped, shape_of
from viewer.replay.raw_recording import Progress, RawRecording, no_progress

Known = Callable[
    [str], ColumnMapping | None
]  # what the columns of a table of this shape are, where that was said before


def nothing_known(shape: str) -> None:
    """No table is known."""


def read_recording(
    path: str | os.PathLike[str],
    progress: Progress = no_progress,
    columns: ColumnMapping | None = None,
    known: Known = nothing_known,
    step: float | None = None,
) -> RawRecording:
    """The recording in a file, an archive or a folder. `columns`: what the columns of its table are. `step`: seconds
    between the rows of arrays that were saved without times.

    `progress` is called with the fraction read; an exception from it ends the reading. Raises InputError, which names
    line and column; UnknownColumns where a mapping of the columns would help.
    """
    with open_source(path) as source:
        return read_source(source, progress, columns, known, step)


def read_source(
    source: Source,
    progress: Progress = no_progress,
    columns: ColumnMapping | None = None,
    known: Known = nothing_known,
    step: float | None = None,
) -> RawRecording:
    """The recording in an open source, as above."""
    found = columns
    if found is None:
        tables = Contents(source).tables
        found = next((own for table in tables if (own := known(shape_of(table))) is not None), None)
    if found is not None:
        mapping = found
        source = one_recording(source, lambda alone: any(fits(mapping, table) for table in Contents(alone).tables))
        name, raw = MAPPED, read_mapped(Contents(source), found, progress, remembered=columns is None)
    else:
        source = apart(source)
        contents = Contents(source, step)
        entry = format_of(contents)
        name, raw = entry.name, entry.reader.read(contents, progress)
    return replace(raw, format=name, warnings=(*source.warnings, *raw.warnings))
