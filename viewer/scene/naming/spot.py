"""The thing under the pointer, found in a frame: points come before lines, and lines before surfaces.

Of surfaces the body comes first, then its ghosts in a race, then the ellipsoid or the sphere, then the plane: one looks
through the later ones at the earlier.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.common.frozen import frozen
from viewer.scene.camera.camera import Camera
from viewer.scene.constructions.solids import SolidSize, first_face, hit
from viewer.scene.description import CONTACT_RADIUS, Frame, Plane, SceneDescription, Stroke, Trail
from viewer.scene.stereo.comfort import with_eyes
from viewer.scene.stereo.views import Pair, Picking, picking

Array = NDArray[np.float64]
Vector = tuple[float, float, float]

PART = "part"  # begins the name of a part of a composite body; its number, from 0 on, follows a colon
REACH = 6.0  # px at scale 1: within this distance of a line the pointer is over it
TIE = 1.5  # px: of lines whose distances from the pointer differ by no more, the one nearest to the eye is meant
ALONG_PLANE = 0.5  # of the plane's reach: the distance from its middle at which a tour points at it
HALF_FADED = 0.4  # times the time in which a trail fades
PLANE_SEEN = 0.8  # of the plane's reach: beyond it has all but faded
FADED = 3.0  # times that time: the age at which a trail that fades out is invisible
BEHIND = 1e-9  # of the largest depth: a point of less depth counts as behind the eye


@frozen
class Spot:
    """The thing under the pointer: its `name`, and the number of its `layer`.

    Attributes
    ----------
    point
        The point [m] of a line under the pointer, in the world.
    along
        The position along a closed curve: the number of its points before, with a fraction.
    vector, time
        The vector that a trail has there, and its time [s].
    on_body
        The point [m] of the body's surface under the pointer, along the body axes.
    """

    layer: int
    name: str
    color: Color
    point: Vector | None = None
    along: float | None = None
    vector: Vector | None = None
    time: float | None = None
    on_body: Vector | None = None


def spot_at(frame: Frame, part: int, pixel: Pair, size: Pair, scale: float) -> Spot | None:
    """Return the thing at a pixel of an eye's picture in this part of the window, or None if nothing there has a name.

    `pixel` counts right and down from the upper left, `size` is that of the picture as it is seen, and `scale` is the
    number of pixels per pixel at scale 1.
    """
    for number, seen, inside in _layers_at(frame, part, pixel, size):
        found = _spot(frame.layers[number].scene, seen, inside, scale)
        if found is not None:
            return replace(found, layer=number)
        if not frame.in_one_space:
            return None
    return None


def _layers_at(frame: Frame, part: int, pixel: Pair, size: Pair) -> Iterator[tuple[int, Picking, Pair]]:
    """Yield the layers at a pixel from front to back: number, projection, and the pixel within the layer's box."""
    for number in reversed(frame.back_to_front):
        layer = frame.layers[number]
        left, low, width, height = layer.box
        inside = pixel[0] - left * size[0], pixel[1] - (1.0 - low - height) * size[1]
        room = width * size[0], height * size[1]
        if 0.0 <= inside[0] < room[0] and 0.0 <= inside[1] < room[1]:
            yield number, picking(layer.camera, with_eyes(frame.stereo, layer.eyes), room, part), inside


def seen_at(frame: Frame, part: int, pixel: Pair, size: Pair, scale: float) -> Array:
    """Return the point (3,) that one looks at when the pointer is at this pixel; the arguments are those of `spot_at`.

    It is the contact if the picture shows it, else what is at the pixel, else what is in the middle of the picture,
    else the middle itself at the distance of the camera's target. The point is counted from that target to the right,
    upwards and towards the eye, and its unit is the camera's distance. An inset, whose view does not turn, counts as
    not there.
    """
    over = [] if frame.in_one_space or len(frame.insets) != 1 else [1]
    layers = [found for found in _layers_at(frame, part, pixel, size) if found[0] not in over]
    for middle in (False, True):
        for number, seen, inside in layers:
            layer, (width, height) = frame.layers[number], seen.size
            point = _seen_point(layer.scene, seen, (0.5 * width, 0.5 * height) if middle else inside, scale)
            if point is not None:
                camera = layer.camera
                away = (point - camera.position) / camera.distance + camera.backward
                return np.stack([camera.right, camera.up, camera.backward]) @ away
    tall, (across, up) = 2.0 * math.tan(0.5 * frame.main.camera.field_of_view), frame.main.camera.shift
    return np.array([-tall * across, -tall * up, 0.0])


