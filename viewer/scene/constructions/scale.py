"""Both constructions in the scene: the factors from rad/s and kg m2/s to metres, and the room that they take.

Everything here follows from the snapshot alone, so that a picture depends on nothing but what it shows. The factor from
rad/s makes the ellipsoid just hold the body; if loads change the energy, the factor changes too, and with it the
plane's ruling.
"""

import math
from dataclasses import replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.physics.poinsot import construction
from viewer.physics.poinsot.construction import Curves
from viewer.physics.solids.inertia import THandle
from viewer.physics.state import at_rest
from viewer.scenario.sections.body import Body
from viewer.scenario.sections.picture import View
from viewer.scene.camera.sweep import Sweep
from viewer.scene.constructions.solids import SolidSize, size_of_mesh
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

BODY_FRACTION = 0.93  # distance of the body's furthest point over the ellipsoid's in that direction
ARROW_REACH = 1.32  # length of L's arrow over the plane's distance
# the ellipsoid grows with this power of |L|: a body that is spun up is seen to be, and the ellipsoid still fits
GROWTH = 1 / 3
STUB_REACH = 1.12  # 1 plus the length of a body axis outside, over the construction's radius
ROOM = 1.02  # around the ellipsoid
POLHODE_POINTS = 16  # that determine the figure it fills: among them those where it stands highest and lowest
MOMENTUM_REACH = 1.7  # of the sphere's radius: the ellipsoid in momentum space is drawn up to this distance
MOMENTUM_SEEN = 0.8  # of that: from here on it fades
FORCE_REACH, TORQUE_REACH = 0.8, 1.4  # lengths, over the body's radius R, of the arrows of m R 1/s2 and m R2 1/s2
MOMENTUM_LOADS = 0.6  # of the sphere's radius in momentum space: the body's radius in the scale of the loads
LARGEST = 30.0  # times: a construction that an integrator blows up is drawn larger by this at most
FURTHEST = 1e4  # times the construction's size: no arrow is longer, wherever an integrator drives omega
LOAD_GROWTH = 1 / 3  # the arrow grows with this power of a force or torque, so that small and large ones can be read


@frozen
class Construction:
    """Lengths in metres of the scene; directions in world coordinates.

    Attributes
    ----------
    scale
        Metres per rad/s.
    semi_axes
        Those of the ellipsoid, (3,).
    momentum_axis
        The unit vector of L, (3,).
    plane_distance
        The distance of the invariable plane from the origin.
    arrow
        The length of L's arrow.
    radius
        The largest distance of ellipsoid and body from L while the body turns.
    sweep
        The figure that the ellipsoid then fills.
    moving
        Whether the body turns, and there is an ellipsoid.
    holds_body
        Whether the whole body lies inside the ellipsoid.
    solid
        The solid that is drawn, as `solid_of` returns it.
    """

    scale: float
    semi_axes: Array
    momentum_axis: Array
    plane_distance: float
    arrow: float
    radius: float
    sweep: Sweep
    moving: bool
    holds_body: bool
    solid: SolidSize

    @property
    def stub_length(self) -> float:
        """The length of the body axes beyond ellipsoid and body, m."""
        return (STUB_REACH - 1.0) * self.radius

    @cached_property
    def axis_ends(self) -> Array:
        """The distances (3,) [m] from the origin up to which the body axes are drawn."""
        return np.maximum(self.semi_axes, self.solid.reach) + self.stub_length


@frozen
class MomentumSpace:
    """Momentum space (Binet, the paper's Fig. 3): lengths in metres of the scene.

    `scale` is in metres per kg m2/s. `radius` is that of the sphere, and `semi_axes` (3,) are those of the ellipsoid.
    `reach` is the largest distance of both surfaces from the origin. `moving` tells whether the body turns, and there
    is something to draw.
    """

    scale: float
    radius: float
    semi_axes: Array
    reach: float
    moving: bool

    @property
    def outer(self) -> Array:
        """How far the surfaces reach along each body axis, (3,); without the ellipsoid if it is too long."""
        seen = self.semi_axes <= MOMENTUM_SEEN * MOMENTUM_REACH * self.radius
        return np.where(seen, np.maximum(self.semi_axes, self.radius), self.radius)

    @property
    def stub_length(self) -> float:
        """The length of the body axes beyond the surfaces."""
        return 1.5 * (STUB_REACH - 1.0) * self.reach


