// Where this fragment is: nothing that is interpolated, so that it is the same to the last bit in every tile.
flat in vec4 from_tile;      // see include/eye.glsl; xy: as in origin, zw: as in depths

// Pixels of its own from the middle of this eye's picture.
vec2 pixel_here() {
    return gl_FragCoord.xy + from_tile.xy;
}

// The same in pixels of the finished picture.
vec2 screen_here() {
    return pixel_here() * origin.zw;
}

// Window depth of the point at parameter t of a ray: clip z and w are linear along it.
float depth_at(float t) {
    return clamp(from_tile.z + from_tile.w / t, 0.0, 1.0);
}

// Whether the point at parameter t of a ray lies before all that is drawn: nearer than the near plane, or behind the eye.
bool too_near(float t) {
    return t * from_tile.z + from_tile.w < 0.0;
}
