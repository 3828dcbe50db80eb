"""The line that names the first gestures and keys: once for each user."""

import pytest

from viewer.ui.overlays.start_cards import HINT_SECONDS
from viewer.user.autosave import Leftover
from viewer.user.settings import Settings

LINE = "Drag to turn, Space to pause, A for scenes, S for stereo"


def seen(shown):
    shown.frame(2)
    return LINE in [words for words, _ in shown.texts]


def started(stage, path):
    """A window with the user's settings in the file at `path`."""
    shown = stage("dzhanibekov", size=(800, 600))
    shown.ui.first_hint._settings = Settings(path)
    return shown


def test_it_is_there_for_ten_seconds_once_for_each_user(stage, tmp_path):
    shown = started(stage, tmp_path / "settings.toml")
    assert seen(shown)
    assert 0.0 < shown.ui.freshness.wait() <= HINT_SECONDS
    shown.frame(1, HINT_SECONDS)
    assert not seen(shown)
    assert shown.ui.first_hint._settings.save() is None
    assert not seen(started(stage, tmp_path / "settings.toml"))


def test_without_settings_that_are_kept_there_is_none(stage):
    assert not seen(started(stage, None))


def test_at_the_very_first_start_it_stands_below_the_caption_in_the_first_ten_seconds(stage, tmp_path):
    shown = started(stage, tmp_path / "settings.toml")
    shown.workspace.first_scene.begin()
    assert seen(shown)
    button, hint = shown.ui.first_start.box, dict(shown.texts)[LINE]
    assert button.y + button.height <= hint[1]
    shown.frame(1, HINT_SECONDS)
    assert not seen(shown)
    assert shown.workspace.state.opening


def test_it_waits_until_the_card_of_what_was_not_saved_is_answered(stage, tmp_path):
    shown = started(stage, tmp_path / "settings.toml")
    shown.workspace.unsaved.left = [Leftover(tmp_path / "left.toml", "Rod", 0.0)]
    shown.workspace.first_scene.begin()
    assert not seen(shown)
    assert "Nothing pushes it. Watch." not in dict(shown.texts)
    shown.click("Not now")
    assert seen(shown)
    assert "Nothing pushes it. Watch." in dict(shown.texts)
    assert shown.workspace.state.opening


def test_the_card_of_what_was_not_saved_names_a_preset_in_the_language_of_the_window(stage, tmp_path):
    shown = started(stage, tmp_path / "settings.toml")
    shown.workspace.unsaved.left = [Leftover(tmp_path / "left.toml", "Dzhanibekov effect", 0.0)]
    shown.workspace.settings.change("panel.language", "de")
    shown.frame(3)
    assert "„Dschanibekow-Effekt“" in dict(shown.texts)
    shown.workspace.settings.change("panel.language", "en")
    shown.frame(1)


@pytest.mark.parametrize("action", ["play", "gallery", "stereo", "drag"])
def test_it_goes_when_one_of_them_is_used(stage, tmp_path, action):
    shown = started(stage, tmp_path / "settings.toml")
    hint = shown.ui.first_hint
    assert seen(shown)
    hint.started("theme")
    assert seen(shown)
    if action == "drag":
        hint.dragged()
    else:
        hint.started(action)
    assert not seen(shown)
    assert shown.ui.freshness.wait() != 0.0
