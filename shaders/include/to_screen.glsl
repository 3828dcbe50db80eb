// Where a vertex is drawn, and what the fragment stage needs so that nothing is interpolated: include/pixel.glsl. What is
// flat is read faster there than a uniform block.
flat out vec4 from_tile;

// Pixels of the finished picture from the middle of this eye's one.
vec2 to_screen(vec4 clip) {
    return 0.5 * clip.xy / max(clip.w, 1e-4) * pixels.zw;
}

// Rounded to 1/256 of a pixel of the whole, as rasterisers do it: the same pixels are covered in every tile.
vec4 in_tile(vec4 clip) {
    from_tile = vec4(origin.xy, depths.xy);
    vec2 steps = 128.0 * pixels.xy;
    vec2 position = clip.w > 1e-4 * depths.z ? round(clip.xy / clip.w * steps) / steps * clip.w : clip.xy;
    return vec4(position * tile.xy + clip.w * tile.zw, clip.zw);
}
