"""What is drawn in one frame: plain immutable data, no GL. Metres, world coordinates, the body at the origin.

Colours are sRGB, 0..1. Widths, sizes and offsets are in pixels of the finished picture at scale 1.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.common.frozen import frozen
from viewer.common.ring_buffer import RingView
from viewer.physics.solids.triangle_mesh import TriangleMesh
from viewer.scenario.choices.stereo_modes import STEREO_MODES, StereoMode
from viewer.scenario.choices.themes import PAINT, Theme
from viewer.scenario.sections.picture import Stereo
from viewer.scene.camera.camera import Camera
from viewer.scene.constructions.solids import SolidSize
from viewer.scene.stereo.comfort import Comfort, Eyes
from viewer.scene.stereo.views import WHOLE, Box, EyeView, OnScreen

Array = NDArray[np.float64]

CONTACT_RADIUS = 7.0  # px, of the ring around the touching point
HANDLE_RADIUS = 10.0  # px, of the ring around what the pointer can drag
DASH = 7.0  # px, of an arrow seen through the body, and of the gap after it


@frozen
class Solid:
    """The body: kind and lengths [m] as in `SolidSize`, along the body axes; `material` is a name in `MATERIALS`."""

    kind: str
    half_extents: Array
    axis_colors: tuple[Color, Color, Color]
    bar: float = 0.0
    mesh: TriangleMesh | None = None
    material: str = PAINT

    @property
    def size(self) -> SolidSize:
        """The kind of the solid and its extents."""
        return SolidSize(self.kind, self.half_extents, self.bar, self.mesh)


@frozen
class Ghost:
    """A translucent twin of the body: the opacities of its outline and of its faces, the outline's width in px.

    `name` is as in Curve; the pointer ignores a ghost without a name. With `silhouette`, a box shows only its outline,
    and only the part that the body does not hide.
    """

    world_from_body: Array
    color: Color
    name: str = ""
    outline: float = 1.0
    faces: float = 0.22
    width: float = 1.25
    silhouette: bool = False


@frozen
class Shell:
    """Poinsot's ellipsoid: semi-axes along the body axes, (3,), and whether the whole body lies inside.

    `opacity` is a fraction of the theme's. A shell `in_space` is a sphere about a pivot, without principal sections.
    """

    semi_axes: Array
    holds_body: bool
    opacity: float = 1.0
    in_space: bool = False


@frozen
class Plane:
    """The invariable plane.

    The columns of `world_from_plane`, (3, 3), are two directions in the plane and its normal, away from the origin.
    `reach` is half the side of the square that is drawn, `spacing` that of its grid; `bounds` are the radii of the
    circles that bound the herpolhode.
    """

    centre: Array
    world_from_plane: Array
    reach: float
    spacing: float
    bounds: tuple[float, float]


@frozen
class Constraints:
    """The sphere |L'| = const and the ellipsoid E = const of momentum space, both about the origin, m.

    Beyond `reach` the ellipsoid has faded away.
    """

    radius: float
    semi_axes: Array
    sphere_color: Color
    reach: float


@frozen
class Curve:
    """A closed curve fixed in the body or `in_space`: (N, 3) points, the first one not repeated; `width` in px.

    `carrier` (3,) has the semi-axes of the ellipsoid on which the curve lies: it is thinner where that surface turns
    away from the eye; with zeros it is nowhere thinner. `name` is the thing's name, as in `scene.naming.things.THINGS`.
    """

    points: Array
    color: Color
    width: float
    alpha: float
    carrier: Array
    name: str = ""
    in_space: bool = False

    def in_world(self, world_from_body: Array) -> Array:
        """Return the points (N, 3) in the world while the body has this orientation."""
        return self.points if self.in_space else np.asarray(self.points @ world_from_body.T)


@frozen
class Cone:
    """A translucent cone from the origin to a curve of (N, 3) points, fixed in the body or `in_space`.

    `name` is as in Curve.
    """

    points: Array
    color: Color
    name: str
    in_space: bool = False


@frozen
class TrailTint:
    """A trail's colouring.

    `values` returns a number for each row, (n,); it is called anew if `name` changes. The numbers `low` and `high` have
    the first and the last of `colors`, (N, 3).
    """

    name: str
    values: Callable[[Array], Array]
    low: float
    high: float
    colors: Array


@frozen
class Trail:
    """The path of a vector's tip, from the rows of a ring.

    Attributes
    ----------
    ring
        Rows that begin with the time and have the vector from `column` on.
    newest
        Time and vector now, (4,).
    world_from_points
        The matrix (3, 3) that turns the vectors into metres in the world.
    carrier, name
        As in Curve.
    fade_time
        The time [s] in which the trail fades with age.
    fades_out
        Whether the trail fades away altogether: loads move the surface on which it lies, and old turns no longer fit.
    length
        The age [s] beyond which rows are not drawn.
    origin
        The point (3,) [m] of the world from which the vectors count.
    gaps
        Times (begin, end) [s] between which the path is unknown and not drawn.
    """

    ring: RingView
    column: int
    newest: Array
    world_from_points: Array
    color: Color
    carrier: Array
    fade_time: float
    fades_out: bool
    length: float
    tint: TrailTint | None = None
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    name: str = ""
    gaps: tuple[tuple[float, float], ...] = ()

    def in_world(self, vectors: Array) -> Array:
        """Return where vectors (..., 3) of the trail end in the world, (..., 3) m."""
        return np.asarray(vectors @ self.world_from_points.T - self.origin)

    def after_gaps(self, first: int) -> NDArray[np.int64]:
        """Return the running numbers of the rows after a gap, among the rows from `first` on.

        `newest` counts as the row after the last.
        """
        if not self.gaps:
            return np.zeros(0, dtype=np.int64)
        times = np.append(self.ring.rows(first, self.ring.count)[:, 0], self.newest[0])
        found = np.unique(np.searchsorted(times, np.mean(self.gaps, axis=1)))
        return np.asarray(first + found[(found > 0) & (found < len(times))], dtype=np.int64)


@frozen
class Stroke:
    """A straight line, or an arrow if `head`, the length of its head [px], is not 0.

    `phase` [px] and `dashes`, a fraction of `alpha`, are the phase and the opacity of the dashes in which an arrow is
    seen through the body. `name` is that of the thing that it stands for, as an arrow's label has it.
    """

    start: Array
    end: Array
    color: Color
    alpha: float
    width: float
    head: float = 0.0
    phase: float = 0.0
    name: str = ""
    dashes: float = 1.0


@frozen
class Ticks:
    """Short marks across a line, from `starts` to `ends`, (N, 3).

    `alphas` and `widths` [px] are (N,). `colors` is (N, 3) if each tick has its own, else None.
    """

    starts: Array
    ends: Array
    color: Color
    alphas: Array
    widths: Array
    colors: Array | None = None


@frozen
class Label:
    """A name in the scene: `offset` px from the anchor to the middle of the text, to its left end if not `centred`.

    `style` is "symbol" or "number". `eye` is the only eye that sees the label, -1 left or +1 right, or 0 if both do.
    `on_body` is its colour in front of the body, or None for `color`.
    """

    text: str
    anchor: Array
    color: Color
    size: float
    offset: tuple[float, float]
    style: str = "symbol"
    alpha: float = 1.0
    centred: bool = True
    eye: int = 0
    on_body: Color | None = None


@frozen
class Patch:
    """A flat shape around an anchor, px at scale 1: a box with round corners or, with `ring`, its edge of that width.

    `eye` is the only eye that sees the shape, -1 left or +1 right, or 0 if both do.
    """

    anchor: Array
    half_size: tuple[float, float]
    color: Color
    corner: float = 0.0
    ring: float = 0.0
    eye: int = 0


@frozen
class SceneDescription:
    """Everything that is drawn; None or empty for what is hidden.

    Attributes
    ----------
    sphere
        The sphere about a pivot on which the path of the axis lies.
    cones, tangent
        Two cones that touch along a line, and the normal (3,) of the plane between them, on the side of the second one;
        None if the second is inside the first.
    polhode_ticks, trail_ticks
        The ticks that show the polhode rolling.
    measured
        The points of a recording.
    centre_path
        The path of the centre of mass.
    handle
        The point (3,) under the pointer that can be dragged.
    front_arrows
        Arrows that are drawn once more, in front of the body and the other arrows.
    patches, backings
        Flat shapes behind everything else, and in front of everything but the labels.
    glowing
        The name of the thing under the pointer.
    part
        The number of the selected part of a composite body.
    mark
        The point (3,) under the pointer of the thing that glows, if that is a line.
    """

    theme: Theme
    world_from_body: Array
    camera_forward: Array
    key_light: Array
    solid: Solid | None = None
    shell: Shell | None = None
    sphere: Shell | None = None
    plane: Plane | None = None
    constraints: Constraints | None = None
    curves: tuple[Curve, ...] = ()
    cones: tuple[Cone, ...] = ()
    tangent: Array | None = None
    trail: Trail | None = None
    paths: tuple[Trail, ...] = ()
    polhode_ticks: Ticks | None = None
    trail_ticks: Ticks | None = None
    measured: Ticks | None = None
    centre_path: Trail | None = None
    contact: Array | None = None
    pivot: Array | None = None
    handle: Array | None = None
    arrows: tuple[Stroke, ...] = ()
    front_arrows: tuple[Stroke, ...] = ()
    strokes: tuple[Stroke, ...] = ()
    overlay_strokes: tuple[Stroke, ...] = ()
    labels: tuple[Label, ...] = ()
    plane_in_front: bool = False
    ghosts: tuple[Ghost, ...] = ()
    patches: tuple[Patch, ...] = ()
    backings: tuple[Patch, ...] = ()
    glowing: str = ""
    part: int | None = None
    mark: Array | None = None


def background(theme: Theme, camera: Camera) -> SceneDescription:
    """Return a scene with nothing in it."""
    return SceneDescription(theme, np.eye(3), -camera.backward, camera.up)


@frozen
class Layer:
    """A scene, the camera of a centred eye before it, and the view of each eye.

    `pixel_scale` is the number of the picture's pixels per pixel at scale 1. `eyes` are the positions of the eyes, and
    `comfort` is the parallax that they see. `box` is the part of each eye's picture that the layer fills.
    """

    pixel_scale: float
    views: tuple[EyeView, ...]
    camera: Camera
    scene: SceneDescription
    eyes: Eyes
    comfort: Comfort
    box: Box = WHOLE


@frozen
class Frame:
    """One picture of `size` pixels; the first of its `layers` fills the picture, the others are in boxes over it.

    `stereo` has the settings in which the picture is drawn; `comfort` is that of all layers that show something. If
    `transparent`, the picture has alpha in place of a background. If `in_one_space`, the layers after the first are
    bodies in one space, not in boxes, and the contents of the first are drawn over them.
    """

    layers: tuple[Layer, ...]
    size: tuple[int, int]
    stereo: Stereo
    screen: OnScreen
    comfort: Comfort
    transparent: bool = False
    in_one_space: bool = False

    @property
    def main(self) -> Layer:
        """The layer that fills the picture."""
        return self.layers[0]

    @property
    def insets(self) -> tuple[Layer, ...]:
        """The layers in boxes over the main one: an inset, or the cells of a race or of several bodies."""
        return self.layers[1:]

    def with_scene(self, number: int, **changes: Any) -> "Frame":
        """Return the frame with these fields changed in the scene of layer `number`, if there is such a layer."""
        if number >= len(self.layers):
            return self
        layers = list(self.layers)
        layers[number] = replace(layers[number], scene=replace(layers[number].scene, **changes))
        return replace(self, layers=tuple(layers))

    @property
    def back_to_front(self) -> list[int]:
        """The numbers of the layers in the order in which they are drawn: bodies in one space by their depth."""
        numbers = list(range(len(self.layers)))
        if not self.in_one_space:
            return numbers
        depths = [float(layer.camera.position @ layer.camera.backward) for layer in self.layers]
        return [*sorted(numbers[1:], key=lambda number: -depths[number]), 0]

    @property
    def mode(self) -> StereoMode:
        """How the eyes' pictures share the image."""
        return STEREO_MODES[self.stereo.mode]
