// Depth of what a fragment stage finds along the ray from the eye, which passes the drawn fragment at parameter 1.
flat in float eye_depth;    // clip z of the eye itself, where w is 0

// Window depth of the point at parameter t: clip z and w are linear along the ray.
float depth_at(float t) {
    return clamp(gl_FragCoord.z + 0.5 * eye_depth * (1.0 / t - 1.0) * gl_FragCoord.w, 0.0, 1.0);
}
