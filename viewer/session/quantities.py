"""The plotted quantities, one entry each; plots, their legend and their exports are made from this table."""

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.common.language import marked
from viewer.physics.errors import Circling, angle_between, turn_between
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.exact.lagrange_top import LagrangeTop
from viewer.physics.kept import Kept, KeptErrors
from viewer.physics.kovalevskaya import kovalevskaya_rate
from viewer.physics.loads import Loads
from viewer.physics.rotation import rotate
from viewer.physics.state import Samples, States
from viewer.session.checkpoints import Segment

Array = NDArray[np.float64]

STILL = 1e-9  # of |omega|: a shorter piece of the polhode says nothing about slipping


@frozen
class Comparison:
    """N samples of a motion, and what they are compared with.

    The first sample may serve only for the difference to the second. `exact` is the exact motion and the time [s] at
    which it began, or None if it is not known. `kept_momentum` is the conserved L (3,) in space, which only a pulse
    changes, or None if a torque acts. `gradient` says that the stabilisation is the gradient method. `before` has the
    counts of flips and phase before these samples. `sure` says that the motion has no errors that matter (see
    `Circling.after`). `kept` is what the weight alone keeps of a body about a pivot, or None if it does not act alone.
    """

    samples: Samples
    exact: tuple[FreeRotation | LagrangeTop, float] | None
    kept_momentum: Array | None
    loads: Loads
    gradient: bool = False
    before: Circling = Circling()
    sure: bool = False
    kept: Kept | None = None

    @classmethod
    def of(cls, samples: Samples, segment: Segment, before: Circling) -> "Comparison":
        """Return the comparison of samples of a segment."""
        made = segment.simulation
        gradient = made.stabilisation == "gradient"
        momentum = segment.kept_momentum
        return cls(samples, segment.exact, momentum, made.loads, gradient, before, made.dense, made.kept)

    @cached_property
    def counts(self) -> NDArray[np.void] | None:
        """The counts of flips and phase after each sample, (N,) of dtype COUNTS; None without an exact free motion."""
        if self.reference is None or self.exact is None or isinstance(self.exact[0], LagrangeTop):
            return None
        exact, samples = self.exact[0], self.samples
        there = exact.phase(self.reference.omega_body)
        return self.before.after(exact, samples.body, samples.states, there, 0.0, self.sure)

    @cached_property
    def reference(self) -> States | None:
        """The exact motion at the times of the samples; None if it is not known."""
        return self.exact[0].at(self.samples.time - self.exact[1]) if self.exact else None

    @cached_property
    def kept_errors(self) -> KeptErrors | None:
        """The errors of what the weight alone keeps; None if it does not act alone."""
        return None if self.kept is None else self.kept.errors(self.samples.states)

    @cached_property
    def external_torque(self) -> Array | None:
        """The torque (N, 3) [N m] in space that changes L; None if there is none."""
        if not self.loads.changes_momentum:
            return None
        rows = self.samples.rows
        return self.loads.torques_at(
            States(
                self.samples.time, self.samples.orientation_wxyz, self.samples.omega_body,
                rows["position"], rows["linear_momentum"],
            )
        )  # fmt: skip


@frozen
class Pane:
    """A plot; `width` is relative to that of the others.

    If `error` is true, its magnitudes can be shown on a logarithmic scale. The plot is shown only if the centre of mass
    moves (`moving`), if an external torque acts (`turned`), of a symmetric top (`top`), or beside a recording
    (`recorded`). In a race of a top it is shown unless `free` is true, in other races unless it is false.
    """

    name: str
    label: str
    unit: str
    error: bool = False
    width: float = 1.0
    moving: bool = False
    turned: bool = False
    recorded: bool = False
    free: bool | None = None
    top: bool = False
    meaning: str = ""


@frozen
class Quantity:
    """A curve of a plot; `of` is the function that returns its values (N,), or None if there are none.

    `color` names a colour of the theme; "axes.0" is that of the body axis x', "text" is plain.
    """

    name: str
    label: str
    unit: str
    pane: str
    color: str
    meaning: str
    of: Callable[[Comparison], Array | None]


def _relative(value: Array, target: Array) -> Array:
    """Return (value - target) / target, which is 0 where both are 0."""
    return np.asarray((value - target) / np.where(target == 0.0, 1.0, target))


def _orientation(comparison: Comparison) -> Array | None:
    if comparison.reference is None:
        return None
    return turn_between(comparison.reference.orientation_wxyz, comparison.samples.orientation_wxyz)


def _phase(comparison: Comparison) -> Array | None:
    return None if comparison.counts is None else comparison.counts["ahead"]


def _gap(comparison: Comparison) -> Array | None:
    """Return (omega.Lhat - 2E/|L|) |L|/2E: the relative distance of omega's tip from the invariable plane."""
    if comparison.reference is None or comparison.kept_momentum is None or not comparison.kept_momentum.any():
        return None
    size = float(np.linalg.norm(comparison.kept_momentum))
    height = comparison.samples.omega_world @ (comparison.kept_momentum / size)
    return _relative(height, 2.0 * comparison.samples.target_energy / size)


