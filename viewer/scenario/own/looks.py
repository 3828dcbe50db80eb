"""What a recorded body looks like: as what the user has given, else as a phone. Its motion does not depend on it."""

from dataclasses import replace
from typing import Any

from viewer.common.errors import InputError
from viewer.scenario.own.change_of_shape import as_one_part
from viewer.scenario.own.own_bodies import rigid_body
from viewer.scenario.sections.motion import Body

PHONE = {"appearance": "phone.ply", "unit": "m"}  # its axes are those of a phone's sensors
LOOK = ("appearance", "unit", "longest", "show_parts", "parts")


def look_of(given: Body | None) -> dict[str, Any]:
    """The fields of a body of known tensor that make it look like another one, whose axes are those of the tensor: as
    its parts or its mesh; like a phone where None is given, or one without a look."""
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
    """Whether a recorded body looks like something that the user has given."""
    return body.show_parts or body.appearance not in ("", PHONE["appearance"])


def without_look(body: Body) -> Body:
    """The same for a recorded body, as far as its motion goes."""
    return replace(body, appearance="", unit="m", longest=1.0, show_parts=False, parts=())
