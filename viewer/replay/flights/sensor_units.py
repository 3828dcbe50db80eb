"""The units of a sensor's recording, whether it declares them or not, and whether its axes are right-handed.

Three things tell, each by itself, and none needs to know the accelerometer's unit: how gravity turns in the sensor's
axes while it is held, Euler's equations in a free flight, whose two terms have different units, and the limits of
sensors.

Such a recording is mostly in a hand, so that it is no free motion as a whole. Where it declares nothing, how often it
measures tells the unit of time, and gravity, else the free flights, that of the rates. In too fast a unit nearly any
motion is that of a body like a sphere, in too slow a one none: so the slowest unit that fits is the right one, unless
no sensor shows such speeds.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import cumulative_trapezoid

from viewer.common.errors import brief
from viewer.common.language import plural, tr
from viewer.replay.flights.free_flights import find_flights, misfit_of
from viewer.replay.flights.signal_quality import ONE_AXIS

Array = NDArray[np.float64]
Units = Mapping[str, float]  # their sizes in rad/s

HELD = 0.2  # of the usual size: an acceleration so near to it is gravity's
LAG = 0.05  # s over which gravity turns
PARTS = 20  # of the recording, by which the certainty is judged
FEWEST, MOST = 100, 20_000  # pairs of rows that are compared
CERTAIN, LIKELY = 5.0, 2.0  # standard errors
NEAR = 2.0  # a factor that is no other unit's
MOSTLY = 0.5  # of the rows in a flight that tells its unit: a part of a hand's motion may fit by chance
EXPLAINED = 0.03  # of |L|: most that a rigid body leaves open in a flight in the right unit
WORSE = 5.0  # times that in a wrong one
FASTEST = np.radians(4600.0)  # rad/s: no sensor of a phone or a camera shows more; their largest range is 4000 deg/s
SENSOR_STEPS = 5e-4, 0.2  # s from row to row, of sensors
MOST_ROWS = 60_000  # in which flights are looked for
LEAST_TURNS = 1.0  # of a flight that tells the unit
CLEARLY_MORE = 2  # flights in mirrored rates; measured: 4 of 5 tosses of a phone or more, and none of another body


@dataclass(frozen=True)
class SensorUnits:
    """Units by their names in a recording's conventions; `because`: what tells that of the rates."""

    rate: str
    time: str
    because: str


def sensor_units(
    time: Array, rates: Array, acceleration: Array | None, rate_units: Units, time_units: Units
) -> SensorUnits | None:
    """The one of these units that rates (N, 3) at times (N,) are in, if they are a sensor's; None where nothing tells.

    acceleration (N, 3): in any unit, nan where nothing was measured.
    """
    step = float(np.median(np.diff(time)))
    clock = next((name for name, size in time_units.items() if SENSOR_STEPS[0] <= step * size <= SENSOR_STEPS[1]), None)
    if clock is None:
        return None
    time = time * time_units[clock]
    if acceleration is not None and (unit := by_gravity(time, rates, acceleration, rate_units)):
        return SensorUnits(
            unit, clock, tr("gravity in the accelerometer turns at these rates in {unit}").format(unit=unit)
        )
    for unit in sorted(rate_units, key=lambda name: rate_units[name]):
        omega = rate_units[unit] * rates[:MOST_ROWS]
        if beyond_sensors(omega):
            break
        if count := _telling(time, omega):
            text = plural("{count} free flight fits {unit}", "{count} free flights fit {unit}", count)
            return SensorUnits(unit, clock, text.format(count=count, unit=unit))
    return None


def mirrored(time: Array, omega_body: Array) -> tuple[int, int] | None:
    """(free flights in these rates (N, 3) [rad/s], and with their signs turned), where that are clearly more: then the
    axes are left-handed, or turns are counted clockwise. None else; of most bodies mirrored rates are those of another
    solid, but not of a flat one, such as a phone."""
    omega = omega_body[:MOST_ROWS]
    there = _telling(time, -omega)
    if there < CLEARLY_MORE:
        return None
    here = _telling(time, omega)
    return (here, there) if there >= here + CLEARLY_MORE else None


