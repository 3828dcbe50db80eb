"""The running motion of a body, and many of its steps at once as arrays."""

from __future__ import annotations

from math import inf, isfinite

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import refusal
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.kernels.quaternion import Moving, to_body
from viewer.physics.state import SAMPLE, SampleRows, States, angular_momentum_world, stretched_omega
from viewer.physics.stepped_body import SteppedBody
from viewer.physics.stepping.stepper import NumericalOverflow, Rows

Array = NDArray[np.float64]

__all__ = ["NumericalOverflow", "Simulation"]

PATH = 4096  # steps whose states are kept as Python numbers at a time


class Simulation(SteppedBody):
    """A body that turns from a state on, in steps of one integrator.

    The result is the same, bit for bit, however the steps are divided into calls. With the integrator "exact" steps
    bring no error: the closed form gives every state, and starts anew only when loads or solver change.

    Parameters
    ----------
    body : RigidBody
        The body.
    start : State
        Its state at t = 0.
    integrator : str, optional
        A key of INTEGRATORS.
    step : float, optional
        The step h [s].
    loads : Loads or callable, optional
        What acts on the body, or a function of the time [s] and the State that returns a torque (3,) [N m] in space; to
        combine it with other loads, use ``Loads(torque_function=...)``.
    stabilisation : str, optional
        "off", "gradient" or "closest-point": how the body is projected to the targets of energy and |L| after each
        step; "closest-point" brings a top to what its weight keeps.
    gradient : GradientSettings, optional
        The constants of the stabilisation "gradient".
    fast : bool, optional
        Whether the steps are compiled with numba (extra `fast`) at their first use, which takes a second or more. They
        are then some 20 times faster, and the last digits may depend on how the steps are divided into calls.
    drift_angle : float, optional
        The angle [rad] by which one series of the exact drift may turn, 0.15 if not given, at most 1. At 0.15 rad the
        orientation errs by 1e-13 rad a turn; the error grows with the tenth power of the angle. Longer steps are made
        in parts.
    largest_omega : float, optional
        A cap on |omega| [rad/s], as engines have one: if a step ends with more, L is made shorter. The targets do not
        follow.

    Raises
    ------
    ValueError
        If an argument is not allowed; the message names field, value and what is allowed.

    Examples
    --------
    >>> from viewer import RigidBody, Simulation, State
    >>> simulation = Simulation(RigidBody.box(1, 1, 0.4, 0.2), State((1, 0, 0, 0), (0.01, 3, 0)), step=0.01)
    >>> energy = simulation.rotational_energy
    >>> simulation.advance(10.0)
    >>> simulation.steps, bool(abs(simulation.rotational_energy / energy - 1) < 1e-13)
    (1000, True)
    """

    def advance_sampled(self, count: int, every: int) -> SampleRows:
        """Make `count` times `every` steps, and return a sample after every `every` steps.

        Parameters
        ----------
        count : int
            The number of samples.
        every : int
            The steps from sample to sample; negative to go back in time.

        Returns
        -------
        ndarray
            The samples (count,), of dtype SAMPLE.
        """
        if self._method.step is not None or self._centre.thrust or not count:
            rows = np.empty(count, SAMPLE)
            for n in range(count):
                self.advance_steps(every)
                rows[n] = self.sample()
            return rows
        rows = self.closed_samples(self._steps + every * np.arange(1, count + 1))
        self.advance_steps(count * every)
        return rows

    def closed_samples(self, steps: NDArray[np.int64]) -> SampleRows:
        """Return samples by the closed form of a free motion or, with the integrator "exact", of a symmetric top.

        The integrator must have no truncation error, and no force on the centre of mass may turn with the body or be a
        function.

        Parameters
        ----------
        steps : ndarray
            The numbers of steps (N,), counted from the start, after which samples are taken.

        Returns
        -------
        ndarray
            The samples (N,), of dtype SAMPLE.
        """
        rows = np.empty(len(steps), SAMPLE)
        elapsed = np.asarray((steps - self._steps_before) * self._step, dtype=np.float64)
        motion, late = self._closed_form.motion, elapsed
        if self._method.step is not None:
            motion, late = FreeRotation(self._body, self.state), np.asarray((steps - self._steps) * self._step)
        self._check_time(motion, float(np.abs(late).max(initial=0.0)))
        rows[:] = self.sample()
        rows["steps"], rows["time"] = steps, self._time_before + elapsed
        states = motion.at(late)
        rows["orientation_wxyz"] = q = states.orientation_wxyz
        if self._kept is not None:
            rows["angular_momentum"] = L = angular_momentum_world(self._body, states) / self._floats.unit
            rows["target_norm"] = np.linalg.norm(L, axis=1)
            left = self._kept.energy - self._loads.potential_energy(q, np.zeros(3))
            rows["target_energy"] = left / self._floats.unit
        rows["position"], rows["linear_momentum"] = self._centre.at(elapsed)
        return rows

    def path(self, count: int) -> Rows:
        """Make steps forward, and return after each a row of all that moves; there must be no cap and no thrust.

        The steps are those of `advance_steps`, bit for bit unless they are compiled (`fast`). If the motion diverges,
        there are fewer, up to the last finite state, and the next call raises NumericalOverflow.

        Parameters
        ----------
        count : int
            The number of steps.

        Returns
        -------
        list or ndarray
            Rows for `states_of`.
        """
        self._state = None
        if self._method.step is None:
            samples = self.closed_samples(self._steps + np.arange(1, count + 1))
            self._steps += count
            return np.column_stack((samples["orientation_wxyz"], samples["angular_momentum"]))
        if not self._loads.free:
            return self._path_under_loads(count)
        rows, seven, targets = self._stepper.each(self._seven, self._targets, count, self._curve, self._steps)
        if isfinite(sum(seven) + sum(targets)):
            self._seven, self._targets, self._steps = seven, targets, self._steps + count
            return rows
        finite = [isfinite(sum(row)) for row in rows]
        whole = len(rows) if all(finite) else finite.index(False)
        self.advance_steps(max(whole, 1))  # raises if none is finite
        return rows[:whole]

    def _path_under_loads(self, count: int) -> Rows:
        """Return what `path` returns, one step at a time."""
        rows: list[Moving] = []
        try:
            for _ in range(count):
                self.advance_steps(1)
                rows.append(self._seven)
        except NumericalOverflow:
            if not rows:
                raise
        return rows

    def states_of(self, rows: Rows | None = None) -> States:
        """Return the states after the last steps.

        Parameters
        ----------
        rows : list or ndarray, optional
            The rows that `path` has returned for these steps; None for the present state.

        Returns
        -------
        States
            The states (N,).
        """
        rows = [self._now()] if rows is None else rows
        columns = np.asarray(rows, dtype=np.float64).reshape(len(rows), len(self._seven)).T
        q, L, stretch = columns[:4].T, columns[4:7], columns[7:].T
        made = np.arange(self._steps - len(rows) + 1.0, self._steps + 1.0) - self._steps_before
        q = np.asarray(q / np.abs(q).max(axis=1, keepdims=True))
        q = np.asarray(q / np.sqrt(np.sum(q * q, axis=1, keepdims=True)))
        if self._method.in_space:
            L = np.array(to_body(*columns[:4], *L))
        return self._states(np.asarray(self._time_before + made * self._step), q, L.T, stretch)

    def _states(
        self, times: Array, q: Array, L_b: Array, stretch: Array, position: Array | None = None, P: Array | None = None
    ) -> States:
        """Return the states with these times (N,), orientations (N, 4) and L_b (N, 3), L_b in the unit of the kernels.

        `stretch` (N, 6) is the stretch of the integrator's matrix, (N, 0) if it keeps none. `position` and P, the
        linear momentum, are None if they are not known.
        """
        J = np.array(self._floats.J)
        if not self._method.matrix:
            return States(times, q, np.asarray(L_b * J), position, P)
        return States(times, q, stretched_omega(stretch, L_b, J), position, P, L_b * self._floats.unit, stretch)

    def sampled(self, count: int, every: int = 1) -> States:
        """Make `count` times `every` steps, and return the state after every `every` steps.

        In plain Python this is the fast way to many states of the exact drift. It shares work between steps, so that
        the last digits differ from those of `advance_steps`.

        Parameters
        ----------
        count : int
            The number of states.
        every : int, optional
            The steps from state to state.

        Returns
        -------
        States
            The states (count,).

        Raises
        ------
        ValueError
            If `count` is below 0 or `every` below 1.
        """
        if count < 0 or every < 1:
            raise refusal(
                "count, every: {count}, {every} are not allowed; at least 0 and 1 are", count=count, every=every
            )
        times, rows, moved = np.empty(count), np.empty((count, len(self._seven))), np.empty((2, count, 3))
        done = 0
        while done < count:
            one_by_one = every > 1 or self._centre.thrust or self._largest_omega < inf
            some = 0 if one_by_one else min(PATH, count - done)
            last, path = self._stepper.path(self._seven, some, self._curve)
            if path and isfinite(sum(last)):
                self._state, self._seven = None, last
                rows[done : done + some] = path
                late: Array = self._step * np.arange(1.0, some + 1.0)
                times[done : done + some] = self.time + late
                moved[:, done : done + some] = self._centre.at(self._elapsed + late)
                self._steps += some
                done += some
            else:
                self.advance_steps(every)
                seven = self._now()
                rows[done], times[done] = (*seven[:4], *self._floats.momentum_body(seven), *seven[7:]), self.time
                moved[:, done] = self._centre.after(self._elapsed)
                done += 1
        q = rows[:, :4] / np.linalg.norm(rows[:, :4], axis=1, keepdims=True)
        return self._states(times, q, rows[:, 4:7], rows[:, 7:], *moved)
