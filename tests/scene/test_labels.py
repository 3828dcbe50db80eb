"""Names in the scene are read: none on another one or on an arrow's head, none cut off, none that jumps."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.frames import picture_of, with_scene

from viewer.scenario.scenario import Scenario
from viewer.scene.annotations.label_layout import SECONDS, LabelMotion, _room
from viewer.scene.annotations.labels import omega_label
from viewer.scene.annotations.letters import half_size
from viewer.scene.build import build_frame
from viewer.scene.camera.camera import Camera, Canvas
from viewer.scene.description import CONTACT_RADIUS, Frame, Label, Solid, Stroke
from viewer.scene.presentation import Display, Presentation
from viewer.session.session import Session

SIZE = (900, 600)
# bodies in the lecture hall, and some that turn in days
NAMED = ("paper-fig1", "dzhanibekov", "hammer", "nasa-brick", "apophis", "toutatis")
READ = 0.5  # opacity from which on a name is read
GRAZE = 1.0  # px that the boxes of a number and of a name may share


def frames(preset: str, polar_angle: float, **changes: object) -> list[Frame]:
    scenario = Scenario.preset(preset).with_value("view.polar_angle_deg", polar_angle)
    for path, value in changes.items():
        scenario = scenario.with_value(path.replace("__", "."), value)
    session = Session(scenario, playing=False)
    found = []
    for time in session.scene.speed * np.linspace(0.0, 6.0, 13):  # of the screen's seconds
        session.scene.run_on_to(float(time))
        found.append(picture_of(session, SIZE))
    return found


def place(frame: Frame, label: Label) -> np.ndarray:
    return Canvas(frame.main.camera, SIZE).project(label.anchor) + label.offset


def test_names_and_numbers_grow_with_the_text_size_and_keep_apart() -> None:
    """150 and 300 deg/d on the ruling of Apophis: 1.6 times as large, and clear of each other."""
    session = Session(Scenario.preset("apophis"), playing=False)
    plain, large = (build_frame(session.snapshot(), Presentation.of(session.scenario), Display(SIZE, text_size=size))
                    for size in (1.0, 1.6))  # fmt: skip
    sizes = {label.text: label.size for label in plain.main.scene.labels}
    numbers = [label for label in large.main.scene.labels if label.style == "number"]
    assert numbers[0].text == "300 °/d"
    assert len(numbers) == 2
    for label in large.main.scene.labels:
        assert label.size == 1.6 * sizes.get(label.text, sizes["300 °/d"])  # a number that the plain picture lacks
    for i, label in enumerate(numbers):
        for other in numbers[:i]:
            apart = np.abs(place(large, label) - place(large, other))
            assert np.max(apart - np.add(half_size(label), half_size(other))) > -GRAZE


@pytest.mark.sweep(most=4)
@pytest.mark.parametrize("preset", NAMED)
@pytest.mark.parametrize("polar_angle", [0.0, 62.0, 118.0])
def test_names_keep_clear_of_each_other_and_of_what_is_pointed_at(preset: str, polar_angle: float) -> None:
    for frame in frames(preset, polar_angle):
        read = [label for label in frame.main.scene.labels if label.alpha > READ]
        names = {arrow.name for arrow in frame.main.scene.arrows}
        for i, label in enumerate(read):
            at, half = place(frame, label), half_size(label)
            for other in read[:i]:
                apart, room = np.abs(at - place(frame, other)), np.add(half, half_size(other))
                if "number" in (label.style, other.style):
                    assert np.max(apart - room) > -GRAZE, (label.text, other.text)
                else:
                    assert np.linalg.norm(apart / room) > 1.0, (label.text, other.text)  # letters are round
            if label.style == "number":
                continue
            for arrow in frame.main.scene.arrows:
                tip = Canvas(frame.main.camera, SIZE).project(arrow.end)
                assert np.linalg.norm((at - tip) / half) > 1.0, (label.text, arrow.name)
                if label.text not in names:
                    start = Canvas(frame.main.camera, SIZE).project(arrow.start)
                    shaft = start + np.linspace(0.0, 1.0, 200)[:, None] * (tip - start)
                    assert np.min(np.linalg.norm((at - shaft) / half, axis=1)) > 1.0, (label.text, arrow.name)
            if frame.main.scene.contact is not None:
                ring = Canvas(frame.main.camera, SIZE).project(frame.main.scene.contact)
                assert np.linalg.norm(at - ring) > CONTACT_RADIUS, label.text


def test_names_stay_in_the_picture() -> None:
    for frame in frames("paper-fig1", 62.0, view__zoom=1.25):
        for label in frame.main.scene.labels:
            at, half = place(frame, label), half_size(label)
            beside = np.abs(Canvas(frame.main.camera, SIZE).project(label.anchor)) - 0.5 * np.array(SIZE)
            if label.style == "symbol" and np.all(beside < 0.0):
                assert np.all(np.abs(at) + half < 0.5 * np.array(SIZE)), label.text


@pytest.mark.sweep("box-80kg")
@pytest.mark.parametrize("preset", ["paper-fig1", "box-80kg", "rod", "dzhanibekov"])
def test_names_slide_and_do_not_jump(preset: str) -> None:
    """In 60 pictures a second, against what they name, where in pictures by themselves they go up to 80 px at once.

    Those with a shaft or another name in the way go there at once: 2 to 14 leaps of 44 to 180.
    """
    session, motion = Session(Scenario.preset(preset), playing=False), LabelMotion()
    before: dict[str, np.ndarray] = {}
    plain: dict[str, np.ndarray] = {}
    moves, jumps = [0.0], [0.0]
    for time in session.scene.speed * np.arange(2.0, 8.0, 1.0 / 60.0):
        session.scene.run_on_to(float(time))
        frame = picture_of(session, SIZE)
        led = motion.led(frame, 1.0 / 60.0)
        now = {label.text: np.array(label.offset) for label in led.main.scene.labels if label.style == "symbol"}
        own = {label.text: np.array(label.offset) for label in frame.main.scene.labels if label.style == "symbol"}
        moves += [float(np.linalg.norm(now[name] - before[name])) for name in now.keys() & before.keys()]
        jumps += [float(np.linalg.norm(own[name] - plain[name])) for name in own.keys() & plain.keys()]
        before, plain = now, own
    long = 0.25 * max(jumps) + 2.5
    assert np.count_nonzero(np.array(moves) > long) < 0.35 * np.count_nonzero(np.array(jumps) > long)


def test_a_name_that_has_jumped_soon_is_where_it_belongs() -> None:
    """After 0.4 s to a third of a pixel; then it is left alone."""
    session, motion = Session(Scenario.preset("box-80kg"), playing=False), LabelMotion()
    frame = picture_of(session, SIZE)
    assert motion.led(frame, 0.0) is frame
    labels = [replace(label, offset=(label.offset[0] + 30.0, label.offset[1])) for label in frame.main.scene.labels]
    jumped = with_scene(frame, labels=tuple(labels))
    names = [i for i, label in enumerate(labels) if label.style == "symbol"]
    away = []
    for _ in range(30):
        led = motion.led(jumped, 1.0 / 60.0)
        away.append([labels[i].offset[0] - led.main.scene.labels[i].offset[0] for i in names])
    assert np.ptp(away, axis=1).max() < 1e-9  # all of them alike
    assert away[0][0] == pytest.approx(30.0)
    np.testing.assert_allclose(np.array(away)[:20, 0], 30.0 * np.exp(-np.arange(20) / 60.0 / SECONDS), rtol=1e-9)
    assert led is jumped
    assert not motion.moving
    motion.forget()
    assert motion.led(frame, 1.0 / 60.0) is frame  # 30 px back, at once


def test_omega_has_one_name_which_changes_sides_once() -> None:
    """As omega swings past L, 20 px to either side of it: in a race's small cells it does nothing else."""
    camera = Camera(np.array([0.0, 0.0, 5.0]), *np.eye(3), distance=5.0, field_of_view=0.35)
    ink, origin = (1.0, 1.0, 1.0), np.zeros(3)
    momentum = Stroke(origin, np.array([0.0, 0.6, 0.0]), ink, 1.0, 5.0, 18.0, name="L")
    names = []
    for tilt in np.linspace(-0.06, 0.06, 481):
        omega = Stroke(origin, np.array([tilt, 0.5, 0.0]), ink, 1.0, 4.2, 15.0, name="ω")
        names.append(omega_label(omega, momentum.end, Canvas(camera, SIZE)))
    sides = np.sign([name.offset[0] for name in names])
    assert (sides[0], sides[-1], np.count_nonzero(np.diff(sides))) == (-1.0, 1.0, 1)
    assert {name.alpha for name in names} == {1.0}


