"""The units of a phone's recording that declares none: most of it is a hand's, and only gravity or the tosses tell."""

from itertools import product

import numpy as np
import pytest
from helpers.handling import handled

from tests.helpers.synthetic_tosses import Tosses, tossed_phone
from viewer.cli import main
from viewer.replay.conventions import RATE_UNITS, TIME_UNITS, Conventions
from viewer.replay.flights.sensor_units import sensor_units
from viewer.replay.formats.formats import read_recording
from viewer.replay.raw_recording import RawRecording
from viewer.replay.recording import interpret

CLOCKS = {"s": 5, "ms": 1, "us": 0}  # digits after the point
CASES = list(product(CLOCKS, RATE_UNITS, (False, True)))


def written(path, clock: str, unit: str, felt: bool, names: str = "t,wx,wy,wz,ax,ay,az"):
    """A file of tosses in these units; its names say nothing about them."""
    time, omega, force = tossed_phone(0)
    columns = [omega / RATE_UNITS[unit], force] if felt else [omega / RATE_UNITS[unit]]
    rows = [
        ",".join([f"{moment:.{CLOCKS[clock]}f}", *(f"{value:.4f}" for value in row)])
        for moment, row in zip(time / TIME_UNITS[clock], np.hstack(columns), strict=True)
    ]
    path.write_text("\n".join([",".join(names.split(",")[: 7 if felt else 4]), *rows]))
    return path


@pytest.mark.parametrize(("clock", "unit", "felt"), CASES)
def test_units_that_no_name_gives_are_found(tmp_path, clock, unit, felt):
    found = interpret(read_recording(written(tmp_path / "toss.csv", clock, unit, felt)))
    assert (found.conventions.rate_unit, found.conventions.time_unit) == (unit, clock)
    assert np.abs(found.time - tossed_phone(0)[0]).max() < 1e-3
    assert np.abs(found.omega_body - tossed_phone(0)[1]).max() < 1e-3
    assert not [text for text in found.warnings if "fit nearly as well" in text or "no motion of a free" in text]


def test_a_hand_alone_tells_no_unit_by_chance():
    """Nothing was thrown; measured: of 72 recordings without an accelerometer one is taken for another unit's."""
    wrong = 0
    for seed in range(12):
        time, omega, felt = handled(20.0 + seed, (50.0, 100.0, 200.0, 400.0)[seed % 4], 100 + seed)
        for unit, size in RATE_UNITS.items():
            for force in (None, felt):
                found = sensor_units(time, omega / size, force, RATE_UNITS, {"s": 1.0})
                wrong += found is not None and found.rate != unit
    assert wrong <= 2


@pytest.mark.parametrize("felt", [False, True])
def test_a_right_unit_is_not_doubted_and_a_wrong_one_is_told_with_the_refusal(tmp_path, capsys, felt):
    """A hand's motion fits a body like a sphere in any faster unit."""
    path = written(tmp_path / "toss.csv", "s", "deg/s", felt)
    assert main(["replay", str(path), "--angular-velocity", "body, deg/s", "--time-unit", "s"]) == 0
    assert "declared as" not in capsys.readouterr().out
    path = written(tmp_path / "toss.csv", "s", "rad/s", felt)
    assert main(["replay", str(path), "--angular-velocity", "body, deg/s", "--time-unit", "s"]) == 2
    told = capsys.readouterr().err
    assert "no free flight found" in told
    assert "declare it with --angular-velocity rad/s" in told


def mirrored_warnings(omega, time) -> list[str]:
    said = Conventions(rate_frame="body", rate_unit="rad/s", time_unit="s")
    found = interpret(RawRecording("a.csv", time, None, omega, said))
    return [text for text in found.warnings if "left-handed" in text]


def test_left_handed_axes_of_a_phone_are_told_without_gravity():
    """A phone is flat: no solid turns as its mirror image does."""
    throws = ((20.0, 3.0, 2.0), (3.0, 15.0, 8.0), (12.0, 4.0, 6.0), (15.0, 8.0, 3.0))
    for seed in range(3):
        time, omega, _ = tossed_phone(seed, Tosses(throws=throws))
        assert mirrored_warnings(omega, time) == []
        for signs in ((1, 1, -1), (-1, -1, -1)):
            (text,) = mirrored_warnings(np.array(signs) * omega, time)
            assert text.startswith("with all signs of the rates turned there are ")


@pytest.mark.parametrize("seed", range(6))
def test_a_hand_or_a_body_that_is_not_flat_is_not_called_left_handed(seed):
    time, omega, _ = handled(20.0 + seed, 100.0, 200 + seed)
    assert mirrored_warnings(omega, time) == []
    solid = Tosses(moments=(0.9, 0.55, 1.0), throws=((20.0, 3.0, 2.0), (3.0, 15.0, 8.0), (12.0, 4.0, 6.0)))
    time, omega, _ = tossed_phone(seed, solid)
    assert mirrored_warnings(omega, time) == []
