"""The table of integrators: each with its order, its source, what it conserves and its one-step function."""

from collections.abc import Callable

from viewer.common.errors import Wording, brief
from viewer.common.frozen import frozen
from viewer.physics.kernels import exact_drift, matrix, momentum, velocity
from viewer.physics.kernels.exact_drift import CD_TERMS, CS_TERMS, coefficients
from viewer.physics.kernels.quaternion import Constants, Moving, Three

Step = Callable[..., Moving]

DRIFT_ANGLE = 0.15  # rad by which one series of the exact drift may turn: it then errs by at most 1e-13 rad a turn
SLENDER = 80.0  # ratio of the moments above which a series may turn less
ALIKE = 1e-12  # relative; moments closer than this count as equal

# Blanes, Casas, Farrés, Laskar, Makazaga & Murua 2013, order (8, 6, 4): fractions of drift and of kick, in turn
_A = (0.0711334264982231178, 0.241153427956640099, 0.521411761772814789, -0.333698616227678006)
_B = (0.183083687472197222, 0.310782859898574870, -0.0265646185119588007)
BLANES = ((*_A, *_A[::-1]), (*_B, 0.0653961422823734184, *_B[::-1]))

ALL = ("energy", "|L|", "L")
MOMENTUM = ("|L|", "L")
SIZE = ("|L|",)


@frozen
class Integrator:
    """A method of integration.

    Attributes
    ----------
    order
        The order of the orientation in the step h, for the torque-free motion; 0 if there is no truncation error, None
        if the error does not fall with the step.
    energy_order
        The order of the energy error; None if the energy is constant to round-off.
    order_under_load
        The order under a torque or friction; None as for `order`.
    conserves
        Those of "energy", "|L|" and "L" (in space) that the method keeps to round-off in the torque-free motion.
    torque_free_only
        Whether it takes no loads.
    reversible
        Whether a step back undoes a step, to round-off.
    dense
        Whether a shorter step leads to the state between two steps of the free motion, to round-off.
    in_space
        Whether the kernel keeps the angular momentum in space (a momentum scheme) or in the body (a velocity scheme).
    composition
        (drifts, kicks) as fractions of a loaded step; None if the step is kick, drift, kick.
    runs
        Whether the kernel can make several steps in one call.
    matrix
        Whether the state is all nine numbers of a matrix that does not remain a rotation (see `kernels.matrix`).
    paper_loop
        Whether the method becomes the loop of `projection.paper_step`, which corrects and turns the body at once, if
        the stabilisation is "gradient".
    refuses
        A function that says what is wrong with principal moments, or returns None; None if the method takes all
        moments.
    step
        The kernel; None for the closed form.
    constants
        A function that returns what the kernel needs of the body from J = 1/I.
    loaded
        The kernel of a loaded step that takes the impulse of the loads, in the body frame, as three more numbers; None
        if a loaded step is made of the free step and kicks.
    """

    name: str
    label: str
    order: int | None
    energy_order: int | None
    summary: str
    source: str
    conserves: tuple[str, ...]
    step: Step | None = None
    loaded: Step | None = None
    order_under_load: int | None = 2
    in_space: bool = True
    torque_free_only: bool = False
    reversible: bool = False
    dense: bool = False
    runs: bool = False
    matrix: bool = False
    paper_loop: bool = False
    composition: tuple[tuple[float, ...], tuple[float, ...]] | None = None
    refuses: Callable[[list[float]], Wording | None] | None = None
    constants: Callable[[Three], Constants] = tuple

    @property
    def correctable(self) -> bool:
        """Whether the method takes a stabilisation: it must make steps, and its state must be a rotation."""
        return self.step is not None and not self.matrix

    @property
    def keeps_invariants(self) -> bool:
        """Whether the method keeps energy and |L| by itself, which leaves nothing for a stabilisation to correct."""
        return {"energy", "|L|"} <= set(self.conserves)


def _with_moments(j: Three) -> Constants:
    return *j, *(1.0 / value for value in j)


def _split_constants(j: Three) -> Constants:
    a, b, c = sorted(range(3), key=lambda k: j[k])  # by falling moment
    handedness = 1.0 if (b - a) % 3 == 1 else -1.0
    return float(a), float(b), float(c), handedness, j[a] - j[b], j[b], j[c] - j[b]


