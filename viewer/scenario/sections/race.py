"""The sections of a scene for what runs beside its motion: the lanes of a race, and recordings.

A lane is an integrator with its own stabilisation.
"""

import re

from viewer.common.errors import allowed_names, refusal, shown
from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.stepping.projection import STABILISATIONS
from viewer.scenario.field import Number
from viewer.scenario.fields import choice, number, switch, text, texts, vector
from viewer.scenario.sections.motion import LONGEST

MOST_LANES = 12
RACING = ("race.show", ("ghosts", "grid"))  # where the fields of a race have an effect
AUTO = "auto"
_AUTO = (AUTO, "Automatic")


# one for each lane in turn: Paul Tol's bright and vibrant schemes, which the colour-blind can distinguish
LANE_COLORS = (
    "#EE6677", "#4477AA", "#228833", "#CCBB44", "#AA3377", "#66CCEE",
    "#EE7733", "#009988", "#EE3377", "#0077BB", "#999933", "#888888",
)  # fmt: skip


@frozen
class Lane:
    """An integrator and a stabilisation, by their names, written as "jolt" or "jolt+closest-point"."""

    integrator: str
    stabilisation: str = "off"

    @classmethod
    def parse(cls, text: str) -> "Lane":
        """Return the lane of "INTEGRATOR" or "INTEGRATOR+STABILISATION"; raises InputError if there is no such lane."""
        integrator, plus, stabilisation = text.strip().partition("+")
        stabilisation = stabilisation if plus else "off"
        for kind, name, names in (
            ("integrator", integrator, list(INTEGRATORS)),
            ("stabilisation", stabilisation, list(STABILISATIONS)),
        ):
            if name not in names:
                raise refusal(
                    "{kind}: {name} is unknown; {allowed}",
                    kind=kind,
                    name=shown(name),
                    allowed=allowed_names(name, names),
                )
        method = INTEGRATORS[integrator]
        if stabilisation != "off" and not method.correctable:
            why = tr("its matrix is no rotation") if method.matrix else tr("it has no error")
            raise refusal(
                "lane: {given} is not allowed; {integrator} takes no stabilisation, {why}",
                given=shown(text),
                integrator=integrator,
                why=why,
            )
        return cls(integrator, stabilisation)

    @property
    def name(self) -> str:
        """The name in files and on the command line."""
        return self.integrator if self.stabilisation == "off" else f"{self.integrator}+{self.stabilisation}"

    @property
    def label(self) -> str:
        """The name on the screen."""
        label = tr(INTEGRATORS[self.integrator].label)
        return label if self.stabilisation == "off" else f"{label}, {tr(STABILISATIONS[self.stabilisation].lower())}"


@frozen
class Recorded:
    """A recording of another engine, which runs in place of a lane.

    `off` is how far its rates are from those of its orientations, relative to the rates; 0 if they agree.
    `misdeclared` says that the declared moments do not fit its motion. Its errors mean nothing in either case.
    """

    name: str
    label: str
    off: float = 0.0
    misdeclared: bool = False
    integrator: str = ""
    stabilisation: str = ""


def parse_lanes(names: list[str]) -> tuple[Lane, ...]:
    """Return the lanes with these names, in order; a name given twice counts once.

    Raises InputError if a name is wrong, if there is none, or if there are more than MOST_LANES.
    """
    lanes = tuple(dict.fromkeys(Lane.parse(name) for name in names if name.strip()))
    if not 1 <= len(lanes) <= MOST_LANES:
        raise refusal("lanes: {count} is outside 1 to {most}", count=len(lanes), most=MOST_LANES)
    return lanes


# the five of the source that compares them: "gyroscopic integrators", 2025
DEFAULT_LANES = parse_lanes(["explicit-euler", "jolt", "naive-rotation", "modified-jolt", "momentum-first"])


# fmt: off
@frozen
class Race:
    """Integrators beside the exact motion, all from the same start."""

    show: str = choice(
        "off", "Shown as", "integrators beside the exact motion, at one step size",
        [
            ("off", "Off", "no race"),
            ("ghosts", "Ghosts", "outlines of the body, each with one axis, in the colours of the lanes"),
            ("grid", "Grid", "a small scene per lane"),
        ], keywords="compare comparison energy factor inverse moments phase"
    )
    stepping: str = choice(
        "rotation", "Stepping", "what the lanes' step follows when the body or the start changes",
        [
            ("rotation", "Steps per rotation", "a body that turns faster takes shorter steps"),
            ("fixed", "Fixed step", "h stays the same for every body, as in an engine"),
        ], when=RACING
    )
    steps_per_rotation: float = number(
        30.0, "Steps per rotation", "steps that each lane takes in one turn about L", 2.0, 10000.0,
        soft=(4.0, 400.0), log_scale=True, when=("race.stepping", ("rotation",))
    )
    step: float = number(
        1 / 60, "Step", "step h of every lane", 1e-12, LONGEST, soft=(1e-3, 0.5), unit="s", symbol="h", log_scale=True,
        when=("race.stepping", ("fixed",))
    )
    lanes: tuple[str, ...] = texts(
        tuple(lane.name for lane in DEFAULT_LANES), "Lanes", "each is INTEGRATOR or INTEGRATOR+STABILISATION",
        most=MOST_LANES, entry=Lane.parse, when=RACING
    )
    hidden: tuple[str, ...] = texts(
        (), "Hidden lanes", "lanes that are not shown", most=MOST_LANES, when=RACING
    )


# The body of a race by its inverse moments J = 1/I: only their differences shape the path of L in the body.
# Each of the fields changes only what it names: L in space is kept, and so are the distances from the smallest J.
SLOW_INVERSE = Number(
    "Smallest 1/I", "raises all three: the body turns faster about L, the path of L in the body is the same",
    symbol="J min", unit="1/(kg m²)", formula="J = 1/I;   J₂ − J₁, J₃ − J₁, J_L − J₁ and L stay"
)
MIDDLE_INVERSE = Number(
    "Middle 1/I", "between the smallest and the largest, which stay",
    symbol="J mid", unit="1/(kg m²)", formula="J = 1/I;   J₁, J₃, J_L and L in space stay"
)
ENERGY_FACTOR = Number(
    "Energy factor", "energy at the start; the body and L in space stay. The mark: the middle 1/I",
    symbol="J_L", unit="1/(kg m²)", formula="J_L = 2E/|L|², from J₁ to J₃"
)
# fmt: on


def _check_file(given: str) -> None:
    if not given.strip():
        raise refusal("{given} is no name of a file", given=shown(given))


def _check_checksum(given: str) -> None:
    if re.fullmatch(r"[0-9a-f]{64}", given) is None:
        raise refusal("{given} is not a checksum of 64 digits 0 to 9, a to f", given=shown(given))


@frozen
class Recording:
    """The files of a scene's recordings, and how they are read. Only scenes of recordings have this section."""

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
        0.0, "Step", "time between the rows of a table without times; 0: none is given", 0.0, 1e9,
        unit="s"
    )  # fmt: skip
    tolerance: float = number(
        0.0, "Tolerance", "from which difference on one of several is off; 0: 1 %, or what they resolve", 0.0, 10.0
    )
    repair: bool = switch(
        False, "Repair", "angular velocities and orientations that disagree are read so that they agree"
    )
    relative: bool = switch(
        False, "Only ratios", "of the body only the ratios of its moments are known, and the largest is written as"
        " 1 kg m²"
    )  # fmt: skip
