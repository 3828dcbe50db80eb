"""Makes the meshes of `assets/bodies`: those of simple solids, and that of Toutatis if its published file is named.

    python tests/tools/build_bodies.py [toutatis.obj]

Metres; the origin is the centre of mass, x, y, z are the axes of the body whose look it is: of its moments or of its
tensor. Only the wing nut's moments come from its mesh; the others are looks, and schematic. Toutatis stays in km and in
the axes of its file, with its vertices and facets in the same order, in single precision.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import trimesh
from trimesh import Trimesh

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "bodies"
ALONG_X = trimesh.transformations.rotation_matrix(np.pi / 2, (0.0, 1.0, 0.0))
INCH = 0.0254


def box(center: tuple[float, float, float], size: tuple[float, float, float]) -> Trimesh:
    """A box along the axes."""
    return trimesh.creation.box(size, trimesh.transformations.translation_matrix(center))


def bar(first: tuple[float, float, float], last: tuple[float, float, float], radius: float, sides: int = 16) -> Trimesh:
    """A round bar between two points."""
    return trimesh.creation.cylinder(radius, segment=(first, last), sections=sides)


def brick() -> list[Trimesh]:
    """8 x 4 x 2.25 inches."""
    return [box((0.0, 0.0, 0.0), (8 * INCH, 4 * INCH, 2.25 * INCH))]


def racket() -> list[Trimesh]:
    """A racket of steel tube, 27 inches long, balanced 0.325 m from its butt; the handle along -x, the face in x, y."""
    length, butt, half_long, half_wide, tube = 27 * INCH, -0.325, 0.150, 0.115, 0.009
    middle = butt + length - half_long - tube
    hoop = trimesh.creation.torus(1.0, tube, major_sections=64, minor_sections=10)
    angles = np.arctan2(hoop.vertices[:, 1], hoop.vertices[:, 0])
    out = np.hypot(hoop.vertices[:, 0], hoop.vertices[:, 1]) - 1.0
    x, y = (half_long + out) * np.cos(angles), (half_wide + out) * np.sin(angles)
    hoop.vertices = np.column_stack([middle + x, y, hoop.vertices[:, 2]])
    parts = [hoop, bar((butt, 0.0, 0.0), (-0.10, 0.0, 0.0), 0.016), bar((-0.10, 0.0, 0.0), (-0.02, 0.0, 0.0), 0.010)]
    for side in (-1.0, 1.0):
        parts.append(bar((-0.02, 0.004 * side, 0.0), (middle - 0.105, 0.082 * side, 0.0), 0.005))
    for place in np.linspace(-0.8, 0.8, 9):
        reach = np.sqrt(1.0 - place**2)
        parts.append(box((middle, half_wide * place, 0.0), (2 * half_long * reach, 0.003, 0.003)))
        parts.append(box((middle + half_long * place, 0.0, 0.0), (0.003, 2 * half_wide * reach, 0.003)))
    return parts


def tiangong() -> list[Trimesh]:
    """Two cylinders 10.4 m long together, the thicker one 3.35 m across; two panels of 7 m x 3 m along y."""
    wide, narrow = 3.35 / 2, 1.25
    parts = [
        bar((-0.6, 0.0, 0.0), (4.4, 0.0, 0.0), wide, 48),
        bar((-5.2, 0.0, 0.0), (-1.4, 0.0, 0.0), narrow, 48),
        bar((4.4, 0.0, 0.0), (5.2, 0.0, 0.0), 0.6, 32),
    ]
    cone = trimesh.creation.revolve([(0.0, 0.0), (narrow, 0.0), (wide, 0.8), (0.0, 0.8)], sections=48)
    cone.apply_transform(trimesh.transformations.translation_matrix((-1.4, 0.0, 0.0)) @ ALONG_X)
    parts.append(cone)
    for side in (-1.0, 1.0):
        parts.append(box((-3.2, side * (narrow + 0.9 + 3.5), 0.0), (3.0, 7.0, 0.06)))
        parts.append(bar((-3.2, side * narrow, 0.0), (-3.2, side * (narrow + 0.9), 0.0), 0.08))
    return parts


def station() -> list[Trimesh]:
    """A truss along y with eight solar wings and two radiators, and modules along x."""
    parts = [box((0.0, 0.0, 0.0), (4.0, 94.0, 4.0))]
    for side in (-1.0, 1.0):
        for y in (33.0, 45.0):
            for way in (-1.0, 1.0):
                parts.append(box((way * 20.0, side * y, 0.0), (34.0, 10.0, 0.3)))
        parts.append(box((-10.0, side * 11.0, 0.0), (20.0, 9.0, 0.3)))
    parts += [
        bar((-24.0, 0.0, 5.0), (20.0, 0.0, 5.0), 2.2, 32),
        bar((12.0, -9.0, 5.0), (12.0, 9.0, 5.0), 2.2, 32),
        bar((-30.0, 0.0, 5.0), (-24.0, 0.0, 5.0), 1.4, 32),
        bar((-14.0, 0.0, 5.0), (-14.0, 0.0, 13.0), 1.4, 32),
    ]
    return parts


def wing_nut() -> list[Trimesh]:
    """A tube 9 mm high and 14 mm across with a hole of 6.8 mm, and two wings 3 mm thick which stand beside it."""
    outline = np.array([(7.0005, -3.6), (11.0, -2.5), (16.0, 2.5), (18.5, 9.0), (17.0, 12.5), (13.5, 12.0),
                        (10.5, 6.5), (7.0005, 4.4)])  # fmt: skip
    count, half = len(outline), 1.5
    rim = [np.column_stack([outline[:, 0], np.full(count, y), outline[:, 1]]) for y in (-half, half)]
    middle = outline.mean(axis=0)
    hubs = np.array([(middle[0], -half, middle[1]), (middle[0], half, middle[1])])
    faces = []
    for at in range(count):
        after = (at + 1) % count
        faces += [(at, after, 2 * count), (after + count, at + count, 2 * count + 1)]
        faces += [(at, at + count, after), (after, at + count, after + count)]
    wing = Trimesh(np.vstack([*rim, hubs]), faces, process=False)
    other = wing.copy()
    other.apply_transform(np.diag([-1.0, -1.0, 1.0, 1.0]))
    found = [trimesh.creation.annulus(3.4, 7.0, 9.0, sections=64), wing, other]
    for part in found:
        part.apply_scale(0.001)
    return found


def slab(width: float, height: float, radius: float, low: float, high: float, color: int, x: float = 0.0,
         y: float = 0.0) -> Trimesh:  # fmt: skip
    """A plate from z = `low` to `high` [mm] with round corners, its middle at x, y; `color`: 0xRRGGBB."""
    turns = np.radians(np.arange(0.0, 360.0, 7.5)).reshape(4, 12)
    corners = [(0.5 * sx * width - sx * radius, 0.5 * sy * height - sy * radius)
               for sx, sy in ((1, 1), (-1, 1), (-1, -1), (1, -1))]  # fmt: skip
    rim = np.vstack([
        np.column_stack([cx + radius * np.cos(part), cy + radius * np.sin(part)])
        for (cx, cy), part in zip(corners, np.column_stack([turns, turns[:, -1] + np.radians(7.5)]), strict=True)
    ])  # fmt: skip
    count = len(rim)
    rim += (x, y)
    rows = [np.column_stack([rim, np.full(count, z)]) for z in (low, high)]
    vertices = np.vstack([*rows, [(x, y, low), (x, y, high)]])
    faces = []
    for at in range(count):
        after = (at + 1) % count
        faces += [(after, at, 2 * count), (at + count, after + count, 2 * count + 1)]
        faces += [(at, after, after + count), (at, after + count, at + count)]
    color_of_all = np.tile([color >> 16, color >> 8 & 255, color & 255, 255], (len(vertices), 1)).astype(np.uint8)
    found = Trimesh(0.001 * vertices, faces, process=False)
    found.visual.vertex_colors = color_of_all
    return found


def phone() -> list[Trimesh]:
    """A phone in the axes of its sensors, as Android, iOS and the web have them: x to the right, y up, z out of the
    screen; 72 x 148 x 8 mm."""
    frame, glass, lit, lens = 0x9AA3AD, 0x14181E, 0x2F6F9F, 0x0B0D10
    parts = [slab(72.0, 148.0, 10.0, -4.0, 4.0, frame), slab(68.0, 144.0, 8.5, 4.0, 4.3, glass),
             slab(64.0, 132.0, 5.0, 4.3, 4.5, lit, y=-1.0),
             slab(20.0, 3.0, 1.49, 4.3, 4.6, lens, y=68.5), slab(24.0, 1.6, 0.79, 4.5, 4.7, 0xE8EEF4, y=-63.0),
             slab(26.0, 44.0, 8.0, -5.4, -4.0, 0x7C858F, x=18.0, y=47.0)]  # fmt: skip
    parts += [slab(14.0, 14.0, 6.9, -6.2, -5.4, lens, x=18.0, y=y) for y in (56.5, 38.0)]
    parts += [slab(1.2, length, 0.59, -1.2, 1.2, 0x7C858F, x=36.0, y=y) for y, length in ((28.0, 12.0), (8.0, 22.0))]
    return parts


BODIES: dict[str, Callable[[], list[Trimesh]]] = {
    "brick.ply": brick,
    "racket.ply": racket,
    "tiangong-1.ply": tiangong,
    "space-station.ply": station,
    "wing-nut.ply": wing_nut,
    "phone.ply": phone,
}
COLORED = ("phone.ply",)


def built(name: str) -> Trimesh:
    """Returns the mesh of a body of BODIES, with outward normals."""
    return trimesh.util.concatenate(BODIES[name]())


def published(path: str) -> Trimesh:
    """Returns the facets of an OBJ file of triangles, in their order there."""
    rows = [line.split() for line in Path(path).read_text(encoding="ascii").splitlines()]
    vertices = np.array([row[1:4] for row in rows if row[:1] == ["v"]], float)
    faces = np.array([[corner.partition("/")[0] for corner in row[1:4]] for row in rows if row[:1] == ["f"]], int) - 1
    return Trimesh(vertices, faces, process=False)


def main() -> None:
    """Writes all bodies, as binary PLY."""
    meshes = {name: built(name) for name in BODIES}
    for path in sys.argv[1:]:
        meshes["toutatis.ply"] = published(path)
    for name, mesh in meshes.items():
        if name not in COLORED:
            mesh.visual = trimesh.visual.ColorVisuals(mesh)
        (FOLDER / name).write_bytes(mesh.export(file_type="ply", vertex_normal=False))
        print(f"{name}: {len(mesh.faces)} triangles")


if __name__ == "__main__":
    main()
