"""What acts on the body: a force at an arm, external and internal friction."""

from dataclasses import dataclass
from math import expm1, isfinite

from viewer.physics.kernels.quaternion import Constants, Three

FRAMES = {"space": "Space", "body": "Body"}


@dataclass(frozen=True)
class Loads:
    """Force [N] (3,) and its arm [m] (3,), which is fixed in the body; friction.

    frame: "space" or "body", in which the force is fixed (a weight, or a thruster).

    The force's moment about the centre of mass is r x F. external_friction k_f [N m s/rad]: the moment -k_f omega.
    internal_friction k_fi [J/s]: energy lost inside the body; L in space stays.
    Raises ValueError where a number is not finite, or a friction negative.
    """

    force: tuple[float, float, float] = (0.0, 0.0, 0.0)
    arm: tuple[float, float, float] = (0.0, 0.0, 0.0)
    external_friction: float = 0.0
    internal_friction: float = 0.0
    frame: str = "space"

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
        if self.frame not in FRAMES:
            raise ValueError(f"loads.frame: {self.frame!r} is unknown; allowed are {', '.join(FRAMES)}")

    @property
    def turns(self) -> bool:
        """Whether there is a force at an arm."""
        return any(self.force) and any(self.arm)

    @property
    def free(self) -> bool:
        """Whether the rotation is torque-free and loses nothing."""
        return not (self.turns or self.external_friction or self.internal_friction)

    def kick_constants(self, J: Three, unit: float, time: float) -> Constants | None:
        """For `stepping.kick` over a `time` [s]; J in 1/unit, unit [kg m2]. None where nothing kicks."""
        if not (self.turns or self.external_friction):
            return None
        decay, push = [], []
        for j in J:
            exponent = self.external_friction / unit * j * time
            decay.append(expm1(-exponent))
            push.append(-expm1(-exponent) / exponent * time if exponent else time)
        force = self.force if self.turns else (0.0, 0.0, 0.0)
        fixed = 1.0 if self.frame == "body" else 0.0
        return *decay, *push, *(value / unit for value in force), *self.arm, fixed
