"""A phone's tosses in the window: the best flight at once, the others by a click, and live as soon as one is over."""

import os
import time

import numpy as np
import pytest
from helpers.fake_phone import fake_phone
from helpers.handling import handled

from tests.helpers.synthetic_tosses import MOMENTS, Tosses, as_phyphox, tossed_phone
from viewer.commands.documents import open_named, save_to
from viewer.commands.live import live_scene
from viewer.replay.flights.words import describe as describe_flight
from viewer.replay.phone import Phone
from viewer.replay.scene import replayed, scene_of
from viewer.scenario.scenario import Scenario
from viewer.scene.words.describe import describe
from viewer.ui.lecture import board
from viewer.ui.panel.flights_section import cells

CLOSE = 0.01  # of a moment's ratio to the largest; measured 1e-3
LIMIT = 3.0  # s of CPU time from the drop of ten minutes to the picture


def listed(d) -> dict[str, str]:
    """The panel's lines of flights by their numbers."""
    return {name.partition("##flight ")[2]: name for name in d.boxes if "##flight " in name}


@pytest.fixture
def toss(tmp_path):
    path = tmp_path / "toss.csv"
    path.write_text(as_phyphox(*tossed_phone(1)))
    return str(path)


@pytest.fixture
def followed(desktop):
    """A phone is followed, before its first toss."""
    t, w, a = tossed_phone(1)
    with fake_phone() as phone:
        phone.measure("gyroscope", t, w)
        phone.measure("accelerometer", t, a)
        phone.until = 1.5
        client = Phone(phone.url)
        d = desktop(scenario=live_scene(client.address, Scenario()), name=None, phone=client, size=(1280, 720))
        d.until(lambda: len(d.app.workspace.phone.recording.time) > 140)
        yield d, phone


@pytest.fixture
def tossed_live(followed):
    """It has been tossed, and that is shown."""
    d, phone = followed
    phone.until = 3.6
    d.until(lambda: d.session.document.recording is not None)
    d.settle()
    return d


def test_the_best_flight_is_shown_and_a_click_chooses_another(desktop, toss):
    d = desktop(size=(1280, 720))
    before = d.scenario
    d.app.on_file_drop(0, 0, [toss])
    d.until(lambda: d.session.document.recording is not None)
    d.settle()
    assert d.session.motion.body.principal_moments == pytest.approx(MOMENTS, abs=CLOSE)
    assert "Wobbled about the axis of the smallest moment" in d.message
    assert d.session.playback.loop == pytest.approx((0.0, 0.75), abs=0.02)
    lines = listed(d)
    assert set(lines) == {"1", "2", "3", "all"}
    chosen = d.session.document.recording.selection
    assert cells(1, chosen)[:3] == ("2 !", "4.57 s", "0.75 s")  # it clips
    assert cells(0, chosen)[0] == "1"
    told = [cells(n, chosen)[-1] for n in range(3)]
    assert told[chosen.shown] in describe_flight(chosen.fit)
    assert told.count("") == 2
    d.click(*d.middle(lines["1"]))
    d.until(lambda: d.session.document.recording.selection.shown == 0)
    d.settle()
    assert "Thrown about the middle axis; flipped" in d.message
    d.click(*d.middle(listed(d)["all"]))
    d.until(lambda: len(d.session.document.recording.selection.numbers) == 3)
    d.session.undo()
    d.session.undo()
    d.session.undo()
    d.settle()
    assert d.scenario.body == before.body
    assert not d.session.document.measured


def test_the_plots_show_a_flight_whole_and_the_next_scene_as_ever(desktop, toss):
    d = desktop(size=(1280, 720))
    d.app.workspace.state.plots = True
    open_named(d.app.workspace, toss)
    d.until(lambda: d.session.playback.loop is not None)
    d.settle()
    plots = d.app.ui.plots
    assert -0.05 < plots.begin < 0.0
    assert 0.75 < plots.end < 0.8
    assert plots.panes["race_factor"].unit == ""  # of ratios, no 1/(kg m²)
    open_named(d.app.workspace, "paper-fig1")
    d.settle()
    assert plots.end - plots.begin == pytest.approx(20.0)


def test_a_change_of_the_body_takes_the_flights_away_and_undo_brings_them_back(desktop, toss):
    d = desktop(size=(1280, 720))
    open_named(d.app.workspace, toss)
    d.settle()
    d.session.change({"body.shape": "box"})
    d.settle()
    d.boxes.clear()
    d.settle()
    d.app.ui.touched()
    d.turn()
    assert not listed(d)
    d.session.undo()
    d.settle()
    assert d.session.document.recording is not None


