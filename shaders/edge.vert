#version 330 core
// An edge of the convex body, one instance each: drawn where one of the two faces that meet there is seen; of its outline
// where the other one is not.
#include "include/eye.glsl"
#include "include/to_screen.glsl"
#include "include/screen_line.glsl"
#include "include/edge_line.glsl"
uniform mat3 world_from_body;
uniform bool outline_only;
uniform float lift;              // m, nearer to the eye than the faces that meet there

in vec3 start;
in vec3 end;
in vec3 normal_a;
in vec3 normal_b;

void main() {
    vec3 from_world = world_from_body * start, to_world = world_from_body * end;
    vec3 to_eye = eye_world.xyz - 0.5 * (from_world + to_world);
    bool a_seen = dot(world_from_body * normal_a, to_eye) > 0.0, b_seen = dot(world_from_body * normal_b, to_eye) > 0.0;
    bool seen = outline_only ? a_seen != b_seen : a_seen || b_seen;
    from_world += lift * normalize(eye_world.xyz - from_world);
    to_world += lift * normalize(eye_world.xyz - to_world);
    vec4 at = edge_line(from_world, to_world);
    gl_Position = seen ? at : vec4(2.0, 2.0, 2.0, 1.0);
}
