"""Includes are put in once, complaints name file and line, and every shader passes the reference compiler."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from viewer.common.resources import folder
from viewer.render import shader_source
from viewer.render.renderer import Renderer
from viewer.scenario.choices.themes import MATERIALS, PAINT

STAGES = sorted(entry.name for entry in folder("shaders").iterdir() if entry.name.endswith((".vert", ".frag")))


@pytest.fixture
def shaders(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Shader files that stand only in memory."""
    files: dict[str, str] = {}
    shader_source._lines.cache_clear()
    monkeypatch.setattr(shader_source.resources, "read_text", lambda kind, *path: files["/".join(path)])
    yield files
    shader_source._lines.cache_clear()


def test_each_include_is_put_in_once(shaders: dict[str, str]) -> None:
    shaders["a.vert"] = '#version 330 core\n#include "b.glsl"\n#include "c.glsl"\nvoid main() {}'
    shaders["b.glsl"] = '#include "c.glsl"\nfloat b;'
    shaders["c.glsl"] = "float c;"
    source, files = shader_source.expand("a.vert")
    assert files == ["a.vert", "b.glsl", "c.glsl"]
    assert source.count("float c;") == 1
    assert source.startswith("#version 330 core\n")


def test_a_mistake_in_an_include_is_named_by_file_and_line(shaders: dict[str, str], gl) -> None:
    shaders["good.vert"] = "#version 330 core\nvoid main() { gl_Position = vec4(0.0); }"
    shaders["bad.frag"] = '#version 330 core\n#include "part.glsl"\nout vec4 c;\nvoid main() { c = part(); }'
    shaders["part.glsl"] = "// first line\nvec4 part() {\n    return nonsense;\n}"
    with pytest.raises(shader_source.ShaderError, match=r"part\.glsl:3"):
        shader_source.program(gl, "good.vert", "bad.frag")


def test_a_mistake_after_an_include_keeps_its_own_line(shaders: dict[str, str], gl) -> None:
    shaders["good.vert"] = "#version 330 core\nvoid main() { gl_Position = vec4(0.0); }"
    shaders["bad.frag"] = '#version 330 core\n#include "part.glsl"\nout vec4 c;\nvoid main() { c = nonsense; }'
    shaders["part.glsl"] = "// one\n// two\n// three"
    with pytest.raises(shader_source.ShaderError, match=r"bad\.frag:4"):
        shader_source.program(gl, "good.vert", "bad.frag")


@pytest.fixture
def released(gl: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is called to give the compiler's memory back; it is released already."""
    shader_source.release_compiler(gl)
    called: list[str] = []
    names = {gl.mglo._context.load_opengl_function("glReleaseShaderCompiler"): "compiler"}

    def function(_: None) -> Callable[[int], Callable[[], None]]:
        return lambda address: lambda: called.append(names[address])

    library = SimpleNamespace(malloc_trim=lambda pad: called.append(f"trim {pad}"))
    fake = SimpleNamespace(CFUNCTYPE=function, WINFUNCTYPE=function, CDLL=lambda _: library)
    monkeypatch.setattr(shader_source, "ctypes", fake)
    monkeypatch.setattr(shader_source.sys, "platform", "linux")
    return called


def test_the_compiler_is_released_after_the_picture_that_needed_it_alone(
    gl: Any, released: list[str], frame_of
) -> None:
    renderer, frame = Renderer(gl), frame_of("dzhanibekov")
    renderer.draw(frame)
    assert released == ["compiler", "trim 0"]
    renderer.draw(frame)
    assert released == ["compiler", "trim 0"]
    renderer.draw(frame_of("dzhanibekov", view__material="wood"))  # has shaders of its own
    assert released == 2 * ["compiler", "trim 0"]
    renderer.release()


@pytest.mark.parametrize("mode", ["mono", "row-interlaced"])
def test_in_a_window_it_is_released_once_the_picture_is_presented(
    mode: str, gl: Any, released: list[str], frame_of
) -> None:
    renderer, frame = Renderer(gl), frame_of("dzhanibekov", stereo__mode=mode)
    screen = gl.simple_framebuffer(frame.size)
    for _ in range(3):
        renderer.draw(frame, window=frame.size)
        assert len(released) in (0, 2)
        renderer.present(screen, [(0, 0, *frame.size)])
        assert released == ["compiler", "trim 0"]
    renderer.release()
    screen.release()


def test_where_there_is_nothing_to_call_nothing_is_called(
    gl: Any, released: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shader_source.program(gl, "fullscreen.vert", "inset.frag")
    monkeypatch.setattr(shader_source.sys, "platform", "win32")
    shader_source.release_compiler(gl)
    assert released == ["compiler"]
    old = type("Context", (), {"version_code": 330, "extensions": set()})()
    shader_source._compiled_in.add(old)
    monkeypatch.setattr(shader_source.sys, "platform", "linux")
    monkeypatch.setattr(shader_source.ctypes, "CDLL", lambda _: SimpleNamespace())
    shader_source.release_compiler(old)
    assert released == ["compiler"]


@pytest.mark.parametrize("material", list(MATERIALS))
@pytest.mark.parametrize("name", STAGES)
def test_shaders_pass_the_reference_compiler(name: str, material: str, tmp_path: Path) -> None:
    validator = shutil.which("glslangValidator")
    assert validator is not None, "glslangValidator is missing (Debian: glslang-tools)"
    source, text = tmp_path / name, shader_source.expand(name)[0]
    if "#define MATERIAL 0" not in text and material != PAINT:
        return
    source.write_text(text.replace("#define MATERIAL 0", f"#define MATERIAL {MATERIALS[material].shading}"))
    result = subprocess.run([validator, str(source)], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


def test_all_shaders_are_small() -> None:
    assert {name: n for name in STAGES if (n := len(shader_source._lines(name))) > 120} == {}
