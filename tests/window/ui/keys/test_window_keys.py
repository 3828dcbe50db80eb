"""Keys of the window, of tours and of lectures, pressed on the keyboard of a real window."""

from queue import Queue
from types import SimpleNamespace
from unittest import mock

import pytest
from helpers.keys import checks_in, keys_of, press


def check_plots(shown, which):
    press(shown, "plots", which)
    assert shown.app.workspace.state.plots
    assert shown.app.ui.layout.areas.plots is not None
    press(shown, "plots", which)
    assert not shown.app.workspace.state.plots


def check_manual(shown, which):
    opened = Queue()
    with mock.patch("webbrowser.get", return_value=SimpleNamespace(open=opened.put)):
        press(shown, "manual", which)
        assert opened.get(timeout=20).endswith("/manual/index.html")


def check_hide(shown, which):
    press(shown, "hide", which)
    assert shown.app.ui.layout.areas.scene.size == (1280, 720)
    assert shown.scene().shape == (720, 1280, 3)
    press(shown, "hide", which)
    assert shown.app.ui.layout.areas.scene.size == (972, 638)


def check_panel(shown, which):
    press(shown, "panel", which)
    assert shown.app.ui.layout.areas.scene.size == (1280 - 38, 638)
    press(shown, "panel", which)
    assert shown.app.ui.layout.areas.scene.size == (972, 638)


def check_search(shown, which):
    """Every letter after it is for the line, the first one too; Escape shows all again."""
    press(shown, "search", which)
    shown.type("friction")
    assert shown.app.ui.panel.search.query == "friction"
    shown.key("Escape", "Escape")
    assert shown.app.ui.panel.search.query == ""
    assert not shown.app.ui.overlays.takes_keys


def check_larger(shown, which):
    press(shown, "larger", which)
    assert shown.app.ui.layout.areas.scene.width == 1280 - round(308 * 1.1)


def check_smaller(shown, which):
    press(shown, "smaller", which)
    assert shown.app.ui.layout.areas.scene.width == 1280 - round(308 * 0.91)


def check_usual_size(shown, which):
    shown.app.workspace.settings.change("panel.text_size", 1.5)
    shown.app.ui.touched()
    press(shown, "usual-size", which)
    assert shown.app.ui.layout.areas.scene.width == 1280 - 308


def check_full_screen(shown, which):
    press(shown, "full-screen", which)
    shown.until(lambda: shown.app.window.pixels[1] > 720)
    assert shown.app.window.fullscreen
    shown.settle()
    assert shown.scene().shape[0] == shown.app.window.pixels[1] - 48 - 34
    press(shown, "leave")
    shown.until(lambda: shown.app.window.pixels == (1280, 720))
    shown.settle()
    shown.drag((480, 360), (40, 0))  # the new window gets events as well


def check_leave(shown, which):
    press(shown, "leave", which)
    assert shown.app.window in __import__("pyglet").app.windows
    press(shown, "keys")
    press(shown, "leave", which)
    assert not shown.app.ui.keys.is_open


def check_keys(shown, which):
    press(shown, "keys", which)
    assert shown.app.ui.keys.is_open
    press(shown, "keys", which)
    assert not shown.app.ui.keys.is_open


def check_messages(shown, which):
    shown.app.workspace.messages.error("here")
    press(shown, "messages", which)
    assert shown.app.workspace.messages.listed
    press(shown, "leave")
    assert not shown.app.workspace.messages.listed


def check_palette(shown, which):
    press(shown, "palette", which)
    assert shown.app.ui.palette.is_open
    shown.type("set mass 3")
    shown.key("Return")
    assert shown.scenario.body.mass == 3.0
    assert not shown.app.ui.palette.is_open


def check_quit(shown, which):
    press(shown, "quit", which)
    assert shown.app.loop.ending


def check_tours(shown, which):
    press(shown, "tours", which)
    gallery = shown.app.ui.gallery
    assert gallery.cards[gallery.at].group == "tours"


def check_tour_next(shown, which):
    shown.app.workspace.tour.start("flip")
    press(shown, "tour-next", which)  # first the answer to its question
    press(shown, "tour-next", which)
    assert shown.app.workspace.tour.at == 1


def check_tour_back(shown, which):
    shown.app.workspace.tour.start("flip")
    press(shown, "tour-next")
    press(shown, "tour-next")
    press(shown, "tour-back", which)
    assert shown.app.workspace.tour.at == 0


def check_sound(shown, which):
    press(shown, "sound", which)
    assert shown.app.ui.sound.on or "audio" in shown.message


def check_lecture(shown, which):
    press(shown, "lecture", which)
    shown.until(lambda: shown.app.window.pixels != (1280, 720))
    assert shown.app.workspace.state.lecture
    press(shown, "lecture", which)
    shown.until(lambda: shown.app.window.pixels == (1280, 720))
    assert not shown.app.workspace.state.lecture


CHECKS = checks_in(globals())


@pytest.mark.sweep(most=7)
@pytest.mark.parametrize(("action", "which"), keys_of("Window", "Lecture", "Tours"))
def test_key(shown, action, which):
    CHECKS[action](shown, which)
