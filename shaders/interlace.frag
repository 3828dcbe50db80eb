#version 330 core
// The parts of an interlaced picture, one for each position in the pattern, pixel by pixel.
uniform sampler2D part_0;        // all parts, side by side and one above the other
uniform vec2 part_size;          // in pixels of the picture
uniform vec2 corner;             // of the picture in what is drawn to, px
#define COUNTS uvec2(1u, 1u)         // of the parts, across and down: a constant, or the divisions would cost twice
#define BLOCK 1u                     // pixels across and down that show one of the screen
#define REDUCED 0                    // 1 where the parts are drawn in fewer pixels

out vec4 color;

void main() {
    uvec2 at = uvec2(gl_FragCoord.xy - corner);
    uvec2 cell = at / BLOCK, inside = at % BLOCK, part = cell % COUNTS;
    uvec2 in_part = cell / COUNTS * BLOCK + inside;
#if REDUCED
    vec2 half_texel = 0.5 * vec2(COUNTS) / vec2(textureSize(part_0, 0));
    vec2 there = clamp((vec2(in_part) + 0.5) / part_size, half_texel, 1.0 - half_texel);
    color = texture(part_0, (vec2(part) + there) / vec2(COUNTS));
#else
    color = texelFetch(part_0, ivec2(part * uvec2(part_size) + in_part), 0);
#endif
}
