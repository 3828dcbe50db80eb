#version 330 core
// Soft-edged line; older points fade, a casing sets it off from what it crosses.
#include "include/eye.glsl"
#include "include/pixel.glsl"
uniform vec4 line_color;
uniform vec3 casing_color;
uniform float casing;            // px, 0: none
uniform float dashes;            // 0: none
uniform bool tinted;
uniform vec3 tint_colors[9];     // evenly over the range

flat in vec4 beside;
flat in vec3 fraction;
flat in vec2 dash_numbers;
flat in vec3 look_before;
flat in vec3 look_here;
out vec4 color;

void main() {
    vec3 pixel = vec3(pixel_here(), 1.0);
    float along = clamp(dot(fraction, pixel), 0.0, 1.0);
    vec3 look = mix(look_before, look_here, along);
    float tint = look.y, fade = look.z;
    float inside = (look.x - abs(dot(beside.xyz, pixel))) * beside.w + 0.5;
    float core = clamp(inside - casing * beside.w, 0.0, 1.0);
    float whole = clamp(inside, 0.0, 1.0);
    if (dashes > 0.0) {
        float number = mix(dash_numbers.x, dash_numbers.y, along);
        float per_pixel = max(abs(dash_numbers.y - dash_numbers.x) * length(fraction.xy), 1e-6);
        float beyond = (abs(number - round(number)) - 0.25) / per_pixel;   // px from a dash's end
        core *= clamp(0.5 - beyond, 0.0, 1.0);
        whole *= clamp(0.5 - beyond + casing, 0.0, 1.0);
    }
    float alpha = line_color.a * fade;
    float edge = (whole - core) * alpha;
    core *= alpha;
    vec3 ink = line_color.rgb;
    if (tinted) {
        float at = 8.0 * tint;
        int below = int(min(at, 7.0));
        ink = mix(tint_colors[below], tint_colors[below + 1], at - float(below));
    }
    color = vec4(ink * core + casing_color * edge, core + edge);
    if (color.a <= 0.002) discard;
}
