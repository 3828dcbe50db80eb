#version 330 core
// Soft-edged line; older points fade, a dark casing sets it off from what it crosses.
#include "include/eye.glsl"
#include "include/pixel.glsl"
uniform vec4 line_color;
uniform vec4 casing_color;
uniform float casing;            // px, 0: none
uniform bool tinted;
uniform vec3 tint_colors[9];     // evenly over the range

flat in vec4 beside;
flat in vec3 fraction;
flat in vec3 look_before;
flat in vec3 look_here;
out vec4 color;

void main() {
    vec3 pixel = vec3(pixel_here(), 1.0);
    vec3 look = mix(look_before, look_here, clamp(dot(fraction, pixel), 0.0, 1.0));
    float tint = look.y, fade = look.z;
    float inside = (look.x - abs(dot(beside.xyz, pixel))) * beside.w + 0.5;
    float core = clamp(inside - casing * beside.w, 0.0, 1.0);
    float whole = clamp(inside, 0.0, 1.0);
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
}
