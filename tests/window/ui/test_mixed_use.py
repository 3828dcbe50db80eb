"""A lecturer at work: presets, tours, changes, time, undo and keys in any order, in a real window."""

import random

import pytest

from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario
from viewer.scenario.tours import tours

ACTIONS = 120
KEYS = (
    *"1234567898498", "space", "period", "comma", "b", "n", "l", "r", "s", "v", "m", "i", "g", "Right", "Up",
    *3 * ("ctrl+z",), *2 * ("ctrl+y",), *3 * ("Return",), "BackSpace", *6 * ("Escape",), "plus",
)  # fmt: skip
CHANGES = (
    ("loads.external_friction", 0.02),
    ("loads.external_friction", 0.0),
    ("solver.integrator", "split"),
    ("solver.extra_substeps", 3),
    ("show.body", False),
    ("body.mass", 2.0),
)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1])
def test_a_preset_is_itself_and_looking_back_changes_nothing_whatever_was_before(desktop, seed):
    shown, chance = desktop(playing=True), random.Random(seed)
    session, guide = shown.session, shown.app.workspace.tour
    opened = 0
    for _ in range(ACTIONS):
        kind = chance.choices(("key", "tour", "change", "seek"), (70, 5, 15, 10))[0]
        if kind == "tour":
            guide.start(chance.choice(list(tours())))
        elif kind == "change":
            shown.app.workspace.editor.set(*chance.choice(CHANGES))
        elif kind == "seek":
            first, last = session.motion.span
            before = session.document, session.unsaved
            session.playback.seek(first + chance.random() * (last - first))
            assert (session.document, session.unsaved) == before
        else:
            key = chance.choice(KEYS)
            in_tour = guide.tour
            shown.key(key)
            if key.isdigit() and in_tour is not None:
                assert guide.tour is in_tour  # it answers a question at most
            elif key.isdigit():
                opened += 1
                preset = Scenario.preset(list(PRESETS)[int(key) - 1])
                assert session.scenario == preset.with_screen_of(session.scenario)
                assert guide.tour is None
    assert opened > 10
