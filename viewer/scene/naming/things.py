"""What each thing in the scene is called, what it is, and its value: one entry a thing.

The texts are the English ones; who shows them translates them. Formulas stay as they are.
"""

from collections.abc import Callable
from dataclasses import replace
from math import degrees

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.common.language import marked, tr
from viewer.common.quantities.units import PER_LARGEST
from viewer.physics.solids.composite import PART_SHAPES
from viewer.physics.solids.principal_axes import EQUAL
from viewer.physics.state import angular_acceleration, point_velocity
from viewer.race.live import LaneNow
from viewer.scene.constructions.loads import acting_forces
from viewer.scene.naming.spot import Spot, part_in
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

RATE, MOMENTUM, INERTIA = "rad/s", "kg m²/s", "kg m²"
PARTS = 240  # of a period, in which the time on the polhode is looked for
PART = marked("A click selects it in the panel.")
FIRST_ITS_BODY = marked("Where its body is not selected, the first click selects that.")
RATIOS = marked("Its moments are relative to the largest.")
CUBE_ROOT = marked("The arrow grows with the cube root: twice as long stands for eight times as much.")
HOLE = marked("A hole: its mass is taken away. A click selects it in the panel.")


@frozen
class Value:
    """A quantity: a number, or a vector in space or, with a prime in its symbol, in the body."""

    symbol: str
    value: float | tuple[float, ...]
    unit: str


Values = Callable[[Snapshot, Spot], list[Value]]


@frozen
class Thing:
    """`name`: as it is called, `sentence`: what it is, `values`: at a spot of it.

    `more`: a sentence that depends on the motion, in the user's language.
    """

    name: str
    sentence: str
    values: Values = lambda snapshot, spot: []
    more: Callable[[Snapshot], str] = lambda snapshot: ""


def _by_cube_root(_: Snapshot) -> str:
    """How the arrows of all loads grow, see `scale.load_arrow`."""
    return tr(CUBE_ROOT)


def _vector(symbol: str, vector: Array, unit: str) -> list[Value]:
    """A vector and its magnitude."""
    parts = tuple(float(part) for part in vector)
    return [Value(symbol, parts, unit), Value(f"|{symbol}|", float(np.linalg.norm(vector)), unit)]


def _of(symbol: str, unit: str, vector: Callable[[Snapshot], Array]) -> Values:
    """The values of a vector of the motion."""
    return lambda snapshot, spot: _vector(symbol, vector(snapshot), unit)


def _along(symbol: str, unit: str, points: Callable[[Snapshot], Array]) -> Values:
    """The vector (3,) where the spot lies on the closed curve of `points`, (N, 3)."""

    def values(snapshot: Snapshot, spot: Spot) -> list[Value]:
        curve = points(snapshot)
        if spot.along is None or not len(curve):
            return []
        before = int(spot.along) % len(curve)
        there = curve[before] + (spot.along % 1.0) * (curve[(before + 1) % len(curve)] - curve[before])
        return _vector(symbol, there, unit)

    return values


def _was(symbol: str, unit: str, of_row: Callable[[Snapshot, Array], Array] = lambda snapshot, row: row) -> Values:
    """The vector that a trail has at the spot, and when that was."""

    def values(snapshot: Snapshot, spot: Spot) -> list[Value]:
        if spot.vector is None or spot.time is None:
            return []
        return [*_vector(symbol, of_row(snapshot, np.array(spot.vector)), unit), Value("t", spot.time, "s")]

    return values


def _momentum(snapshot: Snapshot) -> float:
    return float(np.linalg.norm(snapshot.reading.angular_momentum_world))


def _energy(snapshot: Snapshot, spot: Spot) -> list[Value]:
    return [Value("E", snapshot.reading.energy, "J")]


def _distance(snapshot: Snapshot) -> float:
    """Of the invariable plane from the centre [rad/s]."""
    return 2.0 * snapshot.reading.target_energy / max(snapshot.reading.target_momentum, 1e-300)


