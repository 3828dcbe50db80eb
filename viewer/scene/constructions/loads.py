"""The loads on the body: forces with their arms, torques, and the path on which forces move the centre of mass.

Arms have their true lengths, but are smaller in momentum space. `scale.load_arrow` sets the lengths of the arrows of
forces and torques.
"""

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.scene.annotations.labels import SYMBOL_SIZE
from viewer.scene.annotations.trails import trail_of
from viewer.scene.camera.camera import Canvas, cross
from viewer.scene.camera.sight import Oval, ball
from viewer.scene.constructions.drawing import Drawing, Lines
from viewer.scene.constructions.scale import LoadScale, load_arrow, solid_of, within
from viewer.scene.description import DASH, Label, Stroke, Trail
from viewer.scene.presentation import Presentation
from viewer.session.checkpoints import POSITION_COLUMN
from viewer.session.snapshot import Snapshot

Array = NDArray[np.float64]

FURTHEST = 1e3  # times the body's furthest point: no arrow is longer
FORCE_WIDTH, FORCE_HEAD = 3.6, 15.0
TORQUE_WIDTH, TORQUE_HEAD = 3.4, 13.0
SECOND_HEAD = 0.8  # of the first one's length behind its tip: a torque has two
SECOND_SHAFT = 1.3  # of that: the length of the second arrow, which is only a head, because two shafts would flicker
THIN, THIN_HEAD = 2.4, 9.0
ARM_WIDTH, ARM_NAME = 1.6, 0.55  # px; fraction of the arm at which its name stands
NAME_OFFSET = 19.0  # px beside the arrow
SMALL_NAME = 0.85  # size of the names of arm and friction, over that of other names
SUBSCRIPTS = "₁₂₃"
PATH_FADE = 0.5  # of the time that the path reaches back
STILL = 1e-12  # m: if it has moved less, the centre of mass is at rest
SPRING_TURNS, SPRING_SWING = 9, 7.0  # of the pointer's spring, and its swing to either side, px
SPRING_ENDS = 0.12  # of its length: the straight part at either end
SPRING_WIDTH = 1.8  # px
FORCE_HANDLES = ("tip", "point")
STAND, ROD, VERTICAL = 0.7, 1.2, 1.2  # lengths, of the body's radius
SPREAD = 0.4  # of the height of the stand
LEGS = tuple(math.radians(turn) for turn in (90.0, 210.0, 330.0))  # directions of its three legs
LEG_WIDTH, VERTICAL_WIDTH = 3.0, 1.4  # px


@frozen
class ActingForce:
    """A force [N] and its point of application [m], (3,) in world coordinates; `name` is its symbol, such as "F"."""

    name: str
    point: Array
    force: Array


def acting_forces(snapshot: Snapshot) -> list[ActingForce]:
    """Return the weight, the scene's force, and the forces of the thrusters that are on."""
    loads, reading = snapshot.loads, snapshot.reading
    rotation, found = reading.rotation_world_from_body, list[ActingForce]()
    if loads.weight:
        found.append(ActingForce("W", rotation @ loads.centre_of_mass, np.array((0.0, 0.0, -loads.weight))))
    if any(loads.force):
        force = np.array(loads.force)
        found.append(ActingForce("F", rotation @ loads.arm, rotation @ force if loads.frame == "body" else force))
    for number, thruster in enumerate(loads.thrusters):
        if thruster.is_on(reading.time) and any(thruster.force):
            name = f"F{SUBSCRIPTS[number]}" if number < len(SUBSCRIPTS) else "F"
            found.append(ActingForce(name, rotation @ thruster.point, rotation @ thruster.force))
    return found


def force_arrow(snapshot: Snapshot, acting: ActingForce, scale: LoadScale) -> tuple[Array, Array]:
    """Return start and end (3,) [m] of a force's arrow in the world: its tail is at the point of application.

    The arrow of the weight, which cannot be dragged, is cut short to stay in the picture.
    """
    start, arrow = scale.arm * acting.point, _arrow(snapshot, acting.force, scale.force)
    return start, start + (within(arrow, scale.longest) if acting.name == "W" else arrow)


def _arrow(snapshot: Snapshot, load: Array, unit: float) -> Array:
    return within(load_arrow(load, unit), FURTHEST * solid_of(snapshot).radius)


def torque_arrow(torque: Array, scale: LoadScale) -> Array:
    """Return the arrow (3,) [m] of a torque [N m], which cannot be dragged; it is cut short to stay in the picture."""
    return within(load_arrow(torque, scale.torque), scale.longest)


