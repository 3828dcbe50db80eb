#version 330 core
// The depth of what was found of a mesh.
#include "include/mesh.glsl"
uniform sampler2D edge_there;

void main() {
    ivec2 here = here_in_targets();
    vec2 edge = texelFetch(edge_there, here, 0).rg;
    float depth = texelFetch(depth_there, here, 0).r;
    bool beside = depth == 1.0;
    if (beside && edge.x <= 0.002) discard;
    gl_FragDepth = beside ? 1.0 - edge.y : depth;
}
