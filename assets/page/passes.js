// The passes of a picture, one kind of thing each, as in viewer/render/passes: the same order, numbers and shaders.
// `r` is the renderer: r.gl, r.program(..), and of the picture that it draws r.layer, r.scene, r.scale, r.view.
import { cross, dot, identity, mixed, norm, product, scaled, subtract, times, transposed, unit } from "./linear.js";
import { Rows, makeTexture, useTexture } from "./gl.js";

const LIGHT_AROUND = [[9, 0.12], [6, 0.16], [3, 0.3]];   // of a line that glows: px beyond its edge, opacity
const STROKE_FIELDS = [["start", 3, 0], ["end", 3, 3], ["stroke_color", 4, 6], ["size", 2, 10], ["dash", 3, 12]];
const GLYPH_FIELDS = [["anchor", 3, 0], ["box", 4, 3], ["texels", 4, 7], ["ink", 4, 11]];
const PATCH_FIELDS = [["anchor", 3, 0], ["box", 4, 3], ["ink", 4, 7]];
const EDGE_FIELDS = [["start", 3, 0], ["end", 3, 3], ["normal_a", 3, 6], ["normal_b", 3, 9]];
const CONE_FIELDS = [["corner", 3, 0], ["outward", 3, 3]];
/** The field of rows of corners. */
export const CORNER = [["corner", 3, 0]];
const NUMBERS = [["numbers", 3, 0]];
const TEXELS_ACROSS = 1024;   // of points, as in shaders/curve.vert
const DASH_LENGTH = 7, RING = 7, HANDLE_RING = 10, PIVOT_BALL = 6.5, MARK_DOT = 4, HALO_WIDTH = 2.4;   // px
const GLASS_GLOW = 1.9, MOST_OPAQUE = 0.95, FAR_FRACTION = 0.6;
const LETTER_MIDDLE = { symbol: 0.30, number: 0.35 }, SPACE_WIDTH = 0.28;   // em
/** The width of the border in the ground's colour around lines, px. */
export const CASING = 1.75;

/** The normal of a mirror that reflects the key light towards a far eye between both eyes. */
function halfway(scene) {
    return unit(subtract(scene.keyLight, scene.cameraForward));
}

/** The numbers of the uniform block of shaders/include/eye.glsl for a view. */
export function eyeBlock(layer, view) {
    const { clipFromWorld: clip, position } = view, forward = layer.camera.distance, { scene } = layer;
    const [a, b, c] = [0, 1, 3].map((row) => clip[row].slice(0, 3)), depthRow = clip[2].slice(0, 3);
    const slope = dot(depthRow, c) / dot(c, c), eyeDepth = clip[2][3] + dot(depthRow, position);
    const [width, height] = view.pixels, [across, up] = view.shownSize, [left, low] = view.rectangle;
    const det = dot(a, cross(b, c));
    const rays = [[cross(b, c), 2 / width], [cross(c, a), 2 / height], [cross(a, b), 1]];
    return Float32Array.from([
        ...transposed(clip).flat(), ...position, 0, ...scene.keyLight, 0, ...halfway(scene), 0, ...scene.cameraForward, 0,
        width, height, across, up, 1, 1, 0, 0,
        -left - 0.5 * width, -low - 0.5 * height, across / width, up / height,
        0.5 + 0.5 * slope, 0.5 * eyeDepth / forward, forward, 0,
        ...rays.flatMap(([column, factor]) => [...scaled(column, factor * forward / det), 0]),
    ]);
}

/** The height of the layer, px. */
export function heightOf(layer) {
    return layer.views[0].shownSize[1];
}

/** Strokes as rows of 15 numbers. */
export function strokeRows(strokes, layer) {
    const { pixelScale: scale, scene: { glowing }, camera } = layer;
    const perDepth = 0.5 * heightOf(layer) / Math.tan(0.5 * camera.fieldOfView);
    return strokes.flatMap((s) => {
        const from = subtract(s.start, camera.position), along = subtract(s.end, s.start);
        const across = norm(cross(from, along)) / Math.max(norm(from), 1e-12);
        const dashed = s.head || s.name ? perDepth / Math.max(-dot(from, camera.backward), 1e-6) * across : 0;
        const wider = glowing && s.name === glowing ? 1.25 : 1;
        return [...s.start, ...s.end, ...s.color, s.alpha, s.width * wider * scale, s.head * scale, s.phase * scale, dashed, s.dashes];
    });
}