def _body(snapshot: Snapshot, spot: Spot) -> list[Value]:
    moments = tuple(float(moment) for moment in snapshot.body.principal_moments)
    return [Value("m", snapshot.body.mass, "kg"), Value("I", moments, INERTIA), *_there(snapshot, spot)]


def _there(snapshot: Snapshot, spot: Spot) -> list[Value]:
    """The velocity of the point of the body under the pointer, and the angular acceleration of the body."""
    if spot.on_body is None:
        return []
    state, body = snapshot.reading.state, snapshot.body
    found = [Value("r′", spot.on_body, "m"), *_vector("v", point_velocity(body, state, spot.on_body), "m/s")]
    if snapshot.reading.orthogonality_error is None:  # else L is not I omega
        alpha = angular_acceleration(body, state, snapshot.external_torque + snapshot.friction_torque)
        found.append(Value("α", tuple(alpha.tolist()), "rad/s²"))
    return found


def _inertia_source(snapshot: Snapshot) -> str:
    return tr("Inertia from {source}.").format(source=snapshot.body.inertia_source.text)


def _part(number: int, snapshot: Snapshot) -> Thing | None:
    """A part of a composite body."""
    if number >= len(snapshot.body.parts):
        return None
    part = snapshot.body.parts[number]
    name = tr("part {number}: {kind}").format(number=number + 1, kind=tr(PART_SHAPES[part.shape].label))
    values = [Value("m", part.weight, "kg"), Value("r", part.position, "m")]
    if part.density:
        values.insert(1, Value("ρ", part.density, "kg/m³"))
    more = (lambda s: tr(FIRST_ITS_BODY)) if snapshot.name else Thing.more
    return Thing(name, HOLE if part.density < 0.0 else PART, lambda s, spot: [*values, *_there(s, spot)], more)


def _force(snapshot: Snapshot, spot: Spot) -> list[Value]:
    return next((_vector(f.name, f.force, "N") for f in acting_forces(snapshot) if f.name == spot.name), [])


def _arm(snapshot: Snapshot, spot: Spot) -> list[Value]:
    rotation, name = snapshot.reading.rotation_world_from_body, spot.name.replace("r′", "F")
    found = (_vector(spot.name, rotation.T @ f.point, "m") for f in acting_forces(snapshot) if f.name == name)
    return next(found, [])


def _axis(number: int) -> Values:
    """The moment of inertia of a body axis, and the component of omega along it."""

    def values(snapshot: Snapshot, spot: Spot) -> list[Value]:
        moment, rate = snapshot.body.principal_moments[number], snapshot.reading.omega_body[number]
        axis = "xyz"[number]
        return [Value(f"I {axis}′", float(moment), INERTIA), Value(f"ω {axis}′", float(rate), RATE)]

    return values


def _lane(snapshot: Snapshot, spot: Spot) -> list[Value]:
    """The omega of a lane of a race, and its errors."""
    name = spot.name.partition(":")[2]
    found = ([*_vector("ω", now.omega_world, RATE), *_errors(now)] for now in snapshot.lanes if now.lane.label == name)
    return next(found, [])


def _ghost(snapshot: Snapshot, spot: Spot) -> list[Value]:
    name = spot.name.partition(":")[2]
    return next((_errors(now) for now in snapshot.lanes if now.lane.label == name), [])


def _errors(now: LaneNow) -> list[Value]:
    """How far a lane is ahead along the polhode, and how far its body is turned from the exact one."""
    phase = [] if now.phase_error is None else [Value(marked("phase error"), degrees(now.phase_error), "°")]
    return [*phase, Value(marked("orientation error"), degrees(now.orientation_error), "°")]


def _polhode(snapshot: Snapshot, spot: Spot) -> list[Value]:
    """The omega there, and when it is there next, where it is before a recording ends."""
    found = _along("ω′", RATE, lambda s: s.curves.polhode)(snapshot, spot)
    if not found or snapshot.period is None or not snapshot.loads.free or snapshot.strays:
        return found
    period, there = snapshot.period, np.array(found[0].value)
    ahead = _when(snapshot, there, period) - _when(snapshot, snapshot.reading.omega_body, period)
    time = snapshot.reading.time + ahead % period
    if snapshot.measured is not None and time > snapshot.measured.time[-1]:
        return found
    return [*found, Value(marked("next at t"), time, "s")]


