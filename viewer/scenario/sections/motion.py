"""The sections of a scene that make a body move: start, loads and solver.

Every field of a scene is declared once; controls, checks and documentation follow from its declaration.
"""

from math import inf
from typing import Any

from viewer.common.frozen import frozen
from viewer.physics.integrators import INTEGRATORS, Integrator
from viewer.physics.loads import FRAMES, Thruster, TorquePiece
from viewer.physics.stepping.projection import STABILISATIONS, GradientSettings
from viewer.physics.torque_of_time import KINDS, LEAST_PERIOD, MOST_PIECES, MOST_THRUSTERS, MOST_TIMES
from viewer.scenario.field import Choice, Field, Number, Numbers, Vector
from viewer.scenario.fields import choice, integer, number, switch, tables, vector
from viewer.scenario.sections.body import LARGEST, XYZ, XYZ_BODY

LONGEST = 1e12  # s
STRONGEST = 1e50  # N, N m and the like: what turns the largest bodies
GRADIENT = ("solver.stabilisation", ("gradient",))  # when the fields of this stabilisation have an effect
STABILISATION_MEANINGS = {
    "off": "the integrator alone",
    "gradient": "each step turns the body down the energy's gradient by the fraction i_c of the error: Fig. 4"
    " of the paper on stabilisation through invariants (ialms.net/sim); |L|, where the integrator loses it, is put back"
    " at once",
    "closest-point": "each step turns the body to the nearest point where both E and |L| have their values; under the"
    " weight of a top it moves body and L to the nearest state that has E + V, and L along vertical and axis",
}


def _character(method: Integrator) -> str:
    """Return what a list shows of an integrator, a line each: order and what it conserves, summary, source."""
    order = f"Order {method.order}" if method.order else "No truncation error"
    order = "Does not converge" if method.order is None else order
    conserved = f"conserves {', '.join(method.conserves)}" if method.conserves else "conserves nothing"
    return f"{order}; {conserved}\n{method.summary}\n{method.source}"


# fmt: off
TIME: dict[str, Any] = {"unit": "s", "low": -LONGEST, "high": LONGEST, "soft_low": 0.0, "soft_high": 20.0}
PIECE_KEYS: dict[str, Field] = {
    "kind": Choice("Kind", "how the torque goes with time", choices=tuple(KINDS.items()), meanings=(
        "the amplitude", "from 0 at the start evenly to the amplitude at the end",
        "amplitude × sin 2π f (t − start)", "the amplitude for the width of each pulse, from the start on",
    )),
    "amplitude": Vector(
        "Amplitude", "largest torque, along the axes of its frame", unit="N m", symbol="M", size=3,
        labels=XYZ, low=-STRONGEST, high=STRONGEST, soft_low=-2.0, soft_high=2.0, required=True
    ),
    "frame": Choice(
        "Fixed in", "the frame in which the amplitude is constant", choices=tuple(FRAMES.items())
    ),
    "frequency": Number(
        "Frequency", "full turns of the sine in a second", unit="Hz", symbol="f", low=1e-12, high=1e6,
        soft_low=0.01, soft_high=10.0, log_scale=True, when=("kind", ("sine",)), required=True
    ),
    "period": Number(
        "Period", "from the beginning of a pulse to that of the next", unit="s", symbol="T",
        low=LEAST_PERIOD, high=LONGEST, soft_low=0.01, soft_high=10.0, log_scale=True, when=("kind", ("pulse-train",)),
        required=True
    ),
    "width": Number(
        "Width", "how long each pulse lasts", unit="s", low=1e-9, high=LONGEST, soft_low=0.01, soft_high=10.0,
        log_scale=True, when=("kind", ("pulse-train",)), required=True
    ),
    "start": Number("Start", "when the torque begins", **TIME),
    "end": Number("End", "when the torque ends; inf: never", **(TIME | {"high": inf})),
}
THRUSTER_KEYS: dict[str, Field] = {
    "point": Vector(
        "Point", "point of application, fixed in the body", unit="m", symbol="r′", size=3, labels=XYZ_BODY,
        low=-LARGEST, high=LARGEST, soft_low=-1.0, soft_high=1.0
    ),
    "force": Vector(
        "Force", "force along the body axes while it is on", unit="N", symbol="F′", size=3, labels=XYZ_BODY,
        low=-STRONGEST, high=STRONGEST, soft_low=-2.0, soft_high=2.0, required=True
    ),
    "times": Numbers("Switching times", "on, off, on, off, ..; a last on stays on", most=MOST_TIMES, **TIME),
}


