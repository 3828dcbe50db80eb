#version 330 core
// The invariable plane: a ruled grid that fades with distance, the two circles that bound the herpolhode, and the
// shadow of the ellipsoid where it comes close.
#include "include/eye.glsl"
#include "include/pixel.glsl"
uniform float reach;
uniform float per_spacing;       // grid lines a metre
uniform vec2 bounds;             // radii of the herpolhode's bounding circles, m
uniform vec3 plane_color;
uniform vec3 grid_color;
uniform vec3 circle_color;
uniform float line_width;        // px
uniform float plane_alpha;
uniform float grid_alpha;
uniform float shadow_alpha;
uniform vec3 contact_color;      // of the shadow, or of the light where glass touches glass

flat in mat3 plane_ray_from_pixel;
flat in vec3 eye_plane;
flat in mat3 ellipsoid_from_plane;
flat in vec3 normal_in_ellipsoid;
flat in vec2 squares;
out vec4 color;

const float DASHES = 48.0 / 6.2831853;

float falling(float gap) {
    return 1.0 / (1.0 + gap * (1.0 + gap * (0.5 + gap)));
}

// How near the ellipsoid hangs over the point: 1 where it touches, falling with the gap along the normal, at first fast.
float nearness(vec2 plane_position) {
    vec3 in_ellipsoid = ellipsoid_from_plane * vec3(plane_position, 1.0);
    float b = dot(in_ellipsoid, normal_in_ellipsoid);
    float root = b * b - squares.x * (dot(in_ellipsoid, in_ellipsoid) - 1.0);
    if (root <= 0.0) return 0.0;
    float gap = abs(b - sqrt(root)) * squares.y;
    return 0.6 * falling(gap) + 0.4 * falling(12.0 * gap);
}

void main() {
    vec3 ray = plane_ray_from_pixel * vec3(pixel_here(), 1.0);
    vec2 plane_position = eye_plane.xy - eye_plane.z / ray.z * ray.xy;
    float r = length(plane_position);
    float per_soft = 1.0 / max(fwidth(r), 1e-6);
    vec2 cell = plane_position * per_spacing;
    vec2 per_width = 1.0 / max(fwidth(cell), vec2(1e-6));
    if (r >= reach) discard;

    float fade = 1.0 - smoothstep(0.35 * reach, 0.98 * reach, r);
    vec2 rule = clamp(0.5 * line_width + 0.65 - abs(cell - round(cell)) * per_width, 0.0, 1.0)
              * clamp(0.5 / line_width * per_width - 1.0, 0.0, 1.0);
    vec2 rings = clamp(0.5 * line_width + 0.6 - abs(r - bounds) * per_soft, 0.0, 1.0)
               * smoothstep(4.0, 9.0, bounds * per_soft);   // no speck
    float ring = max(rings.x, rings.y);
    if (ring > 0.0) {
        float around = atan(plane_position.y, plane_position.x) * DASHES;
        ring *= 0.6 * smoothstep(0.45, 0.55, 2.0 * abs(fract(around) - 0.5));
    }

    float shade = shadow_alpha * nearness(plane_position);
    float grid = grid_alpha * max(rule.x, rule.y) * fade;
    float sheet = plane_alpha * fade;
    vec4 result = vec4(plane_color, 1.0) * (sheet * (1.0 - shade));
    result += vec4(contact_color, 1.0) * shade;
    result = vec4(grid_color, 1.0) * grid + (1.0 - grid) * result;
    color = vec4(circle_color, 1.0) * ring + (1.0 - ring) * result;
}
