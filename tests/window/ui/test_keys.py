"""Every key, pressed on the keyboard of a real window."""

from queue import Queue
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest

from viewer.scenario.choices.stereo_modes import STEREO_MODES
from viewer.scenario.presets import PRESETS
from viewer.ui.input.actions import ACTIONS

XDOTOOL = {
    "Space": "space",
    ".": "period",
    ",": "comma",
    "+": "plus",
    "-": "minus",
    "?": "question",
    "=": "equal",
    "PageUp": "Prior",
    "PageDown": "Next",
    "Enter": "Return",
    "Backspace": "BackSpace",
}


def press(shown, action: str, which: int = 0) -> None:
    key = ACTIONS[action].keys[which]
    parts = key.replace("++", "+plus").split("+") if len(key) > 1 else [key]
    shown.key("+".join(XDOTOOL.get(part, part.lower() if len(part) == 1 else part) for part in parts))


@pytest.fixture
def shown(desktop):
    return desktop()


def check_play(shown, which):
    press(shown, "play", which)
    assert shown.session.playback.playing
    press(shown, "play", which)
    assert not shown.session.playback.playing


def check_step(shown, which):
    press(shown, "step", which)
    assert shown.session.motion.time == pytest.approx(shown.scenario.solver.integration_period)
    assert not shown.session.playback.playing


def run_reversibly(shown):
    shown.session.change({"solver.integrator": "exact-drift", "solver.stabilisation": "off"})


def check_step_back(shown, which):
    run_reversibly(shown)
    press(shown, "step-back", which)
    assert shown.session.motion.time == pytest.approx(-shown.scenario.solver.integration_period)
    assert not shown.session.playback.playing


def check_backwards(shown, which):
    run_reversibly(shown)
    press(shown, "backwards", which)
    assert (shown.session.playback.backwards, shown.session.playback.playing) == (True, True)
    press(shown, "backwards", which)
    assert (shown.session.playback.backwards, shown.session.playback.playing) == (False, True)


def check_flip(shown, which):
    press(shown, "flip", which)
    shown.until(lambda: not shown.session.scene.moving)
    assert shown.session.motion.time == pytest.approx(1.75177, abs=1e-3)


def check_loop(shown, which):
    press(shown, "loop", which)
    assert shown.session.playback.loop == pytest.approx((0.0, 7.00707), abs=1e-5)
    press(shown, "loop", which)
    assert shown.session.playback.loop is None


def check_plots(shown, which):
    press(shown, "plots", which)
    assert shown.app.state.plots
    assert shown.app.ui.layout.areas.plots is not None
    press(shown, "plots", which)
    assert not shown.app.state.plots


def check_restart(shown, which):
    shown.session.playback.step_once()
    press(shown, "restart", which)
    assert shown.session.motion.time == 0.0


def check_stabilise(shown, which):
    press(shown, "stabilise", which)
    assert shown.scenario.solver.stabilisation == "off"
    press(shown, "stabilise", which)
    assert shown.scenario.solver.stabilisation == "gradient"


def check_octant(shown, which):
    press(shown, "octant", which)
    shown.until(lambda: not shown.app.scene_view.animator.gliding)
    assert (shown.scenario.view.construction, shown.scenario.view.azimuth_deg) == ("momentum", 40.0)


def check_faster(shown, which):
    press(shown, "faster", which)
    assert shown.session.scene.speed > 1.0


def check_slower(shown, which):
    press(shown, "slower", which)
    assert shown.session.scene.speed < 1.0


def check_stereo(shown, which):
    press(shown, "stereo", which)
    assert shown.scenario.stereo.mode == "anaglyph"


def check_stereo_back(shown, which):
    press(shown, "stereo-back", which)
    assert shown.scenario.stereo.mode == list(STEREO_MODES)[-1]


def check_chart(shown, which):
    scene = shown.scene().copy()
    press(shown, "chart", which)
    assert np.mean(shown.scene() != scene) > 0.2
    press(shown, "leave")
    assert np.array_equal(shown.scene(), scene)
    press(shown, "chart", which)
    press(shown, "chart", which)
    assert np.array_equal(shown.scene(), scene)


