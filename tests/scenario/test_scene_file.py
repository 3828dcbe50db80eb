"""Scene files: what is saved is read back, errors name field, value and line, whatever the text."""

import os
import tomllib
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from viewer.common.errors import InputError
from viewer.physics.loads import Thruster, TorquePiece
from viewer.physics.solids.composite import Part
from viewer.scenario.field import Choice, Integer, Number, Rows, Switch, Tables, Texts
from viewer.scenario.fields import fields_of
from viewer.scenario.presets import PRESETS, preset_text
from viewer.scenario.scenario import SECTIONS, Scenario, field_at

PATHS = [f"{section}.{key}" for section, cls in SECTIONS.items() for key in fields_of(cls)]
TEXTS = {
    "lesson.controls": ["body.mass", "start.angular_velocity[2]", "show.inset"],
    "lesson.readouts": ["omega", "energy_error"],
}
LANES = ["jolt", "split", "first-order+closest-point", "buss+gradient", "exact"]


THREE = st.tuples(*[st.floats(-1.0, 1.0)] * 3)
LENGTH = st.floats(1e-3, 1e6)
ACT = {"amplitude": THREE, "frame": st.sampled_from(["space", "body"]), "start": st.floats(-1e9, 0.0)}
ENDS = st.one_of(st.just(inf), st.floats(1.0, 1e9))
PIECE = st.one_of(
    st.builds(TorquePiece, st.just("constant"), **ACT, end=ENDS),
    st.builds(TorquePiece, st.just("ramp"), **ACT, end=st.floats(1.0, 1e9)),
    st.builds(TorquePiece, st.just("sine"), **ACT, end=ENDS, frequency=st.floats(1e-6, 1e4)),
    st.builds(TorquePiece, st.just("pulse-train"), **ACT, end=ENDS, period=LENGTH, width=st.just(1e-3)),
)
TIMES = st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=5, unique=True).map(sorted).map(tuple)
THRUSTER = st.builds(Thruster, THREE, THREE, TIMES)


def value_of(path: str) -> st.SearchStrategy[Any]:
    """Allowed values of a field."""
    field = field_at(path)
    if isinstance(field, Integer):
        return st.integers(int(field.low), int(field.high))
    if isinstance(field, Choice):
        return st.sampled_from([name for name, _ in field.choices])
    if isinstance(field, Switch):
        return st.booleans()
    if isinstance(field, Rows):
        numbers = [st.floats(low, high) for _, low, high in field.columns]
        rising = st.lists(st.tuples(*numbers), max_size=4, unique_by=lambda row: row[0])
        return rising.map(lambda rows: tuple(sorted(rows)))
    if isinstance(field, Texts):
        if path == "recording.checksums":
            return st.lists(st.just("0" * 64), max_size=field.most).map(tuple)
        if path == "recording.files":
            return st.lists(st.just(os.path.abspath("toss.csv")), max_size=field.most).map(tuple)
        return st.lists(st.sampled_from(TEXTS.get(path, LANES)), max_size=field.most).map(tuple)
    if isinstance(field, Tables):
        return st.lists(TABLES[path], max_size=4).map(tuple)
    if path == "recording.flight":
        return st.sampled_from(["", "2", "all"])
    if path in ("body.file", "body.appearance"):
        return st.sampled_from(["", "toutatis.ply", os.path.abspath("thing of mine.stl")])
    number = st.floats(field.low, field.high)
    return number if type(field) is Number else st.tuples(*[number] * field.size)


AMOUNT = st.one_of(
    st.fixed_dictionaries({"mass": st.floats(1e-3, 9.0)}), st.fixed_dictionaries({"density": st.floats(-1e6, -1e-3)})
)
PART = st.one_of(
    st.builds(lambda amount, at, size: Part("box", **amount, position=at, width=size), AMOUNT, THREE, LENGTH),
    st.builds(lambda length: Part("rod", mass=1.0, length=length), LENGTH),
    st.just(Part("mesh", density=-2.0, file=os.path.abspath("hole.ply"), unit="mm")),
)
TABLES = {"loads.torque_of_time": PIECE, "loads.thrusters": THRUSTER, "body.parts": PART}

CHANGES = st.dictionaries(st.sampled_from(PATHS), st.none()).flatmap(
    lambda paths: st.fixed_dictionaries({path: value_of(path) for path in paths})
)


def changed(changes: dict[str, Any], scenario: Scenario | None = None) -> Scenario:
    scenario = scenario or Scenario()
    for path, value in changes.items():
        scenario = scenario.with_value(path, value)
    return scenario


def refused(text: str) -> str:
    with pytest.raises(InputError) as caught:
        Scenario.from_text(text, "scene.toml")
    assert "\n" not in str(caught.value)
    return str(caught.value)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(changes=CHANGES, title=st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=20))
