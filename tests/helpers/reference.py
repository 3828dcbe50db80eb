"""What the tests measure against: the cases of the reference file, and the equations of motion for scipy's DOP853."""

import json
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.physics.body import RigidBody
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.loads import Loads
from viewer.physics.rotation import multiply, rotate, rotate_back
from viewer.physics.state import State

Array = NDArray[np.float64]

DATA = Path(__file__).parent.parent / "data"
CASES: dict[str, Any] = json.loads((DATA / "exact_solutions.json").read_text())["cases"]

STEPPERS = [
    name
    for name, entry in INTEGRATORS.items()
    if entry.step and not entry.refuses and entry.order is not None and not entry.torque_free_only
]  # that take any body and load, and come nearer to the truth with smaller steps


def body_and_start(case: dict[str, Any]) -> tuple[RigidBody, State]:
    body = RigidBody.from_moments(case["principal_moments_kg_m2"])
    return body, State([float(value) for value in case["orientation_wxyz"]], case["omega_body_rad_s"])


def numbers(rows: Any) -> Array:
    """Decimal texts as the nearest doubles."""
    return np.array([[float(value) for value in row] for row in rows])


def angle_between(p: Any, q: Any) -> float:
    """The angle [rad] of the turn from orientation p to q."""
    p, q = np.asarray(p), np.asarray(q)
    return float(4 * np.arcsin(min(1.0, min(np.linalg.norm(p - q), np.linalg.norm(p + q)) / 2)))


def integrate(body: RigidBody, start: State, loads: Loads, seconds: float) -> tuple[Array, Array]:
    """(orientation, L in space) after `seconds`, from the equations of motion by DOP853 at 1e-13."""
    from scipy.integrate import solve_ivp

    J, I = body.inverse_moments, body.principal_moments
    force, arm, body_fixed = np.array(loads.force), np.array(loads.arm), loads.frame == "body"
    pure = np.array(loads.torque)

    def slope(_t: float, y: Array) -> Array:
        q, L = y[:4], y[4:]
        unit = q / np.linalg.norm(q)
        L_b = rotate_back(unit, L)
        omega = J * L_b
        G = np.cross(omega, L_b)
        sinking = -loads.internal_friction * G / (G @ G) if loads.internal_friction else 0.0
        acting = rotate(unit, force) if body_fixed else force
        torque = np.cross(rotate(unit, arm), acting) - loads.external_friction * rotate(unit, omega)
        torque += rotate(unit, pure) if loads.torque_frame == "body" else pure
        return np.concatenate((0.5 * multiply(q, [0.0, *(omega + sinking)]), torque))

    L0 = rotate(start.orientation_wxyz, I * start.omega_body)
    begin = np.concatenate((start.orientation_wxyz, L0))
    end = solve_ivp(slope, (0.0, seconds), begin, method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
    return end[:4] / np.linalg.norm(end[:4]), end[4:]


def travelled(body: RigidBody, start: State, loads: Loads, seconds: float) -> tuple[Array, Array]:
    """(position, momentum) of the centre of mass after `seconds`, likewise; without internal friction."""
    from scipy.integrate import solve_ivp

    I, force, arm = body.principal_moments, np.array(loads.force), np.array(loads.arm)

    def slope(_t: float, y: Array) -> Array:
        q, omega = y[:4] / np.linalg.norm(y[:4]), y[4:7]
        acting = force if loads.frame == "body" else rotate_back(q, force)
        torque = np.cross(arm, acting) - loads.external_friction * omega + np.cross(I * omega, omega)
        turning = 0.5 * multiply(y[:4], [0.0, *omega])
        return np.concatenate((turning, torque / I, y[10:] / body.mass, rotate(q, acting)))

    begin = np.concatenate((start.orientation_wxyz, start.omega_body, start.position, start.linear_momentum))
    end = solve_ivp(slope, (0.0, seconds), begin, method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
    return end[7:10], end[10:]


def slope_of(steps: list[float], errors: list[float]) -> float:
    """The order: slope of log error over log step."""
    return float(np.polyfit(np.log(steps), np.log(errors), 1)[0])


def steps_for(order: int) -> list[float]:
    """Return four steps [s], each half of the last and a whole part of 1/4 s, at which the error of a method of this
    order shows the order: it is small enough for the next term, and far above round-off."""
    return [2.0 ** -(max(7 - order, 2) + n) for n in range(4)]


def steps_under_load(order: int) -> list[float]:
    """Return steps [s] for the same of a method of this order under a load, 4 s being a whole number of each."""
    if order > 2:
        return [0.25, 0.2, 0.16, 0.125, 0.1]
    return [(0.02 if order == 1 else 0.05) / 2**n for n in range(3)]


def taylor(moments: Any, omega: Any, h: float, order: int = 24) -> Array:
    """The orientation after a short free motion from the identity: Taylor's series in 40-digit arithmetic."""
    with localcontext() as context:
        context.prec = 40
        I, t = [Decimal(float(value)) for value in moments], Decimal(float(h))
        k = [(I[1] - I[2]) / I[0], (I[2] - I[0]) / I[1], (I[0] - I[1]) / I[2]]
        x, y, z = ([Decimal(float(value))] for value in omega)
        a, b, c, d = [Decimal(1)], [Decimal(0)], [Decimal(0)], [Decimal(0)]
        for n in range(1, order + 1):

            def times(p: list[Decimal], q: list[Decimal], last: int = n - 1) -> Decimal:
                return sum((p[i] * q[last - i] for i in range(last + 1)), Decimal(0))

            rates = k[0] * times(y, z) / n, k[1] * times(z, x) / n, k[2] * times(x, y) / n
            turn = (
                -times(b, x) - times(c, y) - times(d, z),
                times(a, x) + times(c, z) - times(d, y),
                times(a, y) + times(d, x) - times(b, z),
                times(a, z) + times(b, y) - times(c, x),
            )
            for series, value in zip((x, y, z), rates, strict=True):
                series.append(value)
            for series, value in zip((a, b, c, d), turn, strict=True):
                series.append(value / (2 * n))
        return np.array([float(sum(value * t**n for n, value in enumerate(series))) for series in (a, b, c, d)])
