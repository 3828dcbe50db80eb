#version 330 core
// The invariable plane: a sheet in faint checks, ruled, that fades late and ends in a rim; the two circles that bound the
// herpolhode, and the shadow of the ellipsoid where it comes close; these two only where it is NEAR.
#pragma flat uniforms
#define NEAR 1
#include "include/eye.glsl"
#include "include/pixel.glsl"
#include "include/dither.glsl"
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
uniform float rim_alpha;
uniform vec3 shadow_color;

flat in mat3 plane_from_pixel;
flat in vec3 sector;
flat in vec3 along;
flat in vec3 squared;
flat in vec3 mixed;
flat in vec2 direction;
out vec4 color;

const float DASHES = 48.0 / 6.2831853;
const float CHECK = 0.13;        // by this fraction the checks are denser and thinner than the sheet
const float EDGE = 0.45;         // of the sheet's density is left at the rim

float falling(float gap) {
    return 1.0 / (1.0 + gap * (1.0 + gap * (0.5 + gap)));
}

// How near the ellipsoid hangs over the point: 1 where it touches, falling with the gap along the normal, at first fast.
float nearness(float x, float y) {
    float b = along.x * x + along.y * y + along.z;
    float c = squared.x + x * (squared.y + mixed.x * x + mixed.z * y) + y * (squared.z + mixed.y * y);
    float root = b * b - direction.x * c;
    float gap = abs(b - sqrt(max(root, 0.0))) * direction.y;
    return step(0.0, root) * (0.62 * falling(gap) + 0.38 * falling(24.0 * gap));
}

void main() {
    vec3 at = plane_from_pixel * vec3(pixel_here(), 1.0);
    vec2 plane_position = at.xy * (1.0 / at.z);
    float r = length(plane_position);
    vec2 cell = plane_position * per_spacing;
    vec2 per_width = 1.0 / max(fwidth(cell), vec2(1e-6));
    float per_soft = 1.0 / max(fwidth(r), 1e-6);

    float room = (reach - r) * per_soft, within = clamp(room + 0.5, 0.0, 1.0);
    float fade = within * (1.0 - (1.0 - EDGE) * smoothstep(0.6 * reach, reach, r));
    vec2 square = floor(cell), from_line = (0.5 - abs(cell - square - 0.5)) * per_width;   // px
    vec2 clear = clamp(0.5 / line_width * per_width - 1.0, 0.0, 1.0);   // squares of a few pixels are not told apart
    vec2 rule = clamp(0.5 * line_width + 0.65 - from_line, 0.0, 1.0) * clear;
    vec2 side = min(from_line, 0.5) * clear;
    float odd = fract(0.5 * (square.x + square.y));                     // 0 or one half
    float sheet = plane_alpha * (1.0 + CHECK * (4.0 - 16.0 * odd) * side.x * side.y) * fade;
    float rim = rim_alpha * clamp(line_width + 0.5 - room, 0.0, 1.0) * within;
    float grid = grid_alpha * max(rule.x, rule.y) * fade;
#if NEAR
    vec2 rings = clamp(0.5 * line_width + 0.6 - abs(r - bounds) * per_soft, 0.0, 1.0)
               * smoothstep(4.0, 9.0, bounds * per_soft);   // no speck
    float ring = max(rings.x, rings.y);
    if (ring > 0.0) {
        float aside = (sector.x * plane_position.y - sector.y * plane_position.x) / dot(sector.xy, plane_position);
        float around = sector.z + aside * (1.0 - aside * aside / 3.0);     // to 2e-6 within a 32nd of the circle
        ring *= 0.6 * smoothstep(0.45, 0.55, 2.0 * abs(fract(around * DASHES) - 0.5));
    }
    float shade = shadow_alpha * nearness(plane_position.x, plane_position.y) * fade;
    grid *= 1.0 - 0.7 * shade;   // the ruling lies in the shadow, too
#else
    const float ring = 0.0, shade = 0.0;
#endif
    // from the top: rim, circles, ruling, shadow, sheet
    float under_ring = (1.0 - rim) * (1.0 - ring), under_grid = under_ring * (1.0 - grid);
    float of_grid = rim + under_ring * grid, of_sheet = under_grid * (1.0 - shade) * sheet;
    color = vec4(of_grid * grid_color + of_sheet * plane_color, of_grid + of_sheet);
#if NEAR
    float of_ring = (1.0 - rim) * ring, of_shadow = under_grid * shade;
    color += vec4(of_ring * circle_color + of_shadow * shadow_color, of_ring + of_shadow);
#endif
    color += dither(5.0) * min(80.0 * color.a, 1.0);
}
