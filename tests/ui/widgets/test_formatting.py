"""Numbers as the panel writes and reads them."""

import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.common.errors import InputError
from viewer.common.quantities import suited, value_of
from viewer.scenario.scenario import field_at
from viewer.scene.words.formatting import columns, full, in_unit, parse, plain, rounded, sentence, short


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"), (1.0, "1.00"), (0.0145, "0.0145"), (0.052, "0.0520"), (-3.0, "−3.00"), (9.996, "10.0"),
        (62.0, "62.0"), (123.4, "123"), (1234.5, "1234"), (12345.6, "12346"), (366275.0, "3.66×10⁵"), (1e6, "1.00×10⁶"),
        (-4.56e-5, "−4.56×10⁻⁵"), (0.00012, "0.000120"), (15, "15"), (-2, "−2"), (math.inf, "∞"),
        (math.nan, "not a number"),
    ],
)  # fmt: skip
def test_three_significant_digits(value, text):
    assert short(value) == text


@given(st.floats(1e-3, 99949.0))
def test_short_is_right_to_three_digits(value):
    assert float(short(value)) == pytest.approx(value, rel=0.00501)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.1 + 0.2, "0.3"), (1.5e-7, "1.5×10⁻⁷"), (0.0427083333, "0.0427083"), (1e6, "1×10⁶"), (-120.0, "−120"), (7, "7")],
)
def test_a_tooltip_has_six_digits(value, text):
    assert rounded(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_digit_reads_back(value):
    assert value_of(full(value)) == value


@pytest.mark.parametrize(
    ("path", "text", "value"),
    [
        ("body.mass", " 2.5 ", 2.5),
        ("body.mass", "2,5", 2.5),
        ("body.mass", "2.5 kg", 2.5),
        ("body.mass", "2.5kg", 2.5),
        ("body.mass", "1/3", 1 / 3),
        ("loads.force", "−4", -4.0),
        ("body.mass", "100e-2", 1.0),
        ("body.mass", "2*3", 6.0),
        ("body.mass", "2×3", 6.0),
        ("body.mass", "(1 + 2)*3 - 4/2", 7.0),
        ("body.mass", "2^3^0,5", 2**3**0.5),
        ("body.mass", "2**3", 8.0),
        ("body.mass", "sqrt(2) kg", math.sqrt(2)),
        ("body.mass", "500 g", 0.5),
        ("body.width", "30 cm", 0.3),
        ("view.polar_angle_deg", "pi/2 rad", 90.0),
        ("view.polar_angle_deg", "45°", 45.0),
        ("view.zoom", "2 ×", 2.0),
        ("start.angular_velocity", "pi/2", math.pi / 2),
        ("start.angular_velocity", "2pi", 2 * math.pi),
        ("start.angular_velocity", "-π", -math.pi),
        ("start.angular_velocity", "120 rpm", 4 * math.pi),
        ("start.angular_velocity", "2*60 rpm", 4 * math.pi),
        ("start.angular_velocity", "2 Hz", 4 * math.pi),
        ("start.angular_velocity", "90 °/s", math.pi / 2),
        ("loads.force", "2e-3 kN", 2.0),
    ],
)
def test_what_can_be_typed(path, text, value):
    assert parse(field_at(path), text) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    "text",
    [
        "", "heavy", "1/0", "1_0", "2 3", "2**", "(2", "2)", "--", "9**9**9", "(-1)**.5", "sqrt(-2)",
        "nan", "inf",
        "1e999", "pi pi(", "__import__('os')", "(" * 64, "-" * 63 + "x", "2^" * 31 + "2", "0", "1e31", "-1",
    ],
)  # fmt: skip
def test_what_is_no_number_or_not_allowed_is_told_in_plain_words(text):
    with pytest.raises(InputError, match=r"^Mass: a number from 10⁻⁹ to 10³⁰ kg$"):
        parse(field_at("body.mass"), text)


@given(st.text(alphabet="0123456789.,+-*/^() eπpisqrtkg", max_size=64))
def test_whatever_is_typed_is_a_finite_number_or_none(text):
    with contextlib.suppress(ValueError):
        assert math.isfinite(value_of(text, "kg"))


@given(st.lists(st.sampled_from(["1", "2.5", "-3", "pi"]), min_size=2, max_size=6), st.data())
def test_arithmetic_is_that_of_python(numbers, data):
    signs = data.draw(st.lists(st.sampled_from("+-*/"), min_size=len(numbers) - 1, max_size=len(numbers) - 1))
    text = numbers[0] + "".join(f" {sign} {number}" for sign, number in zip(signs, numbers[1:], strict=True))
    assert value_of(text) == pytest.approx(eval(text, {"pi": math.pi}), rel=1e-14)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("body.mass: 0 kg is outside 1e-9 to 1e30 kg", "Mass: 0 kg is outside 1e−9 to 1e30 kg"),
        ("start.angular_velocity[0]: 9e6 rad/s is outside -1e6 to 1e6 rad/s",
         "Angular velocity: 9e6 rad/s is outside −1e6 to 1e6 rad/s"),
        ("solver.integrator: exact is torque-free", "Integrator: exact is torque-free"),
        ("solver.energy_tolerance: -inf is outside 1e-15 to 1", "Energy tolerance: −inf is outside 1e−15 to 1"),
        ("nothing.like: this is none", "nothing.like: this is none"),
        ("no path at all", "no path at all"),
    ],
)  # fmt: skip
def test_errors_of_fields_are_told_by_their_labels(error, words):
    assert plain(InputError(error)) == words


def test_an_angle_that_nobody_could_see_is_0():
    degrees = suited("°", 0.0)
    assert [in_unit(angle, degrees) for angle in (-2.98e-10, 1e-6, 0.0, -12.5)] == ["0", "1.00×10⁻⁶", "0", "−12.5"]
    assert in_unit(-2.98e-10, suited("m", 1.0)) == "−2.98×10⁻¹⁰"


def test_whole_numbers_stay_whole():
    assert parse(field_at("solver.extra_substeps"), "7") == 7
    assert isinstance(parse(field_at("solver.extra_substeps"), "7"), int)


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ((3.11e-4, 7.39e-5, 3.84e-4), (["3.11", "0.739", "3.84"], "10⁻⁴ kg m²")),
        ((3.11e-3, 7.39e-5, 0.0), (["3.11", "0.0739", "0"], "10⁻³ kg m²")),
        ((0.00121, 0.01638, 0.01748), (["0.00121", "0.0164", "0.0175"], "kg m²")),
        ((8e37, 8.03e37, 0.0), (["8.00", "8.03", "0"], "10³⁷ kg m²")),
        ((0.0177, 0.149, 7.22e-5), (["0.0177", "0.149", "7.22×10⁻⁵"], "kg m²")),  # not 0.177, 1.49 · 10⁻¹
    ],
)
def test_a_column_has_one_power_of_ten_where_its_numbers_would_have_several(values, shown):
    assert columns(values, "kg m²") == shown


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("body", "Body"),
        ("ω of another integrator", "ω of another integrator"),
        ("ω", "ω"),
        ("y and z of the rates", "y and z of the rates"),
        ("a gap of 2 s", "A gap of 2 s"),
        ("ωμέγα", "Ωμέγα"),
        ("", ""),
    ],
)
def test_a_sentence_begins_with_a_capital_but_a_symbol_stays_as_it_is(words, written):
    assert sentence(words) == written
