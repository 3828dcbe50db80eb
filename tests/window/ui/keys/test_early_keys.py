"""What is typed right behind the key that opens a text field goes into that field, however few frames there were."""

import subprocess

import pytest

from viewer.ui.platform.imgui_module import imgui

FRAMES = range(5)  # between the key and what is typed: the field has the keyboard after three


SOON = 6  # frames after which all that was typed is there, where it need not be told apart from a key behind it


def xdotool(*words: object) -> None:
    subprocess.run(["xdotool", *map(str, words)], check=True)


def opened(desktop, keys: str, frames: int, **more):
    """The window so many frames after a key."""
    shown = desktop("dzhanibekov", size=(900, 640), playing=True, **more)
    xdotool("key", keys)
    shown.loop.step(0.05)
    before = shown.app.frames.count
    shown.until(lambda: shown.app.frames.count >= before + frames)
    return shown


def nothing_else_happened(shown) -> None:
    state = shown.app.workspace.state
    assert not any((shown.app.ui.gallery.is_open, state.plots, state.hand, state.hidden, state.chart))
    assert shown.session.playback.playing
    assert not shown.session.motion.changes


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize("frames", FRAMES)
def test_the_panels_search(desktop, frames):
    shown = opened(desktop, "ctrl+f", frames)
    xdotool("type", "--delay", 1, "agx mass")
    shown.settle()
    assert shown.app.ui.panel.search.query == "agx mass"
    nothing_else_happened(shown)


def test_it_is_there_a_few_frames_later(desktop):
    shown = opened(desktop, "ctrl+f", 0)
    xdotool("type", "--delay", 1, "precession")
    shown.loop.step(0.2)
    before = shown.app.frames.count
    shown.until(lambda: shown.app.ui.panel.search.query == "precession")
    assert shown.app.frames.count - before <= SOON


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize("frames", FRAMES)
def test_the_palette_and_enter_right_behind(desktop, frames):
    shown = opened(desktop, "ctrl+k", frames)
    xdotool("type", "--delay", 1, "mass 3")
    xdotool("key", "Return")
    shown.settle()
    assert shown.scenario.body.mass == 3.0
    assert not shown.app.ui.palette.is_open
    nothing_else_happened(shown)


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize("frames", FRAMES)
def test_a_name_to_save_under(desktop, frames):
    shown = opened(desktop, "ctrl+shift+s", frames)
    xdotool("type", "--delay", 1, "a ghost")
    shown.settle()
    assert shown.app.ui.dialog._name == "a ghost"
    nothing_else_happened(shown)


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize("frames", FRAMES)
def test_a_number_that_is_typed_from_the_keyboard(desktop, frames):
    shown = desktop("dzhanibekov", size=(900, 640), playing=True)
    shown.app.ui.go_to("body.mass")
    shown.settle()
    before = shown.app.frames.count
    xdotool("key", "Return")
    shown.loop.step(0.05)
    shown.until(lambda: shown.app.frames.count >= before + frames)
    xdotool("type", "--delay", 1, "2500 g")
    xdotool("key", "Return")
    shown.settle()
    assert shown.scenario.body.mass == 2.5
    nothing_else_happened(shown)


def test_a_number_that_is_typed_right_behind_a_double_click(desktop, monkeypatch):
    shown = desktop("dzhanibekov", size=(900, 640), playing=True)
    shown.app.ui.go_to("body.mass")  # scrolls there
    shown.settle()
    shown.key("Escape")
    shown.move(*shown.middle("##body.mass[0]"))
    monkeypatch.setattr(imgui.get_io(), "mouse_single_click_delay", 120.0)  # s, on a busy machine as well
    monkeypatch.setattr(imgui.get_io(), "mouse_double_click_time", 60.0)
    xdotool("click", "--repeat", 2, "--delay", 10, 1)
    xdotool("type", "--delay", 1, "2500 g")
    xdotool("key", "Return")
    shown.settle()
    assert shown.scenario.body.mass == 2.5
    nothing_else_happened(shown)
