#version 330 core
// The touching point: a square on the screen around it.
#include "include/eye.glsl"
#include "include/place.glsl"
#include "include/screen_line.glsl"
uniform vec3 centre;
uniform float radius;            // px

flat out vec2 middle;            // px on the screen

void main() {
    vec2 offset = (radius + 3.0) * vec2((gl_VertexID & 1) * 2 - 1, (gl_VertexID & 2) - 1);
    vec4 clip = clip_from_world * vec4(centre, 1.0);
    clip.z -= 2e-4 * clip.w;
    middle = to_screen(clip);
    gl_Position = moved(clip, offset);
}
