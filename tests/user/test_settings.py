"""What is remembered between runs: kept, merged, and never a reason not to start."""

import threading
import tomllib

import pytest

from viewer.common import folders, locks
from viewer.common.errors import InputError
from viewer.scenario.scenario import REMEMBERED_FIELDS, Scenario
from viewer.user.settings import DECLARED, FILE, Settings, setting_at


@pytest.fixture
def path(tmp_path):
    return tmp_path / "deep" / FILE


def test_what_is_changed_and_saved_is_there_the_next_time(path):
    settings = Settings(path)
    assert settings.value("panel.width") == 308.0
    settings.change("panel.width", 400)
    settings.change("panel.open_sections", ["Body", "Loads"])
    settings.change("view.theme", "light")
    assert settings.save() is None
    again = Settings(path)
    assert again.value("panel.width") == 400.0
    assert again.value("panel.open_sections") == ("Body", "Loads")
    assert again.value("view.theme") == "light"
    assert not again.problems


def test_nothing_is_written_where_nothing_has_changed(path):
    settings = Settings(path)
    assert settings.save() is None
    assert not path.parent.exists()
    settings.change("panel.width", 400)
    settings.save()
    before = path.stat().st_mtime_ns
    settings.change("panel.width", 400)
    settings.save()
    assert path.stat().st_mtime_ns == before


def test_without_a_path_all_stays_in_memory():
    settings = Settings()
    settings.change("window.width", 800)
    assert settings.save() is None
    assert settings.value("window.width") == 800


@pytest.mark.parametrize(
    "text", ["[panel\nwidth = 1", "\xff\xfe", "[" * 2000, "[panel]\nwidth = " + "1" * 9999, "x" * 1_100_000]
)
def test_a_broken_file_gives_one_line_and_defaults_and_is_kept_aside(path, text):
    path.parent.mkdir()
    path.write_bytes(text.encode("latin-1"))
    settings = Settings(path)
    (problem,) = settings.problems
    assert problem.startswith(str(path))
    assert problem.endswith("default settings are used")
    assert "\n" not in problem
    assert settings.value("panel.width") == 308.0
    assert path.read_bytes() == text.encode("latin-1")
    settings.change("panel.width", 350)
    assert settings.save() is None
    assert path.with_suffix(".broken.toml").read_bytes() == text.encode("latin-1")
    assert Settings(path).value("panel.width") == 350.0


def test_a_value_that_may_not_be_is_told_and_the_others_hold(path):
    path.parent.mkdir()
    path.write_text('[panel]\nwidth = 5\ntext_size = 1.5\n[view]\ntheme = "pink"\n[window]\nwidth = "wide"\n')
    settings = Settings(path)
    assert settings.value("panel.text_size") == 1.5
    assert settings.value("panel.width") == 308.0
    assert [problem.split(" ")[0] for problem in settings.problems] == ["panel.width:", "view.theme:", "window.width:"]
    assert "5 is outside 250 to 800" in settings.problems[0]


def test_what_may_not_be_is_refused():
    settings = Settings()
    with pytest.raises(InputError, match=r"panel.width: 5 is outside"):
        settings.change("panel.width", 5)
    with pytest.raises(InputError, match=r"panel.depth: setting not found"):
        settings.change("panel.depth", 5)
    with pytest.raises(InputError, match=r"body.mass: setting not found"):
        setting_at("body.mass")
    assert settings.value("panel.width") == 308.0


def test_two_programs_keep_each_others_values_and_what_only_a_newer_one_knows(path):
    path.parent.mkdir()
    path.write_text("# mine\n[panel]\nwidth = 300 # narrow\nglow = true\n[future]\nx = 1\n")
    one, two = Settings(path), Settings(path)
    one.change("panel.text_size", 2)
    two.change("window.width", 900)
    assert one.save() is None
    assert two.save() is None
    kept = tomllib.loads(path.read_text())
    assert kept["panel"] == {"width": 300, "glow": True, "text_size": 2.0}
    assert kept["window"] == {"width": 900}
    assert kept["future"] == {"x": 1}
    assert "# mine" in path.read_text()
    assert "# narrow" in path.read_text()


def test_many_that_save_at_once_lose_nothing(path):
    programs = [Settings(path) for _ in range(8)]
    names = ("window.width", "window.height", "window.x", "window.y", "window.fullscreen",
             "panel.width", "panel.text_size", "view.theme")  # fmt: skip
    values = (1000, 700, 5, 6, True, 333.0, 1.25, "light")
    for program, name, value in zip(programs, names, values, strict=True):
        program.change(name, value)
    threads = [threading.Thread(target=program.save) for program in programs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    after = Settings(path)
    assert [after.value(name) for name in names] == list(values)
    assert not path.with_suffix(".lock").exists()


def test_a_lock_that_was_left_behind_stops_nobody(path):
    path.parent.mkdir()
    path.with_suffix(".lock").touch()
    settings = Settings(path)
    settings.change("panel.width", 400)
    assert settings.save() is None
    assert Settings(path).value("panel.width") == 400.0


def test_a_lock_that_is_held_is_respected_however_long_it_takes(path, monkeypatch):
    monkeypatch.setattr("viewer.user.settings.LOCK_TIMEOUT", 0.05)
    path.parent.mkdir()
    settings = Settings(path)
    settings.change("panel.width", 400)
    with locks.exclusive(path.with_suffix(".lock"), 0.0):
        assert "another program holds settings.lock" in settings.save()
        assert not path.exists()
        assert locks.acquire(path.with_suffix(".lock")) is None
    assert settings.save() is None
    assert Settings(path).value("panel.width") == 400.0


def test_where_nothing_can_be_written_one_line_says_so(tmp_path):
    (tmp_path / "file").touch()
    settings = Settings(tmp_path / "file" / FILE)
    settings.change("panel.width", 400)
    assert "cannot be written" in settings.save()
    assert settings.value("panel.width") == 400.0


def test_a_scene_takes_what_is_remembered_only_where_it_says_nothing_itself(path):
    settings = Settings(path)
    settings.change("view.theme", "light")
    base = settings.scene_defaults()
    assert Scenario.from_text("", base=base).view.theme == "light"
    assert Scenario.from_text('[view]\ntheme = "dark"', base=base).view.theme == "dark"
    assert base.with_value("view.theme", "dark") == Scenario()


def test_every_setting_has_a_default_that_may_be():
    for section, kind in DECLARED.items():
        for name in kind.__dataclass_fields__:
            path = f"{section}.{name}"
            assert setting_at(path).check(path, Settings().value(path)) == Settings().value(path)
    assert "view.theme" in REMEMBERED_FIELDS


def test_all_folders_follow_the_variable(monkeypatch, tmp_path):
    monkeypatch.setenv("POINSOT_HOME", str(tmp_path))
    assert folders.config() == tmp_path / "config"
    assert {folder().parent for folder in (folders.config, folders.log, folders.state,
                                          folders.cache)} == {tmp_path}  # fmt: skip
    monkeypatch.delenv("POINSOT_HOME")
    if folders.os.name == "posix":
        monkeypatch.setenv("XDG_CONFIG_HOME", "/x/config")
        assert "poinsot" in str(folders.config())
    assert len({folders.config(), folders.log(), folders.cache()}) == 3
