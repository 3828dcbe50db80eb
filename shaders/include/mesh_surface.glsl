// What a mesh's corners hold, its marks, and what lights it.
uniform vec3 mark_places[6];      // of +x, -x, +y .. -z, m; each from its own axis on: x y z, y z x, z x y
uniform vec3 per_mark_room[6];    // 1 / the room around them, 1/m, in the same order; along their own axis: how deep

const float FACING = 0.05;       // so much of its own axis a marked surface faces at least

// A corner's normal, and 1 where the surface is flat: an octahedron's surface in 2048 x 2048 steps.
vec4 surface(float number) {
    int bits = int(number);
    vec2 at = vec2(bits & 2047, bits >> 11 & 2047) * (2.0 / 2047.0) - 1.0;
    vec3 normal = vec3(at, 1.0 - abs(at.x) - abs(at.y));
    float under = max(-normal.z, 0.0);
    normal.xy -= under * vec2(at.x < 0.0 ? -1.0 : 1.0, at.y < 0.0 ? -1.0 : 1.0);
    return vec4(normal, float(bits >> 22 & 1));      // of nearly the same length at all three corners
}

// The mark that is nearest, of those that this may belong to: x: how far from its middle this is, in units of its room,
// y: by how much that changes over a pixel, z: its axis, and 0 where it is none's, w: 1 at a positive end.
// All vectors of an axis from that axis on; `facing`: the normal of the triangle.
vec4 nearest_mark(vec3 facing, vec3 place, vec3 place_x, vec3 place_y) {
    vec4 found = vec4(1e6, 0.0, 0.0, 0.0);
    vec2 steepest = vec2(0.0), step_x = vec2(0.0), step_y = vec2(0.0);
    for (int axis = 0; axis < 3; axis++) {
        float along = axis == 0 ? facing.x : axis == 1 ? facing.y : facing.z;
        vec3 here = axis == 0 ? place : axis == 1 ? place.yzx : place.zxy;
        vec3 scale = along < 0.0 ? per_mark_room[2 * axis + 1] : per_mark_room[2 * axis];
        vec3 from = (here - (along < 0.0 ? mark_places[2 * axis + 1] : mark_places[2 * axis])) * scale;
        float square = dot(from.yz, from.yz);
        if (square < found.x && abs(from.x) < 1.0 && abs(along) > FACING) {
            found = vec4(square, 0.0, float(axis + 1), step(0.0, along));
            steepest = from.yz * scale.yz;
            step_x = axis == 0 ? place_x.yz : axis == 1 ? place_x.zx : place_x.xy;
            step_y = axis == 0 ? place_y.yz : axis == 1 ? place_y.zx : place_y.xy;
        }
    }
    found.x = sqrt(found.x);
    found.y = (abs(dot(steepest, step_x)) + abs(dot(steepest, step_y))) / max(found.x, 1e-6);
    return found;
}

// By how much the place in the texture changes along a step in the triangle's plane; `normal`: over its square.
vec2 over(vec3 along, vec3 ab, vec3 ac, vec3 normal, vec2 to_b, vec2 to_c) {
    return dot(cross(along, ac), normal) * to_b + dot(cross(ab, along), normal) * to_c;
}
