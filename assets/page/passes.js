// The passes of a picture, one kind of thing each, as in viewer/render/passes: the same order, numbers and shaders.
// `r` is the renderer: r.gl, r.program(..), and of the picture that it draws r.layer, r.scene, r.scale, r.view.
import { clamped, cross, dot, identity, mixed, norm, scaled, subtract, times, transposed, unit } from "./linear.js";
import { Rows, makeTexture, useTexture } from "./gl.js";
import { lineOf } from "./labels.js";

const STROKE_FIELDS = [["start", 3, 0], ["end", 3, 3], ["stroke_color", 4, 6], ["size", 2, 10], ["dash", 3, 12]];
const GLYPH_FIELDS = [["anchor", 3, 0], ["box", 4, 3], ["texels", 4, 7], ["ink", 4, 11]];
const EDGE_FIELDS = [["start", 3, 0], ["end", 3, 3], ["normal_a", 3, 6], ["normal_b", 3, 9]];
/** The field of rows of corners. */
export const CORNER = [["corner", 3, 0]];
const NUMBERS = [["numbers", 3, 0]];
const TEXELS_ACROSS = 1024;   // of points, as in shaders/curve.vert
const DASH_LENGTH = 7, RING = 7, PIVOT_BALL = 6.5, HALO_WIDTH = 2.4;   // px
/** The width of the border in the ground's colour around lines, px. */
export const CASING = 1.75;
/** The width of the lines along the body's edges, px. */
export const EDGE_WIDTH = 1.25;

/** The normal of a mirror that reflects the key light towards a far eye between both eyes. */
function halfway(scene) {
    return unit(subtract(scene.keyLight, scene.cameraForward));
}

/** The numbers of the uniform block of shaders/include/eye.glsl for a view. */
export function eyeBlock(layer, view) {
    const { clipFromWorld: clip, position } = view, forward = layer.camera.distance, { scene } = layer;
    const [a, b, c] = [0, 1, 3].map((row) => clip[row].slice(0, 3)), depthRow = clip[2].slice(0, 3);
    const slope = dot(depthRow, c) / dot(c, c), eyeDepth = clip[2][3] + dot(depthRow, position);
    const [left, low, width, height] = view.rectangle, [across, up] = view.shownSize;
    const det = dot(a, cross(b, c));
    const rays = [[cross(b, c), 2 / width], [cross(c, a), 2 / height], [cross(a, b), 1]];
    return Float32Array.from([
        ...transposed(clip).flat(),
        ...position, 0, ...scene.keyLight, 0, ...halfway(scene), 0, ...scene.cameraForward, 0,
        width, height, across, up, 1, 1, 0, 0,
        -left - 0.5 * width, -low - 0.5 * height, across / width, up / height,
        0.5 + 0.5 * slope, 0.5 * eyeDepth / forward, forward, 0,
        ...rays.flatMap(([column, factor]) => [...scaled(column, factor * forward / det), 0]),
    ]);
}

/** The height of the layer, px. */
function heightOf(layer) {
    return layer.views[0].shownSize[1];
}

/** Strokes as rows of 15 numbers. */
export function strokeRows(strokes, layer) {
    const { pixelScale: scale, camera } = layer;
    const perDepth = 0.5 * heightOf(layer) / Math.tan(0.5 * camera.fieldOfView);
    return strokes.flatMap((s) => {
        const from = subtract(s.start, camera.position), along = subtract(s.end, s.start);
        const across = norm(cross(from, along)) / Math.max(norm(from), 1e-12);
        const dashed = s.head || s.name ? perDepth / Math.max(-dot(from, camera.backward), 1e-6) * across : 0;
        const sizes = [s.width * scale, s.head * scale, s.phase * scale, dashed, s.dashes];
        return [...s.start, ...s.end, ...s.color, s.alpha, ...sizes];
    });
}

/** Ticks as rows like those of strokes. */
export function tickRows(ticks, layer) {
    if (!ticks) return [];
    return ticks.starts.flatMap((start, i) => [
        ...start, ...ticks.ends[i], ...ticks.color, ticks.alphas[i], layer.pixelScale * ticks.widths[i], 0, 0, 0, 0,
    ]);
}

/** Straight strokes; `heads`: with the heads of arrows. */
export class Strokes {
    constructor(r, heads = false) {
        Object.assign(this, { r, heads, rows: new Rows(r.gl, 15, { step: 1 }) });
    }

