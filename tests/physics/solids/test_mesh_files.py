"""Reading mesh files: what is good, and what is refused in a line, with little memory, before a loader sees it."""

import io
import json
import struct
import subprocess
import sys
import tracemalloc
import zlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import PIL.Image
import pytest
import trimesh
from trimesh.visual.material import PBRMaterial
from trimesh.visual.texture import TextureVisuals

from viewer.common.color import srgb_from_linear
from viewer.common.errors import InputError
from viewer.physics.solids.limits import SUFFIXES
from viewer.physics.solids.mesh_body import mesh_source
from viewer.physics.solids.mesh_files.glb import checked
from viewer.physics.solids.mesh_files.ply import read_ply
from viewer.physics.solids.mesh_files.reader import _material, read_mesh

CUBE = trimesh.creation.box((2.0, 3.0, 4.0))
BODIES = Path(__file__).parents[3] / "assets" / "bodies"


def said_of(file: Path, data: bytes) -> str:
    """Why a file with these bytes is refused, without its name."""
    file.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_mesh(file)
    text = str(caught.value)
    assert "\n" not in text
    assert text.startswith(f"{file}: ")
    return text.removeprefix(f"{file}: ")


def glb(tree: dict[str, object], binary: bytes = b"") -> bytes:
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_format_is_read(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"cube{suffix.upper()}"
    file.write_bytes(bytes(data) if isinstance(data := CUBE.export(file_type=suffix[1:]), bytes) else data.encode())
    found = read_mesh(file)
    corners = found.vertices[found.faces]
    assert np.ptp(corners.reshape(-1, 3), axis=0) == pytest.approx((2.0, 3.0, 4.0))
    assert np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6 == pytest.approx(24.0)
    assert found.unit == ("m" if suffix == ".glb" else None)


def test_text_formats(tmp_path: Path) -> None:
    for name, kind, more in (("a.stl", "stl_ascii", {}), ("a.ply", "ply", {"encoding": "ascii"})):
        data = CUBE.export(file_type=kind, **more)
        (tmp_path / name).write_bytes(data if isinstance(data, bytes) else data.encode())
        assert len(read_mesh(tmp_path / name).faces) == 12


def test_nodes_place_their_meshes_and_mirror_them(tmp_path: Path) -> None:
    scene = trimesh.Scene()
    scene.add_geometry(CUBE, transform=trimesh.transformations.translation_matrix((10.0, 0.0, 0.0)))
    scene.add_geometry(CUBE, transform=np.diag([-1.0, 1.0, 1.0, 1.0]))
    file = tmp_path / "two.glb"
    file.write_bytes(scene.export(file_type="glb"))
    found = read_mesh(file)
    corners = found.vertices[found.faces]
    assert np.ptp(found.vertices[:, 0]) == pytest.approx(12.0)
    assert np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6 == pytest.approx(48.0)


def test_colours_of_vertices_and_faces(tmp_path: Path) -> None:
    colored = CUBE.copy()
    colored.visual.vertex_colors = np.tile([250, 20, 30, 255], (8, 1)).astype(np.uint8)
    (tmp_path / "a.ply").write_bytes(colored.export(file_type="ply"))
    look = read_mesh(tmp_path / "a.ply").appearance
    assert look.colors is not None
    assert (look.colors == (250, 20, 30)).all()
    (tmp_path / "plain.ply").write_bytes(CUBE.export(file_type="ply"))
    assert read_mesh(tmp_path / "plain.ply").appearance.colors is None


def test_base_colour_and_texture_of_a_glb(tmp_path: Path) -> None:
    uv = np.random.default_rng(0).random((8, 2))
    picture = PIL.Image.fromarray(np.arange(48, dtype=np.uint8).reshape(4, 4, 3))
    painted = CUBE.copy()
    painted.visual = TextureVisuals(uv=uv, material=PBRMaterial(baseColorTexture=picture))
    (tmp_path / "a.glb").write_bytes(painted.export(file_type="glb"))
    look = read_mesh(tmp_path / "a.glb").appearance
    assert look.uv == pytest.approx(uv, abs=1e-6)
    assert look.texture is not None
    assert (look.texture == np.asarray(picture)).all()
    painted.visual = TextureVisuals(material=PBRMaterial(baseColorFactor=[0.5, 0.25, 1.0, 1.0]))
    (tmp_path / "b.glb").write_bytes(painted.export(file_type="glb"))
    look = read_mesh(tmp_path / "b.glb").appearance
    assert look.colors is not None
    assert look.colors[0] == pytest.approx(255 * srgb_from_linear(np.array([0.5, 0.25, 1.0])), abs=1.5)  # 8 bits


HEAD = b"ply\nformat binary_little_endian 1.0\n"
XYZ = b"property float x\nproperty float y\nproperty float z\n"
FACE = b"property list uchar int vertex_indices\nend_header\n"


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.stl", b"", "is empty"),
        ("a.obj", b"\n \n", "is empty"),
        ("a.stl", bytes(54), "ends in its header"),
        ("a.stl", bytes(80) + struct.pack("<I", 160_000_000), "promises 160,000,000 faces, 8,000,000,084 bytes"),
        ("a.stl", bytes(80) + struct.pack("<I", 2) + bytes(50), "promises 2 faces, 184 bytes; there are 134"),
        ("a.stl", b"solid facet".ljust(80, b"\0") + struct.pack("<I", 2) + bytes(50), "promises 2 faces, 184 bytes"),
        ("a.stl", bytes(84), "has no triangles"),
        ("a.ply", b"ply\n", "no header"),
        ("a.ply", HEAD + b"element vertex 2000000000\n" + XYZ + b"end_header\n", "promises 2,000,000,000 of vertex"),
        ("a.ply", HEAD + b"element vertex -1\n" + XYZ + b"end_header\n", "is not a whole number"),
        ("a.ply", HEAD + b"element vertex 3\n" + XYZ + b"element face 1\n" + FACE + bytes(36), ""),
        ("a.ply", HEAD + b"element vertex 7\n" + XYZ + b"element face 2\n" + FACE + bytes(84)
         + struct.pack("<B3iB3i", 3, 0, 1, 2, 4, 0, 1, 2), "is shorter or longer than its header says"),
        ("a.ply", HEAD + b"element vertex 1\n" + XYZ[17:] + b"element face 1\n" + FACE + bytes(8)
         + struct.pack("<B3iB4i", 3, 0, 0, 0, 4, 0, 0, 0, 0), "is shorter or longer than its header says"),
        ("a.ply", HEAD + b"element vertex 1\n" + XYZ + b"element face 1\nproperty list float int vertex_indices\n"
         b"end_header\n" + bytes(32), "a list in its header is counted in float; allowed are kinds of whole numbers"),
        ("a.ply", b"ply\nformat ascii 1.0\nelement vertex 3\n" + XYZ[17:] + b"element face 1\n" + FACE
         + b"0 0\n1 0\n0 1\n3 0 1 2\n", "cannot be read as PLY: 'x' is missing"),
        ("a.off", b"hello", "no header"),
        ("a.off", b"OFF\n3 900000000 0\n0 0 0\n", "promises 900,000,000 of faces"),
        ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 nan 0\nf 1 2 3\n", "vertex 3 is [0.0, nan, 0.0]; allowed are numbers"),
        ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1e40 0\nf 1 2 3\n", "vertex 3 is"),
        ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 7\n", ""),
        ("a.obj", b"v 0 0 0\n", ""),
        ("a.glb", b"glTF", "is no GLB file"),
        ("a.glb", b"zz" * 40, "it does not begin with glTF 2"),
        ("a.glb", glb({"accessors": [{"count": 10**9, "type": "VEC3", "componentType": 5126}]}), "3,000,000,000"),
        ("a.glb", glb({"buffers": [{"uri": "file:///etc/passwd", "byteLength": 9}]}), "in another file"),
        ("a.glb", glb({"extensionsRequired": ["KHR_draco_mesh_compression"]}), "is compressed by KHR_draco"),
        ("a.glb", glb({"nodes": [{"children": [2]}, {"children": [2]}, {}]}), "two parents"),
        ("a.zip", b"PK", "is no mesh file; allowed are .stl, .obj, .ply, .glb, .off"),
    ],
)  # fmt: skip
def test_what_is_refused(name: str, data: bytes, said: str, tmp_path: Path) -> None:
    assert said in said_of(tmp_path / name, data)


