#version 330 core
// The inertia ellipsoid as thin glass: clear face-on, denser towards the rim, with its three principal sections, and on
// its near surface what it mirrors of a softbox.
#define WITH_DEPTH 1             // 0 where the body is known to lie inside: a tenth of the frame is saved
#include "include/eye.glsl"
#include "include/pixel.glsl"
#include "include/quadric.glsl"
#include "include/dither.glsl"
uniform vec3 extents;            // semi-axes, m
uniform vec3 shell_color;
uniform vec3 section_color;
uniform float face_alpha;
uniform float rim_alpha;
uniform float section_alpha;
uniform float line_width;        // px
uniform vec3 mirror;             // its product with a point of the unit sphere is that of `halfway` with the normal there
uniform float gloss;             // opacity of the softbox
uniform float side;              // -1: the near surface, +1: the far one

out vec4 color;

const vec2 SOFTBOX = vec2(0.9945, 0.9985);   // round: cosines from its middle as mirrored, where it ends and is full

void main() {
    vec3 ray_unit = ray_here();
    vec3 hit = chord(eye_unit, ray_unit);
    float cover = coverage(hit.x);
    float t = hit.y + side * hit.z;
    vec3 unit = eye_unit + t * ray_unit;
    vec3 soft = fwidth(unit);
    if (cover <= 0.0 || too_near(t)) discard;

    vec3 normal = unit * per_extent, ray = ray_unit * extents;
    float per_normal = inversesqrt(dot(normal, normal));
    float facing = hit.z * dot(ray_unit, ray_unit) * per_normal * inversesqrt(dot(ray, ray));
    float grazing = clamp(1.0 - facing, 0.0, 1.0);
    float alpha = mix(face_alpha, rim_alpha, grazing * grazing * sqrt(grazing));

    // The sections, but not where the outline is so near that the surface changes by a good part of itself in a pixel.
    vec3 line = clamp(0.5 * line_width + 0.6 - abs(unit) / max(soft, 1e-6), 0.0, 1.0) * clamp(2.0 - 30.0 * soft, 0.0, 1.0);
    float section = section_alpha * max(line.x, max(line.y, line.z));
    float glint = gloss * smoothstep(SOFTBOX.x, SOFTBOX.y, dot(mirror, unit) * per_normal);
    color = (vec4(section_color, 1.0) * section + (1.0 - section) * alpha * vec4(shell_color, 1.0)) * cover;
    color = vec4(glint * cover) + (1.0 - glint * cover) * color;
    color += dither(2.0 + side) * cover;
#if WITH_DEPTH
    gl_FragDepth = depth_at(t);
#endif
}
