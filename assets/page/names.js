// The things that a frame shows, by the names of the program's table of things, and which of them is at a pixel.

import { add, cross, dot, mixed, scaled, subtract, times, transposed } from "./linear.js";
import { K } from "./camera.js";
import { misses, solidMisses } from "./construction.js";

/** The things that a frame shows: [{ name, form, color, alpha }], as the program's `things_in`. */
export function thingsIn(frame) {
    const { scene } = frame.layers[0], { theme } = scene, found = new Map();
    const note = (name, form, color, alpha = 1) => {
        if (name && !found.has(name)) found.set(name, { name, form, color, alpha });
    };
    for (const stroke of [...scene.arrows, ...scene.strokes, ...scene.overlayStrokes]) {
        note(stroke.name, stroke.head ? "arrow" : "axis", stroke.color);
    }
    for (const curve of scene.curves) note(curve.name, "curve", curve.color, curve.alpha);
    for (const trail of trailsOf(scene)) note(trail.name, "trail", trail.color);
    if (scene.solid) note("body", "surface", theme.body);
    if (scene.shell) note("ellipsoid", "glass", theme.shell);
    if (scene.plane) note("plane", "ruling", theme.grid);
    for (const ticks of [scene.polhodeTicks, scene.trailTicks]) if (ticks) note("ticks", "ticks", ticks.color);
    if (scene.contact) note("contact", "ring", theme.text);
    return [...found.values()];
}

const trailsOf = (scene) => [scene.trail, scene.centrePath, ...scene.paths].filter(Boolean);

/** The thing { name, color } at a pixel from the upper left, or null: points, then lines, then surfaces. */
export function nameAt(frame, x, y, reach = 12) {
    const { scene, views, camera, pixelScale } = frame.layers[0], up = frame.size[1] - y;
    const inside = ({ rectangle: [left, low, width, height] }) =>
        left <= x && x < left + width && low <= up && up < low + height;
    const seen = views.filter(inside);
    if (!seen.length) return null;
    const { rectangle: [left, low, width, height] } = seen[0];
    const middle = (field) => mixed(field(seen[0]), field(seen.at(-1)), 0.5); // of both eyes where they share pixels
    const eye = middle((view) => view.position);
    const clip = seen[0].clipFromWorld.map((_, i) => middle((view) => view.clipFromWorld[i]));
    const pixel = (point) => {
        const [across, high, , w] = times(clip, [...point, 1]);
        return [0.5 * (1 + across / w) * width + left - x, 0.5 * (1 + high / w) * height + low - up, w];
    };
    if (scene.contact && Math.hypot(...pixel(scene.contact).slice(0, 2)) <= K.description.CONTACT_RADIUS * pixelScale) {
        return { name: "contact", color: scene.theme.text };
    }
    let best = null;
    for (const { name, color, points } of linesIn(scene)) {
        let before = null;
        for (const point of points) {
            const end = pixel(point);
            const away = before && end[2] > 0 && before[2] > 0 ? awayFromPiece(before, end) : Infinity;
            if (away <= reach * pixelScale && (!best || away < best.away)) best = { name, color, away };
            before = end;
        }
    }
    if (best) return { name: best.name, color: best.color };
    const [across, high] = [(2 * (x - left)) / width - 1, (2 * (up - low)) / height - 1];
    const side = (row, at) => subtract(clip[row], scaled(clip[3], at)).slice(0, 3);
    const through = add(eye, cross(side(0, across), side(1, high)));
    const bodyFromWorld = transposed(scene.worldFromBody);
    const [from, to] = [times(bodyFromWorld, eye), times(bodyFromWorld, through)];
    if (scene.solid && solidMisses(scene.solid, to, from) <= 1) return { name: "body", color: scene.theme.body };
    const shell = scene.shell && { kind: "ellipsoid", halfExtents: scene.shell.semiAxes };
    if (shell && misses(shell, to, from) <= 1) return { name: "ellipsoid", color: scene.theme.shell };
    return scene.plane && onPlane(scene.plane, eye, subtract(through, eye), camera)
        ? { name: "plane", color: scene.theme.grid } : null;
}

function linesIn(scene) {
    const strokes = [...scene.arrows, ...scene.strokes, ...scene.overlayStrokes];
    const found = strokes.map(({ name, color, start, end }) => ({ name, color, points: [start, end] }));
    for (const { name, color, points, inSpace } of scene.curves) {
        const ring = [...points, points[0]].map((point) => (inSpace ? point : times(scene.worldFromBody, point)));
        found.push({ name, color, points: ring });
    }
    for (const { name, color, points, worldFromPoints, origin } of trailsOf(scene)) {
        found.push({ name, color, points: points.map((point) => subtract(times(worldFromPoints, point), origin)) });
    }
    return found.filter(({ name }) => name);
}

/** The distance of the origin from the piece of a line between two points of the screen. */
function awayFromPiece([x, y], [u, v]) {
    const [right, up] = [u - x, v - y];
    const fraction = Math.min(Math.max(-(x * right + y * up) / (right * right + up * up || 1), 0), 1);
    return Math.hypot(x + fraction * right, y + fraction * up);
}

function onPlane({ centre, worldFromPlane, reach }, eye, direction, camera) {
    const normal = worldFromPlane.map((row) => row[2]);
    const far = dot(subtract(centre, eye), normal) / dot(direction, normal);
    const away = subtract(add(eye, scaled(direction, far)), centre);
    const ahead = far * dot(direction, camera.backward) < 0;
    return ahead && Math.hypot(...away) <= K.spot.PLANE_SEEN * reach;
}
