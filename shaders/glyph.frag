#version 330 core
// Letters from a distance field: crisp at any size, with a thin halo.
#include "include/eye.glsl"
#include "include/pixel.glsl"
uniform sampler2D field;         // 0.5 on the outline, `spread` texels from 0 to 1
uniform float spread;
uniform vec3 halo_color;
uniform float halo;              // px

flat in vec4 texel_box;
flat in vec4 pixel_box;
flat in vec4 letter;
out vec4 color;

void main() {
    vec2 atlas = texel_box.xy + (screen_here() - pixel_box.xy) / pixel_box.zw * texel_box.zw;
    vec2 size = vec2(textureSize(field, 0));
    vec2 rate = fwidth(atlas) * size;
    float texels_per_pixel = max(0.5 * (rate.x + rate.y), 1e-4);
    float distance = (texture(field, atlas).r - 0.5) * spread / texels_per_pixel;
    float reach = min(halo, 0.5 * spread / texels_per_pixel - 0.5);   // as far as the field reaches
    float inside = clamp(distance + 0.5, 0.0, 1.0);
    float around = smoothstep(-reach - 0.5, max(-reach, -0.5 * halo), distance);   // dense beside the letter
    float a = inside + around * (1.0 - inside);
    color = vec4(letter.rgb * inside + halo_color * around * (1.0 - inside), a) * letter.a;
    if (color.a <= 0.002) discard;
}
