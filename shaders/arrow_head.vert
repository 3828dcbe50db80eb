#version 330 core
// The head of an arrow, a cone that keeps its size on the screen: a square that holds it, facing the eye.
#include "include/eye.glsl"
#include "include/screen_line.glsl"
#include "include/arrow.glsl"
in vec3 start;
in vec3 end;
in vec4 stroke_color;
in vec2 size;                    // px: width of the stroke, length of the arrow's head (0: none)

flat out mat3 world_from_head;   // columns: two directions across the cone and the one to its tip, over its extents
flat out float eye_depth;
flat out vec4 ink;
out vec3 at;                     // the fragment in coordinates where the cone is x^2 + y^2 = z^2, z = 0..1
out vec3 ray;                    // from the eye to it

void main() {
    float head = head_length(start, end, size.y);
    float radius = HEAD_RADIUS * head;
    vec3 axis = normalize(end - start);
    vec3 across = normalize(cross(axis, abs(axis.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
    world_from_head = mat3(across / radius, cross(axis, across) / radius, axis / head);

    vec3 middle = end - 0.5 * head * axis;
    float reach = 0.62 * head + 2.0 * feather() * metres_per_pixel(middle);
    vec3 right = screen_direction(0), up = screen_direction(1);
    vec3 corner = middle + reach * (float((gl_VertexID & 1) * 2 - 1) * right + float((gl_VertexID & 2) - 1) * up);

    at = vec3(1.0, 1.0, -1.0) * ((corner - end) * world_from_head);
    ray = vec3(1.0, 1.0, -1.0) * ((corner - eye_world.xyz) * world_from_head);
    eye_depth = (clip_from_world * vec4(eye_world.xyz, 1.0)).z;
    ink = stroke_color;
    gl_Position = size.y > 0.0 ? clip_from_world * vec4(corner, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
