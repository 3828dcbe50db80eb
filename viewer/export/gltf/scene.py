"""The scene as an animated glTF 2.0 file (.glb): the body, its arrows and Poinsot's construction, for other programs.

What moves are nodes with keys of rotation, scale and translation; between two keys a program turns along the shortest
way. A free motion that repeats is one loop: the animation "motion" lasts one period and shows it in the frame, turning
about L, in which it closes; the animation "turn about L" turns that frame. Both together are the motion in space.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.common.errors import refusal
from viewer.common.frozen import frozen
from viewer.export.gltf.file import GlbWriter, Track, xyzw
from viewer.export.gltf.surfaces import Surface, solid_surfaces, surface, tube
from viewer.export.table import usual_seconds
from viewer.physics.exact.free_rotation import exact_motion
from viewer.physics.rotation import (
    conjugate,
    from_rotation_vector,
    multiply,
    quaternion_from_matrix,
    rotate,
    rotate_back,
)
from viewer.physics.solids.triangle_mesh import cone, ellipsoid, revolved
from viewer.physics.state import angular_momentum_world
from viewer.scenario.choices.themes import Theme
from viewer.scenario.scenario import Scenario
from viewer.scene.build import build_frame
from viewer.scene.constructions.scale import construct
from viewer.scene.description import Solid, Stroke
from viewer.scene.presentation import Display, Presentation
from viewer.session.session import Session

Array = NDArray[np.float64]

STEP = 0.05  # rad between two keys: 126 keys a turn
MOST_KEYS = 20_000
TRAIL_POINTS = 2000  # of the herpolhode, about
TURN_KEYS = 32  # of a turn about L at a constant rate
SHAFTS = {"L": 0.010, "ω": 0.0085}  # radii over the figure's reach
HEAD = 0.055  # length of an arrow's head over the figure's reach
LINE = 0.006  # radius of a curve's tube over the figure's reach
WHITE = (1.0, 1.0, 1.0)
WORDS = {"L": "angular momentum L", "ω": "angular velocity ω"}


@frozen
class Motion:
    """The keys of a motion at times (N,) [s].

    Attributes
    ----------
    orientations
        The orientations (N, 4), body to world.
    vectors
        Omega [rad/s] and L [kg m2/s] in the world, (N, 3), by their symbols.
    turn_time
        The time [s] of one turn about L of the frame in which the motion repeats after the last of the times; negative
        if the frame turns clockwise, None if it is at rest.
    repeats
        Whether the motion repeats.
    """

    times: Array
    orientations: Array
    vectors: dict[str, Array]
    turn_time: float | None
    repeats: bool


def motion_of(session: Session) -> Motion:
    """Return one period of a free motion that repeats, else the motion over the usual time of a table, from now on."""
    first = session.snapshot()
    body, start = first.body, first.reading.state
    period = first.period if first.loads.free and not first.strays and not first.moves else None
    seconds = period or usual_seconds(session.scenario)
    turned = seconds * float(np.linalg.norm(first.reading.angular_momentum_world)) / float(min(body.principal_moments))
    count = min(max(math.ceil(turned / STEP), 2 * TURN_KEYS), MOST_KEYS)
    times = np.linspace(0.0, seconds, count + 1)
    exact = None if first.strays else exact_motion(body, start, first.loads, precise=False)
    if exact is None:  # at its steps
        times = np.unique(np.rint(times / session.scenario.solver.step)) * session.scenario.solver.step
        readings = [session.scene.snapshot_at(first.reading.time + time).reading for time in times.tolist()]
        q, omega, momentum = (
            np.array([getattr(reading, name) for reading in readings])
            for name in ("orientation_wxyz", "omega_world", "angular_momentum_world")
        )
    else:
        states = exact.at(times)
        q, omega = states.orientation_wxyz, rotate(states.orientation_wxyz, states.omega_body)
        momentum = angular_momentum_world(body, states)
    turn_time = first.frame_period if period is not None else None
    return Motion(times, q, {"ω": omega, "L": momentum}, turn_time, period is not None)


def glb_of(scenario: Scenario, time: float = 0.0) -> bytes:
    """Return the file of a scene from a time [s] on, at the speed at which the program plays it.

    Lengths are those of the picture, in metres; y points up as the picture's upright axis does, and z to its camera.
    Raises InputError for a scene of several bodies.
    """
    if scenario.bodies:
        raise refusal("bodies: a .glb file has one body; this scene has {count}", count=len(scenario.bodies))
    scenario = scenario.with_values({"view.construction": "poinsot", "race.show": "off", "show.inset": False})
    session = Session(scenario, playing=False)
    session.run_to(time)
    speed = session.scene.speed
    snapshot, motion, out = session.snapshot(), motion_of(session), GlbWriter()
    layer = build_frame(snapshot, Presentation.of(scenario), Display((1280, 720))).main
    scene, camera, theme = layer.scene, layer.camera, layer.scene.theme
    built, free = construct(snapshot, scenario.view.vector_scale), snapshot.loads.free
    thin = LINE * built.radius
    clock = motion.times / speed
    angles = 2.0 * math.pi * motion.times / motion.turn_time if motion.turn_time else np.zeros(len(clock))
    turn = from_rotation_vector(np.multiply.outer(angles, built.momentum_axis))  # of the frame
    tracks: list[Track] = []

    def node(name: str, parts: Sequence[Surface], color: Color, **fields: Any) -> int:
        return out.add("nodes", name=name, mesh=out.mesh(name, parts, out.material(name, color, **fields)))

    def arrow(stroke: Stroke) -> int:
        """Add an arrow along z of a node of its own, so that its length is a scale of the shaft, not of the head."""
        length, name = float(np.linalg.norm(stroke.end)), WORDS[stroke.name]
        head, thick = HEAD * built.radius, SHAFTS[stroke.name] * built.radius
        rod = revolved(np.array([[0.0, 0.0], [thick, 0.0], [thick, length - head], [0.0, length - head]]))
        shaft = node(f"{name}, shaft", [surface(rod)], stroke.color)
        tip = node(f"{name}, head", [surface(cone(2.4 * thick, head))], stroke.color)
        rows = rotate_back(turn, motion.vectors[stroke.name])
        sizes = np.linalg.norm(rows, axis=1)
        shafts = np.maximum(length * sizes / sizes[0] - head, 1e-3 * head)
        aims = from_z(rows / sizes[:, None])
        found = out.add("nodes", name=name, children=[shaft, tip], rotation=xyzw(aims)[0].tolist())
        out.tree["nodes"][tip]["translation"] = [0.0, 0.0, float(shafts[0])]
        if np.ptp(rows, axis=0).max() > 1e-9 * sizes[0]:
            tracks.append((found, "rotation", xyzw(aims)))
            tracks.append((shaft, "scale", np.column_stack([np.ones((len(rows), 2)), shafts / (length - head)])))
            tracks.append((tip, "translation", np.column_stack([np.zeros((len(rows), 2)), shafts])))
        return found

    on_body, in_frame, at_rest = list[int](), list[int](), list[int]()
    if (solid := scene.solid) is not None:
        on_body.append(node("body", solid_surfaces(solid.size), **paint_of(out, solid, theme)))
    if scene.shell is not None and free:
        clear = {"KHR_materials_transmission": {"transmissionFactor": 0.5}}
        out.tree["extensionsUsed"] = list(clear)
        glass = surface(ellipsoid(*(2.0 * scene.shell.semi_axes)))
        on_body.append(node("ellipsoid", [glass], theme.shell, alpha=0.25, extensions=clear))
    for curve in scene.curves if free else ():
        if curve.name == "polhode" and np.ptp(curve.points, axis=0).max() > thin:  # not that of a steady spin
            on_body.append(node("polhode", [tube(curve.points, thin, True)], curve.color))
    in_frame.append(out.add("nodes", name="axes of the body", children=on_body))
    tracks.append((in_frame[0], "rotation", xyzw(multiply(conjugate(turn), motion.orientations))))
    for stroke in scene.arrows:
        if stroke.name in WORDS:
            (at_rest if free and stroke.name == "L" else in_frame).append(arrow(stroke))
    if scene.trail is not None and np.ptp(motion.vectors["ω"], axis=0).max() * built.scale > thin:
        path, count = built.scale * motion.vectors["ω"], 1
        if motion.turn_time:
            count = max(round(scenario.view.trail_periods), 1)
        turns = from_rotation_vector(np.multiply.outer(angles[-1] * np.arange(count), built.momentum_axis))
        each = path[: -1 : max(count * len(path) // TRAIL_POINTS, 1)]
        whole = np.concatenate([rotate(once, each) for once in turns])
        line = tube(whole, thin, motion.repeats and not motion.turn_time)
        in_frame.append(node("herpolhode", [line], theme.herpolhode))
        if motion.turn_time:
            tracks.append((in_frame[-1], "rotation", xyzw(conjugate(turn))))
    if (plane := scene.plane) is not None and free:
        disc = surface(revolved(np.array([[0.0, 0.0], [plane.reach, 0.0]])))
        at_rest.append(node("invariable plane", [disc], theme.plane, alpha=theme.plane_alpha))
        frame = xyzw(quaternion_from_matrix(plane.world_from_plane)).tolist()
        out.tree["nodes"][at_rest[-1]] |= {"translation": plane.centre.tolist(), "rotation": frame}
    at_rest.append(out.add("nodes", name="frame that turns about L", children=in_frame))
    polar = math.radians(scenario.view.polar_angle_deg)
    upright = math.cos(polar) * camera.backward + math.sin(polar) * camera.up
    axes = np.stack([camera.right, upright, np.cross(camera.right, upright)])
    root = out.add("nodes", name=scenario.title, children=at_rest, rotation=xyzw(quaternion_from_matrix(axes)).tolist())
    out.animation("motion", clock, tracks)
    if motion.turn_time:
        parts = np.linspace(0.0, 1.0, TURN_KEYS + 1)
        keys = from_rotation_vector(
            np.multiply.outer(math.copysign(2.0 * math.pi, motion.turn_time) * parts, built.momentum_axis)
        )
        out.animation("turn about L", abs(motion.turn_time) / speed * parts,
                      [(at_rest[-1], "rotation", xyzw(keys))])  # fmt: skip
    out.tree |= {"scene": out.add("scenes", name=scenario.title, nodes=[root])}
    return out.data()


def paint_of(out: GlbWriter, solid: Solid, theme: Theme) -> dict[str, Any]:
    """Return the material of a body: its own colours or texture, if it is a mesh that has some, else the theme's."""
    look: dict[str, Any] = {"color": theme.body, "look": solid.material}
    if solid.mesh is not None and solid.mesh.vertex_colors is not None:
        look["color"] = WHITE
    if solid.mesh is not None and solid.mesh.texture is not None:
        look |= {"color": WHITE, "texture": out.texture(solid.mesh.texture)}
    return look


def from_z(directions: Array) -> Array:
    """Return the shortest turns (N, 4) that take z to unit vectors (N, 3)."""
    x, y, z = directions.T
    turns = np.column_stack([1.0 + z, -y, x, 0.0 * z])
    turns[z < -1.0 + 1e-12] = (0.0, 1.0, 0.0, 0.0)
    return np.asarray(turns / np.linalg.norm(turns, axis=1, keepdims=True))
