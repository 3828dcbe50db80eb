#version 330 core
// A stroke by its outline's distance: soft edges, a hint of roundness, a casing; dashed where seen through the body, by
// the length in space, so that both eyes see the same dashes.
#include "include/eye.glsl"
#include "include/pixel.glsl"
#include "include/arrow.glsl"
uniform bool xray;
uniform float opacity;
uniform vec3 casing_color;
uniform float dash_length;       // px

flat in vec4 line;
flat in vec2 line_depths;
flat in vec4 stroke;
flat in vec2 shape;
flat in float roundness;
flat in float casing;
flat in vec4 dashes;
out vec4 color;

void main() {
    vec2 past = screen_here() - line.xy;
    float along = dot(past, line.zw), across = dot(past, vec2(-line.w, line.z));   // px
    float soft_u = max(fwidth(along), 1e-6), soft_v = max(fwidth(across), 1e-6);
    float v = abs(across);
    float ends = clamp(along / soft_u + 0.5, 0.0, 1.0) * clamp((shape.x - along) / soft_u + 0.5, 0.0, 1.0);
    if (xray) {
        vec2 there = mix(dashes.xz, dashes.yw, along / max(shape.x, 1e-3));
        float from_dash = there.x / there.y - 0.5 * dash_length, rate = max(fwidth(from_dash), 1e-6);
        from_dash -= 2.0 * dash_length * round(0.5 * from_dash / dash_length);   // from the middle of the nearest one
        vec2 past_edge = vec2((abs(from_dash) - 0.5 * dash_length) / rate, (v - dashed_half(shape.y, casing)) / soft_v);
        vec2 in_core = clamp(0.5 - past_edge, 0.0, 1.0), in_whole = clamp(0.5 - past_edge + casing / soft_v, 0.0, 1.0);
        float core = in_core.x * in_core.y, around = in_whole.x * in_whole.y - core;
        color = vec4(stroke.rgb * core + casing_color * around, core + around) * (stroke.a * ends);
    } else {
        float core = clamp((shape.y - v) / soft_v + 0.5, 0.0, 1.0);
        float around = clamp((shape.y + casing - v) / soft_v + 0.5, 0.0, 1.0) - core;
        float shade = 1.0 - abs(roundness) * smoothstep(-0.2, 1.0, sign(roundness) * across / shape.y);
        color = vec4(stroke.rgb * shade * core + casing_color * around, core + around) * (stroke.a * opacity * ends);
    }
    if (color.a <= 0.002) discard;
    gl_FragDepth = mix(line_depths.x, line_depths.y, clamp(along / max(shape.x, 1e-3), 0.0, 1.0));
}
