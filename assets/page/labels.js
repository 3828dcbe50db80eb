// The names in the scene: their letters' size, and the places where they can be read, as scene/annotations has them.

import { add, clamped, dot, mixed, norm, scaled, subtract, times, transposed } from "./linear.js";
import { K, combined, evenly, most, smoothStep, unitOf } from "./camera.js";
import { closeness, misses, support, visibility } from "./construction.js";

/** A label as the program's `Label`, centred; `more` has the fields that are not the usual ones. */
export function labelOf(text, anchor, color, size, offset, more = {}) {
    return { text, anchor, color, size, offset, style: "symbol", alpha: 1, ...more };
}

/** A straight line as the program's `Stroke`. */
export function strokeOf(start, end, color, alpha, width, more = {}) {
    return { start, end, color, alpha, width, head: 0, phase: 0, name: "", dashes: 1, ...more };
}

/** The letters of a text, each { glyph, pen, fraction, lowered }, and its width; pens and width in em. */
export function lineOf(text, style, { glyphs, small, space }) {
    const font = glyphs[style], letters = [];
    let pen = 0;
    for (const letter of text) {
        const [base, fraction, lowered] = letter in font ? [letter, 1, 0] : (small[letter] ?? [letter, 1, 0]);
        const glyph = font[base];
        if (glyph) letters.push({ glyph, pen, fraction, lowered });
        pen += glyph ? fraction * glyph[6] : space;
    }
    return { letters, width: pen };
}

/** Half the width and height [px] of the box that holds a label's letters. */
function halfSize({ text, style, size }) {
    const { atlas } = K, margin = (0.5 * atlas.spread) / atlas.em, { letters, width } = lineOf(text, style, atlas);
    let up = 0, first = 0, last = 0;
    for (const { glyph: [, , across, tall, left, low], pen, fraction, lowered } of letters) {
        const lowest = fraction * (low + margin) - lowered - atlas.middle[style];
        const begin = pen + fraction * (left + margin);
        up = Math.max(up, -lowest, lowest + fraction * (tall / atlas.em - 2 * margin));
        first = Math.min(first, begin);
        last = Math.max(last, begin + fraction * (across / atlas.em - 2 * margin));
    }
    return [size * Math.max(0.5 * width, 0.5 * width - first, last - 0.5 * width), size * up];
}

/** A line on the screen between two world points; a piece of a curve if it is `curved`. */
function lineOn(canvas, start, end, width, price, curved) {
    const from = canvas.project(start), way = subtract(canvas.project(end), from), length = norm(way);
    return { from, along: scaled(way, 1 / Math.max(length, K.label_places.ALMOST)), length, width, price, curved };
}

/** The strokes of each [strokes, price], and curves of world points, as lines on the screen. */
export function linesOn(canvas, priced, curves = []) {
    const { BESIDE_SHAFT, CURVE_PRICE } = K.label_places;
    const pieces = (curve) => curve.slice(1).map((end, i) => lineOn(canvas, curve[i], end, 1.5, CURVE_PRICE, true));
    const straight = priced.flatMap(([strokes, price]) => strokes.map(
        (s) => lineOn(canvas, s.start, s.end, 0.5 * s.width + BESIDE_SHAFT, price, false)));
    return [...straight, ...curves.flatMap(pieces)];
}

/** The gap [px] between a line and a box around a place; negative if the line runs through it. */
function gapToLine([x, y], [wide, tall], { from, along: [u, v], length, width }) {
    const right = x - from[0], up = y - from[1], along = clamped(right * u + up * v, 0, length);
    const across = Math.abs(right - along * u) + K.label_places.ALMOST, above = Math.abs(up - along * v);
    const distance = Math.sqrt(across * across + above * above);
    return distance - (across * wide + above * tall) / distance - width;
}

/** The gap [px] from a box to the nearest of those in `taken`, each [middle, half sizes]. */
function gapTo([x, y], [wide, tall], taken) {
    const apart = ([[right, up], [w, h]]) => Math.max(Math.abs(x - right) - wide - w, Math.abs(y - up) - tall - h);
    return -most(taken, (box) => -apart(box));
}

/** How far a point is from a straight line, both seen from where the line begins. */
export function awayFrom(point, line) {
    const fraction = dot(point, line) / Math.max(dot(line, line), K.label_places.ALMOST);
    return norm(subtract(point, scaled(line, clamped(fraction, 0, 1))));
}

