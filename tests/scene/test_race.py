"""A race in the scene: ghosts in their lanes' colours, a grid of cells that fill the picture."""

import numpy as np
import pytest
from helpers.frames import picture_of

from viewer.race.verdict import GAP, format_errors
from viewer.scenario.lanes import LANE_COLORS, MOST_LANES
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.picture import Stereo
from viewer.scene.constructions.race import grid_boxes, lane_color
from viewer.session.session import Session

LANES = ["explicit-euler", "jolt", "first-order+closest-point"]


def frame(show: str, seconds: float = 3.0, size=(1280, 720), preset="dzhanibekov", **changes):
    scenario = Scenario.preset(preset).with_value("race.show", show).with_value("race.lanes", LANES)
    for path, value in changes.items():
        scenario = scenario.with_value(path.replace("__", "."), value)
    session = Session(scenario, playing=False)
    session.run_to(seconds)
    return session.snapshot(), picture_of(session, size)


def test_ghosts_stand_as_their_lanes_do_and_wear_their_colours():
    snapshot, picture = frame("ghosts")
    assert len(picture.main.scene.ghosts) == 3
    for ghost, now in zip(picture.main.scene.ghosts, snapshot.lanes, strict=True):
        np.testing.assert_array_equal(ghost.world_from_body, now.rotation_world_from_body)
        assert ghost.color == lane_color(now.number, Stereo())
    texts = [label.text for label in picture.main.scene.labels]
    for now in snapshot.lanes:
        assert now.lane.label in texts
        assert format_errors(now) in texts
    assert len(picture.main.scene.arrows) == 2 + 3


def test_hidden_lanes_and_those_that_left_are_not_drawn():
    _, picture = frame("ghosts", race__hidden=["jolt"])
    assert [ghost.color for ghost in picture.main.scene.ghosts] == [lane_color(0, Stereo()), lane_color(2, Stereo())]
    snapshot, picture = frame("ghosts", seconds=40.0)
    assert [ghost.color for ghost in picture.main.scene.ghosts] == [lane_color(1, Stereo()), lane_color(2, Stereo())]
    assert "diverged at t = 34.14 s" in [label.text for label in picture.main.scene.labels]
    assert snapshot.lanes[0].stopped


def test_the_errors_in_a_narrow_cell_take_more_lines_and_keep_their_words():
    snapshot, picture = frame("grid", size=(240, 240))
    for cell, now in zip(picture.insets[1:], snapshot.lanes, strict=True):
        titles = [label.text for label in cell.scene.labels if not label.centred]
        assert GAP.join(titles[1:]) == format_errors(now)
        assert len(titles) > 2
    width = picture.insets[0].views[0].window[2]
    assert max(len(text) for text in titles[1:]) * 0.5 * 11.5 * picture.insets[0].pixel_scale < width


def test_a_grid_shows_the_motion_and_every_lane():
    snapshot, picture = frame("grid")
    assert picture.main.scene.solid is None
    assert len(picture.insets) == 4
    titles = [next(text.text for text in cell.scene.labels if text.style == "number") for cell in picture.insets]
    assert titles[1:] == [now.lane.label for now in snapshot.lanes]
    np.testing.assert_array_equal(picture.insets[0].scene.world_from_body, snapshot.reading.rotation_world_from_body)
    for cell, now in zip(picture.insets[1:], snapshot.lanes, strict=True):
        np.testing.assert_array_equal(cell.scene.world_from_body, now.rotation_world_from_body)
        assert cell.scene.solid is not None


@pytest.mark.parametrize("mode", ["mono", "anaglyph", "side-by-side", "top-bottom-half", "checkerboard"])
def test_every_eye_has_every_cell(mode):
    _, picture = frame("grid", stereo__mode=mode)
    for cell in picture.insets:
        assert len(cell.views) == len(picture.main.views)
        assert all(view.window is not None for view in cell.views)


@pytest.mark.parametrize("count", range(1, MOST_LANES + 2))
@pytest.mark.parametrize("shown", [(1280.0, 720.0), (640.0, 720.0), (320.0, 200.0), (1000.0, 200.0)])
def test_cells_lie_in_the_picture_and_apart(count, shown):
    boxes = grid_boxes(count, shown, 4.0)
    assert len(boxes) == count
    for n, (left, low, width, height) in enumerate(boxes):
        assert min(left, low) >= -1e-12
        assert max(left + width, low + height) <= 1.0 + 1e-12
        assert min(width, height) > 0.0
        for x, y, _, _ in boxes[:n]:
            apart = (abs(x - left) - width) * shown[0], (abs(y - low) - height) * shown[1]
            assert max(apart) > 4.0 - 1e-9
    assert sum(width * height for _, _, width, height in boxes) > 0.5  # measured .57 at least


def test_colours_differ():
    assert len(set(LANE_COLORS)) == MOST_LANES


def test_only_the_motion_itself_shows_its_correction() -> None:
    _, picture = frame(
        "grid", view__construction="momentum", solver__integrator="jolt", solver__stabilisation="closest-point"
    )
    corrected = [any(arrow.name == "correction" for arrow in cell.scene.arrows) for cell in picture.insets]
    assert corrected == [True, False, False, False]