def check_exchange_eyes(shown, which):
    press(shown, "exchange-eyes", which)
    assert shown.scenario.stereo.exchange_eyes


def check_view(shown, which):
    press(shown, "view", which)
    assert shown.scenario.view.frame == "floor"


def check_manual(shown, which):
    opened = Queue()
    with mock.patch("webbrowser.get", return_value=SimpleNamespace(open=opened.put)):
        press(shown, "manual", which)
        assert opened.get(timeout=20).endswith("/manual/index.html")


def check_theme(shown, which):
    press(shown, "theme", which)
    assert shown.scenario.view.theme == "light"
    assert tuple(shown.screen()[-2, -306]) == (0xF4, 0xF6, 0xF8)


def check_home(shown, which):
    before = shown.scenario.view
    shown.session.change({"view.zoom": 3.0})
    press(shown, "home", which)
    assert shown.scenario.view == before


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
    assert not shown.app.ui.front.takes_keys


def check_larger(shown, which):
    press(shown, "larger", which)
    assert shown.app.ui.layout.areas.scene.width == 1280 - round(308 * 1.1)


def check_smaller(shown, which):
    press(shown, "smaller", which)
    assert shown.app.ui.layout.areas.scene.width == 1280 - round(308 * 0.91)


def check_usual_size(shown, which):
    shown.app.settings.change("panel.text_size", 1.5)
    shown.app.ui.touched()
    press(shown, "usual-size", which)
    assert shown.app.ui.layout.areas.scene.width == 1280 - 308


def check_construction(shown, which):
    press(shown, "construction", which)
    assert shown.scenario.view.construction == "momentum"


def check_inset(shown, which):
    press(shown, "inset", which)
    assert shown.scenario.show.inset


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
    assert not shown.app.state.keys


def check_keys(shown, which):
    press(shown, "keys", which)
    assert shown.app.state.keys
    press(shown, "keys", which)
    assert not shown.app.state.keys


def check_messages(shown, which):
    shown.app.ui.messages.error("here")
    press(shown, "messages", which)
    assert shown.app.state.messages
    press(shown, "leave")
    assert not shown.app.state.messages


def check_palette(shown, which):
    press(shown, "palette", which)
    assert shown.app.state.palette
    shown.type("set mass 3")
    shown.key("Return")
    assert shown.scenario.body.mass == 3.0
    assert not shown.app.state.palette


def check_quit(shown, which):
    press(shown, "quit", which)
    assert shown.app.loop.ending


def check_open(shown, which):
    press(shown, "open", which)
    assert shown.app.state.dialog
    assert shown.app.ui.dialog._name == ""  # the key itself is not typed into the field
    shown.key("Escape")
    assert not shown.app.state.dialog


def check_save(shown, which):
    press(shown, "save", which)  # a preset has no file
    assert shown.app.state.dialog


def check_save_as(shown, which):
    press(shown, "save-as", which)
    assert shown.app.state.dialog


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
    shown.app.capture._begin_film = lambda: began.append("a film")
    press(shown, "record", which)
    assert began == ["a film"]


def check_gallery(shown, which):
    press(shown, "gallery", which)
    assert shown.app.state.gallery
    press(shown, "gallery", which)
    assert not shown.app.state.gallery


def check_tours(shown, which):
    press(shown, "tours", which)
    gallery = shown.app.ui.gallery
    assert gallery.cards[gallery.at].group == "tours"


def check_tour_next(shown, which):
    shown.app.ui.tour.start("flip")
    press(shown, "tour-next", which)  # first the answer to its question
    press(shown, "tour-next", which)
    assert shown.app.ui.tour.at == 1


def check_tour_back(shown, which):
    shown.app.ui.tour.start("flip")
    press(shown, "tour-next")
    press(shown, "tour-next")
    press(shown, "tour-back", which)
    assert shown.app.ui.tour.at == 0


