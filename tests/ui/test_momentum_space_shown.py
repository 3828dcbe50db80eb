"""Momentum space that is asked for is never an empty picture."""

import pytest

from viewer.scenario.momentum_space import MOMENTUM_SPACE
from viewer.ui.input.actions import ACTION_OF


def shown_fields(stage_shown) -> set[str]:
    return {path for path in MOMENTUM_SPACE if stage_shown.app.session.scenario.value(path)}


@pytest.mark.parametrize("key", ["M", "I"])
def test_it_is_shown_where_the_scene_hides_all_of_it(stage, key):
    """As the scene of the first start does, which shows the body alone."""
    shown = stage("t-handle")
    assert not shown_fields(shown)
    ACTION_OF[key].run(shown.app)
    assert shown_fields(shown) == set(MOMENTUM_SPACE)


@pytest.mark.parametrize("kept", MOMENTUM_SPACE)
def test_what_a_scene_hides_of_it_stays_hidden_beside_what_it_shows(stage, kept):
    shown = stage("t-handle")
    shown.ui.editor.set(kept, True)
    ACTION_OF["M"].run(shown.app)
    assert shown.app.session.scenario.view.construction == "momentum"
    assert shown_fields(shown) == {kept}


def test_each_of_it_can_be_hidden_once_it_is_shown(stage):
    shown = stage("t-handle")
    ACTION_OF["M"].run(shown.app)
    for path in MOMENTUM_SPACE:
        shown.ui.editor.set(path, False)
    assert not shown_fields(shown)
