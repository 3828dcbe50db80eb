#version 330 core
// How much of the pixel an edge covers, where it is seen: that is looked for where its own middle line runs.
// The outline of a round surface is drawn where there is a gap behind it, not along each dent.
#include "include/eye.glsl"
#include "include/pixel.glsl"
#include "include/mesh.glsl"
flat in vec4 line;
flat in vec2 line_depths;
flat in vec2 shape;
flat in float gap;
out vec2 edge;                   // and how near it is, 1 - depth

const float SLACK = 2e-5;        // of the depth: what lies in the surface is seen

void main() {
    vec2 past = (pixel_here() + corner) * origin.zw - line.xy;
    float along = dot(past, line.zw), across = dot(past, vec2(-line.w, line.z));   // px
    vec2 soft = abs(line.zw) * origin.zw, wide = abs(line.wz) * origin.zw;
    float soft_u = soft.x + soft.y, soft_v = wide.x + wide.y;
    float ends = clamp(along / soft_u + 0.5, 0.0, 1.0) * clamp((shape.x - along) / soft_u + 0.5, 0.0, 1.0);
    float cover = clamp((shape.y - abs(across)) / soft_v + 0.5, 0.0, 1.0) * ends;
    float on_line = clamp(along, shape.y, shape.x - shape.y);
    vec2 middle = (line.xy + on_line * line.zw) / origin.zw - from_tile.xy;
    vec2 there = depths_around(floor(middle));
    float depth = mix(line_depths.x, line_depths.y, (on_line - shape.y) / max(shape.x - 2.0 * shape.y, 1e-3));
    if (gap > 0.0) {
        vec2 ts = from_tile.w / (vec2(depth, min(there.y, 1.0)) - from_tile.z);
        cover *= smoothstep(0.5 * gap, gap, (ts.y - ts.x) * depths.z);
    }
    if (cover <= 0.0 || depth > there.y + 0.2 * (there.y - there.x) + SLACK) discard;
    edge = vec2(cover, 1.0 - depth);
}