/** The cheapest place of a name around its anchor or, with the direction of a shaft, along that. */
function bestPlace(anchor, offset, half, taken, lines, room, shaft) {
    const P = K.label_places, around = Math.max(Math.hypot(...offset), 1);
    const aside = 1 + Math.max(half[0] - P.SYMBOL, 0) / around;
    const turned = P.RINGS.map(([near, far]) => {
        const [x, y] = [0, 1].map((k) => near[k] + (1 + P.FURTHER / around) * far[k]);
        return [anchor[0] + (x * offset[0] - y * offset[1]) * aside, anchor[1] + x * offset[1] + y * offset[0]];
    });
    const beside = () => P.SIDES.map(([side, along]) => add(anchor, combined([offset, shaft], [side, along])));
    const inRoom = (value, k) => clamped(value, -room[k], room[k]);
    const places = (shaft ? beside() : turned).map((place) => place.map(inRoom));
    const furthest = half.map((size, k) => size + most(places, (place) => Math.abs(place[k] - anchor[k])));
    const reach = norm(furthest) + P.WIDEST;
    const near = lines.filter(({ from, along, length }) => {
        const middle = add(from, scaled(along, 0.5 * length));
        return norm(subtract(middle, anchor)) < 0.5 * length + reach;
    });
    const share = (gap) => clamped(gap / P.DEEP, 0, 1);
    const prices = places.map((place, i) => {
        let straight = 0, curved = 0, names = 0;
        for (const line of near) {
            const price = line.price * share(P.GAP - gapToLine(place, half, line));
            if (line.curved) curved = Math.max(curved, price);
            else straight += price;
        }
        for (const box of taken) names += share(P.BESIDE_NAME[1] - gapTo(place, half, [box]));
        return (shaft ? P.SIDE_PRICES : P.RING_PRICES)[i] + straight + curved + P.NAME_PRICE * names;
    });
    const best = prices.indexOf(Math.min(...prices));
    const weights = places.map((place, i) => {
        const off = subtract(place, places[best]);
        return dot(off, off) < P.NEAR ** 2 ? Math.exp((prices[best] - prices[i]) / P.SOFT) : 0;
    });
    return scaled(combined(places, weights), 1 / weights.reduce((sum, weight) => sum + weight, 0));
}

const stays = ({ style }) => style === "number";

/** The labels, moved or faded so that each can be read, as the program's `arrange`; `contact` may be null. */
export function arrange(labels, canvas, solid, worldFromBody, arrows = [], contact = null, lines = [], boxes = []) {
    const { EDGE, FURTHEST, HEAD_RADIUS } = K.label_layout, { BESIDE_NAME } = K.label_places;
    const ring = K.description.CONTACT_RADIUS + 1, shafts = {};
    const taken = contact ? [[canvas.project(contact), [ring, ring]]] : [];
    for (const arrow of arrows) {
        const end = canvas.project(arrow.end), way = subtract(end, canvas.project(arrow.start));
        const length = Math.max(norm(way), 1e-6);
        const [x, y] = way.map((value) => (arrow.head * Math.abs(value)) / length);
        const middle = subtract(end, scaled(way, Math.min((0.5 * arrow.head) / length, 0.5)));
        taken.push([middle, [0.5 * x + HEAD_RADIUS * y, 0.5 * y + HEAD_RADIUS * x]]);
        shafts[arrow.name] = { end: arrow.end, along: norm(way) < 1 ? null : scaled(way, 1 / length) };
    }
    const names = labels.map((given) => {
        const [size, offset] = [given.size * canvas.textSize, scaled(given.offset, canvas.textSize)];
        const label = { ...given, size, offset }, anchor = canvas.project(label.anchor);
        return { label, anchor, half: halfSize(label), place: add(anchor, offset) };
    });
    taken.push(...boxes);
    for (const { label, place, half } of names) if (stays(label)) taken.push([place, half]);
    const placed = [];
    for (const { label, anchor, half, place } of names) {
        if (stays(label)) {
            placed.push(label);
            continue;
        }
        const own = shafts[label.text];
        const free = [0, 1].map((k) => Math.max(0.5 * canvas.size[k] - half[k] - EDGE, 0));
        const gone = free.some((side, k) => Math.abs(anchor[k]) > side + 2 * half[k] + EDGE + FURTHEST);
        const room = gone ? [Infinity, Infinity] : free;
        let [position, apart, alpha] = [place, gapTo(place, half, taken), label.alpha];
        const nearest = -most(lines, (line) => -gapToLine(place, half, line));
        if (nearest < 0 || !place.every((value, k) => Math.abs(value) <= room[k]) || apart < BESIDE_NAME[1]) {
            const shaft = own && label.anchor !== own.end ? own.along : null;
            position = bestPlace(anchor, label.offset, half, taken, lines, room, shaft);
            apart = gapTo(position, half, taken);
        }
        if (!own) alpha *= smoothStep(apart, BESIDE_NAME);
        if (alpha < 0.02) continue;
        placed.push({ ...label, offset: subtract(position, anchor), alpha });
        taken.push([position, half]);
    }
    return solid ? placed.map((label) => broughtForward(label, canvas, solid, worldFromBody)) : placed;
}

