"""All things that are drawn in the scene: one entry each, in the order in which the legend names them.

The texts are in English; the code that shows them translates them, except for formulas.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.common.language import marked, tr
from viewer.common.quantities import PER_LARGEST
from viewer.physics.solids.composite import PART_SHAPES
from viewer.physics.solids.inertia import EQUAL
from viewer.scene.annotations.letters import missing
from viewer.scene.constructions.axis_path import axis_lines
from viewer.scene.constructions.drawing import Drawing, Lines
from viewer.scene.constructions.gimbals import gimbal_lines
from viewer.scene.constructions.loads import force_lines, friction_lines, pivot_lines, torque_lines
from viewer.scene.constructions.momentum import momentum_in_body_lines
from viewer.scene.constructions.poinsot import momentum_lines, omega_along_momentum, omega_lines
from viewer.scene.description import Frame, Layer
from viewer.scene.naming import values
from viewer.scene.naming.spot import Spot, part_in, place_of, things_in
from viewer.scene.naming.values import Value, Values
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

PART = marked("A click selects it in the panel.")
FIRST_ITS_BODY = marked("Where its body is not selected, the first click selects that.")
RATIOS = marked("Its moments are relative to the largest.")
HOLE = marked("A hole: its mass is taken away. A click selects it in the panel.")

# where a thing is drawn: only in the construction, also in cells without one, also for bodies in one space
CONSTRUCTION, CELLS, ONE_SPACE = range(3)


@frozen
class Thing:
    """All that is known of a thing in the scene.

    Attributes
    ----------
    sentence
        A sentence that explains the thing.
    values
        The function that returns its values at a spot.
    more
        The function that returns a sentence that depends on the motion, in the user's language.
    is_law
        Whether `sentence` is a law of the exact motion.
    switch
        The field of `show` that shows the thing.
    panel
        The rows, fields and sections of the panel that make it glow; None: the row of its switch.
    in_words, in_legend
        Whether a description of the picture names it, and whether the legend does.
    scope
        Where it is drawn: CONSTRUCTION, CELLS or ONE_SPACE.
    parts
        The names by which a tour points at it.
    symbols
        The letters that stand for it in the scene.
    lines
        The function that draws its lines, or None.
    construction
        The construction in which the lines are drawn; "" means both.
    """

    name: str
    sentence: str
    values: Values = lambda snapshot, spot: []
    more: Callable[[Snapshot], str] = lambda snapshot: ""
    is_law: bool = False
    switch: str = ""
    panel: tuple[str, ...] | None = None
    in_words: bool = True
    in_legend: bool = True
    scope: int = CONSTRUCTION
    parts: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    lines: Callable[[Drawing], Lines] | None = None
    construction: str = "poinsot"

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows, fields and sections of the panel that make the thing glow while the pointer is over them."""
        return (f"show.{self.switch}",) if self.panel is None else self.panel


