"""Where a force takes the centre of mass: on a parabola, or by quadrature where it turns with the body."""

from math import ceil, sqrt
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from viewer.physics.kernels.quaternion import Four, Three, to_body

Array = NDArray[np.float64]
Linear = tuple[Array, Array]  # position [m] and momentum [kg m/s], (..., 3) in space
Part = TypeVar("Part", float, Array)

SHORT = 1e-3  # rad that the body may turn for `by_ends` to err by no more than round-off
PANEL = 0.5  # rad that the body turns at most from panel to panel, where the quadrature errs by round-off
# Gauss-Legendre with 5 nodes on 0..1, of order 10, in closed form: numpy.polynomial would cost the start 3 ms
_x = [sqrt(5.0 + sign * 2.0 * sqrt(10.0 / 7.0)) / 3.0 for sign in (1.0, -1.0)]
_w = [(322.0 - sign * 13.0 * sqrt(70.0)) / 900.0 for sign in (1.0, -1.0)]
NODES = 0.5 * (1.0 + np.array((-_x[0], -_x[1], 0.0, _x[1], _x[0])))
WEIGHTS = 0.5 * np.array((_w[0], _w[1], 128.0 / 225.0, _w[1], _w[0]))


def parabola(position: Part, momentum: Part, force: Part, mass: float, time: Part) -> tuple[Part, Part]:
    """After a time [s] under a force [N] that is fixed in space: one component, or (3,) and times (N, 1)."""
    return position + (momentum + 0.5 * time * force) * (time / mass), momentum + time * force


def turn(J: Three, L_b: Three, seconds: float) -> float:
    """The angle [rad] that a free motion turns by at most; J in 1/unit, L_b in unit rad/s."""
    square = L_b[0] * L_b[0] + L_b[1] * L_b[1] + L_b[2] * L_b[2]
    twice = J[0] * L_b[0] * L_b[0] + J[1] * L_b[1] * L_b[1] + J[2] * L_b[2] * L_b[2]
    fastest = (min(J) + max(J)) * twice - min(J) * max(J) * square  # |omega|^2 that E and |L| allow
    return abs(seconds) * sqrt(max(fastest, 0.0))


def nodes(angle: float) -> tuple[Array, Array]:
    """(fractions of a step, weights) for the forces of `by_nodes`, where the body turns by an angle [rad]."""
    count = max(1, ceil(angle / PANEL))
    fractions = (np.arange(count)[:, None] + NODES).ravel() / count
    return fractions, np.tile(WEIGHTS, count) / count


def by_nodes(
    start: Linear, forces: Array, fractions: Array, weights: Array, seconds: float, mass: float
) -> Linear:
    """After `seconds` under forces (N, 3) in space at the nodes."""
    position, momentum = start
    mean, late = weights @ forces, (weights * (1.0 - fractions)) @ forces
    return position + (momentum + seconds * late) * (seconds / mass), momentum + seconds * mean


def by_ends(
    start: Linear,
    first: tuple[Four, Three],
    last: tuple[Four, Three],
    force: Three,
    seconds: float,
    mass: float,
) -> Linear:
    """After `seconds` under a force in the body frame, of order 4: from (orientation, omega in the body) at both ends.

    Force and its rate there tell its integrals (Hermite).
    """
    f, df = _turning(*first, force)
    g, dg = _turning(*last, force)
    position, momentum = start
    mean = (f + g) / 2.0 + (df - dg) * (seconds / 12.0)
    late = (7.0 * f + 3.0 * g) / 20.0 + (df / 20.0 - dg / 30.0) * seconds
    return position + (momentum + seconds * late) * (seconds / mass), momentum + seconds * mean


def _turning(orientation: Four, omega: Three, force: Three) -> Linear:
    """The force in space, and its rate of change."""
    w, x, y, z = orientation
    (ox, oy, oz), (fx, fy, fz) = omega, force
    across = (oy * fz - oz * fy, oz * fx - ox * fz, ox * fy - oy * fx)
    return np.array(to_body(w, -x, -y, -z, fx, fy, fz)), np.array(to_body(w, -x, -y, -z, *across))
