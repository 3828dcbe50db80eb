// What a picture of a moment shows: Poinsot's construction of one body as scene/build of the program has it.

import { add, clamped, cross, dot, identity, mixed, norm, scaled, subtract } from "./linear.js";
import { times, transposed, unit } from "./linear.js";
import { Canvas, K, ORIGIN, ballProfile, combined, evenly, framed, roundBelow } from "./camera.js";
import { smoothStep, unitOf, uprightFrame, within } from "./camera.js";
import { ballOval, extentReach, eyeViews, placeEyes, shownSize } from "./stereo.js";
import { construct, curvesOf, interpolated, marksOf } from "./construction.js";
import { axisPath, centreOf, loadLines, loadReach } from "./loads.js";
import { freeMotion } from "./motion.js";
import { arrange, awayFrom, bodyAxes, labelOf, linesOn, omegaLabel, rulingLabels } from "./labels.js";
import { spaceAxes, strokeOf, triadBox } from "./labels.js";

const known = new WeakMap(); // by motion: its start, the rows of its trail and, if it is free, curves and construction

/** The motion at a time with all that the figure needs of it, as the program's `Snapshot`. */
function momentOf(figure, motion, time) {
    if (!known.has(motion)) known.set(motion, { start: motion.at(0), rows: new Map() });
    const fixed = known.get(motion), now = motion.at(time), { moments } = motion;
    const { free, held, weight } = figure.loads, target = free ? fixed.start : now;
    const targetEnergy = target.energy, targetMomentum = norm(target.angularMomentumWorld);
    const resting = 2 * targetEnergy <= K.state.AT_REST * targetMomentum || norm(now.angularMomentumWorld) === 0;
    const anew = () => curvesOf(moments, targetEnergy, targetMomentum, target.omegaBody);
    const curves = resting ? null : free ? (fixed.curves ??= anew()) : anew();
    const swings = held && weight > 0;
    const asFree = () => (motion.kind === "free" || resting ? motion : freeMotion({ ...now, moments }));
    const { period, precessionPeriod } = swings ? figure.loads : asFree();
    const turns = free && period && precessionPeriod ? period / precessionPeriod : 0;
    const rate = swings ? swingRate(now, moments, figure.loads) : norm(now.omegaWorld);
    return {
        ...now, motion, fixed, free, targetEnergy, targetMomentum, curves, resting, moments, figure,
        startMomentum: fixed.start.angularMomentumWorld, moved: subtract(now.position, fixed.start.position),
        turnTime: period || (2 * Math.PI) / Math.max(rate, 1e-9),
        rowTime: (fixed.rowTime ??= rowTimeOf(figure, fixed.start, motion)),
        framePeriod: turns === Math.round(turns) ? null : period / (turns - Math.round(turns)),
    };
}

/** The rate of a turn with all of the energy of a body that swings about a pivot, rad/s. */
function swingRate({ energy, worldFromBody }, moments, { weight, centreOfMass }) {
    const height = norm(centreOfMass) + times(worldFromBody, centreOfMass)[2];
    return Math.sqrt((2 * (energy + weight * height)) / Math.max(...moments));
}

/** The construction, with the points of the polhode in metres; a free motion has the same one at all times. */
function constructionOf(now, solid, vectorScale) {
    const { built: last } = now.fixed;
    if (now.free && last?.solid === solid && last.vectorScale === vectorScale) return last;
    const built = { ...construct(now, solid, vectorScale), vectorScale };
    const polhode = (now.curves?.polhode ?? []).map((point) => scaled(point, built.scale));
    return (now.fixed.built = { ...built, polhode });
}

/** The time [s] between two rows of a trail: whole steps in which the body turns by at most TRAIL_ANGLE. */
function rowTimeOf({ step, loads }, { energy, angularMomentumWorld }, { moments, largestRate }) {
    const smallest = Math.min(...moments);
    const bound = Math.min(Math.sqrt((2 * energy) / smallest), norm(angularMomentumWorld) / smallest);
    const fastest = loads.free ? bound : largestRate;
    return step * clamped(Math.trunc(K.checkpoints.TRAIL_ANGLE / (fastest * step)), 1, 1e9);
}

