"""What a change of a scene brings with it: values that another shape takes over, the look of a body, suited values.

The suited values are the integration period of `solver.auto_period`, the pulse of `loads.auto_pulse`, and what a change
to momentum space shows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import floor, inf, log10, pi, sqrt
from typing import Any

import numpy as np

from viewer.common.errors import InputError
from viewer.physics.body import RigidBody
from viewer.physics.solids.composite import PART_SHAPES, Part
from viewer.physics.state import State, angular_momentum_body, at_rest, rotational_energy
from viewer.scenario.custom_body import rigid_body
from viewer.scenario.sections.body import Body

MADE_OF = ("file", "parts", "tensor", "moments")  # if one of them is set with the shape, nothing is taken over
SAME = 1e-9  # relative, of masses and moments: the round-off of moments that are found in another way is 1e-15
EXAMPLES: dict[str, dict[str, Any]] = {  # what a shape begins with if the scene does not say
    "mesh": {"file": "toutatis.ply", "unit": "longest"},
    "composite": {
        "parts": (
            Part("cylinder", density=700.0, radius=0.015, height=0.3, position=(0.0, 0.0, 0.15)),
            Part("box", density=7850.0, width=0.12, depth=0.03, height=0.03, position=(0.0, 0.0, 0.3)),
        )
    },
}
PHONE = {"appearance": "phone.ply", "unit": "m"}  # its axes are those of a phone's sensors
LOOK = ("appearance", "unit", "longest", "show_parts", "parts")


def shape_changes(body: Body, given: dict[str, Any]) -> dict[str, Any]:
    """Return the values to set in a body: those `given`, and those that its new shape takes over from the old one.

    The latter are mass, moments, tensor or parts. If the new shape cannot have the old body, it becomes an example of
    the same mass.
    """
    shape = given.get("shape", body.shape)
    if shape == body.shape or not given.keys().isdisjoint(MADE_OF):
        return given
    try:
        now = rigid_body(replace(body, pivot=Body.pivot))
    except InputError:
        return EXAMPLES.get(shape, {}) | given
    found: dict[str, Any] = {"mass": now.mass, "density": 0.0}
    if shape == "moments":
        found["moments"] = tuple(now.principal_moments.tolist())
    elif shape == "tensor":
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = now.tensor.tolist()
        found["tensor"] = (xx, yy, zz, xy, xz, yz)
    elif shape == "composite":
        found["parts"] = _parts(body, now)
    elif shape == "mesh" and not body.file:
        found |= EXAMPLES[shape]
    return found | given


def same_numbers(before: Body, after: Body) -> bool:
    """Return whether two bodies have the same mass and the same principal moments, up to round-off."""
    try:
        old, new = rigid_body(before), rigid_body(after)
    except InputError:
        return False
    return _same(old, new)


def _same(old: RigidBody, new: RigidBody) -> bool:
    pairs = zip((old.mass, *old.principal_moments), (new.mass, *new.principal_moments), strict=True)
    return all(abs(a - b) <= SAME * a for a, b in pairs)


def _parts(body: Body, now: RigidBody) -> tuple[Part, ...]:
    """Return a body as parts: its former parts if they still have its mass and moments, or one part, or an example."""
    if body.parts and same_numbers(body, replace(body, shape="composite")):
        return body.parts
    if one := as_one_part(body, now):
        return (one,)
    example = EXAMPLES["composite"]["parts"]
    stock = RigidBody.composite(example)
    heavier = now.mass / stock.mass
    larger = sqrt(np.sum(now.principal_moments) / np.sum(stock.principal_moments) / heavier)
    return tuple(_scaled(part, heavier, larger) for part in example)


def as_one_part(body: Body, now: RigidBody) -> Part | None:
    """Return a body as a single part of its mass and its look, or None if there is no such part."""
    if body.shape in PART_SHAPES and body.shape != "mesh":
        sizes = {name: getattr(body, name) for name in PART_SHAPES[body.shape].dimensions}
        return Part(body.shape, mass=now.mass, **sizes)
    if now.inertia_source.is_certain:
        return Part("mesh", mass=now.mass, file=body.file, unit=body.unit, longest=body.longest)
    return None


def _scaled(part: Part, heavier: float, larger: float) -> Part:
    """Return a part with its mass times `heavier` and its lengths times `larger`."""
    x, y, z = part.position
    sizes = {name: larger * getattr(part, name) for name in PART_SHAPES[part.shape].dimensions}
    position = (larger * x, larger * y, larger * z)
    return replace(part, mass=heavier * part.weight, density=0.0, position=position, **sizes)


def look_of(given: Body | None) -> dict[str, Any]:
    """Return the fields that make a body of known tensor look like the body `given`: as its parts or its mesh.

    The tensor is along the axes of that body. If `given` is None or has no look, the body looks like a phone.
    """
    if given is None:
        return PHONE
    look = {name: getattr(given, name) for name in LOOK}
    if given.shape in ("moments", "tensor"):
        return look if given.appearance or given.show_parts else PHONE
    if given.shape == "composite":
        return look | {"show_parts": True}
    try:
        part = as_one_part(given, rigid_body(given))
    except InputError:  # its file is gone
        part = None
    if part is not None:
        return {"show_parts": True, "parts": (part,)}
    return look | {"appearance": given.file} if given.shape == "mesh" else PHONE


def is_given(body: Body) -> bool:
    """Return whether a recorded body has a look that the user has given."""
    return body.show_parts or body.appearance not in ("", PHONE["appearance"])


def without_look(body: Body) -> Body:
    """Return a recorded body without its look, on which its motion does not depend."""
    return replace(body, appearance="", unit="m", longest=1.0, show_parts=False, parts=())


PERIOD, PULSE = 0.002, 0.02  # s, N m s
EVERYDAY_TURN = 0.05, 60.0  # s: bodies that turn once in such a time have PERIOD
EVERYDAY_MOMENTUM = 0.005, 10.0  # kg m2/s: bodies with such an |L| have PULSE
A_TURN = 20.0  # integration periods, at least, in a turn of any other body
MOST = 1e50  # the largest value that a field takes
OF_MOMENTUM = 0.1  # of |L|: the largest pulse of any other body
MOMENTUM_SPACE = ("show.ellipsoid", "show.plane", "show.polhode")  # its surfaces, and the curve in which they meet
CONSTRUCTION = (*MOMENTUM_SPACE, "show.angular_momentum", "show.angular_velocity", "show.herpolhode")
WHOLE_VIEW = {"view.zoom": 1.0, "view.pan": (0.0, 0.0)}

Moving = Sequence[tuple[RigidBody, State]]


def integration_period(bodies: Moving) -> float:
    """Return the integration period [s] that suits the body that turns fastest."""
    turn = min((_turn(body, start) for body, start in bodies), default=inf)
    if turn == inf or EVERYDAY_TURN[0] <= turn <= EVERYDAY_TURN[1]:
        return PERIOD
    return _round_below(turn / A_TURN)


def pulse(bodies: Moving) -> float:
    """Return the torque pulse [N m s] that suits the body with the least |L|.

    A body at rest counts as turning at 1 rad/s.
    """
    sizes = (float(np.linalg.norm(angular_momentum_body(body, start))) or float(np.mean(body.principal_moments))
             for body, start in bodies)  # fmt: skip
    size = min(sizes, default=1.0)
    return PULSE if EVERYDAY_MOMENTUM[0] <= size <= EVERYDAY_MOMENTUM[1] else _round_below(OF_MOMENTUM * size)


def beat(energy: float, momentum: float) -> float:
    """Return a time [s] in which something happens to a body with this E and |L|.

    It is 1 s, or roughly the time of a turn if that is much shorter or longer.
    """
    time = turn(energy, momentum)
    return 1.0 if time == inf or EVERYDAY_TURN[0] <= time <= EVERYDAY_TURN[1] else _round_below(time)


def _turn(body: RigidBody, start: State) -> float:
    """Return the mean time of a turn about L [s] for a body in its state at the start."""
    momentum = float(np.linalg.norm(angular_momentum_body(body, start)))
    return turn(float(rotational_energy(body, start)), momentum)


def turn(energy: float, momentum: float) -> float:
    """Return the mean time of a turn about L [s], 2 pi |L| / 2E; infinite at rest."""
    return inf if at_rest(energy, momentum) else pi * momentum / energy


def _round_below(most: float) -> float:
    """Return the largest number of the form 1, 2 or 5 times a power of ten that exceeds neither `most` nor MOST."""
    most = min(most, MOST)
    power = floor(log10(most))
    figure = max(figure for figure in (1.0, 2.0, 5.0) if figure * 10.0**power <= most * (1.0 + 1e-9))
    return float(f"{figure:g}e{power}")


def with_momentum_space(values: Mapping[str, Any], value_now: Callable[[str], Any]) -> Mapping[str, Any]:
    """Return the changes `values`, by path, with both constructions switched on if they need it.

    They need it if they ask for momentum space while its surfaces and curves are all hidden, as in scenes of tops: the
    picture would be empty but for arrows. The view then shows the whole scene, because Poinsot's construction, which
    comes with momentum space, is larger than the body. `value_now` returns the present value of a field.
    """
    wanted = values.get("view.construction") == "momentum" or values.get("show.inset") is True
    if wanted and not any(values.get(path, value_now(path)) for path in MOMENTUM_SPACE):
        return {**dict.fromkeys(CONSTRUCTION, True), **WHOLE_VIEW, **values}
    return values