def check_picture_as(shown, which):
    press(shown, "picture-as", which)
    assert shown.app.state.saving


def check_film_as(shown, which):
    press(shown, "film-as", which)
    assert shown.app.state.saving


def check_describe(shown, which):
    press(shown, "describe", which)
    assert "Body: ellipsoid" in shown.app.ui.words.text
    assert shown.app.state.words
    press(shown, "describe", which)
    assert not shown.app.state.words


def check_hand(shown, which):
    press(shown, "hand", which)
    assert shown.app.state.hand
    press(shown, "hand", which)
    assert not shown.app.state.hand


def check_mono(shown, which):
    shown.app.ui.editor.set("stereo.mode", "anaglyph")
    shown.settle()
    press(shown, "mono", which)
    assert shown.scenario.stereo.mode == "mono"
    press(shown, "mono", which)
    assert shown.scenario.stereo.mode == "anaglyph"


def check_names(shown, which):
    before = shown.app.settings.value("names.pointer")
    press(shown, "names", which)
    assert shown.app.settings.value("names.pointer") == (not before)


def check_legend(shown, which):
    press(shown, "legend", which)
    assert shown.app.settings.value("names.legend")


def check_sound(shown, which):
    press(shown, "sound", which)
    assert shown.app.ui.sound.on or "audio" in shown.message


def check_lecture(shown, which):
    press(shown, "lecture", which)
    shown.until(lambda: shown.app.window.pixels != (1280, 720))
    assert shown.app.state.lecture
    press(shown, "lecture", which)
    shown.until(lambda: shown.app.window.pixels == (1280, 720))
    assert not shown.app.state.lecture


def check_add_force(shown, which):
    press(shown, "add-force", which)
    assert any(shown.scenario.loads.force)
    assert any(shown.scenario.loads.arm)
    assert shown.message.startswith("Drag the tip")


def check_pulse(shown, axis, sign):
    before, picture = shown.session.snapshot().reading, shown.scene().copy()
    press(shown, f"pulse-{'xyz'[axis]}{sign}")
    now = shown.session.snapshot().reading
    wanted = np.zeros(3)
    wanted[axis] = float(sign + "0.02")
    moments = shown.scenario.rigid_body().principal_moments
    assert moments * (now.omega_body - before.omega_body) == pytest.approx(wanted, abs=1e-15)
    assert now.time == before.time
    assert np.any(shown.scene() != picture)  # paused, and seen at once


CHECKS = {name[6:].replace("_", "-"): check for name, check in list(globals().items()) if name.startswith("check_")} | {
    f"pulse-{'xyz'[axis]}{sign}": lambda shown, which, axis=axis, sign=sign: check_pulse(shown, axis, sign)
    for axis in range(3)
    for sign in "+-"
}


@pytest.mark.parametrize(
    ("action", "which"), [(a.name, i) for a in ACTIONS.values() if a.group != "Presets" for i in range(len(a.keys))]
)
def test_key(shown, action, which):
    CHECKS[action](shown, which)


def test_the_digits_open_the_presets(shown):
    for number, name in enumerate(list(PRESETS)[:9], start=1):
        shown.key(str(number))
        assert shown.scenario.title == PRESETS[name].title


def test_keys_do_not_repeat_what_switches(shown):
    shown.hands("keydown", "space")
    for _ in range(20):
        shown.turn()
    assert shown.session.playback.playing
    shown.hands("keyup", "space")
    assert shown.session.playback.playing


def test_a_key_released_after_its_shift_is_up_for_the_next_press(shown):
    """So it is typed on a keyboard where + is Shift and =, such as the one of the United States."""
    for factor in (1.1, 1.21, 1.33):
        shown.hands("keydown", "ctrl", "keydown", "shift", "keydown", "equal")
        shown.hands("keyup", "shift", "keyup", "equal", "keyup", "ctrl")
        assert shown.app.settings.value("panel.text_size") == factor
