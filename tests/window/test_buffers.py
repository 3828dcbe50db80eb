"""The window's buffers are those that pyglet would choose, of all that it looks at."""

import sys

import pytest

if sys.platform != "linux":
    pytest.skip("only X11 is asked for one alone", allow_module_level=True)


@pytest.mark.parametrize("extra", [{}, {"samples": 4}, {"alpha_size": 8, "depth_size": 24, "stencil_size": 8}])
def test_the_best_is_pyglets_best(extra):
    from viewer.ui.platform.pyglet_options import Config, get_display
    from viewer.ui.platform.x11 import XConfig

    wanted = {"double_buffer": True, "depth_size": 0, "major_version": 3, "minor_version": 3, **extra}
    screen = get_display().get_default_screen()
    ours, theirs = (screen.get_best_config(kind(**wanted)) for kind in (XConfig, Config))
    assert {name: getattr(ours, name, None) for name in ours.attribute_ids} == {
        name: getattr(theirs, name, None) for name in theirs.attribute_ids
    }
    assert ours.get_visual_info().visualid == theirs.get_visual_info().visualid


def test_what_no_buffer_offers_is_refused():
    from viewer.ui.platform.pyglet_options import NoSuchConfigException, get_display
    from viewer.ui.platform.x11 import XConfig

    with pytest.raises(NoSuchConfigException):
        get_display().get_default_screen().get_best_config(XConfig(double_buffer=True, depth_size=4096))
