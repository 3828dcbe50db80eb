"""The fields of bodies from the user's own files, tensors and parts: what `motion.Body` declares of them."""

from typing import Any

from viewer.common.language import marked
from viewer.physics.solids import ranges
from viewer.physics.solids.composite import PART_SHAPES
from viewer.physics.solids.mesh_body import UNITS
from viewer.physics.solids.mesh_inertia import METHODS
from viewer.scenario.field import Field

UNIT_NAMES = {"mm": "mm", "cm": "cm", "in": "in", "m": "m", "km": "km"}
OF_MESH = [(name, UNIT_NAMES[name]) for name in UNITS]
UNIT_CHOICES = [*OF_MESH, ("longest", marked("By its longest extent"))]
METHOD_CHOICES = [
    ("auto", METHODS["auto"], "the solid, else a shell if its thickness is given, else the convex hull"),
    ("solid", METHODS["solid"], "what the mesh encloses; it must be closed"),
    ("shell", METHODS["shell"], "a thin sheet along the mesh"),
    ("hull", METHODS["hull"], "the smallest convex solid around the mesh"),
]
TENSOR_LABELS = ("Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")
LENGTH: dict[str, Any] = {
    "unit": "m",
    "low": ranges.LENGTH.low,
    "high": ranges.LENGTH.high,
    "soft_low": 0.005,
    "soft_high": 1.0,
}
MEANINGS = {
    "width": ("Width", "full extent along the part's x axis"),
    "depth": ("Depth", "full extent along the part's y axis"),
    "height": ("Height", "full extent along the part's z axis"),
    "radius": ("Radius", "radius about the part's z axis"),
    "length": ("Length", "along the part's z axis"),
}


def _users(dimension: str) -> tuple[str, ...]:
    """The shapes of parts that take a dimension."""
    return tuple(name for name, shape in PART_SHAPES.items() if dimension in shape.dimensions)


WITH_VOLUME = tuple(name for name, shape in PART_SHAPES.items() if shape.volume is not None)
XYZ = ("X", "Y", "Z")
PART_KEYS = {
    "shape": Field(
        "choice", "Shape", "of the part", choices=tuple((name, shape.label) for name, shape in PART_SHAPES.items()),
        meanings=("",) * len(PART_SHAPES),
    ),
    "mass": Field(
        "number", "Mass", "of the part; 0: by its density", unit="kg", low=ranges.PART_MASS.low,
        high=ranges.PART_MASS.high, soft_low=0.0, soft_high=10.0
    ),
    "density": Field(
        "number", "Density", "of the part; below 0: a hole; 0: by its mass", unit="kg/m³", low=ranges.PART_DENSITY.low,
        high=ranges.PART_DENSITY.high,
        soft_low=-10000.0, soft_high=10000.0, when=("shape", WITH_VOLUME),
    ),
    "position": Field(
        "vector", "Position", "of the middle of the part, of the base of a cone, of the origin of a mesh", unit="m",
        size=3, labels=XYZ, low=ranges.PLACE.low, high=ranges.PLACE.high, soft_low=-1.0, soft_high=1.0,
    ),
    "orientation_deg": Field(
        "vector", "Orientation", "rotated about X, then Y, then Z", unit="°", size=3, labels=XYZ,
        low=ranges.ANGLE.low, high=ranges.ANGLE.high, soft_low=-180.0, soft_high=180.0,
    ),
    **{
        name: Field("number", label, meaning, when=("shape", _users(name)), **LENGTH)
        for name, (label, meaning) in MEANINGS.items()
    },
    "file": Field("text", "File", "a mesh: STL, OBJ, PLY, GLB or OFF", when=("shape", ("mesh",)), required=True),
    "unit": Field(
        "choice", "Unit", "of the coordinates in the file", choices=tuple(UNIT_CHOICES),
        meanings=("",) * len(UNIT_CHOICES), when=("shape", ("mesh",)), required=True,
    ),
    "longest": Field(
        "number", "Longest extent", "of the mesh along the axes of its file", when=("unit", ("longest",)),
        required=True, **LENGTH,
    ),
}  # fmt: skip
