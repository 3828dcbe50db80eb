#version 330 core
// The interface: glyphs and shapes from the atlas, coloured; sRGB in, sRGB out, straight alpha.
uniform sampler2D atlas;

noperspective in vec2 texture_at;
noperspective in vec4 color;

out vec4 fragment;

void main() {
    fragment = color * texture(atlas, texture_at);
}
