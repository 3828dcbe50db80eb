"""Pictures that must not change unnoticed, one per stereo mode, on Mesa's software rasteriser only.

`POINSOT_UPDATE_GOLDEN=1` draws them anew; look at them before you commit them. On failure the picture and the
difference, ten times amplified, lie in tests/output/.
"""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers.frames import with_scene
from helpers.mesh_shapes import wing_nut
from PIL import Image

from viewer.render.renderer import Renderer
from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scene.constructions.solids import size_of_mesh
from viewer.scene.stereo.views import OnScreen

GOLDEN = Path(__file__).parents[1] / "golden"
OUTPUT = Path(__file__).parents[1] / "output"
SIZE = (480, 320)
WINDOW = OnScreen(turn=1)  # where eyes take turns it is the right one's
BLOCK = 16  # px: a name is as large
TOLERANCE = 1.0  # of 255: mean difference in any block; measured 0 on the machine that drew them

LED = {"solver__integrator": "jolt", "solver__stabilisation": "closest-point"}
CASES = [
    (f"paper-fig1-{mode}", "paper-fig1-fine", {"stereo__mode": mode}) for mode in STEREO_MODES if mode != "quad-buffer"
] + [
    ("box-80kg-light", "box-80kg", {"view__theme": "light"}),
    ("disc-high-contrast", "disc", {"view__theme": "high-contrast"}),
    ("paper-fig1-light", "paper-fig1-fine", {"view__theme": "light"}),
    ("paper-fig1-speed", "paper-fig1-fine", {"view__trail_color": "speed"}),
    ("disc-space", "disc", {"view__frame": "space"}),
    ("rod-floor", "rod", {"view__frame": "floor"}),
    ("dzhanibekov-body", "dzhanibekov", {"view__frame": "body"}),
    ("ode-blog-momentum", "ode-blog", {"view__construction": "momentum", **LED}),
    ("rod-momentum-light", "rod", {"view__construction": "momentum", "view__theme": "light"}),
    ("box-80kg-inset-anaglyph", "box-80kg", {"show__inset": True, "stereo__mode": "anaglyph"}),
    ("disc-momentum-with-inset", "disc", {"show__inset": True, "view__construction": "momentum"}),
    ("race-ghosts", "dzhanibekov", {"race__show": "ghosts"}),
    ("race-grid", "paper-fig1-fine", {"race__show": "grid"}),
]


def rasteriser(renderer: Renderer) -> None:
    if "llvmpipe" not in renderer.ctx.info["GL_RENDERER"]:
        pytest.skip("golden pictures are compared on Mesa's software rasteriser only")


def worst_block(one: np.ndarray, other: np.ndarray) -> float:
    """The largest mean difference of two pictures, (H, W, 3), in blocks of BLOCK x BLOCK pixels."""
    across, down = SIZE[0] // BLOCK, SIZE[1] // BLOCK
    difference = np.abs(one.astype(int) - other).reshape(down, BLOCK, across, BLOCK, 3)
    return float(difference.mean(axis=(1, 3, 4)).max())


def compare(drawn: np.ndarray, name: str, output: str) -> None:
    """Fails where the picture differs from the golden one of that name, and leaves it as `output`."""
    with Image.open(GOLDEN / f"{name}.png") as image:
        golden = np.asarray(image.convert("RGB"))
    worst = worst_block(drawn, golden)
    if worst > TOLERANCE:
        OUTPUT.mkdir(exist_ok=True)
        Image.fromarray(np.ascontiguousarray(drawn)).save(OUTPUT / f"{output}.png")
        amplified = np.clip(10 * np.abs(drawn.astype(int) - golden), 0, 255).astype(np.uint8)
        Image.fromarray(amplified).save(OUTPUT / f"{output}-difference.png")
        pytest.fail(f"a block of {BLOCK} x {BLOCK} pixels differs by {worst:.2f} on average")


@pytest.mark.parametrize(("name", "preset", "changes"), CASES, ids=[case[0] for case in CASES])
def test_golden(renderer, frame_of, name: str, preset: str, changes: dict[str, object]) -> None:
    rasteriser(renderer)
    renderer.draw(frame_of(preset, 5.0, SIZE, WINDOW, **changes))
    drawn = renderer.read()
    if os.environ.get("POINSOT_UPDATE_GOLDEN") == "1":
        Image.fromarray(np.ascontiguousarray(drawn)).save(GOLDEN / f"{name}.png")
    compare(drawn, name, name)


@pytest.mark.parametrize(("name", "mode"), [("wing-nut", "mono"), ("wing-nut-anaglyph", "anaglyph")])
def test_a_body_made_of_triangles(renderer, frame_of, name: str, mode: str) -> None:
    rasteriser(renderer)
    frame = frame_of("paper-fig1-fine", 5.0, SIZE, stereo__mode=mode, view__theme="light")
    mesh = wing_nut()
    mesh = replace(mesh, vertices=3.0 * mesh.vertices)
    size = size_of_mesh(mesh)
    solid = replace(frame.main.scene.solid, kind="mesh", half_extents=size.half_extents, mesh=mesh)
    renderer.draw(with_scene(frame, solid=solid))
    drawn = renderer.read()
    if os.environ.get("POINSOT_UPDATE_GOLDEN") == "1":
        Image.fromarray(np.ascontiguousarray(drawn)).save(GOLDEN / f"{name}.png")
    compare(drawn, name, name)


@pytest.mark.parametrize(("buffer", "eye"), [(0, "left"), (1, "right")])
def test_each_buffer_has_the_picture_of_its_eye(renderer, frame_of, buffer: int, eye: str) -> None:
    rasteriser(renderer)
    renderer.draw(frame_of("paper-fig1-fine", 5.0, SIZE, WINDOW, stereo__mode="quad-buffer"))
    window = renderer.ctx.simple_framebuffer(SIZE)
    renderer.present(window, [(0, 0, *SIZE)], buffer)
    pixels = np.frombuffer(window.read(), np.uint8).reshape(SIZE[1], SIZE[0], 3)[::-1]
    renderer.release()  # goes away from the framebuffer that is released here
    window.release()
    compare(pixels, f"paper-fig1-{eye}", f"paper-fig1-quad-buffer-{eye}")


@pytest.mark.parametrize(
    ("name", "preset", "changes"),
    [case for case in CASES if case[0] in ("paper-fig1-mono", "paper-fig1-light", "ode-blog-momentum", "race-ghosts")],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_no_name_can_vanish_unnoticed(renderer, frame_of, name: str, preset: str, changes: dict[str, object]) -> None:
    """The difference that each name of a picture makes is more than is allowed."""
    frame = frame_of(preset, 5.0, SIZE, WINDOW, **changes)
    renderer.draw(frame)
    whole = renderer.read().copy()
    labels = frame.main.scene.labels
    seen = [number for number, label in enumerate(labels) if label.alpha > 0.5]
    assert len(seen) > 5
    for number in seen:
        others = labels[:number] + labels[number + 1 :]
        renderer.draw(with_scene(frame, labels=others))
        # measured: 3.9 at least
        assert worst_block(renderer.read(), whole) > 2.0 * TOLERANCE, labels[number].text
