"""What a page draws with: hulls of solids, and `shaders/`, brought from GLSL 3.30 to the GLSL ES 3.00 of WebGL 2."""

import re
from typing import Any

from viewer.common import resources
from viewer.render.meshes import box_edges
from viewer.render.passes.surfaces import SOLIDS

VERSION = "#version 330 core"
ES = "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;"
LEFT_OUT = {
    "constraints.frag",  # a page shows no momentum space
    *("cone.frag", "cone.vert"),  # .. no cones about the axes of gimbals or of a top
    "inset.frag",  # it has one layer
    "interlace.frag",  # it does not know the pixels of its screen
    *("patch.frag", "patch.vert"),  # it has neither a title nor a chart
    "present.frag",  # it is drawn at the resolution at which it is seen
    *("ui.frag", "ui.vert", "ui_layer.frag"),  # its controls are HTML
}
MAIN = "void main() {"
NUMBERED = "gl_PrimitiveID"  # of a triangle, which a page counts by the vertices, as each triangle has its own


def drawing_data() -> dict[str, Any]:
    """Return the shaders, the corners of the triangles of each kind of solid's hull, and `box_edges`, as flat lists."""
    return {
        "shaders": page_shaders(),
        "hulls": {name: kind.triangles().astype(float).round(4).ravel().tolist() for name, kind in SOLIDS.items()},
        "boxEdges": box_edges().ravel().tolist(),
    }


def page_shaders() -> dict[str, str]:
    """Return the sources of all shaders of a page by their names, and of what they include: {"include/eye.glsl": ..}.

    `#include` lines are left for the page, which also replaces `#define` lines, as `shader_source.program` does.
    """
    folder = resources.folder("shaders")
    files = [(part.name, part) for part in folder.iterdir() if part.is_file() and part.name not in LEFT_OUT]
    files += [(f"include/{part.name}", part) for part in (folder / "include").iterdir()]
    return {name: translated(name, part.read_text(encoding="utf-8")) for name, part in sorted(files)}


def translated(name: str, source: str) -> str:
    """Return the source of one file in GLSL ES 3.00, without comments, indentation and empty lines.

    A number of a triangle, which WebGL does not give to fragments, is handed on by the vertex stage of meshes.
    """
    source = re.sub(r"//.*", "", source).replace("noperspective ", "")
    if NUMBERED in source:
        source = source.replace(NUMBERED, "primitive").replace(VERSION, f"{VERSION}\nflat in int primitive;")
    if name == "mesh.vert":
        source = source.replace(MAIN, f"flat out int primitive;\n{MAIN}\nprimitive = gl_VertexID / 3;")
    lines = (line.strip() for line in source.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("#pragma")).replace(VERSION, ES) + "\n"
