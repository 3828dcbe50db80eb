"""What every fit to free flights or to a whole motion has in common: least squares on the motion of a rigid body.

The body is described by the second moments of its mass along the principal axes, of sum 1; its moments of inertia are 1
minus these. If no second moment is negative, the moments of inertia satisfy the triangle inequality.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

from viewer.physics.rotation import Array

STEP = 1e-5  # of the differences that give derivatives; the motion itself is good to 1e-10
NEAR = 1e-5  # relative change of the cost that ends a fit
ROBUST = 2.0  # noises: residuals beyond it count less, if the loss is not linear
HELD = 1e-4  # how near a ratio of moments is held to its value
# one sigma of what is known without measuring: second moments, axes [rad], starts relative to the largest rate
PRIOR_SPREAD, PRIOR_AXES, PRIOR_START = 0.5, 2.0, 10.0
SPREAD, AXES = slice(0, 2), slice(2, 5)  # the body's parameters in x
LEAST_KNOWN = 1e-15  # of the best known parameter's information
CURVED, STRAIGHT = 0.005, 1e-8  # sigma of a ratio from which on the covariance is not trusted; below which it is
MOST_GROWN = 1.5  # of the squared residuals, one sigma away along a straight valley, where 1 is expected
LEAST_RATIO = 0.01  # least ratio of moments that is tried
PROFILE_STEPS = 60  # evaluations of the motion at one value of a ratio
FIRST_REACH = 0.3  # sigmas by the covariance, for the first step along the valley
BETTER = 0.2  # squared noises by which the squared residuals must fall for a better fit


def around(count: int) -> Array:
    """Return the points (1 + 2 count, count) for central differences.

    These are the origin, and in each direction the points one step up and one step down from it.
    """
    both = np.stack((np.eye(count), -np.eye(count)), axis=1)
    return np.concatenate((np.zeros((1, count)), both.reshape(-1, count)))


AROUND_3, AROUND_5 = around(3), around(5)


class RigidFit(ABC):
    """A least-squares problem on the motion of a rigid body.

    Its parameters x (P,) are the second moments along axes a, b (the third is 1 - both), the turn of the axes [rad],
    and those of the motion, which a subclass adds. A fit also takes the `frame` (3, 3), whose columns are the axes a,
    b, c before that turn.

    `sigmas` are the prior standard deviations of the subclass's parameters: what is known of them without measuring.
    `expected` (P,) has the likeliest values of all parameters without measuring, and `known` (P,) is 1 over the prior
    standard deviations. `spreads` are the least and the largest
    second moment allowed. `least_step` is the relative step that ends a fit; None stands for the limit of the cost.
    `free` has the indices of the parameters that are fitted; the others keep their values. `held` is (i, j, ratio) if a
    fit has to keep the ratio of the moments i and j, or None.
    """

    def __init__(self, sigmas: Sequence[float], spreads: tuple[float, float], least_step: float | None = None) -> None:
        self.known = 1.0 / np.array((PRIOR_SPREAD, PRIOR_SPREAD, PRIOR_AXES, PRIOR_AXES, PRIOR_AXES, *sigmas))
        self.expected = np.zeros(len(self.known))
        self.expected[SPREAD] = 1.0 / 3.0
        self.spreads, self.least_step = spreads, least_step
        self.free = np.arange(len(self.known))
        self.held: tuple[int, int, float] | None = None

    @abstractmethod
    def differences(self, x: Array, frame: Array) -> tuple[list[Array], list[Array]]:
        """Return the residuals (n,), in units of their noise, in several arrays, and the derivatives (n, P) of each."""

    def body(self, x: Array) -> Array:
        """Return the moments (..., 3) about the axes a, b, c."""
        return moments_of(x)

    def residuals(self, x: Array, frame: Array) -> tuple[Array, Array]:
        """Return all residuals (M,) and their derivatives (M, F) by the free parameters.

        They are the `differences`, then how far x is from what is known without measuring, in prior standard
        deviations.
        """
        rows, columns = self.differences(x, frame)
        rows.append((x - self.expected) * self.known)
        columns.append(np.diag(self.known))
        if self.held is not None:
            index, largest, value = self.held
            moments, column = self.body(x), np.zeros((1, len(x)))
            column[0, SPREAD] = ratio_slopes(moments)[index] / HELD
            rows.append(np.array([(moments[index] / moments[largest] - value) / HELD]))
            columns.append(column)
        return np.concatenate(rows), np.concatenate(columns)[:, self.free]

    def solved(
        self, x: Array, frame: Array, steps: int, near: float = NEAR, loss: str = "linear"
    ) -> tuple[Array, float]:
        """Return the parameters nearest to the measurements, found from the given x in the same frame, and their cost.

        `steps` is the largest number of evaluations, `near` the relative change of the cost that ends the fit.
        """
        low, high = np.full(len(x), -np.inf), np.full(len(x), np.inf)
        low[SPREAD], high[SPREAD] = self.spreads
        low, high, whole = low[self.free], high[self.free], x.copy()
        last: dict[bytes, tuple[Array, Array]] = {}

        def both(values: Array) -> tuple[Array, Array]:
            key = values.tobytes()
            if key not in last:
                last.clear()
                whole[self.free] = values
                last[key] = self.residuals(whole, frame)
            return last[key]

        found = least_squares(
            lambda values: both(values)[0], np.clip(x[self.free], low + 1e-6, high - 1e-6),
            lambda values: both(values)[1], bounds=(low, high), x_scale="jac", loss=loss, f_scale=ROBUST,
            max_nfev=steps, ftol=near, xtol=self.least_step or near,
        )  # fmt: skip
        whole[self.free] = found.x
        return whole, float(found.cost)

    def covariance(self, x: Array, frame: Array, longer: float) -> Array:
        """Return the covariance of the parameters (P, P), 0 for those that are not free.

        `longer` is what `alike_rows` returns for the residuals.
        """
        _, slopes = self.residuals(x, frame)
        known = np.diag(self.known[self.free] ** 2)
        found = np.zeros((len(x), len(x)))
        found[np.ix_(self.free, self.free)] = _inverse((slopes.T @ slopes - known) / longer + known)
        return found

    def ratio_sigma(
        self, x: Array, frame: Array, covariance: Array, longer: float, profile: bool = True, begin_again: bool = True
    ) -> tuple[Array, Array | None]:
        """Return the standard deviations (3,) of the moments relative to the largest, and x of a better fit or None.

        If little is known, or near the middle axis, the valley of good fits is curved, and the covariance describes
        only its floor. Then, with `profile`, the ratios are varied; a better fit that is met on the way is returned if
        one is to `begin_again` from it.
        """
        by_x = ratio_slopes(self.body(x))
        sigma = np.sqrt(np.sum(by_x @ covariance[SPREAD, SPREAD] * by_x, axis=1))
        worst = int(np.argmax(sigma))
        if profile and sigma[worst] > STRAIGHT:
            away = covariance[:, SPREAD] @ by_x[worst] / sigma[worst]
            if sigma[worst] > CURVED or self._grown(x, x + away, frame) > MOST_GROWN * longer:
                return self._profiled(x, frame, sigma, covariance, longer, begin_again)
        return sigma, None

    def _grown(self, x: Array, there: Array, frame: Array) -> float:
        """Return by how much the sum of the squared residuals grows from x to there, or to the last body on the way."""
        low, high = self.spreads
        there[SPREAD] = np.clip(there[SPREAD], low + 1e-6, high - 1e-6)
        return float(np.sum(self.residuals(there, frame)[0] ** 2) - np.sum(self.residuals(x, frame)[0] ** 2))

    def _profiled(
        self, x: Array, frame: Array, sigma: Array, covariance: Array, longer: float, begin_again: bool
    ) -> tuple[Array, Array | None]:
        """Return what `ratio_sigma` returns, by varying each ratio and fitting all other parameters anew.

        A ratio is varied until the sum of the squared residuals, in units of the noise, has grown by 1.
        """
        moments, wide = moments_of(x), sigma.copy()
        largest = int(np.argmax(moments))
        least = self.solved(x, frame, 1)[1]
        along = covariance[:, SPREAD] @ ratio_slopes(moments).T / np.maximum(sigma, 1e-100) ** 2  # of x, by each ratio
        for index in {0, 1, 2} - {largest}:
            ratio, sides = float(moments[index] / moments[largest]), []
            for sign, end in ((1.0, 1.0), (-1.0, LEAST_RATIO)):
                reach, slope = FIRST_REACH * float(sigma[index]), along[:, index]
                while True:
                    reach = min(reach, sign * (end - ratio))
                    self.held = index, largest, ratio + sign * reach
                    there, cost = self.solved(x + sign * reach * slope, frame, PROFILE_STEPS)
                    self.held = None
                    grown = 2.0 * (cost - least) / longer
                    if grown < -BETTER and begin_again:
                        return wide, there
                    if grown >= 1.0 or reach >= sign * (end - ratio):
                        break
                    slope = (there - x) / (sign * reach)
                    reach *= 2.0
                sides.append(reach / max(float(np.sqrt(max(grown, 0.0))), 1.0))
            wide[index] = max(sigma[index], *sides)
        return wide, None


def _inverse(information: Array) -> Array:
    """Return the inverse (P, P) of an information matrix.

    A parameter of which the residuals tell nothing gets a large variance.
    """
    scale = 1.0 / np.sqrt(np.maximum(np.diag(information), 1e-300))
    both = np.outer(scale, scale)
    size, along = np.linalg.eigh(information * both)
    return np.asarray((along / np.maximum(size, LEAST_KNOWN * size[-1])) @ along.T * both)


def alike_rows(residuals: list[Array]) -> float:
    """Return by what factor correlated residuals of neighbouring rows raise the number of rows needed; 1 for noise."""
    product = sum(float(np.sum(part[1:] * part[:-1])) for part in residuals)
    alike = np.clip(product / max(sum(float(np.sum(part**2)) for part in residuals), 1e-300), 0.0, 0.98)
    return float((1.0 + alike) / (1.0 - alike))


def moments_of(x: Array) -> Array:
    """Return the moments of inertia (..., 3) about a, b, c, of sum 2.

    `x` (..., 2 or more) begins with the second moments along a and b.
    """
    a, b = x[..., 0], x[..., 1]
    return np.stack((1.0 - a, 1.0 - b, a + b), axis=-1)


def ratio_slopes(moments: Array) -> Array:
    """Return the derivatives (3, 2), by second moments a and b, of the moments relative to the largest."""
    by_x = np.array([[-1.0, 0.0], [0.0, -1.0], [1.0, 1.0]])
    largest = int(np.argmax(moments))
    return np.asarray(by_x / moments[largest] - np.outer(moments / moments[largest] ** 2, by_x[largest]))


def largest_last(spread: Array) -> NDArray[np.intp]:
    """Return the order (3,) of the axes in which the largest second moment comes last, the others in cyclic order."""
    c = int(np.argmax(spread))
    return np.array([(c + 1) % 3, (c + 2) % 3, c])


def rotation_of(vector: Array) -> Array:
    """Return the rotation matrices (..., 3, 3) of rotation vectors (..., 3)."""
    return np.asarray(Rotation.from_rotvec(vector).as_matrix())


def tilts(vector: Array) -> Array:
    """Return the turns (3, 3), in the turned axes, by which a rotation changes with each component of its vector.

    Column i is the turn [rad] for a change of component i, per unit of that change.
    """
    back = Rotation.from_rotvec(vector).inv()
    return np.stack([(back * Rotation.from_rotvec(vector + STEP * unit)).as_rotvec() / STEP for unit in np.eye(3)], 1)


def central(values: Array) -> Array:
    """Return the derivatives (P, ...) of values (1 + 2 P, ...), by central differences.

    The values belong to a point plus STEP times each row of `around(P)`.
    """
    return np.asarray((values[1::2] - values[2::2]) / (2.0 * STEP))
