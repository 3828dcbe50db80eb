"""How lecture mode divides a window: nothing overlaps, nothing is lost, and the scene keeps what it needs."""

from itertools import combinations

import pytest

from viewer.ui.layout import LOWEST_SCENE, Rect
from viewer.ui.lecture.layout import CELLS, arrange_lecture, columns, under_card

SIZES = [(800, 600), (1024, 768), (1280, 720), (1920, 1080), (960, 1080), (640, 480), (3840, 2160), (200, 100), (1, 1)]


def overlap(a: Rect, b: Rect) -> bool:
    return a.x < b.x + b.width and b.x < a.x + a.width and a.y < b.y + b.height and b.y < a.y + a.height


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("card", [0, 150, 320])
@pytest.mark.parametrize("plots", [0.0, 210.0])
def test_the_parts_fill_the_window_and_do_not_overlap(size, card, plots):
    for scale in (1.0, 1.6, 2.5):
        for board in (True, False):
            areas = arrange_lecture(size, scale, board, plots, card)
            parts = [areas.scene, areas.plots, areas.timeline]
            parts += [areas.board, None if under_card(areas) else areas.card]  # beside the scene it lies on the board
            found = [part for part in parts if part is not None]
            assert not any(overlap(a, b) for a, b in combinations(found, 2))
            assert sum(part.width * part.height for part in found) == max(1, size[0] * size[1])
            assert min(areas.scene.size) >= 1
            if areas.card is not None and areas.board is not None and under_card(areas):
                board_rect = areas.board
                assert areas.card.x == board_rect.x
                assert areas.card.y + areas.card.height == board_rect.y + board_rect.height


@pytest.mark.parametrize("size", [(800, 600), (1024, 768), (1280, 720), (1920, 1080), (960, 1080)])
def test_the_board_is_there_on_every_projector_and_leaves_the_scene_its_room(size):
    areas = arrange_lecture(size, 1.6)
    assert areas.board is not None
    assert areas.scene.height >= max(0.5 * size[1], LOWEST_SCENE * 1.6)
    assert areas.scene.width >= 0.6 * size[0]
    assert (areas.board.y == 0) == (size[0] >= 1.45 * size[1])  # beside the scene where the window is wide


def test_a_card_of_a_tour_is_docked_beside_the_scene_or_below_it():
    wide, narrow = arrange_lecture((1280, 720), 1.6, card=300), arrange_lecture((800, 600), 1.6, card=200)
    assert under_card(wide) == wide.card.height == 300
    assert under_card(narrow) == 0
    assert narrow.card.y >= narrow.scene.y + narrow.scene.height
    too_tall = arrange_lecture((1280, 720), 1.6, card=2000)
    assert too_tall.card.height <= 720


def test_as_many_cells_side_by_side_as_fit():
    assert [columns(width, 1.0) for width in (1, 150, 300, 430, 800, 5000)] == [1, 1, 2, 3, 6, CELLS]


@pytest.mark.parametrize(("size", "scale"), [((1280, 720), 1.6), ((1920, 1080), 2.4), ((3840, 2160), 4.8)])
def test_the_board_is_as_large_a_part_of_every_window(stage, size, scale):
    shown = stage(size=size)
    shown.workspace.state.lecture = True
    assert shown.ui.layout.scale == pytest.approx(scale)
