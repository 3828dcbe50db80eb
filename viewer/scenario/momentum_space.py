"""Momentum space that is asked for is seen, also in a scene that hides all of it: else the picture is empty."""

from collections.abc import Callable, Mapping
from typing import Any

MOMENTUM_SPACE = ("show.ellipsoid", "show.plane", "show.polhode", "show.angular_momentum")  # what there is to see in it


def with_momentum_space(values: Mapping[str, Any], value_now: Callable[[str], Any]) -> Mapping[str, Any]:
    """The changes `values`, by paths of fields, of a scene where each field has the value `value_now`; with what there
    is to see where they ask for momentum space and it hides all of that."""
    asked = values.get("view.construction") == "momentum" or values.get("show.inset") is True
    if asked and not any(values.get(path, value_now(path)) for path in MOMENTUM_SPACE):
        return {**dict.fromkeys(MOMENTUM_SPACE, True), **values}
    return values