def test_what_is_saved_is_read_back_exactly(tmp_path: Path, changes: dict[str, Any], title: str) -> None:
    path = tmp_path / "scene.toml"
    path.unlink(missing_ok=True)
    scenario = changed(changes).with_value("title", title if title.isprintable() else "")
    scenario.save(path)
    assert Scenario.load(path) == scenario


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(first=CHANGES, second=CHANGES)
def test_saving_over_a_scene_is_as_exact(tmp_path: Path, first: dict[str, Any], second: dict[str, Any]) -> None:
    path = tmp_path / "scene.toml"
    path.write_text(
        "# a comment\nversion = 1\n[body] # of mine\nmass = 2.0 # heavy\n"
        "\n[view]\nzoom = 2 # near\n[show]\nplane = true # flat\n"
    )
    changed(first).save(path)
    scenario = changed(second)
    scenario.save(path)
    assert Scenario.load(path) == scenario
    for comment in ("# a comment", "# of mine", "# heavy", "# near", "# flat"):
        assert comment in path.read_text()


def test_saving_over_a_scene_writes_only_what_changed(tmp_path: Path) -> None:
    path = tmp_path / "scene.toml"
    before = '# mine\r\ntitle = "A"\r\n\r\n[body]\r\nmass = 2 # kg, weighed\r\nshape = "box"\r\n'
    path.write_bytes(before.encode())
    Scenario.load(path).save(path)
    assert path.read_bytes().decode() == before
    Scenario.load(path).with_value("body.mass", 3.5).with_value("start.angular_velocity", (1, 2, 3)).save(path)
    text = path.read_bytes().decode()
    assert text.startswith('# mine\r\ntitle = "A"\r\n\r\n[body]\r\nmass = 3.5 # kg, weighed\r\nshape = "box"\r\n')
    assert "[start]" in text
    assert "orientation_deg" not in text


@pytest.mark.parametrize(
    "text", ["body = {mass = 2.0} # c\n", "body.mass = 2.0 # c\nbody.width = 0.5\n", "['body'] # c\n"]
)
def test_saving_keeps_every_way_to_write_a_section(tmp_path: Path, text: str) -> None:
    path = tmp_path / "scene.toml"
    path.write_text(text)
    scenario = changed({"body.mass": 3.0, "body.height": 0.125, "view.zoom": 2.0}, Scenario.load(path))
    scenario.save(path)
    assert Scenario.load(path) == scenario
    assert "# c" in path.read_text()


def test_a_new_file_explains_every_field(tmp_path: Path) -> None:
    path = tmp_path / "scene.toml"
    Scenario().save(path)
    lines = path.read_text().splitlines()
    assert lines[0] == "version = 1"
    assert "mass = 1.0 # kg: mass of the body" in lines
    for section, cls in SECTIONS.items():
        if section == "recording":  # only the scene of one has it
            continue
        assert f"[{section}]" in lines
        for key in fields_of(cls):
            assert any(line.startswith(f"{key} = ") and "#" in line for line in lines), key


@pytest.mark.parametrize("old", [b"\xff\xfe no scene", b"no scene [", b"[body]\nmass = 'heavy'\n"])
def test_saving_over_what_is_no_scene_replaces_it(tmp_path: Path, old: bytes) -> None:
    path = tmp_path / "scene.toml"
    path.write_bytes(old)
    Scenario(title="B").save(path)
    assert Scenario.load(path).title == "B"


