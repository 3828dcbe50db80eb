"""The steps of the integrators, which take most of the time, on plain floats: one source, run as Python or compiled.

Every step takes the state as seven floats, the step h [s] and a flat tuple of constants that its integrator prepared
for the body, and returns the next seven floats. They are the unit quaternion w, x, y, z (body to world) and an angular
momentum [kg m2/s], kept in space by momentum schemes, in the body by velocity schemes. If the state is a matrix, there
are thirteen floats (see `matrix`). Steps never raise on purpose: a step that diverges returns inf or nan, or raises one
of Python's arithmetic errors.
"""
