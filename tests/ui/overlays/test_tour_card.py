"""The card of a tour leaves what it points at in sight, in every step of every tour and in low windows too."""

import pytest
from helpers.frames import picture_of

from viewer.common.language import tr
from viewer.scenario.tours import tours
from viewer.scene.camera.camera import Canvas
from viewer.ui.layout import beside_scene

SIZES = [((800, 600), 1.0), ((1280, 720), 1.0), ((800, 600), 1.6), ((1280, 720), 1.6)]


@pytest.mark.sweep(most=5)
@pytest.mark.parametrize(
    ("name", "size", "scale"),
    [(name, *SIZES[number]) for name in tours() for number in (1, 2)]  # the usual one, and the one with least room
    + [("why-it-flips", *SIZES[number]) for number in (0, 3)],  # the longest
)
def test_every_step_has_a_card_beside_the_scene_and_its_buttons_in_sight(stage, name, size, scale):
    shown = stage(size=size, scale=scale)
    shown.workspace.tour.begin(tours()[name])
    while (step := shown.workspace.tour.step) is not None:
        shown.frame(3)
        areas, box = shown.ui.layout.areas, shown.ui.tour_card.box
        assert box is not None
        assert box == areas.card  # a part of its own: neither scene nor plots lie under it
        assert areas.scene.height >= 100 * scale
        if step.plots:
            assert areas.plots is not None
        left, top, right, bottom = shown.boxes["Next"]
        assert box.x <= left < right <= box.x + box.width
        assert box.y <= top < bottom <= box.y + box.height
        for number in range(1, len(step.answers) + 1):
            assert shown.boxes[f"answer {number}"][1] < top or box.height < 260 * scale  # else it scrolls
        if step.question:
            assert shown.ui.overlays.take_text(str(step.right))  # the keys 1 2 3
            assert shown.workspace.tour.answer == step.right
        shown.workspace.tour.next()
    assert shown.workspace.tour.tour is None


@pytest.mark.parametrize("name", ["flip", "stabilisation", "why-it-flips"])
def test_plots_beside_a_card_are_high_enough_to_be_read(stage, name):
    """In the usual window; they were 90 px high with all that is around them, of which the curves had 21."""
    shown = stage(size=(1280, 720))
    shown.workspace.tour.begin(tours()[name])
    shown.workspace.state.plots = True
    for _ in tours()[name].steps:
        shown.frame(3)
        areas = shown.ui.layout.areas
        assert areas.plots.height >= 150
        assert areas.toolbar is not None
        assert areas.scene.height >= 350
        assert areas.card.width + areas.plots.width == areas.scene.width or areas.card.width == areas.scene.width
        shown.workspace.tour.choose(0)
        shown.workspace.tour.next()


@pytest.mark.slow
def test_all_answers_are_whole_beside_the_plots(stage):
    """At 1280 x 720; in less some scroll, as the scene keeps half of the height."""
    shown = stage(size=(1280, 720))
    for tour in tours().values():
        shown.workspace.tour.begin(tour)
        for number, step in enumerate(tour.steps, start=1):
            shown.workspace.state.plots = True
            shown.frame(4)
            box, top = shown.ui.tour_card.box, shown.boxes["Next"][1]
            assert all(shown.boxes[f"answer {one}"][3] <= top for one in range(1, len(step.answers) + 1)), number
            assert box.y + box.height <= shown.ui.layout.areas.timeline.y
            shown.workspace.tour.choose(0)
            shown.workspace.tour.next()


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("scale", [1.3, 1.6])
def test_all_answers_are_in_sight_in_large_letters_in_a_small_window(stage, scale, language):
    """Beside the scene, which keeps half of what is beside the panel; below it a card showed its first lines."""
    shown = stage(size=(800, 600), scale=scale)
    shown.workspace.settings.change("panel.language", language)
    for name in ("flip", "why-it-flips", "polhode"):
        shown.workspace.tour.begin(tours()[name])
        for number, step in enumerate(tours()[name].steps, start=1):
            shown.workspace.state.plots = False
            shown.frame(4)
            areas, box, (_, top, _, low) = shown.ui.layout.areas, shown.ui.tour_card.box, shown.boxes["Next"]
            assert areas.scene.width >= box.width - 1
            assert low < box.y + box.height
            assert all(shown.boxes[f"answer {one}"][3] <= top for one in range(1, len(step.answers) + 1)), number
            for one, answer in enumerate(step.answers, start=1):
                words, (_, _, right, _) = next(found for found in shown.texts if tr(answer) in found[0])
                assert right <= shown.boxes[f"answer {one}"][2] - 16.0 * scale, words  # a tick has room
            free = shown.ui.tour_card.leaves(shown.ui.prepared_look(), areas.scene)
            assert free == areas.scene  # for messages
            shown.workspace.tour.choose(0)
            shown.workspace.tour.next()
    shown.workspace.settings.change("panel.language", "en")
    shown.frame()


