"""Scenes of several bodies: read, written and changed; errors name line, entry and field."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from viewer.common.errors import InputError
from viewer.scenario.bodies import shows_constructions
from viewer.scenario.scenario import Scenario

TEXT = """version = 1
[body]
shape = "box"
mass = 2.0 # of all

[[bodies]]
name = "one"
body.width = 0.3   # narrow
[[bodies]]
name = "two"
[bodies.body]
width = 0.4 # wider
mass = 3.0
[bodies.start]
angular_velocity = [0, 4, 0.1]
[[bodies]]
body = {width = 0.5, mass = 4} # inline
"""
COMMENTS = ("# of all", "# narrow", "# wider", "# inline")


def test_a_body_is_the_scenes_but_for_what_its_table_sets():
    scenario = Scenario.from_text(TEXT)
    assert [scenario.body_name(n) for n in range(3)] == ["one", "two", "3"]
    assert [(m.body.shape, m.body.mass, m.body.width) for m in scenario.bodies] == [
        ("box", 2.0, 0.3), ("box", 3.0, 0.4), ("box", 4.0, 0.5)
    ]  # fmt: skip
    assert [m.start.angular_velocity for m in scenario.bodies] == [(0.0, 3.0, 0.3), (0.0, 4.0, 0.1), (0.0, 3.0, 0.3)]
    assert scenario.of_body(1).rigid_body().mass == 3.0


def test_a_field_is_set_in_one_body_or_in_all():
    scenario = Scenario.from_text(TEXT)
    one = scenario.with_values({"body.mass": 7.0, "view.zoom": 2.0}, of=1)
    assert [m.body.mass for m in one.bodies] == [2.0, 7.0, 4.0]
    assert (one.body.mass, one.view.zoom) == (2.0, 2.0)
    assert [m.body.mass for m in scenario.with_value("body.mass", 7.0).bodies] == [7.0] * 3
    same = scenario.with_values({"body.mass": 7.0, "bodies": scenario.bodies})
    assert same.bodies == scenario.bodies


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("mass = 3.0", "mass = 0", r"bodies\[1\].body.mass: 0 kg is outside 1e-9 to 1e30 kg \(scene.toml, line 13\)"),
        ("width = 0.4", "wdth = 0.4", r"bodies\[1\].body.wdth: field not found; did you mean width\? .*line 12\)"),
        ("[bodies.start]", "[bodies.strat]", r"bodies\[1\].strat: field not found; did you mean start\? .*line 14\)"),
        ('name = "two"', 'nam = "two"', r"bodies\[1\].nam: field not found; did you mean name\? .*line 10\)"),
        ("width = 0.5,", "width = 5e9,", r"bodies\[2\].body.width: 5e9 m is outside .* \(scene.toml, line 17\)"),
        ("body.width = 0.3", "body = 3", r"bodies\[0\].body: 3 is not a table; .*line 8\)"),
        ('name = "one"', "name = 1", r"bodies\[0\].name: 1 is not a string \(scene.toml, line 7\)"),
        ("[[bodies]]", "[[bodie]]", r"bodie: section not found; did you mean bodies\? .*line 6\)"),
        ("[[bodies]]", "[[bodies]]\n" * 30, r"bodies: 90 tables are too many; allowed is at most 64 tables"),
    ],
)  # fmt: skip
def test_errors_name_line_entry_and_field(old: str, new: str, message: str):
    with pytest.raises(InputError, match=message):
        Scenario.from_text(TEXT.replace(old, new), "scene.toml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bodies = 3", "bodies: 3 is not a list of tables"),
        ("bodies = [3]", r"bodies\[0\]: 3 is not a table"),
        ("[bodies]", "bodies: {} is not a list of tables"),
    ],
)
def test_what_is_no_list_of_tables_is_refused(text: str, message: str):
    with pytest.raises(InputError, match=message):
        Scenario.from_text(text)


CHANGES = st.lists(
    st.tuples(
        st.sampled_from((None, 0, 1, 2)),
        st.sampled_from(("body.mass", "body.width", "start.angular_velocity", "body.shape")),
        st.integers(0, 2),
    ),
    max_size=6,
)
VALUES: dict[str, tuple[Any, ...]] = {
    "body.mass": (2.0, 3.0, 5.0),
    "body.width": (0.4, 0.5, 1.0),
    "start.angular_velocity": ((0.0, 4.0, 0.1), (0.0, 3.0, 0.3), (1.0, 2.0, 3.0)),
    "body.shape": ("box", "cylinder", "ellipsoid"),
}


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(changes=CHANGES, fewer=st.integers(0, 3), more=st.integers(0, 2))
def test_a_changed_scene_is_saved_over_its_file_and_read_back(tmp_path: Path, changes, fewer: int, more: int):
    path = tmp_path / "scene.toml"
    path.write_text(TEXT)
    scenario = Scenario.from_text(TEXT)
    for of, name, value in changes:
        scenario = scenario.with_values({name: VALUES[name][value]}, of)
    scenario.save(path)
    assert Scenario.load(path) == scenario
    assert all(comment in path.read_text() for comment in COMMENTS[:1])
    members = (*scenario.bodies[: 3 - fewer], *scenario.bodies[:more])
    scenario = scenario.with_value("bodies", members)
    scenario.save(path)
    assert Scenario.load(path) == scenario == Scenario.from_text(scenario.to_text())


def test_what_is_not_changed_keeps_its_comments(tmp_path: Path):
    path = tmp_path / "scene.toml"
    path.write_text(TEXT)
    Scenario.from_text(TEXT).with_values({"body.mass": 3.5, "body.width": 0.45}, of=1).save(path)
    wanted = TEXT.replace("mass = 3.0", "mass = 3.5").replace("width = 0.4 #", "width = 0.45 #")
    assert path.read_text() == wanted


@pytest.mark.parametrize(
    ("bodies", "construction", "count", "shown"),
    [
        ("auto", "poinsot", 6, True),
        ("auto", "poinsot", 7, False),
        ("auto", "momentum", 7, True),
        ("constructions", "poinsot", 40, True),
        ("plain", "poinsot", 2, False),
        ("together", "poinsot", 2, False),
    ],
)
def test_up_to_six_bodies_have_their_constructions(bodies: str, construction: str, count: int, shown: bool) -> None:
    view = Scenario().with_values({"view.bodies": bodies, "view.construction": construction}).view
    assert shows_constructions(view, count) is shown
