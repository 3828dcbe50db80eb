"""The values that things in the scene have at the pointer."""

from collections.abc import Callable
from math import degrees

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.common.language import marked, tr
from viewer.physics.state import angular_acceleration, point_velocity
from viewer.race.live import LaneNow
from viewer.scene.constructions.gimbals import are_locked, ring_angles
from viewer.scene.constructions.loads import acting_forces
from viewer.scene.naming.spot import Spot
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

RATE, MOMENTUM, INERTIA = "rad/s", "kg m²/s", "kg m²"
PARTS = 240  # samples of a period that are searched for the time of a point on the polhode
CUBE_ROOT = marked("The arrow grows with the cube root: twice as long stands for eight times as much.")


@frozen
class Value:
    """A quantity: a number, a vector in space or, if its symbol has a prime, a vector in the body."""

    symbol: str
    value: float | tuple[float, ...]
    unit: str


Values = Callable[[Snapshot, Spot], list[Value]]


def by_cube_root(_: Snapshot) -> str:
    """Return the sentence on how the arrows of all loads grow, as `scale.load_arrow` makes them."""
    return tr(CUBE_ROOT)


def with_magnitude(symbol: str, vector: Array, unit: str) -> list[Value]:
    """Return a vector and its magnitude."""
    parts = tuple(float(part) for part in vector)
    return [Value(symbol, parts, unit), Value(f"|{symbol}|", float(np.linalg.norm(vector)), unit)]


def of_motion(symbol: str, unit: str, vector: Callable[[Snapshot], Array]) -> Values:
    """Return the function that returns a vector of the motion and its magnitude."""
    return lambda snapshot, spot: with_magnitude(symbol, vector(snapshot), unit)


def along_curve(symbol: str, unit: str, points: Callable[[Snapshot], Array]) -> Values:
    """Return the function for the vector (3,) at the spot's position along the closed curve of `points`, (N, 3)."""

    def values(snapshot: Snapshot, spot: Spot) -> list[Value]:
        curve = points(snapshot)
        if spot.along is None or not len(curve):
            return []
        before = int(spot.along) % len(curve)
        there = curve[before] + (spot.along % 1.0) * (curve[(before + 1) % len(curve)] - curve[before])
        return with_magnitude(symbol, there, unit)

    return values


def on_trail(symbol: str, unit: str, of_row: Callable[[Snapshot, Array], Array] = lambda snapshot, row: row) -> Values:
    """Return the function for the vector that a trail has at the spot, and its time."""

    def values(snapshot: Snapshot, spot: Spot) -> list[Value]:
        if spot.vector is None or spot.time is None:
            return []
        return [*with_magnitude(symbol, of_row(snapshot, np.array(spot.vector)), unit), Value("t", spot.time, "s")]

    return values


def momentum(snapshot: Snapshot) -> float:
    """Return |L| [kg m²/s]."""
    return float(np.linalg.norm(snapshot.reading.angular_momentum_world))


def omega_along_momentum(snapshot: Snapshot) -> float:
    """Return the component of omega along L [rad/s]."""
    return float(snapshot.reading.omega_world @ snapshot.reading.angular_momentum_world) / momentum(snapshot)


def energy(snapshot: Snapshot, spot: Spot) -> list[Value]:
    """Return the rotational energy."""
    return [Value("E", snapshot.reading.energy, "J")]


def plane_distance(snapshot: Snapshot) -> float:
    """Return how far the invariable plane is from the centre [rad/s]."""
    return 2.0 * snapshot.reading.target_energy / max(snapshot.reading.target_momentum, 1e-300)


def body(snapshot: Snapshot, spot: Spot) -> list[Value]:
    """Return mass and principal moments, and velocity and angular acceleration at the point under the pointer."""
    moments = tuple(float(moment) for moment in snapshot.body.principal_moments)
    return [Value("m", snapshot.body.mass, "kg"), Value("I", moments, INERTIA), *point_of_body(snapshot, spot)]


def point_of_body(snapshot: Snapshot, spot: Spot) -> list[Value]:
    """Return the velocity of the point under the pointer, and the body's angular acceleration."""
    if spot.on_body is None:
        return []
    state, body = snapshot.reading.state, snapshot.body
    found = [Value("r′", spot.on_body, "m"), *with_magnitude("v", point_velocity(body, state, spot.on_body), "m/s")]
    if snapshot.reading.orthogonality_error is None:  # else L is not I omega
        alpha = angular_acceleration(body, state, snapshot.external_torque + snapshot.friction_torque)
        found.append(Value("α", tuple(alpha.tolist()), "rad/s²"))
    return found


