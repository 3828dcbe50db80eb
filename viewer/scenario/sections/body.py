"""The section of a scene that describes the body: a solid, principal moments or a tensor, a mesh, or a sum of parts."""

from typing import Any, NamedTuple

from viewer.common.frozen import frozen
from viewer.common.language import marked
from viewer.physics.body import SHAPES
from viewer.physics.solids import limits
from viewer.physics.solids.composite import MOST_PARTS, PART_SHAPES, Part
from viewer.physics.solids.inertia import METHODS
from viewer.physics.solids.mesh_body import UNITS
from viewer.scenario.field import Choice, Field, Number, Text, Vector
from viewer.scenario.fields import choice, number, switch, tables, text, vector

SMALLEST, LARGEST = 1e-6, 1e9  # m
UNIT_NAMES = {"mm": "mm", "cm": "cm", "in": "in", "m": "m", "km": "km"}
OF_MESH = [(name, UNIT_NAMES[name]) for name in UNITS]
UNIT_CHOICES = [*OF_MESH, ("longest", marked("By its longest extent"))]
METHOD_CHOICES = [
    ("auto", METHODS["auto"], "the solid, else a shell if its thickness is given, else the convex hull"),
    ("solid", METHODS["solid"], "what the mesh encloses; small openings are closed, overlaps count once"),
    ("shell", METHODS["shell"], "a thin sheet along the mesh"),
    ("hull", METHODS["hull"], "the smallest convex solid around the mesh"),
]
TENSOR_LABELS = ("Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")
LENGTH: dict[str, Any] = {
    "unit": "m",
    "low": limits.LENGTH.low,
    "high": limits.LENGTH.high,
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


class Material(NamedTuple):
    """A material and its `density` [kg/m3].

    `source` has the number before it was rounded, and where it comes from.
    """

    label: str
    density: float
    source: str


DENSITIES = {
    "wood": Material(marked("Wood (oak or ash)"), 700.0, "CRC Handbook: 600–900"),
    "ice": Material(marked("Ice"), 917.0, "CRC Handbook: 917 (0 °C)"),
    "water": Material(marked("Water"), 1000.0, "CRC Handbook: 998.2 (20 °C)"),
    "plastic": Material(marked("Plastic (ABS)"), 1050.0, "Granta MaterialUniverse: 1020–1080"),
    "glass": Material(marked("Glass"), 2500.0, "EN 572-1: 2500"),
    "aluminium": Material(marked("Aluminium"), 2700.0, "EN 1999-1-1, 3.2.5: 2700"),
    "rock": Material(marked("Rock (granite)"), 2650.0, "CRC Handbook: 2640–2760"),
    "steel": Material(marked("Steel"), 7850.0, "EN 1993-1-2, 3.2.2: 7850"),
    "brass": Material(marked("Brass"), 8500.0, "CuZn39Pb3 (CW614N): 8470"),
    "lead": Material(marked("Lead"), 11350.0, "J. Emsley, The Elements: 11350 (20 °C)"),
}


def _users(dimension: str) -> tuple[str, ...]:
    """Return the shapes of parts that have this dimension."""
    return tuple(name for name, shape in PART_SHAPES.items() if dimension in shape.dimensions)


WITH_VOLUME = tuple(name for name, shape in PART_SHAPES.items() if shape.volume is not None)
XYZ = ("X", "Y", "Z")
XYZ_BODY = ("X′", "Y′", "Z′")
PART_KEYS: dict[str, Field] = {
    "shape": Choice(
        "Shape", "of the part", choices=tuple((name, shape.label) for name, shape in PART_SHAPES.items()),
    ),
    "mass": Number(
        "Mass", "of the part; 0: by its density", unit="kg", low=limits.PART_MASS.low,
        high=limits.PART_MASS.high, soft_low=0.0, soft_high=10.0
    ),
    "density": Number(
        "Density", "of the part; below 0: a hole; 0: by its mass", unit="kg/m³", low=limits.PART_DENSITY.low,
        high=limits.PART_DENSITY.high,
        soft_low=-10000.0, soft_high=10000.0, when=("shape", WITH_VOLUME),
    ),
    "position": Vector(
        "Position", "of the middle of the part, of the base of a cone, of the origin of a mesh", unit="m",
        size=3, labels=XYZ, low=limits.PLACE.low, high=limits.PLACE.high, soft_low=-1.0, soft_high=1.0,
    ),
    "orientation_deg": Vector(
        "Orientation", "rotated about X, then Y, then Z", unit="°", size=3, labels=XYZ,
        low=limits.ANGLE.low, high=limits.ANGLE.high, soft_low=-180.0, soft_high=180.0,
    ),
    **{
        name: Number(label, meaning, when=("shape", _users(name)), **LENGTH)
        for name, (label, meaning) in MEANINGS.items()
    },
    "file": Text("File", "a mesh: STL, OBJ, PLY, GLB or OFF", when=("shape", ("mesh",)), required=True),
    "unit": Choice(
        "Unit", "of the coordinates in the file", choices=tuple(UNIT_CHOICES), when=("shape", ("mesh",)), required=True,
    ),
    "longest": Number(
        "Longest extent", "of the mesh along the axes of its file", when=("unit", ("longest",)),
        required=True, **LENGTH,
    ),
}  # fmt: skip


# fmt: off
@frozen
class Body:
    """The rigid body: a homogeneous solid, raw principal moments or a tensor, a mesh, or a sum of parts."""

    shape: str = choice(
        "ellipsoid", "Shape", "the solid, or its principal moments as numbers",
        [(s.name, s.label, s.formula) for s in SHAPES.values()], keywords="moment of inertia tensor"
    )
    mass: float = number(
        1.0, "Mass", "mass of the body", 1e-9, 1e30, soft=(0.1, 100.0), unit="kg", symbol="m", log_scale=True
    )
    width: float = number(
        1.0, "Width", "full extent along the body's x′ axis", SMALLEST, LARGEST, soft=(0.05, 1.0), unit="m", symbol="w"
    )
    depth: float = number(
        0.5, "Depth", "full extent along the body's y′ axis", SMALLEST, LARGEST, soft=(0.05, 1.0), unit="m", symbol="d"
    )
    height: float = number(
        0.2, "Height", "full extent along the body's z′ axis", SMALLEST, LARGEST, soft=(0.05, 1.0), unit="m", symbol="h"
    )
    radius: float = number(
        0.3, "Radius", "radius about the body's z′ axis", SMALLEST, LARGEST, soft=(0.05, 1.0), unit="m", symbol="r"
    )
    thickness: float = number(
        0.05, "Thickness", "of both bars of a T-handle", SMALLEST, LARGEST, soft=(0.005, 0.05), unit="m", symbol="t"
    )
    moments: tuple[float, float, float] = vector(
        (1.0, 2.0, 2.5), "Moments", "principal moments of inertia about x′, y′, z′", 1e-30, 1e50,
        ("I₁", "I₂", "I₃"), soft=(0.01, 20.0), unit="kg m²", symbol="I", keywords="rotational inertia",
        formula="I₁ = ∫ (y′² + z′²) dm, ...; in a solid none exceeds the sum of the other two", log_scale=True
    )
    tensor: tuple[float, ...] = vector(
        (1.0, 2.0, 2.5, 0.0, 0.0, 0.0), "Tensor", "inertia tensor about the centre of mass; its principal axes become"
        " x′, y′, z′", -1e50, 1e50, TENSOR_LABELS, soft=(-20.0, 20.0), unit="kg m²", symbol="I",
        formula="Ixx = ∫ (y² + z²) dm, ...,   Ixy = −∫ x y dm, ..."
    )
    file: str = text("", "File", "a mesh, beside the scene's file or by its whole path: STL, OBJ, PLY, GLB or OFF")
    appearance: str = text(
        "", "Appearance", "a mesh that is drawn instead of the ellipsoid with these moments: its origin is the centre"
        " of mass, its axes are those of the moments or of the tensor, and its unit is that of a mesh"
    )
    show_parts: bool = switch(
        False, "Drawn as parts", "a body of known moments or tensor is drawn as its parts, about their centre of mass"
        " and along the axes of the moments or of the tensor", when=("body.parts", None)
    )
    unit: str = choice(
        "m", "Unit", "of the coordinates in the mesh file", UNIT_CHOICES, when=("body.shape", ("mesh",))
    )
    longest: float = number(
        1.0, "Longest extent", "of the mesh along its x, y or z axis", SMALLEST, LARGEST, soft=(0.05, 1.0), unit="m",
        when=("body.unit", ("longest",))
    )
    density: float = number(
        0.0, "Density", "of the mesh, from which its mass follows; 0: the mass is given. Setting the mass makes it 0",
        0.0, 1e6, soft=(0.0, 10000.0), unit="kg/m³", symbol="ρ", formula="m = ρ V", ended_by=("mass",)
    )
    method: str = choice(
        "auto", "Inertia of", "what the inertia of the mesh is computed from", METHOD_CHOICES,
        when=("body.shape", ("mesh",))
    )
    shell_thickness: float = number(
        0.0, "Shell thickness", "of the sheet along the mesh, for its mass from a density; 0: unknown", 0.0, LARGEST,
        soft=(0.0, 0.01), unit="m", when=("body.method", ("auto", "shell"))
    )
    parts: tuple[Part, ...] = tables(
        "Parts", "what a composite body is made of; where parts overlap both count, unless one is a hole", Part,
        PART_KEYS, most=MOST_PARTS
    )
    pivot: tuple[float, float, float] = vector(
        (0.0, 0.0, 0.0), "Pivot", "point that stays where it is, from the centre of mass along x′, y′, z′; moments and"
        " axes of the body are then those at the pivot, where arms begin, too; 0, 0, 0: none", -LARGEST, LARGEST,
        XYZ_BODY, soft=(-1.0, 1.0), unit="m", symbol="p′",
        formula="Ixx → Ixx + m (y² + z²), ...,   Ixy → Ixy − m x y, ...",
        keywords="gyroscope top precession nutation fixed point suspension support parallel axes Steiner"
    )
