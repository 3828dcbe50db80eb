"""The bar below the scene: its buttons, its track, and that nothing is cut off in any size."""

from itertools import combinations

import pytest

from viewer.scene.words.formatting import clock
from viewer.ui.bars.timeline import marks_within
from viewer.ui.layout import arrange

SIZES = [
    ((1280, 720), 1.0), ((800, 600), 1.0), ((2560, 1440), 2.0), ((640, 480), 1.0), ((400, 300), 1.0),
    ((1600, 900), 1.25),
]  # fmt: skip


def within(shown, place):
    """The texts of the bar."""
    return [(words, box) for words, box in shown.texts if box[1] >= place.y and box[0] < place.x + place.width]


@pytest.mark.sweep
@pytest.mark.parametrize(("size", "scale"), SIZES)
@pytest.mark.parametrize("speed", [0.01, 1.0, 1000.0])
def test_nothing_is_cut_or_covered(stage, size, scale, speed):
    shown = stage(size=size, scale=scale)
    session = shown.workspace.session
    session.change({"playback.speed": speed})
    session.run_to(12.0)
    session.playback.seek(3.0)
    session.playback.toggle_loop()
    shown.frame(3)
    place = shown.ui.layout.areas.timeline
    names = ("restart", "step-back", "backwards", "play", "step", "flip", "loop", "plots", "##playback.speed[0]")
    boxes = [(name, shown.boxes[name]) for name in names if name in shown.boxes]
    speed_box = shown.boxes.get("##playback.speed[0]", (0, 0, 0, 0))
    boxes += [item for item in within(shown, place) if not speed_box[0] <= item[1][0] < speed_box[2]]
    assert {"restart", "play", "step"} <= {name for name, _ in boxes}
    for name, (left, top, right, bottom) in boxes:
        assert left >= place.x, name
        assert right <= place.x + place.width, name
        assert top >= place.y, name
        assert bottom <= place.y + place.height, name
    for (a, box), (b, other) in combinations(boxes, 2):
        across = min(box[2], other[2]) - max(box[0], other[0])
        down = min(box[3], other[3]) - max(box[1], other[1])
        assert across <= 1.0 or down <= 1.0, f"{a} lies over {b}"


def test_beside_the_panel_in_large_text_it_keeps_play_and_the_clock(stage):
    shown = stage(size=(800, 600), scale=1.75)
    shown.workspace.state.panel = True
    shown.frame(3)
    place = shown.ui.layout.areas.timeline
    assert place.width == 261  # 800 px less the panel's 308, 1.75 times as large
    assert {"##track", "play"} <= set(shown.boxes)
    assert not {"restart", "step"} & set(shown.boxes)
    (clock_box,) = [box for words, box in within(shown, place) if words.startswith("0.0")]
    assert shown.boxes["play"][2] <= clock_box[0] < clock_box[2] <= place.x + place.width
    shown.click("play")
    assert shown.workspace.session.playback.playing


@pytest.mark.slow
def test_nothing_comes_and_goes_with_the_digits_of_the_clock(stage):
    shown = stage("box-80kg", size=(800, 600))
    controls = []
    for time in (9.0, 11.0, 101.0):
        shown.workspace.session.run_to(time)
        shown.frame(3)
        place = shown.ui.layout.areas.timeline
        assert any(words.startswith(f"{time:.0f}.") for words, _ in within(shown, place))
        controls.append({name: box for name, box in shown.boxes.items() if box[1] >= place.y and box[0] < place.width})
    assert "##playback.auto_speed" in controls[0]
    assert controls[0] == controls[1] == controls[2]


def test_the_buttons(stage):
    shown = stage("paper-fig2")
    session = shown.workspace.session
    period = session.scenario.solver.integration_period
    shown.click("step")
    shown.click("step")
    shown.click("step-back")
    assert session.motion.time == pytest.approx(period)
    shown.click("restart")
    assert session.motion.time == 0.0
    shown.click("play")
    assert (session.playback.playing, session.playback.backwards) == (True, False)
    shown.click("backwards")
    assert (session.playback.playing, session.playback.backwards) == (True, True)
    shown.click("backwards")
    assert (session.playback.playing, session.playback.backwards) == (False, True)
    shown.click("play")
    assert (session.playback.playing, session.playback.backwards) == (True, False)
    shown.click("play")
    assert not session.playback.playing
    shown.click("loop")
    assert session.playback.loop is not None
    shown.click("loop")
    assert session.playback.loop is None
    shown.click("flip")
    while session.scene.moving:
        session.scene.advance(1 / 60)
    assert session.motion.time == pytest.approx(1.75177, abs=1e-3)
    shown.click("plots")
    assert shown.workspace.state.plots