def _seen_point(scene: SceneDescription, seen: Picking, pixel: Pair, scale: float) -> Array | None:
    """Return the point (3,) [m] of the thing at a pixel, in the world, or the contact if the picture shows it."""
    if scene.contact is not None:
        x, y = seen.pixel(scene.contact)
        if 0.0 <= x <= seen.size[0] and 0.0 <= y <= seen.size[1]:
            return scene.contact
    line = _on_line(scene, seen, pixel, scale)
    if line is not None and line.point is not None:
        return np.array(line.point)
    point, direction = seen.ray(pixel)
    met = (point + far * direction for _, _, far in _surfaces(scene, point, direction) if far is not None)
    return next(met, None)


def part_in(name: str) -> int | None:
    """Return the number of a part of a composite body, if this is the name of one, or None."""
    kind, _, number = name.partition(":")
    return int(number) if kind == PART else None


def with_part(frame: Frame, part: int | None, number: int = 0) -> Frame:
    """Return the frame with a part of the composite body selected, in the layer with this number."""
    if part is None or number >= len(frame.layers) or frame.layers[number].scene.solid is None:
        return frame
    return frame.with_scene(number, part=part)


def glowing(frame: Frame, spot: Spot | None) -> Frame:
    """Return the frame with the thing at the spot glowing."""
    if spot is None:
        return frame
    return frame.with_scene(spot.layer, glowing=spot.name, mark=None if spot.point is None else np.array(spot.point))


def faded(frame: Frame, opacity: float) -> Frame:
    """Return the frame with arrows, ellipsoid and names of its main layer at this fraction of their opacity.

    The arrows are no longer than the ellipsoid's middle axis, and have their names where they end.
    """
    scene = frame.main.scene
    if scene.shell is None:
        return frame
    longest = float(np.median(scene.shell.semi_axes))
    parts = {arrow.name: min(1.0, longest / float(np.linalg.norm(arrow.end))) for arrow in scene.arrows}
    arrows, front = (
        tuple(replace(arrow, end=parts[arrow.name] * arrow.end, alpha=opacity * arrow.alpha) for arrow in group)
        for group in (scene.arrows, scene.front_arrows)
    )
    labels = tuple(
        replace(label, anchor=parts.get(label.text, 1.0) * label.anchor, alpha=opacity * label.alpha)
        for label in scene.labels
    )
    shell = replace(scene.shell, opacity=opacity)
    return frame.with_scene(0, arrows=arrows, front_arrows=front, labels=labels, shell=shell, contact=None)


@frozen
class Sign:
    """The look of a thing: `form` is arrow, axis (straight), curve, ticks, trail, ring, surface, glass or ruling.

    A surface stands for a body, glass for the ellipsoid or the sphere; `alpha` is the opacity of a curve.
    """

    form: str
    color: Color
    alpha: float = 1.0


