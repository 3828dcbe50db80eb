// Rays against the unit sphere and the unit cylinder; an ellipsoid is a unit sphere in its own scaled coordinates.
flat in vec3 eye_unit;                // the eye in the scaled coordinates
flat in vec3 per_extent;              // 1 / their scale, 1/m
flat in mat3 unit_ray_from_pixel;

vec3 ray_here() {
    return unit_ray_from_pixel * vec3(pixel_here(), 1.0);
}

// (distance from the axis at the nearest approach, parameter there, half the chord in the parameter).
vec3 chord(vec3 origin, vec3 ray) {
    float squared = 1.0 / max(dot(ray, ray), 1e-12);
    float middle = -dot(origin, ray) * squared;
    vec3 nearest = origin + middle * ray;
    float distance2 = dot(nearest, nearest);
    return vec3(sqrt(distance2), middle, sqrt(max(1.0 - distance2, 0.0) * squared));
}

// How much of the pixel lies inside an outline at distance 1.
float coverage(float distance) {
    return clamp(0.5 - (distance - 1.0) / max(fwidth(distance), 1e-6), 0.0, 1.0);
}
