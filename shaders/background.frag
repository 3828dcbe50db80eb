#version 330 core
// A vertical gradient with a soft light in the middle; a fine dither keeps it free of bands.
uniform vec3 top;
uniform vec3 bottom;
uniform vec3 centre;
uniform float aspect;
uniform vec2 size;    // of this eye's whole picture, px
uniform vec2 offset;  // added to gl_FragCoord it gives pixels from the lower left corner of that picture

out vec4 color;

void main() {
    vec2 pixel = gl_FragCoord.xy + offset;
    vec2 at = pixel / size;
    vec2 from_centre = (at - vec2(0.5, 0.52)) * vec2(min(aspect, 2.0), 1.0);
    float glow = exp(-4.5 * dot(from_centre, from_centre));
    vec3 shade = mix(mix(bottom, top, at.y), centre, glow);
    float noise = fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
    color = vec4(shade + (noise - 0.5) / 255.0, 1.0);
}
