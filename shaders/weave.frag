#version 330 core
// The parts of a woven picture, one for each place in the weave, pixel by pixel into their places.
uniform sampler2D parts;
uniform vec2 counts;             // of the parts, across and down
uniform vec2 part_blocks;        // size of a part, in blocks
uniform int block;               // pixels across and down that show one of the screen

out vec4 color;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy), n = ivec2(counts);
    ivec2 cell = at / block, inside = at - cell * block;
    ivec2 turn = cell / n, place = cell - turn * n;
    color = texelFetch(parts, (place * ivec2(part_blocks) + turn) * block + inside, 0);
}
