"""Momentum space that is asked for is seen, also in a scene that hides all of it: else the picture is empty.

Poinsot's construction comes with it, which is larger than the body: a view that was composed for that alone gives way.
"""

from collections.abc import Callable, Mapping
from typing import Any

MOMENTUM_SPACE = ("show.ellipsoid", "show.plane", "show.polhode", "show.angular_momentum")  # what there is to see in it
WHOLE = {"view.zoom": 1.0, "view.pan": (0.0, 0.0)}  # of the picture, all is seen


def with_momentum_space(values: Mapping[str, Any], value_now: Callable[[str], Any]) -> Mapping[str, Any]:
    """The changes `values`, by paths of fields, of a scene where each field has the value `value_now`; with what there
    is to see where they ask for momentum space and it hides all of that, all in the picture."""
    asked = values.get("view.construction") == "momentum" or values.get("show.inset") is True
    if asked and not any(values.get(path, value_now(path)) for path in MOMENTUM_SPACE):
        return {**dict.fromkeys(MOMENTUM_SPACE, True), **WHOLE, **values}
    return values
