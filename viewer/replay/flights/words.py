"""A flight and its body in plain words."""

from collections.abc import Sequence

import numpy as np

from viewer.common.errors import brief, with_sigma
from viewer.common.language import marked, plural, tr
from viewer.replay.flights.body_fit import AXIS_OPEN, BodyFit
from viewer.replay.flights.free_flights import FreeFlight
from viewer.replay.flights.signal_quality import MEANINGS

ALONG = 40.0  # degrees between L and a principal axis, up to which the throw was about that axis
ALIKE = 3.0  # sigma between two moments, up to which they are not told apart
ONE_AXIS = 8.0  # degrees between omega and its mean in the body, up to which it spun about one axis only
LOOKS = 400  # times of a flight at which the fitted motion is looked at for flips
LARGEST, MIDDLE, LEAST = 0, 1, 2  # places in `BodyFit.order`
THROWN = (
    marked("thrown about the axis of the largest moment"),
    marked("thrown about the middle axis"),
    marked("thrown about the axis of the smallest moment"),
)
SYMMETRIC = {
    LARGEST: marked("symmetric about its axis of largest moment, as far as the flight tells"),
    LEAST: marked("symmetric about its axis of smallest moment, as far as the flight tells"),
}


def symmetric(fit: BodyFit) -> int | None:
    """The axis of symmetry, as a place in `fit.order`, where the other two moments or axes are not told apart; None
    for none, and where the moments are not determined."""
    if not fit.determined:
        return None
    for one, other, axis in ((LARGEST, MIDDLE, LEAST), (MIDDLE, LEAST, LARGEST)):
        apart = ALIKE * float(np.hypot(fit.ratios_sigma[one], fit.ratios_sigma[other]))
        if fit.ratios[one] - fit.ratios[other] <= apart or fit.axes_sigma[fit.order[[one, other]]].min() > AXIS_OPEN:
            return axis
    return None


def one_axis(fit: BodyFit, number: int = 0) -> bool:
    """Whether omega kept its direction in the body over a whole flight."""
    motion = fit.motions[number]
    rates = fit.rates(np.linspace(motion.begin, motion.end, LOOKS), number)
    along = rates / np.maximum(np.linalg.norm(rates, axis=1, keepdims=True), 1e-300)
    mean = along.mean(axis=0)
    return bool((along @ mean).min() > np.cos(np.radians(ONE_AXIS)) * np.linalg.norm(mean))


def thrown_about(fit: BodyFit, number: int = 0) -> int | None:
    """The principal axis that L was nearest to at the start of a flight, as a place in `fit.order`; None for none."""
    L = fit.moments * fit.motions[number].start
    part = np.abs(L[fit.order]) / max(float(np.linalg.norm(L)), 1e-300)
    nearest = int(np.argmax(part))
    return nearest if part[nearest] > np.cos(np.radians(ALONG)) else None


def flips(fit: BodyFit, number: int = 0) -> int:
    """How often the sense of the turn about the middle axis reversed in a flight."""
    motion = fit.motions[number]
    time = np.linspace(motion.begin, motion.end, LOOKS)
    sense = np.sign((fit.rates(time, number) @ fit.axes)[:, fit.order[MIDDLE]])
    sense = sense[sense != 0.0]
    return int(np.count_nonzero(np.diff(sense)))


def describe(fit: BodyFit, number: int = 0) -> str:
    """What happened in a flight, in one line."""
    about, axis = thrown_about(fit, number), symmetric(fit)
    if axis is not None:
        L = fit.moments * fit.motions[number].start
        part = abs(float(L[fit.order[axis]])) / max(float(np.linalg.norm(L)), 1e-300)
        angle = f"{np.degrees(np.arccos(min(part, 1.0))):.0f}"
        parts = [tr(SYMMETRIC[axis]), tr("L {angle}° from it").format(angle=angle)]
    elif not fit.determined and one_axis(fit, number):
        parts = [tr("spun about one axis only; cannot tell which moment")]
    else:
        parts = [tr("thrown about no principal axis") if about is None else tr(THROWN[about])]
        if about == MIDDLE:
            parts.append(_times(flips(fit, number)))
    parts.append(drag_of(fit))
    parts.append(tr("residual {percent} %").format(percent=brief(100.0 * fit.motions[number].residual, 2)))
    return "; ".join(parts)


def _times(count: int) -> str:
    if count == 0:
        return tr("did not flip")
    known = {1: tr("flipped once"), 2: tr("flipped twice")}
    return known.get(count) or tr("flipped {count} times").format(count=count)


