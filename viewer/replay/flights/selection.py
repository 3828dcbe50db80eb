"""Which flights of a recording are replayed, and the body fitted to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from viewer.common.errors import InputError, brief, refusal, shown
from viewer.common.language import plural, tr
from viewer.physics.rotation import Array
from viewer.replay.fits.inertia import fit_inertia
from viewer.replay.flights.body_fit import BodyFit, FlightMotion, fit_flights
from viewer.replay.flights.flights_fit import Flight
from viewer.replay.flights.free_flights import SHORTEST, FreeFlight, find_flights, least_turns
from viewer.replay.flights.rest import Rest, rest_of, unknown_rest
from viewer.replay.flights.signal_quality import ONE_AXIS, noise_of
from viewer.replay.flights.words import describe, moments_known, numbered, quality_of, report, unknown
from viewer.replay.inference import without_doubts
from viewer.replay.recording import Recording

ALL = "all"
MOST_TOGETHER = 12  # flights that one body is fitted to
PURE = 1e-3  # misfit of moments below which a wholly free motion is a simulator's, without noise and drag
NOISELESS = 3e-5  # noise of the rates, relative to them, below which they are a simulator's; 1.4e-4 at least measured
TRIED = 3  # of the best flights; the first of them that determines the moments is shown
BIAS_TURNS = 0.2  # most turns of flights that cannot tell a bias from a turn, if the sensor was never at rest
GOOD = 0.01  # residual below which a flight of more turns is the better one
# residual of a whole recording, without noise and with it, above which it is no flight, but drifts as an integrator
# does; measured: at most .03 in 105 of 106 cut tosses of a racket, .14 to .44 in 10 s of methods that err
DRIFTS = 1e-3, 0.1


@dataclass(frozen=True, eq=False)
class FlightSelection:
    """The flights of a recording, and the body fitted to some of them.

    `numbers` are the indices of the flights to which `fit` is fitted, `shown` is the index of the one that is replayed.
    `rest` is that of the sensor, or None if it was never at rest.
    """

    flights: tuple[FreeFlight, ...]
    numbers: tuple[int, ...]
    shown: int
    fit: BodyFit
    rest: Rest | None

    @property
    def flight(self) -> FreeFlight:
        """The flight that is replayed."""
        return self.flights[self.shown]

    @property
    def motion(self) -> FlightMotion:
        """The fitted motion of the flight that is replayed."""
        return self.fit.motions[self.numbers.index(self.shown)]

    @property
    def drifts(self) -> bool:
        """Whether the flight is the whole recording, but no motion of one body: only each part of it is."""
        motion = self.motion
        noise = noise_of(motion.measured.rates) / motion.rms_rate
        return self.flight.whole and motion.residual > DRIFTS[noise > NOISELESS]

    @property
    def which(self) -> str:
        """The chosen flights, as an argument of `choose`."""
        return ALL if len(self.numbers) > 1 else str(self.shown + 1)

    @property
    def line(self) -> str:
        """What happened in the flight that is replayed, in one line."""
        return describe(self.fit, self.numbers.index(self.shown))

    @cached_property
    def moments(self) -> Array:
        """The moments (3,) on which `line` is based."""
        return moments_known(self.fit, self.numbers.index(self.shown))

    def findings(self) -> list[str]:
        """Return a sentence about all flights, and what is known of the chosen ones, a sentence each."""
        lines = [numbered(number, quality_of(flight)) for number, flight in enumerate(self.flights)]
        if len(self.flights) > len(self.numbers) > 1:
            text = tr("one body is fitted to the {count} best flights; flight {number} is shown")
            lines.append(text.format(count=len(self.numbers), number=self.shown + 1))
        elif len(self.numbers) < len(self.flights):
            lines.append(tr("flight {number} is shown and fitted").format(number=self.shown + 1))
        elif len(self.flights) > 1:
            lines.append(
                tr("one body is fitted to all flights; flight {number} is shown").format(number=self.shown + 1)
            )
        if self.rest is not None:
            text = tr("the gyroscope shows {rate}°/s at rest, which is taken off its rates")
            lines.append(text.format(rate=brief(float(np.degrees(np.linalg.norm(self.rest.rates))), 2)))
        return lines + report(self.fit, self.numbers)

    def data(self) -> dict[str, Any]:
        """Return the flights and the fit as plain data with every digit, for JSON."""
        fit = self.fit
        return {
            "flights": [
                {
                    "begin_s": flight.begin,
                    "end_s": flight.until,
                    "turns": flight.turns,
                    "samples": flight.samples,
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
            "drag_formula": fit.drag_formula or None,
            "rest_rad_per_s": None if self.rest is None else self.rest.rates.tolist(),
            "bias_rad_per_s": fit.bias.tolist(),
            "noise_rad_per_s": fit.noise,
            "residual": fit.residual,
            "residuals": [motion.residual for motion in fit.motions],
            "descriptions": [describe(fit, place) for place in range(len(self.numbers))],
            "unknown": unknown(fit),
        }


def flights_in(recording: Recording, which: str | None = None) -> tuple[FreeFlight, ...]:
    """Return the free flights in a sensor's recording, or in any recording if `which` asks for one.

    If `which` is None, the motion of another program has no flights: a motion with orientations or declared moments, or
    one without noise. Raises InputError if `which` asks for a flight and none is found, or if a sensor's recording of
    rates alone has none.
    """
    simulated = recording.conventions.moments is not None or recording.has_orientations
    if which is None and simulated and recording.acceleration is None:
        return ()
    flights = find_flights(recording.time, recording.omega_body, recording.acceleration, recording.gaps)
    if which is None and (not flights or flights[0].whole):
        if recording.has_orientations:
            return ()
        if flights:
            misfit = fit_inertia(recording.time, recording.orientation_wxyz, recording.omega_body).misfit
            if misfit < PURE:
                return ()
        elif not recording.of_sensor:
            return ()
    if not flights:
        error = refusal(
            "{name}: no free flight found; a flight makes at least {turns} of a turn, takes {shortest} s or more, and"
            " no hand touches it",
            name=recording.name,
            turns=brief(least_turns(recording.time, recording.omega_body, recording.acceleration)),
            shortest=brief(SHORTEST),
        )
        raise with_warnings(error, recording)
    return flights


def with_warnings(error: InputError, recording: Recording) -> InputError:
    """Return the error with the recording's warnings as its notes, as one of them may be the reason."""
    for text in without_doubts(recording.warnings):
        error.add_note(text)
    return error


