"""What is found of a recorded motion: its errors, where it leaves the curve of L in the body, which known integrator it
resembles most, in sentences and as data."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import brief, with_sigma
from viewer.common.language import tr
from viewer.physics.body import RigidBody
from viewer.physics.state import angular_momentum_body, rotational_energy
from viewer.race.recorded_lane import Measured
from viewer.race.trajectory import Trajectory
from viewer.race.verdict import NOISE_MARGIN, Noise, verdict
from viewer.replay.flights.body_fit import BodyFit
from viewer.replay.flights.selection import ChosenFlights
from viewer.replay.likeness import Likeness, likenesses, unexplained_change
from viewer.replay.recording import Recording

Array = NDArray[np.float64]

LEFT = 0.01  # of the span of J, and of |L|: further off, the motion has left its curve
AS_GOOD = 3.0  # times the least difference: integrators that resemble the recording as much
RESEMBLES = 0.05  # difference above which nothing resembles it
ROUND_OFF = 1e-12  # differences below it are equal
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
            off = np.flatnonzero(np.abs(error) > LEFT + NOISE_MARGIN * self.noise.rates)
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
        if self.explained:
            small = exact.difference < RESEMBLES
            beside = f" (difference {brief(exact.difference, 1)})" if small else ", but for noise"
            return exact, f"resembles the exact motion{beside}"
        if exact in alike and (exact.difference < RESEMBLES or self.explained_rows):  # what remains is noise
            alike = [exact, *(one for one in alike if one is not exact)]
        elif best.difference > min(RESEMBLES, 0.5 * exact.difference):
            return None, (
                f"resembles no known integrator: nearest is {best.integrator} (difference {brief(best.difference, 1)},"
                f" of the exact motion {brief(exact.difference, 1)})"
            )
        changes = {one.integrator: unexplained_change(self.trajectory, one, self.noise.rates) for one in alike}
        alike = [one for one in alike if changes[one.integrator] is None] or alike
        if alike[0] is exact:
            alike = [exact]
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
