"""The shaders of `shaders/` as a page has them: each compiles in real browsers, in every variant that a page uses."""

import pytest
from helpers.browsers import page_of

from viewer.common import resources
from viewer.export.page.shaders import LEFT_OUT, page_shaders

PAIRS = [
    ("fullscreen.vert", "background.frag", {}),
    ("fullscreen.vert", "anaglyph.frag", {}),
    ("segment.vert", "segment.frag", {}),
    ("edge.vert", "segment.frag", {}),
    ("arrow_head.vert", "arrow_head.frag", {}),
    ("curve.vert", "curve.frag", {}),
    ("marker.vert", "marker.frag", {}),
    ("glyph.vert", "glyph.frag", {}),
    *[("plane.vert", "plane.frag", {"NEAR": near}) for near in "01"],
    *[("hull.vert", "shell.frag", {"WITH_DEPTH": deep, "BOTH": both}) for deep, both in ("00", "01", "10")],
    *[
        ("hull.vert", f"solid_{solid}.frag", {"MATERIAL": material})
        for solid in ("box", "cylinder", "ellipsoid", "t_handle")
        for material in "0123"
    ],
    *[("mesh.vert", "mesh.frag", {"CUT": cut}) for cut in "01"],
    ("mesh_edge.vert", "mesh_edge.frag", {}),
    ("mesh_body.vert", "mesh_depth.frag", {}),
    *[
        ("mesh_body.vert", "mesh_body.frag", {"PAINT": paint, "TWIN": twin, "PARTS": parts, "MATERIAL": "0"})
        for paint, twin, parts in ("000", "100")
    ],
]
COMPILE = """(shaders, pairs) => {
    const gl = document.querySelector("canvas").getContext("webgl2");
    const refused = [];
    for (const [vertex, fragment, constants] of pairs) {
        try { new Program(gl, shaders, vertex, fragment, constants); } catch (error) { refused.push(error.message); }
    }
    return refused;
}"""


def test_every_shader_is_translated_or_left_out_for_a_reason():
    folder = resources.folder("shaders")
    names = {path.name for path in folder.iterdir() if path.is_file()}
    taken = {name for name in page_shaders() if not name.startswith("include/")}
    assert taken | LEFT_OUT == names
    assert taken == {name for pair in PAIRS for name in pair[:2]}


def test_a_page_carries_no_more_of_the_shaders_than_it_needs():
    size = sum(map(len, page_shaders().values()))
    assert 40_000 < size < 63_000  # bytes; measured 60,747; with comments and indentation 83,931


@pytest.mark.parametrize("name", ["chromium", "firefox"])
def test_all_shaders_compile(browser_page, name):
    page = browser_page(name)
    page.open(page_of(["gl"], "<canvas></canvas>"))
    assert page.evaluate(COMPILE, page_shaders(), PAIRS) == []
    assert page.messages == []
