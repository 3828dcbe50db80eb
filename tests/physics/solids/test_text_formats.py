"""OBJ, OFF and the text form of STL, as other programs write them; polygons that are not convex."""

from pathlib import Path

import numpy as np
import pytest

from viewer import RigidBody
from viewer.common.errors import InputError
from viewer.physics.solids import limits
from viewer.physics.solids.mesh_files.reader import read_mesh
from viewer.physics.solids.mesh_files.text_formats import triangulated

PLACES = [(x, y, z) for z in (0, 3) for x, y in ((0, 0), (1, 0), (1, 2), (0, 2))]  # a box 1 x 2 x 3
FACES = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
V = "".join(f"v {x} {y} {z}\n" for x, y, z in PLACES)
F = "".join("f " + " ".join(str(i + 1) for i in face) + "\n" for face in FACES)
ROWS = "".join(f"{x} {y} {z}\n" for x, y, z in PLACES)
OFF = ROWS + "".join("4 " + " ".join(map(str, face)) + "\n" for face in FACES)
FACETS = "".join(
    "facet normal 0 0 0\nouter loop\n"
    + "".join("vertex {}.0 {}.0 {}.0\n".format(*PLACES[i]) for i in corners)
    + "endloop\nendfacet\n"
    for a, b, c, d in FACES
    for corners in ((a, b, c), (a, c, d))
)
PLY = (
    "ply\nformat ascii 1.0\nelement vertex 12\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 8\nproperty list uchar int vertex_indices\nend_header\n"
)
L = [(0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)]


def volume(file: Path, data: str | bytes) -> float:
    file.write_bytes(data if isinstance(data, bytes) else data.encode())
    found = read_mesh(file)
    a, b, c = np.moveaxis(found.vertices[found.faces], 1, 0)
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)


@pytest.mark.parametrize("suffix", [".obj", ".off", ".ply"])
def test_a_profile_is_a_solid_wherever_its_faces_begin(suffix: str, tmp_path: Path) -> None:
    """An L of two bars, 4 x 1 x 2 and 1 x 3 x 2: the sum of their moments about the common centre."""
    masses, centres = np.array([8.0, 6.0]), np.array([[2.0, 0.5, 1.0], [0.5, 2.5, 1.0]])
    middle = masses @ centres / 14.0
    about_z = 8.0 * (16 + 1) / 12 + 6.0 * (1 + 9) / 12 + float(masses @ np.sum((centres - middle)[:, :2] ** 2, axis=1))
    for turn in range(6):
        profile = L[turn:] + L[:turn]
        places = [(x, y, z) for z in (0, 2) for x, y in profile]
        faces = [
            list(range(6))[::-1],
            list(range(6, 12)),
            *([i, (i + 1) % 6, 6 + (i + 1) % 6, 6 + i] for i in range(6)),
        ]
        rows = [" ".join(map(str, place)) for place in places]
        if suffix == ".obj":
            text = "".join(f"v {row}\n" for row in rows)
            text += "".join("f " + " ".join(str(i + 1) for i in face) + "\n" for face in faces)
        else:
            head = "OFF\n12 8 0\n" if suffix == ".off" else PLY
            text = head + "\n".join(rows) + "\n"
            text += "".join(" ".join(map(str, [len(face), *face])) + "\n" for face in faces)
        (tmp_path / f"l{turn}{suffix}").write_text(text)
        body = RigidBody.from_mesh(tmp_path / f"l{turn}{suffix}", unit="m", density=1.0)
        assert body.inertia_source.method == "solid"
        assert body.mass == pytest.approx(14.0, rel=1e-15)
        assert max(body.principal_moments) == pytest.approx(about_z, rel=1e-14)


