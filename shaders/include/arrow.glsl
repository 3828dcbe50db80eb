// How large things are that keep their size on the screen.
const float HEAD_RADIUS = 0.36;  // of the head's length

// A direction of the screen in the world: 0 to the right, 1 up; an off-axis eye looks the same way.
vec3 screen_direction(int row) {
    vec3 forward = camera_forward.xyz;
    vec3 direction = vec3(clip_from_world[0][row], clip_from_world[1][row], clip_from_world[2][row]);
    return normalize(direction - dot(direction, forward) * forward);
}

float metres_per_pixel(vec3 place) {
    float depth = (clip_from_world * vec4(place, 1.0)).w;
    vec3 row = vec3(clip_from_world[0][1], clip_from_world[1][1], clip_from_world[2][1]);
    return 2.0 * max(depth, 1e-4) / (pixels.w * dot(row, screen_direction(1)));
}

// Of an arrow's head that is to be `wanted` pixels long, m.
float head_length(vec3 start, vec3 end, float wanted) {
    return max(min(wanted * metres_per_pixel(end), 0.8 * length(end - start)), 1e-9);
}
