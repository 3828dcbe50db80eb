#version 330 core
// Which triangle is seen here, from 1 on; 0: none. A float has all numbers up to 2^24.
#include "include/cuts.glsl"
#define CUT 0                    // 1: there are holes
uniform sampler2D triangles;     // as in mesh_body.frag

in vec3 place;                   // m in the body
out float triangle;

void main() {
#if CUT
    int row = gl_PrimitiveID >> 8;
    bool on_hole = texelFetch(triangles, ivec2(3 * (gl_PrimitiveID - (row << 8)), row), 0).w >= 8388608.0;
    if (!is_left(place, on_hole)) discard;
#endif
    triangle = float(gl_PrimitiveID + 1);
}
