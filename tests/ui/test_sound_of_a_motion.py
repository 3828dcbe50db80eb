"""The sound of a motion, by its spectrum, its channels and its clicks; no audio device is needed."""

import dataclasses

import numpy as np
import pytest

from viewer.physics.exact.free_rotation import FreeRotation
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session
from viewer.ui.sound import CLICK_HERTZ, GAIN, HIGHEST, LOWEST, RATE, Heard, Synthesiser, heard

RIGHT = np.array([1.0, 0.0, 0.0])


def samples(*blocks: Heard, frames: int = 1024) -> np.ndarray:
    """(N, 2), one block for each."""
    synthesiser = Synthesiser()
    return np.concatenate([synthesiser.block(wanted, frames) for wanted in blocks])


def peak(signal: np.ndarray) -> float:
    """The frequency [Hz] of the largest line of the spectrum."""
    window = np.hanning(len(signal))
    return float(np.argmax(np.abs(np.fft.rfft(signal * window))) * RATE / len(signal))


@pytest.mark.parametrize("speed", [1.0, 3.0, 6.0, 15.0, 40.0])
def test_the_pitch_is_55_hertz_for_each_radian_a_second(speed):
    """To the bin of the spectrum, 1.35 Hz wide, over blocks of uneven length."""
    scenario = Scenario.preset("sphere").with_value("start.angular_velocity", (0.0, 0.0, speed))
    found = heard(Session(scenario).snapshot(), RIGHT, True, None, Heard())
    assert found.frequency == pytest.approx(55.0 * speed, rel=1e-12)
    synthesiser = Synthesiser()
    signal = np.concatenate([synthesiser.block(found, frames) for frames in (4096, *(500, 1500, 33, 15) * 16)])[4096:]
    assert abs(peak(signal[:, 0]) - 55.0 * speed) <= RATE / len(signal)


def test_an_octave_for_twice_the_speed_and_limits():
    def pitch(speed: float) -> float:
        scenario = Scenario.preset("sphere").with_value("start.angular_velocity", (0.0, 0.0, speed))
        return heard(Session(scenario).snapshot(), RIGHT, True, None, Heard()).frequency

    assert pitch(8.0) == pytest.approx(2.0 * pitch(4.0), rel=1e-12)
    assert (pitch(0.01), pitch(99.0)) == (LOWEST, HIGHEST)


@pytest.mark.parametrize("pan", [-1.0, -0.5, 0.0, 0.3, 1.0])
def test_the_side_is_that_of_the_contact_at_the_same_loudness(pan):
    """The channels' energies are cos2 and sin2 of the angle, so that their sum stays."""
    told = Heard(440.0, pan, GAIN)
    signal = samples(told, told, told, frames=RATE // 4)[RATE // 4 :]
    left, right = np.mean(signal**2, axis=0)
    angle = 0.25 * np.pi * (1.0 + pan)
    assert left + right == pytest.approx(0.5 * GAIN**2, rel=1e-3)
    assert left == pytest.approx(0.5 * GAIN**2 * np.cos(angle) ** 2, abs=1e-6)
    assert right == pytest.approx(0.5 * GAIN**2 * np.sin(angle) ** 2, abs=1e-6)


def test_the_pan_is_where_omega_points_in_the_picture():
    snapshot = Session(Scenario.preset("dzhanibekov")).snapshot()
    omega = snapshot.reading.omega_world
    across = np.cross(omega, [0.0, 0.0, 1.0])
    across /= np.linalg.norm(across)
    assert heard(snapshot, across, True, None, Heard()).pan == pytest.approx(0.0, abs=1e-12)
    ten = np.cos(np.radians(80.0)) * omega / np.linalg.norm(omega) + np.sin(np.radians(80.0)) * across
    assert heard(snapshot, ten, True, None, Heard()).pan == pytest.approx(2.0 * np.sin(np.radians(10.0)), rel=1e-12)
    assert heard(snapshot, -ten, True, None, Heard()).pan == pytest.approx(-2.0 * np.sin(np.radians(10.0)), rel=1e-12)
    assert heard(snapshot, omega / np.linalg.norm(omega), True, None, Heard()).pan == 1.0


def test_no_click_but_the_wanted_ones():
    """Across blocks with other pitches, sides and loudnesses no sample jumps by more than the tone itself can."""
    rng = np.random.default_rng(16)
    told = [Heard(float(f), float(p), float(g)) for f, p, g in
            zip(rng.uniform(40, 2000, 60), rng.uniform(-1, 1, 60), rng.uniform(0, GAIN, 60), strict=True)]  # fmt: skip
    signal = samples(*told, frames=735)
    steepest = 2.0 * np.pi * 2000.0 / RATE * GAIN + 0.02 * GAIN  # of the sine, and of gain and side within a block
    assert np.max(np.abs(np.diff(signal, axis=0))) < steepest
    joins = np.abs(np.diff(signal, axis=0))[734::735]
    assert np.max(joins) < steepest


def test_a_flip_clicks_once():
    """A burst at its own pitch that is over before a tenth of a second."""
    silent = Heard(440.0, 0.0, 0.0)
    clicked = dataclasses.replace(silent, flips=1)
    signal = samples(silent, clicked, clicked, clicked, clicked, clicked)[:, 0]
    assert np.max(np.abs(signal[:1024])) == 0.0
    assert np.max(np.abs(signal[1024:2048])) > 0.2
    assert np.max(np.abs(signal[1024 + 2048 :])) == 0.0
    assert peak(signal[1024:2048]) == pytest.approx(CLICK_HERTZ, abs=2.0 * RATE / 1024)


def test_flips_are_counted_as_the_closed_form_has_them():
    scenario = Scenario.preset("dzhanibekov")
    session, before, last = Session(scenario, playing=False), None, Heard()
    for time in np.arange(0.0, 20.0, 1.0 / 60.0):
        session.scene.run_on_to(max(float(time), session.motion.time))
        snapshot = session.snapshot()
        last, before = heard(snapshot, RIGHT, True, before, last), snapshot
    motion = FreeRotation(scenario.rigid_body(), scenario.start_state())
    middle = np.array([motion.at(t).omega_body[1] for t in np.arange(0.0, 19.98, 0.02)])
    assert last.flips == np.count_nonzero(np.diff(np.sign(middle))) == 4


def test_what_stands_still_is_silent():
    snapshot = Session(Scenario.preset("dzhanibekov")).snapshot()
    assert heard(snapshot, RIGHT, False, None, Heard()).gain == 0.0
    rest = Session(Scenario.preset("sphere").with_value("start.angular_velocity", (0.0, 0.0, 0.0))).snapshot()
    assert heard(rest, RIGHT, True, None, Heard()).gain == 0.0
    assert np.max(np.abs(samples(Heard(440.0, 0.0, 0.0)))) == 0.0
