"""Roll, pitch and yaw as autopilots and simulators of flight write them: turns about z, then y, then x of the body."""

from viewer.replay.conventions import WORLD_FROM_BODY, Conventions
from viewer.replay.files.column_names import angle_columns, angle_unit, guessed_roles
from viewer.replay.files.contents import Contents, Table, timed_columns
from viewer.replay.formats.orientations import SEQUENCES, quaternions_of_roll_pitch_yaw
from viewer.replay.raw_recording import ANGLES, QUATERNION, RATES, Progress, RawRecording, raw_recording


def recognises(contents: Contents) -> bool:
    """By the names of its columns, where there is nothing better: neither a quaternion nor rates."""
    return _table(contents) is not None


def read(contents: Contents, progress: Progress) -> RawRecording:
    """The orientations as quaternions. Raises InputError."""
    found = _table(contents)
    assert found is not None
    table, roles, unit = found
    warnings: list[str] = []
    columns, time_unit = timed_columns(contents, table, roles, progress, warnings)
    q = quaternions_of_roll_pitch_yaw(columns, unit, SEQUENCES[0], warnings)
    declared = Conventions("wxyz", WORLD_FROM_BODY, "body", "rad/s", time_unit)
    return raw_recording(contents.name, {"t": columns["t"]} | q, declared, warnings)


def _table(contents: Contents) -> tuple[Table, dict[str, int], str] | None:
    """The first such table, its columns by their roles and the unit of its angles, "" where the names give none."""
    for table, names in contents.named:
        given = set(guessed_roles(names)[0])
        roles = angle_columns(names)
        if set(roles) == set(ANGLES) and not given >= set(RATES) and not given >= set(QUATERNION):
            return table, roles, angle_unit([names[index] for index in roles.values()])
    return None
