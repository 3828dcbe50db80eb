// The orbit camera, the figure that it frames, and where points appear: as scene/camera of the program has them.

import { add, cross, dot, identity, norm, product, rigid, scaled, subtract, times } from "./linear.js";
import { transposed, unit } from "./linear.js";

export const ORIGIN = [0, 0, 0];

/** The program's constants by module and name, its stereo modes, units and atlas: filled by `useShared`. */
export const K = {};

/** Takes what all scenes of a page share, and the atlas of its letters; called once, before the first frame. */
export function useShared(shared, atlas) {
    Object.assign(K, shared, { atlas });
}

export const radians = (degrees) => (degrees * Math.PI) / 180;

/** The sum of vectors, each times its factor. */
export function combined(vectors, factors) {
    return vectors[0].map((_, i) => vectors.reduce((sum, vector, n) => sum + vector[i] * factors[n], 0));
}

/** n numbers at equal steps from `first` to `last`. */
export function evenly(first, last, n) {
    return Array.from({ length: n }, (_, i) => (i === n - 1 ? last : first + (i * (last - first)) / (n - 1)));
}

/** The largest of f over the items of a list, at least `least`. */
export function most(list, f = (x) => x, least = -Infinity) {
    let largest = least;
    for (const item of list) largest = Math.max(largest, f(item));
    return largest;
}

/** 0 up to `low`, 1 from `high` on, and a smooth rise between them. */
export function smoothStep(value, [low, high]) {
    if (value <= low || value >= high) return value <= low ? 0 : 1;
    const fraction = (value - low) / (high - low);
    return fraction * fraction * (3 - 2 * fraction);
}

/** A vector, or one of length `longest` in the same direction if it is longer. */
export function within(vector, longest) {
    const length = norm(vector);
    return length <= longest ? vector : scaled(vector, longest / length);
}

/** The largest number of the form 1, 2 or 5 times 10^n that is at most `limit`. */
export function roundBelow(limit) {
    const decade = 10 ** Math.floor(Math.log10(limit));
    return decade * Math.max(...[1, 2, 5].filter((step) => step * decade <= limit * (1 + 1e-9)));
}

/** The unit { name, size } in which a value [SI] of a quantity, such as "rad/s", is shown. */
export function unitOf(quantity, value) {
    return K.units[quantity].findLast(({ begin }) => begin <= value);
}

/** The camera at polar angle, azimuth [rad] and distance [m] around `target`; a frame's rows are world vectors. */
export function look(frameFromWorld, target, polarAngle, azimuth, distance, fieldOfView, shift) {
    const st = Math.sin(polarAngle), ct = Math.cos(polarAngle), sp = Math.sin(azimuth), cp = Math.cos(azimuth);
    const inFrame = [[st * cp, st * sp, ct], [-sp, cp, 0], [-ct * cp, -ct * sp, st]];
    const [backward, right, up] = inFrame.map((vector) => combined(frameFromWorld, vector));
    return { position: add(target, scaled(backward, distance)), right, up, backward, distance, fieldOfView, shift };
}

/** view_from_world (4x4) of an eye shifted `sideways` metres along the camera's right. */
export function viewFromWorld(camera, sideways) {
    const axes = [camera.right, camera.up, camera.backward], eye = add(camera.position, scaled(camera.right, sideways));
    return rigid(axes, scaled(times(axes, eye), -1));
}

/** clip_from_view (4x4), off-axis for an eye shifted `sideways` [m] before the screen plane at `convergence` [m]. */
export function projection(camera, aspect, near, far, sideways, convergence) {
    const top = near * Math.tan(0.5 * camera.fieldOfView), raised = -2 * top * camera.shift[1];
    const across = (-sideways * near) / convergence - 2 * top * camera.shift[0];
    return [
        [near / (top * aspect), 0, across / (top * aspect), 0],
        [0, near / top, raised / top, 0],
        [0, 0, -(far + near) / (far - near), (-2 * far * near) / (far - near)],
        [0, 0, -1, 0],
    ];
}

/** The axis of the world most nearly perpendicular to a unit vector. */
function axisAcross(vector) {
    const sizes = vector.map(Math.abs);
    return identity(3)[sizes.indexOf(Math.min(...sizes))];
}