/** A name, not in or behind the solid, and in the colour that it has in front of it. */
function broughtForward(label, canvas, solid, worldFromBody) {
    if (stays(label)) return label;
    const { camera } = canvas, bodyFromWorld = transposed(worldFromBody), { ON_BODY } = K.label_layout;
    const depth = dot(subtract(camera.position, label.anchor), camera.backward), pixel = canvas.metresPerPixel(depth);
    const name = add(label.anchor, scaled(combined([camera.right, camera.up], label.offset), pixel));
    const [inBody, eye] = [times(bodyFromWorld, name), times(bodyFromWorld, camera.position)];
    const [close, miss] = [closeness(solid, inBody, eye), misses(solid, inBody, eye)];
    const front = dot(camera.position, camera.backward) - support(solid, times(bodyFromWorld, camera.backward));
    const reach = (pixel * Math.hypot(...halfSize(label))) / Math.min(...solid.halfExtents);
    const found = { ...label };
    if (label.onBody && miss < ON_BODY[1]) found.color = mixed(label.onBody, label.color, smoothStep(miss, ON_BODY));
    const forward = 1 - smoothStep(close, [1 + reach, 1.5 + reach]);
    if (forward > 0 && 0 < front && front < depth) {
        const fraction = 1 + forward * (front / depth - 1);
        found.anchor = add(camera.position, scaled(subtract(label.anchor, camera.position), fraction));
    }
    return found;
}

/** omega's name beside its shaft: to the right, but to the left if omega is left of L on the screen. */
export function omegaLabel(arrow, momentumEnd, canvas) {
    const N = K.labels, start = canvas.project(arrow.start);
    const [along, momentum] = [arrow.end, momentumEnd].map((end) => subtract(canvas.project(end), start));
    const [length, seen] = [norm(along), norm(momentum)];
    let [x, y] = length > 1 ? [along[1] / length, -along[0] / length] : [1, 0];
    if (x < 0) [x, y] = [-x, -y];
    const label = labelOf(arrow.name, scaled(arrow.end, N.OMEGA_NAME_AT), arrow.color, N.OMEGA_SIZE, [0, 0]);
    const [wide, tall] = halfSize(label);
    const turned = (N.OMEGA_NAME_AT * (momentum[0] * along[1] - momentum[1] * along[0])) / seen;
    const left = seen < 1 ? -Infinity : turned * (momentum[1] < 0 ? -1 : 1);
    const clear = Math.max(N.OMEGA_OFFSET, wide * Math.abs(x) + tall * Math.abs(y) + left + N.OFF_L);
    return { ...label, offset: scaled([x, y], left > N.LEFT_OF_L ? -N.OMEGA_OFFSET : clear) };
}

/** A number with so many significant digits, as the app writes it: 0.0145, 1.00, 1230, −4.56×10⁻⁵. */
export function numberText(value, digits) {
    if (value === 0) return "0";
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e"), power = Number(exponent);
    const small = [...String(power)].map((sign) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(sign)]).join("");
    const isPlain = power >= -4 && power < Math.max(digits, 5);
    const text = isPlain ? value.toFixed(Math.max(0, digits - 1 - power)) : `${mantissa}×10${small}`;
    return text.replace("-", "−");
}

/** A number's text without zeros at the end of its decimals. */
export function trimmed(text) {
    return text.replace(/\.0+(?!\d)|(\.\d*?)0+(?!\d)/, "$1");
}