def things_in(scene: SceneDescription) -> dict[str, Sign]:
    """Return the names of the things that a scene shows, each with its look."""
    theme = scene.theme
    found: dict[str, Sign] = {}
    for stroke in (*scene.arrows, *scene.strokes, *scene.overlay_strokes):
        found.setdefault(stroke.name, Sign("arrow" if stroke.head else "axis", stroke.color))
    for curve in scene.curves:
        found.setdefault(curve.name, Sign("curve", curve.color, curve.alpha))
    found |= {cone.name: Sign("glass", cone.color) for cone in scene.cones}
    for trail in _trails(scene):
        found.setdefault(trail.name, Sign("trail", trail.color))
    if scene.solid is not None:
        found["body"] = Sign("surface", theme.body)
    if scene.shell is not None:
        found["ellipsoid"] = Sign("glass", theme.shell)
    if scene.plane is not None:
        found["plane"] = Sign("ruling", theme.grid)
    if scene.constraints is not None and _holding(scene, 0):
        found["sphere"] = Sign("glass", scene.constraints.sphere_color)
    if _holding(scene, 1):
        found["energy"] = Sign("glass", theme.sections)
    found |= {ghost.name: Sign("surface", ghost.color) for ghost in scene.ghosts if scene.solid is not None}
    for ticks in (scene.polhode_ticks, scene.trail_ticks):
        if ticks is not None:
            found.setdefault("ticks", Sign("ticks", ticks.color))
    if scene.measured is not None:
        found["measured"] = Sign("ticks", scene.measured.color)
    if scene.contact is not None and _contact_name(scene) == "contact":
        found["contact"] = Sign("ring", theme.text)
    return {name: sign for name, sign in found.items() if name}


def place_of(scene: SceneDescription, camera: Camera, name: str) -> Array | None:
    """Return a point (3,) [m] in the world at which one can point at the thing of this name; None if it is not drawn.

    It is the tip of an arrow, the point of a closed curve nearest to the eye, a half-faded point of a trail, a point of
    the plane to the right of its middle, the right rim of an ellipsoid, or the left rim of the sphere.
    """
    for arrow in scene.arrows:
        if arrow.name == name:
            return arrow.end
    for curve in scene.curves:
        if curve.name == name:
            points = curve.in_world(scene.world_from_body)
            return np.asarray(points[int(np.argmax(points @ camera.backward))])
    for trail in _trails(scene):
        if trail.name == name:
            ring = trail.ring
            number = ring.row_at(max(float(trail.newest[0]) - HALF_FADED * trail.fade_time, 0.0))
            columns = slice(trail.column, trail.column + 3)
            vector = ring.data[number % ring.capacity, columns] if number < ring.count else trail.newest[1:4]
            return trail.in_world(vector)
    if name == "body" and scene.solid is not None:
        return np.zeros(3)
    if name == "contact":
        return scene.contact
    if name == "plane" and scene.plane is not None:
        return _right_of_middle(scene.plane, camera)
    if name == "sphere" and scene.constraints is not None:
        return -scene.constraints.radius * camera.right
    surface = {"ellipsoid": scene.shell, "energy": scene.constraints}.get(name)
    if surface is None:
        return None
    stretched = surface.semi_axes * (camera.right @ scene.world_from_body)
    rim = surface.semi_axes * stretched / max(float(np.linalg.norm(stretched)), 1e-300)
    return np.asarray(scene.world_from_body @ rim)


def _right_of_middle(plane: Plane, camera: Camera) -> Array:
    first, second = plane.world_from_plane[:, 0], plane.world_from_plane[:, 1]
    along = float(first @ camera.right) * first + float(second @ camera.right) * second
    length = float(np.linalg.norm(along))
    return plane.centre if length == 0.0 else plane.centre + ALONG_PLANE * plane.reach / length * along


def _spot(scene: SceneDescription, seen: Picking, pixel: Pair, scale: float) -> Spot | None:
    if scene.contact is not None and math.dist(seen.pixel(scene.contact), pixel) <= CONTACT_RADIUS * scale:
        return Spot(0, _contact_name(scene), scene.theme.text, _vector(scene.contact))
    return _on_line(scene, seen, pixel, scale) or _on_surface(scene, seen, pixel)


def _contact_name(scene: SceneDescription) -> str:
    """Return the name of the thing in the ring: the contact point or, in momentum space, L'."""
    return "L′" if any(arrow.name == "L′" for arrow in scene.arrows) else "contact"


def _trails(scene: SceneDescription) -> list[Trail]:
    return [trail for trail in (scene.trail, scene.centre_path, *scene.paths) if trail is not None]


