// Lines of constant width on the screen, widened in the vertex stage by half a pixel more for the soft edge.
const float FEATHER = 1.0;

vec2 to_screen(vec4 clip) {
    return 0.5 * clip.xy / max(clip.w, 1e-4) * pixels.zw;
}

vec4 moved(vec4 clip, vec2 screen_offset) {
    return clip + vec4(2.0 * screen_offset / pixels.zw * clip.w, 0.0, 0.0);
}

float feather() {
    return FEATHER * max(pixels.z / pixels.x, pixels.w / pixels.y);
}
