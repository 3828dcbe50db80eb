"""What the mouse does to the view."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.scenario.scenario import field_at
from viewer.scenario.sections.picture import View
from viewer.workspace.transitions import ViewTransition, orbit, pan, with_middle, wrapped, zoom

VIEW = View(polar_angle_deg=60.0, azimuth_deg=170.0, zoom=1.0, pan=(0.0, 0.0))
PIXELS = st.floats(-1e5, 1e5)


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
    check(zoom(VIEW, dx / 1e3, (dy / 1e4, 0.3)))


def test_zoomed_in_a_drag_turns_as_much_less_as_everything_is_larger():
    near = replace(VIEW, zoom=4.0)
    assert orbit(near, 360.0, 0.0, 720.0)["view.azimuth_deg"] == pytest.approx(170.0 - 90.0 / 4.0)


def test_the_picture_moves_with_the_hand():
    assert pan(VIEW, 72.0, -36.0, 720.0)["view.pan"] == pytest.approx((0.1, -0.05))


def test_the_wheel_multiplies():
    once = zoom(VIEW, 1.0)["view.zoom"]
    assert once == pytest.approx(1.12)
    assert zoom(VIEW, 2.0)["view.zoom"] == pytest.approx(once**2)
    assert zoom(VIEW, -500.0)["view.zoom"] == field_at("view.zoom").low


@given(st.floats(-0.9, 0.9), st.floats(-0.5, 0.5), st.integers(1, 30))
def test_the_picture_grows_around_the_pointer_and_shrinks_back_to_where_it_was(across, up, notches):
    view, pointer, inset = replace(VIEW, pan=(0.1, -0.05)), np.array([across, up]), np.array([-0.2, 0.0])
    under = (pointer - view.pan - inset) / view.zoom
    for away in [1.0] * notches + [-1.0] * notches:
        changes = zoom(view, away, tuple(pointer - view.pan - inset))
        view = replace(view, zoom=changes["view.zoom"], pan=changes["view.pan"])
        np.testing.assert_allclose((pointer - view.pan - inset) / view.zoom, under, atol=1e-12)
    assert (view.zoom, *view.pan) == pytest.approx((1.0, 0.1, -0.05), abs=1e-12)


def test_a_zoom_by_itself_keeps_what_is_in_the_middle_of_the_picture():
    view = replace(VIEW, zoom=2.0, pan=(0.3, -0.1))
    assert with_middle(view, {"view.zoom": 5.0})["view.pan"] == pytest.approx((0.75, -0.25))
    for values in ({"view.pan": (0.0, 0.0)}, {"view.zoom": 5.0, "view.pan": (1.0, 0.0)}, {"body.mass": 1.0}):
        assert with_middle(view, values) is values


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
