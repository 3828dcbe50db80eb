"""SensorLog (iOS): one table of all sensors, each with times of its own.

The accelerometer of iOS has the other sign: lying on its back, a phone shows -1 g along z.
"""

import re

import numpy as np

from viewer.common.language import tr
from viewer.replay.conventions import Conventions
from viewer.replay.files.column_names import not_found
from viewer.replay.files.contents import Contents, Table, columns_of
from viewer.replay.raw_recording import ACCELERATION, QUATERNION, RATES, Progress, RawRecording, raw_recording

MARK = re.compile(r"loggingTime|loggingSample", re.IGNORECASE)
CLOCK, SPEED = r"{sensor}Timestamp.*\(s\)", r"{sensor}Rotation(Rate)?{axis}\(rad/s\)"
SENSORS = ("motion", "gyro")  # the fused one first, which has orientations
ATTITUDE, FELT = r"motionQuaternion{axis}(\(R\))?", r"accelerometerAcceleration{axis}\(G\)"


def recognises(contents: Contents) -> bool:
    """By the names of its first columns."""
    return _table(contents) is not None


def read(contents: Contents, progress: Progress) -> RawRecording:
    """The rates with the times of their sensor, orientations and accelerations where there are some. Raises
    InputError."""
    found = _table(contents)
    assert found is not None
    table, names = found
    for sensor in SENSORS:
        time = _column(names, CLOCK, sensor)
        rates = [_column(names, SPEED, sensor, role[1].upper()) for role in RATES]
        if time is not None and None not in rates:
            break
    else:
        raise not_found(table.line, ["motionTimestamp_sinceReboot(s)", "motionRotationRateX(rad/s)"])
    roles = {"t": time} | dict(zip(RATES, rates, strict=True))
    for group, pattern in ((QUATERNION, ATTITUDE), (ACCELERATION, FELT)):
        own = {role: _column(names, pattern, sensor, role[1].upper()) for role in group}
        if None not in own.values() and (group != QUATERNION or sensor == SENSORS[0]):
            roles |= own
    warnings: list[str] = []
    columns = columns_of(table, {role: index for role, index in roles.items() if index is not None}, progress, warnings)
    again = np.concatenate(([False], np.diff(columns["t"]) == 0.0))[: len(columns["t"])]
    if again.any():  # it writes a row whether or not this sensor has shown something new
        text = tr("left out {count} rows that repeat the time of the row before, the first of them row {first}")
        warnings.append(text.format(count=int(again.sum()), first=int(np.argmax(again)) + 1))
    columns = {role: column[~again] * (-1.0 if role in ACCELERATION else 1.0) for role, column in columns.items()}
    declared = Conventions("wxyz", None, "body", "rad/s", "s", source="SensorLog", acceleration_unit="g")
    return raw_recording(contents.name, columns, declared, warnings)


def _table(contents: Contents) -> tuple[Table, list[str]] | None:
    """The first table whose columns begin as SensorLog's do."""
    return next(
        ((table, names) for table, names in contents.named if any(MARK.match(name) for name in names[:3])), None
    )


def _column(names: list[str], pattern: str, sensor: str, axis: str = "") -> int | None:
    """The first column of a sensor and an axis."""
    wanted = re.compile(pattern.format(sensor=sensor, axis=axis), re.IGNORECASE)
    return next((index for index, name in enumerate(names) if wanted.fullmatch(name[:200].strip())), None)
