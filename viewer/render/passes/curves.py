"""Closed curves fixed in the body, trails, and the point where they touch."""

from collections.abc import Iterator, Sequence

import moderngl
import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color
from viewer.common.ring_buffer import RingBuffer, RingView
from viewer.render.passes.lines import CASING, GLOW_WIDTH, HALO
from viewer.render.program import Program
from viewer.render.trail_lod import LARGEST, TrailLod
from viewer.scene.description import CONTACT_RADIUS, DASH, HANDLE_RADIUS, SceneDescription, Trail, TrailTint

Array = NDArray[np.float64]

BODY_WIDTH = 0.8  # of a line's width, if it is seen through the body; a closed curve is dashed there
BEHIND_WIDTH, BEHIND_OPACITY = 0.6, 0.75  # of those of a line, if the surface on which it lies turns away from the eye
TRAIL_WIDTH = 2.5
MARK_RADIUS = 4.0  # px, of the dot on the line that the pointer is over
PIVOT_RADIUS = 6.5  # px, of the ball of a pivot
LONGEST = 250_000  # px of a trail: older turns than this are not drawn, as turns then lie on one another
MISS = 0.25  # px by which a trail may be missed
IN_SPACE = np.eye(3)
NOWHERE = np.zeros(0, dtype=np.int64)
TEXTURE_WIDTH = 1024  # as in shaders/curve.vert


