"""The stretches of a recording in which the body moves freely: tossed, and touched by nothing.

With an accelerometer, a flight is where it feels only the effect of its distance from the centre of mass. Without one,
a flight is where a rigid body explains the motion well. Rest is no flight.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import cumulative_trapezoid

from viewer.physics.rotation import Array
from viewer.replay.fits.inertia import as_matrix, conserved_at, integrals, tensor_times
from viewer.replay.flights.body_fit import fit_flight
from viewer.replay.flights.motion import angular_acceleration, lever_arm
from viewer.replay.flights.signal_quality import (
    CLIPPED,
    ONE_AXIS,
    about_one_axis,
    at_limits,
    flags_of,
    limit_of,
    noise_of,
)

Rows = NDArray[np.intp]

SHORTEST = 0.2  # s
FELT_WINDOW, TURNED_WINDOW = 0.2, 0.4  # s, in which a flight is looked for
WINDOW_ROWS = 24  # of a window that are looked at
AT_ONCE = 1024  # windows, for less memory
MOST_MARKS = 20_000  # about as many rows at most begin a stretch in which one body is looked for
FEWEST_ROWS = 10
FELT = 2.5  # m/s2 that a free sensor may feel, beyond what its position explains
LEVER = 0.1  # m, one sigma of the sensor's position relative to the centre of mass
ACCELERATION_NOISE = 0.5  # m/s2
FELT_TURNS = 0.25  # least turns of a flight with an accelerometer
# least turns of a flight without one, and of a window in it; measured: at least .9 in 120 tosses of a racket, at most
# .66 in 40 minutes of a hand that looks like a flight
TURNED_TURNS, WINDOW_TURNS = 0.75, 0.45
CONFIRMED, EXPLAINED = 0.15, 0.03  # of |L|: most that a rigid body leaves open, with an accelerometer and without
REACH = 0.05  # of |L|: how far L may be off in a row of a flight
KNOWN = 0.003  # of |L|: smaller changes say nothing about the tensor
DRAGS = 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6  # 1/s, of bodies in air, that are tried beside none
DRAGGED = 0.5  # of |L|: without drag, what drag explains leaves less than this
ROUND_OFF = 1e-14  # of what should be zero, squared
LEAST_RATIO = 0.02  # of the moments of a body that explains a motion
WHOLE = 0.03  # of |L|, over half a radian: most that one body leaves open if the whole recording is one flight
WHOLE_TURN = 0.5  # rad
NEARLY_ALL = 0.95  # fraction of the rows from which on a flight is the whole recording
STILL = 0.5  # rad/s: slower is held or lies
# noises that a rigid body may leave open in a flight without an accelerometer; measured: in 158 of 160 tosses less, in
# smooth turning by hand more than 3.4
HAND = 3.0
# of |L|: what leaves less is a flight; measured: below .014 in 95 % of the tosses, above .018 in 95 % of the turning
SMALL = 0.012
BREAK = 0.1  # s: a longer gap ends a flight
UNSEEN = 1.5  # of the usual step: a shorter one is no gap; where rows are missing, the times do not tell for how long
LONGEST_CLIPPED = 5.0  # s: a clipped stretch up to this long is tried as a flight
UNCLIPPED = 0.5  # of the numbers in a flight: if more are clipped, they show no body


@dataclass(frozen=True)
class FreeFlight:
    """Rows `first` to `end` - 1 of a recording, in which the body moves freely.

    `begin` and `until` are the times [s] of the first and the last row; `turns` is the number of turns of the body;
    `residual` is the rms of what a rigid body leaves unexplained, relative to |L|; `flags` are some of
    `signal_quality.MEANINGS`; `limit` is the size at which the sensor clips [rad/s], or inf; `whole` tells whether the
    flight is the whole recording.
    """

    first: int
    end: int
    begin: float
    until: float
    turns: float
    residual: float
    flags: tuple[str, ...] = ()
    limit: float = np.inf
    whole: bool = False

    @property
    def rows(self) -> slice:
        """The slice of its rows."""
        return slice(self.first, self.end)

    @property
    def samples(self) -> int:
        """The number of its rows."""
        return self.end - self.first

    @property
    def seconds(self) -> float:
        """Its duration [s]."""
        return self.until - self.begin


def find_flights(
    time: Array, omega_body: Array, acceleration: Array | None = None, gaps: Sequence[int] | Rows = ()
) -> tuple[FreeFlight, ...]:
    """Return the free flights in times (N,) [s], rates (N, 3) [rad/s] and specific force (N, 3) [m/s2], in their order.

    `gaps` are the rows before which other rows are missing. A flight goes across a gap only if the gap is no longer
    than BREAK and the times show its length; after a pause of the recorder they do not.
    """
    if len(time) < FEWEST_ROWS:
        return ()
    found = _Recording(time, omega_body, gaps)
    acceleration = _felt(time, omega_body, acceleration)
    if acceleration is None:
        misfit = np.inf if found.gaps[-1] else found.misfit_of_one_body()
        if misfit <= WHOLE:
            return (found.doubted(found.flight(0, len(time), misfit, whole=True)),)
        spans = found.explained() or ([(0, len(time))] if found.clipped(0, len(time)) else [])
    else:
        spans = found.felt(acceleration)
    flights = []
    for first, end in spans:
        flight = found.checked(first, end, acceleration is not None)
        if flight and (acceleration is not None or found.by_no_hand(flight)):
            flights.append(flight)
    if len(flights) == 1 and not found.gaps[-1] and flights[0].samples >= NEARLY_ALL * len(time):
        flights = [found.flight(0, len(time), flights[0].residual, whole=True)]
    return tuple(flights if acceleration is not None else map(found.doubted, flights))


def least_turns(time: Array, omega_body: Array, acceleration: Array | None) -> float:
    """Return how many turns a flight makes at least in a recording with these times, rates and specific force."""
    return TURNED_TURNS if _felt(time, omega_body, acceleration) is None else FELT_TURNS


def _felt(time: Array, omega: Array, acceleration: Array | None) -> Array | None:
    """Return the accelerometer's values (N, 3), interpolated where it shows nothing.

    Return None if it shows too little, or no gravity while the sensor is still.
    """
    if acceleration is None:
        return None
    known = np.isfinite(acceleration).all(axis=1)
    if np.count_nonzero(known) < FEWEST_ROWS:
        return None
    filled = np.stack([np.interp(time, time[known], column[known]) for column in acceleration.T], axis=1)
    still = known & (np.linalg.norm(omega, axis=1) < STILL)
    if np.count_nonzero(still) >= FEWEST_ROWS and np.median(np.linalg.norm(filled[still], axis=1)) < FELT:
        return None
    return filled


class _Recording:
    def __init__(self, time: Array, omega: Array, gaps: Sequence[int] | Rows) -> None:
        self.time, self.omega = time, omega
        self.steps = np.diff(time)
        self.angle = np.concatenate(([0.0], np.cumsum(np.linalg.norm(omega[1:], axis=1) * self.steps)))
        unseen = UNSEEN * float(np.median(self.steps))
        lost, at = self.steps > max(BREAK, unseen), np.asarray(gaps, np.intp) - 1
        lost[at[self.steps[at] < unseen]] = True
        self.gaps = np.concatenate(([0], np.cumsum(lost)))  # equal numbers: no gap between
        self.turned = cumulative_trapezoid(omega, time, axis=0, initial=0.0)
        self.limit = limit_of(omega)

    def flight(self, first: int, end: int, residual: float, whole: bool = False) -> FreeFlight:
        rows = slice(first, end)
        turns = float(self.angle[end - 1] - self.angle[first]) / (2.0 * np.pi)
        flags = flags_of(self.time[rows], self.omega[rows], self.limit)
        begin, until = float(self.time[first]), float(self.time[end - 1])
        return FreeFlight(first, end, begin, until, turns, residual, flags, self.limit, whole)

    def misfit_of_one_body(self) -> float:
        """Return the misfit of Euler's equations for the best body, relative to |L|; inf if the body turns too little.

        The equations are integrated over turns of half a radian.
        """
        if not self.angle[-1] > WHOLE_TURN:
            return np.inf
        several = max(round(WHOLE_TURN * (len(self.time) - 1) / self.angle[-1]), 1)
        integral = integrals(self.time, self.omega)
        marks = np.arange(0, len(self.time) - several, max(several // 2, 1))
        marks = marks[:: max(len(marks) // MOST_MARKS, 1)]
        change, turned, part = (of[marks + several] - of[marks] for of in (self.omega, self.turned, integral))
        return float(_explained(conserved_at(change, part)[None], turned[None], self.omega[None, marks])[0][0])

    def windows(self, seconds: float) -> tuple[Rows, Rows]:
        """Return the first and the last rows of overlapping windows of this length [s], none across a gap.

        A window begins every `seconds` / 4. Windows with too few rows are left out.
        """
        quarter = 0.25 * seconds
        quarters = np.unique(np.floor((self.time - self.time[0]) / quarter))
        holding = np.unique(quarters[:, None] - np.arange(4))  # those with a row in them: time may leap
        begins = self.time[0] + quarter * holding[holding >= 0.0]
        begins = begins[begins < self.time[-1] - seconds]
        first = np.searchsorted(self.time, begins)
        last = np.searchsorted(self.time, begins + seconds, side="right") - 1
        kept = (self.gaps[first] == self.gaps[last]) & (last - first >= FEWEST_ROWS // 2)
        return first[kept], last[kept]

    def explained(self) -> list[tuple[int, int]]:
        """Return the spans (first, end) of rows in which the body turns much and which one rigid body explains.

        They are grown from the windows that are explained best.
        """
        first, last = self.windows(TURNED_WINDOW)
        turning = self.angle[last] - self.angle[first] > 2.0 * np.pi * WINDOW_TURNS
        first, last = first[turning], last[turning]
        if not len(first):
            return []
        integral = integrals(self.time, self.omega, smooth=False)
        misfit, inertia, drag = np.empty(len(first)), np.empty((len(first), 6)), np.empty(len(first))
        for some in _some(len(first)):
            rows = _rows(first[some], last[some])
            misfit[some], inertia[some], drag[some] = self._in_rows(rows, integral[rows])
        spans: list[tuple[int, int]] = []
        for window in np.argsort(misfit):
            if misfit[window] > EXPLAINED:
                break
            if any(a < last[window] and first[window] < b for a, b in spans):
                continue
            body = inertia[window], float(drag[window])
            spans.append(self._grown(int(first[window]), int(last[window]) + 1, *body, integral))
        return _separate(spans)

    def _in_rows(self, rows: Rows, integral: Array) -> tuple[Array, Array, Array]:
        """Return what `_explained` does for the rows (W, n) of W windows with these `integrals` (W, n, 6)."""
        kept, turned = conserved_at(self.omega[rows], integral), self.turned[rows]
        kept, turned = kept - kept.mean(axis=1, keepdims=True), turned - turned.mean(axis=1, keepdims=True)
        return _explained(kept, turned, self.omega[rows])

    def _grown(self, first: int, end: int, inertia: Array, drag: float, integral: Array) -> tuple[int, int]:
        """Return the span, extended by the rows before and after it that the same body with the same drag explains.

        Both are fitted anew as the span grows.
        """
        for _ in range(20):
            before = first, end
            some = max(round(0.5 * (end - first)), 4)
            low, high = max(first - some, 0), min(end + some, len(self.time))
            slowed = self.omega[low:high] + drag * self.turned[low:high]
            L = conserved_at(slowed, integral[low:high]) @ inertia
            middle = L[first - low : end - low].mean(axis=0)
            size = np.linalg.norm(self.omega[first:end] @ as_matrix(inertia), axis=1).mean()
            good = np.linalg.norm(L - middle, axis=1) < REACH * size
            good &= self.gaps[low:high] == self.gaps[first]
            bad = np.flatnonzero(~good) + low
            centre = (first + end) // 2
            first = int(bad[bad < centre].max(initial=low - 1)) + 1
            end = int(bad[bad >= centre].min(initial=high))
            if end - first < FEWEST_ROWS or (first, end) == before:
                break
            misfit, anew, drags = self._in_rows(np.arange(first, end)[None], integral[None, first:end])
            if np.isfinite(misfit[0]):
                inertia, drag = anew[0], float(drags[0])
        return first, end

    def felt(self, acceleration: Array) -> list[tuple[int, int]]:
        """Return the spans of rows where the sensor feels only the effect of its distance from the centre of mass."""
        first, last = self.windows(FELT_WINDOW)
        if not len(first):
            return []
        alpha = angular_acceleration(self.time, self.omega)
        quiet = np.empty(len(first), bool)
        for some in _some(len(first)):
            rows = _rows(first[some], last[some])
            arm = lever_arm(alpha[rows], self.omega[rows])
            place = _place(arm, acceleration[rows])
            left = acceleration[rows] - np.einsum("wnij,wj->wni", arm, place)
            quiet[some] = np.sqrt(np.mean(np.sum(left**2, axis=2), axis=1)) < FELT
        spans: list[tuple[int, int]] = []
        for a, b in zip(first[quiet].tolist(), last[quiet].tolist(), strict=True):
            if spans and a <= spans[-1][1] and self.gaps[a] == self.gaps[spans[-1][0]]:
                spans[-1] = spans[-1][0], b + 1
            else:
                spans.append((a, b + 1))
        return _separate([span for a, b in spans if (span := self._free(a, b, alpha, acceleration)) is not None])

    def _free(self, first: int, end: int, alpha: Array, acceleration: Array) -> tuple[int, int] | None:
        """Return the rows in and around a span in which a sensor at one position feels only its own motion; or None."""
        centre = (first + end) // 2
        for _ in range(3):
            some = max((end - first) // 2, 2)
            low, high = max(first - some, 0), min(end + some, len(self.time))
            arm = lever_arm(alpha[low:high], self.omega[low:high])
            place = _place(arm[None, first - low : end - low], acceleration[None, first:end])[0]
            off = np.linalg.norm(acceleration[low:high] - arm @ place, axis=1)
            bad = np.flatnonzero((off > FELT) | (self.gaps[low:high] != self.gaps[centre])) + low
            first = int(bad[bad < centre].max(initial=low - 1)) + 1
            end = int(bad[bad >= centre].min(initial=high))
            if end - first < 4:
                return None
        return first, end

    def checked(self, first: int, end: int, felt: bool) -> FreeFlight | None:
        """Return the flight in a span, or None if it is too short, hardly turns, or no rigid body explains it.

        `felt` tells whether an accelerometer shows the flight, too.
        """
        most, least = (CONFIRMED, FELT_TURNS) if felt else (EXPLAINED, TURNED_TURNS)
        turned = self.angle[end - 1] - self.angle[first]
        if end - first < FEWEST_ROWS or self.time[end - 1] - self.time[first] < SHORTEST:
            return None
        if turned < 2.0 * np.pi * least:
            return None
        integral = integrals(self.time[first:end], self.omega[first:end])
        misfit = float(self._in_rows(np.arange(first, end)[None], integral[None])[0][0])
        if misfit >= most and self.clipped(first, end):  # Euler's equations fail on what the sensor cut off
            misfit = fit_flight(self.time[first:end], self.omega[first:end], self.limit).residual
        return self.flight(first, end, misfit) if misfit < most else None

    def by_no_hand(self, flight: FreeFlight) -> bool:
        """Tell whether one body explains the rates down to their noise; a hand that turns smoothly leaves more."""
        rates = self.omega[flight.rows]
        noise = noise_of(rates) / float(np.sqrt(np.mean(np.sum(rates**2, axis=1))))
        return CLIPPED in flight.flags or flight.residual <= max(HAND * noise, SMALL)

    def doubted(self, flight: FreeFlight) -> FreeFlight:
        """Return the flight with the flag ONE_AXIS if its rates keep to one axis, as when a hand turns the sensor."""
        one_axis = about_one_axis(self.omega[flight.rows])
        return replace(flight, flags=(*flight.flags, ONE_AXIS)) if one_axis else flight

    def clipped(self, first: int, end: int) -> bool:
        """Tell whether the sensor clipped some of these rows, but few enough that the rest may show a flight.

        Return False if the rows last longer than LONGEST_CLIPPED, or if there is a gap among them.
        """
        if self.time[end - 1] - self.time[first] > LONGEST_CLIPPED or self.gaps[first] != self.gaps[end - 1]:
            return False
        at_limit = float(np.mean(at_limits(self.omega[first:end], self.limit)))
        return 0.0 < at_limit < UNCLIPPED


def _rows(first: Rows, last: Rows) -> Rows:
    """Return WINDOW_ROWS evenly spread rows of each window, (W, WINDOW_ROWS)."""
    parts = np.linspace(0.0, 1.0, WINDOW_ROWS)
    return np.asarray(np.round(first[:, None] + parts * (last - first)[:, None]).astype(np.intp))


def _some(windows: int) -> list[Rows]:
    """Return the indices of the windows in groups of at most AT_ONCE."""
    return np.array_split(np.arange(windows), windows // AT_ONCE + 1)


def _explained(changes: Array, turned: Array, omega: Array) -> tuple[Array, Array, Array]:
    """Return how much the best bodies leave unexplained, as rms (W,) relative to |L|, their tensors and drags [1/s].

    There are W windows with rates `omega` (W, n, 3). The product of `changes` (W, n, 3, 6) with a tensor (W, 6) should
    be zero without drag; a drag k adds k I times `turned` (W, n, 3), the integral of omega. The rms is inf if no solid
    has the tensor. A steady spin leaves most of the tensor open; of all tensors that explain it equally well, the one
    nearest to a sphere's is taken.
    """
    changes, drag = changes.reshape(len(omega), -1, 6), np.zeros(len(omega))
    speed = np.mean(np.sum(omega**2, axis=2), axis=1) * omega.shape[1]
    tensor = _solved(changes, speed)
    misfit = _left(changes, tensor, omega)
    near = np.flatnonzero(misfit < DRAGGED)
    changes, speed, omega = changes[near], speed[near], omega[near]
    slowed = tensor_times(turned[near]).reshape(changes.shape)
    least = np.where(_solid(tensor[near]), misfit[near], np.inf)
    for k in DRAGS:
        with_drag = changes + k * slowed
        another = _solved(with_drag, speed)
        left = np.where(_solid(another), _left(with_drag, another, omega), np.inf)
        better = left < least
        least = np.where(better, left, least)
        tensor[near[better]], drag[near[better]] = another[better], k
    misfit[near] = least
    return np.where(_solid(tensor), misfit, np.inf), tensor, drag


def _solid(tensor: Array) -> NDArray[np.bool_]:
    """Tell which of the tensors (W, 6) are those of solids."""
    moments = np.linalg.eigvalsh(as_matrix(tensor))
    return np.asarray(moments[:, 0] > LEAST_RATIO * moments[:, 2])


def _solved(changes: Array, speed: Array) -> Array:
    """Return the tensors (W, 6) whose products with the changes (W, 3 n, 6) are least.

    `speed` (W,) is the sum of the squares of the rates.
    """
    normal = changes.swapaxes(1, 2) @ changes
    digits = ROUND_OFF * np.einsum("wjj->w", normal)  # without at least these the tensor follows from none
    weight = np.maximum(np.maximum(KNOWN**2 * speed, digits), 1e-300)[:, None]
    sphere = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
    held = weight[:, :, None] * np.eye(6)
    return np.asarray(np.linalg.solve(normal + held, (weight * sphere)[..., None])[..., 0])


def _left(changes: Array, tensor: Array, omega: Array) -> Array:
    """Return what tensors (W, 6) leave of the changes (W, 3 n, 6), as rms (W,) relative to |L|."""
    L = np.einsum("wni,wij->wnj", omega, as_matrix(tensor))
    left = np.sum((changes @ tensor[:, :, None]) ** 2, axis=(1, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.sqrt(left / np.sum(L**2, axis=(1, 2))))


def _place(arm: Array, acceleration: Array) -> Array:
    """Return the sensor's positions (W, 3) [m] from the centre of mass that best explain its acceleration (W, n, 3)."""
    normal = np.einsum("wnij,wnik->wjk", arm, arm) + (ACCELERATION_NOISE / LEVER) ** 2 * np.eye(3)
    return np.asarray(np.linalg.solve(normal, np.einsum("wnij,wni->wj", arm, acceleration)[..., None])[..., 0])


def _separate(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans in their order, without those that overlap an earlier one."""
    kept: list[tuple[int, int]] = []
    for span in sorted(set(spans)):
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept
