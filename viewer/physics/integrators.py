"""The table of integrators: each with its order, its source, what it conserves and its one-step function."""

from collections.abc import Callable
from dataclasses import dataclass

from viewer.physics import kernels
from viewer.physics.drift_series import CD_TERMS, CS_TERMS, coefficients
from viewer.physics.kernels import Constants, Seven, Three

Step = Callable[..., Seven]

DRIFT_ANGLE = 0.3  # rad that one series of the exact drift may turn; its error in orientation there is 2e-12
SLENDER = 500.0  # ratio of the moments above which it reaches less far


@dataclass(frozen=True)
class Integrator:
    """One method.

    order: of the torque-free motion in the step h (of the orientation); 0 stands for no error of truncation at all.
    order_under_load: with a torque or friction, as kick, drift, kick.
    conserves: of "energy", "momentum size", "momentum", what the torque-free motion keeps to round-off.
    torque_free_only: takes no loads. reversible: a step back undoes a step, to round-off.
    keeps_momentum: "space" or "body", the frame of the angular momentum in the kernel's state.
    step, constants: the kernel, and what it wants to know of the body, from J = 1/I; both None for the closed form.
    """

    name: str
    label: str
    order: int
    summary: str
    source: str
    conserves: tuple[str, ...]
    order_under_load: int = 2
    torque_free_only: bool = False
    reversible: bool = False
    keeps_momentum: str = "space"
    step: Step | None = None
    constants: Callable[[Three], Constants] | None = None


def _plain_constants(j: Three) -> Constants:
    return j


def _split_constants(j: Three) -> Constants:
    a, b, c = sorted(range(3), key=lambda k: j[k])  # by falling moment
    handedness = 1.0 if (b - a) % 3 == 1 else -1.0
    return float(a), float(b), float(c), handedness, j[a] - j[b], j[b], j[c] - j[b]


def _drift_constants(j: Three) -> Constants:
    low, middle, high = sorted(j)
    nutation = (
        (middle - low) * (high - low) / (low * low)
    )  # (rate of L_b / |omega|)^2; at most 1 where I_max <= I + I
    reach = DRIFT_ANGLE**2 / max(1.0, nutation, high / low / SLENDER)
    return (
        *j,
        *(j[2] - j[1], j[0] - j[2], j[1] - j[0]),
        *(low + high, low * high, high * high, reach),
        *coefficients(CS_TERMS, j),
        *coefficients(CD_TERMS, j),
    )


INTEGRATORS: dict[str, Integrator] = {
    integrator.name: integrator
    for integrator in (
        Integrator(
            "exact-drift",
            "Exact drift",
            10,
            "The torque-free motion itself, to round-off at any step; under load kick, drift, kick.",
            "addition theorem of Jacobi's functions; Moser & Veselov 1991 with corrected moments",
            ("energy", "momentum size", "momentum"),
            reversible=True,
            step=kernels.exact_drift,
            constants=_drift_constants,
        ),
        Integrator(
            "split",
            "Split rotations",
            2,
            "Three turns about two body axes, then one about L: symplectic, its energy error stays bounded.",
            "McLachlan 1993; Touma & Wisdom 1994; Celledoni, Fassò, Säfström & Zanna 2008",
            ("momentum size", "momentum"),
            reversible=True,
            step=kernels.split,
            constants=_split_constants,
        ),
        Integrator(
            "first-order",
            "First order",
            1,
            "Turns by the angular velocity of the beginning: drifts to a spin about the smallest moment.",
            "rigid-body lecture, first-order method; base loop of the paper",
            ("momentum size", "momentum"),
            order_under_load=1,
            step=kernels.first_order,
            constants=_plain_constants,
        ),
        Integrator(
            "exact",
            "Exact (closed form)",
            0,
            "The closed form in t: no steps, no error that grows with them; torque-free only.",
            "Jacobi's elliptic functions, Carlson's integrals",
            ("energy", "momentum size", "momentum"),
            torque_free_only=True,
            reversible=True,
        ),
    )
}
