// The depths of what is seen, the eyes that suit them, and what each eye sees: as scene/stereo of the program has them.

import { add, dot, mixed, norm, product, scaled, subtract, unit } from "./linear.js";
import { K, ORIGIN, most, projection, viewFromWorld } from "./camera.js";

// An oval is all points centre + sum of u_k axes[k] with |u| <= 1: an ellipsoid of three semi-axes or a disc of two, m.

/** The oval of a ball about the origin. */
export function ballOval(radius) {
    return { centre: ORIGIN, axes: [[radius, 0, 0], [0, radius, 0], [0, 0, radius]] };
}

const ovalReach = ({ centre, axes }) => norm(centre) + most(axes, norm);

/** How far an extent { parts, lines, thin } reaches from the origin, m. */
export function extentReach({ parts, lines, thin }) {
    const far = most([...parts, ...thin], (part) => Math.min(...part.map(ovalReach)), 0);
    return Math.max(far, most(lines, (ends) => most(ends, norm), 0));
}

/** Spans [nearest, farthest, cut] of depth of what a camera sees of an extent: all lines together, and each part. */
function seen({ parts, lines, thin }, camera, aspect) {
    const { right, up, backward, shift } = camera, tall = Math.tan(0.5 * camera.fieldOfView);
    const axes = [scaled(right, -1), scaled(up, -1), right, up];
    const away = [aspect - 2 * shift[0], 1 - 2 * shift[1], aspect + 2 * shift[0], 1 + 2 * shift[1]];
    const sides = axes.map((axis, i) => subtract(axis, scaled(backward, tall * away[i])));
    const edges = axes.map((axis, i) => scaled(axis, tall * away[i]));
    const corners = edges.map((edge, i) => scaled(add(add(edge, edges[(i + 1) % 4]), backward), -1));
    const spans = seenLines(lines, camera, sides);
    [...parts, ...thin].forEach((part, number) => {
        const found = part.map((each) => seenOval(each, camera, sides, corners));
        if (found.includes(null)) return;
        const nearest = most(found, (s) => s[0]), farthest = -most(found, (s) => -s[1]);
        const cut = number < parts.length ? most(found, (s) => s[2]) : Infinity;
        if (nearest <= farthest) spans.push([nearest, farthest, cut]);
    });
    return spans;
}

function seenLines(lines, camera, sides) {
    const found = [];
    for (const ends of lines) {
        const [from, to] = ends.map((end) => subtract(end, camera.position));
        let enters = 0, leaves = 1;
        for (const side of sides) {
            const start = dot(side, from), end = dot(side, to);
            if (start < 0 && end < 0) leaves = -1;
            else if (start < 0) enters = Math.max(enters, start / (start - end));
            else if (end < 0) leaves = Math.min(leaves, start / (start - end));
        }
        if (enters > leaves) continue;
        const [near, far] = [from, to].map((end) => -dot(end, camera.backward));
        found.push(mixed(near, far, enters), mixed(near, far, leaves));
    }
    return found.length ? [[-most(found, (depth) => -depth), most(found), Infinity]] : [];
}

/** The span of depth within which an oval is seen, or null: extreme points of itself or of its sections with sides. */
function seenOval({ centre, axes }, camera, sides, corners) {
    const flat = axes.length === 2;
    const onAxes = (vector) => axes.map((axis) => dot(axis, vector));
    const toUnit = (vector) => onAxes(vector).map((value, k) => value / dot(axes[k], axes[k]));
    const offset = subtract(centre, camera.position), eye = scaled(toUnit(offset), -1);
    const slope = scaled(onAxes(camera.backward), -1), middle = -dot(offset, camera.backward);
    const steep = sides.map(onAxes), clear = sides.map((side) => dot(side, offset));
    const approach = (-2 * K.sight.APPROACH) / dot(add(sides[0], sides[2]), camera.backward);
    const top = norm(slope) > 0 ? unit(slope) : axes.map((_, k) => Number(k === 0));
    const leaning = [0, 2].map((i) => scaled(unit(add(slope, scaled(steep[i], approach))), -1));
    const ends = [top, scaled(top, -1), ...leaning];
    steep.forEach((normal, i) => {
        const squared = dot(normal, normal), foot = scaled(normal, -clear[i] / squared);
        let half = flat ? [-normal[1], normal[0]] : subtract(slope, scaled(normal, dot(normal, slope) / squared));
        half = scaled(half, Math.sqrt((1 - dot(foot, foot)) / dot(half, half)));
        ends.push(add(foot, half), subtract(foot, half));
        if (flat) {
            const [x, y] = normal, [u, v] = steep[(i + 1) % 4], after = clear[(i + 1) % 4];
            ends.push(scaled([after * y - clear[i] * v, clear[i] * u - after * x], 1 / (x * v - y * u)));
            return;
        }
        const edge = toUnit(corners[i]), length = dot(edge, edge);
        const near = subtract(eye, scaled(edge, dot(edge, eye) / length));
        const along = scaled(edge, Math.sqrt((1 - dot(near, near)) / length));
        ends.push(add(near, along), subtract(near, along));
    });
    let nearest = Infinity, farthest = -Infinity, cut = Infinity;
    for (const end of ends) {
        const inside = steep.map((normal, i) => clear[i] + dot(normal, end));
        const visible = inside.every((value, i) => value >= -K.sight.ROUNDING * Math.abs(clear[i]));
        if (!visible || !(dot(end, end) <= 1 + K.sight.ROUNDING)) continue;
        const depth = middle + dot(slope, end);
        nearest = Math.min(nearest, depth);
        farthest = Math.max(farthest, depth);
        cut = Math.min(cut, depth + approach * Math.min(inside[0], inside[2]));
    }
    if (!flat && dot(eye, eye) <= 1) [nearest, farthest, cut] = [0, Math.max(farthest, 0), 0];
    return nearest <= farthest ? [nearest, farthest, cut] : null;
}

