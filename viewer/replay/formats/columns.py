"""Formats that are tables of named columns: how the columns are found, what they mean, and how they are converted."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Generic, TypeVar

import numpy as np

from viewer.common.errors import InputError, refusal
from viewer.common.language import tr
from viewer.replay.conventions import NOTHING_DECLARED, WORLD_FROM_BODY, Conventions, declared_in
from viewer.replay.files.column_names import (
    angle_columns,
    angles_beside_rates,
    guessed_roles,
    normalised,
    not_found,
    roles_by_name,
)
from viewer.replay.files.contents import Contents, Table, columns_of, timed_columns
from viewer.replay.formats.nameless import roles_by_numbers
from viewer.replay.formats.orientations import orientations_beside_rates, quaternions_of_angle_columns
from viewer.replay.raw_recording import (
    ACCELERATION,
    ANGLES,
    FEWEST_ROWS,
    QUATERNION,
    RATES,
    TIME,
    Array,
    Progress,
    RawRecording,
    no_progress,
    raw_recording,
)

Columns = dict[str, Array]
Content = TypeVar("Content")

BODY_RATES = Conventions("wxyz", WORLD_FROM_BODY, "body", "rad/s")  # what most programs write
TUM = Conventions("xyzw", WORLD_FROM_BODY)  # of trajectories: time, place and quaternion, without column names
RODRIGUES = ("s1", "s2", "s3")  # modified Rodrigues parameters
NUMBERED = ("012", "123", "xyz")  # how names number or letter the components of a vector


@dataclass(frozen=True)
class Found:
    """What a format finds in a table.

    `columns` has the indices of the columns by their roles. A column of times with an ordinary name is not among them:
    it is found later. `declared` is what the names of the columns declare; `warnings` are doubts about them, one
    sentence each; `table` is the table to be read, if it is not the one that was searched; `usual` are the conventions
    of such tables.
    """

    columns: dict[str, int]
    declared: Conventions = NOTHING_DECLARED
    warnings: tuple[str, ...] = ()
    table: Table | None = None
    usual: Conventions = NOTHING_DECLARED


def unchanged(columns: Columns, table: Table, warnings: list[str]) -> Columns:
    """Return the columns as they are: they already have the roles of a recording."""
    return columns


@dataclass(frozen=True)
class FileFormat(Generic[Content]):
    """A format that is no table of named columns.

    `find` returns what `read_found` reads, or None if the contents are in another format.
    """

    find: Callable[[Contents], Content | None]
    read_found: Callable[[Contents, Content, Progress], RawRecording]

    def recognises(self, contents: Contents) -> bool:
        """Tell whether the contents are in this format."""
        return self.find(contents) is not None

    def read(self, contents: Contents, progress: Progress) -> RawRecording:
        """Return the recording. Raises InputError."""
        found = self.find(contents)
        assert found is not None
        return self.read_found(contents, found, progress)


@dataclass(frozen=True)
class ColumnFormat:
    """A table of named columns.

    `find` returns the columns of a table that is in this format, or else None; it raises InputError if the table is in
    this format and lacks columns. `declared` is what the numbers mean. `convert` turns the columns that were read into
    those of a recording, and may add warnings.
    """

    find: Callable[[Table], Found | None]
    declared: Conventions = BODY_RATES
    convert: Callable[[Columns, Table, list[str]], Columns] = unchanged

    def recognises(self, contents: Contents) -> bool:
        """Tell whether one of the tables is in this format."""
        try:
            return self._first(contents) is not None
        except InputError:  # `read` says what is wrong with it
            return True

    def read(self, contents: Contents, progress: Progress) -> RawRecording:
        """Return the recording in the first table of this format. Raises InputError."""
        first = self._first(contents)
        assert first is not None
        return self.read_table(contents, *first, progress)

    def read_table(self, contents: Contents, table: Table, found: Found, progress: Progress) -> RawRecording:
        """Return the recording in the columns that were found in a table. Raises InputError."""
        table, warnings, unit = found.table or table, list(found.warnings), None
        if TIME[0] in found.columns:
            columns = columns_of(table, found.columns, progress, warnings)
        else:
            columns, unit = timed_columns(contents, table, found.columns, progress, warnings)
        columns = self.convert(columns, table, warnings)
        declared = Conventions(time_unit=unit).filled_from(self.declared).filled_from(found.declared)
        return replace(raw_recording(contents.name, columns, declared, warnings), usual=found.usual)

    def _first(self, contents: Contents) -> tuple[Table, Found] | None:
        found = ((table, self.find(table)) for table in contents.tables)
        return next(((table, own) for table, own in found if own is not None), None)


def vector(
    names: Sequence[str], pattern: re.Pattern[str], roles: Sequence[str], orders: Sequence[Sequence[str]] = NUMBERED
) -> dict[str, int]:
    """Return the columns of a vector by their roles; empty if a component is missing.

    The pattern matches normalised names, and its group "part" is the component. Programs write components in several
    ways: each of `orders` has the components in one of them, in the order of the roles.
    """
    parts: dict[str, int] = {}
    for index, name in enumerate(names):
        if found := pattern.fullmatch(name):
            parts.setdefault(found["part"], index)
    complete = next((order for order in orders if set(order) <= set(parts)), ())
    return {role: parts[part] for role, part in zip(roles, complete, strict=False)}


def plain_names(table: Table) -> list[str]:
    """Return the normalised names of the columns, an empty list if they have none."""
    return [normalised(name[:200]) for name in table.names or ()]


def vectors(patterns: Mapping[tuple[str, ...], str]) -> Callable[[Table], Found | None]:
    """Return a function that finds vectors in a table; it finds nothing if the first vector is missing.

    `patterns` has, for the roles of each vector, the pattern of the columns' names.
    """
    (needed, pattern), *others = ((roles, re.compile(pattern)) for roles, pattern in patterns.items())

    def find(table: Table) -> Found | None:
        names = plain_names(table)
        columns = vector(names, pattern, needed)
        for roles, other in others if columns else ():
            columns |= vector(names, other, roles)
        return Found(columns) if columns else None

    return find


def _from_rodrigues(columns: Columns, table: Table, warnings: list[str]) -> Columns:
    sigma = np.stack([columns.pop(role) for role in RODRIGUES], axis=1)
    square = np.sum(sigma**2, axis=1)
    q = np.concatenate(((1.0 - square)[:, None], 2.0 * sigma), axis=1) / (1.0 + square)[:, None]
    return columns | dict(zip(QUATERNION, q.T, strict=True))


_JOINT = re.compile(r"(data_)?(?P<array>qpos|qvel)_?(?P<part>\d{1,3})")
FREE, BALL = (7, 6, 3), (4, 3, 0)  # numbers in qpos and in qvel, and those before the rotation in both


def _mujoco(table: Table) -> Found | None:
    """Find the quaternion and the rates of the first joint, which is a free joint or a ball joint."""
    numbers: dict[str, dict[int, int]] = {"qpos": {}, "qvel": {}}
    for index, name in enumerate(plain_names(table)):
        if found := _JOINT.fullmatch(name):
            numbers[found["array"]][int(found["part"])] = index
    qpos, qvel = ([index for _, index in sorted(own.items())] for own in numbers.values())
    if not qpos:
        return None
    positions, speeds, before = FREE if len(qpos) >= FREE[0] else BALL
    if len(qpos) < positions or (qvel and len(qvel) < speeds):
        raise refusal(
            "{where}: {qpos} numbers in qpos and {qvel} in qvel; allowed are 7 and 6 of a free joint, or 4 and 3",
            where=table.line,
            qpos=len(qpos),
            qvel=len(qvel),
        )
    return Found(
        dict(zip(QUATERNION, qpos[before:], strict=False)) | dict(zip(RATES, qvel[before:] or (), strict=False))
    )


_SECONDS = re.compile(r"(?P<prefix>.*stamp_?)(secs?)")
_NANOSECONDS = re.compile(r"(?P<prefix>.*stamp_?)(nsecs?|nanosecs?|nanoseconds)")


def _ros(table: Table) -> Found | None:
    """Find the columns of sensor_msgs/Imu messages, whose time is in two columns."""
    names = plain_names(table)
    whole, rest = (
        {found["prefix"]: index for index, name in enumerate(names) if (found := pattern.fullmatch(name))}
        for pattern in (_SECONDS, _NANOSECONDS)
    )
    both = next(iter(whole.keys() & rest.keys()), None)
    if both is None or not any("angular_velocity" in name or "orientation" in name for name in names):
        return None
    others = ["" if name.endswith("time") else own for own, name in zip(table.names or (), names, strict=True)]
    others[whole[both]], others[rest[both]] = "time_s", ""
    roles, declared = roles_by_name(others, table.line)
    return Found({role: index for index, role in enumerate(roles) if role} | {"ns": rest[both]}, declared)


def _with_nanoseconds(columns: Columns, table: Table, warnings: list[str]) -> Columns:
    time, nanoseconds = columns["t"], columns.pop("ns")
    start = time[np.isfinite(time)][:1]
    return columns | {"t": time - (start[0] if len(start) else 0.0) + 1e-9 * nanoseconds}


_LOGGED = re.compile(r"logging(time|sample).*")
_FUSED = re.compile(r"motionquaternion(?P<part>[wxyz])(_r)?")
_FELT = re.compile(r"accelerometeracceleration(?P<part>[xyz])_g")


def _sensor_log(table: Table) -> Found | None:
    """Find the columns of fused rates and orientations, or else of the gyroscope's rates. Raises InputError.

    The times of these are found, too.
    """
    names = plain_names(table)
    if not any(_LOGGED.fullmatch(name) for name in names[:3]):
        return None
    for sensor in ("motion", "gyro"):
        time = vector(names, re.compile(rf"(?P<part>{sensor})timestamp.*_s"), TIME, [(sensor,)])
        rates = vector(names, re.compile(rf"{sensor}rotation(rate)?(?P<part>[xyz])_rad_s"), RATES)
        if time and rates:
            fused = vector(names, _FUSED, QUATERNION, ["wxyz"]) if sensor == "motion" else {}
            return Found(time | rates | fused | vector(names, _FELT, ACCELERATION))
    raise not_found(table.line, ["motionTimestamp_sinceReboot(s)", "motionRotationRateX(rad/s)"])


def _of_sensor_log(columns: Columns, table: Table, warnings: list[str]) -> Columns:
    """Leave out the rows in which the sensor has shown nothing new, and reverse the sign of the acceleration.

    iOS gives the acceleration with the opposite sign: a phone on its back shows -1 g along z.
    """
    again = np.concatenate(([False], np.diff(columns["t"]) == 0.0))[: len(columns["t"])]
    if again.any():
        text = tr("left out {count} rows that repeat the time of the row before, the first of them row {first}")
        warnings.append(text.format(count=int(again.sum()), first=int(np.argmax(again)) + 1))
    return {role: column[~again] * (-1.0 if role in ACCELERATION else 1.0) for role, column in columns.items()}


def _roll_pitch_yaw(table: Table) -> Found | None:
    """Find roll, pitch and yaw if there is nothing better: neither a quaternion nor rates."""
    names = table.names or []
    given, roles = set(guessed_roles(names)[0]), angle_columns(names)
    better = given >= set(RATES) or given >= set(QUATERNION)
    return Found(roles) if set(roles) == set(ANGLES) and not better else None


def _from_roll_pitch_yaw(columns: Columns, table: Table, warnings: list[str]) -> Columns:
    return {"t": columns["t"]} | quaternions_of_angle_columns(columns, table.names or [], warnings)


BASILISK = ColumnFormat(
    vectors(
        {
            RODRIGUES: r"(.*_)?sigma_bn_?(?P<part>[0-3xyz])",
            RATES: r"(.*_)?omega_(bn_b|b)_?(?P<part>[0-3xyz])(_rad_?s)?",
        }
    ),
    replace(BODY_RATES, source="Basilisk"),
    _from_rodrigues,
)
MUJOCO = ColumnFormat(_mujoco, replace(BODY_RATES, time_unit="s", source="MuJoCo"))
ROS = ColumnFormat(_ros, replace(BODY_RATES, time_unit="s", source="ROS", acceleration_unit="m/s2"), _with_nanoseconds)
SENSOR_LOG = ColumnFormat(
    _sensor_log, Conventions("wxyz", None, "body", "rad/s", "s", source="SensorLog", acceleration_unit="g"),
    _of_sensor_log,
)  # fmt: skip
ROLL_PITCH_YAW = ColumnFormat(_roll_pitch_yaw, convert=_from_roll_pitch_yaw)


class UsualColumns(ColumnFormat):
    """Any table whose numbers are known from the names of its columns, from how many there are, or from comments."""

    def recognises(self, contents: Contents) -> bool:
        """Return True: this format is tried last and takes whatever the others leave."""
        return True

    def understands(self, contents: Contents) -> bool:
        """Tell whether one of the tables is a recording by the names of its columns, or by their number."""

        def is_recording(table: Table) -> bool:
            try:
                _understood(table, contents.step)
            except InputError:
                return False
            return True

        return any(map(is_recording, contents.tables))

    def read(self, contents: Contents, progress: Progress) -> RawRecording:
        """Return the recording in the first table that can be understood.

        Raises InputError about the first table if no table can be understood.
        """
        first: InputError | None = None
        for table in contents.tables:
            try:
                found = _understood(table, contents.step)
            except InputError as error:
                if table.names is None or _holds_numbers(table):
                    first = first or error
                continue
            return self.read_table(contents, table, found, progress)
        if first is None and contents.tables:
            first = refusal("{name}: contains no table of numbers", name=contents.name)
        raise first or refusal("{name}: is a folder or an archive without a recording", name=contents.name)


def _holds_numbers(table: Table) -> bool:
    """Tell whether enough columns for the rates of a body hold numbers."""
    numbers = (index for index in range(table.columns) if _is_numbers(table, index))
    return len([*islice(numbers, len(RATES))]) == len(RATES)


def _is_numbers(table: Table, index: int) -> bool:
    """Tell whether a column begins with numbers."""
    try:
        return bool(table.read([index], no_progress, [], FEWEST_ROWS).size)
    except InputError:
        return False


def _understood(table: Table, step: float | None) -> Found:
    """Return the roles of a table's columns by their names, their number or its comments. Raises InputError.

    `step` is the time between the rows, or None if the user has not given it.
    """
    declared, usual = declared_in(table.comments, table.where), NOTHING_DECLARED
    warnings: list[str] = []
    angles: dict[str, int] = {}
    if table.names is None:
        roles = roles_by_numbers(table, step)
        parts = dict(zip(QUATERNION, ("q1", "q2", "q3", "q4"), strict=True))  # their order is not known yet
        names = ", ".join(parts.get(role, role) or tr("not used") for role in roles)
        warnings.append(tr("no line of column names: columns taken as {names}").format(names=names))
        usual = TUM if roles == [*TIME, "", "", "", *QUATERNION] else usual
    else:
        roles, by_names = roles_by_name(table.names, table.line, timed=step is None)
        if RATES[0] in roles:
            angles = angles_beside_rates(table.names)
            if not all(_is_numbers(table, index) for index in angles.values()):
                angles = {}
                warnings.append(tr("left out roll, pitch and yaw: they hold no numbers"))
            declared = replace(declared, order="wxyz", direction=WORLD_FROM_BODY) if angles else declared
        if by_names.order:  # a column named qw is the scalar part, whatever a comment declares
            declared = replace(declared, order=by_names.order)
        declared = declared.filled_from(by_names)
    columns = {role: index for index, role in enumerate(roles) if role}
    return Found(columns | angles, declared, tuple(warnings), usual=usual)


def _with_angles(columns: Columns, table: Table, warnings: list[str]) -> Columns:
    return orientations_beside_rates(columns, table.names or [], warnings)


USUAL_COLUMNS = UsualColumns(lambda table: _understood(table, None), NOTHING_DECLARED, _with_angles)