def solid_of(snapshot: Snapshot) -> SolidSize:
    """Return the solid to draw, in metres.

    Raw moments are shown as the ellipsoid that has them.
    """
    body: Body = snapshot.shape
    if snapshot.body.mesh is not None:
        return size_of_mesh(snapshot.body.mesh)
    if body.shape == "cylinder":
        return SolidSize("cylinder", np.array([body.radius, body.radius, 0.5 * body.height]))
    if body.shape == "sphere":
        return SolidSize("ellipsoid", np.full(3, body.radius))
    if body.shape == "t-handle":
        sizes = 0.5 * np.array([body.width, body.thickness, body.height])
        return SolidSize("t-handle", sizes, THandle(body.width, body.height, body.thickness).bar)
    if body.shape not in ("box", "ellipsoid"):
        return SolidSize("ellipsoid", snapshot.body.half_axes)
    return SolidSize(body.shape, 0.5 * np.array([body.width, body.depth, body.height]))


def construct(snapshot: Snapshot, vector_scale: float, held_scale: tuple[float, float] | None = None) -> Construction:
    """Return the construction of a snapshot.

    `vector_scale` sets the size of the ellipsoid, which at 1 just holds the body. `held_scale` is as in Presentation.
    """
    moments = np.asarray(snapshot.body.principal_moments, dtype=np.float64)
    solid = solid_of(snapshot)
    momentum, start = snapshot.reading.angular_momentum_world, snapshot.start_angular_momentum_world
    length, start_length = float(np.linalg.norm(momentum)), float(np.linalg.norm(start))
    energy = snapshot.reading.target_energy
    if length == 0.0 or at_rest(energy, snapshot.reading.target_momentum):
        up = start / start_length if start_length > 0.0 else np.array([0.0, 0.0, 1.0])
        still = Sweep(np.full(3, solid.radius**2), np.array([[0.0, 0.0, 1.0]]))
        return Construction(1.0, np.zeros(3), up, 0.0, 0.0, solid.radius, still, False, False, solid)

    size = vector_scale / BODY_FRACTION
    if start_length > 0.0:
        size *= (snapshot.reading.target_momentum / start_length) ** GROWTH
    scale = size * math.sqrt(solid.furthest(moments) / (2.0 * energy))
    if held_scale is not None:
        factor = (held_scale[0] / scale) ** (1.0 - held_scale[1])
        size, scale = factor * size, factor * scale
    semi_axes = scale * construction.ellipsoid_semi_axes(moments, energy)
    distance = scale * construction.plane_distance(energy, snapshot.reading.target_momentum)
    swept = _swept(snapshot.curves, tuple(moments.tolist()), tuple(semi_axes.tolist()))
    radius = max(ROOM * swept.radius, solid.radius)
    if size < 1.0:  # the body sticks out of the ellipsoid, but not of one larger by this factor
        swept = _swept(snapshot.curves, tuple(moments.tolist()), tuple((semi_axes / size).tolist()))
    arrow = ARROW_REACH * distance
    return Construction(scale, semi_axes, momentum / length, distance, arrow, radius, swept, True, size >= 1.0, solid)


