"""The hot steps, on plain floats: one source, run as Python or compiled.

Every step takes the state as seven floats, the step h [s] and a flat tuple of constants that its integrator prepared
for the body, and gives the next seven. The seven: the unit quaternion w, x, y, z (body to world) and an angular
momentum [kg m2/s], kept in space by momentum schemes, in the body by velocity schemes. Where a rotation matrix is the
state there are thirteen (see `matrix`). Steps never raise on purpose: what diverges comes out as inf or nan, or as one
of Python's arithmetic errors.
"""
