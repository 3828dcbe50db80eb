#version 330 core
// The inertia ellipsoid as thin glass: clear face-on, denser towards the rim, with its three principal sections, and on
// its near surface what it mirrors of a softbox.
#pragma flat uniforms
#define WITH_DEPTH 1             // 0 where the body is known to lie inside: a tenth of the frame is saved
#define BOTH 0                   // 1: both surfaces at once, where nothing stands between them: a third of them is saved
#include "include/eye.glsl"
#include "include/pixel.glsl"
#include "include/quadric.glsl"
#include "include/dither.glsl"
uniform vec3 extents;            // semi-axes, m
uniform vec3 shell_color;
uniform vec3 section_color;
uniform vec3 near_alphas;        // opacity face-on, at the rim, and that of the sections
uniform vec3 far_alphas;
uniform float line_width;        // px
uniform vec3 mirror;             // its product with a point of the unit sphere is that of `halfway` with the normal there
uniform float gloss;             // opacity of its middle
uniform float side;              // of one surface alone, -1: the near one, +1: the far one

out vec4 color;

const float SOFTBOX = 0.984;     // cosine from its middle as mirrored, where it ends: round, without an edge

// A surface at the point `unit` of the sphere, `soft`: its change over a pixel; `steepness`: times 1 / the length of
// `unit * per_extent` it is the cosine at which the ray meets it.
vec4 glass(vec3 unit, vec3 soft, float steepness, vec3 alphas, float gloss) {
    vec3 normal = unit * per_extent;
    float per_normal = inversesqrt(dot(normal, normal));
    float grazing = clamp(1.0 - steepness * per_normal, 0.0, 1.0);
    float alpha = mix(alphas.x, alphas.y, grazing * grazing * sqrt(grazing));

    // The sections, but not where the outline is so near that the surface changes by a good part of itself in a pixel.
    vec3 line = clamp(0.5 * line_width + 0.6 - abs(unit) / max(soft, 1e-6), 0.0, 1.0) * clamp(2.0 - 30.0 * soft, 0.0, 1.0);
    float section = alphas.z * max(line.x, max(line.y, line.z));
    float glint = gloss * smoothstep(SOFTBOX, 1.0, dot(mirror, unit) * per_normal);
    vec4 seen = vec4(section_color, 1.0) * section + (1.0 - section) * alpha * vec4(shell_color, 1.0);
    return vec4(glint) + (1.0 - glint) * seen;
}

void main() {
    vec3 ray_unit = ray_here();
    vec3 hit = chord(eye_unit, ray_unit);
    float cover = coverage(hit.x);
    vec3 ray = ray_unit * extents;
    float steepness = hit.z * dot(ray_unit, ray_unit) * inversesqrt(dot(ray, ray));
#if BOTH
    float t = hit.y + hit.z, t_near = hit.y - hit.z;
    vec3 unit = eye_unit + t * ray_unit, unit_near = eye_unit + t_near * ray_unit;
    vec3 soft = fwidth(unit), soft_near = fwidth(unit_near);
    if (cover <= 0.0 || too_near(t)) discard;
    color = glass(unit, soft, steepness, far_alphas, 0.0) * cover;
    vec4 before = glass(unit_near, soft_near, steepness, near_alphas, gloss) * (too_near(t_near) ? 0.0 : cover);
    color = before + (1.0 - before.a) * color;
    color += dither(1.0) * cover;
#else
    float t = hit.y + side * hit.z;
    vec3 unit = eye_unit + t * ray_unit;
    vec3 soft = fwidth(unit);
    if (cover <= 0.0 || too_near(t)) discard;
    color = glass(unit, soft, steepness, side < 0.0 ? near_alphas : far_alphas, side < 0.0 ? gloss : 0.0) * cover;
    color += dither(2.0 + side) * cover;
#endif
#if WITH_DEPTH
    gl_FragDepth = depth_at(t);
#endif
}
