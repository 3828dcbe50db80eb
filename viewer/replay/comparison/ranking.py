"""Which of several recordings is nearest to the exact motion, as far as this can be told, whatever their order."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from viewer.common.errors import brief
from viewer.common.language import tr

if TYPE_CHECKING:
    from viewer.replay.comparison.comparison import ComparedRecording

LEAST = 1e-12  # below it all are equal
SURE = 3.0  # times the noise, and the least difference of any: so much tells nothing
CLEARLY = 0.01  # of the furthest's difference: those that are so much closer to the exact motion agree
LOST = 0.5  # a difference from the exact motion with which none is near it
NAMED = 3  # recordings that are named one by one
PERCENT = 1e-3  # from here on a difference is written in percent


def resolutions(noises: Sequence[float], largest: Sequence[float]) -> list[float]:
    """Up to which difference from the exact motion each recording is as close to it as any: SURE times its noise, and
    the least of the differences, as the exact motion is known no better where it comes from the recordings."""
    return [max(SURE * noise, SURE * min(largest), LEAST) for noise in noises]


def lost(largest: Sequence[float]) -> bool:
    """Whether all are so far off the exact motion that none is near it: the least of their largest differences tells
    nothing of what is known then."""
    return min(largest) >= LOST


def ranked(compared: Sequence["ComparedRecording"]) -> tuple["ComparedRecording", ...]:
    """The closest to the exact motion first; those that are as close by their names."""
    return tuple(sorted(compared, key=lambda one: (0.0 if one.closest else one.largest, one.name)))


def verdict(compared: Sequence["ComparedRecording"], declared: bool) -> str:
    """Who is closest and who is furthest, in a sentence; where no two agree, that this cannot be told.

    Two agree where both are as close to the exact motion, or off it by a small part of what the furthest is; or, of a
    declared body, where both start on it.
    """
    order = ranked(compared)
    last = order[-1]
    if lost([one.largest for one in order]):
        return tr("none of them stays near the exact motion")
    if last.closest:
        text = tr("all are as close to the exact motion: within {size}")
        return text.format(size=size_of(max(one.largest for one in order)))
    near = [one for one in order if one.closest] or [order[0]]
    if sum(one.closest or (declared and one.starts_alike) for one in order) < 2:
        near = [
            one for one in order if one.largest <= CLEARLY * last.largest
        ]  # the exact motion is that of one of them
        if len(near) < 2:
            return _undecided(order)
    text = tr("closest to the exact motion: {first} ({near}); furthest: {last}, off by {far}{when}")
    return text.format(
        first=_names(near), near=size_of(max(one.largest for one in near)), last=last.name,
        far=size_of(last.largest), when=_when(last),
    )  # fmt: skip


def _undecided(order: Sequence["ComparedRecording"]) -> str:
    """That no two of those, the closest first, agree."""
    last = order[-1]
    if len(order) == 2:
        text = tr("{names} differ by up to {far}{when}: of two that differ neither can be called right")
    else:
        text = tr("no two of {names} agree, and they differ by up to {far}{when}: none can be called right")
    return text.format(names=_names(order), far=size_of(last.largest), when=_when(last))


def _when(one: "ComparedRecording") -> str:
    if one.leaves_at is None:
        return ""
    text = tr(", by more than {tolerance} from t = {time} s on")
    return text.format(tolerance=size_of(one.tolerance), time=brief(one.leaves_at, 4))


def _names(some: Sequence["ComparedRecording"]) -> str:
    names = sorted(one.name for one in some)
    if len(names) <= NAMED:
        return ", ".join(names)
    return tr("{names} and {count} others").format(names=", ".join(names[: NAMED - 1]), count=len(names) - NAMED + 1)


def size_of(value: float) -> str:
    """A relative error, or an angle [rad]: in percent where it is to be seen."""
    return f"{brief(100.0 * value, 2)} %" if value >= PERCENT else brief(value, 1)
