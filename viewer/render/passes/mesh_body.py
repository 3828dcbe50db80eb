"""The body as a surface of triangles.

First the triangle seen at each pixel is noted in targets of its own, together with the part of the pixel that edges
cover; then each pixel is painted once, by its own ray. So a mesh of many small triangles costs little more than one of
few, and edges are hidden by whatever lies in front of them. The edges of the outline are found here, for each eye.
"""

import math
from collections.abc import Iterable
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from viewer.physics.solids.triangle_mesh import TriangleMesh
from viewer.render.mesh_cuts import uniforms
from viewer.render.mesh_surface import NO_FACE, MeshSurface, mesh_surface
from viewer.render.program import Instances, Program
from viewer.scenario.choices.themes import MATERIALS
from viewer.scene.description import Solid
from viewer.scene.stereo.views import EyeView, Rectangle, common

Array = NDArray[np.float64]

TEXELS = 3  # of a triangle, one for each corner
ROW = 256  # triangles in a row of their texture, as in mesh_body.frag
MARGIN = 4  # px that edges reach beyond what is drawn, at scale 1
TRIANGLE, DEPTH, EDGE, TRIANGLES, PAINTS, PICTURE = range(6)  # units of textures
FARTHEST = 1e6  # px from the picture: points that appear farther away are moved there


class _Targets:
    """Textures that note which triangle a pixel shows, how deep it is, and how much of the pixel an edge covers."""

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int]) -> None:
        self.size = size
        self.triangle = ctx.texture(size, 1, dtype="f4")
        self.edge = ctx.texture(size, 2, dtype="f4")
        self.depth = ctx.depth_texture(size)
        self.depth.compare_func = ""
        for texture in (self.triangle, self.edge, self.depth):
            texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
            texture.repeat_x = texture.repeat_y = False
        self.first = ctx.framebuffer([self.triangle], self.depth)
        self.second = ctx.framebuffer([self.edge])

    def release(self) -> None:
        """Free the memory."""
        for kept in (self.first, self.second, self.triangle, self.edge, self.depth):
            kept.release()


class _Uploaded:
    """A mesh in OpenGL's memory."""

    def __init__(
        self, ctx: moderngl.Context, program: Program, surface: MeshSurface, mesh: TriangleMesh, half_extents: Array
    ) -> None:
        self.surface = surface
        corners = surface.vertices[np.unique(surface.faces)] * half_extents  # m
        self.points = np.ascontiguousarray(corners.T, dtype=np.float32)
        largest = int(ctx.info["GL_MAX_TEXTURE_SIZE"])
        self.textures: dict[int, moderngl.Texture] = {TRIANGLES: _table(ctx, surface.triangles)}
        if surface.paint is not None:
            self.textures[PAINTS] = _table(ctx, surface.paint)
            if mesh.uv is not None and mesh.texture is not None:
                self.textures[PICTURE] = _picture(ctx, mesh.texture, largest)
        self.kind = len(self.textures) - 1  # PAINT of the shader
        self.mark_places, rooms = (_from_own_axis(of_marks) for of_marks in surface.marks)
        self.per_mark_room = 1.0 / rooms
        self._vertices = ctx.buffer(np.ascontiguousarray(surface.vertices))
        self._faces = ctx.buffer(np.ascontiguousarray(surface.faces))
        self.array = ctx.vertex_array(program.program, [(self._vertices, "3f", "corner")], self._faces)

    def release(self) -> None:
        """Free the memory."""
        self.array.release()
        self._vertices.release()
        self._faces.release()
        for texture in self.textures.values():
            texture.release()


