"""NASA's tumbling brick (check case 2 of NASA/TM-2015-218675), integrated by scipy, in files of the shape of NASA's."""

from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

MOMENTS = np.array((0.002568, 0.008421, 0.009755))  # slug ft2, as published
START = np.radians((10.0, 20.0, 30.0))  # rad/s
NAMES = (
    "time", "eulerAngle_deg_Yaw", "eulerAngle_deg_Pitch", "eulerAngle_deg_Roll", "bodyAngularRateWrtEi_deg_s_Roll",
    "bodyAngularRateWrtEi_deg_s_Pitch", "bodyAngularRateWrtEi_deg_s_Yaw",
)  # fmt: skip


def brick(time: np.ndarray, start: np.ndarray = START, moments: np.ndarray = MOMENTS) -> tuple[Rotation, np.ndarray]:
    """Orientations, body to space, and rates (N, 3) [rad/s] at `time` after the start, by DOP853 at 1e-12."""

    A, B, C = moments.tolist()

    def rate(_: float, y: np.ndarray) -> tuple[float, ...]:
        x, y, z, w, p, q, r = y.tolist()
        return (
            0.5 * (w * p + y * r - z * q), 0.5 * (w * q + z * p - x * r), 0.5 * (w * r + x * q - y * p),
            -0.5 * (x * p + y * q + z * r), (B - C) / A * q * r, (C - A) / B * r * p, (A - B) / C * p * q,
        )  # fmt: skip

    begun = np.concatenate(((0.0, 0.0, 0.0, 1.0), start))
    found = solve_ivp(rate, (0.0, float(time[-1])), begun, "DOP853", time, rtol=1e-12, atol=1e-12).y.T
    return Rotation.from_quat(found[:, :4]), found[:, 4:]


def write_case(path: Path, time: np.ndarray, turn: Rotation, omega: np.ndarray) -> str:
    """A file as NASA's simulators write it; its path."""
    rows = np.column_stack((time, turn.as_euler("ZYX", degrees=True), np.degrees(omega)))
    lines = [",".join(NAMES), *(",".join(map(repr, row)) for row in rows.tolist())]
    path.write_text("\n".join(lines) + "\n")
    return str(path)
