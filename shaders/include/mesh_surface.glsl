// What a mesh's corners hold, and its marks.
uniform vec3 mark_places[6];     // of +x, -x, +y .. -z, m; each from its own axis on: x y z, y z x, z x y
uniform vec3 per_mark_room[6];   // 1 / the room around them, 1/m, in the same order; along their own axis: how deep

const float FACING = 0.05;       // so much of its own axis a marked surface faces at least

// A corner's normal, and 1 where the surface is flat: an octahedron's surface in 2048 x 2048 steps.
vec4 surface(float number) {
    int bits = int(number);
    vec2 at = vec2(bits & 2047, bits >> 11 & 2047) * (2.0 / 2047.0) - 1.0;
    vec3 normal = vec3(at, 1.0 - abs(at.x) - abs(at.y));
    float under = max(-normal.z, 0.0);
    normal.xy -= under * vec2(at.x < 0.0 ? -1.0 : 1.0, at.y < 0.0 ? -1.0 : 1.0);
    return vec4(normal, float(bits >> 22));      // of nearly the same length at all three corners
}

// Of an axis' mark: how far from its middle this is, in units of its room; by how much that changes over a pixel; and
// 1 where it may be. All vectors from that axis on, `facing`: the normal along it.
vec3 beside_axis(int axis, float facing, vec3 place, vec3 place_x, vec3 place_y) {
    vec3 middle = facing < 0.0 ? mark_places[2 * axis + 1] : mark_places[2 * axis];
    vec3 per_room = facing < 0.0 ? per_mark_room[2 * axis + 1] : per_mark_room[2 * axis];
    vec3 from = (place - middle) * per_room;
    float r = length(from.yz);
    vec2 steepest = from.yz * per_room.yz / max(r, 1e-6);
    float soft = abs(dot(steepest, place_x.yz)) + abs(dot(steepest, place_y.yz));
    return vec3(r, soft, abs(from.x) < 1.0 && abs(facing) > FACING ? 1.0 : 0.0);
}
