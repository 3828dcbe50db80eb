"""Hands a fragment shader's uniforms over flat, by its vertex shader.

Mesa's software rasteriser reads a flat value once a triangle, but a uniform anew for every eight pixels, with a check
of its bounds: with shaders that cover many pixels, a quarter of the plane's cost, a fifth of the glass's and a third of
the body's is saved. Small triangles would lose by it, so a fragment shader asks for it: `#pragma flat uniforms`.
"""

import re

PRAGMA = "#pragma flat uniforms"
MAIN = "void main() {"
_UNIFORM = re.compile(r"(?m)^uniform (float|vec[234]|mat[34]) (\w+)((?:\[\d+\])?);")
_BLOCK = re.compile(r"layout\(std140\) uniform Eye \{.*?\n\};", re.DOTALL)  # include/eye.glsl
_MEMBER = re.compile(r"(?m)^    (vec4|mat[34]) (\w+)();")


def handed_over(vertex: str, fragment: str) -> tuple[str, str]:
    """The two sources, with includes, so changed that the uniforms are handed over; every line keeps its number."""
    block = _BLOCK.search(fragment)
    eye = block.group() if block else ""
    used = set(re.findall(r"\w+", fragment.replace(eye, "")))
    members = [member for member in _MEMBER.findall(eye) if member[1] in used]
    uniforms = _UNIFORM.findall(fragment)
    known = {name for _, name, _ in _UNIFORM.findall(vertex)}
    declared = "".join(f"uniform {kind} {name}{size}; " for kind, name, size in uniforms if name not in known)
    declared += "".join(f"flat out {kind} flat_{name}{size}; " for kind, name, size in uniforms + members)
    given = "".join(f" flat_{name} = {name};" for _, name, _ in uniforms + members)
    fragment = _UNIFORM.sub(r"flat in \1 \2\3;", fragment)
    if eye:
        inputs = " ".join(f"flat in {kind} {name};" for kind, name, _ in members)
        fragment = fragment.replace(eye, inputs + "\n" * eye.count("\n"))
    names = "|".join(name for _, name, _ in uniforms + members)
    return vertex.replace(MAIN, declared + MAIN + given, 1), re.sub(rf"\b({names})\b", r"flat_\1", fragment)
