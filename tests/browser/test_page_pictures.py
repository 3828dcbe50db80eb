"""A page draws a frame of the program as the program does: screenshots beside the app's pictures."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.frames import picture_of, with_scene
from helpers.page_pictures import PictureOfFrames
from helpers.playing import Clock, play

from viewer.export.page.pages import write_page
from viewer.export.page.writer import PageScene
from viewer.render.renderer import Renderer
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session

SIZE = (640, 400)
SCENES = {  # of each kind of body one, and what else is drawn
    "dzhanibekov": {},
    "box-80kg": {},
    "rod": {"view.theme": "light"},
    "t-handle": {"show.ellipsoid": True, "view.fixed_scale": True, "view.vector_scale": 0.5},  # in a small ellipsoid
    "disc": {"view.frame": "space", "view.theme": "high-contrast"},
    "ode-blog": {},
    "book": {"start.linear_velocity": (0.3, 0.1, 0.0), "view.follow": False},  # the path of its centre of mass
    "top-with-cusps": {},  # a pivot, and the path of the axis on a sphere
    "toutatis": {},
    "space-station": {"view.theme": "light"},
}
OF_255 = 0.3  # mean difference; measured .035 to .151 in Chromium, .014 to .016 in Firefox with the app's rasteriser
WRITTEN = ("dzhanibekov", "rod", "t-handle", "disc", "toutatis", "top-with-cusps")
MOMENT = 1.5  # s
EDGE = 48  # of 255: between two pixels beside an edge; within a pixel of it the other picture has one of half as much


def frame_of(name, mode, changes, size=SIZE):
    running = Session(Scenario.preset(name).with_values({"stereo.mode": mode, **changes}), clock=Clock())
    play(running, 2.0, 20)
    return picture_of(running, size)


def edges(picture, least):
    """Where a pixel differs by more than `least` from the one to its right or below."""
    light = picture.astype(int)
    across, down = (np.abs(np.diff(light, axis=axis)).max(axis=2) > least for axis in (1, 0))
    return np.pad(across, ((0, 0), (0, 1))) | np.pad(down, ((0, 1), (0, 0)))


def widened(found):
    """.. and a pixel around."""
    padded = np.pad(found, 1)
    height, width = found.shape
    return np.any([padded[y : y + height, x : x + width] for y in range(3) for x in range(3)], axis=0)


def compared(drawn, expected):
    """The mean difference, and how many pixels have an edge that the other picture lacks there and a pixel around."""
    pairs = ((drawn, expected), (expected, drawn))
    stray = sum(int(np.sum(edges(one, EDGE) & ~widened(edges(other, EDGE // 2)))) for one, other in pairs)
    return float(np.abs(drawn.astype(int) - expected).mean()), stray


@pytest.mark.parametrize("name", ["chromium", "firefox"])
def test_a_page_draws_what_the_program_draws(gl, browser_page, name):
    page = browser_page(name, size=SIZE)
    pictures, renderer = PictureOfFrames(page), Renderer(gl)
    cases = [(scene, "mono") for scene in SCENES]
    cases += [("toutatis", mode) for mode in ("anaglyph", "side-by-side", "cross-eyed", "top-bottom")]
    for scene, mode in cases if name == "chromium" else [cases[0], cases[-4]]:
        frame = frame_of(scene, mode, SCENES[scene])
        renderer.draw(frame)
        mean, stray = compared(pictures.draw(frame), renderer.read())
        assert mean < OF_255, (scene, mode)
        assert stray == 0, (scene, mode)
    assert page.messages == []


@pytest.mark.parametrize("mode", ["mono", "anaglyph"])
def test_a_written_page_shows_what_the_program_shows_at_that_time(gl, browser_page, tmp_path, mode):
    scenarios = [Scenario.preset(name).with_values({"stereo.mode": mode, **SCENES[name]}) for name in WRITTEN]
    path, renderer = tmp_path / "written.html", Renderer(gl)
    write_page(path, [PageScene(scenario, MOMENT, (96, 64), 1) for scenario in scenarios])
    page = browser_page("chromium", size=(720, 800), reduced_motion="reduce")
    page.open(path)
    page.page.wait_for_selector('[data-state="live"]')
    page.evaluate(
        "document.querySelectorAll('#stage > :not(#canvas)').forEach((one) => one.style.visibility = 'hidden')"
    )
    for number, scenario in enumerate(scenarios):
        page.page.locator("#tabs button").nth(number).click()
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
        box = page.page.locator("#canvas").bounding_box()
        x, y, width, height = (round(box[side]) for side in ("x", "y", "width", "height"))
        running = Session(scenario, playing=False)
        running.run_to(MOMENT)
        renderer.draw(picture_of(running, (width, height)))
        mean, stray = compared(page.screenshot()[y : y + height, x : x + width], renderer.read())
        assert mean < OF_255, WRITTEN[number]
        assert stray == 0, WRITTEN[number]
    assert page.messages == []


def test_holes_and_colours_of_meshes(gl, browser_page):
    """Of a texture a page has the colours at the corners: of one that changes slowly, nearly the same."""
    block = {"shape": "box", "density": 1000.0, "width": 0.3, "height": 0.2, "depth": 0.2}
    hole = {"shape": "cylinder", "density": -1000.0, "radius": 0.03, "height": 0.2}
    drilled = {"body.shape": "composite", "body.parts": (block, hole), "view.polar_angle_deg": 30.0}
    pierced = frame_of("hammer", "mono", drilled)
    assert pierced.main.scene.solid.mesh.cuts
    frame = frame_of("toutatis", "mono", {})
    solid = frame.main.scene.solid
    unit = solid.mesh.vertices / solid.half_extents
    painted = replace(solid.mesh, vertex_colors=(127.0 * (1.0 + unit)).clip(0, 255).astype(np.uint8))
    ramp = np.linspace(0, 255, 64).astype(np.uint8)
    texture = np.stack(
        [np.tile(ramp, (64, 1)), np.tile(ramp[:, None], (1, 64)), np.full((64, 64), 90, np.uint8)], axis=2
    )
    wrapped = replace(solid.mesh, uv=(0.5 + 0.45 * unit[:, :2]).clip(0.0, 1.0), texture=texture)
    page = browser_page("chromium", size=SIZE)
    pictures, renderer = PictureOfFrames(page), Renderer(gl)
    for shown in (pierced, *(with_scene(frame, solid=replace(solid, mesh=mesh)) for mesh in (painted, wrapped))):
        renderer.draw(shown)
        mean, stray = compared(pictures.draw(shown), renderer.read())
        assert mean < OF_255
        assert stray == 0
    assert page.messages == []
