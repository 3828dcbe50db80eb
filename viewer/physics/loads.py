"""What acts on the body: a force at an arm, external and internal friction."""

from dataclasses import dataclass
from math import isfinite


@dataclass(frozen=True)
class Loads:
    """Force [N] (3,) fixed in space, its arm [m] (3,) fixed in the body; friction.

    The force's moment about the centre of mass is r x F. external_friction k_f [N m s/rad]: the moment -k_f omega.
    internal_friction k_fi [J/s]: energy lost inside the body; L in space stays.
    Raises ValueError where a number is not finite, or a friction negative.
    """

    force: tuple[float, float, float] = (0.0, 0.0, 0.0)
    arm: tuple[float, float, float] = (0.0, 0.0, 0.0)
    external_friction: float = 0.0
    internal_friction: float = 0.0

    def __post_init__(self) -> None:
        for name in ("force", "arm"):
            values = tuple(float(value) for value in getattr(self, name))
            if len(values) != 3 or not all(isfinite(value) for value in values):
                raise ValueError(f"loads.{name}: {getattr(self, name)!r} are not three finite numbers")
            object.__setattr__(self, name, values)
        for name in ("external_friction", "internal_friction"):
            value = float(getattr(self, name))
            if not (isfinite(value) and value >= 0.0):
                raise ValueError(f"loads.{name}: {value:g} is not allowed; it must be finite and at least 0")
            object.__setattr__(self, name, value)

    @property
    def turns(self) -> bool:
        """Whether there is a force at an arm."""
        return any(self.force) and any(self.arm)

    @property
    def free(self) -> bool:
        """Whether the rotation is torque-free and loses nothing."""
        return not (self.turns or self.external_friction or self.internal_friction)
