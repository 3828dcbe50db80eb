"""What a spin does, in plain words, and the names of the body's axes by their moments: smallest, middle, largest."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from viewer.common.language import tr
from viewer.physics.loads import Loads
from viewer.physics.poinsot.spin import ACROSS, Circulation, circulation
from viewer.physics.solids.inertia import EQUAL
from viewer.physics.state import AT_REST
from viewer.scene.words.formatting import short, with_unit
from viewer.scene.words.tops import describe_top
from viewer.session.snapshot import Snapshot

RANKS = ("smallest", "middle", "largest")
AXES = ("x′", "y′", "z′")
SIDES = ("+", "−")

Array = NDArray[np.float64]


def ranks_of(principal_moments: Array) -> tuple[int | None, ...]:
    """Return the rank of each axis's moment, 0 for the smallest, 2 for the largest, None if it equals another."""
    return _ranks(tuple(float(moment) for moment in principal_moments))


@lru_cache(maxsize=64)
def _ranks(principal_moments: tuple[float, ...]) -> tuple[int | None, ...]:
    moments = np.array(principal_moments)
    order = np.argsort(np.argsort(moments, kind="stable"), kind="stable")
    close = np.abs(moments[:, None] - moments[None, :]) <= EQUAL * moments.max()
    return tuple(int(rank) if close[i].sum() == 1 else None for i, rank in enumerate(order))


def rank_names(principal_moments: Array) -> tuple[str, ...]:
    """Return the name of each moment's rank, or "equal" if it equals another."""
    ranks = ranks_of(principal_moments)
    if ranks == (None, None, None):
        return ("equal",) * 3
    unique = next((rank for rank in ranks if rank is not None), None)
    if None in ranks:
        word = "smallest" if unique == 0 else "largest"
        return tuple("equal" if rank is None else word for rank in ranks)
    return tuple(RANKS[rank] for rank in ranks if rank is not None)


def describe_motion(snapshot: Snapshot, told: Array | None, slowed: bool = False) -> tuple[str, str]:
    """Return what a motion does as a line and a sentence; `told` is as in `describe_spin`.

    `slowed` says that it is the free motion of a recording that drag slows down.
    """
    now = snapshot.reading
    if snapshot.top is not None and not (now.at_rest and snapshot.period is None):
        return describe_top(snapshot.top, snapshot)
    moments, turned = snapshot.body.principal_moments, bool(snapshot.external_torque.any())
    line, more = describe_spin(
        moments, now.omega_body, snapshot.flip_period, snapshot.loads, now.at_rest, turned, told, snapshot.strays
    )
    return tr("Without drag: {what}").format(what=_lowered(line)) if slowed else line, more


def describe_spin(
    moments: Array,
    omega: Array,
    flip_period: float | None,
    loads: Loads,
    resting: bool,
    turned: bool,
    told: Array | None = None,
    strays: bool = False,
) -> tuple[str, str]:
    """Return what a motion does as a line and a sentence, from its rates (3,) and what acts on the body.

    Without loads they tell how the motion goes on, with the `flip_period` [s]; under loads they tell only what is true
    now. `turned` says that an external torque acts now; the weight of a body about a pivot counts even where it has
    none just now. `told` are the moments as far as they are known, equal if they
    cannot be told apart. `strays` says that the integrator leaves the exact motion; the text then describes the exact
    motion from here on.
    """
    if resting:
        return tr("At rest"), tr("It turns no faster than {rate} rad/s.").format(rate=short(AT_REST, 1))
    weighs = loads.held and loads.weight > 0.0
    if turned or weighs:
        axis = int(np.argmax(np.abs(omega)))
        angle = np.degrees(np.arctan2(np.linalg.norm(np.delete(omega, axis)), abs(omega[axis])))
        line = tr("Under a torque: ω {angle}° from {axis}")
        more = tr("The torque changes L all the time, so the torque-free motion does not predict what follows.")
        if weighs:
            line = tr("Under its weight: ω {angle}° from {axis}")
            more = tr(
                "Its weight turns it about the pivot unless the centre of mass is straight above or below;"
                " the torque-free motion does not predict what follows."
            )
        name = _axis_name(moments, axis, omega[axis] < 0.0, False)
        return line.format(angle=short(float(angle)), axis=name), more
    if told is not None and not np.ptp(told) > 0.0:
        more = tr("The moments of inertia are not known well enough to tell which principal axis it turns about.")
        return tr("Principal axis unknown"), more
    line, more = _describe_going_on(moments if told is None else told, omega, flip_period, loads)
    if not strays:
        return line, more
    exact = tr("Exact from here: {what}").format(what=_lowered(line))
    return exact, f"{more} {tr('The integrator leaves this motion within a period.')}"