@pytest.mark.slow
def test_ten_minutes_are_shown_within_three_seconds(desktop, tmp_path):
    """CPU time, as other programs run beside the test; reading, finding, fitting and the first picture."""
    time_, omega, force = handled(600.0, 200.0, 3)
    _, *tossed = tossed_phone(2, Tosses(rate=200.0))
    for values, toss in zip((omega, force), tossed, strict=True):
        values[60_000 : 60_000 + len(toss)] = toss
    path = tmp_path / "long.csv"
    path.write_text(as_phyphox(time_, omega, force))
    d = desktop(size=(1280, 720))
    d.settle()
    began = time.process_time()
    open_named(d.app.workspace, str(path))
    d.until(lambda: d.session.document.recording is not None)
    d.settle()
    took = time.process_time() - began
    assert d.session.document.recording.selection.flight.begin == pytest.approx(300.0, abs=9.0)
    assert took < LIMIT


def test_a_toss_is_replayed_as_soon_as_it_is_over_and_escape_goes_back(followed):
    d, phone = followed
    d.settle()
    assert d.session.document.recording is None  # held in the hand
    phone.until = 3.6
    d.until(lambda: d.session.document.recording is not None)
    assert "Thrown about the middle axis" in d.message
    assert "(Escape: back to the phone)" in d.message
    assert d.session.motion.body.principal_moments == pytest.approx(MOMENTS, abs=0.03)
    d.until(lambda: d.session.motion.time > 0.05)  # it runs
    d.key("Escape")
    d.until(lambda: d.scenario.body.shape == "moments")
    assert d.session.document.recording is None
    assert d.session.document.held  # no moments are told of it again
    assert "rows a second" in d.message
    phone.until = 6.3
    d.until(lambda: d.session.document.recording is not None)
    assert "Wobbled about the axis of the smallest moment" in d.message
    d.key("Escape")
    d.key("Escape")
    d.until(lambda: d.app.workspace.phone.state is None)


@pytest.mark.slow
def test_a_toss_waits_while_another_one_is_looked_at_and_the_list_keeps_all(desktop, toss):
    t, w, a = tossed_phone(1)
    began = 100.0  # on the phone's clock
    with fake_phone() as phone:
        phone.measure("gyroscope", t + began, w)
        phone.measure("accelerometer", t + began, a)
        phone.until = began + 3.6
        client = Phone(phone.url)
        d = desktop(scenario=live_scene(client.address, Scenario()), name=None, phone=client, size=(1280, 720))
        d.until(lambda: d.session.document.recording is not None)
        first = d.session.document.recording
        phone.until = began + 6.3
        d.until(lambda: d.message and "Another toss has come" in d.message)
        assert d.session.document.recording is first
        d.settle()
        d.click(*d.middle("Show it###offer"))
        d.until(lambda: d.session.document.recording is not first)
        assert "Another toss" not in d.message
        d.until(lambda: d.session.motion.time > 0.05)  # it runs
        again = d.session.document.recording.selection
        assert again.shown == 1
        in_file = [flight.begin for flight in replayed(toss).selection.flights[:2]]  # since the first row
        assert [flight.begin for flight in again.flights] == pytest.approx(in_file, abs=0.02)
        phone.until = began + t[-1]
        d.until(lambda: d.message and "Another toss has come" in d.message)
        d.settle()
        d.click(*d.middle("Show it###offer"))
        d.until(lambda: len(d.session.document.recording.selection.flights) == 3)
        d.settle()
        d.click(*d.middle(listed(d)["1"]))
        d.until(lambda: d.session.document.recording.selection.shown == 0)
        assert len(d.session.document.recording.selection.flights) == 3


def test_another_scene_that_is_opened_while_a_toss_is_shown_stays(tossed_live):
    d = tossed_live
    open_named(d.app.workspace, "paper-fig1")
    d.settle()
    opened = d.scenario
    assert d.app.workspace.phone.state is None
    d.key("Escape")
    d.settle()
    assert d.scenario == opened


def test_undo_goes_from_a_toss_to_the_phone_in_the_hand_and_redo_back(tossed_live):
    d = tossed_live
    toss = d.session.document.recording
    d.session.undo()
    d.until(lambda: d.session.document.held and "rows a second" in d.message)
    assert not d.session.playback.playing
    d.settle()
    d.session.redo()
    d.until(lambda: d.session.document.recording is toss and "Thrown about the middle axis" in d.message)
    assert d.session.playback.playing
    d.key("Escape")
    d.until(lambda: d.session.document.held)
    d.settle()
    d.session.undo()
    d.until(lambda: d.session.document.recording is toss)


def test_a_toss_that_the_user_changes_is_not_told_as_measured(tossed_live):
    d = tossed_live
    d.session.change({"start.angular_velocity": (1.0, 2.0, 3.0)})
    d.until(lambda: "No longer as measured (Escape: back to the phone)" in d.message)
    d.key("Escape")
    d.until(lambda: d.session.document.held)


def test_what_a_toss_s_panel_tells_does_not_depend_on_a_lecture_that_began_before(followed):
    d, phone = followed
    d.key("F5")
    phone.until = 3.6
    d.until(lambda: d.session.document.recording is not None)
    d.key("F5")
    d.until(lambda: any("readout I" in name for name in d.boxes))


