// Lines of constant width on the screen, widened in the vertex stage by half a pixel more for the soft edge.
const float FEATHER = 1.0;

vec2 to_screen(vec4 clip) {
    return 0.5 * clip.xy / max(clip.w, 1e-4) * pixels.zw;
}

// Divided by w, so that what varies along the line does so evenly on the screen, also where the line is cut off at the
// picture's edge (with noperspective software rasterisers lose the digits there).
vec4 moved(vec4 clip, vec2 screen_offset) {
    vec4 at = clip + vec4(2.0 * screen_offset / pixels.zw * clip.w, 0.0, 0.0);
    if (clip.w <= 1e-4) return at;
    vec2 place = 128.0 * pixels.xy;   // to 1/256 of a pixel, as rasterisers do it: a tile does then as the whole does
    return vec4(round(at.xy / at.w * place) / place, at.z / at.w, 1.0);
}

float feather() {
    return FEATHER * max(pixels.z / pixels.x, pixels.w / pixels.y);
}
