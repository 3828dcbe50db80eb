"""The table of keys, and what is made from it."""

from viewer.commands.actions import ACTION_OF, ACTIONS, ALIASES, keys_shown, rows


def test_every_key_starts_one_action():
    keys = [key for action in ACTIONS.values() for key in action.keys] + list(ALIASES)
    assert len(keys) == len(set(keys))
    assert all(ACTION_OF[key] is action for action in ACTIONS.values() for key in action.keys)


def test_every_action_can_be_started_and_is_described():
    for name, action in ACTIONS.items():
        assert name == action.name
        assert action.keys
        assert action.description


def test_the_keys_that_the_manual_promises():
    promised = {"Space": "play", ".": "step", "R": "restart", "+": "faster", "-": "slower", "S": "stereo",
                "X": "exchange-eyes", "H": "hide", "F": "full-screen", "?": "keys", "Ctrl+S": "save",
                "Ctrl+Z": "undo"}  # fmt: skip
    assert {key: ACTION_OF[key].name for key in promised} == promised


def test_every_action_is_listed_with_its_keys():
    listed = {(keys, what) for _, lines in rows() for keys, what in lines}
    wanted = {(keys_shown(a.keys), a.description) for a in ACTIONS.values() if a.group != "Presets"}
    assert wanted <= listed
