"""The units of a sensor's recording that does not declare them.

It is mostly in a hand, so that it is no free motion as a whole: how often a sensor measures tells the unit of time,
and gravity in an accelerometer, else the free flights, that of the rates. In too fast a unit nearly any motion is that
of a body like a sphere, in too slow a one none: so the slowest unit that fits is the right one, unless no sensor shows
such speeds.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viewer.common.language import plural, tr
from viewer.replay.flights.free_flights import find_flights
from viewer.replay.flights.sensor_units import Units, beyond_sensors, by_gravity
from viewer.replay.flights.signal_quality import ONE_AXIS

Array = NDArray[np.float64]

STEPS = 5e-4, 0.2  # s from row to row, of sensors
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
    clock = next((name for name, size in time_units.items() if STEPS[0] <= step * size <= STEPS[1]), None)
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


def _telling(time: Array, omega: Array) -> int:
    """How many free flights turn enough, and not about one axis only."""
    flights = find_flights(time[: len(omega)], omega)
    return sum(one.turns > LEAST_TURNS and ONE_AXIS not in one.flags for one in flights)
