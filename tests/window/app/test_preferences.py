"""What one run leaves to the next, in a real window."""

import subprocess
import sys

import pytest
from helpers.processes import environment

from viewer.app.preferences import FRAME
from viewer.commands.documents import open_named
from viewer.scenario.scenario import Scenario
from viewer.user.settings import FILE, Settings


@pytest.fixture
def file(tmp_path):
    return tmp_path / FILE


def test_place_and_size_of_the_window_come_back(desktop, file):
    shown = desktop(settings=Settings(file))
    shown.app.window.set_location(150, 90)
    shown.resize(900, 640)
    shown.until(lambda: shown.app.window.get_location() == (150, 90))
    shown.app.on_deactivate()
    again = desktop(settings=Settings(file))
    assert again.app.window.bounds() == (150, 90, 900, 640)
    assert Settings(file).value("window.fullscreen") is False


def test_a_run_that_nobody_watches_leaves_the_settings_and_the_hint_to_the_user(tmp_path):
    command = [sys.executable, "-m", "viewer", "sphere", "--exit-after-frames", "3"]
    subprocess.run(command, env=environment(POINSOT_HOME=str(tmp_path)), timeout=180, check=True)
    assert not list(tmp_path.rglob(FILE))


def test_a_size_that_is_asked_for_beats_the_remembered_one(desktop, file):
    settings = Settings(file)
    settings.change("window.width", 900)
    settings.change("window.fullscreen", True)
    shown = desktop(settings=settings, size=(700, 500))
    assert shown.app.window.get_size() == (700, 500)
    assert not shown.app.window.fullscreen


def test_a_window_on_a_screen_that_is_gone_comes_to_one_that_is_there(desktop, file):
    settings = Settings(file)
    settings.change("window.x", 90000)
    settings.change("window.y", 90000)
    shown = desktop(settings=settings)
    assert max(shown.app.window.get_location()) < 2000


def test_a_frame_of_the_window_manager_does_not_add_up(desktop, file):
    shown = desktop(settings=Settings(file))
    x, y = shown.app.window.get_location()
    shown.app.window.set_location(x + FRAME // 2, y + FRAME // 2)
    shown.until(lambda: shown.app.window.get_location() != (x, y))
    shown.app.on_deactivate()
    assert not Settings(file).has("window.x")


def test_the_theme_that_was_chosen_comes_back_and_that_of_a_scene_does_not(desktop, file, tmp_path):
    shown = desktop(settings=Settings(file))
    Scenario.preset("rod").with_value("view.theme", "light").save(tmp_path / "light.toml")
    open_named(shown.app.workspace, str(tmp_path / "light.toml"))
    shown.app.on_deactivate()
    assert not Settings(file).has("view.theme")
    open_named(shown.app.workspace, "rod")
    shown.key("t")
    chosen = shown.scenario.view.theme
    assert chosen != "light"
    open_named(shown.app.workspace, "disc")
    shown.app.on_deactivate()
    assert Settings(file).value("view.theme") == chosen


def test_sections_width_and_text_size_come_back(desktop, file):
    shown = desktop(settings=Settings(file))
    shown.click(*shown.middle("Scene##header"))
    shown.click(*shown.middle("Body##header"))
    shown.click(*shown.middle("Loads##header"))
    shown.drag((shown.app.ui.layout.areas.scene.width + 1, 300), (-60, 0))
    assert shown.app.ui.layout.areas.scene.width == 1280 - 368
    shown.key("ctrl+plus")
    shown.app.on_deactivate()
    shown.boxes.clear()
    again = desktop(settings=Settings(file))
    assert "##loads.force[0]" in again.boxes
    assert "Open…" not in again.boxes
    assert again.app.ui.layout.areas.scene.width == 1280 - round(368 * 1.1)
    again.key("ctrl+0")
    assert again.app.ui.layout.areas.scene.width == 1280 - 368
    again.click(again.app.ui.layout.areas.scene.width + 1, 300, times=2)
    assert again.app.ui.layout.areas.scene.width == 1280 - 308


def test_a_broken_file_is_told_and_the_app_runs(desktop, file):
    file.write_text("[window\n")
    shown = desktop(settings=Settings(file))
    assert "default settings are used" in shown.message
    assert shown.app.window.get_size() == (1280, 720)


def test_what_is_unsaved_is_marked_in_the_title(desktop):
    shown = desktop()
    title = shown.app.window.get_caption()
    shown.session.change({"body.mass": 3.0})
    shown.settle()
    assert shown.app.window.get_caption() == f"• {title.replace(' ·', ', changed ·')}"
    shown.key("ctrl+z")
    assert shown.app.window.get_caption() == title
    for key, back in (("v", 4), ("m", 1), ("plus", 0)):  # a file holds the view and the speed, too
        shown.key(key)
        assert shown.app.window.get_caption().startswith("• "), key
        shown.key(*[key] * back)
        assert shown.app.window.get_caption().startswith("• ") == (key == "plus"), key
    shown.key("ctrl+z")  # which does not touch them
    assert shown.app.window.get_caption().startswith("• ")
