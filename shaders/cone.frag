#version 330 core
// A cone as thin glass: the part of it before, within or behind the ellipsoid.
#include "include/eye.glsl"
#include "include/pixel.glsl"
#include "include/dither.glsl"
uniform vec3 cone_color;
uniform vec2 alphas;             // opacity face-on and at a grazing angle
uniform mat3 unit_from_world;    // to the space in which the ellipsoid is the unit sphere; 0: there is no ellipsoid
uniform int part;                // 0: behind the ellipsoid, 1: within it, 2: before it or beside it

flat in vec3 normal;
out vec4 color;

void main() {
    vec3 ray = ray_from_pixel * vec3(pixel_here(), 1.0);
    float t = -dot(normal, eye_world.xyz) / dot(normal, ray);   // its plane goes through the origin
    vec3 eye = unit_from_world * eye_world.xyz, along = unit_from_world * ray;
    float a = dot(along, along), b = dot(eye, along), root = b * b - a * (dot(eye, eye) - 1.0);
    float enters = root > 0.0 ? -b - sqrt(root) : 1e9, leaves = root > 0.0 ? -b + sqrt(root) : 1e9;
    if (part != (t * a > leaves ? 0 : t * a > enters ? 1 : 2) || too_near(t)) discard;
    float grazing = 1.0 - abs(dot(normal, ray)) * inversesqrt(dot(ray, ray) * dot(normal, normal));
    float alpha = mix(alphas.x, alphas.y, grazing * grazing);
    color = vec4(cone_color, 1.0) * alpha + dither(3.0);
}
