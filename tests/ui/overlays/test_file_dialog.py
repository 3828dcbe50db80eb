"""Opening and saving by the dialog."""

import os
import sys
from pathlib import Path

import pytest

from viewer.common import language
from viewer.export.picture_files import FORMATS
from viewer.scenario import embedded
from viewer.ui.overlays.file_dialog import can_open, entries, file_name
from viewer.ui.platform.imgui_module import imgui
from viewer.workspace.questions import OpenQuestion, SaveQuestion


@pytest.fixture
def folder(tmp_path):
    for name in ("b.toml", "A.toml", "notes.txt", ".hidden.toml"):
        (tmp_path / name).write_text("")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "c.toml").write_text("")
    return tmp_path


def test_a_folder_shows_folders_and_scenes(folder):
    assert [name for name, _ in entries(folder)] == ["../", "inner/", "A.toml", "b.toml"]


def test_a_picture_of_every_kind_that_holds_a_scene_is_listed(folder):
    for suffix in FORMATS:
        (folder / f"picture{suffix}").write_text("")
    listed = {name for name, _ in entries(folder, can_open)}
    assert {f"picture{suffix}" for suffix in FORMATS} <= listed
    assert set(embedded.SUFFIXES) == FORMATS.keys() - {".glb"}  # which opens as a mesh


def opened(shown, folder, refuse=None):
    """The dialog, open in `folder`; returns the list of what it hands on."""
    got: list[str] = []

    def done(paths):
        got.extend(paths)
        return refuse

    shown.workspace.ask(OpenQuestion(str(folder / "x.toml"), done))
    shown.frame(3)
    return got


def test_a_typed_name_is_opened(stage, folder):
    shown = stage()
    got = opened(shown, folder)
    shown.type("b.toml")
    assert got == [str(folder / "b.toml")]
    assert not shown.ui.dialog.is_open


def test_a_click_chooses_and_the_button_opens(stage, folder):
    shown = stage()
    got = opened(shown, folder)
    shown.click(f"A.toml##{folder / 'A.toml'}")
    shown.click("Open")
    assert got == [str(folder / "A.toml")]


def test_enter_opens_what_a_click_chose(stage, folder):
    shown = stage()
    got = opened(shown, folder)
    shown.click(f"A.toml##{folder / 'A.toml'}")
    shown.frame(2)
    shown.key(imgui.Key.enter)
    assert got == [str(folder / "A.toml")]


def test_folders_are_entered(stage, folder):
    shown = stage()
    got = opened(shown, folder)
    shown.click(f"inner/##{folder / 'inner'}")
    shown.frame(2)
    shown.click(f"c.toml##{folder / 'inner' / 'c.toml'}")
    shown.click("Open")
    assert got == [str(folder / "inner" / "c.toml")]


def test_a_double_click_opens(stage, folder):
    shown = stage()
    got = opened(shown, folder)
    shown.double_click(f"A.toml##{folder / 'A.toml'}")
    assert got == [str(folder / "A.toml")]


def ctrl_click(shown, path):
    imgui.get_io().add_key_event(imgui.Key.mod_ctrl, True)
    shown.click(f"{path.name}##{path}")
    imgui.get_io().add_key_event(imgui.Key.mod_ctrl, False)
    shown.frame()


def test_ctrl_and_clicks_choose_several_recordings(stage, folder):
    for name in ("one.csv", "two.csv", "three.csv"):
        (folder / name).write_text("")
    shown = stage()
    got = opened(shown, folder)
    shown.click(f"three.csv##{folder / 'three.csv'}")
    for name in ("one.csv", "two.csv", "three.csv"):  # the last one for the second time: not that one
        ctrl_click(shown, folder / name)
    shown.click("Open")
    assert got == [str(folder / "one.csv"), str(folder / "two.csv")]
    assert not shown.ui.dialog.is_open


def test_how_to_choose_several_is_said_below_the_field_where_no_file_stands(stage, folder):
    for name in ("one.csv", "two.csv"):
        (folder / name).write_text("")
    shown = stage()
    opened(shown, folder)
    hint = dict(shown.texts)["Ctrl-click to open several recordings together"]
    assert hint[1] >= shown.boxes["##path"][3]


