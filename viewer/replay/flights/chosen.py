"""Which of a recording's flights are replayed, and the body fitted to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import refusal, shown
from viewer.common.language import tr
from viewer.replay.flights.body_fit import BodyFit, FlightMotion, fit_flights
from viewer.replay.flights.free_flights import FreeFlight
from viewer.replay.flights.problem import Flight
from viewer.replay.flights.words import describe, numbered, quality_of, report, unknown

Array = NDArray[np.float64]

ALL = "all"
GOOD = 0.01  # residual below which a flight of more turns is the better one


@dataclass(frozen=True, eq=False)
class ChosenFlights:
    """flights: all of a recording. numbers: of those, from 0, that `fit` is of. shown: the number of the one that is
    replayed."""

    flights: tuple[FreeFlight, ...]
    numbers: tuple[int, ...]
    shown: int
    fit: BodyFit

    @property
    def flight(self) -> FreeFlight:
        """The one that is replayed."""
        return self.flights[self.shown]

    @property
    def motion(self) -> FlightMotion:
        """Its fitted motion."""
        return self.fit.motions[self.numbers.index(self.shown)]

    @property
    def line(self) -> str:
        """What happened in the one that is replayed."""
        return describe(self.fit, self.numbers.index(self.shown))

    def findings(self) -> list[str]:
        """All flights, and what is known of the chosen ones, a sentence each."""
        lines = flight_list(self.flights)
        if len(self.numbers) < len(self.flights):
            lines.append(tr("flight {number} is shown and fitted").format(number=self.shown + 1))
        elif len(self.flights) > 1:
            lines.append(
                tr("one body is fitted to all flights; flight {number} is shown").format(number=self.shown + 1)
            )
        return lines + report(self.fit, self.numbers)

    def data(self) -> dict[str, Any]:
        """The same as plain data with every digit, for JSON."""
        fit = self.fit
        return {
            "flights": [
                {
                    "begin_s": flight.begin,
                    "end_s": flight.until,
                    "turns": flight.turns,
                    "samples": flight.samples,
                    "residual": flight.residual,
                    "flags": list(flight.flags),
                }
                for flight in self.flights
            ],
            "fitted_flights": [number + 1 for number in self.numbers],
            "shown_flight": self.shown + 1,
            "moments": fit.moments.tolist(),
            "moments_sigma": fit.moments_sigma.tolist(),
            "principal_axes": fit.axes.T.tolist(),
            "principal_axes_sigma_deg": np.degrees(fit.axes_sigma).tolist(),
            "drag_per_s": fit.drag,
            "drag_sigma_per_s": fit.drag_sigma,
            "noise_rad_per_s": fit.noise,
            "residual": fit.residual,
            "descriptions": [describe(fit, place) for place in range(len(self.numbers))],
            "unknown": unknown(fit),
        }


def flight_list(flights: Sequence[FreeFlight]) -> list[str]:
    """The flights with their numbers, one line each."""
    return [numbered(number, quality_of(flight)) for number, flight in enumerate(flights)]


def best(flights: Sequence[FreeFlight], numbers: Sequence[int]) -> int:
    """The number of the flight that shows most: many turns, well explained."""
    return max(numbers, key=lambda number: flights[number].turns / (GOOD + flights[number].residual))


def choose(time: Array, omega_body: Array, flights: Sequence[FreeFlight], which: str | None = None) -> ChosenFlights:
    """The flights `which`: a number from 1 on, ALL for all of one body together, None for the best one.

    Raises InputError for a number that there is not.
    """
    every = tuple(range(len(flights)))
    if which is None:
        numbers: tuple[int, ...] = (best(flights, every),)
    elif which == ALL:
        numbers = every
    elif which in {str(number + 1) for number in every}:
        numbers = (int(which) - 1,)
    else:
        raise refusal(
            "flight: {which} is not allowed; allowed are 1 to {count}, or all", which=shown(which), count=len(every)
        )
    fit = fit_flights(
        [Flight(time[one.rows], omega_body[one.rows], one.limit) for one in (flights[n] for n in numbers)]
    )
    return ChosenFlights(tuple(flights), numbers, best(flights, numbers), fit)
