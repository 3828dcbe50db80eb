"""Keys of the scene and its files, pressed on the keyboard of a real window."""

import pytest
from helpers.keys import checks_in, keys_of, press


def check_open(shown, which):
    press(shown, "open", which)
    assert shown.app.ui.dialog.is_open
    assert shown.app.ui.dialog._name == ""  # the key itself is not typed into the field
    shown.key("Escape")
    assert not shown.app.ui.dialog.is_open


def check_save(shown, which):
    press(shown, "save", which)  # a preset has no file
    assert shown.app.ui.dialog.is_open


def check_save_as(shown, which):
    press(shown, "save-as", which)
    assert shown.app.ui.dialog.is_open


def check_undo(shown, which):
    shown.session.change({"body.mass": 2.0})
    press(shown, "undo", which)
    assert shown.scenario.body.mass == 1.0


def check_redo(shown, which):
    shown.session.change({"body.mass": 2.0})
    shown.session.undo()
    press(shown, "redo", which)
    assert shown.scenario.body.mass == 2.0


def check_picture(shown, which):
    press(shown, "picture", which)  # what is in it: test_capture.py
    assert shown.message.startswith("Saved ")
    assert shown.message.endswith(" 1.png")


def check_record(shown, which):
    began = []
    shown.app.workspace.writer._begin_film = lambda: began.append("a film")
    press(shown, "record", which)
    assert began == ["a film"]


def check_gallery(shown, which):
    press(shown, "gallery", which)
    assert shown.app.ui.gallery.is_open
    press(shown, "gallery", which)
    assert not shown.app.ui.gallery.is_open


def check_picture_as(shown, which):
    press(shown, "picture-as", which)
    assert shown.app.ui.save_dialog.is_open


def check_film_as(shown, which):
    press(shown, "film-as", which)
    assert shown.app.ui.save_dialog.is_open


def check_describe(shown, which):
    press(shown, "describe", which)
    assert "Body: ellipsoid" in shown.app.ui.words.text
    assert shown.app.ui.words.is_open
    press(shown, "describe", which)
    assert not shown.app.ui.words.is_open


CHECKS = checks_in(globals())


@pytest.mark.sweep(most=4)
@pytest.mark.parametrize(("action", "which"), keys_of("Scene"))
def test_key(shown, action, which):
    CHECKS[action](shown, which)
