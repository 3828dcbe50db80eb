#version 330 core
// The head of an arrow, a cone that keeps its size on the screen: a square that holds it, facing the eye.
#include "include/eye.glsl"
#include "include/to_screen.glsl"
#include "include/screen_line.glsl"
#include "include/arrow.glsl"
uniform float casing_width;      // px

in vec3 start;
in vec3 end;
in vec4 stroke_color;
in vec2 size;                    // px: width of the stroke, length of the arrow's head (0: none)

flat out mat3 world_from_head;   // columns: two directions across the cone and the one to its tip, over its extents
flat out vec4 ink;
flat out vec2 middle;            // px: of the square
flat out float fraction;         // of its distance: clip w there over that at parameter 1
flat out mat3 cone_from_screen;  // from px from the middle (x, y, 1) to where the cone is x^2 + y^2 = z^2, z = 0..1
flat out vec3 eye_in_cone;       // the eye there

void main() {
    float head = head_length(start, end, size.y);
    float radius = HEAD_RADIUS * head;
    vec3 axis = normalize(end - start);
    vec3 across = normalize(cross(axis, abs(axis.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
    world_from_head = mat3(across / radius, cross(axis, across) / radius, axis / head);
    mat3 cone_from_world = transpose(mat3(world_from_head[0], world_from_head[1], -world_from_head[2]));

    vec3 half_way = -0.5 * head * axis;                // from the tip
    vec4 clip = clip_from_world * vec4(end + half_way, 1.0);
    middle = to_screen(clip);
    fraction = clip.w / depths.z;
    cone_from_screen = cone_from_world * mat3(fraction / origin.z * ray_from_pixel[0], fraction / origin.w * ray_from_pixel[1], half_way);
    eye_in_cone = cone_from_world * (eye_world.xyz - end);
    ink = stroke_color;

    float reach = 0.62 * head / metres_per_pixel(end + half_way) + 2.0 * feather() + casing_width;
    vec2 corner = reach * vec2((gl_VertexID & 1) * 2 - 1, (gl_VertexID & 2) - 1);
    gl_Position = size.y > 0.0 ? moved(clip, corner) : vec4(2.0, 2.0, 2.0, 1.0);
}