SPIRAL = [
    (0, 0),
    (9, 0),
    (9, 9),
    (2, 9),
    (2, 4),
    (5, 4),
    (5, 6),
    (4, 6),
    (4, 5),
    (3, 5),
    (3, 8),
    (8, 8),
    (8, 1),
    (0, 1),
]
KEYHOLE = [(0, 0), (4, 0), (4, 4), (0, 4), (0, 0), (1, 1), (1, 3), (3, 3), (3, 1), (1, 1)]  # a hole, reached by a cut
COMB = [(0, 0), (7, 0), (7, 3), (6, 3), (6, 1), (5, 1), (5, 3), (4, 3), (4, 1), (3, 1), (3, 3), (2, 3), (2, 1), (0, 1)]
MIDDLES = [(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (3, 2), (3, 3), (2, 3), (1, 3), (0, 3), (0, 2), (0, 1)]


@pytest.mark.parametrize("outline", [L, SPIRAL, KEYHOLE, COMB, MIDDLES, L[::-1]])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_triangles_of_a_polygon_fill_it_once(outline: list[tuple[int, int]], axis: int) -> None:
    """None is turned over, and their areas sum up to the polygon's, by the shoelace formula."""
    flat = np.array(outline, dtype=float)
    x, y = flat.T
    area = float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) / 2.0
    places = np.insert(flat, axis, 7.0, axis=1)
    count = len(flat)
    faces = triangulated(places, np.arange(count), np.array([count]))
    assert faces.shape == (count - 2, 3)
    a, b, c = np.moveaxis(flat[faces], 1, 0)
    areas = ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]) / 2.0
    assert (areas * np.sign(area) >= 0.0).all()
    assert areas.sum() == area


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.obj", V.replace("\n", " # remark\n") + F),
        ("a.obj", (V + F).replace(" ", "\t")),
        ("a.obj", "  " + (V + F).replace("\n", "\n  ").upper()),
        ("a.obj", "\ufeff" + (V + F).replace("\n", "\r")),
        ("a.obj", "# Größe\r\n".encode("latin-1") + (V + F).replace("\n", "\r\n").encode()),
        ("a.obj", F + V.replace("\n", " 1 0 0\n")),
        ("a.obj", V + F.replace("f 1 4 3 2", "f 1 4 \\\n3 2")),
        ("a.obj", V + "g a\nusemtl b\no c\ns 1\np 1\nl 1 2\n" + F.replace("f", "g d\nf")),
        ("a.obj", V + "vt 0 0\nvn 0 0 1\n" + "".join(
            "f " + " ".join(f"{i - 8}/-1/-1" for i in face) + "\n" for face in FACES)),
        ("a.off", "OFF # remark\n\n# remark\n8 6 12\n" + OFF),
        ("a.off", "\ufeffoff\r\n8 6 0\r\n" + OFF.replace("\n", "\r\n")),
        ("a.off", " OFF8 6 0\n" + OFF),
        ("a.off", ("OFF\n8 6 0\n" + OFF).replace("\n", " ")),
        ("a.off", "COFF\n8 6 0\n" + ROWS.replace("\n", " 255 0 0 255\n") + OFF.removeprefix(ROWS)),
        ("a.off", "OFF\n8 7 0\n" + ROWS + "3 0 3 2\n3 0 2 1 0.5 0.5 0.5\n" + OFF.removeprefix(ROWS + "4 0 3 2 1\n")),
        ("a.stl", "\ufeffsolid a\n" + FACETS + "endsolid a\n"),
        ("a.stl", ("solid a\n" + FACETS + "endsolid a\n").replace("\n", "\r")),
        ("a.stl", "solid facet vertex 1 2\n" + FACETS),
        ("a.stl", "solid Größe\n".encode("latin-1") + FACETS.upper().encode()),
    ],
)  # fmt: skip
def test_what_other_programs_write(name: str, data: str | bytes, tmp_path: Path) -> None:
    assert volume(tmp_path / name, data) == 6.0


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.obj", "v 0 0 0\nv 1,5 0 0\n", "line 2: '1,5' is not a number; the decimal sign is the point"),
        ("a.obj", "v 0 x 0\n", "line 1: 'x' is not a number"),
        ("a.off", "OFF\n8 6 0\n" + OFF.replace("1 2 3", "1_0 2 3"), "line 9: '1_0' is not a number"),
        ("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0_3\n", "line 4: '0_3' is not a whole number"),
        ("a.obj", "\nv 0 0\n", "line 2: numbers of the vertex: 2; allowed are three"),
        ("a.obj", V + "f 1 2 9\n", "line 9: a face has a corner that is not there"),
        ("a.obj", V + "f 1 2 0\n", "line 9: a face has a corner that is not there"),
        ("a.obj", "f -1 -2 -9\n" + V, "line 1: a face has a corner that is not there"),
        ("a.obj", V + "f 1 2 99999999999999999999\n", "line 9: a face has a corner that is not there"),
        ("a.obj", V + "f 1 2 " + 100_000 * "3 ", "line 9: is longer than 200,000 bytes, the limit"),
        ("a.obj", V + 8_000_000 * "\n", "has 8,000,008 lines; allowed are at most 8,000,000"),
        ("a.off", "OFF\n8 6 0\n" + OFF.replace("1 2 3", "1,0 2 3"), "line 9: '1,0' is not a number; the decimal sign"),
        ("a.off", "OFF\n8 7 0\n" + OFF, "its header promises 7 of faces; there are only 6"),
        ("a.off", "OFF\n8 6 0\n" + OFF.replace("4 0 3 2 1", "4 0 3 2"), "line 11: a face promises 4 corners; there"),
        ("a.off", "OFF BINARY\n", "its header is 'OFF BINARY'; allowed is OFF in text, of three coordinates"),
        ("a.off", "4OFF\n8 6 0\n", "its header is '4OFF'; allowed is OFF in text, of three coordinates"),
        ("a.stl", "solid a\n" + FACETS.replace(".", ","), "line 4: '0,0' is not a number; the decimal sign"),
        ("a.stl", "solid a\n" + FACETS[:-5], "line 85: the file ends within a facet"),
        ("a.stl", "solid a\n" + FACETS.replace("vertex 0.0 0.0 0.0\n", "", 1), "line 6: vertices of the facet: 2"),
    ],
)  # fmt: skip
def test_what_is_refused(name: str, text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as caught:
        read_mesh(tmp_path / name)
    assert str(caught.value).startswith(f"{tmp_path / name}: {said}")


def test_colours_of_an_obj(tmp_path: Path) -> None:
    (tmp_path / "a.obj").write_text(V.replace("\n", " 1 0.2 0\n") + F)
    colors = read_mesh(tmp_path / "a.obj").appearance.colors
    assert colors is not None
    assert (colors == (255, 51, 0)).all()


def test_faces_are_counted_as_triangles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_FACES", 11)
    with pytest.raises(InputError, match="has 12 faces; allowed are at most 11"):
        volume(tmp_path / "a.obj", V + F)
