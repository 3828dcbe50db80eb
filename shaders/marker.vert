#version 330 core
// The touching point: a square on the screen around it.
#include "include/eye.glsl"
#include "include/screen_line.glsl"
uniform vec3 centre;
uniform float radius;            // px

out vec2 offset;

void main() {
    offset = (radius + 3.0) * vec2((gl_VertexID & 1) * 2 - 1, (gl_VertexID & 2) - 1);
    vec4 clip = clip_from_world * vec4(centre, 1.0);
    clip.z -= 2e-4 * clip.w;
    gl_Position = moved(clip, offset);
}
