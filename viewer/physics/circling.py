"""How a motion goes round in the body beside the exact one, counted state by state: how far it is ahead, and its flips.

States that are more than half a period apart do not tell how often the body has gone round between them. A motion whose
2E/|L|^2 has passed the middle 1/I for good circles another axis than the exact one, and is neither ahead nor behind.
L then goes over to the other side of the axis; of an energy that only swings past the middle it does not.
"""

from math import inf, isfinite, isnan, nan, pi

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.state import States, angular_momentum_body

Array = NDArray[np.float64]

TURN = 2.0 * pi
ROUND_OFF = 1e-12  # of |L|: round-off may decide on which side of an axis so little of it is
COUNTS = np.dtype([
    ("time", np.float64), ("flips", np.int64), ("sense", np.float64), ("ahead", np.float64),
    ("other_since", np.float64), ("lost_since", np.float64),
])  # fmt: skip


@frozen
class Circling:
    """What is counted up to a state at `time` [s], NaN before the first; a row of dtype COUNTS in the same order.

    flips: how often the sense about the middle axis has reversed; `sense`: what it was last, 0 before it had one.
    ahead: the phase error [rad], 2 pi for a period, NaN where there is none. other_since: the time [s] from which it
    circles another axis than the exact motion; lost_since: from which flips and phases cannot be counted; NaN where it
    never does.
    """

    time: float = nan
    flips: int = 0
    sense: float = 0.0
    ahead: float = 0.0
    other_since: float = nan
    lost_since: float = nan

    @property
    def phase(self) -> float | None:
        """The phase error; None where there is none."""
        return self.ahead if isfinite(self.ahead) else None

    @property
    def known_flips(self) -> int | None:
        """How often it has flipped; None where the states do not tell."""
        return None if isfinite(self.lost_since) else self.flips

    @property
    def other(self) -> float | None:
        """From when on [s] it is another motion; None where it is none."""
        return self.other_since if isfinite(self.other_since) else None

    def after(
        self, exact: FreeRotation, body: RigidBody, states: States, there: Array | None, blur: float = 0.0,
        sure: bool = False,
    ) -> NDArray[np.void]:  # fmt: skip
        """What is counted after each of the next states, (N,) of dtype COUNTS. `there`: the phase of `exact` at these
        times, (N,).

        blur: of |L|, by which noise may throw L over to the other side of an axis. sure: the phase is known not to
        change by half a period from one state to the next, however far apart they are.
        """
        rows, times = np.empty(len(states.time), COUNTS), states.time
        rows["time"], rows["ahead"] = times, nan
        rows["flips"], rows["sense"] = self.flips, self.sense
        if exact.elliptic is None or exact.elliptic.flips:  # else two moments are equal, and no axis is the middle one
            self._count_flips(rows, body, states)
        half = 0.5 * exact.period if exact.period and not sure else inf
        before = times[:1] if isnan(self.time) else [self.time]
        _mark(rows, "lost_since", self.lost_since, np.abs(np.diff(times, prepend=before)) >= half)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            here = exact.phase(states.omega_body)
            along = exact.along_axis(angular_momentum_body(body, states))
        if here is None or there is None or along is None:
            rows["other_since"] = nan
            return rows
        _mark(rows, "other_since", self.other_since, ~(along >= -max(ROUND_OFF, blur)))
        off = wrapped(here - there)
        counted = np.unwrap(np.concatenate(([self.ahead], off)))[1:]
        known = np.isnan(rows["other_since"]) & np.isnan(rows["lost_since"])
        rows["ahead"][known] = (off + TURN * np.round((counted - off) / TURN))[known]
        return rows

    def _count_flips(self, rows: NDArray[np.void], body: RigidBody, states: States) -> None:
        """Fills in the flips and the senses."""
        middle = int(np.argsort(body.principal_moments)[1])
        rates = states.omega_body * body.principal_moments
        told = np.abs(rates[:, middle]) > ROUND_OFF * np.linalg.norm(rates, axis=1)
        senses = np.concatenate(([self.sense], np.where(told, np.sign(rates[:, middle]), 0.0)))
        last = np.maximum.accumulate(np.where(senses != 0.0, np.arange(len(senses)), 0))  # where it had one last
        senses = senses[last]
        rows["sense"] = senses[1:]
        rows["flips"] = self.flips + np.cumsum(senses[1:] * senses[:-1] < 0.0)


def wrapped(angle: Array) -> Array:
    """The same angles [rad] within -pi..pi; small ones stay as they are."""
    return np.asarray(angle - TURN * np.round(angle / TURN))


def _mark(rows: NDArray[np.void], name: str, before: float, where: NDArray[np.bool_]) -> None:
    """Fills in from when on something holds: since `before`, or from the first of the rows; NaN where it does not."""
    rows[name] = before
    if isnan(before) and where.any():
        first = int(np.argmax(where))
        rows[name][first:] = rows["time"][first]
