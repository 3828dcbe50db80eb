#version 330 core
// The body as a box: a face tinted by its axis, with the axis' mark in the middle.
#include "include/eye.glsl"
#include "include/surface.glsl"
uniform mat3 world_from_body;
uniform vec3 extents;

in vec3 body_position;
out vec4 color;

void main() {
    vec3 unit = body_position / extents;
    vec3 away = abs(unit);
    vec3 on_face = step(max(away.yzx, away.zxy), away);
    vec3 room = 1.5 * min(extents.yzx, extents.zxy);
    vec3 r = sqrt(dot(body_position, body_position) - body_position * body_position) / room;
    vec3 soft = fwidth(r);

    vec3 mark = marks(r, soft, unit) * on_face;
    vec3 tint = on_face.x * axis_color[0] + on_face.y * axis_color[1] + on_face.z * axis_color[2];
    vec3 paint = mix(body_color, tint, 0.38);
    paint = mix(paint, 0.82 * tint, max(mark.x, max(mark.y, mark.z)));

    vec3 normal = world_from_body * (on_face * sign(unit));
    vec3 to_eye = normalize(eye_world.xyz - world_from_body * body_position);
    color = painted(lit(paint, normal, to_eye), 1.0, 1.0);
}
