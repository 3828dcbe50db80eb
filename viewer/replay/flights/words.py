"""A flight and its body in plain words."""

from collections.abc import Sequence

import numpy as np

from viewer.common.errors import brief, with_sigma
from viewer.common.language import marked, plural, tr
from viewer.replay.flights.body_fit import AXIS_OPEN, RATIO_OPEN, BodyFit
from viewer.replay.flights.free_flights import FreeFlight
from viewer.replay.flights.signal_quality import MEANINGS

ALONG = 40.0  # degrees between L and a principal axis, up to which the throw was about that axis
LOOKS = 400  # times of a flight at which the fitted motion is looked at for flips
LARGEST, MIDDLE, LEAST = 0, 1, 2  # places in `BodyFit.order`
THROWN = (
    marked("thrown about the axis of the largest moment"),
    marked("thrown about the middle axis"),
    marked("thrown about the axis of the smallest moment"),
)


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
    about = thrown_about(fit, number)
    parts = [tr("thrown about no principal axis") if about is None else tr(THROWN[about])]
    if about == MIDDLE:
        count = flips(fit, number)
        parts.append(_times(count))
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
    """Where the principal axes lie against the sensor's."""
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
    middle, least = fit.ratios_sigma[MIDDLE], fit.ratios_sigma[LEAST]
    if max(middle, least) > RATIO_OPEN:
        found.append(
            tr("these moments are not determined: it turned too little, or about one axis only; a throw about the"
               " middle axis shows most")
        )  # fmt: skip
        return found
    for one, other in ((LARGEST, MIDDLE), (MIDDLE, LEAST)):
        alike = fit.axes_sigma[fit.order[[one, other]]].min() > AXIS_OPEN
        if alike:
            third = "xyz"[fit.order[LEAST + LARGEST + MIDDLE - one - other]]
            text = tr(
                "the body is symmetric about the axis nearest to {axis}: every direction across it is a principal axis"
            )
            found.append(text.format(axis=third))
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
    stability = stability_of(fit, place) if fit.determined else []
    rows = sum(len(motion.residuals) for motion in fit.motions)
    if fit.fitted_rows < rows:
        text = tr("fitted to {count} of {rows} samples, which tell enough at once; the uncertainty is that of these")
        lines.append(text.format(count=fit.fitted_rows, rows=rows))
    return [*lines, moments_of(fit), axes_of(fit), *stability, *unknown(fit)]


def numbered(number: int, text: str) -> str:
    """A text about a flight, whose number counts from 0."""
    return tr("flight {number}: {text}").format(number=number + 1, text=text)
