// The free motion in closed form, for any time: the same formulas as the program's (viewer/physics/exact).
import { carlsonRF, carlsonRJ, completeIntegrals, jacobi } from "./elliptic.js";
import { PI_PAIR, exactProduct, pairProduct, pairQuotient, pairRoot, pairSum } from "./elliptic.js";
import { add, conjugate, norm, quaternionProduct, scaled, unit } from "./linear.js";
import { sampledMotion } from "./samples.js";
import { stateOf } from "./state.js";

const SEPARATRIX = 1e-120; // 1 - m below which the period is longer than any time that matters
const NOTHING = 1e-150; // of the largest component of omega: a smaller one counts as 0

/**
 * The motion of a page's data: { kind: "free" or "samples", moments, period, flipPeriod, precessionPeriod, nextFlip(t),
 * previousFlip(t), largestRate, until, at(t) }. Periods and flips are null where there are none or they are not known;
 * `until` is the last time [s] of samples, which begin at 0, else null; `largestRate` is the largest |omega| [rad/s].
 */
export function motionOf(data) {
    return data.kind === "free" ? freeMotion(data) : sampledMotion(data);
}

/**
 * The torque-free motion from t = 0: principal moments [kg m2], orientation (body to world) and angular velocity
 * along the body axes [rad/s]; position [m] and velocity [m/s] of the centre of mass are 0 unless given. `period` is
 * that of omega in the body, of a steady spin the time of a turn; `flipPeriod` the time between two reversals about
 * the middle axis; `precessionPeriod` the mean time in which the axis that L circles goes round L.
 */
export function freeMotion({ moments, orientation, omegaBody, position = [0, 0, 0], velocity = [0, 0, 0] }) {
    // In scaled units moments and rates are of order one; powers of two change no digit.
    const fastest = Math.max(...omegaBody.map(Math.abs)), rate = fastest > 0 ? powerOfTwo(fastest) : 1;
    const weight = powerOfTwo(Math.min(...moments));
    const rates = omegaBody.map((value) => (Math.abs(value) > NOTHING * fastest ? value / rate : 0));
    const inertia = moments.map((value) => value / weight);
    const steady = [[0, 1], [1, 2], [2, 0]].every(([i, j]) => !rates[i] || !rates[j] || inertia[i] === inertia[j]);
    const turning = steady ? steadySpin(rates) : tumbling(inertia, rates);
    const start = stateOf(0, moments, unit(orientation), omegaBody, position);
    const seconds = (scaledTime) => (scaledTime === null ? null : scaledTime / rate);

    /** The time of the first reversal about the middle axis after a time (sense 1) or before it (-1), or null. */
    function flip(time, sense) {
        if (turning.flipPeriod === null) return null;
        const near = 4 * Number.EPSILON * Math.abs(time) * rate; // a reversal now does not count
        let away = turning.toFlip(time * rate);
        while (sense * away <= near) away += sense * turning.flipPeriod;
        while (sense * away > near + turning.flipPeriod) away -= sense * turning.flipPeriod;
        return time + away / rate;
    }

    return {
        kind: "free", moments, period: seconds(turning.period), flipPeriod: seconds(turning.flipPeriod),
        precessionPeriod: seconds(turning.precessionPeriod), until: null,
        largestRate: largestRate(moments, start.energy, norm(start.angularMomentumWorld)),
        nextFlip: (time) => flip(time, 1),
        previousFlip: (time) => flip(time, -1),

        /** The state at any time, forwards and back. */
        at(time) {
            const { turn, omega } = turning.at(time * rate);
            const turned = unit(quaternionProduct(start.orientation, turn));
            const now = stateOf(time, moments, turned, scaled(omega, rate), add(position, scaled(velocity, time)));
            return { ...now, angularMomentumWorld: start.angularMomentumWorld, energy: start.energy };
        },
    };
}

/** The largest |omega| of an energy and an |L|, where L has no component along the middle axis. */
function largestRate(moments, energy, momentum) {
    if (energy === 0) return 0;
    const low = 1 / Math.max(...moments), high = 1 / Math.min(...moments), root = Math.sqrt(2 * energy);
    return root * Math.sqrt(high) * Math.sqrt(Math.max(1 + low / high - low * (momentum / root) ** 2, 0));
}

function powerOfTwo(value) {
    return 2 ** (Math.floor(Math.log2(value)) + 1);
}

/** rate t + start, two pairs, as a whole number and the pair that remains, between -1/2 and 1/2. */
function cycles(t, rate, start = [0, 0]) {
    const [product, rest] = exactProduct(t, rate[0]), whole = Math.round(product);
    const part = pairSum(pairSum([product - whole, 0], [rest + t * rate[1], 0]), start), more = Math.round(part[0]);
    return [whole + more, pairSum(part, [-more, 0])];
}

