#version 330 core
// Straight strokes and arrows, one instance each: a quad along the stroke as it stands on the screen.
#include "include/eye.glsl"
#include "include/screen_line.glsl"
in vec3 start;
in vec3 end;
in vec4 stroke_color;
in vec2 size;                    // px: width of the stroke, length of the arrow's head (0: none)
in float dash_phase;             // px

noperspective out float along;   // px from the start
noperspective out float across;
flat out vec4 stroke;
flat out vec4 shape;             // px: length, half width, head's length, head's half width
flat out float phase;

void main() {
    vec4 a = clip_from_world * vec4(start, 1.0), b = clip_from_world * vec4(end, 1.0);
    vec2 from = to_screen(a), to = to_screen(b);
    float span = length(to - from);
    vec2 u = span > 1e-3 ? (to - from) / span : vec2(1.0, 0.0);
    vec2 v = vec2(-u.y, u.x);
    float half_width = 0.5 * size.x;
    float head_half = size.y > 0.0 ? 0.36 * size.y : half_width;
    float head = min(size.y, max(span, 0.5 * size.y));
    float pad = feather();

    bool at_end = (gl_VertexID & 1) == 1;
    float side = (gl_VertexID & 2) == 2 ? 1.0 : -1.0;
    along = at_end ? span + pad : -pad;
    across = side * (head_half + pad);
    stroke = stroke_color;
    shape = vec4(span, half_width, head, head_half);
    phase = dash_phase;
    gl_Position = moved(at_end ? b : a, (at_end ? pad : -pad) * u + across * v);
}
