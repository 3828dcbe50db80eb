#version 330 core
// The interface: corners in pixels from the upper left, as Dear ImGui gives them.
uniform vec2 display_size;

in vec2 in_position;
in vec2 in_texture;
in vec4 in_color;

noperspective out vec2 texture_at;   // flat as it is: a software rasteriser saves a division for each pixel
noperspective out vec4 color;

void main() {
    texture_at = in_texture;
    color = in_color;
    gl_Position = vec4(in_position * vec2(2.0, -2.0) / display_size + vec2(-1.0, 1.0), 0.0, 1.0);
}
