#version 330 core
// An arrow or a stroke by its outline's distance: soft edges, a hint of roundness; dashed where seen through the body.
uniform bool xray;
uniform float opacity;
uniform vec3 casing_color;

noperspective in float along;
noperspective in float across;
flat in vec4 stroke;
flat in vec4 shape;
flat in float phase;
out vec4 color;

uniform float dash_length;        // px

void main() {
    float soft_u = max(fwidth(along), 1e-6), soft_v = max(fwidth(across), 1e-6);
    float v = abs(across);
    float neck = shape.x - shape.z;
    float ends = clamp(along / soft_u + 0.5, 0.0, 1.0);
    if (xray) {
        float period = mod(along + phase, 2.0 * dash_length);
        float dash = clamp((0.5 * dash_length - abs(period - 0.5 * dash_length)) / soft_u + 0.5, 0.0, 1.0);
        float past = clamp((shape.x - along) / soft_u + 0.5, 0.0, 1.0);
        float core = clamp((0.22 * 2.0 * shape.y - v) / soft_v + 0.5, 0.0, 1.0) * dash;
        float casing = 0.55 * clamp((0.46 * 2.0 * shape.y - v) / soft_v + 0.5, 0.0, 1.0);
        float a = core + casing * (1.0 - core);
        color = vec4(stroke.rgb * core + casing_color * casing * (1.0 - core), a) * ends * past * stroke.a;
        if (color.a <= 0.002) discard;
        return;
    }
    float stop = shape.z > 0.0 ? neck + 1.0 : shape.x;
    float shaft = clamp((shape.y - v) / soft_v + 0.5, 0.0, 1.0) * clamp((stop - along) / soft_u + 0.5, 0.0, 1.0);
    float head = 0.0;
    if (shape.z > 0.0) {
        float slope = shape.w / shape.z;
        float edge = ((shape.x - along) * slope - v) * inversesqrt(1.0 + slope * slope);
        head = clamp(edge / soft_v + 0.5, 0.0, 1.0) * clamp((along - neck) / soft_u + 0.5, 0.0, 1.0);
    }
    float cover = max(shaft, head) * ends;
    float roundness = shape.z > 0.0 ? 1.0 - 0.22 * smoothstep(-0.2, 1.0, across / (along > neck ? shape.w : shape.y)) : 1.0;
    float a = stroke.a * opacity * cover;
    color = vec4(stroke.rgb * roundness * a, a);
    if (a <= 0.002) discard;
}
