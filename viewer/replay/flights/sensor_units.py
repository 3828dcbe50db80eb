"""The units of a sensor's recording, whether it declares them or not, and whether its axes are right-handed.

Three things show the unit of the rates, whatever the accelerometer's unit: how fast gravity turns in the axes of the
sensor while it is held, how large rates a sensor can measure, and the range at which it clips.

Such a recording is mostly made in a hand, so that as a whole it is no free motion. If it declares nothing, the unit of
time follows from how often the sensor measures, and that of the rates from gravity, or else from the free flights. In a
unit that makes the rates too fast, a body like a sphere explains nearly any motion; in one that makes them too slow, no
body does. So the slowest unit that fits is the right one, unless no sensor shows such speeds.
"""

from dataclasses import dataclass

import numpy as np
from scipy.integrate import cumulative_trapezoid

from viewer.common.errors import brief
from viewer.common.language import plural, tr
from viewer.physics.rotation import Array
from viewer.replay.conventions import RATE_UNITS, TIME_UNITS
from viewer.replay.fits.inertia import euler_misfit
from viewer.replay.flights.free_flights import find_flights
from viewer.replay.flights.signal_quality import ONE_AXIS, limit_of

HELD = 0.2  # relative distance from the usual size, up to which an acceleration is gravity's
LAG = 0.05  # s over which gravity turns
PARTS = 20  # of the recording, by which the certainty is judged
FEWEST, MOST = 100, 20_000  # pairs of rows that are compared
CERTAIN, LIKELY = 5.0, 2.0  # standard errors
NEAR = 1.5  # factor up to which a measured unit is one of RATE_UNITS
FASTEST = np.radians(4600.0)  # rad/s: no sensor of a phone or a camera shows more; their largest range is 4000 deg/s
SENSOR_STEPS = 5e-4, 0.2  # s from row to row, of sensors
RANGES = 125.0, 245.0, 250.0, 500.0, 1000.0, 2000.0, 4000.0  # deg/s, at which gyroscopes clip
RANGE_OFF = 4e-3  # relative; 2000 deg/s are 32767 / 16.4 = 1998 in a sensor of 16 bits
SENSORS_UNITS = ("deg/s", "rad/s")  # no sensor writes rpm
CLOCKS = ("s", "ms", "us", "ns")
LEAST_TURN = 0.1  # rad, in all: what turns less does not move
MOST_TURN = np.pi  # rad from row to row
NEARLY_ALL = 0.98  # quantile of the rows: a few may be bad
MOST_ROWS = 60_000  # in which flights are looked for
# misfit of the changes of the rates, up to which a flight tells the unit; measured: .03 in 13 tosses, .07 and more in
# smooth turning that is read 57 times too fast
FITS = 0.05
LEAST_TURNS = 1.0  # of a flight that tells the unit


@dataclass(frozen=True)
class SensorUnits:
    """The units of a sensor's rates and times, as a recording's conventions name them.

    `because` says how the unit of the rates is known.
    """

    rate: str
    time: str
    because: str