THINGS: dict[str, Thing] = {
    "L": Thing(
        "angular momentum L",
        "Constant in space unless a torque acts; the invariable plane is perpendicular to it.",
        values.of_motion("L", values.MOMENTUM, lambda s: s.reading.angular_momentum_world),
        is_law=True, switch="angular_momentum", panel=("show.angular_momentum", "|L|", "start.momentum"),
        scope=ONE_SPACE, parts=("L",), symbols=("L",), lines=momentum_lines,
    ),
    "ω": Thing(
        "angular velocity ω",
        "The body turns about its direction at this moment; its length is how fast.",
        values.of_motion("ω", values.RATE, lambda s: s.reading.omega_world),
        switch="angular_velocity", panel=("show.angular_velocity", "spin", "start.angular_velocity"), scope=ONE_SPACE,
        parts=("omega",), symbols=("ω",), lines=omega_lines,
    ),
    "polhode": Thing(
        "polhode",
        "The path of the contact point on the ellipsoid: where the tip of ω runs in the body.",
        values.polhode,
        is_law=True, switch="polhode", panel=("show.polhode", "T"), parts=("polhode", "curve"),
    ),
    "herpolhode": Thing(
        "herpolhode",
        "The path of the contact point on the invariable plane: where the tip of ω has been in space.",
        values.on_trail("ω", values.RATE),
        switch="herpolhode", parts=("herpolhode",),
    ),
    "path": Thing(
        "path of ω in the body",
        "Where the tip of ω has been in the body; an exact motion stays on the polhode.",
        values.on_trail("ω′", values.RATE),
        switch="body_path", scope=CELLS,
    ),
    "contact": Thing(
        "contact point",
        "The tip of ω, where the ellipsoid touches the plane; it is at rest for an instant, so nothing slips.",
        values.of_motion("ω", values.RATE, lambda s: s.reading.omega_world),
        switch="angular_velocity", panel=(), scope=CELLS, parts=("contact",),
    ),
    "ellipsoid": Thing(
        "inertia ellipsoid",
        "All ω that have this energy; it is fixed in the body and rolls on the plane without slipping.",
        values.energy,
        is_law=True, switch="ellipsoid", panel=("show.ellipsoid", "E", "start.energy"), parts=("ellipsoid",),
    ),
    "plane": Thing(
        "invariable plane",
        "Perpendicular to L and at rest while no torque acts; its distance from the centre is 2E/|L|.",
        lambda s, spot: [Value("2E/|L|", values.plane_distance(s), values.RATE)],
        is_law=True, switch="plane", parts=("plane",),
    ),
    "body": Thing(
        "rigid body",
        "A disc marks the positive end of each principal axis, a ring the negative one.",
        values.body,
        values.inertia_source,
        switch="body", panel=("show.body", "body"), scope=ONE_SPACE, parts=("body",),
    ),
    "ωʟ": Thing(
        "component of ω along L",
        "It is constant, 2E/|L|: that is why the tip of ω stays on the invariable plane.",
        lambda s, spot: [Value("ω · L/|L|", values.omega_along_momentum(s), values.RATE)],
        is_law=True, switch="projection", symbols=("ωʟ",), lines=omega_along_momentum,
    ),
    "ticks": Thing(
        "rolling ticks",
        "Equal arc lengths on polhode and herpolhode; they meet at the contact, because nothing slips there.",
        is_law=True, switch="rolling_ticks", in_words=False, scope=CELLS,
    ),
    "measured": Thing(
        "measured ω",
        "What a recording has for ω in the body; the colour is how far the exact motion is from it.",
        switch="measured", in_words=False, scope=CELLS,
    ),
    "L′": Thing(
        "angular momentum L′ in the body",
        "The same vector as the body sees it: it runs along the curve in which sphere and ellipsoid meet.",
        values.of_motion("L′", values.MOMENTUM, lambda s: s.body.principal_moments * s.reading.omega_body),
        is_law=True, switch="angular_momentum", parts=("L",),
        panel=("show.angular_momentum", "|L|", "spin", "start.angular_velocity", "start.momentum"),
        symbols=("L′",), lines=momentum_in_body_lines, construction="momentum",
    ),
    "sphere": Thing(
        "sphere σ′",
        "All L′ of this magnitude: without a torque, L′ never leaves it.",
        lambda s, spot: [Value("|L|", values.momentum(s), values.MOMENTUM)],
        is_law=True, switch="plane", parts=("sphere",), symbols=("σ′",), construction="momentum",
    ),
    "energy": Thing(
        "ellipsoid ε′", "All L′ of this energy: without a torque, L′ never leaves it.", values.energy,
        is_law=True, switch="ellipsoid", panel=("show.ellipsoid", "E", "start.energy", "body"), parts=("ellipsoid",),
        symbols=("ε′",), construction="momentum",
    ),
    "γ′": Thing(
        "curve γ′",
        "Where sphere and ellipsoid meet: all L′ with this magnitude and this energy; L′ runs along it.",
        values.along_curve("L′", values.MOMENTUM, lambda s: s.curves.polhode * s.body.principal_moments),
        is_law=True, switch="polhode", panel=("show.polhode", "T"), parts=("polhode", "curve"),
        symbols=("γ′",), construction="momentum",
    ),
    "opposite": Thing(
        "other branch of γ′",
        "L′ of the same magnitude and energy about the opposite direction; L′ never gets there.",
        values.along_curve("L′", values.MOMENTUM, lambda s: -s.curves.polhode * s.body.principal_moments),
        is_law=True, switch="polhode", panel=(), construction="momentum",
    ),
    "separatrix": Thing(
        "separatrix",
        "Through the axis of the middle moment; it parts the paths around the smallest axis from those around the "
        "largest.",
        switch="polhode", panel=(), construction="momentum",
    ),
    "trail": Thing(
        "path of L′",
        "Where L′ has been in the body; an exact motion stays on the curve γ′.",
        values.on_trail("L′", values.MOMENTUM, lambda snapshot, row: row * snapshot.body.principal_moments),
        switch="herpolhode", panel=("show.herpolhode", "show.body_path"), parts=("herpolhode",),
        construction="momentum",
    ),
    "F": Thing(
        "force",
        "Drawn at its point of application; it also turns the body unless it points through the centre of mass or the "
        "pivot.",
        values.force,
        values.by_cube_root,
        switch="loads", panel=("loads.force",), in_words=False, scope=CELLS,
        symbols=("F", "F₁", "F₂", "F₃", "r′", "r′₁", "r′₂", "r′₃"), lines=force_lines, construction="",
    ),
    "r′": Thing(
        "arm of the force", "From the pivot or the centre of mass to the point of application; its cross product with "
        "the force is the torque.", values.arm,
        switch="loads", panel=("loads.arm",), in_words=False, scope=CELLS, symbols=("r′",),
    ),
    "W": Thing(
        "weight",
        "It acts at the centre of mass: about a pivot it turns the body, without one it makes the body fall.",
        values.force, values.by_cube_root,
        switch="loads", panel=("loads.gravity",), in_words=False, scope=CELLS, parts=("weight",),
        symbols=("W",),
    ),
    "pivot": Thing(
        "pivot",
        "The point of the body that stays where it is; L and all torques are about it, and r′ leads from it to the "
        "centre of mass.",
        values.pivot,
        switch="loads", panel=("body.pivot",), in_words=False, scope=CELLS, lines=pivot_lines,
    ),
    "vertical": Thing(
        "vertical", "The direction of gravity: the component of L along it is conserved under the weight alone.",
        switch="loads", panel=("loads.gravity",), in_words=False, scope=CELLS,
    ),
    "M": Thing(
        "external torque M",
        "The sum of all torques about the centre of mass, or about the pivot if there is one: L changes at this rate.",
        values.of_motion("M", "N m", lambda s: s.external_torque),
        values.by_cube_root,
        switch="loads", panel=("loads.torque",), in_words=False, scope=CELLS, parts=("torque",),
        symbols=("M",), lines=torque_lines, construction="",
    ),
    "Mꜰ": Thing(
        "torque of friction",
        "External friction opposes the rotation and takes away energy and angular momentum.",
        values.of_motion("Mꜰ", "N m", lambda s: s.friction_torque),
        values.by_cube_root,
        switch="loads", panel=("loads.external_friction",), in_words=False, scope=CELLS, symbols=("Mꜰ",),
        lines=friction_lines, construction="",
    ),
    "correction": Thing(
        "correction",
        "How the stabilisation leads the next step back to the right energy and |L|, magnified.",
        lambda s, spot: [] if s.correction is None else [
            Value("|ΔL|", float(np.linalg.norm(s.correction.after - s.correction.before)), values.MOMENTUM)
        ],
        switch="angular_velocity", panel=(), scope=ONE_SPACE, parts=("correction",), symbols=("L′ₑᵣᵣ", "β"),
    ),
    "lane": Thing(
        "ω of another integrator", "Where this integrator has the angular velocity at the same time.", values.lane,
        switch="angular_velocity", panel=(), scope=ONE_SPACE,
    ),
    "ghost": Thing(
        "body of another integrator",
        "The orientation that this integrator gives the body at the same time.",
        values.ghost,
        switch="body", panel=(), in_legend=False, scope=ONE_SPACE,
    ),
    "centre": Thing(
        "path of the centre of mass",
        "Where the centre of mass has been; only forces bend it.",
        values.on_trail("r", "m"),
        switch="centre_path", panel=("show.centre_path", "P"), in_words=False, scope=CELLS,
    ),
    "body cone": Thing(
        "body cone", "All lines along which ω has been in the body: it rolls on the space cone and touches it along ω.",
        is_law=True, switch="cones",
    ),
    "space cone": Thing(
        "space cone", "The cone that ω sweeps out in space in one turn about L; it is round if two moments are equal.",
        is_law=True, switch="cones", panel=(),
    ),
    "axis": Thing(
        "path of the axis",
        "Where the line from the pivot to the centre of mass has pointed: it precesses round the vertical and nods.",
        values.on_trail("r", "m"),
        switch="axis_path", in_words=False, scope=CELLS, parts=("axis",), lines=axis_lines,
    ),
    "bounds": Thing(
        "bounding circles",
        "The axis of a symmetric top nods between these inclinations, which energy and L along vertical and axis set.",
        values.inclinations,
        switch="axis_path", panel=(), in_words=False, scope=CELLS,
    ),
    "gimbals": Thing(
        "gimbals",
        "Massless rings: the outer turns about z, the middle about a level axis, the inner about z′ with the body.",
        values.gimbals,
        values.gimbal_lock,
        switch="gimbals", panel=("show.gimbals", "gimbals"), parts=("gimbals",), lines=gimbal_lines,
    ),
    **{f"{axis}′": Thing(
        "principal axis", "Fixed in the body; rotation about it alone is steady.", values.axis(number), is_law=True,
        switch="body_axes", panel=(f"I {axis}",), in_words=False, symbols=(f"{axis}′", f"e{'₁₂₃'[number]}"),
    ) for number, axis in enumerate("xyz")},
    **{axis: Thing(
        "space axis", "At rest in space; the body turns relative to it.", switch="space_axes", panel=(), in_words=False,
        in_legend=False, symbols=(axis,),
    ) for axis in "xyz"},
}  # fmt: skip


