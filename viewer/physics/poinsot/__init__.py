"""Poinsot's construction, its curves and periods, and spins as L moves in the body."""
