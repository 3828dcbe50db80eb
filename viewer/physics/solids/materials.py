"""Densities of common materials, rounded: a beginning where nothing better is known."""

from typing import NamedTuple


class Material(NamedTuple):
    """`density` in kg/m3; `source`: of the number before it was rounded."""

    label: str
    density: float
    source: str


MATERIALS = {
    "wood": Material("Wood (oak or ash)", 700.0, "CRC Handbook: 600–900"),
    "ice": Material("Ice", 917.0, "CRC Handbook: 917 (0 °C)"),
    "water": Material("Water", 1000.0, "CRC Handbook: 998.2 (20 °C)"),
    "plastic": Material("Plastic (ABS)", 1050.0, "Granta MaterialUniverse: 1020–1080"),
    "glass": Material("Glass", 2500.0, "EN 572-1: 2500"),
    "aluminium": Material("Aluminium", 2700.0, "EN 1999-1-1, 3.2.5: 2700"),
    "rock": Material("Rock (granite)", 2650.0, "CRC Handbook: 2640–2760"),
    "steel": Material("Steel", 7850.0, "EN 1993-1-2, 3.2.2: 7850"),
    "brass": Material("Brass", 8500.0, "CuZn39Pb3 (CW614N): 8470"),
    "lead": Material("Lead", 11350.0, "J. Emsley, The Elements: 11350 (20 °C)"),
}