def sensor_units(time: Array, rates: Array, acceleration: Array | None, clock: str | None) -> SensorUnits | None:
    """Return the units of rates (N, 3) and times (N,) if they are a sensor's, or None if nothing shows the units.

    `acceleration` (N, 3) is in any unit, nan where nothing was measured, or None. `clock` is the declared unit of time,
    or None.
    """
    step = float(np.median(np.diff(time)))
    clocks: tuple[str, ...] = CLOCKS if clock is None else (clock,)
    usual = next((name for name in clocks if is_step_of_sensor(step * TIME_UNITS[name])), None)
    if usual is None:
        return None
    time = time * TIME_UNITS[usual]
    limit = limit_of(rates)
    for unit in SENSORS_UNITS:
        limits = np.radians(RANGES) / RATE_UNITS[unit]
        if clipped := next((size for size, at in zip(RANGES, limits, strict=True) if _near(limit, at)), None):
            text = tr("the rates are clipped at {limit} deg/s, the range of a gyroscope")
            return SensorUnits(unit, usual, text.format(limit=brief(clipped)))
    if acceleration is not None and (turning := by_gravity(time, rates, acceleration)):
        return SensorUnits(turning, usual, _by_gravity_text(turning))
    if acceleration is not None and (fastest := beyond_sensors(rates)):
        return SensorUnits(SENSORS_UNITS[0], usual, _beyond_text(fastest))
    for unit in sorted(RATE_UNITS, key=lambda name: RATE_UNITS[name]):
        omega = RATE_UNITS[unit] * rates[:MOST_ROWS]
        if beyond_sensors(omega) or not is_motion(time[: len(omega)], omega):
            continue
        found = find_flights(time[: len(omega)], omega)
        flights = [one for one in found if one.turns > LEAST_TURNS and ONE_AXIS not in one.flags]
        count = sum(euler_misfit(time[one.rows], omega[one.rows]) < FITS for one in flights)
        if count > (unit not in SENSORS_UNITS):  # a single flight is no proof of an unusual unit
            text = plural("{count} free flight fits {unit}", "{count} free flights fit {unit}", count)
            return SensorUnits(unit, usual, text.format(count=count, unit=unit))
    return None


def is_step_of_sensor(step: float) -> bool:
    """Tell whether sensors measure as often as once in `step` [s]."""
    return SENSOR_STEPS[0] <= step <= SENSOR_STEPS[1]


def _near(limit: float, at: float) -> bool:
    return abs(limit / at - 1.0) < RANGE_OFF


def is_motion(time: Array, rates: Array) -> bool:
    """Tell whether rates (N, 3) [rad/s] turn the body, and by no more than half a turn from row to row.

    In units in which it does not turn, or turns by more than the rows show, any body explains the motion.
    """
    turns = np.linalg.norm(rates[1:], axis=1) * np.diff(time)
    return bool(turns.sum() > LEAST_TURN and np.quantile(turns, NEARLY_ALL) < MOST_TURN)


def likely_unit(time: Array, rates: Array, acceleration: Array, declared: str) -> tuple[str, str] | None:
    """Return the unit of rates and how it is known; None if the declared unit fits, or if nothing is certain.

    `time` (N,) is in s, `rates` (N, 3) are in the sensor's axes, `acceleration` (N, 3) is in any unit, nan where
    nothing was measured.
    """
    unit = by_gravity(time, rates, acceleration)
    if unit is not None:
        return None if unit == declared else (unit, _by_gravity_text(unit))
    if declared == "rad/s" and (fastest := beyond_sensors(rates)):
        return SENSORS_UNITS[0], _beyond_text(fastest)
    return None


def _beyond_text(fastest: float) -> str:
    return tr("no such sensor shows {speed} rad/s").format(speed=brief(fastest, 3))


def _by_gravity_text(unit: str) -> str:
    return tr("gravity in the accelerometer turns at these rates in {unit}").format(unit=unit)


def by_gravity(time: Array, rates: Array, acceleration: Array) -> str | None:
    """Return the unit in which the rates explain how gravity turns while the sensor is held; None if uncertain.

    The arguments are those of `likely_unit`.
    """
    turned = _turn_of_gravity(time, rates, acceleration)
    return next((unit for unit, size in RATE_UNITS.items() if turned and _alike(turned, size)), None)


def _alike(found: float, size: float) -> bool:
    """Tell whether a measured unit of rates is the one of this size [rad/s]."""
    return size / NEAR < found < size * NEAR


def beyond_sensors(rates: Array) -> float | None:
    """Return the largest of these rates [rad/s] if it is more than a phone's sensor can show; else None."""
    fastest = float(np.abs(rates).max())
    return fastest if fastest > FASTEST else None


