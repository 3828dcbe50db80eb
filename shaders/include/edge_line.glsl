// An edge as a line on the screen.
uniform vec3 edge_color;
uniform float width;             // px

flat out vec4 line;              // as in segment.vert
flat out vec2 line_depths;
flat out vec4 stroke;
flat out vec2 shape;
flat out float roundness;
flat out float casing;
flat out vec4 dashes;

// Where this vertex of the line between two points of the world is.
vec4 edge_line(vec3 from_world, vec3 to_world) {
    vec4 from_clip = clip_from_world * vec4(from_world, 1.0), to_clip = clip_from_world * vec4(to_world, 1.0);
    vec4 a = in_front(from_clip, to_clip), b = in_front(to_clip, from_clip);
    vec2 from = to_screen(a), to = to_screen(b);
    float span = length(to - from);
    vec2 u = span > 1e-3 ? (to - from) / span : vec2(1.0, 0.0);
    float pad = 0.5 * width;

    line = vec4(from - pad * u, u);
    line_depths = vec2(window_depth(a), window_depth(b));
    stroke = vec4(edge_color, 1.0);
    shape = vec2(span + 2.0 * pad, 0.5 * width);
    roundness = 0.0;
    casing = 0.0;
    dashes = vec4(0.0, 0.0, 1.0, 1.0);
    bool at_end = (gl_VertexID & 1) == 1;
    float across = ((gl_VertexID & 2) == 2 ? 1.0 : -1.0) * (pad + feather());
    return moved(at_end ? b : a, (at_end ? pad : -pad) * u + across * vec2(-u.y, u.x));
}
