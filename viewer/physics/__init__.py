"""The physics of a rigid body, in SI units and float64."""