def _table(ctx: moderngl.Context, rows: NDArray[np.float32]) -> moderngl.Texture:
    """Return a texture of the numbers (F, TEXELS, 4) of triangles, ROW of them in a row."""
    down = -(-len(rows) // ROW)
    padded = np.zeros((down * ROW, TEXELS, 4), dtype=np.float32)
    padded[: len(rows)] = rows
    table = ctx.texture((TEXELS * ROW, down), 4, padded, dtype="f4")
    table.filter = (moderngl.NEAREST, moderngl.NEAREST)
    return table


def _picture(ctx: moderngl.Context, pixels: NDArray[np.uint8], largest: int) -> moderngl.Texture:
    """Return a texture of (H, W, 3) pixels, top row first, made coarser if it is larger than `largest` px."""
    step = -(-max(pixels.shape[:2]) // largest)
    fitting = np.ascontiguousarray(pixels[::-step, ::step])
    picture = ctx.texture((fitting.shape[1], fitting.shape[0]), 3, fitting, alignment=1)
    picture.build_mipmaps()
    picture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    return picture


class MeshBody:
    """The meshes of a picture."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._triangles = {cut: Program(ctx, "mesh.vert", "mesh.frag", {"CUT": str(int(cut))}) for cut in (False, True)}
        self._triangles[True].set(triangles=TRIANGLES)
        self._outline = Program(ctx, "mesh_edge.vert", "mesh_edge.frag")
        self._depth = Program(ctx, "mesh_body.vert", "mesh_depth.frag")
        self._depth.set(depth_there=DEPTH, edge_there=EDGE)
        self._edges = Instances(ctx, 7, (self._outline, "3f 3f 1f", ("start", "end", "least_gap")))
        self._painters: dict[tuple[int, bool, bool, int], Program] = {}
        self._kept: dict[TriangleMesh, _Uploaded] = {}
        self._targets: _Targets | None = None

    def keep(self, wanted: Iterable[TriangleMesh]) -> None:
        """Free all meshes but these."""
        for mesh in self._kept.keys() - set(wanted):
            self._kept.pop(mesh).release()

    def prepare(
        self, solid: Solid, scale: float, twins: bool, lit: tuple[int | None, int | None], **paint: Any
    ) -> None:
        """Set the uniforms of a frame, and upload the mesh if it is new.

        `twins` is true if there are any, `lit` has the part that is selected and the one that glows, and `paint` are
        uniforms of the body's surface.
        """
        uploaded = self._uploaded(solid)
        paint["lit_faces"] = sum((uploaded.surface.faces_of(part) for part in lit), ())
        marks = {"mark_places": uploaded.mark_places, "per_mark_room": uploaded.per_mark_room}
        light = {"extents": solid.half_extents, **marks, **paint}
        for twin in (False, True) if twins else (False,):
            self._painter(uploaded, twin, solid.material).set(**light)
        cuts = uploaded.surface.cuts
        self._triangles[bool(cuts)].set(extents=solid.half_extents, **(uniforms(cuts) if cuts else {}))
        self._scale = scale

    def _uploaded(self, solid: Solid) -> _Uploaded:
        mesh = solid.mesh
        assert mesh is not None
        if mesh not in self._kept:
            surface = mesh_surface(mesh, solid.half_extents)
            program = self._triangles[bool(surface.cuts)]
            self._kept[mesh] = _Uploaded(self._ctx, program, surface, mesh, solid.half_extents)
        return self._kept[mesh]

    def _painter(self, uploaded: _Uploaded, twin: bool, material: str) -> Program:
        key = uploaded.kind, twin, uploaded.surface.parts is not None, MATERIALS[material].shading
        if key not in self._painters:
            names = "PAINT", "TWIN", "PARTS", "MATERIAL"
            constants = {name: str(int(value)) for name, value in zip(names, key, strict=True)}
            program = Program(self._ctx, "mesh_body.vert", "mesh_body.frag", constants)
            program.set(
                triangle_there=TRIANGLE, depth_there=DEPTH, edge_there=EDGE, triangles=TRIANGLES, paints=PAINTS,
                picture=PICTURE,
            )  # fmt: skip
            self._painters[key] = program
        return self._painters[key]

    def draw(
        self, solid: Solid, view: EyeView, world_from_body: Array, edge_width: float, twin: bool, **paint: Any
    ) -> None:
        """Draw the mesh, with edges of this width [px] and `paint` as uniforms; a `twin` of the body is translucent."""
        uploaded = self._uploaded(solid)
        region = covered(uploaded.points, view, world_from_body, math.ceil(MARGIN * self._scale))
        if min(region[2:]) == 0:
            return
        where = {"corner": region[:2], "room": region[2:], "depth_there": DEPTH}
        target = self._ctx.fbo
        self._find_triangles(uploaded, view, region, world_from_body)
        self._outline.set(width=edge_width, **where)
        self._find_edges(uploaded.surface, view, world_from_body)
        target.use()
        (left, low, across, up), (x, y, width, height) = region, view.viewport
        sides = np.array((left - x, low - y, left - x + across, low - y + up)) / (width, height, width, height)
        where["around"] = tuple((2.0 * sides - 1.0).tolist())
        assert self._targets is not None
        self._targets.triangle.use(TRIANGLE)
        self._targets.edge.use(EDGE)
        for unit, texture in uploaded.textures.items():
            texture.use(unit)
        program = self._painter(uploaded, twin, solid.material)
        program.set(world_from_body=world_from_body, **where, **paint)
        self._ctx.enable(moderngl.BLEND | moderngl.DEPTH_TEST)
        if twin:
            program.draw(moderngl.TRIANGLE_STRIP, 4)
            return
        self._depth.set(**where)
        target.color_mask = (False, False, False, False)
        target.use()
        self._depth.draw(moderngl.TRIANGLE_STRIP, 4)
        target.color_mask, target.depth_mask = (True, True, True, True), False
        target.use()
        self._ctx.depth_func = ">"  # only pixels at which a triangle was found are painted
        program.draw(moderngl.TRIANGLE_STRIP, 4)
        self._ctx.depth_func = "<="
        target.depth_mask = True
        target.use()

    def _find_triangles(self, uploaded: _Uploaded, view: EyeView, region: Rectangle, world_from_body: Array) -> None:
        """Note the triangle seen at each pixel of a region of the picture, and its depth."""
        targets = self._targets_of(region[2:])
        (x, y, width, height), (left, low, across, up) = view.viewport, region
        moved, everywhere = (x - left, y - low, width, height), (0, 0, across, up)
        targets.first.use()
        targets.first.viewport = moved
        targets.first.scissor = everywhere
        targets.first.clear(viewport=everywhere)
        self._triangles[bool(uploaded.surface.cuts)].set(world_from_body=world_from_body)
        if uploaded.surface.cuts:
            uploaded.textures[TRIANGLES].use(TRIANGLES)
        self._ctx.disable(moderngl.BLEND)
        if uploaded.surface.closed:
            self._ctx.enable(moderngl.CULL_FACE)
        uploaded.array.render()
        self._ctx.disable(moderngl.CULL_FACE)
        targets.second.use()
        targets.second.viewport = moved
        targets.second.scissor = everywhere
        targets.second.clear(viewport=everywhere)

    def _find_edges(self, surface: MeshSurface, view: EyeView, world_from_body: Array) -> None:
        """Note how much of each pixel the visible edges cover; if several cover it, the largest cover counts."""
        self._edges.write(surface.edges.rows[seen_edges(surface, view.position @ world_from_body)])
        self._outline.set(world_from_body=world_from_body)
        assert self._targets is not None
        self._targets.depth.use(DEPTH)
        self._ctx.enable_only(moderngl.BLEND)
        self._ctx.blend_equation = moderngl.MAX, moderngl.MAX
        self._edges.draw()
        self._ctx.blend_equation = moderngl.FUNC_ADD, moderngl.FUNC_ADD

    def _targets_of(self, size: tuple[int, int]) -> _Targets:
        if self._targets is None or min(have - need for have, need in zip(self._targets.size, size, strict=True)) < 0:
            self.release()
            self._targets = _Targets(self._ctx, size)
        return self._targets

    def release(self) -> None:
        """Free the targets' memory."""
        if self._targets is not None:
            self._targets.release()
        self._targets = None


def seen_edges(surface: MeshSurface, eye: Array) -> NDArray[np.intp]:
    """Return the indices of the edges that are drawn for an eye at `eye` (3,) [m], in body axes.

    These are the sharp edges of faces that face the eye, and all edges between a face that faces the eye and one that
    does not. Edges with a single face are always drawn, and of a surface that is open or cut, all sharp edges.
    """
    faces, sharp = surface.edges.faces, surface.edges.sharp
    turned = surface.planes @ np.array([*eye, -1.0], dtype=np.float32) > 0.0
    one, other = turned[faces[:, 0]], turned[faces[:, 1]]
    drawn = one != other
    drawn[:sharp] |= one[:sharp]
    drawn |= faces[:, 1] == NO_FACE
    if surface.cuts or not surface.closed:
        drawn[:sharp] = True  # inner sides are visible, too
    return np.flatnonzero(drawn)


def _from_own_axis(marks: Array) -> Array:
    """Return vectors (6, 3) of +x, -x, +y .. -z, each with the component along its own axis first."""
    return np.stack([np.roll(vector, -(number // 2)) for number, vector in enumerate(marks)])


def covered(points: NDArray[np.float32], view: EyeView, world_from_body: Array, margin: int) -> Rectangle:
    """Return the rectangle of a picture that the points of a body, (3, N) m, may cover; it may be empty.

    It has `margin` px more for the edges. If some points are behind the eye, it is all of the view that is drawn.
    """
    x, y, width, height = view.scissor or view.viewport
    drawn = common(view.viewport, (x - margin, y - margin, width + 2 * margin, height + 2 * margin))
    rows = view.clip_from_world[[0, 1, 3]]
    clip = (rows[:, :3] @ world_from_body).astype(np.float32) @ points + rows[:, 3:].astype(np.float32)
    if np.min(clip[2]) <= 0.0:
        return drawn
    at = (0.5 + 0.5 * clip[:2] / clip[2]) * np.array(view.pixels, dtype=np.float32)[:, None]
    offset = np.array(view.from_drawn)
    low, high = (np.clip(found - offset, -FARTHEST, FARTHEST) for found in (np.min(at, axis=1), np.max(at, axis=1)))
    left, bottom = (math.floor(value) - margin for value in low)
    right, top = (math.ceil(value) + margin for value in high)
    return common(drawn, (left, bottom, right - left, top - bottom))
