#version 330 core
// A disc of the invariable plane around the foot of L, as a fan.
#include "include/eye.glsl"
uniform vec3 centre;
uniform mat3 world_from_plane;   // columns: two directions in the plane, its normal
uniform mat3 world_from_body;
uniform vec3 semi_axes;          // of the ellipsoid, m
uniform float reach;             // radius of the disc, m

const int SIDES = 32;

out vec2 plane_position;         // m from the foot of L
out vec3 in_ellipsoid;           // the point in coordinates in which the ellipsoid is the unit sphere
flat out vec3 normal_in_ellipsoid;

void main() {
    float around = 6.2831853 * float(gl_VertexID - 1) / float(SIDES);
    plane_position = gl_VertexID == 0 ? vec2(0.0) : 1.005 * reach * vec2(cos(around), sin(around));
    vec3 world = centre + world_from_plane * vec3(plane_position, 0.0);
    in_ellipsoid = (world * world_from_body) / semi_axes;
    normal_in_ellipsoid = (world_from_plane[2] * world_from_body) / semi_axes;
    gl_Position = clip_from_world * vec4(world, 1.0);
}
