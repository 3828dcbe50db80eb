#version 330 core
// Straight strokes and the shafts of arrows, one instance each: a quad along the stroke as it stands on the screen.
#include "include/eye.glsl"
#include "include/screen_line.glsl"
#include "include/arrow.glsl"
uniform bool xray;
in vec3 start;
in vec3 end;
in vec4 stroke_color;
in vec2 size;                    // px: width of the stroke, length of the arrow's head (0: none)
in float dash_phase;             // px

out float along;   // px from the start
out float across;
flat out vec4 stroke;
flat out vec2 shape;             // px: length, half width
flat out float roundness;
flat out float phase;

void main() {
    bool arrow = size.y > 0.0;
    vec3 stop = arrow && !xray ? end - 0.9 * head_length(start, end, size.y) * normalize(end - start) : end;
    vec4 a = clip_from_world * vec4(start, 1.0), b = clip_from_world * vec4(stop, 1.0);
    vec2 from = to_screen(a), to = to_screen(b);
    float span = length(to - from);
    vec2 u = span > 1e-3 ? (to - from) / span : vec2(1.0, 0.0);
    float pad = feather();

    bool at_end = (gl_VertexID & 1) == 1;
    along = at_end ? span + pad : -pad;
    across = ((gl_VertexID & 2) == 2 ? 1.0 : -1.0) * (0.5 * size.x + pad);
    stroke = stroke_color;
    shape = vec2(span, 0.5 * size.x);
    roundness = arrow ? 0.22 : 0.0;
    phase = dash_phase;
    gl_Position = moved(at_end ? b : a, (at_end ? pad : -pad) * u + across * vec2(-u.y, u.x));
}
