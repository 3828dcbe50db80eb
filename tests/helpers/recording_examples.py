"""The beginning of a recording in every format that is read, all of the same motion."""

import io
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

from helpers.recorded_motion import motion, rows_of

Files = dict[str, bytes]  # by their names: of one recording

ROWS = 40
MADE = motion(rows=ROWS)
T, NUMBER, W, A = MADE.t, np.arange(ROWS), MADE.rates, MADE.felt
Q, MATRICES = MADE.quaternions("xyzw"), MADE.turn.as_matrix().reshape(-1, 9)
ANGLES = MADE.turn.as_euler("ZYX", degrees=True)[:, ::-1]  # roll, pitch, yaw
EPOCHS = [(datetime(2026, 12, 31, 23, 59, 59) + timedelta(seconds=t)).isoformat(timespec="microseconds") for t in T]

AEM = """CCSDS_AEM_VERS = 2.0
CREATION_DATE = 2026-11-23T12:00:00
ORIGINATOR = ME
META_START
OBJECT_NAME = A SPACECRAFT
OBJECT_ID = 2026-001A
REF_FRAME_A = EME2000
REF_FRAME_B = SC_BODY_1
ATTITUDE_DIR = A2B
TIME_SYSTEM = UTC
START_TIME = 2026-12-31T23:59:59
STOP_TIME = 2027-01-01T00:10:00
ATTITUDE_TYPE = {kind}
{more}
META_STOP
DATA_START
{rows}DATA_STOP
"""
STATE = (
    "<attitudeState><quaternionState><EPOCH>{}</EPOCH><quaternion><Q1>{}</Q1><Q2>{}</Q2><Q3>{}</Q3><QC>{}</QC>"
    "</quaternion></quaternionState></attitudeState>"
)
XML = (
    '<aem id="CCSDS_AEM_VERS" version="2.0"><body><segment><metadata><ATTITUDE_DIR>A2B</ATTITUDE_DIR>'
    "<REF_FRAME_A>EME2000</REF_FRAME_A><REF_FRAME_B>SC_BODY_1</REF_FRAME_B><ATTITUDE_TYPE>QUATERNION</ATTITUDE_TYPE>"
    "<QUATERNION_TYPE>LAST</QUATERNION_TYPE></metadata><data>{}</data></segment></body></aem>"
)
STK = "stk.v.12.2\nBEGIN Attitude\nNumberOfAttitudePoints {}\nSequence 321\nCoordinateAxes J2000\n{}\n{}END Attitude\n"
TAKE = (
    "Format Version,1.23,Take Name,Throw,Capture Frame Rate,100.0,Rotation Type,Quaternion,Length Units,Meters\n\n"
    + ",Type" + ",Rigid Body" * 8 + "\n,Name" + ",Racket" * 8 + "\n,ID" + ',"1"' * 8
    + "\n,,Rotation,Rotation,Rotation,Rotation,Position,Position,Position,Mean Marker Error\n"
    "Frame,Time (Seconds),X,Y,Z,W,X,Y,Z,\n"
)  # fmt: skip