def test_a_scene_and_a_recording_do_not_open_together(stage, folder):
    (folder / "one.csv").write_text("")
    shown = stage()
    got = opened(shown, folder)
    ctrl_click(shown, folder / "one.csv")
    ctrl_click(shown, folder / "b.toml")
    shown.click("Open")
    shown.frame(2)
    assert got == []
    assert any("only recordings can be opened together" in words for words, _ in shown.texts)
    ctrl_click(shown, folder / "one.csv")
    shown.click("Open")
    assert got == [str(folder / "b.toml")]


def test_a_double_click_on_a_folder_opens_nothing_in_it(stage, folder):
    shown = stage()
    (folder / "inner" / "d.toml").write_text("")
    got = opened(shown, folder)
    shown.double_click(f"inner/##{folder / 'inner'}")
    assert got == []
    assert shown.ui.dialog.is_open


@pytest.mark.skipif(sys.platform != "linux", reason="only there names are bytes")
def test_names_that_are_not_utf8_are_listed_and_opened(stage, folder):
    path = Path(os.fsdecode(os.fsencode(folder / "inner") + b"/\xff.toml"))
    path.write_text("")
    shown = stage()
    got: list[str] = []
    shown.workspace.ask(OpenQuestion(str(path), lambda paths: got.extend(paths) or f"{paths[0]}: is broken"))
    shown.frame(3)
    shown.click(f"\\udcff.toml##{folder / 'inner'}/\\udcff.toml")
    shown.click("Open")
    shown.frame(2)
    assert got == [str(path)]
    shown.workspace.messages.error(f"{path}: is broken")
    shown.frame(2)
    assert shown.message == f"{folder / 'inner'}/\\udcff.toml: is broken"


@pytest.mark.parametrize("name", ["~nobody-of-that-name/a.toml", "x" * 5000])
def test_a_name_that_no_file_has_is_told(stage, folder, name):
    shown = stage()
    got = opened(shown, folder)
    shown.type(name)
    shown.frame(2)
    assert got == []
    assert shown.ui.dialog.is_open


@pytest.mark.skipif(sys.platform == "win32", reason="a current folder cannot be removed there")
def test_the_current_folder_may_be_gone(stage, folder, monkeypatch):
    monkeypatch.chdir(folder / "inner")
    (folder / "inner" / "c.toml").unlink()
    (folder / "inner").rmdir()
    shown = stage()
    shown.workspace.ask(OpenQuestion(None, lambda path: None))
    shown.frame(3)
    assert "Open" in shown.boxes


def test_a_refusal_is_told_in_the_dialog_which_stays_open(stage, folder):
    shown = stage()
    opened(shown, folder, refuse="b.toml: line 1 is broken")
    shown.type("b.toml")
    shown.frame(2)
    assert shown.ui.dialog.is_open
    assert any("line 1 is broken" in words for words, _ in shown.texts)


def test_after_a_refusal_another_name_is_typed(stage, folder):
    shown = stage()
    got = opened(shown, folder, refuse="b.toml: line 1 is broken")
    shown.type("b.tom")
    shown.frame(2)
    shown.type("b.toml")
    shown.frame(2)
    shown.key(imgui.Key.end)  # the old one may be corrected as well
    shown.type("x")
    shown.frame(2)
    shown.click(f"A.toml##{folder / 'A.toml'}")
    shown.click("Open")
    shown.frame(2)
    shown.type("last.toml")
    assert got == [str(folder / name) for name in ("b.tom", "b.toml", "b.tomlx", "A.toml", "last.toml")]


def test_an_error_stands_in_the_dialog_and_not_behind_it(stage, folder):
    shown = stage()

    def done(paths):
        shown.workspace.messages.error("b.toml: line 1 is broken")
        return "b.toml: line 1 is broken"

    shown.workspace.ask(OpenQuestion(str(folder / "x.toml"), done))
    shown.frame(3)
    shown.type("b.toml")
    shown.frame(2)
    assert [words for words, _ in shown.texts].count("b.toml: line 1 is broken") == 1
    assert [message.text for message in shown.workspace.messages.latest] == ["b.toml: line 1 is broken"]


def test_an_error_that_offers_a_way_out_closes_the_dialog(stage, folder):
    shown = stage()

    def done(paths):
        shown.workspace.messages.offer("b.toml: no column wx", "Columns...", lambda: None, lambda: True, error=True)
        return "b.toml: no column wx"

    shown.workspace.ask(OpenQuestion(str(folder / "x.toml"), done))
    shown.frame(3)
    shown.type("b.toml")
    shown.frame(2)
    assert not shown.ui.dialog.is_open
    assert "Columns...###offer" in shown.boxes


