"""What nobody expected: told in one line, logged, and the app goes on where it can."""

import pytest

from viewer import log
from viewer.app import FAILURES, App

FAILED = App.failed


@pytest.fixture
def going_on(desktop, monkeypatch):
    """An app as users have it: its failures do not fail the test."""
    shown = desktop(playing=True)
    monkeypatch.setattr(App, "failed", FAILED)
    for fence in (shown.app.window.controller, shown.app.window._app):
        fence._failed = shown.app.failed
    return shown


def test_a_key_that_breaks_leaves_the_app_running(going_on, monkeypatch):
    monkeypatch.setattr(type(going_on.session), "undo", lambda session: {}["lost"])
    going_on.key("ctrl+z")
    assert "internal error: KeyError: 'lost'" in going_on.message
    assert str(log.path()) in going_on.message
    assert "KeyError" in log.path().read_text("utf-8")
    assert not going_on.session.playing
    frames = going_on.app.frames
    going_on.key("space")
    going_on.until(lambda: going_on.app.frames > frames + 2)
    assert going_on.session.playing


def test_a_panel_that_breaks_once_is_there_again(going_on):
    panel = going_on.app.interface.panel
    sections = panel._sections

    def once(look):
        panel._sections = sections
        raise ValueError("no such thing")

    panel._sections = (("Body", once),)
    going_on.until(lambda: going_on.message is not None)
    frames = going_on.app.frames
    going_on.until(lambda: going_on.app.frames > frames)
    assert "no such thing" in going_on.message
    going_on.click(*going_on.middle("close"))
    assert going_on.message is None


def test_what_breaks_every_frame_ends_the_app_after_a_few(going_on, monkeypatch):
    with monkeypatch.context() as patch:
        break_every_frame(going_on, patch)


def break_every_frame(going_on, patch):
    def always(*_):
        raise ValueError("never again")

    patch.setattr(type(going_on.app.interface), "build", always)
    for _ in range(FAILURES - 1):
        going_on.app.exposed()
        going_on.app._next_frame = 0.0
        assert going_on.app.idle() is not None
    going_on.app._next_frame = 0.0
    with pytest.raises(ValueError, match="never again"):
        going_on.app.idle()
