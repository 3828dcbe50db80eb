"""A verdict on a lane in one sentence, and the form in which all pictures, tables and sentences write angles."""

from math import degrees, pi

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import brief
from viewer.common.frozen import frozen
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.race.trajectory import Trajectory

ROUND_OFF = 1e-11  # relative error below which a quantity counts as conserved
SLIGHT = 1e-3  # error, in rad or relative, below which nothing can be seen
NOISE_MARGIN = 10.0  # times the noise: an error below this means nothing
NEAR = 0.02  # of the span of J: the motion has settled on an axis if its energy factor is this close to that axis's J


def format_angle(angle: float, sign: str = "") -> str:
    """Return an angle [rad] as text in degrees: to two digits, or from 9.5° on in whole degrees.

    With `sign` "+", positive angles have a sign, too.
    """
    turned = degrees(angle)
    return f"{turned:{sign}.0f}°" if abs(turned) >= 9.5 else f"{turned:{sign}.2g}°"


def format_phase(phase: float) -> str:
    """Return a phase error [rad] as text with its sign: in degrees, or in periods if it is more than half a period."""
    return f"{phase / (2.0 * pi):+.2f} T" if abs(phase) > pi else format_angle(phase, "+")


@frozen
class Noise:
    """The rms noise of a recording: of its rates, relative to the largest rate, and of its orientations, in rad."""

    rates: float = 0.0
    turns: float = 0.0


NOISELESS = Noise()


def verdict(trajectory: Trajectory, noise: Noise = NOISELESS, explained: bool = False) -> str:
    """Return a sentence that says what went wrong with the lane, or that nothing did.

    Errors that `noise` can explain do not count. `explained` means that the exact motion fits the lane to within the
    noise.
    """
    if trajectory.stopped is not None:
        return str(trajectory.stopped.message)
    errors, largest, circling = trajectory.errors, trajectory.largest, trajectory.circling
    energy, momentum, direction, orientation = largest.energy, largest.momentum, largest.direction, largest.orientation
    lag = circling.phase or 0.0
    slight, turned = _least(noise)
    if explained or is_true(trajectory, noise):
        hidden = max(slight, turned) > SLIGHT
        return "true: every error " + ("is hidden by its noise" if hidden else "stays below what can be seen")
    other = None if circling.other is None else _other(trajectory, circling.other)
    is_top = trajectory.course.kept is not None
    size = trajectory.angular_momentum_norm
    by_noise = NOISE_MARGIN * noise.rates * float(size[0] / max(size.min(), 1e-300))  # noise turns a small L further
    turns = direction >= max(slight, by_noise) and not is_top
    if max(energy, momentum) < ROUND_OFF and other is None and not turns:
        what = f"{'what the weight keeps is' if is_top else 'energy and |L| are'} perfect"
        if abs(lag) >= slight:
            return f"{what}, and yet the motion is {_lag(lag)}: a perfect energy hides a wrong phase"
        return f"{what}, and yet the orientation is off by {format_angle(orientation)}"
    if is_top:
        return _of_top(energy, momentum, direction, orientation)
    found = []
    if momentum >= slight:
        found.append(f"|L| {_course(errors.momentum, momentum, 'grows', 'shrinks')}")
    if settled := _settled(trajectory):
        found.append(f"settles on the axis of the {settled} moment")
    elif energy >= slight:
        found.append(f"energy {_course(errors.energy, energy, 'grows', 'falls')}")
    if turns:
        found.append(f"L turns by up to {format_angle(direction)}")
    if other is not None:
        found.append(other)
    elif abs(lag) >= slight and not settled:
        found.append(f"the motion is {_lag(lag)}")
    if not found:
        found.append(f"the orientation is off by {format_angle(orientation)}")
    return "; ".join(found)


def _of_top(energy: float, momentum: float, direction: float, orientation: float) -> str:
    """Return the errors of a top that can be seen."""
    errors = (energy, "E + V is off by up to {}"), (momentum, "a component of L that stays, by {}")
    found = [text.format(f"{100.0 * error:.2g} %") for error, text in errors if error >= SLIGHT]
    turned = (direction, "L points up to {} aside"), (orientation, "the orientation is off by up to {}")
    return "; ".join(found + [text.format(format_angle(angle)) for angle, text in turned if angle >= SLIGHT])


def is_true(trajectory: Trajectory, noise: Noise = NOISELESS) -> bool:
    """Return whether every error of a lane is too small to be seen, or can be explained by `noise`."""
    largest = trajectory.largest
    slight, turned = _least(noise)
    others = largest.energy, largest.momentum, largest.direction, abs(trajectory.circling.phase or 0.0)
    return trajectory.stopped is None and max(others) < slight and largest.orientation < turned


def _least(noise: Noise) -> tuple[float, float]:
    """Return the least errors that count, relative or in rad: of the orientation, and before it all others."""
    return max(SLIGHT, NOISE_MARGIN * noise.rates), max(SLIGHT, NOISE_MARGIN * noise.turns)


def hides_phase(energy: float, momentum: float, phase: float | None) -> bool:
    """Return whether energy and |L| hide an error of the phase: they are perfect, and it is not.

    `energy` and `momentum` are relative errors; `phase` is in rad.
    """
    perfect = abs(energy) < ROUND_OFF and abs(momentum) < ROUND_OFF
    return perfect and phase is not None and abs(phase) > SLIGHT


def _settled(trajectory: Trajectory) -> str | None:
    """Return which moment ("largest", ...) belongs to the axis about which the motion has come to spin.

    Returns None if it does not spin about an axis, or did so from the start.
    """
    J = np.sort(1.0 / trajectory.course.body.principal_moments)  # of the largest, middle, smallest moment
    span = float(J[2] - J[0])
    factor = trajectory.energy_factor
    if span <= 1e-9 * J[2] or len(factor) < 10:
        return None
    late = factor[-len(factor) // 10 :]
    for value, name in zip(J, ("largest", "middle", "smallest"), strict=True):
        if abs(factor[0] - value) > 2.0 * NEAR * span and _largest(late - value) < NEAR * span:
            return name
    return None


def _other(trajectory: Trajectory, since: float) -> str:
    """Return the words for a motion that circles another axis, with its flips and those of the exact motion."""
    course, flips = trajectory.course, trajectory.circling.known_flips
    where = f"from t = {since:.4g} s on it circles another axis, and a phase means nothing"
    if flips is None:
        return where
    assert isinstance(course.exact, FreeRotation)
    exact = course.exact.flips_until(float(trajectory.states.time[-1]))
    return where if flips == exact else f"{flips} {'flip' if flips == 1 else 'flips'} in place of {exact}: {where}"


def _course(errors: NDArray[np.float64], largest: float, up: str, down: str) -> str:
    """Return words that say whether a quantity drifts or only swings, and by what part of itself."""
    final = float(errors[-1])
    if abs(final) < 0.5 * largest:
        return f"swings by up to {brief(100.0 * largest, 2)} %"
    return f"{up if final > 0 else down} by {brief(100.0 * abs(final), 2)} %"


def _lag(phase: float) -> str:
    """Return a phase error as text."""
    turns = f"{abs(phase) / (2.0 * pi):.3g}"
    amount = f"{turns} period{'s' * (turns != '1')}" if float(turns) >= 1.0 else format_angle(abs(phase)) + " of phase"
    return f"{amount} {'ahead' if phase > 0 else 'behind'}"


def _largest(values: NDArray[np.float64]) -> float:
    return float(np.abs(values).max())
