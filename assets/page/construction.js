// The body's solid, the polhode with its rolling marks, and the size of Poinsot's construction, from moments, E and L.

import { clamped, cross, dot, norm, placeAmong, scaled, subtract, unit } from "./linear.js";
import { K, Sweep, evenly, most, smoothStep } from "./camera.js";

/** A T-handle's bars: each a cylinder, the z of its middle, and the body axes that are the cylinder's x, y, z. */
function bars({ halfExtents: [x, radius, z], bar }) {
    const stem = 0.5 * (2 * z - radius);
    return [[x, bar, [1, 2, 0]], [stem, bar - stem, [0, 1, 2]]].map(([half, middle, order]) => ({
        part: { kind: "cylinder", halfExtents: [radius, radius, half] },
        inPart: ([px, py, pz]) => order.map((k) => [px, py, pz - middle][k]),
        middle,
        order,
    }));
}

/** How far a solid reaches from the origin along the body axes, m. */
function solidReach({ kind, halfExtents: [x, y, z], bar }) {
    return kind === "t-handle" ? [x, y, Math.max(bar + y, 2 * z - bar - y)] : [x, y, z];
}

/** The largest sum of `factors` times the squared coordinates of a point of the solid. */
export function furthest({ kind, halfExtents, bar, hull }, factors) {
    if (kind === "mesh") return most(hull, (vertex) => dot(vertex.map((value, i) => value * factors[i]), vertex));
    if (kind === "t-handle") {
        const [x, r, z] = halfExtents, [fx, fy, fz] = factors, bottom = 2 * z - bar - r;
        const high = fy <= fz ? 1 : Math.min(1, (fz * bar) / (r * (fy - fz)));
        const atBar = fx * x ** 2 + fy * r ** 2 * (1 - high ** 2) + fz * (bar + high * r) ** 2;
        return Math.max(atBar, Math.max(fx, fy) * r ** 2 + fz * bottom ** 2);
    }
    const reach = halfExtents.map((half, k) => factors[k] * half ** 2);
    if (kind === "ellipsoid") return Math.max(...reach);
    return kind === "cylinder" ? reach[2] + Math.max(reach[0], reach[1]) : reach[0] + reach[1] + reach[2];
}

export const solidRadius = (solid) => Math.sqrt(furthest(solid, [1, 1, 1]));

/** How far a solid reaches from its middle in a direction along the body axes, m. */
export function support(solid, direction) {
    if (solid.kind === "t-handle") {
        return most(bars(solid), ({ part, middle, order }) =>
            middle * direction[2] + support(part, order.map((k) => direction[k])));
    }
    if (solid.kind === "mesh") return most(solid.hull, (vertex) => dot(vertex, direction));
    const [x, y, z] = solid.halfExtents.map((half, k) => Math.abs(half * direction[k]));
    if (solid.kind === "box") return x + y + z;
    return solid.kind === "cylinder" ? Math.hypot(x, y) + z : Math.hypot(x, y, z);
}

/** How close the line from a point to the eye, or beyond both, comes to the middle: 1 at the surface. */
function distance({ kind, halfExtents }, point, eye, beyond) {
    const inUnits = (vector) => vector.map((value, k) => value / halfExtents[k]);
    const start = inUnits(point), way = inUnits(subtract(eye, point)), ahead = unit(way), middle = dot(start, ahead);
    const places = K.solids.PAST.map((past) => (beyond ? past - middle : clamped(past - middle, 0, norm(way))));
    return Math.min(...places.map((along) => {
        const [x, y, z] = start.map((value, k) => Math.abs(value + along * ahead[k]));
        if (kind === "box") return Math.max(x, y, z);
        return kind === "cylinder" ? Math.max(Math.hypot(x, y), z) : Math.hypot(x, y, z);
    }));
}

function solidDistance(solid, point, eye, beyond) {
    if (solid.kind !== "t-handle") return distance(solid, point, eye, beyond);
    return Math.min(...bars(solid).map(({ part, inPart }) => distance(part, inPart(point), inPart(eye), beyond)));
}

/** How close the line from a point to the eye comes to the middle, with the surface at 1; a mesh is an ellipsoid. */
export const closeness = (solid, point, eye) => solidDistance(solid, point, eye, false);

/** The same of the whole line. */
export const solidMisses = (solid, point, eye) => solidDistance(solid, point, eye, true);

