"""A flight and its body in plain words."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from viewer.common.errors import brief, with_sigma
from viewer.common.language import marked, plural, tr
from viewer.physics.body import RigidBody
from viewer.physics.errors import angle_between
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.poinsot.spin import circulation
from viewer.physics.rotation import Array
from viewer.physics.state import State
from viewer.replay.fits.torque import LINEAR, QUADRATIC
from viewer.replay.flights.body_fit import AXIS_OPEN, BodyFit
from viewer.replay.flights.free_flights import FreeFlight
from viewer.replay.flights.signal_quality import MEANINGS

ALONG = 40.0  # degrees between L and the middle axis, up to which a tumbling throw was about that axis
ONE_AXIS = 8.0  # degrees between omega and its mean in the body, up to which it spun about one axis only
LOOKS = 400  # times of a flight at which the fitted motion is looked at
TOLD_APART = 3.0  # standard deviations by which two measured moments differ if they can be told apart
LARGEST, MIDDLE, LEAST = 0, 1, 2  # indices into `BodyFit.order`
WOBBLED = {
    LARGEST: marked("wobbled about the axis of the largest moment, {angle}°"),
    LEAST: marked("wobbled about the axis of the smallest moment, {angle}°"),
}
SYMMETRIC = {
    LARGEST: marked("symmetric about its axis of largest moment, as far as the flight tells"),
    LEAST: marked("symmetric about its axis of smallest moment, as far as the flight tells"),
}
DRAGS = {
    LINEAR: marked("linear drag {value}/s"),
    QUADRATIC: marked("quadratic drag, {value}/s on average"),
    "": marked("drag {value}/s on average"),
}
NOT_APART = {
    LARGEST: marked(
        "the two smaller moments are not told apart: which directions across the axis nearest to {axis} are principal"
        " axes, if not all, cannot be known"
    ),
    LEAST: marked(
        "the two larger moments are not told apart: which directions across the axis nearest to {axis} are principal"
        " axes, if not all, cannot be known"
    ),
}


def distinct_moments(fit: BodyFit) -> Array:
    """Return the moments (3,); those that cannot be told apart are replaced by their mean.

    Two moments cannot be told apart if they differ by too few standard deviations, or if the axes of both are unknown.
    """
    found, sigma = np.array(fit.moments, dtype=np.float64), fit.moments_sigma
    order, open_axes = np.argsort(found, kind="stable").tolist(), (fit.axes_sigma > AXIS_OPEN).tolist()
    alike = [
        bool(sigma[i] + sigma[j] > 0.0 and found[j] - found[i] <= TOLD_APART * np.hypot(sigma[i], sigma[j]))
        or (open_axes[i] and open_axes[j])
        for i, j in pairwise(order)
    ]
    together = order[0 if alike[0] else 1 : 3 if alike[1] else 2]
    found[together] = found[together].mean()
    return found


def ball(fit: BodyFit) -> bool:
    """Tell whether no two of the moments can be told apart."""
    return not np.ptp(distinct_moments(fit)) > 0.0


def symmetric(fit: BodyFit) -> int | None:
    """Return the axis of symmetry, as an index into `fit.order`; None if there is none or nothing is determined.

    The moments about the two other axes cannot be told apart from each other, but can be told from the one about this
    axis.
    """
    moments = distinct_moments(fit)[fit.order]
    if not fit.determined or ball(fit):
        return None
    return LEAST if moments[LARGEST] == moments[MIDDLE] else LARGEST if moments[MIDDLE] == moments[LEAST] else None


def moments_known(fit: BodyFit, number: int = 0) -> Array:
    """Return the moments (3,) that the line about a flight relies on.

    Moments that cannot be told apart are equal. All three are equal if the line does not say about which axis the body
    turned.
    """
    found = distinct_moments(fit)
    if symmetric(fit) is not None:
        return found
    if len(set(found.tolist())) < 3 or (not fit.determined and one_axis(fit, number)):
        return np.full(3, found.mean())
    return found


def one_axis(fit: BodyFit, number: int = 0) -> bool:
    """Tell whether omega kept its direction in the body during a whole flight."""
    motion = fit.motions[number]
    rates = fit.rates(np.linspace(motion.begin, motion.end, LOOKS), number)
    along = rates / np.maximum(np.linalg.norm(rates, axis=1, keepdims=True), 1e-300)
    mean = along.mean(axis=0)
    return bool((along @ mean).min() > np.cos(np.radians(ONE_AXIS)) * np.linalg.norm(mean))


def _thrown(fit: BodyFit, number: int) -> list[str]:
    """Return, in words, the axis about which the body turned in a flight, and how often it flipped."""
    L = fit.moments * fit.motions[number].start
    found = circulation(fit.moments, L)
    if not (found.flips or (found.steady and found.rank == 1)):
        place = LARGEST if found.rank == 2 else LEAST
        return [tr(WOBBLED[place]).format(angle=brief(float(np.degrees(found.stray)), 2))]
    part = abs(float(L[fit.order[MIDDLE]])) / max(float(np.linalg.norm(L)), 1e-300)
    near = part > np.cos(np.radians(ALONG))
    return [tr("thrown about the middle axis") if near else tr("tumbled"), _times(flips(fit, number))]


def flips(fit: BodyFit, number: int = 0) -> int:
    """Return how often the sense of the turn about the middle axis reversed in a flight."""
    motion = fit.motions[number]
    free = FreeRotation(RigidBody.from_moments(fit.moments.tolist()), State((1.0, 0.0, 0.0, 0.0), motion.start))
    return free.flips_until(float(fit.slowed(number)[0][-1]))


def describe(fit: BodyFit, number: int = 0) -> str:
    """Return one line on what happened in a flight."""
    axis = symmetric(fit)
    if not fit.explained:
        parts = [tr("no rigid body turns at these rates")]
    elif not fit.determined and one_axis(fit, number):
        parts = [tr("spun about one axis only; whether that of the largest, middle or smallest moment is unknown")]
    elif ball(fit):
        parts = [tr("its moments cannot be told apart; which principal axis it turned about is unknown")]
    elif axis is not None:
        L = fit.moments * fit.motions[number].start
        angle = f"{np.degrees(angle_between(np.abs(L), np.eye(3)[fit.order[axis]])):.0f}"
        parts = [tr(SYMMETRIC[axis]), tr("L {angle}° from it").format(angle=angle)]
    elif len(set(distinct_moments(fit).tolist())) < 3:
        parts = [tr("which principal axis it turned about is unknown")]
    else:
        parts = _thrown(fit, number)
    parts.append(drag_of(fit))
    parts.append(tr("residual {percent} %").format(percent=brief(100.0 * fit.motions[number].residual, 2)))
    return "; ".join(parts)


def _times(count: int) -> str:
    if count == 0:
        return tr("did not flip")
    known = {1: tr("flipped once"), 2: tr("flipped twice")}
    return known.get(count) or tr("flipped {count} times").format(count=count)


def spun_only(fit: BodyFit) -> bool:
    """Tell whether the moments are not determined since each flight was a spin about one axis.

    Any body spins so about a principal axis, and a ball about any axis.
    """
    return (not fit.determined or ball(fit)) and all(one_axis(fit, number) for number in range(len(fit.motions)))


def dragged(fit: BodyFit) -> bool:
    """Tell whether drag was seen."""
    return fit.drag >= 2.0 * fit.drag_sigma


def drag_of(fit: BodyFit) -> str:
    """Return the drag, or that none was seen, in words."""
    if not dragged(fit):
        return tr("no drag above {most}/s").format(most=brief(max(2.0 * fit.drag_sigma, fit.drag), 1))
    return tr(DRAGS[fit.drag_formula]).format(value=with_sigma(fit.drag, fit.drag_sigma))


def moments_of(fit: BodyFit) -> str:
    """Return the ratios of the moments, largest first, in words."""
    if spun_only(fit) or not fit.explained:
        return tr("the ratios of its moments are unknown")
    ratios = [with_sigma(*pair) for pair in zip(fit.ratios[1:].tolist(), fit.ratios_sigma[1:].tolist(), strict=True)]
    return tr("moments 1 : {middle} : {least}, relative to the largest").format(middle=ratios[0], least=ratios[1])


def axes_of(fit: BodyFit) -> str:
    """Return, in words, the directions of the principal axes, or of the axis of symmetry, in the sensor's axes."""
    axis = symmetric(fit)
    if axis is not None:
        n = fit.order[axis]
        angle = float(np.degrees(angle_between(fit.axes[:, n], np.eye(3)[n])))
        text = with_sigma(angle, float(np.degrees(fit.axes_sigma[n])))
        return tr("axis of symmetry, against the sensor's: {angle}° from {axis}").format(angle=text, axis="xyz"[n])
    parts = []
    for n in fit.order:
        angle = float(np.degrees(angle_between(fit.axes[:, n], np.eye(3)[n])))
        off = np.degrees(fit.axes_sigma[n])
        text = tr("{angle}° from {axis}") if fit.axes_sigma[n] < AXIS_OPEN else tr("unknown")
        parts.append(text.format(angle=with_sigma(angle, float(off)), axis="xyz"[n]))
    return tr("axes of the largest, middle and smallest moment, against the sensor's: {parts}").format(
        parts=", ".join(parts)
    )


