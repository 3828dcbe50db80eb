"""Numbers as the panel writes and reads them, and the way a slider travels."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.errors import SceneError
from viewer.scenario import field_at
from viewer.ui.text import Scale, full, parse, short


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"), (1.0, "1.00"), (0.0145, "0.0145"), (0.052, "0.0520"), (-3.0, "−3.00"), (9.996, "10.0"),
        (62.0, "62.0"), (123.4, "123"), (1234.5, "1234"), (99999.0, "99999"), (1e6, "1.00×10⁶"),
        (-4.56e-5, "−4.56×10⁻⁵"), (0.00012, "0.000120"), (15, "15"), (-2, "−2"), (math.inf, "∞"),
        (math.nan, "not a number"),
    ],
)  # fmt: skip
def test_three_significant_digits(value, text):
    assert short(value) == text


@given(st.floats(1e-3, 99999.0))
def test_short_is_right_to_three_digits(value):
    assert float(short(value)) == pytest.approx(value, rel=0.00501)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_digit_reads_back(value):
    assert parse("body.mass", field_at("body.mass"), full(value)) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (" 2.5 ", 2.5),
        ("2,5", 2.5),
        ("2.5 kg", 2.5),
        ("2.5kg", 2.5),
        ("1/3", 1 / 3),
        ("−4", -4.0),
        ("1e-2", 0.01),
    ],
)
def test_what_can_be_typed(text, value):
    assert parse("body.mass", field_at("body.mass"), text) == value


@pytest.mark.parametrize("text", ["", "heavy", "1/0", "1/2/3", "2.5 m", "0x10"])
def test_what_is_no_number_is_named(text):
    with pytest.raises(SceneError, match=r"body\.mass: .* is not a number; allowed is 0\.1\.\.100 kg"):
        parse("body.mass", field_at("body.mass"), text)


def test_whole_numbers_stay_whole():
    assert parse("solver.additional_steps", field_at("solver.additional_steps"), "7") == 7
    assert isinstance(parse("solver.additional_steps", field_at("solver.additional_steps"), "7"), int)


PATHS = ("body.mass", "body.width", "start.angular_velocity", "loads.force", "solver.additional_steps", "view.zoom",
         "solver.integration_period", "view.longitude_deg", "playback.speed")  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
@given(fraction=st.floats(-0.5, 1.5))
def test_a_slider_gives_only_what_is_allowed_and_stays_where_it_is_put(path, fraction):
    field = field_at(path)
    scale = Scale(field, field.soft_low)
    value = scale.value(fraction)
    assert field.low <= value <= field.high
    assert scale.fraction(value) == pytest.approx(min(1.0, max(0.0, fraction)), abs=0.011)


@pytest.mark.parametrize("path", PATHS)
def test_a_slider_reaches_both_ends(path):
    field = field_at(path)
    scale = Scale(field, field.soft_low)
    assert (scale.value(0.0), scale.value(1.0)) == (field.soft_low, field.soft_high)


def test_a_value_beyond_the_slider_widens_it():
    field = field_at("start.angular_velocity")
    scale = Scale(field, 80.0)
    assert scale.fraction(80.0) == 1.0
    assert scale.low == field.soft_low
