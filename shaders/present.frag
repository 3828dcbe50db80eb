#version 330 core
// The finished picture onto a window.
uniform sampler2D picture;
in vec2 uv;
out vec4 color;

void main() {
    color = vec4(texture(picture, uv).rgb, 1.0);
}