def unknown(fit: BodyFit) -> list[str]:
    """Return what these flights do not tell about the body, one sentence each."""
    found = [tr("free motion reveals only the ratios of the moments, not their size")]
    axis = symmetric(fit)
    if not fit.determined or spun_only(fit):
        if not fit.explained:
            text = tr("these moments are not determined: no rigid body turns at these rates, in these units")
        elif spun_only(fit):
            text = tr("these moments are not determined: it spun about one axis only; a throw about the middle axis"
                      " shows most")  # fmt: skip
        else:
            text = tr("these moments are not determined: too few turns, or too much noise")
        found.append(text)
    elif ball(fit):
        found.append(
            tr("the moments are not told apart: the body may be a ball, and which axes are principal cannot be known")
        )
    elif axis is not None:
        found.append(tr(NOT_APART[axis]).format(axis="xyz"[fit.order[axis]]))
    if dragged(fit) and not fit.drag_formula:
        found.append(tr("whether the drag is linear or quadratic cannot be told"))
    return found


def stability_of(fit: BodyFit, number: int = 0) -> list[str]:
    """Return a sentence for each axis, the largest moment's first, on the stability of rotation about it.

    For an unstable axis, it says how fast a small deviation grows.
    """
    C, B, A = fit.ratios.tolist()
    speed = float(np.linalg.norm(fit.motions[number].start))
    rate = speed * float(np.sqrt(max((C - B) * (B - A), 0.0) / (A * C)))
    moments = [brief(value, 3) for value in (C, B, A)]
    stable = tr("axis of moment {moment}: rotation about it is stable")
    unstable = tr("axis of moment {moment}: rotation about it is unstable, a small deviation grows e-fold in {time} s")
    return [
        stable.format(moment=moments[0]),
        unstable.format(moment=moments[1], time=brief(1.0 / rate, 2))
        if rate > 0.0
        else stable.format(moment=moments[1]),
        stable.format(moment=moments[2]),
    ]