/** The rows of the motion of the last `length` seconds up to now, the oldest first, none before t = 0. */
function rowsOf({ time, motion, fixed: { rows }, rowTime: each, figure: { loads } }, length) {
    const last = Math.floor(time / each + 1e-9);
    const first = Math.max(Math.ceil((time - length) / each - 1e-9), last - K.checkpoints.RECENT + 1, 0);
    if (rows.size > 4 * (last - first) + 4096) rows.clear();
    const found = [];
    for (let n = first; n <= last; n++) {
        if (!rows.has(n)) {
            const row = motion.at(n * each);
            rows.set(n, Object.assign(row, { centre: centreOf(loads, row) }));
        }
        found.push(rows.get(n));
    }
    return found;
}

/** A trail as the program's `Trail`: `field` of its rows, times `worldFromPoints`, is where it runs in the world, m. */
function trailOf(now, view, field, newest, turn, fade, more) {
    const length = view.trailPeriods * turn, rows = rowsOf(now, length), times = [], points = [];
    rows.push({ ...now, [field]: newest });
    for (const row of rows) {
        times.push(row.time);
        points.push(row[field]);
    }
    return { times, points, rows, fadeTime: fade * turn, length, carrier: ORIGIN, origin: ORIGIN, ...more };
}

/** Points along the visible part of a trail, the newest last, in the world. */
function pointsAlong({ times: at, points, length, fadeTime, fadesOut, worldFromPoints, origin }) {
    const age = fadesOut ? Math.min(length, K.trails.FADED * fadeTime) : length;
    const first = at.findIndex((time) => time >= at.at(-1) - age);
    const count = points.length - 1 - first;
    if (count < 1) return [];
    const kept = [...K.trails.EVENLY.map((part) => points[first + Math.trunc((count - 1) * part)]), points.at(-1)];
    return kept.map((point) => subtract(times(worldFromPoints, point), origin));
}

/** What a page draws of the program's `Frame`, in camelCase. `display`: { size, pixelScale }; `view`: what the user has
 * changed of the sections View, with `stereo` and `show`. */
export function buildFrame(scene, motion, time, display, view = {}) {
    const { figure } = scene, { size } = display, shown = { ...figure.view, ...view };
    const stereo = { ...figure.stereo, ...view.stereo }, show = { ...figure.show, ...view.show };
    const mode = K.modes[stereo.mode];
    const theme = figure.themes[shown.theme][mode.layout === "anaglyph" ? "anaglyph" : "mono"];
    const now = momentOf(figure, motion, time);
    const built = constructionOf(now, figure.solid, shown.vectorScale);
    const picture = shownSize(mode, size), aspect = picture[0] / picture[1];
    const { pixelScale, textSize } = scalesOf(picture, display);
    const subject = subjectOf(now, shown, show, built);
    const camera = framed(subject, shown, aspect);
    let canvas = new Canvas(camera, scaled(picture, 1 / pixelScale), 1, textSize);
    const plane = built.moving ? invariablePlane(now, built, subject.frameFromWorld) : null;
    const colors = ranksOf(now.moments).map((rank) => theme.axes[rank]);
    const drawing = { figure, colors, now, view: shown, show, theme, built, canvas, plane, subject };
    drawing.axis = axisPath(drawing, colors);
    drawing.lines = linesDrawn(drawing);
    drawing.trail = plane && show.herpolhode ? herpolhode(drawing) : null;
    drawing.paths = show.bodyPath && built.moving ? [bodyPath(drawing)] : [];
    if (drawing.axis) drawing.paths.push(axisTrail(drawing));
    drawing.path = centrePath(drawing);
    const extent = extentOf(drawing);
    const { NEAR_PLANE, LINE_MARGIN } = K.build;
    const middle = dot(camera.position, camera.backward), room = LINE_MARGIN * Math.max(extentReach(extent), 1e-3);
    const near = Math.max(NEAR_PLANE * camera.distance, middle - room);
    const eyes = placeEyes(stereo, camera, aspect, extent, near);
    drawing.canvas = canvas = new Canvas(camera, canvas.size, eyes.convergence, textSize);
    const views = eyeViews(camera, { ...stereo, ...eyes }, size, near, Math.max(middle + room, 2 * near));
    const layer = { pixelScale, views, camera, scene: described(drawing) };
    return { layers: [layer], size, anaglyph: mode.layout === "anaglyph" ? figure.anaglyph : null };
}