def test_a_save_that_fails_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "scene.toml"
    Scenario(title="old").save(path)

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match=r"scene\.toml: cannot be written: No space left on device"):
        Scenario(title="new").save(path)
    assert Scenario.load(path).title == "old"
    assert os.listdir(tmp_path) == ["scene.toml"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[body]\n\nmass = 0", "body.mass: 0 kg is outside 1e-9 to 1e30 kg (scene.toml, line 3)"),
        (
            "[loads]\n[[loads.torque_of_time]]\namplitude = [1, 0, 0]\n[[loads.thrusters]]\nforce = [1, 0, 0]\n"
            "times = [1]\n[[loads.torque_of_time]]\nkind = 'sine'\nfrequency = 0",
            "loads.torque_of_time[1].frequency: 0 Hz is outside 1e-12 to 1e6 Hz (scene.toml, line 9)",
        ),
        (
            "[loads]\nforce = [0, 0, 1]\ntorque_of_time = [{kind = 'x'}]",
            "loads.torque_of_time[0].kind: 'x' is unknown; allowed are constant, ramp, sine, pulse-train"
            " (scene.toml, line 3)",
        ),
        (
            "[loads]\n" + "[[loads.thrusters]]\n" * 17,
            "loads.thrusters: 17 tables are too many; allowed is at most 16 tables of point, force, times"
            " (scene.toml, line 2)",
        ),
        ("body.mass = 0", "body.mass: 0 kg is outside 1e-9 to 1e30 kg (scene.toml, line 1)"),
        ("\nbody = {mass = 0}", "body.mass: 0 kg is outside 1e-9 to 1e30 kg (scene.toml, line 2)"),
        ('["body"]\n"mass" = 0', "body.mass: 0 kg is outside 1e-9 to 1e30 kg (scene.toml, line 2)"),
        ("[body]\r\nwidth = 1\r\nmass = nan", "body.mass: nan kg is outside 1e-9 to 1e30 kg (scene.toml, line 3)"),
        ("[body]\nmass = '1'", "body.mass: '1' is not a number; allowed is 1e-9 to 1e30 kg (scene.toml, line 2)"),
        (
            "[start]\nangular_velocity = [\n0,\n1e7,\n0]",
            "start.angular_velocity[1]: 1e7 rad/s is outside -1e6 to 1e6 rad/s (scene.toml, line 2)",
        ),
        ("title = 3", "title: 3 is not a string (scene.toml, line 1)"),
        ("version = 2", "version: 2 is newer than this program, which reads 1 (scene.toml, line 1)"),
        ("version = '1'", "version: '1'; allowed is 1 (scene.toml, line 1)"),
        ("body = 3", "body: 3 is not a section; write [body] (scene.toml, line 1)"),
        ("[[body]]\nmass = 1", "body: [{'mass': 1}] is not a section; write [body] (scene.toml, line 1)"),
        ("mass =\n", "scene.toml: not TOML: Invalid value (at line 1, column 7)"),
        ("a = [\n1]\na = [\n1]\n", "scene.toml: not TOML: Cannot overwrite a value (at line 4, column 3)"),
    ],
)
def test_errors_name_field_value_what_is_allowed_and_line(text: str, message: str) -> None:
    assert refused(text) == message


def test_unknown_names_get_the_nearest_known_one() -> None:
    assert refused("[bdy]\nmass = 1").startswith("bdy: section not found; did you mean body? allowed are version, ")
    assert refused("[bdy]\nmass = 1").endswith("(scene.toml, line 1)")
    message = refused("[body]\nmas = 1")
    assert message.startswith("body.mas: field not found; did you mean mass? allowed are shape, mass, ")
    assert message.endswith("(scene.toml, line 2)")
    assert "did you mean anaglyph?" in refused("[stereo]\nmode = 'anaglif'")
    assert refused('"" = 1').startswith("'': section not found")
    assert refused('[body]\n"a\\nb" = 1').startswith("body.'a\\nb': field not found")


@pytest.mark.parametrize("text", ["a = " + "9" * 5000, "a = " + "[" * 5000, "\x00", "=" * 999_999])
def test_hostile_texts_are_refused_in_one_line(text: str) -> None:
    assert refused(text).startswith("scene.toml: not TOML")


@given(st.text(max_size=200))
def test_any_text_is_a_scene_or_an_error(text: str) -> None:
    try:
        Scenario.from_text(text)
    except InputError as error:
        assert "\n" not in str(error)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes("title = 'é'".encode("latin-1"))
    (tmp_path / "big.toml").write_bytes(b"#" * 1_000_001)
    (tmp_path / "empty.toml").write_bytes(b"")
    (tmp_path / "blank.toml").write_text(" \n\n")
    for name, message in {
        "missing.toml": "file not found",
        "": "is a folder; allowed is a file",
        "latin.toml": "is not a text file: byte 9 is not UTF-8",
        "big.toml": "is larger than 256,000 bytes, the limit",
        "empty.toml": "is empty; allowed is a scene file",
        "blank.toml": "is empty; allowed is a scene file",
        "x" * 300: "cannot be read: File name too long",
    }.items():
        with pytest.raises(InputError) as caught:
            Scenario.load(tmp_path / name)
        assert str(caught.value) == f"{tmp_path / name}: {message}"
    with pytest.raises(InputError, match=r"'a\\x00b.toml': file not found"):
        Scenario.load("a\0b.toml")