/** The size of a vector of doubles, as a pair. */
function pairNorm(vectorOfPairs) {
    return pairRoot(vectorOfPairs.map((value) => pairProduct(value, value)).reduce(pairSum));
}

/** A spin about a fixed axis, or rest, in scaled units. */
function steadySpin(rates) {
    const speed = norm(rates), axis = unit(rates);
    const turns = pairQuotient(pairNorm(rates.map((value) => [value, 0])), pairProduct(PI_PAIR, [4, 0]));
    return {
        period: speed > 0 ? (2 * Math.PI) / speed : null, flipPeriod: null, precessionPeriod: null,
        at: (t) => ({ turn: turnAbout(axis, cycles(t, turns)[1][0]), omega: rates }),
    };
}

/** The quaternion of turns about an axis, in units of 4 pi. */
function turnAbout(axis, turns) {
    return [Math.cos(2 * Math.PI * turns), ...scaled(axis, Math.sin(2 * Math.PI * turns))];
}

/** w3^2 I3 (I3 - I2) - w1^2 I1 (I2 - I1) = |L|^2 - 2 E I2 as a pair, from integers: it decides how long a period is. */
function excessOf([I1, I2, I3], [w1, , w3]) {
    const moments = [I1, I2, I3].map((value) => BigInt(value * 2 ** 60));
    const [first, third] = [w1, w3].map((value) => BigInt(value * 2 ** 560) ** 2n);
    const exact = third * moments[2] * (moments[2] - moments[1]) - first * moments[0] * (moments[1] - moments[0]);
    const beyond = Math.max(exact.toString(2).length - 120, 0), digits = exact >> BigInt(beyond);
    const high = Number(digits), low = Number(digits - BigInt(high));
    return [high, low].map((value) => value * 2 ** (beyond - 620) * 2 ** -620);
}

/**
 * The motion that is not steady, in scaled units. L moves in the body by Jacobi's functions of u; it circles the axis
 * c, b is the middle axis. The angle chi about c gives the orientation: q = q0 S(L(0))* exp(c chi) S(L(t)) with
 * S(L) = (1 + Lhat.c, Lhat x c) normalized. Where nu > 1, as of a thin rod, chi comes from the integral of the
 * complementary characteristic, m / nu (DLMF 19.7.8).
 */
