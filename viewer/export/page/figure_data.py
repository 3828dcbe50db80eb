"""What a page draws its figure from: colours, the body's solid and settings of a scene, and the program's constants."""

import math
import re
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from viewer.common.quantities import QUANTITIES
from viewer.export.page.mesh_data import mesh_data
from viewer.physics import state
from viewer.physics.poinsot import construction
from viewer.physics.solids.inertia import hull_faces
from viewer.physics.solids.triangle_mesh import TriangleMesh
from viewer.scenario.choices.stereo_modes import STEREO_MODES, composite
from viewer.scenario.choices.themes import MATERIALS, THEMES
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.picture import SUITED_POLAR_ANGLES
from viewer.scene import build, description, presentation
from viewer.scene.annotations import label_layout, label_places, labels, ticks, trails
from viewer.scene.camera import extent, framing, sight, sweep
from viewer.scene.constructions import axis_path, loads, poinsot, scale, solids
from viewer.scene.naming import spot
from viewer.scene.stereo import comfort
from viewer.scene.stereo.anaglyph_theme import theme_in
from viewer.session import checkpoints
from viewer.session.motion import Motion
from viewer.session.snapshot import Snapshot

LAYOUTS = "one", "columns", "rows", "anaglyph"  # of the stereo modes that a page has
HOLDERS = (
    axis_path, build, checkpoints, comfort, construction, description, extent, framing, label_layout, label_places,
    labels, loads, poinsot, presentation, scale, sight, solids, spot, state, sweep, ticks, trails,
)  # fmt: skip


def shared_data() -> dict[str, Any]:
    """Return what all scenes of a page share: the program's constants, stereo modes and units."""
    modes = {name: plain(mode) for name, mode in STEREO_MODES.items() if mode.layout in LAYOUTS}
    return {
        **_constants(),
        "modes": modes,
        "frames": plain(poinsot.FRAMES),
        "polarAngles": SUITED_POLAR_ANGLES,
        "units": {quantity: _units(quantity) for quantity in ("s", "rad/s")},
    }


def _units(quantity: str) -> list[dict[str, Any]]:
    """Return the units in which values of a quantity are shown, in the order of the values from which on they suit."""
    return [plain(unit._asdict()) for unit in QUANTITIES[quantity].units if unit.begin is not None]


def _constants() -> dict[str, dict[str, Any]]:
    """Return the numbers, and tuples and arrays of numbers, that the modules of HOLDERS define, by module and name."""
    return {
        holder.__name__.rpartition(".")[2]: {
            name: plain(value) for name, value in vars(holder).items() if name.isupper() and _is_numeric(value)
        }
        for holder in HOLDERS
    }


def _is_numeric(value: Any) -> bool:
    if isinstance(value, tuple | list):
        return all(map(_is_numeric, value))
    return isinstance(value, int | float | np.ndarray)


def figure_data(scenario: Scenario) -> dict[str, Any]:
    """Return what a page needs of a scene to draw its figure, but for the motion."""
    snapshot = Motion(scenario).snapshot()
    view, stereo = scenario.view, scenario.stereo
    modes = ("mono", stereo), ("anaglyph", scenario.with_value("stereo.mode", "anaglyph").stereo)
    themes = {name: {mode: plain(theme_in(name, of, view.material)) for mode, of in modes} for name in THEMES}
    leaks = (0.01 * stereo.left_leak, 0.01 * stereo.right_leak)
    matrices = composite(stereo.anaglyph_method, stereo.glasses, leaks)
    size, material = scale.solid_of(snapshot), MATERIALS[view.material]
    solid = {
        "kind": size.kind,
        "halfExtents": plain(size.half_extents),
        "bar": size.bar,
        "mesh": None if size.mesh is None else mesh_data(size.mesh, size.half_extents),
        "material": {"shading": material.shading, "bevel": material.bevel, "edges": material.edges},
    }
    if size.mesh is not None:
        solid["hull"] = _hull(size.mesh)
    return {
        "solid": solid,
        "themes": themes,
        "anaglyph": dict(zip(("left", "right", "black"), map(plain, matrices), strict=True)),
        "view": plain(view),
        "show": plain(scenario.show),
        "stereo": plain(stereo),
        "step": scenario.solver.step,
        "mass": snapshot.body.mass,
        "loads": _loads(scenario, snapshot),
    }


def _loads(scenario: Scenario, snapshot: Snapshot) -> dict[str, Any]:
    """Return the loads on the body and, of what swings about a pivot, its axis, its period, and what never moves."""
    acting = snapshot.loads
    shown = scenario.with_values({"show.loads": True, "show.axis_path": True})
    frame = build.build_frame(snapshot, presentation.Presentation.of(shown), presentation.Display((640, 400)))
    scene = frame.main.scene
    return {
        **plain(acting),
        "free": acting.free,
        "held": acting.held,
        "topAxis": snapshot.body.top_axis,
        "period": snapshot.period,
        "pivot": [plain(line) for line in scene.arrows if line.name in ("pivot", "vertical")],
        "sphere": plain(scene.sphere),
        "bounds": [plain(curve) for curve in scene.curves if curve.name == "bounds"],
    }


def _hull(mesh: TriangleMesh) -> list[list[float]]:
    """Return the vertices (N, 3) of a mesh on its convex hull, or all of a flat one, with ten digits."""
    faces = hull_faces(mesh.vertices)
    corners = mesh.vertices if faces is None else mesh.vertices[np.unique(faces)]
    return [[float(f"{value:.10g}") for value in corner] for corner in corners.tolist()]


def plain(value: Any) -> Any:
    """Return a value as JSON has it: arrays as lists, data classes as objects with names in camelCase, inf as null."""
    if is_dataclass(value):
        return {_camel(field.name): plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    return None if value == math.inf else value


def _camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name)
