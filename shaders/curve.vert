#version 330 core
// A joined strip along points held in a texture, two vertices a point. The points may lie in a ring; the newest point
// of all comes as a uniform.
#include "include/eye.glsl"
#include "include/screen_line.glsl"
const int TEXTURE_SHIFT = 10, TEXTURE_WIDTH = 1 << TEXTURE_SHIFT;   // as in viewer/render/lines.py
uniform sampler2D points;        // rgb: position, a: time
uniform int capacity;            // of the ring
uniform int first;               // running number of the first point drawn
uniform int count;               // points drawn, the newest included
uniform bool closed;
uniform vec4 newest;             // replaces the last point where `has_newest`
uniform bool has_newest;
uniform mat3 world_from_points;
uniform float half_width;
uniform vec3 facing_axes;        // semi-axes of the ellipsoid that carries the curve; 0: no facing
uniform float half_width_behind;
uniform float alpha_behind;
uniform float now;
uniform float fade_time;         // s over which the opacity falls to the floor; 0: no fading
uniform float fade_floor;
uniform float oldest;            // s: age at which it has faded away; 0: never
uniform bool tinted;
uniform sampler2D values;        // of the points, beside `points`
uniform vec2 value_range;

out float across;
out float half_here;
out float tint;                  // place in the range, 0..1
out float fade;                  // share of the line's opacity: by age, and behind the carrying ellipsoid

vec4 point(int i) {
    if (closed) i += i < 0 ? count - 1 : (i >= count - 1 ? 1 - count : 0);
    else i = clamp(i, 0, count - 1);
    if (has_newest && i == count - 1) return newest;
    int slot = first + i;
    if (slot >= capacity) slot -= capacity;
    return texelFetch(points, ivec2(slot & (TEXTURE_WIDTH - 1), slot >> TEXTURE_SHIFT), 0);
}

vec2 direction(vec2 from, vec2 to) {
    vec2 d = to - from;
    float l = length(d);
    return l > 1e-5 ? d / l : vec2(0.0);
}

void main() {
    int i = gl_VertexID / 2;
    float side = float(gl_VertexID % 2) * 2.0 - 1.0;
    vec4 here = point(i);
    vec3 world = world_from_points * here.xyz;
    vec4 clip = clip_from_world * vec4(world, 1.0);
    vec2 at = to_screen(clip);
    vec2 before = to_screen(clip_from_world * vec4(world_from_points * point(i - 1).xyz, 1.0));
    vec2 after = to_screen(clip_from_world * vec4(world_from_points * point(i + 1).xyz, 1.0));
    vec2 arriving = direction(before, at), leaving = direction(at, after);
    if (dot(arriving, arriving) < 0.5) arriving = leaving;
    if (dot(leaving, leaving) < 0.5) leaving = arriving;
    vec2 along = arriving + leaving;
    along = dot(along, along) > 1e-4 ? normalize(along) : arriving;
    vec2 normal = vec2(-along.y, along.x);
    float miter = 1.0 / max(dot(normal, vec2(-arriving.y, arriving.x)), 0.25);   // full up to turns of 150 degrees

    float behind = 0.0;              // 1 where the carrying ellipsoid turns away from the eye
    if (facing_axes.x > 0.0) {
        vec3 outward = world_from_points * (here.xyz / (facing_axes * facing_axes));
        vec3 ray = normalize(eye_world.xyz - world);
        behind = 1.0 - smoothstep(-0.02, 0.06, dot(normalize(outward), ray));
    }
    tint = 0.0;
    if (tinted) {
        int slot = first + min(i, count - 2);          // the newest point has the colour of the one before it
        if (slot >= capacity) slot -= capacity;
        float value = texelFetch(values, ivec2(slot & (TEXTURE_WIDTH - 1), slot >> TEXTURE_SHIFT), 0).r;
        tint = clamp((value - value_range.x) / (value_range.y - value_range.x), 0.0, 1.0);
    }
    half_here = mix(half_width, half_width_behind, behind);
    float reach = half_here + feather();
    across = side * reach;
    fade = mix(1.0, alpha_behind, behind);
    if (fade_time > 0.0) fade *= mix(fade_floor, 1.0, exp(-abs(now - here.w) / fade_time));
    if (oldest > 0.0) fade *= clamp(4.0 * (1.0 - (now - here.w) / oldest), 0.0, 1.0);
    gl_Position = moved(clip, side * reach * miter * normal);
}
