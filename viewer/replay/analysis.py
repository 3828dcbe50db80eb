"""A logged motion under Poinsot's construction: its body, what it conserves, where it leaves the curve of L in the
body, and which known integrator it resembles most."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError, brief
from viewer.physics.body import RigidBody
from viewer.physics.rotation import multiply
from viewer.physics.state import States, angular_momentum_body, rotational_energy
from viewer.race.trajectory import Course, Trajectory
from viewer.race.verdict import verdict
from viewer.replay.conventions import Recording
from viewer.replay.inertia import fit_inertia
from viewer.replay.likeness import Likeness, goes_another_way, likenesses
from viewer.replay.start import start_of
from viewer.scenario.lanes import Recorded

Array = NDArray[np.float64]

LEFT = 0.01  # of the span of J, and of |L|: further off, the motion has left its curve
UNLIKE = 0.02  # relative difference of declared and fitted moments that is told
GOOD_FIT = 1e-3  # misfit up to which fitted moments are compared with declared ones
AS_GOOD = 3.0  # times the least difference: integrators that resemble the log as much
RESEMBLES = 0.05  # difference above which nothing resembles it
ROUND_OFF = 1e-12  # a difference that says nothing
EXACT = 1e-9  # a difference from the exact motion that a good integrator in fine steps leaves, too


@dataclass(frozen=True, eq=False)
class Replay:
    """A log turned into principal axes. `track`: its states with their errors against the exact motion that begins as
    it does. `fitted`: whether the moments come from the motion (then the largest is 1 kg m2). `misfit`: of the fit.
    `noise`: of the angular velocities, of the largest one.
    """

    recording: Recording
    track: Trajectory
    fitted: bool
    misfit: float
    noise: float
    doubts: tuple[str, ...]

    @property
    def body(self) -> RigidBody:
        """The body that turns."""
        return self.track.course.body

    @cached_property
    def left_curve(self) -> tuple[float, str] | None:
        """(time [s], quantity) at which the motion has left the curve of L in the body; None where it stays."""
        J = 1.0 / self.body.principal_moments
        span = max(float(np.ptp(J)), 1e-12 * float(J.max()))
        start = self.track.course.start
        momentum = float(np.linalg.norm(angular_momentum_body(self.body, start)))
        size = self.track.angular_momentum_norm / momentum - 1.0
        factor = (
            self.track.energy_factor - 2.0 * float(rotational_energy(self.body, start)) / momentum**2
        ) / span
        found = []
        for name, error in (("|L|", size), ("energy", factor)):
            off = np.flatnonzero(np.abs(error) > LEFT + 10.0 * self.noise)
            if len(off):
                found.append((float(self.track.states.time[off[0]]), name))
        return min(found) if found else None

    @cached_property
    def likenesses(self) -> tuple[Likeness, ...]:
        """The likeliest integrators, the most alike first; none where the rows are not evenly spaced."""
        return likenesses(self.track)

    def sentences(self) -> list[str]:
        """What there is to say, a sentence each."""
        said = self.recording.said
        lines = [f"{said.source or self.recording.name}: {len(self.track.states.time)} rows"]
        values = ", ".join(f"{value:.5g}" for value in self.body.principal_moments)
        lines[0] += f" over {brief(float(f'{self.track.states.time[-1]:.9g}'))} s"
        lines.append(
            f"moments {values} of the largest, fitted from the motion (misfit {self.misfit:.1g})"
            if self.fitted
            else f"moments {values} kg m², as declared"
        )
        lines += self.doubts
        lines.append(f"what it comes to: {verdict(self.track, self.noise)}")
        left = self.left_curve
        lines.append(
            "stays on the curve of L in the body"
            if left is None
            else f"leaves the curve of L in the body at t = {left[0]:.4g} s (its {left[1]} is off by {LEFT:.0%})"
        )
        lines.append(self._found[1])
        return lines

    @cached_property
    def _found(self) -> tuple[Likeness | None, str]:
        """(what the recording resembles, the sentence that says so); None where it resembles nothing known."""
        if not self.likenesses:
            return None, "rows are unevenly spaced in time: no integrator to compare with"
        best = self.likenesses[0]
        alike = [one for one in self.likenesses if one.difference <= AS_GOOD * best.difference + ROUND_OFF]
        truth = next(one for one in self.likenesses if one.integrator == "exact")
        if truth.difference < EXACT and truth not in alike:
            alike.append(truth)
        if truth in alike and (
            truth.difference < RESEMBLES or self.noise > 0.0
        ):  # then noise is all that remains
            alike = [truth]
        if best.difference > min(RESEMBLES, 0.5 * truth.difference) and alike != [truth]:
            return None, (
                f"resembles no known integrator: nearest is {best.integrator} (difference {best.difference:.1g},"
                f" of the exact motion {truth.difference:.1g})"
            )
        otherwise = {one.integrator: goes_another_way(self.track, one, self.noise) for one in alike}
        alike = [one for one in alike if otherwise[one.integrator] is None] or alike
        best = alike[0]
        name = "the exact motion" if best is truth else best.integrator
        parts = "" if best.parts == 1 else f" with {best.parts} steps a row"
        if change := otherwise[best.integrator]:
            return None, (
                f"begins like {name}{parts} (difference {best.difference:.1g}), but {change}, which that does not"
                " explain: a torque, friction or another integrator"
            )
        if best is truth:
            return best, f"resembles the exact motion (difference {best.difference:.1g})"
        others = [one.integrator for one in alike[1:] if one.parts == best.parts]
        also = f", as much as {', '.join(others)}" if others else ""
        return best, f"resembles {name}{parts} most (difference {best.difference:.1g}{also})"

    @property
    def resembled(self) -> str | None:
        """The integrator that the recording resembles, if it is a known one other than the exact motion."""
        best = self._found[0]
        return None if best is None or best.integrator == "exact" else best.integrator


def replay(recording: Recording) -> Replay:
    """Puts a recording into principal axes, declared or fitted. Raises InputError where the motion does not tell the
    moments and none are declared."""
    fit = fit_inertia(recording.time, recording.orientation_wxyz, recording.omega_body)
    declared = recording.said.moments
    doubts = list(recording.doubts)
    if declared is not None:
        moments, axes = np.array(declared), np.eye(3)
        found, _ = fit.principal()
        ratio = np.abs(found / found.max() - moments / moments.max())
        if fit.determined and fit.misfit < GOOD_FIT and ratio.max() > UNLIKE:
            told = ", ".join(f"{value:.4g}" for value in found * (moments.max() / found.max()))
            doubts.append(
                f"the declared moments do not fit the motion, which tells {told} (up to their scale)"
            )
    elif fit.determined:
        moments, axes = fit.principal()
    else:
        raise InputError(
            f"{recording.name}: moments: this motion does not tell them (it spins about one axis, or too briefly); give"
            " them, such as --moments 1,2,2.5"
        )
    body = RigidBody.from_moments(moments.tolist())
    if body.warning:
        doubts.append(body.warning)
    q = multiply(recording.orientation_wxyz, _quaternion(axes))
    states = States(recording.time, q, recording.omega_body @ axes)
    step = float(np.median(np.diff(recording.time)))
    start = start_of(body, states, recording.has_orientations, recording.has_rates)
    if start.noise > 0.0:
        doubts.append(
            f"noise of {start.noise:.1g} of the largest angular velocity: the exact motion starts from a fit to the"
            f" first {start.rows} rows, not from the first row"
        )
    course = Course(body, start.state, step, len(recording.time) - 1)
    lane = Recorded(recording.name, recording.said.source.partition(",")[0] or recording.name)
    return Replay(
        recording,
        Trajectory(lane, course, states, 0.0, None),
        declared is None,
        fit.misfit,
        start.noise,
        tuple(doubts),
    )


def _quaternion(axes: Array) -> Array:
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_matrix(axes).as_quat()[[3, 0, 1, 2]])
