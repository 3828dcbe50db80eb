"""The numbers of the plane's ruling: they stay while the view does, and every picture has the one with the unit."""

import numpy as np
import pytest
from helpers.frames import picture_of

from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario
from viewer.scene.annotations.labels import SPACE_AXES, triad_box
from viewer.scene.annotations.letters import half_size
from viewer.scene.camera.camera import Canvas
from viewer.scene.description import Frame
from viewer.session.session import Session

RULED = [name for name in PRESETS if not Scenario.preset(name).bodies and Scenario.preset(name).race.show != "grid"]


def numbers_of(frame: Frame) -> dict[str, tuple[float, ...]]:
    """The places of the numbers of the ruling that are seen at all."""
    labels = frame.main.scene.labels
    return {n.text: tuple(n.anchor) for n in labels if n.style == "number" and n.centred and n.alpha > 0.0}


@pytest.mark.parametrize("size", [(1280, 720), (640, 360)])
@pytest.mark.parametrize("preset", ["paper-fig1", "dzhanibekov", "dumb-bell"])
def test_they_stay_while_the_view_does(preset: str, size: tuple[int, int]) -> None:
    """For 5 s from 0, 8 and 40 s: they came up to 15 times where they went out of the way of what passed."""
    session = Session(Scenario.preset(preset), playing=False)
    first = numbers_of(picture_of(session, size))
    for time in session.scene.speed * np.add.outer((0.0, 8.0, 40.0), np.arange(0.0, 5.0, 0.1)).ravel():
        session.scene.run_on_to(float(time))
        now = numbers_of(picture_of(session, size))
        assert now.keys() == first.keys(), time
        assert all(now[text] == pytest.approx(first[text], rel=1e-6) for text in now)


@pytest.mark.sweep(most=6)
@pytest.mark.parametrize("preset", RULED)
@pytest.mark.parametrize("frame", ["ceiling", "floor"])
def test_every_picture_has_the_one_with_the_unit(preset: str, frame: str) -> None:
    """In a large and a small window, also where plots take half the height, and the large one with text at 200 %."""
    changes = {"view.construction": "poinsot", "view.frame": frame, "show.plane": True, "show.labels": True}
    session = Session(Scenario.preset(preset).with_values(changes), playing=False)
    for size, text_size in (((1280, 720), 1.0), ((640, 360), 1.0), ((900, 460), 1.0), ((1280, 720), 2.0)):
        found = numbers_of(picture_of(session, size, text_size=text_size))
        assert any(text[0].isdigit() and not text[-1].isdigit() for text in found), (size, text_size)


@pytest.mark.parametrize("zoom", [1.4, 2.0, 3.0])
def test_closer_up_they_stay_too(zoom: float) -> None:
    """Beyond the herpolhode there is no room left in the picture."""
    session = Session(Scenario.preset("paper-fig1").with_value("view.zoom", zoom), playing=False)
    first = numbers_of(picture_of(session, (1280, 720)))
    assert first
    for time in np.arange(0.0, 5.0, 0.25):
        session.scene.run_on_to(float(time))
        assert numbers_of(picture_of(session, (1280, 720))).keys() == first.keys(), time


@pytest.mark.parametrize(("zoom", "pan"), [(2.0, (-1.0, -1.0)), (4.0, (0.0, -1.0)), (2.0, (0.0, 0.0))])
def test_neither_numbers_nor_names_are_written_on_the_axes_in_the_corner(zoom: float, pan: tuple[float, float]) -> None:
    """Panned and zoomed so that one is there as soon as the space axes are off."""
    size, written = (640, 360), {True: 0, False: 0}
    for axes in written:
        changes = {"view.zoom": zoom, "view.pan": pan, "show.space_axes": axes}
        frame = picture_of(Session(Scenario.preset("paper-fig1").with_values(changes), playing=False), size)
        canvas = Canvas(frame.main.camera, tuple(side / frame.main.pixel_scale for side in size))
        middle, half = triad_box(canvas)
        for label in frame.main.scene.labels:
            if label.centred and label.alpha > 0.0 and label.text not in SPACE_AXES:
                at = canvas.project(label.anchor) + label.offset
                written[axes] += bool(np.all(np.abs(at - middle) < np.add(half, half_size(label))))
    assert written[True] == 0
    assert written[False] > 0
