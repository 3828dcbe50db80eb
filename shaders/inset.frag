#version 330 core
// The ground of a small picture within the picture: a card with round corners; clears the depth behind it.
uniform vec3 card_color;
uniform vec3 border_color;
uniform vec2 card_size;          // px
uniform float corner;            // px: radius
uniform float border;            // px
uniform float card_alpha;

uniform vec2 middle;             // where its middle lies, as gl_FragCoord counts
uniform vec2 pixel_size;         // of such a pixel in px

out vec4 color;

void main() {
    vec2 from_middle = abs(gl_FragCoord.xy - middle) * pixel_size;
    vec2 past = max(from_middle - 0.5 * card_size + corner, 0.0);
    float outside = length(past) - corner + max(border, 0.5);
    float soft = max(fwidth(outside), 1e-6);
    float cover = clamp(0.5 - outside / soft, 0.0, 1.0);
    float line = clamp((0.5 * border - abs(outside)) / soft + 0.5, 0.0, 1.0);
    float card = card_alpha * cover * (1.0 - line);
    color = vec4(card_color * card + border_color * 0.5 * line, card + 0.5 * line);
    gl_FragDepth = 1.0;
}
