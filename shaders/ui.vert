#version 330 core
// The interface: corners in pixels from the upper left, as Dear ImGui gives them.
uniform vec2 display_size;
uniform bool gray;               // for coloured glasses, through which each eye sees every grey alike

in vec2 in_position;
in vec2 in_texture;
in vec4 in_color;

noperspective out vec2 texture_at;   // flat as it is: a software rasteriser saves a division for each pixel
noperspective out vec4 color;

// The grey that is as bright, sRGB.
float luminance(vec3 c) {
    vec3 light = mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c));
    float y = dot(light, vec3(0.2126, 0.7152, 0.0722));
    return y <= 0.0031308 ? 12.92 * y : 1.055 * pow(y, 1.0 / 2.4) - 0.055;
}

void main() {
    texture_at = in_texture;
    color = gray ? vec4(vec3(luminance(in_color.rgb)), in_color.a) : in_color;
    gl_Position = vec4(in_position * vec2(2.0, -2.0) / display_size + vec2(-1.0, 1.0), 0.0, 1.0);
}
