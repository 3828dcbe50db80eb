"""Other forms of a start and of a body, for the panel: declared like a scene's fields, but in no file."""

from viewer.scenario.field import Field

# `start.angular_velocity` by magnitude of L, energy and axis
START_MOMENTUM = Field(
    "number", "Momentum", "magnitude of L at the start; ω scales with it and keeps its direction", unit="kg m²/s",
    symbol="|L|", low=0.0, high=1e60, soft_low=1e-3, soft_high=1e2, log_scale=True, formula="|L| = |I ω|",
    keywords="angular momentum"
)  # fmt: skip
START_ENERGY = Field(
    "number", "Energy", "energy at the start; |L| is kept, and so is the side of the separatrix (the mark)", unit="J",
    symbol="E", keywords="kinetic energy rotational",
    formula="|L|²/(2 I max) ≤ E ≤ |L|²/(2 I min);   separatrix: |L|²/(2 I mid)"
)  # fmt: skip
START_AXIS = Field(
    "choice", "Axis", "the body axis that L circles; choosing one puts L along it and keeps |L|",
    choices=tuple((f"{sign}{axis}", f"{sign}{axis}′") for axis in "xyz" for sign in "+−"), meanings=("",) * 6
)  # fmt: skip

START_FORMS = {"start.momentum": START_MOMENTUM, "start.energy": START_ENERGY}  # by the names of their rows


# The body of a race by its inverse moments J = 1/I: only their differences shape the path of L in the body.
# Each changes what it names: L in space stays, and so do the others' distances from the smallest J.
SLOW_INVERSE = Field(
    "number", "Smallest 1/I", "raises all three: the body turns faster about L, the path of L in the body is the same",
    symbol="J min", unit="1/(kg m²)", formula="J = 1/I;   J₂ − J₁, J₃ − J₁, J_L − J₁ and L stay"
)  # fmt: skip
MIDDLE_INVERSE = Field(
    "number", "Middle 1/I", "between the smallest and the largest, which stay",
    symbol="J mid", unit="1/(kg m²)", formula="J = 1/I;   J₁, J₃, J_L and L in space stay"
)  # fmt: skip
ENERGY_FACTOR = Field(
    "number", "Energy factor", "energy at the start; the body and L in space stay. The mark: the middle 1/I",
    symbol="J_L", unit="1/(kg m²)", formula="J_L = 2E/|L|², from J₁ to J₃"
)  # fmt: skip