/** The factors by which lines and letters are enlarged in an eye's picture of this size. */
function scalesOf(picture, { pixelScale = 1, textSize = 1 }) {
    const { SMALL, SMALLEST } = K.build;
    const share = (sizes) => Math.min(...sizes.map((size, k) => picture[k] / pixelScale / size));
    const larger = Math.max(share(K.presentation.STANDARD), 1);
    return {
        pixelScale: pixelScale * larger * clamped(share(SMALL), SMALLEST, 1),
        textSize: Math.max(textSize / larger, Math.min(textSize, 1)),
    };
}

/** The figure that the camera looks at, as the program's `Subject`. */
function subjectOf(now, view, show, built) {
    const { sign, onBody, repeats } = K.frames[view.frame];
    const centre = view.follow ? ORIGIN : scaled(now.moved, -1);
    const polarAngleDeg = K.polarAngles[view.frame], key = `${sign} ${show.plane}`;
    if (built.profile?.key !== key) built.profile = { key, corners: cornersOf(now, built, sign, show.plane) };
    const profile = built.profile.corners;
    if (!sign) {
        const frameFromWorld = onBody ? transposed(now.worldFromBody) : identity(3);
        return { frameFromWorld, centre, profile, polarAngleDeg };
    }
    const start = norm(now.startMomentum) > 0 ? unit(now.startMomentum) : built.momentumAxis;
    let frameFromWorld = uprightFrame(scaled(built.momentumAxis, sign), scaled(start, sign));
    if (repeats && now.framePeriod) {
        const angle = 2 * Math.PI * ((now.time / now.framePeriod) % 1);
        const [first, second, up] = frameFromWorld;
        const turned = (x, y) => combined([first, second], [x, y]);
        frameFromWorld = [turned(Math.cos(angle), Math.sin(angle)), turned(-Math.sin(angle), Math.cos(angle)), up];
    }
    return { frameFromWorld, centre, profile, polarAngleDeg };
}

/** The outline of all that turns, and of the plane; in a frame with another upright axis than L it is a ball. */
function cornersOf(now, built, sign, plane) {
    const { sweep, axisEnds, arrow, moving, planeDistance } = built;
    if (!sign) return ballProfile(Math.max(...axisEnds, Math.sqrt(Math.max(...sweep.squares)), arrow));
    const rim = plane && moving ? [[K.poinsot.RIM * planeReach(now, built), sign * planeDistance]] : [];
    return [...sweep.profile(), ...sweep.swept(axisEnds), [0, sign * arrow], ...rim];
}

function planeReach(now, built) {
    return Math.max(2 * built.scale * now.curves.herpolhodeRadii[1], 1.05 * Math.max(...built.semiAxes));
}

function invariablePlane(now, built, frameFromWorld) {
    const normal = built.momentumAxis;
    const across = (axis) => subtract(axis, scaled(normal, dot(axis, normal)));
    let first = across(frameFromWorld[0]);
    if (norm(first) < 0.1) first = across(frameFromWorld[1]);
    first = unit(first);
    const [inner, outer] = scaled(now.curves.herpolhodeRadii, built.scale);
    const reach = planeReach(now, built);
    const ruled = built.scale * unitOf("rad/s", reach / built.scale).size;
    return {
        centre: scaled(normal, built.planeDistance), worldFromPlane: transposed([first, cross(normal, first), normal]),
        reach, spacing: ruled * roundBelow((0.25 * reach) / ruled),
        bounds: outer - inner > 1e-6 * reach ? [inner, outer] : [0, 0],
    };
}

