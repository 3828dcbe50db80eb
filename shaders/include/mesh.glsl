// What was drawn of a mesh before its picture: the targets' pixels are those of the viewport.
uniform sampler2D depth_there;
uniform vec2 corner;             // of the viewport in the picture, px
uniform vec2 room;               // its size, px

ivec2 in_targets(vec2 pixel) {
    return ivec2(clamp(pixel - corner, vec2(0.0), room - 1.0));
}

// Of a pixel of the viewport itself.
ivec2 here_in_targets() {
    return ivec2(gl_FragCoord.xy - corner);
}

// The nearest and the farthest of the pixels around one: window depths.
vec2 depths_around(vec2 pixel) {
    vec2 found = vec2(1.0, 0.0);
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            float there = texelFetch(depth_there, in_targets(pixel + vec2(i, j)), 0).r;
            found = vec2(min(found.x, there), max(found.y, there));
        }
    return found;
}
