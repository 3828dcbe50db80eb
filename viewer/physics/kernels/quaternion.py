"""Turning vectors and multiplying quaternions, on plain floats."""

from math import cos, sin, sqrt

Three = tuple[float, float, float]
Four = tuple[float, float, float, float]
Seven = tuple[float, float, float, float, float, float, float]
Six = tuple[float, float, float, float, float, float]
Nine = tuple[float, float, float, float, float, float, float, float, float]
Thirteen = tuple[
    float, float, float, float, float, float, float, float, float, float, float, float, float
]  # seven, and the six of a stretch (see `matrix`)
Moving = Seven | Thirteen  # the state of any integrator
Constants = tuple[float, ...]


def to_body(w: float, x: float, y: float, z: float, vx: float, vy: float, vz: float) -> Three:
    """Return in the body frame a vector v that is given in space: R^T v."""
    tx, ty, tz = 2.0 * (vy * z - vz * y), 2.0 * (vz * x - vx * z), 2.0 * (vx * y - vy * x)
    return (vx + w * tx + (ty * z - tz * y), vy + w * ty + (tz * x - tx * z), vz + w * tz + (tx * y - ty * x))


def to_body_of_any(w: float, x: float, y: float, z: float, square: float, vx: float, vy: float, vz: float) -> Three:
    """Return R^T v, as `to_body` does, for a quaternion of any length; `square` is its squared length."""
    k = 2.0 / square
    tx, ty, tz = k * (vy * z - vz * y), k * (vz * x - vx * z), k * (vx * y - vy * x)
    return (vx + w * tx + (ty * z - tz * y), vy + w * ty + (tz * x - tx * z), vz + w * tz + (tx * y - ty * x))


def product(w: float, x: float, y: float, z: float, d: float, a: float, b: float, c: float) -> Four:
    """Return the quaternion product (w, x, y, z)(d, a, b, c), normalised."""
    rw = w * d - x * a - y * b - z * c
    rx = w * a + x * d + y * c - z * b
    ry = w * b - x * c + y * d + z * a
    rz = w * c + x * b - y * a + z * d
    n = 1.0 / sqrt(rw * rw + rx * rx + ry * ry + rz * rz)
    return rw * n, rx * n, ry * n, rz * n


def exp(ax: float, ay: float, az: float) -> Four:
    """Return the quaternion of a turn by the rotation vector a [rad]."""
    angle = sqrt(ax * ax + ay * ay + az * az)
    s = sin(0.5 * angle) / angle if angle > 0.0 else 0.5
    return cos(0.5 * angle), s * ax, s * ay, s * az


def from_matrix(a: float, b: float, c: float, d: float, e: float, f: float, g: float, h: float, i: float) -> Four:
    """Return the quaternion of the rotation matrix ((a, b, c), (d, e, f), (g, h, i)): Baraff & Witkin's method.

    The component that is found first is at least 1/2, and the others follow from it. It is positive, so that w may be
    negative.
    """
    trace = a + e + i
    if trace >= 0.0:
        s = sqrt(trace + 1.0)
        k = 0.5 / s
        return 0.5 * s, (h - f) * k, (c - g) * k, (d - b) * k
    if a >= e and a >= i:
        s = sqrt(a - (e + i) + 1.0)
        k = 0.5 / s
        return (h - f) * k, 0.5 * s, (b + d) * k, (g + c) * k
    if e >= i:
        s = sqrt(e - (i + a) + 1.0)
        k = 0.5 / s
        return (c - g) * k, (b + d) * k, 0.5 * s, (f + h) * k
    s = sqrt(i - (a + e) + 1.0)
    k = 0.5 / s
    return (d - b) * k, (g + c) * k, (f + h) * k, 0.5 * s


def turned(vx: float, vy: float, vz: float, x: float, y: float, z: float) -> Three:
    """Return the vector (x, y, z) turned by the rotation vector v [rad] (Rodrigues)."""
    angle = sqrt(vx * vx + vy * vy + vz * vz)
    if angle == 0.0:
        return x, y, z
    half = sin(0.5 * angle) / angle
    s, k = 2.0 * half * cos(0.5 * angle), 2.0 * half * half
    cx, cy, cz = vy * z - vz * y, vz * x - vx * z, vx * y - vy * x
    return (
        x + s * cx + k * (vy * cz - vz * cy),
        y + s * cy + k * (vz * cx - vx * cz),
        z + s * cz + k * (vx * cy - vy * cx),
    )


def solved(
    a: float, b: float, c: float, d: float, e: float, f: float, g: float, h: float, i: float,
    x: float, y: float, z: float,
) -> Three:  # fmt: skip
    """Return the solution of the linear equations ((a, b, c), (d, e, f), (g, h, i)) v = (x, y, z), by cofactors."""
    p, q, r = e * i - f * h, f * g - d * i, d * h - e * g
    scale = 1.0 / (a * p + b * q + c * r)
    return (
        (p * x + (c * h - b * i) * y + (b * f - c * e) * z) * scale,
        (q * x + (a * i - c * g) * y + (c * d - a * f) * z) * scale,
        (r * x + (b * g - a * h) * y + (a * e - b * d) * z) * scale,
    )
