"""Where the user left off: all of it comes back, and a broken file is one line and no loss."""

from dataclasses import replace

import pytest

from viewer.common.errors import InputError
from viewer.scenario.scenario import Scenario
from viewer.user import left_off
from viewer.user.left_off import LeftOff

BASE = Scenario()
CHANGED = Scenario.preset("twenty-boxes").with_values(
    {"view.zoom": 1.7, "stereo.mode": "anaglyph", "loads.force": (0.1, 0.0, 1 / 3), "title": 'A "quoted" \\ title'}
)


@pytest.mark.parametrize("panel", [None, True, False])
def test_all_of_it_comes_back(panel):
    left = LeftOff(CHANGED, None, unsaved=True, plots=True, panel=panel)
    assert left_off.load(BASE) is None
    assert left_off.keep(left, BASE) is None
    assert left_off.load(BASE) == left


def test_settings_that_were_changed_meanwhile_hold_unless_the_scene_has_its_own():
    light = BASE.with_value("view.theme", "light")
    left_off.keep(LeftOff(Scenario.preset("rod", light)), light)
    assert left_off.load(BASE).scenario.view.theme == "dark"
    left_off.keep(LeftOff(Scenario.preset("rod", light)), BASE)  # the scene's own
    assert left_off.load(BASE).scenario.view.theme == "light"


def test_a_saved_scene_is_read_from_its_file_with_the_view_as_it_was(tmp_path):
    file = tmp_path / "mine.toml"
    Scenario().with_value("body.mass", 3.0).save(file)
    scenario = Scenario.load(file).with_value("view.zoom", 2.0)
    left_off.keep(LeftOff(scenario, str(file)), BASE)
    file.write_text(file.read_text().replace("mass = 3.0", "mass = 4.0"))
    found = left_off.load(BASE)
    assert (found.scenario.body.mass, found.scenario.view.zoom, found.file) == (4.0, 2.0, str(file))
    file.unlink()
    found = left_off.load(BASE)
    assert found == LeftOff(scenario, None, unsaved=True)
    assert found.problem == f"{file}: file not found; the scene is as you left it, but no file holds it"
    left_off.keep(LeftOff(scenario, str(file), unsaved=True), BASE)
    assert left_off.load(BASE).scenario == scenario


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("version = 2", r"version: 2 is not that of this program, which reads 1"),
        ("plots = 3", r"plots: 3; allowed is true or false"),
        ('panel = "away"', r"allowed is auto, open or folded"),
        ("]", r"left-off\.broken\.toml"),
        ('scene = "version = 7"', r"version: 7 is newer than this program"),
        ('scene = "body.mass = 1e99"', r"broken\.toml: body\.mass: [^(]*$"),  # no line: that would be the scene's own
        ('scene = "["', r"broken\.toml: scene: not TOML"),
        ("version = 1\nplots = true\nplots = true", r"broken\.toml: line 3: 'plots' is given twice"),
        ("", r"scene: is missing"),
        ("version = 1", r"scene: is missing"),
    ],
)
def test_what_cannot_be_read_is_one_line_and_is_kept(text, message):
    left_off.path().parent.mkdir(parents=True)
    left_off.path().write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        left_off.load(BASE)
    assert "\n" not in str(caught.value)
    assert left_off.path().with_name(left_off.BROKEN).read_text() == text
    assert left_off.load(BASE) is None


def test_a_scene_whose_mesh_is_gone_or_damaged_is_kept_aside(tmp_path):
    mesh, file = tmp_path / "part.stl", tmp_path / "mine.toml"
    broken = BASE.with_values({"body.shape": "mesh", "body.file": str(mesh), "body.unit": "mm"})
    broken.save(file)
    for left, reason in (
        (LeftOff(broken, unsaved=True), f"body.file: {mesh}: file not found"),
        (LeftOff(broken, str(file)), f"body.file: {mesh}: "),
    ):
        left_off.keep(left, BASE)
        text = left_off.path().read_text()
        aside = left_off.path().with_name(left_off.BROKEN)
        with pytest.raises(InputError) as caught:
            left_off.load(BASE)
        assert str(caught.value).startswith(f"The last scene cannot be opened; it is kept as {aside}: {reason}")
        assert aside.read_text() == text
        mesh.write_text("garbage")


def test_what_cannot_be_written_is_a_line(monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    assert "No space left" in left_off.keep(LeftOff(replace(CHANGED)), BASE)


def test_a_file_is_found_from_another_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    CHANGED.save("mine.toml")
    left_off.keep(LeftOff(CHANGED, "mine.toml"), BASE)
    monkeypatch.chdir("/")
    assert left_off.load(BASE).file == str(tmp_path / "mine.toml")


def test_recordings_and_the_flight_are_kept_and_those_of_an_older_file_are_found():
    left = LeftOff(CHANGED, recordings=("/tmp/a.csv", "/tmp/b.csv"), flight="all")
    left_off.keep(left, BASE)
    assert left_off.load(BASE) == left
    text = left_off.path().read_text()
    older = "".join(line for line in text.splitlines(True) if not line.startswith(("recordings", "flight")))
    left_off.path().write_text(older.replace('file = ""', 'file = "/tmp/a.csv"'))
    found = left_off.load(BASE)
    assert (found.file, found.recordings, found.flight) == (None, ("/tmp/a.csv",), None)
    left_off.path().write_text(text.replace('["/tmp/a.csv", "/tmp/b.csv"]', "[1]"))
    with pytest.raises(InputError, match=r"recordings: \[1\]; allowed is a list of texts"):
        left_off.load(BASE)
