#version 330 core
// The body as an ellipsoid, ray-cast: no facets, anti-aliased silhouette, right depth.
#pragma flat uniforms
#include "include/eye.glsl"
#include "include/pixel.glsl"
#include "include/quadric.glsl"
#include "include/surface.glsl"
#include "include/material.glsl"
uniform mat3 world_from_body;
uniform vec3 extents;

out vec4 color;

void main() {
    vec3 ray_unit = ray_here();
    vec3 hit = chord(eye_unit, ray_unit);
    float cover = coverage(hit.x);
    float t = hit.y - hit.z;
    vec3 unit = eye_unit + t * ray_unit;
    vec3 soft = fwidth(unit);
    vec3 r = sqrt(max(1.0 - unit * unit, 0.0));
    vec3 soft_r = fwidth(r), place = grain_from_body * (unit * extents), soft_place = fwidth(place);
    if (cover <= 0.0 || too_near(t)) discard;

    vec3 paint = sectioned(body_color, unit, soft);
    vec3 mark = marks(r, soft_r, unit) * step(0.5, abs(unit));
    vec3 ink = mix(mix(axis_color[0], axis_color[1], step(mark.x, mark.y)), axis_color[2], step(max(mark.x, mark.y), mark.z));
    float marked = max(mark.x, max(mark.y, mark.z));

    vec3 normal = normalize(world_from_body * (unit * per_extent));
    vec3 to_eye = -normalize(world_from_body * (ray_unit * extents));
    float facing = dot(normal, to_eye);
    vec3 light = shaded(paint, ink, marked, place, soft_place, normal, facing, vec3(0.0));
    color = painted(light, cover, facing);
    gl_FragDepth = depth_at(t);
}
