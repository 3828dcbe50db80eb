// One eye's view, shared by every stage; written once per eye and frame. All but `tile` and `origin` is that of the
// whole picture where only a tile of it is drawn: each pixel is then computed from the same numbers.
layout(std140) uniform Eye {
    mat4 clip_from_world;
    vec4 eye_world;       // xyz: position of this eye
    vec4 key_light;       // xyz: unit, towards the key light, the same for both eyes
    vec4 halfway;         // xyz: unit, between the directions to the key light and to a far eye in the middle
    vec4 camera_forward;  // xyz: unit, where the camera looks, the same for both eyes
    vec4 pixels;          // xy: size of this eye's picture in its own pixels, zw: in pixels of the finished picture
    vec4 tile;            // xy: scale, zw: shift of clip coordinates into what is drawn
    vec4 origin;          // xy: added to gl_FragCoord it gives pixels from the middle of this eye's picture; zw: that
                          // times this gives pixels of the finished one
    vec4 depths;          // xy: the depth of what lies at parameter t of a ray is x + y / t; z: clip w at parameter 1
    mat3 ray_from_pixel;  // to the ray from the eye, m, through a pixel of its own (x, y from the middle, 1)
};