def quality_of(flight: FreeFlight) -> str:
    """Return, in words, the times of a flight, its turns and samples, and what is wrong with its record."""
    turns = tr("{count} turns").format(count=brief(flight.turns, 2))
    parts = [
        tr("{begin} to {end} s").format(begin=f"{flight.begin:.2f}", end=f"{flight.until:.2f}"),
        turns,
        plural("{count} sample", "{count} samples", flight.samples).format(count=flight.samples),
    ]
    return ", ".join(parts) + "".join("; " + tr(MEANINGS[flag]) for flag in flight.flags)


def report(fit: BodyFit, numbers: Sequence[int]) -> list[str]:
    """Return all that is known of the body, and of each flight to which it was fitted, a sentence each.

    `numbers` are the numbers of these flights, from 0 on.
    """
    lines = [describe(fit, place) for place in range(len(numbers))]
    if len(lines) > 1:
        lines = [numbered(number, line) for number, line in zip(numbers, lines, strict=True)]
    place = max(range(len(numbers)), key=lambda one: float(np.linalg.norm(fit.motions[one].start)))
    distinct = fit.determined and len(set(distinct_moments(fit).tolist())) == 3
    stability = stability_of(fit, place) if distinct else []
    rows = sum(len(motion.residuals) for motion in fit.motions)
    if fit.fitted_rows < rows:
        text = tr("fitted to {count} of {rows} samples, which tell enough at once; the uncertainty is that of these")
        lines.append(text.format(count=fit.fitted_rows, rows=rows))
    no_axes = ball(fit) or spun_only(fit) or not fit.explained
    axes = [] if no_axes else [axes_of(fit)]
    return [*lines, moments_of(fit), *axes, *stability, *unknown(fit)]


def numbered(number: int, text: str) -> str:
    """Return a text about a flight, headed by its number; `number` counts from 0, the heading from 1."""
    return tr("flight {number}: {text}").format(number=number + 1, text=text)
