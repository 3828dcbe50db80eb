"""A recorded motion in this project's conventions and SI units."""

from dataclasses import dataclass, field, replace

import numpy as np
from scipy.interpolate import CubicSpline

from viewer.common.errors import brief, refusal
from viewer.common.language import plural, tr
from viewer.physics.rotation import rotate_back
from viewer.replay.conventions import (
    ACCELERATION_UNITS,
    DIRECTIONS,
    NOTHING_DECLARED,
    RATE_UNITS,
    TIME_UNITS,
    Conventions,
    oriented,
)
from viewer.replay.fits.frames import MATRICES, STRAIGHT, Disagreement
from viewer.replay.flights.signal_quality import noise_of
from viewer.replay.inference import infer
from viewer.replay.kinematics import integrated, rates_of
from viewer.replay.mapping import ColumnMapping
from viewer.replay.raw_recording import (
    Array,
    Progress,
    RawRecording,
    Rows,
    check_rows,
    check_steps,
    evened,
    jumps,
    last_digit,
    no_progress,
    no_rows,
)
from viewer.scenario.sections.race import Recorded

MOST_GAPS = 200
SENSOR_NOISE = 1e-3  # of the rates' rms: a sensor's are noisier, those of a program are rounded to more digits
STEPS = 1e-12, 1e12  # s between two rows
SLOW = 2.0  # rad/s: a sensor that turns no faster is held or lies, and feels gravity
FEWEST_HELD = 10  # rows in which it turns no faster
GRAVITIES = {"g": (0.7, 1.4), "m/s2": (7.0, 14.0)}  # range of what it then shows in each unit
SURE = 0.1  # of gravity: an accelerometer that shows gravity this nearly in a unit is in it, whatever is declared
SPEEDS = 1e-12, 1e12  # rad/s, of the largest rate of a motion; within STEPS and SPEEDS all results are finite


SPEEDS_AT_ALL = 1e-12, 1e14  # the same in the file's unit, whatever it is


@dataclass(frozen=True)
class ReadAs:
    """How a file was read: its columns and conventions as the user gave them, and the time [s] between rows.

    `repair` says that rates and orientations that disagree were read in the conventions in which they agree.
    """

    columns: ColumnMapping | None = None
    wanted: Conventions = NOTHING_DECLARED
    step: float | None = None
    repair: bool = False


@dataclass(frozen=True, eq=False)
class Recording:
    """A motion in this project's conventions and SI units.

    `time` (N,) [s] starts at 0; `orientation_wxyz` (N, 4), body to world, and `omega_body` (N, 3) [rad/s] are in the
    recording's own body axes. `conventions` are those of its file, declared or inferred; `warnings` are one sentence
    each. `has_orientations` and `has_rates` tell which of the two were recorded; if only one was, the other is computed
    from it. `acceleration` (N, 3) [m/s2] is what an accelerometer showed: 0 in free flight, nan where it showed
    nothing; None if there was none. `gaps` are the rows before which rows are missing or time jumps. `file` is the
    absolute path of the file, or empty; `read_as` says how the file was read. `digits` are the last digits that were
    written of orientations, as a turn [rad], and of rates [rad/s], 0 if these were not recorded. `disagreement` is that
    of the recorded rates and orientations, or None.
    """

    name: str
    time: Array
    orientation_wxyz: Array
    omega_body: Array
    conventions: Conventions
    warnings: tuple[str, ...]
    has_orientations: bool = True
    has_rates: bool = True
    acceleration: Array | None = None
    gaps: Rows = field(default_factory=no_rows)
    file: str = ""
    read_as: ReadAs = ReadAs()
    digits: tuple[float, float] = (0.0, 0.0)
    disagreement: Disagreement | None = None

    @property
    def contradiction(self) -> Disagreement | None:
        """How rates and orientations disagree as they were read, or None."""
        return None if self.disagreement is None or self.disagreement.applied else self.disagreement

    def lane(self, label: str) -> Recorded:
        """Return the recording as a lane of a race."""
        return Recorded(self.name, label, off=0.0 if self.contradiction is None else self.contradiction.misfits[1])

    @property
    def of_sensor(self) -> bool:
        """Whether it is a sensor's: it has accelerations, or rates that are noisier than their sampling explains."""
        if self.acceleration is not None or not self.has_rates:
            return self.acceleration is not None
        speed = np.linalg.norm(self.omega_body, axis=1)
        turn = float(speed.max() * np.median(np.diff(self.time)))  # of a smooth motion, `noise_of` leaves its 4th power
        return noise_of(self.omega_body) > (SENSOR_NOISE + turn**4) * float(np.sqrt(np.mean(speed**2)))

    def gaps_within(self, rows: slice | None = None) -> tuple[tuple[float, float], ...]:
        """Return the times [s] before and after each gap in these rows, or in all rows, in order.

        If there are more than MOST_GAPS, only the longest are returned.
        """
        first, end, _ = (rows or slice(None)).indices(len(self.time))
        inside = self.gaps[(self.gaps > first) & (self.gaps < end)]
        lengths = self.time[inside] - self.time[inside - 1]
        longest = np.sort(inside[np.argsort(-lengths, kind="stable")[:MOST_GAPS]])
        return tuple((float(self.time[row - 1]), float(self.time[row])) for row in longest)


