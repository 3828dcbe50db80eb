#version 330 core
// A joined strip through points held in a texture, two vertices a point. The points may lie in a ring; the newest point
// of all comes as a uniform. The later point of each piece brings along all that there is to say of the piece.
#include "include/eye.glsl"
#include "include/to_screen.glsl"
#include "include/screen_line.glsl"
const int TEXTURE_SHIFT = 10, TEXTURE_WIDTH = 1 << TEXTURE_SHIFT;   // as in viewer/render/lines.py
uniform sampler2D points;        // rgb: position, a: time; of a closed curve: the fraction of its length up to there
uniform int capacity;            // of the ring
uniform int first;               // running number of the first point drawn
uniform int count;               // points drawn, the newest included
uniform vec4 newest;             // replaces the last point where `has_newest`
uniform bool has_newest;
uniform mat3 world_from_points;
uniform vec3 points_origin;      // m in the world, from which they count
uniform float half_width;
uniform vec3 facing_axes;        // semi-axes of the ellipsoid that carries the curve; 0: no facing
uniform float half_width_behind;
uniform float opacity_behind;
uniform float now;
uniform float dashes;            // on a closed curve, so many; 0: it is drawn in one
uniform float fade_time;         // s over which the opacity falls to the floor; 0: no fading
uniform float fade_floor;
uniform float oldest;            // s: age at which it has faded away; 0: never
uniform bool tinted;
uniform sampler2D values;        // of the points, beside `points`
uniform vec2 value_range;

in ivec3 numbers;                // of the points before, here and after, from `first` on
flat out vec4 beside;            // of a pixel of its own (x, y, 1): px beside the piece; 1 over their change over a pixel
flat out vec3 fraction;          // .. fraction of the piece's length
flat out vec2 dash_numbers;      // at both ends: counted from the middle of the first one
flat out vec3 look_before;       // at both ends: half the width in px; position in the range of tints, 0..1; fraction of the
flat out vec3 look_here;         // line's opacity by age

ivec2 texel(int i) {
    int slot = first + i;
    if (slot >= capacity) slot -= capacity;
    return ivec2(slot & (TEXTURE_WIDTH - 1), slot >> TEXTURE_SHIFT);
}

vec4 point(int i) {
    return has_newest && i == count - 1 ? newest : texelFetch(points, texel(i), 0);
}

vec3 look(int i, vec4 point, vec3 world) {
    float behind = 0.0;              // 1 where the carrying ellipsoid turns away from the eye
    if (facing_axes.x > 0.0) {
        vec3 outward = world_from_points * (point.xyz / (facing_axes * facing_axes));
        vec3 ray = normalize(eye_world.xyz - world);
        behind = 1.0 - smoothstep(-0.02, 0.06, dot(normalize(outward), ray));
    }
    float tint = 0.0;
    if (tinted) {
        float value = texelFetch(values, texel(min(i, count - 2)), 0).r;   // the newest point has that of the one before
        tint = clamp((value - value_range.x) / (value_range.y - value_range.x), 0.0, 1.0);
    }
    float fade = mix(1.0, opacity_behind, behind);
    if (fade_time > 0.0) fade *= mix(fade_floor, 1.0, exp(-abs(now - point.w) / fade_time));
    if (oldest > 0.0) fade *= clamp(4.0 * (1.0 - (now - point.w) / oldest), 0.0, 1.0);
    return vec3(mix(half_width, half_width_behind, behind), tint, fade);
}

vec2 direction(vec2 from, vec2 to) {
    vec2 d = to - from;
    float l = length(d);
    return l > 1e-5 ? d / l : vec2(0.0);
}

void main() {
    vec4 point_before = point(numbers.x), point_here = point(numbers.y);
    vec3 world_before = world_from_points * point_before.xyz - points_origin;
    vec3 world_here = world_from_points * point_here.xyz - points_origin;
    vec3 world_after = world_from_points * point(numbers.z).xyz - points_origin;
    vec4 clip_before = clip_from_world * vec4(world_before, 1.0), clip = clip_from_world * vec4(world_here, 1.0);
    vec4 clip_after = clip_from_world * vec4(world_after, 1.0);

    vec2 begin = to_screen(in_front(clip_before, clip)), piece = to_screen(in_front(clip, clip_before)) - begin;
    float span = length(piece);
    vec2 unit = piece / max(span, 1e-5), normal = vec2(-unit.y, unit.x) * origin.zw;
    beside = vec4(normal, -dot(vec2(-unit.y, unit.x), begin), 1.0 / max(abs(normal.x) + abs(normal.y), 1e-6));
    if (span < 1e-5) beside.z = 1e6;                   // nothing is drawn of what has no length
    fraction = vec3(unit * origin.zw, -dot(unit, begin)) / max(span, 1e-5);
    float until = point_here.w + (point_here.w < point_before.w ? 1.0 : 0.0);   // the first point comes after the last
    dash_numbers = dashes * vec2(point_before.w, until);
    look_before = look(numbers.x, point_before, world_before);
    look_here = look(numbers.y, point_here, world_here);

    vec2 at = to_screen(clip);
    vec2 arriving = direction(to_screen(clip_before), at), leaving = direction(at, to_screen(clip_after));
    if (dot(arriving, arriving) < 0.5) arriving = leaving;
    if (dot(leaving, leaving) < 0.5) leaving = arriving;
    vec2 along = arriving + leaving;
    along = dot(along, along) > 1e-4 ? normalize(along) : arriving;
    vec2 out_of_turn = vec2(-along.y, along.x);
    float miter = 1.0 / max(dot(out_of_turn, vec2(-arriving.y, arriving.x)), 0.7);   // full up to turns of 90 degrees: beyond, a cusp would grow
    float side = float(gl_VertexID % 2) * 2.0 - 1.0;
    gl_Position = moved(clip, side * (look_here.x + feather()) * miter * out_of_turn);
}