def _when(snapshot: Snapshot, omega: Array, period: float) -> float:
    """The time [s] in the period of the polhode at which it is nearest to an omega (3,)."""
    times, width = np.linspace(0.0, period, PARTS, endpoint=False), 4.0 * period / PARTS
    for _ in range(2):  # then more finely around the nearest one
        away = np.linalg.norm(snapshot.curves.orbit.at(times).omega_body - omega, axis=1)
        nearest = float(times[int(np.argmin(away))])
        times = nearest + np.linspace(-0.5 * width, 0.5 * width, PARTS)
    return nearest


THINGS: dict[str, Thing] = {
    "L": Thing(
        "angular momentum L",
        "Constant in space unless a torque acts; the invariable plane is perpendicular to it.",
        _of("L", MOMENTUM, lambda s: s.reading.angular_momentum_world),
    ),
    "ω": Thing(
        "angular velocity ω",
        "The body turns about its direction at this moment; its length is how fast.",
        _of("ω", RATE, lambda s: s.reading.omega_world),
    ),
    "polhode": Thing(
        "polhode",
        "The path of the contact point on the ellipsoid: where the tip of ω runs in the body.",
        _polhode,
    ),
    "herpolhode": Thing(
        "herpolhode",
        "The path of the contact point on the invariable plane: where the tip of ω has been in space.",
        _was("ω", RATE),
    ),
    "path": Thing(
        "path of ω in the body",
        "Where the tip of ω has been in the body; an exact motion stays on the polhode.",
        _was("ω′", RATE),
    ),
    "contact": Thing(
        "contact point",
        "The tip of ω, where the ellipsoid touches the plane; it is at rest for an instant, so nothing slips.",
        _of("ω", RATE, lambda s: s.reading.omega_world),
    ),
    "ellipsoid": Thing(
        "inertia ellipsoid",
        "All ω that have this energy; it is fixed in the body and rolls on the plane without slipping.",
        _energy,
    ),
    "plane": Thing(
        "invariable plane",
        "Perpendicular to L and at rest while no torque acts; its distance from the centre is 2E/|L|.",
        lambda s, spot: [Value("2E/|L|", _distance(s), RATE)],
    ),
    "body": Thing(
        "rigid body",
        "A disc marks the positive end of each principal axis, a ring the negative one.",
        _body,
        _inertia_source,
    ),
    "ωʟ": Thing(
        "component of ω along L",
        "It is constant, 2E/|L|: that is why the tip of ω stays on the invariable plane.",
        lambda s, spot: [
            Value("ω · L/|L|", float(s.reading.omega_world @ s.reading.angular_momentum_world) / _momentum(s), RATE)
        ],
    ),
    "ticks": Thing(
        "rolling ticks",
        "Equal arc lengths on polhode and herpolhode; they meet at the contact, because nothing slips there.",
    ),
    "measured": Thing(
        "measured ω",
        "What a recording has for ω in the body; the colour is how far the exact motion is from it.",
    ),
    "L′": Thing(
        "angular momentum L′ in the body",
        "The same vector as the body sees it: it runs along the curve in which sphere and ellipsoid meet.",
        _of("L′", MOMENTUM, lambda s: s.body.principal_moments * s.reading.omega_body),
    ),
    "sphere": Thing(
        "sphere σ′",
        "All L′ of this magnitude: without a torque, L′ never leaves it.",
        lambda s, spot: [Value("|L|", _momentum(s), MOMENTUM)],
    ),
    "energy": Thing("ellipsoid ε′", "All L′ of this energy: without a torque, L′ never leaves it.", _energy),
    "γ′": Thing(
        "curve γ′",
        "Where sphere and ellipsoid meet: all L′ with this magnitude and this energy; L′ runs along it.",
        _along("L′", MOMENTUM, lambda s: s.curves.polhode * s.body.principal_moments),
    ),
    "opposite": Thing(
        "other branch of γ′",
        "L′ of the same magnitude and energy about the opposite direction; L′ never gets there.",
        _along("L′", MOMENTUM, lambda s: -s.curves.polhode * s.body.principal_moments),
    ),
    "separatrix": Thing(
        "separatrix",
        "Through the axis of the middle moment; it parts the paths around the smallest axis from those around the "
        "largest.",
    ),
    "trail": Thing(
        "path of L′",
        "Where L′ has been in the body; an exact motion stays on the curve γ′.",
        _was("L′", MOMENTUM, lambda snapshot, row: row * snapshot.body.principal_moments),
    ),
    "F": Thing(
        "force",
        "Drawn at its point of application; it also turns the body unless it points through the centre of mass.",
        _force,
        _by_cube_root,
    ),
    "r′": Thing(
        "arm of the force", "From the centre of mass to the point of application; its cross product with the force is "
        "the torque.", _arm,
    ),
    "M": Thing(
        "external torque M",
        "The sum of all torques about the centre of mass: L changes at this rate.",
        _of("M", "N m", lambda s: s.external_torque),
        _by_cube_root,
    ),
    "Mꜰ": Thing(
        "torque of friction",
        "External friction opposes the rotation and takes away energy and angular momentum.",
        _of("Mꜰ", "N m", lambda s: s.friction_torque),
        _by_cube_root,
    ),
    "correction": Thing(
        "correction",
        "How the stabilisation leads the next step back to the right energy and |L|, magnified.",
        lambda s, spot: [] if s.correction is None else [
            Value("|ΔL|", float(np.linalg.norm(s.correction.after - s.correction.before)), MOMENTUM)
        ],
    ),
    "lane": Thing("ω of another integrator", "Where this integrator has the angular velocity at the same time.", _lane),
    "ghost": Thing(
        "body of another integrator",
        "The orientation that this integrator gives the body at the same time.",
        _ghost,
    ),
    "centre": Thing(
        "path of the centre of mass",
        "Where the centre of mass has been; only forces bend it.",
        _was("r", "m"),
    ),
    **{f"{axis}′": Thing("principal axis", "Fixed in the body; rotation about it alone is steady.", _axis(number))
       for number, axis in enumerate("xyz")},
    **{axis: Thing("space axis", "At rest in space; the body turns relative to it.") for axis in "xyz"},
}  # fmt: skip

