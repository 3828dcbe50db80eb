// The body's paint and light: marks that show its turning, a soft key, fill, rim and highlight.
uniform vec3 body_color;
uniform vec3 axis_color[3];   // of body x, y, z
uniform float mark_line;      // darkness of the lines along the principal sections
uniform float line_width;     // px
uniform float ambient;        // light from everywhere
uniform float rim_light;      // added along the outline; less than 0: taken away
uniform vec4 tint;            // a twin's colour, and how much of it
uniform float opacity;
uniform float line_opacity;    // opacity of the outline
uniform vec4 sheet;           // xyz: unit, from the invariable plane to the body, in the world; w: what it swallows of light, 0 without one

// MATERIAL: see material.glsl. The grain and the reflections of wood and metal must not hide what tells octants apart.
#define MATERIAL 0
const bool GRAINY = MATERIAL == 1 || MATERIAL == 2;
const float OCTANT = GRAINY ? 0.17 : 0.11;          // by this fraction neighbouring octants are lighter and darker than the paint
const float FACE_TINT = GRAINY ? 0.08 : 0.38;       // how much of its axis' colour a flat face has
const vec2 GLOSS = vec2(0.05, 0.10); // light that is mirrored: of a broad highlight, of a narrow one
const float DISC = 0.40, RING_INNER = 0.30, RING_OUTER = 0.46;

// Coverage of a disc (positive end of an axis) or a ring (negative end) for each axis; `r` runs from 0 at the axis,
// `soft` is its change over a pixel.
vec3 marks(vec3 r, vec3 soft, vec3 along) {
    vec3 positive = step(0.0, along);
    vec3 slope = 1.0 / max(soft, 1e-6);
    vec3 outer = clamp((mix(vec3(RING_OUTER), vec3(DISC), positive) - r) * slope + 0.5, 0.0, 1.0);
    return outer * max(positive, clamp((r - RING_INNER) * slope + 0.5, 0.0, 1.0));
}

// A mark's colour on a flat face, which has some of it: darker, but nearly white as it is, as the face is dimmed white.
vec3 on_flat(vec3 ink) {
    return ink * mix(0.82, 1.0, smoothstep(0.5, 0.85, min(ink.r, min(ink.g, ink.b))));
}

// Paint with lines along the principal sections and octants told apart; `along`: 0 on the sections, `soft`: its change
// over a pixel.
vec3 sectioned(vec3 paint, vec3 along, vec3 soft) {
    vec3 pixels_away = along / max(1.2 * soft, 1e-20);
    vec3 line = clamp(0.6 * line_width + 0.5 - abs(pixels_away), 0.0, 1.0);
    vec3 side = clamp(pixels_away, -1.0, 1.0);
    return paint * (1.0 + OCTANT * side.x * side.y * side.z) * (1.0 - mark_line * max(line.x, max(line.y, line.z)));
}

// Of what reaches a surface from all around, the fraction that a sheet without end keeps from it: the cosine to the
// normal, integrated over the half of the sphere that the sheet fills. The glass around the body, which it sees whichever
// way it looks, takes the same from each of its points.
float kept_off(vec3 normal) {
    return sheet.w * (0.5 - 0.5 * dot(normal, sheet.xyz));
}

// The highlight of paint where the world's `normal` is that.
vec3 highlight(vec3 normal) {
    float square = max(dot(normal, halfway.xyz), 0.0);
    square *= square;
    float broad = square * square * square * square, narrow = broad * broad;       // to the powers 8 and 40
    return vec3(1.0, 0.97, 0.92) * (GLOSS.x * broad + GLOSS.y * narrow * narrow * broad);
}

// Matt paint; `normal` in the world; `facing`: its component towards this eye.
vec3 lit_matt(vec3 paint, vec3 normal, float facing) {
    float key = 0.5 + 0.5 * dot(normal, key_light.xyz);          // wraps around: no hard terminator
    float fill = 0.5 - 0.5 * dot(normal, camera_forward.xyz);
    float rim = clamp(1.0 - facing, 0.0, 1.0);
    rim *= rim * rim;
    vec3 around = ambient * vec3(0.97, 1.0, 1.05) + 0.28 * fill * vec3(0.95, 1.0, 1.06);
    vec3 light = (1.0 - kept_off(normal)) * around + (0.88 - ambient) * key * key * vec3(1.03, 1.0, 0.96);
    return paint * (light + min(rim_light, 0.0) * rim) + max(rim_light, 0.0) * rim;
}

vec3 lit(vec3 paint, vec3 normal, float facing) {
    return lit_matt(paint, normal, facing) + highlight(normal);
}

// The colour, premultiplied, of a surface that covers so much of the pixel; a twin's outline is denser.
vec4 painted(vec3 light, float cover, float facing) {
    float rim = 1.0 - clamp(facing, 0.0, 1.0);
    float dense = mix(opacity, line_opacity, step(0.01, tint.a) * rim * rim * rim * rim);
    return vec4(mix(light, tint.rgb, tint.a), 1.0) * (cover * dense);
}
