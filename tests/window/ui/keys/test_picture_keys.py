"""Keys of the picture, pressed on the keyboard of a real window."""

import numpy as np
import pytest
from helpers.keys import checks_in, keys_of, press

from viewer.scenario.choices.stereo_modes import STEREO_MODES


def check_octant(shown, which):
    press(shown, "octant", which)
    shown.until(lambda: not shown.app.workspace.animator.gliding)
    assert (shown.scenario.view.construction, shown.scenario.view.azimuth_deg) == ("momentum", 40.0)


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


def check_theme(shown, which):
    press(shown, "theme", which)
    assert shown.scenario.view.theme == "light"
    assert tuple(shown.screen()[-2, -306]) == (0xF4, 0xF6, 0xF8)


def check_home(shown, which):
    before = shown.scenario.view
    shown.session.change({"view.zoom": 3.0})
    press(shown, "home", which)
    assert shown.scenario.view == before


def check_construction(shown, which):
    press(shown, "construction", which)
    assert shown.scenario.view.construction == "momentum"


def check_inset(shown, which):
    press(shown, "inset", which)
    assert shown.scenario.show.inset


def check_mono(shown, which):
    shown.app.workspace.editor.set("stereo.mode", "anaglyph")
    shown.settle()
    press(shown, "mono", which)
    assert shown.scenario.stereo.mode == "mono"
    press(shown, "mono", which)
    assert shown.scenario.stereo.mode == "anaglyph"


def check_names(shown, which):
    before = shown.app.workspace.settings.value("names.pointer")
    press(shown, "names", which)
    assert shown.app.workspace.settings.value("names.pointer") == (not before)


def check_legend(shown, which):
    press(shown, "legend", which)
    assert shown.app.workspace.settings.value("names.legend")


CHECKS = checks_in(globals())


@pytest.mark.sweep(most=4)
@pytest.mark.parametrize(("action", "which"), keys_of("Picture"))
def test_key(shown, action, which):
    CHECKS[action](shown, which)
