"""The known integrator that a recorded motion resembles.

Each integrator runs on from some rows of the recording, over the next rows, and is compared with these. Only what was
recorded is compared.
"""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from viewer.common.errors import brief
from viewer.common.frozen import frozen
from viewer.physics.body import RigidBody
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.rotation import Array, multiply, quaternion_from_matrix, rotate, rotate_back
from viewer.physics.state import States, kernel_unit
from viewer.replay.fits.rigid_fit import alike_rows, rotation_of
from viewer.replay.flights.signal_quality import noise_of
from viewer.replay.kinematics import turns_between

EXACT = "exact-drift"  # steps that are the exact motion
STEPPED = tuple(  # the others are the exact motion, the same without torque, or no recording's, which has rotations
    name for name, one in INTEGRATORS.items() if one.step and not (one.dense or one.loaded or one.matrix)
)
BEGINS = 0.0, 1.0 / 16.0, 0.25, 0.5  # where runs begin, as fractions of the recording: an error may end in steady spin
FEW_ROWS, MORE_ROWS = 15, 60  # of a run: with all integrators, with the likeliest
SUBSTEPS = (1, 2, 3, 4, 6, 8, 12, 16, 24)  # between two rows, tried with every integrator
MOST_SUBSTEPS = 40  # tried with the likeliest ones
MOST_UNLIKE = 100.0  # times the least difference, up to which an integrator is likely
LIKELIEST = 6  # integrators of which every number of substeps near the best is tried
CLIMBED = 8  # up to this number of substeps the best number near it is sought with the body refined for each
REFINED, STEP = 2, 1e-6  # least-squares steps; of the differences that give derivatives
MOST_REFINED = 0.1  # one sigma of how far a body may be off before it is refined
NEARER = 0.8  # times a difference: below it another number of steps is better
LONGER = 4  # times as many rows of a run, while the exact motion is as near as another
AS_GOOD = 3.0  # times the least difference, up to which integrators resemble the recording as much
ROUND_OFF = 1e-12  # differences below it are equal
SOLVED = 8  # times at most that the rates at the beginning of a run are corrected
FOLLOWED, LONGEST = 20_000, 40_000  # steps over which the likeliest one is compared; of all longer runs
EVEN = 1e-6  # relative; steps of time that differ by more are uneven
UNCHANGED = 1e-4  # relative: energy and |L| that differ by less over the whole recording are the same
SAME_CHANGE = 0.05  # of their change, by which they may also differ