const omegaTip = (now, built) => within(scaled(now.omegaWorld, built.scale), K.scale.FURTHEST * built.radius);

/** The arrows, the lines over everything else and the names of the things that are shown. */
function linesDrawn(drawing) {
    const { now, show, theme, built, canvas } = drawing, arrows = [], overlay = [], labels = [];
    const { ARROW_HEAD } = K.poinsot, momentumEnd = scaled(built.momentumAxis, built.arrow);
    if (show.angularMomentum && built.moving) {
        arrows.push(strokeOf(ORIGIN, momentumEnd, theme.angularMomentum, 1, 5, { head: ARROW_HEAD, name: "L" }));
        labels.push(labelOf("L", momentumEnd, theme.angularMomentum, K.labels.SYMBOL_SIZE, K.labels.L_OFFSET));
    }
    if (show.angularVelocity && !now.resting) {
        const more = { head: 0.85 * ARROW_HEAD, phase: K.description.DASH, name: "ω" };
        const arrow = strokeOf(ORIGIN, omegaTip(now, built), theme.angularVelocity, 1, 4.2, more);
        arrows.push(arrow);
        labels.push(omegaLabel(arrow, show.angularMomentum ? momentumEnd : ORIGIN, canvas));
    }
    if (show.projection && drawing.plane) {
        const [strokes, label] = omegaAlongMomentum(drawing);
        overlay.push(...strokes);
        labels.push(label);
    }
    if (show.loads) {
        const [found, names] = loadLines(drawing);
        arrows.push(...found);
        labels.push(...names);
    }
    if (drawing.axis) arrows.push(...drawing.axis.axis);
    return { arrows, overlay, labels };
}

/** The component of omega along L as a dimension line beside L, with the right angle at its foot. */
function omegaAlongMomentum({ now, theme, built, canvas, plane }) {
    const P = K.poinsot, { camera } = canvas, pixel = canvas.metresPerPixel(camera.distance);
    const tip = omegaTip(now, built), foot = plane.centre, along = unit(foot), across = subtract(tip, foot);
    let left = cross(camera.backward, along);
    left = norm(left) > 1e-6 ? unit(left) : scaled(camera.right, -1);
    if (dot(left, across) > 0) left = scaled(left, -1);
    const color = theme.angularVelocity;
    const [aside, tick] = [P.DIMENSION_ASIDE, P.DIMENSION_TICK].map((pixels) => scaled(left, pixels * pixel));
    const line = strokeOf(aside, add(foot, aside), color, 1, P.DIMENSION_WIDTH, { name: "ωʟ" });
    const ends = [ORIGIN, foot].map((end) => add(end, aside));
    const strokes = [line, ...ends.map((end) => strokeOf(subtract(end, tick), add(end, tick), color, 1, 1.6))];
    const casing = (s) => ({ ...s, color: theme.halo, width: s.width + 2 * P.DIMENSION_CASING, name: "" });
    const found = [...strokes.map(casing), ...strokes];
    const side = P.RIGHT_ANGLE * pixel;
    if (norm(across) > 2 * side) {
        const [out, down] = [scaled(unit(across), side), scaled(along, -side)];
        const corner = add(foot, add(out, down));
        found.push(strokeOf(foot, tip, theme.text, 0.7, 1.2));
        found.push(strokeOf(add(foot, out), corner, theme.text, 0.7, 1.2));
        found.push(strokeOf(add(foot, down), corner, theme.text, 0.7, 1.2));
    }
    const offset = [dot(left, camera.right) > 0 ? 20 : -20, 0];
    return [found, labelOf("ωʟ", add(scaled(foot, 0.5), aside), color, K.labels.SYMBOL_SIZE, offset)];
}

function herpolhode({ now, view, theme, built }) {
    const newest = within(now.omegaWorld, (K.scale.FURTHEST * built.radius) / built.scale);
    const worldFromPoints = identity(3).map((row) => scaled(row, built.scale));
    const more = { worldFromPoints, color: theme.herpolhode, fadesOut: !now.free, name: "herpolhode" };
    return trailOf(now, view, "omegaWorld", newest, now.turnTime, K.poinsot.TRAIL_FADE, more);
}

