"""How a slider's travel maps to the values of a field."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.scenario.field import Field, Number
from viewer.scenario.fields import fields_of
from viewer.scenario.scenario import SECTIONS, field_at
from viewer.scenario.value_scale import ValueScale

PATHS = ("body.mass", "body.width", "start.angular_velocity", "loads.force", "solver.extra_substeps", "view.zoom",
         "solver.integration_period", "view.azimuth_deg", "playback.speed")  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
@given(fraction=st.floats(-0.5, 1.5))
def test_a_slider_gives_only_what_is_allowed_and_stays_where_it_is_put(path, fraction):
    field = field_at(path)
    scale = ValueScale(field, field.soft_low)
    value = scale.value(fraction)
    assert field.low <= value <= field.high
    assert scale.fraction(value) == pytest.approx(min(1.0, max(0.0, fraction)), abs=0.011)


@pytest.mark.parametrize("path", PATHS)
def test_a_slider_reaches_both_ends(path):
    field = field_at(path)
    scale = ValueScale(field, field.soft_low)
    assert (scale.value(0.0), scale.value(1.0)) == (field.soft_low, field.soft_high)


def test_a_value_beyond_the_slider_widens_it():
    field = field_at("start.angular_velocity")
    scale = ValueScale(field, 80.0)
    assert scale.fraction(80.0) == 1.0
    assert scale.low == field.soft_low


def numbers() -> dict[str, Field]:
    """Every field that has a slider, by its path."""
    return {
        f"{section}.{name}": field
        for section, cls in SECTIONS.items()
        for name, field in fields_of(cls).items()
        if isinstance(field, Number)
    }


@pytest.mark.parametrize("path", [path for path, field in numbers().items() if field.unit == "×"])
def test_a_ratio_is_as_far_from_its_double_as_from_its_half(path):
    field = field_at(path)
    half, one, double = (ValueScale(field, 1.0).fraction(value) for value in (0.5, 1.0, 2.0))
    assert double - one == pytest.approx(one - half, rel=1e-12)


@pytest.mark.parametrize("path", [path for path, field in numbers().items() if field.soft_low > 0.0])
def test_small_values_can_be_set_to_a_twentieth(path):
    """A slider is some 400 pixels long."""
    field = field_at(path)
    scale = ValueScale(field, field.soft_low)
    assert scale.fraction(1.05 * field.soft_low) > 1 / 400


@pytest.mark.parametrize("path", [path for path, field in numbers().items() if field.low < 0.0])
def test_a_quantity_of_either_sign_has_zero_in_the_middle(path):
    field = field_at(path)
    assert ValueScale(field, 0.0).fraction(0.0) == 0.5
    assert field.low == -field.high