def test_a_byte_order_mark_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "scene.toml"
    path.write_bytes("\ufefftitle = 'A'".encode())
    assert Scenario.load(path).title == "A"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("3", "is not a list of rows; allowed is at most 64 rows of [seconds 0 to 1e6, polar_angle_deg 0 to 180, "),
        ("[3]", "camera_path.keys[0]: 3 is not a row; allowed is"),
        ("[[0, 90, 0]]", "camera_path.keys[0]: [0, 90, 0] is not a row"),
        ("[[0, 200, 0, 1]]", "camera_path.keys[0], polar_angle_deg: 200 is outside 0 to 180"),
        ("[[0, 90, 0, true]]", "camera_path.keys[0], zoom: True is not a number"),
        ("[[1, 9, 0, 1], [1, 9, 0, 1]]", "camera_path.keys[1], seconds: 1 is not above that of the previous row"),
        (f"[{'[0, 1, 2, 3],' * 65}]", "is not a list of rows"),
    ],
)
def test_rows_are_checked(value: str, message: str) -> None:
    said = refused(f"[camera_path]\nkeys = {value}\n")
    assert message in said
    assert said.endswith("(scene.toml, line 2)")


def test_a_speed_in_a_file_is_the_speed(tmp_path: Path) -> None:
    assert not Scenario.from_text("[playback]\nspeed = 30.0").playback.auto_speed
    assert Scenario.from_text("[playback]\nspeed = 30.0\nauto_speed = true").playback.auto_speed
    assert Scenario.from_text("").playback.auto_speed
    for text in ("# mine\n", "[playback]\nspeed = 3.0\n", "[body]\nmass = 2.0 # heavy\n"):
        for changes in ({}, {"playback.speed": 2.0}, {"playback.speed": 2.0, "playback.auto_speed": True}):
            path = tmp_path / "scene.toml"
            path.write_text(text)
            scenario = Scenario.load(path)
            for field, value in changes.items():
                scenario = scenario.with_value(field, value)
            scenario.save(path)
            assert Scenario.load(path) == scenario


HEADED = """version = 1
[loads]
force = [0, 0, 12] # N
[[loads.torque_of_time]]
kind = "sine"  # mine
amplitude = [0, 0, 0.1]
frequency = 0.5
[[loads.thrusters]]
# left
point = [0, 0.2, 0]
force = [3, 0, 0]
times = [1, 2]
"""
SINES = [{"kind": "sine", "amplitude": (0, 0, 0.1 * n), "frequency": 0.5} for n in (1, 2, 3)]
JETS = [{"point": (0, 0.2, 0), "force": (3, 0, 0), "times": (1, 1 + n)} for n in (1, 2, 3)]


@pytest.mark.parametrize("pieces", [[], SINES[:1], SINES[1:2], SINES])
@pytest.mark.parametrize("thrusters", [[], JETS[:1], JETS[1:2], JETS])
def test_lists_of_loads_that_stand_under_headers_are_saved_there(tmp_path, pieces, thrusters) -> None:
    path = tmp_path / "scene.toml"
    path.write_text(HEADED)
    scene = Scenario.load(path).with_values({"loads.torque_of_time": pieces, "loads.thrusters": thrusters})
    scene.save(path)
    assert Scenario.load(path) == scene
    text = path.read_text()
    assert text.count("[[loads.torque_of_time]]") == len(pieces)
    assert text.count("[[loads.thrusters]]") == len(thrusters)
    assert ("# mine" in text) == bool(pieces)
    assert ("# left" in text) == bool(thrusters)


def test_a_file_says_of_a_value_without_effect_that_it_has_none(tmp_path):
    """A body of parts that weighs 2 kg had `mass = 1.0 # kg: mass of the body` in its file."""
    path, mass = tmp_path / "scene.toml", "# kg: mass of the body"
    parts = [{"shape": "box", "mass": 2.0, "width": 0.3, "depth": 0.2, "height": 0.1}]
    scenario = Scenario().with_values({"body.shape": "composite", "body.parts": parts})
    assert scenario.rigid_body().mass == pytest.approx(2.0)
    scenario.save(path)
    (line,) = (line for line in path.read_text().splitlines() if line.startswith("mass ="))
    assert line == "mass = 1.0 # no effect here; kg: mass of the body"
    Scenario.load(path).with_value("body.shape", "box").save(path)
    assert f"mass = 2.0 {mass}" in path.read_text().splitlines()
    Scenario.load(path).with_value("body.shape", "composite").save(path)
    assert f"mass = 2.0 {mass}" not in path.read_text().splitlines()
    text = path.read_text().replace("no effect here; kg: mass of the body", "as weighed")
    path.write_text(text)
    Scenario.load(path).with_value("body.shape", "box").save(path)
    assert "mass = 2.0 # as weighed" in path.read_text().splitlines()  # the user's own words stay


@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_preset_says_so_of_none_of_the_sizes_that_it_gives(preset):
    given = tomllib.loads(preset_text(preset)).get("body", {})
    written = Scenario.preset(preset).to_text().splitlines()
    sizes = {"mass", "width", "depth", "height", "radius", "moments", "tensor"} - (
        {"mass"} if "density" in given else set()
    )
    for name in given.keys() & sizes:
        assert not any(line.startswith(f"{name} = ") and "no effect here" in line for line in written)
