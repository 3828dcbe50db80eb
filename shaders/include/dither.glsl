// Noise of a step of an 8-bit value either way, so that what changes slowly shows no bands: another one for the
// opacity, and in each layer of glass, or they would add up.
vec4 dither(float layer) {
    vec2 at = pixel_here() + layer * vec2(47.0, 17.0);
    vec2 waves = vec2(dot(at, vec2(0.06711056, 0.00583715)), dot(at, vec2(0.00583715, -0.06711056)));
    vec2 noise = (fract(52.9829189 * fract(waves)) - 0.5) * (2.0 / 255.0);
    return noise.xxxy;
}
