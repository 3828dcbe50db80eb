"""Which files are those of meshes, by their names alone: the readers are loaded with the first of them."""

import os
from pathlib import Path

SUFFIXES = (".stl", ".obj", ".ply", ".glb", ".off")


def is_mesh_file(name: str | os.PathLike[str]) -> bool:
    """Whether this is the name of a mesh file, by its suffix."""
    return Path(name).suffix.lower() in SUFFIXES
