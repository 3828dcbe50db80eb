"""Reads shaders with their includes, compiles them, and names file and line of a compiler's errors."""

import re
from collections.abc import Mapping
from functools import cache

import moderngl

from viewer.common import resources

_INCLUDE = re.compile(r'^\s*#include\s+"([^"]+)"\s*$')
FLAT = "#pragma flat uniforms"
RASTERISER = "llvmpipe"  # Mesa's software rasteriser; NVIDIA's driver mixes the many inputs of painted meshes up
_MAIN = "void main() {"
_UNIFORM = re.compile(r"(?m)^uniform (float|vec[234]|mat[34]) (\w+)((?:\[\d+\])?);")
_BLOCK = re.compile(r"layout\(std140\) uniform Eye \{.*?\n\};", re.DOTALL)  # include/eye.glsl
_MEMBER = re.compile(r"(?m)^    (vec4|mat[34]) (\w+)();")


class ShaderError(RuntimeError):
    """A shader that the driver refuses; the message names the file and line."""


@cache
def _lines(name: str) -> tuple[str, ...]:
    return tuple(resources.read_text("shaders", *name.split("/")).splitlines())


def expand(name: str) -> tuple[str, list[str]]:
    """Return the source of shader `name` with its includes inserted, each once, and the files that it consists of.

    `#line` directives number the lines as they stand in their own file and give the file's index in the list.
    """
    files: list[str] = []
    out: list[str] = []

    def put(file: str) -> None:
        number = len(files)
        files.append(file)
        for i, line in enumerate(_lines(file), start=1):
            included = _INCLUDE.match(line)
            if included is None:
                out.append(line)
                if line.startswith("#version"):
                    out.append(f"#line {i + 1} {number}")
            elif included.group(1) not in files:
                out.append(f"#line 1 {len(files)}")
                put(included.group(1))
                out.append(f"#line {i + 1} {number}")

    put(name)
    return "\n".join(out) + "\n", files


def program(
    ctx: moderngl.Context, vertex: str, fragment: str, constants: Mapping[str, str] | None = None
) -> moderngl.Program:
    """Return the program of two shader files below `shaders/`; raises ShaderError naming file and line.

    `constants` replace the fragment shader's `#define` of the same name.
    """
    vertex_source, vertex_files = expand(vertex)
    fragment_source, fragment_files = expand(fragment)
    for name, value in (constants or {}).items():
        fragment_source = re.sub(rf"(?m)^#define {name} .*$", f"#define {name} {value}", fragment_source)
    if FLAT in fragment_source and RASTERISER in ctx.info["GL_RENDERER"]:
        vertex_source, fragment_source = with_flat_uniforms(vertex_source, fragment_source)
    try:
        return ctx.program(vertex_shader=vertex_source, fragment_shader=fragment_source)
    except moderngl.Error as error:
        stage_files = vertex_files if "vertex_shader" in str(error) else fragment_files
        raise ShaderError(_with_file_names(str(error), stage_files)) from error


def _with_file_names(message: str, files: list[str]) -> str:
    """Replace the compiler's `number:line` or `number(line)` by the file's name."""

    def named(match: re.Match[str]) -> str:
        number = int(match.group(1))
        return f"{files[number]}:{match.group(2)}" if number < len(files) else match.group(0)

    return re.sub(r"^(?:ERROR: |WARNING: )?(\d+)[:(](\d+)\)?", named, message, flags=re.MULTILINE)


def with_flat_uniforms(vertex: str, fragment: str) -> tuple[str, str]:
    """Return both sources changed so that the vertex shader hands the uniforms to the fragment shader as flat inputs.

    Mesa's software rasteriser reads a flat input once a triangle, but a uniform anew for every eight pixels, with a
    check of its bounds. For shaders that cover many pixels this saves a quarter of the plane's cost, a fifth of the
    glass's and a third of the body's. Small triangles would cost more, so a fragment shader asks for the change with
    `#pragma flat uniforms`. Every line keeps its number. No other driver gets such sources.
    """
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
    return vertex.replace(_MAIN, declared + _MAIN + given, 1), re.sub(rf"\b({names})\b", r"flat_\1", fragment)
