#version 330 core
// The body as a cylinder about its z axis, ray-cast: caps marked by z, the side by x and y.
#include "include/eye.glsl"
#include "include/quadric.glsl"
#include "include/surface.glsl"
uniform mat3 world_from_body;
uniform vec3 extents;

out vec4 color;

void main() {
    vec3 hit = chord(vec3(eye_unit.xy, 0.0), vec3(ray_unit.xy, 0.0));
    float t_side = hit.y - hit.z;
    float t_cap = (sign(eye_unit.z) - eye_unit.z) / ray_unit.z;
    bool cap = abs(eye_unit.z) > 1.0 && t_cap > t_side;
    float t = cap ? t_cap : t_side;
    vec3 unit = eye_unit + t * ray_unit;
    float rim = length(unit.xy);
    float cover = cap ? 1.0 : coverage(hit.x);

    vec2 round_side = asin(clamp(unit.yx, -1.0, 1.0)) * extents.x;   // m along the side, from the x and the y axis
    float room = 1.4 * min(extents.x, extents.z);
    float up = unit.z * extents.z;
    vec3 r = vec3(length(vec2(round_side.x, up)) / room, length(vec2(round_side.y, up)) / room, rim / 1.3);
    vec3 soft = fwidth(r);
    if (cover <= 0.0 || (cap ? rim > 1.0 : abs(unit.z) > 1.0)) discard;

    vec3 mark = marks(r, soft, unit);
    vec3 paint = body_color, normal;
    if (cap) {
        normal = vec3(0.0, 0.0, sign(eye_unit.z));
        paint = mix(mix(paint, axis_color[2], 0.38), 0.82 * axis_color[2], mark.z);
    } else {
        normal = vec3(unit.xy, 0.0);
        vec2 here = step(abs(unit.yx), abs(unit.xy));
        paint = mix(mix(paint, axis_color[0], mark.x * here.x), axis_color[1], mark.y * here.y);
    }
    vec3 to_eye = -normalize(world_from_body * (ray_unit * extents));
    color = vec4(lit(paint, normalize(world_from_body * normal), to_eye), 1.0) * cover;
    gl_FragDepth = depth_at(t);
}