def _on_line(scene: SceneDescription, seen: Picking, pixel: Pair, scale: float) -> Spot | None:
    """Return the curve, trail, arrow or axis at a pixel."""
    strokes: list[Stroke] = [s for s in (*scene.arrows, *scene.strokes, *scene.overlay_strokes) if s.name]
    curves = [curve for curve in scene.curves if curve.name]
    trails = [(trail, rows) for trail in _trails(scene) if trail.name for rows in _parts(trail)]
    lines = [np.stack([stroke.start, stroke.end]) for stroke in strokes]
    lines += [np.concatenate([points, points[:1]]) for points in (c.in_world(scene.world_from_body) for c in curves)]
    lines += [trail.in_world(rows[:, 1:]) for trail, rows in trails]
    found = nearest_line(lines, seen, pixel, REACH * scale, TIE * scale)
    if found is None:
        return None
    point, number = _vector(found.point), found.line
    if number < len(strokes):
        return Spot(0, strokes[number].name, strokes[number].color, point)
    number -= len(strokes)
    if number < len(curves):
        return Spot(0, curves[number].name, curves[number].color, point, along=found.along)
    trail, rows = trails[number - len(curves)]
    before = min(int(found.along), len(rows) - 2)
    row = rows[before] + (found.along - before) * (rows[before + 1] - rows[before])
    return Spot(0, trail.name, trail.color, point, vector=_vector(row[1:]), time=float(row[0]))


def _parts(trail: Trail) -> list[Array]:
    """Return time and vector, (N, 4), of each visible piece of a trail between gaps, the newest last."""
    now, ring = float(trail.newest[0]), trail.ring
    age = min(trail.length, FADED * trail.fade_time) if trail.fades_out else trail.length
    first = ring.row_at(now - age)
    rows = ring.rows(first, ring.count)
    shown = np.concatenate([np.column_stack([rows[:, 0], rows[:, trail.column : trail.column + 3]]), [trail.newest]])
    return [part for part in np.split(shown, trail.after_gaps(first) - first) if len(part) > 1]


def _holding(scene: SceneDescription, which: int) -> bool:
    """Return whether the sphere (0) or the ellipsoid (1) of momentum space is shown."""
    held = scene.constraints
    if held is None:
        return False
    sizes = held.radius, float(np.max(held.semi_axes))
    return sizes[which] > 1e-3 * max(sizes)


def _on_surface(scene: SceneDescription, seen: Picking, pixel: Pair) -> Spot | None:
    """Return the surface at a pixel."""
    point, direction = seen.ray(pixel)
    for name, color, far in _surfaces(scene, point, direction):
        if far is not None and name == "body":
            part = _part(scene, point, direction)
            on_body = _vector((point + far * direction) @ scene.world_from_body)
            return Spot(0, name if part is None else f"{PART}:{part}", color, on_body=on_body)
        if far is not None:
            return Spot(0, name, color)
    return None


def _part(scene: SceneDescription, point: Array, direction: Array) -> int | None:
    """Return the number of the part of a composite body that the line of sight meets first, or None."""
    mesh = None if scene.solid is None else scene.solid.mesh
    if mesh is None or mesh.parts is None:
        return None
    found = first_face(mesh.vertices, mesh.faces, point @ scene.world_from_body, direction @ scene.world_from_body)
    return None if found is None else int(mesh.parts[found[1]])


def _surfaces(scene: SceneDescription, point: Array, direction: Array) -> Iterator[tuple[str, Color, float | None]]:
    """Yield each surface in order of precedence, its colour, and how far from `point` the line of sight meets it [m].

    If the line of sight misses it, that is None.
    """
    theme, solid, held, plane = scene.theme, scene.solid, scene.constraints, scene.plane
    start, along = point @ scene.world_from_body, direction @ scene.world_from_body
    if solid is not None:
        yield "body", theme.body, hit(solid.size, start, along)
        for ghost in (ghost for ghost in scene.ghosts if ghost.name):
            there = point @ ghost.world_from_body, direction @ ghost.world_from_body
            yield ghost.name, ghost.color, hit(solid.size, *there)
    if scene.shell is not None:
        yield "ellipsoid", theme.shell, hit(_ellipsoid(scene.shell.semi_axes), start, along)
    if held is not None:
        sphere = hit(_ellipsoid(np.full(3, held.radius)), start, along) if _holding(scene, 0) else None
        energy = hit(_ellipsoid(held.semi_axes), start, along) if _holding(scene, 1) else None
        if energy is not None and float(np.linalg.norm(start + energy * along)) > held.reach:
            energy = None  # that point has faded
        if energy is not None and (sphere is None or energy < sphere):
            yield "energy", theme.sections, energy
        yield "sphere", held.sphere_color, sphere
    if plane is not None:
        reach = PLANE_SEEN * plane.reach
        yield "plane", theme.grid, hit_disc(point, direction, plane.centre, plane.world_from_plane, reach)