def _tangency(comparison: Comparison) -> Array | None:
    """Return the angle at omega's tip between the plane's normal and the ellipsoid's, which is along I omega = L."""
    return None if comparison.reference is None else _direction(comparison)


def _direction(comparison: Comparison) -> Array | None:
    """Return the angle by which the integrator has turned L in space; None if a torque turns L, too."""
    if comparison.kept_momentum is None:
        return None
    return angle_between(comparison.samples.angular_momentum_world, comparison.kept_momentum)


def _slip(comparison: Comparison) -> Array | None:
    """Return by how much the herpolhode's arc since the last sample exceeds the polhode's, relative to the polhode's.

    The arcs are chords. Those of the exact motion differ, too, if the samples are far apart; this difference is
    subtracted.
    """
    if comparison.reference is None:
        return None
    samples, reference = comparison.samples, comparison.reference
    in_space = rotate(reference.orientation_wxyz, reference.omega_body)
    mine = _arcs(samples.omega_world) - _arcs(samples.omega_body)
    theirs = _arcs(in_space) - _arcs(reference.omega_body)
    length = _arcs(reference.omega_body)
    enough = length > STILL * np.linalg.norm(reference.omega_body, axis=1)
    return np.where(enough, (mine - theirs) / np.where(enough, length, 1.0), 0.0)


def _arcs(path: Array) -> Array:
    """Return the length of the piece of a path (N, 3) that ends at each point, (N,); the first is 0."""
    return np.concatenate(([0.0], np.linalg.norm(np.diff(path, axis=0), axis=1)))


def _rate(axis: int) -> Callable[[Comparison], Array]:
    return lambda comparison: comparison.samples.omega_body[:, axis]


def _total_energy(comparison: Comparison) -> Array | None:
    """Return the energy of rotation, translation and weight; None without weight."""
    samples, loads = comparison.samples, comparison.loads
    if not loads.weight:
        return None
    height = loads.potential_energy(samples.orientation_wxyz, samples.rows["position"])
    return samples.energy + samples.translational_energy + height


def _vertical_momentum(comparison: Comparison) -> Array | None:
    """Return the component of L along the vertical; None without weight."""
    return comparison.samples.angular_momentum_world[:, 2] if comparison.loads.weight else None


def _axial_momentum(comparison: Comparison) -> Array | None:
    """Return the component of L along the axis of a symmetric top; None for other bodies and without weight."""
    body = comparison.samples.body
    axis = body.top_axis if comparison.loads.weight else None
    return None if axis is None else body.principal_moments[axis] * comparison.samples.omega_body[:, axis]


def _energy_error(comparison: Comparison) -> Array | None:
    """Return the error of E; None for a body that its weight turns, of which E + V is constant in its place."""
    samples = comparison.samples
    return _relative(samples.energy, samples.target_energy) if comparison.kept is None else None


def _momentum_error(comparison: Comparison) -> Array | None:
    """Return the error of |L|; None for a body that its weight turns, whose |L| has no target."""
    samples = comparison.samples
    return _relative(samples.angular_momentum_norm, samples.target_momentum) if comparison.kept is None else None


def _external_torque(axis: int) -> Callable[[Comparison], Array | None]:
    def values(comparison: Comparison) -> Array | None:
        torque = comparison.external_torque
        return None if torque is None else torque[:, axis]

    return values


PANES: dict[str, Pane] = {
    pane.name: pane
    for pane in (
        Pane("energy", "Energy", "J"),
        Pane("momentum", "|L|", "kg m²/s"),
        Pane("velocity", "ω in the body", "rad/s"),
        Pane("errors", "Errors", "", error=True, width=1.7),
        Pane("rolling", "Rolling", "", error=True),
        Pane("torque", "External torque", "N m", turned=True),
        Pane("linear_momentum", "|P|", "kg m/s", moving=True),
        Pane("translation", "Translation", "J", moving=True),
        Pane("potential", "Potential", "J", top=True, meaning=marked(
            "Effective potential over the inclination of a top's axis in degrees, and the energy as a line; dragging"
            " the dot begins the motion anew with the axis there"
        )),
    )
}  # fmt: skip

