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
    """The body, as a `SolidSize` has it: lengths in m along the body axes; `material`: as in `MATERIALS`."""

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

    `name`: as in Curve; "": the pointer passes it by. `silhouette`: of a box only the outline is drawn, as far as the
    body does not hide it.
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

    `opacity`: a fraction of the theme's opacity.
    """

    semi_axes: Array
    holds_body: bool
    opacity: float = 1.0


@frozen
class Plane:
    """The invariable plane: `world_from_plane` (3, 3) has two directions in it and its normal, away from the origin.

    `reach`: half the side that is drawn; `spacing`: that of the grid; `bounds`: radii of the circles that bound the
    herpolhode.
    """

    centre: Array
    world_from_plane: Array
    reach: float
    spacing: float
    bounds: tuple[float, float]


@frozen
class Constraints:
    """In momentum space: the sphere |L'| = const and the ellipsoid E = const, both about the origin, m.

    Beyond `reach` the ellipsoid has faded away.
    """

    radius: float
    semi_axes: Array
    sphere_color: Color
    reach: float


@frozen
class Curve:
    """A closed curve fixed in the body: (N, 3) points, the first one not repeated; `width` in px.

    `carrier`: semi-axes of the ellipsoid that it lies on, (3,): the curve is thinner where that turns away from the
    eye; 0: nowhere. `name`: the name of the thing, as in `scene.naming.things.THINGS`.
    """

    points: Array
    color: Color
    width: float
    alpha: float
    carrier: Array
    name: str = ""


@frozen
class TrailTint:
    """A trail's colouring.

    `values` makes (n,) numbers of rows, anew if `name` changes; `low` and `high` have the first and the last of
    `colors`, (N, 3).
    """

    name: str
    values: Callable[[Array], Array]
    low: float
    high: float
    colors: Array


@frozen
class Trail:
    """The path of a vector's tip: rows of a ring with the time first and the vector from `column` on.

    `newest`: time and vector now. `world_from_points` (3, 3) turns the vectors into metres in the world. `carrier`: as
    in Curve. The trail fades with age, and out if `fades_out`: loads move the surface that it is drawn on, and old
    turns no longer lie there. Rows older than `length` [s] are not drawn. `origin`: (3,) m, the point in the world from
    which the vectors count. `name`: as in Curve. `gaps`: times (begin, end) [s] between which the path is unknown and
    not drawn.
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
    """A straight line, or an arrow if `head` (its length, px) is not 0. `phase`: of its dashes, px.

    `name`: the name of the thing that it stands for, as an arrow's label has it.
    """

    start: Array
    end: Array
    color: Color
    alpha: float
    width: float
    head: float = 0.0
    phase: float = 0.0
    name: str = ""


@frozen
class Ticks:
    """Short marks across a line, from `starts` to `ends`, (N, 3).

    `alphas`, and `widths` in px: (N,). `colors`: (N, 3), if each has its own.
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

    `style` is "symbol" or "number". `eye`: the only one that sees it, -1 left or +1 right; 0: both.
    `on_body`: its colour where it stands on the body; None: `color`.
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
    """A flat shape around an anchor, px at scale 1: a box with round corners, or the ring of this width along its edge.

    `eye`: the only one that sees it, -1 left or +1 right; 0: both.
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

    `polhode_ticks`, `trail_ticks`: the ticks that show the polhode rolling. `centre_path`: the path of the centre of
    mass. `measured`: the points of a recording. `handle`: the place under the pointer that can be dragged. `glowing`:
    the name of the thing under the pointer; `mark`: if that is a line, its point (3,) under the pointer. `part`: the
    number of the selected part of a composite body. `patches` lie behind all else, `backings` before all but the
    labels.
    """

    theme: Theme
    world_from_body: Array
    camera_forward: Array
    key_light: Array
    solid: Solid | None = None
    shell: Shell | None = None
    plane: Plane | None = None
    constraints: Constraints | None = None
    curves: tuple[Curve, ...] = ()
    trail: Trail | None = None
    paths: tuple[Trail, ...] = ()
    polhode_ticks: Ticks | None = None
    trail_ticks: Ticks | None = None
    measured: Ticks | None = None
    centre_path: Trail | None = None
    contact: Array | None = None
    handle: Array | None = None
    arrows: tuple[Stroke, ...] = ()
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
    """A scene, where a centred eye stands before it, and how each eye sees it.

    `pixel_scale`: pixels of the picture per pixel at scale 1. `eyes`: the positions of the eyes. `comfort`: the
    parallax that they have to bear. `box`: the box of each eye's picture that the layer fills.
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
    """One picture of `size` pixels: its layers from back to front, the first one over all of it, the others in boxes.

    `stereo`: the settings in which the picture is drawn. `comfort`: that of all layers that show something.
    `transparent`: the picture has no background, alpha instead. `in_one_space`: the layers after the first are bodies
    in one space, not in boxes, and the contents of the first are drawn over them.
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
        """The layer that all of the picture shows."""
        return self.layers[0]

    @property
    def insets(self) -> tuple[Layer, ...]:
        """The layers in boxes over it: an inset, or the cells of a race or of several bodies."""
        return self.layers[1:]

    def with_scene(self, number: int, **changes: Any) -> "Frame":
        """Return the frame with these fields of the scene changed in the layer with this number, if there is one."""
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
