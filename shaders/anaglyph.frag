#version 330 core
// Both eyes into one picture for coloured glasses: a matrix on each eye in linear light.
// The eyes' textures are sRGB, so that sampling them gives linear light.
uniform sampler2D left_eye;
uniform sampler2D right_eye;
uniform mat3 left_matrix;
uniform mat3 right_matrix;

out vec4 color;

vec3 srgb_encoded(vec3 linear) {
    vec3 light = clamp(linear, 0.0, 1.0);
    return mix(12.92 * light, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, light));
}

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec3 left = texelFetch(left_eye, pixel, 0).rgb, right = texelFetch(right_eye, pixel, 0).rgb;
    color = vec4(srgb_encoded(left_matrix * left + right_matrix * right), 1.0);
}
