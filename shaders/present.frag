#version 330 core
// A part of the finished picture onto a window.
uniform sampler2D picture;
uniform vec2 corner; // of the part, 0..1
uniform vec2 share; // of the picture that it takes
in vec2 uv;
out vec4 color;

void main() {
    color = vec4(texture(picture, corner + uv * share).rgb, 1.0);
}