def test_a_held_key_does_not_replace_a_file(stage, folder):
    shown = stage()
    got: list[str] = []
    shown.workspace.ask(SaveQuestion(str(folder / "b.toml"), lambda paths: got.append(paths[0])))
    shown.frame(3)
    imgui.get_io().add_key_event(imgui.Key.enter, True)
    shown.frame(100)
    assert got == []
    imgui.get_io().add_key_event(imgui.Key.enter, False)
    shown.frame(2)
    shown.key(imgui.Key.enter)
    assert got == [str(folder / "b.toml")]


def test_cancel_and_escape_do_nothing(stage, folder):
    shown = stage()
    got = opened(shown, folder)
    shown.click("Cancel")
    assert not shown.ui.dialog.is_open
    got += opened(shown, folder)
    assert shown.ui.overlays.take_key("Escape")
    shown.frame(2)
    assert not shown.ui.dialog.is_open
    assert got == []


def test_saving_over_a_file_asks_once_more(stage, folder):
    shown = stage()
    got: list[str] = []
    shown.workspace.ask(SaveQuestion(str(folder / "b.toml"), lambda paths: got.append(paths[0])))
    shown.frame(3)
    shown.click("Save##dialog" if "Save##dialog" in shown.boxes else "Save")
    assert got == []
    shown.frame(2)
    shown.click("Replace")
    assert got == [str(folder / "b.toml")]


def test_a_folder_that_was_typed_is_entered_and_one_types_on(stage, folder):
    shown = stage()
    got = opened(shown, folder)
    shown.type("inner")
    shown.frame(2)
    shown.type("c.toml")
    assert got == [str(folder / "inner" / "c.toml")]


def test_another_name_replaces_nothing(stage, folder):
    shown = stage()
    shown.workspace.ask(SaveQuestion(str(folder / "b.toml"), lambda paths: None))
    shown.frame(3)
    shown.click("Save##dialog" if "Save##dialog" in shown.boxes else "Save")
    shown.frame(2)
    assert "Replace" in shown.boxes
    imgui.get_io().add_input_characters_utf8("c")
    shown.frame(3)
    assert "Replace" not in shown.boxes


def test_after_a_click_on_a_folder_one_types_on(stage, folder):
    shown = stage()
    got = opened(shown, folder)
    shown.click(f"inner/##{folder / 'inner'}")
    shown.frame(2)
    shown.type("c.toml")
    assert got == [str(folder / "inner" / "c.toml")]


def test_saving_adds_the_ending(stage, folder):
    shown = stage()
    got: list[str] = []
    shown.workspace.ask(SaveQuestion(str(folder / "x.toml"), lambda paths: got.append(paths[0])))
    shown.frame(3)
    imgui.get_io().add_key_event(imgui.Key.mod_ctrl, True)
    shown.key(imgui.Key.a)
    imgui.get_io().add_key_event(imgui.Key.mod_ctrl, False)
    shown.type("new")
    assert got == [str(folder / "new.toml")]


def test_the_dialog_fits_every_window(stage, folder):
    for size in ((800, 600), (400, 300)):
        shown = stage(size=size)
        opened(shown, folder)
        for name in ("Open", "Cancel"):
            left, top, right, bottom = shown.boxes[name]
            assert left >= 0
            assert top >= 0
            assert right <= size[0]
            assert bottom <= size[1]


def test_meshes_and_recordings_can_be_opened_but_not_saved_over(tmp_path):
    for name in ("a.toml", "b.STL", "c.csv", "d.txt", "e.glb"):
        (tmp_path / name).touch()
    assert [name for name, _ in entries(tmp_path, can_open)][1:] == ["a.toml", "b.STL", "c.csv", "e.glb"]
    assert [name for name, _ in entries(tmp_path)][1:] == ["a.toml"]


def test_a_new_file_is_named_after_the_scene():
    names = [file_name(title) for title in ("Dumb-bell, spun", "Untitled", "***", "Kreisel ö/1")]
    assert names == ["dumb-bell-spun.toml", "scene.toml", "scene.toml", "kreisel-ö-1.toml"]


def test_it_is_named_as_the_title_is_shown():
    language.choose("de")
    try:
        assert file_name("Dumb-bell") == "hantel.toml"
        assert file_name("Untitled") == "scene.toml"
    finally:
        language.choose("en")
