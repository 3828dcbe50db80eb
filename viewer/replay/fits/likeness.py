"""The known integrator that a recorded motion resembles.

Each integrator runs on from some rows of the recording, over the next rows, and is compared with these. Only what was
recorded is compared.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property

import numpy as np

from viewer.common.errors import brief
from viewer.common.frozen import frozen
from viewer.physics.body import RigidBody
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.rotation import (
    Array,
    conjugate,
    from_rotation_vector,
    multiply,
    quaternion_from_matrix,
    rotate,
    rotate_back,
    rotation_vectors,
)
from viewer.physics.state import States, kernel_unit
from viewer.replay.fits.rigid_fit import alike_rows, rotation_of
from viewer.replay.flights.signal_quality import noise_of
from viewer.replay.kinematics import turns_between

EXACT = "exact-drift"  # steps that are the exact motion
OLD_RATES = "explicit-euler, old rates"  # turns by the rates at the beginning of a step, its kernel by those at the end
METHODS = {"exact": EXACT, OLD_RATES: "explicit-euler"}  # the integrators whose kernels make the steps of these
STEPPED = tuple(  # the others are the exact motion, the same without torque, or no recording's, which has rotations
    name for name, one in INTEGRATORS.items() if one.step and not (one.dense or one.loaded or one.matrix)
)
BEGINS = 0.0, 1.0 / 16.0, 0.25, 0.5  # where runs begin, as fractions of the recording: an error may end in steady spin
FEW_ROWS, MORE_ROWS = 15, 60  # of a run: with all integrators; at most, with the likeliest
RUN = 1.0 / 8.0  # of the recording: a run is no longer, so that a blow is not in two of them
DOUBLED, MOST_SUBSTEPS = 16, 40  # between two rows, tried with every integrator and with the likeliest ones
MOST_UNLIKE = 100.0  # times the least difference, up to which an integrator is likely
RESEMBLES, HOPELESS = 0.05, 0.3  # difference above which nothing resembles the recording, nor will with another body
EXACT_ENOUGH = 1e-9  # difference of the exact motion that a good integrator leaves too, in fine steps
LIKELIEST = 6  # integrators of which every number of substeps near the best is tried
CLIMBED = 8  # up to this number of substeps the best number near it is sought with the body refined for each
REFINED, STEP = 3, 1e-6  # least-squares steps, by the derivatives at the first; of the differences that give these
MOST_REFINED = 0.1  # one sigma of how far a body may be off before it is refined
NEARER = 0.8  # times a difference: below it another number of steps is better
LONGER = 4  # times as many rows of a run, while the exact motion is as near as another
AS_GOOD = 3.0  # times the least difference, up to which integrators resemble the recording as much
BETTER, SAME = 2.0, 1e-3  # times a difference that is no noise: others' is more; relative: of the same motion
ROUND_OFF = 1e-12  # differences below it are equal
SOLVED, USUALLY_SOLVED = 8, 4  # times at most that the rates at the beginning of a run are corrected
SOLVED_ENOUGH = 1e-8  # relative correction that ends this where only a step is made: each is about .02 of the last
FOLLOWED, LONGEST = 5_000, 10_000  # steps from rows all over the recording; of all longer runs
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

    def residuals(self, name: str, substeps: int, count: int, push: Array | None = None) -> Array | None:
        """Return the residuals (S, count, 3 or 6) of an integrator's S runs over `count` rows, relative to |omega|.

        They are those of omega and of the turn from row to row, divided by the time between the rows, as far as these
        were recorded; None if the integrator refuses the body, or diverges. With `push` (6,), each run begins so far
        off its first row: omega relative to |omega|, and a turn [rad]; the residuals are then those of the orientation
        [rad] in place of the turn from row to row, as these have noise that is independent in each row.
        """
        count = min(count, len(self.states.time) - 1)
        first = np.unique([int(part * (len(self.states.time) - 1 - count)) for part in BEGINS])
        rows = first[:, None] + np.arange(count + 1)
        q, omega = self.states.orientation_wxyz[rows], self.states.omega_body[rows]
        turn, off = self._turns(q), []
        size = np.linalg.norm(omega, axis=2).mean(axis=1)[:, None, None]
        with np.errstate(over="ignore", invalid="ignore"):
            first, start = q[:, 0], self._started(name, substeps, q[:, 0], omega[:, 0], turn[:, 0])
            if start is not None and push is not None:
                first, start = multiply(first, from_rotation_vector(push[3:])), start + size[:, 0] * push[:3]
            found = None if start is None else run_on(self.body, name, self.step, substeps, first, start, count)
            if found is None:
                return None
            if self.by_rates:
                off.append((found[1] - omega)[:, 1:] / size)
            if self.by_orientation and push is None:
                off.append((self._turns(found[0]) - turn) / size)
            elif self.by_orientation:
                off.append(rotation_vectors(multiply(conjugate(q), found[0]))[:, 1:])
        left = np.concatenate(off, axis=2)
        return left if np.isfinite(left).all() else None

    def _turns(self, q: Array) -> Array:
        return turns_between(q) / self.step

    def _started(
        self, name: str, substeps: int, q: Array, omega: Array, turn: Array, near: float = ROUND_OFF
    ) -> Array | None:
        """Return the rates (S, 3) with which an integrator runs on from S rows.

        They are the recorded ones `omega`, or else those with which it turns as recorded up to the next row: at the
        rate `turn` (S, 3). A relative correction below `near` is the last.
        """
        for _ in range(0 if self.by_rates else SOLVED):
            found = run_on(self.body, name, self.step, substeps, q, omega, 1)
            if found is None:
                return None
            change = turn - self._turns(found[0])[:, 0]
            omega = omega + change
            if np.abs(change).max() < near * np.abs(omega).max():
                break
        return omega

    def steps_of(self, name: str, substeps: int) -> tuple[int, Array, Array] | None:
        """Return the rates (n, 3) of some rows, and those at the next row to which an integrator brings each of them.

        Each row is so many rows after the one before as the first number says, so that FOLLOWED steps suffice. The
        result is None if the integrator refuses the body, or diverges.
        """
        q, turns = self.states.orientation_wxyz, turns_between(self.states.orientation_wxyz) / self.step
        apart = -(-len(turns) * substeps * (1 if self.by_rates else USUALLY_SOLVED) // FOLLOWED)
        q, omega, turns = q[:-1:apart], self.states.omega_body[:-1:apart], turns[::apart]
        with np.errstate(over="ignore", invalid="ignore"):
            start = self._started(name, substeps, q, omega, turns, SOLVED_ENOUGH)
            found = None if start is None else run_on(self.body, name, self.step, substeps, q, start, 1)
        return None if start is None or found is None else (apart, start, found[1][:, 1])

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

        A body that was fitted to the exact motion is a little off where an integrator errs. Where each run begins is
        fitted, too, as all its rows share the noise of the first. The worst run does not count.
        """
        still, starts = np.zeros(6), np.eye(6)[: 6 if self.by_orientation else 3]
        off = self.residuals(name, substeps, count, still)
        near = [self.changed(STEP * unit).residuals(name, substeps, count, still) for unit in np.eye(5)]
        near += [self.residuals(name, substeps, count, STEP * unit) for unit in starts]
        if off is None or any(one is None for one in near):
            return self
        slopes = np.stack([(one - off).reshape(len(off), -1) / STEP for one in near if one is not None], axis=2)
        by_start = np.linalg.qr(slopes[:, :, 5:])[0]
        left = _without(by_start, off.reshape(len(off), -1, 1))
        runs = np.argsort(np.sum(left**2, axis=(1, 2)))[: max(len(off) - 1, 1)]
        by_body, by_start = _without(by_start, slopes[:, :, :5])[runs].reshape(-1, 5), by_start[runs]
        rows = self
        for number in range(REFINED):
            off = rows.residuals(name, substeps, count, still) if number else off
            if off is None:
                return self
            left = _without(by_start, off[runs].reshape(len(runs), -1, 1)).reshape(off[runs].shape)
            unknown = 5 + len(runs) * len(starts)
            noise = max(float(np.sqrt(np.sum(left**2) / max(left.size - unknown, 1))), ROUND_OFF)
            longer = max(alike_rows([run]) for run in left)
            covariance = np.linalg.inv(by_body.T @ by_body / (noise**2 * longer) + np.eye(5) / MOST_REFINED**2)
            rows = rows.changed(-covariance @ by_body.T @ left.ravel() / (noise**2 * longer))
            moments = rows.body.principal_moments
            sigma = np.insert(np.sqrt(np.diag(covariance)[:2]), int(np.argmax(moments)), 0.0)
            rows = replace(rows, sigma=sigma * moments / moments.max())
        return rows


