"""The body, the inertia ellipsoid, the invariable plane, and the surfaces that hold L' in momentum space."""

import itertools
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import moderngl
import numpy as np
from numpy.typing import NDArray

from viewer.common.color import Color, mixed
from viewer.render import meshes
from viewer.render.eye_uniforms import halfway
from viewer.render.program import Instances, Program
from viewer.scenario.choices.themes import MATERIALS
from viewer.scene.description import Constraints, Ghost, SceneDescription, Shell, Solid
from viewer.scene.naming.spot import part_in
from viewer.scene.stereo.views import EyeView

if TYPE_CHECKING:
    from viewer.render.passes.mesh_body import MeshBody

EDGE_WIDTH = 1.25  # px
EDGE_LIFT = 0.02  # of the body's size: its edges are drawn this much nearer to the eye, if other bodies may hide them
BEVEL = 0.12  # of half the least width: the width of the bevel at which edges catch light
HULL_ROOM = 0.25  # of a T-handle's radius, around it


class SolidKind(NamedTuple):
    """How a kind of solid is drawn: its shader, the hull around it, and the sizes of hull and solid as uniforms."""

    fragment: str
    triangles: Callable[[], meshes.Triangles]
    sizes: Callable[[Solid], dict[str, Any]] = lambda solid: {"extents": solid.half_extents}


def _t_handle_sizes(solid: Solid) -> dict[str, Any]:
    x, radius, z = solid.half_extents.tolist()
    top = solid.bar + radius
    hull = np.array([x, radius, max(top, 2.0 * z - top)]) + HULL_ROOM * radius
    return {"extents": hull, "half_extents": solid.half_extents, "bar": solid.bar}


SOLIDS = {
    "ellipsoid": SolidKind("solid_ellipsoid.frag", meshes.sphere_hull),
    "box": SolidKind("solid_box.frag", lambda: 1.01 * meshes.cube()),
    "cylinder": SolidKind("solid_cylinder.frag", lambda: 1.05 * meshes.cube()),
    "t-handle": SolidKind("solid_t_handle.frag", meshes.cube, _t_handle_sizes),
}
EDGES = {"box": meshes.box_edges}
MARK_LINE = 0.22
FACE_ALPHA = 0.10
CONSTRAINT_ALPHA = 0.16
SECTION_ALPHA = (0.42, 0.18)  # near, far surface
FAR_FRACTION = 0.6
GLOSS = 0.2  # opacity of the middle of the softbox that the near glass mirrors
GRID_ALPHA = 0.45
RIM_ALPHA = 0.6
DENSITIES = (0.65, 1.9)  # of the sphere's and the ellipsoid's glass: different, in case their colours look alike
INNER_FRACTION = 0.4  # of the opacity of a constraint inside the other one
SHADOW_GAP = 0.14  # of the plane's distance
PLANE_SIDES = 32
PLANE_ROOM = 1.01  # the corners' distance, so that the sides lie outside the circle with its soft edge, too
MOST = 0.95  # opacity of glass
CIRCLE_ROOM = 1.3  # of the herpolhode's outer circle: its line has a width, on the screen
GLOW = 1.9  # factor of the opacity of glass, grid and sections that glow
GLOW_LIGHT = 0.3  # .. and mixing of a glowing body's colour with white
IN_SPACE = np.eye(3)
CONE_ALPHA = (0.28, 0.55)  # opacity face-on, and at a grazing angle
GHOST_TINT, GHOST_LIT = 0.75, 0.45
GRAINS = [np.roll(np.eye(3), -1 - along, axis=0) for along in range(3)]  # from body axes to a grain's


class _Hull:
    """A fragment shader that runs where a surface may be: over the hull around it, given by `triangles`."""

    def __init__(
        self, ctx: moderngl.Context, fragment: str, triangles: meshes.Triangles, constants: dict[str, str] | None = None
    ) -> None:
        self._ctx = ctx
        self.program = Program(ctx, "hull.vert", fragment, constants)
        self._array = ctx.vertex_array(self.program.program, [(ctx.buffer(triangles), "3f", "corner")])

    def draw(self) -> None:
        """Draw the hull's back faces, which are seen from inside too."""
        self._ctx.enable(moderngl.CULL_FACE)
        self._ctx.cull_face = "front"
        self._array.render()
        self._ctx.cull_face = "back"
        self._ctx.disable(moderngl.CULL_FACE)


