#version 330 core
// Soft-edged line; older points fade, a dark casing sets it off from what it crosses.
#include "include/eye.glsl"
#include "include/pixel.glsl"
uniform vec4 line_color;
uniform vec4 casing_color;
uniform float casing;            // px, 0: none
uniform bool tinted;
uniform vec3 tint_colors[9];     // evenly over the range

flat in vec4 piece;
flat in vec2 piece_depths;
flat in vec3 look_before;
flat in vec3 look_here;
out vec4 color;

void main() {
    vec2 past = screen_here() - piece.xy, along = piece.zw - piece.xy;
    float span = length(along);
    vec2 unit = along / max(span, 1e-6);
    float share = span > 1e-5 ? clamp(dot(past, unit) / span, 0.0, 1.0) : 1.0;
    vec3 look = mix(look_before, look_here, share);
    float half_here = look.x, tint = look.y, fade = look.z;
    float across = span > 1e-5 ? dot(past, vec2(-unit.y, unit.x)) : length(past);   // a joint where it has no length
    float soft = max(fwidth(across), 1e-6);
    float distance = abs(across);
    float core = clamp((half_here - casing - distance) / soft + 0.5, 0.0, 1.0);
    float whole = clamp((half_here - distance) / soft + 0.5, 0.0, 1.0);
    float alpha = line_color.a * fade;
    float edge = (whole - core) * casing_color.a * alpha;
    core *= alpha;
    vec3 ink = line_color.rgb;
    if (tinted) {
        float at = 8.0 * tint;
        int below = int(min(at, 7.0));
        ink = mix(tint_colors[below], tint_colors[below + 1], at - float(below));
    }
    color = vec4(ink * core + casing_color.rgb * edge, core + edge);
    if (color.a <= 0.002) discard;
    gl_FragDepth = mix(piece_depths.x, piece_depths.y, share);
}
