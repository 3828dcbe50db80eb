#version 330 core
// The body as a mesh: the triangle seen here, met by this pixel's own ray; round or flat, with marks where the axes
// leave it, and its edges.
#pragma flat uniforms
#include "include/eye.glsl"
#include "include/pixel.glsl"
#include "include/quadric.glsl"
#include "include/surface.glsl"
#include "include/material.glsl"
#include "include/mesh.glsl"
#include "include/mesh_surface.glsl"
#define PAINT 0                  // 0: the theme's, 1: the corners' colours, 2: a texture
#define TWIN 0                   // 1: one that is seen through; of the body itself the depth has been drawn before
#define PARTS 0                  // 1: it has parts that can be selected and can glow
uniform mat3 world_from_body;
uniform vec3 extents;
uniform vec3 edge_color;
#if PARTS
uniform vec3 selected_color;
uniform vec4 lit_faces;          // the first and the one after the last of the selected part, of the part that glows
#endif
uniform sampler2D triangle_there;
uniform sampler2D edge_there;
uniform sampler2D triangles;     // three texels each: corners; w: 0 where round, 2^22 where flat, 2^23 where of a hole, and the normal
#if PAINT > 0
uniform sampler2D paints;        // three texels each
uniform float saturation;
uniform float lift;              // towards white, where it glows
#endif
#if PAINT == 2
uniform sampler2D picture;
#endif

out vec4 color;

const int ROW_BITS = 8, ROW = 1 << ROW_BITS;

void main() {
    ivec2 here = here_in_targets();
    int number = int(texelFetch(triangle_there, here, 0).r) - 1;    // -1: beside it, where an edge may be
    vec2 edge = texelFetch(edge_there, here, 0).rg;
#if TWIN
    if (number < 0 && edge.x <= 0.002) discard;
#endif
    int row = max(number, 0) >> ROW_BITS;
    ivec2 at = ivec2(3 * (max(number, 0) - row * ROW), row);
    vec4 corner_a = texelFetch(triangles, at, 0);
    vec4 corner_b = texelFetch(triangles, at + ivec2(1, 0), 0);
    vec4 corner_c = texelFetch(triangles, at + ivec2(2, 0), 0);
    vec3 a = corner_a.xyz, ab = corner_b.xyz - a, ac = corner_c.xyz - a;
    vec3 plane = cross(ab, ac), ray = ray_here();
    float per_slope = 1.0 / (dot(plane, ray) + 1e-20), span = 1.0 / max(dot(plane, plane), 1e-30);
    vec3 from_a = eye_unit + dot(plane, a - eye_unit) * per_slope * ray - a;
    float v = dot(cross(from_a, ac), plane) * span, w = dot(cross(ab, from_a), plane) * span;
    vec3 inside = clamp(vec3(1.0 - v - w, v, w), 0.0, 1.0);
    inside /= inside.x + inside.y + inside.z;
    vec3 unit = a + inside.y * ab + inside.z * ac;
    float t = dot(unit - eye_unit, ray) / dot(ray, ray);

    vec4 mixed = mat3x4(surface(corner_a.w), surface(corner_b.w), surface(corner_c.w)) * inside;
    vec3 face = normalize(plane / extents);
    vec3 normal_body = normalize(mixed.xyz + 1e-6 * face);
    float is_flat = clamp(mixed.w, 0.0, 1.0);
    // where the triangle's plane is a pixel to the right and a pixel above
    vec3 ray_x = unit_ray_from_pixel[0], ray_y = unit_ray_from_pixel[1];
    vec3 unit_x = t * (ray_x - ray * (dot(plane, ray_x) * per_slope));
    vec3 unit_y = t * (ray_y - ray * (dot(plane, ray_y) * per_slope));
    vec3 place = unit * extents, place_x = unit_x * extents, place_y = unit_y * extents;

    // marks around the axes
    vec4 near = nearest_mark(face, place, place_x, place_y);
    vec3 axis = vec3(equal(vec3(near.z), vec3(1.0, 2.0, 3.0)));
    float mark = dot(marks(vec3(near.x), vec3(near.y), vec3(near.w - 0.5)), axis);
    vec3 faces_axis = face * face;
    vec3 tinted = axis_color[0] * faces_axis.x + axis_color[1] * faces_axis.y + axis_color[2] * faces_axis.z;
#if PAINT == 0
    vec3 paint = mix(body_color, tinted, FACE_TINT * is_flat);
#else
    mat3x4 paint_corners = mat3x4(
        texelFetch(paints, at, 0), texelFetch(paints, at + ivec2(1, 0), 0), texelFetch(paints, at + ivec2(2, 0), 0)
    );
    vec3 paint = (paint_corners * inside).rgb;
#if PAINT == 2
    vec4 u = paint_corners[1] - paint_corners[0], w_ = paint_corners[2] - paint_corners[0];
    paint = textureGrad(picture, paint.xy, over(unit_x, ab, ac, plane * span, u.xy, w_.xy), over(unit_y, ab, ac, plane * span, u.xy, w_.xy)).rgb;
#endif
    paint = mix(vec3(dot(paint, vec3(0.2126, 0.7152, 0.0722))), paint, saturation);
    paint = mix(paint, vec3(1.0), lift);
#endif
#if PARTS
    float face_number = float(number) + 0.5;
    bool selected = face_number > lit_faces.x && face_number < lit_faces.y;
    if (selected) paint = mix(paint, selected_color, 0.62);
    if (face_number > lit_faces.z && face_number < lit_faces.w) paint = mix(paint, vec3(1.0), 0.3);
#endif
    paint = mix(sectioned(paint, place, abs(place_x) + abs(place_y)), paint, is_flat);
    vec3 ink = axis_color[0] * axis.x + axis_color[1] * axis.y + axis_color[2] * axis.z;

    vec3 to_eye = normalize(eye_unit * extents - place);
    vec3 normal = dot(face, to_eye) < 0.0 ? -normal_body : normal_body;
    float facing = dot(normal, to_eye);
    vec3 grain = grain_from_body * place, soft_grain = abs(grain_from_body * place_x) + abs(grain_from_body * place_y);
    vec3 bulge = world_from_body * unit * mix(EVENED, BULGE, is_flat);
    vec3 light = shaded(paint, mix(ink, on_flat(ink), is_flat), mark, grain, soft_grain, world_from_body * normal, facing, bulge);
#if PARTS
    if (selected) light = mix(light, selected_color, 0.2);          // also where no light falls
#endif
#if TWIN
    color = painted(light, 1.0, mix(facing, 1.0, is_flat));
#else
    color = vec4(light, 1.0);
#endif
    color = mix(number < 0 ? vec4(0.0) : color, vec4(edge_color, 1.0) * line_opacity, edge.x);
#if TWIN
    gl_FragDepth = number < 0 ? 1.0 - edge.y : depth_at(t);
#endif
}
