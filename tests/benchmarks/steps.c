/* The steps exact_drift and split of viewer/physics/kernels in plain C, to measure the compiled Python against.
   one: count steps of one body. batch: count steps of n bodies, an array per component. c: the same constants. */
#include <math.h>

typedef struct { double w, x, y, z, lx, ly, lz; } Seven;

static inline void to_body(const Seven *s, double *b) {
    double w = s->w, x = s->x, y = s->y, z = s->z, vx = s->lx, vy = s->ly, vz = s->lz;
    double tx = 2 * (vy * z - vz * y), ty = 2 * (vz * x - vx * z), tz = 2 * (vx * y - vy * x);
    b[0] = vx + w * tx + (ty * z - tz * y);
    b[1] = vy + w * ty + (tz * x - tx * z);
    b[2] = vz + w * tz + (tx * y - ty * x);
}

static inline void times(Seven *s, double w, double x, double y, double z, double d, double a, double b, double c) {
    double rw = w * d - x * a - y * b - z * c, rx = w * a + x * d + y * c - z * b;
    double ry = w * b - x * c + y * d + z * a, rz = w * c + x * b - y * a + z * d;
    double n = 1 / sqrt(rw * rw + rx * rx + ry * ry + rz * rz);
    s->w = rw * n; s->x = rx * n; s->y = ry * n; s->z = rz * n;
}

static inline void turn(double *q, double half, int i, int j, int k) {
    double cn = cos(half), sn = sin(half), w = q[3], a = q[i], b = q[j], c = q[k];
    q[3] = w * cn - a * sn; q[i] = a * cn + w * sn; q[j] = b * cn + c * sn; q[k] = c * cn - b * sn;
}

static inline void split(Seven *s, double h, const double *c) {
    int a = (int)c[0], b = (int)c[1], k = (int)c[2];
    double hand = c[3], m[3], v[3] = {s->x, s->y, s->z};
    to_body(s, m);
    double ma = m[a], mb = m[b], mk = hand * m[k], q[4] = {v[a], v[b], hand * v[k], s->w};
    double half = 0.25 * h * c[4] * ma, cn, sn, cc, ss;
    cn = cos(half); sn = sin(half);
    turn(q, half, 0, 1, 2);
    cc = (cn - sn) * (cn + sn); ss = 2 * sn * cn;
    double nb = mb * cc + mk * ss, nk = mk * cc - mb * ss;
    half = 0.5 * h * c[6] * nk;
    cn = cos(half); sn = sin(half);
    turn(q, half, 2, 0, 1);
    cc = (cn - sn) * (cn + sn); ss = 2 * sn * cn;
    ma = ma * cc + nb * ss;
    half = 0.25 * h * c[4] * ma;
    turn(q, half, 0, 1, 2);
    v[a] = q[0]; v[b] = q[1]; v[k] = hand * q[2];
    double rate = h * c[5], ax = rate * s->lx, ay = rate * s->ly, az = rate * s->lz;
    double angle = sqrt(ax * ax + ay * ay + az * az), e = angle > 0 ? sin(0.5 * angle) / angle : 0.5;
    times(s, cos(0.5 * angle), e * ax, e * ay, e * az, q[3], v[0], v[1], v[2]);
}

