"""The solids that bodies are made of, and their inertia."""
