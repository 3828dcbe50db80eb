#version 330 core
// The body as a box.
#include "include/eye.glsl"
uniform mat3 world_from_body;
uniform vec3 extents;

in vec3 corner;
out vec3 body_position;

void main() {
    body_position = corner * extents;
    gl_Position = clip_from_world * vec4(world_from_body * body_position, 1.0);
}
