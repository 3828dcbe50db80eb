#version 330 core
// Flat shapes of a size in pixels at a place in the scene, one instance each.
#include "include/eye.glsl"
#include "include/screen_line.glsl"
in vec3 anchor;
in vec4 box;                     // px: half width and height, radius of the corners, thickness of a ring or 0
in vec4 ink;

noperspective out vec2 offset;   // px from the middle
flat out vec4 form;
flat out vec4 paint;

void main() {
    offset = (box.xy + feather()) * vec2((gl_VertexID & 1) * 2 - 1, (gl_VertexID & 2) - 1);
    form = box;
    paint = ink;
    gl_Position = moved(clip_from_world * vec4(anchor, 1.0), offset);
}
