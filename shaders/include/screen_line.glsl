// Lines of constant width on the screen, widened in the vertex stage for the soft edge: by more than half a pixel's diagonal.
const float FEATHER = 0.75;

vec4 moved(vec4 clip, vec2 screen_offset) {
    return in_tile(clip + vec4(2.0 * screen_offset / pixels.zw * clip.w, 0.0, 0.0));
}

// The end of a line, or where the line leaves the space behind the eye.
vec4 in_front(vec4 end, vec4 other) {
    float nearest = 1e-3 * depths.z;
    return end.w < nearest && other.w > nearest ? mix(end, other, (nearest - end.w) / (other.w - end.w)) : end;
}

float window_depth(vec4 clip) {
    return 0.5 + 0.5 * clip.z / max(clip.w, 1e-4);
}

float feather() {
    return FEATHER * max(pixels.z / pixels.x, pixels.w / pixels.y);
}
