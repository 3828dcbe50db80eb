// A body's moments and orientation from a scene's fields, and what a figure needs of a moment of its motion.
import { dot, identity, quaternionAbout, quaternionProduct, rotationOf, times } from "./linear.js";

/** What a figure needs at a time [s], from orientation (body to world), rates [rad/s], place [m] and L in the body. */
export function stateOf(time, moments, orientation, omegaBody, position, momentumBody = null) {
    const worldFromBody = rotationOf(orientation);
    const momentum = momentumBody ?? omegaBody.map((rate, i) => moments[i] * rate);
    return {
        time, orientation, worldFromBody, omegaBody, omegaWorld: times(worldFromBody, omegaBody),
        angularMomentumWorld: times(worldFromBody, momentum), energy: dot(momentum, omegaBody) / 2, position,
    };
}

/** The orientation of a scene's start: turns in degrees about the space axes X, then Y, then Z. */
export function orientationOf(degrees) {
    const [x, y, z] = degrees.map((angle, i) => quaternionAbout(identity(3)[i], (angle * Math.PI) / 180));
    return quaternionProduct(z, quaternionProduct(y, x));
}

/** The principal moments [kg m2] of a homogeneous solid, from its fields in a scene's section [body]. */
export function momentsOf({ shape, mass: m, width: w, depth: d, height: h, radius: r, thickness }) {
    const sides = [d * d + h * h, w * w + h * h, w * w + d * d], across = 3 * r * r + h * h;
    switch (shape) {
        case "box": return sides.map((square) => (m / 12) * square);
        case "ellipsoid": return sides.map((square) => (m / 20) * square);
        case "cylinder": return [across, across, 6 * r * r].map((square) => (m / 12) * square);
        case "sphere": return [0.4, 0.4, 0.4].map((factor) => factor * m * r * r);
        case "t-handle": return handleMoments(m, w, h, thickness / 2);
    }
    throw new Error(`body.shape: ${shape} has no moments of its own here`);
}

/** The moments of two round bars of radius r: the crossbar along x, the stem along z; what they share counts once. */
function handleMoments(mass, bar, height, r) {
    const stem = height - r, area = Math.PI * r * r, across = (area * r * r) / 4;
    const volume = area * (bar + stem) - (8 / 3) * r ** 3, z = (3 / 8) * Math.PI * r ** 4 - (area * stem * stem) / 2;
    const xx = (area * bar ** 3) / 12 + across * stem - (32 / 45) * r ** 5;
    const yy = across * (bar + stem) - (8 / 15) * r ** 5;
    const zz = across * bar + (area * stem ** 3) / 3 - (32 / 45) * r ** 5 - (z * z) / volume;
    return [yy + zz, xx + zz, xx + yy].map((integral) => (mass * integral) / volume);
}
