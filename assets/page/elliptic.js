// Sums of two doubles, and Carlson's and Jacobi's elliptic integrals and functions, as motion.js needs them.

// A pair [high, low] is the sum of two doubles: rates that run over many periods have twice the digits of one.

/** The exact sum of two numbers as a pair (Knuth). */
function exactSum(a, b) {
    const sum = a + b, part = sum - a;
    return [sum, a - (sum - part) + (b - part)];
}

/** The exact product of two numbers as a pair (Dekker, with Veltkamp's halves of 26 bits). */
export function exactProduct(a, b) {
    const halves = (x) => { const c = 134217729 * x, high = c - (c - x); return [high, x - high]; };
    const product = a * b, [ah, al] = halves(a), [bh, bl] = halves(b);
    return [product, ah * bh - product + ah * bl + al * bh + al * bl];
}

/** The sum of two pairs. */
export function pairSum(a, b) {
    const [sum, rest] = exactSum(a[0], b[0]);
    return exactSum(sum, rest + (a[1] + b[1]));
}

/** The product of pairs. */
export function pairProduct(first, ...others) {
    return others.reduce((a, b) => {
        const [product, rest] = exactProduct(a[0], b[0]);
        return exactSum(product, rest + a[0] * b[1] + a[1] * b[0]);
    }, first);
}

/** The quotient of two pairs, by one step of long division after the first digits. */
export function pairQuotient(a, b) {
    const first = a[0] / b[0];
    const rest = pairSum(a, pairProduct([-first, 0], b));
    return exactSum(first, (rest[0] + rest[1]) / b[0]);
}

/** The square root of a pair, by one step of Newton's method. */
export function pairRoot(a) {
    const first = Math.sqrt(a[0]);
    if (first === 0) return [0, 0];
    const rest = pairSum(a, pairProduct([-first, 0], [first, 0]));
    return exactSum(first, rest[0] / (2 * first));
}

export const PI_PAIR = [Math.PI, 1.2246467991473532e-16];
const CLOSE = 1e-15; // the next step of an iteration squares the relative error

/**
 * The complete integrals of a parameter m1 = 1 - m and a characteristic rho = 1 + nu, both pairs: a quarter period K;
 * G, the integral of cos^2 / ((cos^2 + rho sin^2) sqrt(cos^2 + m1 sin^2)) from 0 to pi/2 (Bulirsch's cel); and the
 * steps of the arithmetic-geometric mean, which jacobi takes.
 */
export function completeIntegrals(m1, rho) {
    let a = [1, 0], b = pairRoot(m1), apart = 1;
    const levels = [];
    while (apart > CLOSE) {
        levels.unshift([a[0], b[0]]); // the last step first
        apart = Math.abs(1 - b[0] / a[0]);
        [a, b] = [pairProduct(pairSum(a, b), [0.5, 0]), pairRoot(pairProduct(a, b))];
    }
    const K = pairQuotient(pairProduct(PI_PAIR, [0.5, 0]), a);

    let kc = pairRoot(m1), e = kc, m = [1, 0], p = pairRoot(rho), x = [1, 0], y = [0, 0];
    for (;;) {
        const g = pairQuotient(e, p), before = m, top = x;
        x = pairSum(x, pairQuotient(y, p));
        y = pairProduct(pairSum(y, pairProduct(top, g)), [2, 0]);
        [p, m] = [pairSum(p, g), pairSum(m, kc)];
        if (Math.abs(before[0] - kc[0]) <= CLOSE * before[0]) break;
        kc = pairProduct(pairRoot(e), [2, 0]);
        e = pairProduct(kc, m);
    }
    const sum = pairProduct(PI_PAIR, [0.5, 0], pairSum(y, pairProduct(x, m)));
    return { K, G: pairQuotient(sum, pairProduct(m, pairSum(m, p))), steps: { levels, mean: a[0] } };
}

/** Jacobi's [sn, cn, dn] of |u| <= K, by the steps of completeIntegrals (Bulirsch). */
export function jacobi(u, { levels, mean }) {
    if (Math.abs(u) < 1e-9) return [u, 1, 1];
    const sine = Math.sin(u * mean);
    let ratio = Math.cos(u * mean) / sine, cot = mean * ratio, dn = 1;
    for (const [a, b] of levels) {
        ratio *= cot;
        cot *= dn;
        dn = (b + ratio) / (a + ratio);
        ratio = cot / a;
    }
    const sn = Math.sign(sine) / Math.sqrt(cot * cot + 1);
    return [sn, cot * sn, dn];
}

/** Carlson's integral RF of three numbers >= 0, at most one of them 0. */
export function carlsonRF(x, y, z) {
    for (;;) {
        const mean = (x + y + z) / 3, [X, Y, Z] = [x, y, z].map((value) => 1 - value / mean);
        if (Math.max(Math.abs(X), Math.abs(Y), Math.abs(Z)) < 2e-3) {
            const E2 = X * Y + Y * Z + Z * X, E3 = X * Y * Z;
            return (1 - E2 / 10 + E3 / 14 + (E2 * E2) / 24 - (3 * E2 * E3) / 44) / Math.sqrt(mean);
        }
        const [rx, ry, rz] = [x, y, z].map(Math.sqrt), shift = rx * ry + ry * rz + rz * rx;
        [x, y, z] = [x, y, z].map((value) => (value + shift) / 4);
    }
}

/** Carlson's integral RJ of three numbers >= 0, at most one of them 0, and p > 0. */
export function carlsonRJ(x, y, z, p) {
    let sum = 0, weight = 1;
    for (;;) {
        const mean = (x + y + z + 2 * p) / 5, [X, Y, Z, P] = [x, y, z, p].map((value) => 1 - value / mean);
        if (Math.max(Math.abs(X), Math.abs(Y), Math.abs(Z), Math.abs(P)) < 2e-3) {
            const XYZ = X * Y * Z, E2 = X * Y + Y * Z + Z * X - 3 * P * P, E3 = XYZ + 2 * E2 * P + 4 * P * P * P;
            const E4 = (2 * XYZ + E2 * P + 3 * P * P * P) * P, E5 = XYZ * P * P;
            const series = 1 - (3 * E2) / 14 + E3 / 6 + (9 * E2 * E2) / 88 - (3 * E4) / 22 - (9 * E2 * E3) / 52
                + (3 * E5) / 26;
            return sum + (weight * series) / (mean * Math.sqrt(mean));
        }
        const [rx, ry, rz, rp] = [x, y, z, p].map(Math.sqrt), shift = rx * ry + ry * rz + rz * rx;
        const d = (rp + rx) * (rp + ry) * (rp + rz), e = ((p - x) * (p - y) * (p - z)) / (d * d);
        const root = Math.sqrt(Math.abs(e)); // sum of the degenerate integrals RC(1, 1 + e)
        sum += (6 * weight / d) * (root === 0 ? 1 : e > 0 ? Math.atan(root) / root : Math.atanh(root) / root);
        [x, y, z, p] = [x, y, z, p].map((value) => (value + shift) / 4);
        weight /= 4;
    }
}