static inline void exact_drift(Seven *s, double h, const double *c) {
    const double *cs_ = c + 13, *cd_ = c + 27;
    double j0 = c[0], j1 = c[1], j2 = c[2], k0 = c[3], k1 = c[4], k2 = c[5];
    int parts = 0;
    for (;;) {
        double u[3], n[3];
        to_body(s, u);
        u[0] *= h; u[1] *= h; u[2] *= h;
        double q0 = u[0] * u[0], q1 = u[1] * u[1], q2 = u[2] * u[2];
        double xx = j0 * q0 + j1 * q1 + j2 * q2, yy = q0 + q1 + q2, angle2 = c[9] * xx - c[10] * yy;
        if (parts == 0) {
            parts = 1;
            if (angle2 > c[12]) {
                parts = (int)sqrt(angle2 / c[12]) + 1;
                h /= parts;
                continue;
            }
        }
        double m = c[6] * q1, p = m - c[7] * q2, r = m - c[8] * q0, a = p + r, b = p * r, sine, cs, cd;
        if (c[11] * yy < 2.5e-5) {
            sine = 1 - a / 6 + (a * a + 12 * b) / 120;
            cs = 0.25 + (xx * (cs_[0] + xx * cs_[1]) + yy * (cs_[4] + xx * cs_[5] + yy * cs_[8]));
            cd = (xx * (cd_[0] + xx * cd_[1]) + yy * (cd_[4] + xx * cd_[5] + yy * cd_[8]));
        } else {
            double aa = a * a, bb = b * b;
            sine = 1 - a / 6 + (aa + 12 * b) / 120 - a * (aa + 132 * b) / 5040
                 + (aa * aa + 1224 * aa * b + 3024 * bb) / 362880
                 - a * (aa * aa + 11064 * aa * b + 132624 * bb) / 39916800
                 + (aa * aa * aa + 99636 * aa * aa * b + 4095792 * aa * bb + 4390848 * bb * b) / 6227020800.;
            cs = 0.25 + (xx * (cs_[0] + xx * (cs_[1] + xx * (cs_[2] + xx * cs_[3])))
                 + yy * (cs_[4] + xx * (cs_[5] + xx * (cs_[6] + xx * cs_[7]))
                 + yy * (cs_[8] + xx * (cs_[9] + xx * cs_[10]) + yy * (cs_[11] + xx * cs_[12] + yy * cs_[13]))));
            cd = (xx * (cd_[0] + xx * (cd_[1] + xx * (cd_[2] + xx * cd_[3])))
                 + yy * (cd_[4] + xx * (cd_[5] + xx * (cd_[6] + xx * cd_[7]))
                 + yy * (cd_[8] + xx * (cd_[9] + xx * cd_[10]) + yy * (cd_[11] + xx * cd_[12] + yy * cd_[13]))));
        }
        double ss = sine * sine, cn = sqrt(1 - p * ss), dn = sqrt(1 - r * ss), dd = 1 / (1 - m * ss);
        n[0] = (cn * u[0] + k0 * sine * dn * u[1] * u[2]) * dd;
        n[1] = (cn * dn * u[1] + k1 * sine * u[2] * u[0]) * dd;
        n[2] = (dn * u[2] + k2 * sine * cn * u[0] * u[1]) * dd;
        double g0 = (cs * j0 + cd) * (u[0] + n[0]), g1 = (cs * j1 + cd) * (u[1] + n[1]);
        double g2 = (cs * j2 + cd) * (u[2] + n[2]);
        double e = sqrt(0.5 + 0.5 * sqrt(1 - 4 * (g0 * g0 + g1 * g1 + g2 * g2))), f = 1 / e;
        times(s, s->w, s->x, s->y, s->z, e, f * g0, f * g1, f * g2);
        if (angle2 > 0.01) {
            double v[3];
            to_body(s, v);
            v[0] *= h; v[1] *= h; v[2] *= h;
            f = 0.5 / yy;
            times(s, s->w, s->x, s->y, s->z, 1, f * (n[1] * v[2] - n[2] * v[1]), f * (n[2] * v[0] - n[0] * v[2]),
                  f * (n[0] * v[1] - n[1] * v[0]));
        }
        if (--parts == 0) return;
    }
}

#define RUN(step)                                                                                                    \
    void step##_one(double *v, double h, const double *c, long count) {                                              \
        Seven s = {v[0], v[1], v[2], v[3], v[4], v[5], v[6]};                                                        \
        for (long i = 0; i < count; i++) step(&s, h, c);                                                             \
        v[0] = s.w; v[1] = s.x; v[2] = s.y; v[3] = s.z; v[4] = s.lx; v[5] = s.ly; v[6] = s.lz;                       \
    }                                                                                                                \
    void step##_batch(double *w, double *x, double *y, double *z, double *lx, double *ly, double *lz, long n,        \
                      double h, const double *c, long count) {                                                       \
        for (long i = 0; i < n; i++) {                                                                               \
            Seven s = {w[i], x[i], y[i], z[i], lx[i], ly[i], lz[i]};                                                 \
            for (long k = 0; k < count; k++) step(&s, h, c);                                                         \
            w[i] = s.w; x[i] = s.x; y[i] = s.y; z[i] = s.z; lx[i] = s.lx; ly[i] = s.ly; lz[i] = s.lz;                \
        }                                                                                                            \
    }
RUN(split)
RUN(exact_drift)
