"""The body that several recordings of one case have in common."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import brief, refusal
from viewer.common.language import tr
from viewer.physics.body import RigidBody, broken_triangle
from viewer.replay.analysis import GOOD_FIT, MISMATCH
from viewer.replay.inertia import Fit, fit_inertia
from viewer.replay.recording import Recording
from viewer.replay.single_motion.nearest_motion import nearest_of

Array = NDArray[np.float64]

SAME = 1e-6  # relative: declared moments that differ by more are of another body
ALIKE = 3.0  # times the least distance from the others' moments, and the least misfit: fits that are as good
FINEST = 1e-9  # misfits below it are equal


@dataclass(frozen=True, eq=False)
class CommonBody:
    """axes (3, 3): the columns are the body's principal axes in the recordings' own. `reported`: where the moments come
    from, in a sentence; `warnings`: one sentence each."""

    body: RigidBody
    axes: Array
    fitted: bool
    reported: str
    warnings: tuple[str, ...]


def common_body(recordings: Sequence[Recording]) -> CommonBody:
    """The body with the declared moments, else with those on which most of the motions agree.

    Raises InputError where two recordings declare different bodies, or none is declared and no motion determines one.
    """
    fits = {one.name: _fit(one) for one in recordings}
    declared = _declared(recordings)
    if declared is not None:
        moments, axes = np.array(declared), np.eye(3)
        shown = ", ".join(brief(value, 5) for value in moments)
        reported = tr("moments {moments} kg m², as declared").format(moments=shown)
    else:
        name, fit = _agreed(fits)
        if not fit.determined:
            raise refusal(
                "{name}: moments: none of the recordings determines them (the body spins about one axis, or too"
                " briefly); declare them, such as --moments 1,2,2.5",
                name=recordings[0].name,
            )
        moments, axes = fit.principal()
        reported = tr(
            "moments {moments} relative to the largest, fitted from the motion in {name} (misfit {misfit})"
        ).format(moments=", ".join(brief(value, 5) for value in moments), name=name, misfit=brief(fit.misfit, 1))
    body = RigidBody.from_moments(moments.tolist())
    tensor = axes @ np.diag(moments / moments.max()) @ axes.T
    others = [_another_body(name, fit, tensor) for name, fit in fits.items()]
    warnings = [text for text in (broken_triangle(moments, "" if declared is None else " kg m²"), *others) if text]
    return CommonBody(body, axes, declared is None, reported, tuple(warnings))


def _fit(recording: Recording) -> Fit:
    """The tensor of its nearest free motion, which knows it best; without one by what the beginning conserves."""
    linear = fit_inertia(recording.time, recording.orientation_wxyz, recording.omega_body)
    found = None if recording.conventions.moments else nearest_of(recording, linear)
    if found is None:
        return linear
    covariance = np.eye(6) * float(found.sigma.max()) ** 2
    return Fit(found.axes * found.moments @ found.axes.T, found.misfit, covariance)


def _agreed(fits: Mapping[str, Fit]) -> tuple[str, Fit]:
    """Of the fits nearest to the others that which explains its motion best, of those as good the first by name, in
    whatever order they came: a faulty recording is outvoted."""
    known = {name: fit for name, fit in fits.items() if fit.determined} or dict(fits)
    off = {
        name: lower_median([float(np.abs(fit.inertia - other.inertia).max()) for other in known.values()])
        for name, fit in known.items()
    }
    least = max(ALIKE * min(off.values()), SAME)
    near = [item for item in known.items() if off[item[0]] <= least]
    best = max(ALIKE * min(fit.misfit for _, fit in near), FINEST)
    return min((item for item in near if item[1].misfit <= best), key=lambda item: item[0])


def lower_median(values: Sequence[float]) -> float:
    """The median; of an even number of values the smaller one of both in the middle."""
    return sorted(values)[(len(values) - 1) // 2]


def _declared(recordings: Sequence[Recording]) -> tuple[float, float, float] | None:
    """The moments that recordings declare; those that declare none have the same."""
    declaring = [one for one in recordings if one.conventions.moments is not None]
    if not declaring:
        return None
    first = declaring[0].conventions.moments
    for one in declaring[1:]:
        moments = one.conventions.moments
        if not np.allclose(_relative(moments), _relative(first), rtol=0.0, atol=SAME):
            raise refusal(
                "{name}: moments: {moments} are of another body than {others} of {other}; recordings that are compared"
                " have the same one",
                name=one.name,
                moments=_listed(moments),
                others=_listed(first),
                other=declaring[0].name,
            )
    return first


def _relative(moments: tuple[float, float, float] | None) -> Array:
    values = np.array(moments, float)
    return np.asarray(values / values.max())


def _listed(moments: tuple[float, float, float] | None) -> str:
    return ", ".join(brief(value, 5) for value in moments or ())


def _another_body(name: str, fit: Fit, tensor: Array) -> str | None:
    """A warning where a motion determines another tensor than the common one, whose largest moment is 1."""
    if not fit.determined or fit.misfit > GOOD_FIT or np.abs(fit.inertia - tensor).max() <= MISMATCH:
        return None
    found, _ = fit.principal()
    text = tr(
        "{name}: its motion fits another body, with moments {moments} relative to the largest, or other body axes"
    )
    return text.format(name=name, moments=", ".join(brief(value, 4) for value in found))
