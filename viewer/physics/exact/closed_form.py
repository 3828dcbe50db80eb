"""The free motion since loads or solver last changed, as the integrator "exact" makes it: looked up, not stepped."""

import numpy as np
from numpy.typing import NDArray

from viewer.physics.body import RigidBody
from viewer.physics.centre_of_mass import CentreOfMass
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.kernels.quaternion import Four
from viewer.physics.state import State

Array = NDArray[np.float64]


class ClosedForm:
    """That of `body` from the state `start` on; its constants are computed at the first need."""

    def __init__(self, body: RigidBody, start: State) -> None:
        self._body, self._start = body, start
        self._free: FreeRotation | None = None
        self._last: tuple[float, Four] | None = None

    @property
    def free(self) -> FreeRotation:
        """The motion at any time since then."""
        if self._free is None:
            self._free = FreeRotation(self._body, self._start)
        return self._free

    def orientation(self, elapsed: float) -> Four:
        """After so many seconds; that of the last question is kept."""
        last = self._last
        if last is None or last[0] != elapsed:
            w, x, y, z = self.free.at(elapsed).orientation_wxyz.tolist()
            last = self._last = elapsed, (w, x, y, z)
        return last[1]

    def pushed(
        self, centre: CentreOfMass, angle: float, made: float, step: float, fraction: float, count: int
    ) -> CentreOfMass:
        """The centre of mass under thrust `count` steps later, of a `fraction` -1..1 of `step` [s] each, if `made`
        whole steps lead to now; `angle`: see `CentreOfMass.by_nodes`."""

        def orientations(steps: Array, fractions: Array) -> Array:
            at = (made + fraction * steps)[:, None] + fraction * fractions
            return self.free.at((at * step).ravel()).orientation_wxyz

        return centre.by_nodes(orientations, angle, fraction * step, count)
