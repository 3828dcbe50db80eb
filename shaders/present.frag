#version 330 core
// A part of the finished picture onto a window.
uniform sampler2D picture;
uniform vec2 corner; // of the part, 0..1
uniform vec2 fraction; // of the picture that it takes
noperspective in vec2 uv;
out vec4 color;

void main() {
    vec2 half_texel = 0.5 / vec2(textureSize(picture, 0));
    color = vec4(texture(picture, clamp(corner + uv * fraction, corner + half_texel, corner + fraction - half_texel)).rgb, 1.0);
}
