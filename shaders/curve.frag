#version 330 core
// Soft-edged line; older points fade, a dark casing sets it off from what it crosses.
uniform vec4 line_color;
uniform vec4 casing_color;
uniform float casing;            // px, 0: none

in float across;
in float half_here;
in float fade;
out vec4 color;

void main() {
    float soft = max(fwidth(across), 1e-6);
    float distance = abs(across);
    float core = clamp((half_here - casing - distance) / soft + 0.5, 0.0, 1.0);
    float whole = clamp((half_here - distance) / soft + 0.5, 0.0, 1.0);
    float alpha = line_color.a * fade;
    float edge = (whole - core) * casing_color.a * alpha;
    core *= alpha;
    color = vec4(line_color.rgb * core + casing_color.rgb * edge, core + edge);
    if (color.a <= 0.002) discard;
}
