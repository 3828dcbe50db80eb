"""The scene of a recording: its body and start, the exact motion, and the recording beside it in a race."""

import os
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from viewer.common.errors import InputError
from viewer.physics.rotation import angles_about_space_axes
from viewer.replay.analysis import replay
from viewer.replay.comparison import Comparison, check_count, compare
from viewer.replay.conventions import TIME_UNITS, Conventions
from viewer.replay.files.column_names import UnknownColumns
from viewer.replay.findings import Replay, SingleReplay
from viewer.replay.formats.formats import read_recording
from viewer.replay.mapping import ColumnMapping, parse_mapping
from viewer.replay.raw_recording import Progress, no_progress, part
from viewer.replay.recording import ReadAs, Recording, interpret
from viewer.scenario.consequences import look_of
from viewer.scenario.field import TEXT_LIMIT
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.body import Body
from viewer.user import column_mappings

LONGEST_TITLE = 80  # characters
READING, INTERPRETED = 0.25, 0.8  # fractions of the work done by then, measured with a million rows of rates


def replayed(
    path: str | os.PathLike[str],
    wanted: Conventions | None = None,
    progress: Progress = no_progress,
    columns: ColumnMapping | None = None,
    flight: str | None = None,
    step: float | None = None,
    remember: bool = True,
) -> SingleReplay:
    """The replay of a recording in a file; `wanted` takes precedence over the file's conventions. Raises InputError.

    `columns`: what its columns are; else as the user said of such a table before, else by their names. `flight`: the
    number of the free flight that is replayed, or "all" for one body fitted to all; else the best one. `step`: seconds
    between the rows of arrays that were saved without times. `remember`: the columns, for tables like it.

    `progress` is called with the fraction of the work done; an exception from it ends the work.
    """
    recording, _ = _read(path, wanted, progress, columns, step, remember)
    return replay(recording, flight)


def compared(
    paths: Sequence[str | os.PathLike[str]],
    wanted: Conventions | None = None,
    progress: Progress = no_progress,
    columns: ColumnMapping | None = None,
    tolerance: float | None = None,
    step: float | None = None,
    remember: bool = True,
) -> Comparison:
    """Several recordings of one case, compared; the rest as `replayed`, `tolerance` as `compare`. Raises InputError."""
    check_count(len(paths))
    found = [
        _read(path, wanted, lambda done, n=n: progress((n + done) / len(paths)), columns, step, remember)  # type: ignore[misc]
        for n, path in enumerate(paths)
    ]
    return compare([recording for recording, _ in found], [clock for _, clock in found], tolerance)


def learn(path: str, columns: ColumnMapping) -> None:
    """Remembers what the columns of the table in a file are, for all tables like it. Raises InputError where it cannot
    be read so."""
    _read(path, None, no_progress, columns, None, True)


def reread(files: Sequence[str], flight: str | None, progress: Progress = no_progress) -> Replay:
    """What was opened before from these files: one recording, of which that `flight` is replayed, or several;
    `progress` as `replayed`."""
    return replayed(files[0], None, progress, flight=flight) if len(files) == 1 else compared(files, None, progress)


def _read(
    path: str | os.PathLike[str],
    wanted: Conventions | None,
    progress: Progress,
    columns: ColumnMapping | None,
    step: float | None,
    remember: bool,
) -> tuple[Recording, float]:
    """The motion in a file, and the time [s] of its first row as the file says."""
    said = [columns]

    def known(shape: str) -> ColumnMapping | None:
        if said[-1] is None:
            said.append(recalled(shape))
        return said[-1]

    try:
        raw = read_recording(path, lambda fraction: progress(READING * fraction), columns, known, step)
    except UnknownColumns as error:
        error.path = os.fspath(path)
        raise
    progress(READING)
    recording = interpret(raw, wanted, part(progress, READING, INTERPRETED))
    read_as = ReadAs(said[-1], wanted or Conventions(), step)
    recording = replace(recording, file=os.path.abspath(path), read_as=read_as)
    if remember and columns is not None:  # not before: what cannot be read is asked about again
        column_mappings.remember(raw.shape, str(columns))
    progress(INTERPRETED)
    return recording, float(raw.time[0]) * TIME_UNITS[recording.conventions.time_unit or "s"]


def scene_of(found: Replay, base: Scenario | None = None, drawn_as: Body | None = None) -> Scenario:
    """The recordings as ghosts beside the exact motion and the integrator that a single one resembles; view settings
    as in `base`. `drawn_as`: what the user says has been recorded, in the axes of the sensor.

    Raises InputError where the motion is beyond what a scene may hold.
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
        raise InputError(f"{names}: {error}") from None


def title_of(found: Replay) -> str:
    """The title of its scene: what recorded it, else its name; … stands for the end of a long one."""
    title = (
        found.title
        if found.single is None
        else found.single.recording.conventions.source or found.single.recording.name
    )
    return title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1].rstrip()}…"


def motion_of(found: Replay, drawn_as: Body | None = None) -> dict[str, Any]:
    """The fields of a scene, by their paths, that make its motion the exact one beside a recording; `drawn_as` as
    above."""
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
    """The fields of the section [body]. A body that a sensor's flight has told is given by its tensor along the axes of
    the sensor, and looks as it does in these."""
    if found.body.inertia_source.method != "tensor":
        return {"shape": "moments", "moments": tuple(found.body.principal_moments.tolist())}
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = found.body.tensor.tolist()
    return {"shape": "tensor", "tensor": (xx, yy, zz, xy, xz, yz)} | look_of(drawn_as)


def recalled(shape: str) -> ColumnMapping | None:
    """What the user has said of the columns of a table of this shape; None where nothing is kept."""
    text = column_mappings.recall(shape)
    try:
        return None if text is None else parse_mapping(text)
    except InputError:
        return None