def drift_constants(j: Three, angle: float | None = None) -> Constants:
    """Return the constants of the exact drift.

    `angle` is the largest angle [rad] by which one series turns the body, DRIFT_ANGLE if None.
    """
    angle = DRIFT_ANGLE if angle is None else angle
    low, middle, high = sorted(j)
    # (rate of L_b / |omega|)^2; at most 1 where I_max <= I + I
    nutation = (middle - low) * (high - low) / (low * low)
    reach = angle**2 / max(1.0, nutation, high / low / SLENDER)
    k0, k1, k2 = j[2] - j[1], j[0] - j[2], j[1] - j[0]
    return (
        *j,
        *(k0, k1, k2, k0 * k2, k0 * k1, k1 * k2),
        *(low + high, low * high, high * high, reach),
        *(0.25 * value for value in (*coefficients(CS_TERMS, j), *coefficients(CD_TERMS, j))),
    )


def _equal_pair(values: list[float]) -> tuple[int, int] | None:
    """Return the indices of two values that are equal; None if there are none."""
    gap, i, j = min((abs(values[i] - values[j]), i, j) for i, j in ((0, 1), (1, 2), (2, 0)))
    return (i, j) if gap <= ALIKE * max(values[i], values[j]) else None


def _top_constants(j: Three) -> Constants:
    pair = _equal_pair(list(j))
    return *j, j[pair[0]] if pair else float("nan")


def _no_symmetric_top(moments: list[float]) -> Wording | None:
    if _equal_pair(moments):
        return None
    return Wording(
        "does not take the moments ({moments}) kg m²; allowed are bodies with two equal moments",
        moments=", ".join(map(brief, moments)),
    )


