#version 330 core
// Letters: one instance each, at the depth of what they name, upright on the screen.
#include "include/eye.glsl"
#include "include/screen_line.glsl"
in vec3 anchor;
in vec4 box;                     // px from the anchor: x, y, width, height
in vec4 texels;                  // u, v, width, height in the atlas
in vec4 ink;

out vec2 atlas;
flat out vec4 letter;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, (gl_VertexID & 2) >> 1);
    atlas = texels.xy + corner * texels.zw;
    letter = ink;
    gl_Position = moved(clip_from_world * vec4(anchor, 1.0), box.xy + corner * box.zw);
}
