#version 330 core
// A disc of the invariable plane around the foot of L, as a fan.
#include "include/eye.glsl"
#include "include/place.glsl"
uniform vec3 centre;
uniform mat3 world_from_plane;   // columns: two directions in the plane, its normal
uniform mat3 world_from_body;
uniform vec3 semi_axes;          // of the ellipsoid, m
uniform float gap_scale;         // m over which the shadow fades
uniform float reach;             // radius of the disc, m

const int SIDES = 32;

flat out mat3 plane_ray_from_pixel;   // along the two directions in the plane and its normal, m
flat out vec3 eye_plane;         // the eye there, from the foot of L
flat out mat3 ellipsoid_from_plane;    // from a point (x, y, 1) to coordinates in which the ellipsoid is the unit sphere
flat out vec3 normal_in_ellipsoid;
flat out vec2 squares;           // its square; 1 over that and over the gap at which the shadow fades, 1/m

void main() {
    float around = 6.2831853 * float(gl_VertexID - 1) / float(SIDES);
    vec2 plane_position = gl_VertexID == 0 ? vec2(0.0) : 1.005 * reach * vec2(cos(around), sin(around));
    vec3 world = centre + world_from_plane * vec3(plane_position, 0.0);
    mat3 plane_from_world = transpose(world_from_plane);
    plane_ray_from_pixel = plane_from_world * ray_from_pixel;
    eye_plane = plane_from_world * (eye_world.xyz - centre);
    ellipsoid_from_plane = mat3(
        (world_from_plane[0] * world_from_body) / semi_axes,
        (world_from_plane[1] * world_from_body) / semi_axes,
        (centre * world_from_body) / semi_axes
    );
    normal_in_ellipsoid = (world_from_plane[2] * world_from_body) / semi_axes;
    float a = dot(normal_in_ellipsoid, normal_in_ellipsoid);
    squares = vec2(a, 1.0 / (a * gap_scale));
    gl_Position = in_tile(clip_from_world * vec4(world, 1.0));
}
