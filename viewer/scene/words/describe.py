"""A scene in plain words, for a screen reader or a stream: what it is, how it moves now, and what the picture shows.

The numbers are those that the readouts show of the same snapshot.
"""

from dataclasses import replace
from math import degrees
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.common.language import inside, tr
from viewer.physics.body import SHAPES
from viewer.physics.errors import angle_between
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.poinsot.spin import circulation
from viewer.race.live import LaneNow
from viewer.scenario.bodies import in_one_space
from viewer.scenario.custom_body import as_simulated
from viewer.scenario.field import Choice
from viewer.scenario.fields import fields_of
from viewer.scenario.scenario import Scenario, field_at
from viewer.scenario.sections.body import Body
from viewer.scenario.sections.picture import Show
from viewer.scenario.sections.race import Recorded
from viewer.scene.constructions.gimbals import ring_angles
from viewer.scene.naming.things import THINGS, hidden_switches
from viewer.scene.naming.values import gimbal_lock, momentum
from viewer.scene.words.formatting import (
    ROUND_OFF,
    another_motion,
    cleared,
    columns,
    format_errors,
    sentence,
    short,
    with_unit,
)
from viewer.scene.words.sources import sources, title
from viewer.scene.words.spin import AXES, describe_motion, rank_names
from viewer.scene.words.tops import top_periods
from viewer.session.session import Session
from viewer.session.snapshot import Snapshot

# the switches of the things that a description of the picture names
SWITCHES = {thing.switch for thing in THINGS.values() if thing.in_words} | {"inset"}


def facts(session: Session) -> dict[str, Any]:
    """Return the numbers of the motion as it is now, with SI units in their names, and the paragraph as `text`."""
    snapshot, scenario = session.snapshot(), session.scenario
    reading, momentum = snapshot.reading, float(np.linalg.norm(snapshot.reading.angular_momentum_world))
    line, _ = describe_motion(snapshot, session.document.resolved_moments, session.document.slowing is not None)
    (flip, _), top = session.motion.next_flip(), snapshot.top
    rates = None if top is None else top.steady_rates(snapshot.reading.orientation_wxyz)
    return {
        "title": scenario.title if scenario.holds("title") else title(scenario),
        "source": scenario.source if scenario.holds("source") else "",
        "assumed": scenario.assumed if scenario.holds("assumed") else "",
        "time_s": reading.time,
        "shape": scenario.body.shape,
        "dimensions": as_simulated(scenario.body, snapshot.body),
        "inertia_from": snapshot.body.inertia_source.text,
        "pivot_m": scenario.body.pivot if snapshot.loads.held else None,
        "principal_moments_kg_m2": snapshot.body.principal_moments.tolist(),
        "omega_body_rad_per_s": reading.omega_body.tolist(),
        "omega_world_rad_per_s": reading.omega_world.tolist(),
        "angular_momentum_world_kg_m2_per_s": reading.angular_momentum_world.tolist(),
        "abs_angular_momentum_kg_m2_per_s": momentum,
        "rotational_energy_J": reading.energy,
        "target_energy_J": reading.target_energy,
        "spin": line,
        "recorded": None if session.document.recordings is None else session.document.recordings.line,
        "is_exact_motion": not snapshot.strays,
        "period_s": snapshot.period,
        "precession_period_s": snapshot.precession_period,
        "nutation_period_s": None if top is None else top.nutation_period,
        "inclinations_rad": None if top is None else list(top.inclinations),
        "spin_rate_rad_per_s": None if top is None else top.spin_rate,
        "steady_precession_rad_per_s": None if rates is None else list(rates),
        "next_flip_s": flip,
        "external_torque_N_m": snapshot.external_torque.tolist(),
        "external_force_N": snapshot.external_force.tolist(),
        "total_energy_J": snapshot.total_energy if snapshot.loads.weight else None,
        "integrator": scenario.solver.integrator,
        "step_s": scenario.solver.step,
        "stabilisation": scenario.solver.stabilisation,
        "energy_error": next(iter(snapshot.errors.values())),
        "momentum_error": _momentum_error(snapshot, scenario),
        "vertical_momentum_error": snapshot.errors.get("L z"),
        "axial_momentum_error": snapshot.errors.get("L axis"),
        "lanes": [_lane(now) for now in snapshot.lanes],
        "bodies": len(scenario.bodies) or 1,
        "construction": scenario.view.construction,
        "frame": scenario.view.frame,
        "stereo_mode": scenario.stereo.mode,
        "text": describe(session),
    }


