// One eye's view, shared by every stage; written once per eye and frame.
layout(std140) uniform Eye {
    mat4 clip_from_world;
    vec4 eye_world;       // xyz: position of this eye
    vec4 key_light;       // xyz: unit, towards the key light, the same for both eyes
    vec4 camera_forward;  // xyz: unit, where the camera looks, the same for both eyes
    vec4 pixels;          // xy: size of this eye's picture in its own pixels, zw: in pixels of the finished picture
};