def interpret(
    raw: RawRecording,
    wanted: Conventions = NOTHING_DECLARED,
    progress: Progress = no_progress,
    repair: bool = False,
) -> Recording:
    """Return the motion in a file; `wanted` takes precedence over what the file declares, and the rest is inferred.

    With `repair`, rates and orientations that disagree are read in the conventions in which they agree, as far as the
    motion determines these. `progress` is called with the fraction that is done; an exception from it ends the work.
    Raises InputError if the body does not turn, or if times or rates are beyond STEPS and SPEEDS.
    """
    warnings = list(raw.warnings)
    time = evened(raw.time, warnings)
    if raw.rates is not None and (fastest := float(np.abs(raw.rates).max())):
        _check_speed(raw.name, fastest, *SPEEDS_AT_ALL)
    conventions, disagreement = infer(raw, time, wanted.filled_from(raw.declared), warnings)
    if disagreement is not None:
        if repair and disagreement.repaired is not None:
            conventions, disagreement = disagreement.repaired, replace(disagreement, applied=True)
        warnings.append(disagreement.remark)
    elif repair:
        warnings.append(tr("nothing to repair: rates and orientations agree in axes, units and time"))
    time = time * TIME_UNITS[conventions.time_unit or "s"]
    as_written = raw.rates  # before rates between rows are taken
    if conventions.rate_delay:
        raw, time = _in_time(raw, time, conventions.rate_delay)
    check_steps(raw.name, time, *STEPS)
    gaps = _gaps(raw, time, warnings)
    progress(0.0)
    orientation, omega = _motion(time, raw, conventions, gaps, progress)
    fastest = float(np.abs(omega).max())
    if not fastest > 0.0:
        raise refusal("{name}: the body does not turn; a replay needs a motion", name=raw.name)
    _check_speed(raw.name, fastest, *SPEEDS)
    recorded = raw.quaternion is not None, raw.rates is not None
    digits = 2.0 * last_digit(raw.quaternion), last_digit(as_written) * RATE_UNITS[conventions.rate_unit or "rad/s"]
    felt = _acceleration(raw, conventions, omega, warnings)
    return Recording(
        raw.name, time, orientation, omega, conventions, tuple(warnings), *recorded, felt, gaps,
        digits=digits, disagreement=disagreement,
    )  # fmt: skip


def _in_time(raw: RawRecording, time: Array, delay: float) -> tuple[RawRecording, Array]:
    """Return the rows whose rates and accelerations are known, `delay` later in the file, at the rows' times [s].

    Nothing is interpolated over a gap.
    """
    assert raw.rates is not None
    at, gaps = time + delay, np.union1d(raw.gaps, jumps(time))
    known = (at >= time[0]) & (at <= time[-1]) & ~np.isin(np.searchsorted(time, at), gaps)
    rows = np.flatnonzero(known)
    check_rows(raw.name, len(rows))
    gaps = np.union1d(np.searchsorted(rows, gaps), np.flatnonzero(np.diff(rows) > 1) + 1)
    rates, felt = CubicSpline(time, raw.rates)(at[rows]), raw.acceleration
    if felt is not None:
        felt = np.stack([np.interp(at[rows], time, column) for column in felt.T], axis=1)
    q = None if raw.quaternion is None else raw.quaternion[rows]
    gaps = gaps[(gaps > 0) & (gaps < len(rows))].astype(np.intp)
    raw = replace(raw, time=raw.time[rows], quaternion=q, rates=rates, acceleration=felt, gaps=gaps)
    return raw, time[rows] - time[rows[0]]


