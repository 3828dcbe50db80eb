#version 330 core
// A small ring with a dark casing.
#include "include/eye.glsl"
#include "include/pixel.glsl"
uniform float radius;
uniform float thickness;
uniform vec3 ring_color;
uniform vec3 casing_color;

flat in vec2 middle;
out vec4 color;

void main() {
    vec2 offset = screen_here() - middle;
    float distance = abs(length(offset) - radius);
    float soft = max(max(fwidth(offset.x), fwidth(offset.y)), 1e-6);
    float ring = clamp((0.5 * thickness - distance) / soft + 0.5, 0.0, 1.0);
    float casing = 0.6 * clamp((0.5 * thickness + 1.0 - distance) / soft + 0.5, 0.0, 1.0);
    color = vec4(ring_color * ring + casing_color * casing * (1.0 - ring), ring + casing * (1.0 - ring));
    if (color.a <= 0.002) discard;
}