function bodyPath({ now, view, show, theme, built }) {
    const newest = within(now.omegaBody, (K.scale.FURTHEST * built.radius) / built.scale);
    const worldFromPoints = now.worldFromBody.map((row) => scaled(row, built.scale));
    const carrier = show.ellipsoid ? built.semiAxes : ORIGIN;
    const turn = (2 * Math.PI * now.targetMomentum) / now.targetEnergy;
    const more = { worldFromPoints, color: theme.angularVelocity, carrier, name: "path" };
    return trailOf(now, view, "omegaBody", newest, turn, K.poinsot.PATH_FADE, more);
}

/** The path of the axis of a body about a pivot, on a sphere. */
function axisTrail({ figure: { loads }, now, view, axis: { factor, color, length, fade } }) {
    const worldFromPoints = identity(3).map((row) => scaled(row, factor));
    const [carrier, origin] = [[length, length, length], scaled(now.position, factor)];
    const more = { worldFromPoints, color, carrier, origin, name: "axis" };
    return trailOf(now, view, "centre", centreOf(loads, now), now.turnTime, fade, more);
}

/** The path of the centre of mass, where the camera does not follow the body; null if it rests. */
function centrePath({ now, view, show, theme }) {
    if (view.follow || !show.centrePath || Math.max(...now.moved.map(Math.abs)) < K.loads.STILL) return null;
    const more = { worldFromPoints: identity(3), color: theme.text, origin: now.position, name: "centre" };
    return trailOf(now, view, "position", now.position, now.turnTime, K.loads.PATH_FADE * view.trailPeriods, more);
}

/** All that is or may become visible, as the program's `Extent`. */
function extentOf(drawing) {
    const { now, view, show, built, plane, subject, lines, trail, paths, path } = drawing;
    const reach = loadReach(drawing);
    const axes = transposed(now.worldFromBody), parts = reach > 0 ? [[ballOval(reach)]] : [];
    const bothEnds = (axis, k) => [-1, 1].map((sign) => scaled(axis, sign * built.axisEnds[k]));
    const found = show.bodyAxes ? axes.map(bothEnds) : [];
    for (const line of [trail, ...paths, path]) {
        const points = line ? pointsAlong(line) : [];
        points.slice(1).forEach((point, i) => found.push([points[i], point]));
    }
    if (!plane) return { parts: [[ballOval(Math.max(...built.axisEnds))], ...parts], lines: found, thin: [] };
    found.push(...[...lines.arrows, ...lines.overlay].map(({ start, end }) => [start, end]));
    if (show.spaceAxes && norm(subject.centre) > 0) found.push(...originAxes(subject.centre, built));
    const filled = axes.map((axis, k) => scaled(axis, Math.sqrt(built.sweep.squares[k])));
    parts.push([{ centre: ORIGIN, axes: filled }]);
    const ground = show.plane ? plane.reach : K.scale.ROOM * built.scale * now.curves.herpolhodeRadii[1];
    if (K.frames[view.frame].onBody) {
        parts.push([ballOval(Math.max(Math.hypot(ground, built.planeDistance), built.arrow))]);
        return { parts, lines: found, thin: [] };
    }
    const [first, second] = transposed(plane.worldFromPlane);
    parts.push([{ centre: plane.centre, axes: [scaled(first, ground), scaled(second, ground)] }]);
    const [solids, ends] = turning(now, built, transposed(plane.worldFromPlane));
    return { parts: [...parts, solids], lines: found, thin: show.bodyAxes ? [ends] : [] };
}

const originAxes = (centre, built) =>
    identity(3).map((axis) => [centre, add(centre, scaled(axis, K.poinsot.ORIGIN_AXES * built.radius))]);

