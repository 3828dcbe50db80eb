#version 330 core
// A polyhedron around a quadric; the fragment stage finds the surface inside it.
#include "include/eye.glsl"
uniform mat3 world_from_body;
uniform vec3 extents;            // of the quadric along the body axes, m

in vec3 corner;
flat out vec3 eye_unit;
flat out float eye_depth;
out vec3 ray_unit;

void main() {
    eye_unit = (eye_world.xyz * world_from_body) / extents;
    eye_depth = (clip_from_world * vec4(eye_world.xyz, 1.0)).z;
    ray_unit = corner - eye_unit;
    gl_Position = clip_from_world * vec4(world_from_body * (corner * extents), 1.0);
}
