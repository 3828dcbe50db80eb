"""Units: their sizes against scipy's table, which are read, and which one suits a value."""

import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import constants

from viewer.common.quantities import QUANTITIES, UnitError, read, suited, value_of

SIZES = {
    ("m", "in"): constants.inch, ("m", "ft"): constants.foot, ("m", "mm"): constants.milli,
    ("m", "µm"): constants.micron, ("m", "km"): constants.kilo, ("m", "cm"): constants.centi,
    ("kg", "lb"): constants.pound, ("kg", "slug"): constants.slug, ("kg", "g"): constants.gram,
    ("kg", "mg"): constants.milli * constants.gram, ("kg", "t"): constants.metric_ton,
    ("s", "min"): constants.minute, ("s", "h"): constants.hour, ("s", "d"): constants.day,
    ("s", "a"): constants.Julian_year,
    ("rad/s", "°/s"): constants.degree, ("rad/s", "°/d"): constants.degree / constants.day,
    ("rad/s", "°/h"): constants.degree / constants.hour, ("rad/s", "rpm"): 2.0 * constants.pi / constants.minute,
    ("m/s", "km/h"): constants.kmh,
    ("kg m²", "slug ft²"): constants.slug * constants.foot**2, ("kg m²", "lb in²"): constants.pound * constants.inch**2,
    ("J", "µJ"): constants.micro, ("N", "kN"): constants.kilo, ("N m", "MN m"): constants.mega,
    ("N m s", "mN m s"): constants.milli, ("J/s", "kW"): constants.kilo, ("J", "GJ"): constants.giga,
    ("kg m²", "g cm²"): constants.gram * constants.centi**2,
}  # fmt: skip


@pytest.mark.parametrize(("quantity", "name"), SIZES)
def test_sizes_are_those_of_scipy(quantity, name):
    assert value_of(f"1 {name}", quantity) == pytest.approx(SIZES[quantity, name], rel=2e-13)  # slug: 12 digits


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("5.41 d", "s", 467424.0), ("120 rpm", "rad/s", 4.0 * math.pi), ("30 deg/s", "rad/s", math.pi / 6.0),
        ("3 in", "m", 0.0762), ("2.5 km", "m", 2500.0), ("2.5km", "m", 2500.0),
        ("−7 °/d", "rad/s", -7.0 * constants.degree / constants.day),
        ("1e-3 kg", "kg", 1e-3), ("12", "s", 12.0),
        ("5.41 d", "rad/s", 2.0 * math.pi / 467424.0), ("−2 s", "rad/s", -math.pi), ("2 s", "°/s", 180.0),
    ],
)  # fmt: skip
def test_a_number_with_its_unit_is_read(text, unit, value):
    assert value_of(text, unit) == pytest.approx(value, rel=1e-5)


@pytest.mark.parametrize(
    ("text", "unit", "line"),
    [
        ("3 rpm", "m", "rpm is no unit of length; allowed: µm, mm, cm, m, km, in, ft"),
        ("3 furlongs", "m", "furlongs is no unit of length; allowed: µm, mm, cm, m, km, in, ft"),
        ("3 °", "kg", "° is no unit of mass; allowed: µg, mg, g, kg, t, lb, slug"),
        ("2 kg m", "s", "kg m is no unit of time; allowed: µs, ms, s, min, h, d, a"),
        ("2 m\0", "s", "'m\\x00' is no unit of time; allowed: µs, ms, s, min, h, d, a"),
        ("2 kg\nm", "s", "kg m is no unit of time; allowed: µs, ms, s, min, h, d, a"),
    ],
)
def test_a_wrong_unit_is_one_line_that_says_which_are_right(text, unit, line):
    with pytest.raises(UnitError) as caught:
        value_of(text, unit)
    assert str(caught.value) == line


@pytest.mark.parametrize("text", ["3 nan", "0 0 inf"])
def test_what_is_no_number_is_no_unit_either(text):
    assert read(text, "m") == (text, 1.0)


@pytest.mark.parametrize("text", ["2 pi", "2pi", "3*sqrt(2)", "1e5", "1E-5", "2 pi/3", "(1 + 2)"])
def test_what_belongs_to_the_number_is_no_unit(text):
    assert read(text, "s") == (text, 1.0)


@pytest.mark.parametrize(
    ("unit", "value", "name"),
    [
        ("s", 2e-3, "ms"), ("s", 0.0145, "ms"), ("s", 0.2, "s"),
        ("s", 8.0, "s"), ("s", 1200.0, "min"), ("s", 9.5e5, "d"), ("m", 0.05, "mm"),
        ("s", 305 * 86400.0, "d"), ("s", 1e9, "a"), ("rad/s", 7.292e-5, "°/d"), ("rad/s", 3.0, "rad/s"),
        ("rad/s", 1e4, "rpm"), ("m", 1e-3, "mm"), ("m", 0.5, "m"), ("m", 6.371e6, "km"), ("kg", 1e-6, "mg"),
        ("kg", 5.97e24, "kg"), ("kg", 4e5, "t"), ("kg", 80.0, "kg"), ("kg m²", 8e37, "kg m²"),
        ("J", 1e-9, "J"), ("J", 3.2e-5, "µJ"), ("J", 1.2e-3, "mJ"), ("J", 0.02, "J"), ("J", 9110.0, "J"),
        ("N", 3.4e4, "kN"), ("N m", 2e6, "MN m"), ("J", 2e29, "J"), ("J/s", 5.0, "J/s"), ("J/s", 5e-3, "mW"),
        ("m³", 3.92e-5, "cm³"), ("m³", 7.7e9, "km³"), ("m³", 0.5, "m³"), ("s", 0.0, "s"),
        ("s", math.inf, "s"), ("", 3.0, ""),
    ],
)  # fmt: skip
def test_the_unit_that_suits(unit, value, name):
    assert suited(unit, value).name == name
    assert suited(unit, 0.0, -value).name == name


@given(st.sampled_from(sorted(QUANTITIES)), st.floats(1e-12, 1e12))
def test_what_is_shown_is_read_as_the_same(unit, value):
    chosen = suited(unit, value)
    assert value_of(f"{value / chosen.size!r} {chosen.name}", unit) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize("unit", QUANTITIES)
def test_units_are_in_order_and_the_si_unit_is_among_them(unit):
    begins = [entry.begin for entry in QUANTITIES[unit].units if entry.begin is not None]
    assert begins == sorted(begins)
    assert begins[0] == 0.0
    assert any(entry.name == unit and entry.size == 1.0 for entry in QUANTITIES[unit].units)


def test_a_long_text_takes_no_time():
    began = time.perf_counter()
    with pytest.raises(ValueError, match="not a number"):
        value_of("1" + 20_000 * " " + "(", "kg")
    assert time.perf_counter() - began < 1.0  # 0.001 s; 25 s where all of it is looked through from each of its letters


@pytest.mark.parametrize("text", ["inf d", "nan kg", "d"])
def test_a_right_unit_behind_no_number_is_not_called_wrong(text):
    with pytest.raises(ValueError, match=r" is not a number$") as caught:
        value_of(text, "kg" if "kg" in text else "s")
    assert not isinstance(caught.value, UnitError)
