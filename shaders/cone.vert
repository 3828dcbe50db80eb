#version 330 core
// The surface of a cone from the origin to a curve: a triangle for each piece of the curve.
#include "include/eye.glsl"
#include "include/to_screen.glsl"
uniform mat3 world_from_points;
uniform float facing;            // 1: the triangles seen from outside, -1: those seen from inside

in vec3 corner;
in vec3 outward;                 // normal of the triangle
flat out vec3 normal;            // .. in the world

void main() {
    normal = world_from_points * outward;
    gl_Position = in_tile(clip_from_world * vec4(world_from_points * corner, 1.0));
    if (facing * dot(normal, eye_world.xyz) <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);   // not drawn
}
