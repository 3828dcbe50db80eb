"""A phone that is followed in the window; a small server plays it."""

import numpy as np
import pytest
from helpers.fake_phone import fake_phone
from scipy.spatial.transform import Rotation

from viewer.commands.documents import open_named
from viewer.commands.live import DELAY, live_scene
from viewer.physics.rotation import rotate
from viewer.replay.phone import Phone
from viewer.scenario.scenario import Scenario
from viewer.scene.words.describe import describe
from viewer.ui.lecture import board

TIME = np.arange(0.0, 60.0, 0.01)
SPIN = np.array([0.4, 0.9, -2.0])


@pytest.fixture
def phone():
    with fake_phone() as running:
        running.measure("gyroscope", TIME, np.tile(SPIN, (len(TIME), 1)))
        running.until = -1.0
        yield running


def following(desktop, phone, **more):
    client = Phone(phone.url)
    return desktop(scenario=live_scene(client.address, Scenario()), name=None, phone=client, **more)


def test_the_body_turns_as_the_phone_does_a_moment_later(desktop, phone):
    d = following(desktop, phone)
    phone.until = 0.5
    d.until(lambda: len(d.app.workspace.phone.recording.time) == 51)
    d.until(lambda: d.scenario.start.angular_velocity == pytest.approx(tuple(SPIN)))
    for _ in range(20):  # it comes to rest DELAY before the newest row, or catches up with it
        d.turn(0.02)
    shown = d.app.workspace.held.now  # TIME begins at 0
    assert 0.5 - DELAY - 1e-9 <= shown <= 0.5
    q = d.session.snapshot().reading.orientation_wxyz
    assert np.allclose(rotate(q, [1, 0, 0]), Rotation.from_rotvec(SPIN * shown).apply([1, 0, 0]), atol=1e-6)


def test_the_plot_of_omega_shows_what_the_phone_measures(desktop, phone):
    d = following(desktop, phone)
    d.app.workspace.state.plots = True
    phone.measure("gyroscope", TIME, np.stack((np.sin(TIME), 0.9 + 0.0 * TIME, -2.0 + 0.0 * TIME), axis=1))
    phone.until = 6.0
    plots = d.app.ui.plots
    workspace = d.app.workspace
    d.until(lambda: workspace.held is not None and len(workspace.held.time) == 601)
    for _ in range(20):
        d.turn(0.02)
    assert list(plots.panes) == ["velocity"]
    curves = {quantity.name: (times, values) for quantity, times, values in plots._lines["velocity"]}
    times, values = curves["omega_x"]
    assert values == pytest.approx(np.sin(times))
    assert times[-1] == pytest.approx(6.0)
    assert curves["omega_z"][1] == pytest.approx(-2.0)
    assert plots.begin < 0.0 < 6.0 < plots.end
    heading, rows = plots.table()
    assert heading == ["time_s", "omega_x_rad_per_s", "omega_y_rad_per_s", "omega_z_rad_per_s"]
    assert np.array(list(rows))[:, 1] == pytest.approx(np.sin(TIME[:601]))
    plots._seek(3.0)
    assert d.session.motion.time == 0.0  # there is no motion to go back in
    open_named(d.app.workspace, "rod")
    d.settle()
    assert "energy" in plots.panes


def test_a_phone_in_the_hand_is_not_kept_for_the_next_start(desktop, phone):
    d = following(desktop, phone)
    phone.until = 1.0
    d.until(lambda: len(d.app.workspace.phone.recording.time) == 101)
    d.turn(0.02)
    assert d.app.workspace.unsaved.scene is None
    d.key("Escape")
    d.session.change({"body.moments": (1.0, 2.0, 2.5)})
    assert d.app.workspace.unsaved.scene is not None


