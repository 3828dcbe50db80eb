#version 330 core
// Flat shapes of a size in pixels at a point of the scene, one instance each.
#include "include/eye.glsl"
#include "include/to_screen.glsl"
#include "include/screen_line.glsl"
in vec3 anchor;
in vec4 box;                     // px: half width and height, radius of the corners, thickness of a ring or 0
in vec4 ink;

flat out vec2 middle;            // px on the screen
flat out vec4 form;
flat out vec4 paint;

void main() {
    vec2 offset = (box.xy + feather()) * vec2((gl_VertexID & 1) * 2 - 1, (gl_VertexID & 2) - 1);
    form = box;
    paint = ink;
    vec4 clip = clip_from_world * vec4(anchor, 1.0);
    middle = to_screen(clip);
    gl_Position = moved(clip, offset);
}
