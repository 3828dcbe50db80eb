"""Fields check kind and range, and say in one line what is allowed."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.common.errors import InputError, brief, nearest, shown
from viewer.scenario.field import Number, Texts
from viewer.scenario.fields import choice, field, fields_of, integer, number, switch, text, vector
from viewer.scenario.scenario import Scenario


@dataclass(frozen=True)
class Sample:
    mass: float = number(1.0, "Mass", "m", 0.1, 100.0, unit="kg")
    steps: int = integer(15, "Steps", "n", 0, 99)
    spin: tuple[float, ...] = vector((0.0, 0.0, 0.0), "Spin", "w", -10.0, 10.0, ("x", "y", "z"), unit="rad/s")
    shape: str = choice("box", "Shape", "s", [("box", "Box"), ("sphere", "Sphere")])
    shown: bool = switch(True, "Shown", "v")
    title: str = text("", "Title", "t")


FIELDS = fields_of(Sample)


@pytest.mark.parametrize(
    ("name", "given_value", "result"),
    [
        ("mass", 1, 1.0),
        ("mass", 0.1, 0.1),
        ("mass", np.float32(0.5), 0.5),
        ("mass", 100, 100.0),
        ("steps", 99, 99),
        ("steps", np.int64(7), 7),
        ("spin", [1, 2, 3.5], (1.0, 2.0, 3.5)),
        ("spin", np.array([1.0, 2.0, 3.0]), (1.0, 2.0, 3.0)),
        ("shape", "sphere", "sphere"),
        ("shown", False, False),
        ("title", "Kreisel ω", "Kreisel ω"),
    ],
)
def test_allowed_values_become_plain_python(name: str, given_value: Any, result: Any) -> None:
    checked = FIELDS[name].check(f"body.{name}", given_value)
    assert checked == result
    assert type(checked) is type(result)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("mass", 0, "mass: 0 kg is outside 0.1 to 100 kg"),
        ("mass", 100.00000001, "mass: 100.00000001 kg is outside 0.1 to 100 kg"),
        ("mass", math.nan, "mass: nan kg is outside 0.1 to 100 kg"),
        ("mass", math.inf, "mass: inf kg is outside 0.1 to 100 kg"),
        ("mass", True, "mass: True is not a number; allowed is 0.1 to 100 kg"),
        ("mass", "1", "mass: '1' is not a number; allowed is 0.1 to 100 kg"),
        ("mass", None, "mass: None is not a number; allowed is 0.1 to 100 kg"),
        ("mass", 10**400, "mass: 1000000000000000000000000000000000000... is outside 0.1 to 100 kg"),
        pytest.param("mass", 10**5000, "mass: a very long number is outside 0.1 to 100 kg", id="long-mass"),
        ("steps", 1.0, "steps: 1.0 is not a whole number; allowed is 0 to 99"),
        ("steps", True, "steps: True is not a whole number; allowed is 0 to 99"),
        ("steps", -1, "steps: -1 is outside 0 to 99"),
        pytest.param("steps", 10**5000, "steps: a very long number is outside 0 to 99", id="long-steps"),
        ("spin", [1, 2], "spin: [1, 2] is not a list of 3 numbers"),
        ("spin", "abc", "spin: 'abc' is not a list of 3 numbers"),
        ("spin", {0: 1, 1: 2, 2: 3}, "spin: {0: 1, 1: 2, 2: 3} is not a list of 3 numbers"),
        ("spin", 3, "spin: 3 is not a list of 3 numbers"),
        ("spin", [0, 11, 0], "spin[1]: 11 rad/s is outside -10 to 10 rad/s"),
        ("spin", [0, 0, [1]], "spin[2]: [1] is not a number; allowed is -10 to 10 rad/s"),
        ("shape", "spher", "shape: 'spher' is unknown; did you mean sphere? allowed are box, sphere"),
        ("shape", ["box"], "shape: ['box'] is unknown; allowed are box, sphere"),
        ("shown", 1, "shown: 1 is not a switch; allowed are true, false"),
        ("title", 5, "title: 5 is not a string"),
        ("title", "a\nb", "title: 'a\\nb' has characters that cannot be shown; allowed is one line"),
    ],
)
def test_other_values_are_refused_in_one_line(name: str, value: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        FIELDS[name].check(name, value)
    assert str(caught.value) == message


def test_long_texts_are_refused() -> None:
    with pytest.raises(InputError, match="has 301 characters; allowed are at most 300"):
        FIELDS["title"].check("title", "x" * 301)


@given(value=st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.floats())))
def test_any_value_is_taken_or_refused_in_one_line(value: Any) -> None:
    for name, declared in FIELDS.items():
        try:
            checked = declared.check(name, value)
        except InputError as error:
            assert "\n" not in str(error)
            assert str(error).startswith(name)
        else:
            assert declared.check(name, checked) == checked


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_brief_loses_nothing(value: float) -> None:
    assert float(brief(value)) == value


def test_small_helpers() -> None:
    assert shown("a\n" * 100) == repr("a\n" * 100)[:37] + "..."
    assert nearest("masss", ["mass", "width"]) == "did you mean mass? "
    assert nearest("qqq", ["mass", "width"]) == ""
    assert list(FIELDS) == ["mass", "steps", "spin", "shape", "shown", "title"]
    assert FIELDS["spin"].size == 3
    assert (FIELDS["mass"].soft_low, FIELDS["mass"].soft_high) == (0.1, 100.0)
    assert field(1.0, Number("L", "d")).metadata["field"].label == "L"


def test_a_choice_may_say_what_each_value_is() -> None:
    plain = choice("a", "Plain", "p", [("a", "A"), ("b", "B", "the second")]).metadata["field"]
    assert plain.choices == (("a", "A"), ("b", "B"))
    assert plain.meanings == ("", "the second")


def test_a_list_of_texts_is_checked() -> None:
    names = field((), Texts("Names", "n")).metadata["field"]
    assert names.check("names", ["a", "b"]) == ("a", "b")
    for wrong in ("a", [1], ["a\n"], ["x"] * 101, {"a": 1}):
        with pytest.raises(InputError, match="names"):
            names.check("names", wrong)


@pytest.mark.parametrize(
    ("path", "table", "missing"),
    [
        ("loads.torque_of_time", {}, "amplitude: is missing; it must be given: 3 numbers in -1e50 to 1e50 N m"),
        (
            "loads.torque_of_time", {"kind": "sine", "amplitude": (0, 0, 1)},
            "frequency: is missing; it must be given where kind is sine: a number in 1e-12 to 1e6 Hz",
        ),
        ("loads.torque_of_time", {"kind": "pulse-train", "amplitude": (0, 0, 1), "width": 0.1}, "period: is missing"),
        ("loads.torque_of_time", {"kind": "pulse-train", "amplitude": (0, 0, 1), "period": 1.0}, "width: is missing"),
        ("loads.thrusters", {"point": (0, 0.1, 0)}, "force: is missing; it must be given: 3 numbers in"),
    ],
)  # fmt: skip
def test_what_makes_a_load_act_must_be_given(path, table, missing):
    with pytest.raises(InputError) as caught:
        Scenario().with_value(path, [table])
    assert str(caught.value).startswith(f"{path}[0].{missing}")
