"""The findings about a recorded motion, in sentences and as data.

The findings are the errors of the motion, the time at which it leaves the curve of L in the body, and the known
integrator that it resembles most.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from viewer.common.errors import brief, with_sigma
from viewer.common.language import tr
from viewer.physics.body import RigidBody
from viewer.physics.rotation import Array
from viewer.physics.state import angular_momentum_body, rotational_energy
from viewer.race.recorded_lane import Measured
from viewer.race.trajectory import Course, Trajectory
from viewer.race.verdict import NOISE_MARGIN, SLIGHT, Noise, is_true, verdict
from viewer.replay.fits.frames import Disagreement
from viewer.replay.fits.likeness import (
    EXACT_ENOUGH,
    RESEMBLES,
    Likeness,
    Rows,
    alike,
    explaining,
    likenesses,
    stands_out,
    unexplained_change,
)
from viewer.replay.fits.top import Top
from viewer.replay.fits.torque import Torque, torque_of
from viewer.replay.flights.body_fit import BodyFit
from viewer.replay.flights.selection import FlightSelection
from viewer.replay.flights.words import moments_of, unknown
from viewer.replay.kinematics import rates_of
from viewer.replay.recording import Recording

DEVIATION = 0.01  # of the span of the inverse moments, and of |L|: a motion further off has left its curve
RESTING = 1e-5  # of the first |L|: a motion with less of it rests
FINEST = 1e-9  # the least sigma of a moment that is written
WELL_KNOWN = 0.01  # sigma of a moment that need not be known better
ROUNDING = 0.5  # of the last digit: the rms of a vector whose three components are rounded
NO_NOISE = Noise()
ROUND_OFF = 1e-9  # noise below it is not mentioned


@dataclass(frozen=True, eq=False)
class Replay(ABC):
    """The findings about one recording, or several of one case, compared with the exact motion of their body.

    `trajectories` has the states of each recording in the principal axes, with their errors against the exact motion;
    they run in a race. `fitted` says whether the moments come from the motion (the largest is then 1 kg m2); `sigma`
    (3,) has their standard deviations if they come from a whole motion, or is None. `warnings` are one sentence each.
    `selection` has the free flights in a single recording, and the body fitted to them. `tolerance` is that of
    `compare`, or None if the user gave none.
    """

    recordings: tuple[Recording, ...]
    trajectories: tuple[Trajectory, ...]
    fitted: bool
    warnings: tuple[str, ...]
    sigma: Array | None = None
    selection: FlightSelection | None = None
    tolerance: float | None = None

    @property
    @abstractmethod
    def title(self) -> str:
        """The title of its report."""

    @property
    @abstractmethod
    def line(self) -> str | None:
        """One line: what happened in the flight shown, or which of several recordings is the closest; or None."""

    @abstractmethod
    def findings(self) -> list[str]:
        """Return the results, one sentence each."""

    @abstractmethod
    def summary(self) -> list[str]:
        """Return the findings, the most important ones first, one sentence each."""

    @abstractmethod
    def data(self) -> dict[str, Any]:
        """Return the results as plain data with every digit, for JSON."""

    @property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """How rates and orientations disagree in the recordings, as these were read."""
        return tuple(one.contradiction for one in self.recordings if one.contradiction is not None)

    @property
    def contradictions(self) -> tuple[str, ...]:
        """How they disagree, in one sentence each."""
        return tuple(dict.fromkeys(one.line for one in self.disagreements))

    @property
    def repairable(self) -> bool:
        """Whether any recording can be read so that its rates and orientations agree, but has not been read so."""
        return any(one.repairable for one in self.disagreements)

    @property
    def doubts(self) -> tuple[str, ...]:
        """The warnings, except those about rates and orientations that disagree."""
        told = {one.remark for one in self.disagreements}
        return tuple(text for text in self.warnings if text not in told)

    @property
    def single(self) -> "SingleReplay | None":
        """The replay itself if it is of a single recording, or else None."""
        return None

    @property
    def resembled(self) -> str | None:
        """The integrator that a single recording resembles; None if that is the exact motion, or if there is none."""
        return None

    @property
    def measured(self) -> Measured | None:
        """The angular velocities of a single recording as points in the body, or None."""
        return None

    @property
    def slowing(self) -> str | None:
        """How drag slows a single recording of one motion down, in words; None without drag."""
        return None

    @property
    def course(self) -> Course:
        """The exact motion that the recordings have in common."""
        return self.trajectories[0].course

    @property
    def body(self) -> RigidBody:
        """The body of the exact motion."""
        return self.course.body

    @property
    def files(self) -> tuple[str, ...]:
        """The absolute paths of the recordings' files, in order."""
        return tuple(one.file for one in self.recordings if one.file)

    @property
    def flight(self) -> str | None:
        """The flight that is replayed, as the argument `flight` of `replay`; None if there are no flights."""
        return None if self.selection is None else self.selection.which

    @property
    def drag(self) -> float | None:
        """The drag of the flight shown [1/s], or None if none was fitted."""
        return None if self.selection is None else self.selection.fit.drag

    @property
    def ratios(self) -> tuple[tuple[float, float], ...] | None:
        """The moments about the body axes relative to the largest, each with its sigma; None if they are declared.

        A sigma is 0 if it is not known.
        """
        if not self.fitted:
            return None
        moments, sigma = self.body.principal_moments, self._sigma()
        if self.selection is not None:
            sigma = self.selection.fit.moments_sigma[self._places(self.selection.fit)]
        return tuple(zip((moments / moments.max()).tolist(), sigma.tolist(), strict=True))

    @property
    def resolved_moments(self) -> Array | None:
        """The moments (3,) about the body axes on which `line` is based; None if no flight was fitted.

        Moments that cannot be told apart are equal here.
        """
        return None if self.selection is None else self.selection.moments[self._places(self.selection.fit)]

    def _places(self, fit: BodyFit) -> Array:
        """Return for each body axis which axis of the fit lies along it, as indices (3,)."""
        return np.asarray(np.argmax(np.abs(self.body.principal_axes.T @ fit.axes), axis=1))

    def _sigma(self) -> Array:
        """Return the standard deviations (3,) of the moments of a whole motion, 0 if not known.

        They are at least FINEST, except for the largest moment, which is the unit.
        """
        moments = self.body.principal_moments
        if self.sigma is None:
            return np.zeros(3)
        return np.where(moments == moments.max(), 0.0, np.maximum(self.sigma, FINEST))