@pytest.mark.parametrize("kind", ["ellipsoid", "box", "cylinder"])
def test_a_name_behind_the_body_is_hidden(kind: str) -> None:
    solid = Solid(kind, np.array([0.3, 0.3, 0.1]), ((0.0, 0.0, 0.0),) * 3)
    eye = np.array([0.0, 0.0, 5.0])
    points = np.array([[0.0, 0.0, -0.2], [0.0, 0.0, 0.2], [0.5, 0.0, -0.2]])
    assert solid.size.visibility(points, eye) == [0.0, 1.0, 1.0]


def test_principal_axes_by_the_rank_of_their_moments() -> None:
    scenario = Scenario.preset("ode-blog").with_value("view.axis_names", "moments")  # moments 10, 4, 2
    scenario = scenario.with_value("show.body", False)  # on which names are nearer to the text's colour
    scene = picture_of(Session(scenario, playing=False), SIZE).main.scene
    for label in scene.labels:
        if label.text[0] == "e":
            assert label.color == scene.theme.axes[int("₁₂₃".index(label.text[1]))]
    assert {label.text for label in scene.labels} & {"e₁", "e₂", "e₃"}


@pytest.mark.parametrize("preset", ["paper-fig1", "race-of-five"])
def test_a_screen_twice_as_fine_has_the_same_names_at_the_same_places(preset: str) -> None:
    session = Session(Scenario.preset(preset), playing=False)
    session.run_to(2.0)
    coarse, fine = picture_of(session, (640, 480)), picture_of(session, (1280, 960), pixel_scale=2.0)
    assert any(layer.scene.labels for layer in coarse.layers)
    for one, other in zip(coarse.layers, fine.layers, strict=True):
        assert [label.text for label in other.scene.labels] == [label.text for label in one.scene.labels]
        for a, b in zip(one.scene.labels, other.scene.labels, strict=True):
            assert b.offset == pytest.approx(a.offset, abs=1e-9)


