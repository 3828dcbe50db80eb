"""Poinsot's construction in the scene: the factor from rad/s to metres, and how much room the motion takes.

Everything here follows from the snapshot alone, so that a picture depends on nothing but what it shows.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from viewer.physics import construction
from viewer.sections import Body
from viewer.session import Snapshot

Array = NDArray[np.float64]

BODY_SHARE = 0.93  # the body's furthest point, of the ellipsoid there
ARROW_REACH = 1.32  # the tip of L, of the plane's distance
STUB_REACH = 1.12  # the end of a body axis, of the ellipsoid there
AT_REST = 1e-12  # rad/s: below, there is no ellipsoid to draw


@dataclass(frozen=True)
class Construction:
    """Lengths in metres of the scene; directions in world coordinates.

    `scale`: metres per rad/s. `semi_axes`: of the ellipsoid, (3,). `momentum_axis`: unit vector of L.
    `plane_distance`: of the invariable plane from the origin. `radius`, `half_height`, `depth`: an upright cylinder
    about L, `half_height` upwards and `depth` downwards, that holds everything drawn while the body turns.
    `moving`: there is an ellipsoid; `holds_body`: the whole body lies inside it.
    """

    scale: float
    semi_axes: Array
    momentum_axis: Array
    plane_distance: float
    radius: float
    half_height: float
    depth: float
    moving: bool
    holds_body: bool


def solid_of(body: Body, principal_moments: Array) -> tuple[str, Array]:
    """The kind of solid to draw and its half extents, (3,), in metres.

    Raw moments are shown as the ellipsoid that has them; where no solid has them, its short axes are kept above a
    twelfth of the longest.
    """
    if body.shape == "cylinder":
        return "cylinder", np.array([body.radius, body.radius, 0.5 * body.height])
    if body.shape == "sphere":
        return "ellipsoid", np.full(3, body.radius)
    if body.shape == "moments":
        half_trace = 0.5 * float(np.sum(principal_moments))
        squares = np.maximum(5.0 / body.mass * (half_trace - principal_moments), 0.0)
        extents = np.sqrt(squares)
        return "ellipsoid", np.maximum(extents, float(np.max(extents)) / 12.0)
    return body.shape, 0.5 * np.array([body.width, body.depth, body.height])


def _furthest(kind: str, half_extents: Array, moments: Array) -> float:
    """The largest sqrt(p . I p) over the points p of the solid, kg^1/2 m^2."""
    reach = moments * half_extents**2
    if kind == "ellipsoid":
        return math.sqrt(float(np.max(reach)))
    if kind == "cylinder":
        return math.sqrt(float(reach[2] + max(reach[0], reach[1])))
    return math.sqrt(float(np.sum(reach)))


@lru_cache(maxsize=64)
def _swept_radius(semi_axes: tuple[float, ...], polhode: bytes) -> float:
    """The largest distance from L of any point of the ellipsoid, while L runs along the polhode in the body."""
    directions = np.frombuffer(polhode).reshape(-1, 3)
    axes = np.array(semi_axes)
    largest = 0.0
    for u in directions:
        across = np.eye(3) - np.outer(u, u)
        largest = max(largest, float(np.linalg.eigvalsh(across @ np.diag(axes**2) @ across)[-1]))
    return math.sqrt(largest)


def construct(snapshot: Snapshot) -> Construction:
    """The construction as the snapshot has it."""
    scenario = snapshot.scenario
    moments = np.asarray(snapshot.body.principal_moments, dtype=np.float64)
    kind, half_extents = solid_of(scenario.body, moments)
    start = np.array(scenario.start.angular_velocity)
    start_energy = 0.5 * float(np.sum(moments * start**2))
    reference = start_energy if start_energy > 0.0 else 0.5 * float(np.mean(moments))
    furthest = _furthest(kind, half_extents, moments)
    scale = scenario.view.vector_scale * furthest / (BODY_SHARE * math.sqrt(2.0 * reference))

    momentum = snapshot.angular_momentum_world
    length = float(np.linalg.norm(momentum))
    start_length = float(np.linalg.norm(snapshot.start_angular_momentum_world))
    body_radius = float(np.linalg.norm(half_extents)) if kind == "box" else float(np.max(half_extents))
    if kind == "cylinder":
        body_radius = math.hypot(half_extents[0], half_extents[2])
    energy = snapshot.target_energy
    if length == 0.0 or energy <= 0.0 or math.sqrt(2.0 * energy / float(np.max(moments))) < AT_REST:
        up = np.array([0.0, 0.0, 1.0])
        if start_length > 0.0:
            up = snapshot.start_angular_momentum_world / start_length
        return Construction(scale, np.zeros(3), up, 0.0, body_radius, body_radius, body_radius, False, False)

    semi_axes = scale * construction.ellipsoid_semi_axes(moments, energy)
    distance = scale * construction.plane_distance(energy, length)
    largest = max(energy, start_energy)
    room_axes = scale * construction.ellipsoid_semi_axes(moments, largest)
    room_distance = max(
        distance, scale * construction.plane_distance(start_energy, start_length) if start_length else 0.0
    )
    if scenario.loads_value().free:
        along = snapshot.polhode[:: max(1, len(snapshot.polhode) // 24)] * moments
        along = along / np.linalg.norm(along, axis=1, keepdims=True)
        radius = _swept_radius(tuple(room_axes), along.tobytes())
    else:
        radius = float(np.max(room_axes))
    half_height = max(ARROW_REACH * room_distance, 0.0 if scenario.show.ellipsoid else body_radius)
    return Construction(
        scale,
        semi_axes,
        momentum / length,
        distance,
        radius=max(1.02 * radius, body_radius),
        half_height=half_height,
        depth=max(1.02 * room_distance, 0.0 if scenario.show.ellipsoid else body_radius),
        moving=True,
        holds_body=furthest <= scale * math.sqrt(2.0 * energy),
    )
