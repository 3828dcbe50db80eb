"""Poinsot's construction and what its curves tell."""