/** Nearest and farthest depth of what is seen of an extent, at least `near`, and the nearest that the picture cuts. */
function depthsOf(extent, camera, aspect, near) {
    const spans = seen(extent, camera, aspect).filter((span) => span[1] >= near);
    if (!spans.length) return { nearest: camera.distance, farthest: camera.distance, cut: Infinity };
    const least = (k) => Math.max(Math.min(...spans.map((span) => span[k])), near);
    return { nearest: least(0), farthest: most(spans, (span) => span[1]), cut: least(2) };
}

/** The eyes { separation, convergence } of the settings, or those for which the parallax is easy on the eyes. */
export function placeEyes({ comfort, separation, convergence }, camera, aspect, extent, near) {
    if (!comfort) return { separation, convergence };
    const { nearest, farthest, cut } = depthsOf(extent, camera, aspect, near), { distance, fieldOfView } = camera;
    const { NEAREST, FARTHEST, MOST_APART } = K.comfort, far = 1 / farthest;
    const screen = Math.min(1 / (far + (FARTHEST / (FARTHEST - NEAREST)) * (1 / nearest - far)), cut);
    const widthAtOne = 2 * Math.tan(0.5 * fieldOfView) * aspect;
    const allowed = 1 / screen > far ? (FARTHEST / (1 / screen - far)) * widthAtOne : Infinity;
    return { separation: (100 * Math.min(MOST_APART * screen, allowed)) / distance, convergence: screen / distance };
}

/** The rectangles [x, y, width, height] in pixels, from the lower left, of the eyes of a mode in a picture. */
function rectangles({ layout, eyes }, [width, height]) {
    const part = (side, halved) => Math.max(Math.floor(side / (halved ? 2 : 1)), 1);
    const w = part(width, layout === "columns"), h = part(height, layout === "rows");
    if (layout === "columns") return [[0, 0, w, h], [width - w, 0, w, h]];
    if (layout === "rows") return [[0, height - h, w, h], [0, 0, w, h]];
    return eyes.map(() => [0, 0, w, h]);
}

/** Width and height of one eye's picture as it is seen: a squeezed one is stretched again. */
export function shownSize(mode, size) {
    const [, , width, height] = rectangles(mode, size)[0];
    const squeezed = (layout) => (mode.squeezed && mode.layout === layout ? 2 : 1);
    return [width * squeezed("columns"), height * squeezed("rows")];
}

/** The views of a picture's eyes, as the program's `EyeView`; matrices are rows for column vectors. */
export function eyeViews(camera, stereo, size, near, far) {
    const mode = K.modes[stereo.mode], shown = shownSize(mode, size);
    return rectangles(mode, size).map((rectangle, i) => {
        const eye = stereo.exchangeEyes ? -mode.eyes[i] : mode.eyes[i];
        const sideways = 0.5 * eye * 0.01 * stereo.separation * camera.distance;
        const clip = projection(camera, shown[0] / shown[1], near, far, sideways, stereo.convergence * camera.distance);
        return {
            clipFromWorld: product(clip, viewFromWorld(camera, sideways)),
            position: add(camera.position, scaled(camera.right, sideways)), rectangle, shownSize: shown,
        };
    });
}