@dataclass(frozen=True, eq=False)
class SingleReplay(Replay):
    """The findings about one recording.

    `misfit` is that of the fit, `noise` that of the rows. The exact motion explains the first `explained_rows` rows but
    for noise, or together with `drag_fitted` all of them. `top` is the top whose weight explains all of them, or None.
    `misdeclared` says that the moments are declared and do not fit the motion, so that there is no verdict. If the
    recording has flights, its trajectory is that of the flight shown.
    """

    misfit: float = 0.0
    noise: Noise = NO_NOISE
    explained_rows: int = 0
    known_likenesses: tuple[Likeness, ...] | None = None
    drag_fitted: Torque | None = None
    top: Top | None = None
    misdeclared: bool = False

    @property
    def recording(self) -> Recording:
        """The recording."""
        return self.recordings[0]

    @property
    def trajectory(self) -> Trajectory:
        """The states of the recording in principal axes."""
        return self.trajectories[0]

    @property
    def single(self) -> "SingleReplay":
        """The replay itself."""
        return self

    @property
    def explained(self) -> bool:
        """Whether the exact motion explains all rows but for noise."""
        return self.explained_rows == len(self.trajectory.states.time)

    @property
    def title(self) -> str:
        """The name of the recording's lane."""
        return self.trajectory.lane.label

    @property
    def line(self) -> str | None:
        """What happened in the flight shown, or how drag slows the whole motion down, in a line; or None."""
        return self.slowing if self.selection is None else self.selection.line

    @cached_property
    def slowing(self) -> str | None:
        """How drag slows the whole motion down, and when it comes to rest, in words; None without drag."""
        torque = None if self.selection is not None else self.torque
        if torque is None or len(torque.sizes) > 1 or not torque.sizes[0] > 0.0:
            return None
        text = tr("a drag of {drag} slows it down")
        if self.rest is not None:
            text = tr("a drag of {drag} slows it down to rest at about t = {time} s")
        time = "" if self.rest is None else brief(self.rest, 2)
        return text.format(drag=f"{brief(float(torque.sizes[0]), 3)} {torque.unit}", time=time)

    @property
    def rest(self) -> float | None:
        """The time [s] from which on no more is left of |L| than noise or RESTING explains; None if it turns on.

        It is None, too, if noise explains all of |L|.
        """
        size = self.trajectory.angular_momentum_norm
        turning = np.flatnonzero(size > max(RESTING, NOISE_MARGIN * self.noise.rates) * size[0])
        rests = len(turning) > 0 and turning[-1] + 1 < len(size)
        return float(self.trajectory.states.time[turning[-1] + 1]) if rests else None

    @cached_property
    def measured(self) -> Measured:
        """The angular velocities of the recording as points in the body.

        Their residuals are against the exact motion, or against the recorded orientations if they contradict these.
        """
        states, residuals = self.trajectory.states, None if self.selection is None else self.selection.motion.residuals
        if self.recording.contradiction is not None and residuals is None:
            residuals = states.omega_body - rates_of(states.time, states.orientation_wxyz, self.recording.gaps)
        return Measured.of(self.trajectory, residuals)

    def summary(self) -> list[str]:
        """Return the findings, the most important ones first, one sentence each."""
        if self.selection is None:
            return self.findings()[1:]
        fit = self.selection.fit
        return [self.selection.line, moments_of(fit), *unknown(fit)[1:], *self.warnings]

    @cached_property
    def left_curve(self) -> tuple[float, str] | None:
        """The time [s] at which L leaves its curve in the body, and by which quantity; None if it never does.

        The quantity is |L| or the energy, whichever is off first.
        """
        if self.explained:
            return None
        J = 1.0 / self.body.principal_moments
        span = max(float(np.ptp(J)), 1e-12 * float(J.max()))
        start = self.trajectory.course.start
        momentum = float(np.linalg.norm(angular_momentum_body(self.body, start)))
        size = self.trajectory.angular_momentum_norm / momentum - 1.0
        factor = (self.trajectory.energy_factor - 2.0 * float(rotational_energy(self.body, start)) / momentum**2) / span
        found = []
        for name, error in (("|L|", size), ("energy", factor)):
            off = np.flatnonzero(np.abs(error) > DEVIATION + NOISE_MARGIN * self.noise.rates)
            if len(off):
                found.append((float(self.trajectory.states.time[off[0]]), name))
        return min(found) if found else None

    @cached_property
    def true(self) -> bool:
        """Whether no error of the recording is seen beyond its noise."""
        return self.explained or is_true(self.trajectory, self.noise)

    @cached_property
    def torque(self) -> Torque | None:
        """The drag or the constant torque that explains the changes of energy and |L|; None if neither does."""
        if self.drag_fitted is not None:
            return self.drag_fitted
        if self.true or self.top is not None or self.misdeclared:
            return None
        return torque_of(self.body, self.trajectory.states, self.noise.rates)

    @cached_property
    def likenesses(self) -> tuple[Likeness, ...]:
        """The likeliest integrators, the nearest first; empty if the rows are not evenly spaced."""
        if self.known_likenesses is not None:
            return self.known_likenesses
        states, recording = self.trajectory.states, self.recording
        recorded = recording.has_orientations, recording.has_rates
        rows = Rows(self.body, states, self.course.step, *recorded, np.eye(3), np.zeros(3))
        return likenesses(rows, self.fitted and not self.true, self.noise.rates)

    def findings(self) -> list[str]:
        """Return sentences on the rows, the moments, the curve of L and the resemblance, and the warnings."""
        time, source = self.recording.time, self.recording.conventions.source or self.recording.name
        if self.selection is not None:
            rows = tr("{name}: {rows} rows over {seconds} s")
            first = rows.format(name=source, rows=len(time), seconds=brief(float(time[-1]), 4))
            return [first, *self.selection.findings(), *self.warnings]
        rows = f"{source}: {len(time)} rows over {brief(float(time[-1]), 9)} s"
        if self.recording.contradiction is not None:
            return [rows, *self.warnings, "verdict: none, as long as rates and orientations disagree"]
        if self.misdeclared:
            declared = f"moments {self._moments()} kg m², as declared"
            return [rows, declared, *self.warnings, "verdict: none, as long as the declared moments do not fit"]
        if self.top is not None:
            beside = "the exact motion beside it is the free one of the same moments, without the weight"
            return [rows, *self.warnings, f"verdict: {self.top.verdict}", beside]
        moments, left, limit = self._moments(), self.left_curve, f"{DEVIATION:.0%}"
        rests = self.slowing if self.rest is not None else None
        said = rests or verdict(self.trajectory, self.noise, self.explained)
        curve, largest = [], self.trajectory.largest
        if left is not None:
            curve = [
                f"leaves the curve of L in the body at t = {brief(left[0], 4)} s (its {left[1]} is off by {limit})"
            ]
        elif max(largest.energy, largest.momentum) < max(DEVIATION, NOISE_MARGIN * self.noise.rates) or self.explained:
            curve = ["stays on the curve of L in the body"]
        return [
            rows,
            f"moments {moments} relative to the largest (± one standard deviation), fitted from the motion (misfit"
            f" {brief(self.misfit, 1)})"
            if self.fitted
            else f"moments {moments} kg m², as declared",
            *self.warnings,
            "; ".join([f"verdict: {said}", *self._more()]),
            *curve,
            self._resemblance[1],
        ]

    def _more(self) -> list[str]:
        """Return what would tell more, in words, if the verdict or a moment is uncertain; else nothing."""
        recording, seconds, ways = self.recording, float(self.recording.time[-1]), []
        sigma = float(self._sigma().max()) if self.fitted else 0.0
        if self.true or self.torque is not None or self.likeness is not None:
            if sigma > WELL_KNOWN:  # the phase tells it, as its time grows
                ways.append(
                    f"a recording longer by {brief(seconds * ((sigma / WELL_KNOWN) ** (2.0 / 3.0) - 1.0), 1)} s"
                )
        elif not recording.of_sensor:
            lacks = (recording.has_orientations, "orientations"), (recording.has_rates, "angular velocities")
            ways += [what for recorded, what in lacks if not recorded]
            ways += ["declared moments"] * (sigma > WELL_KNOWN)
            ways += [] if self.likenesses else ["rows evenly spaced in time"]
        if NOISE_MARGIN * max(self.noise.rates, self.noise.turns) > SLIGHT:
            speed = float(np.linalg.norm(recording.omega_body, axis=1).max())
            rounding = ROUNDING * recording.digits[0], ROUNDING * recording.digits[1] / speed
            is_rounded = self.noise.turns < 2.0 * rounding[0] or self.noise.rates < 2.0 * rounding[1]
            ways.append("more digits" if is_rounded else "less noise")
        return [f"to tell more would take {' or '.join(ways)}"] if ways else []

    def _moments(self) -> str:
        moments = self.body.principal_moments.tolist()
        if self.sigma is None:
            return listed(moments)
        return ", ".join(with_sigma(*pair) for pair in zip(moments, self._sigma().tolist(), strict=True))

    def data(self) -> dict[str, Any]:
        """Return the results as plain data with every digit, for JSON."""
        found: dict[str, Any] = {
            "recording": self.recording.name,
            "rows": len(self.recording.time),
            "seconds": float(self.recording.time[-1]),
            "findings": self.findings(),
        }
        if self.recording.disagreement is not None:
            found["disagreement"] = self.recording.disagreement.data()
        if self.selection is not None:
            return found | self.selection.data()
        moments = self.body.principal_moments.tolist()
        sigma = None if self.sigma is None else self.sigma.tolist()
        more: dict[str, Any] = {"fitted": self.fitted, "misfit": self.misfit, "resembles": self.resembled}
        if self.top is not None:
            more["top"] = self.top.data()
        return found | {"moments": moments, "moments_sigma": sigma, **more}

    @cached_property
    def _resemblance(self) -> tuple[Likeness | None, str]:
        """The likeness of the integrator that the recording resembles, if any, and a sentence on what it resembles."""
        if self.top is not None or self.misdeclared:
            return None, "" if self.top is None else self.top.verdict
        if self.explained:
            return None, f"resembles the exact motion{', but for noise' if self.noise.rates > ROUND_OFF else ''}"
        if self.torque is not None:
            return None, f"resembles the exact motion under {_acting(self.torque)}"
        if self.recording.of_sensor and not self.true:
            until = f" it is free until t = {self._until} s at least, then" if self.explained_rows else ""
            return None, f"no free motion explains the whole:{until} a hand, a torque or friction acts on the sensor"
        near = alike(self.likenesses)
        exact = next((one for one in self.likenesses if one.integrator == "exact"), None)
        named = explaining(near, self.noise.rates) if near and near[0].difference < RESEMBLES else []
        unseen = self.true and (exact is None or exact.difference < EXACT_ENOUGH)
        if named and exact not in named and not unseen and stands_out(named[0], self.likenesses):
            best = named[0]
            alike_too = dict.fromkeys(one.method for one in named[1:] if one.substeps == best.substeps)
            others = [method for method in alike_too if method != best.method]
            also = f", as much as {', '.join(others)}" if others else ""
            one_order = all(one.turned_by == best.turned_by for one in named if one.method == best.method)
            also += f"; {best.turned_by}" if best.turned_by and one_order else ""
            return best, f"resembles {_steps(best)} most (difference {brief(best.difference, 1)}{also})"
        if self.true:
            return None, "resembles the exact motion" + (f" (difference {brief(exact.difference, 1)})" if exact else "")
        if self.explained_rows:
            return None, (
                f"follows the exact motion, apart from noise, until t = {self._until} s at least, then leaves it:"
                " a torque, friction or an integrator's error"
            )
        if exact is None:
            return None, "rows are unevenly spaced in time: no integrator to compare with"
        best = exact if exact in near else near[0]
        change = unexplained_change(best, self.noise.rates)
        if change and best.difference < RESEMBLES:
            return None, (
                f"begins like {_steps(best)} (difference {brief(best.difference, 1)}), but then {change}: a torque,"
                " friction or another integrator"
            )
        beside = "" if best is exact else f", of the exact motion {brief(exact.difference, 1)}"
        nearest = f"{_steps(best)} (difference {brief(best.difference, 1)}{beside})"
        return None, f"resembles no known integrator: nearest is {nearest}"

    @property
    def _until(self) -> str:
        """The time [s] of the last row that the exact motion explains, in words."""
        return brief(float(self.trajectory.states.time[self.explained_rows - 1]), 3)

    @property
    def likeness(self) -> Likeness | None:
        """The likeness of the integrator that the recording resembles; None for the exact motion or a flight."""
        return None if self.selection is not None else self._resemblance[0]

    @property
    def resembled(self) -> str | None:
        """The name of that integrator, or None."""
        return None if self.likeness is None else self.likeness.method


def listed(moments: Iterable[float], digits: int = 5) -> str:
    """Return moments as text, with this many digits."""
    return ", ".join(brief(value, digits) for value in moments)


def _steps(one: Likeness) -> str:
    """Return the words for an integrator and its steps from row to row."""
    name = "the exact motion" if one.integrator == "exact" else one.method
    return name if one.substeps == 1 else f"{name} with {one.substeps} steps a row"


def _acting(torque: Torque) -> str:
    """Return the words for a torque, with its size."""
    sizes = [with_sigma(*pair) for pair in zip(torque.sizes.tolist(), torque.sigma.tolist(), strict=True)]
    if len(sizes) > 1:
        return f"a torque of ({', '.join(sizes)}) N m that is constant in {torque.formula}"
    return f"a drag of {sizes[0]} {torque.unit} (a torque of {torque.formula})"
