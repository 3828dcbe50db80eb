#version 330 core
// The triangles of a mesh.
#include "include/eye.glsl"
#include "include/to_screen.glsl"
uniform mat3 world_from_body;
uniform vec3 extents;            // the unit of the corners along the body axes, m

in vec3 corner;

out vec3 place;                  // m in the body

void main() {
    place = corner * extents;
    gl_Position = in_tile(clip_from_world * vec4(world_from_body * place, 1.0));
}
