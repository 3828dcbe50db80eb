"""An accelerometer whose gravity is that of another unit than is declared."""

import numpy as np
import pytest

from tests.helpers.synthetic_tosses import tossed_phone
from viewer.replay.conventions import ACCELERATION_UNITS, Conventions
from viewer.replay.raw_recording import RawRecording
from viewer.replay.recording import interpret


@pytest.mark.parametrize(("true", "declared"), [("g", "m/s2"), ("m/s2", "g"), ("g", "g"), ("m/s2", "m/s2")])
def test_gravity_tells_the_unit_of_an_accelerometer(true, declared):
    time, omega, felt = tossed_phone(0)
    said = Conventions(rate_frame="body", rate_unit="rad/s", time_unit="s", acceleration_unit=declared)
    raw = RawRecording("a.csv", time, None, omega, said, acceleration=felt / ACCELERATION_UNITS[true])
    found = interpret(raw)
    np.testing.assert_allclose(found.acceleration, felt)
    told = [text for text in found.warnings if "is taken in" in text]
    assert len(told) == (true != declared)
    if told:
        usual = {"g": "1", "m/s2": "9.8"}[true]
        begin = f"acceleration declared in {declared} is taken in {true}, as it is mostly {usual} while it hardly turns"
        assert told == [begin]


def test_a_sensor_that_shows_no_gravity_keeps_its_unit():
    """As on a station in orbit."""
    time, omega, felt = tossed_phone(0)
    said = Conventions(rate_frame="body", rate_unit="rad/s", time_unit="s", acceleration_unit="g")
    found = interpret(RawRecording("a.csv", time, None, omega, said, acceleration=0.01 * felt / 9.80665))
    np.testing.assert_allclose(found.acceleration, 0.01 * felt)