@pytest.mark.parametrize(
    ("size", "scale"), [((640, 480), 1.0), ((800, 600), 1.3), ((800, 600), 1.6), ((800, 300), 1.0)]
)
@pytest.mark.parametrize("name", ["flip", "why-it-flips", "polhode"])
def test_the_card_does_not_change_sides_from_step_to_step(stage, name, size, scale):
    shown = stage(size=size, scale=scale)
    shown.workspace.tour.begin(tours()[name])
    sides = set()
    for _ in tours()[name].steps:
        shown.workspace.state.plots, shown.workspace.state.panel = False, False
        shown.frame(4)
        areas = shown.ui.layout.areas
        sides.add((beside_scene(areas), areas.toolbar is not None))
        shown.workspace.tour.choose(0)
        shown.workspace.tour.next()
    assert len(sides) == 1


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_title_is_cut_on_the_narrow_card_of_a_lecture(stage, language):
    shown = stage(size=(1280, 720))
    shown.workspace.settings.change("panel.language", language)
    shown.workspace.state.lecture = True
    for tour in tours().values():
        shown.workspace.tour.begin(tour)
        shown.workspace.tour.choose(0)
        shown.frame(3)
        assert shown.ui.tour_card.box.width < 440
        assert tr(tour.title) in [words for words, _ in shown.texts]
    shown.workspace.settings.change("panel.language", "en")
    shown.frame()


def ends_in_sight(shown) -> bool:
    """Whether something on the card ends the tour."""
    box, (left, top, right, bottom) = shown.ui.tour_card.box, shown.boxes["End"]
    return box.x <= left < right <= box.x + box.width and box.y <= top < bottom <= box.y + box.height


@pytest.mark.sweep("1.6-de")
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("scale", [1.0, 1.6])
def test_every_card_beside_the_plots_has_what_ends_the_tour(stage, language, scale):
    """In the smallest window a cross, which was left out."""
    shown = stage(size=(800, 600), scale=scale)
    shown.workspace.settings.change("panel.language", language)
    for tour in tours().values():
        shown.workspace.tour.begin(tour)
        for _ in tour.steps[:-1]:
            shown.workspace.state.plots = True
            shown.frame(4)
            assert ends_in_sight(shown)
            (_, top, right, _), end = shown.boxes["Back"], shown.boxes["End"]
            assert end[0] >= right or end[3] <= top
            shown.workspace.tour.choose(0)
            shown.workspace.tour.next()
        shown.workspace.tour.back()
        shown.frame(4)
        shown.click("End")
        assert shown.workspace.tour.tour is None
    shown.workspace.settings.change("panel.language", "en")
    shown.frame()


@pytest.mark.parametrize(("size", "scale"), [((800, 600), 1.0), ((1280, 720), 1.6)])
@pytest.mark.parametrize("language", ["en", "de"])
def test_what_is_said_to_an_answer_is_read_without_scrolling(stage, size, scale, language):
    """It stood below what a low card shows, so that nothing seemed to follow an answer."""
    shown = stage("dzhanibekov", size=size, scale=scale)
    shown.workspace.settings.change("panel.language", language)
    for name in ("flip", "why-it-flips"):
        shown.workspace.tour.begin(tours()[name])
        for step in tours()[name].steps:
            shown.workspace.state.plots = False
            shown.frame(4)
            if step.question:
                shown.workspace.tour.choose(1)
                shown.frame(4)
                said, top = tr(step.why), shown.boxes["Next"][1]
                _, (_, above, _, below) = next((words, box) for words, box in shown.texts if said in words)
                assert shown.ui.tour_card.box.y < above < below <= top, step.question
            shown.workspace.tour.next()
    shown.workspace.settings.change("panel.language", "en")
    shown.frame()


@pytest.mark.sweep(most=4)
@pytest.mark.parametrize("size", [(800, 600), (1280, 720)])
@pytest.mark.parametrize("name", tours())
def test_the_toolbar_does_not_come_and_go_from_step_to_step(stage, name, size):
    shown = stage(size=size)
    shown.workspace.tour.begin(tours()[name])
    seen = []
    for _ in tours()[name].steps:
        shown.frame(3)
        seen.append(shown.ui.layout.areas.toolbar is not None)
        shown.workspace.tour.choose(0)
        shown.workspace.tour.next()
    assert len(set(seen)) == 1, seen


@pytest.mark.parametrize("name", tours())
def test_no_question_covers_the_contact_point_or_the_tip_of_the_momentum_if_the_panel_is_folded(stage, name):
    """Then the card lies over the lower right of the scene."""
    shown = stage(size=(1280, 720))
    shown.workspace.tour.begin(tours()[name])
    shown.workspace.state.panel = False
    for number, step in enumerate(tours()[name].steps):
        shown.workspace.tour._go(number, anew=True)
        shown.frame(3, 10.0)
        shown.workspace.editor.change(shown.workspace.animator.glide())  # where the camera has arrived
        scene, box = shown.ui.layout.areas.scene, shown.ui.tour_card.box
        layer = picture_of(shown.workspace.session, scene.size).main
        if not step.question or layer.scene.contact is None:
            continue
        across, up = Canvas(layer.camera, scene.size).project(layer.scene.contact)
        x, y = scene.x + 0.5 * scene.width + across, scene.y + 0.5 * scene.height - up
        assert not (box.x <= x <= box.x + box.width and box.y <= y <= box.y + box.height)
