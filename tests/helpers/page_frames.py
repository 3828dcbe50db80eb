"""Frames as a page has them: JSON with the fields of `viewer/scene/description.py` in camelCase."""

import re
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from viewer.export.page.mesh_data import mesh_data
from viewer.render.compositor import composite
from viewer.scenario.choices.themes import MATERIALS
from viewer.scene.description import Frame, Solid, Trail

MATERIAL_FIELDS = ("shading", "bevel", "edges")


def frame_as_json(frame: Frame) -> dict[str, Any]:
    """A frame in plain values.

    `anaglyph` has the matrices of `composite`, null where eyes do not share pixels. A solid's `material` has what is
    drawn of it: shading, bevel, edges. A trail has `times` (n,) and `points` (n, 3), before `worldFromPoints` and
    `origin`, from the oldest row that is drawn to the newest point.
    """
    stereo = frame.stereo
    anaglyph = None
    if frame.mode.layout == "anaglyph":
        leaks = (0.01 * stereo.left_leak, 0.01 * stereo.right_leak)
        matrices = composite(stereo.anaglyph_method, stereo.glasses, leaks)
        anaglyph = dict(zip(("left", "right", "black"), map(plain, matrices), strict=True))
    return plain(frame) | {"anaglyph": anaglyph}


def plain(value: Any) -> Any:
    """A value of a frame in plain values: arrays and tuples as lists, dataclasses as dictionaries."""
    if isinstance(value, Trail):
        return _trail(value)
    if is_dataclass(value):
        result = {_camel(f.name): plain(getattr(value, f.name)) for f in fields(value) if f.name != "mesh"}
        if isinstance(value, Solid):
            result["mesh"] = None if value.mesh is None else mesh_data(value.mesh, value.half_extents)
            result["material"] = {name: getattr(MATERIALS[value.material], name) for name in MATERIAL_FIELDS}
        return result
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


def _camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name)


def _trail(trail: Trail) -> dict[str, Any]:
    ring = trail.ring
    rows = ring.rows(max(ring.first, ring.row_at(float(trail.newest[0]) - trail.length)), ring.count)
    points = np.vstack([rows[:, trail.column : trail.column + 3], trail.newest[1:]])
    left_out = ("ring", "column", "newest", "tint")
    result = {_camel(f.name): plain(getattr(trail, f.name)) for f in fields(trail) if f.name not in left_out}
    return result | {"times": [*rows[:, 0].tolist(), float(trail.newest[0])], "points": points.tolist()}