def example_recordings() -> dict[str, Files]:
    """By a name that begins with that of the format."""
    ns, zeros = 1e9 * T, np.zeros(ROWS)
    aem = "".join(f"{epoch} " + rows_of(q[None], separator=" ") for epoch, q in zip(EPOCHS, Q, strict=True))
    spinning = "".join(f"{epoch} " + rows_of(w[None], separator=" ") for epoch, w in zip(EPOCHS, 50.0 * W, strict=True))
    states = "".join(STATE.format(epoch, *q) for epoch, q in zip(EPOCHS, Q, strict=True))
    both = zip(ns, W, A, strict=True)
    events = "".join(rows_of(np.array([[t, 4, *w], [t, 1, *a]])) for t, w, a in both)
    texts = {
        "gyroflow": {"a.gcsv": "GYROFLOW IMU LOG\nversion,1.3\nid,a logger\norientation,xyZ\ntscale,0.001\n"
                     "gscale,0.001\nascale,0.01\nt,gx,gy,gz,ax,ay,az\n" + rows_of(NUMBER, 1e3 * W, A)},
        "ccsds-aem": {"a.aem": AEM.format(kind="QUATERNION", more="QUATERNION_TYPE = LAST", rows=aem)},
        "ccsds-aem, angles": {"a.aem": AEM.format(kind="EULER_ANGLE", more="EULER_ROT_SEQ = 321", rows=spinning)},
        "ccsds-aem, xml": {"a.xml": XML.format(states)},
        "stk": {"a.a": STK.format(ROWS, "AttitudeTimeQuatAngVels", rows_of(T, Q, 57.3 * W, separator=" "))},
        "stk, angles": {"a.a": STK.format(ROWS, "AttitudeTimeEulerAngles", rows_of(T, 50.0 * W, separator=" "))},
        "42": {"time.42": rows_of(T), "qbn.42": rows_of(Q, separator=" "), "wbn.42": rows_of(W, separator=" ")},
        "nasa-check-case": {"a.csv": "time,eulerAngle_deg_Yaw,eulerAngle_deg_Pitch,eulerAngle_deg_Roll,"
                            + ",".join(f"bodyAngularRateWrtEi_deg_s_{axis}" for axis in ("Roll", "Pitch", "Yaw"))
                            + ",longitude_deg,latitude_deg\n" + rows_of(T, 20.0 * W, 57.3 * W, zeros, zeros)},
        "basilisk": {"a.csv": "time_ns,sigma_BN_1,sigma_BN_2,sigma_BN_3,omega_BN_B_1,omega_BN_B_2,omega_BN_B_3\n"
                     + rows_of(ns, MADE.turn.as_mrp(), W)},
        "mujoco": {"a.csv": "time," + ",".join([f"qpos[{n}]" for n in range(7)] + [f"qvel[{n}]" for n in range(6)])
                   + "\n" + rows_of(T, np.ones((ROWS, 3)), Q[:, [3, 0, 1, 2]], np.ones((ROWS, 3)), W)},
        "ros": {"a.csv": "Time,header.stamp.secs,header.stamp.nsecs,angular_velocity.x,angular_velocity.y,"
                "angular_velocity.z,linear_acceleration.x,linear_acceleration.y,linear_acceleration.z\n"
                + rows_of(T, zeros + 1.7e9, ns, W, A)},
        "optitrack": {"a.csv": TAKE + rows_of(NUMBER, T, Q, A, zeros)},
        "sensor-events": {"a.csv": "timestamp_ns,sensor,x,y,z\n" + events},
        "sensor-logger": {f"{name}.csv": "time,seconds_elapsed,z,y,x\n" + rows_of(1.7e18 + ns, T, values)
                          for name, values in (("Gyroscope", W), ("TotalAcceleration", A))},
        "sensorlog": {"a.csv": "loggingTime(txt),motionTimestamp_sinceReboot(s),"
                      + ",".join(f"motionRotationRate{axis}(rad/s)" for axis in "XYZ")
                      + "," + ",".join(f"motionQuaternion{axis}(R)" for axis in "XYZW") + "\n"
                      + "".join(f"{epoch} +0100,{row}" for epoch, row in
                                zip(EPOCHS, rows_of(T, W, Q).splitlines(keepends=True), strict=True))},
        "rotation-matrices": {"a.csv": "t," + ",".join(f"r{n}{m}" for n in "123" for m in "123") + ",wx,wy,wz\n"
                              + rows_of(T, MATRICES, W)},
        "phyphox": {"Gyroscope.csv": '"Time (s)","Gyroscope x (rad/s)","Gyroscope y (rad/s)","Gyroscope z (rad/s)"\n'
                    + rows_of(T, W),
                    "Accelerometer.csv": '"Time (s)","Acceleration x (m/s^2)","Acceleration y (m/s^2)",'
                    '"Acceleration z (m/s^2)"\n' + rows_of(T + 0.003, A),
                    "meta/time.csv": '"event","experiment time","system time","system time text"\n'
                    '"START",0.0,1.7E9,"2026"\n"PAUSE",0.3,1.7E9,"2026"\n'},
        "euler-angles": {"a.csv": "time,roll_deg,pitch_deg,yaw_deg\n" + rows_of(T, ANGLES)},
        "columns": {"a.csv": "# moments: 1, 2, 2.5\n# quaternion: xyzw\nt,qx,qy,qz,qw,wx,wy,wz\n" + rows_of(T, Q, W)},
        "columns, semicolons": {"a.csv": rows_of(T, Q[:, [3, 0, 1, 2]], separator=";").join(("t;qw;qx;qy;qz\n", ""))},
        "columns, felt": {"a.txt": "timestamp omega_x omega_y omega_z ax ay az\n" + rows_of(ns, W, A, separator=" ")},
    }  # fmt: skip
    found = {name: {file: text.encode() for file, text in files.items()} for name, files in texts.items()}
    found["columns, array"] = {"a.npy": saved(np.column_stack((T, W)))}
    found["columns, transposed"] = {"a.npy": saved(np.column_stack((T, W, Q)).T)}
    kinds = [("t", "f8"), ("wx", "f4"), ("wy", "f4"), ("wz", "f4")]
    found["columns, structured"] = {"a.npy": saved(np.array([*map(tuple, np.column_stack((T, W)))], dtype=kinds))}
    found["mujoco, arrays"] = {"a.npz": packed(time=T, qpos=Q[:, [3, 0, 1, 2]], qvel=W)}
    found["basilisk, arrays"] = {"a.npz": packed(time_ns=ns, sigma_BN=MADE.turn.as_mrp(), omega_BN_B=W)}
    found["rotation-matrices, arrays"] = {"a.npz": packed(t=T, R=MADE.turn.as_matrix(), omega=W)}
    for path in sorted((Path(__file__).parents[2] / "assets" / "logs").iterdir()):
        found[f"of the program, {path.name}"] = {"a.csv": b"".join(path.read_bytes().splitlines(keepends=True)[:80])}
    return found


def saved(array: np.ndarray) -> bytes:
    """As numpy saves one."""
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def packed(**arrays: np.ndarray) -> bytes:
    """As numpy saves several."""
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()
