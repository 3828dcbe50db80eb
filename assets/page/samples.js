// A motion that loads or an integrator drive, as samples of the program's own steps.
import { add, norm, unit } from "./linear.js";
import { stateOf } from "./state.js";

const NODES = 6; // samples through which a polynomial goes

/** The motion from a page's samples: the interface of freeMotion, from time 0 to `until`, with its `error`. */
export function sampledMotion(data) {
    const steps = new Uint32Array(bytesOf(data.steps)), rows = new Float32Array(bytesOf(data.rows));
    const width = rows.length / steps.length, starts = data.pieces.map(([time]) => time);
    const ends = [...data.pieces.slice(1).map(([, first]) => first), steps.length];
    const rates = Array.from(steps, (_, i) => norm(rows.subarray(i * width + 4, i * width + 7)));

    /** The row of numbers at a time, by Lagrange's polynomial through the nearest samples of its piece. */
    function rowAt(time) {
        const piece = Math.max(starts.findLastIndex((start) => start <= time), 0);
        const [first, end, at] = [data.pieces[piece][1], ends[piece], time / data.step];
        let low = first, high = end;
        while (high - low > 1) {
            const middle = (low + high) >> 1;
            [low, high] = steps[middle] <= at ? [middle, high] : [low, middle];
        }
        const begin = Math.max(first, Math.min(low + 1 - NODES / 2, end - NODES));
        const row = new Array(width).fill(0);
        for (let i = begin; i < Math.min(begin + NODES, end); i++) {
            let weight = 1;
            for (let j = begin; j < Math.min(begin + NODES, end); j++) {
                if (j !== i) weight *= (at - steps[j]) / (steps[i] - steps[j]);
            }
            for (let k = 0; k < width; k++) row[k] += weight * rows[i * width + k];
        }
        return row;
    }

    return {
        kind: "samples", moments: data.moments, period: null, flipPeriod: null, precessionPeriod: null,
        largestRate: rates.reduce((a, b) => Math.max(a, b)), until: data.until, error: data.error,
        nextFlip: () => null,
        previousFlip: () => null,
        at(time) {
            const within = Math.min(Math.max(time, 0), data.until), row = rowAt(within);
            const moved = width > 7 ? row.slice(7) : [0, 0, 0];
            return stateOf(within, data.moments, unit(row.slice(0, 4)), row.slice(4, 7), add(data.position, moved));
        },
    };
}

/** The bytes that a text in base64 stands for, as an ArrayBuffer. */
export function bytesOf(base64) {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer;
}