/** Ticks as rows like those of strokes. */
export function tickRows(ticks, layer, name = "ticks") {
    if (!ticks) return [];
    const factor = layer.pixelScale * (layer.scene.glowing === name ? 1.8 : 1);
    return ticks.starts.flatMap((start, i) => [
        ...start, ...ticks.ends[i], ...(ticks.colors ? ticks.colors[i] : ticks.color), ticks.alphas[i], factor * ticks.widths[i], 0, 0, 0, 0,
    ]);
}

/** The light around the strokes that glow, as rows. */
export function haloRows(layer) {
    const { arrows, strokes, overlayStrokes, glowing } = layer.scene;
    const lit = [...arrows, ...strokes, ...overlayStrokes].filter((s) => s.name && s.name === glowing);
    const light = lit.flatMap((s) => LIGHT_AROUND.map(([beyond, alpha]) => ({
        ...s, alpha, width: s.width + 2 * beyond, head: 0, phase: 0, name: "", dashes: 1,
    })));
    return strokeRows(light, layer);
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
        const shafts = r.program("segment.vert", "segment.frag").use({ ...shared, opacity, dash_length: DASH_LENGTH * r.scale });
        if (xray) rows.drawQuads(shafts, STROKE_FIELDS);   // last: their dashes go on to the tip
        if (this.heads) {
            const heads = r.program("arrow_head.vert", "arrow_head.frag").use({ ...shared, opacity: xray ? 0.75 : opacity });
            rows.drawQuads(heads, STROKE_FIELDS.slice(0, 4));
        }
        if (!xray) rows.drawQuads(shafts.use(), STROKE_FIELDS);   // last: shafts end on them
    }
}

/** Points in a texture, with the strip through them; what has the same points is not uploaded again. */
class PointStrip {
    constructor(r) {
        Object.assign(this, { r, rows: new Rows(r.gl, 3, { integers: true }), textures: [], shape: "" });
    }

    hold(points, lasts, values, closed, begins = []) {
        const { gl } = this.r, count = points.length, down = Math.ceil(count / TEXELS_ACROSS);
        if (this.points === points && this.values === values) return;
        Object.assign(this, { points, values });
        const table = new Float32Array(4 * TEXELS_ACROSS * down);
        points.forEach((point, i) => table.set([...point, lasts[i]], 4 * i));
        this.textures.forEach((texture) => gl.deleteTexture(texture));
        this.textures = [makeTexture(gl, [TEXELS_ACROSS, down], [gl.RGBA32F, gl.RGBA, gl.FLOAT], table)];
        if (values) {
            const single = new Float32Array(TEXELS_ACROSS * down);
            single.set(values);
            this.textures.push(makeTexture(gl, [TEXELS_ACROSS, down], [gl.R32F, gl.RED, gl.FLOAT], single));
        }
        const shape = `${count} ${closed} ${begins}`;
        if (shape === this.shape) return;
        this.shape = shape;
        const numbers = new Int32Array(6 * (closed ? count + 1 : count)), last = closed ? count : count - 1;
        for (let i = 0; i <= last; i++) {
            const before = closed ? (i + count - 1) % count : begins.includes(i) ? i : Math.max(i - 1, 0);
            const after = closed ? (i + 1) % count : begins.includes(i + 1) ? i : Math.min(i + 1, last);
            const here = i % count;
            numbers.set([before, here, after, before, here, after], 6 * i);
        }
        this.rows.write(numbers);
    }

