#version 330 core
// The body as a T of two round bars, ray-cast: crossbar along x, and down from its axis the handle along -z.
// The crossbar's caps are marked by x, its side by y and z, the handle's cap by z; a band stands before each cap.
#pragma flat uniforms
#include "include/eye.glsl"
#include "include/pixel.glsl"
#include "include/quadric.glsl"
#include "include/surface.glsl"
#include "include/material.glsl"
#include "include/cylinder.glsl"
uniform mat3 world_from_body;
uniform vec3 extents;            // of the hull
uniform vec3 half_extents;       // of the T, m: half the crossbar, radius, half the height
uniform float bar;               // z of the crossbar's axis, m
uniform vec3 edge_color;

out vec4 color;

const float SEAM = 0.6;          // opacity of the line where the bars meet, of an edge's
const vec3 BAND = vec3(1.5, 0.65, 0.22);   // of a radius: its middle before the cap, its width, that of its outline

// A band around a bar, `away` radii before its cap: full, or hollow at the negative end of an axis.
float band(float away, bool hollow) {
    float soft = max(fwidth(away), 1e-6), from = abs(away - BAND.x);
    float full = clamp((0.5 * BAND.y - from) / soft + 0.5, 0.0, 1.0);
    float hole = clamp((0.5 * BAND.y - BAND.z - from) / soft + 0.5, 0.0, 1.0);
    return hollow ? full - hole : full;
}

// The colour, premultiplied, of a bar; `local`: its axes in the body, `size`: as in cylinder.glsl, `mark`: what stands on
// its side and how much of it that covers, `end`: the colour of its cap's axis. `place`, `soft`: as of `shaded`.
vec4 of_bar(Met met, mat3 local, vec2 size, vec4 mark, vec3 end, float soft_rim, vec3 place, vec3 soft, vec3 to_eye) {
    vec3 normal = world_from_body * (local * rounded(met, size)), paint = body_color, bulge = vec3(0.0);
    if (met.cap) {
        paint = mix(paint, end, FACE_TINT);
        mark = vec4(on_flat(end), marks(vec3(9.0, 9.0, met.rim / 1.3), vec3(soft_rim), vec3(0.0, 0.0, -met.upwards)).z);
        bulge = towards_light(world_from_body * (local * vec3(met.unit.xy / max(met.rim, 1e-6), 0.0)));
    }
    vec3 light = shaded(paint, mark.rgb, mark.a, place, soft, normal, dot(normal, to_eye), bulge);
    return mix(painted(light, met.cover, 1.0), vec4(edge_color, 1.0) * line_opacity, met.edge);
}

void main() {
    float radius = half_extents.y, handle = half_extents.z - 0.5 * radius;   // half of its length
    vec3 eye = eye_unit * extents, unit_ray = ray_here(), ray = unit_ray * extents;
    vec3 at_bar = eye - vec3(0.0, 0.0, bar), at_handle = eye - vec3(0.0, 0.0, bar - handle);
    vec3 cross_scale = vec3(radius, radius, half_extents.x), handle_scale = vec3(radius, radius, handle);
    Met a = meet(at_bar.yzx / cross_scale, ray.yzx / cross_scale, vec2(1.0));
    Met b = meet(at_handle / handle_scale, ray / handle_scale, vec2(0.0, 1.0));   // its upper rim lies in the crossbar

    vec2 turn = asin(clamp(a.unit.yx, -1.0, 1.0));    // around the crossbar, radians from the y and the z axis
    float along = a.unit.z * half_extents.x / radius;
    vec3 r = vec3(a.rim / 1.3, length(vec2(turn.x, along)) / 1.5, length(vec2(turn.y, along)) / 1.5);
    vec3 soft = fwidth(r);
    float soft_b = fwidth(b.rim / 1.3);
    float at_end = band((1.0 - abs(a.unit.z)) * half_extents.x / radius, a.unit.z < 0.0);
    float at_foot = band((1.0 + b.unit.z) * handle / radius, true);
    vec3 place_a = grain_from_body * (a.unit * cross_scale), place_b = grain_from_body * (b.unit * handle_scale);
    vec3 soft_place_a = fwidth(place_a), soft_place_b = fwidth(place_b);
    float apart = b.side - a.side, soft_t = max(fwidth(apart), 1e-6);   // they meet with their sides
    if (max(max(a.cover, a.edge), max(b.cover, b.edge)) <= 0.0) discard;

    vec3 to_eye = -normalize(world_from_body * ray);
    vec3 side = marks(r, soft, vec3(0.0, a.unit.x, a.unit.y));
    side.yz *= step(abs(a.unit.yx), abs(a.unit.xy));
    vec4 mark = side.y < side.z ? vec4(axis_color[2], side.z) : vec4(axis_color[1], side.y);
    if (at_end > mark.a) mark = vec4(axis_color[0], at_end);
    vec4 crossbar = of_bar(
        a, mat3(0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0), cross_scale.yz, mark, axis_color[0], soft.x,
        place_a, soft_place_a, to_eye
    );
    vec4 grip = of_bar(
        b, mat3(1.0), handle_scale.yz, vec4(axis_color[2], at_foot), axis_color[2], soft_b, place_b, soft_place_b, to_eye
    );

    float seam = b.cap ? 0.0 : SEAM * clamp(0.5 * edge_width + 0.5 - abs(apart) / soft_t, 0.0, 1.0) * crossbar.a * grip.a;
    float first = clamp(0.5 + (b.near - a.near) / soft_t, 0.0, 1.0);   // how much of the pixel has the crossbar in front
    color = mix(grip + (1.0 - grip.a) * crossbar, crossbar + (1.0 - crossbar.a) * grip, first);
    color = mix(color, vec4(edge_color, 1.0) * color.a, seam);
    float a_here = max(a.cover, a.edge), b_here = max(b.cover, b.edge);
    float t = a_here > 0.0 && (b_here <= 0.0 || a.t < b.t) ? a.t : b.t;
    if (too_near(t)) discard;
    gl_FragDepth = depth_at(t);
}
