"""The sections of a scene that make its motion: body, start, loads, solver, and the race beside it.

Every field is declared here or in `picture`, once: controls, checks and documentation are made from it.
"""

from dataclasses import dataclass

from viewer.physics.body import SHAPES
from viewer.physics.integrators import INTEGRATORS, Integrator
from viewer.physics.loads import FRAMES
from viewer.physics.stepping.projection import MEANINGS, STABILISATIONS
from viewer.scenario.fields import choice, integer, number, texts, vector
from viewer.scenario.lanes import DEFAULT_LANES, MOST_LANES, Lane

XYZ = ("X", "Y", "Z")
XYZ_BODY = ("X′", "Y′", "Z′")
RACING = ("race.show", ("ghosts", "grid"))  # where the fields of a race have an effect


def _character(method: Integrator) -> str:
    """What a list shows of an integrator: order, what it conserves, character, source; a line each."""
    order = f"Order {method.order}" if method.order else "No truncation error"
    order = order if method.converges else "Does not converge"
    kept = f"conserves {', '.join(method.conserves)}" if method.conserves else "conserves nothing"
    return f"{order}; {kept}\n{method.summary}\n{method.source}"


# fmt: off
@dataclass(frozen=True)
class Body:
    """The rigid body: a homogeneous solid, or raw principal moments."""

    shape: str = choice(
        "ellipsoid", "Shape", "the solid, or its principal moments as numbers",
        [(s.name, s.label, s.formula) for s in SHAPES.values()]
    )
    mass: float = number(1.0, "Mass", "mass of the body", 0.1, 100.0, unit="kg", symbol="m", log_scale=True)
    width: float = number(
        1.0, "Width", "full extent along the body's x′ axis", 0.05, 1.0, unit="m", symbol="w"
    )
    depth: float = number(
        0.5, "Depth", "full extent along the body's y′ axis", 0.05, 1.0, unit="m", symbol="d"
    )
    height: float = number(
        0.2, "Height", "full extent along the body's z′ axis", 0.05, 1.0, unit="m", symbol="h"
    )
    radius: float = number(0.3, "Radius", "radius about the body's z′ axis", 0.05, 1.0, unit="m", symbol="r")
    moments: tuple[float, float, float] = vector(
        (1.0, 2.0, 2.5), "Moments", "principal moments of inertia about x′, y′, z′", 1e-6, 1e6,
        ("I₁", "I₂", "I₃"), soft=(0.01, 20.0), unit="kg m²", symbol="I",
        formula="I₁ = ∫ (y′² + z′²) dm, ...; in a solid none exceeds the sum of the other two", log_scale=True
    )


@dataclass(frozen=True)
class Start:
    """Orientation and angular velocity at t = 0."""

    orientation_deg: tuple[float, float, float] = vector(
        (0.0, 0.0, 0.0), "Orientation", "rotated about the space axes X, then Y, then Z", -180.0, 180.0, XYZ,
        unit="°", formula="q = q(Z) q(Y) q(X)"
    )
    angular_velocity: tuple[float, float, float] = vector(
        (0.0, 3.0, 0.3), "Angular velocity", "components along the body axes", -100.0, 100.0, XYZ_BODY,
        soft=(-10.0, 10.0), unit="rad/s", symbol="ω", formula="L = I ω,   E = ½ ω·L"
    )


@dataclass(frozen=True)
class Loads:
    """What acts on the body from outside, and what it loses inside."""

    force: tuple[float, float, float] = vector(
        (0.0, 0.0, 0.0), "Force", "external force along the axes of its frame; its torque is r × F", -100.0,
        100.0, XYZ, soft=(-2.0, 2.0), unit="N", symbol="F", formula="M = r × F,   dL/dt = M"
    )
    arm: tuple[float, float, float] = vector(
        (0.0, 0.0, 0.0), "Arm", "point of application of the force, fixed in the body", -1.0, 1.0, XYZ_BODY,
        unit="m", symbol="r′", formula="M = r × F,   r = q r′ q*"
    )
    frame: str = choice(
        "space", "Force fixed in", "the frame in which the force is constant", list(FRAMES.items())
    )
    external_friction: float = number(
        0.0, "External friction", "torque −k_f ω against the rotation: slows the body and turns L", 0.0,
        100.0, soft=(0.0, 0.1), unit="N m s/rad", symbol="k_f", formula="M = −k_f ω"
    )
    internal_friction: float = number(
        0.0, "Internal friction", "energy dissipated inside the body per second; L is conserved", 0.0, 100.0,
        soft=(0.0, 0.1), unit="J/s", symbol="k_fi", formula="dE/dt = −k_fi down to E(min) = |L|²/(2 I max)"
    )
    pulse: float = number(
        0.02, "Torque pulse", "angular impulse about a body axis, applied by an arrow or page key", 0.0,
        100.0, soft=(0.0, 0.1), unit="N m s", symbol="ΔL", formula="L ± ΔL along x′, y′ or z′"
    )


@dataclass(frozen=True)
class Solver:
    """How the motion is computed."""

    integrator: str = choice(
        "exact-drift", "Integrator", "the one-step method",
        [(i.name, i.label, _character(i)) for i in INTEGRATORS.values()]
    )
    integration_period: float = number(
        0.002, "Integration period", "divided into 1 + extra substeps", 1e-5, 0.5, unit="s", log_scale=True,
        symbol="Δt", formula="step h = Δt/(1 + n)"
    )
    extra_substeps: int = integer(
        15, "Extra substeps",
        "steps in an integration period beyond the first (the paper's additional steps)", 0, 99, symbol="n",
        former=("additional_steps",), formula="step h = Δt/(1 + n)"
    )
    stabilisation: str = choice(
        "off", "Stabilisation", "how the motion is corrected back to its energy and angular momentum",
        [(name, label, MEANINGS[name]) for name, label in STABILISATIONS.items()]
    )

    @property
    def step(self) -> float:
        """The step h in seconds."""
        return self.integration_period / (1 + self.extra_substeps)


@dataclass(frozen=True)
class Race:
    """Integrators beside the exact motion, all from the same start."""

    show: str = choice(
        "off", "Race", "integrators beside the exact motion, at one step size",
        [
            ("off", "Off", "no race"),
            ("ghosts", "Ghosts", "translucent copies of the body, one per lane"),
            ("grid", "Grid", "a small scene per lane"),
        ]
    )
    steps_per_rotation: float = number(
        30.0, "Steps per rotation", "steps that each lane takes in one turn about L", 2.0, 10000.0,
        soft=(4.0, 400.0), log_scale=True, when=RACING
    )
    lanes: tuple[str, ...] = texts(
        tuple(lane.name for lane in DEFAULT_LANES), "Lanes", "each is INTEGRATOR or INTEGRATOR+STABILISATION",
        most=MOST_LANES, entry=Lane.parse, when=RACING
    )
    hidden: tuple[str, ...] = texts(
        (), "Hidden lanes", "lanes that are not shown", most=MOST_LANES, when=RACING
    )
