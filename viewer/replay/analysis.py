"""A recorded motion under Poinsot's construction: its body, what it conserves, where it leaves the curve of L in the
body, and which known integrator it resembles most."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from viewer.common.errors import InputError, brief, refusal, with_sigma
from viewer.common.language import tr
from viewer.physics.body import RigidBody, broken_triangle
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.rotation import conjugate, multiply, rotate, rotation_vectors
from viewer.physics.state import State, States, angular_momentum_body, rotational_energy
from viewer.race.measured import Measured
from viewer.race.trajectory import Course, Trajectory
from viewer.race.verdict import LOST, Noise, verdict
from viewer.replay.flights.body_fit import BodyFit
from viewer.replay.flights.chosen import ChosenFlights, choose, flights_in, with_warnings
from viewer.replay.flights.free_flights import FreeFlight
from viewer.replay.flights.sensor_units import beyond_sensors
from viewer.replay.flights.signal_quality import noise_of, spans_at_limit
from viewer.replay.inertia import OPEN, fit_inertia
from viewer.replay.inference import as_of_free_body, without_doubts
from viewer.replay.kinematics import rates_beside, wxyz
from viewer.replay.likeness import Likeness, likenesses, unexplained_change
from viewer.replay.recording import Recording
from viewer.replay.whole.fitted_body import fitted_body
from viewer.replay.whole.nearest import nearest_of
from viewer.scenario.lanes import Recorded

Array = NDArray[np.float64]

LEFT = 0.01  # of the span of J, and of |L|: further off, the motion has left its curve
MISMATCH = 0.02  # relative difference of declared and fitted moments that is reported
SIGMAS = 3.0  # of fitted moments, by which they may be off declared ones
GOOD_FIT = 1e-3  # misfit up to which fitted moments are compared with declared ones
AS_GOOD = 3.0  # times the least difference: integrators that resemble the recording as much
RESEMBLES = 0.05  # difference above which nothing resembles it
ROUND_OFF = 1e-12  # differences below it are equal
NOISELESS = 1e-9  # noise below it is round-off
CLOSE = 0.3  # rad from row to row, up to which noise is told from the motion
FINEST = 1e-9  # of the sigma of a moment that is written
EXACT = 1e-9  # a difference from the exact motion that a good integrator leaves too, in fine steps


@dataclass(frozen=True, eq=False)
class Replay:
    """A recording in principal axes. `trajectory`: its states, with their errors against the exact motion from the same
    start. `fitted`: whether the moments come from the motion (then the largest is 1 kg m2). `misfit`: of the fit;
    `sigma` (3,): one standard deviation of moments that come from the whole motion. `noise`: of its rows;
    `explained_rows`: the first ones, of which the exact motion leaves noise only. `warnings`: one sentence each.
    `chosen`: the free flights that a recording holds, and the body fitted to them; `trajectory` is that of the one
    shown.
    """

    recording: Recording
    trajectory: Trajectory
    fitted: bool
    misfit: float
    noise: Noise
    warnings: tuple[str, ...]
    chosen: ChosenFlights | None = None
    sigma: Array | None = None
    explained_rows: int = 0

    @property
    def body(self) -> RigidBody:
        """In its principal axes."""
        return self.trajectory.course.body

    @property
    def explained(self) -> bool:
        """Whether the exact motion leaves nothing but noise."""
        return self.explained_rows == len(self.trajectory.states.time)

    @property
    def title(self) -> str:
        """Of its report."""
        return self.trajectory.lane.label

    @property
    def trajectories(self) -> tuple[Trajectory, ...]:
        """What runs in a race."""
        return (self.trajectory,)

    @property
    def files(self) -> tuple[str, ...]:
        """Where it was read from."""
        return (self.recording.file,) if self.recording.file else ()

    @property
    def flight(self) -> str | None:
        """Which of its flights is replayed, as `replay` takes it."""
        return None if self.chosen is None else self.chosen.which

    @property
    def line(self) -> str | None:
        """What happened in that."""
        return None if self.chosen is None else self.chosen.line

    @property
    def ratios(self) -> tuple[tuple[float, float], ...] | None:
        """The moments about the body axes relative to the largest, each with its standard deviation, 0 where that is
        not known; None where they are declared."""
        if not self.fitted:
            return None
        moments, sigma = self.body.principal_moments, self._sigma()
        if self.chosen is not None:
            sigma = self.chosen.fit.moments_sigma[self._places(self.chosen.fit)]
        return tuple(zip((moments / moments.max()).tolist(), sigma.tolist(), strict=True))

    @property
    def told(self) -> Array | None:
        """The moments (3,) about the body axes as the flight's line knows them: equal where they cannot be told apart;
        None where no flight was fitted."""
        return None if self.chosen is None else self.chosen.moments[self._places(self.chosen.fit)]

    def _places(self, fit: BodyFit) -> Array:
        """For each body axis the number of the fit's axis (3,)."""
        return np.asarray(np.argmax(np.abs(self.body.principal_axes.T @ fit.axes), axis=1))

    @property
    def drag(self) -> float | None:
        """That of the flight that is shown [1/s]; None where none was fitted."""
        return None if self.chosen is None else self.chosen.fit.drag

    @cached_property
    def measured(self) -> Measured:
        """Its angular velocities as points in the body."""
        return Measured.of(self.trajectory, None if self.chosen is None else self.chosen.motion.residuals)

    @cached_property
    def left_curve(self) -> tuple[float, str] | None:
        """(time [s], quantity) at which the motion leaves the curve of L in the body; None where it stays on it."""
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
            off = np.flatnonzero(np.abs(error) > LEFT + LOST * self.noise.rates)
            if len(off):
                found.append((float(self.trajectory.states.time[off[0]]), name))
        return min(found) if found else None

    @cached_property
    def likenesses(self) -> tuple[Likeness, ...]:
        """The likeliest integrators, the nearest first; none where the rows are not evenly spaced."""
        return likenesses(self.trajectory)

    def findings(self) -> list[str]:
        """The results, one sentence each: what was recorded, the moments, warnings, verdict, curve, resemblance."""
        if self.chosen is not None:
            time = self.recording.time
            source = self.recording.conventions.source or self.recording.name
            rows = tr("{name}: {rows} rows over {seconds} s")
            first = rows.format(name=source, rows=len(time), seconds=brief(float(time[-1]), 4))
            return [first, *self.chosen.findings(), *self.warnings]
        time, left = self.trajectory.states.time, self.left_curve
        moments = self._moments()
        return [
            f"{self.recording.conventions.source or self.recording.name}: {len(time)} rows over {brief(time[-1], 9)} s",
            f"moments {moments} relative to the largest (± one standard deviation), fitted from the motion (misfit"
            f" {brief(self.misfit, 1)})"
            if self.fitted
            else f"moments {moments} kg m², as declared",
            *self.warnings,
            f"verdict: {verdict(self.trajectory, self.noise, self.explained)}",
            "stays on the curve of L in the body"
            if left is None
            else f"leaves the curve of L in the body at t = {brief(left[0], 4)} s (its {left[1]} is off by {LEFT:.0%})",
            self._resemblance[1],
        ]

    def _sigma(self) -> Array:
        """(3,): of the moments of the whole motion as far as it is written, 0 where it is not known."""
        moments = self.body.principal_moments
        if self.sigma is None:
            return np.zeros(3)
        return np.where(moments == moments.max(), 0.0, np.maximum(self.sigma, FINEST))

    def _moments(self) -> str:
        moments = self.body.principal_moments.tolist()
        if self.sigma is None:
            return ", ".join(brief(value, 5) for value in moments)
        return ", ".join(with_sigma(*pair) for pair in zip(moments, self._sigma().tolist(), strict=True))

    def data(self) -> dict[str, Any]:
        """The results as plain data with every digit, for JSON."""
        found: dict[str, Any] = {
            "recording": self.recording.name,
            "rows": len(self.recording.time),
            "seconds": float(self.recording.time[-1]),
            "findings": self.findings(),
        }
        if self.chosen is not None:
            return found | self.chosen.data()
        moments = self.body.principal_moments.tolist()
        sigma = None if self.sigma is None else self.sigma.tolist()
        more = {"fitted": self.fitted, "misfit": self.misfit, "resembles": self.resembled}
        return found | {"moments": moments, "moments_sigma": sigma, **more}

    @cached_property
    def _resemblance(self) -> tuple[Likeness | None, str]:
        """(what the recording resembles, as a sentence); None where it resembles nothing known."""
        if not self.likenesses:
            return None, "rows are unevenly spaced in time: no integrator to compare with"
        best = self.likenesses[0]
        alike = [one for one in self.likenesses if one.difference <= AS_GOOD * best.difference + ROUND_OFF]
        exact = next(one for one in self.likenesses if one.integrator == "exact")
        if exact.difference < EXACT and exact not in alike:
            alike.append(exact)
        if self.explained or (
            exact in alike and (exact.difference < RESEMBLES or self.explained_rows)
        ):  # but for noise
            alike = [exact]
        if best.difference > min(RESEMBLES, 0.5 * exact.difference) and alike != [exact]:
            return None, (
                f"resembles no known integrator: nearest is {best.integrator} (difference {brief(best.difference, 1)},"
                f" of the exact motion {brief(exact.difference, 1)})"
            )
        changes = {one.integrator: unexplained_change(self.trajectory, one, self.noise.rates) for one in alike}
        alike = [one for one in alike if changes[one.integrator] is None] or alike
        best = alike[0]
        name = "the exact motion" if best is exact else best.integrator
        steps = "" if best.substeps == 1 else f" with {best.substeps} steps a row"
        if change := changes[best.integrator]:
            return None, (
                f"begins like {name}{steps} (difference {brief(best.difference, 1)}), but {change}, which that does not"
                " explain: a torque, friction or another integrator"
            )
        if best is exact and self.explained_rows and not self.explained:
            until = brief(float(self.trajectory.states.time[self.explained_rows - 1]), 3)
            return None, (
                f"is the exact motion up to t = {until} s, but for noise, and not from there on: a torque, friction or"
                " an integrator's error"
            )
        if best is exact:
            return best, f"resembles the exact motion (difference {brief(best.difference, 1)})"
        others = [one.integrator for one in alike[1:] if one.substeps == best.substeps]
        also = f", as much as {', '.join(others)}" if others else ""
        return best, f"resembles {name}{steps} most (difference {brief(best.difference, 1)}{also})"

    @property
    def resembled(self) -> str | None:
        """The integrator that the recording resembles; None for the exact motion and where it resembles none."""
        if self.chosen is not None:
            return None
        best = self._resemblance[0]
        return None if best is None or best.integrator == "exact" else best.integrator