class BodyPass:
    """The rigid body, opaque, with its edges."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._hulls: dict[tuple[str, str], _Hull] = {}
        self._ctx = ctx
        self._edge_program = Program(ctx, "edge.vert", "segment.frag")
        self._edge_program.set(xray=False)
        fields = ("start", "end", "normal_a", "normal_b")
        self._edges = Instances(ctx, 12, (self._edge_program, "3f 3f 3f 3f", fields))
        self._edges_for: object = None

    def _hull(self, solid: Solid) -> _Hull:
        key = solid.kind, solid.material
        if key not in self._hulls:
            drawn, shading = SOLIDS[solid.kind], MATERIALS[solid.material].shading
            self._hulls[key] = _Hull(self._ctx, drawn.fragment, drawn.triangles(), {"MATERIAL": str(shading)})
        return self._hulls[key]

    def prepare(
        self, scene: SceneDescription, solid: Solid, scale: float, saturation: float, among: bool = False
    ) -> None:
        """Set the uniforms of a frame, and upload what has changed.

        `saturation` is a factor on that of a mesh's own colours. `among` says that there are other bodies, which may
        hide its edges.
        """
        self._scale, self._among = scale, among
        glows = scene.glowing == "body"
        light = {
            "body_color": _lit(scene.theme.body) if glows else scene.theme.body,
            "axis_color": solid.axis_colors,
            "mark_line": MARK_LINE,
            "line_width": scale,
            "ambient": scene.theme.ambient,
            "rim_light": scene.theme.rim_light,
            "sheet": _sheet(scene),
            "grain_from_body": _grain(solid),
        }
        if solid.mesh is not None:
            lift = GLOW_LIGHT if glows else 0.0
            lit, light = (scene.part, part_in(scene.glowing)), light | {"selected_color": scene.theme.herpolhode}
            self._mesh.prepare(solid, scale, bool(scene.ghosts), lit, lift=lift, saturation=saturation, **light)
            return
        sizes, material = SOLIDS[solid.kind].sizes(solid), MATERIALS[solid.material]
        bevel = material.bevel * BEVEL * float(np.min(solid.half_extents))
        self._hull(solid).program.set(**sizes, **light, bevel=bevel)
        wanted = (solid.kind, solid.half_extents.tobytes())
        if wanted != self._edges_for:
            self._write_edges(solid)
            self._edges_for = wanted

    @cached_property
    def _mesh(self) -> "MeshBody":  # few pictures need it
        from viewer.render.passes.mesh_body import MeshBody

        return MeshBody(self._ctx)

    def keep(self, scenes: Iterable[SceneDescription]) -> None:
        """Free the memory of bodies that are in none of these scenes."""
        if "_mesh" in self.__dict__:
            solids = [scene.solid for scene in scenes if scene.solid is not None]
            self._mesh.keep({solid.mesh for solid in solids if solid.mesh is not None})

    def release(self) -> None:
        """Free the memory that depends on the picture's size; bodies are kept until `keep` frees them."""
        if "_mesh" in self.__dict__:
            self._mesh.release()

    def _write_edges(self, solid: Solid) -> None:
        edges = EDGES[solid.kind]().astype(np.float64) if solid.kind in EDGES else np.zeros((0, 4, 3))
        edges[:, :2] *= solid.half_extents
        edges[:, 2:] /= solid.half_extents
        self._edges.write(edges.reshape(-1, 12).astype(np.float32))

    def draw(self, scene: SceneDescription, solid: Solid, view: EyeView, ghost: Ghost | None = None) -> None:
        """Draw the body, or a twin of it, then the edges over it; a mesh draws its own."""
        world_from_body = scene.world_from_body if ghost is None else ghost.world_from_body
        lit = ghost is not None and ghost.name != "" and ghost.name == scene.glowing
        if ghost is None:
            edge_color = mixed(scene.theme.body, scene.theme.edge, MATERIALS[solid.material].edges)
        else:
            edge_color = _lit(ghost.color) if lit else ghost.color
        line_opacity = 1.0 if ghost is None else ghost.outline
        paint = {
            "edge_color": edge_color,
            "tint": (0.0, 0.0, 0.0, 0.0) if ghost is None else (*edge_color, GHOST_TINT),
            "opacity": 1.0 if ghost is None else GHOST_LIT if lit else ghost.faces,
            "line_opacity": line_opacity,
        }
        width = (EDGE_WIDTH if ghost is None else ghost.width) * self._scale
        if solid.mesh is not None:
            self._mesh.draw(solid, view, world_from_body, width, ghost is not None, **paint)
            return
        bare = ghost is not None and ghost.silhouette
        outline = {"width": width, "edge_color": edge_color, "opacity": line_opacity, "outline_only": bare}
        outline["lift"] = EDGE_LIFT * float(np.max(solid.half_extents)) if self._among else 0.0
        self._edge_program.set(world_from_body=world_from_body, **outline)
        hull = self._hull(solid)
        hull.program.set(world_from_body=world_from_body, edge_width=width, **paint)
        hull.draw()
        if not (bare or self._among):
            self._ctx.depth_func = "1"  # always; nothing farther is drawn over their soft outer halves
        self._edges.draw()
        self._ctx.depth_func = "<="


