"""Steps under loads and with stabilisation, around the step of any integrator. On plain floats, like the kernels.

A loaded step is kick (h/2), drift (h), kick (h/2); internal friction acts in the middle of the drift, stabilisation at
its end. The step is of order 2, or of the order of the drift if that is lower. `in_space` says whether the state keeps
L in space or in the body, see `kernels`. Everything is in the units of the kernels' constants; nothing raises on
purpose.
"""

from collections.abc import Callable
from math import nan, sqrt
from typing import Any

from viewer.physics.kernels.exact_drift import drift_on, parts_of, project_to_curve
from viewer.physics.kernels.quaternion import Constants, Four, Moving, Seven, Three, product, to_body, to_body_of_any
from viewer.physics.stepping.kicks import (
    Targets,
    apply_kick,
    bring_to_rest,
    clamp_energy,
    dissipate,
    is_pure_friction,
    kick,
    target_point,
    work,
)
from viewer.physics.stepping.projection import STILL, paper_step, project_along_gradient, project_to_closest

RUN = 64  # steps of the exact drift that compiled code makes between two comparisons of L_b with R^T L
SHORT_RUN = 8  # the same if the state after every step is needed
HELD = 64  # free steps of the exact drift after which L_b is projected to the curve of its energy
COMPOSED_RUN = 8  # composed steps between two comparisons of L_b with R^T L
OFF, GRADIENT, CLOSEST, PAPER = 0, 1, 2, 3

Step = Callable[..., Seven]


def stabilise(
    seven: Seven, targets: Targets, J: Three, in_space: bool, method: int, settings: Constants
) -> tuple[Seven, Targets]:
    """Make one correction by `method`; `settings` are the constants of the gradient method."""
    energy, size, fraction = targets
    if method == GRADIENT:
        seven, fraction = project_along_gradient(seven, energy, size, fraction, J, in_space, settings)
        return seven, (energy, size, fraction)
    return project_to_closest(seven, energy, size, J, in_space), targets


def each_step(
    steps: Callable[..., tuple[Moving, Targets]], step: Step, rows: Any, seven: Moving, targets: Targets,
    rest: tuple[Any, ...],
) -> tuple[Moving, Targets]:  # fmt: skip
    """Make as many steps as there are `rows`, one by one, by the function `steps`; store each state in its row."""
    for n in range(len(rows)):
        seven, targets = steps(step, seven, targets, 1, *rest)
        rows[n] = seven
    return seven, targets


def each_exact_drift_step(
    steps: Callable[..., tuple[Seven, Targets]], step: Step, rows: Any, seven: Seven, targets: Targets,
    rest: tuple[Any, ...], curve: Four, to_go: int,
) -> tuple[Seven, Targets]:  # fmt: skip
    """Do the same as `each_step` for `exact_drift_steps`; `to_go` is the number of steps up to the next projection."""
    for n in range(len(rows)):
        seven, targets = steps(step, seven, targets, 1, *rest, curve, to_go)
        to_go = to_go - 1 if to_go > 1 else HELD
        rows[n] = seven
    return seven, targets


def free_steps(
    step: Callable[..., Moving], seven: Moving, targets: Targets, count: int, h: float, constants: Constants
) -> tuple[Moving, Targets]:
    """Make `count` steps without loads and stabilisation."""
    for _ in range(count):
        seven = step(*seven, h, constants)
    return seven, targets


def exact_drift_steps(
    step: Step, seven: Seven, targets: Targets, count: int, h: float, constants: Constants, run: int, curve: Four,
    to_go: int,
) -> tuple[Seven, Targets]:  # fmt: skip
    """Make free steps of the exact drift, several at once, and project L_b to `curve` after every HELD steps.

    `to_go` is the number of steps up to the first projection; `run` is as in `exact_drift`.
    """
    while count >= to_go:
        seven = project_to_curve(*step(*seven, h, constants, to_go, run), curve)
        count, to_go = count - to_go, HELD
    if count:
        seven = step(*seven, h, constants, count, run)
    return seven, targets


def split_steps(
    step: Step, seven: Seven, targets: Targets, count: int, h: float, constants: Constants,
    kick_constants: Constants | None, loss: float, in_space: bool, J: Three, method: int, settings: Constants,
) -> tuple[Seven, Targets]:  # fmt: skip
    """Make `count` steps of kick, drift, kick.

    `kick_constants` are those of half a step, None if nothing kicks. `loss` is the energy that internal friction takes
    in a step. With the `method` PAPER the drift is made by `projection.paper_step`, not by `step`, and there is no
    internal friction.
    """
    only_friction = False
    if kick_constants is not None:
        only_friction = is_pure_friction(kick_constants)
    for _ in range(count):
        if kick_constants is not None:
            seven, targets = apply_kick(seven, targets, kick_constants, J, in_space)
        if loss > 0.0:
            seven = step(*seven, 0.5 * h, constants)
            seven, targets = dissipate(seven, targets, loss, J, in_space)
            seven = step(*seven, 0.5 * h, constants)
        elif method == PAPER:
            energy, size, fraction = targets
            seven, fraction = paper_step(seven, energy, fraction, J, h, settings)
            targets = (energy, size, fraction)
        else:
            seven = step(*seven, h, constants)
        if method in (GRADIENT, CLOSEST):
            seven, targets = stabilise(seven, targets, J, in_space, method, settings)
        if kick_constants is not None:
            seven, targets = apply_kick(seven, targets, kick_constants, J, in_space)
            if only_friction:
                seven, targets = bring_to_rest(seven, targets, J, in_space)
    return seven, targets