@pytest.mark.parametrize(("size", "named"), [((1280, 720), True), ((1920, 1080), True), ((800, 600), False)])
def test_the_stabilisation_has_its_whole_name_or_none(stage, size, named):
    shown = stage(size=size)
    shown.workspace.settings.change("panel.language", "de")
    shown.frame(3)
    words = [words for words, _ in within(shown, shown.ui.layout.areas.timeline)]
    shown.workspace.settings.change("panel.language", "en")
    shown.frame(2)
    assert ("Stabilisieren" in words) is named
    assert not any(word.startswith("Stabilis") and word != "Stabilisieren" for word in words)


def test_what_cannot_run_backwards_says_so(stage):
    shown = stage()
    shown.workspace.session.change({"solver.integrator": "jolt"})
    shown.click("backwards")
    assert "Jolt" in shown.message


def test_the_track_is_dragged(stage):
    shown = stage()
    session = shown.workspace.session
    session.run_to(20.0)
    session.playback.play()
    left, _, right, _ = shown.boxes["##track"]
    shown.drag("##track", -(right - left) / 4, release=False)
    assert session.motion.time == pytest.approx(5.0, abs=0.2)
    assert session.playback.playing
    assert not session.scene.moving  # the clock waits for the hand
    assert not session.scene.advance(1.0)
    shown.move(right + 50, 700)
    assert session.motion.time == pytest.approx(20.0)
    shown.move(left - 50, 700)
    assert session.motion.time == 0.0
    shown.button(False)
    shown.frame()
    assert session.scene.moving
    assert session.motion.span == (0.0, 20.0)


def test_the_speed_is_dragged_over_its_whole_scale(stage):
    shown = stage()
    width = shown.boxes["##playback.speed[0]"][2] - shown.boxes["##playback.speed[0]"][0]
    shown.drag("##playback.speed[0]", width)
    assert shown.workspace.session.scene.speed == 1000.0
    shown.drag("##playback.speed[0]", -2 * width)
    assert shown.workspace.session.scene.speed == 0.01
    shown.click("##playback.auto_speed")
    assert shown.workspace.session.scenario.playback.auto_speed


def test_what_is_not_reached_is_reported(stage, monkeypatch):
    shown = stage()
    session = shown.workspace.session
    session.playback.play()
    monkeypatch.setattr(type(session.scene), "speed_reached", 0.25)
    shown.frame()
    assert any(words == "Only 0.250 ×" for words, _ in shown.texts)


def test_no_bar_where_there_is_no_room_or_it_is_hidden():
    assert arrange((1280, 720), 1.0).timeline is not None
    for size, hidden in (((100, 400), False), ((500, 100), False), ((1280, 720), True)):
        layout = arrange(size, 1.0, hidden)
        assert layout.timeline is None
        assert layout.plots is None
    layout = arrange((1280, 720), 1.0, wanted_plots=210.0)
    assert (layout.scene.height, layout.plots.height, layout.timeline.height) == (428, 210, 48)
    assert layout.plots.y == 462
    assert layout.timeline.y == 672
    assert arrange((1280, 300), 1.0, wanted_plots=1000.0).scene.height >= 100


