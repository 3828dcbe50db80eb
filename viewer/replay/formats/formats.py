"""The formats of recordings: the first one that recognises what a file holds reads it."""

from collections.abc import Callable
from dataclasses import dataclass

from viewer.common.language import marked
from viewer.replay.files.contents import Contents, one_recording
from viewer.replay.files.source import Source
from viewer.replay.formats import euler_angles, named_columns, rotation_matrices
from viewer.replay.formats.sensors import by_units, gyroflow, optitrack, ros, sensor_events, sensor_log, sensor_logger
from viewer.replay.formats.simulators import basilisk, mujoco, nasa_42, nasa_check_case
from viewer.replay.formats.spacecraft import ccsds_aem, stk
from viewer.replay.raw_recording import Progress, RawRecording


@dataclass(frozen=True)
class Format:
    """`summary`: what such a file is and how it is recognised; `example`: its beginning.

    `recognises`: whether the contents are of this format, by what is in them; `read`: the recording; raises InputError.
    """

    name: str
    summary: str
    example: str
    recognises: Callable[[Contents], bool]
    read: Callable[[Contents, Progress], RawRecording]
    by_folder: bool = False  # its files of one folder are one recording


FORMATS = {
    entry.name: entry
    for entry in (
        Format(
            "gyroflow",
            marked("Gyroflow's log of an inertial sensor (.gcsv), in the axes of its orientation"),
            "GYROFLOW IMU LOG",
            gyroflow.recognises,
            gyroflow.read,
        ),
        Format(
            "ccsds-aem",
            marked("attitude ephemeris message of CCSDS, as keywords or in XML: quaternions, Euler angles, spin"),
            "CCSDS_AEM_VERS = 2.0",
            ccsds_aem.recognises,
            ccsds_aem.read,
        ),
        Format(
            "stk",
            marked("attitude file of STK (.a): quaternions with or without rates, angles, matrices"),
            "stk.v.11.0 BEGIN Attitude",
            stk.recognises,
            stk.read,
        ),
        Format(
            "42",
            marked("output of NASA's simulator 42: the files beside one another, or their folder"),
            "time.42, qbn.42, wbn.42",
            nasa_42.recognises,
            nasa_42.read,
            by_folder=True,
        ),
        Format(
            "nasa-check-case",
            marked("NASA's check cases of flight simulations, with the earth's turning taken out"),
            "time, eulerAngle_deg_Yaw, bodyAngularRateWrtEi_deg_s_Roll",
            nasa_check_case.recognises,
            nasa_check_case.read,
        ),
        Format(
            "basilisk",
            marked("Basilisk's Rodrigues parameters and rates, as CSV or NPZ"),
            "time_ns, sigma_BN_1, omega_BN_B_1",
            basilisk.recognises,
            basilisk.read,
        ),
        Format(
            "mujoco",
            marked("MuJoCo's qpos and qvel of a free or ball joint, as CSV or NPZ"),
            "time, qpos[3], qvel[3]",
            mujoco.recognises,
            mujoco.read,
        ),
        Format(
            "ros",
            marked("ROS messages of an inertial sensor as CSV, with times in two columns"),
            "header.stamp.secs, header.stamp.nsecs, angular_velocity.x",
            ros.recognises,
            ros.read,
        ),
        Format(
            "optitrack",
            marked("a take of OptiTrack Motive as CSV: the quaternions of its first rigid body"),
            "Format Version, 1.23, Take Name",
            optitrack.recognises,
            optitrack.read,
        ),
        Format(
            "sensor-events",
            marked("a row for each event of any sensor, as apps on Android write them: gyroscope, accelerometer"),
            "timestamp, sensor, x, y, z",
            sensor_events.recognises,
            sensor_events.read,
        ),
        Format(
            "sensor-logger",
            marked("Sensor Logger: the archive or folder of a phone's sensors, or the gyroscope's table"),
            "time, seconds_elapsed, z, y, x",
            sensor_logger.recognises,
            sensor_logger.read,
            by_folder=True,
        ),
        Format(
            "sensorlog",
            marked("SensorLog (iOS): its table, with the orientation and the accelerometer"),
            "loggingTime(txt), motionTimestamp_sinceReboot(s), motionRotationRateX(rad/s)",
            sensor_log.recognises,
            sensor_log.read,
        ),
        Format(
            "rotation-matrices",
            marked("tables of rotation matrices: nine columns, with or without rates, or arrays (N, 3, 3)"),
            "t, r11, r12, r13, r21, r22, r23, r31, r32, r33",
            rotation_matrices.recognises,
            rotation_matrices.read,
        ),
        Format(
            "phyphox",
            marked(
                "phyphox: its archive, folder or table, in any language; other tables whose columns give their units"
            ),
            '"Time (s)", "Gyroscope x (rad/s)"',
            by_units.recognises,
            by_units.read,
        ),
        Format(
            "euler-angles",
            marked("roll, pitch and yaw of an autopilot or a simulator: turns about z, then y, then x of the body"),
            "time, roll_deg, pitch_deg, yaw_deg",
            euler_angles.recognises,
            euler_angles.read,
        ),
        Format(
            "columns",
            marked("any table whose columns have the usual names: PX4, EuRoC, TUM, ROS bags, your own"),
            "t, qw, qx, qy, qz, wx, wy, wz",
            named_columns.recognises,
            named_columns.read,
        ),
    )
}


def format_of(contents: Contents) -> Format:
    """The one that reads it."""
    return next(entry for entry in FORMATS.values() if entry.recognises(contents))


def apart(source: Source) -> Source:
    """The members of one recording in a source that may hold several. Raises InputError."""
    entry = format_of(Contents(source))
    last = [*FORMATS][-1]  # takes what the others leave

    def holds_one(alone: Source) -> bool:
        contents = Contents(alone)
        if entry.by_folder:
            return entry.recognises(contents)
        own = format_of(contents).name
        return own != last or (entry.name == last and named_columns.understands(contents))

    return one_recording(source, holds_one, entry.by_folder)
