#version 330 core
// The parts of a woven picture, one for each place in the weave, pixel by pixel into their places.
uniform sampler2D parts;
uniform vec2 counts;             // of the parts, across and down
uniform vec2 part_size;          // of a part, in pixels of the picture; it may have been drawn in fewer
uniform int block;               // pixels across and down that show one of the screen

out vec4 color;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy), n = ivec2(counts);
    ivec2 cell = at / block, inside = at - cell * block;
    ivec2 turn = cell / n, place = cell - turn * n;
    vec2 half_texel = 0.5 * counts / vec2(textureSize(parts, 0));
    vec2 in_part = clamp((vec2(turn * block + inside) + 0.5) / part_size, half_texel, 1.0 - half_texel);
    color = texture(parts, (vec2(place) + in_part) / counts);
}