    draw(program) {
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

    /** Uploads what is new; `trails`: the trail, the path of the centre of mass, and the paths in the body. */
    prepare() {
        const { scene } = this.r;
        this.trails = [scene.trail, scene.centrePath, ...scene.paths];
        this.lengths = scene.curves.map(({ points }, i) => {
            const pieces = points.map((point, j) => norm(subtract(points[(j + 1) % points.length], point)));
            let sum = 0;
            const until = pieces.map((piece) => (sum += piece) - piece);
            this.strip(`curve ${i}`).hold(points, until.map((length) => length / Math.max(sum, 1e-30)), null, true);
            return sum;
        });
        this.trails.forEach((trail, i) => {
            if (!trail || trail.points.length < 2) return;
            const begins = (trail.gaps ?? []).map(([from, to]) => trail.times.findIndex((time) => time >= 0.5 * (from + to)));
            const values = trail.tint ? trail.tint.values : null;
            this.strip(`trail ${i}`).hold(trail.points, trail.times, values, false, begins.filter((at) => at > 0));
        });
    }

    line(strip, name, width, behind, color, alpha, opacity, values) {
        const { r } = this, { gl, scale, scene } = r, program = r.program("curve.vert", "curve.frag");
        const glows = name !== "" && name === scene.glowing, wider = glows ? 1.25 : 1;
        strip.textures.forEach((texture, unitNumber) => useTexture(gl, unitNumber, texture));
        const shared = { points: 0, values: 1, capacity: strip.points.length, first: 0, count: strip.points.length, has_newest: false };
        program.use({ ...shared, ...values, casing_color: scene.theme.halo });
        for (const [around, ink, casing] of [...(glows ? LIGHT_AROUND.map(([a, b]) => [a, b, 0]) : []), [CASING, alpha, CASING]]) {
            strip.draw(program.use({
                half_width: (0.5 * width * wider + around) * scale, half_width_behind: (0.5 * behind * wider + around) * scale,
                line_color: [...color, ink * opacity], casing: casing * scale,
            }));
        }
    }

    /** Draws the closed curves or, with `throughBody`, only their hidden parts, thin and dashed. */
    drawCurves(throughBody, opacity = 1) {
        const { r } = this, { scene, layer } = r;
        const pixel = 2 * layer.camera.distance * Math.tan(0.5 * layer.camera.fieldOfView) / heightOf(layer);
        scene.curves.forEach((curve, i) => {
            const dashes = throughBody ? Math.round(0.5 * this.lengths[i] / (DASH_LENGTH * r.scale * pixel)) : 0;
            this.line(this.strip(`curve ${i}`), curve.name, curve.width * (throughBody ? 0.8 : 1), curve.width * (throughBody ? 0.8 : 0.6), curve.color, curve.alpha, opacity, {
                world_from_points: curve.inSpace ? identity(3) : scene.worldFromBody, points_origin: [0, 0, 0],
                facing_axes: curve.carrier, opacity_behind: throughBody ? 1 : 0.75, dashes, fade_time: 0, oldest: 0, tinted: false,
            });
        });
    }

    /** Draws the trail with this number or, with `throughBody`, its hidden parts. */
    drawTrail(number, throughBody = false) {
        const trail = this.trails[number];
        if (!trail || trail.points.length < 2) return;
        const { tint } = trail, colors = tint ? { value_range: [tint.low, tint.high], tint_colors: tint.colors } : {};
        this.line(this.strip(`trail ${number}`), trail.name, 2.5 * (throughBody ? 0.8 : 1), 1.5, trail.color, 1, 1, {
            world_from_points: trail.worldFromPoints, points_origin: trail.origin, facing_axes: trail.carrier,
            opacity_behind: 0.75, dashes: 0, now: trail.times.at(-1), fade_time: trail.fadeTime,
            fade_floor: trail.fadesOut ? 0 : this.r.scene.theme.herpolhodeFloorAlpha, oldest: trail.length ?? 0,
            tinted: Boolean(tint), ...colors,
        });
    }

    ring(centre, radius, thickness, ink, dashed = false) {
        const { r } = this;
        r.program("marker.vert", "marker.frag").use({
            centre, radius: radius * r.scale, thickness: thickness * r.scale, ring_color: ink, casing_color: r.scene.theme.halo, dashed,
        }).draw(r.gl.TRIANGLE_STRIP, 4);
    }

    /** Draws the ring around the touching point, dashed where the body hides it, and the ball of a pivot. */
    drawPoints() {
        const { gl, scene: { contact, pivot, theme, glowing, solid } } = this.r, thickness = glowing === "contact" ? 3.5 : 2;
        if (contact) {
            this.ring(contact, RING, thickness, theme.text);
            gl.depthFunc(gl.GREATER);
            if (solid) this.ring(contact, RING, thickness, theme.text, true);
            gl.depthFunc(gl.LEQUAL);
        }
        if (pivot) this.ring(pivot, 0.5 * PIVOT_BALL, PIVOT_BALL, theme.text);
    }

    /** Draws the ring of a handle and the dot on the line under the pointer. */
    drawPointed() {
        const { handle, mark, glowing, theme } = this.r.scene;
        if (handle) this.ring(handle, HANDLE_RING, 3, theme.force);
        if (mark && glowing !== "contact") this.ring(mark, 0.5 * MARK_DOT, MARK_DOT, theme.text);
    }
}

/** Labels, letter by letter from the atlas: its header and `field`, its bytes; and flat shapes. */
export class Labels {
    constructor(r, atlas) {
        const { gl } = r;
        Object.assign(this, { r, atlas, letters: new Rows(gl, 15, { step: 1 }), shapes: new Rows(gl, 11, { step: 1 }) });
        this.texture = makeTexture(gl, atlas.size, [gl.R8, gl.RED, gl.UNSIGNED_BYTE], atlas.field, gl.LINEAR);
    }