    /** Draws all; with `xray` as dashes with paler heads. */
    draw({ xray = false, opacity = 1, casing = 0 } = {}) {
        if (!this.rows.count) return;
        const { r, rows } = this, shared = { xray, casing_width: casing, casing_color: r.scene.theme.halo };
        const dashed = { opacity, dash_length: DASH_LENGTH * r.scale };
        const shafts = r.program("segment.vert", "segment.frag").use({ ...shared, ...dashed });
        if (xray) rows.drawQuads(shafts, STROKE_FIELDS);   // last: their dashes go on to the tip
        if (this.heads) {
            const heads = r.program("arrow_head.vert", "arrow_head.frag");
            rows.drawQuads(heads.use({ ...shared, opacity: xray ? 0.75 : opacity }), STROKE_FIELDS);
        }
        if (!xray) rows.drawQuads(shafts.use(), STROKE_FIELDS);   // last: shafts end on them
    }
}

/** Points in a texture, with the strip through them; what has the same points is not uploaded again. */
class PointStrip {
    constructor(r) {
        Object.assign(this, { r, rows: new Rows(r.gl, 3, { integers: true }), texture: null, shape: "" });
    }

    hold(points, lasts, closed) {
        const { gl } = this.r, count = points.length, down = Math.ceil(count / TEXELS_ACROSS);
        if (this.points === points) return;
        this.points = points;
        const table = new Float32Array(4 * TEXELS_ACROSS * down);
        points.forEach((point, i) => table.set([...point, lasts[i]], 4 * i));
        gl.deleteTexture(this.texture);
        this.texture = makeTexture(gl, [TEXELS_ACROSS, down], [gl.RGBA32F, gl.RGBA, gl.FLOAT], table);
        const shape = `${count} ${closed}`;
        if (shape === this.shape) return;
        this.shape = shape;
        const at = (i) => (closed ? (i + count) % count : clamped(i, 0, count - 1));
        const numbers = new Int32Array(6 * (closed ? count + 1 : count));
        for (let i = 0; i < numbers.length / 6; i++) {
            const three = [at(i - 1), at(i), at(i + 1)];
            numbers.set([...three, ...three], 6 * i);
        }
        this.rows.write(numbers);
    }

    draw(program) {
        useTexture(this.r.gl, 0, this.texture);
        this.rows.bind(program, NUMBERS);
        this.r.gl.drawArrays(this.r.gl.TRIANGLE_STRIP, 0, this.rows.count);
    }
}

/** Closed curves, trails, and the small rings of points. */
export class Curves {
    constructor(r) {
        Object.assign(this, { r, strips: new Map() });
    }

    strip(key) {
        if (!this.strips.has(key)) this.strips.set(key, new PointStrip(this.r));
        return this.strips.get(key);
    }

    prepare() {
        const { scene } = this.r;
        const trails = [scene.trail, scene.centrePath, ...scene.paths];
        this.trails = trails.filter((trail) => trail && trail.points.length > 1);
        this.lengths = scene.curves.map(({ points }, i) => {
            let length = 0;
            const begins = points.map((point, j) => {
                const before = length;
                length += norm(subtract(points[(j + 1) % points.length], point));
                return before;
            });
            this.strip(`curve ${i}`).hold(points, begins.map((at) => at / Math.max(length, 1e-30)), true);
            return length;
        });
        this.trails.forEach(({ points, times: at }, i) => this.strip(`trail ${i}`).hold(points, at, false));
    }

    line(strip, width, behind, color, alpha, values) {
        const { r } = this, { scale } = r, count = strip.points.length;
        strip.draw(r.program("curve.vert", "curve.frag").use({
            ...values, points: 0, values: 1, capacity: count, first: 0, count, has_newest: false, tinted: false,
            casing_color: r.scene.theme.halo, half_width: (0.5 * width + CASING) * scale,
            half_width_behind: (0.5 * behind + CASING) * scale, line_color: [...color, alpha], casing: CASING * scale,
        }));
    }

    /** Draws the closed curves or, with `throughBody`, only their hidden parts, thin and dashed. */
    drawCurves(throughBody, opacity = 1) {
        const { r } = this, { scene, layer } = r;
        const pixel = 2 * layer.camera.distance * Math.tan(0.5 * layer.camera.fieldOfView) / heightOf(layer);
        scene.curves.forEach((curve, i) => {
            const dashes = throughBody ? Math.round(0.5 * this.lengths[i] / (DASH_LENGTH * r.scale * pixel)) : 0;
            const [width, behind] = throughBody ? [0.8, 0.8] : [1, 0.6];
            const sizes = [curve.width * width, curve.width * behind];
            this.line(this.strip(`curve ${i}`), ...sizes, curve.color, curve.alpha * opacity, {
                world_from_points: curve.inSpace ? identity(3) : scene.worldFromBody, points_origin: [0, 0, 0],
                facing_axes: curve.carrier, opacity_behind: throughBody ? 1 : 0.75, dashes,
                fade_time: 0, oldest: 0,
            });
        });
    }