/** Figures that each enclose ellipsoid and body as they turn about L, and others that enclose the axes. */
function turning(now, built, planeAxes) {
    const { sweep } = built, bounds = sweep.bounds(), ends = built.axisEnds.map((end) => end ** 2);
    const along = times(transposed(now.worldFromBody), built.momentumAxis).map((value) => value ** 2);
    if (Math.abs(dot(along, sweep.squares) / dot(sweep.along[0], sweep.squares) - 1) > K.extent.ASTRAY) {
        return [sweep.squares, ends].map((each) => [ballOval(K.scale.ROOM * Math.sqrt(Math.max(...each)))]);
    }
    const spheroid = (radius, slenderness) =>
        ({ centre: ORIGIN, axes: planeAxes.map((axis, k) => scaled(axis, k === 2 ? radius * slenderness : radius)) });
    const pairs = K.extent.TOUCHING.map((i) => {
        const radius = sweep.radii[i], slenderness = sweep.heights[i] / radius;
        const squares = bounds.flatMap((row) => row.map((share, k) => {
            const upright = ends[k] * share;
            return ends[k] - upright + slenderness ** -2 * upright;
        }));
        return [K.scale.ROOM * radius, Math.sqrt(Math.max(...squares))].map((wide) => spheroid(wide, slenderness));
    });
    return transposed(pairs);
}

/** The rank of each moment of inertia, from 0; equal ones rank in the order of the axes. */
function ranksOf(moments) {
    const before = (k) => moments.filter((moment, i) => moment < moments[k] || (moment === moments[k] && i < k));
    return moments.map((_, k) => before(k).length);
}

/** The contents of the picture, as the program's `SceneDescription`. */
function described(drawing) {
    const { figure, colors, now, view, show, theme, built, canvas, plane, subject } = drawing;
    const { lines, trail, paths, path, axis } = drawing;
    const { camera } = canvas, tip = omegaTip(now, built);
    const solid = show.body ? { ...figure.solid, axisColors: colors } : null;
    const [arrows, frontArrows] = toldApart(lines.arrows, canvas);
    const strokes = [];
    let labels = [...lines.labels], stubs = [];
    if (show.bodyAxes) {
        const nameOf = (rank, k) => (view.axisNames === "letters" ? `${"xyz"[k]}′` : `e${"₁₂₃"[rank]}`);
        const names = ranksOf(now.moments).map(nameOf);
        const vectors = lines.arrows.filter(({ name }) => name === "L" || name === "ω");
        const ends = built.axisEnds.map((end) => [end - built.stubLength, end]);
        const fromPivot = figure.loads.held && !show.ellipsoid;
        const toSphere = (reach) => [0, reach];
        const placed = fromPivot ? figure.loads.sphere.semiAxes.map(toSphere) : ends;
        const [found, named] = bodyAxes(placed, now.worldFromBody, colors, names, canvas, solid, vectors);
        const positive = () => found.filter((_, i) => i % 2 === 0);
        stubs = fromPivot ? positive().map((stub) => ({ ...stub, width: K.axis_path.AXIS_WIDTH })) : found;
        const onBody = ({ color }) => mixed(color, theme.text, K.poinsot.NAMED_ON_BODY);
        labels.push(...named.map((name) => ({ ...name, onBody: onBody(name) })));
    }
    const corner = show.spaceAxes ? [triadBox(canvas)] : [];
    if (plane && show.plane) {
        const outer = built.scale * now.curves.herpolhodeRadii[1] + Math.max(...K.ticks.HALF_LENGTHS) * built.radius;
        labels.push(...rulingLabels(plane, outer, built, canvas, theme, corner));
    }
    if (show.spaceAxes && norm(subject.centre) > 0) {
        strokes.push(...originAxes(subject.centre, built).map(([start, end], k) =>
            strokeOf(start, end, theme.text, 0.6, 1.5, { name: "xyz"[k] })));
    }
    const [triad, triadLabels] = show.spaceAxes ? spaceAxes(canvas, theme) : [[], []];
    const curves = show.polhode && built.moving ? [polhodeCurve(drawing)] : [];
    curves.push(...(axis?.bounds ?? []));
    if (show.labels) {
        const drawn = arrows.filter((arrow) => arrow.head || !arrow.name);
        const P = K.label_places;
        const rings = curves.map(({ points, inSpace }) => {
            const some = points.filter((_, i) => i % P.EVERY === 0);
            const kept = inSpace ? some : some.map((point) => times(now.worldFromBody, point));
            return [...kept, kept[0]];
        });
        const priced = [[drawn, P.SHAFT_PRICE], [stubs, P.STUB_PRICE], [strokes, P.THIN_PRICE]];
        const onScreen = linesOn(canvas, priced, trail ? [...rings, pointsAlong(trail)] : rings);
        labels = arrange(labels, canvas, solid, now.worldFromBody, drawn, tip, onScreen, corner);
    }
    const [polhodeTicks, trailTicks] = show.rollingTicks ? rollingTicks(drawing) : [null, null];
    const toEye = plane ? subtract(camera.position, plane.centre) : camera.position;
    const shell = { semiAxes: built.semiAxes, holdsBody: built.holdsBody, opacity: 1, inSpace: false };
    return {
        theme, worldFromBody: now.worldFromBody, cameraForward: scaled(camera.backward, -1),
        keyLight: combined([camera.right, camera.up, camera.backward], unit(K.poinsot.KEY_LIGHT)),
        solid,
        shell: show.ellipsoid && built.moving ? shell : null, sphere: axis?.sphere ?? null,
        plane: show.plane ? plane : null, curves, trail, paths, polhodeTicks, trailTicks, centrePath: path,
        contact: built.moving && show.angularVelocity ? tip : null,
        pivot: figure.loads.held && show.loads ? ORIGIN : null,
        arrows, frontArrows, strokes: [...stubs, ...strokes], overlayStrokes: [...triad, ...lines.overlay],
        labels: show.labels ? [...labels, ...triadLabels] : [], planeInFront: dot(toEye, built.momentumAxis) > 0,
    };
}