def replay(recording: Recording, flight: str | None = None, known: Sequence[FreeFlight] = ()) -> Replay:
    """A recording in principal axes, declared or fitted; of one that holds free flights the best, or `flight`: its
    number, or "all" for one body fitted to all. `known`: its flights, where they have been looked for already. Raises
    InputError where the motion does not determine the moments and none are declared."""
    if flights := tuple(known) or flights_in(recording, flight):
        return _replay_of(recording, choose(recording.time, recording.omega_body, flights, flight))
    fit = fit_inertia(recording.time, recording.orientation_wxyz, recording.omega_body)
    nearest, declared = nearest_of(recording, fit), recording.conventions.moments
    warnings = list(recording.warnings if nearest is None else as_of_free_body(recording.warnings))
    sigma, misfit = None, fit.misfit
    if declared is not None:
        moments, axes = np.array(declared), np.eye(3)
        own, _ = fit.principal()
        ratio = np.abs(own / own.max() - moments / moments.max())
        if nearest is None and fit.determined and fit.misfit < GOOD_FIT and ratio.max() > MISMATCH:
            fitted = ", ".join(brief(value, 4) for value in own * (moments.max() / own.max()))
            text = tr("the declared moments do not fit the motion, which gives {fitted} (up to their scale)")
            warnings.append(text.format(fitted=fitted))
    else:
        found = nearest or fitted_body(recording, fit)
        if found is None or found.sigma.max() > OPEN:
            raise _undetermined(recording)
        moments, axes, sigma, misfit = found.moments, found.axes, found.sigma, found.misfit
    body = RigidBody.from_moments(moments.tolist())
    if unsolid := broken_triangle(body.principal_moments, "" if declared is None else " kg m²"):
        warnings.append(unsolid)
    states = in_axes(recording, axes)
    start = State(states.orientation_wxyz[0], states.omega_body[0]) if nearest is None else nearest.start
    if not recording.has_rates:
        exact = FreeRotation(body, start).at(states.time)
        states = replace(states, omega_body=rates_beside(exact, states, recording.gaps))
        recording = replace(recording, omega_body=states.omega_body @ axes.T)
        start = State(states.orientation_wxyz[0], states.omega_body[0]) if nearest is None else nearest.start
    course = Course(body, start, float(np.median(np.diff(recording.time))), len(recording.time) - 1)
    rows = 0 if nearest is None else nearest.rows
    noise = _noise(recording, course, states, rows)
    if rows and noise.rates > NOISELESS:
        text = tr(
            "noise of {noise} of the largest angular velocity: the exact motion starts from a fit to the first"
            " {rows} rows, not from the first row"
        )
        warnings.append(text.format(noise=brief(noise.rates, 1), rows=rows))
    lane = Recorded(recording.name, recording.conventions.source.partition(",")[0] or recording.name)
    track = Trajectory(lane, course, states, 0.0, None, recording.gaps_within())
    return Replay(recording, track, declared is None, misfit, noise, tuple(warnings), None, sigma, rows)