def check_letters(thing: Thing) -> None:
    """Raise ValueError if the scene has no letters for the name of a thing or for its symbols."""
    lacking = missing("".join(thing.symbols), "symbol") | missing(thing.name, "number")
    if lacking:
        raise ValueError(f"{thing.name}: the atlas of assets/fonts lacks {' '.join(sorted(lacking))}")


for _thing in THINGS.values():
    check_letters(_thing)


def drawn_lines(drawing: Drawing) -> Lines:
    """Return the lines and names of all things of the table that are shown, in its order."""
    show, parts = drawing.presentation.show, []
    elsewhere = "momentum" if drawing.space is None else "poinsot"
    for thing in THINGS.values():
        if thing.lines is not None and thing.construction != elsewhere and getattr(show, thing.switch):
            parts.append(thing.lines(drawing))
    return Lines.joined(parts)


def hidden_switches(bare: bool, together: bool) -> set[str]:
    """Return the switches of the things that are not drawn in cells.

    If `bare`, the cells have no construction. If `together`, all bodies are in one space.
    """
    least = ONE_SPACE if together else CELLS if bare else CONSTRUCTION
    switches = {thing.switch for thing in THINGS.values()}
    return switches - {thing.switch for thing in THINGS.values() if thing.scope >= least}


def things_for(pointed: str) -> list[str]:
    """Return the things that belong to a row, a field or a section of the panel."""
    found = [name for name, thing in THINGS.items() if pointed in thing.rows]
    return found or [name for name, thing in THINGS.items() if pointed.partition(".")[0] in thing.rows]


