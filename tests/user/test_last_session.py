"""The last session: all of it comes back, and a broken file is one line and no loss."""

from dataclasses import replace

import pytest

from viewer.common.errors import InputError
from viewer.scenario.scenario import Scenario
from viewer.user import last_session
from viewer.user.last_session import LastSession

BASE = Scenario()
CHANGED = Scenario.preset("twenty-boxes").with_values(
    {"view.zoom": 1.7, "stereo.mode": "anaglyph", "loads.force": (0.1, 0.0, 1 / 3), "title": 'A "quoted" \\ title'}
)


@pytest.mark.parametrize("panel", [None, True, False])
def test_all_of_it_comes_back(panel):
    left = LastSession(CHANGED, None, unsaved=True, plots=True, panel=panel)
    assert last_session.load(BASE) is None
    assert last_session.save(left, BASE) is None
    assert last_session.load(BASE) == left


def test_settings_that_were_changed_meanwhile_hold_unless_the_scene_has_its_own():
    light = BASE.with_value("view.theme", "light")
    last_session.save(LastSession(Scenario.preset("rod", light)), light)
    assert last_session.load(BASE).scenario.view.theme == "dark"
    last_session.save(LastSession(Scenario.preset("rod", light)), BASE)  # the scene's own
    assert last_session.load(BASE).scenario.view.theme == "light"


def test_a_saved_scene_is_read_from_its_file_with_the_view_as_it_was(tmp_path):
    file = tmp_path / "mine.toml"
    Scenario().with_value("body.mass", 3.0).save(file)
    scenario = Scenario.load(file).with_value("view.zoom", 2.0)
    last_session.save(LastSession(scenario, str(file)), BASE)
    file.write_text(file.read_text().replace("mass = 3.0", "mass = 4.0"))
    found = last_session.load(BASE)
    assert (found.scenario.body.mass, found.scenario.view.zoom, found.file) == (4.0, 2.0, str(file))
    file.unlink()
    found = last_session.load(BASE)
    assert found == LastSession(scenario, None, unsaved=True)
    assert found.problem == f"{file}: file not found; the scene is as you left it, but no file holds it"
    last_session.save(LastSession(scenario, str(file), unsaved=True), BASE)
    assert last_session.load(BASE).scenario == scenario


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
        ("version = 1\nplots = true\nplots = true", r"broken\.toml: not TOML: Cannot overwrite a value \(at"),
        ("", r"scene: is missing"),
        ("version = 1", r"scene: is missing"),
    ],
)
def test_what_cannot_be_read_is_one_line_and_is_kept(text, message):
    last_session.path().parent.mkdir(parents=True)
    last_session.path().write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        last_session.load(BASE)
    assert "\n" not in str(caught.value)
    assert last_session.path().with_name(last_session.BROKEN).read_text() == text
    assert last_session.load(BASE) is None


def test_a_scene_whose_mesh_is_gone_or_damaged_is_kept_aside(tmp_path):
    mesh, file = tmp_path / "part.stl", tmp_path / "mine.toml"
    broken = BASE.with_values({"body.shape": "mesh", "body.file": str(mesh), "body.unit": "mm"})
    broken.save(file)
    for left, reason in (
        (LastSession(broken, unsaved=True), f"body.file: {mesh}: file not found"),
        (LastSession(broken, str(file)), f"body.file: {mesh}: "),
    ):
        last_session.save(left, BASE)
        text = last_session.path().read_text()
        aside = last_session.path().with_name(last_session.BROKEN)
        with pytest.raises(InputError) as caught:
            last_session.load(BASE)
        assert str(caught.value).startswith(f"The last scene cannot be opened; it is kept as {aside}: {reason}")
        assert aside.read_text() == text
        mesh.write_text("garbage")


def test_what_cannot_be_written_is_a_line(monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    assert "No space left" in last_session.save(LastSession(replace(CHANGED)), BASE)


def test_a_file_is_found_from_another_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    CHANGED.save("mine.toml")
    last_session.save(LastSession(CHANGED, "mine.toml"), BASE)
    monkeypatch.chdir("/")
    assert last_session.load(BASE).file == str(tmp_path / "mine.toml")


def test_recordings_and_the_flight_are_kept_and_those_of_an_older_file_are_found():
    left = LastSession(CHANGED, recordings=("/tmp/a.csv", "/tmp/b.csv"), flight="all", repair=True)
    last_session.save(left, BASE)
    assert last_session.load(BASE) == left
    text = last_session.path().read_text()
    older = "".join(line for line in text.splitlines(True) if not line.startswith(("recordings", "flight", "repair")))
    last_session.path().write_text(older.replace('file = ""', 'file = "/tmp/a.csv"'))
    found = last_session.load(BASE)
    assert (found.file, found.recordings, found.flight) == (None, ("/tmp/a.csv",), None)
    last_session.path().write_text(text.replace('["/tmp/a.csv", "/tmp/b.csv"]', "[1]"))
    with pytest.raises(InputError, match=r"recordings: \[1\]; allowed is a list of texts"):
        last_session.load(BASE)
