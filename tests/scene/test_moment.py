"""A still fits what it shows of its moment: as large as the margin allows, and in the middle."""

import itertools

import numpy as np
import pytest
from helpers.frames import CONSTRUCTED, KINDS, picture_of

from viewer.scenario.scenario import Scenario
from viewer.scene.camera.framing import FIT_MARGIN
from viewer.scene.constructions.poinsot import RIM
from viewer.scene.description import Frame
from viewer.scene.moment import fitted_to_moment
from viewer.session.session import Session

SIZES = (1280, 720), (600, 900)
AROUND = np.linspace(0.0, 2.0 * np.pi, 241)
UNIT = np.stack([np.outer(np.sin(AROUND), np.cos(AROUND)), np.outer(np.sin(AROUND), np.sin(AROUND)),
                 np.outer(np.cos(AROUND), np.ones(241))], axis=-1).reshape(-1, 3)  # fmt: skip
CORNERS = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))


def session_of(preset: str, time: float, **changes: object) -> Session:
    scenario = Scenario.preset(preset)
    for path, value in changes.items():
        scenario = scenario.with_value(path.replace("__", "."), value)
    session = Session(scenario, playing=False)
    session.run_to(time * session.scene.speed)
    return session


def fitted(session: Session, size: tuple[int, int]) -> Frame:
    view = fitted_to_moment(picture_of(session, size), session.scenario.view)
    session.change({"view.zoom": view.zoom, "view.pan": view.pan})
    return picture_of(session, size)


def outermost(frame: Frame) -> np.ndarray:
    """How far what is drawn reaches to the left, down, right and up of the picture's middle, in halves of it."""
    scene, points = frame.main.scene, [np.reshape([(a.start, a.end) for a in frame.main.scene.arrows], (-1, 3))]
    points.append(np.reshape([(line.start, line.end) for line in scene.strokes], (-1, 3)))
    turned = scene.world_from_body.T
    if scene.shell is not None:
        points.append(UNIT * scene.shell.semi_axes @ turned)
    if scene.constraints is not None:
        points.append(UNIT * scene.constraints.radius)
        points.append(UNIT * np.minimum(scene.constraints.semi_axes, scene.constraints.reach) @ turned)
    if scene.plane is not None:
        rim = RIM * scene.plane.reach * np.stack([np.cos(AROUND), np.sin(AROUND)])
        points.append(scene.plane.centre + (scene.plane.world_from_plane[:, :2] @ rim).T)
    if scene.solid is not None and scene.solid.kind == "box":
        points.append(CORNERS * scene.solid.half_extents @ turned)
    clip = np.insert(np.concatenate(points), 3, 1.0, axis=1) @ frame.main.views[0].clip_from_world.T
    seen = clip[:, :2] / clip[:, 3:]
    return np.concatenate([-seen.min(axis=0), seen.max(axis=0)])


@pytest.mark.sweep(most=4)
@pytest.mark.parametrize("construction", ["poinsot", "momentum"])
@pytest.mark.parametrize("preset", CONSTRUCTED)
def test_what_is_shown_is_in_the_middle_and_as_large_as_there_is_room_for(preset: str, construction: str) -> None:
    for time in (0.0, 1.0, 3.0):
        for size in SIZES:
            session = session_of(preset, time, view__construction=construction, show__inset=False, show__body=False)
            left, low, right, top = outermost(fitted(session, size))
            assert session.scenario.view.zoom > 0.999  # measured 0.9994, where a plane is as wide as the picture
            assert (left, low) == pytest.approx((right, top), abs=1e-3)  # measured 2e-4: it is sampled
            assert max(right, top) == pytest.approx(1.0 / FIT_MARGIN, abs=1e-3)


def test_beside_an_inset_it_is_in_the_middle_of_what_is_left() -> None:
    session = session_of("paper-fig1", 1.0, show__inset=True)
    frame = fitted(session, SIZES[0])
    left, low, right, top = outermost(frame)
    inset = 2.0 * frame.insets[0].box[0] - 1.0
    assert right < inset
    assert low == pytest.approx(top, abs=1e-3)
    assert 1.0 - left == pytest.approx(inset - right, abs=1e-3)


@pytest.mark.parametrize(
    ("preset", "changes"),
    [
        ("paper-fig1", {"view__zoom": 1.5}),
        ("paper-fig1", {"view__pan": (0.1, 0.0)}),
        ("paper-fig1", {"view__follow": False}),
        ("t-handle", {}),
        ("race-of-five", {"race__show": "grid"}),
        ("twenty-boxes", {}),
        ("twenty-boxes", {"view__bodies": "together"}),
    ],
)
def test_a_view_of_ones_own_and_several_figures_stay_as_they_are(preset: str, changes: dict[str, object]) -> None:
    session = session_of(preset, 1.0, **changes)
    assert fitted_to_moment(picture_of(session, SIZES[0]), session.scenario.view) is session.scenario.view


def test_what_an_integrator_blows_up_does_not_shrink_the_rest() -> None:
    session = session_of("dzhanibekov", 30.0, solver__integrator="explicit-euler", solver__stabilisation="off")
    session.change({"view.fixed_scale": True})
    assert fitted_to_moment(picture_of(session, SIZES[0]), session.scenario.view).zoom >= 1.0


@pytest.mark.parametrize("preset", KINDS)
def test_every_kind_of_scene_is_fitted(preset: str) -> None:
    session = session_of(preset, 2.0)
    assert 0.999 < fitted_to_moment(picture_of(session, SIZES[0]), session.scenario.view).zoom < 3.0