def test_a_large_picture_enlarges_names_once_also_for_a_reader_of_large_text() -> None:
    """At 3840x2160 a text size of 200 % made letters six times as large; three times is what the size makes them."""
    session = Session(Scenario.preset("dzhanibekov"), playing=False)

    def of_momentum(size: tuple[int, int], text_size: float) -> float:
        layer = build_frame(
            session.snapshot(), Presentation.of(session.scenario), Display(size, text_size=text_size)
        ).main
        return layer.pixel_scale * next(label.size for label in layer.scene.labels if label.text == "L")

    plain = of_momentum(SIZE, 1.0)
    assert of_momentum(SIZE, 2.0) == 2.0 * plain
    assert of_momentum((3840, 2160), 2.0) == of_momentum((3840, 2160), 1.0)
    assert of_momentum((1920, 1080), 2.0) == pytest.approx(2.0 * plain)
    assert of_momentum((3840, 2160), 0.8) == pytest.approx(0.8 * of_momentum((3840, 2160), 1.0))


@pytest.mark.parametrize(
    ("anchor", "room"),
    [
        ((0.0, 0.0), (436.0, 287.0)),  # half of 900 x 600, less half of the name and 4 px
        ((480.0, 0.0), (436.0, 287.0)),  # a little outside, with its arrow still in the picture
        ((491.0, 0.0), (np.inf, np.inf)),
        ((0.0, -339.0), (436.0, 287.0)),
        ((0.0, -340.0), (np.inf, np.inf)),
    ],
)
def test_a_name_stays_in_the_picture_unless_what_it_names_is_far_outside(anchor, room) -> None:
    assert _room(anchor, (10.0, 9.0), (900.0, 600.0)) == room
    assert _room((0.0, 0.0), (500.0, 9.0), (900.0, 600.0)) == (0.0, 287.0)
