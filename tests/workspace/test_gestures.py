"""What the mouse does to the view."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.frames import picture_of
from helpers.pointing import eye_pixel
from hypothesis import given
from hypothesis import strategies as st

from viewer.scenario.scenario import Scenario, field_at
from viewer.scenario.sections.picture import View
from viewer.scene.naming.spot import seen_at
from viewer.session.session import Session
from viewer.workspace.transitions import CameraAnimator, ViewTransition, orbit, pan, turning_point, wrapped

VIEW = View(polar_angle_deg=60.0, azimuth_deg=170.0, zoom=1.0, pan=(0.0, 0.0))
PIXELS = st.floats(-1e5, 1e5)
SIZE = (1280, 720)
HALF = np.array([0.8, 0.5])  # of a picture, in its heights


def places(view: View, pointer: np.ndarray, inset: np.ndarray) -> tuple:
    """The pointer and two corners of the picture, each from where the middle of the scene appears."""
    return tuple(tuple(at - view.pan - inset) for at in (pointer, -HALF, HALF))


def wheel(animator: CameraAnimator, view: View, away: float, pointer: np.ndarray, inset: np.ndarray) -> View:
    changes = animator.zoom(view, away, places(view, pointer, inset))
    return replace(view, zoom=changes["view.zoom"], pan=changes["view.pan"])


def still() -> CameraAnimator:
    return CameraAnimator(lambda: 0.0, VIEW)


def check(changes) -> None:
    for path, value in changes.items():
        assert field_at(path).check(path, value) == value


def test_a_drag_over_the_height_turns_by_half_a_turn_and_the_scene_follows_the_hand():
    right = orbit(VIEW, 360.0, 0.0, 720.0)
    assert right["view.azimuth_deg"] == pytest.approx(80.0)
    up = orbit(VIEW, 0.0, 180.0, 720.0)
    assert up["view.polar_angle_deg"] == pytest.approx(105.0)


def test_the_azimuth_goes_round_and_the_polar_angle_ends():
    assert orbit(VIEW, -80.0, 0.0, 720.0)["view.azimuth_deg"] == pytest.approx(-170.0)
    assert orbit(VIEW, 0.0, 1e4, 720.0)["view.polar_angle_deg"] == 180.0
    assert orbit(VIEW, 0.0, -1e4, 720.0)["view.polar_angle_deg"] == 0.0


@given(PIXELS, PIXELS, st.floats(1.0, 1e4))
def test_every_gesture_gives_what_the_fields_allow(dx, dy, height):
    check(orbit(VIEW, dx, dy, height))
    check(pan(VIEW, dx, dy, height))
    check(still().zoom(VIEW, dx / 1e3, places(VIEW, np.array([dy / 1e4, 0.3]), np.zeros(2))))


@pytest.mark.parametrize("preset", ["paper-fig1", "dzhanibekov", "race-of-five"])
@pytest.mark.parametrize("changes", [{}, {"view.frame": "body"}, {"view.construction": "momentum", "show.inset": True}])
@pytest.mark.parametrize("zoomed", [2.0, 20.0, 50.0])
def test_zoomed_in_the_scene_turns_about_the_contact_in_the_picture(preset: str, changes: dict, zoomed: float) -> None:
    session = Session(Scenario.preset(preset).with_values({"stereo.mode": "anaglyph", **changes}), playing=False)
    session.run_to(2.0)

    def contact() -> tuple[np.ndarray, np.ndarray]:
        """The pixel of the contact in the picture or its first cell, and the corner of that cell."""
        frame = picture_of(session, SIZE)
        layer = frame.insets[0] if len(frame.insets) > 1 else frame.main
        left, low, width, height = layer.box
        room = (width * SIZE[0], height * SIZE[1])
        return eye_pixel(layer, layer.scene.contact, room), np.array([left * SIZE[0], (1.0 - low - height) * SIZE[1]])

    middle = contact()[0]
    height = SIZE[1] * (picture_of(session, SIZE).insets[0].box[3] if preset == "race-of-five" else 1.0)
    view = session.scenario.view
    session.change({"view.zoom": zoomed, "view.pan": tuple((0.5 * np.array(SIZE) - middle) / height * (1.0, -1.0))})
    at, corner = contact()
    session.change({"view.pan": tuple(session.scenario.view.pan + (HALF * 0.3 - at / height) * (1.0, -1.0))})
    before, corner = contact()
    pressed = tuple(corner + 8.0)  # far from it
    view = session.scenario.view
    about = turning_point(view, seen_at(picture_of(session, SIZE), 0, pressed, SIZE, 1.0))
    for dx, dy in [(10.0, 0.0)] * 12 + [(0.0, -7.0)] * 10:  # 30 degrees around, 17.5 up
        session.change(orbit(session.scenario.view, dx, dy, SIZE[1], about))
    turned = session.scenario.view
    assert wrapped(turned.azimuth_deg - view.azimuth_deg) == pytest.approx(-30.0)
    assert turned.polar_angle_deg == pytest.approx(view.polar_angle_deg - 17.5)
    assert np.abs(contact()[0] - before).max() < 1e-6  # measured 2.4e-11 px


def test_zoomed_in_the_scene_turns_about_the_point_of_the_body_under_the_pointer():
    """The body stands still, as the axes of its frame do: so its points are those of the space."""
    shown = {"show.plane": False, "show.ellipsoid": False, "view.zoom": 8.0, "view.frame": "body"}
    session = Session(Scenario.preset("box-80kg").with_values(shown), playing=False)
    frame = picture_of(session, SIZE)
    rotation, half = frame.main.scene.world_from_body, frame.main.scene.solid.half_extents
    faces = [(axis, sign) for axis in range(3) for sign in (-1.0, 1.0)]
    axis, sign = max(faces, key=lambda face: face[1] * float(rotation[:, face[0]] @ frame.main.camera.backward))
    on_face = np.full(3, 0.6) * half
    on_face[axis] = sign * half[axis]
    point = rotation @ on_face
    away = (0.5 * np.array(SIZE) - eye_pixel(frame.main, point, SIZE)) / SIZE[1]
    session.change({"view.pan": tuple(session.scenario.view.pan + away * (1.0, -1.0))})
    before = eye_pixel(picture_of(session, SIZE).main, point, SIZE)
    np.testing.assert_allclose(before, 0.5 * np.array(SIZE), atol=1e-6)
    about = turning_point(session.scenario.view, seen_at(picture_of(session, SIZE), 0, tuple(before), SIZE, 1.0))
    session.change(orbit(session.scenario.view, 80.0, 30.0, SIZE[1], about))
    assert np.abs(eye_pixel(picture_of(session, SIZE).main, point, SIZE) - before).max() < 1e-6


@pytest.mark.parametrize("zoomed", [0.5, 1.0])
def test_a_scene_that_is_not_enlarged_turns_about_its_middle(zoomed: float) -> None:
    view = replace(VIEW, zoom=zoomed, pan=(0.2, 0.1))
    about = turning_point(view, np.array([0.1, 0.05, 0.02]))
    assert orbit(view, 100.0, 50.0, 720.0, about)["view.pan"] == view.pan


def test_a_drag_turns_by_the_same_angle_at_every_zoom():
    near = replace(VIEW, zoom=50.0)
    assert orbit(near, 360.0, 0.0, 720.0)["view.azimuth_deg"] == pytest.approx(80.0)


def test_the_picture_moves_with_the_hand():
    assert pan(VIEW, 72.0, -36.0, 720.0)["view.pan"] == pytest.approx((0.1, -0.05))


@pytest.mark.parametrize("zoom", [0.5, 1.0, 4.0])
def test_the_hand_does_not_move_the_figure_out_of_the_picture(zoom: float) -> None:
    view = replace(VIEW, zoom=zoom)
    for _ in range(100):
        view = replace(view, pan=pan(view, 300.0, -300.0, 720.0)["view.pan"])
    assert view.pan == pytest.approx((0.8 * max(zoom, 1.0), -0.5 * max(zoom, 1.0)))
    farther = replace(view, pan=(9.0, 0.0))  # from a file, or after zooming in near an edge of a wide window
    assert pan(farther, 10.0, 0.0, 720.0)["view.pan"] == (9.0, 0.0)
    assert pan(farther, -72.0, 0.0, 720.0)["view.pan"][0] == pytest.approx(8.9)


def test_the_wheel_multiplies():
    once = wheel(still(), VIEW, 1.0, np.zeros(2), np.zeros(2)).zoom
    assert once == pytest.approx(1.12)
    assert wheel(still(), VIEW, 2.0, np.zeros(2), np.zeros(2)).zoom == pytest.approx(once**2)
    assert wheel(still(), VIEW, -500.0, np.zeros(2), np.zeros(2)).zoom == field_at("view.zoom").low


@given(st.floats(-0.8, 0.8), st.floats(-0.5, 0.5), st.integers(1, 30))
def test_the_picture_grows_around_the_pointer_and_shrinks_back_to_where_it_was(across, up, notches):
    view, pointer, inset = replace(VIEW, pan=(0.1, -0.05)), np.array([across, up]), np.array([-0.2, 0.0])
    under, animator = (pointer - view.pan - inset) / view.zoom, still()
    for away in [1.0] * notches + [-1.0] * notches:
        view = wheel(animator, view, away, pointer, inset)
        np.testing.assert_allclose((pointer - view.pan - inset) / view.zoom, under, atol=1e-12)
    assert (view.zoom, *view.pan) == pytest.approx((1.0, 0.1, -0.05), abs=1e-12)


@given(st.lists(st.tuples(st.floats(-0.8, 0.8), st.floats(-0.5, 0.5), st.integers(-12, 20)), min_size=1, max_size=6))
def test_wherever_one_zooms_in_and_out_the_whole_scene_is_again_where_it_was(turns):
    """Until then the picture at zoom 1, enlarged, covers the whole picture."""
    view, inset, animator = replace(VIEW, pan=(0.1, -0.05)), np.array([-0.2, 0.0]), still()
    home = np.array(view.pan) + inset
    for across, up, notches in turns:
        view = wheel(animator, view, notches, np.array([across, up]), inset)
        for side in (-HALF, HALF):
            edge = np.array(view.pan) + inset + max(view.zoom, 1.0) * (side - home)
            assert (edge * np.sign(side) >= HALF - 1e-9).all()
    view = wheel(animator, view, -np.log(view.zoom) / np.log(1.12), np.array([0.7, -0.4]), inset)
    assert (view.zoom, *view.pan) == pytest.approx((1.0, 0.1, -0.05), abs=1e-9)


def test_a_picture_that_the_hand_moved_far_comes_home_without_a_jump():
    animator, inset, pointer = still(), np.zeros(2), np.array([0.5, 0.2])
    view = wheel(animator, VIEW, 20.0, pointer, inset)
    view = replace(view, pan=(view.pan[0] + 30.0, view.pan[1]))
    for _ in range(20):
        before, view = view, wheel(animator, view, -1.0, pointer, inset)
        assert 0.0 <= before.pan[0] - view.pan[0] < 0.2 * 30.0
    assert (view.zoom, *view.pan) == pytest.approx((1.0, 0.0, 0.0), abs=1e-9)


def test_below_zoom_1_the_middle_of_the_scene_stays_in_place():
    view = replace(VIEW, pan=(0.1, -0.05))
    assert wheel(still(), view, -6.0, np.array([0.7, 0.3]), np.zeros(2)).pan == view.pan


def test_a_scene_that_opens_enlarged_comes_home_to_its_own_middle():
    """Not to where the hand had moved the scene before."""
    animator, nowhere = still(), np.zeros(2)
    wheel(animator, replace(VIEW, pan=(0.3, 0.3)), 5.0, nowhere, nowhere)
    animator.opened(replace(VIEW, zoom=1.12, pan=(0.05, 0.0)))
    view = wheel(animator, animator.home, -1.0, nowhere, nowhere)
    assert (view.zoom, *view.pan) == pytest.approx((1.0, 0.0, 0.0))


def test_a_zoom_by_itself_keeps_what_is_in_the_middle_of_the_picture():
    view, animator = replace(VIEW, zoom=2.0, pan=(0.3, -0.1)), still()
    for value in (5.0, 50.0, 1.8):
        assert animator.with_middle(view, {"view.zoom": value})["view.pan"] == pytest.approx(
            (0.15 * value, -0.05 * value)
        )
    assert animator.with_middle(view, {"view.zoom": 1.0})["view.pan"] == (0.0, 0.0)
    for values in ({"view.pan": (0.0, 0.0)}, {"view.zoom": 5.0, "view.pan": (1.0, 0.0)}, {"body.mass": 1.0}):
        assert animator.with_middle(view, values) is values


def test_a_zoom_that_is_typed_keeps_the_corner_in_the_middle_of_the_picture():
    session = Session(Scenario.preset("box-80kg").with_value("view.zoom", 3.0), playing=False)
    frame = picture_of(session, SIZE)
    corner = frame.main.scene.world_from_body @ (0.9 * frame.main.scene.solid.half_extents)
    away = (0.5 * np.array(SIZE) - eye_pixel(frame.main, corner, SIZE)) / SIZE[1]
    session.change({"view.pan": tuple(session.scenario.view.pan + away * (1.0, -1.0))})
    animator = still()
    for value in (30.0, 2.5):
        session.change(dict(animator.with_middle(session.scenario.view, {"view.zoom": value})))
        at = eye_pixel(picture_of(session, SIZE).main, corner, SIZE)
        np.testing.assert_allclose(at, 0.5 * np.array(SIZE), atol=1e-6)


def test_a_view_transition_out_of_a_zoom_shrinks_back_around_the_same_point():
    near = replace(VIEW, zoom=20.0, pan=(-7.6, 3.8))  # grown around the point at (0.4, -0.2)
    glide = ViewTransition(near, VIEW)
    for i in range(30):
        values = glide.at(i / 100)
        assert np.array(values["view.pan"]) == pytest.approx((1.0 - values["view.zoom"]) * np.array([0.4, -0.2]))


@given(st.floats(-1e6, 1e6))
def test_wrapped_angles(degrees):
    assert -180.0 <= wrapped(degrees) <= 180.0


def test_a_view_transition_goes_the_short_way_and_ends_exactly():
    end = View(polar_angle_deg=62.0, azimuth_deg=-170.0, zoom=2.0, pan=(0.5, 0.0))
    glide = ViewTransition(VIEW, end)
    assert glide.at(0.0)["view.azimuth_deg"] == pytest.approx(170.0)
    assert abs(glide.at(0.15)["view.azimuth_deg"]) == pytest.approx(180.0)
    assert glide.at(0.15)["view.zoom"] == pytest.approx(2.0**0.5)
    for name, value in glide.at(0.3).items():
        assert value == getattr(end, name.split(".")[1])
    for i in range(31):
        check(glide.at(i / 100))