def best_first(flights: Sequence[FreeFlight]) -> list[int]:
    """Return the indices of the flights, beginning with those that tell most about the body.

    These have many turns, are well explained, and are not about one axis.
    """
    return sorted(
        range(len(flights)),
        key=lambda number: (
            ONE_AXIS in flights[number].flags,
            -flights[number].turns / (GOOD + flights[number].residual),
        ),
    )


def choose(
    time: Array,
    omega_body: Array,
    flights: Sequence[FreeFlight],
    which: str | None = None,
    acceleration: Array | None = None,
) -> FlightSelection:
    """Return which flights are replayed, and the body fitted to them. Raises InputError if they do not exist.

    `which` is the number of a flight, from 1 on, or ALL. ALL stands for one body fitted to all flights, or to the best
    MOST_TOGETHER if there are more. None stands for the best flight whose moments are determined, if one of the best
    TRIED has such moments, or else for the best flight. `acceleration` (N, 3) [m/s2] shows, with the rates, where the
    sensor rests.
    """
    order, rest = best_first(flights), rest_of(time, omega_body, acceleration)

    def fit_of(*numbers: int) -> BodyFit:
        chosen = [flights[number] for number in numbers]
        measured = [Flight(time[one.rows], omega_body[one.rows], one.limit) for one in chosen]
        enough = rest is not None or sum(one.turns for one in chosen) > BIAS_TURNS
        return fit_flights(measured, (rest or unknown_rest(one.rates for one in measured)) if enough else None)

    if which is None:
        tried = ((number, fit_of(number)) for number in order[:TRIED])
        found = [next(tried)]
        while not found[-1][1].determined and (another := next(tried, None)):
            found.append(another)
        number, fit = found[-1] if found[-1][1].determined else found[0]
        return FlightSelection(tuple(flights), (number,), number, fit, rest)
    if which == ALL:
        numbers: tuple[int, ...] = tuple(sorted(order[:MOST_TOGETHER]))
    elif which in {str(number + 1) for number in order}:
        numbers = (int(which) - 1,)
    else:
        text = plural(
            "flight: {which} is not allowed; allowed are {count} and all",
            "flight: {which} is not allowed; allowed are 1 to {count}, or all",
            len(order),
        )
        raise InputError(text.format(which=shown(which), count=len(order)))
    shown_first = next(number for number in order if number in numbers)
    return FlightSelection(tuple(flights), numbers, shown_first, fit_of(*numbers), rest)
