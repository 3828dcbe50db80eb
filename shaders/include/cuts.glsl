// Holes of a composite body, as in viewer/render/mesh_cuts.py.
#define MOST_CUTS 64
uniform int cuts;
uniform vec4 cut_rows[3 * MOST_CUTS];   // to each part's own coordinates
uniform float cut_kinds[MOST_CUTS];     // 0 box, 1 cylinder, 2 ellipsoid, 3 cone; of holes 10 more

const float FACETED = 0.9975, SAME = 1e-4;

// How far out a point is of a part, in units of it: of its round surface, of its flat ones.
vec2 out_of(int kind, vec3 unit) {
    float across = length(unit.xy);
    if (kind == 1) return vec2(across, abs(unit.z));
    if (kind == 2) return vec2(length(unit), 0.0);
    if (kind == 3) return vec2(across + unit.z, 1.0 - unit.z);
    return vec2(0.0, max(abs(unit.x), max(abs(unit.y), abs(unit.z))));
}

// Whether a point, m in the body, on the surface of a hole or of a solid part, is left.
bool is_left(vec3 place, bool on_hole) {
    bool in_solid = false, in_hole = false;
    vec4 at = vec4(place, 1.0);
    for (int i = 0; i < cuts; i++) {
        int kind = int(cut_kinds[i]);
        vec3 unit = vec3(dot(cut_rows[3 * i], at), dot(cut_rows[3 * i + 1], at), dot(cut_rows[3 * i + 2], at));
        vec2 far = out_of(kind % 10, unit);
        if (kind < 10) in_solid = in_solid || (far.x < 1.0 && far.y < 1.0 - SAME);
        else in_hole = in_hole || (far.x < FACETED && far.y < 1.0 + (on_hole ? -SAME : SAME));
    }
    return !in_hole && (in_solid || !on_hole);
}
