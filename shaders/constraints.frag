#version 330 core
// The two surfaces that hold L' in the body: the sphere |L'| = const and the ellipsoid E = const, as thin glass. Both
// in one pass, the nearer over the farther. What of one lies inside the other is fainter, so that the line in which
// they cut is seen.
#pragma flat uniforms
#include "include/eye.glsl"
#include "include/pixel.glsl"
#include "include/quadric.glsl"
#include "include/dither.glsl"
uniform vec3 extents;            // of the hull, m: eye_unit and ray_here() count in these
uniform float radius;            // of the sphere, m
uniform vec3 semi_axes;          // of the ellipsoid, m
uniform float reach;             // m: the ellipsoid fades out towards it
uniform vec3 sphere_color;
uniform vec3 ellipsoid_color;
uniform vec3 section_color;
uniform float face_alpha;
uniform float rim_alpha;
uniform float section_alpha;
uniform vec2 densities;          // of the sphere's and the ellipsoid's glass: distinct without colours too
uniform float inner_fraction;       // of the opacity inside the other surface
uniform float line_width;        // px
uniform float side;              // -1: the near surfaces, +1: the far ones

out vec4 color;

// Where both surfaces are all but the same, round-off decides nothing: to these fractions they are blended.
const float SAME = 1e-4, SAME_DEPTH = 3e-4;

// How opaque a surface is, at the position `other` in the other one (1: on it).
float opacity_inside(float other) {
    return mix(1.0, inner_fraction, clamp(0.5 - (other - 1.0) / max(fwidth(other), SAME), 0.0, 1.0));
}

float glass(vec3 normal, vec3 ray) {
    float grazing = clamp(1.0 - abs(dot(normalize(normal), ray)), 0.0, 1.0);
    return mix(face_alpha, rim_alpha, grazing * grazing * sqrt(grazing));
}

vec4 over(vec4 front, vec4 back) {
    return front + (1.0 - front.a) * back;
}

void main() {
    vec3 eye = eye_unit * extents, ray = ray_here() * extents, along = normalize(ray);

    float per_radius = 1.0 / radius;
    vec3 hit = chord(eye * per_radius, ray * per_radius);
    float t_sphere = hit.y + side * hit.z;
    float cover = too_near(t_sphere) ? 0.0 : coverage(hit.x);
    vec3 at = eye + t_sphere * ray;
    vec3 per_axis = 1.0 / semi_axes;
    float inner = opacity_inside(length(at * per_axis));
    vec4 sphere = vec4(sphere_color, 1.0) * (densities.x * glass(at, along) * inner * cover);

    hit = chord(eye * per_axis, ray * per_axis);
    float t_ellipsoid = hit.y + side * hit.z;
    cover = too_near(t_ellipsoid) ? 0.0 : coverage(hit.x);
    at = eye + t_ellipsoid * ray;
    inner = opacity_inside(length(at) / radius);
    vec3 soft = fwidth(at);
    vec3 lines = clamp(0.5 * line_width + 0.6 - abs(at) / max(soft, 1e-9), 0.0, 1.0) * step(soft, vec3(0.2 * radius));
    float section = section_alpha * max(lines.x, max(lines.y, lines.z));
    float fraction = cover * inner * (1.0 - smoothstep(0.8 * reach, reach, length(at)));
    float dense = min(densities.y * glass(at * per_axis * per_axis, along), 1.0);
    vec4 ellipsoid = vec4(ellipsoid_color, 1.0) * dense;
    ellipsoid = over(vec4(section_color, 1.0) * section, ellipsoid) * fraction;

    float nearer = clamp(0.5 + (t_ellipsoid - t_sphere) / (SAME_DEPTH * abs(t_sphere)), 0.0, 1.0);
    color = mix(over(ellipsoid, sphere), over(sphere, ellipsoid), nearer);
    if (color.a <= 0.002) discard;
    color += dither(2.0 + side);
}