def loaded_steps(
    step: Step, seven: Seven, targets: Targets, count: int, h: float, constants: Constants, kick_constants: Constants,
    loss: float, J: Three, method: int, settings: Constants,
) -> tuple[Seven, Targets]:  # fmt: skip
    """Make `count` steps of a velocity scheme whose `step` itself takes the impulse of torque and external friction.

    `kick_constants` are those of a whole step. Internal friction, which takes the energy `loss` in a step, acts at the
    end of the step, and so does the stabilisation.
    """
    only_friction = is_pure_friction(kick_constants)
    for _ in range(count):
        w, x, y, z, bx, by, bz = seven
        dx, dy, dz = kick(w, x, y, z, 1.0, bx, by, bz, kick_constants)
        _, targets = apply_kick(seven, targets, kick_constants, J, False)
        seven = step(w, x, y, z, bx, by, bz, h, constants, dx, dy, dz)
        seven, targets = settled(seven, targets, loss, J, method, settings)
        if only_friction:
            seven, targets = bring_to_rest(seven, targets, J, False)
    return seven, targets


def settled(
    seven: Seven, targets: Targets, loss: float, J: Three, method: int, settings: Constants
) -> tuple[Seven, Targets]:
    """Apply what follows the step of `loaded_steps`: internal friction and stabilisation."""
    if loss > 0.0:
        seven, targets = dissipate(seven, targets, loss, J, False)
    if method != OFF:
        seven, targets = stabilise(seven, targets, J, False, method, settings)
    return seven, targets


def align(
    w: float, x: float, y: float, z: float, bx: float, by: float, bz: float, lx: float, ly: float, lz: float,
    square: float,
) -> Seven:  # fmt: skip
    """Return the state with the body turned a little, so that R^T L points along L_b, and with |L|^2 = `square`.

    |L| is not taken from L_b, because the round-off of its length is the same in every step and would add up.
    """
    vx, vy, vz = to_body(w, x, y, z, lx, ly, lz)
    own, now = bx * bx + by * by + bz * bz, lx * lx + ly * ly + lz * lz
    if own < STILL or now < STILL:
        return w, x, y, z, lx, ly, lz
    k = 0.5 / own
    w, x, y, z = product(w, x, y, z, 1.0, k * (by * vz - bz * vy), k * (bz * vx - bx * vz), k * (bx * vy - by * vx))
    e = (square - now) / now
    k = e / (1.0 + sqrt(1.0 + e))  # a factor near 1 would be rounded down more often than up
    return w, x, y, z, lx + k * lx, ly + k * ly, lz + k * lz


def composed_steps(
    seven: Seven, targets: Targets, count: int, drifts: Constants, constants: Constants, kicks: tuple[Constants, ...],
    run: int, J: Three, method: int, settings: Constants,
) -> tuple[Seven, Targets]:  # fmt: skip
    """Make `count` steps, each of exact drifts by `drifts` [s] with the `kicks` between them.

    L_b and the orientation go on by themselves, while L in space takes the impulses. After every `run` steps the three
    are made to agree. Between the steps of a run, the last drift of one and the first of the next are made as one.
    """
    w, x, y, z, lx, ly, lz = seven
    energy, size, fraction = targets
    last, left = len(kicks), 0
    only_friction = is_pure_friction(kicks[0])
    bx = by = bz = square = long = 0.0
    for step in range(count):
        first = drifts[0] if left == 0 else drifts[0] + drifts[last]
        if left == 0:
            left = min(run, count - step)
            bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
            square, long = 1.0, lx * lx + ly * ly + lz * lz  # |q|^2, |L|^2
        left -= 1
        for n in range(last if left > 0 else last + 1):
            h = drifts[n] if n > 0 else first
            parts = parts_of(bx, by, bz, h, constants)
            if parts != 1:
                if parts == 0:
                    return (nan, x, y, z, lx, ly, lz), targets
                h /= parts
                for _ in range(parts - 1):
                    w, x, y, z, square, bx, by, bz = drift_on(w, x, y, z, square, bx, by, bz, h, constants)
            w, x, y, z, square, bx, by, bz = drift_on(w, x, y, z, square, bx, by, bz, h, constants)
            if n < last:
                px, py, pz = target_point(bx, by, bz, energy, size, J, True)
                dx, dy, dz = kick(w, x, y, z, square, bx, by, bz, kicks[n])
                c = kicks[n]
                ex, ey, ez = dx + c[0] * (px - bx), dy + c[1] * (py - by), dz + c[2] * (pz - bz)
                long += (bx + bx + dx) * dx + (by + by + dy) * dy + (bz + bz + dz) * dz
                energy = clamp_energy(energy + work(px, py, pz, ex, ey, ez, J), long, J)
                bx, by, bz = bx + dx, by + dy, bz + dz
                dx, dy, dz = to_body_of_any(w, -x, -y, -z, square, dx, dy, dz)
                lx, ly, lz = lx + dx, ly + dy, lz + dz
        if left == 0:
            k = 1.0 / sqrt(square)
            w, x, y, z, lx, ly, lz = align(k * w, k * x, k * y, k * z, bx, by, bz, lx, ly, lz, max(long, 0.0))
            if method != OFF:
                (w, x, y, z, lx, ly, lz), (energy, size, fraction) = stabilise(
                    (w, x, y, z, lx, ly, lz), (energy, size, fraction), J, True, method, settings
                )
            if only_friction:
                (w, x, y, z, lx, ly, lz), (energy, size, fraction) = bring_to_rest(
                    (w, x, y, z, lx, ly, lz), (energy, size, fraction), J, True
                )
    return (w, x, y, z, lx, ly, lz), (energy, size, fraction)