def _noise(recording: Recording, course: Course, states: States, rows: int) -> Noise:
    """What the exact motion leaves of the first `rows`; where it explains none, what is not smooth of what it leaves
    of all, if these are close enough to tell."""
    exact = course.exact.at(states.time)
    rates = (states.omega_body - exact.omega_body) / np.linalg.norm(states.omega_body, axis=1).max()
    turns = rotation_vectors(multiply(conjugate(exact.orientation_wxyz), states.orientation_wxyz))
    if rows:
        found = [float(np.sqrt(np.mean(np.sum(off[:rows] ** 2, axis=1)))) for off in (rates, turns)]
    elif np.median(np.linalg.norm(states.omega_body[1:], axis=1) * np.diff(states.time)) < CLOSE:
        energy = rotational_energy(course.body, states) / rotational_energy(course.body, exact) - 1.0
        found = [max(noise_of(rates), 0.5 * noise_of(energy[:, None])), noise_of(turns)]
    else:
        return Noise()
    return Noise(found[0], found[1] if recording.has_orientations else found[0])


def _undetermined(recording: Recording) -> InputError:
    """That no moments come from a motion."""
    if not recording.has_orientations and (fastest := beyond_sensors(recording.omega_body)):
        return refusal(
            "{name}: moments: this motion does not determine them, at up to {speed} rad/s, which no sensor of a phone"
            " shows: if these are deg/s, say so by --angular-velocity deg/s",
            name=recording.name,
            speed=brief(fastest, 3),
        )
    error = refusal(
        "{name}: moments: this motion does not determine them (it spins about one axis, or too briefly); declare"
        " them, such as --moments 1,2,2.5",
        name=recording.name,
    )
    return with_warnings(error, recording)


