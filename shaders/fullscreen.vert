#version 330 core
// One triangle that covers the picture.
noperspective out vec2 uv;   // as it is flat: a thirtieth of a full picture is saved

void main() {
    uv = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
    gl_Position = vec4(2.0 * uv - 1.0, 0.0, 1.0);
}
