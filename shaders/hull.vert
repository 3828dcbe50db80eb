#version 330 core
// A polyhedron around a quadric; the fragment stage finds the surface inside it.
#include "include/eye.glsl"
#include "include/to_screen.glsl"
uniform mat3 world_from_body;
uniform vec3 extents;            // of the quadric along the body axes, m
uniform bool farthest;           // behind all that has a depth: covered where anything stands

in vec3 corner;
flat out vec3 eye_unit;
flat out vec3 per_extent;
flat out mat3 unit_ray_from_pixel;

void main() {
    per_extent = 1.0 / extents;
    mat3 body_ray_from_pixel = transpose(world_from_body) * ray_from_pixel;
    for (int i = 0; i < 3; i++) unit_ray_from_pixel[i] = body_ray_from_pixel[i] * per_extent;
    eye_unit = eye_world.xyz * world_from_body * per_extent;
    gl_Position = in_tile(clip_from_world * vec4(world_from_body * (corner * extents), 1.0));
    if (farthest) gl_Position.z = gl_Position.w;
}