    /** Draws a trail of the scene, or nothing where there is none; with `throughBody` its hidden parts. */
    drawTrail(trail, throughBody = false) {
        const number = this.trails.indexOf(trail);
        if (number < 0) return;
        this.line(this.strip(`trail ${number}`), throughBody ? 2 : 2.5, 1.5, trail.color, 1, {
            world_from_points: trail.worldFromPoints, points_origin: trail.origin, facing_axes: trail.carrier,
            opacity_behind: 0.75, dashes: 0, now: trail.times.at(-1), fade_time: trail.fadeTime,
            fade_floor: trail.fadesOut ? 0 : this.r.scene.theme.herpolhodeFloorAlpha, oldest: trail.length,
        });
    }

    /** Draws the ball of the pivot, and the ring around the touching point, dashed where the body hides it. */
    drawPoints() {
        const { r } = this, { gl, scale, scene: { contact, pivot, theme, solid } } = r;
        const ring = (centre, radius, thickness, dashed = false) => r.program("marker.vert", "marker.frag").use({
            centre, radius: radius * scale, thickness: thickness * scale, dashed,
            ring_color: theme.text, casing_color: theme.halo,
        }).draw(gl.TRIANGLE_STRIP, 4);
        if (contact) {
            ring(contact, RING, 2);
            gl.depthFunc(gl.GREATER);
            if (solid) ring(contact, RING, 2, true);
            gl.depthFunc(gl.LEQUAL);
        }
        if (pivot) ring(pivot, 0.5 * PIVOT_BALL, PIVOT_BALL);
    }
}

/** Labels, letter by letter from the atlas: its header and `field`, its bytes. */
export class Labels {
    constructor(r, atlas) {
        const { gl } = r;
        Object.assign(this, { r, atlas, letters: new Rows(gl, 15, { step: 1 }) });
        this.texture = makeTexture(gl, atlas.size, [gl.R8, gl.RED, gl.UNSIGNED_BYTE], atlas.field, gl.LINEAR);
    }

    rowsOf(label) {
        const { scale } = this.r, { middle, em, size: [u, v] } = this.atlas, size = label.size * scale;
        const { letters, width } = lineOf(label.text, label.style, this.atlas);
        const begin = label.offset[0] * scale - 0.5 * width * size;
        const base = label.offset[1] * scale - middle[label.style] * size;
        return letters.flatMap(({ glyph: [x, y, w, h, left, low], pen, fraction, lowered }) => {
            const own = fraction * size, [right, up] = [begin + pen * size + left * own, base - lowered * size + low * own];
            const box = [right, up, w * own / em, h * own / em];
            return [...label.anchor, ...box, x / u, y / v, w / u, h / v, ...label.color, label.alpha];
        });
    }

    draw() {
        const { r } = this, { gl, scene } = r, program = r.program("glyph.vert", "glyph.frag");
        useTexture(gl, 0, this.texture);
        program.use({ field: 0, spread: this.atlas.spread, halo_color: scene.theme.halo, halo: HALO_WIDTH * r.scale });
        this.letters.write(scene.labels.flatMap((label) => this.rowsOf(label))).drawQuads(program, GLYPH_FIELDS);
    }
}

/** Draws the back faces of the hull of a kind of solid, seen from inside too; the fragment stage finds the surface. */
function drawHull(r, kind, program) {
    const { gl } = r, rows = r.hulls[kind];
    gl.enable(gl.CULL_FACE);
    gl.cullFace(gl.FRONT);
    rows.bind(program, CORNER);
    gl.drawArrays(gl.TRIANGLES, 0, rows.count);
    gl.disable(gl.CULL_FACE);
}

/** How the body is lit and painted, whatever its kind. */
export function paintOf(r) {
    const { scene: { solid, theme, plane, worldFromBody } } = r, { halfExtents: half, kind, material } = solid;
    const reach = Math.max(...half), [red, green, blue] = theme.plane;
    const absorbed = theme.planeAlpha * (1 - (red + green + blue) / 3);
    let along = kind === "t-handle" || kind === "cylinder" ? 2 : half.indexOf(reach);
    if (kind === "cylinder" && material.shading !== 2 && half[2] < half[0]) along = 0;
    return {
        world_from_body: worldFromBody, body_color: theme.body, axis_color: solid.axisColors, mark_line: 0.22,
        line_width: r.scale, ambient: theme.ambient, rim_light: theme.rimLight,
        sheet: plane ? [...plane.worldFromPlane.map((row) => -row[2]), absorbed] : [0, 0, 0, 0],
        grain_from_body: [0, 1, 2].map((i) => [0, 1, 2].map((j) => Number((i + 1 + along) % 3 === j) / reach)),
        edge_color: mixed(theme.body, theme.edge, material.edges), tint: [0, 0, 0, 0], opacity: 1, line_opacity: 1,
    };
}

/** The body as a box, ellipsoid, cylinder or T-handle, with its edges. */
export class Solids {
    constructor(r) {
        Object.assign(this, { r, edges: new Rows(r.gl, 12, { step: 1 }) });
    }

