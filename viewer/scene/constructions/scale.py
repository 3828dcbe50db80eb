"""Both constructions in the scene: the factors from rad/s and kg m2/s to metres, and how much room they take.

Everything here follows from the snapshot alone, so that a picture depends on nothing but what it shows. The factor from
rad/s is such that the ellipsoid just holds the body; if loads change the energy, it changes too, with the plane's
ruling.
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

BODY_FRACTION = 0.93  # the body's furthest point, of the ellipsoid there
ARROW_REACH = 1.32  # the tip of L, of the plane's distance
# the ellipsoid grows with this power of |L|: spinning up is seen, and yet it neither hides nor covers all
GROWTH = 1 / 3
STUB_REACH = 1.12  # the end of a body axis, of the ellipsoid there
ROOM = 1.02  # around the ellipsoid
POLHODE_POINTS = 16  # that tell what it fills: among them those where it stands highest and lowest
MOMENTUM_REACH = 1.7  # of the sphere's radius: so far the ellipsoid in momentum space is drawn
MOMENTUM_SEEN = 0.8  # of that: there it begins to fade
FORCE_REACH, TORQUE_REACH = 0.8, 1.4  # the arrows of m R 1/s2 and m R2 1/s2, of R: how far the body reaches
MOMENTUM_LOADS = 0.6  # of the sphere's radius in momentum space: so far the body would reach
LARGEST = 30.0  # times: so far what an integrator blows up is drawn
FURTHEST = 1e4  # times the construction's size: no arrow is longer, wherever an integrator drives omega
LOAD_GROWTH = 1 / 3  # the arrow grows with this power of a force or torque: all sizes read, and the larger is longer


@frozen
class Construction:
    """Lengths in metres of the scene; directions in world coordinates.

    `scale`: metres per rad/s. `semi_axes`: those of the ellipsoid, (3,). `momentum_axis`: unit vector of L.
    `plane_distance`: the distance of the invariable plane from the origin. `arrow`: the length of L. `radius`: the
    largest distance of ellipsoid and body from L while the body turns. `sweep`: the figure that they then fill.
    `moving`: there is an ellipsoid; `holds_body`: the whole body lies inside the ellipsoid. `solid`: as `solid_of`
    returns it.
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
        """How far the body axes are drawn, (3,), m."""
        return np.maximum(self.semi_axes, self.solid.reach) + self.stub_length


@frozen
class MomentumSpace:
    """Momentum space (Binet, the paper's Fig. 3): lengths in metres of the scene.

    `scale`: metres per kg m2/s. `radius`: that of the sphere. `semi_axes`: those of the ellipsoid, (3,). `reach`: the
    largest distance of all that turns from the origin. `moving`: there is something to draw.
    """

    scale: float
    radius: float
    semi_axes: Array
    reach: float
    moving: bool

    @property
    def outer(self) -> Array:
        """How far the surfaces reach along each body axis, (3,), without the ellipsoid where it is too long."""
        seen = self.semi_axes <= MOMENTUM_SEEN * MOMENTUM_REACH * self.radius
        return np.where(seen, np.maximum(self.semi_axes, self.radius), self.radius)

    @property
    def stub_length(self) -> float:
        """The length of the body axes beyond the surfaces."""
        return 1.5 * (STUB_REACH - 1.0) * self.reach


def solid_of(snapshot: Snapshot) -> SolidSize:
    """Return the solid to draw, in metres.

    Raw moments are shown as the ellipsoid that has them; if no solid has them, its short axes are kept above a
    twelfth of the longest.
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
        moments = np.asarray(snapshot.body.principal_moments)
        squares = np.maximum(5.0 / snapshot.body.mass * (0.5 * float(np.sum(moments)) - moments), 0.0)
        extents = np.sqrt(squares)
        return SolidSize("ellipsoid", np.maximum(extents, float(np.max(extents)) / 12.0))
    return SolidSize(body.shape, 0.5 * np.array([body.width, body.depth, body.height]))


def construct(snapshot: Snapshot, vector_scale: float, held_scale: tuple[float, float] | None = None) -> Construction:
    """Return the construction as the snapshot has it.

    `vector_scale`: the size of the ellipsoid, which at 1 just holds the body. `held_scale`: as a Presentation has it.
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
    if size < 1.0:  # the body sticks out, but not of an ellipsoid so much larger
        swept = _swept(snapshot.curves, tuple(moments.tolist()), tuple((semi_axes / size).tolist()))
    arrow = ARROW_REACH * distance
    return Construction(scale, semi_axes, momentum / length, distance, arrow, radius, swept, True, size >= 1.0, solid)


@lru_cache(maxsize=64)  # free motions keep their curves: in each of their pictures it is the same
def _swept(curves: Curves, moments: tuple[float, ...], semi_axes: tuple[float, ...]) -> Sweep:
    """Return what an ellipsoid fills while its polhode is that of the curves."""
    polhode = curves.polhode[:: max(1, len(curves.polhode) // POLHODE_POINTS)]
    along = (polhode * moments) ** 2
    return Sweep(np.array(semi_axes) ** 2, along / np.sum(along, axis=1, keepdims=True))


def grown(built: Construction, snapshot: Snapshot) -> Construction:
    """Return the construction at the energy and |L| that the integrator has computed, in the scale of `construct`.

    Nothing becomes larger than LARGEST times: by then it has long left the picture.
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
    """Return the construction over L' as the snapshot has it, of the size that Poinsot's has."""
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

    Nothing else changes its length, neither the motion nor another load: so its tip can be dragged.
    """
    size = float(np.linalg.norm(load))
    return load * (unit * size ** (LOAD_GROWTH - 1.0)) if size > 0.0 else np.zeros(3)


def load_of_arrow(arrow: Array, unit: float) -> Array:
    """Return the force or torque (3,) that this arrow shows."""
    length = float(np.linalg.norm(arrow))
    return arrow / length * (length / unit) ** (1.0 / LOAD_GROWTH) if length > 0.0 else np.zeros(3)


@frozen
class LoadScale:
    """Lengths in metres of the scene: of an arm of 1 m, and of the arrows of 1 N and of 1 N m.

    `longest`: no torque's arrow is longer, and none of a pull, so that they stay in the picture.
    """

    arm: float
    force: float
    torque: float
    longest: float


def load_scale(snapshot: Snapshot, view: View) -> LoadScale:
    """Return the scale of a snapshot; in momentum space, where no body is drawn, all is smaller and stays in sight."""
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
    """Return the vector or, if it is longer than `longest`, the one of that length in its direction."""
    largest = float(np.max(np.abs(vector)))
    if largest <= 0.5 * longest:
        return vector
    direction = vector / largest
    length = largest * float(np.linalg.norm(direction))
    return vector if length <= longest else direction * (longest / float(np.linalg.norm(direction)))


def round_below(most: float) -> float:
    """Return the largest of 1, 2, 5 x 10^n that is at most `most`, which is positive."""
    decade = 10.0 ** math.floor(math.log10(most))
    return decade * max(step for step in (1.0, 2.0, 5.0) if step * decade <= most * (1.0 + 1e-9))
