#version 330 core
// Straight strokes and the shafts of arrows, one instance each: a quad along the stroke as it stands on the screen.
#include "include/eye.glsl"
#include "include/to_screen.glsl"
#include "include/screen_line.glsl"
#include "include/arrow.glsl"
uniform bool xray;
uniform float casing_width;      // px
in vec3 start;
in vec3 end;
in vec4 stroke_color;
in vec2 size;                    // px: width of the stroke, length of the arrow's head (0: none)
in vec3 dash;                    // px: phase of the dashes; how long the stroke is as both eyes count dashes along it; their opacity

flat out vec4 line;              // px on the screen: where it begins; unit vector along it
flat out vec2 line_depths;       // at its ends
flat out vec4 stroke;
flat out vec2 shape;             // px: length, half width
flat out float roundness;        // how much darker the side away from the light is; less than 0: the right one
flat out float casing;           // px
flat out vec4 dashes;            // px along the stroke at both ends, as they lie in space, times the other end's clip w; these

void main() {
    bool arrow = size.y > 0.0;
    vec3 stop = arrow && !xray ? end - 0.9 * head_length(start, end, size.y) * normalize(end - start) : end;
    vec4 from_clip = clip_from_world * vec4(start, 1.0), to_clip = clip_from_world * vec4(stop, 1.0);
    vec4 a = in_front(from_clip, to_clip), b = in_front(to_clip, from_clip);
    vec2 from = to_screen(a), to = to_screen(b);
    float span = length(to - from);
    vec2 u = span > 1e-3 ? (to - from) / span : vec2(1.0, 0.0);
    float pad = feather();

    line = vec4(from, u);
    line_depths = vec2(window_depth(a), window_depth(b));
    stroke = stroke_color;
    if (xray) stroke.a *= dash.z;
    shape = vec2(span, 0.5 * size.x);
    vec2 light = vec2(dot(key_light.xyz, normalize(ray_from_pixel[0])), dot(key_light.xyz, normalize(ray_from_pixel[1])));
    roundness = arrow ? 0.22 * clamp(2.0 * dot(vec2(u.y, -u.x), light), -1.0, 1.0) : 0.0;
    casing = casing_width;
    float cut = abs(a.w - from_clip.w) + abs(b.w - to_clip.w) > 0.0 ? 1.0 / (to_clip.w - from_clip.w) : 0.0;
    vec2 fraction = vec2(0.0, 1.0) + cut * vec2(a.w - from_clip.w, b.w - to_clip.w);
    dashes = vec4(dash.x + dash.y * fraction, 1.0, 1.0) * vec4(b.w, a.w, b.w, a.w);
    bool at_end = (gl_VertexID & 1) == 1;
    float across = ((gl_VertexID & 2) == 2 ? 1.0 : -1.0) * (0.5 * size.x + casing + pad);
    gl_Position = moved(at_end ? b : a, (at_end ? pad : -pad) * u + across * vec2(-u.y, u.x));
}
