"""Uniforms that a vertex shader hands over flat, beside the same ones read where they are used."""

import subprocess
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from viewer.render import shader_source
from viewer.render.passes.surfaces import SOLIDS
from viewer.render.renderer import Renderer

PRESETS = ("paper-fig1", "box-80kg", "disc", "t-handle", "toutatis", "twenty-boxes")


def test_pictures_are_those_of_plain_uniforms(gl, frame_of, monkeypatch) -> None:
    def pictures() -> list[np.ndarray]:
        renderer = Renderer(gl)
        drawn = []
        for preset in PRESETS:
            renderer.draw(frame_of(preset, 1.0, (480, 320)))
            drawn.append(renderer.read().astype(int))
        renderer.release()
        return drawn

    flat = pictures()
    monkeypatch.setattr(shader_source, "FLAT", "#pragma none")
    for preset, one, other in zip(PRESETS, flat, pictures(), strict=True):
        assert np.max(np.abs(one - other)) <= 1, preset  # measured 0


def test_each_uniform_is_declared_once_and_every_line_keeps_its_number() -> None:
    vertex, fragment = (shader_source.expand(name)[0] for name in ("hull.vert", "solid_box.frag"))
    handed = shader_source.with_flat_uniforms(vertex, fragment)
    assert [text.count("\n") for text in handed] == [text.count("\n") for text in (vertex, fragment)]
    assert handed[0].count("uniform vec3 extents;") == 1  # both stages declare it
    assert "uniform" not in handed[1].replace(shader_source.FLAT, "").replace("a uniform block", "")
    assert "flat in vec3 flat_axis_color[3];" in handed[1]
    assert "flat in vec4 flat_key_light;" in handed[1]  # of the eye's block


def test_a_graphics_card_gets_the_shaders_as_they_are_written() -> None:
    """With them as flat inputs, NVIDIA's driver drew painted meshes in glaring white and black."""
    sources = []
    card = SimpleNamespace(
        info={"GL_RENDERER": "NVIDIA H200/PCIe/SSE2"}, program=lambda **given: sources.append(given["fragment_shader"])
    )
    shader_source.program(card, "mesh_body.vert", "mesh_body.frag")
    assert sources == [shader_source.expand("mesh_body.frag")[0]]


@pytest.mark.parametrize("name", ["grid_color", "reach"])
def test_a_uniform_handed_over_is_set_by_its_own_name(gl, name: str) -> None:
    assert name in shader_source.program(gl, "plane.vert", "plane.frag")


@pytest.mark.parametrize(
    ("vertex", "fragment"),
    [
        ("plane.vert", "plane.frag"),
        ("hull.vert", "shell.frag"),
        ("hull.vert", "constraints.frag"),
        ("mesh_body.vert", "mesh_body.frag"),
        *(("hull.vert", kind.fragment) for kind in SOLIDS.values()),
    ],
)
def test_what_is_handed_over_passes_the_reference_compiler(vertex: str, fragment: str, tmp_path: Path) -> None:
    handed = shader_source.with_flat_uniforms(shader_source.expand(vertex)[0], shader_source.expand(fragment)[0])
    files = [tmp_path / "stage.vert", tmp_path / "stage.frag"]
    for file, text in zip(files, handed, strict=True):
        file.write_text(text)
    result = subprocess.run(["glslangValidator", "-l", *map(str, files)], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
