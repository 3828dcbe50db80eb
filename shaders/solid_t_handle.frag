#version 330 core
// The body as a T of two round bars of metal, ray-cast: crossbar along x, and down from its axis the handle along -z.
// The crossbar's caps are marked by x, its side by y and z, the handle's cap by z; a band stands before each cap.
#include "include/eye.glsl"
#include "include/pixel.glsl"
#include "include/quadric.glsl"
#include "include/surface.glsl"
#include "include/cylinder.glsl"
uniform mat3 world_from_body;
uniform vec3 extents;            // of the hull
uniform vec3 half_extents;       // of the T, m: half the crossbar, radius, half the height
uniform float bar;               // z of the crossbar's axis, m
uniform vec3 edge_color;

out vec4 color;

const float SEAM = 0.6;          // opacity of the line where the bars meet, of an edge's
const vec3 BAND = vec3(1.5, 0.65, 0.22);   // of a radius: its middle before the cap, its width, that of its outline

// Brushed steel, little darker than paint: what it mirrors is a dark ground that is darkest at the horizon, a bright sky
// and the key light. Seen as from the middle of both eyes, far away: the same to both, and no glint runs along a bar.
vec3 steel() {
    return 0.87 * dot(body_color, vec3(0.2126, 0.7152, 0.0722)) * vec3(0.99, 1.0, 1.01);
}

vec3 mirrored(vec3 normal) {
    float height = dot(reflect(camera_forward.xyz, normal), key_light.xyz);   // of the place mirrored, towards the key
    float ground = mix(0.70, 0.28, smoothstep(-0.9, 0.05, height));
    float sky = mix(0.82, 1.22, smoothstep(0.1, 0.95, height));
    float glint = pow(max(height, 0.0), 32.0);
    return steel() * mix(ground, sky, smoothstep(-0.2, 0.3, height)) * mix(0.95, 1.25, ambient) + 0.42 * glint;
}

// `paint`: the colour, and how much of it covers the metal.
vec3 metal(vec4 paint, vec3 normal, float facing) {
    vec3 bare = mix(lit(steel(), normal, facing), mirrored(normal), 0.8);
    return mix(bare, lit(paint.rgb, normal, facing), paint.a);
}

// A band around a bar, `away` radii before its cap: full, or hollow at the negative end of an axis.
float band(float away, bool hollow) {
    float soft = max(fwidth(away), 1e-6), from = abs(away - BAND.x);
    float full = clamp((0.5 * BAND.y - from) / soft + 0.5, 0.0, 1.0);
    float hole = clamp((0.5 * BAND.y - BAND.z - from) / soft + 0.5, 0.0, 1.0);
    return hollow ? full - hole : full;
}

// The colour, premultiplied, of a bar; `local`: its axes in the body, `size`: as in cylinder.glsl.
vec4 shaded(Met met, mat3 local, vec2 size, vec4 paint, vec3 to_eye) {
    vec3 normal = world_from_body * (local * rounded(met, size));
    return mix(painted(metal(paint, normal, dot(normal, to_eye)), met.cover, 1.0), vec4(edge_color, 1.0) * line_opacity, met.edge);
}

vec4 on_cap(vec3 ink, Met met, float soft) {
    vec3 end = vec3(0.0, 0.0, -met.upwards);
    float mark = marks(vec3(9.0, 9.0, met.rim / 1.3), vec3(soft), end).z;
    return vec4(mix(mix(steel(), ink, 0.38), on_flat(ink), mark), 1.0);
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
    float apart = b.side - a.side, soft_t = max(fwidth(apart), 1e-6);   // they meet with their sides
    if (max(max(a.cover, a.edge), max(b.cover, b.edge)) <= 0.0) discard;

    vec3 to_eye = -normalize(world_from_body * ray);
    vec3 side = marks(r, soft, vec3(0.0, a.unit.x, a.unit.y));
    vec2 here = step(abs(a.unit.yx), abs(a.unit.xy));
    vec4 bare = vec4(steel(), 0.0);
    vec4 paint = mix(mix(bare, vec4(axis_color[1], 1.0), side.y * here.x), vec4(axis_color[2], 1.0), side.z * here.y);
    paint = mix(paint, vec4(axis_color[0], 1.0), at_end);
    vec4 crossbar = shaded(
        a, mat3(0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0), cross_scale.yz,
        a.cap ? on_cap(axis_color[0], a, soft.x) : paint, to_eye
    );
    vec4 stick = mix(bare, vec4(axis_color[2], 1.0), at_foot);
    vec4 grip = shaded(b, mat3(1.0), handle_scale.yz, b.cap ? on_cap(axis_color[2], b, soft_b) : stick, to_eye);

    float seam = b.cap ? 0.0 : SEAM * clamp(0.5 * edge_width + 0.5 - abs(apart) / soft_t, 0.0, 1.0) * crossbar.a * grip.a;
    float first = clamp(0.5 + (b.near - a.near) / soft_t, 0.0, 1.0);   // how much of the pixel has the crossbar in front
    color = mix(grip + (1.0 - grip.a) * crossbar, crossbar + (1.0 - crossbar.a) * grip, first);
    color = mix(color, vec4(edge_color, 1.0) * color.a, seam);
    float a_here = max(a.cover, a.edge), b_here = max(b.cover, b.edge);
    float t = a_here > 0.0 && (b_here <= 0.0 || a.t < b.t) ? a.t : b.t;
    if (too_near(t)) discard;
    gl_FragDepth = depth_at(t);
}
