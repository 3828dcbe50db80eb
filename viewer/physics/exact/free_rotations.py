"""The torque-free motions of many bodies in closed form, each at times of its own, all in one evaluation.

The formulas are those of `FreeRotation`; their constants are arrays here, which is what many bodies a frame need.
"""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.physics.exact.constants import PeriodicConstants
from viewer.physics.exact.elliptic import Elliptic, periodic_motion, turn_between
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.rotation import multiply

Array = NDArray[np.float64]
Numbers = NDArray[np.intp]


class FreeRotations:
    """N torque-free motions; `each`: one by one."""

    def __init__(self, motions: Sequence[FreeRotation]) -> None:
        self.each = tuple(motions)
        # steady spins and separatrices have formulas of their own, and are few
        kinds = [_kind(motion) for motion in self.each]
        self._kind = np.array(kinds)
        self._groups = {
            kind: _Group(self.each, [n for n, found in enumerate(kinds) if found == kind]) for kind in ("near", "far")
        }

    def at(self, which: ArrayLike, times: ArrayLike) -> tuple[Array, Array]:
        """(orientation_wxyz (M, 4), omega_body (M, 3) [rad/s]) of the bodies `which` (M,) at `times` (M,) [s]."""
        numbers, seconds = np.asarray(which, dtype=np.intp), np.asarray(times, dtype=np.float64)
        orientations, rates = np.empty((len(numbers), 4)), np.empty((len(numbers), 3))
        kinds = self._kind[numbers]
        for kind, group in self._groups.items():
            chosen = kinds == kind
            if chosen.any():
                orientations[chosen], rates[chosen] = group.at(numbers[chosen], seconds[chosen])
        for number in np.unique(numbers[kinds == "other"]):
            chosen = numbers == number
            states = self.each[number].at(seconds[chosen])
            orientations[chosen], rates[chosen] = states.orientation_wxyz, states.omega_body
        return orientations, rates


def _kind(motion: FreeRotation) -> str:
    """Return which formulas a motion takes."""
    elliptic = motion.elliptic
    if elliptic is None or not np.isfinite(elliptic.K):
        return "other"
    return "near" if elliptic.precise.nu <= 1.0 else "far"


class _Group:
    """Motions that take the same formulas, with their constants as arrays over all N (of the others they are nan)."""

    def __init__(self, motions: Sequence[FreeRotation], members: list[int]) -> None:
        """`members`: the numbers of those motions."""
        count = len(motions)
        if not members:
            return
        found: list[Elliptic] = [elliptic for n in members if (elliptic := motions[n].elliptic) is not None]

        def spread(values: Sequence[Any]) -> Array:
            array = np.array(values, dtype=np.float64)
            filled = np.full((count, *array.shape[1:]), np.nan)
            filled[members] = array
            return filled

        self._precise = {
            field.name: spread([getattr(elliptic.precise, field.name) for elliptic in found])
            for field in fields(PeriodicConstants)
        }
        self._K, self._side = spread([e.K for e in found]), spread([e.side for e in found])
        self._start = spread([e.L_start / e.L_norm for e in found])
        self._signs, self._J = spread([e.signs for e in found]), spread([e.J for e in found])
        self._axes = np.zeros((count, 3), dtype=np.intp)
        self._axes[members] = [e.axes for e in found]
        self._orientation = spread([motions[n].start.orientation_wxyz for n in members])
        self._exponent = np.zeros(count, dtype=np.int64)
        self._exponent[members] = [motions[n].rate_exponent for n in members]

    def at(self, which: Numbers, times: Array) -> tuple[Array, Array]:
        chosen: dict[str, Any] = {
            name: tuple(values[which].T) if values.ndim == 2 else values[which]
            for name, values in self._precise.items()
        }
        constants = PeriodicConstants(**chosen)
        scaled = np.ldexp(times, self._exponent[which])
        L, turns = periodic_motion(scaled, constants, self._K[which], self._side[which])
        turn = turn_between(self._start[which], L, turns)
        signs, axes = self._signs[which], self._axes[which]
        turned, rates = np.empty((len(which), 4)), np.empty((len(which), 3))
        turned[:, 0] = turn[:, 0]
        np.put_along_axis(turned, 1 + axes, signs * turn[:, 1:], axis=1)
        np.put_along_axis(rates, axes, signs * self._J[which] * L, axis=1)
        orientation = multiply(self._orientation[which], turned)
        orientation /= np.linalg.norm(orientation, axis=1, keepdims=True)
        return orientation, np.ldexp(rates, self._exponent[which][:, None])