def describe(session: Session) -> str:
    """Return the paragraph about the scene, in the user's language."""
    return " ".join(paragraphs(session))


def paragraphs(session: Session, written: Scenario | None = None, stepped: bool = True) -> list[str]:
    """Return the same in paragraphs: what the scene is, how it moves, what the picture shows.

    Title and sources are those of `written`, if given: the scene before what cannot be shown was taken from it.
    `stepped` says whether an integrator computes the motion; without, there is no sentence on its steps and errors.
    """
    scenario, held = session.scenario, session.document.held
    parts = (
        [title(written) if written else _title(session), *([] if held else sources(written or scenario))],
        _in_hand(session.snapshot()) if held else _motion(session, stepped),
        [_picture(scenario), *map(sentence, (session.scene.message or "").split("\n"))],
    )
    found = (" ".join(_ended(line) for line in lines if line) for lines in parts)
    return [text for text in found if text]


def _motion(session: Session, stepped: bool) -> tuple[str, ...]:
    """Return sentences on the body, how it turns, and the integrator that computes that."""
    snapshot, scenario, relative = session.snapshot(), session.scenario, session.document.ratios
    return (
        _body(snapshot, scenario, relative is not None),
        _pivot(snapshot, scenario),
        *_gimbals(snapshot, scenario),
        _turning(snapshot),
        *describe_motion(snapshot, session.document.resolved_moments, session.document.slowing is not None),
        _recorded(session),
        _periods(session, snapshot),
        _invariants(snapshot, relative is not None),
        _loads(snapshot, scenario),
        _under_weight(snapshot),
        _of_kovalevskaya(snapshot),
        _solver(snapshot, scenario) if stepped else "",
        _race(snapshot),
    )


def _in_hand(snapshot: Snapshot) -> tuple[str, str]:
    """Return the sentences on a hand-held phone, of which only the angular velocity is known."""
    speed = 0.0 if snapshot.reading.at_rest else float(np.linalg.norm(snapshot.reading.omega_body))
    turns = tr("It turns at {speed}").format(speed=with_unit(speed, "rad/s"))
    return tr("Held in the hand: only the angular velocity is measured"), turns


def _ended(part: str) -> str:
    """Return a sentence with a full stop, if it has none."""
    return part if part.endswith((".", "!", "?")) else f"{part}."


def _title(session: Session) -> str:
    scenario = session.scenario
    if not scenario.bodies:
        return title(scenario)
    text = tr("{title}: {count} bodies, of which number {number}, “{name}”, is described here")
    name = scenario.body_name(session.scene.selected)
    return text.format(title=title(scenario), count=len(scenario.bodies), number=session.scene.selected + 1, name=name)


def _body(snapshot: Snapshot, scenario: Scenario, relative: bool) -> str:
    """Return the body's shape, sizes and moments, or only the ratios of its moments if they are `relative`."""
    shape, fields = inside(SHAPES[scenario.body.shape].label), fields_of(Body)
    ranks, unit = _moments(snapshot, "" if relative else "kg m²")
    if relative:
        text = tr("Body: {shape}. Principal moments of inertia over the largest, all that is known of them: {moments}")
        return text.format(shape=shape, moments=ranks)
    sizes = []
    for name, value in as_simulated(scenario.body, snapshot.body).items():
        if isinstance(value, int | float):
            sizes.append(f"{inside(fields[name].label)} {with_unit(value, fields[name].unit)}")
    if snapshot.body.mesh is not None:
        sizes.append(snapshot.body.inertia_source.text)
    text = tr("Body: {shape}, {sizes}. Principal moments of inertia in {unit}: {moments}")
    if not sizes:
        text = tr("Body: {shape}. Principal moments of inertia in {unit}: {moments}")
    return text.format(shape=shape, sizes=", ".join(sizes), unit=unit, moments=ranks)


