"""Other forms of what a scene's fields say, for the panel: no fields of a file, but declared as such."""

from viewer.scenario.fields import Field

# The same start as size, energy and axis of L: forms of `angular_velocity`, no fields of a file.
START_MOMENTUM = Field(
    "number", "Momentum", "angular momentum at the start; ω grows with it, its direction stays", unit="kg m²/s",
    symbol="|L|", low=0.0, high=1e9, soft_low=1e-3, soft_high=1e2, log_scale=True, formula="|L| = |I ω|"
)  # fmt: skip
START_ENERGY = Field(
    "number", "Energy", "energy at the start; |L| stays and so does the side. The mark is the separatrix", unit="J",
    symbol="E", formula="|L|²/(2 I max) ≤ E ≤ |L|²/(2 I min);   separatrix: |L|²/(2 I mid)"
)  # fmt: skip
START_AXIS = Field(
    "choice", "Axis", "the body axis around which L goes; a choice lays L along it. |L| stays",
    choices=tuple((f"{sign}{axis}", f"{sign}{axis}′") for axis in "xyz" for sign in "+−"), meanings=("",) * 6
)  # fmt: skip

START_FORMS = {
    "start.momentum": START_MOMENTUM,
    "start.energy": START_ENERGY,
}  # as the panel names their rows


# The body of a race by its inverse moments J = 1/I, of which only the differences shape the path of L in the body.
SLOW_INVERSE = Field(
    "number", "Smallest 1/I", "added to all three it turns the body faster about L; L's path in the body stays",
    symbol="J min", unit="1/(kg m²)", formula="J = 1/I"
)  # fmt: skip
MIDDLE_INVERSE = Field(
    "number", "Middle 1/I", "between the smallest and the largest; the two others stay",
    symbol="J mid", unit="1/(kg m²)", formula="J = 1/I"
)  # fmt: skip
