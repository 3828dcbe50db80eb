"""The scene that a logged motion makes: its body and start, exact motion, and the log beside it as a race."""

import os

from viewer.common.errors import InputError
from viewer.replay.analysis import Replay, replay
from viewer.replay.conventions import interpret
from viewer.replay.reader import Conventions, Progress, no_progress, read_log
from viewer.scenario.fields import TEXT_LIMIT
from viewer.scenario.scenario import Scenario

READING, INTERPRETED = 0.6, 0.7  # of the time that a replay of a million rows takes


def replayed(
    path: str | os.PathLike[str], wanted: Conventions | None = None, progress: Progress = no_progress
) -> Replay:
    """What the log in a file tells; `wanted`: conventions that go before its own. Raises InputError.

    `progress` is told now and then what fraction of the work is done; what it raises ends the work.
    """
    log = read_log(path, lambda fraction: progress(READING * fraction))
    progress(READING)
    recording = interpret(log, wanted)
    progress(INTERPRETED)
    return replay(recording)


def scene_of(found: Replay, base: Scenario | None = None) -> Scenario:
    """The scene of a log, shown as ghosts with the integrator that it resembles; on the same screen as `base`.

    Raises InputError where the motion is beyond what a scene may hold.
    """
    from scipy.spatial.transform import Rotation

    start = found.track.course.start
    turn = Rotation.from_quat(start.orientation_wxyz[[1, 2, 3, 0]]).as_euler("xyz", degrees=True)
    scenario = Scenario() if base is None else Scenario().with_screen_of(base)
    said = found.recording.said.source or found.recording.name
    like = found.resembled
    values = {
        "title": said[:60],
        "summary": "; ".join(found.sentences()[1:])[:TEXT_LIMIT],
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
