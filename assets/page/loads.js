// The loads on the body with their arrows, the pivot, and the path of a top's axis: as scene/constructions has them.

import { add, cross, norm, scaled, subtract, times, unit } from "./linear.js";
import { K, ORIGIN, most, within } from "./camera.js";
import { solidRadius } from "./construction.js";
import { labelOf, strokeOf } from "./labels.js";

/** The place [m] of the centre of mass at a moment of a motion whose body may turn about a pivot. */
export function centreOf({ centreOfMass }, { worldFromBody, position }) {
    return add(position, times(worldFromBody, centreOfMass));
}

/** The forces { name, point, force } that act at a moment, points [m] from the body's origin, in the world. */
function actingForces({ time, worldFromBody }, loads) {
    const found = [], turned = (vector) => times(worldFromBody, vector), { frame, arm, force: steady } = loads;
    if (loads.weight) found.push({ name: "W", point: turned(loads.centreOfMass), force: [0, 0, -loads.weight] });
    const force = frame === "body" ? turned(steady) : steady;
    if (norm(force) > 0) found.push({ name: "F", point: turned(arm), force });
    loads.thrusters.forEach((thruster, number) => {
        const on = thruster.times.filter((edge) => time >= edge).length % 2 === 1;
        const [name, burning] = [`F${"₁₂₃"[number] ?? ""}`, turned(thruster.force)];
        if (on && norm(burning) > 0) found.push({ name, point: turned(thruster.point), force: burning });
    });
    return found;
}

/** The torque of all loads except friction, and that of the external friction, N m in the world. */
function torquesOf(now, loads) {
    const inWorld = (frame, torque) => (frame === "body" ? times(now.worldFromBody, torque) : torque);
    let torque = inWorld(loads.torqueFrame, loads.torque);
    for (const { point, force } of actingForces(now, loads)) torque = add(torque, cross(point, force));
    for (const piece of loads.torqueOfTime) {
        torque = add(torque, scaled(inWorld(piece.frame, piece.amplitude), shareAt(piece, now.time)));
    }
    return [torque, scaled(now.omegaWorld, -loads.externalFriction)];
}

/** The number by which the amplitude of a torque's piece is multiplied at a time. */
function shareAt({ kind, start, end, frequency, period, width }, time) {
    const late = time - start;
    if (late < 0 || time >= (end ?? Infinity)) return 0;
    if (kind === "ramp") return late / (end - start);
    if (kind === "sine") return Math.sin(2 * Math.PI * frequency * late);
    return Number(kind !== "pulse-train" || late % period < width);
}

/** An arrow [m] of a load, `length` long at 1 N or 1 N m, at most `longest`. */
function loadArrow(load, length, longest) {
    const size = norm(load);
    return within(size > 0 ? scaled(load, length * size ** (K.scale.LOAD_GROWTH - 1)) : ORIGIN, longest);
}

/** The arrows of the loads at a moment, and how far they reach however the body turns, m. */
function arrowsOf(figure, now, vectorScale) {
    const { FORCE_REACH, TORQUE_REACH, LOAD_GROWTH } = K.scale;
    const { loads, mass } = figure, radius = solidRadius(figure.solid);
    const longest = vectorScale * TORQUE_REACH * radius, furthest = K.loads.FURTHEST * radius;
    const perForce = vectorScale * FORCE_REACH * radius * (mass * radius) ** -LOAD_GROWTH;
    const perTorque = longest * (mass * radius * radius) ** -LOAD_GROWTH;
    const forces = actingForces(now, loads).map(({ name, point, force }) => {
        const arrow = within(loadArrow(force, perForce, furthest), name === "W" ? longest : Infinity);
        return { name, point, end: add(point, arrow), arm: norm(point), length: norm(arrow), size: norm(force) };
    });
    const [torque, friction] = torquesOf(now, loads);
    const torqueArrow = (load) => loadArrow(load, perTorque, longest);
    const strongest = forces.reduce((sum, { arm, size }) => sum + arm * size, norm(loads.torque));
    const load = Math.max(strongest, norm(torque));
    const reach = Math.max(norm(torqueArrow([load, 0, 0])), norm(torqueArrow(friction)));
    return {
        forces, torque: torqueArrow(torque), friction: torqueArrow(friction),
        reach: most(forces, ({ arm, length }) => arm + length, reach),
    };
}