@pytest.mark.parametrize(
    "data",
    [b"v 0 0 0\nv 1e-170 0 0\nv 0 1e-170 0\nv 0 0 1e-170\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
     b"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 2\nf 1 1 3\n"],
)  # fmt: skip
def test_a_mesh_without_an_area_is_refused_as_it_is_read(data: bytes, tmp_path: Path) -> None:
    """Before its size is asked for, from which the unit is guessed."""
    (tmp_path / "a.obj").write_bytes(data)
    with pytest.raises(InputError, match=r"a\.obj: mesh: it has no face with an area$"):
        mesh_source(tmp_path / "a.obj")


def test_a_place_that_is_no_number_is_refused_without_a_warning(tmp_path: Path) -> None:
    places = struct.pack("<9I", *[0x7F800001] * 9)  # signalling nan
    data = HEAD + b"element vertex 3\n" + XYZ + b"element face 1\n" + FACE + places + struct.pack("<B3i", 3, 0, 1, 2)
    assert "vertex 1 is [nan, nan, nan]" in said_of(tmp_path / "a.ply", data)


def test_many_instances_of_a_mesh_are_counted(tmp_path: Path) -> None:
    tree = {
        "accessors": [{"count": 3_000, "type": "VEC3", "componentType": 5126}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "nodes": [{"mesh": 0}] * 1_001,
    }
    assert "has 1,001,000 faces" in said_of(tmp_path / "a.glb", glb(tree))


def test_a_picture_bomb_is_not_unpacked(tmp_path: Path) -> None:
    """A PNG's header that promises 8000 x 8000 pixels."""
    head = struct.pack(">IIBBBBB", 8000, 8000, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    png = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    png += struct.pack(">I4s", 9, b"IDAT") + bytes(13)
    tree = {
        "images": [{"bufferView": 0, "mimeType": "image/png"}],
        "bufferViews": [{"buffer": 0, "byteLength": len(png)}],
        "buffers": [{"byteLength": len(png)}],
    }
    _, notes = checked(glb(tree, png))
    assert [str(note) for note in notes] == [
        "its textures have 64,000,000 pixels and are not read; at most 16,777,216 are allowed"
    ]


def test_files_that_an_obj_names_are_not_opened(tmp_path: Path) -> None:
    """The material would give it a colour."""
    (tmp_path / "red.mtl").write_text("newmtl red\nKd 1 0 0\n")
    file = tmp_path / "a.obj"
    file.write_text("mtllib red.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    found = read_mesh(file)
    assert len(found.faces) == 1
    assert found.appearance.colors is None


def test_a_file_that_asks_for_much_takes_little_memory(tmp_path: Path) -> None:
    """A sparse file of 500 MB, as 10 million faces have, and a few bytes that promise 8 GB."""
    large, liar = tmp_path / "large.stl", tmp_path / "liar.stl"
    with large.open("wb") as file:
        file.write(bytes(80) + struct.pack("<I", 10_000_000))
        file.truncate(84 + 50 * 10_000_000)
    liar.write_bytes(bytes(80) + struct.pack("<I", 160_000_000))
    script = (
        "import sys\n"
        "from viewer.common.errors import InputError\n"
        "from viewer.physics.solids.mesh_files.reader import read_mesh\n"
        "for path in sys.argv[1:]:\n"
        "    try:\n"
        "        read_mesh(path)\n"
        "    except InputError as error:\n"
        "        print(str(error).removeprefix(path))\n"
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))\n"
    )
    if not Path("/proc/self/status").exists():  # elsewhere what a process has used includes its parent's share
        pytest.skip("no /proc")
    run = subprocess.run([sys.executable, "-c", script, large, liar], capture_output=True, text=True, check=True)
    first, second, peak = run.stdout.splitlines()
    assert first == ": is larger than 60,000,000 bytes, the limit"
    assert second.startswith(": its header promises 160,000,000 faces")
    assert int(peak) < 300_000  # KiB; measured 108,000


def test_no_name_is_told_as_such() -> None:
    with pytest.raises(InputError, match=r"^mesh: '' is the name of no file; allowed are \.stl, \.obj"):
        read_mesh("")


def sheet(**more: Any) -> trimesh.Trimesh:
    made = trimesh.creation.icosphere(subdivisions=2, **more)
    made.vertices *= (1.0, 2.0, 0.3)
    return made


def as_ply(**changes: Any) -> bytes:
    made = sheet()
    for name, value in changes.items():
        setattr(made.visual, name, value)
    return bytes(made.export(file_type="ply", vertex_normal=bool(changes)))


COLORED = {"vertex_colors": np.random.default_rng(1).integers(0, 256, (162, 4), dtype=np.uint8)}


@pytest.mark.parametrize(
    "data",
    [as_ply(), as_ply(**COLORED), as_ply(face_colors=np.random.default_rng(2).integers(0, 256, (320, 4), np.uint8)),
     bytes(sheet().export(file_type="ply", encoding="ascii")),
     *(path.read_bytes() for path in sorted(BODIES.glob("*.ply")))],
)  # fmt: skip
def test_a_ply_is_read_as_trimesh_reads_it(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.ply").write_bytes(data)
    theirs = trimesh.load(io.BytesIO(data), file_type="ply", process=False)
    assert isinstance(theirs, trimesh.Trimesh)
    found, kind = read_mesh(tmp_path / "a.ply"), theirs.visual.kind
    exact = 0.0 if b"binary" in data[:40] else 1e-7  # of a text trimesh keeps the digits of a float32
    np.testing.assert_allclose(found.vertices[found.faces], theirs.vertices[theirs.faces], rtol=exact, atol=exact)
    assert (found.appearance.colors is None) == (kind is None)
    if found.appearance.colors is not None:
        their_colors = (
            theirs.visual.vertex_colors[theirs.faces]
            if kind == "vertex"
            else np.repeat(theirs.visual.face_colors[:, None], 3, axis=1)
        )
        assert np.array_equal(found.appearance.colors[found.faces], their_colors[..., :3])
    assert found.unit is None


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [(b"face 320", b"face 319", "is shorter or longer than its header says"),
     (b"vertex 162", b"vertex 161", "is shorter or longer than its header says"),
     (b"float x", b"float u", "'x' is missing"), (b"float y", b"float x",
      "its header gives the property 'x' twice; allowed is once"),
     (b"float y", b"string y", "kind: 'string' is unknown; allowed are char, uchar, short"),
     (b"int vertex_indices", b"real vertex_indices", "kind: 'real' is unknown; allowed are char, uchar, short")],
)  # fmt: skip
def test_a_ply_that_is_not_what_its_header_says(before: bytes, after: bytes, said: str, tmp_path: Path) -> None:
    data = as_ply()
    assert before in data
    assert said in said_of(tmp_path / "a.ply", data.replace(before, after, 1))
    assert "longer than its header" in said_of(tmp_path / "a.ply", data[:-1])
    assert "a corner that is not there" in said_of(tmp_path / "a.ply", data[:-1] + b"\x7f")
    assert "longer than its header" in said_of(tmp_path / "a.ply", data[:-13] + b"\x04" + data[-12:])


def test_a_text_ply_with_a_kind_that_there_is_not(tmp_path: Path) -> None:
    """In a text the kind of a number does not matter."""
    data = bytes(sheet().export(file_type="ply", encoding="ascii")).replace(b"float y", b"string y", 1)
    (tmp_path / "a.ply").write_bytes(data)
    assert len(read_mesh(tmp_path / "a.ply").faces) == 320


def test_trimesh_is_imported_for_a_glb_only(tmp_path: Path) -> None:
    paths = [tmp_path / f"cube.{suffix}" for suffix in ("stl", "ply", "obj", "off")]
    for path in paths:
        CUBE.export(path)
    code = (
        "import sys; from viewer.physics.solids.mesh_files.reader import read_mesh\n"
        "for path in sys.argv[1:]: read_mesh(path)\nprint('trimesh' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code, *paths], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


def box_glb(
    kind: str = "<f4", component: int = 5126, height: float = 3.0, **changes: object
) -> tuple[dict[str, Any], bytes]:
    """A box 1 x 2 x height at the origin, its positions as numbers of that kind; integers reach the largest at 3."""
    places = np.array([(x, y, z) for z in (0, height) for x, y in ((0, 0), (1, 0), (1, 2), (0, 2))])
    quads = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    corners = np.array([corner for a, b, c, d in quads for corner in (a, b, c, a, c, d)], dtype="<u2").tobytes()
    scale = 1.0 if component == 5126 else np.iinfo(kind).max / 3.0
    stored = np.zeros((8, 4), dtype=kind)
    stored[:, :3] = np.rint(places * scale) if scale != 1.0 else places
    stride = stored.itemsize * 4
    tree: dict[str, Any] = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [{"bufferView": 0, "componentType": component, "count": 8, "type": "VEC3"},
                      {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteLength": 8 * stride, "byteStride": stride},
                        {"buffer": 0, "byteOffset": 8 * stride, "byteLength": 72}],
    }  # fmt: skip
    binary = stored.tobytes() + corners
    tree["buffers"] = [{"byteLength": len(binary)}]
    return tree | changes, binary


def volume_of(file: Path, data: bytes) -> float:
    file.write_bytes(data)
    found = read_mesh(file)
    corners = found.vertices[found.faces]
    return float(np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0)


@pytest.mark.parametrize("order", ["<", ">"])
def test_triangles_and_quads_in_one_binary_ply(order: str, tmp_path: Path) -> None:
    """A box 1 x 2 x 3, its bottom of two triangles."""
    places = [(x, y, z) for z in (0, 3) for x, y in ((0, 0), (1, 0), (1, 2), (0, 2))]
    faces = [(0, 3, 2), (0, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    head = HEAD.replace(b"little", b"big") if order == ">" else HEAD
    data = head + b"element vertex 8\n" + XYZ + b"element face 7\n" + FACE
    data += b"".join(struct.pack(f"{order}3f", *place) for place in places)
    data += b"".join(struct.pack(f"{order}B{len(face)}i", len(face), *face) for face in faces)
    assert volume_of(tmp_path / "a.ply", data) == 6.0


def test_polygons_of_3_4_and_5_corners_are_not_read_as_three_quads(tmp_path: Path) -> None:
    """A pyramid over a pentagon has 5 triangles; with quads and pentagons the file is as long as with quads alone."""
    places = [(0, 0, 0), (2, 0, 0), (2, 1, 0), (1, 2, 0), (0, 1, 0)]
    faces = [(0, 1, 2, 4), (2, 3, 4), (0, 4, 3, 2, 1)]
    data = HEAD + b"element vertex 5\n" + XYZ + b"element face 3\n" + FACE
    data += b"".join(struct.pack("<3f", *place) for place in places)
    data += b"".join(struct.pack(f"<B{len(face)}i", len(face), *face) for face in faces)
    (tmp_path / "a.ply").write_bytes(data)
    found = read_mesh(tmp_path / "a.ply")
    corners = found.vertices[found.faces]
    areas = 0.5 * np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (len(areas), np.abs(areas[:, 2]).sum(), areas[:, 2].sum()) == (6, 6.0, 0.0)  # twice 3 m2, up and down


@pytest.mark.parametrize(("kind", "component"), [("<u1", 5121), ("<u2", 5123)])
def test_normalised_positions_of_a_glb(kind: str, component: int, tmp_path: Path) -> None:
    """1, 2 and 3 of 3 are exact in 255 and 65535 steps; float32 afterwards."""
    tree, binary = box_glb(kind, component, extensionsRequired=["KHR_mesh_quantization"])
    tree["accessors"][0]["normalized"] = True
    tree["nodes"] = [{"mesh": 0, "scale": [3, 3, 3]}]
    assert volume_of(tmp_path / "a.glb", glb(tree, binary)) == pytest.approx(6.0, rel=1e-7)  # measured 6e-8


def test_sparse_positions_of_a_glb(tmp_path: Path) -> None:
    """The upper four of a box of height 1 are raised to 3."""
    tree, binary = box_glb(height=1.0)
    new = np.array([(x, y, 3) for x, y in ((0, 0), (1, 0), (1, 2), (0, 2))], dtype="<f4").tobytes()
    start = len(binary)
    binary += struct.pack("<4H", 4, 5, 6, 7) + new
    tree["bufferViews"] += [
        {"buffer": 0, "byteOffset": start, "byteLength": 8},
        {"buffer": 0, "byteOffset": start + 8, "byteLength": 48},
    ]
    sparse = {"count": 4, "indices": {"bufferView": 2, "componentType": 5123}, "values": {"bufferView": 3}}
    tree["accessors"][0]["sparse"] = sparse
    tree["buffers"] = [{"byteLength": len(binary)}]
    assert volume_of(tmp_path / "a.glb", glb(tree, binary)) == 6.0


@pytest.mark.parametrize("indexed", [True, False])
def test_fans_of_a_glb_are_triangles(indexed: bool, tmp_path: Path) -> None:
    """A box 1 x 2 x 3 of six fans with four corners each: glTF 2.0, 3.7.2.1, mode 6."""
    tree, binary = box_glb()
    quads = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    places = np.array([(x, y, z) for z in (0, 3) for x, y in ((0, 0), (1, 0), (1, 2), (0, 2))], dtype="<f4")
    start = len(binary)
    binary += np.array(quads, dtype="<u2").tobytes() + places[np.array(quads)].tobytes()
    tree["bufferViews"] += [
        {"buffer": 0, "byteOffset": start, "byteLength": 48},
        {"buffer": 0, "byteOffset": start + 48, "byteLength": 288},
    ]
    parts: list[dict[str, Any]] = []
    for number in range(6):
        accessor = {"bufferView": 2, "byteOffset": 8 * number, "componentType": 5123, "count": 4, "type": "SCALAR"}
        alone = {"bufferView": 3, "byteOffset": 48 * number, "componentType": 5126, "count": 4, "type": "VEC3"}
        tree["accessors"].append(accessor if indexed else alone)
        last = len(tree["accessors"]) - 1
        own = {"attributes": {"POSITION": 0}, "indices": last} if indexed else {"attributes": {"POSITION": last}}
        parts.append(own | {"mode": 6})
    tree["meshes"] = [{"primitives": parts}]
    tree["buffers"] = [{"byteLength": len(binary)}]
    assert volume_of(tmp_path / "a.glb", glb(tree, binary)) == 6.0


INSTANCED = [{"mesh": 0, "extensions": {"EXT_mesh_gpu_instancing": {}}}]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"extensionsRequired": ["FOO_bar"]}, "has 'FOO_bar', not read here; allowed is a GLB without it"),
        ({"nodes": INSTANCED}, "has EXT_mesh_gpu_instancing, not read here; allowed is a GLB without it"),
        ({"nodes": [{"mesh": 0, "weights": [1]}]}, "has morph weights, not read here; allowed is a GLB without it"),
        ({"nodes": [{"mesh": 7}]}, "is no GLB file: it names a part that is not there"),
        ({"scenes": []}, "is no GLB file: it names scene 0; there are 0"),
        ({"meshes": [{}]}, "is no GLB file: 'primitives' is missing"),
        ({"bufferViews": [{"buffer": 0, "byteOffset": -50, "byteLength": 96}] * 2},
         "is no GLB file: buffer view 0 asks for bytes -50 to 46 of 200"),
        ({"bufferViews": [{"buffer": 0, "byteLength": 90}] * 2},
         "is no GLB file: accessor 0 asks for 96 bytes of 90"),
    ],
)  # fmt: skip
def test_what_of_a_glb_is_not_read(changes: dict[str, object], said: str, tmp_path: Path) -> None:
    assert said_of(tmp_path / "a.glb", glb(*box_glb(**changes))) == said


