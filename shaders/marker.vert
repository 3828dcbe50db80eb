#version 330 core
// The touching point: a square on the screen around it.
#include "include/eye.glsl"
#include "include/to_screen.glsl"
#include "include/screen_line.glsl"
#include "include/arrow.glsl"
uniform vec3 centre;
uniform float radius;            // px
uniform float thickness;         // px

const float NEARER = 2.6;        // radii: as long as the head of an arrow that ends here, which does not hide the ring

flat out vec2 middle;            // px on the screen

void main() {
    float reach = radius + 0.5 * thickness + 1.0 + feather();   // the casing's outer edge
    vec2 offset = reach * vec2((gl_VertexID & 1) * 2 - 1, (gl_VertexID & 2) - 1);
    vec4 clip = clip_from_world * vec4(centre, 1.0);
    vec3 nearer = centre + NEARER * radius * metres_per_pixel(centre) * normalize(eye_world.xyz - centre);
    vec4 depth = clip_from_world * vec4(nearer, 1.0);
    clip.z = depth.z / depth.w * clip.w;
    middle = to_screen(clip);
    gl_Position = moved(clip, offset);
}