_TABLE = (
    Integrator(
        "exact-drift", "Exact drift", 10, None,
        "The torque-free motion itself, to round-off at any step; under load kick, drift, kick.",
        "addition theorem of Jacobi's functions; Moser & Veselov 1991 with corrected moments", ALL,
        exact_drift.exact_drift, reversible=True, dense=True, runs=True, constants=drift_constants,
    ),
    Integrator(
        "exact-drift4", "Exact drift, composed", 10, None,
        "The same, under load eight drifts with seven kicks between them: a step costs more and errs far less.",
        "Blanes, Casas, Farrés, Laskar, Makazaga & Murua 2013, order (8, 6, 4)", ALL,
        exact_drift.exact_drift, order_under_load=4, reversible=True, dense=True, composition=BLANES, runs=True,
        constants=drift_constants,
    ),
    Integrator(
        "split", "Split rotations", 2, 2,
        "Three turns about two body axes, then one about L: symplectic, its energy error stays bounded.",
        "McLachlan 1993; Touma & Wisdom 1994; Celledoni, Fassò, Säfström & Zanna 2008", MOMENTUM,
        momentum.split, reversible=True, constants=_split_constants,
    ),
    Integrator(
        "split4", "Split rotations, order 4", 4, 4,
        "Five split steps, one of them backward: reversible and symplectic as split, accurate over long times.",
        "Suzuki 1990", MOMENTUM, momentum.split4, reversible=True, constants=_split_constants,
    ),
    Integrator(
        "implicit-midpoint", "Implicit midpoint", 2, None,
        "Keeps energy and momentum to round-off at any step; only the phase errs. Solves for the middle of each step.",
        "Moser & Veselov 1991; Lewis & Simo 1994", ALL,
        momentum.implicit_midpoint, reversible=True,
    ),
    Integrator(
        "magnus4", "Magnus series", 4, 4,
        "One turn a step by the series of Magnus to the fourth power of h.",
        "Magnus 1954; Iserles & Nørsett 1999", MOMENTUM, momentum.magnus4,
    ),
    Integrator(
        "rkmk4", "Runge-Kutta-Munthe-Kaas", 4, 4,
        "The classical Runge-Kutta method on the rotation vector of the step.",
        "Munthe-Kaas 1998", MOMENTUM, momentum.rkmk4,
    ),
    Integrator(
        "baraff-witkin-rk4", "Baraff-Witkin, Runge-Kutta", 4, 4,
        "The equations of ode() for one free body: the classical Runge-Kutta method on q, normalised after the step.",
        "Baraff & Witkin, rigid body simulation: state x, q, P, L through ode()", MOMENTUM,
        momentum.baraff_witkin_rk4,
    ),
    Integrator(
        "baraff-witkin-euler", "Baraff-Witkin, Euler", 1, 1,
        "The same by Euler's method: drifts to a spin about the smallest moment.",
        "Baraff & Witkin, rigid body simulation: state x, q, P, L through ode()", MOMENTUM,
        momentum.baraff_witkin_euler, order_under_load=1,
    ),
    Integrator(
        "buss", "Buss, second order", 2, 2,
        "Turns by the angular velocity of the middle of the step, by a series.",
        "Buss 2001, augmented second-order method; rigid-body lecture", MOMENTUM,
        momentum.buss,
    ),
    Integrator(
        "first-order", "First order", 1, 1,
        "Turns by the angular velocity of the beginning: drifts to a spin about the smallest moment.",
        "rigid-body lecture, first-order method; base loop of the paper", MOMENTUM,
        momentum.first_order, order_under_load=1, paper_loop=True,
    ),
    Integrator(
        "momentum-first", "Momentum first", 1, 2,
        "Two turns, about L and in the body, that are exact for a symmetric top; energy errs little.",
        "post on gyroscopic integrators, second recommendation", MOMENTUM,
        momentum.momentum_first, order_under_load=1,
    ),
    Integrator(
        "symmetric-top", "Symmetric top", 0, None,
        "Spin and precession at their steady rates: exact, for bodies with two equal moments only.",
        "post on gyroscopic integrators, the symmetric and the spherical top", ALL,
        momentum.symmetric_top, reversible=True, dense=True, refuses=_no_symmetric_top, constants=_top_constants,
    ),
    Integrator(
        "modified-jolt", "Modified Jolt", 1, 2,
        "A turn of L in the body that is right to the second order in energy; L in space wanders.",
        "post on gyroscopic integrators, first recommendation", SIZE,
        velocity.modified_jolt, order_under_load=1, in_space=False,
    ),
    Integrator(
        "modified-jolt-fast", "Modified Jolt, fast", 1, 2,
        "The same without sine or root: turns a little less, 4.7 % at 45 degrees a step.",
        "post on gyroscopic integrators, fast length-preserving rotation", SIZE,
        velocity.modified_jolt_fast, order_under_load=1, in_space=False,
    ),
    Integrator(
        "jolt", "Jolt", 1, 1,
        "An explicit step, then |L| put back: drifts to a spin about the middle axis, which no real body would keep.",
        "Jolt Physics; post on gyroscopic integrators", SIZE,
        velocity.jolt, order_under_load=1, in_space=False,
    ),
    Integrator(
        "jolt-rotation", "Jolt as a rotation", 1, 1,
        "Jolt's step written as a turn of L in the body, by theta where Jolt turns by atan theta.",
        "post on gyroscopic integrators, Jolt in rotation form", SIZE,
        velocity.jolt_rotation, order_under_load=1, in_space=False,
    ),
    Integrator(
        "naive-rotation", "Naive rotation", 1, 1,
        "L in the body turned by -h omega: gains energy up to a spin about the smallest moment.",
        "post on gyroscopic integrators", SIZE,
        velocity.naive_rotation, order_under_load=1, in_space=False,
    ),
    Integrator(
        "implicit", "Implicit (Lacoursière, ODE)", 1, 1,
        "Never gains energy and never blows up, yet |L| grows; ends as a spin about a principal axis.",
        "Lacoursière 2007; post on gyroscopic forces in ODE", (),
        velocity.implicit, order_under_load=1, in_space=False,
    ),
    Integrator(
        "implicit-torque", "Implicit, torque inside", 1, 1,
        "The implicit method with torque and friction inside its equation; torque-free the two are one.",
        "Lacoursière 2007, with torque; post on gyroscopic forces in ODE", (),
        velocity.implicit, order_under_load=1, in_space=False, loaded=velocity.implicit_torque,
    ),
    Integrator(
        "implicit-bullet", "Implicit (Bullet)", 1, 1,
        "One Newton step on the implicit equation: loses energy and momentum.",
        "Bullet Physics; Catto 2015", (),
        velocity.implicit_bullet, order_under_load=1, in_space=False, constants=_with_moments,
    ),
    Integrator(
        "no-gyroscopic", "No gyroscopic torque", None, None,
        "omega stays in the body, as in engines with the gyroscopic torque off: E and |L| are perfect, nothing flips.",
        "post on gyroscopic forces in ODE, gyroscope disabled", ("energy", "|L|"),
        velocity.no_gyroscopic, order_under_load=None, in_space=False, reversible=True,
    ),
    Integrator(
        "explicit-euler", "Explicit Euler", 1, 1,
        "Gains energy and momentum without bound: diverges sooner or later.",
        "post on gyroscopic integrators; post on gyroscopic forces in ODE", (),
        velocity.explicit_euler, order_under_load=1, in_space=False,
    ),
    Integrator(
        "explicit-capped", "Explicit Euler, capped", 1, 1,
        "Explicit Euler with |omega| held below 45 degrees a step (47 rad/s at 60 a second): stays finite.",
        "post on gyroscopic forces in ODE, a maximum threshold of the angular velocity", (),
        velocity.explicit_capped, order_under_load=1, in_space=False,
    ),
    Integrator(
        "averaged", "Explicit-implicit mean", 1, 3,
        "The mean of the explicit and the implicit step: energy errs little, |L| grows; ends about a principal axis.",
        "post on gyroscopic forces in ODE, averaging the two methods", (),
        velocity.averaged, order_under_load=1, in_space=False,
    ),
    Integrator(
        "alternating", "Explicit and implicit in turn", 1, 2,
        "Half a step explicit, half a step implicit: energy errs little, |L| grows; ends about a principal axis.",
        "post on gyroscopic forces in ODE, alternating between the two methods", (),
        velocity.alternating, order_under_load=1, in_space=False,
    ),
    Integrator(
        "matrix-euler", "Matrix, Euler", 1, 1,
        "Euler's method on the nine numbers of R, nothing put back: R and omega grow until it diverges.",
        "rigid-body lecture, numerical method; Baraff & Witkin, dR/dt = Star(omega) R", MOMENTUM,
        matrix.euler, matrix=True, torque_free_only=True,
    ),
    Integrator(
        "matrix-rk4", "Matrix, Runge-Kutta", 4, 4,
        "The classical Runge-Kutta method on the nine numbers of R, nothing put back: R shrinks, slowly at first.",
        "rigid-body lecture, numerical method; Baraff & Witkin, dR/dt = Star(omega) R", MOMENTUM,
        matrix.rk4, matrix=True, torque_free_only=True,
    ),
    Integrator(
        "matrix-backward-euler", "Matrix, backward Euler", 1, 1,
        "The implicit Euler method on the nine numbers of R, nothing put back: R shrinks, and omega with it.",
        "rigid-body lecture, numerical method; Baraff & Witkin, dR/dt = Star(omega) R", MOMENTUM,
        matrix.backward_euler, matrix=True, torque_free_only=True,
    ),
    Integrator(
        "matrix-euler-orthonormal", "Orthonormal matrix, Euler", 1, 1,
        "Euler's step, then the rotation nearest to R: drifts to a spin about the smallest moment.",
        "rigid-body lecture, numerical method; Baraff & Witkin, dR/dt = Star(omega) R", MOMENTUM,
        matrix.euler_orthonormal, order_under_load=1,
    ),
    Integrator(
        "matrix-rk4-orthonormal", "Orthonormal matrix, Runge-Kutta", 4, 4,
        "The Runge-Kutta step, then the rotation nearest to R: about as good as on the quaternion.",
        "rigid-body lecture, numerical method; Baraff & Witkin, dR/dt = Star(omega) R", MOMENTUM,
        matrix.rk4_orthonormal,
    ),
    Integrator(
        "matrix-backward-euler-orthonormal", "Orthonormal matrix, backward Euler", 1, 1,
        "The implicit Euler step, then the rotation nearest to R: loses energy, ends about the largest moment.",
        "rigid-body lecture, numerical method; Baraff & Witkin, dR/dt = Star(omega) R", MOMENTUM,
        matrix.backward_euler_orthonormal, order_under_load=1,
    ),
    Integrator(
        "exact", "Exact (closed form)", 0, None,
        "The closed form in t: no steps, no error that grows with them; torque-free or a symmetric top's only.",
        "Jacobi's elliptic functions, Carlson's integrals", ALL, torque_free_only=True, reversible=True, dense=True,
    ),
)  # fmt: skip


class _Integrators(dict[str, Integrator]):
    """The integrators by name. INTEGRATORS has a docstring of its own, which lists them for `help`."""

    def __repr__(self) -> str:
        return f"<{len(self)} integrators by name>"


INTEGRATORS = _Integrators((integrator.name, integrator) for integrator in _TABLE)
INTEGRATORS.__doc__ = "\n".join(f"{entry.name}: {entry.summary}" for entry in _TABLE)