def glowing_for(frame: Frame, pointed: str, cell: int) -> Frame:
    """Return the frame in which the first shown thing glows that belongs to the row of the panel under the pointer.

    `pointed` is the name of a readout or the path of a field. If cells fill the picture, it glows in this `cell`.
    """
    if part_in(pointed) is not None:
        return frame.with_scene(0, glowing=pointed)
    number = 0 if things_in(frame.main.scene) or cell >= len(frame.insets) else 1 + cell
    shown = things_in(frame.layers[number].scene)
    name = next((name for name in things_for(pointed) if name in shown), None)
    return frame if name is None else frame.with_scene(number, glowing=name)


def anchor(layer: Layer, part: str) -> Array | None:
    """Return the point (3,) in the world at which a tour points for a part of the scene; None if it is not drawn."""
    names = [name for name, thing in THINGS.items() if part in thing.parts]
    points = (place_of(layer.scene, layer.camera, name) for name in names)
    return next((point for point in points if point is not None), None)


# name and sentence of a body axis whose moment differs from both others, by its rank
AXES = (
    ("axis of the smallest moment", "Rotation about it is stable: a small push makes ω circle around it."),
    ("axis of the middle moment", "Rotation about it is unstable: after a small push the body flips over and over."),
    ("axis of the largest moment", "Rotation about it is stable; a body that loses energy ends in it."),
)