def _without(columns: Array, values: Array) -> Array:
    """Return values (S, M, n) without what orthonormal columns (S, M, k) explain of them."""
    return np.asarray(values - columns @ (np.swapaxes(columns, 1, 2) @ values))


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

    @property
    def method(self) -> str:
        """The name in INTEGRATORS of what makes its steps."""
        return METHODS.get(self.integrator, self.integrator)

    @property
    def turned_by(self) -> str:
        """Which rates turn the orientation in a step of explicit Euler, in words; empty unless both were recorded."""
        if self.method != METHODS[OLD_RATES] or not (self.rows.by_orientation and self.rows.by_rates):
            return ""
        return f"the orientation turned by the {'old' if self.integrator == OLD_RATES else 'new'} rates"

    @cached_property
    def changes(self) -> list[tuple[str, Array, Array]] | None:
        """How the recording's energy and |L| change, and what the integrator leaves of it; None if it diverges.

        They are the names of the two, their logarithms, and the sums of what is left of their changes. Each row is
        compared with a step from the row before, so that an error of the phase does not add up; between the rows from
        which steps were made, these change the two evenly.
        """
        found = self.rows.steps_of(self.integrator, self.substeps)
        if found is None:
            return None
        apart, omega, reached = found
        changes, moments = [], self.rows.body.principal_moments
        for name, of_rates in (("its energy", _energy), ("its |L|", _momentum)):
            values = np.log(of_rates(moments, omega))
            by_step = np.log(of_rates(moments, reached) / of_rates(moments, omega))
            steps = 0.5 * ((apart + 1) * by_step[:-1] + (apart - 1) * by_step[1:])
            changes.append((name, values, np.cumsum(np.diff(values) - steps)))
        return changes


