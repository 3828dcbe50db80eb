#version 330 core
// The part of a picture in which a mesh lies; the fragment stage paints what was found there.
#include "include/eye.glsl"
#include "include/to_screen.glsl"
uniform mat3 world_from_body;
uniform vec3 extents;            // the unit of the corners along the body axes, m
uniform vec4 around;             // left, bottom, right, top of it in the viewport, -1..1

flat out vec3 eye_unit;
flat out mat3 unit_ray_from_pixel;

void main() {
    vec3 per_extent = 1.0 / extents;
    mat3 body_ray_from_pixel = transpose(world_from_body) * ray_from_pixel;
    for (int i = 0; i < 3; i++) unit_ray_from_pixel[i] = body_ray_from_pixel[i] * per_extent;
    eye_unit = eye_world.xyz * world_from_body * per_extent;
    from_tile = vec4(origin.xy, depths.xy);
    gl_Position = vec4(mix(around.xy, around.zw, vec2(gl_VertexID & 1, gl_VertexID >> 1)), 1.0, 1.0);
}
