// The things that a frame shows, by the names of the program's table of things, and which of them is at a pixel.

import { add, cross, dot, mixed, scaled, subtract, times, transposed } from "./linear.js";
import { K } from "./camera.js";
import { misses, solidMisses } from "./construction.js";
import { awayFrom } from "./labels.js";

/** The things that a frame shows: [{ name, form, color }], as the program's `things_in`. */
export function thingsIn(frame) {
    const { scene } = frame.layers[0], { theme, polhodeTicks, trailTicks } = scene, found = new Map();
    const note = (name, form, color) => found.has(name) || found.set(name, { name, form, color });
    for (const { name, form, color } of linesIn(scene)) note(name, form, color);
    if (scene.solid) note("body", "surface", theme.body);
    if (scene.shell) note("ellipsoid", "glass", theme.shell);
    if (scene.plane) note("plane", "ruling", theme.grid);
    for (const ticks of [polhodeTicks, trailTicks]) if (ticks) note("ticks", "ticks", ticks.color);
    if (scene.contact) note("contact", "ring", theme.text);
    return [...found.values()];
}

/** The lines of a scene that have a name, { name, form, color, points }; `points()` are in the world. */
function linesIn({ arrows, strokes, overlayStrokes, curves, trail, centrePath, paths, worldFromBody }) {
    const straight = [...arrows, ...strokes, ...overlayStrokes].map(({ name, head, color, start, end }) =>
        ({ name, form: head ? "arrow" : "axis", color, points: () => [start, end] }));
    const closed = curves.map(({ name, color, points, inSpace }) => {
        const inWorld = (point) => (inSpace ? point : times(worldFromBody, point));
        return { name, form: "curve", color, points: () => [...points, points[0]].map(inWorld) };
    });
    const trails = [trail, centrePath, ...paths].filter(Boolean);
    const run = trails.map(({ name, color, points, worldFromPoints, origin }) => {
        const inWorld = (point) => subtract(times(worldFromPoints, point), origin);
        return { name, form: "trail", color, points: () => points.map(inWorld) };
    });
    return [...straight, ...closed, ...run].filter(({ name }) => name);
}

/** The name of the thing at a pixel from the upper left, or null: points, then lines, then surfaces. */
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
    const { contact, solid, shell, plane } = scene;
    if (contact && Math.hypot(...pixel(contact).slice(0, 2)) <= K.description.CONTACT_RADIUS * pixelScale) {
        return "contact";
    }
    let best = null, least = reach * pixelScale;
    for (const { name, points } of linesIn(scene)) {
        let before = null;
        for (const point of points()) {
            const end = pixel(point);
            const inFront = before && end[2] > 0 && before[2] > 0;
            const away = inFront ? awayFrom(scaled(before, -1).slice(0, 2), subtract(end, before).slice(0, 2)) : Infinity;
            if (best ? away < least : away <= least) [best, least] = [name, away];
            before = end;
        }
    }
    if (best) return best;
    const [across, high] = [(2 * (x - left)) / width - 1, (2 * (up - low)) / height - 1];
    const side = (row, at) => subtract(clip[row], scaled(clip[3], at)).slice(0, 3);
    const through = add(eye, cross(side(0, across), side(1, high)));
    const [from, to] = [eye, through].map((point) => times(transposed(scene.worldFromBody), point));
    if (solid && solidMisses(solid, to, from) <= 1) return "body";
    if (shell && misses({ kind: "ellipsoid", halfExtents: shell.semiAxes }, to, from) <= 1) return "ellipsoid";
    return plane && onPlane(plane, eye, subtract(through, eye), camera) ? "plane" : null;
}

function onPlane({ centre, worldFromPlane, reach }, eye, direction, camera) {
    const normal = worldFromPlane.map((row) => row[2]);
    const far = dot(subtract(centre, eye), normal) / dot(direction, normal);
    const away = subtract(add(eye, scaled(direction, far)), centre);
    const ahead = far * dot(direction, camera.backward) < 0;
    return ahead && Math.hypot(...away) <= K.spot.PLANE_SEEN * reach;
}
