"""`poinsot body`: mass, centre, inertia and axes of a mesh."""

import math
from argparse import ArgumentTypeError
from typing import TYPE_CHECKING, Any

from viewer.cli.options import Parser, command_parser, quantity
from viewer.common.errors import allowed_names, refusal, shown
from viewer.export.console import json_text
from viewer.physics.solids.inertia import METHODS
from viewer.physics.solids.mesh_body import UNITS
from viewer.scenario.sections.body import DENSITIES

if TYPE_CHECKING:
    from viewer.physics.body import RigidBody

EPILOG = """\
The tensor is about the centre of mass, along the axes of the file; its off-diagonal elements are
-integral x y dm and so on. The columns of principal_axes are the axes x', y', z' of the body in the
file's frame: of all right-handed principal axes those nearest to the file's.
A body turns steadily about a stable axis; about an unstable one the slightest nudge makes it tumble.
Where moments differ by no more than their errors, which it is cannot be told."""

UNKNOWN = "cannot be told"


def run(argv: list[str]) -> int:
    """Print mass, centre, inertia and axes of a mesh."""
    options = _parser().parse_args(argv)
    if options.unit is not None and options.longest is not None:
        raise refusal("--unit, --longest: only one of them can be given")
    from viewer.physics.body import RigidBody
    from viewer.physics.solids.mesh_body import mesh_source

    source = mesh_source(options.mesh)
    if options.mass is not None and options.density is not None:
        raise refusal("--mass, --density: only one of them can be given")
    if options.mass is None and options.density is None:
        raise refusal("--mass, --density: one of them must be given, as in --density 7850")
    if options.thickness is not None and options.method == "shell" and options.mass is not None:
        raise refusal("--thickness: has no effect on a shell of a given mass; it takes --density")
    guessed = options.unit is None and options.longest is None and source.file.unit is None
    unit = options.unit or (source.likely_unit if options.longest is None else None)
    body = RigidBody.from_mesh(
        options.mesh,
        unit=unit,
        longest=options.longest,
        mass=options.mass,
        density=options.density,
        method=options.method,
        thickness=options.thickness,
    )
    if options.thickness is not None and body.inertia_source.method != "shell":
        raise refusal(
            "--thickness: has no effect on {source}; --method shell takes it", source=body.inertia_source.text
        )
    found = facts(body, options.mass is not None)
    scale = source.scale(unit, options.longest)
    found |= {"longest_m": source.longest * scale, "unit": unit, "unit_guessed": guessed}
    shell = body.inertia_source.method == "shell"
    volume = None if shell else source.inertia(options.method, options.thickness is not None)[0].mass * scale**3
    error = body.inertia_source.volume_error
    found |= {"volume_m3": volume, "volume_error_m3": None if volume is None or error is None else error * volume}
    print(json_text(found) if options.json else "\n".join(lines(found)))
    return 0


def facts(body: "RigidBody", mass_given: bool) -> dict[str, Any]:
    """Return what is known of a body, in SI units; its mass is certain if it is given."""
    source = body.inertia_source
    mass_error = moments_error = None
    moments, errors = body.principal_moments.tolist(), [0.0, 0.0, 0.0]
    if source.volume_error is not None and source.moment_errors is not None:
        mass_error = 0.0 if mass_given else source.volume_error * body.mass
        errors = [part * moment for part, moment in zip(source.moment_errors, moments, strict=True)]
        by_mass = source.volume_error if mass_given else 0.0
        moments_error = [error + by_mass * moment for error, moment in zip(errors, moments, strict=True)]
    return {
        "mass_kg": body.mass,
        "mass_error_kg": mass_error,
        "center_m": body.centre.tolist(),
        "inertia_kg_m2": body.tensor.tolist(),
        "principal_moments_kg_m2": moments,
        "moments_error_kg_m2": moments_error,
        "principal_axes": body.principal_axes.tolist(),
        "stability": stability(moments, errors),
        "method": source.method,
        "reason": str(source.reason or ""),
        "notes": [str(note) for note in source.notes],
        "inertia_from": source.text,
    }


def stability(moments: list[float], errors: list[float]) -> list[str]:
    """Return the stability of steady rotation about each principal axis, whose moments have these errors.

    It is stable about the axes of the largest and the smallest moment, and unstable about that of the middle one. If
    two moments differ by no more than 1e-7 of the largest, rotation about their axes is neutral: a nudge grows, but
    slowly. If they differ by no more than their errors, it cannot be told. The error of a given mass is the same part
    of all moments, and does not count.
    """
    from viewer.physics.solids.inertia import EQUAL, TOLD

    found = []
    for axis, moment in enumerate(moments):
        others = [number for number in range(3) if number != axis]
        apart = {number: abs(moments[number] - moment) for number in others}
        if any(TOLD * moment < errors[axis] + errors[number] >= apart[number] for number in others):
            found.append(UNKNOWN)
        elif any(apart[number] <= EQUAL * max(moments) for number in others):
            found.append("neutral")
        else:
            low, high = sorted(moments[number] for number in others)
            found.append("unstable" if low < moment < high else "stable")
    return found


