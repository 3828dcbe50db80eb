"""The section of a scene that names the recording that it was made from, or several, and how they were read."""

import re

from viewer.common.errors import refusal, shown
from viewer.common.frozen import frozen
from viewer.scenario.fields import choice, number, switch, text, texts, vector
from viewer.scenario.lanes import MOST_LANES

AUTO = "auto"
_AUTO = (AUTO, "Automatic")


def _check_file(given: str) -> None:
    if not given.strip():
        raise refusal("{given} is no name of a file", given=shown(given))


def _check_checksum(given: str) -> None:
    if re.fullmatch(r"[0-9a-f]{64}", given) is None:
        raise refusal("{given} is not a checksum of 64 digits 0 to 9, a to f", given=shown(given))


@frozen
class Recording:
    """What was recorded, by its files. Written only by a scene that has been made from a recording."""

    files: tuple[str, ...] = texts(
        (), "Files", "the recording that the scene was made from, or several that are compared: beside the scene's file"
        " or by their whole paths", most=MOST_LANES,
        entry=_check_file
    )  # fmt: skip
    checksums: tuple[str, ...] = texts(
        (), "Checksums", "SHA-256 of each file: one that has changed since is not read; none: it is not checked",
        most=MOST_LANES, entry=_check_checksum
    )  # fmt: skip
    flight: str = text("", "Flight", "the number of the free flight that is replayed, or all; empty: the best one")
    columns: tuple[str, ...] = texts(
        (), "Columns", "what the columns of its table are, such as t=elapsed; none: as their names say"
    )
    order: str = choice(
        AUTO, "Order of quaternions", "the order of the parts of its quaternions; auto: as it says, or as is found out",
        [_AUTO, ("wxyz", "wxyz"), ("xyzw", "xyzw")]
    )  # fmt: skip
    direction: str = choice(
        AUTO, "Direction of quaternions", "what its quaternions turn",
        [_AUTO, ("world from body", "World from body"), ("body from world", "Body from world")]
    )  # fmt: skip
    rate_frame: str = choice(
        AUTO, "Frame of rates", "the axes of its angular velocities", [_AUTO, ("body", "Body"), ("world", "World")]
    )
    rate_unit: str = choice(
        AUTO, "Unit of rates", "the unit of its angular velocities",
        [_AUTO, ("rad/s", "rad/s"), ("deg/s", "deg/s"), ("rpm", "rpm")]
    )  # fmt: skip
    time_unit: str = choice(
        AUTO, "Unit of time", "the unit of its times", [_AUTO, *((unit, unit) for unit in (
            "s", "ms", "us", "ns", "min", "h", "d"))]
    )  # fmt: skip
    moments: tuple[float, float, float] = vector(
        (0.0, 0.0, 0.0), "Moments", "principal moments about its body axes, where they are given; 0: as it says, or"
        " fitted", 0.0, 1e30, ("x", "y", "z"), unit="kg m²"
    )  # fmt: skip
    step: float = number(
        0.0, "Step", "time between the rows of arrays that were saved without times; 0: none is given", 0.0, 1e9,
        unit="s"
    )  # fmt: skip
    tolerance: float = number(
        0.0, "Tolerance", "from which difference on one of several is off; 0: 1 %, or what they resolve", 0.0, 10.0
    )
    relative: bool = switch(
        False, "Only ratios", "of the body only the ratios of its moments are known, and the largest is written as"
        " 1 kg m²"
    )  # fmt: skip