    draw() {
        const { r } = this, { gl, scene: { solid } } = r, { kind, material, halfExtents } = solid;
        const [x, radius, z] = halfExtents, top = solid.bar + radius, room = 0.25 * radius;
        const around = [x + room, radius + room, Math.max(top, 2 * z - top) + room];
        const extents = kind === "t-handle" ? around : halfExtents, width = EDGE_WIDTH * r.scale, paint = paintOf(r);
        const program = r.program("hull.vert", `solid_${kind.replace("-", "_")}.frag`, { MATERIAL: material.shading });
        const bevel = 0.12 * material.bevel * Math.min(...halfExtents);
        const sizes = { extents, half_extents: halfExtents, bar: solid.bar, bevel, edge_width: width };
        drawHull(r, kind, program.use({ ...paint, ...sizes }));
        if (kind !== "box") return;
        const rows = r.boxEdges.map((number, i) => number * halfExtents[i % 3] ** (i % 12 < 6 ? 1 : -1));
        const lines = r.program("edge.vert", "segment.frag");
        gl.depthFunc(gl.ALWAYS);   // nothing farther is drawn over their soft outer halves
        lines.use({ ...paint, xray: false, width, outline_only: false, lift: 0 });
        this.edges.write(rows).drawQuads(lines, EDGE_FIELDS);
        gl.depthFunc(gl.LEQUAL);
    }
}

/** Poinsot's ellipsoid, and the sphere about a pivot: the far surface, then the near one. */
export class Shells {
    constructor(r) {
        this.r = r;
    }

    program(shell, { withDepth = false, both = false, side = -1, farthest = false }) {
        const { r } = this, { scene } = r, { theme } = scene, { opacity, semiAxes, inSpace } = shell;
        const rotation = inSpace ? identity(3) : scene.worldFromBody, sections = inSpace ? 0 : r.lineFraction;
        const alphas = (fraction, section) =>
            scaled([0.10 * fraction, theme.shellRimAlpha * fraction, section * sections], opacity);
        const mirror = times(transposed(rotation), halfway(scene)).map((value, i) => value / semiAxes[i]);
        return r.program("hull.vert", "shell.frag", { WITH_DEPTH: Number(withDepth), BOTH: Number(both) }).use({
            world_from_body: rotation, extents: semiAxes, shell_color: theme.shell,
            section_color: theme.sections, line_width: r.scale, side, mirror, gloss: inSpace ? 0 : 0.2,
            near_alphas: alphas(1, 0.42), far_alphas: alphas(0.6, 0.18), farthest,
        });
    }

    /** Draws the far and then the near surface of a shell out of which the body may stick. */
    drawWithDepth(shell) {
        for (const side of [1, -1]) drawHull(this.r, "ellipsoid", this.program(shell, { withDepth: true, side }));
    }

    /** Draws both surfaces of a shell that holds the body, but only the near one where the body stands. */
    drawBoth(shell) {
        const { gl } = this.r;
        drawHull(this.r, "ellipsoid", this.program(shell, { both: true, farthest: true }));
        gl.depthFunc(gl.GREATER);
        drawHull(this.r, "ellipsoid", this.program(shell, { farthest: true }));
        gl.depthFunc(gl.LEQUAL);
    }
}

/** Draws the invariable plane: a disc below the ellipsoid, and the ring around it. */
export function drawPlane(r) {
    const { gl, scene: { plane, shell, theme, worldFromBody }, lineFraction, scale } = r;
    if (!plane) return;
    const semiAxes = shell ? shell.semiAxes : [1e-6, 1e-6, 1e-6];
    const near = Math.max(...semiAxes, 1.3 * Math.max(...plane.bounds));
    const values = {
        centre: plane.centre, world_from_plane: plane.worldFromPlane, world_from_body: worldFromBody,
        semi_axes: semiAxes, reach: plane.reach, bounds: plane.bounds, per_spacing: 1 / plane.spacing,
        gap_scale: 0.14 * norm(plane.centre), line_width: scale,
        plane_color: theme.plane, grid_color: theme.grid, circle_color: theme.herpolhode,
        plane_alpha: theme.planeAlpha, grid_alpha: 0.45 * lineFraction, rim_alpha: 0.6 * lineFraction,
        shadow_color: theme.shadow, shadow_alpha: shell ? theme.shadowAlpha : 0,
    };
    const part = (number, inner, outer) => r.program("plane.vert", "plane.frag", { NEAR: number })
        .use({ ...values, between: [1.01 * inner, 1.01 * outer] });
    part(1, 0, Math.min(near, plane.reach)).draw(gl.TRIANGLE_FAN, 34);
    if (near < plane.reach) part(0, near, plane.reach).draw(gl.TRIANGLE_STRIP, 66);
}
