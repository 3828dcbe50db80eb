"""How well a fit is known where its covariance does not tell."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from viewer.replay.flights.problem import NEAR, moments_of, ratio_slopes

Array = NDArray[np.float64]

LEAST_KNOWN = 1e-15  # of the best known parameter's information
CURVED = 0.005  # sigma of a ratio from which on the covariance is not trusted
LEAST_RATIO = 0.01  # of moments that is tried
PROFILE_STEPS = 60  # evaluations of the motion at one value of a ratio
FIRST_REACH = 0.3  # sigmas by the covariance, from where the valley is followed
BETTER = 0.2  # squares of noises by which a fit has to be better


class Problem(Protocol):
    """Least squares whose first two parameters are second moments a, b; `held`: the ratio of two moments, by their
    numbers, that a fit has to keep to."""

    held: tuple[int, int, float] | None

    def solved(self, x: Array, frame: Array, steps: int, *, near: float) -> tuple[Array, float]: ...


def covariance_of(information: Array) -> Array:
    """The inverse (P, P); what no residual depends on gets a large variance instead of none."""
    scale = 1.0 / np.sqrt(np.maximum(np.diag(information), 1e-300))
    both = np.outer(scale, scale)
    size, along = np.linalg.eigh(information * both)
    return np.asarray((along / np.maximum(size, LEAST_KNOWN * size[-1])) @ along.T * both)


def alike_rows(kept: list[Array]) -> float:
    """How many times as many rows the same knowledge takes, as neighbouring residuals are alike: 1 for noise."""
    product = sum(float(np.sum(part[1:] * part[:-1])) for part in kept)
    alike = np.clip(product / max(sum(float(np.sum(part**2)) for part in kept), 1e-300), 0.0, 0.98)
    return float((1.0 + alike) / (1.0 - alike))


def profiled(
    problem: Problem, x: Array, frame: Array, sigma: Array, covariance: Array, longer: float
) -> tuple[Array, Array | None]:
    """(sigmas (3,) of the ratios, x of a better fit if one is met): how far a ratio may be off until the squares of
    the residuals grow by those of one noise, with all else fitted to it. Where little is known the valley of good
    fits is curved, and the covariance knows only its floor."""
    moments, wide = moments_of(x), sigma.copy()
    largest = int(np.argmax(moments))
    least = problem.solved(x, frame, 1, near=NEAR)[1]
    along = covariance[:, :2] @ ratio_slopes(moments).T / np.maximum(sigma, 1e-100) ** 2  # of x, by each ratio
    for index in {0, 1, 2} - {largest}:
        ratio, sides = float(moments[index] / moments[largest]), []
        for sign, end in ((1.0, 1.0), (-1.0, LEAST_RATIO)):
            reach, slope = FIRST_REACH * float(sigma[index]), along[:, index]
            while True:
                reach = min(reach, sign * (end - ratio))
                problem.held = index, largest, ratio + sign * reach
                there, cost = problem.solved(x + sign * reach * slope, frame, PROFILE_STEPS, near=NEAR)
                problem.held = None
                grown = 2.0 * (cost - least) / longer
                if grown < -BETTER:
                    return wide, there
                if grown >= 1.0 or reach >= sign * (end - ratio):
                    break
                slope = (there - x) / (sign * reach)
                reach *= 2.0
            sides.append(reach / max(float(np.sqrt(max(grown, 0.0))), 1.0))
        wide[index] = max(sigma[index], *sides)
    return wide, None
