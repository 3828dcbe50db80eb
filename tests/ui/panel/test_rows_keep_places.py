"""What is below a row of the panel stays where it is while the motion goes on and while numbers are dragged."""

import pytest

from viewer.scenario.presets import PRESETS

SPINS = [(0.0, 0.0, 5.0), (0.01, 3.0, 0.0), (1.0, 1.0, 5.0), (0.0, 0.0, 0.0), (1.0, 2.0, 3.0)]


def tops(shown):
    """The upper edges of what the panel holds, by name, as they are on the screen."""
    left = shown.ui.layout.areas.panel.x
    return {name: box[1] for name, box in shown.boxes.items() if box[0] > left and name.startswith("##")}


@pytest.mark.sweep(most=6)
@pytest.mark.parametrize("preset", PRESETS)
def test_from_the_first_edit_on_and_while_it_runs(stage, preset):
    shown = stage(preset, size=(1280, 3000), open_all=True)
    session, before = shown.workspace.session, tops(shown)
    for _ in range(3):
        session.scene.advance(0.7)
        shown.frame(2)
        assert tops(shown) == before
    if not session.scenario.body.density:  # a mass takes its place
        session.change({"body.mass": 1.1 * session.scenario.body.mass})
        shown.frame(2)
        assert tops(shown) == before
    for spin in SPINS:
        session.change({"start.angular_velocity": spin})
        shown.frame(2)
        after = tops(shown)
        assert {name: after[name] for name in before if name in after} == {
            name: top for name, top in before.items() if name in after
        }
        assert before.keys() - after.keys() <= {"##start.energy[0]", "##start.axis"}  # which say "none" at rest
