#version 330 core
// Letters: one instance each, at the depth of what they name, upright on the screen.
#include "include/eye.glsl"
#include "include/to_screen.glsl"
#include "include/screen_line.glsl"
in vec3 anchor;
in vec4 box;                     // px from the anchor: x, y, width, height
in vec4 texels;                  // u, v, width, height in the atlas
in vec4 ink;

flat out vec4 texel_box;         // u, v, width, height in the atlas
flat out vec4 pixel_box;         // px on the screen: x, y, width, height
flat out vec4 letter;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, (gl_VertexID & 2) >> 1);
    letter = ink;
    vec4 clip = clip_from_world * vec4(anchor, 1.0);
    texel_box = texels;
    pixel_box = vec4(to_screen(clip) + box.xy, box.zw);
    gl_Position = moved(clip, box.xy + corner * box.zw);
}
