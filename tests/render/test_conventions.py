"""One vector through a real shader: our matrices and pyrr's projection mean in GLSL what they mean in numpy."""

import math

import moderngl
import numpy as np

from viewer.physics.rotation import rotation_matrix
from viewer.render import shader_source
from viewer.render.program import Program, uniforms_of
from viewer.render.renderer import Renderer
from viewer.scenario.scenario import Scenario
from viewer.scene.build import build_frame
from viewer.scene.camera.camera import look, projection
from viewer.scene.presentation import Display, Presentation
from viewer.session.session import Session

ROTATE = "#version 330 core\nuniform mat3 turn;\nuniform vec3 v;\nout vec3 result;\nvoid main() { result = turn * v; }"
PROJECT = "#version 330 core\nuniform mat4 m;\nuniform vec4 v;\nout vec4 result;\nvoid main() { result = m * v; }"


def run(gl: moderngl.Context, source: str, count: int, **uniforms: object) -> np.ndarray:
    shader = Program.__new__(Program)
    shader.program = gl.program(vertex_shader=source, varyings=["result"])
    shader._uniforms, shader._written, shader._given = uniforms_of(shader.program), {}, {}
    shader.set(**uniforms)
    target = gl.simple_framebuffer((1, 1))
    target.use()
    out = gl.buffer(reserve=4 * count)
    gl.vertex_array(shader.program, []).transform(out, moderngl.POINTS, vertices=1)
    return np.frombuffer(out.read(), dtype=np.float32)


def test_a_quarter_turn_about_z_takes_x_to_y(gl) -> None:
    half = math.sqrt(0.5)
    turn = rotation_matrix(np.array([half, 0.0, 0.0, half]))
    np.testing.assert_allclose(turn @ [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], atol=1e-15)
    np.testing.assert_allclose(run(gl, ROTATE, 3, turn=turn, v=(1.0, 0.0, 0.0)), [0.0, 1.0, 0.0], atol=1e-7)


def test_the_camera_chain_gives_the_same_clip_position(gl) -> None:
    camera = look(np.eye(3), np.array([0.1, 0.2, 0.3]), 1.0, 2.0, 3.0, 0.4)
    clip = projection(0.4, 1.5, 0.5, 9.0, 0.02, 3.0) @ camera.view_from_world(0.02)
    point = np.array([0.3, -0.2, 0.4, 1.0])
    shader_result = run(gl, PROJECT, 4, m=clip.T.ravel(), v=point)
    np.testing.assert_allclose(shader_result, clip @ point, rtol=2e-6)


def test_unused_uniforms_are_passed_over_and_equal_values_are_not_written_again(gl) -> None:
    shader = Program.__new__(Program)
    shader.program = gl.program(vertex_shader=ROTATE, varyings=["result"])
    shader._uniforms, shader._written, shader._given = uniforms_of(shader.program), {}, {}
    shader.set(v=(1.0, 2.0, 3.0), nowhere=1.0)
    elsewhere = np.array([4.0, 5.0, 6.0], np.float32).tobytes()
    shader.program["v"].write(elsewhere)  # behind its back: a second write would be seen
    shader.set(v=(1.0, 2.0, 3.0))
    assert shader.program["v"].read() == elsewhere
    shader.set(v=(1.0, 2.0, 3.5))
    assert np.frombuffer(shader.program["v"].read(), np.float32).tolist() == [1.0, 2.0, 3.5]


def test_what_was_set_before_a_program_is_compiled_is_in_it(gl) -> None:
    shader = Program(gl, "fullscreen.vert", "background.frag")
    shader.set(aspect=3.0, nowhere=1.0)
    shader.set(aspect=1.5)
    assert np.frombuffer(shader.program["aspect"].read(), np.float32).tolist() == [1.5]


def test_programs_are_compiled_for_what_a_picture_shows_alone(gl, monkeypatch) -> None:
    compiled, program = [], shader_source.program

    def noted(ctx, vertex, fragment, constants=None):
        compiled.append(fragment)
        return program(ctx, vertex, fragment, constants)

    monkeypatch.setattr(shader_source, "program", noted)
    renderer = Renderer(gl)
    assert compiled == []
    for labels in (False, True):
        session = Session(Scenario.preset("box-80kg").with_value("show.labels", labels), playing=False)
        renderer.draw(build_frame(session.snapshot(), Presentation.of(session.scenario), Display((64, 48))))
        assert ("glyph.frag" in compiled) == labels
    assert len(compiled) == len(set(compiled)) + 3  # segment, shell and plane: each in two forms
    renderer.release()