def _describe_going_on(moments: Array, omega: Array, flip_period: float | None, loads: Loads) -> tuple[str, str]:
    """Return what the exact motion does from here on, with friction but without an external torque."""
    found = circulation(moments, moments * omega)
    friction = loads.external_friction > 0.0 or loads.internal_friction > 0.0
    line, more = _describe_free(found, moments, None if friction else flip_period, ranked=not friction)
    if loads.external_friction > 0.0:
        slowing = tr("Slowing, {what}").format(what=_lowered(line))
        return slowing, f"{more} {tr('External friction slows it down.')}"
    if friction and _least_energy(found, moments):
        return _describe_free(found, moments, None, ranked=True)
    if friction:
        axes = tr(" or ").join(AXES[i] for i in np.flatnonzero(moments >= moments.max() * (1.0 - EQUAL)))
        led = tr("Internal friction leads to a spin about {axes}, the axis of the largest moment.").format(axes=axes)
        return tr("Settling, {what}").format(what=_lowered(line)), f"{more} {led}"
    return line, f"{more} {tr('So it goes on while no torque acts.')}" if loads.turns else more


def _lowered(line: str) -> str:
    """Return the line with a small first letter, to follow a comma or a colon."""
    return line[0].lower() + line[1:]


def period_name(snapshot: Snapshot) -> str:
    """Return the name of the period: "T", or that of the exact or of the free motion if the one that runs has none."""
    if snapshot.top is not None:
        return tr("Nutation")
    if snapshot.strays:
        return tr("exact T")
    return "T" if snapshot.loads.free else tr("free T")


def _describe_free(found: Circulation, moments: Array, flip_period: float | None, ranked: bool) -> tuple[str, str]:
    """Return a line and a sentence on a motion without loads; if `ranked`, an axis's name has its moment's rank."""
    if found.axis is None:
        return tr("Steady"), tr("Every axis of this body is a principal axis: ω and L stay parallel.")
    axis = _axis_name(moments, found.axis, found.sign < 0, ranked)
    angle = short(float(np.degrees(found.stray)))
    ranks = rank_names(moments)
    alone = next((i for i in range(3) if ranks.count(ranks[i]) == 1), found.axis)  # of a symmetric body
    symmetric = "equal" in ranks
    if symmetric and (found.axis != alone or found.stray > ACROSS):
        line = tr("Flat spin, end over end") if ranks[alone] == RANKS[0] else tr("Steady about an axis across {axis}")
        more = tr("It turns about an axis across {axis}, the axis of symmetry; ω and L are parallel.")
        return line.format(axis=AXES[alone]), more.format(axis=AXES[alone])
    if found.steady and found.rank == 1:
        return tr("Steady about {axis}, unstable").format(axis=axis), tr("The slightest nudge makes it tumble.")
    if found.steady:
        return tr("Steady about {axis}").format(axis=axis), tr("A nudge only makes it wobble.")
    if symmetric:
        more = (
            tr("The axis of symmetry precesses evenly around L, always {angle}° from it; nothing flips.")
            if ranked
            else tr("The axis of symmetry precesses around L, now {angle}° from it; nothing flips.")
        )
        line = tr("Precessing, {axis} {angle}° from L")
        return line.format(axis=axis, angle=angle), more.format(angle=angle)
    if found.stable:
        line, more = tr("Wobbling about {axis}, {angle}°"), tr("L circles {axis}, at most {angle}° away from it.")
        return line.format(axis=axis, angle=angle), more.format(axis=axis, angle=angle)
    line = (
        tr("Tumbling, flips every {period}").format(period=with_unit(flip_period, "s"))
        if flip_period
        else tr("Tumbling")
    )
    more = tr("L circles {axis}, up to {angle}° away from it: near the middle axis it dwells, then flips.")
    return line, more.format(axis=axis, angle=angle)


def _axis_name(moments: Array, axis: int, negative: bool, ranked: bool) -> str:
    """Return the name of a body axis with its sign, and with the rank of its moment if `ranked`."""
    side = f"{SIDES[bool(negative)]}{AXES[axis]}"
    return f"{side} ({tr(rank_names(moments)[axis])})" if ranked else side


def _least_energy(found: Circulation, moments: Array) -> bool:
    """Return whether internal friction has no energy left to take."""
    if found.axis is None or (found.steady and found.rank == 2):
        return True
    return found.rank == 0 and found.stray > ACROSS and len(set(rank_names(moments))) == 2