def test_a_glb_with_bones_says_that_it_is_in_its_bind_pose(tmp_path: Path) -> None:
    (tmp_path / "a.glb").write_bytes(glb(*box_glb(nodes=[{"mesh": 0, "skin": 0}], skins=[{"joints": [0]}])))
    source = mesh_source(tmp_path / "a.glb").inertia("auto", False)[1]
    assert source.text.endswith("its bones are not read: the mesh is in its bind pose")


def test_a_glb_of_deep_tables(tmp_path: Path) -> None:
    data = struct.pack("<4sIII4s", b"glTF", 2, 200_020, 200_000, b"JSON") + b"[" * 200_000
    assert said_of(tmp_path / "a.glb", data) == "is no GLB file: its parts are nested too deeply"


def test_a_texture_that_ends_too_early_is_left_out(tmp_path: Path) -> None:
    painted = CUBE.copy()
    noise = np.random.default_rng(0).integers(0, 256, (32, 32, 3), dtype=np.uint8)
    picture = PIL.Image.fromarray(noise)
    painted.visual = TextureVisuals(uv=np.zeros((8, 2)), material=PBRMaterial(baseColorTexture=picture))
    data = bytearray(painted.export(file_type="glb"))
    start = data.index(b"\x89PNG")
    data[start + 500 : start + 2000] = bytes(1500)
    (tmp_path / "a.glb").write_bytes(bytes(data))
    found = read_mesh(tmp_path / "a.glb")
    assert len(found.faces) == 12
    assert found.appearance.texture is None


