"""The scene of a recording: its body and start, the exact motion, and the recording beside it in a race.

The columns that the user has assigned in tables with unusual names are remembered for the next table of the same shape.
"""

import json
import os
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from viewer.common import folders, input_files, locks
from viewer.common.errors import InputError, prefixed
from viewer.common.output_files import WholeFile
from viewer.physics.rotation import angles_about_space_axes
from viewer.replay.analysis import replay
from viewer.replay.comparison import check_count, compare
from viewer.replay.conventions import NOTHING_DECLARED, TIME_UNITS, Conventions
from viewer.replay.files.column_names import UnknownColumns
from viewer.replay.findings import Replay
from viewer.replay.formats.formats import read_recording
from viewer.replay.mapping import ColumnMapping, parse_mapping
from viewer.replay.raw_recording import Progress, no_progress, part
from viewer.replay.recording import ReadAs, Recording, interpret
from viewer.scenario.consequences import look_of
from viewer.scenario.field import TEXT_LIMIT
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.body import Body

LONGEST_TITLE = 80  # characters
COLUMNS_LIMIT = 1_000_000  # bytes of the file of remembered columns
MOST_SHAPES = 200  # shapes of tables whose columns are remembered: the latest
LOCK_TIMEOUT = 1.0  # s
# fractions of the work that are done once a file is read and interpreted, measured with a million rows of rates
READING, INTERPRETED = 0.25, 0.8


def replayed(
    *paths: str | os.PathLike[str],
    wanted: Conventions = NOTHING_DECLARED,
    progress: Progress = no_progress,
    columns: ColumnMapping | None = None,
    flight: str | None = None,
    tolerance: float | None = None,
    step: float | None = None,
    repair: bool = False,
    remember: bool = True,
) -> Replay:
    """Return the replay of the recording in a file, or the comparison of several recordings of one case.

    `wanted` takes precedence over the conventions that a file declares. `columns` are the columns of its table; None
    stands for those that the user gave for such a table before, or else for those that their names tell. With
    `remember`, `columns` are kept for tables like it. `flight` is the number of the free flight of a single recording
    that is replayed, "all" for one body fitted to all flights, or None for the best flight. `tolerance` is that of
    `compare`. `step` is the time [s] between the rows of a table without times. `repair` is as in `interpret`.
    `progress` is called with the fraction of the work that is done; an exception from it ends the work. Raises
    InputError.
    """
    if len(paths) > 1:
        check_count(len(paths))
    read_as, count = ReadAs(columns, wanted, step, repair), len(paths)
    found = [_read(path, read_as, part(progress, n / count, (n + 1) / count)) for n, path in enumerate(paths)]
    recordings, clocks, shapes = zip(*found, strict=True)
    result = replay(recordings[0], flight) if count == 1 else compare(recordings, clocks, tolerance)
    for shape in shapes if remember and columns is not None else ():  # not before: columns of no motion are asked again
        remember_columns(shape, str(columns))
    return result


def learn(path: str, columns: ColumnMapping) -> None:
    """Remember the columns of the table in a file for all tables like it. Raises InputError if they do not fit it."""
    remember_columns(_read(path, ReadAs(columns), no_progress)[2], str(columns))


def _read(path: str | os.PathLike[str], read_as: ReadAs, progress: Progress) -> tuple[Recording, float, str]:
    """Return the motion in a file, the time [s] of its first row on the file's own clock, and its table's shape."""
    columns = [read_as.columns]

    def known(shape: str) -> ColumnMapping | None:
        if columns[-1] is None:
            columns.append(recalled(shape))
        return columns[-1]

    try:
        raw = read_recording(path, part(progress, 0.0, READING), read_as.columns, known, read_as.step)
    except UnknownColumns as error:
        error.path = os.fspath(path)
        raise
    progress(READING)
    recording = interpret(raw, read_as.wanted, part(progress, READING, INTERPRETED), read_as.repair)
    recording = replace(recording, file=os.path.abspath(path), read_as=replace(read_as, columns=columns[-1]))
    progress(INTERPRETED)
    return recording, float(raw.time[0]) * TIME_UNITS[recording.conventions.time_unit or "s"], raw.shape


