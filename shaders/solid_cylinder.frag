#version 330 core
// The body as a cylinder about its z axis, ray-cast with its two rims: caps marked by z, the side by x and y.
#pragma flat uniforms
#include "include/eye.glsl"
#include "include/pixel.glsl"
#include "include/quadric.glsl"
#include "include/surface.glsl"
#include "include/material.glsl"
#include "include/cylinder.glsl"
uniform mat3 world_from_body;
uniform vec3 extents;
uniform vec3 edge_color;

out vec4 color;

// A point of the body as the grain has it: metal was brushed as it turned.
vec3 turned(vec3 at) {
#if MATERIAL == 2
    return vec3(length(at.xy), at.z, 0.5 * at.x);
#else
    return at;
#endif
}

void main() {
    vec3 ray_unit = ray_here();
    Met met = meet(eye_unit, ray_unit, vec2(1.0));
    vec2 round_side = asin(clamp(met.unit.yx, -1.0, 1.0)) * extents.x;   // m along the side, from the x and the y axis
    float room = 1.4 * min(extents.x, extents.z);
    float up = met.unit.z * extents.z;
    vec3 r = vec3(length(vec2(round_side.x, up)) / room, length(vec2(round_side.y, up)) / room, met.rim / 1.3);
    vec3 soft = fwidth(r), place = grain_from_body * turned(met.unit * extents), soft_place = fwidth(place);
    if (max(met.cover, met.edge) <= 0.0 || too_near(met.t)) discard;

    vec3 mark = marks(r, soft, met.unit);
    vec2 here = step(abs(met.unit.yx), abs(met.unit.xy)) * mark.xy;
    vec3 paint = met.cap ? mix(body_color, axis_color[2], FACE_TINT) : body_color;
    vec3 ink = met.cap ? on_flat(axis_color[2]) : here.x < here.y ? axis_color[1] : axis_color[0];
    float marked = met.cap ? mark.z : max(here.x, here.y);
    vec3 to_eye = -normalize(world_from_body * (ray_unit * extents));
    vec3 normal = world_from_body * rounded(met, extents.xz);
    vec3 bulge = met.cap ? towards_light(world_from_body * vec3(met.unit.xy / max(met.rim, 1e-6), 0.0)) : vec3(0.0);
    vec3 shade = shaded(paint, ink, marked, place, soft_place, normal, dot(normal, to_eye), bulge);
    color = mix(painted(shade, met.cover, 1.0), vec4(edge_color, 1.0) * line_opacity, met.edge);
    gl_FragDepth = depth_at(met.t);
}