# whose sentences are laws of the exact motion
LAWS = frozenset((
    "L", "polhode", "ellipsoid", "plane", "ωʟ", "ticks", "L′", "sphere", "energy", "γ′", "opposite", "x′", "y′", "z′",
))  # fmt: skip

# of a body axis whose moment differs from both others: by its rank
AXES = (
    ("axis of the smallest moment", "Rotation about it is stable: a small push makes ω circle around it."),
    ("axis of the middle moment", "Rotation about it is unstable: after a small push the body flips over and over."),
    ("axis of the largest moment", "Rotation about it is stable; a body that loses energy ends in it."),
)


def relative(thing: Thing) -> Thing:
    """A thing where of the body only the ratios of its moments are known: nothing is said of its mass."""

    def values(snapshot: Snapshot, spot: Spot) -> list[Value]:
        known = (value for value in thing.values(snapshot, spot) if value.unit != "kg")
        return [replace(value, unit=PER_LARGEST.get(value.unit, value.unit)) for value in known]

    return replace(thing, values=values, more=(lambda s: tr(RATIOS)) if thing is THINGS["body"] else thing.more)


def proviso(name: str, snapshot: Snapshot) -> str:
    """Return a sentence that says where what is said of the thing of that name does not hold of the motion that runs,
    in the user's language; empty where it holds."""
    is_law = name.partition(":")[0].rstrip("₁₂₃") in LAWS
    return (
        tr("This is a law of the exact motion; the integrator that runs does not keep to it.")
        if snapshot.strays and is_law
        else ""
    )


def thing_of(name: str, snapshot: Snapshot) -> Thing | None:
    """The entry of a thing by its name in the scene: what follows a colon is whose it is, a number which of several."""
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
    return Thing(title, sentence, thing.values)