def test_empty_lines_of_a_text_ply_need_no_memory(tmp_path: Path) -> None:
    head = PLY_OF_A_TRIANGLE
    path = tmp_path / "blank.ply"
    path.write_text(head + "0 0 0\n \n1 0 0\n" + 1000 * "\n" + "0 1 0\n3 0 1 2")
    assert read_mesh(path).faces.tolist() == [[0, 1, 2]]
    path.write_text(head + 1000 * " \n")
    with pytest.raises(InputError, match="its rows do not hold the numbers that its header promises"):
        read_mesh(path)


@pytest.mark.parametrize(
    "rows", ["0 0 0 7\n1 0 0\n0 1 0\n3 0 1 2\n", "0 0 0\n1 0 0\n0 1 0\n3 0 1 2 9\n", "0 0 foo\n1 0 0\n0 1 0\n3 0 1 2\n"]
)
def test_a_text_ply_whose_rows_are_not_those_of_its_header(rows: str, tmp_path: Path) -> None:
    said = said_of(tmp_path / "a.ply", (PLY_OF_A_TRIANGLE + rows).encode())
    assert said == "its rows do not hold the numbers that its header promises"


def test_the_only_list_of_the_faces_holds_their_corners(tmp_path: Path) -> None:
    (tmp_path / "a.ply").write_bytes(as_ply().replace(b"vertex_indices", b"indices", 1))
    assert len(read_mesh(tmp_path / "a.ply").faces) == 320
    two = b"property list uchar float texcoord\nend_header\n"
    data = PLY_OF_A_TRIANGLE.encode().replace(b"end_header\n", two) + b"0 0 0\n1 0 0\n0 1 0\n3 0 1 2 2 0.5 0.5\n"
    (tmp_path / "a.ply").write_bytes(data)
    assert read_mesh(tmp_path / "a.ply").faces.tolist() == [[0, 1, 2]]
    assert said_of(tmp_path / "a.ply", data.replace(b"vertex_indices", b"indices")).endswith("has no triangles")


