"""Sensor Logger: a table for each of a phone's sensors, in an archive, a folder or alone."""

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import refusal
from viewer.common.language import tr
from viewer.replay.conventions import Conventions
from viewer.replay.files.contents import Contents, Table, columns_of
from viewer.replay.files.text_table import TextTable
from viewer.replay.files.times import at_times
from viewer.replay.raw_recording import ACCELERATION, RATES, Progress, RawRecording, part, raw_recording

Array = NDArray[np.float64]

COLUMNS = {"seconds_elapsed", "x", "y", "z"}
GYROSCOPE, WITH_GRAVITY = ("gyroscope", "gyroscopeuncalibrated"), ("totalacceleration", "accelerometeruncalibrated")
PARTS = ("accelerometer", "gravity")  # whose sum an accelerometer shows
OTHERS = (*WITH_GRAVITY, *PARTS, "magnetometer", "magnetometeruncalibrated")


def recognises(contents: Contents) -> bool:
    """Whether there is a table of three axes, and one of them of a gyroscope if there are several."""
    found = _sensors(contents)
    return bool(found) and (contents.source.only is not None or any(name in found for name in GYROSCOPE))


def read(contents: Contents, progress: Progress) -> RawRecording:
    """The gyroscope's table, with the accelerometer's at its times. Raises InputError."""
    sensors = _sensors(contents)
    warnings: list[str] = []
    name = next((name for name in GYROSCOPE if name in sensors), None)
    if name is None:
        name = next(iter(sensors))
        if name in OTHERS:
            raise refusal(
                "{name}: is the table of another sensor; allowed is that of the gyroscope", name=contents.name
            )
        warnings.append(tr("the table does not say of which sensor it is: taken as the gyroscope's"))
    felt = next(([name] for name in WITH_GRAVITY if name in sensors), list(PARTS))
    felt = felt if all(name in sensors for name in felt) else []
    ends = [place / (1 + len(felt)) for place in range(2 + len(felt))]  # of the work: one table after another
    columns = _vectors(sensors[name], RATES, part(progress, *ends[:2]), warnings)
    sums: list[dict[str, Array]] = []
    for place, each in enumerate(felt, 1):
        own = _vectors(sensors[each], ACCELERATION, part(progress, *ends[place : place + 2]), warnings)
        sums.append(at_times(columns["t"], own.pop("t"), own, warnings))
    if sums and all(sums):
        columns |= {role: np.sum([one[role] for one in sums], axis=0) for role in ACCELERATION}
    unit = None if felt == ["accelerometeruncalibrated"] else "m/s2"
    declared = Conventions(
        rate_frame="body", rate_unit="rad/s", time_unit="s", source="Sensor Logger", acceleration_unit=unit
    )
    return raw_recording(contents.name, columns, declared, warnings)


def _sensors(contents: Contents) -> dict[str, Table]:
    """The tables of three axes by the names of their sensors."""
    found: dict[str, Table] = {}
    for table in contents.text_tables:
        if table.names is not None and {name.lower() for name in table.names} >= COLUMNS and len(table.names) <= 5:
            found.setdefault(_sensor(table), table)
    return found


def _sensor(table: TextTable) -> str:
    return "".join(letter for letter in table.member.base.lower().removesuffix(".csv") if letter.isalpha())


def _vectors(table: Table, roles: tuple[str, ...], progress: Progress, warnings: list[str]) -> dict[str, Array]:
    """Times and vectors of a sensor."""
    names = [name.lower() for name in table.names or ()]
    wanted = {"t": names.index("seconds_elapsed")} | {role: names.index(role[1]) for role in roles}
    return columns_of(table, wanted, progress, warnings)