    rowsOf(label) {
        const { scale } = this.r, { glyphs, small, em, size: [u, v] } = this.atlas, font = glyphs[label.style], size = label.size * scale;
        const known = [...label.text].map((letter) => {
            const [base, fraction, lowered] = letter in font ? [letter, 1, 0] : small[letter] ?? [letter, 1, 0];
            return { glyph: font[base], fraction, lowered };
        });
        const width = known.reduce((sum, { glyph, fraction }) => sum + (glyph ? fraction * glyph[6] : SPACE_WIDTH), 0);
        let pen = label.offset[0] * scale - (label.centred ? 0.5 * width * size : 0);
        const base = label.offset[1] * scale - LETTER_MIDDLE[label.style] * size;
        return known.flatMap(({ glyph, fraction, lowered }) => {
            const begin = pen, own = fraction * size;
            pen += glyph ? glyph[6] * own : SPACE_WIDTH * size;
            if (!glyph) return [];
            const [x, y, w, h, left, low] = glyph;
            const box = [begin + left * own, base - lowered * size + low * own, w * own / em, h * own / em];
            return [...label.anchor, ...box, x / u, y / v, w / u, h / v, ...label.color, label.alpha];
        });
    }

    /** Draws the labels of the scene that this eye sees. */
    draw() {
        const { r } = this, { gl, scene, view } = r, program = r.program("glyph.vert", "glyph.frag");
        const seen = scene.labels.filter((label) => label.eye === 0 || label.eye === view.eye);
        useTexture(gl, 0, this.texture);
        program.use({ field: 0, spread: this.atlas.spread, halo_color: scene.theme.halo, halo: HALO_WIDTH * r.scale });
        this.letters.write(seen.flatMap((label) => this.rowsOf(label))).drawQuads(program, GLYPH_FIELDS);
    }

    /** Draws flat shapes. */
    drawPatches(patches) {
        const { r } = this, seen = patches.filter((patch) => patch.eye === 0 || patch.eye === r.view.eye);
        if (!seen.length) return;
        const rows = seen.flatMap((p) => [...p.anchor, ...scaled([...p.halfSize, p.corner, p.ring], r.scale), ...p.color, 1]);
        this.shapes.write(rows).drawQuads(r.program("patch.vert", "patch.frag").use(), PATCH_FIELDS);
    }
}

/** The cube [-1, 1]^3 times `size` as triangles, anticlockwise seen from outside. */
function cubeTriangles(size) {
    return [0, 1, 2].flatMap((axis) => [-1, 1].flatMap((side) => {
        const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) => {
            const corner = [];
            corner[axis] = side * size;
            corner[(axis + 1) % 3] = a * size;
            corner[(axis + 2) % 3] = b * size;
            return corner;
        });
        return (side > 0 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2]).flatMap((i) => corners[i]);
    }));
}