def drag_of(fit: BodyFit) -> str:
    """The drag, or that none was seen."""
    if fit.drag < 2.0 * fit.drag_sigma:
        return tr("no drag above {most}/s").format(most=brief(max(2.0 * fit.drag_sigma, fit.drag), 1))
    return tr("drag {value}/s").format(value=with_sigma(fit.drag, fit.drag_sigma))


def moments_of(fit: BodyFit) -> str:
    """The ratios of the moments, largest first."""
    ratios = [with_sigma(*pair) for pair in zip(fit.ratios[1:].tolist(), fit.ratios_sigma[1:].tolist(), strict=True)]
    return tr("moments 1 : {middle} : {least}, relative to the largest").format(middle=ratios[0], least=ratios[1])


def axes_of(fit: BodyFit) -> str:
    """Where the principal axes lie against the sensor's; of a symmetric body the one that there is."""
    axis = symmetric(fit)
    if axis is not None:
        n = fit.order[axis]
        angle = float(np.degrees(np.arccos(np.clip(fit.axes[n, n], -1.0, 1.0))))
        told = with_sigma(angle, float(np.degrees(fit.axes_sigma[n])))
        return tr("axis of symmetry, against the sensor's: {angle}° from {axis}").format(angle=told, axis="xyz"[n])
    parts = []
    for n in fit.order:
        angle = np.degrees(np.arccos(np.clip(fit.axes[n, n], -1.0, 1.0)))
        off = np.degrees(fit.axes_sigma[n])
        text = tr("{angle}° from {axis}") if fit.axes_sigma[n] < AXIS_OPEN else tr("unknown")
        parts.append(text.format(angle=with_sigma(float(angle), float(off)), axis="xyz"[n]))
    return tr("axes of the largest, middle and smallest moment, against the sensor's: {parts}").format(
        parts=", ".join(parts)
    )


def unknown(fit: BodyFit) -> list[str]:
    """What these flights do not tell, one sentence each."""
    found = [tr("free motion reveals only the ratios of the moments, not their size")]
    axis = symmetric(fit)
    if not fit.determined:
        if all(one_axis(fit, number) for number in range(len(fit.motions))):
            text = tr("these moments are not determined: it spun about one axis only; a throw about the middle axis"
                      " shows most")  # fmt: skip
        else:
            text = tr("these moments are not determined: too few turns, or too much noise")
        found.append(text)
    elif axis is not None:
        text = tr(
            "the body is symmetric about the axis nearest to {axis}: every direction across it is a principal axis"
        )
        found.append(text.format(axis="xyz"[fit.order[axis]]))
    return found


def stability_of(fit: BodyFit, number: int = 0) -> list[str]:
    """For each axis, the largest moment's first: whether a turn about it is stable, and how fast it leaves it else."""
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
    """When a flight was, how long, and how good its record is."""
    turns = tr("{count} turns").format(count=brief(flight.turns, 2))
    parts = [
        tr("{begin} to {end} s").format(begin=f"{flight.begin:.2f}", end=f"{flight.until:.2f}"),
        turns,
        plural("{count} sample", "{count} samples", flight.samples).format(count=flight.samples),
        tr("{percent} % unexplained by a rigid body").format(percent=brief(100.0 * flight.residual, 2)),
    ]
    return ", ".join(parts) + "".join("; " + tr(MEANINGS[flag]) for flag in flight.flags)


def report(fit: BodyFit, numbers: Sequence[int]) -> list[str]:
    """All that is known of the body, and of each flight that it was fitted to, a sentence each; `numbers`: of the
    flights, from 0."""
    lines = [describe(fit, place) for place in range(len(numbers))]
    if len(lines) > 1:
        lines = [numbered(number, line) for number, line in zip(numbers, lines, strict=True)]
    place = max(range(len(numbers)), key=lambda one: float(np.linalg.norm(fit.motions[one].start)))
    stability = stability_of(fit, place) if fit.determined and symmetric(fit) is None else []
    rows = sum(len(motion.residuals) for motion in fit.motions)
    if fit.fitted_rows < rows:
        text = tr("fitted to {count} of {rows} samples, which tell enough at once; the uncertainty is that of these")
        lines.append(text.format(count=fit.fitted_rows, rows=rows))
    spun = not fit.determined and all(one_axis(fit, place) for place in range(len(numbers)))
    return [*lines, moments_of(fit), *([] if spun else [axes_of(fit)]), *stability, *unknown(fit)]


def numbered(number: int, text: str) -> str:
    """A text about a flight, whose number counts from 0."""
    return tr("flight {number}: {text}").format(number=number + 1, text=text)
