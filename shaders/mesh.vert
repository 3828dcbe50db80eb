#version 330 core
// The triangles of a mesh.
#include "include/eye.glsl"
#include "include/to_screen.glsl"
uniform mat3 world_from_body;
uniform vec3 extents;            // the unit of the corners along the body axes, m

in vec3 corner;

void main() {
    gl_Position = in_tile(clip_from_world * vec4(world_from_body * (corner * extents), 1.0));
}