class ShellPass:
    """The inertia ellipsoid, after the body: its far surface, then its near one.

    Their depth is computed only if the body may stick out of the ellipsoid. Otherwise the far surface is drawn where no
    body stands, which saves a quarter of the cost of both, and the near one everywhere: in one go with the far one, if
    nothing is to be drawn between them.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._hulls: dict[tuple[bool, bool], _Hull] = {}

    def _hull(self, *, with_depth: bool, both: bool) -> _Hull:
        key = with_depth, both
        if key not in self._hulls:
            constants = {"WITH_DEPTH": str(int(with_depth)), "BOTH": str(int(both))}
            self._hulls[key] = _Hull(self._ctx, "shell.frag", meshes.sphere_hull(), constants)
        return self._hulls[key]

    def draw(self, scene: SceneDescription, shell: Shell, section_fraction: float, scale: float, *, near: bool) -> None:
        """Draw the near or the far surface; the hull's back faces serve both, also from inside.

        `section_fraction` scales the opacity of the sections, `scale` their width.
        """
        with_depth = not shell.holds_body
        farthest = not near and not with_depth
        hull = self._hull(with_depth=with_depth, both=False)
        self._set(hull, scene, shell, section_fraction, scale, side=-1.0 if near else 1.0, farthest=farthest)
        if near and not with_depth:
            self._ctx.disable(moderngl.DEPTH_TEST)
        hull.draw()
        self._ctx.enable(moderngl.DEPTH_TEST)

    def draw_both(self, scene: SceneDescription, shell: Shell, section_fraction: float, scale: float) -> None:
        """Draw both surfaces of a shell that holds the body, but only the near one where the body stands."""
        both, one = (self._hull(with_depth=False, both=both) for both in (True, False))
        for hull in (both, one):
            self._set(hull, scene, shell, section_fraction, scale, side=-1.0, farthest=True)
        both.draw()
        self._ctx.depth_func = ">"
        one.draw()
        self._ctx.depth_func = "<="

    def _set(
        self, hull: _Hull, scene: SceneDescription, shell: Shell, section_fraction: float, scale: float,
        *, side: float, farthest: bool,
    ) -> None:  # fmt: skip
        rotation = IN_SPACE if shell.in_space else scene.world_from_body
        section_fraction = 0.0 if shell.in_space else section_fraction
        glow = shell.opacity * (GLOW if scene.glowing == "ellipsoid" and not shell.in_space else 1.0)
        near_alphas, far_alphas = (
            (
                FACE_ALPHA * glow * fraction,
                min(scene.theme.shell_rim_alpha * glow * fraction, MOST),
                min(section_alpha * section_fraction * glow, MOST),
            )
            for fraction, section_alpha in zip((1.0, FAR_FRACTION), SECTION_ALPHA, strict=True)
        )
        hull.program.set(
            world_from_body=rotation,
            extents=shell.semi_axes,
            shell_color=scene.theme.shell,
            section_color=scene.theme.sections,
            line_width=scale,
            side=side,
            mirror=halfway(scene) @ rotation / shell.semi_axes,
            gloss=0.0 if shell.in_space else GLOSS,
            near_alphas=near_alphas,
            far_alphas=far_alphas,
            farthest=farthest,
        )


class ConstraintsPass:
    """The sphere and the ellipsoid of momentum space: far surfaces before all that lies inside, near ones after."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._hull = _Hull(ctx, "constraints.frag", meshes.sphere_hull())

    def draw(
        self, scene: SceneDescription, held: Constraints, line_fraction: float, scale: float, *, near: bool
    ) -> None:
        """Draw the near or the far surfaces without writing depth; the arguments are as in `ShellPass.draw`."""
        fraction = 1.0 if near else FAR_FRACTION
        extents = np.maximum(held.semi_axes, held.radius)
        self._hull.program.set(
            world_from_body=scene.world_from_body,
            extents=extents if np.max(extents) <= held.reach else np.full(3, held.reach),
            radius=held.radius,
            semi_axes=held.semi_axes,
            reach=held.reach,
            sphere_color=held.sphere_color,
            ellipsoid_color=scene.theme.shell,
            section_color=scene.theme.sections,
            face_alpha=CONSTRAINT_ALPHA * fraction,
            rim_alpha=scene.theme.shell_rim_alpha * fraction,
            section_alpha=SECTION_ALPHA[0 if near else 1] * line_fraction,
            densities=[
                density * (GLOW if scene.glowing == name else 1.0)
                for density, name in zip(DENSITIES, ("sphere", "energy"), strict=True)
            ],
            inner_fraction=INNER_FRACTION,
            line_width=scale,
            side=-1.0 if near else 1.0,
        )
        self._ctx.disable(moderngl.DEPTH_TEST)
        self._hull.draw()
        self._ctx.enable(moderngl.DEPTH_TEST)


