#version 330 core
// Soft-edged line; older points fade, a dark casing sets it off from what it crosses.
uniform vec4 line_color;
uniform vec4 casing_color;
uniform float casing;            // px, 0: none
uniform bool tinted;
uniform vec3 tint_colors[9];     // evenly over the range

in float across;
in float half_here;
in float tint;
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
    vec3 ink = line_color.rgb;
    if (tinted) {
        float at = 8.0 * tint;
        int below = int(min(at, 7.0));
        ink = mix(tint_colors[below], tint_colors[below + 1], at - float(below));
    }
    color = vec4(ink * core + casing_color.rgb * edge, core + edge);
    if (color.a <= 0.002) discard;
}
