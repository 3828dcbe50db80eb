#version 330 core
// A box with round corners, a disc, or the ring along its edge; soft-edged.
#include "include/eye.glsl"
#include "include/pixel.glsl"
flat in vec2 middle;
flat in vec4 form;
flat in vec4 paint;
out vec4 color;

void main() {
    vec2 offset = screen_here() - middle;
    vec2 corner = abs(offset) - form.xy + form.z;
    float outside = length(max(corner, 0.0)) + min(max(corner.x, corner.y), 0.0) - form.z;
    float soft = max(0.5 * (fwidth(offset.x) + fwidth(offset.y)), 1e-6);
    float edge = form.w > 0.0 ? abs(outside + 0.5 * form.w) - 0.5 * form.w : outside;
    float a = paint.a * clamp(0.5 - edge / soft, 0.0, 1.0);
    color = vec4(paint.rgb * a, a);
    if (a <= 0.002) discard;
}