/** How far the arrows of all loads reach however the body turns, m. */
export function loadReach({ figure, now, view, show }) {
    return show.loads ? arrowsOf(figure, now, view.vectorScale).reach : 0;
}

/** The arrows and lines of loads and pivot, and their names. */
export function loadLines({ figure, now, view, theme, canvas }) {
    const L = K.loads, arrows = [], { forces, torque, friction } = arrowsOf(figure, now, view.vectorScale);
    for (const { name, point, end } of forces) {
        const arm = { name: name === "W" ? "" : name.replace("F", "r′") };
        if (norm(point) > 0) arrows.push(strokeOf(ORIGIN, point, theme.force, 0.85, L.ARM_WIDTH, arm));
        arrows.push(strokeOf(point, end, theme.force, 1, L.FORCE_WIDTH, { head: L.FORCE_HEAD, name }));
    }
    const named = [...arrows];
    arrows.push(...figure.loads.pivot.map((line) => ({ ...line, color: theme.text })));
    if (norm(torque) > 0) {
        const more = { head: L.TORQUE_HEAD, phase: K.description.DASH, name: "M" };
        const arrow = strokeOf(ORIGIN, torque, theme.torque, 1, L.TORQUE_WIDTH, more);
        const length = norm(subtract(canvas.project(torque), canvas.project(ORIGIN)));
        if (length >= 3 * L.TORQUE_HEAD) {
            const at = (part) => scaled(torque, 1 - (part * L.TORQUE_HEAD) / length);
            const [start, end] = [at(L.SECOND_HEAD + L.SECOND_SHAFT), at(L.SECOND_HEAD)];
            arrows.push({ ...arrow, start, end, phase: 0, name: "" });
        }
        named.push(arrow);
        arrows.push(arrow);
    }
    if (norm(friction) > 0) {
        const arrow = strokeOf(ORIGIN, friction, theme.torque, 1, L.THIN, { head: L.THIN_HEAD, name: "Mꜰ" });
        named.push(arrow);
        arrows.push(arrow);
    }
    return [arrows, named.filter(({ name }) => name).map((arrow) => loadLabel(arrow, canvas))];
}

/** The name of a load's arrow, to the right of it on the screen: an arm's beside its middle, others at the tips. */
function loadLabel(arrow, canvas) {
    const L = K.loads, way = subtract(canvas.project(arrow.end), canvas.project(arrow.start));
    const ahead = norm(way) > 1 ? unit(way) : [0, 1], side = ahead[1] >= 0 ? 1 : -1;
    const across = [side * ahead[1], -side * ahead[0]];
    const size = K.labels.SYMBOL_SIZE * (arrow.head > L.THIN_HEAD ? 1 : L.SMALL_NAME);
    const offset = arrow.head ? add(scaled(ahead, 0.6), scaled(across, 0.8)) : across;
    const beside = () => add(arrow.start, scaled(subtract(arrow.end, arrow.start), L.ARM_NAME));
    return labelOf(arrow.name, arrow.head ? arrow.end : beside(), arrow.color, size, scaled(offset, L.NAME_OFFSET));
}

/** What belongs to the path of the axis of a body about a pivot; null where it is not shown. */
export function axisPath({ figure: { loads }, now, show, theme }, colors) {
    if (!show.axisPath || !loads.held) return null;
    const { FADE, AXIS_WIDTH } = K.axis_path, { sphere } = loads, length = norm(loads.centreOfMass);
    const [radius] = sphere.semiAxes, color = loads.topAxis === null ? theme.text : colors[loads.topAxis];
    const end = scaled(times(now.worldFromBody, loads.centreOfMass), radius / length);
    const along = loads.topAxis !== null && show.bodyAxes && !show.ellipsoid;
    return {
        color, length, fade: FADE, factor: radius / length, sphere,
        axis: along ? [] : [strokeOf(ORIGIN, end, color, 0.9, AXIS_WIDTH, { name: "axis" })],
        bounds: loads.bounds.map((curve) => ({ ...curve, color: theme.text })),
    };
}
