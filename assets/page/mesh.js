// The body as a surface of triangles, as in viewer/render/passes/mesh_body.py: first it is noted which triangle a pixel
// shows and how much of it an edge covers, then each pixel is painted once, by its own ray.
import { cross, dot, scaled, subtract, times, transposed, unit } from "./linear.js";
import { Rows, makeDepth, makeTarget, makeTexture, useTexture } from "./gl.js";
import { bytesOf } from "./packed.js";
import { CORNER, EDGE_WIDTH, paintOf } from "./passes.js";

const TRIANGLES_ACROSS = 256;   // in a row of their texture, as in shaders/mesh_body.frag
const POINT_STEPS = 2 ** 20;   // of a half extent, as in mesh_data.py
const MESH_MARGIN = 4;   // px that edges reach beyond what is drawn, at scale 1
const MESH_EDGE_FIELDS = [["start", 3, 0], ["end", 3, 3], ["least_gap", 1, 6]];
const UNITS = { triangle_there: 0, depth_there: 1, edge_there: 2, triangles: 3, paints: 4 };

/** Rows of so many whole numbers, one after the other, as _text of mesh_data.py packs them. */
function decoded(text, columns) {
    const bytes = bytesOf(text), size = bytes.length / 4;
    const found = new Int32Array(size), rows = size / columns;
    for (let i = 0; i < size; i++) {
        const step = [3, 2, 1, 0].reduce((number, plane) => (number << 8) | bytes[i + plane * size], 0);
        const at = (i % rows) * columns + Math.floor(i / rows);
        found[at] = (step >>> 1 ^ -(step & 1)) + (i % rows && found[at - columns]);
    }
    return found;
}

/** A mesh in the context's memory; `mesh` as mesh_data of viewer/export/page writes it. */
class UploadedMesh {
    constructor(gl, mesh, halfExtents) {
        const table = (texels, format) => {
            const row = 12 * TRIANGLES_ACROSS, down = Math.ceil(texels.length / row);
            const padded = new texels.constructor(row * down);
            padded.set(texels);
            return makeTexture(gl, [3 * TRIANGLES_ACROSS, down], format, padded);
        };
        const [points, described, faces, edges, links] =
            [["points", 3], ["corners", 3], ["faces", 3], ["edges", 2], ["links", 2]]
                .map(([name, columns]) => decoded(mesh[name], columns));
        const place = (point) => [0, 1, 2].map((i) => points[3 * point + i] / POINT_STEPS);
        const corners = new Float32Array(4 * faces.length), colors = new Int32Array(faces.length);
        faces.forEach((corner, i) => {
            const [point, normal, color] = described.subarray(3 * corner, 3 * corner + 3);
            corners.set([...place(point), normal], 4 * i);
            colors[i] = color;
        });
        this.triangles = table(corners, [gl.RGBA32F, gl.RGBA, gl.FLOAT]);
        this.paints = mesh.painted ? table(new Uint8Array(colors.buffer), [gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE]) : null;
        this.corners = new Rows(gl, 3).write(corners.filter((_, i) => i % 4 < 3));
        const ends = new Float32Array(3 * edges.length);
        edges.forEach((point, i) => ends.set(place(point).map((value, axis) => value * halfExtents[axis]), 3 * i));
        const count = faces.length / 3;
        this.planes = Array.from({ length: count }, (_, face) => {
            const [a, b, c] = [0, 4, 8].map((at) => [0, 1, 2].map((i) => corners[12 * face + at + i] * halfExtents[i]));
            const normal = unit(cross(subtract(b, a), subtract(c, a)));
            return [...normal, dot(normal, a)];
        });
        this.box = halfExtents.map((half, i) => [Math.min, Math.max].map((most) =>
            corners.reduce((found, value, at) => at % 4 === i ? most(found, value * half) : found, 0)));
        Object.assign(this, { ends, links, mesh });
        this.edges = new Rows(gl, 7, { step: 1 });
        const fromOwnAxis = (vector, i) => [0, 1, 2].map((j) => vector[(j + (i >> 1)) % 3]);
        const [places, rooms] = mesh.marks.map((vectors) => vectors.map(fromOwnAxis));
        this.marks = { mark_places: places, per_mark_room: rooms.map((room) => room.map((length) => 1 / length)) };
    }

    /** The edges that are drawn for an eye at `eye` [m], in body axes, as rows. */
    seenEdges(eye) {
        const { links, ends, mesh: { sharp, closed, gap, cuts } } = this, rows = [];
        const turned = this.planes.map(([x, y, z, distance]) => dot([x, y, z], eye) > distance);
        const inner = cuts.kinds.length > 0 || !closed;
        for (let i = 0; i < links.length / 2; i++) {
            const one = turned[links[2 * i]], single = links[2 * i + 1] < 0, isSharp = i < sharp;
            if (!(single || one !== turned[links[2 * i + 1]] || (isSharp && (one || inner)))) continue;
            rows.push(...ends.subarray(6 * i, 6 * i + 6), isSharp ? 0 : gap);
        }
        return rows;
    }

