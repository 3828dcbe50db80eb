"""Values that suit a scene: the integration period of `solver.auto_period`, the pulse of `loads.auto_pulse`, and what a
change to momentum space shows."""

from collections.abc import Callable, Mapping, Sequence
from math import floor, inf, log10, pi
from typing import Any

import numpy as np

from viewer.physics.body import RigidBody
from viewer.physics.state import State, angular_momentum_body, at_rest, rotational_energy

PERIOD, PULSE = 0.002, 0.02  # s, N m s
EVERYDAY_TURN = 0.05, 60.0  # s: bodies that turn once in such a time have PERIOD
EVERYDAY_MOMENTUM = 0.005, 10.0  # kg m2/s: .. with such an |L| have PULSE
A_TURN = 20.0  # integration periods in a turn of the others, at least
MOST = 1e50  # what a field takes
OF_MOMENTUM = 0.1  # the pulse of the others, at most
MOMENTUM_SPACE = ("show.ellipsoid", "show.plane", "show.polhode", "show.angular_momentum")  # what there is to see in it
WHOLE_VIEW = {"view.zoom": 1.0, "view.pan": (0.0, 0.0)}

Moving = Sequence[tuple[RigidBody, State]]


def integration_period(bodies: Moving) -> float:
    """Return the integration period [s] for the one that turns fastest."""
    turn = min((_turn(body, start) for body, start in bodies), default=inf)
    if turn == inf or EVERYDAY_TURN[0] <= turn <= EVERYDAY_TURN[1]:
        return PERIOD
    return _round_below(turn / A_TURN)


def pulse(bodies: Moving) -> float:
    """Return the torque pulse [N m s] for the one with the least |L|; for one at rest as if it turned at 1 rad/s."""
    sizes = (float(np.linalg.norm(angular_momentum_body(body, start))) or float(np.mean(body.principal_moments))
             for body, start in bodies)  # fmt: skip
    size = min(sizes, default=1.0)
    return PULSE if EVERYDAY_MOMENTUM[0] <= size <= EVERYDAY_MOMENTUM[1] else _round_below(OF_MOMENTUM * size)


def beat(energy: float, momentum: float) -> float:
    """Return a time [s] in which something happens to a body of such E and |L|: 1 s for everyday ones, else about a
    turn."""
    time = turn(energy, momentum)
    return 1.0 if time == inf or EVERYDAY_TURN[0] <= time <= EVERYDAY_TURN[1] else _round_below(time)


def _turn(body: RigidBody, start: State) -> float:
    """As `turn`, at the start."""
    momentum = float(np.linalg.norm(angular_momentum_body(body, start)))
    return turn(float(rotational_energy(body, start)), momentum)


def turn(energy: float, momentum: float) -> float:
    """Return the mean time of a turn about L [s], 2 pi |L| / 2E; infinite at rest."""
    return inf if at_rest(energy, momentum) else pi * momentum / energy


def _round_below(most: float) -> float:
    """1, 2 or 5 times a power of ten that is at most MOST."""
    most = min(most, MOST)
    power = floor(log10(most))
    figure = max(figure for figure in (1.0, 2.0, 5.0) if figure * 10.0**power <= most * (1.0 + 1e-9))
    return float(f"{figure:g}e{power}")


def with_momentum_space(values: Mapping[str, Any], value_now: Callable[[str], Any]) -> Mapping[str, Any]:
    """Return the changes `values`, by path, with all of momentum space where they ask for it and the scene hides it.

    Else the picture would be empty. All of it is in view: Poinsot's construction comes with it, which is larger than
    the body. `value_now`: the value of a field at present.
    """
    wanted = values.get("view.construction") == "momentum" or values.get("show.inset") is True
    if wanted and not any(values.get(path, value_now(path)) for path in MOMENTUM_SPACE):
        return {**dict.fromkeys(MOMENTUM_SPACE, True), **WHOLE_VIEW, **values}
    return values
