"""What acts on the body: a force at an arm, external and internal friction; and what they do in a step.

A loaded step is kick (h/2), drift (h), kick (h/2); internal friction acts in the middle of the drift. Of order 2. The
functions on plain floats work in the units of the kernels' constants and never raise on purpose, like the kernels.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import expm1, isfinite, sqrt

from viewer.physics.kernels import Constants, Four, Seven, Three, exp, product, to_body
from viewer.physics.stabilise import arc, closest_point

TURN_LIMIT = 0.05  # rad that the explicit half of the internal friction may turn the body in one step
LEAST_ABOVE = 1e-14  # of the energy: nearer to its least value the gradient's direction is round-off


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

    def kick_constants(self, J: Three, unit: float, time: float) -> Constants | None:
        """What `kick` wants to know for one `time` [s]; J in 1/unit, unit [kg m2]. None where nothing kicks."""
        if not (self.turns or self.external_friction):
            return None
        decay, push = [], []
        for j in J:
            exponent = self.external_friction / unit * j * time
            decay.append(expm1(-exponent))
            push.append(-expm1(-exponent) / exponent * time if exponent else time)
        force = self.force if self.turns else (0.0, 0.0, 0.0)
        return *J, *decay, *push, *(value / unit for value in force), *self.arm


def kick(w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, c: Constants) -> Four:
    """(change of L_b, change of the energy) by torque and external friction while the orientation stands still.

    Exact in the time: L_i -> exp(-k_f J_i t) L_i + tau_i (1 - exp(-k_f J_i t))/(k_f J_i). c = (J, exp(-k_f J t) - 1 and
    (1 - exp(-k_f J t))/(k_f J) for the three axes, force in space, arm in the body).
    """
    jx, jy, jz, ex, ey, ez, tx, ty, tz, fx, fy, fz, ax, ay, az = c
    gx, gy, gz = to_body(w, x, y, z, fx, fy, fz)
    dx = ex * bx + tx * (ay * gz - az * gy)
    dy = ey * by + ty * (az * gx - ax * gz)
    dz = ez * bz + tz * (ax * gy - ay * gx)
    work = jx * (bx + 0.5 * dx) * dx + jy * (by + 0.5 * dy) * dy + jz * (bz + 0.5 * dz) * dz
    return dx, dy, dz, work


def kick_in_space(seven: Seven, target: float, c: Constants) -> tuple[Seven, float]:
    """The kick for a momentum scheme, whose L stands in space; the target of the energy follows."""
    w, x, y, z, lx, ly, lz = seven
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
    dx, dy, dz, work = kick(w, x, y, z, bx, by, bz, c)
    dx, dy, dz = to_body(w, -x, -y, -z, dx, dy, dz)
    return (w, x, y, z, lx + dx, ly + dy, lz + dz), target + work


def dissipate(seven: Seven, target: float, loss: float, J: Three) -> tuple[Seven, float]:
    """Internal friction for a momentum scheme: the energy falls by `loss`, L in space stays, the body turns.

    On the sphere |L_b| = |L| the way down is the gradient's. Its first half goes along the gradient at the beginning,
    the second along that at the end, which is what the closest point gives: together of order 2. Ends at the spin
    about the axis of the largest moment; leaves also the axes where the gradient vanishes.
    """
    w, x, y, z, lx, ly, lz = seven
    bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
    square = bx * bx + by * by + bz * bz
    if square == 0.0:
        return seven, 0.0
    floor = 0.5 * square * min(J)
    ox, oy, oz = J[0] * bx, J[1] * by, J[2] * bz
    energy = max(0.5 * (ox * bx + oy * by + oz * bz), floor)
    goal = max(energy - loss, floor)
    gx, gy, gz = oy * bz - oz * by, oz * bx - ox * bz, ox * by - oy * bx  # omega x L
    g = sqrt(gx * gx + gy * gy + gz * gz)
    mx, my, mz = bx, by, bz
    if g > 0.0 and energy - floor > LEAST_ABOVE * energy:
        turn = -min(0.5 * (energy - goal) / g, TURN_LIMIT) / g
        mx, my, mz = to_body(*exp(turn * gx, turn * gy, turn * gz), bx, by, bz)
    mx, my, mz = closest_point(mx, my, mz, J[0], J[1], J[2], goal)
    aw, ax, ay, az = arc(mx, my, mz, bx, by, bz)
    w, x, y, z = product(w, x, y, z, aw, ax, ay, az)
    return (w, x, y, z, lx, ly, lz), max(target - loss, floor)


def loaded_steps(
    step: Callable[..., Seven], seven: Seven, target: float, count: int, h: float, constants: Constants,
    kick_constants: Constants | None, loss: float, J: Three,
) -> tuple[Seven, float]:  # fmt: skip
    """`count` steps of a momentum scheme under loads; `target` is the energy that they ought to leave."""
    for _ in range(count):
        if kick_constants is not None:
            seven, target = kick_in_space(seven, target, kick_constants)
        if loss > 0.0:
            seven = step(*seven, 0.5 * h, constants)
            seven, target = dissipate(seven, target, loss, J)
            seven = step(*seven, 0.5 * h, constants)
        else:
            seven = step(*seven, h, constants)
        if kick_constants is not None:
            seven, target = kick_in_space(seven, target, kick_constants)
    return seven, target