def _part(number: int, snapshot: Snapshot) -> Thing | None:
    """Return the entry of a part of a composite body, or None if no part has this number."""
    if number >= len(snapshot.body.parts):
        return None
    part = snapshot.body.parts[number]
    name = tr("part {number}: {kind}").format(number=number + 1, kind=tr(PART_SHAPES[part.shape].label))
    found = [Value("m", part.weight, "kg"), Value("r", part.position, "m")]
    if part.density:
        found.insert(1, Value("ρ", part.density, "kg/m³"))
    more = (lambda s: tr(FIRST_ITS_BODY)) if snapshot.name else Thing.more
    return Thing(
        name, HOLE if part.density < 0.0 else PART, lambda s, spot: [*found, *values.point_of_body(s, spot)], more
    )


def relative(thing: Thing) -> Thing:
    """Return the entry of a thing for a body of which only the ratios of its moments are known: without its mass."""

    def values(snapshot: Snapshot, spot: Spot) -> list[Value]:
        known = (value for value in thing.values(snapshot, spot) if value.unit != "kg")
        return [replace(value, unit=PER_LARGEST.get(value.unit, value.unit)) for value in known]

    return replace(thing, values=values, more=(lambda s: tr(RATIOS)) if thing is THINGS["body"] else thing.more)


def proviso(name: str, snapshot: Snapshot) -> str:
    """Return a sentence, in the user's language, if the law stated for a thing is not true of the motion that runs.

    It is empty if the law is true, or if there is none.
    """
    thing = THINGS.get(name.partition(":")[0].rstrip("₁₂₃"))
    return (
        tr("This is a law of the exact motion; the integrator that runs does not keep to it.")
        if snapshot.strays and thing is not None and thing.is_law
        else ""
    )


def thing_of(name: str, snapshot: Snapshot) -> Thing | None:
    """Return the entry of a thing by its name in the scene, in which its owner follows a colon; None if none has it."""
    if (number := part_in(name)) is not None:
        return _part(number, snapshot)
    key = name.partition(":")[0].rstrip("₁₂₃")
    thing = THINGS.get(key)
    if thing is None or key not in ("x′", "y′", "z′"):
        return thing
    moments = np.asarray(snapshot.body.principal_moments)
    own = float(moments["xyz".index(key[0])])
    others = np.delete(moments, "xyz".index(key[0]))
    if np.min(np.abs(others - own)) <= EQUAL * float(moments.max()):
        return thing
    title, sentence = AXES[int(np.sum(others < own))]
    return replace(thing, name=title, sentence=sentence)