/** Rates along a grid line of the plane, where neither the herpolhode nor the ellipsoid comes; `outer` radius in m. */
export function rulingLabels(plane, outer, built, canvas, theme, boxes) {
    const N = K.labels, { camera } = canvas, normal = built.momentumAxis;
    const ruling = unitOf("rad/s", plane.reach / built.scale);
    const directions = transposed(plane.worldFromPlane).slice(0, 2).flatMap((axis) => [axis, scaled(axis, -1)]);
    const order = (d) => 0.35 * dot(d, camera.backward) - dot(d, camera.right);
    directions.sort((a, b) => order(a) - order(b));
    const circle = evenly(0, 2 * Math.PI, N.CIRCLE_POINTS).map((angle) =>
        add(plane.centre, scaled(times(plane.worldFromPlane, [Math.cos(angle), Math.sin(angle), 0]), outer)));
    const reached = linesOn(canvas, [], [circle]);
    const behind = dot(subtract(camera.position, plane.centre), normal) <= 0;
    const isFree = (anchor, place, half) => {
        if (place.some((value, k) => Math.abs(value) + half[k] > 0.5 * canvas.size[k] - N.EDGE_ROOM)) return false;
        if (reached.some((line) => gapToLine(place, half, line) < N.NUMBER_ROOM)) return false;
        const perPixel = canvas.metresPerPixel(dot(subtract(camera.position, anchor), camera.backward));
        return !behind || K.label_layout.CORNERS.every(([x, y]) => {
            const aside = combined([camera.right, camera.up], [x * half[0] * perPixel, y * half[1] * perPixel]);
            return built.sweep.missed(add(anchor, aside), camera.position, normal);
        });
    };
    for (const direction of directions) {
        const labels = [], taken = [...boxes];
        const [first, last] = [N.NUMBERED * plane.reach, outer].map((radius) => Math.trunc(radius / plane.spacing));
        for (let n = first; n > last; n--) {
            const anchor = add(plane.centre, scaled(direction, n * plane.spacing));
            const rate = trimmed(numberText((n * plane.spacing) / (built.scale * ruling.size), 6));
            const text = labels.length ? rate : `${rate} ${ruling.name}`;
            const label = labelOf(text, anchor, theme.text, N.NUMBER_SIZE, [0, 0], { style: "number" });
            const [place, half] = [canvas.project(anchor), scaled(halfSize(label), canvas.textSize)];
            if (!isFree(anchor, place, half) || gapTo(place, half, taken) < K.label_places.BESIDE_NAME[1]) continue;
            labels.push(label);
            taken.push([place, half]);
        }
        if (labels.length) return labels;
    }
    return outer > 0 ? rulingLabels(plane, 0, built, canvas, theme, boxes) : [];
}

/** Stubs from inner to outer end [m] at both sides of each body axis, and names that the solid does not hide. */
export function bodyAxes(ends, worldFromBody, colors, names, canvas, solid, vectors) {
    const N = K.labels, { camera } = canvas, strokes = [], labels = [], bodyFromWorld = transposed(worldFromBody);
    const eye = times(bodyFromWorld, camera.position);
    bodyFromWorld.forEach((axis, i) => {
        const alphas = [1, -1].map((sign) => {
            const [inner, outer] = ends[i].map((end) => scaled(axis, sign * end));
            const gaps = vectors.map(({ start, end }) => most([inner, outer], (point) => {
                const [seen, line] = [point, end].map((each) => subtract(canvas.project(each), canvas.project(start)));
                return awayFrom(seen, line);
            }));
            const alpha = smoothStep(Math.min(...gaps, Infinity), N.ALONG_VECTOR);
            strokes.push(strokeOf(inner, outer, colors[i], alpha, N.STUB_WIDTH, { name: `${"xyz"[i]}′` }));
            return alpha;
        });
        const tip = scaled(axis, ends[i][1]);
        const inSight = solid ? visibility(solid, times(bodyFromWorld, tip), eye) : 1;
        if (!(inSight > 0)) return;
        const seen = [dot(axis, camera.right), dot(axis, camera.up)], length = norm(seen);
        const outwards = N.AXIS_OFFSET / Math.max(length, N.STEEP), aside = 9 * Math.max(0, 1 - length / N.STEEP);
        const offset = seen.map((value) => outwards * value + aside);
        labels.push(labelOf(names[i], tip, colors[i], N.AXIS_SIZE, offset, { alpha: inSight * alphas[0] }));
    });
    return [strokes, labels];
}

/** The middle, from that of the picture, and the half sizes [px] of the space axes with their letters. */
export function triadBox(canvas) {
    const half = K.labels.TRIAD_LENGTH + K.labels.TRIAD_LETTERS * canvas.textSize;
    return [K.labels.TRIAD_CORNER.map((corner, k) => corner - 0.5 * canvas.size[k]), [half, half]];
}

/** The space axes as a small triad in the lower left corner, in the plane of the screen: strokes and labels. */
export function spaceAxes(canvas, theme) {
    const N = K.labels, { camera } = canvas, strokes = [], labels = [];
    const origin = canvas.onScreenPlane(...N.TRIAD_CORNER);
    const reach = N.TRIAD_LENGTH * canvas.metresPerPixel(canvas.convergence * camera.distance);
    ["x", "y", "z"].forEach((name, i) => {
        const end = origin.map((value, k) => value + (k === i ? reach : 0));
        strokes.push(strokeOf(origin, end, theme.text, 0.8, 1.6, { name }));
        const seen = [camera.right[i], camera.up[i]], length = norm(seen);
        const offset = length > 1e-6 ? scaled(seen, 10 / length) : [8, 8];
        labels.push(labelOf(name, end, theme.text, 15, offset, { alpha: 0.9 * Math.min(1, length / 0.25) }));
    });
    return [strokes, arrange(labels, canvas, null, null)];
}