/** A polyhedron of 80 faces around the unit sphere, with room for a soft edge. */
function sphereTriangles() {
    const golden = 0.5 * (1 + Math.sqrt(5)), four = [[-1, golden, 0], [1, golden, 0], [-1, -golden, 0], [1, -golden, 0]];
    const points = [0, 1, 2].flatMap((turn) => four.map((p) => unit([0, 1, 2].map((i) => p[(i - turn + 3) % 3]))));
    const side = 1.01 * Math.min(...points.slice(1).map((p) => norm(subtract(p, points[0]))));
    const joined = (i, j) => norm(subtract(points[i], points[j])) < side;
    const faces = [];
    for (let i = 0; i < 12; i++) for (let j = i + 1; j < 12; j++) for (let k = j + 1; k < 12; k++) {
        if (!(joined(i, j) && joined(j, k) && joined(i, k))) continue;
        const outside = dot(cross(subtract(points[j], points[i]), subtract(points[k], points[i])), points[i]) > 0;
        const [a, b, c] = [i, ...(outside ? [j, k] : [k, j])].map((n) => points[n]);
        const [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(([p, q]) => unit(mixed(p, q, 0.5)));
        faces.push([a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]);
    }
    const inner = Math.min(...faces.map(([a, b, c]) => dot(unit(cross(subtract(b, a), subtract(c, a))), a)));
    return faces.flat(2).map((number) => number * 1.03 / inner);
}

/** The edges of a box: start, end, normals of both faces. */
function boxEdges(halfExtents) {
    return [0, 1, 2].flatMap((axis) => [-1, 1].flatMap((a) => [-1, 1].flatMap((b) => {
        const turned = (row, size) => [0, 1, 2].map((i) => row[(i - axis + 3) % 3] * size(halfExtents[i]));
        const lengths = [[-1, a, b], [1, a, b]].flatMap((row) => turned(row, (half) => half));
        return [...lengths, ...[[0, a, 0], [0, 0, b]].flatMap((row) => turned(row, (half) => 1 / half))];
    })));
}

/** Draws the back faces of a hull, which are seen from inside too; the fragment stage finds the surface in it. */
function drawHull(r, rows, program) {
    const { gl } = r;
    gl.enable(gl.CULL_FACE);
    gl.cullFace(gl.FRONT);
    rows.bind(program, CORNER);
    gl.drawArrays(gl.TRIANGLES, 0, rows.count);
    gl.disable(gl.CULL_FACE);
}

/** What all kinds of solids have: paint, light and grain. */
export function lightOf(r) {
    const { scene, scale } = r, { solid, theme, plane } = scene, { halfExtents: half, kind, material } = solid;
    const glows = scene.glowing === "body", reach = Math.max(...half);
    let along = kind === "t-handle" || kind === "cylinder" ? 2 : half.indexOf(reach);
    if (kind === "cylinder" && material.shading !== 2 && half[2] < half[0]) along = 0;
    const absorbed = theme.planeAlpha * (1 - (theme.plane[0] + theme.plane[1] + theme.plane[2]) / 3);
    return {
        body_color: glows ? lightened(theme.body) : theme.body, axis_color: solid.axisColors, mark_line: 0.22, line_width: scale,
        ambient: theme.ambient, rim_light: theme.rimLight,
        sheet: plane ? [...plane.worldFromPlane.map((row) => -row[2]), absorbed] : [0, 0, 0, 0],
        grain_from_body: [0, 1, 2].map((i) => [0, 1, 2].map((j) => Number((i + 1 + along) % 3 === j) / reach)),
    };
}

function lightened(color) {
    return mixed(color, [1, 1, 1], 0.3);
}

/** How the body, or a ghost of it, is painted. */
export function paintOf(r, ghost) {
    const { theme, solid, glowing } = r.scene, lit = ghost && ghost.name !== "" && ghost.name === glowing;
    const ink = ghost ? (lit ? lightened(ghost.color) : ghost.color) : mixed(theme.body, theme.edge, solid.material.edges);
    return {
        world_from_body: ghost ? ghost.worldFromBody : r.scene.worldFromBody, edge_color: ink,
        tint: ghost ? [...ink, 0.75] : [0, 0, 0, 0], opacity: ghost ? (lit ? 0.45 : ghost.faces) : 1, line_opacity: ghost ? ghost.outline : 1,
    };
}

/** The body as a box, ellipsoid, cylinder or T-handle, with its edges. */
export class Solids {
    constructor(r) {
        const rows = (triangles) => new Rows(r.gl, 3).write(triangles);
        this.hulls = {
            "ellipsoid": rows(sphereTriangles()), "box": rows(cubeTriangles(1.01)),
            "cylinder": rows(cubeTriangles(1.05)), "t-handle": rows(cubeTriangles(1)),
        };
        Object.assign(this, { r, edges: new Rows(r.gl, 12, { step: 1 }) });
    }

    /** Draws the body, or a ghost of it. */
    draw(ghost = null) {
        const { r } = this, { gl, scene: { solid } } = r, { kind, material, halfExtents } = solid;
        const [x, radius, z] = halfExtents, top = solid.bar + radius, room = 0.25 * radius;
        const extents = kind === "t-handle" ? [x + room, radius + room, Math.max(top, 2 * z - top) + room] : halfExtents;
        const paint = paintOf(r, ghost), width = (ghost ? ghost.width : 1.25) * r.scale;
        const program = r.program("hull.vert", `solid_${kind.replace("-", "_")}.frag`, { MATERIAL: material.shading });
        const bevel = 0.12 * material.bevel * Math.min(...halfExtents);
        const sizes = { extents, half_extents: halfExtents, bar: solid.bar, bevel, edge_width: width };
        drawHull(r, this.hulls[kind], program.use({ ...lightOf(r), ...paint, ...sizes }));
        if (kind !== "box") return;
        const bare = Boolean(ghost && ghost.silhouette);
        if (!bare) gl.depthFunc(gl.ALWAYS);   // nothing farther is drawn over their soft outer halves
        const lines = r.program("edge.vert", "segment.frag").use({ ...paint, xray: false, opacity: paint.line_opacity, width, outline_only: bare, lift: 0 });
        this.edges.write(boxEdges(halfExtents)).drawQuads(lines, EDGE_FIELDS);
        gl.depthFunc(gl.LEQUAL);
    }
}

/** Poinsot's ellipsoid: its far surface, then its near one. */
export class Shells {
    constructor(r) {
        Object.assign(this, { r, rows: new Rows(r.gl, 3).write(sphereTriangles()) });
    }

    program(shell, { withDepth = false, both = false, side = -1, farthest = false }) {
        const { r } = this, { scene } = r, { theme } = scene;
        const rotation = shell.inSpace ? identity(3) : scene.worldFromBody, sections = shell.inSpace ? 0 : r.lineFraction;
        const glow = shell.opacity * (scene.glowing === "ellipsoid" && !shell.inSpace ? GLASS_GLOW : 1);
        const alphas = (fraction, section) => [
            0.10 * glow * fraction, Math.min(theme.shellRimAlpha * glow * fraction, MOST_OPAQUE), Math.min(section * sections * glow, MOST_OPAQUE),
        ];
        const mirror = times(transposed(rotation), halfway(scene)).map((value, i) => value / shell.semiAxes[i]);
        return r.program("hull.vert", "shell.frag", { WITH_DEPTH: Number(withDepth), BOTH: Number(both) }).use({
            world_from_body: rotation, extents: shell.semiAxes, shell_color: theme.shell, section_color: theme.sections,
            line_width: r.scale, side, mirror, gloss: shell.inSpace ? 0 : 0.2,
            near_alphas: alphas(1, 0.42), far_alphas: alphas(FAR_FRACTION, 0.18), farthest,
        });
    }

    /** Draws the near or the far surface. */
    draw(shell, near) {
        const { gl } = this.r, withDepth = !shell.holdsBody;
        if (near && !withDepth) gl.disable(gl.DEPTH_TEST);
        drawHull(this.r, this.rows, this.program(shell, { withDepth, side: near ? -1 : 1, farthest: !near && !withDepth }));
        gl.enable(gl.DEPTH_TEST);
    }

    /** Draws both surfaces of a shell that holds the body, but only the near one where the body stands. */
    drawBoth(shell) {
        const { gl } = this.r;
        drawHull(this.r, this.rows, this.program(shell, { both: true, farthest: true }));
        gl.depthFunc(gl.GREATER);
        drawHull(this.r, this.rows, this.program(shell, { farthest: true }));
        gl.depthFunc(gl.LEQUAL);
    }
}

/** Two cones that touch along a line. */
export class Cones {
    constructor(r) {
        Object.assign(this, { r, rows: new Rows(r.gl, 6) });
    }

    /** Uploads the triangles of the cones. */
    prepare() {
        this.rows.write(this.r.scene.cones.flatMap(({ points }) => {
            const middle = points.reduce((sum, point) => sum.map((value, i) => value + point[i]), [0, 0, 0]);
            return points.flatMap((point, i) => {
                const next = points[(i + 1) % points.length], normal = cross(point, next);
                const outward = scaled(normal, -Math.sign(dot(normal, middle)));
                return [[0, 0, 0], point, next].flatMap((corner) => [...corner, ...outward]);
            });
        }));
    }

    /** Draws a part: 0 behind the ellipsoid, 1 within it, 2 before it. */
    draw(part) {
        const { r } = this, { gl, scene: { cones, shell, tangent, worldFromBody, glowing } } = r;
        if (!cones.length) return;
        const glass = shell ? transposed(worldFromBody).map((row, i) => scaled(row, 1 / shell.semiAxes[i])) : scaled([1, 1, 1], 0).map(() => [0, 0, 0]);
        let order = [[0, -1], [1, -1], [1, 1], [0, 1]];   // the second inside the first
        if (tangent) {
            const near = Number(dot(tangent, r.view.position) > 0);
            order = [[1 - near, -1], [1 - near, 1], [near, -1], [near, 1]];
        }
        for (const [number, facing] of order) {
            const cone = cones[number], glow = glowing === cone.name ? GLASS_GLOW : 1;
            const program = r.program("cone.vert", "cone.frag").use({
                world_from_points: cone.inSpace ? identity(3) : worldFromBody, facing, cone_color: cone.color,
                alphas: [0.28, 0.55].map((alpha) => Math.min(glow * alpha, MOST_OPAQUE)), unit_from_world: glass, part,
            });
            this.rows.bind(program, CONE_FIELDS);
            gl.drawArrays(gl.TRIANGLES, number ? 3 * cones[0].points.length : 0, 3 * cone.points.length);
        }
    }
}

/** Draws the invariable plane: a disc below the ellipsoid, and the ring around it. */
export function drawPlane(r) {
    const { gl, scene: { plane, shell, theme, glowing, worldFromBody }, lineFraction, scale } = r;
    if (!plane) return;
    const semiAxes = shell ? shell.semiAxes : [1e-6, 1e-6, 1e-6], glow = glowing === "plane" ? GLASS_GLOW : 1;
    const near = Math.max(...semiAxes, 1.3 * Math.max(...plane.bounds)), opaque = (alpha) => Math.min(alpha * glow, MOST_OPAQUE);
    const values = {
        centre: plane.centre, world_from_plane: plane.worldFromPlane, world_from_body: worldFromBody, semi_axes: semiAxes,
        reach: plane.reach, gap_scale: 0.14 * norm(plane.centre), per_spacing: 1 / plane.spacing, bounds: plane.bounds,
        plane_color: theme.plane, grid_color: theme.grid, circle_color: theme.herpolhode, line_width: scale,
        plane_alpha: opaque(theme.planeAlpha), grid_alpha: opaque(0.45 * lineFraction), rim_alpha: opaque(0.6 * lineFraction),
        shadow_color: theme.shadow, shadow_alpha: shell ? theme.shadowAlpha : 0,
    };
    const middle = 1.01 * Math.min(near, plane.reach);
    r.program("plane.vert", "plane.frag", { NEAR: 1 }).use({ ...values, between: [0, middle] }).draw(gl.TRIANGLE_FAN, 34);
    if (near >= plane.reach) return;
    r.program("plane.vert", "plane.frag", { NEAR: 0 }).use({ ...values, between: [middle, 1.01 * plane.reach] }).draw(gl.TRIANGLE_STRIP, 66);
}