/** The smallest rotation (3x3) that takes the unit vector a to the unit vector b. */
function arc(a, b) {
    const cosine = dot(a, b);
    if (cosine < -1 + 1e-12) {
        const axis = unit(cross(a, axisAcross(a)));
        return identity(3).map((row, i) => row.map((value, k) => 2 * axis[i] * axis[k] - value));
    }
    const [x, y, z] = cross(a, b), skew = [[0, -z, y], [z, 0, -x], [-y, x, 0]], square = product(skew, skew);
    return identity(3).map((row, i) => row.map((value, k) => value + skew[i][k] + square[i][k] / (1 + cosine)));
}

/** frame_from_world (3x3) with `up` upright, carried there along the great circle from `startUp`. */
export function uprightFrame(up, startUp) {
    const reference = axisAcross(startUp);
    const first = unit(subtract(reference, scaled(startUp, dot(reference, startUp))));
    return product([first, cross(startUp, first), startUp], transposed(arc(startUp, up)));
}

/** The picture of a centred eye: width and height in pixels at scale 1; `convergence` in the camera's distance. */
export class Canvas {
    constructor(camera, size, convergence = 1, textSize = 1) {
        Object.assign(this, { camera, size, convergence, textSize });
        this.perUnit = (0.5 * size[1]) / Math.tan(0.5 * camera.fieldOfView);
    }

    /** The metres that a pixel spans at a depth [m]. */
    metresPerPixel(depth) {
        return depth / this.perUnit;
    }

    /** Where a world point appears, in pixels right and up from the middle of the picture. */
    project(point) {
        const { right, up, backward, position, shift } = this.camera, height = this.size[1];
        const seen = subtract(point, position), factor = this.perUnit / Math.max(-dot(backward, seen), 1e-6);
        return [factor * dot(right, seen) + shift[0] * height, factor * dot(up, seen) + shift[1] * height];
    }

    /** The world point in the plane of the screen at (x, y) px from the lower left corner. */
    onScreenPlane(x, y) {
        const { camera, size: [width, height] } = this;
        const depth = this.convergence * camera.distance, perPixel = this.metresPerPixel(depth);
        const right = perPixel * (x - 0.5 * width - camera.shift[0] * height);
        const up = perPixel * (y - 0.5 * height - camera.shift[1] * height);
        return add(camera.position, combined([camera.backward, camera.right, camera.up], [-depth, right, up]));
    }
}

let fitted = []; // the last profile, polar angle, field of view and aspect, with what fits

/** Height of the target on the upright axis, and the distance [m] at which a profile just fits, seen from an angle. */
function fit(profile, polarAngle, fieldOfView, aspect) {
    const given = [profile, polarAngle, fieldOfView, aspect];
    if (!given.every((value, i) => value === fitted[i])) fitted = [...given, fitAnew(...given)];
    return fitted[4];
}

function fitAnew(profile, polarAngle, fieldOfView, aspect) {
    const st = Math.max(Math.sin(polarAngle), K.framing.AT_POLE), ct = Math.cos(polarAngle);
    const tanUp = Math.tan(0.5 * fieldOfView) / K.framing.FIT_MARGIN;
    const points = evenly(0, Math.PI, 25).flatMap((angle) => profile.map(([out, up]) => {
        const sideways = out * Math.sin(angle), towards = out * Math.cos(angle);
        return [towards * st + up * ct, (up * st - towards * ct) / tanUp, sideways / (tanUp * aspect)];
    }));
    const above = most(points, ([near, up]) => near + up), below = most(points, ([near, up]) => near - up);
    const beside = most(points, ([near, , sideways]) => near + sideways);
    const height = (0.5 * (above - below) * tanUp) / st;
    return [height, Math.max(0.5 * (above + below) - height * ct, beside - height * ct, 1e-6)];
}

/** The camera that a view asks for; `subject`: { frameFromWorld, centre, profile, polarAngleDeg }. */
export function framed(subject, view, aspect) {
    const field = radians(view.fieldOfViewDeg), away = Math.min(view.zoom, 1);
    const [height, distance] = fit(subject.profile, radians(subject.polarAngleDeg), field, aspect);
    const target = add(scaled(subject.frameFromWorld[2], height), subject.centre);
    const zoomed = 2 * Math.atan(Math.tan(0.5 * field) / Math.max(view.zoom, 1));
    const angles = [radians(view.polarAngleDeg), radians(view.azimuthDeg)];
    return look(subject.frameFromWorld, target, ...angles, distance / away, zoomed, view.pan);
}

