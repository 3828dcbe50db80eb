#version 330 core
// An edge of a mesh, one instance each.
#include "include/eye.glsl"
#include "include/to_screen.glsl"
#include "include/screen_line.glsl"
#include "include/edge_line.glsl"
uniform mat3 world_from_body;

in vec3 start;
in vec3 end;
in float least_gap;              // m: how far behind it the surface must lie on one side for it to be drawn

flat out float gap;

void main() {
    gap = least_gap;
    gl_Position = edge_line(world_from_body * start, world_from_body * end);
}
