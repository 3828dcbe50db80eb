"""A body in another shape: what the new shape takes over, and the look of a body whose motion alone is known."""

from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np

from viewer.common.errors import InputError
from viewer.physics.body import RigidBody
from viewer.physics.solids.composite import PART_SHAPES, Part
from viewer.scenario.custom_body import rigid_body
from viewer.scenario.sections.body import Body

MADE_OF = ("file", "parts", "tensor", "moments")  # where one is set with the shape, nothing is taken over
SAME = 1e-9  # relative, of masses and moments: the round-off of moments that are found in another way is 1e-15
EXAMPLES: dict[str, dict[str, Any]] = {  # what a shape begins with where the scene does not say what it is made of
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
    """Return what is to be set in a body, with what its new shape takes over from it: its mass, its tensor, itself as a
    part.

    Where the new shape cannot have that body it is an example of the same mass.
    """
    shape = given.get("shape", body.shape)
    if shape == body.shape or not given.keys().isdisjoint(MADE_OF):
        return given
    try:
        now = rigid_body(body)
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
    """Return whether two bodies have the same mass and the same principal moments but for round-off."""
    try:
        old, new = rigid_body(before), rigid_body(after)
    except InputError:
        return False
    return _same(old, new)


def _same(old: RigidBody, new: RigidBody) -> bool:
    pairs = zip((old.mass, *old.principal_moments), (new.mass, *new.principal_moments), strict=True)
    return all(abs(a - b) <= SAME * a for a, b in pairs)


def _parts(body: Body, now: RigidBody) -> tuple[Part, ...]:
    """A body as parts: those that it was made of before if it is still theirs; one part; or the example, scaled."""
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
    """Return a body as a part of its mass and its look; None where there is no such part."""
    if body.shape in PART_SHAPES and body.shape != "mesh":
        sizes = {name: getattr(body, name) for name in PART_SHAPES[body.shape].dimensions}
        return Part(body.shape, mass=now.mass, **sizes)
    if now.inertia_source.method == "solid":
        return Part("mesh", mass=now.mass, file=body.file, unit=body.unit, longest=body.longest)
    return None


def _scaled(part: Part, heavier: float, larger: float) -> Part:
    """Return a part with its mass and its lengths times these."""
    x, y, z = part.position
    sizes = {name: larger * getattr(part, name) for name in PART_SHAPES[part.shape].dimensions}
    position = (larger * x, larger * y, larger * z)
    return replace(part, mass=heavier * part.weight, density=0.0, position=position, **sizes)


def look_of(given: Body | None) -> dict[str, Any]:
    """Return the fields of a body of known tensor that make it look like another one, whose axes are those of the
    tensor: as its parts or its mesh; like a phone where None is given, or one without a look."""
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
    """Return whether a recorded body looks like something that the user has given."""
    return body.show_parts or body.appearance not in ("", PHONE["appearance"])


def without_look(body: Body) -> Body:
    """Return the same for a recorded body, as far as its motion goes."""
    return replace(body, appearance="", unit="m", longest=1.0, show_parts=False, parts=())