@lru_cache(maxsize=64)  # a free motion has the same curves, and so the same figure, in all its pictures
def _swept(curves: Curves, moments: tuple[float, ...], semi_axes: tuple[float, ...]) -> Sweep:
    """Return the figure that an ellipsoid fills while L runs along the polhode of these curves."""
    polhode = curves.polhode[:: max(1, len(curves.polhode) // POLHODE_POINTS)]
    along = (polhode * moments) ** 2
    return Sweep(np.array(semi_axes) ** 2, along / np.sum(along, axis=1, keepdims=True))


def grown(built: Construction, snapshot: Snapshot) -> Construction:
    """Return the construction at the energy and |L| that the integrator has computed, in the scale of `construct`.

    No length grows by more than LARGEST times: by then it has long left the picture.
    """
    reading = snapshot.reading
    if not built.moving or not reading.energy > 0.0:
        return built
    energy = min(reading.energy / reading.target_energy, LARGEST**2)
    momentum = min(float(np.linalg.norm(reading.angular_momentum_world)) / reading.target_momentum, LARGEST)
    return replace(
        built,
        semi_axes=math.sqrt(energy) * built.semi_axes,
        plane_distance=min(energy / momentum, LARGEST) * built.plane_distance,
        arrow=momentum * built.arrow,
    )


def momentum_space(snapshot: Snapshot, built: Construction) -> MomentumSpace:
    """Return the construction in momentum space, in the size of Poinsot's construction `built`."""
    if not built.moving:
        return MomentumSpace(1.0, built.radius, np.zeros(3), built.radius, False)
    radius = built.arrow
    scale = radius / snapshot.reading.target_momentum
    moments = np.asarray(snapshot.body.principal_moments, dtype=np.float64)
    semi_axes = scale * np.sqrt(2.0 * snapshot.reading.target_energy * moments)
    reach = max(min(float(np.max(semi_axes)), MOMENTUM_REACH * radius), radius)
    return MomentumSpace(scale, radius, semi_axes, reach, True)


def load_arrow(load: Array, unit: float) -> Array:
    """Return the arrow (3,) [m] of a force or torque, `unit` metres long at 1 N or 1 N m.

    Its length depends on nothing else, not on the motion or on other loads, so that its tip can be dragged.
    """
    size = float(np.linalg.norm(load))
    return load * (unit * size ** (LOAD_GROWTH - 1.0)) if size > 0.0 else np.zeros(3)


def load_of_arrow(arrow: Array, unit: float) -> Array:
    """Return the force [N] or torque [N m], (3,), that an arrow [m] shows: the inverse of `load_arrow`."""
    length = float(np.linalg.norm(arrow))
    return arrow / length * (length / unit) ** (1.0 / LOAD_GROWTH) if length > 0.0 else np.zeros(3)


@frozen
class LoadScale:
    """The lengths, in metres of the scene, of an arm of 1 m and of the arrows of 1 N and of 1 N m.

    `longest` is the largest length of the arrow of a torque or of the pointer's pull, so that they stay in the picture.
    """

    arm: float
    force: float
    torque: float
    longest: float


def load_scale(snapshot: Snapshot, view: View) -> LoadScale:
    """Return the scale of a snapshot's loads; in momentum space, where no body is drawn, all of them are smaller."""
    radius, mass = solid_of(snapshot).radius, snapshot.body.mass
    arm, size = 1.0, view.vector_scale
    if view.construction == "momentum":
        arm = size = MOMENTUM_LOADS * momentum_space(snapshot, construct(snapshot, size)).radius / radius
    force, torque = mass * radius, mass * radius * radius  # N and N m, per 1/s2
    return LoadScale(
        arm,
        size * FORCE_REACH * radius * force**-LOAD_GROWTH,
        size * TORQUE_REACH * radius * torque**-LOAD_GROWTH,
        size * TORQUE_REACH * radius,
    )


def within(vector: Array, longest: float) -> Array:
    """Return the vector, or if it is longer than `longest`, one of that length in the same direction."""
    largest = float(np.max(np.abs(vector)))
    if largest <= 0.5 * longest:
        return vector
    direction = vector / largest
    length = largest * float(np.linalg.norm(direction))
    return vector if length <= longest else direction * (longest / float(np.linalg.norm(direction)))


def round_below(most: float) -> float:
    """Return the largest number of the form 1, 2 or 5 times 10^n that is at most `most`, which must be positive."""
    decade = 10.0 ** math.floor(math.log10(most))
    return decade * max(step for step in (1.0, 2.0, 5.0) if step * decade <= most * (1.0 + 1e-9))
