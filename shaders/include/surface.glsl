// The body's paint and light: marks that show its turning, a soft key, fill and rim.
uniform vec3 body_color;
uniform vec3 axis_color[3];   // of body x, y, z
uniform float mark_line;      // darkness of the lines along the principal sections
uniform float line_width;     // px

const float DISC = 0.40, RING_INNER = 0.30, RING_OUTER = 0.46;

// Coverage of a disc (positive end of an axis) or a ring (negative end) for each axis; `r` runs from 0 at the axis,
// `soft` is its change over a pixel.
vec3 marks(vec3 r, vec3 soft, vec3 along) {
    vec3 positive = step(0.0, along);
    vec3 slope = 1.0 / max(soft, 1e-6);
    vec3 outer = clamp((mix(vec3(RING_OUTER), vec3(DISC), positive) - r) * slope + 0.5, 0.0, 1.0);
    return outer * max(positive, clamp((r - RING_INNER) * slope + 0.5, 0.0, 1.0));
}

vec3 lit(vec3 paint, vec3 normal, vec3 to_eye) {
    float key = max(dot(normal, key_light.xyz), 0.0);
    float fill = 0.5 - 0.5 * dot(normal, camera_forward.xyz);
    float rim = clamp(1.0 - dot(normal, to_eye), 0.0, 1.0);
    rim *= rim;
    return paint * (0.30 + 0.42 * fill + 0.46 * key) + 0.10 * rim * rim;
}
