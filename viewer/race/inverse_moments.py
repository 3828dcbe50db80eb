"""The body and the start of a race by its inverse moments J = 1/I and its energy factor J_L = 2E/|L|².

Each change moves what it names and nothing else of these: J smallest, J middle, J largest less J smallest, J_L less
J smallest, |L|, and the direction of L in space. The body then is given by its moments.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.physics.poinsot.spin import at_energy
from viewer.physics.rotation import angles_about_space_axes, from_rotation_vector, multiply
from viewer.scenario.scenario import Scenario

Array = NDArray[np.float64]

SAME = 1e-14  # relative: an energy factor so near to the one that is asked for is that


@frozen
class InverseMoments:
    """`inverse`: J of the body axes x, y, z, (3,) [1/(kg m2)]. `momentum`: L at the start, (3,), in the body.

    `orientation_wxyz`: at the start.
    """

    inverse: Array
    momentum: Array
    orientation_wxyz: Array
    orientation_deg: tuple[float, float, float]

    @classmethod
    def of(cls, scenario: Scenario) -> "InverseMoments":
        """Those of a scene."""
        body, start = scenario.rigid_body(), scenario.start_state()
        momentum = body.principal_moments * np.array(scenario.start.angular_velocity)
        orientation = np.array(start.orientation_wxyz)
        return cls(1.0 / body.principal_moments, momentum, orientation, scenario.start.orientation_deg)

    @property
    def rising(self) -> tuple[float, float, float]:
        """Smallest, middle and largest J."""
        low, middle, high = np.sort(self.inverse).tolist()
        return low, middle, high

    @property
    def energy_factor(self) -> float:
        """J_L = 2E/|L|² [1/(kg m2)], between the smallest and the largest J; the smallest one at rest."""
        unit = self._unit
        return self.rising[0] if unit is None else float(unit @ (self.inverse * unit))

    def with_smallest(self, value: float) -> dict[str, Any]:
        """What to change so that the smallest J is `value`: all three go along, and J_L with them."""
        low, middle, high = self.rising
        return self._changes((value, value + (middle - low), value + (high - low)), self.momentum)

    def with_middle(self, value: float) -> dict[str, Any]:
        """.. so that the middle J is `value`, between the others."""
        low, _, high = self.rising
        rising = (low, min(max(value, low), high), high)
        return self._changes(rising, self._at(self._ranked(rising), self.energy_factor))

    def with_energy_factor(self, value: float) -> dict[str, Any]:
        """.. so that J_L is `value`, between the smallest and the largest J; the body stays."""
        return self._changes(self.rising, self._at(self.inverse, value))

    @property
    def _unit(self) -> Array | None:
        size = float(np.linalg.norm(self.momentum))
        return self.momentum / size if size else None

    def _ranked(self, rising: tuple[float, float, float]) -> Array:
        """J of the body axes, (3,), each keeping its rank."""
        inverse = np.empty(3)
        inverse[np.argsort(self.inverse, kind="stable")] = rising
        return inverse

    def _at(self, inverse: Array, factor: float) -> Array:
        """L in the body, as long as it is, that has this energy factor with these J."""
        unit = self._unit
        if unit is None or abs(float(unit @ (inverse * unit)) - factor) <= SAME * factor:
            return self.momentum
        size = float(np.linalg.norm(self.momentum))
        return at_energy(1.0 / inverse, self.momentum, 0.5 * factor * size**2)

    def _changes(self, rising: tuple[float, float, float], momentum: Array) -> dict[str, Any]:
        """The fields of a scene with these J and this L in the body, which in space stays as it is."""
        inverse, degrees = self._ranked(rising), self.orientation_deg
        if momentum is not self.momentum:
            turned = multiply(self.orientation_wxyz, _turn(momentum, self.momentum))
            x, y, z = np.degrees(angles_about_space_axes(turned)).tolist()
            degrees = x, y, z
        return {
            "body.shape": "moments",
            "body.moments": tuple((1.0 / inverse).tolist()),
            "start.orientation_deg": degrees,
            "start.angular_velocity": tuple((momentum * inverse).tolist()),
        }


def _turn(a: Array, b: Array) -> Array:
    """The unit quaternion of the smallest turn that takes the direction of `a` to that of `b`, both (3,)."""
    axis = np.cross(a, b)
    sine, cosine = float(np.linalg.norm(axis)), float(a @ b)
    if sine <= 1e-300:
        return np.array([1.0, 0.0, 0.0, 0.0])  # no slider leads L to its opposite
    return from_rotation_vector(np.arctan2(sine, cosine) / sine * axis)