@pytest.mark.parametrize("most", [255, 65535])
def test_colours_of_two_bytes(most: int, tmp_path: Path) -> None:
    head = (
        HEAD + b"element vertex 3\n" + XYZ + b"".join(b"property ushort %s\n" % n for n in (b"red", b"green", b"blue"))
    )
    places, colors = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(most, 0, 0), (0, most, 0), (0, 0, most)]
    data = b"".join(struct.pack("<3f3H", *at, *color) for at, color in zip(places, colors, strict=True))
    (tmp_path / "a.ply").write_bytes(head + b"element face 1\n" + FACE + data + struct.pack("<B3i", 3, 0, 1, 2))
    look = read_mesh(tmp_path / "a.ply").appearance
    assert look.colors is not None
    assert look.colors.tolist() == [[255, 0, 0], [0, 255, 0], [0, 0, 255]]


JUNK = b"element junk %d\nproperty uchar a\nproperty list uchar uchar l\n"


def test_what_is_passed_over_in_a_ply_is_not_kept() -> None:
    """The lists are of several lengths, so that their 100,000 rows are read one by one."""
    count = 100_000
    data = as_ply().replace(b"end_header\n", JUNK % count + b"end_header\n", 1)  # behind the faces
    data += b"\0\1\0" + bytes(2 * (count - 1))
    tracemalloc.start()
    try:
        _, faces, _ = read_ply(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(faces) == 320
    assert peak < 300_000  # bytes, of which 73,000 are the mesh's; 63 million if all were kept


def test_the_rows_of_all_elements_of_a_ply_are_counted_together(tmp_path: Path) -> None:
    junk = b"".join((JUNK % 1_200_000).replace(b"junk", b"junk%d" % i) for i in range(3))
    data = HEAD + junk + b"end_header\n" + bytes(1_200_000)
    assert said_of(tmp_path / "a.ply", data) == "its header promises 2,400,000 rows; there are only 1,200,000 bytes"
    assert "has 3,600,000 vertices; allowed are" in said_of(tmp_path / "a.ply", data + bytes(6_000_000))


PLY_OF_A_TRIANGLE = """ply
format ascii 1.0
element vertex 3
property float x
property float y
property float z
element face 1
property list uchar int vertex_indices
end_header
"""


def test_colours_of_vertices_are_multiplied_by_that_of_the_material() -> None:
    """In linear light, by the curve of sRGB (IEC 61966-2-1)."""
    own = np.array([[255, 128, 0, 255], [51, 51, 255, 255]], dtype=np.uint8)
    material = SimpleNamespace(baseColorFactor=(102, 255, 51, 255), baseColorTexture=None)
    visual = SimpleNamespace(material=material, uv=None, vertex_attributes={"color": own})
    linear = own[:, :3] / 255.0 * (0.4, 1.0, 0.2)
    wanted = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    np.testing.assert_array_equal(_material(visual, 2).colors, np.rint(255.0 * wanted))
    visual.vertex_attributes = {"color": own / 255.0}  # floats are fractions already
    np.testing.assert_array_equal(_material(visual, 2).colors, np.rint(255.0 * wanted))
    assert _material(visual, 3).colors is not None  # not one for each vertex: the material's alone
    np.testing.assert_array_equal(_material(visual, 3).colors, 3 * [_material(visual, 3).colors[0]])
