#version 330 core
// A small ring with a dark casing; dashed where it is hidden.
#include "include/eye.glsl"
#include "include/pixel.glsl"
uniform float radius;
uniform float thickness;
uniform vec3 ring_color;
uniform vec3 casing_color;
uniform bool dashed;

flat in vec2 middle;
out vec4 color;

const float DASHES = 6.0;

void main() {
    vec2 offset = screen_here() - middle;
    float distance = abs(length(offset) - radius);
    float soft = max(max(fwidth(offset.x), fwidth(offset.y)), 1e-6);
    float ring = clamp((0.5 * thickness - distance) / soft + 0.5, 0.0, 1.0);
    float casing = 0.6 * clamp((0.5 * thickness + 1.0 - distance) / soft + 0.5, 0.0, 1.0);
    color = vec4(ring_color * ring + casing_color * casing * (1.0 - ring), ring + casing * (1.0 - ring));
    if (dashed) {
        float turns = DASHES * atan(offset.y, offset.x) / 6.2831853;
        float per_pixel = DASHES * soft / (6.2831853 * radius);
        color *= clamp((0.28 - abs(fract(turns) - 0.5)) / per_pixel + 0.5, 0.0, 1.0);
    }
    if (color.a <= 0.002) discard;
}
