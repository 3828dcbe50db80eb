"""Draws frames: every eye's passes in their order, then the mixing of the eyes that the stereo mode needs."""

import itertools
import math
from collections.abc import Sequence
from functools import cached_property

import moderngl
import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import GraphicsError
from viewer.common.language import tr
from viewer.render.compositor import COMPOSITORS, Compositor, part_sizes
from viewer.render.eye_uniforms import EyeUniforms
from viewer.render.framebuffers import RenderTarget, plain_state
from viewer.render.passes.curves import CurvePass
from viewer.render.passes.labels import LabelPass
from viewer.render.passes.lines import CASING, Patches, Strokes, halo_rows, height_of, stroke_rows, tick_rows
from viewer.render.passes.surfaces import BodyPass, ConePass, ConstraintsPass, PlanePass, ShellPass
from viewer.render.program import Program
from viewer.scene.description import DASH, Frame, Layer, SceneDescription
from viewer.scene.stereo.views import EyeView, Rectangle, rectangles

ANAGLYPH_LINE_FRACTION = 0.5  # ghosting is worst on grid, sections and lines seen through the body
ANAGLYPH_SATURATION = 0.25  # of a body's own colours, which would differ in brightness between the eyes
TICK_THROUGH_BODY = 0.4  # opacity of a tick seen through the body
CARD_CORNER = 8.0  # px
CARD_ALPHA = 0.86


