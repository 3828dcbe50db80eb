"""Orientations from angular velocities and back, on the times of a recording."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

from viewer.physics.rotation import conjugate, multiply, rotate_back, rotation_vectors
from viewer.physics.state import States
from viewer.replay.raw_recording import Array, Progress, no_progress

TURN = 0.15  # rad, large against noise, and small enough for its path to be nearly straight
FEWEST_TURNS = 8
STENCIL = 5  # orientations from which a rate is taken
BLOCK = 8192  # rows that are processed at once, to save memory; it is the quickest size, too
SPLINE_REACH = 64  # rows: one this far off moves a cubic spline by 1e-36 of itself, each further one by .27 as much


def blocks(rows: int, reach: int = 0) -> Iterator[tuple[slice, slice]]:
    """Yield the rows in blocks, and with each the same block with up to `reach` more rows on each side.

    The wider block begins at least one row earlier, unless it is the first.
    """
    for first in range(0, rows, BLOCK):
        end = min(first + BLOCK, rows)
        yield slice(first, end), slice(max(first - max(reach, 1), 0), min(end + reach, rows))


def wxyz(turn: Rotation) -> Array:
    """Return scipy's rotations as quaternions (..., 4), wxyz; scipy has the scalar last."""
    return np.asarray(turn.as_quat()[..., [3, 0, 1, 2]])


def turns_between(q: Array, world: bool = False) -> Array:
    """Return rotation vectors (..., N - 1, 3) [rad] from each of the orientations (..., N, 4) to the next.

    They are in the body frame, or in the `world` frame.
    """
    back, after = conjugate(q[..., :-1, :]), q[..., 1:, :]
    return rotation_vectors(multiply(after, back) if world else multiply(back, after))


def rows_of_turn(q: Array) -> int:
    """Return over how many rows of unit quaternions (N, 4) noise averages out, as the body turns by TURN; a power of 2.

    It turns as far in every order and direction of the quaternions. If it turns less, that is the largest power with
    FEWEST_TURNS turns.
    """
    rows = 1
    while True:
        first = np.unique(np.linspace(0, len(q) - 1 - rows, BLOCK).astype(int))
        turn = 2.0 * np.arccos(np.minimum(np.abs(np.sum(q[first] * q[first + rows], axis=1)), 1.0))
        if 2 * rows * FEWEST_TURNS > len(q) or np.sum(turn**2) >= TURN * np.sum(turn):
            return rows
        rows *= 2


def rates_of(time: Array, q: Array, gaps: Sequence[int] | NDArray[np.intp] = (), stencil: int = STENCIL) -> Array:
    """Return omega_body (N, 3) [rad/s] of orientations (N, 4).

    At each row a polynomial is laid through the rotation vectors from this row to the `stencil` nearest orientations;
    omega is its derivative. `gaps` are the rows before which rows are missing. No polynomial goes across a gap, unless
    there are too few rows between two gaps.
    """
    count = len(time)
    ends = np.array([0, *gaps, count])
    lengths = np.diff(ends)
    low, high = np.repeat(ends[:-1], lengths), np.repeat(ends[1:], lengths)
    short = high - low < stencil
    low, high = np.where(short, 0, low), np.where(short, count, high)
    first = np.clip(np.arange(count) - stencil // 2, low, high - stencil)
    near = first[:, None] + np.arange(stencil)
    t = time[near] - time[:, None]
    back = conjugate(q)[:, None]
    vectors = rotation_vectors(multiply(np.broadcast_to(back, (count, stencil, 4)), q[near]))
    return np.asarray(np.einsum("nk,nkc->nc", _derivative_weights(t), vectors))


def rates_beside(exact: States, recorded: States, gaps: Sequence[int] | NDArray[np.intp] = ()) -> Array:
    """Return omega_body (N, 3) [rad/s] of recorded orientations near an exact motion at the same times.

    It is that of the exact motion plus the rate of the turn from the exact to the recorded orientations; as this turn
    is small, hardly anything is lost between the rows.
    """
    turn = multiply(conjugate(exact.orientation_wxyz), recorded.orientation_wxyz)
    return rotate_back(turn, exact.omega_body) + rates_of(recorded.time, turn, gaps)


def _derivative_weights(t: Array) -> Array:
    """Return the weights (N, n) with which values at times t (N, n) give the derivative at time 0.

    The derivative is that of the polynomial through the values.
    """
    stencil, size = t.shape[1], np.abs(t).max(axis=1, keepdims=True)
    powers = (t / size)[:, None, :] ** np.arange(stencil)[None, :, None]
    wanted = np.zeros((len(t), stencil, 1))
    wanted[:, 1] = 1.0
    return np.asarray(np.linalg.solve(powers, wanted)[:, :, 0] / size)


def integrated(time: Array, rates: Array, in_world: bool, progress: Progress = no_progress) -> tuple[Array, Array]:
    """Return orientation_wxyz, which starts from the identity, and omega_body from rates (N, 3).

    The rates are in the world frame if `in_world`, else in the body. The steps are Magnus steps of order 4 over a cubic
    spline. `progress` is called with the fraction done.
    """
    q, last = np.empty((len(time), 4)), np.array([1.0, 0.0, 0.0, 0.0])
    for block, wide in blocks(len(time), SPLINE_REACH):
        begin = max(block.start - 1, 0)
        inner = slice(begin - wide.start, block.stop - wide.start)
        turn = _turns(time[wide], rates[wide], inner, in_world)
        q[begin : block.stop] = _followed(last, turn, in_world)
        last = q[block.stop - 1]
        progress(block.stop / len(time))
    return q, rotate_back(q, rates) if in_world else rates


def _turns(time: Array, rates: Array, rows: slice, in_world: bool) -> Array:
    """Return the rotation vectors (n - 1, 3) from each of these rows to the next."""
    spline, t = CubicSpline(time, rates), time[rows]
    h, middle = np.diff(t), 0.5 * (t[1:] + t[:-1])
    early, late = (spline(middle + side * h / np.sqrt(12.0)) for side in (-1.0, 1.0))
    commutator = np.cross(early, late) * (np.sqrt(3.0) / 12.0 * h * h)[:, None]
    return np.asarray(0.5 * h[:, None] * (early + late) + (-commutator if in_world else commutator))


def _followed(start: Array, turn: Array, in_world: bool) -> Array:
    """Return the orientations (n, 4) that follow from `start` by rotation vectors (n - 1, 3), one after the other."""
    angle = np.linalg.norm(turn, axis=1)
    sinc = 0.5 * np.sinc(0.5 * angle / np.pi)
    steps = np.concatenate((np.cos(0.5 * angle)[:, None], turn * sinc[:, None]), axis=1)
    q = np.concatenate((start[None], steps))
    reach = 1  # a prefix product by doubling: q[n] is the product of the last `reach` steps up to n
    while reach < len(q):
        q[reach:] = multiply(q[reach:], q[:-reach]) if in_world else multiply(q[:-reach], q[reach:])
        q /= np.linalg.norm(q, axis=1, keepdims=True)
        reach *= 2
    return q
