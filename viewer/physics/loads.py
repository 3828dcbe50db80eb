"""What acts on the body: its weight, a force at an arm, torques, thrusters, external and internal friction."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from math import hypot, isfinite, pi

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.common.errors import refusal, shown
from viewer.common.frozen import frozen
from viewer.physics.body import RigidBody
from viewer.physics.kernels.quaternion import Three
from viewer.physics.rotation import rotate, rotate_back
from viewer.physics.state import State, States
from viewer.physics.torque_of_time import (
    FRAMES,
    MOST_PIECES,
    MOST_THRUSTERS,
    Thruster,
    TorquePiece,
    known_frame,
    one,
    three,
)

__all__ = ["FRAMES", "Loads", "Thruster", "TorqueFunction", "TorquePiece"]

Array = NDArray[np.float64]
TorqueFunction = Callable[[float, State], ArrayLike]  # from the time [s] and the state to a torque (3,) [N m] in space
ForceFunction = Callable[[float, State], ArrayLike]  # from the time [s] and the state to a force (3,) [N] in space

NOTHING: Three = (0.0, 0.0, 0.0)


@frozen
class Loads:
    """What acts on a body: gravity, a force at an arm, torques, thrusters and friction.

    The force's torque about the centre of mass is r x F. If the body turns about a pivot, its torques are those about
    the pivot, arms and points begin there, and no force moves the body.

    Parameters
    ----------
    force : sequence of float, optional
        A force (3,) [N].
    arm : sequence of float, optional
        The point (3,) [m], fixed in the body, at which the force acts.
    external_friction : float, optional
        The coefficient k_f [N m s/rad] of the torque -k_f omega.
    internal_friction : float, optional
        The energy lost inside the body [J/s]; L in space does not change.
    frame, torque_frame : str, optional
        "space" or "body": where the force and the torque are fixed. A weight is fixed in space, a thrust in the body.
    torque : sequence of float, optional
        A torque (3,) [N m].
    torque_of_time : sequence of TorquePiece, optional
        Further torques, each at its own times.
    thrusters : sequence of Thruster, optional
        Thrusters, each at its own times.
    torque_function : callable, optional
        A function of the time [s] and the State that returns a further torque (3,) [N m] in space; it must depend on
        nothing else.
    force_function : callable, optional
        A function of the time [s] and the State that returns a force (3,) [N] in space on the centre of mass; that
        force does not turn the body, which must have no pivot.
    gravity : float, optional
        The acceleration g [m/s2] along -z in space: the body falls or, about a pivot, is turned by its weight.
    weight : float
        The weight [N] of the body on which the loads act, see `on`.
    centre_of_mass : sequence of float
        The centre of mass (3,) [m] of that body as seen from its pivot, in body axes; 0 without a pivot.

    Raises
    ------
    ValueError
        If a number is not finite, or a friction negative.

    Examples
    --------
    >>> from viewer import Loads, RigidBody, Simulation, State
    >>> body, start = RigidBody.sphere(1, 0.5), State((1, 0, 0, 0), (0, 0, 0))
    >>> simulation = Simulation(body, start, loads=Loads(torque=(0, 0, 0.2)))
    >>> simulation.advance(1.0)
    >>> simulation.angular_momentum_world.round(12)
    array([0. , 0. , 0.2])
    """

    force: Three = NOTHING
    arm: Three = NOTHING
    external_friction: float = 0.0
    internal_friction: float = 0.0
    frame: str = "space"
    torque: Three = NOTHING
    torque_frame: str = "space"
    torque_of_time: tuple[TorquePiece, ...] = ()
    thrusters: tuple[Thruster, ...] = ()
    torque_function: TorqueFunction | None = None
    force_function: ForceFunction | None = None
    gravity: float = 0.0
    weight: float = 0.0
    centre_of_mass: Three = NOTHING

    def __post_init__(self) -> None:
        for name in ("force", "arm", "torque"):
            object.__setattr__(self, name, three(f"loads.{name}", getattr(self, name)))
        for name in ("external_friction", "internal_friction", "gravity"):
            value = one(f"loads.{name}", getattr(self, name))
            if not (isfinite(value) and value >= 0.0):
                raise refusal(
                    "loads.{name}: {value:g} is not allowed; it must be finite and at least 0", name=name, value=value
                )
            object.__setattr__(self, name, value)
        for name in ("frame", "torque_frame"):
            known_frame(f"loads.{name}", getattr(self, name))
        for name, kind, most in (("torque_of_time", TorquePiece, MOST_PIECES), ("thrusters", Thruster, MOST_THRUSTERS)):
            given = getattr(self, name)
            parts = tuple(given) if isinstance(given, Iterable) else None
            if parts is None or len(parts) > most or not all(isinstance(part, kind) for part in parts):
                raise refusal(
                    "loads.{name}: {given} is not allowed; it must be a list of at most {most} {kind}s",
                    name=name,
                    given=shown(given),
                    most=most,
                    kind=kind.__name__,
                )
            object.__setattr__(self, name, parts)
        for name in ("torque_function", "force_function"):
            if (given := getattr(self, name)) is not None and not callable(given):
                raise refusal(
                    "loads.{name}: {given} is not allowed; it must be a function of the time and the state",
                    name=name,
                    given=shown(given),
                )

    @classmethod
    def of(cls, given: Loads | TorqueFunction | None) -> Loads:
        """Return the loads as given, loads that consist of a torque function, or no loads.

        Parameters
        ----------
        given : Loads or callable or None
            Loads, or a torque function.
        """
        if isinstance(given, Loads):
            return given
        return cls() if given is None else cls(torque_function=given)

    def on(self, body: RigidBody) -> Loads:
        """Return the loads as they act on a body: with its weight, and held at its pivot if it has one.

        Parameters
        ----------
        body : RigidBody
            The body.

        Raises
        ------
        ValueError
            If there is a force function, and the body has a pivot.
        """
        weight, (x, y, z) = body.mass * self.gravity, body.centre_of_mass.tolist()
        if (weight, (x, y, z)) == (self.weight, self.centre_of_mass):
            return self
        if self.force_function is not None and any((x, y, z)):
            raise refusal("loads.force_function: is not allowed for a body about a pivot; a torque function is")
        return replace(self, weight=weight, centre_of_mass=(x, y, z))

    @property
    def held(self) -> bool:
        """Whether the body turns about a pivot, so that no force moves it."""
        return any(self.centre_of_mass)

    @property
    def only_weight(self) -> bool:
        """Whether the body's weight turns it about a pivot, and nothing else disturbs its rotation."""
        return self.held and self.weight > 0.0 and replace(self, gravity=0.0, weight=0.0).free

    @property
    def steady_push(self) -> Three:
        """The constant force (3,) [N] in space that moves the centre of mass; 0 for a body about a pivot."""
        if self.held:
            return NOTHING
        x, y, z = NOTHING if self.frame == "body" else self.force
        return x, y, z - self.weight

    @property
    def turns(self) -> bool:
        """Whether an external torque acts at any time."""
        steady = (any(self.force) and any(self.arm)) or any(self.torque) or (self.held and self.weight > 0.0)
        in_time = any(any(part.amplitude) for part in self.torque_of_time)
        return steady or in_time or any(any(t.torque) for t in self.thrusters) or self.torque_function is not None

    @property
    def changes_momentum(self) -> bool:
        """Whether L changes in space: an external torque or external friction acts."""
        return self.turns or self.external_friction > 0.0

    @property
    def varies(self) -> bool:
        """Whether any of the loads changes with time or is a function."""
        return (
            self.torque_function is not None
            or self.force_function is not None
            or any(any(part.amplitude) for part in self.torque_of_time)
            or any(any(part.force) for part in self.thrusters)
        )

    @property
    def pushes(self) -> bool:
        """Whether a force acts on the centre of mass at any time."""
        by_number = any(self.force) or any(any(part.force) for part in self.thrusters) or self.weight > 0.0
        return not self.held and (by_number or self.force_function is not None)

    @property
    def free(self) -> bool:
        """Whether nothing disturbs the rotation: no torque, friction, thruster or function of the user's acts."""
        return not (self.turns or self.varies or self.external_friction or self.internal_friction)

    def force_at(self, time: float, state: State) -> Array:
        """Return the external force on the body, in space, without that of a pivot.

        Parameters
        ----------
        time : float
            The time [s].
        state : State
            The state at that time.

        Returns
        -------
        ndarray
            The force (3,) [N].
        """
        force, in_body = np.array(self.force), np.zeros(3)
        if self.frame == "body":
            force, in_body = in_body, force
        for thruster in self.thrusters:
            in_body = in_body + np.array(thruster.force) * thruster.is_on(time)
        if self.force_function is not None:
            force = force + self.function_at(time, state, "force_function")
        return force + rotate(state.orientation_wxyz, in_body) - (0.0, 0.0, self.weight)

    def potential_energy(self, orientation_wxyz: ArrayLike, position: ArrayLike) -> Array:
        """Return the potential energy of the weight, which is 0 with the centre of mass at height 0.

        Parameters
        ----------
        orientation_wxyz : array_like
            Orientations (..., 4) of the body.
        position : array_like
            Positions (..., 3) [m] of its pivot or, without one, of its centre of mass.

        Returns
        -------
        ndarray
            The energies (...) [J].
        """
        above = rotate(orientation_wxyz, np.array(self.centre_of_mass)) if self.held else np.zeros(3)
        return np.asarray(self.weight * (above[..., 2] + np.asarray(position)[..., 2]))

    def torque_at(self, time: float, state: State) -> Array:
        """Return the external torque about the pivot or the centre of mass, in space, not counting friction.

        Parameters
        ----------
        time : float
            The time [s].
        state : State
            The state at that time.

        Returns
        -------
        ndarray
            The torque (3,) [N m].
        """
        if not self.turns:
            return np.zeros(3)
        found = self._torque(state.orientation_wxyz, *self.mean_torques(time, time))
        return np.asarray(found + self.function_at(time, state) if self.torque_function is not None else found)

    def torques_at(self, states: States) -> Array:
        """Return dL/dt in N states: the external torques in space, with external friction.

        Parameters
        ----------
        states : States
            The states, with positions and linear momenta.

        Returns
        -------
        ndarray
            The torques (N, 3) [N m].
        """
        q, omega = states.orientation_wxyz, states.omega_body
        times = states.time.tolist() if self.varies else [0.0]
        at_times = [self.mean_torques(time, time) for time in times]
        in_space, in_body = (np.array(part) for part in zip(*at_times, strict=True))
        found = self._torque(q, in_space, in_body) - self.external_friction * rotate(q, omega)
        if self.torque_function is not None:
            assert states.position is not None
            assert states.linear_momentum is not None
            each = zip(times, q, omega, states.position, states.linear_momentum, strict=True)
            found = found + np.array([self.function_at(time, State(*state)) for time, *state in each])
        return found

    def torque_round_off(self, time: float) -> float:
        """Return the round-off that `torque_at` may have, not counting that of the torque function.

        The round-off of a sine grows with time.

        Parameters
        ----------
        time : float
            The time [s].

        Returns
        -------
        float
            The round-off [N m].
        """
        sizes = [hypot(*self.arm) * hypot(*self.force), hypot(*self.torque), hypot(*self.centre_of_mass) * self.weight]
        sizes += [hypot(*part.point) * hypot(*part.force) for part in self.thrusters]
        for piece in self.torque_of_time:
            phase = 2.0 * pi * piece.frequency * abs(time) if piece.kind == "sine" else 0.0
            sizes.append(hypot(*piece.amplitude) * (1.0 + phase))
        return 8.0 * float(np.finfo(np.float64).eps) * sum(sizes)

    def friction_at(self, state: State) -> Array:
        """Return the torque -k_f omega of the external friction, in space.

        Parameters
        ----------
        state : State
            The state.

        Returns
        -------
        ndarray
            The torque (3,) [N m].
        """
        if self.external_friction == 0.0:
            return np.zeros(3)
        return -self.external_friction * rotate(state.orientation_wxyz, state.omega_body)

    def function_at(self, time: float, state: State, name: str = "torque_function") -> Array:
        """Return the torque or the force that the torque function or the force function returns.

        Parameters
        ----------
        time : float
            The time [s].
        state : State
            The state at that time.
        name : str, optional
            "torque_function" or "force_function".

        Returns
        -------
        ndarray
            The vector (3,) in space.

        Raises
        ------
        ValueError
            If the function does not return three finite numbers.
        """
        given = getattr(self, name)(time, state)
        try:
            vector = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            vector = np.empty(0)
        if vector.shape != (3,) or not np.isfinite(vector).all():
            raise refusal(
                "loads.{name}: {given} at t = {time:.6g} s is not allowed; it must give a vector in space, three finite"
                " numbers",
                name=name,
                given=shown(given),
                time=time,
            )
        return vector

    def _torque(self, q: Array, in_space: ArrayLike, in_body: ArrayLike) -> Array:
        """Return the sum of r x F, of the weight's torque and of given torques, in space, at orientations q (..., 4).

        `in_space` and `in_body` are the torques that are fixed in space and in the body.
        """
        force = np.array(self.force)
        at_arm = np.cross(self.arm, force if self.frame == "body" else rotate_back(q, force))
        found = rotate(q, at_arm + np.asarray(in_body)) + np.asarray(in_space)
        if self.held:
            found = found + np.cross(rotate(q, np.array(self.centre_of_mass)), (0.0, 0.0, -self.weight))
        return np.asarray(found)

    def edges(self, first: float, last: float) -> list[float]:
        """Return the times at which a torque or a thruster begins or ends.

        Parameters
        ----------
        first, last : float
            The times [s] between which these times are looked for.

        Returns
        -------
        list of float
            The times [s], ascending.
        """
        parts: tuple[TorquePiece | Thruster, ...] = (*self.torque_of_time, *self.thrusters)
        return sorted({edge for part in parts for edge in part.edges(first, last)})

    def mean_torques(self, first: float, last: float) -> tuple[Three, Three]:
        """Return the mean of the given torques and of the thrusters' torques, without force, functions and friction.

        Parameters
        ----------
        first, last : float
            The times [s] between which the mean is taken, in either order.

        Returns
        -------
        tuple of tuple of float
            The sum of the torques that are fixed in space, and of those that are fixed in the body, (3,) [N m] each.
        """
        (sx, sy, sz), (bx, by, bz) = (NOTHING, self.torque) if self.torque_frame == "body" else (self.torque, NOTHING)
        for piece in self.torque_of_time:
            k, (x, y, z) = piece.mean(first, last), piece.amplitude
            if piece.frame == "body":
                bx, by, bz = bx + k * x, by + k * y, bz + k * z
            else:
                sx, sy, sz = sx + k * x, sy + k * y, sz + k * z
        for thruster in self.thrusters:
            k, (x, y, z) = thruster.mean(first, last), thruster.torque
            bx, by, bz = bx + k * x, by + k * y, bz + k * z
        return (sx, sy, sz), (bx, by, bz)
