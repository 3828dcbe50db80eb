// Lines of constant width on the screen, widened in the vertex stage by half a pixel more for the soft edge.
const float FEATHER = 1.0;

vec2 to_screen(vec4 clip) {
    return 0.5 * clip.xy / max(clip.w, 1e-4) * pixels.zw;
}

// Divided by w, so that what varies along the line does so evenly on the screen, also where the line is cut off at the
// picture's edge (with noperspective software rasterisers lose the digits there).
vec4 moved(vec4 clip, vec2 screen_offset) {
    vec4 at = clip + vec4(2.0 * screen_offset / pixels.zw * clip.w, 0.0, 0.0);
    return clip.w > 1e-4 ? vec4(at.xyz / at.w, 1.0) : at;
}

float feather() {
    return FEATHER * max(pixels.z / pixels.x, pixels.w / pixels.y);
}