QUANTITIES: dict[str, Quantity] = {
    quantity.name: quantity
    for quantity in (
        Quantity(
            "target_energy", "target", "J", "energy", "text", "the energy that start and loads since then give",
            lambda c: c.samples.target_energy,
        ),
        Quantity("energy", "E", "J", "energy", "polhode", "rotational energy", lambda c: c.samples.energy),
        Quantity(
            "total_energy", "E + V", "J", "energy", "axes.1",
            "with the weight's potential energy; constant under the weight alone, which changes E", _total_energy,
        ),
        Quantity(
            "target_momentum", "target", "kg m²/s", "momentum", "text", "the |L| that start and loads since then give",
            lambda c: c.samples.target_momentum,
        ),
        Quantity(
            "momentum", "|L|", "kg m²/s", "momentum", "angular_momentum", "magnitude of the angular momentum",
            lambda c: c.samples.angular_momentum_norm,
        ),
        Quantity(
            "vertical_momentum", "L z", "kg m²/s", "momentum", "axes.1",
            "component of L along the vertical; constant under the weight alone", _vertical_momentum,
        ),
        Quantity(
            "axial_momentum", "L axis", "kg m²/s", "momentum", "axes.2",
            "component of L along the axis of a symmetric top; constant under the weight alone", _axial_momentum,
        ),
        Quantity("omega_x", "ω x′", "rad/s", "velocity", "axes.0", "angular velocity about the body axis x′", _rate(0)),
        Quantity("omega_y", "ω y′", "rad/s", "velocity", "axes.1", "angular velocity about the body axis y′", _rate(1)),
        Quantity("omega_z", "ω z′", "rad/s", "velocity", "axes.2", "angular velocity about the body axis z′", _rate(2)),
        Quantity(
            "kovalevskaya", "κ", "rad/s", "velocity", "text",
            "fourth root of Kovalevskaya's integral; constant under the weight alone, if the moments are as 2 to 2 to 1"
            " about the pivot, and the centre of mass lies across the axis of the 1",
            lambda c: kovalevskaya_rate(c.samples.body, c.loads, c.samples.states),
        ),
        Quantity(
            "energy_error", "E", "1", "errors", "polhode", "(E - target) / target", _energy_error,
        ),
        Quantity(
            "total_energy_error", "E + V", "1", "errors", "polhode",
            "error of E + V, under the weight alone, over the largest E that it allows",
            lambda c: None if c.kept_errors is None else c.kept_errors.energy,
        ),
        Quantity(
            "momentum_error", "|L|", "1", "errors", "angular_momentum", "(|L| - target) / target", _momentum_error,
        ),
        Quantity(
            "vertical_error", "L z", "1", "errors", "axes.1",
            "error of L along the vertical, under the weight alone, over the largest |L| that E + V allows",
            lambda c: None if c.kept_errors is None else c.kept_errors.vertical,
        ),
        Quantity(
            "axial_error", "L axis", "1", "errors", "axes.0",
            "error of L along the axis of a symmetric top, over the largest |L| that E + V allows",
            lambda c: None if c.kept_errors is None else c.kept_errors.axial,
        ),
        Quantity(
            "momentum_direction", "L dir.", "rad", "errors", "herpolhode",
            "angle by which L has turned in space since the start or the last push; none where a torque turns it",
            _direction,
        ),
        Quantity(
            "phase_error", "phase", "rad", "errors", "angular_velocity",
            "how far the motion runs ahead along the polhode; 2π is a period", _phase,
        ),
        Quantity(
            "orientation_error", "turn", "rad", "errors", "shell",
            "angle of the turn from the exact orientation", _orientation,
        ),
        Quantity(
            "orthogonality_error", "orth.", "1", "errors", "text",
            "how far the integrator's matrix R is from a rotation: the norm of R^T R - 1",
            lambda c: c.samples.orthogonality_error,
        ),
        Quantity(
            "correction", "correction", "rad", "errors", "body",
            "the turn with which the stabilisation corrects the next step", lambda c: c.samples.correction,
        ),
        Quantity(
            "corrector", "fraction", "1", "errors", "axes.2",
            "i_c: the fraction of the energy's error that the last step took back; only with the gradient method",
            lambda c: c.samples.gradient_fraction if c.gradient else None,
        ),
        Quantity(
            "rolling_gap", "gap", "1", "rolling", "shell",
            "how far the tip of ω is off the invariable plane, of the plane's distance; 0 in the exact motion",
            _gap,
        ),
        Quantity(
            "rolling_tangency", "tangency", "rad", "rolling", "angular_momentum",
            "angle between ellipsoid and plane where they touch; 0 in the exact motion", _tangency,
        ),
        Quantity(
            "rolling_slip", "slip", "1", "rolling", "herpolhode",
            "herpolhode longer than polhode, since the row before, of its length; 0 in the exact motion",
            _slip,
        ),
        *(
            Quantity(
                f"torque_{name}", f"T {name}", "N m", "torque", f"axes.{axis}",
                f"external torque about the space axis {name}, with that of external friction",
                _external_torque(axis),
            )
            for axis, name in enumerate("xyz")
        ),
        Quantity(
            "linear_momentum", "|P|", "kg m/s", "linear_momentum", "angular_momentum",
            "magnitude of the linear momentum of the centre of mass", lambda c: c.samples.linear_momentum_norm,
        ),
        Quantity(
            "translational_energy", "½ M v²", "J", "translation", "polhode", "kinetic energy of the centre of mass",
            lambda c: c.samples.translational_energy,
        ),
    )
}  # fmt: skip