/** The same with an ellipsoid in place of a T-handle. */
export const misses = (solid, point, eye) => distance(solid, point, eye, true);

/** 1 for a point that the eye sees past the solid, 0 for one that the solid hides. */
export function visibility(solid, point, eye) {
    return smoothStep(closeness(solid, point, eye), K.solids.HIDDEN);
}

/** A value on a line through points with rising xs, as numpy's interp. */
export function interpolated(x, xs, ys) {
    const last = xs.length - 1, i = placeAmong(xs, x, 0, last);
    if (x <= xs[0] || x >= xs[last]) return x <= xs[0] ? ys[0] : ys[last];
    return ys[i] + ((x - xs[i]) * (ys[i + 1] - ys[i])) / (xs[i + 1] - xs[i]);
}

const sumOf = (values) => values.reduce((sum, value) => sum + value, 0);

/** The closed branch of a polhode for moments, E, |L| and the sense of omega, by an angle around its axis. */
class Branch {
    constructor(moments, energy, momentum, omegaBody) {
        const J = moments.map((moment) => 1 / moment);
        const [low, middle, high] = [0, 1, 2].sort((i, k) => J[i] - J[k] || i - k);
        const ratio = (2 * energy) / momentum ** 2;
        let around = 2 * energy <= J[middle] * momentum * momentum ? low : high;
        if (J[middle] === J[high]) around = low;
        else if (J[low] === J[middle]) around = high;
        const [a, b, c] = around === low ? [high, middle, low] : [low, middle, high];
        this.axes = [a, b, c];
        this.scale = J.map((value) => value * momentum);
        this.side = omegaBody[around] < 0 || Object.is(omegaBody[around], -0) ? -1 : 1;
        this.isPoint = J[a] === J[c];
        const fraction = this.isPoint ? 0 : clamped((ratio - J[c]) / (J[a] - J[c]), 0, 1);
        this.A = Math.sqrt(fraction);
        this.B = fraction > 0 ? Math.sqrt(Math.min((ratio - J[c]) / (J[b] - J[c]), 1)) : 0;
        this.C = Math.sqrt(1 - fraction);
        this.m = this.isPoint ? 1 : clamped((J[b] - ratio) / (J[b] - J[c]), 0, 1);
    }

    placed(first, second, third) {
        const found = [0, 0, 0];
        [first, second, third].forEach((value, i) => (found[this.axes[i]] = value * this.scale[this.axes[i]]));
        return found;
    }

    /** omega in the body [rad/s] at an angle. */
    at(angle) {
        const cosine = Math.cos(angle), sine = Math.sin(angle);
        const along = Math.sqrt(this.C ** 2 * cosine * cosine + this.m * sine * sine);
        return this.placed(this.A * cosine, this.B * sine, this.side * along);
    }

    /** The derivative of omega with respect to the angle. */
    tangent(angle) {
        const cosine = Math.cos(angle), sine = Math.sin(angle);
        const along = Math.max(Math.sqrt(this.C ** 2 * cosine * cosine + this.m * sine * sine), 1e-300);
        const third = (this.side * sine * cosine * (this.m - this.C ** 2)) / along;
        return this.placed(-this.A * sine, this.B * cosine, third);
    }

    /** The angle, 0 to 2 pi, of an omega. */
    angleOf(omegaBody) {
        const [a, b] = this.axes, { scale } = this;
        const angle = Math.atan2((omegaBody[b] / scale[b]) * this.A, (omegaBody[a] / scale[a]) * this.B);
        return angle < 0 ? angle + 2 * Math.PI : angle;
    }

    /** The arc length [rad/s] between two angles of the same cell of the first quarter. */
    arcLength(start, end) {
        const half = 0.5 * (end - start), { NODES, WEIGHTS } = K.construction;
        const speeds = NODES.map((node) => norm(this.tangent(start + half + half * node)));
        return half * dot(WEIGHTS, speeds);
    }

    /** The first quarter in cells, ever finer towards a corner: `ends`, and `lengths` to each. */
    get quarter() {
        if (this.cells) return this.cells;
        const { CELLS, CORNER } = K.construction, corner = this.C > 0 ? Math.sqrt(this.m) / this.C : 1;
        const last = 0.25 * clamped(corner, CORNER, 1);
        const before = evenly(Math.log10(0.5 * Math.PI), Math.log10(last), CELLS).map((power) => 10 ** power);
        const ends = [0, ...before.slice(1).map((value) => 0.5 * Math.PI - value), 0.5 * Math.PI];
        const lengths = [0];
        for (let i = 1; i < ends.length; i++) lengths.push(lengths[i - 1] + this.arcLength(ends[i - 1], ends[i]));
        return (this.cells = { ends, lengths });
    }