class PointTexture:
    """Points as rows of a float texture, to which a ring's new rows are appended."""

    def __init__(self, ctx: moderngl.Context, capacity: int) -> None:
        self.capacity = capacity
        rows = -(-capacity // TEXTURE_WIDTH)
        # zeros are uploaded, or a software rasteriser would allocate the memory page by page, for hours
        empty = bytes(16 * TEXTURE_WIDTH * rows)
        self.texture = ctx.texture((TEXTURE_WIDTH, rows), 4, empty, dtype="f4")
        self.texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self.values: moderngl.Texture | None = None  # one for each point, for its colour
        self._ctx = ctx
        self._ring: tuple[RingBuffer, int] | None = None
        self._values_for = ""
        self._written = 0

    def write(self, slot: int, points: NDArray[np.float32], values: NDArray[np.float32] | None = None) -> None:
        """Write rows (n, 4), and values (n,), from `slot` on; they must not extend beyond the end of the ring."""
        start = 0
        while start < len(points):
            y, x = divmod(slot + start, TEXTURE_WIDTH)
            width = min(TEXTURE_WIDTH - x, len(points) - start)
            part = np.ascontiguousarray(points[start : start + width], dtype=np.float32)
            self.texture.write(part, viewport=(x, y, width, 1))
            if values is not None and self.values is not None:
                fractions = np.ascontiguousarray(values[start : start + width], dtype=np.float32)
                self.values.write(fractions, viewport=(x, y, width, 1))
            start += width

    def restarts(self, ring: RingView) -> bool:
        """Return whether `follow` will begin anew, because it has followed another ring so far."""
        return self._ring is None or self._ring[0] is not ring.source or self._ring[1] != ring.generation

    def follow(self, ring: RingView, column: int = 1, tint: TrailTint | None = None) -> tuple[int, int]:
        """Append the time of the ring's new rows, their vector from `column` on, and the values of `tint`.

        Return the running numbers (first, end) of the rows in the texture.
        """
        wanted = tint.name if tint is not None else ""
        if self.restarts(ring) or (wanted and wanted != self._values_for):
            self._ring, self._written = (ring.source, ring.generation), 0
        self._values_for = wanted  # rows appended without a tint have no values
        if tint is not None and self.values is None:
            self.values = self._ctx.texture(self.texture.size, 1, dtype="f4")
            self.values.filter = (moderngl.NEAREST, moderngl.NEAREST)
        first = max(ring.first, ring.count - self.capacity)
        self._written = max(self._written, first)
        while self._written < ring.count:
            slot = self._written % self.capacity
            end = min(ring.count, self._written + self.capacity - slot)
            rows = np.clip(ring.rows(self._written, end), -LARGEST, LARGEST)
            points = np.concatenate([rows[:, column : column + 3], rows[:, 0:1]], axis=1)
            values = tint.values(rows).astype(np.float32) if tint is not None else None
            self.write(slot, points.astype(np.float32), values)
            self._written = end
        return first, ring.count

    def release(self) -> None:
        """Free the memory."""
        self.texture.release()
        if self.values is not None:
            self.values.release()


class Strip:
    """The vertices of a strip through points: two for each point, with its number and those of its neighbours."""

    def __init__(self, ctx: moderngl.Context, program: Program) -> None:
        self._ctx, self._program = ctx, program
        self._count = 0
        self._reserve(64)

    def _reserve(self, vertices: int) -> None:
        self._buffer = self._ctx.buffer(reserve=12 * vertices, dynamic=True)
        self._array = self._ctx.vertex_array(self._program.program, [(self._buffer, "3i", "numbers")])

    def write(self, numbers: NDArray[np.int64], *, closed: bool, begins: NDArray[np.int64] = NOWHERE) -> None:
        """Lead the strip through the points with these numbers (n,), in their order, and back to the first if `closed`.

        It is interrupted before each of the points with the indices `begins`.
        """
        if closed:
            padded = np.concatenate([numbers[-1:], numbers, numbers[:2]])
        else:
            padded = np.concatenate([numbers[:1], numbers, numbers[-1:]])
        triples = np.stack([padded[:-2], padded[1:-1], padded[2:]], axis=1)
        triples[begins, 0], triples[begins - 1, 2] = numbers[begins], numbers[begins - 1]  # a piece of no length
        vertices = np.repeat(triples, 2, axis=0).astype(np.int32)
        self._count = len(vertices)
        if self._buffer.size < vertices.nbytes:
            self.release()
            self._reserve(2 * self._count)
        self._buffer.write(vertices.tobytes())

    def draw(self) -> None:
        """Draw the strip with the uniforms of its program."""
        self._array.render(moderngl.TRIANGLE_STRIP, vertices=self._count)

    def release(self) -> None:
        """Free the memory."""
        self._array.release()
        self._buffer.release()


class ClosedCurve:
    """A closed curve's points in a texture, and the strip through them."""

    def __init__(self, ctx: moderngl.Context, program: Program) -> None:
        self._ctx = ctx
        self._bytes = b""
        self.length = 0.0  # m
        self.points = PointTexture(ctx, 1)
        self.strip = Strip(ctx, program)

    def hold(self, points: Array) -> None:
        """Upload `points` (N, 3), unless the curve has these points already."""
        data = points.tobytes()
        if data == self._bytes:
            return
        self._bytes = data
        if self.points.capacity < len(points):
            self.points.release()
            self.points = PointTexture(self._ctx, len(points))
        rows = np.zeros((len(points), 4), dtype=np.float32)
        rows[:, :3] = points
        pieces = np.linalg.norm(np.diff(points, axis=0, append=points[:1]), axis=1)
        self.length = float(np.sum(pieces))
        rows[1:, 3] = np.cumsum(pieces[:-1]) / max(self.length, 1e-30)
        self.points.write(0, rows)
        self.strip.write(np.arange(len(points)), closed=True)


class DrawnTrail:
    """A trail's points in a texture, and a strip through as few of them as look the same on the screen.

    `range` has the running numbers of the first row that is drawn and of the one after the last. `oldest` is the age of
    the first row [s], as in the shader.
    """

    def __init__(self, ctx: moderngl.Context, program: Program, capacity: int) -> None:
        self.points = PointTexture(ctx, capacity)
        self.strip = Strip(ctx, program)
        self._detail = TrailLod(capacity)
        self.range, self.oldest = (0, 0), 0.0

    def hold(self, trail: Trail, metres_per_pixel: float) -> None:
        """Append a trail's new rows, and choose the rows to join."""
        ring, detail = trail.ring, self._detail
        detail.follow(ring, trail.column, self.points.restarts(ring))
        kept, end = self.points.follow(ring, trail.column, trail.tint)
        first = max(kept, ring.row_at(float(trail.newest[0]) - trail.length))
        pixel = metres_per_pixel / max(float(np.linalg.norm(trail.world_from_points, 2)), 1e-12)  # in rows
        started = detail.start(first, end, LONGEST * pixel)
        self.range, self.oldest = (started, end), trail.length
        if started > first:
            self.oldest = float(trail.newest[0] - ring.data[started % ring.capacity, 0])
            first = started
        if end > first:
            rows = np.append(detail.chosen(first, end, MISS * pixel), end)  # the last one is the newest
            if len(after := trail.after_gaps(first)):
                rows = np.union1d(rows, np.append(after - 1, after))
            self.strip.write(rows - first, closed=False, begins=np.searchsorted(rows, after))

    def release(self) -> None:
        """Free the memory."""
        self.points.release()
        self.strip.release()


class CurvePass:
    """Curves and trails, which share one program; points that are drawn again are not uploaded again."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._program = Program(ctx, "curve.vert", "curve.frag")
        self._closed: dict[tuple[int, int], ClosedCurve] = {}  # by layer of the picture and index in its list
        self._layer, self._pixel = 0, 1.0
        # by layer, index among the layer's trails, and column of the ring
        self._trails: dict[tuple[int, int, int], DrawnTrail] = {}
        self._marker = Program(ctx, "marker.vert", "marker.frag")

    def prepare(self, scene: SceneDescription, layer: int, metres_per_pixel: float) -> None:
        """Upload the new points of the layer with this number; those of other layers are kept."""
        self._layer, self._pixel = layer, 2.0 * metres_per_pixel
        for index, curve in enumerate(scene.curves):
            key = layer, index
            if key not in self._closed:
                self._closed[key] = ClosedCurve(self._ctx, self._program)
            self._closed[key].hold(curve.points)
        for place, trail in self._trails_of(scene):
            drawn = self._trails.get(place)
            if drawn is None or drawn.points.capacity != trail.ring.capacity:
                if drawn is not None:
                    drawn.release()
                drawn = self._trails[place] = DrawnTrail(self._ctx, self._program, trail.ring.capacity)
            drawn.hold(trail, metres_per_pixel)

    def _trails_of(self, scene: SceneDescription) -> Iterator[tuple[tuple[int, int, int], Trail]]:
        """Yield the trail, the path of the centre of mass and the paths in the body, with their keys."""
        for place, trail in enumerate((scene.trail, scene.centre_path, *scene.paths)):
            if trail is not None:
                yield (self._layer, place, trail.column), trail

    def draw_curves(self, scene: SceneDescription, scale: float, *, through_body: bool, opacity: float = 1.0) -> None:
        """Draw the closed curves or, with `through_body`, only their hidden parts, thin and dashed."""
        for index, curve in enumerate(scene.curves):
            drawn = self._closed[self._layer, index]
            drawn.points.texture.use(0)
            self._program.set(
                capacity=drawn.points.capacity,
                first=0,
                count=len(curve.points),
                has_newest=False,
                world_from_points=IN_SPACE if curve.in_space else scene.world_from_body,
                points_origin=(0.0, 0.0, 0.0),
                facing_axes=curve.carrier,
                opacity_behind=1.0 if through_body else BEHIND_OPACITY,
                dashes=float(round(0.5 * drawn.length / (DASH * scale * self._pixel))) if through_body else 0.0,
                fade_time=0.0,
                oldest=0.0,
                tinted=False,
            )
            width = curve.width * (BODY_WIDTH if through_body else 1.0)
            behind = curve.width * (BODY_WIDTH if through_body else BEHIND_WIDTH)
            self._draw_strip(scene, drawn.strip, scale, curve.name, width, behind, (*curve.color, curve.alpha), opacity)

    def draw_trails(
        self, scene: SceneDescription, trails: Sequence[Trail | None], scale: float, *, through_body: bool = False
    ) -> None:
        """Draw some of the scene's trails up to their newest points or, if `through_body`, hidden parts, thin."""
        for key, trail in self._trails_of(scene):
            if any(trail is wanted for wanted in trails):
                self._draw_trail(scene, trail, self._trails[key], scale, through_body)

    def _draw_trail(
        self, scene: SceneDescription, trail: Trail, drawn: DrawnTrail, scale: float, through_body: bool
    ) -> None:
        first, end = drawn.range
        count = end - first + 1
        if count < 2:
            return
        points, tint = drawn.points, trail.tint
        time, *newest = trail.newest
        points.texture.use(0)
        self._program.set(
            capacity=points.capacity,
            first=first % points.capacity,
            count=count,
            has_newest=True,
            newest=(*newest, time),
            world_from_points=trail.world_from_points,
            points_origin=trail.origin,
            facing_axes=trail.carrier,
            opacity_behind=BEHIND_OPACITY,
            dashes=0.0,
            now=time,
            fade_time=trail.fade_time,
            fade_floor=0.0 if trail.fades_out else scene.theme.herpolhode_floor_alpha,
            oldest=drawn.oldest,
            tinted=tint is not None,
        )
        if tint is not None and points.values is not None:
            points.values.use(1)
            self._program.set(values=1, value_range=(tint.low, tint.high), tint_colors=tint.colors)
        width = TRAIL_WIDTH * (BODY_WIDTH if through_body else 1.0)
        self._draw_strip(scene, drawn.strip, scale, trail.name, width, TRAIL_WIDTH * BEHIND_WIDTH, (*trail.color, 1.0))

    def _draw_strip(
        self, scene: SceneDescription, strip: Strip, scale: float, name: str, width: float, behind: float,
        ink: tuple[float, float, float, float], opacity: float = 1.0,
    ) -> None:  # fmt: skip
        """Draw a line of two widths, px at scale 1; if it glows, draw the light around it first."""
        glows = name != "" and name == scene.glowing
        wider = GLOW_WIDTH if glows else 1.0
        light = [(beyond, alpha, 0.0) for beyond, alpha in HALO] if glows else []
        for around, alpha, casing in (*light, (CASING, ink[3], CASING)):
            self._program.set(
                points=0,
                half_width=(0.5 * width * wider + around) * scale,
                half_width_behind=(0.5 * behind * wider + around) * scale,
                line_color=(*ink[:3], alpha * opacity),
                casing_color=scene.theme.halo,
                casing=casing * scale,
            )
            strip.draw()

    def draw_contact(self, scene: SceneDescription, scale: float) -> None:
        """Draw the ring around the touching point, dashed where the body hides it."""
        if scene.contact is not None:
            thickness = 3.5 if scene.glowing == "contact" else 2.0
            sizes = CONTACT_RADIUS * scale, thickness * scale
            self._draw_ring(scene, scene.contact, *sizes, scene.theme.text)
            if scene.solid is not None:
                self._ctx.depth_func = ">"
                self._draw_ring(scene, scene.contact, *sizes, scene.theme.text, dashed=True)
                self._ctx.depth_func = "<="

    def draw_pivot(self, scene: SceneDescription, scale: float) -> None:
        """Draw the ball of the pivot."""
        if scene.pivot is not None:
            radius = 0.5 * PIVOT_RADIUS * scale
            self._draw_ring(scene, scene.pivot, radius, 2.0 * radius, scene.theme.text)

    def draw_mark(self, scene: SceneDescription, scale: float) -> None:
        """Draw the dot on the line that the pointer is over."""
        if scene.mark is not None and scene.glowing != "contact":
            radius = 0.5 * MARK_RADIUS * scale  # a ring so thick that it has no hole
            self._draw_ring(scene, scene.mark, radius, 2.0 * radius, scene.theme.text)

    def draw_handle(self, scene: SceneDescription, scale: float) -> None:
        """Draw the ring around the handle that the pointer can drag."""
        if scene.handle is not None:
            self._draw_ring(scene, scene.handle, HANDLE_RADIUS * scale, 3.0 * scale, scene.theme.force)

    def _draw_ring(
        self, scene: SceneDescription, centre: Array, radius: float, thickness: float, ink: Color, dashed: bool = False
    ) -> None:
        self._marker.set(
            centre=centre,
            radius=radius,
            thickness=thickness,
            ring_color=ink,
            casing_color=scene.theme.halo,
            dashed=dashed,
        )
        self._marker.draw(moderngl.TRIANGLE_STRIP, 4)
