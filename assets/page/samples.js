// A motion that loads or an integrator drive, as samples of the program's own steps.
import { add, clamped, norm, placeAmong, unit } from "./linear.js";
import { bytesOf } from "./packed.js";
import { stateOf } from "./state.js";

const NODES = 6; // samples through which a polynomial goes

/** The motion from a page's samples: the interface of freeMotion, from time 0 to `until`, with its `error`. */
export function sampledMotion(data) {
    const steps = new Uint32Array(bytesOf(data.steps).buffer), starts = data.pieces.map(([time]) => time);
    const ends = [...data.pieces.slice(1).map(([, first]) => first), steps.length];
    const quantities = Object.entries(data.rows).map(([name, text]) => [name, new Float32Array(bytesOf(text).buffer)]);

    /** The quantities at a time, by Lagrange's polynomial through the nearest samples of its piece. */
    function valuesAt(time) {
        const piece = Math.max(starts.findLastIndex((start) => start <= time), 0);
        const [first, end, at] = [data.pieces[piece][1], ends[piece], time / data.step];
        const begin = Math.max(first, Math.min(placeAmong(steps, at, first, end) + 1 - NODES / 2, end - NODES));
        const near = Array.from({ length: Math.min(NODES, end - begin) }, (_, i) => begin + i);
        const weights = near.map((i) => near.reduce(
            (weight, j) => (j === i ? weight : (weight * (at - steps[j])) / (steps[i] - steps[j])), 1,
        ));
        return Object.fromEntries(quantities.map(([name, rows]) => {
            const width = rows.length / steps.length, value = new Array(width).fill(0);
            near.forEach((i, n) => value.forEach((_, k) => (value[k] += weights[n] * rows[i * width + k])));
            return [name, value];
        }));
    }

    const rates = Object.fromEntries(quantities).omegaBody;
    const largestRate = steps.reduce((most, _, i) => Math.max(most, norm(rates.subarray(3 * i, 3 * i + 3))), 0);
    return {
        kind: "samples", moments: data.moments, period: null, flipPeriod: null, precessionPeriod: null,
        largestRate, until: data.until, error: data.error,
        nextFlip: (time) => data.flips.find((flip) => flip > time) ?? null,
        previousFlip: (time) => data.flips.findLast((flip) => flip < time) ?? null,
        at(time) {
            const within = clamped(time, 0, data.until), found = valuesAt(within);
            const position = add(data.position, found.position ?? [0, 0, 0]), orientation = unit(found.orientation);
            return stateOf(within, data.moments, orientation, found.omegaBody, position, found.momentumBody);
        },
    };
}