function tumbling(inertia, omega) {
    const order = [0, 1, 2].sort((i, j) => inertia[i] - inertia[j]), [I1, I2, I3] = order.map((i) => inertia[i]);
    const excess = excessOf([I1, I2, I3], order.map((i) => omega[i]));
    const axes = I2 !== I3 && (I1 === I2 || excess[0] >= 0) ? order : order.reverse();
    const upright = omega[axes[2]] < 0 ? -1 : 1, handed = (axes[1] - axes[0] + 3) % 3 === 1 ? 1 : -1;
    const signs = [1, upright * handed, upright]; // L along c is positive, and a, b, c are right-handed
    const I = axes.map((axis) => [inertia[axis], 0]), w = axes.map((axis, n) => [signs[n] * omega[axis], 0]);

    const L = I.map((moment, n) => pairProduct(moment, w[n])), minus = [-1, 0];
    const between = (i, j) => pairQuotient(pairSum(I[j], pairProduct(minus, I[i])), pairProduct(I[i], I[j]));
    const [dab, dbc, dac] = [between(0, 1), between(1, 2), between(0, 2)];
    const dc = pairSum(pairProduct(L[0], L[0], dac), pairProduct(L[1], L[1], dbc)); // 2E - |L|^2/I of axis c, and of a
    const da = pairProduct(minus, pairSum(pairProduct(L[1], L[1], dab), pairProduct(L[2], L[2], dac)));
    const product = pairProduct(da, dbc), side = Math.sign(dbc[0]), size = pairNorm(L);
    const m1 = pairProduct(minus, pairQuotient(pairProduct(dac, excess), pairProduct(product, I[1])));
    const lam = pairRoot(product[0] < 0 ? pairProduct(minus, product) : product), rho = pairQuotient(dac, dbc);
    const nu = pairQuotient(dab, dbc)[0], J = I.map(([moment]) => 1 / moment);
    const [Aa, Ab, Ac] = [[dc, dac], [dc, dbc], [da, dac]].map(([d, e]) => Math.sqrt(Math.abs(d[0] / e[0])));

    const fourPi = pairProduct(PI_PAIR, [4, 0]), steadily = pairQuotient(pairQuotient(size, I[1]), fourPi);
    const start = tilt(L.map(([value]) => value)), back = conjugate(start);
    const stateAt = (momentum, turns) => {
        const turned = quaternionProduct(quaternionProduct(back, turnAbout([0, 0, 1], turns)), tilt(momentum));
        const turn = [turned[0], 0, 0, 0], rates = [0, 0, 0];
        axes.forEach((axis, n) => {
            turn[1 + axis] = signs[n] * turned[1 + n];
            rates[axis] = signs[n] * J[n] * momentum[n];
        });
        return { turn, omega: rates };
    };

    if (m1[0] < SEPARATRIX) {
        const half = L[0][0] < 0 ? -1 : 1; // of the curve: the other half is this one turned about c
        const u0 = Math.asinh((side * L[1][0] * Aa) / (Ab * L[0][0]));
        const phase = (sn, cn) => side * (Math.atan(Math.sqrt(nu) * sn) - Math.atan2(Math.sqrt(1 + nu) * sn, cn));
        const at = (u) => [Math.tanh(u), 1 / Math.cosh(Math.max(-700, Math.min(u, 700)))];
        const phase0 = phase(...at(u0));
        return {
            period: null, flipPeriod: null, precessionPeriod: null,
            at(t) {
                const [sn, cn] = at(lam[0] * t + u0), turns = cycles(t, steadily)[1][0];
                const momentum = [half * Aa * cn, half * side * Ab * sn, Ac * cn];
                return stateAt(momentum, turns + (phase(sn, cn) - phase0) / (4 * Math.PI));
            },
        };
    }

    const { K, G, steps } = completeIntegrals(m1, rho), doubleK = pairProduct(K, [2, 0]);
    const Cq = pairQuotient(pairProduct(size, dab), lam), halfPeriods = pairQuotient(lam, doubleK);
    const further = pairSum(pairProduct(Cq, G, [2, 0]), pairProduct(PI_PAIR, [-side, 0]));
    const advance = pairQuotient(further, fourPi); // of chi in half a period, beside its steady part
    const m = pairSum([1, 0], pairProduct(minus, m1))[0], n = m / nu, b = Math.sqrt(1 + n), root = Math.sqrt(rho[0]);
    const local = (r, sn, cn, dn) => {
        const s2 = sn * sn, c2 = cn * cn, d2 = dn * dn, cubed = (rho[0] / 3) * sn * s2;
        if (nu <= 1) {
            return Cq[0] * (r - cubed * carlsonRJ(c2, d2, 1, c2 + rho[0] * s2)) - side * Math.atan2(root * sn, cn);
        }
        const rise = (root * (n + m * s2)) / (b + dn), rest = r - cubed * n * carlsonRJ(c2, d2, 1, 1 + n * s2);
        return side * Math.atan2(rise * sn * cn, c2 * dn + root * root * b * s2) - (Cq[0] / nu) * rest;
    };
    const [c, s] = unit([L[0][0] / Aa, (side * L[1][0]) / Ab]); // cn and sn at the start, near 0 without loss
    const quarter = s * carlsonRF(c * c, c * c + m1[0] * s * s, 1);
    const u0 = c >= 0 ? quarter : Math.sign(s || 1) * doubleK[0] - quarter, begun = pairQuotient([u0, 0], doubleK);
    const along = (t) => {
        const [halves, part] = cycles(t, halfPeriods, begun), r = pairProduct(part, doubleK)[0];
        const [sn, cn, dn] = jacobi(Math.max(-K[0], Math.min(r, K[0])), steps), sign = halves % 2 === 0 ? 1 : -1;
        const turns = cycles(t, steadily)[1][0] + cycles(halves, advance)[1][0] + local(r, sn, cn, dn) / (4 * Math.PI);
        return { momentum: [sign * Aa * cn, sign * side * Ab * sn, Ac * dn], turns, part: part[0] };
    };
    const turns0 = along(0).turns, flips = I1 !== I2 && I2 !== I3, half = doubleK[0] / lam[0];
    return {
        period: 2 * half, flipPeriod: flips ? half : null,
        precessionPeriod: (2 * Math.PI) / (size[0] * (J[1] + (dab[0] * G[0]) / K[0])),
        toFlip: (t) => -along(t).part * half,
        at(t) {
            const { momentum, turns } = along(t);
            return stateAt(momentum, turns - turns0);
        },
    };
}

/** The quaternion S of a momentum in the order a, b, c, with L along c >= 0. */
function tilt(momentum) {
    const [a, b, c] = unit(momentum);
    return unit([1 + c, b, -a, 0]);
}
