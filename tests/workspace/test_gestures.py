"""What the mouse does to the view."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.scenario.scenario import field_at
from viewer.scenario.sections.picture import View
from viewer.workspace.transitions import ViewTransition, orbit, pan, wrapped, zoom

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
    check(zoom(VIEW, dx / 1e3))


def test_the_picture_moves_with_the_hand():
    assert pan(VIEW, 72.0, -36.0, 720.0)["view.pan"] == pytest.approx((0.1, -0.05))


def test_the_wheel_multiplies():
    once = zoom(VIEW, 1.0)["view.zoom"]
    assert once == pytest.approx(1.12)
    assert zoom(VIEW, 2.0)["view.zoom"] == pytest.approx(once**2)
    assert zoom(VIEW, -500.0)["view.zoom"] == field_at("view.zoom").low


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