    /** The arc length of the whole branch, rad/s. */
    get length() {
        return 4 * this.quarter.lengths.at(-1);
    }

    /** The angle at which the arc length from angle 0 is `length`. */
    angleAt(length) {
        const { ends, lengths } = this.quarter, quarter = lengths.at(-1);
        const halves = Math.floor(length / (2 * quarter)), fold = length - halves * 2 * quarter;
        const wanted = fold <= quarter ? fold : 2 * quarter - fold;
        let angle = interpolated(wanted, lengths, ends);
        for (let step = 0; step < K.construction.NEWTON; step++) {
            const cell = Math.max(ends.findLastIndex((end) => end <= angle && end < 0.5 * Math.PI), 0);
            const beyond = lengths[cell] + this.arcLength(ends[cell], angle) - wanted;
            angle = clamped(angle - beyond / Math.max(norm(this.tangent(angle)), 1e-300), 0, 0.5 * Math.PI);
        }
        return Math.PI * halves + (fold <= quarter ? angle : Math.PI - angle);
    }

    /** The branch as points in the body [rad/s], closer where it bends; the first is not repeated. */
    points(count) {
        const { FINE, STRAIGHT } = K.construction, angles = evenly(0, 2 * Math.PI, FINE * count + 1);
        const curve = angles.map((angle) => this.at(angle));
        const pieces = curve.slice(1).map((point, i) => subtract(point, curve[i]));
        const lengths = pieces.map(norm), total = sumOf(lengths);
        if (!(total > 0)) return curve.slice(0, count);
        const along = pieces.map((piece, i) => scaled(piece, 1 / Math.max(lengths[i], 1e-300)));
        const turns = along.map((piece, i) => norm(subtract(piece, along.at(i - 1))));
        const bent = turns.map((turn, i) => Math.sqrt(lengths[i] * (turn + turns[(i + 1) % turns.length])));
        const bends = Math.max(sumOf(bent), 1e-300), share = [0];
        bent.forEach((bend, i) => share.push(share[i] + bend / bends + (STRAIGHT * lengths[i]) / total));
        return angles.slice(0, count).map((_, i) => this.at(interpolated(i * (share.at(-1) / count), share, angles)));
    }
}

/** The curves of E, |L| and a sense of omega: polhode, herpolhodeRadii, branch (null for a point), marks. */
export function curvesOf(moments, energy, momentum, omegaBody) {
    const branch = new Branch(moments, energy, momentum, omegaBody);
    const J = moments.map((moment) => 1 / moment), [low, middle, high] = [...J].sort((a, b) => a - b);
    const ratio = (2 * energy) / (momentum * momentum);
    const above = Math.max(high - ratio, 0), below = Math.max(ratio - low, 0);
    const outer = momentum * Math.sqrt(above * below);
    const inner = momentum * Math.sqrt(middle >= ratio ? (middle - ratio) * below : (ratio - middle) * above);
    const spin = scaled(omegaBody, (J[0] * momentum) / Math.max(norm(omegaBody), 1e-300));
    return {
        polhode: branch.isPoint ? Array.from({ length: 512 }, () => spin) : branch.points(512),
        herpolhodeRadii: [Math.min(inner, outer), outer],
        branch: branch.length > 0 ? branch : null,
        moments,
    };
}

/** `count` marks at equal arc lengths on the polhode, as the program's `RollingMarks`. */
export function marksOf(curves, count) {
    if (curves.marks?.count === count) return curves.marks;
    const { branch, moments } = curves, spacing = branch.length / count;
    const angles = Array.from({ length: count }, (_, i) => branch.angleAt(i * spacing));
    const marks = angles.map((angle) => {
        const point = branch.at(angle), normal = unit(point.map((value, k) => value * moments[k]));
        const side = unit(cross(normal, branch.tangent(angle)));
        const away = unit(subtract(point, scaled(normal, dot(point, normal))));
        return { point, normal, side, radial: dot(side, away), around: dot(side, cross(normal, away)) };
    });
    const knots = [...angles, 2 * Math.PI], numbers = evenly(0, count, count + 1);
    const passed = (omegaBody) => interpolated(branch.angleOf(omegaBody), knots, numbers);
    return (curves.marks = { count, spacing, marks, passed });
}

