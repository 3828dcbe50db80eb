// How large things are that keep their size on the screen.
const float HEAD_RADIUS = 0.36;  // of the head's length

float metres_per_pixel(vec3 point) {
    float depth = (clip_from_world * vec4(point, 1.0)).w;
    return max(depth, 1e-4) / depths.z * length(ray_from_pixel[1]) / origin.w;
}

// Of an arrow's head that is to be `wanted` pixels long, m.
float head_length(vec3 start, vec3 end, float wanted) {
    return max(min(wanted * metres_per_pixel(end), 0.8 * length(end - start)), 1e-9);
}

// Half the width of an arrow's shaft where it is dashed, px, of that of the shaft.
float dashed_half(float shaft, float casing) {
    return max(0.55 * shaft, min(shaft, casing));
}