def _check_speed(name: str, fastest: float, low: float, high: float) -> None:
    """Raise InputError if the largest rate, in rad/s or in the file's unit, is out of range."""
    if not low <= fastest <= high:
        raise refusal(
            "{name}: an angular velocity of {fastest:.3g} rad/s is outside {low:g} to {high:g} rad/s",
            name=name,
            fastest=fastest,
            low=low,
            high=high,
        )


def _gaps(raw: RawRecording, time: Array, warnings: list[str]) -> Rows:
    """Return the rows before which rows are missing or `time` (N,) [s] jumps; add a warning about the jumps."""
    jumped = jumps(time)
    if len(jumped):
        lengths = time[jumped] - time[jumped - 1]
        longest = int(np.argmax(lengths))
        text = plural(
            "a gap of {seconds} s at t = {time} s; nothing is known of the motion in it",
            "{count} gaps, the longest of {seconds} s at t = {time} s; nothing is known of the motion in them",
            len(jumped),
        )
        begin = brief(float(time[jumped[longest] - 1]), 4)
        warnings.append(text.format(count=len(jumped), seconds=brief(float(lengths[longest]), 3), time=begin))
    return np.union1d(raw.gaps, jumped).astype(np.intp)


def _acceleration(raw: RawRecording, conventions: Conventions, omega: Array, warnings: list[str]) -> Array | None:
    """Return what the accelerometer showed [m/s2], or None and a warning if its unit is not known.

    The declared unit holds, unless gravity shows another one: the sensor has to show gravity while it hardly turns.
    `omega` (N, 3) is in rad/s.
    """
    if raw.acceleration is None:
        return None
    unit = conventions.acceleration_unit
    size = np.linalg.norm(raw.acceleration, axis=1)
    held = size[np.isfinite(size) & (np.linalg.norm(omega, axis=1) < SLOW)]
    usual = float(np.median(held)) if len(held) >= FEWEST_HELD else 0.0
    if unit is None:
        unit = next((one for one, (low, high) in GRAVITIES.items() if low < usual < high), None)
        if unit is None:
            warnings.append(tr("left out the accelerometer: its unit is not declared, and it shows no gravity"))
            return None
        text = tr("not declared: acceleration taken in {unit}, as it is mostly {usual} while it hardly turns")
        warnings.append(text.format(unit=unit, usual=brief(usual, 2)))
    elif other := next((one for one in GRAVITIES if one != unit and _near_gravity(usual, one)), None):
        text = tr(
            "acceleration declared in {declared} is taken in {unit}, as it is mostly {usual} while it hardly turns"
        )
        warnings.append(text.format(declared=unit, unit=other, usual=brief(usual, 2)))
        unit = other
    return raw.acceleration * ACCELERATION_UNITS[unit]


def _near_gravity(size: float, unit: str) -> bool:
    gravity = ACCELERATION_UNITS["g"] / ACCELERATION_UNITS[unit]
    return abs(size - gravity) < SURE * gravity


def _motion(
    time: Array, raw: RawRecording, conventions: Conventions, gaps: Rows, progress: Progress
) -> tuple[Array, Array]:
    """Return orientation_wxyz and omega_body in this project's conventions."""
    in_world = conventions.rate_frame == "world"
    rates = None if raw.rates is None else raw.rates * RATE_UNITS[conventions.rate_unit or "rad/s"]
    if rates is not None:
        rates = rates @ MATRICES[conventions.rate_axes or STRAIGHT].T / (conventions.rate_scale or 1.0)
    if raw.quaternion is None:
        assert rates is not None
        return integrated(time, rates, in_world, progress)
    q = oriented(raw.name, raw.quaternion, conventions.order or "wxyz", conventions.direction or DIRECTIONS[0])
    if rates is None:
        return q, rates_of(time, q, gaps)
    return q, rotate_back(q, rates) if in_world else rates
