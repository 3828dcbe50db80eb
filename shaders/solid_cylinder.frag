#version 330 core
// The body as a cylinder about its z axis, ray-cast with its two rims: caps marked by z, the side by x and y.
#include "include/eye.glsl"
#include "include/pixel.glsl"
#include "include/quadric.glsl"
#include "include/surface.glsl"
uniform mat3 world_from_body;
uniform vec3 extents;
uniform vec3 edge_color;
uniform float edge_width;        // px

out vec4 color;

// A cap whose radius 1 is fewer pixels than 1 / EDGE_ON the short way is all but edge-on: its rims are then found by
// the heights at which the ray meets the side, in front and behind (the near cap is at 1), not by the radius on the cap.
const float EDGE_ON = 0.2;

// The dark line along an edge at 1.
float rim_line(float radius, float soft) {
    return clamp(0.5 * edge_width + 0.5 - abs(radius - 1.0) / soft, 0.0, 1.0);
}

void main() {
    vec3 ray_unit = ray_here();
    vec3 hit = chord(vec3(eye_unit.xy, 0.0), vec3(ray_unit.xy, 0.0));
    float upwards = ray_unit.z < 0.0 ? -1.0 : 1.0;
    float t_side = hit.y - hit.z;
    float t_near = (-upwards - eye_unit.z) / ray_unit.z, t_far = (upwards - eye_unit.z) / ray_unit.z;
    float rim_near = length(eye_unit.xy + t_near * ray_unit.xy);
    float rim_far = length(eye_unit.xy + t_far * ray_unit.xy);
    float soft_near = max(fwidth(rim_near), 1e-6), soft_far = max(fwidth(rim_far), 1e-6);
    float soft_side = max(fwidth(hit.x), 1e-6);
    vec2 heights = -upwards * (eye_unit.z + (hit.y + vec2(-hit.z, hit.z)) * ray_unit.z);
    vec2 soft_heights = max(fwidth(heights), 1e-6);
    bool cap = t_near > t_side;
    bool over = t_near > hit.y, under = t_far < hit.y;   // passes beyond the near cap, beneath the far one
    float cover = coverage(hit.x);
    float upper, lower;
    if (max(soft_near, soft_far) < EDGE_ON) {
        if (over) cover = min(cover, clamp(0.5 + (1.0 - rim_near) / soft_near, 0.0, 1.0));
        if (under) cover = min(cover, clamp(0.5 + (1.0 - rim_far) / soft_far, 0.0, 1.0));
        upper = rim_line(rim_near, soft_near);
        lower = under && !(cap && rim_near < 1.0) ? rim_line(rim_far, soft_far) : 0.0;
    } else {
        vec2 ends = clamp(0.5 + vec2(1.0 + heights.x, 1.0 - heights.y) / soft_heights, 0.0, 1.0);
        cover = min(cover, min(ends.x, ends.y));
        upper = max(rim_line(heights.x, soft_heights.x), rim_line(heights.y, soft_heights.y));
        lower = rim_line(-heights.x, soft_heights.x);
    }
    if (abs(eye_unit.z) <= 1.0) upper = 0.0;
    float beside = over || under ? 0.0 : rim_line(hit.x, soft_side);
    float edge = max(max(upper, lower) * clamp(0.5 * edge_width + 0.5 - (hit.x - 1.0) / soft_side, 0.0, 1.0), beside);

    float t = cover > 0.0 ? (cap ? t_near : t_side) : (upper > 0.0 ? t_near : lower > 0.0 ? t_far : hit.y);
    vec3 unit = eye_unit + t * ray_unit;
    vec2 round_side = asin(clamp(unit.yx, -1.0, 1.0)) * extents.x;   // m along the side, from the x and the y axis
    float room = 1.4 * min(extents.x, extents.z);
    float up = unit.z * extents.z;
    vec3 r = vec3(length(vec2(round_side.x, up)) / room, length(vec2(round_side.y, up)) / room, rim_near / 1.3);
    vec3 soft = fwidth(r);
    if (max(cover, edge) <= 0.0 || too_near(t)) discard;

    vec3 mark = marks(r, soft, unit);
    vec3 paint = body_color, normal;
    if (cap) {
        normal = vec3(0.0, 0.0, -upwards);
        paint = mix(mix(paint, axis_color[2], 0.38), 0.82 * axis_color[2], mark.z);
    } else {
        normal = vec3(unit.xy, 0.0);
        vec2 here = step(abs(unit.yx), abs(unit.xy));
        paint = mix(mix(paint, axis_color[0], mark.x * here.x), axis_color[1], mark.y * here.y);
    }
    vec3 to_eye = -normalize(world_from_body * (ray_unit * extents));
    vec3 shade = lit(paint, normalize(world_from_body * normal), to_eye);
    color = mix(painted(shade, cover, 1.0), vec4(edge_color, 1.0), edge);
    gl_FragDepth = depth_at(t);
}