def test_a_flight_that_the_window_begins_with_loops_as_a_dropped_one_does(desktop, toss):
    found = replayed(toss)
    d = desktop(scenario=scene_of(found), size=(1280, 720), recording=found, name=toss)
    d.settle()
    assert d.session.playback.loop == pytest.approx((0.0, 0.75), abs=0.02)
    assert "Wobbled about the axis of the smallest moment" in d.message
    assert set(listed(d)) == {"1", "2", "3", "all"}


def test_the_columns_can_be_said_anew_with_a_sign_turned(desktop, tmp_path):
    """Of a sensor whose axes are left-handed: what it shows is no motion of a rigid body."""
    t, omega, force = tossed_phone(1)
    path = tmp_path / "left.csv"
    path.write_text(as_phyphox(t, omega * (-1.0, 1.0, 1.0), force))
    d = desktop(size=(1280, 720))
    open_named(d.app.workspace, str(path))
    d.until(lambda: d.app.workspace.files.opening is None)
    d.settle()
    wrong = d.session.document.recording
    d.click(*d.middle("Columns..."))
    d.settle()
    assert d.app.ui.columns_dialog.is_open
    d.click(*d.middle("+##sign_2"))
    d.settle()
    d.click(*d.middle("Open"))
    d.until(lambda: d.session.document.recording is not None and d.session.document.recording is not wrong)
    d.settle()
    rows = d.session.document.recording.recording
    np.testing.assert_allclose(rows.omega_body, omega, atol=1e-4)  # 5 decimals are written
    assert d.session.motion.body.principal_moments == pytest.approx(MOMENTS, abs=CLOSE)
    d.session.undo()
    assert d.session.document.recording is wrong


def test_the_track_has_the_whole_flight_before_its_first_pass_is_over(desktop, toss):
    d = desktop(size=(1280, 720))
    d.app.on_file_drop(0, 0, [toss])
    d.until(lambda: d.session.document.recording is not None)
    d.session.playback.stop()
    d.session.reset()
    d.session.scene.loop_recording()
    d.settle()
    end = d.session.playback.loop[1]
    assert d.session.motion.span[1] < 0.1 * end
    left, top, right, bottom = d.boxes["##track"]
    d.click((left + right) / 2, (top + bottom) / 2)
    assert d.session.motion.time == pytest.approx(0.5 * end, abs=0.02)
    d.click(right - 2, (top + bottom) / 2)
    assert d.session.motion.time == pytest.approx(end, abs=0.01)


def test_a_saved_scene_opens_with_its_recording(desktop, toss, tmp_path):
    d = desktop(size=(1280, 720))
    d.app.on_file_drop(0, 0, [toss])
    d.until(lambda: d.session.document.recording is not None)
    before, scene = d.session.document.recording, str(tmp_path / "scene.toml")
    save_to(d.app.workspace, scene)
    d.settle()
    assert d.message == f"Saved {scene}"
    assert not d.session.unsaved
    open_named(d.app.workspace, "rod")
    d.until(lambda: d.session.document.recording is None)
    open_named(d.app.workspace, scene)
    d.until(lambda: d.session.document.recording is not None)
    assert d.app.workspace.files.path == scene
    assert not d.session.unsaved
    assert d.session.document.recording.flight == before.flight
    assert d.session.document.ratios == before.ratios
    assert d.session.playback.loop is not None


def test_a_scene_whose_recording_is_gone_opens_without_it_and_says_so(desktop, toss, tmp_path):
    d = desktop(size=(1280, 720))
    d.app.on_file_drop(0, 0, [toss])
    d.until(lambda: d.session.document.recording is not None)
    scene = str(tmp_path / "scene.toml")
    save_to(d.app.workspace, scene)
    open_named(d.app.workspace, "rod")
    d.until(lambda: d.session.document.recording is None)
    os.remove(toss)
    open_named(d.app.workspace, scene)
    d.until(lambda: d.app.workspace.files.path == scene)
    d.settle()
    assert d.message.endswith("toss.csv: file not found; the scene is opened without its recording")
    assert d.session.document.ratios is not None


def test_neither_words_nor_a_lecture_s_numbers_state_moments_of_which_only_ratios_are_known(desktop, toss, monkeypatch):
    units: set[str] = set()
    monkeypatch.setattr(board, "text_right", lambda x, y, color, words: units.add(words))
    d = desktop(size=(1280, 720))
    d.key("F5")
    d.settle()
    assert {"J", "kg m²/s"} & units
    open_named(d.app.workspace, toss)
    d.until(lambda: d.session.playback.loop is not None)
    d.settle()
    units.clear()
    d.session.playback.seek(0.1)
    d.settle()
    assert "rad/s" in units
    assert not {"J", "kg m²/s"} & units
    words = describe(d.session)
    assert "over the largest, all that is known of them: x′ 0.79" in words
    assert "kg m²" not in words
    assert " J" not in words