    /** The rectangle of the view that the mesh may cover; all of the view where a part of it is behind the eye. */
    region({ clipFromWorld, rectangle: [x, y, width, height] }, worldFromBody, margin) {
        const points = [0, 1, 2, 3, 4, 5, 6, 7].map((number) => {
            const corner = this.box.map((sides, axis) => sides[(number >> axis) & 1]);
            return times(clipFromWorld, [...times(worldFromBody, corner), 1]);
        });
        if (points.some((point) => point[3] <= 0)) return [x, y, width, height];
        const side = (i, length) => {
            const at = points.map((point) => (0.5 + 0.5 * point[i] / point[3]) * length);
            const low = Math.max(Math.floor(Math.min(...at)) - margin, 0);
            return [low, Math.max(Math.min(Math.ceil(Math.max(...at)) + margin, length) - low, 0)];
        };
        const [[left, across], [low, up]] = [side(0, width), side(1, height)];
        return [x + left, y + low, across, up];
    }
}

export class Meshes {
    constructor(r) {
        Object.assign(this, { r, kept: new Map(), size: [0, 0] });
        r.gl.getExtension("EXT_color_buffer_float");
    }

    targetsOf(across, up) {
        const { gl } = this.r;
        if (across <= this.size[0] && up <= this.size[1]) return;
        for (const target of [this.first, this.second]) target?.release();
        this.size = [across, up];
        this.depth = makeDepth(gl, this.size);
        this.first = makeTarget(gl, this.size, [gl.R32F, gl.RED, gl.FLOAT], this.depth);
        this.second = makeTarget(gl, this.size, [gl.RG16F, gl.RG, gl.HALF_FLOAT]);
    }

    draw() {
        const { r } = this, { gl, view, scene: { solid } } = r, { mesh, halfExtents: extents } = solid;
        if (!this.kept.has(mesh)) this.kept.set(mesh, new UploadedMesh(gl, mesh, extents));
        const held = this.kept.get(mesh), paint = paintOf(r), rotation = paint.world_from_body;
        const [x, y, width, height] = view.rectangle;
        const [left, low, across, up] = held.region(view, rotation, Math.ceil(MESH_MARGIN * r.scale));
        if (across === 0 || up === 0) return;
        this.targetsOf(across, up);
        const where = { ...UNITS, corner: [left, low], room: [across, up], world_from_body: rotation, extents };

        const begin = ({ framebuffer }) => {
            gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
            gl.viewport(x - left, y - low, width, height);
            gl.clearColor(0, 0, 0, 0);
            gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        };
        gl.enable(gl.SCISSOR_TEST);
        gl.scissor(0, 0, across, up);
        gl.depthMask(true);
        gl.disable(gl.BLEND);
        begin(this.first);
        const { rows, kinds } = mesh.cuts, count = kinds.length;
        const cuts = count ? { cut_rows: rows, cut_kinds: kinds, cuts: count } : {};
        if (mesh.closed) gl.enable(gl.CULL_FACE);
        gl.cullFace(gl.BACK);
        useTexture(gl, UNITS.triangles, held.triangles);
        const finding = r.program("mesh.vert", "mesh.frag", { CUT: Number(count > 0), MOST_CUTS: Math.max(count, 1) });
        held.corners.bind(finding.use({ ...where, ...cuts }), CORNER);
        gl.drawArrays(gl.TRIANGLES, 0, held.corners.count);
        gl.disable(gl.CULL_FACE);
        begin(this.second);
        useTexture(gl, UNITS.depth_there, this.depth);
        gl.disable(gl.DEPTH_TEST);
        gl.enable(gl.BLEND);
        gl.blendEquation(gl.MAX);
        const lines = r.program("mesh_edge.vert", "mesh_edge.frag").use({ ...where, width: EDGE_WIDTH * r.scale });
        held.edges.write(held.seenEdges(times(transposed(rotation), view.position))).drawQuads(lines, MESH_EDGE_FIELDS);
        gl.blendEquation(gl.FUNC_ADD);
        gl.disable(gl.SCISSOR_TEST);

        gl.bindFramebuffer(gl.FRAMEBUFFER, r.framebuffer);
        gl.viewport(...view.rectangle);
        gl.enable(gl.DEPTH_TEST);
        const sides = [(left - x) / width, (low - y) / height, (left - x + across) / width, (low - y + up) / height];
        where.around = scaled(sides, 2).map((side) => side - 1);
        useTexture(gl, UNITS.triangle_there, this.first.texture);
        useTexture(gl, UNITS.edge_there, this.second.texture);
        if (held.paints) useTexture(gl, UNITS.paints, held.paints);
        gl.colorMask(false, false, false, false);
        r.program("mesh_body.vert", "mesh_depth.frag").use(where).draw(gl.TRIANGLE_STRIP, 4);
        gl.colorMask(true, true, true, true);
        gl.depthFunc(gl.GREATER);   // only pixels at which a triangle was found are painted
        gl.depthMask(false);
        const kind = { PAINT: Number(Boolean(held.paints)), TWIN: 0, PARTS: 0, MATERIAL: solid.material.shading };
        const painted = { ...where, ...paint, ...held.marks, saturation: r.saturation, lift: 0 };
        r.program("mesh_body.vert", "mesh_body.frag", kind).use(painted).draw(gl.TRIANGLE_STRIP, 4);
        gl.depthFunc(gl.LEQUAL);
    }
}