def _ellipsoid(semi_axes: Array) -> SolidSize:
    return SolidSize("ellipsoid", semi_axes)


def _vector(values: Array) -> Vector:
    x, y, z = values.tolist()
    return x, y, z


@frozen
class OnLine:
    """The point of a line that the pointer is over.

    `line` is the line's number. `along` is the number of the line's point before it, plus the fraction of the piece up
    to the next one. `away` is the distance from the pointer, px.
    """

    line: int
    along: float
    point: Array
    away: float


def nearest_line(lines: Sequence[Array], picking: Picking, pixel: Pair, reach: float, tie: float) -> OnLine | None:
    """Return the point of a line, of (N, 3) points each, that the pointer is over, or None if it is over no line.

    Of the lines within `reach` px of the pointer that are at most `tie` px farther from it than the closest, it is the
    one nearest to the eye. Distances are measured to the straight pieces as the eye sees them.
    """
    if not lines:
        return None
    points = np.concatenate(lines)
    clip = points @ picking.clip_from_world[:, :3].T + picking.clip_from_world[:, 3]
    depth = clip[:, 3]
    seen = depth > BEHIND * np.max(np.abs(depth))
    inverse = 1.0 / np.where(seen, depth, 1.0)
    x = 0.5 * (1.0 + clip[:, 0] * inverse) * picking.size[0] - pixel[0]
    y = 0.5 * (1.0 - clip[:, 1] * inverse) * picking.size[1] - pixel[1]
    counts = [len(line) for line in lines]
    number = np.repeat(np.arange(len(lines)), counts)
    whole = seen[:-1] & seen[1:] & (number[:-1] == number[1:])
    across, down = np.diff(x), np.diff(y)
    squares = across * across + down * down
    fraction = np.clip(-(x[:-1] * across + y[:-1] * down) / np.where(squares > 0.0, squares, 1.0), 0.0, 1.0)
    away = np.hypot(x[:-1] + fraction * across, y[:-1] + fraction * down)
    away = np.where(whole, away, np.inf)
    least = float(np.min(away, initial=np.inf))
    if not least <= reach:
        return None
    near = np.flatnonzero(away <= min(least + tie, reach))
    shallow = (1.0 - fraction[near]) * inverse[near] + fraction[near] * inverse[near + 1]  # linear in 1 / depth
    best = int(near[int(np.argmax(shallow))])
    t = float(fraction[best])
    t = t * float(depth[best]) / ((1.0 - t) * float(depth[best + 1]) + t * float(depth[best]))
    point = points[best] + t * (points[best + 1] - points[best])
    line = int(number[best])
    return OnLine(line, best - sum(counts[:line]) + t, point, float(away[best]))


def hit_disc(point: Array, direction: Array, centre: Array, world_from_plane: Array, reach: float) -> float | None:
    """Return how far from `point` a line of sight meets the disc of radius `reach` in a plane; None if it misses.

    The columns of `world_from_plane`, (3, 3), are two directions in the plane and its normal. `point` and `direction`
    are as `Picking.ray` returns them.
    """
    normal = world_from_plane[:, 2]
    slope = float(direction @ normal)
    if slope == 0.0:
        return None
    far = float((centre - point) @ normal) / slope
    return far if float(np.linalg.norm(point + far * direction - centre)) <= reach else None
