#version 330 core
// A part of the invariable plane around the foot of L: a disc, as a fan, or the ring around it, as a strip.
#include "include/eye.glsl"
#include "include/to_screen.glsl"
uniform vec3 centre;
uniform mat3 world_from_plane;   // columns: two directions in the plane, its normal
uniform mat3 world_from_body;
uniform vec3 semi_axes;          // of the ellipsoid, m
uniform float gap_scale;         // m over which the shadow fades
uniform vec2 between;            // the inner and the outer corners' distance from the foot, m; a disc has no inner ones

const int SIDES = 32;            // as in viewer/render/surfaces.py

invariant gl_Position;           // the two parts share an edge
flat out vec3 sector;            // of a triangle: cosine and sine of its middle's angle, and that angle

flat out mat3 plane_from_pixel;  // from a pixel to the point of the plane, (x, y) over z: m from the foot of L
// Of the line upright on the plane through a point (x, y, 1) of it, in coordinates in which the ellipsoid is the unit sphere:
flat out vec3 along;             // the point times the line's direction, as a form of it
flat out vec3 squared;           // square of the point less 1, as a form: of 1, x, y
flat out vec3 mixed;             // .. of xx, yy, xy
flat out vec2 direction;         // square of the line's direction; 1 over that and the gap over which the shadow fades

void main() {
    const float SIDE = 6.2831853 / float(SIDES);
    bool disc = between.x == 0.0;
    int corner = (disc ? gl_VertexID - 1 : gl_VertexID / 2) % SIDES;
    float radius = disc ? (gl_VertexID == 0 ? 0.0 : between.y) : (gl_VertexID % 2 == 0 ? between.x : between.y);
    float around = SIDE * float(corner), middle = around - 0.5 * SIDE;   // of a triangle the last corner counts
    vec2 plane_position = radius * vec2(cos(around), sin(around));
    sector = vec3(cos(middle), sin(middle), middle);
    vec3 world = centre + world_from_plane * vec3(plane_position, 0.0);
    vec3 eye = (eye_world.xyz - centre) * world_from_plane;
    for (int i = 0; i < 3; i++) {
        vec3 ray = ray_from_pixel[i] * world_from_plane;
        plane_from_pixel[i] = vec3(eye.xy * ray.z - eye.z * ray.xy, ray.z);
    }
    vec3 x = world_from_plane[0] * world_from_body / semi_axes, y = world_from_plane[1] * world_from_body / semi_axes;
    vec3 n = world_from_plane[2] * world_from_body / semi_axes, foot = centre * world_from_body / semi_axes;
    along = vec3(dot(x, n), dot(y, n), dot(foot, n));
    squared = vec3(dot(foot, foot) - 1.0, 2.0 * dot(foot, x), 2.0 * dot(foot, y));
    mixed = vec3(dot(x, x), dot(y, y), 2.0 * dot(x, y));
    direction = vec2(dot(n, n), 1.0 / (dot(n, n) * gap_scale));
    gl_Position = in_tile(clip_from_world * vec4(world, 1.0));
}
