"""The formats of other programs' recordings: times with orientations, angular velocities or both.

A file is read by the first format that recognises its contents. Lines "# key: value" before a table may
declare what the numbers mean:

    # source: MuJoCo 4.0.0, integrator Euler
    # moments: 1.33, 6.93, 7.73              kg m2, about the body axes of the recording
    # quaternion: wxyz, world from body      or xyzw; or body from world
    # angular velocity: body, rad/s          or world; deg/s, rpm
    # time: s                                or ms
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from viewer.common.language import marked
from viewer.replay.files.contents import Contents, one_recording
from viewer.replay.files.source import Source, open_source
from viewer.replay.formats import ccsds_aem, columns, nasa, phones, recorders, rotation_matrices, stk
from viewer.replay.mapping import MAPPED, ColumnMapping, fits, read_mapped, shape_of
from viewer.replay.raw_recording import Progress, RawRecording, no_progress

Known = Callable[[str], ColumnMapping | None]  # returns the columns that the user gave for tables of a shape


@dataclass(frozen=True)
class Format:
    """A format of recordings.

    `summary` says what such a file is, and `example` is how it begins; `reader` recognises and reads it. `by_folder`
    says that the files of one folder are one recording.
    """

    name: str
    summary: str
    example: str
    reader: columns.ColumnFormat | columns.FileFormat[Any]
    by_folder: bool = False


FORMATS = {
    entry.name: entry
    for entry in (
        Format(
            "gyroflow",
            marked("Gyroflow's log of an inertial sensor (.gcsv), in the axes of its orientation"),
            "GYROFLOW IMU LOG",
            recorders.GYROFLOW,
        ),
        Format(
            "ccsds-aem",
            marked("attitude ephemeris message of CCSDS, as keywords or in XML: quaternions, Euler angles, spin"),
            "CCSDS_AEM_VERS = 2.0",
            ccsds_aem.CCSDS_AEM,
        ),
        Format(
            "stk",
            marked("attitude file of STK (.a): quaternions with or without rates, angles, matrices"),
            "stk.v.11.0 BEGIN Attitude",
            stk.STK,
        ),
        Format(
            "42",
            marked("output of NASA's simulator 42: the files beside one another, or their folder"),
            "time.42, qbn.42, wbn.42",
            nasa.NASA_42,
            by_folder=True,
        ),
        Format(
            "nasa-check-case",
            marked("NASA's check cases of flight simulations, with the earth's turning taken out"),
            "time, eulerAngle_deg_Yaw, bodyAngularRateWrtEi_deg_s_Roll",
            nasa.NASA_CHECK_CASE,
        ),
        Format(
            "basilisk",
            marked("Basilisk's Rodrigues parameters and rates, as CSV or NPZ"),
            "time_ns, sigma_BN_1, omega_BN_B_1",
            columns.BASILISK,
        ),
        Format(
            "mujoco",
            marked("MuJoCo's qpos and qvel of a free or ball joint, as CSV or NPZ"),
            "time, qpos[3], qvel[3]",
            columns.MUJOCO,
        ),
        Format(
            "ros",
            marked("ROS messages of an inertial sensor as CSV, with times in two columns"),
            "header.stamp.secs, header.stamp.nsecs, angular_velocity.x",
            columns.ROS,
        ),
        Format(
            "optitrack",
            marked("a take of OptiTrack Motive as CSV: the quaternions of its first rigid body"),
            "Format Version, 1.23, Take Name",
            recorders.OPTITRACK,
        ),
        Format(
            "sensor-events",
            marked("a row for each event of any sensor, as apps on Android write them: gyroscope, accelerometer"),
            "timestamp, sensor, x, y, z",
            phones.SENSOR_EVENTS,
        ),
        Format(
            "sensor-logger",
            marked("Sensor Logger: the archive or folder of a phone's sensors, or the gyroscope's table"),
            "time, seconds_elapsed, z, y, x",
            phones.SENSOR_LOGGER,
            by_folder=True,
        ),
        Format(
            "sensorlog",
            marked("SensorLog (iOS): its table, with the orientation and the accelerometer"),
            "loggingTime(txt), motionTimestamp_sinceReboot(s), motionRotationRateX(rad/s)",
            columns.SENSOR_LOG,
        ),
        Format(
            "rotation-matrices",
            marked("tables of rotation matrices: nine columns, with or without rates, or arrays (N, 3, 3)"),
            "t, r11, r12, r13, r21, r22, r23, r31, r32, r33",
            rotation_matrices.ROTATION_MATRICES,
        ),
        Format(
            "phyphox",
            marked(
                "phyphox: its archive, folder or table, in any language; other tables whose columns give their units"
            ),
            '"Time (s)", "Gyroscope x (rad/s)"',
            phones.PHYPHOX,
        ),
        Format(
            "euler-angles",
            marked("roll, pitch and yaw of an autopilot or a simulator: turns about z, then y, then x of the body"),
            "time, roll_deg, pitch_deg, yaw_deg",
            columns.ROLL_PITCH_YAW,
        ),
        Format(
            "columns",
            marked("any table whose columns have the usual names: PX4, EuRoC, TUM, ROS bags, your own"),
            "t, qw, qx, qy, qz, wx, wy, wz",
            columns.USUAL_COLUMNS,
        ),
    )
}


def format_of(contents: Contents) -> Format:
    """Return the format that reads the contents."""
    return next(entry for entry in FORMATS.values() if entry.reader.recognises(contents))


def separated(source: Source) -> Source:
    """Return the members of one recording in a source that may hold several. Raises InputError."""
    entry = format_of(Contents(source))
    last = [*FORMATS][-1]  # takes what the others leave

    def holds_one(alone: Source) -> bool:
        contents = Contents(alone)
        if entry.by_folder:
            return entry.reader.recognises(contents)
        own = format_of(contents).name
        return own != last or (entry.name == last and columns.USUAL_COLUMNS.understands(contents))

    return one_recording(source, holds_one, entry.by_folder)


def read_recording(
    path: str | os.PathLike[str],
    progress: Progress = no_progress,
    columns: ColumnMapping | None = None,
    known: Known = lambda shape: None,
    step: float | None = None,
) -> RawRecording:
    """Return the recording in a file, an archive or a folder.

    `columns` are the columns of its table, if the user gives them. `known` is called with the shape of a table, and
    returns the columns that the user gave for such a table before, or None. `step` is the time [s] between the rows of
    a table without times. `progress` is called with the fraction that is read; an exception from it ends
    the reading. Raises InputError, which names line and column, and UnknownColumns if a mapping of the columns would
    help.
    """
    with open_source(path) as source:
        return read_source(source, progress, columns, known, step)


def read_source(
    source: Source,
    progress: Progress = no_progress,
    columns: ColumnMapping | None = None,
    known: Known = lambda shape: None,
    step: float | None = None,
) -> RawRecording:
    """Return the recording in an open source; the arguments are those of `read_recording`."""
    found = columns
    if found is None:
        tables = Contents(source).tables
        found = next((own for table in tables if (own := known(shape_of(table))) is not None), None)
    if found is not None:
        mapping = found
        source = one_recording(source, lambda alone: any(fits(mapping, table) for table in Contents(alone).tables))
        name, raw = MAPPED, read_mapped(Contents(source, step), found, progress, remembered=columns is None)
    else:
        source = separated(source)
        contents = Contents(source, step)
        entry = format_of(contents)
        name, raw = entry.name, entry.reader.read(contents, progress)
    return replace(raw, format=name, warnings=(*source.warnings, *raw.warnings))