function polhodeCurve({ show, theme, built }) {
    const [alpha, width] = show.bodyPath ? K.poinsot.IDEAL : [1, 1];
    const carrier = show.ellipsoid ? built.semiAxes : ORIGIN;
    const drawn = { color: theme.polhode, width: width * theme.polhodeWidth, alpha };
    return { name: "polhode", points: built.polhode, ...drawn, carrier, inSpace: false };
}

/** The arrows, and omega to be drawn once more in front where it and L look like one line. */
function toldApart(arrows, canvas) {
    const [momentum, omega] = ["L", "ω"].map((name) => arrows.find((arrow) => arrow.name === name));
    if (!momentum || !omega) return [arrows, []];
    const apart = smoothStep(distanceInSight(omega, momentum, canvas), K.poinsot.ONE_LINE);
    const front = apart < 1 ? [{ ...omega, alpha: Math.min(2 - 2 * apart, 1) }] : [];
    return [arrows.map((arrow) => (arrow === momentum ? { ...arrow, dashes: Math.min(2 * apart, 1) } : arrow)), front];
}

/** How far omega is from L on the screen [px] at its outermost point in the picture, up to L's length. */
function distanceInSight(omega, momentum, canvas) {
    const [start, tip, end] = [omega.start, omega.end, momentum.end].map((point) => canvas.project(point));
    const along = subtract(tip, start), line = subtract(end, start);
    let enters = 0, leaves = 1;
    along.forEach((way, k) => {
        const cuts = [-0.5, 0.5].map((side) => (side * canvas.size[k] - start[k]) / way).sort((a, b) => a - b);
        if (Number.isNaN(cuts[0]) || Number.isNaN(cuts[1])) return;
        enters = Math.max(enters, cuts[0]);
        leaves = Math.min(leaves, cuts[1]);
    });
    if (enters > leaves) return Infinity;
    const past = scaled(along, Math.min(leaves, norm(line) / Math.max(norm(along), K.label_places.ALMOST)));
    return awayFrom(past, line);
}