def likely_unit(time: Array, rates: Array, acceleration: Array, declared: str, units: Units) -> tuple[str, str] | None:
    """(the unit that these rates are in, what tells so); None where the declared one fits, or nothing is certain.

    time (N,) [s]; rates (N, 3) in the sensor's axes; acceleration (N, 3) in any unit, nan where nothing was measured.
    """
    by_it = by_gravity(time, rates, acceleration, units)
    if by_it == declared:
        return None
    if by_it is not None:
        return by_it, tr("gravity in the accelerometer turns at these rates in {unit}").format(unit=by_it)
    if found := _by_flights(time, rates, acceleration, declared, units):
        return found
    if declared == "rad/s" and (fastest := beyond_sensors(rates)):
        return "deg/s", tr("no such sensor shows {speed} rad/s").format(speed=brief(fastest, 3))
    return None


def by_gravity(time: Array, rates: Array, acceleration: Array, units: Units) -> str | None:
    """The unit in which the rates turn as gravity does while the sensor is held; None where that is not certain. The
    arguments are those of `likely_unit`."""
    turned = _turn_of_gravity(time, rates, acceleration)
    near = (unit for unit, factor in units.items() if turned and max(turned / factor, factor / turned) < NEAR)
    return next(near, None)


def beyond_sensors(rates: Array) -> float | None:
    """The largest of these rates [rad/s], where that is more than a phone's sensor shows; else None."""
    fastest = float(np.abs(rates).max())
    return fastest if fastest > FASTEST else None


def reversed_axes(time: Array, rates: Array, acceleration: Array) -> str:
    """The axes, such as "xz", about which gravity turns against these rates while the sensor is held, one of them for
    certain: that axis points the other way, or turns about it are counted clockwise. The arguments are those of
    `likely_unit`."""
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
    if not (found > LIKELY * error).any():
        return "xyz"  # as both sensors show it where their axes are mirrored
    return "".join(name for name, against in zip("xyz", found < -LIKELY * error, strict=True) if against)


def _turn_of_gravity(time: Array, rates: Array, acceleration: Array) -> float | None:
    """The size of the unit of these rates [rad/s], by how fast gravity turns in the sensor's axes while that is held:
    da/dt = -omega x a. None where that is not certain."""
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
    """(change, turn, mean), (N, 3) each: of the acceleration over LAG where the sensor is held, how far it turned
    meanwhile in the unit of its rates times s, and the acceleration between. None where there are too few."""
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


def _by_flights(time: Array, rates: Array, acceleration: Array, declared: str, units: Units) -> tuple[str, str] | None:
    """The unit in which a rigid body explains the free flight that most of the recording is, where it explains none
    in the declared one."""
    if _best(time, units[declared] * rates, acceleration) is not None:
        return None
    for unit in units:
        found = _best(time, units[unit] * rates, acceleration) if unit != declared else None
        if found is None:
            continue
        rows, misfit = found
        otherwise = misfit_of(time[rows], units[declared] * rates[rows])
        if otherwise > WORSE * misfit:
            text = tr("a free flight fits {unit} (misfit {misfit} against {other})")
            return unit, text.format(unit=unit, misfit=brief(misfit, 1), other=brief(otherwise, 1))
    return None


def _best(time: Array, omega_body: Array, acceleration: Array) -> tuple[slice, float] | None:
    """(rows of the free flight that a rigid body explains best, its misfit); None where it explains none well."""
    flights = [one for one in find_flights(time, omega_body, acceleration) if one.samples > MOSTLY * len(time)]
    best = min(flights, key=lambda flight: flight.residual, default=None)
    return None if best is None or best.residual > EXPLAINED else (best.rows, best.residual)


def _telling(time: Array, omega: Array) -> int:
    """How many free flights turn enough, and not about one axis only."""
    flights = find_flights(time[: len(omega)], omega)
    return sum(one.turns > LEAST_TURNS and ONE_AXIS not in one.flags for one in flights)
