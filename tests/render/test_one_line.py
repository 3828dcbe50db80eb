"""Where L and omega look like one line, omega is drawn whole and in front, and no axis is drawn along them."""

import numpy as np
import pytest
from helpers.frames import picture_of

from viewer.render.renderer import Renderer
from viewer.scenario.scenario import Scenario
from viewer.scene.camera.camera import Canvas
from viewer.scene.description import Frame
from viewer.session.session import Session

SIZE = (1280, 720)
ONE_LINE = 10.0  # px


def pictures(preset: str, times: np.ndarray) -> list[Frame]:
    session = Session(Scenario.preset(preset), playing=False)
    found = []
    for time in times:
        session.scene.run_on_to(float(time))
        found.append(picture_of(session, SIZE))
    return found


def gap(canvas: Canvas, point: np.ndarray, start: np.ndarray, end: np.ndarray) -> float:
    """The distance on the screen, px, of a point from the line between two others."""
    from_start = start + np.linspace(0.0, 1.0, 2000)[:, None] * (end - start)
    return float(np.min(np.linalg.norm(canvas.project(from_start) - canvas.project(point), axis=1)))


@pytest.mark.parametrize("theme", ["dark", "light", "high-contrast"])
@pytest.mark.parametrize(("preset", "time"), [("dzhanibekov", 0.0), ("box-80kg", 2.0)])
def test_omega_is_seen_from_end_to_end(renderer: Renderer, preset: str, time: float, theme: str) -> None:
    """Along its middle every pixel has its colour, where one in two had that of L or of the casing."""
    session = Session(Scenario.preset(preset).with_value("view.theme", theme), playing=False)
    session.run_to(time)
    frame = picture_of(session, SIZE)
    renderer.draw(frame)
    picture = renderer.read()[..., :3] / 255.0
    canvas, color = Canvas(frame.main.camera, SIZE), frame.main.scene.theme.angular_velocity
    (omega,) = (arrow for arrow in frame.main.scene.arrows if arrow.name == "ω")
    along = canvas.project(np.linspace(0.01, 0.85, 200)[:, None] * omega.end)  # up to its head
    columns, rows = (along * (1.0, -1.0) + 0.5 * np.array(SIZE)).astype(int).T
    off = np.abs(picture[rows, columns] - color).max(axis=1)
    assert np.mean(off > 0.3) < 0.05  # measured 0 to .025, where the polhode passes; before .5 and more


def test_axes_along_l_or_omega_have_neither_stub_nor_name() -> None:
    hidden = shown = 0
    for preset in ("dzhanibekov", "box-80kg", "paper-fig1", "rod"):
        for frame in pictures(preset, np.linspace(0.0, 8.0, 25)):
            scene, canvas = frame.main.scene, Canvas(frame.main.camera, SIZE)
            names = {label.text for label in scene.labels if label.alpha > 0.1}
            vectors = [arrow for arrow in scene.arrows if arrow.name in ("L", "ω")]
            for stub in (stroke for stroke in scene.strokes if stroke.name in ("x′", "y′", "z′")):
                gaps = [max(gap(canvas, end, v.start, v.end) for end in (stub.start, stub.end)) for v in vectors]
                positive = scene.world_from_body[:, "xyz".index(stub.name[0])] @ stub.end > 0.0
                if min(gaps) < ONE_LINE - 0.5:
                    hidden += 1
                    assert stub.alpha < 0.05
                    assert not positive or stub.name not in names
                elif min(gaps) > 1.5 * ONE_LINE:
                    shown += 1
                    assert stub.alpha == 1.0
    assert hidden > 10
    assert shown > 400


def test_l_loses_its_dashes_and_omega_comes_to_the_front_little_by_little() -> None:
    """Of a flip, 240 pictures a second of the screen's time."""
    session = Session(Scenario.preset("dzhanibekov"), playing=False)
    states = []
    for time in session.scene.speed * np.arange(0.5, 3.0, 1.0 / 240.0):
        session.scene.run_on_to(float(time))
        scene = picture_of(session, SIZE).main.scene
        (momentum,) = (arrow for arrow in scene.arrows if arrow.name == "L")
        in_front = sum(arrow.alpha for arrow in scene.front_arrows)
        assert momentum.dashes == 1.0 or in_front == 1.0  # half faded dashes beside it would look like beads on omega
        states.append(in_front)
    assert (min(states), max(states)) == (0.0, 1.0)
    assert np.max(np.abs(np.diff(states))) < 0.6  # measured .55: in half of the distance in which L fades


@pytest.mark.parametrize("zoom", [3.0, 5.0, 10.0, 20.0])
def test_close_up_the_part_of_omega_in_the_picture_counts(zoom: float) -> None:
    """The tips are far apart then, but out of the picture: what is seen of L and omega is one line."""
    session = Session(Scenario.preset("box-80kg").with_value("view.zoom", zoom), playing=False)
    session.run_to(2.0)
    scene = picture_of(session, SIZE).main.scene
    canvas = Canvas(picture_of(session, SIZE).main.camera, SIZE)
    momentum, omega = (next(arrow for arrow in scene.arrows if arrow.name == name) for name in ("L", "ω"))
    along = omega.start + np.linspace(0.0, 1.0, 2000)[:, None] * (omega.end - omega.start)
    inside = along[np.all(np.abs(canvas.project(along)) <= 0.5 * np.array(SIZE), axis=1)]
    assert 0 < len(inside) < 2000
    assert gap(canvas, inside[-1], momentum.start, momentum.end) < ONE_LINE  # measured .5 to 8.1
    assert gap(canvas, omega.end, momentum.start, momentum.end) > ONE_LINE
    assert sum(arrow.alpha for arrow in scene.front_arrows) > 0.9
    assert momentum.dashes < 0.1


def test_an_omega_that_outgrows_l_is_one_line_with_it() -> None:
    """Explicit Euler drives it, along L, to 1.8 times the length of the arrow of L: its tip is far from all of L."""
    session = Session(Scenario.preset("race-of-five"), playing=False)
    session.run_to(75.0)
    frame = picture_of(session, SIZE)
    (layer,) = (one for one in frame.layers if any(label.text == "Explicit Euler" for label in one.scene.labels))
    momentum, omega = (next(arrow for arrow in layer.scene.arrows if arrow.name == name) for name in ("L", "ω"))
    assert np.linalg.norm(omega.end) > 1.8 * np.linalg.norm(momentum.end)
    assert sum(arrow.alpha for arrow in layer.scene.front_arrows) > 0.9
    assert momentum.dashes < 0.1