def _moments(snapshot: Snapshot, unit: str) -> tuple[str, str]:
    """Return the moments, each with its axis and rank, and the unit that suits them all."""
    moments = snapshot.body.principal_moments
    numbers, unit = columns(moments.tolist(), unit)
    named = zip(AXES, numbers, rank_names(moments), strict=True)
    return ", ".join(f"{axis} {number} ({tr(rank)})" for axis, number, rank in named), unit


def _pivot(snapshot: Snapshot, scenario: Scenario) -> str:
    """Return where the pivot is; empty without one."""
    if not snapshot.loads.held:
        return ""
    place = ", ".join(map(short, scenario.body.pivot))
    return tr(
        "It turns about a pivot, ({place}) m from its centre of mass; its moments are those about the pivot"
    ).format(place=place)


def _gimbals(snapshot: Snapshot, scenario: Scenario) -> tuple[str, ...]:
    """Return the angles of the gimbals, and whether they are locked; nothing if they are not shown."""
    if not scenario.show.gimbals:
        return ()
    angles = ", ".join(f"{tr(name)} {angle:.1f}°" for name, angle in ring_angles(snapshot).items())
    return tr("Its gimbals are turned by: {angles}").format(angles=angles), gimbal_lock(snapshot)


def _turning(snapshot: Snapshot) -> str:
    """Return how fast the body turns, and about which axis in the body and in space."""
    reading, time = snapshot.reading, with_unit(snapshot.reading.time, "s")
    omega, speed = reading.omega_body, float(np.linalg.norm(reading.omega_body))
    if reading.at_rest:
        return tr("At t = {time} it does not turn").format(time=time)
    axis = int(np.argmax(np.abs(omega)))
    angles = (
        angle_between(np.abs(omega), np.eye(3)[axis]),
        angle_between(reading.omega_world, reading.angular_momentum_world),
    )
    away, tilt = (degrees(angle) if angle > ROUND_OFF else 0.0 for angle in angles)
    text = tr("At t = {time} it turns at {speed} about an axis {angle}° from {axis} and {tilt}° from L")
    return text.format(time=time, speed=with_unit(speed, "rad/s"), angle=short(away), axis=AXES[axis], tilt=short(tilt))


def _recorded(session: Session) -> str:
    """Return what happened in the recording that the motion comes from; empty without a recording."""
    found = session.document.recordings
    return "" if found is None or found.line is None else tr("As recorded: {line}").format(line=found.line)


def _periods(session: Session, snapshot: Snapshot) -> str:
    if snapshot.top is not None:
        return top_periods(snapshot.top, snapshot)
    if snapshot.period is None:
        return ""
    period, (flip, _) = with_unit(float(snapshot.period), "s"), session.motion.next_flip()
    if flip is None:
        text = tr("Its period is {period}") if snapshot.loads.free else tr("Without loads its period is {period}")
        if snapshot.strays:
            text = tr("The period of the exact motion from here is {period}")
        if snapshot.precession_period is None:
            return text.format(period=period)
        more = tr("in which L goes once round {axis} in the body; {axis} goes round L in {precession} on average")
        moments = snapshot.body.principal_moments
        axis = AXES[circulation(moments, moments * snapshot.reading.omega_body).axis or 0]
        precession = with_unit(snapshot.precession_period, "s")
        return f"{text.format(period=period)}, {more.format(axis=axis, precession=precession)}"
    return tr("Its period is {period}; the next flip comes at t = {flip}").format(
        period=period, flip=with_unit(flip, "s")
    )


def _components(vector: NDArray[np.float64]) -> str:
    """Return the components of a vector; those that are round-off beside the largest are 0."""
    return ", ".join(short(cleared(float(part), float(np.abs(vector).max()))) for part in vector)


