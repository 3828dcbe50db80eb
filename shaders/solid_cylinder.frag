#version 330 core
// The body as a cylinder about its z axis, ray-cast with its two rims: caps marked by z, the side by x and y.
#include "include/eye.glsl"
#include "include/pixel.glsl"
#include "include/quadric.glsl"
#include "include/surface.glsl"
#include "include/cylinder.glsl"
uniform mat3 world_from_body;
uniform vec3 extents;
uniform vec3 edge_color;

out vec4 color;

void main() {
    vec3 ray_unit = ray_here();
    Met met = meet(eye_unit, ray_unit, vec2(1.0));
    vec2 round_side = asin(clamp(met.unit.yx, -1.0, 1.0)) * extents.x;   // m along the side, from the x and the y axis
    float room = 1.4 * min(extents.x, extents.z);
    float up = met.unit.z * extents.z;
    vec3 r = vec3(length(vec2(round_side.x, up)) / room, length(vec2(round_side.y, up)) / room, met.rim / 1.3);
    vec3 soft = fwidth(r);
    if (max(met.cover, met.edge) <= 0.0 || too_near(met.t)) discard;

    vec3 mark = marks(r, soft, met.unit);
    vec3 paint = body_color;
    if (met.cap) {
        paint = mix(mix(paint, axis_color[2], 0.38), on_flat(axis_color[2]), mark.z);
    } else {
        vec2 here = step(abs(met.unit.yx), abs(met.unit.xy));
        paint = mix(mix(paint, axis_color[0], mark.x * here.x), axis_color[1], mark.y * here.y);
    }
    vec3 to_eye = -normalize(world_from_body * (ray_unit * extents));
    vec3 normal = world_from_body * rounded(met, extents.xz);
    vec3 shade = lit(paint, normal, dot(normal, to_eye));
    color = mix(painted(shade, met.cover, 1.0), vec4(edge_color, 1.0) * line_opacity, met.edge);
    gl_FragDepth = depth_at(met.t);
}