def inertia_source(snapshot: Snapshot) -> str:
    """Return the sentence on where the moments of inertia come from."""
    return tr("Inertia from {source}.").format(source=snapshot.body.inertia_source.text)


def force(snapshot: Snapshot, spot: Spot) -> list[Value]:
    """Return the force at the spot."""
    return next((with_magnitude(f.name, f.force, "N") for f in acting_forces(snapshot) if f.name == spot.name), [])


def pivot(snapshot: Snapshot, spot: Spot) -> list[Value]:
    """Return the centre of mass as seen from the pivot, along the body axes."""
    return with_magnitude("r′", np.array(snapshot.loads.centre_of_mass), "m")


def arm(snapshot: Snapshot, spot: Spot) -> list[Value]:
    """Return the arm at the spot, along the body axes."""
    rotation, name = snapshot.reading.rotation_world_from_body, spot.name.replace("r′", "F")
    found = (with_magnitude(spot.name, rotation.T @ f.point, "m") for f in acting_forces(snapshot) if f.name == name)
    return next(found, [])


def inclinations(snapshot: Snapshot, spot: Spot) -> list[Value]:
    """Return the least and the largest inclination of a top's axis."""
    if snapshot.top is None:
        return []
    return [
        Value(f"θ{index}", degrees(angle), "°") for index, angle in zip("₁₂", snapshot.top.inclinations, strict=True)
    ]


def gimbals(snapshot: Snapshot, spot: Spot) -> list[Value]:
    """Return the angles of the three rings."""
    return [Value(name, angle, "°") for name, angle in ring_angles(snapshot).items()]


def gimbal_lock(snapshot: Snapshot) -> str:
    """Return the sentence on locked gimbals, or "" while they are not."""
    text = tr("Gimbal lock: the outer and inner rings turn about the same axis, so some rotations make them jump.")
    return text if are_locked(snapshot) else ""


def axis(number: int) -> Values:
    """Return the function for the moment of inertia of a body axis, and the component of omega along it."""

    def values(snapshot: Snapshot, spot: Spot) -> list[Value]:
        moment, rate = snapshot.body.principal_moments[number], snapshot.reading.omega_body[number]
        axis = "xyz"[number]
        return [Value(f"I {axis}′", float(moment), INERTIA), Value(f"ω {axis}′", float(rate), RATE)]

    return values


def lane(snapshot: Snapshot, spot: Spot) -> list[Value]:
    """Return the omega of a lane of a race, and its errors."""
    name = spot.name.partition(":")[2]
    found = (
        [*with_magnitude("ω", now.omega_world, RATE), *_errors(now)] for now in snapshot.lanes if now.lane.label == name
    )
    return next(found, [])


def ghost(snapshot: Snapshot, spot: Spot) -> list[Value]:
    """Return the errors of the lane whose ghost is at the spot."""
    name = spot.name.partition(":")[2]
    return next((_errors(now) for now in snapshot.lanes if now.lane.label == name), [])


def _errors(now: LaneNow) -> list[Value]:
    """Return a lane's lead along the polhode, and the angle by which its body is turned from the exact one."""
    phase = [] if now.phase_error is None else [Value(marked("phase error"), degrees(now.phase_error), "°")]
    return [*phase, Value(marked("orientation error"), degrees(now.orientation_error), "°")]


def polhode(snapshot: Snapshot, spot: Spot) -> list[Value]:
    """Return omega at the spot, and the time at which omega is there next, unless a recording ends before."""
    found = along_curve("ω′", RATE, lambda s: s.curves.polhode)(snapshot, spot)
    if not found or snapshot.period is None or not snapshot.loads.free or snapshot.strays:
        return found
    period, there = snapshot.period, np.array(found[0].value)
    ahead = _when(snapshot, there, period) - _when(snapshot, snapshot.reading.omega_body, period)
    time = snapshot.reading.time + ahead % period
    if snapshot.measured is not None and time > snapshot.measured.time[-1]:
        return found
    return [*found, Value(marked("next at t"), time, "s")]


def _when(snapshot: Snapshot, omega: Array, period: float) -> float:
    """Return the time [s] within the period at which the exact motion on the polhode comes nearest to `omega` (3,)."""
    times, width = np.linspace(0.0, period, PARTS, endpoint=False), 4.0 * period / PARTS
    for _ in range(2):  # then more finely around the nearest one
        away = np.linalg.norm(snapshot.curves.orbit.at(times).omega_body - omega, axis=1)
        nearest = float(times[int(np.argmin(away))])
        times = nearest + np.linspace(-0.5 * width, 0.5 * width, PARTS)
    return nearest
