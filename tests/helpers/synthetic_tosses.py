"""A recording as a phone writes it when it is tossed over a bed: held, tossed about each of its axes, caught."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation
from scipy.special import exprel

from viewer.physics.rotation import rotate_back
from viewer.replay.flights.motion import angular_acceleration, free_rates, lever_arm
from viewer.replay.kinematics import integrated

Array = NDArray[np.float64]

GRAVITY = 9.81  # m/s2
MOMENTS = 0.79, 0.21, 1.0  # about a phone's width, height and thickness, nearly
TILT_DEG = 1.0, -0.5, 2.0  # of its principal axes, as the battery is off the middle
SENSOR = 0.01, 0.04, 0.002  # m from the centre of mass
LIMIT = 34.906585  # rad/s, 2000 deg/s: more the sensor does not say
THROWS = (20.0, 0.9, 0.8), (1.5, 35.2, 6.0), (0.5, 1.0, 15.0)  # rad/s in principal axes: middle, least, largest moment
HELD, SWING, FLIGHT, CATCH = 1.6, 0.25, 0.75, 0.12  # s
PUSH, STOP = 14.0, 45.0  # m/s2 while it is thrown and caught


@dataclass(frozen=True)
class Tosses:
    """What a synthetic recording is made of; noises are of one component."""

    rate: float = 100.0  # Hz
    noise: float = 0.02  # rad/s
    acceleration_noise: float = 0.1  # m/s2
    jitter: float = 0.02  # of a step
    drag: float = 0.012  # 1/s
    moments: tuple[float, float, float] = MOMENTS
    tilt_deg: tuple[float, float, float] = TILT_DEG
    throws: tuple[tuple[float, float, float], ...] = THROWS
    flight: float = FLIGHT  # s
    limit: float = LIMIT


def tossed_phone(seed: int = 0, tosses: Tosses | None = None) -> tuple[Array, Array, Array]:
    """(time (N,) [s], omega (N, 3) [rad/s], specific force (N, 3) [m/s2]) about the phone's axes."""
    made = tosses or Tosses()
    chance = np.random.default_rng(seed)
    axes = Rotation.from_euler("xyz", made.tilt_deg, degrees=True).as_matrix()
    cycle = HELD + SWING + made.flight + CATCH
    count = int((cycle * len(made.throws) + HELD) * made.rate) + 1
    even = np.arange(count) / made.rate
    time = even + made.jitter / made.rate * np.clip(chance.normal(size=count), -3.0, 3.0)
    time -= time[0]
    omega, free = _held(time, chance), np.zeros(count, dtype=bool)
    moving = 0.3 * _held(time, chance)  # of the hand, in m/s2
    for number, start in enumerate(made.throws):
        released = number * cycle + HELD + SWING
        flying = (time >= released) & (time < released + made.flight)
        omega[flying] = _flight(time[flying] - released, np.array(start), made) @ axes.T
        free |= flying
        _swing(time, omega, released, omega[flying][0], omega[flying][-1], made.flight)
        for begin, length, size in ((released - SWING, SWING, PUSH), (released + made.flight, CATCH, STOP)):
            phase = np.clip((time - begin) / length, 0.0, 1.0)
            moving[:, 2] += size * np.sin(np.pi * phase) ** 2
    q, _ = integrated(time, omega, in_world=False)
    force = rotate_back(q, moving + np.array((0.0, 0.0, GRAVITY))) * ~free[:, None]
    force += lever_arm(angular_acceleration(time, omega), omega) @ np.array(SENSOR)
    measured = np.clip(omega + made.noise * chance.normal(size=omega.shape), -made.limit, made.limit)
    return time, measured, force + made.acceleration_noise * chance.normal(size=force.shape)


def _flight(time: Array, start: Array, made: Tosses) -> Array:
    slow, left = time * exprel(-made.drag * time), np.exp(-made.drag * time)
    return np.asarray(free_rates(np.array([made.moments]), start[None], slow)[0] * left[:, None])


def _held(time: Array, chance: np.random.Generator) -> Array:
    """The unrest of a hand (N, 3): a few sines of up to 2 Hz."""
    angles = 2.0 * np.pi * (np.outer(time, chance.uniform(0.1, 2.0, 12)) + chance.uniform(0.0, 1.0, 12))
    return np.asarray(np.sin(angles) @ chance.normal(size=(12, 3)) * 0.15)


def _swing(time: Array, omega: Array, released: float, first: Array, last: Array, flight: float) -> None:
    """Leads the hand's rates over to those of the flight, and back."""
    up = np.clip((time - released + SWING) / SWING, 0.0, 1.0)
    up = np.where(time < released, up * up * (3.0 - 2.0 * up), 0.0)[:, None]
    down = np.clip((released + flight + CATCH - time) / CATCH, 0.0, 1.0)
    down = np.where(time >= released + flight, down * down * (3.0 - 2.0 * down), 0.0)[:, None]
    omega += up * (first - omega) + down * (last - omega)


def as_phyphox(time: Array, omega: Array, force: Array) -> str:
    """The text of a CSV file as phyphox writes it."""
    heads = ["Time (s)"]
    heads += [f"{name} {axis} ({unit})" for name, unit in (("Gyroscope", "rad/s"), ("Acceleration", "m/s^2"))
              for axis in "xyz"]  # fmt: skip
    rows = np.column_stack((time, omega, force))
    lines = [",".join(f'"{head}"' for head in heads)]
    lines += [",".join([f"{row[0]:.6f}", *(f"{value:.5f}" for value in row[1:])]) for row in rows.tolist()]
    return "\n".join(lines) + "\n"
