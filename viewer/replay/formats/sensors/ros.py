"""Messages sensor_msgs/Imu of ROS as a table, whose time stands in two columns: seconds and nanoseconds."""

import re

import numpy as np

from viewer.replay.conventions import WORLD_FROM_BODY, Conventions
from viewer.replay.files.column_names import normalised, roles_by_name
from viewer.replay.files.contents import Contents, Table, columns_of
from viewer.replay.raw_recording import Progress, RawRecording, raw_recording

_SECONDS = re.compile(r"(?P<prefix>.*stamp_?)(secs?)")
_NANOSECONDS = re.compile(r"(?P<prefix>.*stamp_?)(nsecs?|nanosecs?|nanoseconds)")


def recognises(contents: Contents) -> bool:
    """By the names of its columns."""
    return _table(contents) is not None


def read(contents: Contents, progress: Progress) -> RawRecording:
    """The orientations and rates that its names tell. Raises InputError."""
    found = _table(contents)
    assert found is not None
    table, names, whole, rest = found
    warnings: list[str] = []
    others = ["" if index == rest else "time_s" if index == whole else name for index, name in enumerate(names)]
    others = [
        name if index == whole or not normalised(name).endswith("time") else "" for index, name in enumerate(others)
    ]
    roles, declared = roles_by_name(others, table.line)
    used = {role: index for index, role in enumerate(roles) if role}
    columns = columns_of(table, used | {"ns": rest}, progress, warnings)
    nanoseconds = columns.pop("ns")
    start = columns["t"][np.isfinite(columns["t"])][:1]
    columns["t"] = columns["t"] - (start[0] if len(start) else 0.0) + 1e-9 * nanoseconds
    known = Conventions("wxyz", WORLD_FROM_BODY, "body", "rad/s", "s", source="ROS", acceleration_unit="m/s2")
    return raw_recording(contents.name, columns, known.filled_from(declared), warnings)


def _table(contents: Contents) -> tuple[Table, list[str], int, int] | None:
    """The first table of messages, with the columns of its seconds and nanoseconds."""
    for table, names in contents.named:
        plain = [normalised(name) for name in names]
        whole = {found["prefix"]: index for index, name in enumerate(plain) if (found := _SECONDS.fullmatch(name))}
        rest = {found["prefix"]: index for index, name in enumerate(plain) if (found := _NANOSECONDS.fullmatch(name))}
        for prefix in whole.keys() & rest.keys():
            if any("angular_velocity" in name or "orientation" in name for name in plain):
                return table, names, whole[prefix], rest[prefix]
    return None
