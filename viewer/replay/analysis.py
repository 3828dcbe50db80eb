"""A logged motion under Poinsot's construction: its body, what it conserves, where it leaves the curve of L in the
body, and which known integrator it resembles most."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from viewer.errors import SceneError
from viewer.fields import brief
from viewer.lanes import Recorded
from viewer.physics.body import RigidBody
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.rotation import multiply
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.physics.state import State, States
from viewer.race.track import Course, Track
from viewer.race.verdict import verdict
from viewer.replay.inertia import fit_inertia
from viewer.replay.recording import Recording, turns_between

Array = NDArray[np.float64]

LEFT = 0.01  # of the span of J, and of |L|: further off, the motion has left its curve
UNLIKE = 0.02  # relative difference of declared and fitted moments that is told
GOOD_FIT = 1e-3  # misfit up to which fitted moments are compared with declared ones
COMPARED = 240  # rows in which integrators are compared with the log
PARTS = (1, 2, 4, 10)  # steps that an engine may have made between two rows
EVEN = 1e-6  # relative; steps of time that differ by more are uneven
AS_GOOD = 3.0  # times the least difference: integrators that resemble the log as much
RESEMBLES = 0.05  # difference above which nothing resembles it
ROUND_OFF = 1e-12  # a difference that says nothing


@dataclass(frozen=True)
class Likeness:
    """How much an integrator's motion differs from the log: rms of omega over |omega|, and of the turn between rows,
    over COMPARED rows, with `parts` steps from row to row."""

    integrator: str
    parts: int
    difference: float


@dataclass(frozen=True, eq=False)
class Replay:
    """A log turned into principal axes. `track`: its states with their errors against the exact motion that begins as
    it does. `fitted`: whether the moments come from the motion (then the largest is 1 kg m2). `misfit`: of the fit.
    """

    recording: Recording
    track: Track
    fitted: bool
    misfit: float
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
        size = self.track.momentum_size / self.track.momentum_size[0] - 1.0
        factor = (self.track.energy_factor - self.track.energy_factor[0]) / span
        found = []
        for name, error in (("|L|", size), ("energy", factor)):
            off = np.flatnonzero(np.abs(error) > LEFT)
            if len(off):
                found.append((float(self.track.states.time[off[0]]), name))
        return min(found) if found else None

    @cached_property
    def likenesses(self) -> tuple[Likeness, ...]:
        """All integrators for this body, the most alike first; none where the rows are not evenly spaced."""
        return _likenesses(self.track)

    def sentences(self) -> list[str]:
        """What there is to say, a sentence each."""
        said = self.recording.said
        lines = [f"{said.source or self.recording.name}: {len(self.track.states.time)} rows"]
        values = ", ".join(f"{value:.5g}" for value in self.body.principal_moments)
        lines[0] += f" over {brief(round(float(self.track.states.time[-1]), 9))} s"
        lines.append(
            f"moments {values} of the largest, fitted from the motion (misfit {self.misfit:.1g})"
            if self.fitted
            else f"moments {values} kg m², as declared"
        )
        lines += self.doubts
        lines.append(f"what it comes to: {verdict(self.track)}")
        left = self.left_curve
        lines.append(
            "stays on the curve of L in the body"
            if left is None
            else f"leaves the curve of L in the body at t = {left[0]:.4g} s (its {left[1]} is off by {LEFT:.0%})"
        )
        lines.append(self._resembles())
        return lines

    @property
    def resembled(self) -> str | None:
        """The integrator that the log resembles, if it is a known one other than the exact motion."""
        if not self.likenesses:
            return None
        best = self.likenesses[0]
        truth = next(one for one in self.likenesses if one.integrator == "exact").difference
        exact = truth <= AS_GOOD * best.difference and truth < RESEMBLES
        return None if exact or best.difference > min(RESEMBLES, 0.5 * truth) else best.integrator

    def _resembles(self) -> str:
        if not self.likenesses:
            return "rows are unevenly spaced in time: no integrator to compare with"
        best = self.likenesses[0]
        truth = next(one for one in self.likenesses if one.integrator == "exact").difference
        if truth <= AS_GOOD * best.difference and truth < RESEMBLES:
            return f"resembles the exact motion (difference {truth:.1g})"
        if best.difference > min(RESEMBLES, 0.5 * truth):
            return (
                f"resembles no known integrator: nearest is {best.integrator} (difference {best.difference:.1g},"
                f" of the exact motion {truth:.1g})"
            )
        alike = [
            one for one in self.likenesses[1:] if one.difference <= AS_GOOD * best.difference + ROUND_OFF
        ]
        parts = "" if best.parts == 1 else f" with {best.parts} steps a row"
        others = [one.integrator for one in alike if one.parts == best.parts]
        also = f", as much as {', '.join(others)}" if others else ""
        return f"resembles {best.integrator}{parts} most (difference {best.difference:.1g}{also})"


def replay(recording: Recording) -> Replay:
    """Puts a recording into principal axes, declared or fitted. Raises SceneError where the motion does not tell the
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
        raise SceneError(
            f"{recording.name}: moments: this motion does not tell them (it spins about one axis, or too briefly); give"
            " them, such as --moments 1,2,2.5"
        )
    body = RigidBody.from_moments(moments.tolist())
    if body.warning:
        doubts.append(body.warning)
    q = multiply(recording.orientation_wxyz, _quaternion(axes))
    states = States(recording.time, q, recording.omega_body @ axes)
    step = float(np.median(np.diff(recording.time)))
    course = Course(body, State(q[0], states.omega_body[0]), step, len(recording.time) - 1)
    lane = Recorded(recording.name, recording.said.source.partition(",")[0] or recording.name)
    return Replay(
        recording, Track(lane, course, states, 0.0, None), declared is None, fit.misfit, tuple(doubts)
    )


def _quaternion(axes: Array) -> Array:
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_matrix(axes).as_quat()[[3, 0, 1, 2]])


def _likenesses(track: Track) -> tuple[Likeness, ...]:
    states, course = track.states, track.course
    count = min(COMPARED, len(states.time) - 1)
    dt = np.diff(states.time[: count + 1])
    if np.ptp(dt) > EVEN * dt.mean() + 1e-9:
        return ()
    speed = float(np.linalg.norm(states.omega_body[: count + 1], axis=1).mean())
    turns = turns_between(states.orientation_wxyz[: count + 1])
    found = []
    for name, entry in INTEGRATORS.items():
        for parts in PARTS if entry.step is not None else (1,):
            difference = _difference(course, name, parts, states, turns, speed, count)
            if difference is not None:
                found.append(Likeness(name, parts, difference))
    best: dict[str, Likeness] = {}
    for one in sorted(found, key=lambda one: (one.difference, one.parts)):
        best.setdefault(one.integrator, one)
    return tuple(best.values())


def _difference(
    course: Course, name: str, parts: int, states: States, turns: Array, speed: float, count: int
) -> float | None:
    """None where the body is not for the integrator, or it leaves the finite range."""
    try:
        simulation = Simulation(course.body, course.start, name, course.step / parts)
        other = simulation.sampled(count, every=parts)
    except (ValueError, NumericalOverflow):
        return None
    rates = other.omega_body - states.omega_body[1 : count + 1]
    q = np.concatenate((course.start.orientation_wxyz[None], other.orientation_wxyz))
    turn = (turns_between(q) - turns) / course.step
    return float(np.sqrt(np.mean(np.sum(rates**2 + turn**2, axis=1)))) / speed
