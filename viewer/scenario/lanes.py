"""The lanes of a race: an integrator each, with its own stabilisation."""

from viewer.common.errors import allowed_names, refusal, shown
from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.stepping.projection import STABILISATIONS

MOST_LANES = 12


# of the lanes in turn: Paul Tol's bright and vibrant schemes, which the colour-blind can distinguish
LANE_COLORS = (
    "#EE6677", "#4477AA", "#228833", "#CCBB44", "#AA3377", "#66CCEE",
    "#EE7733", "#009988", "#EE3377", "#0077BB", "#999933", "#888888",
)  # fmt: skip


@frozen
class Lane:
    """An integrator and a stabilisation, by their names. Written as "jolt" or "jolt+closest-point"."""

    integrator: str
    stabilisation: str = "off"

    @classmethod
    def parse(cls, text: str) -> "Lane":
        """Return the lane of "INTEGRATOR" or "INTEGRATOR+STABILISATION"; raises InputError where there is none."""
        integrator, plus, stabilisation = text.strip().partition("+")
        stabilisation = stabilisation if plus else "off"
        for what, name, names in (
            (tr("integrator"), integrator, list(INTEGRATORS)),
            (tr("stabilisation"), stabilisation, list(STABILISATIONS)),
        ):
            if name not in names:
                raise refusal(
                    "lane: {given} has the unknown {what} {name}; {allowed}",
                    given=shown(text),
                    what=what,
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
        """As it is written in files and on the command line."""
        return self.integrator if self.stabilisation == "off" else f"{self.integrator}+{self.stabilisation}"

    @property
    def label(self) -> str:
        """As it is shown."""
        label = tr(INTEGRATORS[self.integrator].label)
        return label if self.stabilisation == "off" else f"{label}, {tr(STABILISATIONS[self.stabilisation].lower())}"


@frozen
class Recorded:
    """Another engine's recording, which runs instead of a lane."""

    name: str
    label: str
    integrator: str = ""
    stabilisation: str = ""


def parse_lanes(names: list[str]) -> tuple[Lane, ...]:
    """Lanes from their names, in order, each once; raises InputError, also for none and for more than MOST_LANES."""
    lanes = tuple(dict.fromkeys(Lane.parse(name) for name in names if name.strip()))
    if not 1 <= len(lanes) <= MOST_LANES:
        raise refusal("lanes: {count} is outside 1 to {most}", count=len(lanes), most=MOST_LANES)
    return lanes


# the five of the source that compares them: "gyroscopic integrators", 2025
DEFAULT_LANES = parse_lanes(["explicit-euler", "jolt", "naive-rotation", "modified-jolt", "momentum-first"])