class ConePass:
    """Two cones that touch along a line: in three parts, behind the ellipsoid, within it, and before it."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._program, self._corners = Program(ctx, "cone.vert", "cone.frag"), ctx.buffer(reserve=24, dynamic=True)
        self._array = ctx.vertex_array(self._program.program, [(self._corners, "3f 3f", "corner", "outward")])

    def prepare(self, scene: SceneDescription) -> None:
        """Upload the triangles of both cones, with their normals."""
        rows = []
        for cone in scene.cones:
            begin, end = cone.points, np.roll(cone.points, -1, axis=0)
            outward = np.cross(begin, end)
            outward *= -np.sign(outward @ cone.points.mean(axis=0))[:, None]
            corners = np.stack([np.zeros_like(begin), begin, end], axis=1)
            rows.append(np.concatenate([corners, np.repeat(outward[:, None], 3, axis=1)], axis=2).reshape(-1, 6))
        data = np.concatenate(rows).astype(np.float32).tobytes()
        if len(data) != self._corners.size:
            self._corners.orphan(len(data))
        self._corners.write(data)

    def draw(self, scene: SceneDescription, view: EyeView, part: int) -> None:
        """Draw a part of both cones, from the back to the front."""
        glass = np.zeros((3, 3)) if scene.shell is None else (scene.world_from_body / scene.shell.semi_axes).T
        order = [(0, -1.0), (1, -1.0), (1, 1.0), (0, 1.0)]  # the second inside the first
        if scene.tangent is not None:
            near = int(scene.tangent @ view.position > 0.0)
            order = [(1 - near, -1.0), (1 - near, 1.0), (near, -1.0), (near, 1.0)]
        begins = 0, 3 * len(scene.cones[0].points)
        for number, facing in order:
            cone = scene.cones[number]
            glow = GLOW if scene.glowing == cone.name else 1.0
            self._program.set(
                world_from_points=IN_SPACE if cone.in_space else scene.world_from_body,
                facing=facing,
                cone_color=cone.color,
                alphas=tuple(min(glow * alpha, MOST) for alpha in CONE_ALPHA),
                unit_from_world=glass,
                part=part,
            )
            self._array.render(vertices=3 * len(cone.points), first=begins[number])


class PlanePass:
    """The invariable plane with its grid and rim: a disc below the ellipsoid, and the ring around it."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._parts = [Program(ctx, "plane.vert", "plane.frag", {"NEAR": near}) for near in "10"]
        self._has_ring = False

    def prepare(self, scene: SceneDescription, section_fraction: float, scale: float) -> None:
        """Set the plane of this frame; `section_fraction` scales its grid's opacity, `scale` its lines' width."""
        plane = scene.plane
        if plane is None:
            return
        semi_axes = np.full(3, 1e-6) if scene.shell is None else scene.shell.semi_axes
        glow = GLOW if scene.glowing == "plane" else 1.0
        near = max(float(np.max(semi_axes)), CIRCLE_ROOM * max(plane.bounds))
        radii = (0.0, PLANE_ROOM * min(near, plane.reach), PLANE_ROOM * plane.reach)
        self._has_ring = near < plane.reach
        for program, between in zip(self._parts, itertools.pairwise(radii), strict=True):
            program.set(
                between=between,
                centre=plane.centre,
                world_from_plane=plane.world_from_plane,
                world_from_body=scene.world_from_body,
                semi_axes=semi_axes,
                reach=plane.reach,
                gap_scale=SHADOW_GAP * float(np.linalg.norm(plane.centre)),
                per_spacing=1.0 / plane.spacing,
                bounds=plane.bounds,
                plane_color=scene.theme.plane,
                grid_color=scene.theme.grid,
                circle_color=scene.theme.herpolhode,
                line_width=scale,
                plane_alpha=min(scene.theme.plane_alpha * glow, MOST),
                grid_alpha=min(GRID_ALPHA * section_fraction * glow, MOST),
                rim_alpha=min(RIM_ALPHA * section_fraction * glow, MOST),
                shadow_color=scene.theme.shadow,
                shadow_alpha=0.0 if scene.shell is None else scene.theme.shadow_alpha,
            )

    def draw(self, scene: SceneDescription) -> None:
        """Draw the plane if it is shown."""
        if scene.plane is None:
            return
        disc, ring = self._parts
        disc.draw(moderngl.TRIANGLE_FAN, PLANE_SIDES + 2)
        if self._has_ring:
            ring.draw(moderngl.TRIANGLE_STRIP, 2 * (PLANE_SIDES + 1))


