// What the body is made of, as in viewer/scenario/choices/themes.py; after surface.glsl. All of it is fixed in the body,
// and what is mirrored is seen as from the middle of both eyes, far away: both see the same at the same place.
// MATERIAL: 0: paint, 1: wood, 2: metal, 3: paper
uniform mat3 grain_from_body;    // of lengths, m in the body: z along the grain, in units of the body's reach
const float BULGE = 0.3;         // of flat faces, which lean outwards so much at the body's reach, as one that was ground does
const float EVENED = 4.0;        // the same of uneven surfaces: what they mirror changes with the body's shape at large

// What a face that was turned leans to the light; `radial`: unit, from its middle outwards, in the world.
vec3 towards_light(vec3 radial) {
    float lean = dot(radial, halfway.xyz);
    return 0.45 * lean * inversesqrt(lean * lean + 0.05) * radial;
}

#if MATERIAL > 0
// A number from 0 to 1 for each corner of a lattice.
float lattice(ivec3 at) {
    uint bits = uint(at.x) * 0x8DA6B343u ^ uint(at.y) * 0xD8163841u ^ uint(at.z) * 0xCB1AB31Fu;
    bits = (bits ^ bits >> 15) * 0x2C1B3C6Du;
    bits = (bits ^ bits >> 12) * 0x297A2D39u;
    return float(bits >> 8) / 16777216.0;
}

// Noise that changes over a length of 1, 0 to 1; `soft`: how much `at` changes over a pixel, where it is even if that is more.
float noise(vec3 at, vec3 soft) {
    ivec3 cell = ivec3(floor(at));
    vec3 f = fract(at);
    f *= f * (3.0 - 2.0 * f);
    vec4 low, high;
    for (int i = 0; i < 4; i++) {
        ivec3 here = cell + ivec3(i & 1, i >> 1, 0);
        low[i] = lattice(here);
        high[i] = lattice(here + ivec3(0, 0, 1));
    }
    vec4 between = mix(low, high, f.z);
    vec2 rows = mix(between.xz, between.yw, f.x);
    return mix(mix(rows.x, rows.y, f.y), 0.5, smoothstep(0.4, 1.0, max(soft.x, max(soft.y, soft.z))));
}
#endif

#if MATERIAL == 1
const vec2 PITH = vec2(0.62, -0.85);   // beside the body: a plank
const float RINGS = 34.0;              // on a length of the body's reach
const vec3 LATE = vec3(0.66, 0.53, 0.42), FIBRE = vec3(110.0, 110.0, 3.0);

vec3 grown(vec3 paint, vec3 place, vec3 soft) {
    vec2 wavy = place.xy + 0.03 * vec2(sin(2.7 * place.z + 0.6), sin(3.4 * place.z + 2.0)) - PITH;
    float rings = RINGS * (length(wavy) + 0.05 * noise(place * vec3(3.0, 3.0, 1.2), vec3(0.0)));
    float year = fract(rings), change = RINGS * length(soft.xy);
    float late = smoothstep(0.25, 0.88, year) * (1.0 - smoothstep(0.92, 1.0, year));
    late = mix(late, 0.37, smoothstep(0.3, 0.9, change));
    float fibre = noise(FIBRE * place, FIBRE * soft) - 0.5;
    return paint * mix(vec3(1.06), LATE, 0.24 * late) * (1.0 + 0.10 * fibre);
}
#elif MATERIAL == 2
const vec3 BRUSHED = vec3(85.0, 85.0, 1.2);

// A dark ground that is darkest at the horizon, less so in a bright room, a bright sky and the key light.
vec3 mirrored(vec3 paint, vec3 normal) {
    float height = dot(reflect(camera_forward.xyz, normal), key_light.xyz);   // of the place mirrored, towards the key
    float ground = mix(0.64, 0.22, smoothstep(-0.9, 0.05, height)) + 1.2 * ambient * ambient;
    float sky = mix(0.82, 1.22, smoothstep(0.1, 0.95, height));
    float glint = pow(max(height, 0.0), 32.0);
    return paint * mix(ground, sky, smoothstep(-0.2, 0.3, height)) * mix(0.95, 1.25, ambient) + 0.42 * glint;
}
#elif MATERIAL == 3
const vec3 FELT = vec3(110.0, 110.0, 40.0);
#endif

// The light from a point at `place`, as `grain_from_body` has it, which changes by `soft` over a pixel. `ink`: of a mark,
// which covers so much of it; `bulge`: what a flat face leans outwards, as one that was ground does, in the world.
vec3 shaded(vec3 paint, vec3 ink, float mark, vec3 place, vec3 soft, vec3 normal, float facing, vec3 bulge) {
#if MATERIAL == 0
    return lit(mix(paint, ink, mark), normal, facing);
#elif MATERIAL == 1
    return lit_matt(mix(grown(paint, place, soft), ink, mark), normal, facing) + 0.6 * highlight(normal);
#elif MATERIAL == 2
    float streak = noise(BRUSHED * place, BRUSHED * soft) - 0.5;
    vec3 bare = mix(lit(paint, normal, facing), mirrored(paint, normalize(normal + bulge)), 0.8) * (1.0 + 0.12 * streak);
    return mix(bare, lit(ink, normal, facing), mark);
#else
    float fibre = noise(FELT * place, FELT * soft) + noise(FELT.zxy * place, FELT.zxy * soft) - 1.0;
    return lit_matt(mix(paint, ink, mark) * (1.0 + 0.07 * fibre), normal, facing);
#endif
}