def scene_of(found: Replay, base: Scenario | None = None, drawn_as: Body | None = None) -> Scenario:
    """Return the scene of recordings, which run as ghosts beside the exact motion.

    The integrator that a single recording resembles runs there, too. The settings of the view are those of `base`.
    `drawn_as` is the body that was recorded, in the axes of the sensor, if the user gives it. Raises InputError if the
    motion is beyond what a scene may hold.
    """
    scenario = Scenario() if base is None else Scenario().with_screen_of(base)
    like = found.resembled
    values = {
        "title": title_of(found),
        "summary": textwrap.shorten("; ".join(found.summary()), TEXT_LIMIT, placeholder=" …"),
        **motion_of(found, drawn_as),
        "race.lanes": (like,) if like else (),
    }
    try:
        return scenario.with_values(values)
    except InputError as error:
        names = ", ".join(one.name for one in found.recordings)
        raise prefixed(f"{names}: ", error) from None


def title_of(found: Replay) -> str:
    """Return the title of a replay's scene: what recorded it, or else the names of its recordings.

    A long title is cut and ends with "…".
    """
    title = (
        found.title
        if found.single is None
        else found.single.recording.conventions.source or found.single.recording.name
    )
    return title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1].rstrip()}…"


def motion_of(found: Replay, drawn_as: Body | None = None) -> dict[str, Any]:
    """Return the fields that give a scene the exact motion of a replay, by their paths.

    `drawn_as` is as in `scene_of`.
    """
    start = found.course.start
    return {
        **{f"body.{name}": value for name, value in _body_of(found, drawn_as).items()},
        "start.orientation_deg": tuple(np.degrees(angles_about_space_axes(start.orientation_wxyz)).tolist()),
        "start.angular_velocity": tuple(start.omega_body.tolist()),
        "solver.integrator": "exact",
        "race.show": "ghosts",
        "race.lanes": (),
    }


def _body_of(found: Replay, drawn_as: Body | None) -> dict[str, Any]:
    """Return the fields of the section [body].

    The body of a sensor's flight is given by its tensor along the axes of the sensor, and looks like `drawn_as`.
    """
    if found.body.inertia_source.method != "tensor":
        return {"shape": "moments", "moments": tuple(found.body.principal_moments.tolist())}
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = found.body.tensor.tolist()
    return {"shape": "tensor", "tensor": (xx, yy, zz, xy, xz, yz)} | look_of(drawn_as)


def recalled(shape: str) -> ColumnMapping | None:
    """Return the columns that the user has given for tables of this shape, or None if none are remembered."""
    text = recall_columns(shape)
    try:
        return None if text is None else parse_mapping(text)
    except InputError:
        return None


def columns_file() -> Path:
    """Return the path of the file of remembered columns."""
    return folders.state() / "columns.json"


def recall_columns(shape: str) -> str | None:
    """Return the text that `remember_columns` kept for tables of this shape, or None if there is none."""
    return _remembered().get(shape)


def remember_columns(shape: str, columns: str) -> bool:
    """Remember the columns of tables of this shape; return False if they cannot be written to the file."""
    try:
        folders.make_private(columns_file().parent)
        with locks.exclusive(columns_file().with_suffix(".lock"), LOCK_TIMEOUT):
            remembered = _remembered()
            remembered.pop(shape, None)
            remembered[shape] = columns
            with WholeFile(columns_file(), private=True) as file:
                file.write(json.dumps(dict(list(remembered.items())[-MOST_SHAPES:]), indent=1).encode("utf-8"))
    except (OSError, InputError):
        return False
    return True


def _remembered() -> dict[str, str]:
    """Return the remembered columns by the shapes of their tables; empty if the file is missing or broken."""
    try:
        found = json.loads(input_files.read_text(columns_file(), COLUMNS_LIMIT))
    except (InputError, ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {str(shape): columns for shape, columns in found.items() if isinstance(columns, str)}
