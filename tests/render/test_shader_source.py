"""Includes are put in once, complaints name file and line, and every shader passes the reference compiler."""

import shutil
import subprocess
from pathlib import Path

import pytest

from viewer.common.resources import folder
from viewer.render import shader_source
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
