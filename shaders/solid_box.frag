#version 330 core
// The body as a box, ray-cast: a face tinted by its axis, with the axis' mark in the middle.
#pragma flat uniforms
#include "include/eye.glsl"
#include "include/pixel.glsl"
#include "include/quadric.glsl"
#include "include/surface.glsl"
#include "include/material.glsl"
uniform mat3 world_from_body;
uniform vec3 extents;
uniform float bevel;             // m: so wide edges catch light as if they were rounded

out vec4 color;

void main() {
    vec3 ray_unit = ray_here();
    vec3 slope = 1.0 / (ray_unit + 1e-20), middle = -eye_unit * slope;
    vec3 enters = middle - abs(slope), leaves = middle + abs(slope);   // the space between each two faces
    float t = max(enters.x, max(enters.y, enters.z));
    vec3 on_face = step(t, enters);
    vec3 unit = eye_unit + t * ray_unit;
    vec3 body_position = unit * extents;
    vec3 room = 1.5 * min(extents.yzx, extents.zxy);
    vec3 r = sqrt(dot(body_position, body_position) - body_position * body_position) / room;
    vec3 soft = fwidth(r), place = grain_from_body * body_position, soft_place = fwidth(place);
    if (t > min(leaves.x, min(leaves.y, leaves.z)) || too_near(t)) discard;

    vec3 mark = marks(r, soft, unit) * on_face;
    vec3 tint = on_face.x * axis_color[0] + on_face.y * axis_color[1] + on_face.z * axis_color[2];
    vec3 paint = mix(body_color, tint, FACE_TINT);

    vec3 past = max(abs(body_position) - extents + bevel, 0.0) * (1.0 - on_face) + max(bevel, 1e-6) * on_face;
    vec3 normal = world_from_body * normalize(sign(unit) * past);
    vec3 to_eye = normalize(eye_world.xyz - world_from_body * body_position);
    vec3 bulge = world_from_body * (unit - on_face * unit) * BULGE;
    float marked = max(mark.x, max(mark.y, mark.z));
    vec3 light = shaded(paint, on_flat(tint), marked, place, soft_place, normal, dot(normal, to_eye), bulge);
    color = painted(light, 1.0, 1.0);
    gl_FragDepth = depth_at(t);
}
