"""Full screen and back, with a window manager and without one."""

import re
import shutil
import subprocess
import time

import pytest


@pytest.fixture
def shown(desktop):
    return desktop()


def pointer() -> tuple[int, int]:
    """Where the mouse is on the virtual screen."""
    found = subprocess.run(["xdotool", "getmouselocation"], capture_output=True, text=True, check=True).stdout
    x, y = re.findall(r"[xy]:(\d+)", found)
    return int(x), int(y)


def test_the_pointer_stays_where_it_is(shown):
    shown.move(500, 300)
    for key in ("F11", "F11", "F5", "F5"):
        shown.key(key)
        shown.settle()
        assert pointer() == (500, 300)


@pytest.mark.parametrize("key", ["f", "F11"])
def test_short_taps_lead_to_full_screen_and_back_every_time(shown, key):
    for full in (True, False, True, False):
        shown.hands("key", "--delay", 2, key)
        shown.until(lambda full=full: shown.app.window.fullscreen == full)
        shown.until(lambda full=full: (shown.app.window.pixels == (1280, 720)) != full)
        shown.settle()


def test_a_held_key_leads_to_full_screen_once(shown):
    shown.hands("keydown", "f")
    shown.until(lambda: shown.app.window.fullscreen)
    for _ in range(3):
        shown.hands("keydown", "f")  # as the X server repeats it
    assert shown.app.window.fullscreen
    shown.hands("keyup", "f")
    shown.key("f")
    assert not shown.app.window.fullscreen


@pytest.fixture
def manager():
    """A window manager on the virtual screen."""
    if not shutil.which("openbox"):
        pytest.skip("needs openbox")
    process = subprocess.Popen(["openbox", "--sm-disable"], stderr=subprocess.DEVNULL)
    for _ in range(200):
        if subprocess.run(["xdotool", "get_desktop"], capture_output=True, check=False).returncode == 0:
            break
        time.sleep(0.05)
    yield process
    process.terminate()
    process.wait()
    from pyglet.libs.x11 import xlib

    from viewer.ui.platform.pyglet_options import get_display

    xlib.XSync(get_display()._display, True)  # the next test's window does not get what was meant for this one's


@pytest.mark.usefixtures("manager")
def test_a_maximised_window_is_maximised_after_full_screen(desktop):
    shown = desktop()
    usual = shown.app.window.get_size()
    shown.app.window.maximize()
    shown.until(lambda: shown.app.window.get_size() > usual)
    largest = shown.app.window.get_size()
    for full in (True, False, True, False):
        shown.key("F11")
        shown.until(lambda full=full: shown.app.window.fullscreen == full)
        size = (1280, 800) if full else largest
        shown.until(lambda size=size: shown.app.window.get_size() == size)
        shown.settle()
        assert shown.app.scene_view.renderer.read().shape[1] == size[0] - 308
