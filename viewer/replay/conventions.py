"""What the numbers of a recording mean: order and direction of its quaternions, frame and units of its rates."""

from dataclasses import replace
from typing import Any

import numpy as np

from viewer.common.errors import InputError, nearest, prefixed, refusal, shown
from viewer.common.frozen import frozen
from viewer.common.language import marked
from viewer.common.quantities import value_of
from viewer.physics.rotation import Array, conjugate

ORDERS = ("wxyz", "xyzw")
SCALAR_AT_X = "zwxy"  # what qw, qx, qy and qz hold if qx is the scalar: only wrong names lead to this order
PLACES = {"wxyz": [0, 1, 2, 3], "xyzw": [3, 0, 1, 2], SCALAR_AT_X: [1, 2, 3, 0]}  # where w, x, y and z are
DIRECTIONS = (marked("world from body"), marked("body from world"))
WORLD_FROM_BODY, BODY_FROM_WORLD = DIRECTIONS
FRAMES = (marked("body"), marked("world"))
RATE_UNITS = {"rad/s": 1.0, "deg/s": np.pi / 180.0, "rpm": np.pi / 30.0}
ACCELERATION_UNITS = {"m/s2": 1.0, "g": 9.80665}  # standard gravity
TIME_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "min": 60.0, "h": 3600.0, "d": 86400.0}

SMALLEST_MOMENT, LARGEST_MOMENT = 1e-30, 1e30  # kg m2
LONGEST_TEXT = 200  # characters of a declaration
CHOICES: dict[str, dict[str, tuple[str, ...]]] = {  # by the keys of declarations in a file's comments
    "quaternion": {"order": ORDERS, "direction": DIRECTIONS},
    "angular velocity": {"rate_frame": FRAMES, "rate_unit": tuple(RATE_UNITS)},
    "time": {"time_unit": tuple(TIME_UNITS)},
    "acceleration": {"acceleration_unit": tuple(ACCELERATION_UNITS)},
}
KEYS = (*CHOICES, "moments", "source")


@frozen
class Conventions:
    """What the numbers of a recording mean; None stands for what is not declared.

    `moments` are the principal moments of inertia about the recording's body axes [kg m2]. `rate_axes` says what the
    rates about x, y and z are recorded as, such as "x-y-z", if axes are exchanged or reversed; `rate_delay` [s] by how
    much the rates come late, and `rate_scale` how many times too large they are.
    """

    order: str | None = None
    direction: str | None = None
    rate_frame: str | None = None
    rate_unit: str | None = None
    time_unit: str | None = None
    moments: tuple[float, float, float] | None = None
    source: str = ""
    acceleration_unit: str | None = None
    rate_axes: str | None = None
    rate_delay: float | None = None
    rate_scale: float | None = None

    def filled_from(self, other: "Conventions") -> "Conventions":
        """Return these conventions; those that they leave open are taken from `other`."""
        declared = {name: value for name, value in vars(self).items() if value not in (None, "")}
        return replace(other, **declared)


NOTHING_DECLARED = Conventions()


def parse_conventions(moments: str = "", source: str = "", **texts: str) -> Conventions:
    """Return the conventions in comma-separated values, as in a file's comments or on the command line.

    `texts` has such values by the keys of CHOICES, such as `angular_velocity`. Raises InputError.
    """
    found: dict[str, Any] = {"source": source}
    for key, kinds in CHOICES.items():
        text = texts.get(key.replace(" ", "_"), "")
        allowed = [value for choices in kinds.values() for value in choices]
        for value in (part.strip().lower() for part in text.split(",") if part.strip()):
            kind = next((kind for kind, choices in kinds.items() if value in choices), None)
            if kind is None:
                raise refusal(
                    "{key}: {value} is unknown; {hint}allowed are {allowed}",
                    key=key,
                    value=shown(value),
                    hint=nearest(value, allowed),
                    allowed=", ".join(allowed),
                )
            found[kind] = value
    if moments.strip():
        found["moments"] = _moments(moments)
    return Conventions(**found)


def _moments(text: str) -> tuple[float, float, float]:
    try:
        a, b, c = (value_of(number, "kg m²") for number in text.split(","))
    except ValueError:
        raise refusal("moments: {given} is not three numbers such as 1, 2, 2.5", given=shown(text)) from None
    if not all(SMALLEST_MOMENT <= value <= LARGEST_MOMENT for value in (a, b, c)):
        raise refusal(
            "moments: {given} is not allowed; each must be {low:g} to {high:g}",
            given=shown(text),
            low=SMALLEST_MOMENT,
            high=LARGEST_MOMENT,
        )
    return a, b, c


def declared_in(comments: list[str], name: str) -> Conventions:
    """Return the conventions that lines like "# key: value" declare; other comments are ignored.

    `name` is the file's name in errors. Raises InputError.
    """
    found = {}
    for line in comments:
        key, colon, value = line.lstrip("# \t").partition(":")
        if colon and (key := key.strip().lower()) in KEYS:
            text = "".join(letter if letter.isprintable() else "?" for letter in value.strip())  # for terminals
            found[key.replace(" ", "_")] = text[:LONGEST_TEXT]
    try:
        return parse_conventions(**found)
    except InputError as error:
        raise prefixed(f"{name}: ", error) from None


def oriented(name: str, quaternion: Array, order: str, direction: str) -> Array:
    """Return unit quaternions wxyz, body to world (N, 4), of continuous sign. Raises InputError if one is zero.

    `name` is the recording's name in errors; `order` is one of PLACES and `direction` one of DIRECTIONS.
    """
    q = quaternion if order == ORDERS[0] else quaternion[:, PLACES[order]]
    norm = np.linalg.norm(q, axis=1, keepdims=True)
    if not norm.min() > 0.0:
        raise refusal(
            "{name}: the quaternion in row {row} is zero, no orientation", name=name, row=int(np.argmin(norm)) + 1
        )
    q = q / norm
    if direction != DIRECTIONS[0]:
        q = conjugate(q)
    flips = np.sum(q[1:] * q[:-1], axis=1) < 0.0
    signs = np.concatenate(([1.0], np.where(np.cumsum(flips) % 2 == 1, -1.0, 1.0)))
    return np.asarray(q * signs[:, None])
