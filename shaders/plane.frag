#version 330 core
// The invariable plane: a ruled grid that fades with distance, the two circles that bound the herpolhode, and the
// shadow of the ellipsoid where it comes close.
uniform float reach;
uniform float spacing;           // of the grid, m
uniform float gap_scale;         // m over which the shadow fades
uniform vec2 bounds;             // radii of the herpolhode's bounding circles, m
uniform vec3 plane_color;
uniform vec3 grid_color;
uniform vec3 circle_color;
uniform float line_width;        // px
uniform float plane_alpha;
uniform float grid_alpha;
uniform float shadow_alpha;
uniform vec3 contact_color;      // of the shadow, or of the light where glass touches glass

in vec2 plane_position;
in vec3 in_ellipsoid;
flat in vec3 normal_in_ellipsoid;
out vec4 color;

const float DASHES = 48.0 / 6.2831853;

float falling(float gap) {
    return 1.0 / (1.0 + gap * (1.0 + gap * (0.5 + gap)));
}

// How near the ellipsoid hangs over the point: 1 where it touches, falling with the gap along the normal, at first fast.
float nearness() {
    float a = dot(normal_in_ellipsoid, normal_in_ellipsoid), b = dot(in_ellipsoid, normal_in_ellipsoid);
    float root = b * b - a * (dot(in_ellipsoid, in_ellipsoid) - 1.0);
    if (root <= 0.0) return 0.0;
    float gap = abs(b - sqrt(root)) / a / gap_scale;
    return 0.6 * falling(gap) + 0.4 * falling(12.0 * gap);
}

void main() {
    float r = length(plane_position);
    float soft = max(fwidth(r), 1e-6);
    vec2 cell = plane_position / spacing;
    vec2 width = max(fwidth(cell), vec2(1e-6));
    if (r >= reach) discard;

    float fade = 1.0 - smoothstep(0.35, 0.98, r / reach);
    vec2 rule = clamp(0.5 * line_width + 0.65 - abs(cell - round(cell)) / width, 0.0, 1.0)
              * clamp(0.5 / width / line_width - 1.0, 0.0, 1.0);
    vec2 rings = clamp(0.5 * line_width + 0.6 - abs(r - bounds) / soft, 0.0, 1.0) * smoothstep(4.0, 9.0, bounds / soft);   // no speck
    float ring = max(rings.x, rings.y);
    if (ring > 0.0) {
        float around = atan(plane_position.y, plane_position.x) * DASHES;
        ring *= 0.6 * smoothstep(0.45, 0.55, 2.0 * abs(fract(around) - 0.5));
    }

    float shade = shadow_alpha * nearness();
    float grid = grid_alpha * max(rule.x, rule.y) * fade;
    float sheet = plane_alpha * fade;
    vec4 result = vec4(plane_color, 1.0) * (sheet * (1.0 - shade));
    result += vec4(contact_color, 1.0) * shade;
    result = vec4(grid_color, 1.0) * grid + (1.0 - grid) * result;
    color = vec4(circle_color, 1.0) * ring + (1.0 - ring) * result;
}