@frozen
class Rows:
    """Recorded states that are compared with integrators, in the principal axes of a body.

    `step` [s] is the time between two rows; `by_orientation` and `by_rates` tell what was recorded. `axes` (3, 3) has
    the principal axes as columns, in the axes in which the states were before the body was refined. `sigma` (3,) has
    the standard deviations of its moments relative to the largest, 0 if they were not refined.
    """

    body: RigidBody
    states: States
    step: float
    by_orientation: bool
    by_rates: bool
    axes: Array
    sigma: Array

    def residuals(self, name: str, substeps: int, count: int) -> Array | None:
        """Return the residuals (S, count, 3 or 6) of an integrator's S runs over `count` rows, relative to |omega|.

        They are those of omega and of the turn from row to row, divided by the time between the rows, as far as these
        were recorded; None if the integrator refuses the body, or diverges.
        """
        count = min(count, len(self.states.time) - 1)
        first = np.unique([int(part * (len(self.states.time) - 1 - count)) for part in BEGINS])
        rows = first[:, None] + np.arange(count + 1)
        q, omega = self.states.orientation_wxyz[rows], self.states.omega_body[rows]
        turn, off = self._turns(q), []
        with np.errstate(over="ignore", invalid="ignore"):
            start = self._started(name, substeps, q[:, 0], omega[:, 0], turn[:, 0])
            found = None if start is None else run_on(self.body, name, self.step, substeps, q[:, 0], start, count)
            if found is None:
                return None
            if self.by_rates:
                off.append((found[1] - omega)[:, 1:])
            if self.by_orientation:
                off.append(self._turns(found[0]) - turn)
            left = np.concatenate(off, axis=2) / np.linalg.norm(omega, axis=2).mean(axis=1)[:, None, None]
        return left if np.isfinite(left).all() else None

    def _turns(self, q: Array) -> Array:
        return np.stack([turns_between(part) for part in q]) / self.step

    def _started(self, name: str, substeps: int, q: Array, omega: Array, turn: Array) -> Array | None:
        """Return the rates (S, 3) with which an integrator runs on from S rows.

        They are the recorded ones `omega`, or else those with which it turns as recorded up to the next row: at the
        rate `turn` (S, 3).
        """
        for _ in range(0 if self.by_rates else SOLVED):
            found = run_on(self.body, name, self.step, substeps, q, omega, 1)
            if found is None:
                return None
            omega = omega + turn - self._turns(found[0])[:, 0]
        return omega

    def steps_of(self, name: str, substeps: int) -> tuple[Array, Array] | None:
        """Return the rates (N, 3) of the rows, and those at the next row to which an integrator brings each of them.

        At most FOLLOWED steps are made. The result is None if the integrator refuses the body, or diverges.
        """
        count = min(len(self.states.time) - 1, max(1, FOLLOWED // (substeps * (1 if self.by_rates else SOLVED))))
        q, omega = self.states.orientation_wxyz[: count + 1], self.states.omega_body[: count + 1]
        with np.errstate(over="ignore", invalid="ignore"):
            start = self._started(name, substeps, q[:-1], omega[:-1], turns_between(q) / self.step)
            found = None if start is None else run_on(self.body, name, self.step, substeps, q[:-1], start, 1)
        return None if start is None or found is None else (start, found[1][:, 1])

    def tried(self, name: str, substeps: Iterable[int], count: int) -> list["Likeness"]:
        """Return an integrator's likeness for each number of substeps, unless it diverges or refuses the body."""
        found = []
        for number in substeps:
            off = self.residuals(name, number, count)
            if off is not None:
                runs = np.sqrt(np.mean(np.sum(off**2, axis=2), axis=1))
                found.append(Likeness(name, number, float(np.sort(runs)[-2:][0]), self))
        return found

    def changed(self, x: Array) -> "Rows":
        """Return the same rows for another body.

        `x` (5,) are the changes of the logarithms of the two moments that are not the largest, and the turn of the axes
        [rad].
        """
        moments, turn = self.body.principal_moments.copy(), rotation_of(x[2:])
        moments[np.delete(np.arange(3), int(np.argmax(moments)))] *= np.exp(x[:2])
        q = multiply(self.states.orientation_wxyz, quaternion_from_matrix(turn))
        states = States(self.states.time, q, self.states.omega_body @ turn)
        return replace(self, body=RigidBody.from_moments(moments.tolist()), states=states, axes=self.axes @ turn)

    def refined(self, name: str, substeps: int, count: int) -> "Rows":
        """Return the rows for the body with which an integrator's runs come nearest to them, by least squares.

        A body that was fitted to the exact motion is a little off where an integrator errs.
        """
        rows = self
        for _ in range(REFINED):
            off = rows.residuals(name, substeps, count)
            near = [rows.changed(STEP * unit).residuals(name, substeps, count) for unit in np.eye(5)]
            if off is None or any(one is None for one in near):
                return self
            slopes = np.stack([(one - off).ravel() / STEP for one in near if one is not None], axis=1)
            noise = max(float(np.sqrt(np.mean(off**2))), ROUND_OFF)
            longer = max(alike_rows([run]) for run in off)
            covariance = np.linalg.inv(slopes.T @ slopes / (noise**2 * longer) + np.eye(5) / MOST_REFINED**2)
            rows = rows.changed(-covariance @ slopes.T @ off.ravel() / (noise**2 * longer))
            moments = rows.body.principal_moments
            sigma = np.insert(np.sqrt(np.diag(covariance)[:2]), int(np.argmax(moments)), 0.0) * moments / moments.max()
            rows = replace(rows, sigma=sigma)
        return rows


@frozen
class Likeness:
    """How much an integrator's motion differs from the recording, with `substeps` steps from row to row.

    `difference` is the rms of `Rows.residuals` in the second worst of some runs, so that a blow in one of them does not
    count. `rows` are those of the body with which the integrator comes nearest.
    """

    integrator: str
    substeps: int
    difference: float
    rows: Rows


def run_on(
    body: RigidBody, name: str, step: float, substeps: int, q: Array, omega: Array, count: int
) -> tuple[Array, Array] | None:
    """Return the orientations (S, count + 1, 4) and omega_body (S, count + 1, 3) of an integrator that runs on.

    It begins from each of S states with orientations (S, 4) and rates (S, 3), and makes `substeps` steps in the time
    `step` [s] from row to row. The result is None if the integrator refuses the body, or diverges.
    """
    method, h = INTEGRATORS[EXACT if name == "exact" else name], step / substeps
    assert method.step is not None
    unit = kernel_unit(body)
    moments = body.principal_moments / unit
    if method.refuses and method.refuses(body.principal_moments.tolist()):
        return None
    constants = method.constants((1.0 / moments[0], 1.0 / moments[1], 1.0 / moments[2]))
    L = moments * omega
    rows = []
    try:
        for seven in np.concatenate((q, rotate(q, L) if method.in_space else L), axis=1).tolist():
            rows.append(seven)
            for _ in range(count):
                for _ in range(substeps):
                    seven = method.step(*seven, h, constants)
                rows.append(seven)
    except (ArithmeticError, ValueError):
        return None
    found = np.array(rows).reshape(len(q), count + 1, 7)
    q, L = found[..., :4], found[..., 4:]
    return q, (rotate_back(q, L) if method.in_space else L) / moments


def likenesses(rows: Rows, fitted: bool, noise: float) -> tuple[Likeness, ...]:
    """Return the likeness of the exact motion and those of the LIKELIEST integrators for this body, the nearest first.

    There are none if the rows are not evenly spaced. If the body is `fitted`, it is refined for each of the likeliest.
    As long as the exact motion is as near as others and explains as much, the runs are made longer, until they tell
    more. `noise` is the relative noise of the recorded angular velocities.
    """
    dt = np.diff(rows.states.time)
    if np.ptp(dt) > EVEN * dt.mean() + 1e-9:
        return ()
    found = []
    for name in ("exact", *STEPPED):
        found += rows.tried(name, SUBSTEPS if name in STEPPED else (1,), FEW_ROWS)
    likeliest = sorted(_likely(found), key=_unlikeness)
    begun = []
    for name in list(dict.fromkeys(["exact", *(one.integrator for one in likeliest)]))[: LIKELIEST + 1]:
        best = min((one for one in found if one.integrator == name), key=_unlikeness, default=None)
        if best is None:  # the body is none of its
            continue
        if name in STEPPED:
            others = range(max(1, best.substeps * 2 // 3), min(MOST_SUBSTEPS, best.substeps * 3 // 2 + 1) + 1)
            best = min([best, *rows.tried(name, others, FEW_ROWS)], key=_unlikeness)
        begun += _climbed(best) if fitted else [best]
    found, count = _followed(_likely(begun), MORE_ROWS, fitted), MORE_ROWS
    while count < len(dt) // 2:
        near, count = explaining(found, noise), count * LONGER
        steps = len(BEGINS) * count * sum(one.substeps for one in near)
        if len(near) < 2 or steps > LONGEST or "exact" not in [one.integrator for one in near]:
            break
        found = _followed(near, count, fitted)
    return tuple(sorted(found, key=_unlikeness))


def explaining(found: Iterable[Likeness], noise: float) -> list[Likeness]:
    """Return those of some likenesses that are as near as the nearest and explain how energy and |L| change."""
    return [one for one in alike(found) if unexplained_change(one, noise) is None]


def _likely(found: list[Likeness]) -> list[Likeness]:
    """Return the likeness of the exact motion, and those that are no more than MOST_UNLIKE times the least."""
    least = min(one.difference for one in found)
    return [one for one in found if one.integrator == "exact" or one.difference <= MOST_UNLIKE * least + ROUND_OFF]


def _climbed(one: Likeness) -> list[Likeness]:
    """Return the likeness for the best body and the number of steps near the given one that is then best; or none.

    Of more than CLIMBED steps the given number stays: with each further one refining takes longer, and tells less.
    """
    found = _followed([one], FEW_ROWS, True)
    for by in (-1, 1) if found and one.integrator in STEPPED and one.substeps <= CLIMBED else ():
        while found[0].substeps + by in range(1, MOST_SUBSTEPS + 1):
            tried = _followed([replace(found[0], substeps=found[0].substeps + by)], FEW_ROWS, True)
            if not tried or tried[0].difference >= NEARER * found[0].difference:
                break
            found = tried
    return found


def _followed(some: Iterable[Likeness], count: int, fitted: bool) -> list[Likeness]:
    """Return likenesses in runs over `count` rows, for refined bodies if `fitted`; none for those that diverge."""
    found = []
    for one in some:
        rows = one.rows.refined(one.integrator, one.substeps, count) if fitted else one.rows
        found += rows.tried(one.integrator, (one.substeps,), count)
    return found


def _unlikeness(one: Likeness) -> tuple[float, int]:
    return one.difference, one.substeps


def alike(found: Iterable[Likeness]) -> list[Likeness]:
    """Return those of some likenesses that are as near as the nearest, in their order."""
    found = list(found)
    least = min((one.difference for one in found), default=0.0)
    return [one for one in found if one.difference <= AS_GOOD * least + ROUND_OFF]


def unexplained_change(one: Likeness, noise: float) -> str | None:
    """Return how the recording's energy or |L| changes in a way that the integrator does not explain; else None.

    Each row is compared with a step from the row before, so that an error of the phase does not add up; what is left of
    the changes is added up. `noise` is the relative noise of the recorded angular velocities. At most FOLLOWED steps
    are compared.
    """
    found = one.rows.steps_of(one.integrator, one.substeps)
    if found is None:
        return "stays finite"
    omega, reached = found
    moments = one.rows.body.principal_moments
    for name, of_rates in (("its energy", _energy), ("its |L|", _momentum)):
        values = np.log(of_rates(moments, omega))
        left = np.diff(values) - np.log(of_rates(moments, reached) / of_rates(moments, omega))[:-1]
        left = np.cumsum(left)
        least = 10.0 * max(noise, noise_of(left[:, None]))
        if np.abs(left).max() > max(UNCHANGED, least, SAME_CHANGE * float(np.ptp(values))):
            change = float(np.expm1(values[-1] - values[0]))
            return f"{name} {'falls' if change < 0.0 else 'grows'} by {brief(100.0 * abs(change), 2)} %"
    return None


def _energy(moments: Array, omega: Array) -> Array:
    return np.asarray(np.sum(moments * omega**2, axis=1))


def _momentum(moments: Array, omega: Array) -> Array:
    return np.asarray(np.linalg.norm(moments * omega, axis=1))