/** The construction of a moment { moments, targetEnergy, targetMomentum, .. } with its `curves`: lengths in metres. */
export function construct(now, solid, vectorScale) {
    const { moments, targetEnergy: energy, targetMomentum: momentum, startMomentum, curves } = now;
    const radius = solidRadius(solid), start = norm(startMomentum);
    if (!curves) {
        const up = start > 0 ? scaled(startMomentum, 1 / start) : [0, 0, 1];
        const still = new Sweep([radius ** 2, radius ** 2, radius ** 2], [[0, 0, 1]]);
        const built = { scale: 1, semiAxes: [0, 0, 0], momentumAxis: up, planeDistance: 0, arrow: 0, radius };
        return withEnds({ ...built, sweep: still, moving: false, holdsBody: false, solid });
    }
    const { BODY_FRACTION, GROWTH, ARROW_REACH, ROOM, POLHODE_POINTS } = K.scale;
    const size = (vectorScale / BODY_FRACTION) * (start > 0 ? (momentum / start) ** GROWTH : 1);
    const scale = size * Math.sqrt(furthest(solid, moments) / (2 * energy));
    const semiAxes = moments.map((moment) => scale * Math.sqrt((2 * energy) / moment));
    const distance = (scale * 2 * energy) / momentum;
    const every = Math.max(1, Math.floor(curves.polhode.length / POLHODE_POINTS));
    const along = curves.polhode.filter((_, i) => i % every === 0).map((omega) => {
        const squares = omega.map((value, k) => (value * moments[k]) ** 2);
        return scaled(squares, 1 / sumOf(squares));
    });
    const swept = (axes) => new Sweep(axes.map((axis) => axis ** 2), along);
    const filled = swept(semiAxes);
    return withEnds({
        scale, semiAxes, momentumAxis: scaled(now.angularMomentumWorld, 1 / norm(now.angularMomentumWorld)),
        planeDistance: distance, arrow: ARROW_REACH * distance, radius: Math.max(ROOM * filled.radius, radius),
        sweep: size < 1 ? swept(scaled(semiAxes, 1 / size)) : filled, moving: true, holdsBody: size >= 1, solid,
    });
}

function withEnds(built) {
    const [stubLength, reach] = [(K.scale.STUB_REACH - 1) * built.radius, solidReach(built.solid)];
    return { ...built, stubLength, axisEnds: built.semiAxes.map((axis, k) => Math.max(axis, reach[k]) + stubLength) };
}

/** A scene's figure with the solid of other fields of [body]; of raw moments it is the ellipsoid that has them. */
export function withBody(figure, { shape, mass, width, depth, height, radius, thickness }, moments) {
    const half = (...lengths) => lengths.map((length) => 0.5 * length);
    const solids = {
        box: () => ["box", half(width, depth, height)],
        ellipsoid: () => ["ellipsoid", half(width, depth, height)],
        cylinder: () => ["cylinder", [radius, radius, 0.5 * height]],
        sphere: () => ["ellipsoid", [radius, radius, radius]],
        "t-handle": () => ["t-handle", half(width, thickness, height), barHeight(width, height, 0.5 * thickness)],
    };
    const [kind, halfExtents, bar = 0] = solids[shape]?.() ?? ["ellipsoid", halfAxes(mass, moments)];
    return { ...figure, solid: { ...figure.solid, kind, halfExtents, bar } };
}

/** The height of a T-handle's crossbar, of two round bars of radius r, above the centre of mass. */
function barHeight(width, height, r) {
    const area = Math.PI * r ** 2, stem = height - r, volume = area * (width + stem) - (8 / 3) * r ** 3;
    return (0.5 * area * stem ** 2 - (3 / 8) * Math.PI * r ** 4) / volume;
}

/** The half axes of the ellipsoid with these moments; short ones are kept above a twelfth of the longest. */
function halfAxes(mass, moments) {
    const axes = moments.map((moment) => Math.sqrt(Math.max((5 / mass) * (0.5 * sumOf(moments) - moment), 0)));
    return axes.map((axis) => Math.max(axis, Math.max(...axes) / 12));
}
