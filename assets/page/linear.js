// Vectors [x, y, z], quaternions [w, x, y, z] (body to world), matrices as rows with v_world = R v_body.
// With loops: with `map` in `add`, `subtract`, `scaled` and `times` a page takes a fifth longer to compute a frame.

/** The scalar product of two vectors of the same length. */
export function dot(a, b) {
    let sum = 0;
    for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
    return sum;
}

/** The vector product of two vectors of three components. */
export function cross(a, b) {
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** The sum of two vectors of the same length. */
export function add(a, b) {
    const sum = [];
    for (let i = 0; i < a.length; i++) sum.push(a[i] + b[i]);
    return sum;
}

/** The difference a - b of two vectors of the same length. */
export function subtract(a, b) {
    const difference = [];
    for (let i = 0; i < a.length; i++) difference.push(a[i] - b[i]);
    return difference;
}

/** A vector times a number. */
export function scaled(a, factor) {
    const multiple = [];
    for (let i = 0; i < a.length; i++) multiple.push(a[i] * factor);
    return multiple;
}

/** The length of a vector. */
export function norm(a) {
    return Math.hypot(...a);
}

/** A vector or a quaternion of length 1 in the same direction; zero stays zero. */
export function unit(a) {
    return scaled(a, 1 / (norm(a) || 1));
}

/** A number, a vector or a quaternion (not normalized) between a, where share is 0, and b, where it is 1. */
export function mixed(a, b, share) {
    return typeof a === "number" ? a + (b - a) * share : Array.from(a, (value, i) => value + (b[i] - value) * share);
}

/** A value, or the nearer of the two limits where it lies outside them. */
export function clamped(value, low, high) {
    return Math.min(Math.max(value, low), high);
}

/** The last place from `low` on whose value is at most x, and `low` if there is none; values rise up to `end`. */
export function placeAmong(values, x, low, end) {
    while (end - low > 1) {
        const middle = (low + end) >> 1;
        [low, end] = values[middle] <= x ? [middle, end] : [low, middle];
    }
    return low;
}

/** The matrix of n rows that changes nothing. */
export function identity(n) {
    return Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => Number(i === j)));
}

/** A matrix times a vector. */
export function times(matrix, vector) {
    const found = [];
    for (const row of matrix) found.push(dot(row, vector));
    return found;
}

/** The product of two matrices; the right one acts first. */
export function product(left, right) {
    const columns = transposed(right);
    return Array.from(left, (row) => columns.map((column) => dot(row, column)));
}

/** A matrix with rows and columns exchanged: for a rotation, its inverse. */
export function transposed(matrix) {
    return Array.from(matrix[0], (_, j) => Array.from(matrix, (row) => row[j]));
}

/** The 4x4 matrix of a rotation (3x3) and then a shift by a vector. */
export function rigid(rotation, shift) {
    return [...rotation.map((row, i) => [...row, shift[i]]), [0, 0, 0, 1]];
}

/** The 4x4 matrix, row by row, of sixteen numbers column by column. */
export function fromColumnMajor(numbers) {
    return [0, 1, 2, 3].map((i) => [numbers[i], numbers[i + 4], numbers[i + 8], numbers[i + 12]]);
}

/** The rotation matrix of a unit quaternion. */
export function rotationOf([w, x, y, z]) {
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ];
}

/** The unit quaternion of a turn by an angle in radians about a unit vector. */
export function quaternionAbout(axis, angle) {
    return [Math.cos(angle / 2), ...scaled(axis, Math.sin(angle / 2))];
}

/** The product of two quaternions; the right one acts first. */
export function quaternionProduct([aw, ax, ay, az], [bw, bx, by, bz]) {
    return [
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ];
}

/** The conjugate of a quaternion: for a unit quaternion, its inverse. */
export function conjugate([w, x, y, z]) {
    return [w, -x, -y, -z];
}