def _invariants(snapshot: Snapshot, relative: bool) -> str:
    """Return energy and angular momentum; if they are `relative`, they are over the largest moment of inertia."""
    momentum, energy = snapshot.reading.angular_momentum_world, float(snapshot.reading.energy)
    text = tr("Rotational energy {energy}; angular momentum {size} kg m²/s, in space ({along})")
    if relative:
        text = tr("Over the largest moment: energy {energy}/s²; angular momentum {size} rad/s, in space ({along})")
    number = short(energy) if relative else with_unit(energy, "J")
    return text.format(energy=number, size=short(float(np.linalg.norm(momentum))), along=_components(momentum))


def _under_weight(snapshot: Snapshot) -> str:
    """Return what the weight alone keeps; empty if it does not act alone."""
    loads, kept = snapshot.loads, snapshot.kept
    if kept is None:
        if not (loads.weight and loads.free) or replace(loads, weight=0.0).pushes:
            return ""
        text = tr("The weight alone keeps the energy of rotation, fall and height together, {energy}, and all of L")
        return text.format(energy=with_unit(snapshot.total_energy, "J"))
    text = tr(
        "The weight alone keeps the energy with its potential energy, {energy}, and L along the vertical, {along}"
    )
    if kept.axial is not None:
        text = tr(
            "The weight alone keeps the energy with its potential energy, {energy}, L along the vertical, {along}, and"
            " L along the axis, {axial}"
        )
    energy = kept.energy + loads.weight * float(snapshot.reading.position[2])
    energy = cleared(energy, snapshot.energy_scale)
    along, axial = (
        with_unit(cleared(value, momentum(snapshot)), "kg m²/s") for value in (kept.vertical, kept.axial or 0.0)
    )
    return text.format(energy=with_unit(energy, "J"), along=along, axial=axial)


def _of_kovalevskaya(snapshot: Snapshot) -> str:
    """Return what the weight keeps of Kovalevskaya's top alone; empty for other bodies and loads."""
    if snapshot.kovalevskaya_rate is None:
        return ""
    text = tr(
        "Its moments are as 2 to 2 to 1 and its centre of mass lies across the axis of the 1, so it also keeps κ,"
        " {rate}"
    )
    return text.format(rate=with_unit(snapshot.kovalevskaya_rate, "rad/s"))


def _loads(snapshot: Snapshot, scenario: Scenario) -> str:
    """Return what acts on the body now."""
    loads, others = snapshot.loads, replace(snapshot.loads, weight=0.0)
    now = snapshot.reading.time, snapshot.reading.state
    friction = float(np.linalg.norm(snapshot.friction_torque)) if loads.external_friction > 0.0 else None
    torque = others.torque_at(*now)
    acting = (
        (tr("its weight of {size}"), loads.weight or None, "N"),
        (tr("the torque of {size} that the weight has about the pivot"),
         float(np.linalg.norm(snapshot.external_torque - torque)) if loads.weight and loads.held else None, "N m"),
        (tr("a force of {size}"), float(np.linalg.norm(others.force_at(*now))) or None, "N"),
        (tr("an external torque of {size}"), float(np.linalg.norm(torque)) or None, "N m"),
        (tr("external friction with a torque of {size}"), friction, "N m"),
        (tr("internal friction that takes {size}"), loads.internal_friction or None, "J/s"),
    )  # fmt: skip
    found = [text.format(size=with_unit(size, unit)) for text, size, unit in acting if size is not None]
    if found:
        return tr("On it act: {loads}").format(loads=", ".join(found))
    if not loads.free:
        return tr("Just now nothing acts on it")
    if not scenario.solver.largest_omega:
        return tr("No torque acts on it, so L and the energy should stay")
    cap = with_unit(scenario.solver.largest_omega, "rad/s")
    return tr("No torque acts on it, but a cap holds |ω| at {cap} and takes L and energy away").format(cap=cap)