def _sheet(scene: SceneDescription) -> tuple[float, float, float, float]:
    """Return the unit vector from the invariable plane to the body, and the fraction of light that the plane absorbs.

    That is the opaque fraction, without the light that the plane's colour reflects.
    """
    if scene.plane is None:
        return 0.0, 0.0, 0.0, 0.0
    x, y, z = (-scene.plane.world_from_plane[:, 2]).tolist()
    return x, y, z, scene.theme.plane_alpha * (1.0 - sum(scene.theme.plane) / 3.0)


def _grain(solid: Solid) -> NDArray[np.float64]:
    """Return the matrix (3, 3) from points in the body [m] to points in its material, in units of the body's reach.

    The last coordinate is along the grain. Each bar of a T-handle has a grain of its own, and metal that was turned on
    a lathe has one around its axis.
    """
    along = 2 if solid.kind in ("t-handle", "cylinder") else int(np.argmax(solid.half_extents))
    if solid.kind == "cylinder" and solid.material != "metal" and solid.half_extents[2] < solid.half_extents[0]:
        along = 0
    return GRAINS[along] / float(solid.half_extents.max())


def _lit(color: Color) -> Color:
    """Return a colour mixed with white."""
    return mixed(color, (1.0, 1.0, 1.0), GLOW_LIGHT)