def force_lines(drawing: Drawing) -> Lines:
    """Return the forces with their arms, and the pull of the pointer."""
    snapshot, theme, strokes = drawing.snapshot, drawing.theme, list[Stroke]()
    for acting in acting_forces(snapshot):
        start, end = force_arrow(snapshot, acting, drawing.load_scale)
        if np.any(start != 0.0):
            name = acting.name.replace("F", "r′").replace("W", "")
            strokes.append(Stroke(np.zeros(3), start, theme.force, 0.85, ARM_WIDTH, name=name))
        strokes.append(Stroke(start, end, theme.force, 1.0, FORCE_WIDTH, FORCE_HEAD, name=acting.name))
    if drawing.space is None:
        strokes += _pull_arrow(drawing)
    return _named(drawing, strokes)


def _pull_arrow(drawing: Drawing) -> list[Stroke]:
    """Return the arrow of the force of the pointer's spring, at its point on the body; none without a spring."""
    start, pull, scale = (
        pulled_point(drawing.snapshot, drawing.presentation),
        drawing.presentation.pull,
        drawing.load_scale,
    )
    if start is None or pull is None:
        return []
    end = start + within(load_arrow(np.array(pull.force_world), scale.force), scale.longest)
    return [Stroke(start, end, drawing.theme.force, 1.0, FORCE_WIDTH, FORCE_HEAD, name="F")]


def pivot_lines(drawing: Drawing) -> Lines:
    """Return the stand below the pivot, or the rod from which it hangs, and the vertical on its other side."""
    if not drawing.snapshot.loads.held:
        return Lines()
    side = -1.0 if drawing.snapshot.hangs else 1.0  # of the body, as it began
    high, color = STAND * drawing.built.solid.radius, drawing.theme.text
    feet = [high * np.array((SPREAD * math.cos(turn), SPREAD * math.sin(turn), -1.0)) for turn in LEGS]
    if side < 0.0:
        feet = [np.array((0.0, 0.0, ROD * drawing.built.solid.radius))]
    legs = [Stroke(np.zeros(3), foot, color, 0.9, LEG_WIDTH, name="pivot") for foot in feet]
    top = np.array((0.0, 0.0, side * VERTICAL * drawing.built.solid.radius))
    vertical = Stroke(np.zeros(3), top, color, 0.5, VERTICAL_WIDTH, name="vertical")
    return Lines((*legs, vertical))


def torque_lines(drawing: Drawing) -> Lines:
    """Return the external torque, with two heads."""
    if not np.any(drawing.snapshot.external_torque):
        return Lines()
    torque = torque_arrow(drawing.snapshot.external_torque, drawing.load_scale)
    arrow = Stroke(np.zeros(3), torque, drawing.theme.torque, 1.0, TORQUE_WIDTH, TORQUE_HEAD, DASH, "M")
    return _named(drawing, _with_two_heads(arrow, drawing.canvas))


def friction_lines(drawing: Drawing) -> Lines:
    """Return the torque of friction as a thin arrow."""
    if not np.any(drawing.snapshot.friction_torque):
        return Lines()
    friction = torque_arrow(drawing.snapshot.friction_torque, drawing.load_scale)
    arrow = Stroke(np.zeros(3), friction, drawing.theme.torque, 1.0, THIN, THIN_HEAD, name="Mꜰ")
    return _named(drawing, [arrow])


def _with_two_heads(arrow: Stroke, canvas: Canvas) -> list[Stroke]:
    """Return a torque's arrow with a second head close behind the first, if there is room for two."""
    (x, y), (u, v) = canvas.project(np.array([arrow.start, arrow.end])).tolist()
    length = math.hypot(u - x, v - y)
    if length < 3.0 * arrow.head:
        return [arrow]
    end, start = (1.0 - part * arrow.head / length for part in (SECOND_HEAD, SECOND_HEAD + SECOND_SHAFT))
    along = arrow.end - arrow.start
    second = Stroke(
        arrow.start + start * along, arrow.start + end * along, arrow.color, arrow.alpha, arrow.width, arrow.head
    )
    return [second, arrow]


def _named(drawing: Drawing, arrows: list[Stroke]) -> Lines:
    """Return arrows with their names: an arm's beside its middle, the others' beside the tips."""
    return Lines(tuple(arrows), labels=tuple(_label(arrow, drawing.canvas) for arrow in arrows if arrow.name))


