#version 330 core
// The parts of an interlaced picture, pixel by pixel.
uniform sampler2D part_0;        // all parts: of each position in the pattern, side by side and one above the other;
                                 // reduced, of the two eyes, whole and side by side
uniform vec2 part_size;          // in pixels of the picture
uniform vec2 corner;             // of the picture in what is drawn to, px
#define COUNTS uvec2(1u, 1u)         // of the positions, across and down: a constant, or the divisions would cost twice
#define BLOCK 1u                     // pixels across and down that show one of the screen
#define REDUCED 0                    // 1 where the eyes are drawn in fewer pixels
#define SECOND 0u                    // a bit for each position, row by row: 1 for the second eye

out vec4 color;

void main() {
    uvec2 at = uvec2(gl_FragCoord.xy - corner);
    uvec2 cell = at / BLOCK, position = cell % COUNTS;
#if REDUCED
    float eye = float((SECOND >> (position.y * COUNTS.x + position.x)) & 1u);
    vec2 half_texel = vec2(1.0, 0.5) / vec2(textureSize(part_0, 0));
    vec2 there = clamp((vec2(at) + 0.5) / part_size, half_texel, 1.0 - half_texel);
    color = texture(part_0, vec2(0.5 * (eye + there.x), there.y));
#else
    uvec2 in_part = cell / COUNTS * BLOCK + at % BLOCK;
    color = texelFetch(part_0, ivec2(position * uvec2(part_size) + in_part), 0);
#endif
}