class Renderer:
    """Draws a `Frame` into `texture`. Needs an OpenGL 3.3 core context."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        self.largest = min(  # side of a picture, px
            *(int(ctx.info[f"GL_MAX_{what}_SIZE"]) for what in ("TEXTURE", "RENDERBUFFER")),
            *(int(side) for side in ctx.info["GL_MAX_VIEWPORT_DIMS"]),
        )
        self._eyes: list[EyeUniforms] = []
        self._background = Program(ctx, "fullscreen.vert", "background.frag")
        self._segments = Program(ctx, "segment.vert", "segment.frag")
        self._heads = Program(ctx, "arrow_head.vert", "arrow_head.frag")
        self._arrows = Strokes(ctx, self._segments, self._heads)
        self._front_arrows = Strokes(ctx, self._segments, self._heads)
        self._strokes, self._overlay = Strokes(ctx, self._segments), Strokes(ctx, self._segments)
        self._halo = Strokes(ctx, self._segments)
        self._polhode_ticks, self._trail_ticks = Strokes(ctx, self._segments), Strokes(ctx, self._segments)
        self._measured = Strokes(ctx, self._segments)
        self._body = BodyPass(ctx)
        self._shell = ShellPass(ctx)
        self._plane = PlanePass(ctx)
        self._curves = CurvePass(ctx)
        self._labels = LabelPass(ctx)
        self._compositors: dict[str, Compositor] = {}
        self._idle = ctx.simple_framebuffer((1, 1))
        self._drawn: list[RenderTarget] = []  # the parts
        self._composed: RenderTarget | None = None  # the picture that a compositor has mixed from the parts
        self._backdrop: RenderTarget | None = None
        self._backdrop_for: object = None
        self._background_was: object = None  # of the last picture
        self._line_fraction = self._saturation = 1.0
        self._among = False
        self._rectangles: tuple[Rectangle, ...] = ()  # of the last picture's eyes
        self._nameless: Frame | None = None  # the last picture, if its names are still to be drawn
        self._unmixed: Frame | None = None  # .. if its eyes are still to be mixed

    # programs that few pictures need are compiled with the first of them

    @cached_property
    def _card(self) -> Program:
        return Program(self.ctx, "fullscreen.vert", "inset.frag")

    @cached_property
    def _present(self) -> Program:
        return Program(self.ctx, "fullscreen.vert", "present.frag")

    @cached_property
    def _constraints(self) -> ConstraintsPass:
        return ConstraintsPass(self.ctx)

    @cached_property
    def _cones(self) -> ConePass:
        return ConePass(self.ctx)

    @cached_property
    def _patches(self) -> Patches:
        return Patches(self.ctx)

    @property
    def texture(self) -> moderngl.Texture:
        """The last picture drawn; it is the left eye's if each eye has its own."""
        return self._picture().texture

    def draw(self, frame: Frame, *, window: tuple[int, int] | None = None) -> None:
        """Draw one picture.

        If it is shown next, `window` is the size [px] at which it is. `present` then adds what depends on the window:
        it draws names at the window's resolution over a coarser picture, and it mixes eyes that share their pixels
        directly into a window as large as the picture.
        """
        mixed, full = frame.mode.layout in COMPOSITORS, window in (None, frame.size)
        self._nameless = None if full or mixed or frame.main.scene.patches else frame
        later = mixed and full and window is not None
        self._unmixed = None
        with plain_state(self.ctx):
            self._draw(frame)
            if mixed and not later:
                self._mix(frame)
        self._unmixed = frame if later else None

    def _draw(self, frame: Frame) -> None:
        self._rectangles = tuple(dict.fromkeys(rectangles(frame.mode, frame.size)))
        self._allocate(part_sizes(frame), frame)
        in_anaglyph = frame.mode.layout == "anaglyph"
        self._line_fraction = ANAGLYPH_LINE_FRACTION if in_anaglyph else 1.0
        self._saturation = ANAGLYPH_SATURATION if in_anaglyph else 1.0
        self._among = frame.in_one_space
        self._body.keep(layer.scene for layer in frame.layers)
        each = len(frame.main.views) // len(self._drawn)
        for target, first in zip(self._drawn, itertools.count(0, each)):
            self._clear(target, frame, frame.main.views[first : first + each])
        for number in frame.back_to_front:
            layer = frame.layers[number]
            self._prepare(layer, number)
            views = zip(layer.views, self._eyes, strict=False)
            for target in self._drawn:
                target.framebuffer.use()
                for view, eye in itertools.islice(views, each):
                    self._draw_eye(layer, view, eye)

    def _mix(self, frame: Frame) -> None:
        """Compose the picture from its parts."""
        assert self._composed is not None
        self.ctx.disable(moderngl.BLEND | moderngl.DEPTH_TEST)
        whole = (0, 0, *self._composed.size)
        self._compositor(frame.mode.layout).draw(self._drawn, frame, self._composed.framebuffer, whole)

    def _compositor(self, layout: str) -> Compositor:
        if layout not in self._compositors:
            self._compositors[layout] = Compositor(self.ctx, layout)
        return self._compositors[layout]

    def present(self, framebuffer: moderngl.Framebuffer, viewports: Sequence[Rectangle], buffer: int = 0) -> None:
        """Paint each eye's rectangle of the last picture onto `framebuffer`.

        `viewports` has x, y, width and height for each rectangle; a rectangle that eyes share counts once. If each eye
        has a picture of its own, `buffer` is the left (0) or the right one (1).
        """
        if self._unmixed is not None and [viewport[2:] for viewport in viewports] == [self._unmixed.size]:
            with plain_state(self.ctx):
                compositor = self._compositor(self._unmixed.mode.layout)
                compositor.draw(self._drawn, self._unmixed, framebuffer, viewports[0])
            return
        target = self._picture() if self._composed else self._drawn[buffer]
        width, height = target.size
        with plain_state(self.ctx):
            framebuffer.use()
            target.texture.use(0)
            for (x, y, across, up), viewport in zip(self._rectangles, viewports, strict=True):
                self.ctx.viewport = viewport
                target.smooth((across, up) != viewport[2:])
                self._present.set(picture=0, corner=(x / width, y / height), fraction=(across / width, up / height))
                self._present.draw()
            if self._nameless is not None:
                self._labels.draw_over(self._nameless, buffer, dict(zip(self._rectangles, viewports, strict=True)))

    def read(self, channels: int = 3) -> NDArray[np.uint8]:
        """Return the last picture, (height, width, channels), top row first; the fourth is premultiplied alpha."""
        picture = self._picture()
        width, height = picture.size
        pixels = np.frombuffer(picture.read(), dtype=np.uint8)
        return pixels.reshape(height, width, 4)[::-1, :, :channels]

    def release(self) -> None:
        """Free the pictures' memory; the context frees the rest."""
        self._idle.use()  # moderngl returns to the framebuffer used last, by its name: it must not be deleted
        for target in (*self._drawn, self._composed, self._backdrop):
            if target is not None:
                target.release()
        self._drawn, self._composed, self._backdrop, self._backdrop_for = [], None, None, None
        self._body.release()

    def _picture(self) -> RenderTarget:
        if not self._drawn:
            raise RuntimeError("nothing has been drawn yet")
        if self._unmixed is not None:
            with plain_state(self.ctx):
                self._mix(self._unmixed)
            self._unmixed = None
        return self._composed or self._drawn[0]

    def _allocate(self, sizes: list[tuple[int, int]], frame: Frame) -> None:
        """Make targets of the right size for the parts, and for the picture if it is composed of parts."""
        composed = frame.size if frame.mode.layout in COMPOSITORS else None
        present = self._composed.size if self._composed is not None else None
        for width, height in (*sizes, *([composed] if composed else [])):
            if max(width, height) > self.largest:
                text = tr("a picture of {width}x{height} is more than this machine's OpenGL can draw, {most}x{most}")
                raise GraphicsError(text.format(width=width, height=height, most=self.largest))
        if [target.size for target in self._drawn] != sizes or present != composed:
            self.release()
            self._drawn = [RenderTarget(self.ctx, size) for size in sizes]
            self._composed = None if composed is None else RenderTarget(self.ctx, composed, depth=False)
        while len(self._eyes) < len(frame.main.views):
            self._eyes.append(EyeUniforms(self.ctx))

    def _prepare(self, layer: Layer, number: int) -> None:
        """Upload the data of the layer with this number that all eyes share."""
        scene, scale = layer.scene, layer.pixel_scale
        if scene.solid is not None:
            self._body.prepare(scene, scene.solid, scale, self._saturation, self._among)
        if scene.cones:
            self._cones.prepare(scene)
        self._plane.prepare(scene, self._line_fraction, scale)
        nearest = 0.5 * layer.camera.distance
        pixel = 2.0 * nearest * math.tan(0.5 * layer.camera.field_of_view) / height_of(layer)
        self._curves.prepare(scene, number, pixel)
        self._arrows.write(stroke_rows(scene.arrows, layer))
        self._front_arrows.write(stroke_rows(scene.front_arrows, layer))
        self._strokes.write(stroke_rows(scene.strokes, layer))
        self._overlay.write(stroke_rows(scene.overlay_strokes, layer))
        self._halo.write(halo_rows(layer))
        self._polhode_ticks.write(tick_rows(scene.polhode_ticks, layer))
        self._trail_ticks.write(tick_rows(scene.trail_ticks, layer))
        self._measured.write(tick_rows(scene.measured, layer, "measured"))
        self._labels.write(scene.labels, scale)
        self._segments.set(dash_length=DASH * scale, casing_color=scene.theme.halo)
        self._heads.set(casing_color=scene.theme.halo)

    def _clear(self, target: RenderTarget, frame: Frame, views: tuple[EyeView, ...]) -> None:
        """Clear a target to the background.

        A copy of the background is kept once two successive pictures have the same one, so that it is not drawn again.
        """
        if frame.transparent:
            target.framebuffer.use()
            target.framebuffer.clear(depth=1.0)
            return
        wanted = (
            frame.main.scene.theme.name,
            [(view.rectangle, view.pixels, view.offset, view.shown_size) for view in views],
        )
        before, self._background_was = self._background_was, wanted
        if wanted not in (before, self._backdrop_for):
            self._draw_background(target, frame, views)
            return
        if self._backdrop is None:
            self._backdrop = RenderTarget(self.ctx, target.size, depth=False)
        if wanted != self._backdrop_for:
            self._backdrop_for = None
            self._draw_background(self._backdrop, frame, views)
            self._backdrop_for = wanted
        self.ctx.copy_framebuffer(target.framebuffer, self._backdrop.framebuffer)
        target.clear_depth()

    def _draw_background(self, target: RenderTarget, frame: Frame, views: tuple[EyeView, ...]) -> None:
        theme = frame.main.scene.theme
        target.framebuffer.use()
        target.framebuffer.clear(depth=1.0)  # between the halves of an odd width nothing is drawn
        self.ctx.disable(moderngl.BLEND | moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self._background.set(top=theme.background_top, bottom=theme.background_bottom, centre=theme.background_centre)
        for view in views:
            self.ctx.viewport = view.rectangle
            width, height = view.shown_size
            self._background.set(size=view.pixels, aspect=width / height, offset=view.from_drawn)
            self._background.draw()

    def _draw_card(self, layer: Layer, view: EyeView, window: Rectangle) -> None:
        """Draw the background within a layer's box."""
        theme, scale = layer.scene.theme, layer.pixel_scale
        x, y, width, height = window
        across, up = (shown / pixels for shown, pixels in zip(view.shown_size, view.pixels, strict=True))
        self._card.set(
            card_color=theme.background_bottom,
            border_color=theme.grid,
            card_size=(width * across, height * up),
            middle=(x + 0.5 * width, y + 0.5 * height),
            pixel_size=(across, up),
            corner=CARD_CORNER * scale,
            border=scale,
            card_alpha=CARD_ALPHA,
        )
        self.ctx.viewport = view.rectangle
        self.ctx.depth_func = "1"  # always: what stood there is covered
        self._card.draw()

    def _draw_constraints(self, layer: Layer, *, near: bool) -> None:
        held = layer.scene.constraints
        if held is not None:
            self._constraints.draw(layer.scene, held, self._line_fraction, layer.pixel_scale, near=near)

    def _draw_eye(self, layer: Layer, view: EyeView, eye: EyeUniforms) -> None:
        """Draw one eye's picture, from the back to the front."""
        ctx, scene, scale = self.ctx, layer.scene, layer.pixel_scale
        casing = CASING * scale
        eye.use(layer, view)
        ctx.enable(moderngl.BLEND | moderngl.DEPTH_TEST)
        ctx.blend_func = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA
        ctx.scissor = view.scissor
        if view.window is not None:
            self._draw_card(layer, view, view.window)
        ctx.viewport, ctx.depth_func = view.viewport, "<="
        if scene.patches:
            self._draw_patches(layer, view)
        # Where the body may stick out of the glass around it, it comes first, and all glass is tested against it; else
        # it comes after the plane, so that its soft outline lies on what is behind.
        body_first = scene.shell is None or not scene.shell.holds_body
        if body_first:
            self._draw_body(scene, view)
        self._write_depth(False)
        if not scene.plane_in_front:
            self._plane.draw(scene)
            self._draw_trail(scene, scale)
        self._draw_constraints(layer, near=False)
        if not body_first:
            self._draw_body(scene, view)
        self._draw_glass(layer, view, body_first)
        if scene.sphere is not None:
            self._shell.draw_both(scene, scene.sphere, self._line_fraction, scale)
        self._draw_constraints(layer, near=True)
        if scene.plane_in_front:
            self._plane.draw(scene)
        if scene.solid is not None:
            ctx.depth_func = ">"
            hidden = 1.0 if scene.theme.dark else self._line_fraction  # on a light ground each eye sees both
            self._curves.draw_curves(scene, scale, through_body=True, opacity=hidden)
            self._curves.draw_trails(scene, scene.paths, scale, through_body=True)
            self._polhode_ticks.draw(opacity=TICK_THROUGH_BODY)
            self._measured.draw(opacity=TICK_THROUGH_BODY)
            self._halo.draw()
            self._arrows.draw(xray=True, casing=casing)
            ctx.depth_func = "<="
        self._halo.draw()
        self._write_depth(True)
        self._arrows.draw(casing=casing)
        self._write_depth(False)
        if scene.front_arrows:
            ctx.disable(moderngl.DEPTH_TEST)
            self._front_arrows.draw(casing=casing)
            ctx.enable(moderngl.DEPTH_TEST)
        self._polhode_ticks.draw(casing=casing)  # before the polhode, or its casing would part it from them
        self._curves.draw_curves(scene, scale, through_body=False)
        self._curves.draw_trails(scene, scene.paths, scale)
        self._polhode_ticks.draw()
        self._measured.draw(casing=casing)
        self._measured.draw()
        if scene.plane_in_front:
            self._draw_trail(scene, scale)
        self._curves.draw_trails(scene, (scene.centre_path,), scale)
        self._strokes.draw(casing=casing)
        self._curves.draw_contact(scene, scale)
        self._curves.draw_pivot(scene, scale)
        ctx.disable(moderngl.DEPTH_TEST)
        self._curves.draw_handle(scene, scale)
        self._curves.draw_mark(scene, scale)
        self._overlay.draw()
        if scene.backings:
            self._patches.draw(scene.backings, scale)
        if self._nameless is None:
            self._labels.draw(scene.theme.halo, scale)
        self._write_depth(True)
        ctx.scissor = None

    def _draw_glass(self, layer: Layer, view: EyeView, body_first: bool) -> None:
        """Draw the ellipsoid's far surface, ghosts and cones between its surfaces, and the near surface."""
        scene, fraction, scale = layer.scene, self._line_fraction, layer.pixel_scale
        if scene.shell is not None and not (body_first or scene.ghosts or scene.cones):
            self._shell.draw_both(scene, scene.shell, fraction, scale)
            return
        self._draw_cones(scene, view, 0)
        if scene.shell is not None:
            self._shell.draw(scene, scene.shell, fraction, scale, near=False)
        self._draw_ghosts(scene, view)
        self._draw_cones(scene, view, 1)
        if scene.shell is not None:
            self._shell.draw(scene, scene.shell, fraction, scale, near=True)
        self._draw_cones(scene, view, 2)

    def _draw_cones(self, scene: SceneDescription, view: EyeView, part: int) -> None:
        if scene.cones:
            self._cones.draw(scene, view, part)

    def _draw_trail(self, scene: SceneDescription, scale: float) -> None:
        self._curves.draw_trails(scene, (scene.trail,), scale)
        self._trail_ticks.draw()

    def _draw_patches(self, layer: Layer, view: EyeView) -> None:
        """Draw the flat shapes for this eye, and upload its labels."""
        scene, scale = layer.scene, layer.pixel_scale
        self.ctx.disable(moderngl.DEPTH_TEST)
        self._patches.draw([p for p in scene.patches if view.eye in (p.eye, 0) or p.eye == 0], scale)
        self.ctx.enable(moderngl.DEPTH_TEST)
        self._labels.write([n for n in scene.labels if view.eye in (n.eye, 0) or n.eye == 0], scale)

    def _draw_body(self, scene: SceneDescription, view: EyeView) -> None:
        if scene.solid is not None:
            self._write_depth(True)
            self._body.draw(scene, scene.solid, view)
            self._write_depth(False)

    def _draw_ghosts(self, scene: SceneDescription, view: EyeView) -> None:
        if scene.solid is not None:
            for ghost in scene.ghosts:
                self._body.draw(scene, scene.solid, view, ghost)

    def _write_depth(self, on: bool) -> None:
        self.ctx.fbo.depth_mask = on