@frozen
class Start:
    """Orientation, angular and linear velocity, and position at t = 0."""

    orientation_deg: tuple[float, float, float] = vector(
        (0.0, 0.0, 0.0), "Orientation", "rotated about the space axes X, then Y, then Z", -180.0, 180.0, XYZ,
        unit="°", formula="q = q(Z) q(Y) q(X)",
        keywords="quaternion attitude rotation matrix Euler angles roll pitch yaw"
    )
    angular_velocity: tuple[float, float, float] = vector(
        (0.0, 3.0, 0.3), "Angular velocity", "components along the body axes", -1e6, 1e6, XYZ_BODY,
        soft=(-10.0, 10.0), unit="rad/s", symbol="ω", formula="L = I ω,   E = ½ ω·L",
        keywords="omega spin rate gyroscope top precession nutation kinetic energy rpm"
    )
    linear_velocity: tuple[float, float, float] = vector(
        (0.0, 0.0, 0.0), "Linear velocity", "of the centre of mass, along the space axes", -1e6, 1e6, XYZ,
        soft=(-2.0, 2.0), unit="m/s", symbol="v", formula="P = m v"
    )
    position: tuple[float, float, float] = vector(
        (0.0, 0.0, 0.0), "Position", "of the centre of mass, along the space axes: where each of several bodies stands"
        " in one space", -LARGEST, LARGEST, XYZ, soft=(-2.0, 2.0), unit="m", symbol="r", when=("bodies", None)
    )


@frozen
class Loads:
    """What acts on the body from outside, and the energy that it loses inside."""

    gravity: float = number(
        0.0, "Gravity", "acceleration along −Z of space: a body with a pivot is turned by its weight, any other falls;"
        " on Earth 9.81 m/s²; 0: none", 0.0, 1e6, soft=(0.0, 20.0), unit="m/s²", symbol="g",
        formula="F = m g,   M = r × F with r from the pivot to the centre of mass",
        keywords="weight heavy top gyroscope precession nutation pendulum free fall"
    )
    force: tuple[float, float, float] = vector(
        (0.0, 0.0, 0.0), "Force", "external force along the axes of its frame; its torque is r × F", -STRONGEST,
        STRONGEST, XYZ, soft=(-2.0, 2.0), unit="N", symbol="F", formula="M = r × F,   dL/dt = M",
        keywords="gravity weight push thrust"
    )
    arm: tuple[float, float, float] = vector(
        (0.0, 0.0, 0.0), "Arm", "point of application of the force, fixed in the body", -LARGEST, LARGEST,
        XYZ_BODY, soft=(-1.0, 1.0), unit="m", symbol="r′", formula="M = r × F,   r = q r′ q*"
    )
    frame: str = choice(
        "space", "Force fixed in", "the frame in which the force is constant", list(FRAMES.items())
    )
    torque: tuple[float, float, float] = vector(
        (0.0, 0.0, 0.0), "Torque", "external torque along the axes of its frame, beside the force's", -STRONGEST,
        STRONGEST, XYZ, soft=(-2.0, 2.0), unit="N m", symbol="M", formula="dL/dt = r × F + M",
        keywords="moment precession gyroscope heavy top"
    )
    torque_frame: str = choice(
        "space", "Torque fixed in", "the frame in which the torque is constant", list(FRAMES.items())
    )
    torque_of_time: tuple[TorquePiece, ...] = tables(
        "Torque in time", "torques that begin and end, beside the constant one", TorquePiece, PIECE_KEYS,
        most=MOST_PIECES
    )
    thrusters: tuple[Thruster, ...] = tables(
        "Thrusters", "forces fixed in the body, on and off at their times", Thruster, THRUSTER_KEYS,
        most=MOST_THRUSTERS
    )
    external_friction: float = number(
        0.0, "External friction", "torque −k_f ω against the rotation: slows the body and turns L", 0.0,
        STRONGEST, soft=(0.0, 0.1), unit="N m s/rad", symbol="k_f", formula="M = −k_f ω",
        keywords="damping drag air resistance dissipation"
    )
    internal_friction: float = number(
        0.0, "Internal friction", "energy dissipated inside the body per second; L is conserved", 0.0, STRONGEST,
        soft=(0.0, 0.1), unit="J/s", symbol="k_fi", formula="dE/dt = −k_fi down to E(min) = |L|²/(2 I max)",
        keywords="damping dissipation energy loss"
    )
    pulse: float = number(
        0.02, "Torque pulse", "angular impulse about a body axis, applied by an arrow or page key", 0.0,
        STRONGEST, soft=(0.0, 0.1), unit="N m s", symbol="ΔL", formula="L ± ΔL along x′, y′ or z′"
    )
    auto_pulse: bool = switch(
        True, "Automatic pulse", "follows |L| of the body at its start; 0.02 N m s for everyday bodies. Setting a pulse"
        " turns this off", ended_by=("pulse",)
    )


