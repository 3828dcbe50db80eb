"""The card beside the pointer says what can be done with the thing under it, where that can be done."""

import pytest

from viewer.scene.naming.spot import Spot
from viewer.ui.names.card import GESTURES


@pytest.mark.parametrize("name", GESTURES)
@pytest.mark.parametrize(("preset", "layer", "said"), [("paper-fig1", 0, True), ("race-hidden-phase", 0, False)])
def test_a_gesture_is_said_where_there_is_one(stage, name, preset, layer, said):
    shown = stage(preset)
    shown.scene_view.snapshot_of = lambda layer: shown.workspace.session.snapshot()
    shown.workspace.state.named, shown.ui.pointer = (
        Spot(layer, name, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0)),
        (300.0, 300.0),
    )
    shown.frame()
    assert any(GESTURES[name] in words for words, _ in shown.texts) == said