def run_on(
    body: RigidBody, name: str, step: float, substeps: int, q: Array, omega: Array, count: int
) -> tuple[Array, Array] | None:
    """Return the orientations (S, count + 1, 4) and omega_body (S, count + 1, 3) of an integrator that runs on.

    It begins from each of S states with orientations (S, 4) and rates (S, 3), and makes `substeps` steps in the time
    `step` [s] from row to row. The result is None if the integrator refuses the body, or diverges.
    """
    method, h = INTEGRATORS[METHODS.get(name, name)], step / substeps
    assert method.step is not None
    unit = kernel_unit(body)
    moments = body.principal_moments / unit
    if method.refuses and method.refuses(body.principal_moments.tolist()):
        return None
    constants = method.constants((1.0 / moments[0], 1.0 / moments[1], 1.0 / moments[2]))
    ahead = h if name == OLD_RATES else 0.0  # the kernel's orientation has then made the next turn already
    L, q = moments * omega, multiply(q, from_rotation_vector(ahead * omega)) if ahead else q
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
    omega = (rotate_back(q, L) if method.in_space else L) / moments
    return multiply(q, from_rotation_vector(-ahead * omega)) if ahead else q, omega


def likenesses(rows: Rows, fitted: bool, noise: float) -> tuple[Likeness, ...]:
    """Return the likeness of the exact motion and those of the LIKELIEST integrators for this body, the nearest first.

    There are none if the rows are not evenly spaced. If the body is `fitted`, it is refined for each of the likeliest.
    If the exact motion comes near but for noise, only what explains how energy and |L| change is followed further. As
    long as it is as near as others and explains as much, the runs are made longer, until they tell more. `noise` is the
    relative noise of the recorded angular velocities.
    """
    dt = np.diff(rows.states.time)
    if np.ptp(dt) > EVEN * dt.mean() + 1e-9:
        return ()
    found = rows.tried("exact", (1,), FEW_ROWS)
    least = found[0].difference if found else np.inf
    for name in (*STEPPED, *[OLD_RATES] * (rows.by_orientation and rows.by_rates)):
        found += _doubled(rows, name, least)
    # of the finest steps only those count that are not just as near as the exact motion, which they come near
    found = [one for one in found if one.substeps <= DOUBLED or one.difference < NEARER * least]
    likeliest = sorted(_likely(found), key=_unlikeness)
    nearest = tuple(sorted(sorted(likeliest, key=_is_likelier)[: LIKELIEST + 1], key=_unlikeness))
    if not nearest or nearest[0].difference > HOPELESS:
        return nearest
    count = min(MORE_ROWS, max(FEW_ROWS, int(RUN * len(dt))))
    if any(one.integrator == "exact" and is_noise(one) for one in alike(likeliest)):
        fewest = {one.integrator: one for one in sorted(alike(likeliest), key=lambda one: -one.substeps)}
        begun = sorted(_followed(explaining(fewest.values(), noise), count, False), key=_is_likelier)[:LIKELIEST]
    else:
        begun = []
        for name in list(dict.fromkeys(["exact", *(one.integrator for one in likeliest)]))[: LIKELIEST + 1]:
            best = min((one for one in found if one.integrator == name), key=_unlikeness, default=None)
            if best is None:  # the body is none of its
                continue
            if name != "exact":
                others = range(max(1, best.substeps * 2 // 3), min(MOST_SUBSTEPS, best.substeps * 3 // 2 + 1) + 1)
                best = min([best, *rows.tried(name, others, FEW_ROWS)], key=_unlikeness)
            begun += _climbed(best) if fitted else [best]
    if min((one.difference for one in begun), default=np.inf) > RESEMBLES:
        return nearest
    found = _followed(_likely(begun), count, fitted)
    while count < len(dt) // 2:
        near, count = explaining(found, noise), count * LONGER
        steps = len(BEGINS) * count * sum(one.substeps for one in near)
        if len(near) < 2 or steps > LONGEST or "exact" not in [one.integrator for one in near]:
            break
        found = _followed(near, count, fitted)
    return tuple(sorted(found, key=_unlikeness))


def _is_likelier(one: Likeness) -> tuple[bool, float]:
    return one.integrator != "exact", one.difference


def is_noise(one: Likeness) -> bool:
    """Tell whether the runs of an integrator differ from the recording by noise alone."""
    off = one.rows.residuals(one.integrator, one.substeps, FEW_ROWS)
    noise = 0.0 if off is None else float(np.median([noise_of(run) for run in off]))
    return one.difference < max(AS_GOOD * noise, EXACT_ENOUGH)


def explaining(found: Iterable[Likeness], noise: float) -> list[Likeness]:
    """Return those of some likenesses that are as near as the nearest and explain how energy and |L| change."""
    return [one for one in alike(found) if unexplained_change(one, noise) is None]


def _doubled(rows: Rows, name: str, exact: float) -> list[Likeness]:
    """Return an integrator's likeness for 1, 2, 4, ... steps from row to row, as long as the difference falls.

    More than DOUBLED steps are tried only if with these it is less than that of the `exact` motion.
    """
    found: list[Likeness] = []
    number = 1
    while number <= (DOUBLED if not found or found[-1].difference > exact else MOST_SUBSTEPS):
        tried = rows.tried(name, (number,), FEW_ROWS)
        found += tried
        if tried and len(found) > 1 and found[-1].difference >= found[-2].difference:
            break
        number *= 2
    return found


def _likely(found: list[Likeness]) -> list[Likeness]:
    """Return the likeness of the exact motion, and those that are no more than MOST_UNLIKE times the least."""
    least = min((one.difference for one in found), default=0.0)
    return [one for one in found if one.integrator == "exact" or one.difference <= MOST_UNLIKE * least + ROUND_OFF]


def _climbed(one: Likeness) -> list[Likeness]:
    """Return the likeness for the best body and the number of steps near the given one that is then best; or none.

    Of more than CLIMBED steps the given number stays: with each further one refining takes longer, and tells less.
    """
    found = _followed([one], FEW_ROWS, True)
    for by in (-1, 1) if found and one.integrator != "exact" and one.substeps <= CLIMBED else ():
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
        tried = one.rows.tried(one.integrator, (one.substeps,), count)
        if fitted:
            again = one.rows.refined(one.integrator, one.substeps, count)
            better = again.tried(one.integrator, (one.substeps,), count)
            least = min((each.difference for each in tried), default=np.inf)
            tried = [each for each in better if each.difference < BETTER * least] or tried
        found += tried
    return found


def _unlikeness(one: Likeness) -> tuple[float, int]:
    return one.difference, one.substeps


def alike(found: Iterable[Likeness]) -> list[Likeness]:
    """Return those of some likenesses that are as near as the nearest, in their order."""
    found = list(found)
    least = min((one.difference for one in found), default=0.0)
    return [one for one in found if one.difference <= AS_GOOD * least + ROUND_OFF]


def stands_out(one: Likeness, found: Iterable[Likeness]) -> bool:
    """Tell whether an integrator leaves only noise, or all others that are not the same motion leave twice as much."""
    others = (other.difference / one.difference for other in found if other.integrator != one.integrator)
    return is_noise(one) or not any(times < BETTER and abs(times - 1.0) > SAME for times in others)


def unexplained_change(one: Likeness, noise: float) -> str | None:
    """Return how the recording's energy or |L| changes in a way that the integrator does not explain; else None.

    `noise` is the relative noise of the recorded angular velocities.
    """
    if one.changes is None:
        return "stays finite"
    for name, values, left in one.changes:
        least = 10.0 * max(noise, noise_of(left[:, None]))
        if np.abs(left).max() > max(UNCHANGED, least, SAME_CHANGE * float(np.ptp(values))):
            change = float(np.expm1(values[-1] - values[0]))
            return f"{name} {'falls' if change < 0.0 else 'grows'} by {brief(100.0 * abs(change), 2)} %"
    return None


def _energy(moments: Array, omega: Array) -> Array:
    return np.asarray(np.sum(moments * omega**2, axis=1))


def _momentum(moments: Array, omega: Array) -> Array:
    return np.asarray(np.linalg.norm(moments * omega, axis=1))