function mirrored(upper) {
    return [...upper, ...upper.map(([out, up]) => [out, -up])];
}

/** The corners of a polygon with sides at distances `reach`, evenly turned from pole to equator. */
function polygon(reach) {
    const angles = K.sweep.ANGLES, step = Math.sin(angles[1]);
    return mirrored(reach.slice(1).map((next, i) => [
        (next * Math.cos(angles[i]) - reach[i] * Math.cos(angles[i + 1])) / step,
        (reach[i] * Math.sin(angles[i + 1]) - next * Math.sin(angles[i])) / step,
    ]));
}

/** The profile of a ball. */
export function ballProfile(radius) {
    return polygon(K.sweep.ANGLES.map(() => radius));
}

/** The figure that an ellipsoid fills as L runs along the polhode: squares of semi-axes, and of L's directions. */
export class Sweep {
    constructor(squares, along) {
        Object.assign(this, { squares, along });
        [this.radii, this.heights] = this.spheroids(K.sweep.ANGLES.map(Math.tan));
        this.radius = this.radii.at(-1);
    }

    /** Radii and half heights of the spheroids about L that touch the figure where tan θ is one of `slopes`. */
    spheroids(slopes) {
        const base = Math.min(...this.squares), least = K.sweep.STEADY * Math.max(...this.squares);
        const more = this.squares.map((square) => square - base), total = more[0] + more[1] + more[2];
        const points = this.along.map((row) => {
            const [upward, second, third] = [1, 2, 3].map((power) => dot(row, more.map((value) => value ** power)));
            const across = second - upward ** 2, tilts = across > least ** 2;
            const turned = third - 2 * upward * second + upward ** 3;
            const pairs = [more[2] * more[1], more[0] * more[2], more[1] * more[0]];
            return { upward, across: tilts ? across : 0, turned: tilts ? turned : 0, product: dot(row, pairs) };
        });
        const tilt = Math.sqrt(most(points, (point) => point.across));
        const rooms = slopes.map((slope) => Math.max(slope * tilt, least));
        const radii = rooms.map((room) => Math.sqrt(base + most(points, (point) => {
            const trace = total - point.upward + point.across / room;
            const minor = point.product + ((total - point.upward) * point.across - point.turned) / room;
            return 0.5 * (trace + Math.sqrt(Math.max(trace ** 2 - 4 * minor, 0)));
        })));
        const height = base + most(points, (point) => point.upward);
        return [radii, rooms.map((room) => Math.sqrt(height + room))];
    }

    /** The corners of a polygon around the figure's outline. */
    profile() {
        const support = K.sweep.ANGLES.map(
            (angle, i) => Math.hypot(this.radii[i] * Math.sin(angle), this.heights[i] * Math.cos(angle)),
        );
        support[0] = Math.sqrt(most(this.along, (row) => dot(row, this.squares)));
        return polygon(support);
    }

    /** Least and largest square of each component of L's direction. */
    bounds() {
        return [Math.min, Math.max].map((f) => [0, 1, 2].map((k) => f(...this.along.map((row) => row[k]))));
    }

    /** Corners around the arcs that the ends of body axes of these lengths sweep. */
    swept(reach) {
        const angle = (square) => Math.atan2(Math.sqrt(Math.max(1 - square, 0)), Math.sqrt(square));
        const [ends, begins] = this.bounds().map((squares) => squares.map(angle));
        return mirrored(reach.flatMap((length, k) => {
            const outside = length / Math.cos((0.5 * (ends[k] - begins[k])) / 5);
            return evenly(begins[k], ends[k], 6).map((turn) => [outside * Math.sin(turn), outside * Math.cos(turn)]);
        }));
    }

    /** Whether the line from the eye through a point misses the figure; L has the direction `axis`. */
    missed(point, eye, axis) {
        const ahead = subtract(point, eye);
        return this.radii.some((radius, i) => {
            const flat = radius ** -2, more = this.heights[i] ** -2 - flat; // it is the unit ball of `form`
            const form = (a, b) => dot(a, b) * flat + dot(a, axis) * dot(b, axis) * more;
            return form(ahead, eye) ** 2 < form(ahead, ahead) * (form(eye, eye) - 1);
        });
    }
}