def test_it_says_what_the_phone_does_and_escape_ends_it(desktop, phone):
    d = following(desktop, phone)
    d.until(lambda: d.message and "press Play in phyphox" in d.message)
    phone.until = 1.0
    d.until(lambda: d.message and "100 rows a second" in d.message)
    phone.measuring = False
    d.until(lambda: d.message and "has stopped measuring" in d.message)
    phone.answer = 500, b""
    d.until(lambda: d.message and "not as phyphox does (status 500)" in d.message)
    phone.answer, phone.measuring, phone.until = None, True, 2.0
    d.until(lambda: d.message and "100 rows a second" in d.message)
    d.until(lambda: d.message and "sends no new rows" in d.message)
    phone.until = 3.0
    d.until(lambda: d.message and "100 rows a second" in d.message)
    d.key("Escape")
    d.until(lambda: d.message is None)
    asked = len(phone.asked)
    d.settle()
    assert len(phone.asked) <= asked + 1, "no more questions but one that was on its way"


def test_what_nobody_expects_of_a_phone_is_said_and_it_is_asked_again(desktop, phone, monkeypatch):
    broken = [True]
    poll = Phone.poll

    def polled(self):
        if broken:
            raise RuntimeError("of a kind that nobody expects")
        return poll(self)

    monkeypatch.setattr(Phone, "poll", polled)
    d = following(desktop, phone)
    phone.until = 1.0
    d.until(lambda: d.message and "internal error: RuntimeError: of a kind that nobody expects" in d.message)
    broken.clear()
    d.until(lambda: d.message and "100 rows a second" in d.message)


def test_rows_without_numbers_are_left_out(desktop, phone):
    d = following(desktop, phone)
    phone.data["gyrX"][7] = phone.data["gyrY"][9] = None
    phone.until = 1.0
    d.until(lambda: d.message and "rows a second" in d.message)
    d.until(lambda: len(d.app.workspace.phone.recording.time) == 99)
    phone.session, phone.data["gyrX"] = "ffffff", [1e308] * len(TIME)
    d.until(lambda: d.message and "gives no numbers that a gyroscope measures" in d.message)


def test_nothing_is_drawn_while_nothing_comes(desktop, phone):
    d = following(desktop, phone)
    phone.until = 1.0
    d.until(lambda: len(d.app.workspace.phone.recording.time) == 101)
    d.until(lambda: d.app.workspace.phone.wait())  # until the next answer, which changes its message
    d.settle()
    frames = d.app.frames.count
    for _ in range(30):
        d.turn()
    assert d.app.frames.count == frames


def test_of_a_phone_in_the_hand_no_moments_are_told(desktop, phone):
    d = following(desktop, phone, size=(1280, 720))
    phone.until = 1.0
    d.until(lambda: len(d.app.workspace.phone.recording.time) == 101)
    d.settle()
    assert "readout omega" in " ".join(d.boxes)
    assert not [name for name in d.boxes if "readout" in name and "omega" not in name]
    open_named(d.app.workspace, "paper-fig1")
    d.until(lambda: any("readout I" in name for name in d.boxes))


def test_another_scene_that_is_opened_keeps_its_own_start(desktop, phone):
    d = following(desktop, phone)
    phone.until = 1.0
    d.until(lambda: len(d.app.workspace.phone.recording.time) == 101)
    open_named(d.app.workspace, "paper-fig1")
    opened = d.scenario
    phone.until = 2.0
    d.settle()
    for _ in range(20):
        d.turn(0.02)
    assert d.scenario == opened
    assert d.app.workspace.phone.state is None, "the phone is not asked any more"


def test_words_and_a_lecture_tell_no_moments_of_a_phone_in_the_hand(desktop, phone, monkeypatch):
    units: set[str] = set()
    monkeypatch.setattr(board, "text_right", lambda x, y, color, words: units.add(words))
    d = following(desktop, phone, size=(1280, 720))
    phone.until = 1.0
    d.until(lambda: len(d.app.workspace.phone.recording.time) == 101)
    d.key("F5")
    d.settle()
    assert units == {"rad/s"}
    words = describe(d.session)
    assert "Held in the hand" in words
    assert not [unit for unit in ("kg", " J", "exact") if unit in words]