def _replay_of(recording: Recording, chosen: ChosenFlights) -> Replay:
    """The flight shown, beside the exact motion of the fitted body from the fitted start."""
    fit, rows = chosen.fit, chosen.flight.rows
    body, axes = _body_of(fit)
    body_from_axes = wxyz(Rotation.from_matrix(axes))
    q = multiply(recording.orientation_wxyz[rows], body_from_axes)
    time = recording.time[rows] - recording.time[rows.start]
    omega, start = recording.omega_body[rows] @ axes, axes.T @ fit.axes @ chosen.motion.start
    if not recording.has_orientations:  # then no direction in space is known, and L may point upwards
        L = rotate(q[0], body.principal_moments * start)
        upright, _ = Rotation.align_vectors([[0.0, 0.0, 1.0]], [L / np.linalg.norm(L)])
        q = multiply(wxyz(upright), q)
    course = Course(body, State(q[0], start), float(np.median(np.diff(time))), len(time) - 1)
    lane = Recorded(recording.name, recording.conventions.source.partition(",")[0] or recording.name)
    begin = float(recording.time[rows.start])
    gaps = tuple((before - begin, after - begin) for before, after in recording.gaps_within(rows))
    clipped = spans_at_limit(time, recording.omega_body[rows], chosen.flight.limit)
    track = Trajectory(lane, course, States(time, q, omega), 0.0, None, gaps, clipped)
    noise = float(np.sqrt(3.0)) * fit.noise / float(np.linalg.norm(omega, axis=1).max())
    warnings = *without_doubts(recording.warnings), *_beside_declared(recording, fit)
    return Replay(recording, track, True, fit.residual, Noise(noise, noise), warnings, chosen)


def _beside_declared(recording: Recording, fit: BodyFit) -> list[str]:
    """Whether the moments of a flight are those that are declared, where some are."""
    declared = recording.conventions.moments
    if declared is None:
        return []
    ratios = np.sort(declared)[::-1] / max(declared)
    agree = (np.abs(ratios - fit.ratios) <= np.maximum(MISMATCH, SIGMAS * fit.ratios_sigma)).all()
    text = tr("the declared moments, {ratios}, are not used for a flight, which agrees with them")
    if not agree:
        text = tr("the declared moments, {ratios}, are not used for a flight, which does not agree with them")
    return [text.format(ratios=" : ".join(brief(float(ratio), 3) for ratio in ratios))]


def _body_of(fit: BodyFit) -> tuple[RigidBody, Array]:
    """The fitted body, and its principal axes as columns (3, 3) in the sensor's; given by its tensor in these, so that
    it is drawn in them, unless it is too thin for that."""
    inertia = fit.axes * fit.moments @ fit.axes.T
    try:
        body = RigidBody.from_tensor(0.5 * (inertia + inertia.T))
    except InputError:
        return RigidBody.from_moments(fit.moments.tolist()), fit.axes
    return body, body.principal_axes


def in_axes(recording: Recording, axes: Array) -> States:
    """Its states in other body axes: the columns of `axes` (3, 3) in the recording's own ones."""
    body_from_axes = wxyz(Rotation.from_matrix(axes))
    q = multiply(recording.orientation_wxyz, body_from_axes)
    return States(recording.time, q, recording.omega_body @ axes)