def _solver(snapshot: Snapshot, scenario: Scenario) -> str:
    solver, momentum = scenario.solver, _momentum_error(snapshot, scenario)
    text = tr("Integrator: {name}, step {step}, {stabilisation}; errors now: energy {energy}, |L| {momentum}")
    if snapshot.kept is not None:
        text = tr("Integrator: {name}, step {step}, {stabilisation}; errors now: {errors}")
    held = tr("stabilised ({method})").format(method=tr(dict(field_at("solver.stabilisation", Choice).choices)[
        solver.stabilisation])) if solver.stabilisation != "off" else tr("not stabilised")  # fmt: skip
    return text.format(
        name=tr(INTEGRATORS[solver.integrator].label),
        step=with_unit(solver.step, "s"),
        stabilisation=held,
        energy=_percent(next(iter(snapshot.errors.values()))),
        momentum=tr("without a target under the cap on ω") if momentum is None else _percent(momentum),
        errors=", ".join(f"{tr(name)} {_percent(error)}" for name, error in snapshot.errors.items()),
    )


def _momentum_error(snapshot: Snapshot, scenario: Scenario) -> float | None:
    """Return the relative error of |L|.

    None under the weight of a top, which changes |L|, and if a cap on omega changes the L that the integrator keeps in
    space.
    """
    if scenario.solver.largest_omega and INTEGRATORS[scenario.solver.integrator].in_space:
        return None
    return snapshot.errors.get("|L|")


def _race(snapshot: Snapshot) -> str:
    if not snapshot.lanes:
        return ""
    told = "; ".join(_lane_told(now) for now in snapshot.lanes)
    return tr("In a race beside the exact motion, with errors: {lanes}").format(lanes=told)


def _lane_told(now: LaneNow) -> str:
    if now.stopped is not None:
        return tr("{name}: {stopped}").format(name=now.lane.label, stopped=now.stopped)
    if isinstance(now.lane, Recorded) and (now.lane.off or now.lane.misdeclared):
        return f"{now.lane.label}: {format_errors(now)}"
    text = tr("{name}: energy {energy}, |L| {momentum}")
    if now.names != ("E", "|L|"):
        text = tr("{name}: E + V {energy}, L z and L axis {momentum}")
    told = text.format(name=now.lane.label, energy=_percent(now.energy_error), momentum=_percent(now.momentum_error))
    return told if now.other_since is None else f"{told}, {another_motion(now)}"


def _picture(scenario: Scenario) -> str:
    view = scenario.view
    named = {path: tr(dict(field_at(path, Choice).choices)[scenario.value(path)])
             for path in ("view.construction", "view.frame", "stereo.mode")}  # fmt: skip
    fields = fields_of(Show)
    together = bool(scenario.bodies) and in_one_space(view)
    parts = SWITCHES - hidden_switches(True, together=True) - {"inset"} if together else SWITCHES
    shown = [tr(field.label) for name, field in fields.items() if name in parts and getattr(scenario.show, name)]
    text = tr("The picture shows: {construction}, {frame}, stereo mode {mode}; with {parts}")
    if together:
        text = tr("The picture shows: the bodies in one space, stereo mode {mode}; with {parts}")
    if view.construction == "momentum":
        text = tr("The picture shows: {construction}, stereo mode {mode}; with {parts}")
    return text.format(construction=named["view.construction"], frame=named["view.frame"],
                       mode=named["stereo.mode"], parts=", ".join(shown))  # fmt: skip


def _lane(now: LaneNow) -> dict[str, Any]:
    """Return the facts of a race's lane."""
    return {
        "name": now.lane.label,
        "energy_error": now.energy_error,
        "momentum_error": now.momentum_error,
        "phase_error_rad": now.phase_error,
        "flips": now.flips,
        "circles_another_axis_from_s": now.other_since,
        "stopped": now.stopped,
    }


def _percent(error: float) -> str:
    return f"{short(100.0 * error)} %" if abs(error) > ROUND_OFF else tr("at round-off")
