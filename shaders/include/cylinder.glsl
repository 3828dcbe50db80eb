// A ray against the unit cylinder about z with its two caps and rims; after quadric.glsl.
uniform float edge_width;        // px
uniform float bevel;             // m

// `t`: where the ray meets it, or what of an edge stands beside it; `unit`: the point there. `near`: the same where it
// meets it, and continuous everywhere; `side`: with no caps. `cover`: how much of the pixel it covers, `edge`: how much
// of it an edge's line. `cap`: on the near cap, at z = -upwards; `rim`: its radius there.
struct Met {
    float t, near, side, cover, edge, upwards, rim;
    bool cap;
    vec3 unit;
};

// A cap whose radius 1 is fewer pixels than 1 / EDGE_ON the short way is all but edge-on: its rims are then found by
// the heights at which the ray meets the side, in front and behind (the near cap is at 1), not by the radius on the cap.
const float EDGE_ON = 0.2;

// The normal at a point of it, where its rims catch light as if they were rounded; `size`: radius
// and half the length, m.
vec3 rounded(Met met, vec2 size) {
    float from_axis = length(met.unit.xy);
    vec2 past = max(vec2(from_axis, abs(met.unit.z)) * size - size + bevel, 0.0);
    if (met.cap) past.y = max(bevel, 1e-6);
    else past.x = max(bevel, 1e-6);
    return normalize(vec3(met.unit.xy / max(from_axis, 1e-6) * past.x, sign(met.unit.z) * past.y));
}

// The dark line along an edge at 1.
float rim_line(float radius, float soft) {
    return clamp(0.5 * edge_width + 0.5 - abs(radius - 1.0) / soft, 0.0, 1.0);
}

// `rims`: opacity of the rims' lines at z = 1 and z = -1.
Met meet(vec3 eye, vec3 ray, vec2 rims) {
    vec3 hit = chord(vec3(eye.xy, 0.0), vec3(ray.xy, 0.0));
    float upwards = ray.z < 0.0 ? -1.0 : 1.0;
    float t_side = hit.y - hit.z;
    float along = upwards * max(abs(ray.z), 1e-9);
    float t_near = (-upwards - eye.z) / along, t_far = (upwards - eye.z) / along;
    float rim_near = length(eye.xy + t_near * ray.xy);
    float rim_far = length(eye.xy + t_far * ray.xy);
    float soft_near = max(fwidth(rim_near), 1e-6), soft_far = max(fwidth(rim_far), 1e-6);
    float soft_side = max(fwidth(hit.x), 1e-6);
    vec2 heights = eye.z + (hit.y + vec2(-hit.z, hit.z)) * ray.z;
    vec2 soft_heights = max(fwidth(heights), 1e-6);      // before they change sign, at the horizon
    heights *= -upwards;
    bool cap = t_near > t_side;
    bool over = t_near > hit.y, under = t_far < hit.y;   // passes beyond the near cap, beneath the far one
    float cover = coverage(hit.x);
    float upper, lower;
    if (max(soft_near, soft_far) < EDGE_ON) {
        if (over) cover = min(cover, clamp(0.5 + (1.0 - rim_near) / soft_near, 0.0, 1.0));
        if (under) cover = min(cover, clamp(0.5 + (1.0 - rim_far) / soft_far, 0.0, 1.0));
        upper = rim_line(rim_near, soft_near);
        lower = under && !(cap && rim_near < 1.0) ? rim_line(rim_far, soft_far) : 0.0;
    } else {
        vec2 ends = clamp(0.5 + vec2(1.0 + heights.x, 1.0 - heights.y) / soft_heights, 0.0, 1.0);
        cover = min(cover, min(ends.x, ends.y));
        upper = max(rim_line(heights.x, soft_heights.x), rim_line(heights.y, soft_heights.y));
        lower = rim_line(-heights.x, soft_heights.x);
    }
    if (abs(eye.z) <= 1.0) upper = 0.0;
    upper *= upwards < 0.0 ? rims.x : rims.y;
    lower *= upwards < 0.0 ? rims.y : rims.x;
    float beside = over || under ? 0.0 : rim_line(hit.x, soft_side);
    float edge = max(max(upper, lower) * clamp(0.5 * edge_width + 0.5 - (hit.x - 1.0) / soft_side, 0.0, 1.0), beside);
    float t = cover > 0.0 ? (cap ? t_near : t_side) : (upper > 0.0 ? t_near : lower > 0.0 ? t_far : hit.y);
    return Met(t, max(t_near, t_side), t_side, cover, edge, upwards, rim_near, cap, eye + t * ray);
}
