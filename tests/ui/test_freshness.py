"""When the ui is laid out while the motion plays, counted by ImGui's own frames."""

import numpy as np
import pytest

from viewer.ui.platform.imgui_module import imgui

FRAME = 1 / 60  # s


def play(shown, frames):
    """As the app does it in each frame; for each, how often the ui was laid out until then."""
    counts = []
    for _ in range(frames):
        shown.now += FRAME
        shown.ui.refresh()
        shown.workspace.session.scene.advance(FRAME)
        shown.workspace.session.snapshot()
        counts.append(imgui.get_frame_count())
    return counts


@pytest.fixture
def playing(stage):
    shown = stage(open_all=True)
    shown.workspace.session.playback.play()
    play(shown, 5)
    return shown


def test_while_only_the_clock_runs_it_is_laid_out_20_to_30_times_a_second(playing):
    counts = play(playing, 61)
    assert 20 <= counts[-1] - counts[0] <= 30
    assert max(np.diff(counts)) == 1


def test_no_picture_shows_a_time_that_lags_by_more_than_the_thirtieth_of_a_second(playing):
    laid_out = playing.now
    for _ in range(40):
        before = imgui.get_frame_count()
        play(playing, 1)
        laid_out = playing.now if imgui.get_frame_count() != before else laid_out
        assert playing.now - laid_out < 1 / 30


@pytest.mark.parametrize("stop", ["pause", "arrive", "diverge"])
def test_when_the_motion_stops_its_last_state_is_laid_out(playing, stop):
    session, ui = playing.workspace.session, playing.ui
    play(playing, 1)
    if stop == "pause":
        session.playback.pause()
    elif stop == "arrive":
        session.playback.pause()
        session.playback.go_to(session.motion.time + 0.5)
    else:
        session.playback.stop()  # as where it diverges: without another input
    for _ in range(100):
        if not session.scene.moving:
            break
        play(playing, 1)
    assert not session.scene.moving
    assert ui.freshness.wait() == 0.0  # so a frame is drawn
    play(playing, 3)
    shown = playing.pixels().copy()
    ui.build()
    assert np.array_equal(playing.pixels(), shown)
    assert ui.freshness.wait() != 0.0


CHANGES = {
    "pointer over the panel": lambda shown: imgui.get_io().add_mouse_pos_event(1100.0, 300.0),
    "pointer over the scene": lambda shown: shown.ui.pointed((300.0, 300.0)),
    "button": lambda shown: imgui.get_io().add_mouse_button_event(0, True),
    "key": lambda shown: imgui.get_io().add_key_event(imgui.Key.tab, True),
    "touched": lambda shown: shown.ui.touched(),
    "element opened": lambda shown: shown.workspace.state.toggle("plots"),
    "scene changed": lambda shown: shown.workspace.session.change({"view.azimuth_deg": 12.0}),
    "body changed": lambda shown: shown.workspace.session.change({"body.mass": 12.0}),
    "event": lambda shown: shown.workspace.session.status.report("something happened"),
    "message": lambda shown: shown.workspace.messages.notice("something was saved"),
    "film": lambda shown: setattr(shown.workspace.writer, "recording", True),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_else_happens_is_laid_out_in_the_same_frame(playing, change):
    before = play(playing, 2)
    while before[-1] == before[-2]:  # until the next frame could do without
        before = play(playing, 2)
    CHANGES[change](playing)
    assert play(playing, 1)[0] > before[-1]


def test_a_film_of_the_window_shows_each_frame(playing):
    playing.workspace.writer.recording = True
    counts = play(playing, 10)
    assert np.all(np.diff(counts) == 1)


def test_a_frame_without_a_layout_paints_the_last_one(playing):
    playing.ui.build()
    first, count = playing.pixels().copy(), imgui.get_frame_count()
    play(playing, 1)
    assert imgui.get_frame_count() == count
    assert np.array_equal(playing.pixels(), first)