/** The ticks of the polhode, and those that the last turn about L has left on the plane; each may be null. */
function rollingTicks({ now, show, theme, built, canvas, trail }) {
    const T = K.ticks;
    const branch = built.moving && now.free ? now.curves.branch : null;
    if (!branch) return [null, null];
    const wanted = T.LONGER * Math.round((branch.length * built.scale) / (T.SPACING * built.radius) / T.LONGER);
    const count = Math.min(wanted, T.COUNTS[1]);
    const around = 2 * Math.PI * now.curves.herpolhodeRadii[1];
    if (wanted < T.COUNTS[0] || around * count < T.FEWEST_AROUND * branch.length) return [null, null];
    const marks = marksOf(now.curves, count);
    const apart = (built.scale * marks.spacing) / canvas.metresPerPixel(canvas.camera.distance);
    const opacity = T.TICK_ALPHA * clamped((apart - T.READABLE[0]) / (T.READABLE[1] - T.READABLE[0]), 0, 1);
    if (opacity === 0) return [null, null];
    return [show.polhode ? polhodeMarks() : null, trail && !trail.fadesOut ? trailMarks() : null];

    function ticksOf(found, color) {
        const longer = found.map(({ number }) => Number(number % T.LONGER === 0));
        const half = found.map(({ side }, i) => scaled(side, built.radius * T.HALF_LENGTHS[longer[i]]));
        return {
            starts: found.map(({ point }, i) => subtract(point, half[i])),
            ends: found.map(({ point }, i) => add(point, half[i])), color,
            alphas: found.map(({ alpha }) => opacity * clamped(alpha, 0, 1)), widths: longer.map((k) => T.WIDTHS[k]),
        };
    }

    function polhodeMarks() {
        return ticksOf(marks.marks.map((mark, number) => {
            const point = scaled(times(now.worldFromBody, mark.point), built.scale);
            const toEye = subtract(canvas.camera.position, point);
            const facing = dot(times(now.worldFromBody, mark.normal), toEye) / norm(toEye);
            return { point, side: times(now.worldFromBody, mark.side), number, alpha: facing / T.FACING };
        }), theme.polhode);
    }

    function trailMarks() {
        const shown = Math.min(around / marks.spacing, count), steps = [];
        const passedAt = (row) => {
            if (row.marks !== marks) Object.assign(row, { marks, passed: marks.passed(row.omegaBody) });
            return row.passed;
        };
        let first = trail.rows.length - 1, sum = 0, furthest = 0;
        for (; first > 0 && steps.length < T.ROWS && Math.abs(sum) <= shown + 1; first--) {
            const step = passedAt(trail.rows[first]) - passedAt(trail.rows[first - 1]);
            sum += steps[steps.push(step - count * Math.round(step / count)) - 1];
        }
        if (!steps.length) return null;
        const rows = trail.rows.slice(first), sign = sum >= 0 ? 1 : -1, passed = [sign * passedAt(rows[0])];
        sum = 0;
        for (const step of steps.reverse()) {
            furthest = Math.max(furthest, (sum += sign * step));
            passed.push(passed[0] + furthest);
        }
        const last = passed.at(-1);
        const found = [], up = built.momentumAxis, indices = evenly(0, rows.length - 1, rows.length);
        for (let n = Math.ceil(Math.max(passed[0], last - shown)); n <= Math.floor(last); n++) {
            const at = interpolated(n, passed, indices), before = Math.min(Math.trunc(at), rows.length - 2);
            const omega = mixed(rows[before].omegaWorld, rows[before + 1].omegaWorld, at - before);
            const away = unit(subtract(omega, scaled(up, dot(omega, up))));
            const number = (((sign * n) % count) + count) % count;
            const { radial, around: sideways } = marks.marks[number];
            const side = combined([away, cross(up, away)], [radial, sideways]);
            found.push({ point: scaled(omega, built.scale), side, number, alpha: (1 - (last - n) / shown) / T.FADE });
        }
        return found.length ? ticksOf(found, theme.herpolhode) : null;
    }
}