def reversed_axes(time: Array, rates: Array, acceleration: Array) -> str:
    """Return the axes, such as "xz", about which gravity turns in the opposite sense to the rates.

    The reason is that the axis points the other way, or that turns about it are counted clockwise. If this is certain
    for no axis, the text is empty; if it is certain for one, likely ones are included. The arguments are those of
    `likely_unit`.
    """
    pairs = _gravity(time, rates, acceleration)
    if pairs is None:
        return ""
    change, turned, middle = pairs
    by_axis = -np.cross(turned[:, :, None] * np.eye(3), middle[:, None])  # (N, axis, 3), at one radian a unit
    parts = np.array_split(np.arange(len(change)), PARTS)
    squares = np.array([np.einsum("nki,nli->kl", by_axis[part], by_axis[part]) for part in parts])
    products = np.array([np.einsum("nki,ni->k", by_axis[part], change[part]) for part in parts])
    left = squares.sum(axis=0) - squares, (products.sum(axis=0) - products)[..., None]  # without one part each
    factors = (np.linalg.pinv(left[0]) @ left[1])[..., 0]
    found, error = factors.mean(axis=0), np.sqrt((PARTS - 1) * factors.var(axis=0))
    if not (found < -CERTAIN * error).any():
        return ""
    against = found < -LIKELY * error
    if not (found > LIKELY * error).any():
        against[:] = True  # as both sensors show it where their axes are mirrored
    if by_gravity(time, np.where(against, -rates, rates), acceleration) is None:
        return ""  # that of a shaking hand: gravity turns at the rates of a unit, in either sense
    return "".join(name for name, one in zip("xyz", against, strict=True) if one)


def _turn_of_gravity(time: Array, rates: Array, acceleration: Array) -> float | None:
    """Return the size of the unit of these rates [rad/s], or None if it is not certain.

    It follows from how fast gravity turns in the sensor's axes while the sensor is held: da/dt = -omega x a.
    """
    pairs = _gravity(time, rates, acceleration)
    if pairs is None:
        return None
    change, turned, middle = pairs
    expected = -np.cross(turned, middle)
    length = np.linalg.norm(expected, axis=1)
    along = np.sum(change * expected, axis=1) / np.maximum(length, 1e-300)
    parts = [(along[part].sum(), length[part].sum()) for part in np.array_split(np.arange(len(change)), PARTS)]
    seen, wanted = np.array(parts).T
    found = float(seen.sum() / max(float(wanted.sum()), 1e-300))
    error = float(np.sqrt(np.sum((seen - found * wanted) ** 2))) / max(float(wanted.sum()), 1e-300)
    return abs(found) if abs(found) > CERTAIN * error else None  # negative in mirrored axes


def _gravity(time: Array, rates: Array, acceleration: Array) -> tuple[Array, Array, Array] | None:
    """Return (change, turn, mean), each (N, 3), over intervals of LAG in which the sensor is held.

    Change and mean are those of the acceleration; the turn is that of the sensor, in the unit of its rates times s.
    Return None if there are too few such intervals.
    """
    size, speed = np.linalg.norm(acceleration, axis=1), np.linalg.norm(rates, axis=1)
    usual = float(np.nanmedian(size))
    held = (np.abs(size - usual) < HELD * usual) & (speed <= np.median(speed))  # in flight it turns fast
    moved = np.concatenate(([0], np.cumsum(~held)))  # equal numbers: held between
    later = np.minimum(np.searchsorted(time, time + LAG), len(time) - 1)
    first = np.arange(len(time))
    pairs = np.flatnonzero((moved[later + 1] == moved[first]) & (time[later] - time < 2.0 * LAG) & (later > first))
    pairs = pairs[:: max(-(-len(pairs) // MOST), 1)]
    if len(pairs) < FEWEST:
        return None
    turned = cumulative_trapezoid(rates, time, axis=0, initial=0.0)
    before, after = acceleration[pairs], acceleration[later[pairs]]
    return after - before, turned[later[pairs]] - turned[pairs], 0.5 * (before + after)
