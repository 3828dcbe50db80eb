"""The series of the exact drift: how the effective moments of its turn follow from the body.

The free motion carries L_b to L_b[next] in a time h; the body turns by the quaternion (w, g/w) of the discrete rigid
body of Moser and Veselov (Commun. Math. Phys. 139, 1991) with corrected moments:
g = (h/4) (cs J + cd)(L_b + L_b[next]), w^2 = 1/2 + 1/2 sqrt(1 - 4 g.g). cs and cd are numbers, the same for all three
axes: power series in x = h^2 L.J L and y = h^2 L.L whose coefficients are polynomials in e1, e2, e3, the elementary
symmetric functions of J = 1/I. Below are all terms up to the fourth degree. They are rational, found from the exact
motion by a fit that leaves no residual.
"""

Term = tuple[int, int, int, int, int, int, int]

# Rows (p, r, a, b, c, n, d): the term n/d e1^a e2^b e3^c x^p y^r. cs = 1 + sum, cd = sum.
# fmt: off
CS_TERMS: tuple[Term, ...] = (
    (1, 0, 1, 0, 0, -1, 6), (0, 1, 0, 1, 0, 1, 12),
    (2, 0, 2, 0, 0, 1, 120), (2, 0, 0, 1, 0, -1, 240), (1, 1, 1, 1, 0, -1, 120), (1, 1, 0, 0, 1, 1, 30),
    (0, 2, 0, 2, 0, 1, 120), (0, 2, 1, 0, 1, -1, 40),
    (3, 0, 3, 0, 0, -1, 5040), (3, 0, 1, 1, 0, 1, 5040), (3, 0, 0, 0, 1, 1, 280), (2, 1, 2, 1, 0, 1, 3360),
    (2, 1, 0, 2, 0, 41, 20160), (2, 1, 1, 0, 1, -53, 5040), (1, 2, 1, 2, 0, -1, 560),
    (1, 2, 2, 0, 1, 11, 1680), (1, 2, 0, 1, 1, -1, 672), (0, 3, 0, 3, 0, 17, 20160),
    (0, 3, 1, 1, 1, -11, 3360), (0, 3, 0, 0, 2, 5, 1008),
    (4, 0, 4, 0, 0, 1, 362880), (4, 0, 2, 1, 0, -1, 241920), (4, 0, 0, 2, 0, 17, 80640),
    (4, 0, 1, 0, 1, -3, 4480), (3, 1, 3, 1, 0, -1, 181440), (3, 1, 1, 2, 0, -11, 30240),
    (3, 1, 2, 0, 1, 23, 15120), (3, 1, 0, 1, 1, -23, 20160), (2, 2, 2, 2, 0, 13, 60480),
    (2, 2, 0, 3, 0, 1, 40320), (2, 2, 3, 0, 1, -17, 20160), (2, 2, 1, 1, 1, 1, 4032),
    (2, 2, 0, 0, 2, 53, 20160), (1, 3, 1, 3, 0, -11, 51840), (1, 3, 2, 1, 1, 17, 20160),
    (1, 3, 0, 2, 1, 47, 120960), (1, 3, 1, 0, 2, -47, 15120), (0, 4, 0, 4, 0, 31, 362880),
    (0, 4, 1, 2, 1, -19, 40320), (0, 4, 2, 0, 2, 1, 1920), (0, 4, 0, 1, 2, 97, 241920),
)
CD_TERMS: tuple[Term, ...] = (
    (1, 0, 0, 1, 0, 1, 12), (0, 1, 0, 0, 1, -1, 6),
    (2, 0, 1, 1, 0, -1, 240), (2, 0, 0, 0, 1, -1, 40), (1, 1, 0, 2, 0, -1, 240), (1, 1, 1, 0, 1, 1, 30),
    (0, 2, 0, 1, 1, -1, 240),
    (3, 0, 2, 1, 0, 1, 10080), (3, 0, 0, 2, 0, -13, 10080), (3, 0, 1, 0, 1, 1, 336),
    (2, 1, 1, 2, 0, 13, 20160), (2, 1, 2, 0, 1, -1, 315), (2, 1, 0, 1, 1, 11, 2016),
    (1, 2, 0, 3, 0, 1, 10080), (1, 2, 1, 1, 1, -1, 10080), (1, 2, 0, 0, 2, -11, 1260),
    (0, 3, 0, 2, 1, -19, 20160), (0, 3, 1, 0, 2, 1, 280),
    (4, 0, 3, 1, 0, -1, 725760), (4, 0, 1, 2, 0, -1, 120960), (4, 0, 2, 0, 1, -1, 5760),
    (4, 0, 0, 1, 1, 17, 26880), (3, 1, 2, 2, 0, -1, 24192), (3, 1, 0, 3, 0, 97, 362880),
    (3, 1, 3, 0, 1, 1, 5670), (3, 1, 1, 1, 1, -23, 30240), (3, 1, 0, 0, 2, -1, 560),
    (2, 2, 1, 3, 0, -1, 24192), (2, 2, 2, 1, 1, 19, 120960), (2, 2, 0, 2, 1, -19, 17280),
    (2, 2, 1, 0, 2, 89, 30240), (1, 3, 0, 4, 0, -1, 725760), (1, 3, 1, 2, 1, 37, 120960),
    (1, 3, 2, 0, 2, -1, 840), (1, 3, 0, 1, 2, 19, 20160), (0, 4, 0, 3, 1, -61, 725760),
    (0, 4, 1, 1, 2, 3, 8960), (0, 4, 0, 0, 3, -61, 72576),
)
# fmt: on

SLOTS = tuple((p, r) for r in range(5) for p in range(5 - r) if p + r > 0)


def coefficients(terms: tuple[Term, ...], inverse_moments: tuple[float, float, float]) -> tuple[float, ...]:
    """The 14 coefficients of x^p y^r for one body, in the order of SLOTS."""
    j0, j1, j2 = inverse_moments
    e1, e2, e3 = j0 + j1 + j2, j0 * j1 + j1 * j2 + j2 * j0, j0 * j1 * j2
    sums = dict.fromkeys(SLOTS, 0.0)
    for p, r, a, b, c, numerator, denominator in terms:
        sums[p, r] += numerator / denominator * e1**a * e2**b * e3**c
    return tuple(sums.values())
