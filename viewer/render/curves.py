"""Polhode, herpolhode and the point where they touch."""

import moderngl
import numpy as np

from viewer.render.lines import PointTexture
from viewer.render.program import Program
from viewer.scene.description import SceneDescription

BODY_SHARE = (1.2, 0.45)  # px and alpha of the polhode seen through the body
BEHIND = (1.6, 0.55)  # .. behind the ellipsoid
HERPOLHODE_WIDTH = 2.5
CASING = 1.0
CONTACT_RADIUS = 7.0
IDENTITY = np.eye(3)


class CurvePass:
    """Both curves share one program; the polhode's points are written when they change, the trail's are appended."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._program = Program(ctx, "curve.vert", "curve.frag")
        self._array = ctx.vertex_array(self._program.program, [])
        self._polhode: PointTexture | None = None
        self._polhode_bytes = b""
        self._polhode_count = 0
        self._trail: PointTexture | None = None
        self._trail_range = (0, 0)
        self._marker = Program(ctx, "marker.vert", "marker.frag")
        self._marker_array = ctx.vertex_array(self._marker.program, [])

    def prepare(self, scene: SceneDescription) -> None:
        """Brings in new points."""
        if scene.polhode is not None:
            data = scene.polhode.tobytes()
            if data != self._polhode_bytes:
                self._write_polhode(scene.polhode)
                self._polhode_bytes = data
        if scene.trail is not None:
            ring = scene.trail.ring
            if self._trail is None or self._trail.capacity != ring.capacity:
                if self._trail is not None:
                    self._trail.release()
                self._trail = PointTexture(self._ctx, ring.capacity)
            self._trail_range = self._trail.follow(ring)

    def _write_polhode(self, points: np.ndarray) -> None:
        self._polhode_count = len(points)
        if self._polhode is None or self._polhode.capacity < len(points):
            if self._polhode is not None:
                self._polhode.release()
            self._polhode = PointTexture(self._ctx, len(points))
        rows = np.zeros((len(points), 4), dtype=np.float32)
        rows[:, :3] = points
        self._polhode.write(0, rows)

    def draw_polhode(self, scene: SceneDescription, scale: float, *, through_body: bool) -> None:
        """Draws the polhode, or only what the body hides of it, thin."""
        if scene.polhode is None or self._polhode is None:
            return
        theme = scene.theme
        width, alpha = BODY_SHARE if through_body else (theme.polhode_width, 1.0)
        behind, alpha_behind = BODY_SHARE if through_body else BEHIND
        self._polhode.texture.use(0)
        self._program.set(
            points=0,
            capacity=self._polhode.capacity,
            first=0,
            count=self._polhode_count + 1,
            closed=True,
            has_newest=False,
            world_from_points=scene.world_from_body,
            half_width=0.5 * width * scale,
            half_width_behind=0.5 * behind * scale,
            facing_axes=scene.shell.semi_axes if scene.shell else (0.0, 0.0, 0.0),
            line_color=(*theme.polhode, alpha),
            casing_color=(*theme.halo, 0.0),
            casing=0.0,
            alpha_behind=alpha_behind / alpha,
            fade_time=0.0,
        )
        self._array.render(moderngl.TRIANGLE_STRIP, vertices=2 * (self._polhode_count + 1))

    def draw_trail(self, scene: SceneDescription, scale: float) -> None:
        """Draws the herpolhode up to the newest point, fading with age."""
        if scene.trail is None or self._trail is None:
            return
        first, end = self._trail_range
        count = end - first + 1
        if count < 2:
            return
        theme, trail = scene.theme, scene.trail
        time, *newest = trail.newest
        half_width = 0.5 * HERPOLHODE_WIDTH + CASING
        self._trail.texture.use(0)
        self._program.set(
            points=0,
            capacity=self._trail.capacity,
            first=first % self._trail.capacity,
            count=count,
            closed=False,
            has_newest=True,
            newest=(*newest, time),
            world_from_points=trail.scale * IDENTITY,
            half_width=half_width * scale,
            half_width_behind=half_width * scale,
            facing_axes=(0.0, 0.0, 0.0),
            line_color=(*theme.herpolhode, 1.0),
            casing_color=(*theme.halo, 0.75 if theme.dark else 0.0),
            casing=CASING * scale,
            alpha_behind=1.0,
            now=time,
            fade_time=trail.fade_time,
            fade_floor=0.0 if trail.fades_out else theme.herpolhode_floor_alpha,
        )
        self._array.render(moderngl.TRIANGLE_STRIP, vertices=2 * count)

    def draw_contact(self, scene: SceneDescription, scale: float) -> None:
        """Draws the ring around the touching point."""
        if scene.contact is None:
            return
        self._marker.set(
            centre=scene.contact,
            radius=CONTACT_RADIUS * scale,
            thickness=2.0 * scale,
            ring_color=scene.theme.text,
            casing_color=scene.theme.halo,
        )
        self._marker_array.render(moderngl.TRIANGLE_STRIP, vertices=4)

    def release(self) -> None:
        """Gives the memory back."""
        for texture in (self._trail, self._polhode):
            if texture is not None:
                texture.release()
