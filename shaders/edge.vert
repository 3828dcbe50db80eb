#version 330 core
// An edge of the convex body, one instance each: drawn where one of the two faces that meet there is seen.
#include "include/eye.glsl"
#include "include/to_screen.glsl"
#include "include/screen_line.glsl"
uniform mat3 world_from_body;
uniform vec3 edge_color;
uniform float width;             // px

in vec3 start;
in vec3 end;
in vec3 normal_a;
in vec3 normal_b;

flat out vec4 line;              // as in segment.vert
flat out vec2 line_depths;
flat out vec4 stroke;
flat out vec2 shape;
flat out float roundness;
flat out float casing;
flat out vec4 dashes;

void main() {
    vec3 from_world = world_from_body * start, to_world = world_from_body * end;
    vec3 to_eye = eye_world.xyz - 0.5 * (from_world + to_world);
    bool seen = dot(world_from_body * normal_a, to_eye) > 0.0 || dot(world_from_body * normal_b, to_eye) > 0.0;
    vec4 from_clip = clip_from_world * vec4(from_world, 1.0), to_clip = clip_from_world * vec4(to_world, 1.0);
    vec4 a = in_front(from_clip, to_clip), b = in_front(to_clip, from_clip);
    vec2 from = to_screen(a), to = to_screen(b);
    float span = length(to - from);
    vec2 u = span > 1e-3 ? (to - from) / span : vec2(1.0, 0.0);
    float pad = 0.5 * width;

    line = vec4(from - pad * u, u);
    line_depths = vec2(window_depth(a), window_depth(b));
    stroke = vec4(edge_color, 1.0);
    shape = vec2(span + 2.0 * pad, 0.5 * width);
    roundness = 0.0;
    casing = 0.0;
    dashes = vec4(0.0, 0.0, 1.0, 1.0);
    bool at_end = (gl_VertexID & 1) == 1;
    float across = ((gl_VertexID & 2) == 2 ? 1.0 : -1.0) * (pad + feather());
    vec4 at = moved(at_end ? b : a, (at_end ? pad : -pad) * u + across * vec2(-u.y, u.x));
    gl_Position = seen ? at : vec4(2.0, 2.0, 2.0, 1.0);
}