def lines(found: dict[str, Any]) -> list[str]:
    """Return the facts as lines of text."""
    mass, volume = found["mass_kg"], found["volume_m3"]
    guess = f", if its unit is {found['unit']} (a guess; --unit says it)" if found["unit_guessed"] else ""
    rows = [
        f"longest extent  {found['longest_m']:.6g} m{guess}",
        *([f"volume          {''.join(_told(volume, found['volume_error_m3']))} m³"] if volume is not None else []),
        f"mass            {''.join(_told(mass, found['mass_error_kg']))} kg",
        f"centre          {_numbers(found['center_m'])} m",
        f"inertia from    {found['inertia_from']}",
        "",
        "tensor about the centre, along the axes of the file, kg m²",
        *(f"  {_numbers(row)}" for row in found["inertia_kg_m2"]),
        "",
    ]
    errors = found["moments_error_kg_m2"] or (None,) * 3
    moments = [_told(*both) for both in zip(found["principal_moments_kg_m2"], errors, strict=True)]
    width = max(len(error) for _, error in moments)
    rows.append(f"{'axis':6}{'moment, kg m²':>14}{'':{width}}   {'in the axes of the file':36} rotation about it")
    for number, (name, (moment, error), stable) in enumerate(
        zip(("x′", "y′", "z′"), moments, found["stability"], strict=True)
    ):
        axis = [row[number] for row in found["principal_axes"]]
        rows.append(f"{name:6}{moment:>14}{error:{width}}   {_numbers(axis)} {stable}")
    return rows


def _told(value: float, error: float | None) -> tuple[str, str]:
    """Return a positive value with no more digits than its error allows, and the error, such as " ± 0.012".

    The error is "" if it is not known, or that of rounding. If it is no less than the value, only the most is told.
    """
    from viewer.physics.solids.inertia import TOLD, rounded_up

    if error is None or error <= TOLD * value:
        return f"{value:.6g}", ""
    if error >= value:
        return "at most", f" {rounded_up(value + error):g}"
    error = rounded_up(error)
    digits = math.floor(math.log10(value)) - math.floor(math.log10(error)) + 2
    return f"{float(f'{value:.{digits}g}'):.6g}", f" ± {error:g}"


def _density(text: str) -> float:
    """Return the density [kg/m³] that a text gives, with or without a unit, or as the name of a material."""
    if text.isalpha() and text not in DENSITIES:
        raise ArgumentTypeError(f"{shown(text)} is unknown; {allowed_names(text, DENSITIES)}, or a number of kg/m³")
    return DENSITIES[text].density if text in DENSITIES else quantity(text, "kg/m³")


def _mass(text: str) -> float:
    return quantity(text, "kg")


def _length(text: str) -> float:
    return quantity(text, "m")


def _numbers(values: list[float]) -> str:
    size = max(abs(value) for value in values)
    return "".join(f"{0.0 if abs(value) < 1e-12 * size else value:12.5g}" for value in values)


def _parser() -> Parser:
    parser = command_parser(
        "body", "Prints mass, centre of mass, inertia tensor and principal axes of a mesh.", epilog=EPILOG
    )
    add = parser.add_argument
    add("mesh", metavar="MESH", help="a file: STL, OBJ, PLY, GLB, OFF")
    add("--unit", choices=tuple(UNITS), metavar="UNIT", help=f"of its coordinates: {', '.join(UNITS)} (GLB: m)")
    add("--longest", type=_length, metavar="LENGTH", help="its longest extent, such as 30cm, instead of the unit")
    add("--mass", type=_mass, metavar="MASS", help="its mass, such as 0.5 or 500g, or")
    add(
        "--density",
        type=_density,
        metavar="DENSITY",
        help=f"its density, such as 7850 or 8g/cm3, or of {', '.join(DENSITIES)}",
    )
    add("--method", choices=tuple(METHODS), default="auto", metavar="NAME", help=f"{', '.join(METHODS)} (auto)")
    add("--thickness", type=_length, metavar="LENGTH", help="of a shell, such as 1mm")
    add("--json", action="store_true", help="as JSON, with every digit")
    return parser
