"""The scene of a recording: its body and start, the exact motion, and the recording beside it in a race."""

import os

from scipy.spatial.transform import Rotation

from viewer.common.errors import InputError
from viewer.replay.analysis import Replay, replay
from viewer.replay.conventions import Conventions
from viewer.replay.flights.words import moments_of, unknown
from viewer.replay.mapping import ColumnMapping, parse_mapping
from viewer.replay.raw import Progress, no_progress, part
from viewer.replay.reader import read_recording
from viewer.replay.recording import interpret
from viewer.scenario.field import TEXT_LIMIT
from viewer.scenario.scenario import Scenario
from viewer.user import column_mappings

READING, INTERPRETED = 0.25, 0.8  # fractions of the work done by then, measured with a million rows of rates


def replayed(
    path: str | os.PathLike[str],
    wanted: Conventions | None = None,
    progress: Progress = no_progress,
    columns: ColumnMapping | None = None,
    flight: str | None = None,
) -> Replay:
    """The replay of a recording in a file; `wanted` takes precedence over the file's conventions. Raises InputError.

    `columns`: what its columns are; else as the user said of such a table before, else by their names. `flight`: the
    number of the free flight that is replayed, or "all" for one body fitted to all; else the best one.

    `progress` is called with the fraction of the work done; an exception from it ends the work.
    """
    raw = read_recording(path, lambda fraction: progress(READING * fraction), columns, recalled)
    progress(READING)
    if columns is not None:
        column_mappings.remember(raw.shape, str(columns))
    recording = interpret(raw, wanted, part(progress, READING, INTERPRETED))
    progress(INTERPRETED)
    return replay(recording, flight)


def scene_of(found: Replay, base: Scenario | None = None) -> Scenario:
    """The recording as a ghost beside the exact motion and the integrator it resembles; view settings as in `base`.

    Raises InputError where the motion is beyond what a scene may hold.
    """
    start = found.trajectory.course.start
    turn = Rotation.from_quat(start.orientation_wxyz[[1, 2, 3, 0]]).as_euler("xyz", degrees=True)
    scenario = Scenario() if base is None else Scenario().with_screen_of(base)
    source = found.recording.conventions.source or found.recording.name
    like = found.resembled
    values = {
        "title": source[:60],
        "summary": "; ".join(_summary(found))[:TEXT_LIMIT],
        "body.shape": "moments",
        "body.moments": tuple(found.body.principal_moments.tolist()),
        "start.orientation_deg": tuple(turn.tolist()),
        "start.angular_velocity": tuple(start.omega_body.tolist()),
        "solver.integrator": "exact",
        "race.show": "ghosts",
        "race.lanes": (like,) if like else (),
    }
    try:
        return scenario.with_values(values)
    except InputError as error:
        raise InputError(f"{found.recording.name}: {error}") from None


def recalled(shape: str) -> ColumnMapping | None:
    """What the user has said of the columns of a table of this shape; None where nothing is kept."""
    text = column_mappings.recall(shape)
    try:
        return None if text is None else parse_mapping(text)
    except InputError:
        return None


def _summary(found: Replay) -> list[str]:
    """The most important findings first."""
    if found.chosen is None:
        return found.findings()[1:]
    return [found.chosen.line, moments_of(found.chosen.fit), *unknown(found.chosen.fit)[1:], *found.warnings]
