"""Keys on the keyboard of a real window: those that open presets, and how they are held."""

from viewer.commands.actions import GROUPS
from viewer.scenario.presets import PRESETS


def test_every_group_of_keys_is_checked():
    """Here or in one of the files beside this one."""
    assert set(GROUPS) == {"Motion", "Picture", "Window", "Tours", "Lecture", "Scene", "Presets"}


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
        assert shown.app.workspace.settings.value("panel.text_size") == factor
