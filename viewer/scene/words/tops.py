"""What a symmetric top does under its weight, in plain words: it precesses and nods, sleeps, hangs, or falls."""

from math import cos, degrees, pi

import numpy as np

from viewer.common.language import tr
from viewer.physics.exact.lagrange_top import LagrangeTop
from viewer.scene.words.formatting import short, with_unit
from viewer.session.derived import VERTICAL
from viewer.session.snapshot import Snapshot

STEADY = 1e-3  # rad: a nutation that is not seen
ALONE = 1e-5  # relative: a fast precession is shorter where the axis is level, and nearer where both are as fast
CUSP = 1e-3  # of the largest rate of precession: a least rate that counts as rest


def describe_top(top: LagrangeTop, snapshot: Snapshot) -> tuple[str, str]:
    """Return what a top does as a line and a sentence, or what it would do from here without its other loads."""
    line, more = _under_weight(top, snapshot)
    if snapshot.kept is None:
        line = tr("Without other loads: {what}").format(what=f"{line[0].lower()}{line[1:]}")
    return line, more


def _under_weight(top: LagrangeTop, snapshot: Snapshot) -> tuple[str, str]:
    low, high = top.inclinations
    if high < VERTICAL:
        if top.steady_rates(snapshot.reading.orientation_wxyz) is None:
            more = tr("It spins too slowly to sleep: the slightest nudge makes it fall.")
            return tr("Spinning upright, unstable"), more
        return tr("Sleeping, it spins upright"), tr("It spins fast enough: a nudge only makes it tremble.")
    if low > pi - VERTICAL and snapshot.reading.at_rest:
        return tr("Hanging at rest"), tr("A nudge only makes it swing.")
    if low > pi - VERTICAL:
        return tr("Hanging, it spins about the vertical"), tr("A nudge only makes it swing.")
    bounds = short(degrees(low)), short(degrees(high))
    between = tr("Its inclination goes from {low}° to {high}° and back.").format(low=bounds[0], high=bounds[1])
    if snapshot.period is None:
        return tr("Rising to the vertical, ever more slowly"), between
    nutation, precession = with_unit(snapshot.period, "s"), snapshot.precession_period
    if precession is None:
        return tr("Swinging through the vertical, every {nutation}").format(nutation=nutation), between
    turn = with_unit(precession, "s")
    if high - low < STEADY:
        more = tr("Its axis goes round the vertical at an inclination of {angle}°, without nodding.")
        return tr("Steady precession, once in {turn}").format(turn=turn), more.format(angle=bounds[0])
    line = tr("Precesses once in {turn}, nods {count} times a turn")
    line, more = line.format(turn=turn, count=short(precession / snapshot.period)), f"{between} {_shape(top, snapshot)}"
    if snapshot.kept is None:  # the panel has no room for both what stands before the line and its numbers
        return tr("Precesses and nods"), f"{line}. {more}"
    return line, more


def spin_of(snapshot: Snapshot) -> float:
    """Return the component of omega [rad/s] along the line from the pivot to the centre of mass."""
    axis = snapshot.body.top_axis or 0
    return float(np.sign(snapshot.body.centre_of_mass[axis]) * snapshot.reading.omega_body[axis])


def _shape(top: LagrangeTop, snapshot: Snapshot) -> str:
    """Return the sentence on the shape of the axis' path, which the rates of precession at both bounds tell.

    With L z and L axis those of L along the vertical and the axis, and u the cosine of the inclination, the rate is
    (L z - L axis u)/(A (1 - u^2)).
    """
    axial = float(snapshot.body.principal_moments[snapshot.body.top_axis or 0]) * spin_of(snapshot)
    vertical = float(snapshot.reading.angular_momentum_world[2])
    upper, lower = ((vertical - axial * cos(angle)) / (1.0 - cos(angle) ** 2) for angle in top.inclinations)
    if abs(upper) < CUSP * abs(lower):
        return tr("At the upper one it comes to rest, so its path has cusps.")
    if upper * lower < 0.0:
        return tr("At the upper one it goes back, so its path has loops.")
    return tr("It always goes on in the same sense, so its path is a wave.")


def top_periods(top: LagrangeTop, snapshot: Snapshot) -> str:
    """Return the sentence on a top's spin, the time of its nutation, and its steady precession."""
    found = [tr("It spins about its axis at {spin}").format(spin=with_unit(abs(spin_of(snapshot)), "rad/s"))]
    if snapshot.period is not None:
        low, high = top.inclinations
        steady = high - low < STEADY
        text = tr("a nudge makes it nod once in {nutation}") if steady else tr("it nods once in {nutation}")
        found.append(text.format(nutation=with_unit(snapshot.period, "s")))
    return "; ".join((*found, *steady_precession(top, snapshot)))


def steady_precession(top: LagrangeTop, snapshot: Snapshot) -> list[str]:
    """Return a line on the times of slow and fast steady precession, if there are any; an upright axis has none."""
    low, high = top.inclinations
    rates = top.steady_rates(snapshot.reading.orientation_wxyz)
    if rates is None or top.nutation_period is None or high < VERTICAL or low > pi - VERTICAL:
        return []
    slow, fast = (2.0 * pi / abs(rate) for rate in rates)
    text = tr("at this inclination it could precess steadily, once in {slow} or, fast, once in {fast}")
    if not ALONE < fast / slow < 1.0 - ALONE:
        text = tr("at this inclination it could precess steadily, once in {slow}")
    return [text.format(slow=with_unit(slow, "s"), fast=with_unit(fast, "s"))]
