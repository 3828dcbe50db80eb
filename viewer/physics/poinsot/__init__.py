"""Poinsot's construction with its curves and periods, and the spins: what L does in the body."""