def test_a_tours_card_has_its_own_part_beside_a_narrow_scene() -> None:
    layout = arrange((800, 600), 1.0, wanted_plots=210.0, card=115)
    assert layout.card is not None
    assert layout.plots is not None
    assert layout.timeline is not None
    assert layout.card.y - layout.scene.y == layout.scene.height >= 190
    assert (layout.plots.y, layout.plots.x) == (layout.card.y, layout.card.width)  # below it they would be too low
    assert layout.timeline.y == layout.plots.y + layout.plots.height
    assert arrange((1920, 1080), 1.0, card=115).card is None  # in a corner of the scene it covers little
    low = arrange((800, 300), 1.0, wanted_plots=210.0, card=115)  # no room for all of it
    assert low.card is not None
    assert (low.card.height, low.scene.height, low.plots) == (115, 137, None)
    cut = arrange((800, 600), 1.6, wanted_plots=210.0, card=396)  # its text scrolls
    assert cut.card is not None
    assert cut.plots is not None
    assert (cut.toolbar, cut.scene.height, cut.plots.height, cut.card.height) == (None, 300, 223, 223)
    assert (cut.card.x, cut.card.width) == (0, cut.plots.x)  # one beside the other
    assert arrange((800, 240), 1.0, card=115).card is None
    assert low.scene.height >= 100


def test_times_are_as_fine_as_can_be_pointed_at():
    assert [clock(1.2345, 10.0), clock(-1.2345, 10.0)] == [("1.23", "s"), ("−1.23", "s")]
    assert clock(1e-5, 1e-4) == ("0.010", "ms")  # of a body that turns in 90 µs
    assert [clock(3599.96, 3600.0), clock(2.5e-3, 5e-3)] == [("60.00", "min"), ("2.50", "ms")]
    assert clock(100 * 86400.0, 305 * 86400.0) == ("100.00", "d")


def test_a_bar_that_goes_while_it_is_dragged_lets_go(stage):
    shown = stage()
    shown.workspace.session.run_to(4.0)
    shown.workspace.session.playback.play()
    shown.drag("##track", -100, release=False)
    revision = shown.workspace.session.status.revision
    shown.frame(3)
    assert shown.workspace.session.status.revision == revision  # a hand that rests changes nothing
    assert not shown.workspace.session.scene.moving
    shown.workspace.state.hidden = True
    shown.frame()
    assert shown.workspace.session.scene.moving
    shown.button(False)


def test_only_what_is_recorded_is_marked():
    marks = [(0.0, 0.0), (0.0, 1.0), (2.0, 3.0), (4.0, 4.0)]
    assert marks_within(marks, (0.0, 2.5)) == [(0.0, 1.0), (2.0, 3.0)]
    assert marks_within([], (0.0, 2.5)) == []


@pytest.mark.parametrize(
    ("scale", "card", "plots"), [(1.0, 214, 210.0), (1.0, 130, 210.0), (1.6, 320, 0.0), (1.6, 320, 210.0)]
)
def test_plots_and_a_tour_leave_the_scene_half_of_a_small_window(scale, card, plots):
    areas = arrange((800, 600), scale, panel_open=False, wanted_plots=plots, card=card)
    assert areas.scene.height >= 300
    assert areas.card.height >= min(card, 120 * scale)
    assert (areas.plots.height if areas.plots else 0.0) >= min(plots, 90.0)


@pytest.mark.parametrize("size", [(800, 600), (1280, 720)])
def test_plots_in_large_letters_leave_the_scene_half_of_the_window(size):
    areas = arrange(size, 1.6, wanted_plots=210.0)
    assert areas.scene.height >= size[1] // 2
    assert areas.plots.height >= 90.0 * 1.6


def test_in_a_very_low_window_the_card_keeps_what_it_needs():
    areas = arrange((800, 360), 1.0, panel_open=False, wanted_plots=210.0, card=200)
    assert areas.card.height >= 120
    assert areas.scene.height >= 100


def test_a_motion_that_has_just_begun_has_not_filled_the_track(stage):
    """Ten seconds on the clock fill it: until then its right part is still to come, and a drag there goes on."""
    shown = stage()
    session = shown.workspace.session
    left, _, right, _ = shown.boxes["##track"]
    shown.drag("##track", -(right - left) / 4, release=False)  # from the middle to a quarter
    shown.button(False)
    while session.scene.moving and session.motion.time < 2.5:
        session.scene.advance(1 / 60)
    assert session.motion.time == pytest.approx(2.5, abs=0.2)
    shown.workspace.state.quiz_open, newest = True, session.motion.span[1]
    shown.drag("##track", (right - left) / 2)  # what a question asks about is not to be seen
    assert session.motion.span[1] == newest < 9.0
