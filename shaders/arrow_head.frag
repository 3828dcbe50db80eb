#version 330 core
// A cone with its base, ray-cast: soft outline, right depth from every side.
#include "include/eye.glsl"
#include "include/pixel.glsl"
#include "include/arrow.glsl"
uniform float opacity;
uniform float casing_width;      // px
uniform vec3 casing_color;

const float SHAFT = 0.38;        // half the shaft's width, of the base's radius

flat in mat3 world_from_head;
flat in vec4 ink;
flat in vec2 middle;
flat in float fraction;
flat in mat3 cone_from_screen;
flat in vec3 eye_in_cone;
out vec4 color;

void main() {
    vec3 at = cone_from_screen * vec3(screen_here() - middle, 1.0), ray = at - eye_in_cone;
    float a = dot(ray.xy, ray.xy) - ray.z * ray.z;
    float b = dot(at.xy, ray.xy) - at.z * ray.z;
    float c = dot(at.xy, at.xy) - at.z * at.z;
    float inside = b * b - a * c;                      // the outline of the endless double cone is at 0
    float root = b + (b < 0.0 ? -1.0 : 1.0) * sqrt(max(inside, 0.0));
    vec3 t = vec3(-root / a, -c / root, (1.0 - at.z) / ray.z);      // two of the cone, one of the base
    float rim = length(at.xy + t.z * ray.xy);
    float side = 0.5 + inside / max(fwidth(inside), 1e-12);       // pixels within the outline, and a half
    float past = abs(at.x * ray.y - at.y * ray.x) / max(length(ray.xy), 1e-12);   // the nearest it comes to the axis
    float base = 0.5 + min((1.0 - rim) / max(fwidth(rim), 1e-6), (1.0 - past) / max(fwidth(past), 1e-6));

    float touching = at.z - b / a * ray.z;             // height at which the ray comes nearest to the side
    float tip = 2.0 * HEAD_RADIUS * touching / max(fwidth(touching), 1e-6);   // how many pixels it is across there
    float casing = casing_width / origin.w;            // in its own pixels
    side = a > 0.0 && touching > -casing * fwidth(touching) && touching < 1.0 ? min(side, tip) : -casing;
    float within = max(side, base), cover = clamp(within, 0.0, 1.0), whole = clamp(within + casing, 0.0, 1.0);
    bool on_shaft = base > side && base < 1.0 && past < SHAFT && ray.z > 0.0;   // drawn after this, and whole
    if (whole <= 0.0 || on_shaft) discard;

    float nearest = side > base ? -b / a : t.z;
    bool on_base = side <= base && ray.z < 0.0, found = rim < 1.0;
    if (found) nearest = t.z;
    for (int i = 0; i < 2; i++) {
        float z = at.z + t[i] * ray.z;
        if (inside > 0.0 && z > 0.0 && z < 1.0 && (!found || t[i] < nearest)) {
            nearest = t[i];
            found = true;
            on_base = false;
        }
    }
    if (nearest <= -1.0) discard;                      // behind the eye
    vec3 hit = at + nearest * ray;
    vec3 normal = world_from_head * (on_base ? vec3(0.0, 0.0, -1.0) : hit);
    float key = dot(normalize(normal), key_light.xyz);
    float around = whole - cover;
    color = vec4(ink.rgb * (0.80 + 0.20 * key) * cover + casing_color * around, cover + around) * (ink.a * opacity);
    gl_FragDepth = depth_at(fraction * (1.0 + nearest));
}