@frozen
class Solver:
    """How the motion is computed."""

    integrator: str = choice(
        "exact-drift", "Integrator", "the one-step method",
        [(i.name, i.label, _character(i)) for i in INTEGRATORS.values()]
    )
    integration_period: float = number(
        0.002, "Integration period", "divided into 1 + extra substeps", 1e-9, LONGEST, soft=(1e-5, 0.5), unit="s",
        log_scale=True, symbol="Δt", formula="step h = Δt/(1 + n)",
        keywords="time steps step size timestep dt frame rate"
    )
    auto_period: bool = switch(
        True, "Automatic period", "follows the body's rotation; 2 ms where a turn takes 0.05 s to 60 s. Setting a"
        " period turns this off", ended_by=("integration_period",)
    )
    extra_substeps: int = integer(
        15, "Extra substeps",
        "steps in an integration period beyond the first; reading the paper's numbers this way is our choice",
        0, 99, symbol="n",
        former=("additional_steps",), formula="step h = Δt/(1 + n)"
    )
    largest_omega: float = number(
        0.0, "Largest ω", "a cap on |ω|, as engines have one: where a step ends with more, L is made shorter, and E and"
        " |L| are lost; 0: none. The lanes of a race run without it", 0.0, 1e6, soft=(0.0, 50.0), unit="rad/s",
        symbol="ω max", formula="L → L ω max/|ω| where |ω| > ω max"
    )
    stabilisation: str = choice(
        "off", "Stabilisation", "how the motion is corrected back to its energy and angular momentum",
        [(name, label, STABILISATION_MEANINGS[name]) for name, label in STABILISATIONS.items()]
    )
    least_corrector: float = number(
        1e-4, "Least corrector", "the fraction of the energy's error that a step corrects: i_c begins there, and falls"
        " no lower", 1e-9, 1.0, soft=(1e-6, 1.0), log_scale=True, symbol="i_0", when=GRADIENT,
        formula="φ = −i_c ΔE (ω×L)/|ω×L|²,   ΔE = E − target"
    )
    lessen_by: float = number(
        0.9, "Lessen by", "factor of i_c in a step that finds the energy within its tolerance", 0.01, 1.0,
        soft=(0.5, 1.0),
        symbol="k_1", when=GRADIENT, formula="i_c → max(i_0, k_1 i_c) where |ΔE| ≤ k_e E"
    )
    amplify_by: float = number(
        1.1, "Amplify by", "factor of i_c in a step that finds the energy outside its tolerance", 1.0, 100.0,
        log_scale=True, symbol="k_2", when=GRADIENT, formula="i_c → min(1, k_2 i_c) where |ΔE| > k_e E"
    )
    energy_tolerance: float = number(
        1e-9, "Energy tolerance", "relative error of the energy from which on the corrector is amplified; that it is"
        " relative is our reading", 1e-15, 1.0,
        soft=(1e-12, 1e-4), log_scale=True, symbol="k_e", when=GRADIENT, formula="|ΔE| > k_e E"
    )
    largest_turn: float = number(
        1.0, "Largest turn", "by which one step may correct the body", 1e-6, 3.0, unit="rad", log_scale=True,
        symbol="φ max", when=GRADIENT, formula="|φ| ≤ φ max"
    )

    @property
    def gradient(self) -> GradientSettings:
        """The constants of the stabilisation "gradient"."""
        return GradientSettings(
            self.least_corrector, self.lessen_by, self.amplify_by, self.energy_tolerance, self.largest_turn
        )

    @property
    def cap(self) -> float:
        """The cap on |omega| [rad/s], or inf if there is none."""
        return self.largest_omega or inf

    @property
    def step(self) -> float:
        """The step h [s]."""
        return self.integration_period / (1 + self.extra_substeps)


# Other forms of a start and of a body, for the panel: declared like a scene's fields, but in no file.
# `start.angular_velocity` by magnitude of L, energy and axis
START_MOMENTUM = Number(
    "Momentum", "magnitude of L at the start; ω scales with it and keeps its direction", unit="kg m²/s",
    symbol="|L|", low=0.0, high=1e60, soft_low=1e-3, soft_high=1e2, log_scale=True, formula="|L| = |I ω|",
    keywords="angular momentum"
)
START_ENERGY = Number(
    "Energy", "energy at the start; |L| is kept, and so is the side of the separatrix (the mark)", unit="J",
    symbol="E", keywords="kinetic energy rotational",
    formula="|L|²/(2 I max) ≤ E ≤ |L|²/(2 I min);   separatrix: |L|²/(2 I mid)"
)
START_AXIS = Choice(
    "Axis", "the body axis that L circles; choosing one puts L along it and keeps |L|",
    choices=tuple((f"{sign}{axis}", f"{sign}{axis}′") for axis in "xyz" for sign in "+−")
)

START_FORMS = {"start.momentum": START_MOMENTUM, "start.energy": START_ENERGY}  # by the names of their rows
