#version 330 core
// The ui's layer, premultiplied, drawn where it is smaller: the linear filter takes the mean of two
// pixels, as each pixel here lies on the border between them.
uniform sampler2D layer;

noperspective in vec2 uv;

out vec4 fragment;

void main() {
    fragment = texture(layer, uv);
}