def _label(arrow: Stroke, canvas: Canvas) -> Label:
    """Return the name of an arrow, to the right of it on the screen."""
    (x, y), (u, v) = canvas.project(np.array([arrow.start, arrow.end])).tolist()
    length = math.hypot(u - x, v - y)
    ahead = ((u - x) / length, (v - y) / length) if length > 1.0 else (0.0, 1.0)
    side = 1.0 if ahead[1] >= 0.0 else -1.0
    across, anchor = (side * ahead[1], -side * ahead[0]), arrow.end
    offset = (NAME_OFFSET * across[0], NAME_OFFSET * across[1])
    if arrow.head:
        offset = tuple(NAME_OFFSET * (0.6 * a + 0.8 * b) for a, b in zip(ahead, across, strict=True))
    else:
        anchor = arrow.start + ARM_NAME * (arrow.end - arrow.start)
    size = SYMBOL_SIZE * (1.0 if arrow.head > THIN_HEAD else SMALL_NAME)
    return Label(arrow.name, anchor, arrow.color, size, (offset[0], offset[1]))


def load_extent(drawing: Drawing) -> list[tuple[Oval, ...]]:
    """Return the ball that holds the arrows of all loads however the body turns, so that the eyes do not move."""
    snapshot, scale = drawing.snapshot, drawing.load_scale
    if not drawing.presentation.show.loads:
        return []
    reach = most = 0.0
    for acting in acting_forces(snapshot):
        arm = float(np.linalg.norm(acting.point))
        start, end = force_arrow(snapshot, acting, scale)
        reach = max(reach, scale.arm * arm + float(np.linalg.norm(end - start)))
        most += arm * float(np.linalg.norm(acting.force))
    torque = snapshot.external_torque
    most = max(most + float(np.linalg.norm(snapshot.loads.torque)), float(np.linalg.norm(torque)))
    for load in (most * np.array([1.0, 0.0, 0.0]), snapshot.friction_torque):
        reach = max(reach, float(np.linalg.norm(torque_arrow(load, scale))))
    return [(ball(reach),)] if reach > 0.0 else []


def path_trail(snapshot: Snapshot, presentation: Presentation) -> Trail | None:
    """Return the path of the centre of mass so far, or None if it rests or the camera follows it."""
    position, view = snapshot.reading.position, presentation.view
    recorded = snapshot.trail.data.shape[1] > POSITION_COLUMN  # a lane of a race has no such column
    if (
        view.follow
        or not presentation.show.centre_path
        or not recorded
        or float(np.max(np.abs(snapshot.moved))) < STILL
    ):
        return None
    x, y, z = position.tolist()
    theme, fade = presentation.theme, PATH_FADE * view.trail_periods
    return trail_of(
        snapshot, presentation, POSITION_COLUMN, position, np.eye(3), theme.text, np.zeros(3), fade, False,
        origin=(x, y, z), name="centre",
    )  # fmt: skip


def pulled_point(snapshot: Snapshot, presentation: Presentation) -> Array | None:
    """Return the point (3,) [m] in the world that is pulled, or None if none is."""
    if presentation.pull is None:
        return None
    return np.asarray(snapshot.reading.rotation_world_from_body @ presentation.pull.point_body)


def spring_strokes(snapshot: Snapshot, presentation: Presentation, canvas: Canvas) -> list[Stroke]:
    """Return the pointer's spring as a zigzag across the line of sight."""
    start, pull, camera = pulled_point(snapshot, presentation), presentation.pull, canvas.camera
    if start is None or pull is None:
        return []
    along = np.array(pull.target_world) - start
    side = cross(camera.backward, along)
    length = float(np.linalg.norm(side))
    if length == 0.0:
        return []
    swing = SPRING_SWING * canvas.metres_per_pixel(camera.distance) / length * side
    parts = np.linspace(SPRING_ENDS, 1.0 - SPRING_ENDS, SPRING_TURNS + 1)
    signs = np.where(np.arange(SPRING_TURNS) % 2 == 0, 1.0, -1.0)
    knees = start + 0.5 * (parts[1:] + parts[:-1])[:, None] * along + signs[:, None] * swing
    points = [start, start + SPRING_ENDS * along, *knees, start + (1.0 - SPRING_ENDS) * along, start + along]
    color = presentation.theme.force
    return [Stroke(a, b, color, 0.95, SPRING_WIDTH) for a, b in pairwise(points)]


def handle_position(drawing: Drawing, ends: dict[str, Array]) -> Array | None:
    """Return the position (3,) [m] of the handle under the pointer, or None if there is none.

    `ends` has the positions of the handles other than the force's.
    """
    snapshot, presentation = drawing.snapshot, drawing.presentation
    if presentation.handle not in FORCE_HANDLES:
        return ends.get(presentation.handle)
    force = next((acting for acting in acting_forces(snapshot) if acting.name == "F"), None)
    if force is None or not presentation.show.loads:
        return None
    point, tip = force_arrow(snapshot, force, drawing.load_scale)
    return tip if presentation.handle == "tip" else point
